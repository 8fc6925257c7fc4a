"""Copies the files that match the patterns to the artifacts of this run, relative to the patterns' common folder."""

import os
import re
import shutil
import sys
from pathlib import Path

patterns = [line.strip() for line in os.environ["FILES"].splitlines() if line.strip()]
target = Path(os.environ["REHEARSAL"]) / "artifacts" / os.environ["GITHUB_RUN_ID"] / os.environ["NAME"]
bases = [re.split(r"[^/]*[*?\[]", pattern, maxsplit=1)[0].rstrip("/") for pattern in patterns]
here = Path.cwd()
found = {path for pattern in patterns for path in here.glob(pattern.rstrip("/"))}
files = {path for path in found if path.is_file()}
files |= {path for folder in found if folder.is_dir() for path in folder.rglob("*") if path.is_file()}
if not files:
    print(f"::warning::No files were found with the provided path: {' '.join(patterns)}")
    sys.exit(os.environ["NONE"] == "error")
common = here / os.path.commonpath(bases)
root = common if common.is_dir() else common.parent
if target.exists():
    if os.environ["OVERWRITE"] != "true":
        sys.exit(f"an artifact with the name {target.name} exists already")
    shutil.rmtree(target)
for path in files:
    copy = target / path.relative_to(root)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, copy)
print(f"kept {len(files)} files as {target.name}")
