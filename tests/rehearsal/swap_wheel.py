"""Puts another wheel of the same name in the place of one: swap_wheel.py FOLDER PROJECT PYTHON."""

import os
import sys
import zipfile
from pathlib import Path

folder, project, python = sys.argv[1:]
(path,) = (path for path in Path(folder).glob(f"{project}-*-c{python[1:]}-*.whl") if "0.25.1a0" in path.name)
other = path.with_suffix(".other")
with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
    for entry in old.infolist():
        new.writestr(entry, old.read(entry) + (b"\nimport os\n" if entry.filename.endswith("__init__.py") else b""))
# In place, so that what the server knows of the object stays.
path.write_bytes(other.read_bytes())
os.unlink(other)
print("swapped", path.name)
