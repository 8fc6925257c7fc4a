"""The code with which the setups of PyTorch and its siblings compute version and name, for small fakes of these projects:
the same variables in the same order. docs/building.md lists them with their sources.

Each text is the beginning of a setup.py that sets `version`; Triton's also sets `name`.
"""

TOP = """\
import os
import subprocess
from pathlib import Path

here = Path(__file__).resolve().parent


def git(*words):
    try:
        said = subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return said.stdout.strip()


"""

_FILE = """\
version = (here / "version.txt").read_text().strip()
"""

TORCH = TOP + _FILE + """\
if os.getenv("PYTORCH_BUILD_VERSION"):
    number = os.getenv("PYTORCH_BUILD_NUMBER")
    assert number is not None, "PYTORCH_BUILD_NUMBER belongs to PYTORCH_BUILD_VERSION"
    version = os.environ["PYTORCH_BUILD_VERSION"]
    version += f".post{number}" if int(number) > 1 else ""
elif commit := git("rev-parse", "HEAD"):
    version += "+git" + commit[:7]
"""

# The setups of torchaudio and torchvision.
SIBLING = TOP + _FILE + """\
if os.getenv("BUILD_VERSION"):
    version = os.environ["BUILD_VERSION"]
elif commit := git("rev-parse", "HEAD"):
    version += "+" + commit[:7]
"""

# What all setups of apex append to the version; and the options that --cpp_ext and --cuda_ext leave for setuptools.
_APEX_LABEL = """\
if os.getenv("DESIRED_CUDA"):
    version += "+" + os.environ["DESIRED_CUDA"]
    if os.getenv("APEX_COMMIT"):
        version += ".git" + os.environ["APEX_COMMIT"][:8]
"""

# Apex before 2025-11-21, and the branch release/1.6.0 and older ones.
APEX_BY_FILE = TOP + _FILE + _APEX_LABEL

# Apex since then: master, release/1.7.0 and newer. WORLD_WHOLE_VERSION injects the fault that this form detects: a
# BUILD_VERSION that already contains the label that the setup appends.
APEX = TOP + _FILE + """\
if os.getenv("WORLD_WHOLE_VERSION"):
    os.environ["BUILD_VERSION"] += "+" + os.environ["DESIRED_CUDA"]
if os.getenv("BUILD_VERSION"):
    version = os.environ["BUILD_VERSION"]
""" + _APEX_LABEL

_TRITON_NAME = """\
name = os.environ.get("TRITON_WHEEL_NAME", "triton")
"""

# Triton's release branches up to 3.3, in python/setup.py; there `version` is in the call of setup().
TRITON_BY_VARIABLE = TOP + _TRITON_NAME

TRITON = TOP + _TRITON_NAME + """\


def get_git_version_suffix():
    on_release = git("rev-parse", "--abbrev-ref", "HEAD").startswith("release")
    commit = git("rev-parse", "--short=8", "HEAD")
    return "" if on_release or not commit else "+git" + commit


def get_triton_version_suffix():
    ours, told = get_git_version_suffix(), os.environ.get("TRITON_WHEEL_VERSION_SUFFIX", "")
    return ours + (told.replace("+", "-") if "+" in ours else told)


TRITON_VERSION = "{base}" + get_triton_version_suffix()
version = TRITON_VERSION
"""
