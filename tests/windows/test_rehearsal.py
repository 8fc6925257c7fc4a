"""A release of one family for Windows, whose jobs run wheelrun.exe by Wine: resolve, build, test, promote, index, install;
and ROCm's packages in CI."""

import json
import sys
import tarfile

import pytest
from host_programs import ROOT

sys.path.insert(0, str(ROOT / "tests/rehearsal"))
import s3_server  # noqa: E402
import wheelrun as runner  # noqa: E402
from stage import REGION  # noqa: E402
from windows_stage import WindowsStage  # noqa: E402

FAMILY = "gfx1151"
WORKFLOW = f"release_windows_pytorch_wheels_{FAMILY}.yml"
BUCKET = "therock-nightly-python"
COMBO = "py311_torch210"
FIRST_RUN = 19_000_000_000
PROJECTS = ["torch", "torchaudio", "torchvision"]


def expect_few_tests(plan):
    """Shrinks the full test level: its packages are large, and its tests need the real PyTorch."""
    plan["test_levels"]["full"].update(files=["test_nn.py"], packages=["pytest==9.0.3"])
    return ["plan.json: the test level full runs test_nn.py alone"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    # In CI, PyTorch is built by the same workflows as in a release.
    without = ["_linux_", "components_", "pytorch_", "resolve"]
    with WindowsStage(tmp_path_factory.mktemp("windows"), combos=[COMBO], families=[FAMILY], without=without,
                      plan_changes=expect_few_tests) as made:
        yield made


@pytest.fixture(scope="module")
def run(stage):
    inputs = {"release_type": "nightly", "rocm_version": "", "commits": "", "amdgpu_family": FAMILY}
    done = stage.run(WORKFLOW, "workflow_dispatch", {"inputs": inputs}, machines={f"test_{COMBO}": {"WORLD_GPUS": FAMILY}})
    assert {name: job.result for name, job in done.jobs.items() if job.result != "success"} == {}, done.shown()
    return done


def test_the_release_goes_all_the_way(run):
    assert run.ran() == {"wheelrun", "wheelrun_windows", "resolve", "index",
                         *(f"{part}_{COMBO}" for part in ("build", "test", "attest", "promote", "install"))}
    assert run.jobs[f"build_{COMBO}"].inner == {"build": "success", "upload": "success"}
    assert run.jobs[f"promote_{COMBO}"].outputs["verdict"] == "promote"


def test_what_is_released_was_built_and_tested_on_windows(run, stage):
    told = json.loads(run.jobs[f"build_{COMBO}"].outputs["wheels"])
    assert sorted(name.split("-")[0] for name in told) == PROJECTS
    assert all(name.endswith("-cp311-cp311-win_amd64.whl") for name in told)
    released = stage.wheels_in(BUCKET, f"v2/{FAMILY}")
    assert {name: total for name, total in released.items() if name in told} == told
    tested = run.jobs[f"test_{COMBO}"]
    assert tested.steps["windows / Test"] == "success"
    assert "smoke passed" in tested.text and "full passed" in tested.text


def test_versions_are_those_that_were_resolved(run):
    resolved = json.loads(run.jobs["resolve"].outputs["versions"])
    built = run.jobs[f"build_{COMBO}"].outputs
    assert {name: built[f"{name}_version"] for name in PROJECTS} == resolved[COMBO]


@pytest.fixture(scope="module")
def packaged(stage):
    """CI of one family, by hand, with artifacts that are there."""
    run = str(FIRST_RUN + stage.runs + 1)
    build = stage.folder / "build"
    (build / "artifacts").mkdir(parents=True)
    with tarfile.open(build / f"artifacts/core_dev_{FAMILY}.tar.gz", "w:gz") as archive:
        archive.add(stage.tree(FAMILY, [FAMILY]), arcname=".")
    sent = runner.wheelrun("upload", build, "--kind", "artifacts", "--platform", "windows", "--artifact-group", FAMILY,
                           "--build-result", "success", "--bucket", "therock-ci-artifacts", "--run-id", run,
                           env={**s3_server.variables(stage.server.url, AWS_REGION=REGION)})
    assert sent.status == 0, sent.stderr
    inputs = {"windows_amdgpu_families": FAMILY, "linux_amdgpu_families": "none", "windows_use_prebuilt_artifacts": "true",
              "artifact_run_id": run}
    done = stage.run("ci_pull_request.yml", "workflow_dispatch", {"inputs": inputs},
                     machines={f"test_rocm_windows_{FAMILY}": {"WORLD_GPUS": FAMILY}})
    assert {name: job.result for name, job in done.jobs.items() if job.result == "failure"} == {}, done.shown()
    return done


def test_packages_of_rocm_are_built_and_tested_on_windows(packaged):
    assert packaged.ran() == {"wheelrun", "wheelrun_windows", "setup", "summary", f"packages_windows_{FAMILY}",
                              f"test_rocm_windows_{FAMILY}"}
    steps = packaged.jobs[f"test_rocm_windows_{FAMILY}"].steps
    assert steps["windows / Test rocm[libraries,devel]"] == "success"


def test_what_is_replaced_did_what_it_stands_for(run, stage):
    assert {name for name, _ in stage.host.runs} == {"git", "tar", "ninja", "vswhere", "cl", "link", "clang++"}
