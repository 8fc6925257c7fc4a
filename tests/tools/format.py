"""Formats the C++ sources, or with --check only lists those that are not formatted.

The style is .clang-format; the output of clang-format depends on its version, which tests/requirements.txt pins.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import sources


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    program = Path(sys.executable).parent / "clang-format"
    files = [path.relative_to(sources.ROOT).as_posix() for path in sources.cpp_files()]
    if not options.check:
        return subprocess.run([str(program), "-i", "--style=file", *files], cwd=sources.ROOT).returncode
    # One line for each finding, without the source lines that clang-format prints.
    result = subprocess.run(
        [str(program), "--dry-run", "-Werror", "--style=file", *files],
        cwd=sources.ROOT,
        capture_output=True,
        text=True,
    )
    places = re.findall(r"^\S+:\d+:\d+: .*$", result.stderr, re.MULTILINE)
    print("\n".join(places))
    print("To repair: ./dev format" if result.returncode else f"{len(files)} files are in the house style")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
