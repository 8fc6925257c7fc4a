"""The pip of the tests' environment, imported once for all calls: the import takes half of what most of them do."""

import atexit
import functools
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from forked import Forks


@functools.cache
def _program():
    forks = Forks("pip._internal.cli.main", "pip._internal.commands.download", "pip._internal.commands.install")
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    atexit.register(forks.close)
    forks.program(folder / "pip", Path(sys.executable).parent / "pip")
    return folder / "pip"


def pip(*words, environment):
    """Status, stdout and stderr of pip with these words and variables."""
    done = subprocess.run([_program(), *map(str, words)], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr
