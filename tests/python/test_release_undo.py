"""`wheelrun release yank` and `release rollback`: a whole set is withdrawn, and comes back."""

import json
import sys

import pytest
from index_world import served, uv_resolve
from release_world import FAMILY, ROCM, make_combo, make_rocm, versions
from wheelrun import in_job, wheelrun

OLD = "7.11.0a20260101"
THIS, OTHER = f"3.{sys.version_info[1]}", "3.13" if sys.version_info[1] != 13 else "3.12"


@pytest.fixture
def store(tmp_path):
    """Two nights of two Pythons, listed."""
    folder = tmp_path / "store/v2" / FAMILY
    for rocm in (OLD, ROCM):
        make_rocm(folder, rocm=rocm, platforms=["linux"])
        for python in (THIS, OTHER):
            make_combo(folder, "linux", python, "release/2.10", rocm)
    assert wheelrun("index", folder).status == 0
    return tmp_path / "store"


def run(store, *words):
    return in_job(store.parent, "release", *words, "--output-dir", store, "--release-type", "nightly", "--family", FAMILY)


def yanked(store):
    path = store / "v2" / FAMILY / "yanked.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def resolved(store, *more):
    with served(store) as server:
        (line,) = [line for line in uv_resolve("html", f"{server.url}/v2/{FAMILY}", store.parent, "triton", *more)]
    return line.removeprefix("triton==")


def version(project, rocm):
    return versions("release/2.10", rocm)[project]


def test_a_rollback_makes_the_night_before_the_newest_again(store):
    done = run(store, "rollback", "--reason", "hangs", "--dry-run")
    assert done.status == 0 and yanked(store) == {}
    done = run(store, "rollback", "--reason", "hangs")
    assert done.status == 0, done.stdout
    files = {path.name for path in (store / "v2" / FAMILY).glob("*") if ROCM in path.name and not
             path.name.endswith(".metadata")}
    assert yanked(store) == dict.fromkeys(files, "hangs") and len(files) == 2 * 5 + 4
    assert f"{FAMILY}, ROCm {ROCM}: yanked 14 of 14 files" in done.stdout
    assert f"the newest version is {OLD} again" in done.summary
    # The one before is all that is left, and there is none to go back to from there.
    last = run(store, "rollback", "--reason", "too")
    assert last.status == 2 and "has 1 version of rocm that is not yanked" in last.stdout
    assert run(store, "check", "--rocm-version", ROCM).status == 1


@pytest.mark.skipif("sys.platform == 'win32'")
def test_installers_follow(store):
    newest, triton = resolved(store), version("triton", ROCM)
    assert newest == triton
    assert run(store, "yank", ROCM, "--reason", "hangs").status == 0
    assert resolved(store) == version("triton", OLD)
    assert resolved(store, f"triton=={triton}") == triton, "who asks for exactly it, gets it"
    assert run(store, "yank", ROCM, "--undo").status == 0
    assert resolved(store) == newest


def test_what_was_yanked_before_keeps_its_reason(store):
    name = f"torch-{version('torch', ROCM)}-cp{OTHER.replace('.', '')}-cp{OTHER.replace('.', '')}-linux_x86_64.whl"
    assert wheelrun("index", "yank", name, "--reason", "broken", "--output-dir", store, "--prefix", f"v2/{FAMILY}").status == 0
    assert "yanked 13 of 14 files" in run(store, "yank", ROCM, "--reason", "hangs").stdout
    assert yanked(store)[name] == "broken"
    assert run(store, "yank", ROCM, "--undo", "--reason", "hangs").status == 0
    assert yanked(store) == {name: "broken"}


@pytest.mark.parametrize(("words", "says"), [
    (["yank", ROCM], "'release yank' needs '--reason'"),
    (["rollback"], "'release rollback' needs '--reason'"),
    (["yank", "night", "--reason", "x"], "'night' is no version"),
    (["yank", "7.10.0", "--reason", "x"], "has no file of ROCm 7.10.0"),
    (["yank", ROCM, "--reason", "a\nb"], "it takes one line of text"),
])
def test_wrong_input_changes_nothing(store, words, says):
    done = run(store, *words)
    assert done.status == 2 and says in done.stdout, done.stdout
    assert yanked(store) == {}


def test_a_version_that_is_not_there(store):
    done = wheelrun("release", "yank", "7.10.0", "--reason", "x", "--output-dir", store, "--release-type", "nightly",
                    "--family", FAMILY)
    assert (done.status, done.stderr) == (2, f"error[no-release]: {store}/v2/{FAMILY}/ has no file of ROCm 7.10.0\n")
