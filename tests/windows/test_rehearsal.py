"""A release of one family for Windows, whose jobs run wheelrun.exe by Wine: resolve, build, test, promote, index, install."""

import json
import sys

import pytest
from host_programs import ROOT

sys.path.insert(0, str(ROOT / "tests/rehearsal"))
from windows_stage import WindowsStage  # noqa: E402

FAMILY = "gfx1151"
WORKFLOW = f"release_windows_pytorch_wheels_{FAMILY}.yml"
BUCKET = "therock-nightly-python"
COMBO = "py311_torch210"
PROJECTS = ["torch", "torchaudio", "torchvision"]


def expect_few_tests(plan):
    """Shrinks the full test level: its packages are large, and its tests need the real PyTorch."""
    plan["test_levels"]["full"].update(files=["test_nn.py"], packages=["pytest==9.0.3"])
    return ["plan.json: the test level full runs test_nn.py alone"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with WindowsStage(tmp_path_factory.mktemp("windows"), combos=[COMBO], families=[FAMILY],
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


def test_what_is_replaced_did_what_it_stands_for(run, stage):
    assert {name for name, _ in stage.host.runs} == {"git", "ninja", "vswhere", "cl", "link", "clang++"}
