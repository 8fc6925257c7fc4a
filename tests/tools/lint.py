"""Runs clang-tidy on every C++ source of the two programs, on all cores; any finding is a failure.

Sources are read as they are compiled, a folder at once, which takes a fifth of the time of reading each by itself.
`--alone` does the latter: only then a missing include of a source is found that another of its folder has.

What passed is checked again only after a source, a header it includes, its compile command, the configuration or
clang-tidy itself changed. Passes are cached for all clones, as empty files in the user's cache folder.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kept
import sources

# From PyPI: since version 22 clang-tidy skips declarations of system headers, and takes half of the time.
PROGRAM = str(sources.ROOT / ".tools/venv/bin/clang-tidy")
FOLDERS = ("base", "cli", "generator", "runtime", "selection")


def for_reading(command):
    """The command without precompiled headers: clang-tidy is faster without their content, and then also reports
    headers that a source uses and does not include. And without what matters for the code that is made alone."""
    return re.sub(r" -Winvalid-pch| (?:-Xclang )?-include(?:-pch)? (?:-Xclang )?\S+| -o \S+| -mllvm=\S+"
                  r"| -fsanitize-coverage-allowlist=\S+| -DFUZZED_SOURCES=\S+", "", command)


def commands_of(entries, alone):
    """{source: its compile command}. `alone`: the sources that are compiled as one, in the place of that one, with its
    command."""
    found = {}
    for entry in entries:
        path, command = Path(entry["file"]), for_reading(entry["command"])
        together = path.parent.parent.name == "by_folder"
        included = [sources.ROOT / name for _, name in sources.includes(path)] if together else [path]
        if any(source.is_relative_to(sources.ROOT / folder) for source in included for folder in FOLDERS):
            compiled = included if alone else [path]
            found.update({source: command.replace(str(path), str(source)) for source in compiled})
    return found


def key_of(path, command, common):
    digest = hashlib.sha256(common)
    here = str(sources.ROOT)
    digest.update(command.replace(here, "").encode())
    for file in sources.closure(path):
        digest.update(b"\0" + file.relative_to(sources.ROOT).as_posix().encode() + b"\0")
        digest.update(file.read_bytes().replace(here.encode(), b""))
    return digest.hexdigest()


def lint(path, build):
    """clang-tidy's findings in the file; empty if there are none."""
    result = subprocess.run(
        [PROGRAM, "--quiet", f"--config-file={sources.ROOT}/.clang-tidy", "-p", str(build), str(path)],
        capture_output=True,
        text=True,
        cwd=sources.ROOT,
    )
    if result.returncode == 0:
        return ""
    return result.stdout.replace(f"{sources.ROOT}/", "") or result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="has compile_commands.json")
    parser.add_argument("--alone", action="store_true", help="read each source by itself")
    options = parser.parse_args()
    build = options.build.resolve()
    commands = commands_of(json.loads((build / "compile_commands.json").read_text()), options.alone)
    database = build / "lint"
    database.mkdir(exist_ok=True)
    entries = [{"directory": str(build), "command": command, "file": str(path)} for path, command in commands.items()]
    (database / "compile_commands.json").write_text(json.dumps(entries))
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, check=True).stdout
    common = version + (sources.ROOT / ".clang-tidy").read_bytes()
    passes = kept.Passes("lint")

    started = time.monotonic()
    paths = sorted(commands)
    keys = {path: key_of(path, commands[path], common) for path in paths}
    # The largest first, so that all cores finish at about the same time.
    todo = [path for path in paths if not passes.has(keys[path])]
    todo.sort(key=lambda path: -sum(file.stat().st_size for file in sources.closure(path)))
    failed = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for path, findings in zip(todo, pool.map(lambda p: lint(p, database), todo)):
            if findings:
                failed += 1
                print(findings)
            else:
                passes.add(keys[path])
    passes.forget()
    print(
        f"clang-tidy: {len(paths)} units, {len(todo)} of them looked at, {failed} with findings"
        f" ({time.monotonic() - started:.0f} s)"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
