"""Writes the settings of ccache."""

import argparse
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--config-preset", required=True)
parser.add_argument("--dir", required=True, type=Path)
parser.add_argument("--local-path", required=True)
words = parser.parse_args()
words.dir.mkdir(parents=True, exist_ok=True)
(words.dir / "ccache.conf").write_text(f"cache_dir = {words.local_path}\n", encoding="utf-8")
