"""Runs a command, such as ctest, in which tests/tools/pytest is forked from a server that has imported it: that takes a
fifth of the time of a start.

Usage: forked_pytest.py COMMAND...
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _pytest.config import default_plugins

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
from forked import Forks  # noqa: E402

# What pytest imports, and most tests.
MODULES = ("pytest", *(f"_pytest.{name}" for name in default_plugins), "concurrent.futures", "http.server",
           "urllib.request", "yaml", "zipfile")


def main():
    forks = Forks(*MODULES)
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "pytest"
            forks.program(program, Path(sys.executable).parent / "pytest")
            return subprocess.call(sys.argv[1:], env={**os.environ, "FORKED_PYTEST": str(program)})
    finally:
        forks.close()


if __name__ == "__main__":
    sys.exit(main())
