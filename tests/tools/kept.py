"""What tests keep for the next run of any clone, in the user's cache folder."""

import os
from pathlib import Path


def folder(name):
    """The folder of that name, which is there."""
    path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wheelwright" / name
    path.mkdir(parents=True, exist_ok=True)
    return path
