"""A release of one family, of two refs for one Python and of one for another: resolve, build, test, promote, index, install."""

import hashlib
import json
import subprocess
from urllib.parse import quote
from urllib.request import urlopen

import pytest
import rocm_world
import wheelrun as runner
from stage import ROCM, Stage, pythons

FAMILY = "gfx103X-dgpu"
RUNNER = "linux-gfx1030-gpu-rocm"
WORKFLOW = f"release_linux_pytorch_wheels_{FAMILY}.yml"
BUCKET = "therock-nightly-python"
FIRST, SECOND = (f"py{version.replace('.', '')}" for version in pythons())
COMBOS = [f"{FIRST}_torch210", f"{FIRST}_nightly", f"{SECOND}_torch210"]
PROJECTS = ["apex", "torch", "torchaudio", "torchvision", "triton"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with Stage(tmp_path_factory.mktemp("release"), combos=COMBOS, families=[FAMILY], with_pip=f"*_{SECOND}_*") as made:
        yield made


@pytest.fixture(scope="module")
def started(stage):
    """The workflows that the nightly release starts when a maintainer runs it for one family."""
    inputs = {"linux_amdgpu_families": "gfx103x", "windows_amdgpu_families": "none", "rocm_version": ""}
    done = stage.run("release_nightly.yml", "workflow_dispatch", {"inputs": inputs})
    assert not [name for name, job in done.jobs.items() if job.result != "success"], done.shown()
    return stage.started()


@pytest.fixture(scope="module")
def run(stage, started):
    """The family's release, with the inputs that the nightly release gave."""
    gpu = {"WORLD_GPUS": stage.gpu_of(RUNNER)}
    done = stage.run(started[0]["workflow"], "workflow_dispatch", {"inputs": started[0]["inputs"]},
                     machines={f"test_{combo}": gpu for combo in COMBOS})
    assert {name: job.result for name, job in done.jobs.items() if job.result != "success"} == {}, done.shown()
    return done


def test_the_night_starts_the_chosen_family_with_commits_for_all_refs(started, stage):
    (one,) = started
    assert one["workflow"] == WORKFLOW
    assert one["inputs"].keys() == {"release_type", "rocm_version", "commits"}
    assert (one["inputs"]["release_type"], one["inputs"]["rocm_version"]) == ("nightly", "")
    commits = json.loads(one["inputs"]["commits"])
    assert commits.keys() == {row["id"] for row in stage.plan["torch"].values()}


def wheels(run, combo):
    return json.loads(run.jobs[f"build_{combo}"].outputs["wheels"])


def test_every_combo_goes_all_the_way_and_is_installed_from_the_index(run, stage):
    expected = {f"{part}_{combo}" for part in ("build", "test", "attest", "promote", "install") for combo in COMBOS}
    expected |= {"wheelrun", "resolve", "index"}
    assert run.ran() == expected
    for combo in COMBOS:
        assert run.jobs[f"build_{combo}"].inner == {"build": "success", "upload": "success"}
        assert run.jobs[f"promote_{combo}"].outputs["verdict"] == "promote"
        installed = run.jobs[f"install_{combo}"]
        assert installed.inner == {"install": "success"} and f"{stage.web.url}/" in installed.text
    assert run.jobs["resolve"].outputs["rocm_version"] == ROCM


def test_wheelrun_is_built_once_a_run_and_not_where_it_is_used(run, stage):
    assert stage.built() == [("1-release_nightly", "wheelrun"), (f"2-{WORKFLOW.removesuffix('.yml')}", "wheelrun")]
    image = [line for line in stage.changes if line.startswith("build_linux_pytorch_wheels.yml: 1 x an empty root")]
    assert image, stage.changes
    for combo in COMBOS:
        tag = f"cp{combo[2:].split('_')[0]}"
        assert f"/opt/python/{tag}-{tag}/bin" in run.jobs[f"build_{combo}"].text


def test_versions_are_those_that_were_resolved(run, stage):
    resolved = json.loads(run.jobs["resolve"].outputs["versions"])
    commits = json.loads(run.jobs["resolve"].outputs["commits"])
    for combo in COMBOS:
        row = "torch_" + combo.split("_")[1].removeprefix("torch")
        assert commits[row]["torch"] == stage.sources.commits[row]["torch"]
        built = run.jobs[f"build_{combo}"].outputs
        assert {name: built[f"{name}_version"] for name in PROJECTS} == resolved[combo]


def test_what_is_released_is_what_was_tested(run, stage):
    released = stage.wheels_in(BUCKET, f"v2/{FAMILY}")
    expected = {}
    for combo in COMBOS:
        told = wheels(run, combo)
        assert sorted(name.split("-")[0] for name in told) == PROJECTS
        tested = run.jobs[f"test_{combo}"]
        assert tested.steps["linux / Test"] == "success"
        expected |= told
    assert {name: total for name, total in released.items() if f"rocm{ROCM}" in name} == expected


def test_the_release_is_recorded(run, stage):
    path = stage.server_folder / "data" / BUCKET / "v2" / FAMILY / f"release-{ROCM}.json"
    part = json.loads(path.read_text(encoding="utf-8"))["platforms"]["linux"]
    assert part["recorded"]["run"].endswith(f"/ROCm/TheRock/actions/runs/{run.id}/attempts/1")
    assert set(part["builds"]) == set(COMBOS)
    for combo in COMBOS:
        files = {row["file"]: row for row in part["files"] if row.get("combo") == combo}
        assert {file: row["sha256"] for file, row in files.items()} == wheels(run, combo)
        assert all(len(row["attestations"]) == 2 for row in files.values())
        build, row = part["builds"][combo], "torch_" + combo.split("_")[1].removeprefix("torch")
        assert build["projects"]["torch"]["commit"] == stage.sources.commits[row]["torch"]
        assert build["tests"] == {FAMILY: "success"}


def test_all_levels_of_tests_ran(run):
    for combo in COMBOS:
        assert "rocm passed, smoke passed; success" in run.jobs[f"test_{combo}"].text


def test_a_user_verifies_what_is_released(run, stage):
    """Who built it, from which commits, with which tests; what the index serves is what was signed in the run."""
    combo = COMBOS[0]
    (wheel,) = [name for name in wheels(run, combo) if name.startswith("torch-")]
    url = f"{stage.web.url}/{BUCKET}/v2/{FAMILY}/{quote(wheel)}"
    page = (stage.server_folder / "data" / BUCKET / "v2" / FAMILY / "torch/index.v1.json").read_text(encoding="utf-8")
    assert {one["filename"]: one["provenance"] for one in json.loads(page)["files"]}[wheel].endswith(
        f"{quote(wheel)}.provenance")
    done = runner.wheelrun("verify", url, "--release-type", "nightly", "--commit", stage.git("rev-parse", "HEAD"),
                           "--json", env={"WHEELRUN_PLAN": str(stage.workflows / "plan.json"),
                                          "WHEELRUN_TRUST_ROOT": str(stage.trust_root), "PATH": f"{stage.tools()}:/usr/bin:/bin"})
    assert done.status == 0, done.stderr
    record = json.loads(done.stdout)["record"]
    row = "torch_" + combo.split("_")[1].removeprefix("torch")
    assert record["projects"]["torch"]["commit"] == stage.sources.commits[row]["torch"]
    assert record["rocm"] == ROCM and set(record["tests"].values()) == {"success"} and record["canaries"]["pass"] > 0
    (torch,) = [one for one in record["wheels"] if one["file"] == wheel]
    assert torch["targets"]
    assert run.jobs[f"attest_{combo}"].inner == {"attest": "success"}


def test_what_was_built_can_be_checked_out_again(run, stage, tmp_path):
    """The link in the released index leads to the commit; the tests came from the same commit."""
    for combo in COMBOS:
        outputs = run.jobs[f"build_{combo}"].outputs
        (wheel,) = [name for name in wheels(run, combo) if name.startswith("torch-")]
        url = f"{stage.web.url}/{BUCKET}/v2/{FAMILY}/{quote(wheel)}.manifest.json"
        page = stage.server_folder / "data" / BUCKET / "v2" / FAMILY / "torch/index.html"
        assert f'<a href="../{quote(wheel)}.manifest.json">manifest</a>' in page.read_text(encoding="utf-8")
        with urlopen(url, timeout=60) as answer:
            text = answer.read()
        assert hashlib.sha256(text).hexdigest() == outputs["manifest_sha256"]
        commit = json.loads(text)["pytorch"]["commit"]
        row = "torch_" + combo.split("_")[1].removeprefix("torch")
        assert commit == stage.sources.commits[row]["torch"]
        assert f"torch is at {commit}" in run.jobs[f"test_{combo}"].text
    done = runner.wheelrun("checkout", "torch", "--root", tmp_path, "--manifest", url, "--no-hipify",
                           env={**stage.sources.environment, "WHEELRUN_PLAN": str(stage.workflows / "plan.json")})
    assert done.status == 0, done.stderr
    assert stage.sources.git(tmp_path / "pytorch", "rev-parse", "HEAD") == commit


def test_roles_are_assumed_where_something_is_written_and_nowhere_else(run, stage):
    writers = {f"{part}_{combo}" for part in ("build", "promote") for combo in COMBOS} | {"index"}
    assert {job for _, job, _ in stage.assumed()} == writers
    assert {role for _, _, role in stage.assumed()} == {"therock-nightly"}
    assert not [job for job in run.jobs.values() if "secret-of-" in job.text]


@pytest.mark.parametrize("combo", COMBOS)
def test_pip_installs_it_from_the_release_index(run, stage, tmp_path, combo):
    torch = run.jobs[f"build_{combo}"].outputs["torch_version"]
    version = next(version for version in pythons() if f"py{version.replace('.', '')}_" in combo)
    python = rocm_world.make_python(tmp_path / "venv", version)
    index = f"{stage.web.url}/{BUCKET}/v2/{FAMILY}/"
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--index-url", index,
                           "--find-links", rocm_world.wheelhouse(), f"torch=={torch}", "torchvision"],
                          capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PIP_NO_COMPILE": "false"})
    assert done.returncode == 0, done.stdout + done.stderr
    said = subprocess.run([python, "-c", "import torch, torchvision; print(torch.__version__, torch.ones(2).rows)"],
                          capture_output=True, text=True, check=False)
    assert said.stdout == f"{torch} [1.0, 1.0]\n", said.stderr
