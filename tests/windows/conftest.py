"""The helpers of tests/python, and a real Python for Windows."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
sys.path.insert(0, str(ROOT / "tests/windows"))
from host_programs import PYTHON, windows_path  # noqa: E402


@pytest.fixture(scope="session")
def launched_python():
    """Its Windows path. The unpacked Python lacks the launcher that environments put into Scripts/."""
    scripts = PYTHON.parent / "lib/venv/scripts/nt"
    for name in ("python.exe", "pythonw.exe"):
        fresh = scripts / f"{name}.{os.getpid()}"
        shutil.copy(os.environ["VENV_LAUNCHER"], fresh)
        fresh.replace(scripts / name)
    return windows_path(PYTHON)
