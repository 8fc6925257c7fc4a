"""`wheelrun promote`: what an installer sees before, during and after a promotion."""

import json
import random
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from index_world import make_wheel, served, sha256, uv_install
from wheelrun import PLAN, PROGRAM, environment, in_job, wheelrun

FAMILY = "gfx94X-dcgpu"
VERSION = "2.10.0+rocm7.10.0"
TAG = "cp312-cp312-linux_x86_64"


@pytest.fixture
def store(tmp_path):
    """Staged wheels of two combos."""
    folder = tmp_path / "store"
    staging = folder / "v2-staging" / FAMILY
    make_wheel(staging, "triton", "3.5.0", tag="py3-none-any")
    make_wheel(staging, "torch", VERSION, ["triton==3.5.0"], tag="py3-none-any")
    make_wheel(staging, "torchvision", "0.25.0", [f"torch=={VERSION}"], tag="py3-none-any")
    make_wheel(staging, "torch", "2.9.1", tag="py3-none-any")
    return folder


def staged(store):
    return store / "v2-staging" / FAMILY


def released(store):
    return store / "v2" / FAMILY


def as_tested(store):
    """The output of the upload of the first combo."""
    files = [p for p in staged(store).glob("*.whl") if "2.9.1" not in p.name]
    return {p.name: sha256(p) for p in files}


def words(store, wheels, *more, build="success", tests=f"{FAMILY}=success", bypass="false", platform="linux"):
    return ["promote", "--platform", platform, "--family", FAMILY, "--output-dir", store, "--release-type", "nightly",
            "--wheels", json.dumps(wheels), "--build-result", build, "--test-results", tests, "--bypass-tests", bypass,
            *more]


def promote(store, wheels, *more, job=None, env=None, **facts):
    job = job or store.parent
    return in_job(job, *words(store, wheels, *more, **facts), env={"GITHUB_REF_NAME": "main", **(env or {})})


def released_wheels(store):
    return {p.name: sha256(p) for p in released(store).glob("*.whl")}


def listed(store):
    page = released(store) / "find-links.html"
    return page.read_text().count("<a ") if page.exists() else 0


def test_exactly_the_tested_wheels_move_and_can_be_installed(store, tmp_path):
    wheels = as_tested(store)
    done = promote(store, wheels)
    assert done.status == 0, done.stdout
    assert done.outputs == {"verdict": "promote"}
    assert released_wheels(store) == wheels
    for name in wheels:
        assert f"Name: {name.split('-')[0]}\n" in (released(store) / f"{name}.metadata").read_text()
    assert "### Promote: The wheels were built, and tested or let through" in done.summary
    assert done.summary.count("` | promoted |\n") == 3
    assert all(f"`{sum_}` | promoted |" in done.summary for sum_ in wheels.values())
    with served(store) as server:
        status, _, said = uv_install("html", f"{server.url}/v2/{FAMILY}", tmp_path / "target", "torchvision")
    assert status == 0, said
    assert VERSION in (tmp_path / "target/torch/__init__.py").read_text()


def test_to_run_it_again_changes_nothing(store):
    wheels = as_tested(store)
    assert promote(store, wheels).status == 0
    before = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in released(store).rglob("*") if p.is_file()}
    done = promote(store, wheels)
    assert (done.status, done.outputs) == (0, {"verdict": "promote"})
    assert "was there already" in done.summary
    assert before == {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in released(store).rglob("*") if p.is_file()}


