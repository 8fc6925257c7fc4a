"""Builds ROCm in small: the archive that other jobs take over."""

import argparse
import json
import tarfile
import tempfile
from pathlib import Path

from rocm_tree import make_tree, targets_of

parser = argparse.ArgumentParser()
parser.add_argument("--targets", required=True, help="a family")
parser.add_argument("--archive", required=True, type=Path)
words = parser.parse_args()
plan = json.loads((Path(__file__).parents[1] / ".github/workflows/plan.json").read_text(encoding="utf-8"))
words.archive.parent.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder, tarfile.open(words.archive, "w:gz", compresslevel=1) as archive:
    archive.add(make_tree(Path(folder), targets_of(plan, words.targets)), arcname=".")
