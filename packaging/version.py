"""The version of this source tree, which project() in CMakeLists.txt alone says."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent


def version():
    """What project() says: one folder up, or beside this file in an unpacked source distribution."""
    listing = next(folder / "CMakeLists.txt" for folder in (HERE, HERE.parent) if (folder / "CMakeLists.txt").exists())
    return re.search(r"^project\(wheelwright VERSION (\S+)", listing.read_text(encoding="utf-8"), re.MULTILINE)[1]


def dynamic_metadata(settings, project):
    """The hook by which build backends ask for the fields that pyproject.toml calls dynamic."""
    return {"version": version()}
