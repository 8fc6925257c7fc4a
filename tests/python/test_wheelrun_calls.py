"""What the generated workflows call wheelrun with is what docs/workflows.md says, and what wheelrun takes."""

import os
import re
import subprocess
from collections import defaultdict

import pytest
from workflow_set import ROOT, code, commands, steps, table, workflows

HEADING = "## What wheelrun is called with"


def declared():
    """Command: (flags, outputs)."""
    return {
        code(call)[0].removeprefix("wheelrun "): (set(code(flags)), set(code(outputs)))
        for call, flags, outputs in table("docs/workflows.md", HEADING)
    }


def calls():
    """(file, job's id, step, command, words) of each call; the command as far as it is declared."""
    known = declared()
    for name, job, step in steps():
        for words in commands(step.get("run", ""), "wheelrun"):
            command = next((" ".join(words[1:end]) for end in (3, 2) if " ".join(words[1:end]) in known), None)
            assert command, f"{name} job '{job}' calls {words[:3]}, which the table does not have"
            yield name, job, step, command, words


def called():
    """Command: flags of all its calls."""
    found = defaultdict(set)
    for _, _, _, command, words in calls():
        found[command] |= {word for word in words if word.startswith("--")}
    return found


def read_outputs():
    """Command: outputs of its steps that somebody reads."""
    found = defaultdict(set)
    for name, job, step, command, _ in calls():
        if "id" in step:
            text = str(workflows()[name]["jobs"][job])
            found[command] |= set(re.findall(rf"steps\.{step['id']}\.outputs\.(\w+)", text))
    return found


def test_every_call_is_in_the_table_with_its_flags():
    assert dict(called()) == {command: flags for command, (flags, _) in declared().items()}


def test_every_output_that_is_read_is_in_the_table():
    assert {c: o for c, o in read_outputs().items() if o} == {c: o for c, (_, o) in declared().items() if o}


def test_values_are_quoted():
    """A value of a variable is one word: it is passed on, whatever it holds."""
    for name, job, step in steps():
        for line in step.get("run", "").replace("\\\n", " ").splitlines():
            if line.strip().startswith("wheelrun "):
                bare = re.sub(r'"[^"]*"', "", line)
                assert "$" not in bare, f"{name} job '{job}': {line}"


def missing():
    """The commands that README.md says there are not yet."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"not do yet:((?:\s*`wheelrun [a-z ]+`,?)+)", text)
    return [name.removeprefix("wheelrun ") for name in code(said.group(1))] if said else []


@pytest.mark.parametrize("command", sorted(set(declared()) - set(missing())))
def test_wheelrun_knows_the_flags(command):
    wheelrun = os.environ.get("WHEELRUN")
    if not wheelrun:
        pytest.skip("WHEELRUN names no program")
    said = subprocess.run([wheelrun, *command.split(), "--help"], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    known = set(re.findall(r"--[a-z][a-z-]*", said.stdout))
    # A switch that is on is turned off by the same word behind "no-".
    known |= {flag.replace("--", "--no-", 1) for flag in known}
    known |= {flag.replace("--[no-]", "--", 1) for flag in known}
    assert declared()[command][0] <= known


@pytest.mark.parametrize("command", missing())
def test_what_is_said_to_be_missing_is_missing(command):
    """So that nobody forgets the page when the command comes."""
    assert command in declared(), "nothing calls it"
    wheelrun = os.environ.get("WHEELRUN")
    if not wheelrun:
        pytest.skip("WHEELRUN names no program")
    done = subprocess.run([wheelrun, *command.split(), "--help"], capture_output=True, text=True, check=False)
    assert done.returncode != 0, f"wheelrun has '{command}': take it off the list in README.md"


# The reference is printed by the program itself.
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md",
         *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.name != "wheelrun-reference.md")]  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_that_pages_name_are_called_somewhere(page):
    """`wheelrun configure --input NAME=VALUE` in prose: a command of the table, with flags of its row."""
    known = declared()
    for words in (name.split() for name in code(page.read_text(encoding="utf-8")) if name.startswith("wheelrun ")):
        command = next((" ".join(words[1:end]) for end in (3, 2) if " ".join(words[1:end]) in known), None)
        assert command, f"no step calls {' '.join(words)}"
        assert {word for word in words if word.startswith("--")} <= known[command][0], " ".join(words)
