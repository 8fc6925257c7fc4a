"""Formats the C++ sources, or with --check only lists those that are not formatted.

The style is .clang-format; the output of clang-format depends on its version, which tests/requirements.txt pins. What
passed a check is checked again only after it, the style or the version changed.
"""

import argparse
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import kept
import sources


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    program = Path(sys.executable).parent / "clang-format"
    files = [path.relative_to(sources.ROOT).as_posix() for path in sources.cpp_files()]
    if not options.check:
        return subprocess.run([str(program), "-i", "--style=file", *files], cwd=sources.ROOT).returncode
    version = subprocess.run([str(program), "--version"], capture_output=True, check=True).stdout
    style = version + (sources.ROOT / ".clang-format").read_bytes()
    passes = kept.Passes("format")
    # The name counts: the header of a source is included first.
    keys = {file: hashlib.sha256(style + file.encode() + b"\0" + (sources.ROOT / file).read_bytes()).hexdigest()
            for file in files}
    todo = [file for file in files if not passes.has(keys[file])]
    passes.forget()
    if not todo:
        print(f"{len(files)} files are in the house style, and were before")
        return 0
    # One line for each finding, without the source lines that clang-format prints.
    result = subprocess.run(
        [str(program), "--dry-run", "-Werror", "--style=file", *todo],
        cwd=sources.ROOT,
        capture_output=True,
        text=True,
    )
    places = re.findall(r"^\S+:\d+:\d+: .*$", result.stderr, re.MULTILINE)
    print("\n".join(places))
    if result.returncode == 0:
        for file in todo:
            passes.add(keys[file])
    print("To repair: ./dev format" if result.returncode else f"{len(files)} files are in the house style")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
