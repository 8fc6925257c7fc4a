"""The hooks of this repository, installed by hook runners such as pre-commit without a compiler: the installed project
takes the wheel of a release from a local folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_wheel import DIST, PACKAGING, ROOT, machine, own_machine  # noqa: F401  (the fixture `machine`)

sys.path.insert(0, str(ROOT / "tests/python"))
import rocm_world  # noqa: E402  (the folder of the other tests)
import source_tree  # noqa: E402

pytestmark = own_machine
RUNNERS = ["pre-commit", "prek"]
CONFIG = """repos:
  - repo: {hooks}
    rev: {rev}
    hooks:
      - id: wheelwright-generate
      - id: wheelwright-check
      - id: wheelwright-lint
"""
WORKFLOW = """on: push
permissions: {}
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - run: make
"""


@pytest.fixture(scope="module")
def hooks(tmp_path_factory):
    """This repository, for a hook runner to clone."""
    return source_tree.make_repository(tmp_path_factory.mktemp("hooks") / "wheelwright")


@pytest.fixture(scope="module")
def user(hooks, machine, tmp_path_factory):  # noqa: F811
    """Runs commands in a project that has configured the hooks, with generated workflows and a hand-written one."""
    root = tmp_path_factory.mktemp("user")
    for name in ("matrix", "templates", "generated-workflows", ".github/actions"):
        shutil.copytree(ROOT / name, root / name)
    (root / ".github/workflows").mkdir()
    (root / ".github/workflows/test.yml").write_text(WORKFLOW)
    (root / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=hooks, rev=source_tree.git(hooks, "rev-parse", "HEAD")))
    source_tree.commit_all(root)
    # What builds the project of the hooks, beside the wheel.
    links = f"{DIST} {rocm_world.wheelhouse()}"
    environment = {**machine, "PIP_FIND_LINKS": links, "UV_FIND_LINKS": links.replace(" ", ","),
                   "VIRTUALENV_SYMLINK_APP_DATA": "1",  # one compiled pip for all environments
                   "PRE_COMMIT_HOME": str(root.parent / "pre-commit"), "PREK_HOME": str(root.parent / "prek"),
                   "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def run(runner, *words):
        return subprocess.run([PACKAGING / runner, *words], cwd=root, env=environment, capture_output=True, text=True,
                              timeout=600, check=False)

    run.root = root
    return run


@pytest.fixture(autouse=True)
def as_committed(user):
    yield
    source_tree.git(user.root, "reset", "--quiet", "--hard")


@pytest.mark.parametrize("runner", RUNNERS)
def test_all_hooks_pass_where_all_is_well(hooks, user, runner):
    # pre-commit as who only tries the hooks calls it, prek as who has installed them.
    words = ("try-repo", str(hooks)) if runner == "pre-commit" else ("run",)
    done = user(runner, *words, "--all-files")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = {line.partition("..")[0] for line in done.stdout.splitlines() if line.endswith("Passed")}
    assert passed == {"wheelwright generate", "wheelwright check", "wheelwright lint"}


@pytest.mark.parametrize("runner", RUNNERS)
def test_what_is_not_current_is_refused_or_brought_up_to_date(user, runner):
    matrix = user.root / "matrix/pytorch.yml"
    matrix.write_text(matrix.read_text().replace('"3.12", "3.13"]', '"3.12", "3.13", "3.14"]'))
    done = user(runner, "run", "wheelwright-check", "--files", "matrix/pytorch.yml")
    assert done.returncode == 1 and "generated-workflows/ is not current" in done.stdout, done.stdout + done.stderr
    assert source_tree.git(user.root, "status", "--porcelain") == "M matrix/pytorch.yml"
    done = user(runner, "run", "wheelwright-generate", "--files", "matrix/pytorch.yml")
    assert done.returncode == 1 and "files were modified by this hook" in done.stdout, done.stdout + done.stderr
    assert "M generated-workflows/plan.json" in source_tree.git(user.root, "status", "--porcelain")


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_written_workflow_is_linted(user, runner):
    path = user.root / ".github/workflows/test.yml"
    path.write_text(WORKFLOW.replace("    runs-on", "    needs: biuld\n    runs-on"))
    done = user(runner, "run", "wheelwright-lint", "--files", ".github/workflows/test.yml")
    assert done.returncode == 1 and ".github/workflows/test.yml:5:12" in done.stdout, done.stdout + done.stderr
    done = user(runner, "run", "wheelwright-lint", "--files", "matrix/families.yml")
    assert done.returncode == 0 and "Skipped" in done.stdout


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_version_that_was_not_released_is_named(tmp_path, user, runner):
    hooks = source_tree.make_repository(tmp_path / "wheelwright")
    listing = hooks / "CMakeLists.txt"
    listing.write_text(listing.read_text().replace("project(wheelwright VERSION ", "project(wheelwright VERSION 99."))
    source_tree.commit_all(hooks)
    done = user(runner, "try-repo", str(hooks), "wheelwright-check", "--all-files")
    assert done.returncode != 0 and "wheelwright-actions==99." in done.stdout + done.stderr
