"""Compiles the sources that call Windows, base/platform/*_windows.cpp, without writing objects. `./dev windows` compiles the
rest too and runs it; this check takes two seconds, needs no libraries for Windows, and finds the most common mistake: a header
of base/platform/ that was changed for Linux alone.

Usage: check_windows.py [ROOT]
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The libraries of these sources, which are headers.
HEADERS = ("fmt", "nlohmann")


def options(root):
    """Definitions and warnings of a build for Windows."""
    defined = re.findall(r"target_compile_definitions\(project_options INTERFACE ([^)]*)\)",
                         (root / "packaging/windows/options.cmake").read_text(encoding="utf-8"))
    warned = re.findall(r"-W[\w-]+", re.sub(r"\$<\$<CXX_COMPILER_ID:GNU>[^>]*>", "",
                                            (root / "CMakeLists.txt").read_text(encoding="utf-8")))
    return [f"-D{name}" for line in defined for name in line.split()] + warned


def check(root):
    """The compiler's messages, and how many sources it read."""
    sources = sorted((root / "base/platform").glob("*_windows.cpp"))
    text = "".join(f'#include "{path.relative_to(root)}"\n' for path in sources)
    with tempfile.TemporaryDirectory() as folder:
        for name in HEADERS:
            Path(folder, name).symlink_to(Path("/usr/include", name))
        done = subprocess.run(["clang++-19", "--target=x86_64-w64-mingw32", "-std=c++20", "-fsyntax-only", "-I.", "-isystem",
                               folder, "-DFMT_HEADER_ONLY", *options(root), "-x", "c++", "-"],
                              cwd=root, input=text, text=True, stderr=subprocess.PIPE, check=False)
    return done.stderr if done.returncode else "", len(sources)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    said, count = check(root)
    if said:
        print(said.rstrip())
        sys.exit(1)
    print(f"{count} sources compile for Windows")


if __name__ == "__main__":
    main()
