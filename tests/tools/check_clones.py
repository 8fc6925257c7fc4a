"""Finds sources made by a build that name its folder or that of the clone. No other clone would find their objects in the
compiler's cache, and every new clone would be compiled anew, in ten minutes.

Usage: check_clones.py BUILD-FOLDER
"""

import json
import sys
from pathlib import Path


def check(build):
    """A line for each such source, and the number of sources that were read."""
    clone = str(build.parent)
    made = {Path(entry["file"]) for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))}
    made = sorted(path for path in made if path.is_relative_to(build))
    return [f"{path.relative_to(build)} names {clone}" for path in made
            if clone in path.read_text(encoding="utf-8")], len(made)


def main():
    found, count = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or f"none of {count} sources that the build makes names the folder of this clone")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
