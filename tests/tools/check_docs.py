"""Checks references in the documentation.

Links between pages lead to files and headings that exist, and every `./dev` command on a page exists. Each statement of
docs/security.md names its tests, `tests/FILE` or `tests/FILE: TEST`, and these exist.
check_codes.py and tests/python/test_docs.py check other content of the pages.

Usage: check_docs.py [ROOT]
"""

import re
import subprocess
import sys

import sources

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#+)\s+(.*?)\s*#*$")
_TEST = re.compile(r"`(tests/[\w./]+)(?:: ([^`]+))?`")
_DEV = re.compile(r"(?:^|[\s`(])\./dev ([a-z]+)")


def anchors(path):
    """The anchors that GitHub derives from the page's headings."""
    found = set()
    for _, line in sources.prose_lines(path.read_text(encoding="utf-8")):
        heading = _HEADING.match(line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(2))
            anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            number = 0
            while (f"{anchor}-{number}" if number else anchor) in found:
                number += 1
            found.add(f"{anchor}-{number}" if number else anchor)
    return found


def check_links(root, pages):
    for page in pages:
        name = page.relative_to(root).as_posix()
        for number, line in sources.prose_lines(page.read_text(encoding="utf-8")):
            for target in _LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                other = page.parent / file if file else page
                if not other.exists():
                    yield f"{name}:{number}: there is no {file}"
                elif anchor and other.suffix == ".md" and anchor not in anchors(other):
                    yield f"{name}:{number}: no heading gives #{anchor}"


def check_dev(root, pages):
    script = root / "dev"
    if not script.exists():
        return
    usage = subprocess.run([str(script), "help"], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r"^  ([a-z]+)\b", usage, re.MULTILINE))
    for page in pages:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for command in _DEV.findall(line):
                if command not in commands:
                    yield f"{page.relative_to(root)}:{number}: ./dev has no command {command}"


def check_tests(root):
    """The tests that docs/security.md names exist, and each row of a table with the column `test` names one."""
    page = root / "docs/security.md"
    if not page.exists():
        return
    of_tests = False
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        where = f"docs/security.md:{number}"
        for name, test in _TEST.findall(line):
            file = root / name
            if not file.exists():
                yield f"{where}: there is no {name}"
            elif test and test not in file.read_text(encoding="utf-8"):
                yield f"{where}: {name} has no test '{test}'"
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            of_tests = False
        elif cells[-1] == "test":
            of_tests = True
        elif of_tests and set(line) - set("|- ") and "the same" not in cells[-1] and not _TEST.search(cells[-1]):
            yield f"{where}: the statement has no test"


def pages_of(root):
    return [path for path in sources.all_files(root) if path.suffix == ".md"]


def check(root):
    pages = pages_of(root)
    return [*check_links(root, pages), *check_dev(root, pages), *check_tests(root)]


if __name__ == "__main__":
    sys.exit(sources.report(check, lambda root: f"{len(pages_of(root))} pages hold"))
