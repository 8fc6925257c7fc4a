"""Compares the variables of `wheelrun build` with those of the former hand-written script, for every family, version of
PyTorch and platform. `pytest -s` prints the differences with their reasons."""

import json
import os
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from wheelrun import PLAN, told_to_builds

WAS = yaml.load((Path(__file__).parent / "hand_written_builds.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)
SUFFIX = "+rocm7.12.0a20260219"
TRITON = {"2.7": "3.3.1" + SUFFIX}
BASE = {"PATH": "/usr/bin:/bin"}
# Answers like an interpreter with ROCm's packages, but immediately.
PYTHON = """\
#!/bin/sh
case "$*" in
  *sys.version_info*) printf '3.12\\n\\n%s\\n' "$0" ;;
  *"rocm_sdk version") echo 7.12.0a20260219 ;;
  *rocm_sdk*) printf '%s\\n' 7.12.0a20260219 gfx942 ROOT ROOT/bin ROOT/lib/cmake ;;
  *) exit 1 ;;
esac
"""


def combos():
    """(platform, family, targets, version of torch) of all builds in the plan."""
    plan = json.loads(PLAN.read_text(encoding="utf-8"))
    minors = [row["version"] or "2.11" for row in plan["torch"].values()]
    for platform in plan["platforms"]:
        for family in plan["families"].values():
            if row := family.get(platform):
                for minor in minors:
                    yield platform, row["family"], row["targets"], minor


def versions(platform, minor):
    found = {"torch": f"{minor}.0{SUFFIX}", "torchaudio": f"{minor}.0{SUFFIX}", "torchvision": f"0.25.0{SUFFIX}"}
    if platform == "linux":
        found["triton"] = TRITON.get(minor, f"3.5.1+git1234abcd.{SUFFIX[1:]}")
        found["apex"] = f"1.10.0{SUFFIX}"
    return found


def is_for(row, platform, project, minor):
    return (project in row.get("projects", [project]) and platform in row.get("platforms", [platform])
            and minor in row.get("torch", [minor]))


def before(minor, other):
    return [int(part) for part in minor.split(".")] < [int(part) for part in other.split(".")]


def was(root, platform, targets, minor, project):
    """The environment from the former script."""
    told = versions(platform, minor)
    values = {"root": root, "cmake": f"{root}/lib/cmake", "rocm": SUFFIX.removeprefix("+rocm"), "suffix": SUFFIX,
              "version": told[project], "triton": told.get("triton"), "targets": ",".join(targets)}
    found = dict(BASE)
    for row in WAS["tells"]:
        if is_for(row, platform, project, minor):
            found |= {name: text.format(**values) for name, text in row["set"].items()}
    if project == "torch":
        rule = WAS["flash_attention"]
        without = list(rule["without"])
        for version, more in rule["without_before"].items():
            without += more if before(minor, version) else []
        off = any(part in ",".join(targets) for part in without)
        found |= dict.fromkeys(rule["variables"], rule["values"][platform][off])
    return found


def told(python, platform, family, minor):
    """The environment of each project, as printed by `wheelrun build`."""
    projects = json.loads(PLAN.read_text(encoding="utf-8"))["projects"]
    sources = python.parent / "src"
    for row in projects.values():  # without sources it would print nothing
        (sources / row["folder"]).mkdir(parents=True, exist_ok=True)
    found = told_to_builds("--platform", platform, "--root", sources, "--family", family, "--versions",
                           json.dumps(versions(platform, minor)), "--output-dir", "/dist", "--cache", "none", "--jobs",
                           "8", env={"WHEELRUN_PYTHON": str(python), **BASE})
    by_folder = {row["folder"]: name for name, row in projects.items()}
    return {by_folder[Path(folder).name]: BASE | variables for folder, variables in found.items()}


@pytest.fixture(scope="module")
def rocm(tmp_path_factory):
    """An interpreter with ROCm's packages, and their folder."""
    folder = tmp_path_factory.mktemp("rocm")
    root = folder / "root"
    for name in ("lib/llvm/amdgcn/bitcode", "lib/host-math"):
        (root / name).mkdir(parents=True)
    python = folder / "python"
    python.write_text(PYTHON.replace("ROOT", str(root)), encoding="utf-8")
    python.chmod(0o755)
    return python, str(root)


def reason(variable, platform, project, minor):
    rows = [index for index, row in enumerate(WAS["differences"])
            if variable in row["variables"] and is_for(row, platform, project, minor)]
    assert len(rows) < 2, f"two reasons for {variable} of {project} on {platform}"
    return rows[0] if rows else None


def test_every_difference_to_the_hand_written_builder_has_a_reason(rocm):
    python, root = rocm
    found, unexplained, used = {}, set(), set()
    everything = list(combos())
    assert {platform for platform, *_ in everything} == {"linux", "windows"}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda combo: told(python, combo[0], combo[1], combo[3]), everything))
    for (platform, family, targets, minor), environments in zip(everything, answers, strict=True):
        assert environments.keys() == versions(platform, minor).keys()
        for project, now in environments.items():
            then = was(root, platform, targets, minor, project)
            for variable in sorted(then.keys() | now.keys()):
                values = [text if text is None else text.replace(root, "ROOT")
                          for text in (then.get(variable), now.get(variable))]
                if values[0] == values[1]:
                    continue
                row = reason(variable, platform, project, minor)
                used.add(row)
                if row is None:
                    unexplained.add((variable, platform, project, family, minor, *values))
                found.setdefault((row, variable, platform, project), [values, 0])[1] += 1
    print(f"\n{len(everything)} combinations of platform, family and version\n" + table(found))
    assert not unexplained, "\n".join(map(str, sorted(unexplained)))
    stale = [row["variables"] for index, row in enumerate(WAS["differences"]) if index not in used]
    assert not stale, "nothing needs these rows any more"


def table(found):
    lines = []
    for (row, variable, platform, project), (values, count) in sorted(found.items(), key=lambda item: str(item[0])):
        then, now = (textwrap.shorten("-" if text is None else f"'{text}'", 60) for text in values)
        why = "NOBODY KNOWS WHY" if row is None else WAS["differences"][row]["why"]
        lines.append(f"{variable:28} {platform:8} {project:12} {count:4}  {then} -> {now}\n{'':8}{why}")
    return "\n".join(lines)
