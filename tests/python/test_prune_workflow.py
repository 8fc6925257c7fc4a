"""The generated workflow that prunes: its steps as GitHub runs them, against a real S3 server."""

import contextlib
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote

import pytest
import s3_server
from github_run import Expression, bare, truth
from needs import need
from release_world import FAMILY
from s3_server import Proxy, Server, variables
from test_prune import NIGHTS, let_time_pass, make_night
from wheelrun import FILES, PLAN, PROGRAM, environment, wheelrun
from workflow_set import GENERATED, workflows

WORKFLOW = "prune_nightly.yml"
PLANNED = json.loads(PLAN.read_text(encoding="utf-8"))
BUCKET = PLANNED["release_types"]["nightly"]["python_bucket"]
CLOCK, DRY, BY_HAND = {}, {"dry_run": True}, {"dry_run": False}


@pytest.fixture
def server(tmp_path):
    """A bucket with four nights in both folders of a family, of which two are to stay, and a tag."""
    (tmp_path / "server").mkdir()
    need(s3_server.SERVER, s3_server.AWS)
    server = Server(tmp_path / "server")
    server.make_bucket(BUCKET)
    server.folders = [tmp_path / "server/data" / BUCKET / subdir / FAMILY for subdir in ("v2", "v2-staging")]
    for folder, staging in zip(server.folders, ((), ("--staging",)), strict=True):
        for night in NIGHTS:
            make_night(folder, night)
        done = wheelrun("index", "--bucket", BUCKET, "--family", FAMILY, *staging, env=variables(server.url))
        assert done.status == 0, done.stderr
    yield server
    server.close()


@pytest.fixture
def job(server, tmp_path):
    """Runs the steps of the job that an event runs, and gives (their names, status, log, summary)."""
    folder = tmp_path / "job"
    (folder / ".github/workflows").mkdir(parents=True)
    rows = {"nightly": {**PLANNED["retention"]["nightly"], "newest": 2, "staging": 2}}
    (folder / ".github/workflows/plan.json").write_text(json.dumps({**PLANNED, "retention": rows}), encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/wheelrun").symlink_to(PROGRAM)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", tmp_path / "repository"]
    subprocess.run(["git", "init", "--quiet", tmp_path / "repository"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "tag", f"therock-{NIGHTS[1]}"], check=True)
    (tmp_path / "gitconfig").write_text(f'[url "file://{tmp_path}/repository"]\n\tinsteadOf = https://github.com/ROCm/TheRock\n',
                                        encoding="utf-8")
    files = {name: str(tmp_path / file) for name, file in FILES.items()}

    def run(inputs):
        for file in files.values():
            open(file, "w", encoding="utf-8").close()
        workflow = workflows()[WORKFLOW]
        given = environment({**variables(server.url), **files, **workflow["env"], "GITHUB_ACTIONS": "true",
                             "GITHUB_REPOSITORY": "ROCm/TheRock", "GITHUB_SERVER_URL": "https://github.com",
                             "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
                             "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"})
        names, status, log = [], 0, ""
        for step in workflow["jobs"]["prune"]["steps"]:
            if "run" not in step or not truth(Expression(bare(step["if"]), {"inputs": inputs}, {}).value()):
                continue
            done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]], cwd=folder,
                                  env=given, capture_output=True, text=True, timeout=300, check=False)
            names.append(step["name"])
            status, log = max(status, done.returncode), log + done.stdout + done.stderr
        with open(files["GITHUB_STEP_SUMMARY"], encoding="utf-8") as summary:
            return names, status, log, summary.read()

    return run


def of(folder, night):
    return sorted(path.name for path in folder.iterdir() if night in path.name and path.name.endswith((".whl", ".tar.gz")))


def listed(folder, night):
    return f"rocm{night}" in (folder / "find-links.html").read_text(encoding="utf-8").replace("%2B", "+")


@pytest.mark.quick
def test_started_by_hand_it_only_tells(server, job):
    before = server.keys(BUCKET)
    names, status, log, summary = job(DRY)
    assert (names, status) == (["Say what would leave"], 0), log
    assert server.keys(BUCKET) == before
    assert f"| s3://{BUCKET}/v2/{FAMILY}/ | {NIGHTS[0]} | retires |" in summary.replace("\\", "")
    assert "nothing was changed" in summary


@pytest.mark.quick
@pytest.mark.parametrize("inputs", [CLOCK, BY_HAND], ids=["clock", "hand"])
def test_the_clock_and_a_person_let_old_nights_leave(server, job, inputs):
    names, status, log, summary = job(inputs)
    assert (names, status) == (["Prune"], 0), log
    for folder in server.folders:
        assert [listed(folder, night) for night in NIGHTS] == [False, True, True, True], "one has a tag"
        assert all(len(of(folder, night)) == 5 for night in NIGHTS)
        let_time_pass(folder)
    assert f"| {NIGHTS[1]} | stays | the tag therock-{NIGHTS[1]} |" in summary.replace("\\", "")
    names, status, log, summary = job(inputs)
    assert (names, status) == (["Prune"], 0), log
    assert summary.count("| leaves |") == 2
    for folder in server.folders:
        assert [len(of(folder, night)) for night in NIGHTS] == [0, 5, 5, 5]
        assert json.loads((folder / "retired.json").read_text(encoding="utf-8")) == {}


