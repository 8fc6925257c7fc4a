"""Sets of the matrix that no workflow has jobs for: not counted by `select`, and named by `check`."""

import json

import pytest
from wheelwright import Project

WEEKLY = "  weekly: { systems: [macos], variants: [debug] }\n"


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path)
    project.ok("init")
    return project


def cells(project):
    rows = json.loads(project.ok("select", "--event", "push", "--ref", "main", "--format", "json"))["workflows"]
    return {row["file"]: row["cells"] for row in rows}


def test_a_set_that_no_template_takes(project):
    project.write("matrix/builds.yml", project.read("matrix/builds.yml") + WEEKLY)
    project.replace("templates/workflows/builds.yml", "  for: name, set in builds\n", "  for: name, set in builds\n  if: name == 'ci'\n")
    project.ok("generate")
    done = project.run("check")
    assert (done.returncode, done.stderr) == (0, """\
warning[unread-set]: no workflow has a job for the 1 build of 'weekly'
   --> matrix/builds.yml:23:3
    |
 23 |   weekly: { systems: [macos], variants: [debug] }
    |   ^^^^^^ remove it, or loop over it in a template

1 warning
""")
    project.write("matrix/acknowledged.yml", "acknowledged:\n  - { code: \"unread-set\", at: [builds.weekly], why: It comes next }\n")
    assert project.run("check").stderr.startswith("1 known warning ")


def test_cells_that_no_job_is_for_are_not_counted(project):
    assert cells(project) == {"ci.yml": ["3 builds of 'ci'"], "wheelwright_check.yml": []}
    template = "templates/workflows/builds.yml"
    project.replace(template, "  $[[ for build in set.builds ]]:\n", "  $[[ for build in where(set.builds, 'test', 'make check') ]]:\n", count=1)
    project.replace(template, "      - $[[ for build in set.builds ]]:\n",
                    "      - $[[ for build in where(set.builds, 'test', 'make check') ]]:\n", count=1)
    assert cells(project)["ci.yml"] == ["2 builds of 'ci'"]


def test_a_workflow_without_jobs_of_cells_has_no_number(project):
    template = "templates/workflows/builds.yml"
    text = project.read(template)
    start, end = text.index("  $[[ for build in set.builds ]]:"), text.index("  # The one check")
    text = text[:start] + text[end:]
    text = text.replace("    needs:\n      - $[[ for build in set.builds ]]:\n          - $[[ build.id ]]\n", "")
    text = text.replace("name: $[[ name ]]\non:", "name: $[[ set.name ]]\non:")
    text = text.replace("contains(needs.*.result, 'failure') && !contains(needs.*.result, 'cancelled')", "cancelled()")
    project.write(template, text.replace("!cancelled() }}\n        run", "github.actor }}\n        run"))
    assert cells(project)["ci.yml"] == []
    project.ok("generate")
    assert "warning[unread-set]: no workflow has a job for the 3 builds of 'ci'" in project.run("check").stderr
