"""Checks that README.md and docs/ describe the generated workflows correctly.

For writers: a file is named as `build_{platform}_artifacts.yml`, where {...} matches any name. A name between backticks
after the word job, input or output must exist. In docs/workflows.md each workflow has a section with its name in the
heading, a table of jobs, and the tables between `made` and `as far as here`, which UPDATE_GOLDEN=1 renews.
"""

import os
import re

import pytest
import workflow_page as page
from workflow_set import ROOT, code, workflows

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXT = page.PAGE.read_text(encoding="utf-8")
ABOUT = [(heading, body) for heading, _, body in page.sections(TEXT) if page.files_of(heading)]
NAMED = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}


@pytest.mark.parametrize("name", NAMED)
def test_workflows_that_are_named_are_there(name):
    assert list(page.wrong_files(name, NAMED[name])) == []


@pytest.mark.parametrize("name", NAMED)
def test_jobs_inputs_and_outputs_that_are_named_are_there(name):
    everything = workflows() | page.own_workflows()
    assert list(page.wrong_names(name, NAMED[name], everything)) == []


@pytest.mark.parametrize(("heading", "body"), ABOUT, ids=[heading for heading, _ in ABOUT])
class TestSection:
    def test_names_are_of_its_workflows(self, heading, body):
        assert list(page.wrong_names(heading, body, page.files_of(heading))) == []
        assert list(page.wrong_words("", heading, body)) == []
        assert list(page.wrong_rows("", heading, body)) == []

    def test_tells_of_all_jobs(self, heading, body):
        assert list(page.wrong_jobs("", heading, body)) == []


@pytest.mark.parametrize("name", NAMED)
def test_graphs_show_jobs_that_are_there(name):
    assert list(page.wrong_graph(name, NAMED[name])) == []


def test_made_tables_are_current():
    """UPDATE_GOLDEN=1 renews them."""
    text = page.renewed(TEXT)
    if os.environ.get("UPDATE_GOLDEN"):
        page.PAGE.write_text(text, encoding="utf-8")
        return
    for (heading, _, found), (_, _, wanted) in zip(page.sections(TEXT), page.sections(text), strict=True):
        assert found == wanted, heading
    assert len(page.MADE.findall(TEXT)) == len(ABOUT)


def test_every_workflow_has_one_section_and_one_row():
    for file in workflows():
        about = [heading for heading, _ in ABOUT if file in page.files_of(heading)]
        assert len(about) == 1, f"{file}: {about}"
        rows = [row for row in overview() if any(page.regex(name).fullmatch(file) for name in code(row[0]))]
        assert len(rows) == 1, f"{file}: {rows}"


def overview():
    return next(rows for header, rows in page.tables(TEXT) if header[0] == "workflow")


WORDS = {"call": "workflow_call", "hand": "workflow_dispatch", "clock": "schedule", "push": "push",
         "pull request": "pull_request"}  # fmt: skip


@pytest.mark.parametrize("row", overview(), ids=[code(row[0])[0] for row in overview()])
def test_the_overview_says_what_starts_a_workflow(row):
    found = {event for name in code(row[0]) for file in page.fitting(name, workflows())
             for event in page.events(workflows()[file])}  # fmt: skip
    said = {WORDS[word.strip()] for part in row[1].split(";") for word in part.split(",")}
    assert said == found


@pytest.mark.parametrize("row", overview(), ids=[code(row[0])[0] for row in overview()])
def test_the_overview_says_what_jobs_may_do(row):
    said = set(re.findall(r"`([\w-]+: \w+)`", row[2]))
    if not said:
        assert row[2] == "what its jobs need"
        return
    granted = {f"{scope}: {level}" for name in code(row[0]) for file in page.fitting(name, workflows())
               for job in workflows()[file]["jobs"].values() for scope, level in job["permissions"].items()}  # fmt: skip
    assert said == granted


