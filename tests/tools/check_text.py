"""Checks the form of every text file.

No CRLF, tabs outside of Go, trailing blanks, missing or extra final newlines, files that are not UTF-8, machine paths,
headers without a guard, sources that grew too long.

Usage: check_text.py [ROOT]
"""

import re
import sys
from pathlib import Path

import sources

LINES_OF_A_SOURCE = 600
LINES_OF_A_TEST = 1000
BINARY = {".png", ".jpg", ".gif", ".ico", ".whl", ".zip", ".o", ".so", ".bin"}

# Paths of a developer's machine. Paths inside containers are data and allowed.
_MACHINE_PATH = re.compile(r"(?<![\w./-])(/work/|/home/(?!runner\b)\w+/|/Users/\w+/|/tmp/[\w.-]*build|[A-Z]:\\Users\\)")


def problems_of(name, data):
    if b"\0" in data:
        yield 1, "holds a NUL byte; name its suffix in check_text.py if it is binary"
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield data.count(b"\n", 0, error.start) + 1, "is not UTF-8"
        return
    if not text:
        return
    lines = text.split("\n")
    if lines[-1] or (len(lines) > 1 and not lines[-2]):
        yield len(lines), "must end in exactly one line feed"
    for number, line in enumerate(lines, 1):
        if "\r" in line:
            yield number, "has a carriage return"
        elif line.endswith((" ", "\t")):
            yield number, "ends in blanks"
        if "\t" in line and not name.endswith((".go", "go.mod")):
            yield number, "has a tab"
        if _MACHINE_PATH.search(line):
            yield number, "names a path of one machine"
    suffix = Path(name).suffix
    if suffix == ".h" and "#pragma once" not in lines:
        yield 1, "has no #pragma once"
    most = LINES_OF_A_TEST if name.startswith("tests/") else LINES_OF_A_SOURCE
    if suffix in {".h", ".cpp"} and len(lines) > most + 1:
        yield most, f"is longer than {most} lines: split it"


def check(root):
    found = []
    for path in sources.all_files(root):
        if path.suffix in BINARY or path == Path(__file__).resolve():
            continue
        name = path.relative_to(root).as_posix()
        found += [f"{name}:{line}: {what}" for line, what in problems_of(name, path.read_bytes())]
    return found


if __name__ == "__main__":
    sys.exit(sources.report(check, "every file is clean"))
