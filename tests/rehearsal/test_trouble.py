"""Releases in which something goes wrong: what is published then, and what never is."""

import json
import textwrap

import pytest
import s3_server
from stage import HERE, ROCM, Stage, pythons

FAMILY = "gfx103X-dgpu"
RUNNER = "linux-gfx1030-gpu-rocm"
BUCKET = "therock-nightly-python"
FIRST, SECOND = (f"py{version.replace('.', '')}" for version in pythons())
GOOD, BROKEN, FAILING, SWAPPED = f"{FIRST}_torch210", f"{FIRST}_nightly", f"{SECOND}_torch210", f"{SECOND}_nightly"
ASKED = {"inputs": {"release_type": "nightly", "rocm_version": "", "commits": ""}}


def tag(python):
    return python.replace("py", "cp")


def release(family):
    return f"release_linux_pytorch_wheels_{family}.yml"


def expect_a_failure(plan):
    """A row of matrix/hip.yml, for a source that compiles by now."""
    row = {"source": "atomics.hip", "targets": ["gfx1031"], "platforms": None, "with_header": None,
           "why": "it was so once", "issue": "https://github.com/ROCm/TheRock/issues/1"}
    plan["hip_known_failures"].append(row)
    return ["plan.json: atomics.hip is known to fail on gfx1031"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with Stage(tmp_path_factory.mktemp("trouble"), combos=[GOOD, BROKEN, FAILING, SWAPPED],
               plan_changes=expect_a_failure, families=[FAMILY]) as made:
        yield made


@pytest.fixture(scope="module")
def run(stage):
    """One release, with a fault of its own in each chain but one."""
    gpu = {"WORLD_GPUS": stage.gpu_of(RUNNER)}
    staging = stage.server_folder / "data" / BUCKET / "v2-staging" / FAMILY
    swap = f"python3 {HERE / 'swap_wheel.py'} {staging} 'torchvision-0.25.1a0+*-{tag(SECOND)}-*.whl'"
    machines = {
        f"build_{BROKEN}": {"WORLD_BROKEN": "1"},
        f"test_{GOOD}": gpu,
        f"test_{SWAPPED}": gpu,
        f"promote_{SWAPPED}": {"REHEARSAL_MEANWHILE": swap},
        # The machine of this one has lost its GPU.
        f"test_{FAILING}": {"WORLD_GPUS": ""},
    }
    return stage.run(release(FAMILY), "workflow_dispatch", ASKED, machines=machines)


def told(run, combo):
    return json.loads(run.jobs[f"build_{combo}"].outputs["wheels"])


def published(stage, folder):
    """The wheels of PyTorch in it, with their sums."""
    return {name: total for name, total in stage.wheels_in(BUCKET, folder).items() if f"rocm{ROCM}" in name}


def released(stage, family=FAMILY):
    return published(stage, f"v2/{family}")


def staged(stage, family=FAMILY):
    return published(stage, f"v2-staging/{family}")


def test_just_the_good_chain_is_published(run, stage):
    assert run.result(f"promote_{GOOD}") == "success", run.shown()
    assert released(stage) == told(run, GOOD)
    page = (stage.server_folder / "data" / BUCKET / "v2" / FAMILY / "torch/index.html").read_text(encoding="utf-8")
    assert page.count("<a ") == 1
    assert run.result("index") == "success"


def test_a_build_that_breaks_ends_its_own_chain_alone(run, stage):
    job = run.jobs[f"build_{BROKEN}"]
    assert (job.result, job.inner) == ("failure", {"build": "failure"}), run.shown()
    assert "no member named 'is_floating_point' in 'c10::Half'" in job.text
    assert run.result(f"test_{BROKEN}") == "skipped"
    assert run.result(f"promote_{BROKEN}") == "skipped"
    assert not [name for name in staged(stage) if "2.11.0a0" in name and tag(FIRST) in name]


def test_tests_that_fail_keep_wheels_in_staging(run, stage):
    assert run.result(f"test_{FAILING}") == "failure"
    job = run.jobs[f"promote_{FAILING}"]
    assert job.result == "success", "a verdict to hold is no failure"
    assert job.outputs["verdict"] == "hold"
    assert "There is a test runner and the tests did not pass" in job.text
    assert told(run, FAILING).items() <= staged(stage).items()


def test_a_wheel_that_was_swapped_is_refused(run, stage):
    assert run.result(f"test_{SWAPPED}") == "success"
    job = run.jobs[f"promote_{SWAPPED}"]
    assert job.result == "failure"
    assert "torchvision" in job.text
    wanted = told(run, SWAPPED)
    (name,) = [name for name in wanted if name.startswith("torchvision")]
    assert staged(stage)[name] != wanted[name], "the swap itself went wrong"
    assert not wanted.keys() & released(stage).keys()


def test_a_known_failure_that_is_none_any_more_is_reported(run):
    text = run.jobs[f"build_{GOOD}"].text
    assert "atomics.hip" in text
    assert "unexpected pass" in text


def test_an_upload_that_dies_goes_on_when_its_job_is_run_again(stage):
    """GitHub runs failed jobs again, and what needs them. act knows whole runs alone, so the second one is of a copy
    in which the jobs that had succeeded give the outputs that they gave; the artifact is kept as on GitHub."""
    combo = f"{FIRST}_torch29"
    stage.keep([combo])
    before = released(stage)
    # When the largest wheel goes up, the credentials have ended.
    proxy = s3_server.Proxy(stage.server.port, [s3_server.Fault("expired", "PUT", "/torch-", times=1_000_000)])
    machines = {f"build_{combo}": {"AWS_ENDPOINT_URL": proxy.url},
                f"test_{combo}": {"WORLD_GPUS": stage.gpu_of(RUNNER)}}
    first = stage.run(release(FAMILY), "workflow_dispatch", ASKED, machines=machines)
    proxy.close()
    assert proxy.count() > 0
    assert first.jobs[f"build_{combo}"].inner == {"build": "success", "upload": "failure"}, first.shown()
    assert first.jobs[f"build_{combo}"].outputs["wheels"] == "", "nothing is announced"
    assert first.result(f"test_{combo}") == "skipped"
    assert first.result(f"promote_{combo}") == "skipped"
    assert released(stage) == before
    # Some of its wheels had arrived.
    arrived = {name for name in staged(stage) if "2.9.0" in name or "0.25.0" in name}
    assert arrived
    assert not [name for name in arrived if name.startswith("torch-2.9")]

    stage.keep([combo], replayed=first)
    machines[f"build_{combo}"] = {}
    again = stage.run(release(FAMILY), "workflow_dispatch", ASKED, machines=machines, run_id=first.id)
    assert again.result(f"promote_{combo}") == "success", again.shown()
    assert "there already" in again.jobs[f"build_{combo}"].text
    assert released(stage) == before | told(again, combo)


@pytest.mark.parametrize(("family", "verdict", "why"), [
    ("gfx1152", "hold", "No runner tests this family and the matrix does not let it go untested"),
    ("gfx110X-all", "promote", "The wheels were built, and tested or let through"),
])
def test_without_a_runner_the_matrix_says_whether_wheels_go_out(stage, family, verdict, why):
    """gfx110X-all has `bypass_tests_for_releases`."""
    stage.publish_rocm(family)
    combo = f"{FIRST}_torch210"
    stage.keep([combo])
    run = stage.run(release(family), "workflow_dispatch", ASKED)
    assert run.result(f"build_{combo}") == "success", run.shown()
    assert f"test_{combo}" not in run.jobs
    wheels = told(run, combo)
    assert staged(stage, family) == wheels
    promotion = run.jobs[f"promote_{combo}"]
    assert promotion.outputs["verdict"] == verdict
    assert why in promotion.text
    assert released(stage, family) == (wheels if verdict == "promote" else {})


def test_the_world_is_as_cruel_as_it_says(stage):
    """An account of one domain may not write to the bucket of another."""
    keys = dict(line.split("=") for line in (stage.folder / "roles/therock-ci").read_text().splitlines())
    done = stage.aws_as(keys, "s3api", "put-object", "--bucket", BUCKET, "--key", "v2/evil.whl")
    assert "AccessDenied" in done, textwrap.shorten(done, 300)
