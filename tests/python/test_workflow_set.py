"""Rules for all generated workflows together that no validator checks."""

import fnmatch
import re

import pytest
import yaml
from github_run import evaluated
from workflow_set import ROOT, commands, steps, workflows

BUILDS = [name for name in workflows() if name.startswith("build_")]


def release_types():
    rows = yaml.load((ROOT / "matrix/release.yml").read_text(), yaml.CSafeLoader)
    return list(rows["release_types"])


def grants(permissions):
    return permissions if isinstance(permissions, dict) else {}


@pytest.mark.parametrize("name", BUILDS)
def test_only_the_destination_of_an_upload_depends_on_the_release_type(name):
    """CI and releases call the same file; the differences are inputs."""
    words = "|".join([r"release[_-]type", *(rf"\b{word}\b" for word in release_types())])
    for file, job, step in steps():
        if file != name:
            continue
        if job == "upload":
            for place, key in (("with", "role-to-assume"), ("with", "aws-region"), ("env", "BUCKET")):
                step = {**step, place: {name: value for name, value in step.get(place, {}).items() if name != key}}
        said = str({key: value for key, value in step.items() if key != "uses"})
        assert not re.findall(words, said, re.IGNORECASE), f"job '{job}', step '{step['name']}'"


@pytest.mark.parametrize("name", BUILDS)
def test_builds_hold_no_credential(name):
    """A job that runs foreign code cannot request a token, and a job that can runs nothing that was built."""
    jobs = workflows()[name]["jobs"]
    assert list(jobs) == ["build", "upload"]
    assert grants(jobs["build"]["permissions"]) == {"contents": "read"}
    assert "secrets." not in str(jobs["build"])
    for step in jobs["upload"]["steps"]:
        for line in step.get("run", "").replace("\\\n", " ").splitlines():
            assert line.startswith("wheelrun ")


def test_only_jobs_that_assume_a_role_may_ask_for_tokens():
    for name, workflow in workflows().items():
        for job_id, job in workflow["jobs"].items():
            if "uses" in job:
                continue
            assumes = any("configure-aws-credentials" in step.get("uses", "") for step in job["steps"])
            asks = grants(job["permissions"]).get("id-token") == "write"
            signs = any(step.get("uses", "").startswith("actions/attest@") for step in job["steps"])
            assert (assumes or signs) == asks, f"{name} job '{job_id}'"


def test_what_signs_holds_no_role_and_runs_nothing_of_a_build():
    for name, workflow in workflows().items():
        for job_id, job in workflow["jobs"].items():
            may = grants(job.get("permissions") or {}).get("attestations") == "write"
            assert may == (name == "attest_pytorch_wheels.yml" or job.get("uses", "").endswith("/attest_pytorch_wheels.yml"))
            if not may or "uses" in job:
                continue
            assert grants(job["permissions"]) == {"contents": "read", "id-token": "write", "attestations": "write"}
            assert "environment" not in job and "configure-aws-credentials" not in str(job["steps"])
            for step in job["steps"]:
                for line in step.get("run", "").replace("\\\n", " ").splitlines():
                    assert line.startswith(("wheelrun attest ", "wheelrun attest collect ")), f"{name} job '{job_id}'"


def test_no_secret_is_inherited():
    for name, workflow in workflows().items():
        for job_id, job in workflow["jobs"].items():
            assert job.get("secrets") != "inherit", f"{name} job '{job_id}'"


def test_ci_reaches_no_role_but_its_own():
    """Builds that releases call too choose the role by their input `destination`."""
    own = set(yaml.load((ROOT / "matrix/release.yml").read_text(), yaml.CSafeLoader)["domains"]["ci"]["roles"])
    for name in (name for name in workflows() if name.startswith("ci_")):
        assert "arn:aws:iam:" not in str(workflows()[name])
        roles = set()
        for job in workflows()[name]["jobs"].values():
            callee = job.get("uses", "").rpartition("/")[2]
            for file, _, step in steps():
                if file == callee and "role-to-assume" in step.get("with", {}):
                    roles.add(evaluated(step["with"]["role-to-assume"], {"inputs": job["with"]}))
        assert roles == own, name


def test_nothing_of_the_template_language_is_left():
    for path in sorted((ROOT / "generated-workflows").glob("*.yml")):
        assert "$[[" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize("name", [name for name in workflows() if name.startswith("ci_")])
def test_the_summary_of_ci_knows_every_job(name):
    jobs = workflows()[name]["jobs"]
    assert set(jobs["summary"]["needs"]) == set(jobs) - {"summary"}


@pytest.mark.parametrize("name", [name for name in workflows() if name.startswith("ci_")])
def test_jobs_of_ci_are_selected_in(name):
    """Every job after `setup` starts because its key, or the output of a job with a key, is there."""
    for job_id, job in workflows()[name]["jobs"].items():
        if job_id in ("wheelrun", "setup", "summary"):
            continue
        assert re.search(r"outputs\.(selected|pytorch|package_find_links_url)|\.result == 'success'", job["if"]), job_id


