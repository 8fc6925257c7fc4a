"""Packs unpacked archives into the Python packages of ROCm."""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, os.environ["REHEARSAL_MODULES"])
import rocm_world
from rocm_tree import targets_of

parser = argparse.ArgumentParser()
parser.add_argument("--artifact-dir", required=True, type=Path)
parser.add_argument("--dest-dir", required=True, type=Path)
parser.add_argument("--version", required=True)
words = parser.parse_args()
(tree,) = words.artifact_dir.glob("core_dev_*")
family = tree.name.removeprefix("core_dev_")
plan = json.loads((Path(__file__).parents[1] / ".github/workflows/plan.json").read_text(encoding="utf-8"))
rocm_world.make_rocm(words.dest_dir / "dist", words.version, targets_of(plan, family), family, tree)
