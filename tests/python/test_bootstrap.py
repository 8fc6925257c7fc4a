"""The sources of wheelrun in jobs: the build of another job of the run, verified by the checksum that it outputs; a
pinned release; or a commit of other sources. These tests read the generated files; rehearsals run them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from github_run import Run
from wheelwright import PROGRAM, ROOT, wheelwright
from workflow_set import workflows

ACTION = "./.github/actions/setup-wheelrun"
# Allowed values for a checksum: the output of the job, directly or passed on, but nothing from a file or an artifact.
TRUSTED = {
    "${{ needs.wheelrun.outputs.sha256 }}",
    "${{ needs.setup.outputs.wheelrun_sha256 }}",
    "${{ inputs.wheelrun_sha256 }}",
    "${{ inputs.wheelrun_sha256 || needs.wheelrun.outputs.sha256 }}",
}
OF_WINDOWS = {text.replace("wheelrun", "wheelrun_windows") for text in TRUSTED if "setup" not in text}
BUILDERS = ("wheelrun", "wheelrun_windows")
SUM = "0123456789abcdef" * 4
sys.path.insert(0, str(ROOT / "packaging"))
from version import version  # noqa: E402  (beside the project of the wheel)

VERSION = version()
# Workflows whose jobs have the role of a release.
PUBLISHING = ("release_", "mirror_", "prune_")


def jobs(found=None):
    for name, workflow in (found or workflows()).items():
        for job_id, job in workflow["jobs"].items():
            yield name, job_id, job


def setups(found=None):
    """(file, id of the job, job, step) of each step that installs wheelrun. Promotions need the verifier too."""
    for name, job_id, job in jobs(found):
        for step in job.get("steps", []):
            if step.get("uses") == ACTION and job_id not in BUILDERS:
                given = dict(step["with"])
                assert (given.pop("verifier", "") == "true") == (job_id == "promote"), f"{name} job '{job_id}'"
                yield name, job_id, job, {**step, "with": given}


def on_windows(name, job_id):
    return "windows" in job_id or ("windows" in name and job_id in ("build", "install"))


# ---- without a release ----------------------------------------------------------------------


def test_every_job_takes_what_the_run_built_by_the_checksum_of_the_job():
    assert len(list(setups())) > 20
    for name, job_id, job, step in setups():
        windows = on_windows(name, job_id)
        assert step["with"].keys() == {"archive", "sha256"}, f"{name} job '{job_id}'"
        assert step["with"]["sha256"] in (OF_WINDOWS if windows else TRUSTED), f"{name} job '{job_id}'"
        assert step["with"]["archive"].endswith(".zip" if windows else ".tar.gz"), f"{name} job '{job_id}'"
        before = job["steps"][[one.get("uses") for one in job["steps"]].index(ACTION) - 1]
        assert before["uses"].startswith("actions/download-artifact@")
        assert before["with"] == {"name": BUILDERS[windows], "path": str(Path(step["with"]["archive"]).parent)}


def test_the_checksum_is_handed_on_as_it_is():
    """The checksum comes from the output of the job, through the inputs of all called workflows and nothing else."""
    given = 0
    for name, job_id, job in jobs():
        for where in ("with", "outputs"):
            for value, trusted in (("wheelrun_sha256", TRUSTED), ("wheelrun_windows_sha256", OF_WINDOWS)):
                if value in job.get(where, {}):
                    assert job[where][value] in trusted, f"{name} job '{job_id}'"
                    given += 1
    assert given > 300
    builders = [job for _, job_id, job in jobs() if job_id in BUILDERS]
    assert all(job["outputs"] == {"sha256": "${{ steps.build.outputs.sha256 }}"} for job in builders)
    assert all(job["permissions"] == {"contents": "read"} for job in builders)


def test_one_job_of_a_run_builds():
    """Only that job compiles wheelrun, and every workflow that starts a run and needs wheelrun has that job."""
    for name, workflow in workflows().items():
        called_only = set(workflow["on"]) == {"workflow_call"} if isinstance(workflow["on"], dict) else False
        uses = any(name == other for other, *_ in setups()) or "wheelrun_sha256" in str(workflow["jobs"])
        assert ("wheelrun" in workflow["jobs"]) == (uses and not called_only), name
        windows = (any(name == other and on_windows(other, job_id) for other, job_id, *_ in setups())
                   or any("wheelrun_windows_sha256" in job.get("with", {}) for job in workflow["jobs"].values()))  # fmt: skip
        assert ("wheelrun_windows" in workflow["jobs"]) == (windows and not called_only), name


@pytest.mark.parametrize("platform, builder", [("linux", "wheelrun"), ("windows", "wheelrun_windows")])
@pytest.mark.parametrize("name", ["test_pytorch_wheels.yml", "test_rocm_wheels.yml"])
def test_a_workflow_that_is_called_takes_what_its_caller_has_built(name, platform, builder):
    def started(given):
        inputs = {"platform": platform, **{f"{one}_sha256": "" for one in BUILDERS}, f"{builder}_sha256": given}
        return Run(workflows()[name], {}, inputs, lambda *_: {}).started()

    assert started(SUM) == {platform}
    assert started("") == {builder, platform}


def test_ci_builds_for_windows_where_a_job_there_is_selected():
    for name in ("ci_pull_request.yml", "ci_postsubmit.yml", "ci_nightly.yml"):
        job = workflows()[name]["jobs"]["wheelrun_windows"]
        assert job["if"] == "contains(needs.setup.outputs.selected, '\"windows/')"
        assert "debian@sha256:" in job["container"]["image"]


def test_what_publishes_takes_nothing_from_a_cache():
    """Every job on a branch can write to its cache."""
    cached = {name for name, job_id, job in jobs() if job_id in BUILDERS and "cache" in str(job["steps"])}
    assert cached == {name for name, workflow in workflows().items() if "wheelrun" in workflow["jobs"]
                      and not name.startswith(PUBLISHING)}  # fmt: skip
    # The others have no role, or that of CI.
    for name in cached:
        text = str(workflows()[name])
        assert not re.search(r"role/(?!therock-ci)", text), name


# ---- what is cached -------------------------------------------------------------------------


def hashed():
    (key,) = {step["with"]["key"] for _, job_id, job in jobs() if job_id == BUILDERS[0] for step in job["steps"]
              if "cache" in step["uses"]}  # fmt: skip
    return re.findall(r"'([^']+)'", re.search(r"hashFiles\((.*)\)", key)[1])


def inputs_of_the_build(folder):
    """Files of this repository that ninja and CMake read to build the programs, without those of the tests."""

    def ninja(*words):
        said = subprocess.run(["ninja", "-C", folder, *words], capture_output=True, text=True, check=True).stdout
        return {line.strip() for line in said.splitlines()}

    read = ninja("-t", "inputs", "wheelrun", "wheelwright")
    read |= ninja("-t", "deps", *sorted(line for line in read if line.endswith(".o")))
    read |= {line for line in ninja("-t", "inputs", "build.ninja") if "/tests/" not in line}
    for line in read:
        path = Path(os.path.normpath(folder / line))
        inside = path.is_relative_to(ROOT) and path.is_file()
        if inside and not any(path.is_relative_to(other) for other in (folder, ROOT / ".tools")):
            yield path.relative_to(ROOT).as_posix()


def test_the_hash_is_of_all_that_the_programs_are_made_of():
    known = [re.compile(re.escape(pattern).replace(r"\*\*", ".*") + "$") for pattern in hashed()]
    found = set(inputs_of_the_build(PROGRAM.parent))
    assert {"CMakeLists.txt", "runtime/main.cpp", "base/text.h", "matrix/limits.yml", "runtime/pytorch/acceptance/smoke_test.py"} <= found
    assert {path for path in found if not any(pattern.match(path) for pattern in known)} == set()


# ---- with a release, or with sources of another repository ----------------------------------


@pytest.fixture
def generated(tmp_path):
    """Generates the set with other settings; gives the workflows, or the error."""
    for name in ("matrix", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)

    def generate(text):
        settings = tmp_path / "matrix/settings.yml"
        settings.write_text((ROOT / "matrix/settings.yml").read_text(encoding="utf-8") + f"\n{text}", encoding="utf-8")
        done = wheelwright("generate", "--root", tmp_path)
        if done.returncode != 0:
            return done.stderr
        return {path.name: yaml.load(path.read_text(encoding="utf-8").replace("\non:", "\n\"on\":"), yaml.CSafeLoader)
                for path in (tmp_path / "generated-workflows").glob("*.yml")}  # fmt: skip

    return generate


def test_a_pinned_release_is_all_that_jobs_need(generated):
    found = generated(f"  wheelrun: {{ version: {VERSION}, digests: {{ linux: 'sha256:{SUM}', windows: 'sha256:{SUM[::-1]}' }} }}\n")
    for name, job_id, _, step in setups(found):
        total = SUM[::-1] if on_windows(name, job_id) else SUM
        assert step["with"] == {"version": VERSION, "sha256": total}, f"{name} job '{job_id}'"
    assert "wheelrun_sha256" not in str(found)
    assert not [name for name, job_id, job in jobs(found) if job_id in BUILDERS or set(BUILDERS) & set(job.get("needs", []))]


def test_a_wheel_is_pinned_by_its_address_and_windows_says_that_it_has_none(generated):
    url = "https://index.example/wheelwright_actions-0.1.0-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"
    found = generated(f"  wheelrun: {{ version: {VERSION}, digests: {{ linux: 'sha256:{SUM}' }}, urls: {{ linux: {url} }} }}\n")
    for name, job_id, _, step in setups(found):
        linux = {"version": VERSION, "sha256": SUM, "url": url}
        assert step["with"] == ({"version": VERSION} if on_windows(name, job_id) else linux), f"{name} job '{job_id}'"


def test_a_release_without_a_file_for_linux_is_an_error(generated):
    said = generated(f"  wheelrun: {{ version: {VERSION}, digests: {{ windows: 'sha256:{SUM}' }} }}\n")
    assert "error[missing-key]: 'settings.wheelrun.digests' has no 'linux'\n" in said


def test_sources_of_another_repository_are_built_at_their_commit(generated):
    commit = SUM[:40]
    found = generated(f"  wheelrun_source: {{ repository: ROCm/wheelwright, commit: {commit} }}\n")
    builders = [(name, job_id, job) for name, job_id, job in jobs(found) if job_id in BUILDERS]
    assert len(builders) > 10
    for name, job_id, job in builders:
        archive = {"wheelrun": "wheelrun.tar.gz", "wheelrun_windows": "wheelrun_windows.zip"}[job_id]
        steps = {step["name"]: step for step in job["steps"]}
        assert steps["Check out the sources of wheelrun"]["with"] == {
            "repository": "ROCm/wheelwright", "ref": commit, "path": "wheelwright", "persist-credentials": False}
        assert steps["Build"]["with"] == {"from-source": "true", "source-directory": "wheelwright", "archive": archive}
        keys = {step["with"]["key"] for step in job["steps"] if "cache" in step["uses"]}
        assert keys == (set() if name.startswith(PUBLISHING) else {f"{job_id}-${{{{ runner.os }}}}-${{{{ runner.arch }}}}-{commit}"})


def test_sources_without_a_commit_are_an_error(generated):
    said = generated("  wheelrun_source: { repository: ROCm/wheelwright }\n")
    assert "error[missing-key]: 'settings.wheelrun_source' has no 'commit'" in said


def test_a_release_beside_sources_is_an_error(generated):
    said = generated(f"  wheelrun: {{ version: {VERSION}, digests: {{ linux: 'sha256:{SUM}' }} }}\n"
                     f"  wheelrun_source: {{ repository: ROCm/wheelwright, commit: {SUM[:40]} }}\n")
    assert "error[two-wheelruns]: jobs install a release of wheelrun, so nothing builds these sources\n" in said
    assert "matrix/settings.yml" in said and "remove one of the two" in said


# ---- another version ------------------------------------------------------------------------


def pin(text, **more):
    digests = f"digests: {{ linux: 'sha256:{SUM}', windows: 'sha256:{SUM}' }}"
    return f"  wheelrun: {{ version: {text}, {digests} }}\n"


def series(patch):
    return ".".join([*VERSION.split(".")[:2], str(patch)])


def test_a_pin_of_another_version_is_told(generated, tmp_path):
    said = generated(pin("7.0.1"))
    assert "error[version-skew]: jobs would run wheelrun 7.0.1, for which this matrix is not written\n" in said
    assert "{ version: 7.0.1," in said and "what it is written for" in said and f"this is {VERSION}\n" in said
    # Within the range, but not this version.
    assert isinstance(generated(pin(series(99))), dict)
    done = wheelwright("check", "--root", tmp_path)
    assert done.returncode == 0
    assert f"warning[version-skew]: jobs run wheelrun {series(99)}, and this is wheelwright {VERSION}, which is older\n" in done.stderr
    assert f"= pin {VERSION} and its digests here, or install" in done.stderr


def test_a_tag_is_no_release(generated):
    said = generated(pin(f"v{VERSION}"))
    assert f"error[bad-value]: 'v{VERSION}' is not a release\n" in said and "a tag has a v before them" in said
