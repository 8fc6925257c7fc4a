"""The projects in examples/, with the program alone: current, without a finding, and readable for people."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jax_example
import pytest
import yaml
from github_run import Expression, bare
from index_world import make_wheel, served, sha256
from wheelrun import environment, wheelrun
from wheelwright import ROOT, Project
from workflow_set import frozen

# examples/jax is added to this project's own.
EXAMPLES = sorted(path.parents[1] for path in (ROOT / "examples").glob("*/matrix/settings.yml"))


def copied(source, folder):
    """A copy of an example, in a folder where there is nothing else."""
    for name in ("matrix", "templates", "generated-workflows", ".github"):
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name)
    return Project(folder)


def refuses(project, message, place):
    head, where, *_ = project.refused("generate").splitlines()
    assert head == message
    assert re.match(rf" *--> matrix/{place}:\d+:\d+$", where)


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.name)
def each(request, tmp_path):
    copy = copied(request.param, tmp_path)
    copy.name = request.param.name
    return copy


@pytest.fixture
def library(tmp_path):
    return copied(ROOT / "examples/cpp-library", tmp_path)


@pytest.fixture
def wheels(tmp_path):
    return copied(ROOT / "examples/cuda-wheels", tmp_path)


@pytest.fixture
def jax(tmp_path):
    """With rows that daily edits leave alone."""
    jax_example.copy_with_jax(tmp_path, frozen())
    return Project(tmp_path)


def test_the_workflows_are_current_and_without_a_finding(each):
    assert each.ok("check").startswith("generated-workflows/ is current: ")
    assert "no findings" in each.ok("lint", "generated-workflows")


def test_plan_and_graph_know_every_set(each):
    plan = each.ok("plan")
    assert re.search(r"^excluded ", plan, re.M)
    for line in re.findall(r"^excluded .*\n((?:\S.*\n)+)", plan, re.M)[0].splitlines():
        assert re.search(r"matrix/\w+\.yml:\d+", line), line
    assert "flowchart" in each.ok("graph")
    assert "<html" in each.ok("graph", "--format", "html")


def test_the_commands_of_its_page_work(each):
    """Those of jax are followed by the tests of jax."""
    page = (ROOT / "examples" / each.name / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    wheelwright (\w+)", page, re.M)
    assert commands == ["generate", "check", "plan"]
    for command in commands:
        each.ok(command)


def test_an_event_starts_what_its_row_says(each):
    assert each.ok("select", "--event", "pull_request").startswith(
        ("pull_request starts ci.yml\n", "pull_request starts ci.yml and wheelwright_check.yml\n"))


def test_explain_leads_to_the_rows_of_a_job(library):
    said = library.ok("explain", "nightly.yml#ubuntu_clang_18_relwithdebinfo_thread")
    assert re.search(r"templates/workflows/checks\.yml:\d+", said)
    assert "clang-18" in said and re.search(r"matrix/builds\.yml:\d+", said)


@pytest.mark.parametrize(("project", "name", "old", "new", "message", "place"), [
    ("library", "compilers.yml", "apple-clang:\n    macos:      { command: clang++,    sanitizers: [address, undefined, thread] }",
     "apple-clang:\n    macos:      { command: clang++,    sanitizers: [address, undefined] }",
     "error[unknown-sanitizer]: 'clang++' on macos is not said to have 'thread', and 'nightly' builds with it", "builds.yml"),
    ("library", "builds.yml", "      ubuntu: [gcc-14]\n", "      ubuntu: [gcc-14, clang-18]\n",
     "error[two-archives]: the release has 2 builds for ubuntu, and one archive", "builds.yml"),
    ("library", "builds.yml", "[msvc]\n      macos: [apple-clang]\n    types: [Debug", "[msvc, gcc-14]\n      macos: [apple-clang]\n    types: [Debug",
     "error[value-without-row]: the compiler 'gcc-14' has no row for windows", "builds.yml"),
    ("library", "builds.yml", "[msvc]\n      macos: [apple-clang]\n    types: [Release", "[]\n      macos: [apple-clang]\n    types: [Release",
     "error[no-compilers]: 'release' lists no compiler for windows", "builds.yml"),
    ("library", "systems.yml", "image: valkey", "image: valky", "error[unknown-image]: no image of pins.yml is called 'valky'",
     "systems.yml"),
    ("library", "triggers.yml", "[nightly] }\n  workflow", "[nightli] }\n  workflow",
     "error[unknown-set]: no set of builds is called 'nightli', so there is no such workflow", "triggers.yml"),
    ("wheels", "versions.yml", '"2.10":\n    linux_x86_64:  [cu126, cu128, cu130]', '"2.10":\n    linux_x86_64:  [cu126, cu128]',
     "error[no-torch-wheels]: PyTorch 2.10 is not said to have wheels of cu130 for linux_x86_64, and 'release' builds against "
     "them", "versions.yml"),
    ("wheels", "platforms.yml", 'windows-gpu-t4: { gpu: NVIDIA T4, capability: "7.5", driver: 580 }',
     'windows-gpu-t4: { gpu: NVIDIA T4, capability: "7.5", driver: 570 }',
     "error[wrong-gpu]: 'windows-gpu-t4' cannot run what CUDA 13.0 builds for windows", "platforms.yml"),
    ("wheels", "platforms.yml", "    untested: GitHub has no runners for aarch64 with a GPU\n", "",
     "error[tests-and-reason]: 'linux_aarch64' needs a runner that tests its wheels, or the reason why there is none",
     "platforms.yml"),
    ("wheels", "platforms.yml", "image: manylinux_aarch64", "image: manylinux_arm64",
     "error[unknown-image]: no image of pins.yml is called 'manylinux_arm64'", "platforms.yml"),
])
def test_projects_say_what_makes_no_sense(request, project, name, old, new, message, place):
    example = request.getfixturevalue(project)
    example.replace(f"matrix/{name}", old, new, count=1)
    refuses(example, message, place)


def test_all_that_is_published_was_built_and_where_there_is_a_gpu_tested(wheels):
    release = yaml.load((wheels.folder / "generated-workflows/release.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)["jobs"]
    publish, install = release.pop("publish"), release.pop("install")
    assert set(publish["needs"]) == set(release)
    built = {name for name in release if name.startswith("build_")}
    assert {name for name in built if name.replace("build_", "test_") not in release} == {
        name for name in built if "aarch64" in name}
    checked = publish["steps"][1]["env"]["BUILT"].splitlines()
    assert checked == [f"${{{{ needs.{name}.outputs.sha256 }}}}  ${{{{ needs.{name}.outputs.wheel }}}}" for name in release
                       if name in built]
    assert [name for name, job in release.items() if "id-token" in job["permissions"]] == []
    assert set(install["needs"]) == {"publish", *built} and install["permissions"] == {}
    assert install["steps"][1]["env"]["BUILT"].splitlines() == checked


def test_nobody_installs_from_pypi_before_all_is_published(wheels):
    wheels.replace("templates/workflows/release.yml", "    needs:\n      - publish\n", "    needs:\n", count=1)
    said = wheels.refused("generate")
    assert said.startswith("error[unordered-install]: ") and "'wheels on PyPI'" in said
    wheels.replace("templates/workflows/release.yml", "installs: wheels on PyPI", "installs: wheels on PiPY", count=1)
    assert "error[unknown-publication]: " in wheels.refused("generate")


@pytest.mark.parametrize("swapped", [False, True])
def test_the_wheels_of_pypi_have_to_be_those_that_were_tested(wheels, tmp_path_factory, swapped):
    """The step as it is generated, and pip, with an index of two wheels."""
    folder = tmp_path_factory.mktemp("index")
    names = ("cp310-cp310-manylinux_2_27_x86_64.manylinux_2_28_x86_64", "cp313-cp313-win_amd64")
    built = [make_wheel(folder, "ragged-ops-cu126-torch210", "1.4.0", tag=tag) for tag in names]
    sums = "".join(f"{sha256(path)}  {path.name}\n" for path in built)
    if swapped:
        make_wheel(folder, "ragged-ops-cu126-torch210", "1.4.0", ["evil"], tag=names[1])
    assert wheelrun("index", folder).status == 0
    release = yaml.load((wheels.folder / "generated-workflows/release.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)["jobs"]
    (job := folder / "job").mkdir()
    with served(folder) as web:
        done = subprocess.run(["bash", "-e", "-c", release["install"]["steps"][1]["run"]], cwd=job, text=True, check=False,
                              env=environment({"BUILT": sums, "PIP_INDEX_URL": f"{web.url}/", "PIP_CONFIG_FILE": os.devnull,
                                               "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}),
                              capture_output=True, timeout=300)
    assert (done.returncode == 0) != swapped, done.stdout + done.stderr
    assert f"{built[0].name}: OK" in done.stdout
    assert f"{built[1].name}: {'FAILED' if swapped else 'OK'}" in done.stdout


def test_jax_adds_its_workflows_and_changes_no_other(jax):
    def generated(folder):
        return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}

    before = generated(frozen() / "generated-workflows")
    jax.run("generate")
    after = generated(jax.folder / "generated-workflows")
    plans = [json.loads(files.pop("plan.json")) for files in (before, after)]
    assert {name: text for name, text in after.items() if name in before} == before
    # What it may write to belongs to the domains that there are.
    assert [key for key in plans[0] if plans[0][key] != plans[1][key]] == ["domains"]
    added = {name: text for name, text in after.items() if name not in before}
    recorded = jax_example.SOURCE / "generated-workflows"
    if os.environ.get("UPDATE_GOLDEN"):
        for name, text in added.items():
            (recorded / name).write_text(text, encoding="utf-8")
    assert generated(recorded) == added
    assert jax.run("check").stdout.startswith("generated-workflows/ is current: ")
    assert "no findings" in jax.ok("lint", *(f"generated-workflows/{name}" for name in added))


def test_jax_fits_the_rows_as_they_are(tmp_path):
    jax_example.copy_with_jax(tmp_path, ROOT)
    done = Project(tmp_path).run("generate")
    assert (done.returncode, done.stderr) == (0, "")


def test_plan_explain_and_graph_know_jax(jax):
    jax.run("generate")
    plan = jax.ok("plan")
    assert re.search(r"^linux +0\.10\.1 0\.10\.2 +3\.11 +linux-mi325-1gpu-ossci-rocm +when tests pass$", plan, re.M)
    assert re.search(r"^linux +0\.11\.0 0\.11\.1 +3\.11 +2 +JAX 0\.11 needs Python 3\.12, matrix/jax\.yml:\d+$", plan, re.M)
    assert "jax" in jax.ok("graph", "--format", "html")
    said = jax.ok("explain", "release_linux_jax_wheels.yml#test_jax0111_py313")
    assert re.search(r"matrix/jax\.yml:\d+", said) and "templates/workflows/jax_wheels.yml:" in said


def test_jax_is_published_by_the_role_of_the_release_type_after_its_tests(jax):
    jobs = yaml.load((jax_example.SOURCE / "generated-workflows/release_linux_jax_wheels.yml").read_text(), yaml.CSafeLoader)["jobs"]
    assert len(jobs) == 14 * 3
    publish = yaml.load((jax_example.SOURCE / "generated-workflows/publish_linux_jax_wheels.yml").read_text(), yaml.CSafeLoader)["jobs"]
    steps = {step["name"]: step for step in publish["publish"]["steps"]}
    role = bare(steps["Assume the role"]["with"]["role-to-assume"])
    assert [Expression(role, {"inputs": {"release_type": type}}, {}).value() for type in ("dev", "prerelease", "other")] == [
        "arn:aws:iam::324352301041:role/therock-repo-dev-jax", "arn:aws:iam::324352301041:role/therock-repo-rc-jax", ""]
    for name, job in jobs.items():
        if name.startswith("publish_"):
            assert job["needs"] == [name.replace("publish_", "build_"), name.replace("publish_", "test_")]


@pytest.mark.parametrize(("name", "old", "new", "message", "place"), [
    ("release.yml", ", therock-repo-amd-rc-jax]", "]",
     "error[jax-outside-domain]: the role and the bucket of JAX for 'prerelease' are not both in its domain 'prerelease'", "jax.yml"),
    ("jax.yml", "of_ci: small", "of_ci: smal", "error[unknown-size]: no size of JAX's tests is called 'smal'", "jax.yml"),
])
def test_jax_says_what_makes_no_sense(jax, name, old, new, message, place):
    jax.replace(f"matrix/{name}", old, new, count=1)
    refuses(jax, message, place)