def test_the_page_of_pytorch_s_nightly_tells_of_all_jobs():
    """Includes jobs for which the matrix has no row, because another repository can have one."""
    template = (ROOT / "templates/workflows/therock_nightly_docker.yml").read_text(encoding="utf-8")
    body = template.split("\njobs:\n", 1)[1]
    jobs = re.findall(r"^ +(\w+_)\$\[\[ image\.name \]\]:$", body, re.MULTILINE)
    alone = re.findall(r"^ {2,6}(\w+):\n +name: ", body, re.MULTILINE)
    rows = next(rows for header, rows in page.tables(NAMED["docs/pytorch-nightly/README.md"]) if header[0] == "job")
    assert {name for row in rows for name in code(row[0])} == {f"{job}{{image}}" for job in jobs} | set(alone)


# ---- the checks find what they are for ------------------------------------------------------

SECTION = next((heading, body) for heading, body in ABOUT if heading == "promote_pytorch_wheels.yml")


@pytest.mark.parametrize(("line", "found"), [
    ("See `build_linux_wheels.yml`.", "there is no workflow build_linux_wheels.yml"),
    ("See `promote_{family}_packages.yml`.", "there is no workflow promote_{family}_packages.yml"),
    ("See `matrix/famlies.yml`.", "there is no matrix/famlies.yml"),
    ("See `templates/workflows/build.yml`.", "there is no templates/workflows/build.yml"),
])  # fmt: skip
def test_a_wrong_file_is_found(line, found):
    assert list(page.wrong_files("x", f"\n{line}\n")) == [f"x:2: {found}"]


@pytest.mark.parametrize(("line", "found"), [
    ("It has jobs `promote` and `publish`.", "there is no job publish"),
    ("The inputs `wheels`, `tests` are given.", "there is no input tests"),
    ("Its output `verdicts` is read.", "there is no output verdicts"),
    ("Its jobs `promote_{combo}` wait.", "there is no job promote_{combo}"),
])  # fmt: skip
def test_a_wrong_name_is_found(line, found):
    assert list(page.wrong_names("x", f"\n{line}\n", page.files_of(SECTION[0]))) == [f"x:2: {found}"]


def test_a_wrong_word_is_found():
    assert list(page.wrong_words("x", SECTION[0], "It reads `test_resluts`.\n")) == [
        "x: promote_pytorch_wheels.yml: nothing is called test_resluts"
    ]


def test_a_wrong_row_is_found():
    table = "| output | is |\n| --- | --- |\n| `verdict` | x |\n| `reason` | x |\n"
    assert list(page.wrong_rows("x", SECTION[0], table)) == ["x: promote_pytorch_wheels.yml: there is no output reason"]


def test_a_job_that_is_missing_or_gone_is_found():
    heading, body = SECTION
    assert list(page.wrong_jobs("x", heading, body.replace("| `promote` |", "| `publish` |"))) == [
        f"x: {heading}: 0 rows are for job promote of promote_pytorch_wheels.yml",
        f"x: {heading}: there is no job publish",
    ]
    table = "| job | calls | does |\n| --- | --- | --- |\n| `promote` | `resolve_versions.yml` | x |\n"
    assert list(page.wrong_jobs("x", heading, table)) == [f"x: {heading}: job promote does not call resolve_versions.yml"]
    assert list(page.wrong_jobs("x", heading, "")) == [f"x: {heading} has no table of jobs"]


def test_a_wrong_graph_is_found():
    graph = "```mermaid\ngraph LR\n{}\n```\n"
    good = 'a["promote_py312_torch210<br>promote_pytorch_wheels.yml"]'
    assert list(page.wrong_graph("x", graph.format(good))) == []
    wrong = list(page.wrong_graph("x", graph.format(good.replace("<br>promote", "<br>test"))))
    assert wrong == ["x: a graph lets job promote_py312_torch210 call test_pytorch_wheels.yml"]
    wrong = list(page.wrong_graph("x", graph.format(good.replace("py312", "py399"))))
    assert wrong == ["x: a graph shows a job promote_py399_torch210, which there is not"]


def test_a_table_that_is_not_current_is_found():
    text = TEXT.replace("| `verdict` | promote or hold |", "| `verdict` | yes or no |")
    assert text != TEXT and page.renewed(text) == TEXT
