"""What tests need of a machine besides the two programs."""

import os
import shutil

import pytest


def need(*programs):
    """Goes on where these programs are. Without one, the test is skipped; under ctest, which `./dev test` starts once all
    is installed, it fails, so that no check is lost in silence."""
    missing = [str(program) for program in programs if not shutil.which(program)]
    if missing:
        missed = pytest.fail if os.environ.get("ALL_IS_INSTALLED") else pytest.skip
        missed(f"missing: {', '.join(missing)}; ./dev test installs them")
