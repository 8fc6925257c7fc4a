"""Puts another wheel of the same name in the place of one: swap_wheel.py FOLDER PATTERN."""

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
# In place, so that what the server knows of the object stays.
path.write_bytes(other.read_bytes())
os.unlink(other)
print("swapped", path.name)
