"""The calls of wheelrun in the generated workflows agree with docs/workflows.md and with the program."""

import json
import re
from collections import defaultdict

import pytest
from wheelrun import ROOT, wheelrun
from workflow_set import code, commands, steps, table, workflows

HEADING = "## What wheelrun is called with"


def declared():
    """Command: (flags, outputs)."""
    return {
        code(call)[0].removeprefix("wheelrun "): (set(code(flags)), set(code(outputs)))
        for call, flags, outputs in table("docs/workflows.md", HEADING)
    }


def calls():
    """(file, job's id, step, command, words) of each call, up to the command that the page lists."""
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
    """The outputs that other steps and jobs read, by command."""
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
    """A variable is one word, whatever it contains."""
    for name, job, step in steps():
        for line in step.get("run", "").replace("\\\n", " ").splitlines():
            if line.strip().startswith("wheelrun "):
                bare = re.sub(r'"[^"]*"', "", line)
                assert "$" not in bare, f"{name} job '{job}': {line}"


def described():
    """(options, outputs) of each command, from the program's help."""
    said = json.loads(wheelrun("help", "--json").stdout)
    return {one["name"]: ({option["name"] for option in one["options"]}, set(one.get("outputs", [])))
            for one in said["commands"]}


@pytest.mark.parametrize("command", sorted(declared()))
def test_wheelrun_knows_the_flags_and_outputs(command):
    options, outputs = described()[command]
    # A switch that is on is switched off by its name with "no-".
    known = {f"--{option}" for option in options} | {f"--no-{option}" for option in options}
    flags, read = declared()[command]
    assert flags <= known and read <= outputs


def test_all_outputs_that_a_command_writes_are_described():
    """Each file of runtime/commands/ has at most one command with outputs."""
    for path in (ROOT / "runtime/commands").glob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        written = set(re.findall(r'SetOutput\("(\w+)"', text))
        names = re.findall(r'\.name = "([a-z ]+)",\n\s+\.purpose', text)
        if written:
            assert any(written == described()[name][1] for name in names), path.name


@pytest.mark.parametrize("command", ["upload", "hip compile", "index yank"])
def test_one_of_these_options_is_needed(command):
    said = json.loads(wheelrun("help", "--json").stdout)
    assert next(one for one in said["commands"] if one["name"] == command)["one_of"]
    done = wheelrun(*command.split())
    assert done.status == 2 and "error[missing-argument]" in done.stderr
