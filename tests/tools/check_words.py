"""Checks that the compiler knows no product: generator/ has no word of what a matrix is about.

What a family of GPUs, a Python or a release of PyTorch is stands in matrix/ and templates/, which other projects
replace. Words that GitHub, CSS or this project's own name bring along are listed below, each with its reason.

Usage: check_words.py [ROOT]
"""

import re
import sys
from fnmatch import fnmatch

import sources

_WORD = re.compile(r"gfx|torch|rocm|hip|python|triton|amd|famil", re.IGNORECASE)

# file: a text that is no word of a product: the reason
ALLOWED = [
    ("*", r"\w+(ship|Ship)\w*|[Pp]rogram\w*", "English: relationship, ownership, ProgramDescription"),
    ("generator/graph/page/*.css", r"font-family", "CSS"),
    ("generator/graph/*", r"\bchips?\b", "CSS classes of the page: what filters are shown as"),
    ("generator/workflow/syntax.cpp", r'"python"', "a value of `shell` in GitHub's syntax"),
    ("generator/lint/*", r"kPython|\bpython3?\b|\bPython\b|python-script", "scripts of `shell: python`, which lint checks"),
    ("generator/link/shell_commands.cpp", r'"python3?"', "a program that runs what it is given"),
    ("generator/link/script_variables.cpp", r"actions/setup-python|\bpythonLocation\b|Python\*", "an action and what it exports"),
    ("generator/link/permissions.cpp", r"sigstore/gh-action-sigstore-python", "an action's name"),
    ("generator/link/data/*", r"python", "names and inputs of actions such as actions/setup-python"),
    ("generator/l*/*", r"github\.com/ROCm/wheelwright", "where this program is from"),
]


def problems_of(name, text):
    patterns = [re.compile(allowed) for files, allowed, _ in ALLOWED if fnmatch(name, files)]
    for number, line in enumerate(text.splitlines(), 1):
        for pattern in patterns:
            line = pattern.sub("", line)
        found = _WORD.search(line)
        if found:
            yield number, found.group()


def check(root):
    found = []
    for path in sources.all_files(root):
        name = path.relative_to(root).as_posix()
        if not name.startswith("generator/"):
            continue
        found += [f"{name}:{number}: '{word}' is a word of a matrix, not of the compiler"
                  for number, word in problems_of(name, path.read_text(encoding="utf-8"))]
    return found


if __name__ == "__main__":
    sys.exit(sources.report(check, "generator/ knows no product"))
