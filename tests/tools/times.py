"""Reports the time of `./dev test`: compilation by folder, and tests by file.

The tests' shares of the time are compared with the budget, the table below "Where the time goes" in CONTRIBUTING.md: a
part that takes twice its share, and ten percentage points more, is a failure. Shares do not depend on the machine or
its load. Compilation and clang-tidy are not included, because their time depends on caches.

Usage: times.py RESULTS.xml BUILD-FOLDER...
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

import sources

HEADING = "## Where the time goes"
_ROW = re.compile(r"^\| `([^`]+)` \| *(\d+) % \|", re.MULTILINE)
NOT_HELD = {"sources"}  # clang-tidy
SHORT = 0.02  # shorter parts, as a fraction of the total, are summed in one line


def part_of(name):
    """The part of a test: each Python test file and each rehearsal is a part, every other kind of test is one part."""
    kind = name.split(".")[0]
    return name if kind in {"python", "rehearsal"} else kind


def tested(results):
    """Part -> seconds, from ctest's JUnit file."""
    seconds = defaultdict(float)
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        if case.get("status") != "disabled":
            seconds[part_of(case.get("name"))] += float(case.get("time") or 0)
    return dict(seconds)


def compiled(folder):
    """(seconds of compilers and linkers, number of files) from the last entry of each file in ninja's log."""
    log = folder / ".ninja_log"
    if not log.exists():
        return 0, 0
    last = {}
    for line in log.read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        last[output] = (int(end) - int(begin)) / 1000
    return sum(last.values()), len(last)


def budget(page):
    """Part -> its share in percent, from the page's table."""
    return {name: int(share) for name, share in _ROW.findall(page.partition(HEADING)[2])}


def shares(seconds):
    held = {part: time for part, time in seconds.items() if part not in NOT_HELD}
    whole = sum(held.values()) or 1
    return {part: 100 * time / whole for part, time in held.items()}


def too_much(seconds, allowed):
    """A line for each part that exceeds its budget. A part without a row has the budget of `the rest`."""
    rest = allowed.get("the rest", 0)
    for part, share in sorted(shares(seconds).items()):
        given = allowed.get(part, rest)
        if share > max(2 * given, given + 10):
            yield (f"{part} takes {share:.0f} % of the tests' time, and {given} % in the table of CONTRIBUTING.md: "
                   "make it faster, or say there why it may")


def main():
    results, folders = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    for folder in folders:
        seconds, files = compiled(folder)
        print(f"{folder.name + '/':34}{seconds:8.0f} s   compiled and linked, {files} files")
    seconds = tested(results)
    whole = sum(seconds.values())
    short = 0
    for part, time in sorted(seconds.items(), key=lambda row: -row[1]):
        if time < SHORT * whole:
            short += time
        else:
            print(f"{part:34}{time:8.0f} s   {100 * time / whole:3.0f} %")
    print(f"{'shorter ones':34}{short:8.0f} s   {100 * short / (whole or 1):3.0f} %")
    found = list(too_much(seconds, budget((sources.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
