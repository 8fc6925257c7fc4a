"""Checks that folders include only folders below them, and that no two headers declare types of the same name, which
would be undefined behaviour in a program that links both. The table ALLOWED defines the architecture.

CONTRIBUTING.md shows the table as a picture, which is checked too.

Usage: check_layers.py [ROOT]
       check_layers.py --picture    prints the picture
"""

import re
import sys
from pathlib import Path

import sources

# {folder: the folders that it may include besides itself}. A stage never includes the stages that use it.
_STAGES = ["base", "generator/yaml", "generator/expression"]
# The rooms of runtime/, and below each room what all of its folders may use. A room in a list, and base, stands for all its folders.
_HOST = ["base", "cli", "selection"]
_STORE = [*_HOST, "runtime/host"]
_WHEELS = [*_STORE, "runtime/store"]
_PRODUCTS = [*_WHEELS, "runtime/wheels"]
ROOMS = ("base", "runtime/host", "runtime/store", "runtime/wheels", "runtime/pytorch", "runtime/hip", "runtime/commands")
ALLOWED = {
    # The only folder with code for a particular operating system.
    "base/platform": [],
    "base": ["base/platform"],
    "selection": ["base"],
    "cli": ["base"],
    "generator/yaml": ["base"],
    "generator/expression": ["base", "generator/yaml"],
    "generator/emit": _STAGES,
    "generator/matrix": _STAGES,
    "generator/template": [*_STAGES, "generator/matrix"],
    "generator/shared": [*_STAGES, "generator/emit", "generator/matrix", "generator/template"],
    "generator/workflow": _STAGES,
    "generator/link": [*_STAGES, "generator/matrix", "generator/workflow"],
    "generator/lint": [*_STAGES, "generator/link", "generator/matrix", "generator/output", "generator/workflow"],
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
        "generator/shared",
        "generator/template",
        "generator/workflow",
    ],
    "generator/import": [*_STAGES, "generator/emit", "generator/matrix", "generator/workflow"],
    "generator/lsp": [
        *_STAGES,
        "generator/compile",
        "generator/link",
        "generator/lint",
        "generator/workflow",
    ],
    "generator/commands": [
        *_STAGES,
        "cli",
        "generator/compile",
        "generator/emit",
        "generator/graph",
        "generator/import",
        "generator/link",
        "generator/lint",
        "generator/lsp",
        "generator/matrix",
        "generator/output",
        "generator/pins",
        "generator/plan",
        "generator/shared",
        "generator/template",
        "generator/workflow",
        "selection",
    ],
    "generator": ["base", "cli", "generator/commands"],  # main.cpp
    # The helper never parses YAML: it builds and runs without the generator.
    "base/platform": ["base"],
    "runtime/host/environment": ["base", "cli", "base/platform"],
    "runtime/host/actions": ["base", "cli", "runtime/host/environment", "base/platform"],
    "runtime/host/programs": [
        "base",
        "cli",
        "runtime/host/actions",
        "runtime/host/environment",
        "base/platform",
    ],
    "runtime/host/event": [
        *_HOST,
        "runtime/host/actions",
        "runtime/host/environment",
        "base/platform",
        "runtime/host/programs",
    ],
    "runtime/store/digest": _STORE,
    "runtime/store/http": [*_STORE, "runtime/store/digest"],
    "runtime/store/storage": [*_STORE, "runtime/store/digest"],
    "runtime/store/s3": [*_STORE, "runtime/store/digest", "runtime/store/http", "runtime/store/storage"],
    "runtime/store": [*_STORE, "runtime/store/http", "runtime/store/s3", "runtime/store/storage"],
    "runtime/wheels/version": ["base"],
    "runtime/wheels/plan": [*_WHEELS, "runtime/wheels/version"],
    "runtime/wheels/zip": _WHEELS,
    "runtime/wheels/native": _WHEELS,
    "runtime/wheels/wheel": [
        *_WHEELS,
        "runtime/wheels/native",
        "runtime/wheels/version",
        "runtime/wheels/zip",
    ],
    "runtime/wheels/index": [*_WHEELS, "runtime/wheels/version", "runtime/wheels/wheel", "runtime/wheels/zip"],
    "runtime/wheels/provenance": [
        *_WHEELS,
        "runtime/wheels/native",
        "runtime/wheels/plan",
        "runtime/wheels/version",
        "runtime/wheels/wheel",
    ],
    "runtime/wheels/promotion": [
        *_WHEELS,
        "runtime/wheels/index",
        "runtime/wheels/plan",
        "runtime/wheels/version",
        "runtime/wheels/wheel",
    ],
    "runtime/wheels/release": [
        *_WHEELS,
        "runtime/wheels/index",
        "runtime/wheels/plan",
        "runtime/wheels/promotion",
        "runtime/wheels/provenance",
        "runtime/wheels/version",
        "runtime/wheels/wheel",
    ],
    "runtime/wheels/resolve": [
        *_WHEELS,
        "runtime/wheels/index",
        "runtime/wheels/version",
        "runtime/wheels/wheel",
    ],
    "runtime/wheels/mirror": [
        *_WHEELS,
        "runtime/wheels/index",
        "runtime/wheels/plan",
        "runtime/wheels/version",
        "runtime/wheels/wheel",
    ],
    "runtime/wheels/transfer": [*_WHEELS, "runtime/wheels/index", "runtime/wheels/plan"],
    "runtime/pytorch/python": _PRODUCTS,
    "runtime/pytorch/sources": _PRODUCTS,
    "runtime/pytorch/build": [*_PRODUCTS, "runtime/pytorch/python", "runtime/pytorch/sources"],
    "runtime/pytorch/publish": [*_PRODUCTS, "runtime/pytorch/build"],
    "runtime/pytorch/acceptance": [*_PRODUCTS, "runtime/pytorch/build", "runtime/pytorch/python"],
    "runtime/hip/code": _PRODUCTS,
    "runtime/hip/compile": [*_PRODUCTS, "runtime/hip/code"],
    "runtime/commands": [*_PRODUCTS, "runtime/hip", "runtime/pytorch"],
    "runtime": ["base", "cli", "runtime/commands", "runtime/host"],  # main.cpp
}

