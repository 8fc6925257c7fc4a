"""Generated workflows that call hand-written ones, which call others."""

from wheelwright import SETTINGS, Project

TEMPLATE = """\
$[[ template ]]:
  file: ci.yml

name: CI
on: workflow_dispatch
permissions: {}
jobs:
  test:
    name: Test
    uses: ./.github/workflows/test.yml
"""
CALLER = "on: workflow_call\npermissions: {}\njobs:\n  part:\n    uses: ./.github/workflows/part.yml\n"
CALLED = "on: workflow_call\npermissions: {}\njobs:\n  run:\n    runs-on: ubuntu-24.04\n    steps: [{ run: make }]\n"


def project_of(folder, **workflows):
    return Project(folder, {
        "matrix/settings.yml": SETTINGS,
        "matrix/external.yml": "external_workflows:\n  test: { path: ./.github/workflows/test.yml }\n",
        "templates/workflows/ci.yml": TEMPLATE,
        **{f".github/workflows/{name}.yml": text for name, text in workflows.items()},
    })  # fmt: skip


def test_what_a_hand_written_workflow_calls_needs_no_row(tmp_path):
    project = project_of(tmp_path, test=CALLER, part=CALLED)
    assert project.ok("generate") == "generated/: 1 written\n"


def test_a_circle_ends(tmp_path):
    project = project_of(tmp_path, test=CALLER, part=CALLER.replace("part.yml", "test.yml"))
    done = project.run("generate", timeout=20)
    assert done.returncode in (0, 2), done


def test_what_is_missing_is_told(tmp_path):
    project = project_of(tmp_path, test=CALLER)
    done = project.run("generate")
    assert done.returncode == 0
    assert done.stderr.startswith("warning[unknown-workflow]: there is no workflow part.yml\n  --> .github/workflows/test.yml:5:11\n")
