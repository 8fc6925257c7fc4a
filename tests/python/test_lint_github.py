"""What GitHub's own parser and its editor service say of the cases in tests/lint/, beside what lint says.

A line that only one of them reports is listed here with the reason. Warnings of lint need none.
"""

import json
import re
import shutil
import subprocess

import pytest
from wheelwright import ROOT, wheelwright

VALIDATORS = ROOT / "tests/validators"
NEWER = "GitHub documents it after the release of the parser: https://github.blog/changelog/"
ABSENT = "`matrix.x || y` is written for rows without the key"

# (case, what the parser says): why lint says nothing of the line
ONLY_GITHUB = [
    ("actions", "Unexpected value 'cache-mode'", NEWER + "2026-09-10-control-github-actions-cache-access-with-cache-mode"),
    ("actions", "Unable to find reusable workflow", "it is in another repository"),
    ("events", r"Context access might be invalid: (repository_visibility|artifact_cache_size_limit)",
     "GitHub's page of contexts has it"),
    ("events", "Invalid cron expression", "GitHub reads a schedule without the line feed at its end"),
    ("matrix", "Context access might be invalid: experimental", ABSENT),
    ("steps_in_parallel", "Unexpected value '(background|wait|wait-all|cancel|parallel)'|Expected one of uses or run",
     NEWER + "2026-06-25"),
    ("steps_in_parallel", "Context access might be invalid: one", "a step of `parallel` has results as any other"),
    ("tags", "Unexpected value '5'", "YAML's tags give the type of a value"),
    ("details", "Actions schedules run at most", "at 3:00 and 3:59, which are 59 minutes apart"),
    ("details", "ref '20240101' may be a shortened commit", "a tag of digits alone, such as a date"),
]
# code: why the parser says nothing of a line with an error
ONLY_LINT = {
    "bad-glob": "patterns are read when an event comes, and the run fails then",
    "bad-variable": "the runner refuses the name",
    "conflicting-runners": "the job waits for a machine that cannot be",
    "constant-condition": "it does not know that a line feed behind `}}` makes a text, which is true",
    "deprecated-command": "the runner fails the step",
    "duplicate-id": "it compares ids in workflows, and the runner also those in actions",
    "empty-section": "the matrix is expanded when the run starts",
    "expression-type": "expressions have no types in the parser; these never do what they say",
    "missing-image": "it points at the value, below the key",
    "outdated-action": "GitHub fails steps with these versions",
    "retired-runner": "the label was there when the parser was released",
    "surplus-version": "the form `$/path` is later than the parser",
    "unavailable-shell": "it does not know what is on a runner",
    "unknown-property": "always empty; the service knows properties of contexts in workflows alone, not of a matrix",
    "unknown-shell": "the runner takes it for a program, which is not there",
    "unknown-step": "always empty; the service knows steps of workflows alone",
    "unknown-time-zone": "time zones are later than the parser",
    "yaml-tag": "it ignores tags; GitHub refuses those that do not fit",
}


def cases():
    for path in sorted((ROOT / "tests/lint").glob("*.yml")) + [ROOT / "tests/python/lint_said/details.yml"]:
        yield path.stem, path, f".github/workflows/{path.name}"
    for path in sorted((ROOT / "tests/lint").glob("*/action.yml")):
        yield path.parent.name, path, f".github/actions/{path.parent.name}/action.yml"


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """{case: ({line: [message of GitHub]}, {line: [(severity, code)]})}"""
    if not (VALIDATORS / "node_modules/@actions").is_dir():
        pytest.skip("the validators are not installed")
    tree = tmp_path_factory.mktemp("cases")
    for _, path, place in cases():
        (tree / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tree / place)
    done = subprocess.run(["node", VALIDATORS / "github_parser.mjs", tree], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    names = {place: name for name, _, place in cases()}
    found = {name: ({}, {}) for name in names.values()}
    for line in done.stdout.splitlines():
        place, number, message = re.fullmatch(r"([^:]+):(\d+):\d+: (.*)", line).groups()
        found[names[place]][0].setdefault(int(number), []).append(message)
    for name, path, _ in cases():
        for line in wheelwright("lint", "--format", "json", path, PATH="/nowhere").stdout.splitlines():
            one = json.loads(line)
            found[name][1].setdefault(one["where"]["line"], []).append((one["severity"], one["code"]))
    return found


def test_what_github_says_lint_says_too(said):
    used = set()
    for name, (github, lint) in said.items():
        for line, messages in github.items():
            for message in messages:
                known = [row for row in ONLY_GITHUB if row[0] == name and re.search(row[1], message)]
                used.update(known)
                # The parser may point at the value below a key.
                assert line in lint or line - 1 in lint or known, f"{name}:{line}: {message}"
    assert used == set(ONLY_GITHUB)


def test_errors_that_github_does_not_say_have_a_reason(said):
    alone = {code for github, lint in said.values() for line, findings in lint.items()
             for severity, code in findings if severity == "error" and line not in github}
    assert alone == set(ONLY_LINT)
