"""A project that says itself what stands in its matrix, in a folder with nothing else."""

import os
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WHEELWRIGHT", str(ROOT / "build/wheelwright"))
SETTINGS = "settings: { repository: owner/name, output: generated }\n"


class OwnProject:
    def __init__(self, folder, files):
        self.folder = folder
        for name, text in files.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def replace(self, name, old, new):
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def run(self, *words):
        # No environment that could lead to this repository.
        return subprocess.run([PROGRAM, *words], cwd=self.folder, env={"PATH": "/usr/bin:/bin"}, capture_output=True,
                              text=True, timeout=60, check=False)

    def ok(self, *words):
        done = self.run(*words)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def wrong(self, *words):
        done = self.run(*words)
        assert done.returncode == 2, done.stdout
        assert not (self.folder / "generated").exists()
        return done.stderr

    def made(self, name):
        return yaml.safe_load((self.folder / "generated" / name).read_text(encoding="utf-8"))