@pytest.mark.parametrize(("facts", "env", "verdict", "why"), [
    ({}, {}, "promote", "The wheels were built, and tested or let through"),
    ({"tests": f"{FAMILY}=failure"}, {}, "hold", "There is a test runner and the tests did not pass"),
    ({"tests": f"{FAMILY}=cancelled", "bypass": "true"}, {}, "hold", "There is a test runner and the tests did not pass"),
    ({"tests": "a=success b=skipped"}, {}, "hold", "There is a test runner and the tests did not pass"),
    ({"tests": ""}, {}, "hold", "No runner tests this family and the matrix does not let it go untested"),
    ({"tests": "", "bypass": "true"}, {}, "promote", "The wheels were built, and tested or let through"),
    ({"build": "failure"}, {}, "hold", "The build did not succeed"),
    ({"build": "skipped", "bypass": "true"}, {}, "hold", "The build did not succeed"),
    ({"tests": f"{FAMILY}=failure"}, {"GITHUB_REF_NAME": "release/therock-7.10", "GITHUB_REF_TYPE": "branch"}, "promote",
     "A release branch publishes what it built; people decide there"),
    # Branch protection rules contain exact names.
    *[({"tests": f"{FAMILY}=failure"}, {"GITHUB_REF_NAME": name, "GITHUB_REF_TYPE": "branch"}, "hold",
       "There is a test runner and the tests did not pass")
      for name in ("RELEASE/THEROCK-7.10", "Release/therock-7.10", "release/TheRock-7.10", "refs/heads/release/therock-7.10",
                   " release/therock-7.10", "x/release/therock-7.10", "release/therock")],
    # A tag is not a branch, whatever its name.
    ({"tests": f"{FAMILY}=failure"}, {"GITHUB_REF_NAME": "release/therock-7.10", "GITHUB_REF_TYPE": "tag"}, "hold",
     "There is a test runner and the tests did not pass"),
])
def test_the_policy_decides(store, facts, env, verdict, why):
    done = promote(store, as_tested(store), env=env, **facts)
    assert done.status == 0, done.stdout
    assert done.outputs == {"verdict": verdict}
    assert done.summary.startswith(f"### {verdict.title()}: {why}\n")
    assert done.summary.count("| **this one** |") == 1
    assert bool(released_wheels(store)) == (verdict == "promote")


RELEASE_BRANCH = {"GITHUB_REF_NAME": "release/therock-7.10", "GITHUB_REF_TYPE": "branch"}


@pytest.mark.parametrize(("facts", "env", "says"), [
    ({"tests": "a=success b=failure c=cancelled"}, RELEASE_BRANCH, "the tests did not pass (b failure, c cancelled); the "
     "policy says: A release branch publishes what it built; people decide there"),
    ({"tests": ""}, RELEASE_BRANCH, "no runner tested these wheels; the policy says: A release branch publishes what it "
     "built; people decide there"),
    ({"tests": "", "bypass": "true"}, {}, "no runner tested these wheels; the policy says: The wheels were built, and "
     "tested or let through")])
def test_what_is_published_untested_is_said_aloud(store, facts, env, says):
    dry = promote(store, as_tested(store), "--dry-run", env=env, **facts)
    assert f"::warning title=would publish untested::{says}\n" in dry.stdout and not released(store).exists()
    done = promote(store, as_tested(store), env=env, **facts)
    assert done.outputs == {"verdict": "promote"}
    assert f"::warning title=published untested::{says}\n" in done.stdout
    assert f"> [!WARNING]\n> published untested: {says}\n" in done.summary


def test_what_was_tested_is_published_without_a_warning(store):
    done = promote(store, as_tested(store), env=RELEASE_BRANCH)
    assert done.outputs == {"verdict": "promote"} and "published untested" not in done.stdout + done.summary


def test_what_is_refused_is_not_called_published(store):
    wheels = as_tested(store)
    make_wheel(staged(store), "torchvision", "0.25.0", ["evil"])
    done = promote(store, wheels, env=RELEASE_BRANCH, tests="")
    assert done.status == 1 and "published untested" not in done.stdout + done.summary


def test_a_failed_build_is_not_released_from_a_release_branch(store):
    env = {"GITHUB_REF_NAME": "release/therock-7.10", "GITHUB_REF_TYPE": "branch"}
    done = promote(store, as_tested(store), env=env, build="failure")
    assert (done.status, done.outputs) == (0, {"verdict": "hold"})
    assert not released(store).exists()


def test_every_row_of_the_policy_has_a_verdict_and_a_reason():
    for row in json.loads(PLAN.read_text(encoding="utf-8"))["promotion"]:
        assert row["verdict"] in ("promote", "hold")
        assert row["why"]


def test_a_combo_without_wheels_can_be_held_and_not_promoted(store):
    assert promote(store, {}, build="failure").outputs == {"verdict": "hold"}
    done = promote(store, {})
    assert done.status == 2
    assert "'--wheels' names no wheel" in done.stdout


def nothing_was_released(store, done, says):
    assert done.status == 1, done.stdout
    assert done.outputs == {}
    assert not list(released(store).glob("*"))
    assert says in done.stdout
    assert says in done.summary


def describe(store, text="{}"):
    """A manifest beside each of the tested wheels. Gives its checksum."""
    for name in as_tested(store):
        path = staged(store) / f"{name}.manifest.json"
        path.write_text(text, encoding="utf-8")
    return sha256(path)