@pytest.mark.parametrize("name", [name for name in workflows() if re.match(r"release_(linux|windows)_", name)])
def test_the_index_waits_for_all_promotions_and_for_none_in_particular(name):
    jobs = workflows()[name]["jobs"]
    promotions = {job for job in jobs if job.startswith("promote_")}
    assert promotions and set(jobs["index"]["needs"]) == promotions | {"resolve", "wheelrun"}
    assert "!cancelled()" in jobs["index"]["if"]
    for promotion in promotions:
        others = {need for need in jobs[promotion]["needs"] if not need.endswith(promotion.removeprefix("promote_"))}
        assert others == {"resolve", "wheelrun"}, f"{promotion} waits for {others}"


def test_what_jobs_install_was_published_before_and_is_waited_for():
    """The index may lag behind the upload: the steps before an installation wait for it."""
    installing = {}
    for name, job, step in steps():
        for words in commands(step.get("run", ""), "wheelrun"):
            if words[1] in ("wait-for", "venv"):
                installing.setdefault((name, job), []).append(words[1])
    assert installing and all(calls[0] == "wait-for" for calls in installing.values())
    for name in (name for name in workflows() if re.match(r"release_(linux|windows)_", name)):
        jobs = workflows()[name]["jobs"]
        for job in (job for job in jobs if job.startswith("install_")):
            combo = job.removeprefix("install_")
            assert {"index", f"build_{combo}", f"promote_{combo}"} <= set(jobs[job]["needs"])


def called_by(names):
    """The files that these call, directly or indirectly, and themselves."""
    reached = list(names)
    for name in reached:  # grows meanwhile
        for job in workflows()[name]["jobs"].values():
            callee = job.get("uses", "").rpartition("/")[2]
            if callee in workflows() and callee not in reached:
                reached.append(callee)
    return reached


def test_a_change_of_what_ci_runs_starts_ci():
    """All files that a CI workflow uses, and the files that decide, are among the paths that start a build."""
    patterns = yaml.load((ROOT / "matrix/triggers.yml").read_text(), yaml.CSafeLoader)["paths"]["workflows"]
    reached = called_by(name for name in workflows() if name.startswith("ci_"))
    assert {"resolve_versions.yml", "build_linux_pytorch_wheels.yml"} <= set(reached)
    for name in [*reached, "plan.json"]:
        path = f".github/workflows/{name}"
        assert any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns), path


def test_a_change_of_what_only_a_release_runs_does_not():
    patterns = yaml.load((ROOT / "matrix/triggers.yml").read_text(), yaml.CSafeLoader)["paths"]["workflows"]
    for name in ("promote_pytorch_wheels.yml", "release_nightly.yml"):
        assert not any(fnmatch.fnmatchcase(f".github/workflows/{name}", pattern) for pattern in patterns), name


@pytest.mark.parametrize("platform", ["linux", "windows"])
def test_what_builds_need_and_runners_lack_is_installed_before(platform):
    """In the version of the matrix, which `wheelrun build` checks."""
    rows = yaml.load((ROOT / "matrix/platforms.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)["platforms"]
    wanted = {tool: row["version"] for tool, row in rows[platform].get("build_tools", {}).items()}
    assert wanted == ({"ninja": "1.13.1"} if platform == "windows" else {})
    runs = [step.get("run", "") for step in workflows()[f"build_{platform}_pytorch_wheels.yml"]["jobs"]["build"]["steps"]]
    installed = {words[-3]: (at, words[-1]) for at, run in enumerate(runs)
                 for words in commands(run, "choco") if words[1] == "install"}
    assert {tool: version for tool, (_, version) in installed.items()} == wanted
    first = next(at for at, run in enumerate(runs) if run.startswith("wheelrun build"))
    assert all(at < first for at, _ in installed.values())


def families():
    """(platform, artifact group, row) of every row of matrix/families.yml that builds on a platform."""
    rows = yaml.load((ROOT / "matrix/families.yml").read_text(), yaml.CSafeLoader)["families"]
    platforms = yaml.load((ROOT / "matrix/platforms.yml").read_text(), yaml.CSafeLoader)["platforms"]
    return [(platform, row[platform]["family"], row[platform]) for row in rows.values() for platform in platforms
            if platform in row]


def test_every_family_has_its_jobs_and_its_release():
    """Invariants for all rows, including future ones."""
    grouped = yaml.load((ROOT / "matrix/pytorch.yml").read_text(), yaml.CSafeLoader).get("gfx_groups") or {}
    assert not grouped, "members of a group have no release of their own: say here what they have"
    released, built, tested = set(), set(), set()
    for platform, name, row in families():
        built.add(f"artifacts_{platform}_{name}")
        if row.get("test_runs_on"):
            tested.add(f"test_rocm_{platform}_{name}")
        if "pytorch" not in row.get("known_failures", {}):
            released.add(f"release_{platform}_pytorch_wheels_{name}.yml")
    assert released == {name for name in workflows() if re.match(r"release_[a-z]+_pytorch_wheels_", name)}
    jobs = workflows()["ci_nightly.yml"]["jobs"]
    assert built <= set(jobs) and tested <= set(jobs)
    offered = workflows()["test_pytorch_wheels.yml"]["on"]["workflow_dispatch"]["inputs"]["amdgpu_family"]["options"]
    assert set(offered) == {name for _, name, _ in families()}
    for file in released:
        asked = {job.split("_", 1)[0] for job in workflows()[file]["jobs"]}
        assert {"resolve", "build", "promote", "index"} <= asked, file
