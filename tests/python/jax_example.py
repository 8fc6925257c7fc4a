"""This project with examples/jax added: its files, and the rows that they need in other files."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "examples/jax"


def add_jax(folder):
    """Adds JAX to a copy of this project, as its README says."""
    for name in ("matrix", "templates"):
        shutil.copytree(SOURCE / name, folder / name, dirs_exist_ok=True)
    done = subprocess.run(["git", "apply", str(SOURCE / "matrix.patch")], cwd=folder, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, (f"{done.stderr}\nmatrix/ changed where examples/jax/matrix.patch has its lines: apply it by "
                                  "hand (git apply --3way), and write it again (git diff -U1 matrix)")


def copy_with_jax(folder, source):
    """A copy of this project, with the rows of matrix/ or of tests/matrix."""
    for name in ("matrix", "templates", "generated-workflows"):
        shutil.copytree(source / name, folder / name)
    add_jax(folder)
