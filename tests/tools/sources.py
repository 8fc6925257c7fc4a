"""The files of the project and their includes, for the checks in this folder."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP_FOLDERS = ("base", "cli", "cmake/static", "examples", "generator", "runtime", "selection", "tests")
CPP_SUFFIXES = {".h", ".cpp"}

# Output of tools and builds, and third-party files.
SKIPPED_FOLDERS = {".git", ".pytest_cache", ".tools", "node_modules", "__pycache__", "corpus", "dist"}

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)


def _walk(folder):
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in SKIPPED_FOLDERS and not path.name.startswith("build"):
                yield from _walk(path)
        elif path.is_file():
            yield path


def all_files(root=ROOT):
    """Every file of the project, as absolute paths in sorted order."""
    yield from _walk(root)


def cpp_files(root=ROOT, folders=CPP_FOLDERS):
    for folder in folders:
        if (root / folder).is_dir():
            for path in _walk(root / folder):
                if path.suffix in CPP_SUFFIXES:
                    yield path


def includes(path):
    """(line, path in the quotes) for every #include "..." of a file."""
    text = path.read_text(encoding="utf-8")
    for match in _INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match.group(1)


def closure(path, root=ROOT, seen=None):
    """The file and all of the project's own files that it includes, directly or not."""
    seen = {} if seen is None else seen
    if path not in seen:
        seen[path] = True
        for _, name in includes(path):
            if (root / name).is_file():
                closure(root / name, root, seen)
    return list(seen)


def report(check, clean):
    """The main function of a check: checks the tree that the command line names, or this one, prints its findings, or
    `clean` if there are none, and returns the exit status."""
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    found = list(check(root))
    print("\n".join(found) or (clean(root) if callable(clean) else clean))
    return 1 if found else 0


def prose_lines(text):
    """(number, line) of the lines of a Markdown page outside of fenced code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line
