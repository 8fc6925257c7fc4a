"""`wheelrun prune`: old versions of ROCm leave the pages, and later the store."""

import json
import subprocess

import pytest
from index_world import make_wheel
from release_world import FAMILY, make_sdist
from wheelrun import PLAN, in_job, wheelrun

NIGHTS = [f"7.12.0a202602{day}" for day in (10, 11, 12, 13)]
OLDEST = NIGHTS[0]


def make_night(folder, rocm):
    make_sdist(folder, "rocm", rocm)
    make_wheel(folder, "rocm-sdk-core", rocm, tag="py3-none-linux_x86_64")
    make_wheel(folder, "torch", f"2.10.0+rocm{rocm}", [f"rocm=={rocm}"])
    make_wheel(folder, "torchaudio", f"2.10.0+git1a2b3c4d.rocm{rocm}", [f"torch==2.10.0+rocm{rocm}"])
    make_wheel(folder, "apex", f"1.10.0+rocm{rocm}.torch210", [f"torch==2.10.0+rocm{rocm}"])


@pytest.fixture
def store(tmp_path):
    """Four nights in the release folder and in staging, of which two stay in both."""
    plan = json.loads(PLAN.read_text(encoding="utf-8"))
    plan["retention"]["nightly"] = {"newest": 2, "staging": 2, "days": 14, "tags": None}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    for subdir in ("v2", "v2-staging"):
        folder = tmp_path / "store" / subdir / FAMILY
        for rocm in NIGHTS:
            make_night(folder, rocm)
        make_wheel(folder, "numpy", "2.1.0")
        assert wheelrun("index", folder).status == 0
    return tmp_path / "store"


def prune(store, *more, env=None):
    return in_job(store.parent, "prune", "--output-dir", store, "--release-type", "nightly", "--family", FAMILY,
                  *more, env={"WHEELRUN_PLAN": str(store.parent / "plan.json"), **(env or {})})


def released(store):
    return store / "v2" / FAMILY


def files(folder):
    return {path.name for path in folder.iterdir() if path.name.endswith((".whl", ".tar.gz"))}


def listed(folder):
    pages = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*/index.v1.json")]
    return {file["filename"] for page in pages for file in page["files"]}


def of(store, rocm):
    return {name for name in files(released(store)) if rocm in name}


def let_time_pass(folder, day="2026-01-01T00:00:00Z"):
    """Dates everything that was retired back."""
    marks = json.loads((folder / "retired.json").read_text(encoding="utf-8"))
    (folder / "retired.json").write_text(json.dumps(dict.fromkeys(marks, day)), encoding="utf-8")


def test_it_only_says_what_it_would_do(store):
    before = {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    done = prune(store)
    assert done.status == 0, done.stdout
    assert f"retires  {OLDEST} in {released(store)}/: 5 files, " in done.stdout
    assert "nothing was changed: --apply does it" in done.stdout
    assert {path: path.read_bytes() for path in store.rglob("*") if path.is_file()} == before
    assert f"| {NIGHTS[3]} | stays | one of the newest 2 | 5 |" in done.summary


def test_old_nights_leave_the_pages_and_later_the_store(store):
    old, new = of(store, NIGHTS[0]) | of(store, NIGHTS[1]), of(store, NIGHTS[2]) | of(store, NIGHTS[3])
    assert len(old) == len(new) == 10
    for folder in (released(store), store / "v2-staging" / FAMILY):
        (folder / f"release-{OLDEST}.json").write_text('{"format": 1, "platforms": {}}', encoding="utf-8")
    assert prune(store, "--apply").status == 0
    for folder in (released(store), store / "v2-staging" / FAMILY):
        assert listed(folder) == new | {"numpy-2.1.0-py3-none-any.whl"}
        assert old <= files(folder), "who has read a page before finds its files"
    again = prune(store, "--apply")
    assert again.status == 0 and "20 files" in again.stdout and "wait" in again.stdout
    assert old <= files(released(store))
    for folder in (released(store), store / "v2-staging" / FAMILY):
        let_time_pass(folder)
    assert prune(store, "--apply").status == 0
    for folder in (released(store), store / "v2-staging" / FAMILY):
        assert files(folder) == listed(folder) == new | {"numpy-2.1.0-py3-none-any.whl"}
        assert not [path for path in folder.iterdir() if any(night in path.name for night in NIGHTS[:2])]
        assert json.loads((folder / "retired.json").read_text(encoding="utf-8")) == {}


def test_tags_records_and_options_keep_versions(store, tmp_path):
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    plan["retention"]["nightly"] |= {"newest": 1, "tags": "therock-*"}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    git = ["git", "-C", tmp_path / "repository", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "init", "--quiet", tmp_path / "repository"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "x"], check=True)
    for tag in (f"therock-{NIGHTS[1]}", "therock-x", f"other-{NIGHTS[0]}"):
        subprocess.run([*git, "tag", tag], check=True)
    # The newest release took an older apex over.
    (apex,) = [name for name in of(store, NIGHTS[0]) if name.startswith("apex")]
    record = {"format": 1, "platforms": {"linux": {"files": [{"file": apex}]}}}
    (released(store) / f"release-{NIGHTS[3]}.json").write_text(json.dumps(record), encoding="utf-8")
    done = prune(store, "--keep", NIGHTS[2], "--tags-of", f"file://{tmp_path}/repository", "--apply")
    assert done.status == 0, done.stdout + done.stderr
    assert f"| {NIGHTS[1]} | stays | the tag therock-{NIGHTS[1]} | 5 |" in done.summary
    assert f"| {NIGHTS[2]} | stays | \\-\\-keep | 5 |" in done.summary or f"| {NIGHTS[2]} | stays | --keep | 5 |" in done.summary
    assert listed(released(store)) & of(store, NIGHTS[0]) == {apex}
    lost = prune(store, "--apply", env={"PATH": "/nowhere"})
    assert lost.status == 1, "without the tags nobody knows what may leave"


