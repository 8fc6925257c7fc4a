"""Builds a small ROCm: the archives that other jobs download."""

import argparse
import json
import tarfile
import tempfile
from pathlib import Path

from rocm_tree import make_tree, targets_of

parser = argparse.ArgumentParser()
parser.add_argument("--targets", required=True, help="a family")
parser.add_argument("--archive", required=True, type=Path)
parser.add_argument("--variant", required=True, help="a preset of CMake, or release")
parser.add_argument("--generic", required=True, type=Path, help="the archive for all GPUs")
words = parser.parse_args()
plan = json.loads((Path(__file__).parents[1] / ".github/workflows/plan.json").read_text(encoding="utf-8"))
words.archive.parent.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder, tarfile.open(words.archive, "w:gz", compresslevel=1) as archive:
    tree = make_tree(Path(folder), targets_of(plan, words.targets))
    built = tree / "share/variant.txt"
    built.parent.mkdir()
    built.write_text(f"{words.targets} {words.variant}\n", encoding="utf-8")
    archive.add(tree, arcname=".")
    with tarfile.open(words.generic, "w:gz", compresslevel=1) as generic:
        generic.add(built, arcname="share/variant.txt")
