"""Runs wheelrun like a job or like a person."""

import atexit
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WHEELRUN", str(ROOT / "build/wheelrun"))
PLAN = ROOT / "generated-workflows/plan.json"
FILES = {"GITHUB_OUTPUT": "output", "GITHUB_ENV": "env", "GITHUB_PATH": "path", "GITHUB_STEP_SUMMARY": "summary"}


@dataclass
class Done:
    """The result of a command. Outside of a job, outputs and variables are read from stdout."""

    status: int
    stdout: str
    stderr: str
    outputs: dict = field(default_factory=dict)
    variables: dict = field(default_factory=dict)
    path: list = field(default_factory=list)
    summary: str = ""


def _pairs(text):
    """Reads NAME=VALUE and NAME<<END like the runner."""
    pairs, lines = {}, iter(text.split("\n"))
    for line in lines:
        name, arrows, end = line.partition("<<")
        if arrows and "=" not in name:
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            pairs[name] = "\n".join(value)
        elif "=" in line:
            name, _, value = line.partition("=")
            pairs[name] = value
    return pairs


# Programs start the Python of these tests, and no script of pyenv: these take longer than most programs.
os.environ["PATH"] = f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"


@functools.cache
def unsigned_plan():
    """The plan without `signers`: wheels of tests are not attested, but for those of test_verify.py."""
    folder = tempfile.mkdtemp(prefix="plan-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "generated-workflows/plan.json"
    path.parent.mkdir()
    path.write_text(json.dumps({**json.loads(PLAN.read_text(encoding="utf-8")), "signers": {}}), encoding="utf-8")
    return str(path)


def environment(extra=None):
    """The environment of this process, without variables of a job in which these tests may run."""
    # Installed packages are imported often, so they are compiled once.
    ours = ("GITHUB_", "WHEELRUN_", "PIP_", "ACTIONS_", "PYTHONDONTWRITEBYTECODE")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    return {**kept, "LC_ALL": "C.UTF-8", "WHEELRUN_PLAN": unsigned_plan(), **(extra or {})}


def wheelrun(*words, cwd=ROOT, env=None, timeout=300):
    """Runs it like a person."""
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=cwd, env=environment(env), capture_output=True, text=True,
                          timeout=timeout, check=False)
    return Done(done.returncode, done.stdout, done.stderr, _pairs(done.stdout))


def in_job(folder, *words, cwd=ROOT, env=None, timeout=300):
    """Runs it as a step of a job whose files are in `folder`."""
    files = {name: folder / file for name, file in FILES.items()}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    job = {"GITHUB_ACTIONS": "true", **{name: str(file) for name, file in files.items()}}
    done = wheelrun(*words, cwd=cwd, env={**job, **(env or {})}, timeout=timeout)
    read = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    return Done(done.status, done.stdout, done.stderr, _pairs(read["GITHUB_OUTPUT"]), _pairs(read["GITHUB_ENV"]),
                read["GITHUB_PATH"].splitlines(), read["GITHUB_STEP_SUMMARY"])


def told_to_builds(*words, env=None):
    """The variables that `wheelrun build` sets for each build, by its folder."""
    done = wheelrun("build", *words, "--dry-run", env=env)
    assert done.status == 0, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith("cd ") and (" setup.py bdist_wheel" in line or " -m build --wheel" in line):
            _, folder, _, _, *rest = shlex.split(line)
            found[folder] = dict(pair.split("=", 1) for pair in takewhile(re.compile(r"\w+=").match, rest))
    return found
