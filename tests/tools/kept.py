"""What tests keep for the next run of any clone, in the user's cache folder."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path

SECONDS = 30 * 24 * 3600  # what no run has asked for that long is removed


def folder(name=""):
    """The folder of that name, which is there."""
    path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wheelwright" / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def made(name, key, make):
    """The folder that make(path) has made for this key, in this run or an earlier one."""
    path = folder() / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    if not path.is_dir():
        with tempfile.TemporaryDirectory(dir=path.parent) as new:
            make(Path(new) / "made")
            with contextlib.suppress(OSError):  # another test was faster
                (Path(new) / "made").rename(path)
    os.utime(path)
    for other in path.parent.glob(f"{name}-*"):
        if other.stat().st_mtime < time.time() - SECONDS:
            shutil.rmtree(other, ignore_errors=True)
    return path


class Passes:
    """Sums of all that a check depends on, of what passed it; as empty files."""

    def __init__(self, name):
        self._folder = folder(name)

    def has(self, key):
        path = self._folder / key
        if path.exists():
            path.touch()
        return path.exists()

    def add(self, key):
        (self._folder / key).touch()

    def forget(self):
        """Those that no run has asked for."""
        for old in self._folder.iterdir():
            if old.stat().st_mtime < time.time() - SECONDS:
                old.unlink(missing_ok=True)
