"""Warnings that a project knows of: counted, listed by `plan`, and reported once they are gone."""

import json

import pytest
from wheelwright import Project

SCHEMA = """\

  - each: system in systems
    that: system.runs_on != 'macos-15' && system.runs_on != 'ubuntu-24.04'
    at: system.runs_on
    level: warning
    code: busy-machine
    message: "everybody uses '$[[ system.runs_on ]]'"
    hint: take another
"""
BOTH = """\
warning[busy-machine]: everybody uses 'ubuntu-24.04' (and 1 more)
  --> matrix/builds.yml:7:21
   |
 7 |   linux: { runs_on: ubuntu-24.04 }
   |                     ^^^^^^^^^^^^ take another
  ::: matrix/builds.yml:8:21
   |
 8 |   macos: { runs_on: macos-15 }
   |                     ^^^^^^^^ 'macos-15' too
"""


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path)
    project.ok("init")
    project.write("matrix/schema.yml", project.read("matrix/schema.yml").rstrip("\n") + SCHEMA)
    project.ok("generate")
    return project


def known(project, *rows):
    project.write("matrix/acknowledged.yml", "acknowledged:\n" + "".join(f"  - {row}\n" for row in rows))


def test_messages_that_differ_in_a_name_are_one(project):
    done = project.run("check")
    assert (done.returncode, done.stderr) == (0, f"{BOTH}\n1 warning\n")


def test_what_is_known_is_one_line(project):
    known(project, "{ code: busy-machine, at: [systems.linux.runs_on, systems.macos.runs_on], why: They are free }")
    for words in (["check"], ["check", "--format", "github"]):
        done = project.run(*words)
        assert (done.returncode, done.stdout) == (0, ".github/workflows/ is current: 2 files\n")
        assert done.stderr == "2 known warnings in matrix/acknowledged.yml: `wheelwright plan` lists them\n"
    assert project.run("check", "--format", "json").stderr == ""


def test_what_is_new_is_loud(project):
    known(project, "{ code: busy-machine, at: [systems.linux.runs_on], why: It is free }")
    done = project.run("check")
    assert done.stderr.startswith("1 known warning in matrix/acknowledged.yml: `wheelwright plan` lists it\n"
                                  "warning[busy-machine]: everybody uses 'macos-15'\n")
    assert done.stderr.endswith("\n1 warning\n")


def test_plan_lists_what_is_known(project):
    known(project, "{ code: busy-machine, at: [systems.linux.runs_on], why: It is free, issue: https://github.com/a/b/issues/7 }")
    assert """\
known         at                     why                 row
busy-machine  systems.linux.runs_on  It is free (a/b#7)  matrix/acknowledged.yml:2
""" in project.ok("plan")
    assert json.loads(project.ok("plan", "--format", "json"))["acknowledged"] == [
        {"code": "busy-machine", "at": "systems.linux.runs_on", "why": "It is free",
         "issue": "https://github.com/a/b/issues/7", "where": "matrix/acknowledged.yml:2"}]


def test_what_acknowledges_nothing_is_reported(project):
    known(project, "{ code: busy-machine, at: [systems.linux.runs_on, systems.macos.runs_on], why: They are free }",
          "{ code: busy-machine, at: [variants.debug], why: No }")
    done = project.run("check")
    assert (done.returncode, done.stderr) == (0, """\
2 known warnings in matrix/acknowledged.yml: `wheelwright plan` lists them
warning[unused-acknowledgement]: 'variants.debug' has no warning 'busy-machine'
  --> matrix/acknowledged.yml:3:32
   |
 3 |   - { code: busy-machine, at: [variants.debug], why: No }
   |                                ^^^^^^^^^^^^^^ remove it

1 warning
""")


def test_a_place_that_is_not_there_is_reported_with_the_nearest(project):
    known(project, "{ code: busy-machine, at: [systems.linx.runs_on], why: No }")
    done = project.run("check")
    assert done.returncode == 0
    assert """\
warning[unused-acknowledgement]: the matrix has no 'systems.linx.runs_on'
  --> matrix/acknowledged.yml:2:32
   |
 2 |   - { code: busy-machine, at: [systems.linx.runs_on], why: No }
   |                                ^^^^^^^^^^^^^^^^^^^^ did you mean 'linux'?
   = write the table, the row and the column, with dots between them
""" in done.stderr


def test_an_error_cannot_be_acknowledged(project):
    project.replace("matrix/schema.yml", "    level: warning\n", "")
    known(project, "{ code: busy-machine, at: [systems.linux.runs_on, systems.macos.runs_on], why: No }")
    assert "error[busy-machine]" in project.refused("check")
