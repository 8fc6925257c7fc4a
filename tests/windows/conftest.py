"""The helpers of tests/python, and a real Python of Windows."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
PYTHON = ROOT / ".tools/windows/python/python.exe"


@pytest.fixture(scope="session")
def launched_python():
    """Its path as Windows has it. As it comes, it has no program for Scripts/ of its environments."""
    scripts = PYTHON.parent / "lib/venv/scripts/nt"
    for name in ("python.exe", "pythonw.exe"):
        fresh = scripts / f"{name}.{os.getpid()}"
        shutil.copy(os.environ["VENV_LAUNCHER"], fresh)
        fresh.replace(scripts / name)
    return f"Z:{PYTHON}"