def test_what_was_retired_by_mistake_returns(store):
    assert prune(store, "--apply").status == 0
    assert prune(store, "--apply", "--keep", OLDEST).status == 0
    assert of(store, OLDEST) <= listed(released(store))


def test_a_removal_that_was_killed_goes_on(store):
    assert prune(store, "--apply").status == 0
    let_time_pass(released(store))
    # The archives of ROCm, which tell the version, and a wheel without its metadata.
    for path in [*released(store).glob(f"rocm*{OLDEST}*"), *released(store).glob(f"torch*{OLDEST}*.whl")]:
        path.unlink()
    assert [path for path in released(store).iterdir() if OLDEST in path.name]
    assert prune(store, "--apply").status == 0
    assert not [path for path in released(store).iterdir() if OLDEST in path.name]
    assert json.loads((released(store) / "retired.json").read_text(encoding="utf-8")) == {}


def test_what_is_being_published_is_not_listed(store):
    """A publication copies its wheels first, and lists them after a look at the whole set."""
    half = make_wheel(released(store), "torch", "2.10.0+rocm7.12.0a20260214").name
    assert prune(store, "--apply").status == 0
    assert half in files(released(store)) and half not in listed(released(store))
    assert half not in (released(store) / "find-links.html").read_text(encoding="utf-8")
    assert wheelrun("index", released(store)).status == 0
    assert half in listed(released(store))


def test_an_index_that_was_not_written_is_written_the_next_time(store):
    """As a prune leaves it that was killed behind its first step."""
    old = of(store, NIGHTS[0]) | of(store, NIGHTS[1])
    (released(store) / "retired.json").write_text(json.dumps(dict.fromkeys(old, "2999-01-01T00:00:00Z")), encoding="utf-8")
    assert prune(store, "--apply").status == 0
    assert not old & listed(released(store)) and old <= files(released(store))


def test_a_folder_that_fails_holds_no_other_back(store):
    (released(store) / "retired.json").write_text("no JSON", encoding="utf-8")
    done = prune(store, "--apply")
    assert done.status == 1
    assert f"{released(store)}/retired.json is no JSON object; it should map names of files to texts" in done.stdout
    assert done.summary.startswith("### nightly releases: 11 files") and "; 1 folder failed\n" in done.summary
    assert f"- **failed**: {released(store)}/; see the log" in done.summary.replace("\\", "")
    assert not of(store, OLDEST) & listed(store / "v2-staging" / FAMILY)
    assert of(store, OLDEST) <= listed(released(store))


def test_the_summary_begins_with_what_changes(store):
    changes, stays = prune(store, "--apply").summary.split("<details><summary>What stays</summary>\n")
    assert changes.count("| retires |") == 4 and "| stays |" not in changes
    assert stays.count("| stays |") == 6 and stays.endswith("</details>\n\n")
    assert prune(store, "--apply", "--keep", OLDEST).summary.count("| returns |") == 2
    let_time_pass(released(store))
    assert prune(store, "--apply").summary.count("| leaves |") == 1


def test_retired_files_belong_to_no_release(store):
    assert prune(store, "--apply").status == 0
    done = in_job(store.parent, "release", "check", "--output-dir", store, "--release-type", "nightly",
                  "--family", FAMILY, "--rocm-version", OLDEST)
    assert done.status == 1 and "0 of " in done.stdout


def test_release_types_without_a_rule_keep_all(store):
    done = wheelrun("prune", "--output-dir", store, "--release-type", "prerelease", "--apply")
    assert done.status == 0 and "'retention' of the matrix has no row for prerelease releases: all files stay" in done.stderr
    refused = wheelrun("prune", "--output-dir", store, "--release-type", "nightly", "--keep", "x")
    assert refused.status == 2 and "'--keep' does not take 'x'" in refused.stderr
