"""The generated workflows, for the tests of this folder."""

import re
import shlex
import shutil
import tempfile
from functools import cache
from pathlib import Path

import yaml
from wheelwright import ROOT, Project

GENERATED = ROOT / "generated-workflows"
_KEPT = []


@cache
def frozen():
    """A generated project with the current templates and the rows of tests/matrix. Tests that name families use it, so
    that adding a family to matrix/ changes no test. tests/matrix changes with the subjects of tests, and with the
    columns that templates read."""
    _KEPT.append(tempfile.TemporaryDirectory())  # removed at the end of the process
    root = Path(_KEPT[0].name)
    shutil.copytree(ROOT / "tests/matrix", root / "matrix")
    shutil.copytree(ROOT / "templates", root / "templates")
    Project(root).ok("generate")
    return root


class _Loader(yaml.CSafeLoader):
    """YAML 1.2, in which `on` is a text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))


@cache
def workflows(folder=GENERATED):
    """The workflows by file name."""
    return {
        path.name: yaml.load(path.read_text(encoding="utf-8"), _Loader) for path in sorted(folder.glob("*.yml"))
    }


def steps():
    """(file, job's id, step) for every step of the set."""
    for name, workflow in workflows().items():
        for job_id, job in workflow["jobs"].items():
            for step in job.get("steps", []):
                yield name, job_id, step


def commands(script, program):
    """The words of each call of a program in a shell script."""
    for line in script.replace("\\\n", " ").splitlines():
        if line.strip().startswith(program + " "):
            yield shlex.split(line)


def table(page, heading):
    """The rows of the first table below a heading of a Markdown page, as lists of cells."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section = text.split(f"\n{heading}\n", 1)[1]
    found = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    lines = found.group(0).splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def code(cell):
    """The texts between backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)
