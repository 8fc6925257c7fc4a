"""The version of this source tree; its only definition is project() in CMakeLists.txt."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent


def version():
    """The version in CMakeLists.txt: in the parent folder, or next to this file in an unpacked source distribution."""
    listing = next(folder / "CMakeLists.txt" for folder in (HERE, HERE.parent) if (folder / "CMakeLists.txt").exists())
    return re.search(r"^project\(wheelwright VERSION (\S+)", listing.read_text(encoding="utf-8"), re.MULTILINE)[1]


def dynamic_metadata(settings, project):
    """The hook with which the build backend reads the dynamic fields of pyproject.toml."""
    return {"version": version()}
