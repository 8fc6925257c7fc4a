"""The findings of `wheelwright lint` in hand-written workflows: an error is something that GitHub rejects, or that
cannot work.

Each file in tests/lint/ is such a workflow, or an action. A comment at the end of a line, `# error: code` or `# warning: code`, is
the expected finding of this line; other lines have none. All examples that GitHub publishes of its syntax must pass.
"""

import json
import re

import pytest
from wheelwright import ROOT, wheelwright

CASES = sorted([*(ROOT / "tests/lint").glob("*.yml"), *(ROOT / "tests/lint").glob("*/action.yml")])
EXPECTED = re.compile(r"# (error|warning): ([a-z-]+)(?= #|$)")


def lint(path, *words):
    """(exit status, {(line, severity, code)})"""
    done = wheelwright("lint", "--format", "json", *words, path, PATH="/nowhere")  # without shellcheck
    assert done.returncode in (0, 1), done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, {(one["where"]["line"], one["severity"], one["code"]) for one in found}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem if path.stem != "action" else path.parent.name)
def test_what_is_wrong_is_found_and_nothing_else(path):
    expected = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        expected |= {(number, *found) for found in EXPECTED.findall(line)}
    status, found = lint(path)
    assert found == expected
    assert status == (1 if any(severity == "error" for _, severity, _ in expected) else 0)


def test_a_workflow_that_is_not_there_ends_the_run(tmp_path):
    """An error in a place where GitHub looks for it, a guess elsewhere."""
    text = ("name: A\non: push\njobs:\n  a:\n    permissions: {}\n    uses: ./.github/workflows/nope.yml\n")
    for folder, severity in ((".github/workflows", "error"), ("elsewhere", "warning")):
        path = tmp_path / folder / "a.yml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        assert lint(path)[1] == {(6, severity, "unknown-workflow")}


def test_a_no_break_space_is_a_blank(tmp_path):
    path = tmp_path / "a.yml"
    path.write_text("name: A\non: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n"
                    "    steps:\n      - run: echo ${{\u00a0github.sha\u00a0||\u00a0'x'\u00a0}}\n", encoding="utf-8")
    assert lint(path) == (0, set())


# ---- what GitHub publishes ------------------------------------------------------------------


@pytest.fixture(scope="module")
def published():
    """Definitions in the schema of GitHub's own parser, in the version of the validators."""
    folder = ROOT / "tests/validators/node_modules/@actions/workflow-parser/dist"
    return json.loads((folder / "workflow-v1.0.min.json").read_text(encoding="utf-8"))["definitions"]


def properties(definition):
    return definition["mapping"].get("properties", {})


def activity_types(published, event):
    """The activity types in an event's definition."""
    for form in published[event].get("one-of", [event]):
        if form not in published:
            continue  # a plain value
        types = properties(published[form]).get("types") if "mapping" in published[form] else None
        if types is None:
            continue
        name = types if isinstance(types, str) else types["type"]
        for part in published[name].get("one-of", [name]):
            values = published[part].get("allowed-values")
            item = published[part].get("sequence", {}).get("item-type")
            values = values or (published[item].get("allowed-values") if item else None)
            if values:
                return values
    return []


def test_every_event_and_activity_type_is_known(published, tmp_path):
    events = {name: spec if isinstance(spec, str) else spec["type"]
              for name, spec in properties(published["on-mapping-strict"]).items()}
    assert len(events) > 30
    types = {name: activity_types(published, event) for name, event in events.items()}
    assert "stacked" in types["pull_request"] and "field_added" in types["issues"]
    lines = ["name: A", "on:"]
    for name, known in types.items():
        if name in ("schedule", "workflow_call", "workflow_dispatch", "workflow_run"):
            continue
        lines.append(f"  {name}:" + (f" {{types: [{', '.join(known)}]}}" if known else ""))
    path = tmp_path / "a.yml"
    path.write_text("\n".join([*lines, "permissions: {}", "jobs:", "  a:", "    runs-on: ubuntu-24.04",
                               "    timeout-minutes: 5", "    steps:", "      - run: echo", ""]), encoding="utf-8")
    assert lint(path) == (0, set())


def test_every_permission_is_known_with_its_levels(published, tmp_path):
    scopes = properties(published["permissions-mapping"])
    levels = {"permission-level-any": ["read", "write", "none"], "permission-level-read-or-no-access": ["read", "none"],
              "permission-level-write-or-no-access": ["write", "none"]}
    assert len(scopes) > 15
    jobs = ""
    for number, level in enumerate(("read", "write", "none")):
        allowed = [name for name, spec in scopes.items() if level in levels[spec["type"]]]
        jobs += (f"  a{number}:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n    permissions:\n"
                 + "".join(f"      {name}: {level}\n" for name in allowed) + "    steps:\n      - run: echo\n")
    path = tmp_path / "a.yml"
    path.write_text(f"name: A\non: push\njobs:\n{jobs}", encoding="utf-8")
    assert lint(path) == (0, set())


def test_every_key_of_a_step_is_known(published, tmp_path):
    values = {"name": "x", "id": "ID", "if": "github.ref == 'x'", "continue-on-error": "true", "timeout-minutes": "1",
              "uses": "./x", "with": "{a: b}", "env": "{A: b}", "background": "true", "run": "./build",
              "working-directory": ".", "shell": "bash", "wait": "run_step", "wait-all": "", "cancel": "run_step",
              "parallel": "[{run: echo}]"}
    steps = ""
    for kind in published["steps-item"]["one-of"]:
        name = kind.replace("-", "_")
        keys = properties(published[kind])
        assert set(keys) <= set(values), f"{kind} has new keys"
        lines = (f"{key}: {values[key].replace('ID', name)}" for key in keys)
        steps += "      - " + "\n        ".join(lines) + "\n"
    path = tmp_path / "a.yml"
    path.write_text("name: A\non: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n"
                    f"    steps:\n{steps}", encoding="utf-8")
    assert lint(path) == (0, set())
