"""Running wheelwright as its users do, also in a project that contains nothing else."""

import os
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("WHEELWRIGHT", ROOT / "build/wheelwright")).resolve()
SETTINGS = "settings: { repository: owner/name, output: generated }\n"
# The options of sanitizers are kept; no other variable can lead to this repository.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"} | {
    name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS") if name in os.environ}


def wheelwright(*words, cwd=ROOT, stdin="", timeout=60, **variables):
    return subprocess.run([PROGRAM, *words], cwd=cwd, env={**ENVIRONMENT, **variables}, input=stdin, capture_output=True,
                          text=True, timeout=timeout, check=False)


class Project:
    """A folder in which the program runs."""

    def __init__(self, folder, files=None):
        self.folder = folder
        for name, text in (files or {}).items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return name

    def read(self, name):
        return (self.folder / name).read_bytes().decode()

    def replace(self, name, old, new, count=None):
        """Replaces all occurrences: at least one, or exactly `count`."""
        text = self.read(name)
        assert old in text and count in (None, text.count(old)), f"{name} has {text.count(old)} times: {old}"
        self.write(name, text.replace(old, new))

    def run(self, *words, cwd=".", **options):
        return wheelwright(*words, cwd=self.folder / cwd, **options)

    def ok(self, *words, **options):
        """The stdout of a success without messages."""
        done = self.run(*words, **options)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def refused(self, *words, **options):
        """The stderr of a run with wrong input, which gave no result."""
        done = self.run(*words, **options)
        assert (done.returncode, done.stdout) == (2, ""), done
        return done.stderr

    def wrong(self, *words):
        """The same, in a project without generated files."""
        stderr = self.refused(*words)
        assert not (self.folder / "generated").exists()
        return stderr

    def found(self, *words, **options):
        """The stdout of a check that found something."""
        done = self.run(*words, **options)
        assert (done.returncode, done.stderr) == (1, ""), done
        return done.stdout

    def made(self, name):
        return yaml.load(self.read(f"generated/{name}"), yaml.CSafeLoader)

    def files(self):
        return {path.relative_to(self.folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
                for path in self.folder.rglob("*") if path.is_file()}
