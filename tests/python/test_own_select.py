"""`wheelwright select` in projects with tables of their own: what `on` says where nothing else is written, and rules
that a template writes from tables of any name."""

import json
import re
import shutil

import pytest
from test_own_sets import FILES
from wheelwright import ROOT, SETTINGS, Project, wheelwright

WORKFLOW = """\
$[[ template ]]:
  file: {name}

name: {name}
on:
{on}
permissions: {{}}
concurrency: {{ group: "{name}-${{{{ github.ref }}}}", cancel-in-progress: true }}
jobs:
  build: {{ name: Build, runs-on: ubuntu-24.04, timeout-minutes: 30, steps: [{{ run: make }}] }}
"""
CHANGES = """\
  pull_request: { paths: ["src/**", "!src/**.md"] }
  push: { branches: [main, "release/*"], paths-ignore: [docs/**] }
"""
NIGHT = '  schedule: [{ cron: "0 3 * * *" }]\n  workflow_dispatch:\n'
RELEASE = '  push: { tags: ["v*"] }\n'


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path, {
        "matrix/settings.yml": SETTINGS,
        "templates/a.yml": WORKFLOW.format(name="ci.yml", on=CHANGES.rstrip()),
        "templates/b.yml": WORKFLOW.format(name="nightly.yml", on=NIGHT.rstrip()),
        "templates/c.yml": WORKFLOW.format(name="release.yml", on=RELEASE.rstrip()),
        "templates/d.yml": WORKFLOW.format(name="steps.yml", on="  workflow_call:"),
    })


def started(project, *words):
    rows = json.loads(project.ok("select", "--format", "json", *words))["workflows"]
    return {row["file"]: (row["starts"], row["why"]) for row in rows}


@pytest.mark.parametrize(
    "words, file, starts, why",
    [
        (("push", "--ref", "main"), "ci.yml", True, "branch 'main' fits main, release/*, what changed is not known"),
        (("push", "--ref", "refs/heads/main", "--changed-file", "docs/a.md"), "ci.yml", False,
         "no change is one of its paths: paths-ignore has all"),
        (("push", "--ref", "main", "--changed-file", "docs/a", "--changed-file", "a"), "ci.yml", True,
         "branch 'main' fits main, release/*, 'a' changed"),
        (("push", "--ref", "topic"), "ci.yml", False, "branch 'topic' fits none of main, release/*"),
        (("push",), "ci.yml", True, "branches main, release/*; which one is not known, what changed is not known"),
        (("push", "--ref", "refs/tags/v1"), "ci.yml", False, "only branches start it"),
        (("push", "--ref", "refs/tags/v1"), "release.yml", True, "tag 'v1' fits v*"),
        (("push", "--ref", "main"), "release.yml", False, "only tags start it"),
        (("push",), "release.yml", True, "tags v*; which one is not known"),
        (("pull_request", "--changed-file", "src/a.c"), "ci.yml", True, "'src/a.c' changed"),
        (("pull_request", "--changed-file", "src/a.md"), "ci.yml", False, "no change is one of its paths"),
        (("pull_request",), "nightly.yml", False, "no pull_request"),
        (("schedule",), "nightly.yml", True, "0 3 * * *"),
        (("workflow_dispatch", "--workflow", "nightly"), "nightly.yml", True, "any workflow_dispatch"),
        (("workflow_dispatch", "--workflow", "other"), "nightly.yml", False, "not 'other'"),
    ],
)
def test_an_event_starts_what_on_says(project, words, file, starts, why):
    found = started(project, "--event", *words)
    assert found[file] == (starts, why)
    assert "steps.yml" not in found  # it is called alone


def test_the_answer_for_people(project):
    assert project.ok("select", "--event", "push", "--ref", "main") == """\
push starts ci.yml

workflow             why                                                            jobs  cells
ci.yml       starts  branch 'main' fits main, release/*, what changed is not known  1
nightly.yml  -       no push
release.yml  -       only tags start it
"""
    markdown = project.ok("select", "--event", "delete", "--format", "markdown")
    assert markdown.startswith("### delete starts nothing\n\n| workflow |")


def test_what_only_rules_could_mean_is_refused(project):
    assert project.wrong("select", "--event", "pull_request", "--label", "fast") == """\
error[no-plan-tables]: what --label means stands in plan.json, which no template of this project makes
  --> matrix/settings.yml:1:1
   |
 1 | settings: { repository: owner/name, output: generated }
   | ^^^^^^^^
   = `wheelrun plan schema` prints what it must hold; a template with `file: plan.json` makes it

1 error
"""


def test_cells_of_sets_that_an_event_starts(tmp_path):
    rows = json.loads(Project(tmp_path, FILES).ok("select", "--event", "push", "--format", "json"))["workflows"]
    assert [(row["file"], row["jobs"], row["cells"]) for row in rows] == [
        ("daily.yml", 10, ["6 builds of 'daily'"])]


def test_rules_come_from_tables_of_any_name(tmp_path):
    """`labels` is called `marks` here, `tiers` `rings`, and so on: the template of the plan says what is what."""
    for name in ("matrix", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for path in [*tmp_path.rglob("*.yml")]:
        path.write_text(renamed(path, path.read_text(encoding="utf-8")), encoding="utf-8")
    asked = ("--event", "pull_request", "--label", "gfx950", "--label", "test:rocblas", "--changed-file", "core/a.cpp")
    here, there = (wheelwright("select", *asked, cwd=folder)
                   for folder in (ROOT, tmp_path))
    assert (there.returncode, there.stderr, there.stdout) == (0, "", here.stdout)


def renamed(path, text):
    tables = {"labels": "marks", "paths": "changes", "test_types": "depths"}
    for old, new in tables.items():
        if path.name == "schema.yml":
            text = re.sub(rf"(?m)^  {old}:(?= \{{|$)", f"  {new}:", text)
            text = text.replace(f"keys({old})", f"keys({new})").replace(f"where({old},", f"where({new},")
            text = text.replace(f"\n    that: taker && {old}[", f"\n    that: taker && {new}[")
            text = text.replace(f"at: {old}[taker]", f"at: {new}[taker]").replace(f"$[[ {old}[taker]", f"$[[ {new}[taker]")
        elif path.name in {"plan.yml", "ci.yml"}:
            text = text.replace(f"{old}: $[[ {old} ]]", f"{old}: $[[ {new} ]]").replace(f"contains({old}.", f"contains({new}.")
        elif path.parent.name == "matrix":
            text = re.sub(rf"(?m)^{old}:", f"{new}:", text)
    return text
