"""The time of the first commands in a new clone: `./dev generate`, the same again, and after a change of one source;
with `whole` also, each in another new clone, `./dev test --quick` and `./dev test`, and in the last the same again, when
all has passed, and all tests again. All caches are empty for a new clone, but installed Debian packages and downloaded
Go modules are there. Also `pip install` and `uv pip install` of the wheel from a local folder, without a compiler, if
`./dev package` has built the wheel.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOUCHED = "generator/link/needs.cpp"
# In seconds, on two cores without other load.
GOALS = {"generate": 90, "generate again": 1, f"generate, {TOUCHED} touched": 10, "test --quick": 300, "test": 900,
         "test again": 30, "test --again": 480, "pip install": 5, "uv pip install": 5}


def _timed(command, folder, variables):
    """(wall time, CPU time) in seconds"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    result = subprocess.run(command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}:\n"
                 f"{result.stdout.decode(errors='replace')[-4000:]}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _install(work, variables, rows):
    wheels = sorted((ROOT / "dist").glob("*.whl"))
    if not wheels:
        print("pip install: left out, there is no wheel in dist/; ./dev package builds one")
        return
    # A PATH without a compiler and without this project.
    alone = dict(variables, PATH=str(work / "alone"))
    words = {"pip install": ["-m", "pip"], "uv pip install": ["-m", "uv", "pip"]}
    for name, start in words.items():
        target = work / "environment"
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(target)], check=True)
        subprocess.run([target / "bin/pip", "install", "-q", "uv"], check=True)
        rows.append((name, *_timed([target / "bin/python", *start, "install", "--no-index", "--find-links",
                                    ROOT / "dist", "wheelwright-actions"], work, alone)))
        subprocess.run([target / "bin/wheelwright", "--version"], check=True, stdout=subprocess.DEVNULL)


def bench_first_minute(work, whole):
    """Rows (command, wall time, CPU time, goal) in seconds."""
    clone = work / "clone"
    cache = work / "ccache"
    (work / "alone").mkdir(exist_ok=True)
    variables = dict(os.environ, CCACHE_DIR=str(cache), XDG_CACHE_HOME=str(work / "cache"))
    rows = []

    def dev(name, *words):
        rows.append((name, *_timed(["./dev", *words], clone, variables)))
        print(f"{name}: {rows[-1][1]:.1f} s", flush=True)

    def fresh():
        """A new clone, and nothing in any cache but installed Debian packages."""
        for folder in (clone, cache, work / "cache"):
            shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)

    fresh()
    dev("generate", "generate")
    dev("generate again", "generate")
    with (clone / TOUCHED).open("a") as source:
        source.write("// touched\n")
    dev(f"generate, {TOUCHED} touched", "generate")
    if whole:
        fresh()
        dev("test --quick", "test", "--quick")
        fresh()
        dev("test", "test")
        dev("test again", "test")
        dev("test --again", "test", "--again")
    _install(work, variables, rows)
    return [(*row, GOALS[row[0]]) for row in rows]
