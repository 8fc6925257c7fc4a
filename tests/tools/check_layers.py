"""Checks that folders include only what lies below them, and that no two headers declare a type of one name, which
would be undefined behaviour in a program that links both. The table is the architecture.

Usage: check_layers.py [ROOT]
"""

import re
import sys
from pathlib import Path

import sources

# folder: what it may include besides itself. Read upwards: a stage never knows who uses it.
_STAGES = ["base", "generator/yaml", "generator/expression"]
_HOST = ["base", "cli", "runtime/host", "runtime/platform"]
_STEPS = [*_HOST, "selection", "runtime/actions", "runtime/plan", "runtime/process", "runtime/version"]
ALLOWED = {
    "base": [],
    "selection": ["base"],
    "cli": ["base"],
    "generator/yaml": ["base"],
    "generator/expression": ["base", "generator/yaml"],
    "generator/emit": _STAGES,
    "generator/matrix": [*_STAGES, "selection"],
    "generator/template": [*_STAGES, "generator/matrix"],
    "generator/workflow": _STAGES,
    "generator/link": [*_STAGES, "generator/matrix", "generator/workflow"],
    "generator/plan": [*_STAGES, "generator/matrix", "generator/workflow"],
    "generator/output": [*_STAGES, "generator/emit"],
    "generator/graph": [*_STAGES, "generator/matrix", "generator/plan", "generator/workflow"],
    "generator/pins": [*_STAGES, "generator/emit", "generator/matrix", "generator/output"],
    "generator/compile": [
        *_STAGES,
        "generator/emit",
        "generator/link",
        "generator/matrix",
        "generator/output",
        "generator/plan",
        "generator/template",
        "generator/workflow",
    ],
    "generator/commands": [
        *_STAGES,
        "cli",
        "generator/compile",
        "generator/emit",
        "generator/graph",
        "generator/link",
        "generator/matrix",
        "generator/output",
        "generator/pins",
        "generator/plan",
        "generator/template",
        "generator/workflow",
        "selection",
    ],
    "generator": ["base", "cli", "generator/commands"],  # main.cpp
    # The helper never parses YAML: it builds and runs without anything of the generator.
    "runtime/platform": ["base"],
    "runtime/host": ["base", "cli", "runtime/platform"],
    "runtime/actions": [*_HOST],
    "runtime/process": [*_HOST, "runtime/actions"],
    "runtime/plan": [*_HOST, "selection", "runtime/version"],
    "runtime/event": [*_HOST, "runtime/actions", "runtime/process", "selection"],
    "runtime/version": ["base"],
    "runtime/digest": ["base", "runtime/platform"],
    "runtime/wheel": ["base", "runtime/digest", "runtime/platform", "runtime/version"],
    "runtime/python": [*_STEPS],
    "runtime/http": [*_HOST, "runtime/digest"],
    "runtime/storage": [*_HOST, "runtime/actions", "runtime/digest", "runtime/http"],
    "runtime/index": [*_HOST, "runtime/digest", "runtime/storage", "runtime/version", "runtime/wheel"],
    "runtime/promotion": [
        *_HOST,
        "runtime/digest",
        "runtime/index",
        "runtime/plan",
        "runtime/storage",
        "runtime/version",
        "runtime/wheel",
        "selection",
    ],
    "runtime/mirror": [
        *_HOST,
        "runtime/digest",
        "runtime/http",
        "runtime/index",
        "runtime/plan",
        "runtime/version",
        "runtime/wheel",
        "selection",
    ],
    "runtime/hip": [*_STEPS, "runtime/digest", "runtime/wheel"],
    "runtime/sources": [*_STEPS],
    "runtime/build": [*_STEPS, "runtime/python", "runtime/sources", "runtime/wheel"],
    "runtime/testing": [*_STEPS, "runtime/build", "runtime/digest", "runtime/python", "runtime/wheel"],
    "runtime/commands": [
        *_STEPS,
        "runtime/build",
        "runtime/digest",
        "runtime/event",
        "runtime/hip",
        "runtime/http",
        "runtime/index",
        "runtime/mirror",
        "runtime/promotion",
        "runtime/python",
        "runtime/sources",
        "runtime/storage",
        "runtime/testing",
        "runtime/wheel",
    ],
    "runtime": ["base", "cli", "runtime/actions", "runtime/commands", "runtime/host", "runtime/platform"],  # main.cpp
}

# Libraries that only one file or folder may know, so that they can be replaced.
ONLY_IN = {
    "yaml-cpp/": "generator/yaml/read.cpp",
    "cxxopts": "cli/arguments.cpp",
    "boost/": "runtime/http/",
    "pugixml": ("runtime/storage/s3_xml.cpp", "runtime/testing/junit.cpp"),
}


def folder_of(name):
    """The longest folder of the table that the file lies in, or None."""
    parts = Path(name).parent.parts
    for length in range(len(parts), 0, -1):
        folder = "/".join(parts[:length])
        if folder in ALLOWED:
            return folder
    return None


_TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)[^;]*?\{", re.MULTILINE)


def check(root):
    problems = []
    declared = {}
    for path in sources.cpp_files(root, ("base", "cli", "generator", "runtime", "selection")):
        name = path.relative_to(root).as_posix()
        own = folder_of(name)
        if own is None or (own in ("generator", "runtime") and name != f"{own}/main.cpp"):
            problems.append(f"{name}:1: its folder is in no layer; add it to the table of {__file__}")
            continue
        text = path.read_text(encoding="utf-8")
        for match in _TYPE.finditer(text) if path.suffix == ".h" else ():
            other = declared.setdefault(match.group(1), name)
            if other != name:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{name}:{line}: {other} declares a {match.group(1)} too")
        for line, included in sources.includes(path):
            where = f"{name}:{line}"
            if not (root / included).is_file():
                problems.append(f"{where}: there is no {included}; include by path from the root")
                continue
            other = folder_of(included)
            if other != own and other not in ALLOWED[own]:
                problems.append(f"{where}: {own} may not include {included} ({other} is not below it)")
        for line_number, line in enumerate(text.splitlines(), 1):
            for library, place in ONLY_IN.items():
                if line.startswith(f"#include <{library}") and not name.startswith(place):
                    problems.append(f"{name}:{line_number}: {library} is known to {place} alone")
    return problems


def main():
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else sources.ROOT
    problems = check(root)
    print("\n".join(problems) or "every include points downwards")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
