"""Error messages for typing and merge mistakes."""

import pytest
from wheelwright import Project

BUILDS = "templates/workflows/builds.yml"


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path)
    project.ok("init")
    return project


@pytest.mark.parametrize(("old", "new", "place", "marked"), [
    ("    $[[ build.id ]]:", "    ${{ build.id }}:", "26:5", "^^^^^^^^^^^^^^^ write $[[ build.id ]]"),
    ("runs-on: $[[ build.runs_on ]]", "runs-on: ${{ build.runs_on }}", "28:16", "^^^^^^^^^^^^^^^^^^^^ write $[[ build.runs_on ]]"),
    ("runs-on: $[[ build.runs_on ]]", "runs-on: [[ build.runs_on ]]", "28:16", "^^^^^^^^^^^^^^^^^^^ write $[[ build.runs_on ]]"),
    ("run: $[[ build.test ]]", "run: time [[ build.test ]]", "39:21", "^^^^^^^^^^^^^^^^ write $[[ build.test ]]"),
    ("          - $[[ build.id ]]\n    if", "          - ${{ build.id }}\n    if", "46:13", "^^^^^^^^^^^^^^^ write $[[ build.id ]]"),
])
def test_a_wrong_bracket_is_the_only_error(project, old, new, place, marked):
    project.replace(BUILDS, old, new, count=1)
    said = project.refused("generate")
    assert said.startswith("error[wrong-brackets]: 'build' is a name of templates, and is known while files are generated\n"
                           f"   --> {BUILDS}:{place}\n")
    assert marked in said and said.endswith("\n1 error; nothing was written\n")


def test_a_bracket_within_one_of_github(project):
    project.replace(BUILDS, "if: ${{ !cancelled() }}", "if: ${{ github.ref_name == set.systems }}", count=1)
    assert "put $[[ ]] around what templates know, within it" in project.refused("generate")


def test_the_brackets_of_the_shell_are_left_alone(project):
    project.replace(BUILDS, "run: $[[ build.test ]]", "run: if [[ -n build ]]; then $[[ build.test ]]; fi", count=1)
    project.ok("generate")


@pytest.mark.parametrize("name", ["matrix/builds.yml", "matrix/schema.yml", BUILDS])
def test_a_merge_that_is_not_finished(project, name):
    head, line, rest = project.read(name).partition("\nbuilds:\n" if "builds.yml" in name and "matrix" in name else "\n\n")
    project.write(name, f"{head}\n<<<<<<< HEAD\n# ours\n=======\n# theirs\n>>>>>>> topic{line}{rest}")
    said = project.refused("generate")
    assert said.startswith(f"error[conflict-marker]: a merge is not finished: here are two versions of a part\n")
    assert said.endswith("^^^^^^^ keep one of them, and no line with markers\n\n1 error; nothing was written\n")
    assert f"--> {name}:{head.count(chr(10)) + 2}:1\n" in said
