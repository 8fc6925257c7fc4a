"""What the generated workflows call wheelrun with is what docs/workflows.md says, and what wheelrun takes."""

import re
from collections import defaultdict

import pytest
from wheelrun import wheelrun
from workflow_set import code, commands, steps, table, workflows

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


@pytest.mark.parametrize("command", sorted(declared()))
def test_wheelrun_knows_the_flags(command):
    said = wheelrun(*command.split(), "--help")
    assert said.status == 0, said.stderr
    known = set(re.findall(r"--[a-z][a-z0-9-]*", said.stdout))
    # A switch that is on is turned off by the same word behind "no-".
    known |= {flag.replace("--", "--no-", 1) for flag in known}
    known |= {flag.replace("--[no-]", "--", 1) for flag in known}
    assert declared()[command][0] <= known
