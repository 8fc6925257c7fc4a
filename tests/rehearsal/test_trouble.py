"""Releases with faults: which wheels are still published, and which must not be."""

import json
import re
import shutil
import textwrap
from urllib.parse import quote

import pytest
import s3_server
import wheelrun as runner
from stage import GENERATED, HERE, REGION, ROCM, Stage, pythons
from workflow_copy import without_containers

FAMILY = "gfx103X-dgpu"
RUNNER = "linux-gfx1030-gpu-rocm"
BUCKET = "therock-nightly-python"
FIRST, SECOND = (f"py{version.replace('.', '')}" for version in pythons())
GOOD, BROKEN, FAILING, SWAPPED = f"{FIRST}_torch210", f"{FIRST}_nightly", f"{SECOND}_torch210", f"{SECOND}_nightly"
# The setup of its apex reads BUILD_VERSION and appends a label to it.
DOUBLED = f"{SECOND}_torch29"
CUT_OFF = f"{FIRST}_torch29"
SWAPPED_WHEEL = f"torchvision-0.25.1a0+*-{SECOND.replace('py', 'cp')}-*.whl"
ASKED = {"inputs": {"release_type": "nightly", "rocm_version": "", "commits": ""}}


def tag(python):
    return python.replace("py", "cp")


def release(family):
    return f"release_linux_pytorch_wheels_{family}.yml"


def kept(stage):
    """A copy of the staging folder from before the wheel was swapped."""
    return stage.folder / "staging"