# The descriptions of the picture's boxes.
HOLDS = {
    "base": "operating system, text, files, diagnostics",
    "cli": "options, help, terminal",
    "selection": "which jobs an event starts",
    "generator/yaml": "trees with places and comments",
    "generator/expression": "GitHub's expressions and ours",
    "generator/matrix": "tables, axes, sets",
    "generator/template": "expands trees",
    "generator/workflow": "jobs, steps, triggers as GitHub reads them",
    "generator/link": "checks across jobs and files",
    "generator/lint": "workflows of any repository: levels, suppressions, rules of their own",
    "generator/lsp": "answers for editors",
    "generator/emit": "writes YAML",
    "generator/output": "the folder of files, and what differs",
    "generator/plan": "plan.json and its report",
    "generator/graph": "pictures",
    "generator/shared": "templates of other projects, and their lock",
    "generator/pins": "commits of actions",
    "generator/import": "hand-written workflows, taken over",
    "generator/compile": "all stages in their order",
    "generator/commands": "wheelwright's commands",
    "runtime/host": "programs, the job's files",
    "runtime/store": "digests, HTTP, S3, folders",
    "runtime/wheels": "versions, plan, zip, indexes, promotion",
    "runtime/pytorch": "sources, builds, acceptance tests",
    "runtime/hip": "device code, canaries",
    "runtime/commands": "wheelrun's commands",
}

# Libraries that only one file or folder may include, so that they can be replaced.
ONLY_IN = {
    "yaml-cpp/": "generator/yaml/read.cpp",
    "cxxopts": "cli/arguments.cpp",
    "boost/": "runtime/store/http/",
    "pugixml": ("runtime/store/s3/s3_xml.cpp", "runtime/pytorch/acceptance/junit.cpp"),
}

