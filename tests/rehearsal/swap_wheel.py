"""Replaces a wheel by another one of the same name: swap_wheel.py FOLDER PATTERN."""

import os
import sys
import zipfile
from pathlib import Path

folder, pattern = sys.argv[1:]
(path,) = Path(folder).glob(pattern)
other = path.with_suffix(".other")
with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
    for entry in old.infolist():
        new.writestr(entry, old.read(entry) + (b"\nimport os\n" if entry.filename.endswith("__init__.py") else b""))
# Written in place, so that the server keeps the object's metadata.
path.write_bytes(other.read_bytes())
os.unlink(other)
print("swapped", path.name)