def test_the_manifest_goes_along_and_the_index_links_it(store):
    total = describe(store)
    wheels = as_tested(store)
    done = promote(store, wheels, "--manifest-sha256", total)
    assert done.status == 0, done.stdout
    assert sorted(path.name for path in released(store).glob("*.manifest.json")) == sorted(
        f"{name}.manifest.json" for name in wheels)
    assert 'manifest.json">manifest</a>' in (released(store) / "torch/index.html").read_text()
    assert promote(store, wheels, "--manifest-sha256", total).status == 0, "safe to repeat"


def test_another_manifest_than_the_one_that_was_uploaded_is_refused(store):
    total = describe(store)
    (staged(store) / f"{next(iter(as_tested(store)))}.manifest.json").write_text('{"pytorch": "of another"}')
    done = promote(store, as_tested(store), "--manifest-sha256", total)
    assert done.status == 1 and ".manifest.json is not what was uploaded" in done.stdout
    assert released_wheels(store) == {}


def test_a_wheel_that_was_swapped_is_refused_and_with_it_all_others(store):
    wheels = as_tested(store)
    make_wheel(staged(store), "torchvision", "0.25.0", ["evil"])
    nothing_was_released(store, promote(store, wheels), "is not what was tested")


def test_a_wheel_that_is_missing_is_refused_and_with_it_all_others(store):
    wheels = as_tested(store)
    (staged(store) / "triton-3.5.0-py3-none-any.whl").unlink()
    nothing_was_released(store, promote(store, wheels), "is not there any more")


def test_a_wheel_of_that_name_in_the_release_is_never_replaced(store):
    wheels = as_tested(store)
    other = make_wheel(released(store), "torch", VERSION, ["other"])
    before = sha256(other)
    done = promote(store, wheels)
    assert done.status == 1
    assert "exists already with other content" in done.stdout
    assert released_wheels(store) == {other.name: before}


def test_metadata_is_that_of_the_wheel_and_not_what_lies_beside_it(store):
    wheels = as_tested(store)
    for name in wheels:
        (staged(store) / f"{name}.metadata").write_text("Name: evil\nVersion: 1\nRequires-Dist: evil\n\n")
    assert promote(store, wheels).status == 0
    assert not any("evil" in p.read_text() for p in released(store).glob("*.metadata"))


def test_without_an_index_installers_see_nothing_until_it_is_written(store):
    wheels = as_tested(store)
    assert promote(store, wheels, "--no-index").status == 0
    assert listed(store) == 0
    done = wheelrun("index", "--family", FAMILY, "--release-type", "nightly", "--output-dir", store)
    assert done.status == 0, done.stderr
    assert listed(store) == 3


def test_a_dry_run_says_and_does_not(store):
    done = wheelrun(*words(store, as_tested(store), "--dry-run"), env={"GITHUB_REF_NAME": "main"})
    assert done.status == 0, done.stderr
    assert done.outputs == {"verdict": "promote"}
    assert f"would be promoted triton-3.5.0-py3-none-any.whl\nwould be promoted torch-{VERSION}" in done.stderr
    assert not released(store).exists()


def test_a_promotion_that_was_killed_anywhere_goes_on(store):
    """At every moment, each file in the index exists, is complete, and was tested."""
    pick = random.Random(3)
    wheels = as_tested(store)
    killed = 0
    for _ in range(25):
        running = subprocess.Popen([PROGRAM, *map(str, words(store, wheels))], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=environment({"GITHUB_REF_NAME": "main"}))
        time.sleep(pick.uniform(0.0, 0.05))
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            killed += 1
        running.wait()
        assert released_wheels(store).items() <= wheels.items()
        for page in released(store).glob("*/index.v1.json"):
            for file in json.loads(page.read_text())["files"]:
                assert sha256(released(store) / file["filename"]) == file["hashes"]["sha256"]
        if pick.random() < 0.3:
            for path in released(store).rglob("*"):
                if path.is_file() and ".objects" not in path.parts:
                    path.unlink()
    assert promote(store, wheels).status == 0
    assert released_wheels(store) == wheels
    assert listed(store) == 3
    assert killed > 3