# Code that is allowed only in one folder: headers of operating systems, and conversions of paths, because narrow strings
# in the system's interfaces have the system's encoding, and texts in this project are UTF-8.
PLATFORM = "base/platform"
_OF_A_SYSTEM = {
    re.compile(
        r"#\s*include <(?:(?:sys|netinet|arpa|linux)/\S+|aclapi\.h|csignal|dirent\.h|dlfcn\.h|fcntl\.h|io\.h|netdb\.h|poll\.h"
        r"|process\.h|psapi\.h|pthread\.h|pwd\.h|sched\.h|shellapi\.h|signal\.h|spawn\.h|termios\.h|unistd\.h|winsock2\.h"
        r"|windows\.h)>"
    ): "a header of an operating system",
    re.compile(r"\b(?:_WIN32|_WIN64|_MSC_VER|__MINGW\w+__|__linux__|__unix__|__APPLE__)\b"): "a name of an operating system",
    re.compile(r"\b(?:fs|filesystem)::path[({]"): "a path that is not made by SystemPath()",
    re.compile(r"\.(?:generic_)?string\(\)"): "a path that is not read by PathText()",
    re.compile(
        r"\b(?:fs|filesystem)::(?:canonical|copy\w*|create_director\w+|(?:recursive_)?directory_iterator|exists|file_size|is_directory"
        r"|is_empty|is_regular_file|remove\w*|rename|\w*status)\b"
    ): "a call of std::filesystem for which base/platform/folders.h has one",
}


def folder_of(name):
    """The innermost folder of the table that contains the file, or None."""
    parts = Path(name).parent.parts
    for length in range(len(parts), 0, -1):
        folder = "/".join(parts[:length])
        if folder in ALLOWED:
            return folder
    return None


def _may_use(folder, other):
    return any(
        other == allowed or (allowed in ROOMS and other.startswith(f"{allowed}/")) for allowed in ALLOWED[folder]
    )


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
            if other != own and not _may_use(own, other):
                problems.append(f"{where}: {own} may not include {included} ({other} is not below it)")
        for line_number, line in enumerate(text.splitlines(), 1):
            for pattern, what in _OF_A_SYSTEM.items() if own != PLATFORM else ():
                if pattern.search(line):
                    problems.append(f"{name}:{line_number}: holds {what}, which {PLATFORM}/ is for")
            for library, place in ONLY_IN.items():
                if line.startswith(f"#include <{library}") and not name.startswith(place):
                    problems.append(f"{name}:{line_number}: {library} is known to {place} alone")
    return problems


def _box(name):
    return f"{name.replace('/', '_')}[\"<b>{name.split('/')[-1]}</b><br>{HOLDS[name]}\"]"


def _room_of(folder):
    return next((room for room in ROOMS if folder.startswith(room)), folder)


def _below():
    """{box: the boxes that it may use}. A box is a folder of the generator or a room of the runtime."""
    below = {}
    for folder, allowed in ALLOWED.items():
        if folder in ("generator", "runtime"):
            continue  # main.cpp
        box = _room_of(folder)
        below.setdefault(box, set()).update(_room_of(other) for other in allowed)
    for box, others in below.items():
        others.discard(box)
    return below


def picture():
    """The boxes as a graph without redundant arrows: a box that is reached through another one has no direct arrow."""
    below = _below()
    lines = ["flowchart TB"]
    for title in ("generator", "runtime"):
        lines.append(f"  subgraph {title}/")
        lines += [f"    {_box(box)}" for box in below if box.startswith(f"{title}/")]
        lines.append("  end")
    lines += [f"  {_box(box)}" for box in below if "/" not in box]
    for box, others in below.items():
        by_way = set().union(*(below[other] for other in others)) if others else set()
        for other in sorted(others - by_way):
            lines.append(f"  {box.replace('/', '_')} --> {other.replace('/', '_')}")
    return "\n".join(lines) + "\n"


def check_picture(root):
    page = root / "CONTRIBUTING.md"
    if not page.is_file() or f"```mermaid\n{picture()}```\n" in page.read_text(encoding="utf-8"):
        return []
    return ["CONTRIBUTING.md: its picture of the folders is not the table's; print it by check_layers.py --picture"]


def main():
    if sys.argv[1:] == ["--picture"]:
        print(picture(), end="")
        return 0
    return sources.report(lambda root: check(root) + check_picture(root), "every include points downwards")


if __name__ == "__main__":
    sys.exit(main())
