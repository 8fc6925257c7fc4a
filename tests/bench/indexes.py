"""Compares `wheelrun index` on a folder with two generators of static indexes: dumb-pypi and simple503.

The folder has 1, 100 or 10,000 small wheels of up to 100 projects. Each tool indexes it from scratch, and again after
one wheel was added. dumb-pypi reads no wheels: it gets a list of names, hashes and required Pythons, whose creation is
not measured, and for the second run also the previous list.
"""

import hashlib
import json
import shutil
import statistics
import subprocess
import sys
import venv
import zipfile

PEERS = ["dumb-pypi==1.15.0", "simple503==0.4.0"]
COUNTS = {1: 5, 100: 5, 10_000: 3}
PROJECTS = 100


def _install(folder):
    """Creates a virtual environment for the other tools, because only they need these packages."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS], check=True)
    return folder / "bin"


def _make(folder, number):
    """Writes a wheel into the folder. Returns its row in dumb-pypi's list."""
    project, version = f"project_{number % PROJECTS}", f"1.{number // PROJECTS}"
    path, info = folder / f"{project}-{version}-py3-none-any.whl", f"{project}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\nRequires-Python: >=3.10\n\n"
    files = {f"{project}/__init__.py": f"number = {number}\n", f"{info}/METADATA": metadata,
             f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in files) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return json.dumps({"filename": path.name, "hash": f"sha256={sha256}", "requires_python": ">=3.10"})


def _bench_count(run, wheelrun, work, programs, count, runs):
    times = {}
    for _ in range(runs):
        shutil.rmtree(work, ignore_errors=True)
        wheels = work / "wheels"
        wheels.mkdir(parents=True)
        rows = [_make(wheels, number) for number in range(count)]
        lists = [work / "before.jsonl", work / "after.jsonl"]
        lists[0].write_text("".join(f"{row}\n" for row in rows))
        dumb = [programs / "dumb-pypi", "--no-per-release-json", "--packages-url", "../../wheels/", "--output-dir", work / "dumb",
                "--package-list-json"]
        simple = [programs / "simple503", "--copy", "--extract-metadata", wheels, work / "simple"]
        ours = [wheelrun, "index", wheels]
        first = {"simple503": simple, "dumb-pypi": [*dumb, lists[0]], "wheelrun": ours}
        for name, command in first.items():
            times.setdefault((name, "all"), []).append(run(command))
        rows.append(_make(wheels, count))
        lists[1].write_text("".join(f"{row}\n" for row in rows))
        again = {"simple503": simple, "wheelrun": ours,
                 "dumb-pypi": [*dumb, lists[1], "--previous-package-list-json", lists[0]]}
        for name, command in again.items():
            times.setdefault((name, "one new"), []).append(run(command))
    ours = {what: statistics.median(times["wheelrun", what]) for what in ("all", "one new")}
    return [{"wheels": count, "tool": name, "what": what, "seconds": statistics.median(values),
             "fastest": min(values), "ratio": statistics.median(values) / ours[what]}
            for (name, what), values in times.items()]


def bench(run, wheelrun, work, quick):
    """Seconds by number of wheels, tool and kind of run. run: a function that measures a command."""
    programs = _install(work.parent / "index-peers")
    rows = []
    for count, runs in list(COUNTS.items())[: 2 if quick else None]:
        rows += _bench_count(run, wheelrun, work, programs, count, runs)
    return rows


def show(rows):
    print("\nindex of a folder, medians")
    print(f"  {'wheels':>7}  {'':10}{'tool':12}{'seconds':>9}{'fastest':>9}{'ratio':>8}")
    for row in rows:
        print(f"  {row['wheels']:7,}  {row['what']:10}{row['tool']:12}{row['seconds']:9.3f}{row['fastest']:9.3f}"
              f"{row['ratio']:8.1f}")
    sys.stdout.flush()
