"""What lint says of calls of programs that describe themselves, of scripts of composite actions, of GitHub's lock file,
and of what ends a run before its first job."""

import json
import os
import re
import shutil
import subprocess

import pytest
from test_lint_actions import HEAD, Repository
from wheelrun import PROGRAM as WHEELRUN
from wheelwright import PROGRAM, ROOT, wheelwright

TOOL = {"format": 1, "program": "tool", "commands": [
    {"name": "make", "most_arguments": 1, "outputs": ["path"], "one_of": [["all", "only"]],
     "options": [{"name": "all"}, {"name": "only", "argument": "NAME"}, {"name": "level", "argument": "N", "number": True},
                 {"name": "how", "argument": "HOW", "values": ["fast", "slow"]}]},
    {"name": "list files", "options": []}]}


@pytest.fixture
def repository(tmp_path):
    found = Repository(tmp_path)
    found.write("tool.json", json.dumps(TOOL))
    found.write(".github/wheelwright.yml", "programs: [tool.json]\n")
    return found


def codes(repository, *words):
    done = repository.run("lint", "--format", "json", *words, ".")
    return [(one["severity"], one["code"], one["where"]["line"]) for one in map(json.loads, done.stdout.splitlines())]


# ---- programs -----------------------------------------------------------------------------------


def test_calls_that_fit(repository):
    said = repository.lint("""\
      - id: made
        run: |
          tool make --all
          tool make --only="${NAME:-}" --level 3 --how fast out
          sudo ./bin/tool list files
          if tool make --no-all --how ${{ github.ref_name }}; then tool --version; fi
          FOO=1 tool make $*
          echo tool mkae
      - id: only
        run: tool make --all
      - run: echo ${{ steps.made.outputs.whatever }} ${{ steps.only.outputs.path }}
      - run: tool nothing
        shell: pwsh
""")
    assert said == "1 file, no findings\n"


def test_calls_that_do_not_fit(repository):
    said = repository.lint("""\
      - run: |
          tool mkae
          tool make --al
          tool make --all --level x
          tool make --all --how fats
      - id: made
        run: tool make --all
      - run: echo ${{ steps.made.outputs.paht }}
      - run: tool make --only "a
""")
    assert said == """\
error[unknown-command]: tool has no command 'mkae'
  --> .github/workflows/a.yml:9:16
   |
 9 |           tool mkae
   |                ^^^^ did you mean 'make'?

error[missing-option]: 'tool make' needs one of --all and --only
   --> .github/workflows/a.yml:10:11
    |
 10 |           tool make --al
    |           ^^^^

error[unknown-option]: 'tool make' has no option '--al'
   --> .github/workflows/a.yml:10:21
    |
 10 |           tool make --al
    |                     ^^^^ did you mean '--all'?

error[option-value]: '--level' takes a number
   --> .github/workflows/a.yml:11:35
    |
 11 |           tool make --all --level x
    |                                   ^

error[option-value]: '--how' does not take 'fats'
   --> .github/workflows/a.yml:12:33
    |
 12 |           tool make --all --how fats
    |                                 ^^^^ did you mean 'fast'?

error[unknown-step-output]: the script of step 'made' writes no output 'paht'
   --> .github/workflows/a.yml:15:42
    |
 15 |       - run: echo ${{ steps.made.outputs.paht }}
    |                                          ^^^^ did you mean 'path'?
   ::: .github/workflows/a.yml:14:14
    |
 14 |         run: tool make --all
    |              ^^^^^^^^^^^^^^^ the script

error[unclosed-quote]: a quote of this command is not closed
   --> .github/workflows/a.yml:16:14
    |
 16 |       - run: tool make --only "a
    |              ^^^^

1 file, 7 errors
"""


def test_a_description_that_is_none(repository):
    repository.write("tool.json", "{}")
    repository.write(".github/workflows/a.yml", HEAD + "      - run: ls\n")
    assert "error[unknown-value]: tool.json describes no program\n" in repository.run("lint", ".").stderr


