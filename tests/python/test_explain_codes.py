"""What `explain` and `help` say of codes, of words that are none, and of nothing."""

import re

import pytest
from wheelwright import ROOT, Project, wheelwright

CODES = re.findall(r"^\| `([a-z0-9-]+)` \|", (ROOT / "docs/diagnostics.md").read_text(encoding="utf-8"), re.M)


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path)
    project.ok("init")
    return project


@pytest.mark.parametrize("word", ["undeclared-output", "error[undeclared-output]", "[undeclared-output]"])
@pytest.mark.parametrize("command", ["explain", "help"])
def test_a_code_is_explained_wherever_one_is(tmp_path, command, word):
    said = Project(tmp_path).ok(command, word)
    assert said.startswith("undeclared-output\n\n") and "\n\nTo mend it: " in said
    assert max(map(len, said.splitlines()[:-1])) <= 80


def test_every_code_has_its_page(tmp_path):
    assert len(CODES) > 150
    for code in CODES[:: len(CODES) // 12]:
        said = Project(tmp_path).ok("explain", code)
        assert said.startswith(f"{code}\n\n") and "](" not in said and "\\|" not in said


def test_the_page_has_the_width_of_the_terminal(tmp_path):
    said = Project(tmp_path).ok("explain", "undeclared-output", COLUMNS="40")
    assert max(len(line) for line in said.splitlines()[:-1]) <= 40


def test_a_wrong_code_is_compared_with_codes_and_jobs(project):
    assert project.refused("explain", "undeclared-outputs") == """\
error[unknown-job]: there is no job or code 'undeclared-outputs'
   = did you mean 'undeclared-output'?
   = for a file, give its whole name, or a line: FILE:LINE

1 error
"""
    assert "did you mean 'linux_debug'?" in project.refused("explain", "linux_debg")


def test_without_an_argument_it_says_what_can_be_asked(project):
    said = project.ok("explain")
    asked = re.findall(r"^  wheelwright explain (\S+)", said, re.M)
    assert asked == ["ci.yml", "ci.yml:76", "ci.yml#all", "all", "undeclared-output"]
    project.ok("generate")
    for word in asked:
        project.ok("explain", word)


def test_without_a_project_there_is_nothing_to_ask_about(tmp_path):
    assert "error[no-project]" in Project(tmp_path).refused("explain")


def test_help_knows_topics(tmp_path):
    for topic in ("matrix", "schema-language", "templates"):
        assert len(Project(tmp_path).ok("help", topic)) > 1000
    assert wheelwright("help", "templats", cwd=tmp_path).stderr == """\
error[unknown-command]: there is no command or topic 'templats'
   = did you mean 'templates'?
   = `wheelwright help` tells what each does
"""
