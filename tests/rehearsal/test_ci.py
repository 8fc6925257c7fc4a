"""CI for pull requests, pull requests of forks, pushes and the nightly run: which jobs run, and what they exchange.

act grants every job all permissions. The roles that jobs assume show that a fork uses no credentials; that GitHub would
give it none is proved by the checks of trust domains.
"""

import json
import re
from urllib.parse import unquote

import pytest
from stage import REPOSITORY, Stage
from workflow_copy import jobs_of, without_jobs

HOSTED = {"wheelrun", "setup", "summary"}
# Families that are left out, because another family has the same tier and the same kind of runners.
ALIKE = ["gfx120X-all", "gfx90X-dcgpu", "gfx101X-dgpu", "gfx1150", "gfx1152", "gfx1153"]


def expect_few_tests(plan):
    """Shrinks the full test level: its packages are large, and its tests need the real PyTorch."""
    plan["test_levels"]["full"].update(files=["test_nn.py"], packages=["pytest==9.0.3"])
    return ["plan.json: the test level full runs test_nn.py alone"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    # No compiler of Debian supports gfx950.
    without = ["_windows", "pytorch_linux_gfx950-dcgpu_", "pytorch_linux_gfx110X-all_",
               "pytorch_linux_gfx1151_", *ALIKE]
    with Stage(tmp_path_factory.mktemp("ci"), without=without, plan_changes=expect_few_tests) as made:
        yield made


def machines(stage, workflow):
    """The GPUs of the runners that run the workflow's test jobs, as variables by job."""
    found = {}
    text = (stage.workflows / workflow).read_text(encoding="utf-8")
    for job, family in re.findall(r"^  (test_\w+?_linux_([\w-]+?)(?:_py\w+)?):$", text, re.MULTILINE):
        for row in stage.plan["families"].values():
            if row["linux"] and row["linux"]["family"] == family:
                found[job] = {"WORLD_GPUS": row["linux"]["targets"][0]}
    return found


def pull_request(stage, *labels, fork=False):
    """The event of a pull request. Checks out the commit that GitHub tests: its head merged into main."""
    stage.git("checkout", "--quiet", "-B", "topic", "main")
    stage.commit("Change a script", {"build_tools/README.md": "x\n", "build_tools/new.py": f"# {labels} {fork}\n"})
    head = stage.git("rev-parse", "HEAD")
    base = stage.git("rev-parse", "main")
    stage.git("checkout", "--quiet", "main")
    stage.git("checkout", "--quiet", "--detach")
    stage.git("merge", "--quiet", "--no-ff", "-m", "Merge", head)
    origin = "someone/TheRock" if fork else REPOSITORY
    return {
        "action": "labeled" if labels else "opened", "number": 7,
        "pull_request": {"number": 7, "labels": [{"name": name} for name in labels],
                         "head": {"ref": "topic", "sha": head, "repo": {"full_name": origin, "fork": fork}},
                         "base": {"ref": "main", "sha": base, "repo": {"full_name": REPOSITORY, "fork": False}}},
        "repository": {"full_name": REPOSITORY, "name": "TheRock", "owner": {"login": "ROCm"}},
    }


def back_to_main(stage):
    stage.git("checkout", "--quiet", "main")


def of_families(parts, *families):
    return {f"{part}_linux_{family}" for part in parts for family in families}


BUILT = ("artifacts", "packages")
TESTED = ("components", "test_rocm")


@pytest.fixture(scope="module")
def requested(stage):
    event = pull_request(stage, "build:pytorch")
    done = stage.run("ci_pull_request.yml", "pull_request", event, machines=machines(stage, "ci_pull_request.yml"),
                     environment={"GITHUB_REF": "refs/pull/7/merge"})
    back_to_main(stage)
    assert {name: job.result for name, job in done.jobs.items() if job.result == "failure"} == {}, done.shown()
    return done


def test_a_pull_request_runs_its_tier_and_what_its_label_asks_for(requested):
    combo = "linux_gfx94X-dcgpu_py312_torch210"
    assert requested.ran() == (
        HOSTED | {"resolve", f"pytorch_{combo}", f"test_pytorch_{combo}"}
        | of_families(BUILT, "gfx94X-dcgpu", "gfx110X-all", "gfx1151")
        # gfx110X-all has no test runner.
        | of_families(TESTED, "gfx94X-dcgpu", "gfx1151"))


def test_packages_and_torch_come_from_the_one_page_of_the_run(requested, stage):
    rocm = requested.jobs["packages_linux_gfx94X-dcgpu"].outputs["package_find_links_url"]
    torch = requested.jobs["pytorch_linux_gfx94X-dcgpu_py312_torch210"].outputs["package_find_links_url"]
    assert rocm == torch
    assert f"/{requested.id}-linux/python/gfx94X-dcgpu/" in unquote(rocm)
    folder = stage.server_folder / "data" / unquote(rocm).split(stage.server.url + "/")[1].rsplit("/", 1)[0]
    names = {path.name.split("-")[0] for path in folder.iterdir() if path.suffix in (".whl", ".gz")}
    assert names == {"rocm", "rocm_sdk_core", "rocm_sdk_libraries_gfx94X_dcgpu", "rocm_sdk_devel", "apex", "torch",
                     "torchaudio", "torchvision", "triton"}


def test_the_summary_says_that_all_is_well(requested):
    assert requested.result("summary") == "success"


def test_ci_writes_with_the_role_of_ci_alone(requested, stage):
    assert {role for _, _, role in stage.assumed()} == {"therock-ci"}


def test_a_fork_is_built_without_credentials_and_nothing_is_uploaded(stage):
    before, assumed = stage.server.keys("therock-ci-artifacts"), len(stage.assumed())
    event = pull_request(stage, "build:pytorch", fork=True)
    run = stage.run("ci_pull_request.yml", "pull_request", event, machines=machines(stage, "ci_pull_request.yml"),
                    environment={"GITHUB_REF": "refs/pull/7/merge"})
    back_to_main(stage)
    assert not [name for name, job in run.jobs.items() if job.result == "failure"], run.shown()
    assert of_families(BUILT, "gfx94X-dcgpu", "gfx110X-all", "gfx1151") <= run.ran()
    for family in ("gfx94X-dcgpu", "gfx1151"):
        assert run.jobs[f"artifacts_linux_{family}"].inner == {"build": "success"}
        assert run.jobs[f"packages_linux_{family}"].inner == {"build": "success"}
    assert not of_families(TESTED, "gfx94X-dcgpu", "gfx1151") & run.ran()
    assert stage.assumed()[assumed:] == []
    assert stage.server.keys("therock-ci-artifacts") == before
    assert stage.server.keys("therock-ci-artifacts-external") == {}


def test_a_push_adds_the_next_tier_and_pytorch_for_one_family(requested, stage):
    """The wheels of PyTorch are those of the pull request: the same workflows would build them the same way."""
    combo = "linux_gfx94X-dcgpu_py312_torch210"
    with stage.repeating(requested, ("build_linux_pytorch_wheels.yml", "build", f"pytorch_{combo}"),
                         ("build_linux_pytorch_wheels.yml", "upload", f"pytorch_{combo}"),
                         ("test_pytorch_wheels.yml", "linux", f"test_pytorch_{combo}")):
        sha = stage.commit("Change a script", {"build_tools/pushed.py": "# new\n"})
        event = {"ref": "refs/heads/main", "before": stage.git("rev-parse", "HEAD~1"), "after": sha,
                 "repository": {"full_name": REPOSITORY, "name": "TheRock", "owner": {"login": "ROCm"}}}
        run = stage.run("ci_postsubmit.yml", "push", event, machines=machines(stage, "ci_postsubmit.yml"))
    assert not [name for name, job in run.jobs.items() if job.result == "failure"], run.shown()
    assert run.ran() == (
        HOSTED | {"resolve", f"pytorch_{combo}", f"test_pytorch_{combo}"}
        | of_families(BUILT, "gfx94X-dcgpu", "gfx110X-all", "gfx1151", "gfx950-dcgpu")
        | of_families(TESTED, "gfx94X-dcgpu", "gfx1151", "gfx950-dcgpu"))
    assert run.result("summary") == "success"


def test_wheelrun_is_built_once_for_all_runs_of_the_same_sources(requested, stage):
    assert requested.result("wheelrun") == "success"
    assert [job for _, job in stage.built()] == ["wheelrun"]
    assert [path.name.rpartition("-")[0] for path in (stage.folder / "cache/saved").iterdir()] == ["wheelrun-Linux-X64"]


def test_documentation_alone_starts_nothing(stage):
    sha = stage.commit("Write", {"docs/page.md": "A page.\n"})
    event = {"ref": "refs/heads/main", "before": stage.git("rev-parse", "HEAD~1"), "after": sha,
             "repository": {"full_name": REPOSITORY, "name": "TheRock", "owner": {"login": "ROCm"}}}
    run = stage.run("ci_postsubmit.yml", "push", event)
    assert run.ran() == HOSTED
    assert run.result("summary") == "success"


def test_the_night_builds_all_and_a_red_job_makes_the_summary_red(stage):
    broken = "test_rocm_linux_gfx1151"
    behind = machines(stage, "ci_nightly.yml")
    behind[broken] = {"WORLD_ROCM_FAILS": "1"}
    run = stage.run("ci_nightly.yml", "schedule", {"schedule": "0 2 * * *"}, machines=behind)
    failed = {name for name, job in run.jobs.items() if job.result == "failure"}
    assert failed == {broken, "summary"}, run.shown()
    assert broken in run.jobs["summary"].text
    families = ["gfx94X-dcgpu", "gfx110X-all", "gfx1151", "gfx950-dcgpu", "gfx103X-dgpu"]
    assert of_families(BUILT, *families) <= run.ran()
    assert {name for name in run.ran() if name.startswith("pytorch_")} == {
        f"pytorch_linux_{family}_py312_torch210" for family in ("gfx94X-dcgpu", "gfx103X-dgpu")}
    assert {"artifacts_linux_gfx94X-dcgpu-asan", "artifacts_linux_gfx950-dcgpu-asan"} <= run.ran()
    # Archives of all builds have the same names, and each build has its own.
    keys = stage.server.keys("therock-ci-artifacts")
    for group in ("gfx94X-dcgpu", "gfx94X-dcgpu-asan"):
        for name in ("core_dev_gfx94X-dcgpu", "base_run_generic"):
            assert f"{run.id}-linux/artifacts/{group}/{name}.tar.gz" in keys
        assert f"components_linux_{group}" in run.ran()
    for family in ("gfx94X-dcgpu", "gfx103X-dgpu"):
        page = json.dumps(run.jobs[f"pytorch_linux_{family}_py312_torch210"].outputs["package_find_links_url"])
        assert f"/{run.id}-linux/python/{family}/" in unquote(page)


def test_two_builds_that_are_filed_as_one_are_refused(stage):
    """A regression test: archives were named by the family, and a nightly run builds two variants of one family."""
    upload, night = (stage.workflows / name for name in ("build_linux_artifacts.yml", "ci_nightly.yml"))
    before = [path.read_text(encoding="utf-8") for path in (upload, night)]
    group = "          ARTIFACT_GROUP: ${{ inputs.artifact_group }}\n"
    assert before[0].count(group) == 1
    builds = {"artifacts_linux_gfx94X-dcgpu", "artifacts_linux_gfx94X-dcgpu-asan"}
    others = {job for job in jobs_of(before[1]) if ("_linux_" in job and job not in builds) or job == "resolve"}
    stage.commit("File archives by the family", {
        upload.relative_to(stage.repository): before[0].replace(group, group.replace("artifact_group", "amdgpu_families")),
        night.relative_to(stage.repository): without_jobs(before[1], others)})
    run = stage.run("ci_nightly.yml", "schedule", {"schedule": "0 2 * * *"})
    stage.commit("File archives by the build", {
        path.relative_to(stage.repository): text for path, text in zip((upload, night), before, strict=True)})
    # The second upload fails, or one of two concurrent ones at the first archive that the other has written, or both.
    failed = [job for name, job in run.jobs.items() if name in builds and job.result == "failure"]
    assert failed
    for job in failed:
        assert job.inner == {"build": "success", "upload": "failure"}
        assert re.search(r"artifacts/gfx94X-dcgpu/\S+\.tar\.gz "
                         r"(exists already with other content|was changed by another writer)", job.text)
    assert run.result("summary") == "failure"