def test_a_project_with_a_description_that_is_none(tmp_path):
    shutil.copytree(ROOT / ".github/wheelwright", tmp_path / "project")
    (tmp_path / "project/matrix/programs").mkdir()
    (tmp_path / "project/matrix/programs/x.json").write_text("[]", encoding="utf-8")
    done = subprocess.run([PROGRAM, "generate", "--root", "project"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2
    assert """\
error[bad-program]: project/matrix/programs/x.json describes no program
   = write what `PROGRAM help --json` prints
""" in done.stderr


def test_templates_are_checked_by_the_description(tmp_path):
    """At the template's line, whatever files it makes."""
    for folder in ("matrix", "templates", "generated-workflows"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = tmp_path / "templates/workflows/ci.yml"
    text = path.read_text(encoding="utf-8")
    assert "wheelrun summary --needs" in text
    path.write_text(text.replace("wheelrun summary --needs", "wheelrun summary --need"), encoding="utf-8")
    done = wheelwright("check", cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(r"error\[unknown-option\]: 'wheelrun summary' has no option '--need'\n +--> "
                     r"templates/workflows/ci.yml:", done.stderr)


@pytest.mark.parametrize(("old", "new", "expected"), [
    ('"$NEEDS"', '"$NEDES"', r"unset-variable\]: nothing sets the variable 'NEDES'"),
    ('"$NEEDS"', "results.json", r"unused-variable\]: the script does not use the variable 'NEEDS'"),
])
def test_variables_of_templates(tmp_path, old, new, expected):
    """At the template's line too; wheelrun tells which variables it reads."""
    for folder in ("matrix", "templates", "generated-workflows"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = tmp_path / "templates/workflows/ci.yml"
    text = path.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "wheelrun summary --needs" in line)
    assert old in line
    path.write_text(text.replace(line, line.replace(old, new)), encoding="utf-8")
    done = wheelwright("check", cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(rf"error\[{expected}\n +--> templates/workflows/ci.yml:", done.stderr)


def test_variables_that_a_program_tells_of(repository):
    """A step may set what it reads for a program, and read later what the program sets."""
    steps = "      - env: {TOOL_HOME: a, OTHER: b}\n        run: tool make --all\n      - run: echo \"$TOOL_ROOT $TOLO\"\n"
    repository.lint(steps)
    assert codes(repository) == [("warning", "unset-variable", 10), ("warning", "unset-variable", 10)]
    repository.write("tool.json", json.dumps({**TOOL, "variables": ["TOOL_*"]}))
    assert repository.run("lint", ".").stdout == """\
warning[unused-variable]: the script does not use the variable 'OTHER'
  --> .github/workflows/a.yml:8:29
   |
 8 |       - env: {TOOL_HOME: a, OTHER: b}
   |                             ^^^^^ leave it out

warning[unset-variable]: nothing sets the variable 'TOLO'
   --> .github/workflows/a.yml:10:31
    |
 10 |       - run: echo "$TOOL_ROOT $TOLO"
    |                               ^^^^^ set it in 'env', or write ${TOLO:-} if it may be empty

1 file, 2 warnings
"""


def test_scripts_of_composite_actions(repository):
    repository.write(".github/workflows/a.yml", HEAD + "      - run: ls\n")
    repository.write(".github/actions/x/action.yml", "name: X\ndescription: X\nruns:\n  using: composite\n  steps:\n"
                                                     "    - run: tool mkae\n      shell: bash\n"
                                                     "    - run: rm $1\n      shell: bash\n"
                                                     "    - run: tool mkae\n      shell: pwsh\n")
    assert codes(repository) == [("error", "unknown-command", 6)]
    folder = repository.folder / "bin"
    folder.mkdir()
    (folder / "sh").symlink_to("/bin/sh")
    (folder / "shellcheck").write_text("""\
#!/bin/sh
for file; do :; done
echo '{"comments": [{"file": "'$file'", "line": 2, "endLine": 2, "column": 4, "endColumn": 6, "code": 2086, "message": "Quote."}]}'
""", encoding="utf-8")
    (folder / "shellcheck").chmod(0o755)
    done = subprocess.run([PROGRAM, "lint", "--format", "json", "."], cwd=repository.folder, capture_output=True, text=True,
                          check=False, env={**os.environ, "PATH": str(folder)})
    assert {(one["code"], one["where"]["file"]) for one in map(json.loads, done.stdout.splitlines())} >= {
        ("shell-script", ".github/actions/x/action.yml")}


def test_the_description_of_wheelrun_is_current():
    """Templates are checked by it. UPDATE_GOLDEN=1 writes it anew."""
    said = subprocess.run([WHEELRUN, "help", "--json"], capture_output=True, text=True, check=True).stdout
    committed = ROOT / "matrix/programs/wheelrun.json"
    if os.environ.get("UPDATE_GOLDEN"):
        committed.parent.mkdir(exist_ok=True)
        committed.write_text(said, encoding="utf-8")
    assert said == committed.read_text(encoding="utf-8")


def test_wheelwright_describes_itself():
    said = json.loads(wheelwright("help", "--json").stdout)
    lint = next(command for command in said["commands"] if command["name"] == "lint")
    startup = next(one for one in lint["options"] if one["name"] == "startup")
    assert set(startup) == {"name", "help"}
    assert next(one for one in lint["options"] if one["name"] == "fail-on")["values"] == ["error", "warning", "never"]


# ---- actions.lock -------------------------------------------------------------------------------

LOCK = """\
version: 'v0.0.2'
workflows:
    '.github/workflows/a.yml':
        - 'actions/checkout@v6'
        - 'actions/cache@v5'
dependencies:
    'actions/cache@v5':
        ref: 'v5.0.5'
        commit: 'sha1-27d5ce7f107fe9357f9df03efb73ab90386fccae'
    'actions/checkout@v6':
        ref: 'v6.0.2'
        commit: 'sha1-de0fac2e4500dabe0009e67214ff5f5447ce83dd'
        uses:
            - 'acme/inner@v1'
    'acme/inner@v1':
        ref: 'v1'
        commit: 'sha1-de0fac2e4500dabe0009e67214ff5f5447ce83dd'
"""
LOCKED = "      - uses: Actions/checkout@v6\n      - uses: actions/cache/restore@v5\n        with: {path: x, key: y}\n"


def test_a_locked_workflow(repository):
    repository.write(".github/workflows/actions.lock", LOCK)
    repository.write(".github/wheelwright.yml", "rules: {unpinned-action: error}\n")
    assert repository.lint(LOCKED) == "1 file, no findings\n"
    (repository.folder / ".github/workflows/actions.lock").unlink()
    assert repository.lint(LOCKED).count("error[unpinned-action]") == 2


def test_a_lock_that_does_not_cover(repository):
    lock = LOCK.replace("        - 'actions/cache@v5'\n", "        - 'actions/stale@v10'\n").replace("inner@v1'\n    '", "'\n    '")
    repository.write(".github/workflows/actions.lock", lock.replace("            - 'acme/'\n", "            - 'acme/other@v1'\n")
                     .replace("dependencies:", "    '.github/workflows/gone.yml': []\ndependencies:"))
    said = repository.lint(LOCKED)
    assert """\
error[unlocked-action]: actions.lock does not have 'actions/cache@v5'
  --> .github/workflows/a.yml:9:15
   |
 9 |       - uses: actions/cache/restore@v5
   |               ^^^^^^^^^^^^^^^^^^^^^^^^ run `gh actions-lock`
""" in said
    assert """\
warning[stale-lock]: .github/workflows/a.yml does not use 'actions/stale@v10'
""" in said
    for stale in ("there is no .github/workflows/gone.yml", "nothing uses 'actions/cache@v5'", "nothing uses 'acme/inner@v1'"):
        assert f"warning[stale-lock]: {stale}\n" in said


def test_a_lock_of_another_form(repository):
    repository.write(".github/workflows/actions.lock", "version: 'v9'\nlocked: []\n")
    assert repository.lint(LOCKED).startswith("""\
warning[bad-lock]: this is no lock file with 'workflows' and 'dependencies'
  --> .github/workflows/actions.lock:1:1
""")


# ---- matrices -----------------------------------------------------------------------------------


def test_values_of_a_matrix(repository):
    repository.write(".github/workflows/a.yml", """\
on: push
permissions: {}
jobs:
  a:
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        python: ["3.12", "3.13", "3.12"]
        exclude: [{python: "3.31"}]
    steps:
      - run: ls
""")
    assert repository.run("lint", ".").stdout == """\
warning[repeated-value]: the axis 'python' has this value twice
  --> .github/workflows/a.yml:8:34
   |
 8 |         python: ["3.12", "3.13", "3.12"]
   |                                  ^^^^^^ leave one out
  ::: .github/workflows/a.yml:8:18
   |
 8 |         python: ["3.12", "3.13", "3.12"]
   |                  ^^^^^^ the first one

warning[useless-exclude]: the axis 'python' has no value '3.31', so nothing is excluded
  --> .github/workflows/a.yml:9:28
   |
 9 |         exclude: [{python: "3.31"}]
   |                            ^^^^^^ did you mean '3.13'?

1 file, 2 warnings
"""


# ---- why nothing ran ----------------------------------------------------------------------------


def test_why_nothing_ran(repository):
    """Only what ends a run before its first job."""
    repository.write(".github/workflows/a.yml", """\
on: push
permissions: {contents: read}
jobs:
  a:
    uses: ./.github/workflows/b.yml
  b:
    uses: ./.github/workflows/none.yml
  c:
    runs-on: ubuntu-20.04
    if: false
    steps:
      - run: echo ${{ secret.X }}
""")
    repository.write(".github/workflows/b.yml", """\
on: workflow_call
jobs:
  a:
    runs-on: ubuntu-24.04
    permissions: {contents: write}
    steps:
      - run: ls
""")
    assert {code for _, code, _ in codes(repository)} == {
        "missing-permission", "unknown-workflow", "unknown-context", "retired-runner", "constant-condition"}
    assert codes(repository, "--startup") == [("error", "missing-permission", 5), ("error", "unknown-workflow", 7),
                                              ("error", "unknown-context", 12)]
    (repository.folder / ".github/workflows/a.yml").unlink()
    assert repository.run("lint", "--startup", ".").stdout == \
        "1 file, nothing that ends a run before its first job\n"
