"""This project as a git repository, for tests that clone it."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(root, *words):
    """The output of git, without the user's configuration."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
                   **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
                      for what, value in (("NAME", "x"), ("EMAIL", "x@example.com"))}}
    done = subprocess.run(["git", *words], cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"git {words}: {done.stderr}"
    return done.stdout.strip()


def commit_all(root):
    """Commits all files in a folder, as a first or a further commit."""
    git(root, "-c", "init.defaultBranch=main", "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "All")
    return git(root, "rev-parse", "HEAD")


def make_repository(target):
    """A repository with one commit: the current project, including uncommitted changes."""
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    commit_all(target)
    return target