def test_without_the_tags_nothing_leaves(server, job, tmp_path):
    (tmp_path / "gitconfig").write_text('[url "file:///nowhere"]\n\tinsteadOf = https://github.com/\n', encoding="utf-8")
    before = server.keys(BUCKET)
    names, status, log, _ = job(CLOCK)
    assert (names, status) == (["Prune"], 1), log
    assert server.keys(BUCKET) == before


@pytest.mark.quick
def test_each_release_type_with_a_rule_has_a_workflow_of_its_own_role():
    found = {name for name in workflows() if name.startswith("prune_")}
    assert found == {f"prune_{type_}.yml" for type_ in PLANNED["retention"]}
    for type_, rule in PLANNED["retention"].items():
        workflow, row = workflows()[f"prune_{type_}.yml"], PLANNED["release_types"][type_]
        domain = PLANNED["domains"][row["domain"]]
        assert [on["cron"] for on in workflow["on"].get("schedule", [])] == [rule["schedule"]] * bool(rule["schedule"])
        assert workflow["on"]["workflow_dispatch"]["inputs"]["dry_run"]["default"] is True
        assert set(workflow["on"]) <= set(domain["triggers"])
        assert workflow["permissions"] == {} and workflow["concurrency"]["cancel-in-progress"] is False
        job = workflow["jobs"]["prune"]
        assert job["permissions"] == {"contents": "read", "id-token": "write"}
        assert [job["environment"]] == domain["environments"]
        text = (GENERATED / f"prune_{type_}.yml").read_text(encoding="utf-8")
        assert set(re.findall(r"arn:\S+", text)) == {row["role"]} <= set(domain["roles"])
        assert set(re.findall(r"--bucket (\S+)", text)) == {row["python_bucket"]} <= set(domain["buckets"])


class Failing(Proxy):
    """Refuses one request of those that come, or all from that one on."""

    def __post_init__(self):
        super().__post_init__()
        self.number, self.at, self.last, self.look = -1, -1, -1, lambda: None

    def take(self, method, path):
        with self.lock:
            self.number += 1
            self.look()
            if 0 <= self.at <= self.number and self.number <= self.last:
                return "403"
        return ""


def test_the_store_may_refuse_any_request_and_no_page_lists_what_is_gone(server, tmp_path):
    """At every seventh request the program loses its rights, for this one request or for good. The unit tests fail at all
    of them."""
    release, _ = server.folders
    rows = {"nightly": {"newest": 1, "staging": 1, "days": 14, "tags": None, "schedule": None}}
    (tmp_path / "plan.json").write_text(json.dumps({**PLANNED, "retention": rows}), encoding="utf-8")
    old, retired = of(release, NIGHTS[0]), of(release, NIGHTS[1])
    (release / f"release-{NIGHTS[0]}.json").write_text('{"format": 1, "platforms": {}}', encoding="utf-8")
    marks = dict.fromkeys(old, "2026-01-01T00:00:00Z")
    (release / "retired.json").write_text(json.dumps(marks), encoding="utf-8")
    for _ in range(2):  # the first leaves the pages, the second is about to
        done = wheelrun("index", "--bucket", BUCKET, "--family", FAMILY, env=variables(server.url))
        assert done.status == 0, done.stderr
    before = shutil.copytree(release, tmp_path / "before")  # with the attributes in which the server keeps its own
    problems, seen = [], set()

    @functools.cache
    def named(text):
        return {unquote(name) for name in re.findall(r'[\w.%+-]+\.(?:whl|tar\.gz)(?=["#])', text)}

    def look():
        # While it looks, no request goes on: what the pages name cannot be removed before it is looked for.
        names = set()
        for page in [release / "find-links.html", *(folder / name for folder in release.iterdir() if folder.is_dir()
                                                    for name in ("index.html", "index.v1.json"))]:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # the server replaces a file in two steps
                names |= named(page.read_text(encoding="utf-8"))
        problems.extend(names.difference(os.listdir(release)))
        seen.update(names)

    def restore():
        for kept in before.rglob("*"):
            path = release / kept.relative_to(before)
            if kept.is_dir():
                path.mkdir(exist_ok=True)
            elif not path.exists() or path.read_bytes() != kept.read_bytes():
                shutil.copy2(kept, path)

    def prune(proxy):
        return wheelrun("prune", "--bucket", BUCKET, "--family", FAMILY, "--apply",
                        env={**variables(proxy.url), "WHEELRUN_PLAN": str(tmp_path / "plan.json")})

    proxy = Failing(server.port)
    proxy.look = look
    failures, at = 0, 0
    try:
        while True:
            for last in (at, sys.maxsize):
                proxy.number, proxy.at, proxy.last = -1, at, last
                done = prune(proxy)
                reached = proxy.number >= at
                failures += done.status
                proxy.at = -1
                again = prune(proxy)
                assert again.status == 0, again.stderr
                look()
                assert not problems, (at, last, problems)
                assert of(release, NIGHTS[0]) == [] and not (release / f"release-{NIGHTS[0]}.json").exists()
                assert of(release, NIGHTS[1]) == retired and not listed(release, NIGHTS[1])
                assert listed(release, NIGHTS[3])
                restore()
            if not reached:
                break
            at += 7
    finally:
        proxy.close()
    assert failures > 10 and len(seen) == 15
