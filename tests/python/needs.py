"""Checks for programs that tests need."""

import os
import shutil

import pytest


def need(*programs):
    """Skips the test if a program is missing. Under ctest, which `./dev test` runs after installing everything, the
    test fails instead, so that no check is lost silently."""
    missing = [str(program) for program in programs if not shutil.which(program)]
    if missing:
        missed = pytest.fail if os.environ.get("ALL_IS_INSTALLED") else pytest.skip
        missed(f"missing: {', '.join(missing)}; ./dev test installs them")
