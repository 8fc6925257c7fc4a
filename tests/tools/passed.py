"""Which tests of a build folder passed on exactly these files, so that `./dev test` goes on where it was stopped, and
after a failure runs only what failed.

These files are: all that git has or would add, what the tests installed, and the packages of this machine. If any of
them changed, all tests run.

Usage: passed.py BUILD-FOLDER [--again]: prints a regular expression of the names of these tests, or nothing; --again
forgets them first. To be called before each run, whose output is written to tested.txt in that folder.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A line of ctest's output.
_PASSED = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.+ +Passed ", re.MULTILINE)


def _installed(root):
    for pattern in ("*/installed.txt", "bin/*.from", "*/from"):
        for path in sorted((root / ".tools").glob(pattern)):
            yield path
    yield from sorted(root.glob("build*/configured.txt"))


def key_of(root):
    """A sum of these files."""
    digest = hashlib.sha256(sys.version.encode())
    git = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(git, capture_output=True, check=True).stdout.split(b"\0")
    tracked = [root / name.decode() for name in sorted(set(names)) if name]
    for path in [*tracked, *_installed(root)]:
        # A file that git has may be missing.
        data = path.read_bytes() if path.is_file() else b"none"
        digest.update(f"{path.relative_to(root)}\0{path.exists() and path.stat().st_mode}\0{len(data)}\0".encode() + data)
    if shutil.which("dpkg-query"):
        digest.update(subprocess.run(["dpkg-query", "-W"], capture_output=True, check=True).stdout)
    return digest.hexdigest()


def passed(folder, key, again=False):
    """The names of the tests that passed with this key, in all runs until now; none with `again`."""
    kept, tested = folder / "passed.json", folder / "tested.txt"
    before = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {"key": "", "tests": []}
    last = tested.read_text(encoding="utf-8", errors="replace") if tested.is_file() else ""
    tests = sorted({*before["tests"], *_PASSED.findall(last)}) if before["key"] == key and not again else []
    kept.write_text(json.dumps({"key": key, "tests": tests}, indent=1) + "\n", encoding="utf-8")
    tested.unlink(missing_ok=True)
    return tests


def main():
    names = passed(Path(sys.argv[1]), key_of(ROOT), "--again" in sys.argv)
    if names:
        print(f"^({'|'.join(map(re.escape, names))})$")
    return 0


if __name__ == "__main__":
    sys.exit(main())
