"""The helpers of tests/python, and a real Python for Windows."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
sys.path.insert(0, str(ROOT / "tests/windows"))
from windows_python import make_python  # noqa: E402


@pytest.fixture(scope="session")
def machine_python(tmp_path_factory):
    """The folder of a Python that tests may change."""
    return make_python(tmp_path_factory.mktemp("machine") / "python")