def test_promotions_of_many_combos_at_once(store):
    combos = [as_tested(store)]
    for number in range(5):
        path = make_wheel(staged(store), "torch", f"2.{number}.0", tag="py3-none-any")
        combos.append({path.name: sha256(path)})
    jobs = [store.parent / f"job{number}" for number in range(len(combos) * 2)]
    for job in jobs:
        job.mkdir()
    with ThreadPoolExecutor(6) as pool:  # each twice: somebody started the run again
        done = list(pool.map(lambda pair: promote(store, pair[0], job=pair[1]), zip(combos * 2, jobs)))
    assert [d.status for d in done] == [0] * len(jobs), [d.stdout for d in done]
    assert released_wheels(store) == {name: sum_ for combo in combos for name, sum_ in combo.items()}
    assert listed(store) == 8


@pytest.mark.parametrize(("changed", "says"), [
    ({"--family": "gfx94Y"}, "error[unknown-family]: no family is called 'gfx94Y'"),
    ({"--build-result": "fine"}, "error[option-value]"),
    ({"--test-results": "a=good"}, "'--test-results' has 'good' as the result of 'a'"),
    ({"--bypass-tests": "maybe"}, "error[option-value]"),
    ({"--platform": "macos"}, "error[option-value]"),
    ({"--wheels": "[]"}, "'--wheels' is no JSON object"),
    ({"--wheels": '{"a.whl": "x"}'}, "which is no wheel"),
    ({"--wheels": '{"torch-1-py3-none-any.whl": "x"}'}, "has no SHA-256 for 'torch-1-py3-none-any.whl'"),
    ({"--release-type": "nightl"}, "error[unknown-release-type]: no release type is called 'nightl'"),
    ({"--build-result": ""}, "error[missing-argument]: 'promote' needs '--build-result'"),
    ({"--platform": ""}, "error[missing-argument]: 'promote' needs '--platform'"),
])
def test_what_is_wrong_is_said(store, changed, says):
    command = list(map(str, words(store, as_tested(store))))
    for option, value in changed.items():
        command[command.index(option) + 1] = value
    done = wheelrun(*command, env={"GITHUB_REF_NAME": "main"})
    assert done.status == 2, done.stderr
    assert says in done.stderr
    assert not released(store).exists()


def test_wheels_for_another_platform_are_refused(store):
    path = make_wheel(staged(store), "apex", "1.0", tag=TAG)
    done = promote(store, {path.name: sha256(path)}, platform="windows")
    assert done.status == 2
    assert f"names '{path.name}', which is not for windows" in done.stdout


def test_wheels_are_refused_while_the_release_lacks_what_they_require(store):
    """Another workflow publishes ROCm's packages, possibly later."""
    make_wheel(staged(store), "torch", "2.8.0", ["rocm[libraries]==7.10.0; platform_system == 'Linux'", "triton==3.5.0",
                                                 "rocm-win==1; platform_system == 'Windows'"], tag=TAG)
    wheels = {p.name: sha256(p) for p in staged(store).glob("torch-2.8.0*.whl")}
    released(store).mkdir(parents=True)
    (released(store) / "rocm-7.9.0.tar.gz").write_bytes(b"")
    name, = wheels
    for more in ((), ("--dry-run",)):
        done = promote(store, wheels, *more)
        assert (done.status, done.outputs) == (1, {})
        assert f"{name} requires rocm[libraries]==7.10.0: for Python 3.12 there is rocm 7.9.0" in done.stdout
        assert f"{name} requires triton==3.5.0: for Python 3.12 there is no triton" in done.stdout
        assert "rocm-win" not in done.stdout
        assert "Publish what is missing, then run this job again." in done.stdout
        assert done.summary.count("\nRefused: ") == 2
        assert released_wheels(store) == {}
    (released(store) / "rocm-7.10.0.tar.gz").write_bytes(b"")
    triton = {p.name: sha256(p) for p in staged(store).glob("triton-*.whl")}
    assert promote(store, triton).status == 0
    assert promote(store, wheels).status == 0
    assert released_wheels(store) == wheels | triton


def test_a_dependency_that_the_mirror_lacks_is_a_warning(store):
    """Users may take it from the public index."""
    make_wheel(staged(store), "torch", "2.8.0", ["numpy>=2", "sympy"], tag=TAG)
    wheels = {p.name: sha256(p) for p in staged(store).glob("torch-2.8.0*.whl")}
    mirror = store / "v2-dependencies"
    make_wheel(mirror, "numpy", "1.26.4", tag=TAG)
    make_wheel(mirror, "sympy", "1.14.0", tag="py3-none-any")
    done = promote(store, wheels)
    assert done.status == 0
    assert "requires numpy>=2: for Python 3.12 there is numpy 1.26.4" in done.stdout
    assert "sympy" not in done.stdout
