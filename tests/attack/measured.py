"""A run of a program with what it took, and a folder that it must not write outside of."""

import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

import wheelrun as runner


# A sanitizer takes memory of its own.
SANITIZED = "asan" in runner.PROGRAM


@dataclass
class Measured:
    status: int  # negative: of a signal
    said: str
    seconds: float
    peak: int  # bytes


def run(words, cwd, env=None, limit=60, program=None):
    """Runs it to its end, and its peak of memory."""
    with tempfile.TemporaryFile() as said:
        began = time.monotonic()
        process = subprocess.Popen([program or runner.PROGRAM, *map(str, words)], cwd=cwd, env=runner.environment(env),
                                   stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        watch = threading.Timer(limit, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - began
        said.seek(0)
        text = said.read(1 << 20).decode(errors="replace")
    return Measured(process.returncode, text, took, usage.ru_maxrss * 1024)


def tree(folder):
    """All that lies in a folder: size and time of files."""
    return {str(path.relative_to(folder)): (path.lstat().st_size, path.lstat().st_mtime_ns) if not path.is_dir() else None
            for path in sorted(folder.rglob("*"))}
