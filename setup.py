"""Fills in what pyproject.toml leaves open: the version of the tree, and the wheel of that version."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).resolve().parent / "packaging"))
from version import version  # noqa: E402  (beside the project of the wheel)

setup(version=version(), install_requires=[f"wheelwright-actions=={version()}"])
