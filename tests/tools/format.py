"""Brings the C++ sources into the house style, or with --check only tells which are not in it.

The style is .clang-format; the pinned clang-format of tests/requirements.txt decides, because versions differ.
"""

import argparse
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
    mode = ["--dry-run", "-Werror"] if options.check else ["-i"]
    result = subprocess.run([str(program), *mode, "--style=file", *files], cwd=sources.ROOT)
    if options.check and result.returncode:
        print("To repair: ./dev format")
    elif options.check:
        print(f"{len(files)} files are in the house style")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
