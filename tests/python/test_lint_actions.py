"""What lint says of actions: those of other repositories, by its own table and by what a repository tells it, and those
of the repository."""

import json
import re

import pytest
from wheelwright import ROOT, Project

TABLE = ROOT / "generator/link/data/actions.jsonl"
HEAD = "name: A\non: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n"


class Repository(Project):
    def run(self, *words):
        done = super().run(*words, PATH="/nowhere")
        assert done.returncode in (0, 1, 2), done.stderr
        return done

    def lint(self, steps, *words):
        self.write(".github/workflows/a.yml", HEAD + steps)
        return self.run("lint", *words, ".").stdout


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def rows():
    return [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


def test_the_table_says_where_each_line_is_from():
    seen = set()
    for row in rows():
        assert re.fullmatch(r"[\w.-]+(/[\w.-]+)+", row["action"]) and re.fullmatch(r"v?\d+(\.\d+)?", row["version"])
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"]) and row["tag"].startswith(row["version"])
        assert set(row.get("required", [])) | set(row.get("deprecated", {})) <= set(row.get("inputs", []))
        assert (row["action"], row["version"]) not in seen
        seen.add((row["action"], row["version"]))
        assert "ended" not in row or row["ended_source"].startswith("https://github.blog/")
    assert len({action for action, _ in seen}) > 100


def test_the_table_is_what_the_program_writes(repository):
    """Of the same action.yml the command makes the same line, but for where it is from."""
    repository.write("action.yml", """\
name: X
description: X
inputs:
  one: {required: true}
  two: {required: true, default: a}
  three: {deprecationMessage: "take one\\nor two"}
outputs:
  out: {value: x}
runs: {using: node24, main: a.js}
""")
    said = repository.run("actions", "acme/deploy/sub@v2=action.yml").stdout
    assert said == ('{"action":"acme/deploy/sub","version":"v2","runs":"node24","inputs":["one","two","three"],'
                    '"required":["one"],"deprecated":{"three":"take one or two"},"outputs":["out"]}\n')


def test_a_repository_tells_of_others(repository):
    step = "      - uses: acme/deploy@v2.1\n        with: {two: x}\n"
    assert repository.lint(step) == "1 file, no findings\n"
    repository.write("other.yml", "inputs: {one: {required: true}}\nruns: {using: composite, steps: []}\n")
    for version in ("v2", "v1", "v2"):
        repository.run("actions", "--into", ".github/actions.jsonl", f"acme/deploy@{version}=other.yml")
    assert (repository.folder / ".github/actions.jsonl").read_text(encoding="utf-8").count("\n") == 2
    repository.write(".github/wheelwright.yml", "actions: [.github/actions.jsonl]\n")
    assert repository.lint(step) == """\
warning[missing-action-input]: the step does not give acme/deploy@v2 the required input 'one'
  --> .github/workflows/a.yml:8:15
   |
 8 |       - uses: acme/deploy@v2.1
   |               ^^^^^^^^^^^^^^^^

warning[unknown-action-input]: acme/deploy@v2 has no input 'two'
  --> .github/workflows/a.yml:9:16
   |
 9 |         with: {two: x}
   |                ^^^ it has one

1 file, 2 warnings
"""


def test_a_file_of_actions_that_is_none(repository):
    repository.write(".github/wheelwright.yml", "actions:\n  - no.jsonl\n  - own.jsonl\n  - 5\n")
    repository.write("own.jsonl", '{"action":"a/b","version":"v1"}\n{}\n')
    repository.lint("      - run: ls\n")
    assert repository.run("lint", ".").stderr == """\
error[wrong-kind]: a file is written here, and this is the number 5
  --> .github/wheelwright.yml:4:5
   |
 4 |   - 5
   |     ^

error[unknown-value]: there is no file no.jsonl
  --> .github/wheelwright.yml:2:5
   |
 2 |   - no.jsonl
   |     ^^^^^^^^ `wheelwright actions` writes such files

error[unknown-value]: own.jsonl has a line that tells of no action
  --> .github/wheelwright.yml:3:5
   |
 3 |   - own.jsonl
   |     ^^^^^^^^^ `wheelwright actions` writes such files

3 errors; nothing was checked
"""


def test_what_the_command_refuses(repository):
    repository.write("none.yml", "name: X\n")
    done = repository.run("actions", "acme=x", "a/b@v1=no.yml", "a/b@v1=none.yml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == """\
error[action-words]: 'acme=x' names no version of an action
   = write OWNER/NAME@VERSION=FILE

error[file-access]: there is no file no.yml

error[action-words]: none.yml is no action.yml
   = it has to have 'runs' with 'using'

3 errors; nothing was written
"""


def test_messages(repository):
    steps = """\
      - uses: actions/upload-artifact@v3
        with: {path: x}
      - uses: actions/setup-node@v3
      - uses: actions/cache@v5
        id: cache
        with: {path: x, key: y, save-always: true}
      - run: echo ${{ steps.cache.outputs.hit }}
"""
    newest = {name: max(int(row["version"][1:]) for row in rows() if row["action"] == f"actions/{name}")
              for name in ("upload-artifact", "setup-node")}
    said = repository.lint(steps)
    assert said.startswith(f"""\
error[outdated-action]: GitHub fails steps with actions/upload-artifact@v3 since 2025-01-30
  --> .github/workflows/a.yml:8:15
   |
 8 |       - uses: actions/upload-artifact@v3
   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^ the newest known version is v{newest["upload-artifact"]}
   = https://github.blog/changelog/2024-04-16-deprecation-notice-v3-of-the-artifact-actions/

warning[outdated-action]: actions/setup-node@v3 is made for node16, which runners no longer have: they run it with a later Node.js
   --> .github/workflows/a.yml:10:15
    |
 10 |       - uses: actions/setup-node@v3
    |               ^^^^^^^^^^^^^^^^^^^^^ the newest known version is v{newest["setup-node"]}

warning[deprecated-action-input]: the input 'save-always' of actions/cache@v5 is deprecated
   --> .github/workflows/a.yml:13:33
    |
 13 |         with: {{path: x, key: y, save-always: true}}
    |                                 ^^^^^^^^^^^
    = the action says: """)
    assert said.endswith("""\
warning[unknown-action-output]: actions/cache@v5 has no output 'hit'
   --> .github/workflows/a.yml:14:43
    |
 14 |       - run: echo ${{ steps.cache.outputs.hit }}
    |                                           ^^^ it has cache-hit
   ::: .github/workflows/a.yml:11:15
    |
 11 |       - uses: actions/cache@v5
    |               ^^^^^^^^^^^^^^^^ the action

1 file, 1 error, 3 warnings
""")


def test_old_versions_are_a_matter_of_policy(repository):
    step = "      - uses: actions/checkout@v5\n"
    assert repository.lint(step) == "1 file, no findings\n"
    repository.write(".github/wheelwright.yml", "rules: {old-action: warning}\n")
    newest = max(int(row["version"][1:]) for row in rows() if row["action"] == "actions/checkout")
    assert repository.lint(step).startswith(f"""\
warning[old-action]: there are later versions of actions/checkout than v5
  --> .github/workflows/a.yml:8:15
   |
 8 |       - uses: actions/checkout@v5
   |               ^^^^^^^^^^^^^^^^^^^ the newest known version is v{newest}
""")


def test_outputs_of_the_repositorys_own_actions(repository):
    repository.write(".github/actions/x/action.yml", "name: X\ndescription: X\noutputs: {one: {value: a}}\nruns:\n"
                                                     "  using: composite\n  steps: []\n")
    steps = "      - uses: ./.github/actions/x\n        id: x\n      - run: echo ${{ steps.x.outputs.two }}\n"
    assert "warning[unknown-action-output]: ./.github/actions/x has no output 'two'" in repository.lint(steps)
    assert "no findings" in repository.lint(steps.replace("two", "one"))


def test_an_action_of_the_repository_that_is_not_there(repository):
    """The step fails; something before it may have put the action there."""
    repository.write("here/action.yml", "name: X\ndescription: X\nruns: {using: node24, main: a.js}\n")
    repository.write("image/Dockerfile", "FROM scratch\n")
    checkout = "      - uses: actions/checkout@v6\n"
    assert repository.lint(checkout + "      - uses: ./here\n      - uses: ./image/\n") == "2 files, no findings\n"
    assert repository.lint(checkout + "      - uses: ./hree\n      - uses: ./\n") == """\
error[unknown-action]: there is no action.yml in hree
  --> .github/workflows/a.yml:9:15
   |
 9 |       - uses: ./hree
   |               ^^^^^^

error[unknown-action]: there is no action.yml in the repository
   --> .github/workflows/a.yml:10:15
    |
 10 |       - uses: ./
    |               ^^

2 files, 2 errors
"""
    assert "warning[unknown-action]" in repository.lint("      - uses: somebody/else@v1\n      - uses: ./hree\n")
    for before in ("      - uses: actions/checkout@v6\n        with: {path: hree}\n", "      - run: cp -r here hree\n",
                   "      - uses: actions/checkout@v6\n        with: {repository: a/b}\n", "      - run: git clone x\n"):
        assert repository.lint(before + "      - uses: ./hree\n") == "2 files, no findings\n"
    assert "unknown-action" not in repository.lint("      - run: npm run build\n      - uses: ./hree\n")
    assert "warning[unknown-action]" in repository.lint("      - run: make\n      - uses: ./.github/actions/hree\n")
    # The repository may be checked out to a folder, as its own actions cannot know.
    assert "unknown-action" not in repository.lint(checkout + "      - uses: ./src/here\n")
    for unknown in ("./../hree", "./${{ github.sha }}", "$/hree@v1"):
        assert "unknown-action" not in repository.lint(checkout + f"      - uses: {unknown}\n")


def test_actions_use_each_other(repository):
    action = "name: X\ndescription: X\nruns:\n  using: composite\n  steps:\n    - uses: ./{}\n      with: {{a: b}}\n"
    repository.write("one/action.yml", action.format("two"))
    repository.write("two/action.yml", action.format("three"))
    repository.write("node_modules/x/action.yml", "no: action\n")
    said = repository.lint("      - uses: ./one\n")
    assert "warning[unknown-action-input]: ./two has no input 'a'\n  --> one/action.yml:7:14" in said
    assert "error[unknown-action]: there is no action.yml in three\n  --> two/action.yml:6:13" in said
    assert said.endswith("3 files, 1 error, 1 warning\n")


def test_an_action_of_a_wrong_form(repository):
    repository.write("a/action.yml", """\
name: X
description: X
inputs: [a]
outputs: {b: c}
runs:
  using: composite
  steps: [echo]
""")
    said = repository.lint("      - run: ls\n")
    assert "error[bad-action]: 'inputs' is a mapping, and this is a list\n  --> a/action.yml:3:9" in said
    assert "error[bad-action]: 'b' of 'outputs' is a mapping, and this is the string 'c'\n  --> a/action.yml:4:14" in said
    assert "error[bad-action]: a step is a mapping, and this is the string 'echo'\n  --> a/action.yml:7:11" in said
    repository.write("a/action.yml", "name: X\ndescription: X\nruns: {using: composite, steps: {run: ls}}\n")
    assert "error[bad-action]: 'steps' is a list, and this is a mapping" in repository.run("lint", ".").stdout
    repository.write("a/action.yml", "name: X\ndescription: X\nruns: {using: node22, main: a.js}\n")
    assert "error[bad-action]: actions cannot run with 'node22'" in repository.run("lint", ".").stdout
