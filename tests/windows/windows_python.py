"""Copies of the CPython for Windows, as machines have it: with a newer pip, which environments get too."""

import os
import re
import shutil
import subprocess
import sys

import rocm_world
from host_programs import PYTHON


def make_python(folder):
    """The new folder has python.exe, with its pip where packages can replace it."""
    unused = ("pip", "pip-*.dist-info", "test", "tests", "idlelib", "tkinter", "turtledemo")
    shutil.copytree(PYTHON.parent, folder, ignore=shutil.ignore_patterns(*unused))
    shutil.unpack_archive(_wheel("pip"), folder / "Lib/site-packages", "zip")
    compile_packages(folder)
    _renew_ensurepip(folder / "Lib/ensurepip")
    # The unpacked Python lacks the launcher that environments put into Scripts/.
    for name in ("python.exe", "pythonw.exe"):
        shutil.copy(os.environ["VENV_LAUNCHER"], folder / "Lib/venv/scripts/nt" / name)
    return folder


def compile_packages(folder):
    """Under Wine, Python takes seconds to compile pip. The Python of this machine makes the same bytecode if it is 3.11."""
    if sys.implementation.cache_tag == "cpython-311":
        subprocess.run([sys.executable, "-m", "compileall", "-q", folder / "Lib/site-packages"], check=True)


def _wheel(name):
    (wheel,) = rocm_world.wheelhouse().glob(f"{name}-*.whl")
    return wheel


def _renew_ensurepip(folder):
    """As in a later release of Python: to replace pip in each environment takes half a minute under Wine."""
    for old in (folder / "_bundled").iterdir():
        old.unlink()
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    for name in ("pip", "setuptools"):
        wheel = _wheel(name)
        shutil.copy(wheel, folder / "_bundled")
        text, count = re.subn(f'(_{name.upper()}_VERSION = )".*"', rf'\1"{wheel.name.split("-")[1]}"', text)
        assert count == 1, name
    (folder / "__init__.py").write_text(text, encoding="utf-8")
