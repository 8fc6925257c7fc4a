"""The projects in examples/, with the program alone: current, without a finding, and readable for people."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WHEELWRIGHT", str(ROOT / "build/wheelwright"))
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir())


class Example:
    """A copy of an example, in a folder where there is nothing else."""

    def __init__(self, source, folder):
        self.folder = folder
        for name in ("matrix", "templates", "generated-workflows"):
            shutil.copytree(source / name, folder / name)

    def run(self, *words):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, env={"PATH": "/usr/bin:/bin"}, capture_output=True,
                              text=True, timeout=60, check=False)

    def ok(self, *words):
        done = self.run(*words)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} holds {text.count(old)} times: {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.name)
def each(request, tmp_path):
    return Example(request.param, tmp_path)


@pytest.fixture
def library(tmp_path):
    return Example(ROOT / "examples/cpp-library", tmp_path)


def test_the_workflows_are_current_and_without_a_finding(each):
    assert each.ok("check").startswith("generated-workflows/ is current: ")
    assert "no findings" in each.ok("lint", "generated-workflows")


def test_plan_and_graph_know_every_set(each):
    plan = each.ok("plan")
    assert re.search(r"^excluded ", plan, re.M)
    for line in re.findall(r"^excluded .*\n((?:\S.*\n)+)", plan, re.M)[0].splitlines():
        assert re.search(r"matrix/\w+\.yml:\d+", line), line
    assert "flowchart" in each.ok("graph")
    assert "<html" in each.ok("graph", "--format", "html")


def test_explain_leads_to_the_rows_of_a_job(library):
    said = library.ok("explain", "nightly.yml#ubuntu_clang_18_relwithdebinfo_thread")
    assert re.search(r"templates/workflows/checks\.yml:\d+", said)
    assert "clang-18" in said and re.search(r"matrix/builds\.yml:\d+", said)


@pytest.mark.parametrize(("name", "old", "new", "message", "place"), [
    ("compilers.yml", "apple-clang:\n    macos:      { command: clang++,    sanitizers: [address, undefined, thread] }",
     "apple-clang:\n    macos:      { command: clang++,    sanitizers: [address, undefined] }",
     "error[unknown-sanitizer]: 'clang++' on macos is not said to have 'thread', and 'nightly' builds with it", "builds.yml"),
    ("builds.yml", "      ubuntu: [gcc-14]\n", "      ubuntu: [gcc-14, clang-18]\n",
     "error[two-archives]: the release has 2 builds for ubuntu, and one archive", "builds.yml"),
    ("systems.yml", "image: valkey", "image: valky", "error[unknown-image]: no image of pins.yml is called 'valky'",
     "systems.yml"),
    ("triggers.yml", "[nightly] }\n  workflow", "[nightli] }\n  workflow",
     "error[unknown-set]: no set of builds is called 'nightli', so there is no such workflow", "triggers.yml"),
])
def test_the_library_says_what_makes_no_sense(library, name, old, new, message, place):
    library.edit(f"matrix/{name}", old, new)
    done = library.run("generate")
    assert done.returncode == 2
    head, where, *_ = done.stderr.splitlines()
    assert head == message
    assert re.match(rf" *--> matrix/{place}:\d+:\d+$", where)
