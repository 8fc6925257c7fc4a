"""Runs a program and measures it, and compares a folder that it must not change."""

import resource
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

import wheelrun as runner


# A sanitizer uses memory of its own.
SANITIZED = "asan" in runner.PROGRAM


@dataclass
class Measured:
    status: int  # negative: of a signal
    said: str
    seconds: float  # processor time, independent of other load
    peak: int  # bytes


def of_the_processor():
    """The processor time of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_of(pid):
    """In bytes; 0 after the end."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def run(words, cwd, env=None, limit=60, program=None):
    """Runs it to its end and samples its peak memory, because the usual measure begins with a copy of this process."""
    with tempfile.TemporaryFile() as said:
        began = of_the_processor()
        process = subprocess.Popen([program or runner.PROGRAM, *map(str, words)], cwd=cwd, env=runner.environment(env),
                                   stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        watch = threading.Timer(limit, process.kill)
        watch.start()
        peak = 0
        # With a sanitizer, nobody asks for the peak.
        while not SANITIZED and process.poll() is None:
            peak = max(peak, peak_of(process.pid))
            time.sleep(0.004)
        process.wait()
        watch.cancel()
        took = of_the_processor() - began
        said.seek(0)
        text = said.read(1 << 20).decode(errors="replace")
    return Measured(process.returncode, text, took, peak)


def tree(folder):
    """Size and time of all files in a folder."""
    return {str(path.relative_to(folder)): (path.lstat().st_size, path.lstat().st_mtime_ns) if not path.is_dir() else None
            for path in sorted(folder.rglob("*"))}