def expect_a_failure(plan):
    """Adds a row of matrix/hip.yml for a source that compiles."""
    row = {"source": "atomics.hip", "targets": ["gfx1031"], "platforms": None, "with_header": None,
           "why": "it failed formerly", "issue": "https://github.com/ROCm/TheRock/issues/1"}
    plan["hip_known_failures"].append(row)
    return ["plan.json: atomics.hip is known to fail on gfx1031"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with Stage(tmp_path_factory.mktemp("trouble"), combos=[GOOD, BROKEN, FAILING, SWAPPED, DOUBLED, CUT_OFF],
               without=["install_"], plan_changes=expect_a_failure, families=[FAMILY]) as made:
        yield made


@pytest.fixture(scope="module")
def run(stage):
    """One release, with a different fault in each chain except one."""
    gpu = {"WORLD_GPUS": stage.gpu_of(RUNNER)}
    staging = stage.server_folder / "data" / BUCKET / "v2-staging" / FAMILY
    swap = f"cp -a {staging} {kept(stage)} && python3 {HERE / 'swap_wheel.py'} {staging} '{SWAPPED_WHEEL}'"
    # An attacker with write access to staging can also replace a manifest.
    keys = stage.folder / "roles/therock-nightly"
    manifest = f"$(cd {staging} && ls apex-*nightly*-{tag(SECOND)}-*.whl.manifest.json)"
    forge = (f"echo '{{}}' | env $(cat {keys}) AWS_REGION={REGION} {s3_server.AWS} s3 cp - "
             f"\"s3://{BUCKET}/v2-staging/{FAMILY}/{manifest}\"")
    # The credentials expire before the largest wheel is uploaded.
    proxy = s3_server.Proxy(stage.server.port, [s3_server.Fault("expired", "PUT", "/torch-", times=1_000_000)])
    machines = {
        f"build_{CUT_OFF}": {"AWS_ENDPOINT_URL": proxy.url},
        f"build_{BROKEN}": {"WORLD_BROKEN": "1"},
        f"build_{DOUBLED}": {"WORLD_WHOLE_VERSION": "1"},
        f"test_{GOOD}": gpu,
        f"test_{SWAPPED}": gpu,
        f"promote_{SWAPPED}": {"REHEARSAL_MEANWHILE": f"{swap} && {forge}"},
        # On this machine ROCm's own tests fail, and the tests of torch would pass.
        f"test_{FAILING}": {**gpu, "WORLD_ROCM_FAILS": "1"},
    }
    done = stage.run(release(FAMILY), "workflow_dispatch", ASKED, machines=machines)
    proxy.close()
    assert proxy.count() > 0
    return done


def told(run, combo):
    return json.loads(run.jobs[f"build_{combo}"].outputs["wheels"])


def published(stage, folder):
    """The wheels of PyTorch in the folder, with their SHA-256."""
    return {name: total for name, total in stage.wheels_in(BUCKET, folder).items() if f"rocm{ROCM}" in name}


def released(stage, family=FAMILY):
    return published(stage, f"v2/{family}")


def staged(stage, family=FAMILY):
    return published(stage, f"v2-staging/{family}")


def test_just_the_good_chain_is_published(run, stage):
    assert run.result(f"promote_{GOOD}") == "success", run.shown()
    assert released(stage) == told(run, GOOD)
    page = (stage.server_folder / "data" / BUCKET / "v2" / FAMILY / "torch/index.html").read_text(encoding="utf-8")
    assert page.count("<a ") == 2, "links to the wheel and its manifest"
    assert run.result("index") == "success"


def test_a_build_that_breaks_ends_its_own_chain_alone(run, stage):
    job = run.jobs[f"build_{BROKEN}"]
    assert (job.result, job.inner) == ("failure", {"build": "failure"}), run.shown()
    assert "no member named 'is_floating_point' in 'c10::Half'" in job.text
    assert run.result(f"test_{BROKEN}") == "skipped"
    assert run.result(f"promote_{BROKEN}") == "skipped"
    assert not [name for name in staged(stage) if "2.11.0a0" in name and tag(FIRST) in name]


def test_an_apex_that_bears_its_label_twice_ends_its_chain(run, stage):
    """The setup gets the whole version and appends the label a second time. In the other chains version and label are
    passed separately, to setups of both kinds: see the test of the good chain, and test_release.py."""
    job = run.jobs[f"build_{DOUBLED}"]
    assert (job.result, job.inner) == ("failure", {"build": "failure"}), run.shown()
    assert job.steps["build / Build torchvision"] == "success"
    assert job.steps["build / Build apex"] == "failure"
    assert f"rocm{ROCM}.torch29" in job.text, "the version names ROCm and the PyTorch ref"
    assert run.result(f"test_{DOUBLED}") == "skipped"
    assert not [name for name in staged(stage) if "2.9.0" in name and tag(SECOND) in name]


def test_tests_that_fail_keep_wheels_in_staging(run, stage):
    assert run.result(f"test_{FAILING}") == "failure"
    assert "rocm failed, smoke was not started" in run.jobs[f"test_{FAILING}"].text
    job = run.jobs[f"promote_{FAILING}"]
    assert job.result == "success", "the verdict `hold` is not a failure"
    assert job.outputs["verdict"] == "hold"
    assert "There is a test runner and the tests did not pass" in job.text
    assert told(run, FAILING).items() <= staged(stage).items()


def test_a_wheel_that_was_swapped_is_refused(run, stage):
    assert run.result(f"test_{SWAPPED}") == "success"
    job = run.jobs[f"promote_{SWAPPED}"]
    assert job.result == "failure"
    assert "torchvision" in job.text
    assert re.search(r"apex-\S+\.manifest\.json is not what was uploaded", job.text)
    wanted = told(run, SWAPPED)
    (name,) = [name for name in wanted if name.startswith("torchvision")]
    assert staged(stage)[name] != wanted[name], "the test did not replace the wheel"
    assert not wanted.keys() & released(stage).keys()


def test_a_known_failure_that_is_none_any_more_is_reported(run):
    text = run.jobs[f"build_{GOOD}"].text
    assert "atomics.hip" in text
    assert "unexpected pass" in text


def test_an_upload_that_dies_goes_on_when_its_job_is_run_again(run, stage):
    """GitHub reruns failed jobs and the jobs that need them. act can only run all jobs, so the second run uses a copy in
    which jobs that had succeeded repeat their outputs; the artifact is kept, like on GitHub."""
    first = run.jobs[f"build_{CUT_OFF}"]
    assert first.inner == {"build": "success", "upload": "failure"}, run.shown()
    assert first.outputs["wheels"] == "", "no wheel is in the outputs"
    assert run.result(f"test_{CUT_OFF}") == "skipped"
    assert run.result(f"promote_{CUT_OFF}") == "skipped"
    before, arrived = released(stage), staged(stage)

    stage.keep([CUT_OFF], replayed=run)
    again = stage.run(release(FAMILY), "workflow_dispatch", ASKED, again=run,
                      machines={f"test_{CUT_OFF}": {"WORLD_GPUS": stage.gpu_of(RUNNER)}})
    assert again.result(f"promote_{CUT_OFF}") == "success", again.shown()
    assert "there already" in again.jobs[f"build_{CUT_OFF}"].text
    wheels = told(again, CUT_OFF)
    assert released(stage) == before | wheels
    assert not wheels.keys() & before.keys()
    some = wheels.keys() & arrived.keys()
    assert some and not [name for name in some if name.startswith("torch-")]


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


# Any code in a job, such as a build script, may write the artifacts of its run.
IN_THE_ARTIFACT = "cd $REHEARSAL/artifacts/$GITHUB_RUN_ID/wheelrun"
SWAPPED_PROGRAM = (f"{IN_THE_ARTIFACT} && printf '#!/bin/sh\\ntouch $REHEARSAL/evil\\n' >wheelrun && chmod +x wheelrun"
                   " && tar -czf wheelrun.tar.gz wheelrun")


@pytest.mark.parametrize(("meanwhile", "message"), [
    (SWAPPED_PROGRAM, "wheelrun.tar.gz is not what was pinned or built"),
    (f"{IN_THE_ARTIFACT} && rm -r $PWD", "Artifact not found for name: wheelrun"),
], ids=["swapped", "missing"])
def test_nobody_runs_another_wheelrun_than_the_run_has_built(stage, meanwhile, message):
    inputs = {"linux_amdgpu_families": "gfx103x", "windows_amdgpu_families": "none", "rocm_version": ""}
    before = stage.started()
    run = stage.run("release_nightly.yml", "workflow_dispatch", {"inputs": inputs},
                    machines={"resolve": {"REHEARSAL_MEANWHILE": meanwhile}})
    assert run.result("setup") == "success", run.shown()
    assert run.result("resolve") == "failure"
    assert message in run.jobs["resolve"].text, run.shown()
    assert not (stage.folder / "evil").exists()
    assert run.result("start") == "skipped"
    assert stage.started() == before


ALONE = """\
on: workflow_dispatch
jobs:
  alone:
    runs-on: ubuntu-24.04
    container:
      image: {image}
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
      - uses: ./.github/actions/setup-wheelrun
        with:
          from-source: "true"
"""


def test_a_container_has_nothing_to_build_wheelrun_with(stage):
    """A job with a container that is configured to build wheelrun itself."""
    original = (GENERATED / "build_linux_pytorch_wheels.yml").read_text(encoding="utf-8")
    text, count = without_containers(ALONE.format(image=re.search(r"image: (\S+manylinux\S+)", original)[1]))
    assert count == 1
    stage.commit("Add a workflow", {".github/workflows/alone.yml": text})
    run = stage.run("alone.yml", "workflow_dispatch", {"inputs": {}})
    assert run.result("alone") == "failure"
    assert "there is no fmt/format.h" in run.jobs["alone"].text, run.shown()
    assert "the sources of wheelwright in '.' do not compile" in run.jobs["alone"].text, run.shown()


def test_the_world_is_as_cruel_as_it_says(stage):
    """An account of one domain may not write to the bucket of another."""
    keys = dict(line.split("=") for line in (stage.folder / "roles/therock-ci").read_text().splitlines())
    done = stage.aws_as(keys, "s3api", "put-object", "--bucket", BUCKET, "--key", "v2/evil.whl")
    assert "AccessDenied" in done, textwrap.shorten(done, 300)


# The last tests of the module: they leave workflows behind whose jobs repeat their outputs.
class Publication:
    """The swapped chain after its wheels were put back: built, tested and signed, not yet published. Each attempt is of
    the same run."""

    def __init__(self, stage, run):
        self.stage, self.run = stage, run
        self.data = stage.server_folder / "data" / BUCKET
        self.page = self.data / "v2" / FAMILY / "torch/index.html"
        for path in [*kept(stage).glob(SWAPPED_WHEEL), *kept(stage).glob(f"apex-*{tag(SECOND)}*.manifest.json")]:
            (self.data / "v2-staging" / FAMILY / path.name).write_bytes(path.read_bytes())
        stage.keep([SWAPPED], replayed=run, tested=True)

    def attempt(self, job, **machine):
        return self.stage.run(release(FAMILY), "workflow_dispatch", ASKED, machines={job: machine}, again=self.run)

    def wheel(self, project):
        (name,) = [name for name in told(self.run, SWAPPED) if name.startswith(f"{project}-")]
        return name


@pytest.fixture(scope="module")
def publication(run, stage):
    return Publication(stage, run)


def test_a_forged_signature_publishes_nothing(publication, stage):
    """The signed provenance of torch lies beside torchvision."""
    before = released(stage)
    torch, vision = (f"{publication.wheel(project)}.provenance.sigstore.json" for project in ("torch", "torchvision"))
    forge = f"cd $REHEARSAL/artifacts/{publication.run.id}/attestations_linux_{FAMILY}_{SWAPPED} && cp -r . ../kept && " \
            f"cp '{torch}' '{vision}'"
    failed = publication.attempt(f"promote_{SWAPPED}", REHEARSAL_MEANWHILE=forge)
    artifacts = stage.folder / "artifacts" / publication.run.id
    (artifacts / "kept" / vision).replace(artifacts / f"attestations_linux_{FAMILY}_{SWAPPED}" / vision)
    job = failed.jobs[f"promote_{SWAPPED}"]
    assert job.result == "failure", failed.shown()
    assert publication.wheel("torchvision") in job.text
    assert released(stage) == before


def test_wheels_wait_for_what_they_require(publication, stage):
    """ROCm of this version is not in the release, where users would look for it."""
    before = released(stage)
    (rocm,) = (publication.data / "v2" / FAMILY).glob(f"rocm-{ROCM}.tar.gz")
    shutil.move(rocm, stage.folder)
    failed = publication.attempt(f"promote_{SWAPPED}")
    shutil.move(stage.folder / rocm.name, rocm)
    job = failed.jobs[f"promote_{SWAPPED}"]
    assert job.result == "failure", failed.shown()
    assert f"=={ROCM}" in job.text
    assert released(stage) == before


def test_a_release_that_lacks_a_member_is_not_listed(publication, stage):
    before = publication.page.read_text(encoding="utf-8")
    member = publication.data / "v2" / FAMILY / publication.wheel("torchaudio")
    failed = publication.attempt("index", REHEARSAL_MEANWHILE=f"mv {member} {stage.folder}")
    assert failed.result(f"promote_{SWAPPED}") == "success", failed.shown()
    assert failed.result("index") == "failure"
    assert "torchaudio" in failed.jobs["index"].text
    assert publication.page.read_text(encoding="utf-8") == before
    shutil.move(stage.folder / member.name, member)


def test_an_index_that_breaks_off_is_whole_and_goes_on(publication, stage):
    """The server fails when the page of torchvision, which requires torch, is written."""
    proxy = s3_server.Proxy(stage.server.port, [s3_server.Fault("expired", "PUT", "/torchvision/", times=1_000_000)])
    broken = publication.attempt("index", AWS_ENDPOINT_URL=proxy.url)
    proxy.close()
    assert proxy.count() > 0
    assert broken.result("index") == "failure", broken.shown()
    torch, vision = (publication.wheel(project) for project in ("torch", "torchvision"))
    pages = publication.data / "v2" / FAMILY
    assert quote(torch) in publication.page.read_text(encoding="utf-8")
    assert quote(vision) not in (pages / "torchvision/index.html").read_text(encoding="utf-8")

    again = publication.attempt("index")
    assert again.result("index") == "success", again.shown()
    assert quote(vision) in (pages / "torchvision/index.html").read_text(encoding="utf-8")


def test_a_published_release_is_taken_back_whole(publication, stage):
    keys = dict(line.split("=") for line in (stage.folder / "roles/therock-nightly").read_text().splitlines())
    done = runner.wheelrun("release", "yank", ROCM, "--reason", "hangs", "--bucket", BUCKET, "--family", FAMILY,
                           env={**keys, "AWS_ENDPOINT_URL": stage.server.url, "AWS_REGION": REGION,
                                "WHEELRUN_PLAN": str(stage.workflows / "plan.json")})
    assert done.status == 0, done.stderr
    links = re.findall(r"<a [^>]*\.whl#[^>]*>", publication.page.read_text(encoding="utf-8"))
    assert links and all('data-yanked="hangs"' in link for link in links)
