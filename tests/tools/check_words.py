"""Checks that the compiler is independent of products: generator/ contains no word of a matrix's domain.

Families of GPUs, versions of Python and releases of PyTorch are defined in matrix/ and templates/, which other projects
replace. Exceptions, such as words of GitHub, CSS or this project's name, are listed below with their reasons.

Usage: check_words.py [ROOT]
"""

import re
import sys
from fnmatch import fnmatch

import sources

_WORD = re.compile(r"gfx|torch|rocm|hip|python|triton|amd|famil", re.IGNORECASE)

# (files, pattern of a text that is allowed there, reason)
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
