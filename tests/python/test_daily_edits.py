"""Frequent edits of maintainers, at the command line: the files to edit, the number of lines, and the result. Each runs
on a copy; docs/daily-edits.md has the table, which UPDATE_GOLDEN=1 renews."""

import difflib
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import jax_example
import pytest
from wheelwright import PROGRAM
from workflow_set import frozen, table

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/daily-edits.md"
WRITTEN = ("matrix", "templates")
HEADING = "## What each takes"
_JOB = re.compile(r"^  [\w-]+:$", re.MULTILINE)


def own(folder):
    for name in ("matrix", "templates", "generated-workflows"):
        shutil.copytree(frozen() / name, folder / name)


def with_jax(folder):
    jax_example.copy_with_jax(folder, frozen())
    run(folder, "generate")


def example(name):
    def copy(folder):
        for part in ("matrix", "templates", "generated-workflows"):
            shutil.copytree(ROOT / "examples" / name / part, folder / part)

    return copy


def run(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


LINUX = '["3.10", "3.11", "3.12", "3.13"]\n        torch: [release/2.7, release/2.8, release/2.9, release/2.10, nightly]'
PYTHON = '        python: ["3.10", "3.11", "3.12", "3.13"]\n'
NEW_FAMILY = """\
  gfx1250:
    tier: nightly
    linux:
      family: gfx1250
      targets: [gfx1250]
      test_runs_on: linux-gfx1250-gpu-rocm

  gfx1152:
"""
COLUMN = """\
      checkout_minutes: { type: integer from 1, default: 60, doc: How long a checkout of PyTorch may take, example: 90 }
      packages:
        type: list of name of projects
        required: true
        doc: The wheels that a PyTorch build makes, in the order of building
"""
AXIS = "  sanitizer: { table: sanitizers, values: sanitizers,"
STANDARDS = "      sanitizers: { type: list of name of sanitizers, required: true, doc: Sanitizers, example: [none, address] }\n"

# change: (project, [(file, old, new)])
EDITS = {
    "a Python": (own, [("matrix/pytorch.yml", PYTHON, PYTHON.replace('"3.13"', '"3.13", "3.14"'))]),
    "a PyTorch ref": (own, [
        ("matrix/pytorch.yml", "  nightly:      { id",
         '  release/2.11: { id: torch_211,     version: "2.11", stable: true,  source: rocm }\n  nightly:      { id'),
        ("matrix/pytorch.yml", "release/2.10, nightly]", "release/2.10, release/2.11, nightly]")]),
    "a family on Linux alone": (own, [("matrix/families.yml", "  gfx1152:\n", NEW_FAMILY)]),
    "a family out of one ref": (own, [
        ("matrix/pytorch.yml", "    exclude:\n",
         "    exclude:\n      - { gfx: gfx110X-all, torch: release/2.7, why: Its kernels are wrong in 2.7 }\n")]),
    "a known failure": (own, [
        ("matrix/families.yml", "      family: gfx1152\n      targets: [gfx1152]\n    windows:",
         "      family: gfx1152\n      targets: [gfx1152]\n      known_failures: { pytorch: https://github.com/ROCm/TheRock/issues/1926 }\n"
         "    windows:")]),
    "a label": (own, [
        ("matrix/triggers.yml", "  run-all-archs-ci: {", "  docs-only:        { effect: skip,         doc: Nothing is built }\n  run-all-archs-ci: {")]),
    "a column that a template reads": (own, [
        ("matrix/schema.yml", COLUMN.split("\n", 1)[1], COLUMN),
        ("templates/workflows/build_pytorch_wheels.yml", "      - name: Check out PyTorch\n        timeout-minutes: 60\n",
         "      - name: Check out PyTorch\n        timeout-minutes: $[[ platform.checkout_minutes ]]\n"),
        ("matrix/platforms.yml", "    checkout_root: B:/src", "    checkout_minutes: 90\n    checkout_root: B:/src")]),
    "a JAX ref": (with_jax, [
        ("matrix/jax.yml", "  rocm-jaxlib-v0.11.1: { version: 0.11.1 }\n",
         "  rocm-jaxlib-v0.11.1: { version: 0.11.1 }\n  rocm-jaxlib-v0.12.0: { version: 0.12.0 }\n"),
        ("matrix/jax.yml", "rocm-jaxlib-v0.11.0, rocm-jaxlib-v0.11.1]\n        python",
         "rocm-jaxlib-v0.11.0, rocm-jaxlib-v0.11.1, rocm-jaxlib-v0.12.0]\n        python")]),
    "a compiler": (example("cpp-library"), [
        ("matrix/compilers.yml", "  clang-18:\n",
         "  clang-17:\n    ubuntu:     { command: clang++-17, sanitizers: [address, undefined, thread] }\n  clang-18:\n"),
        ("matrix/builds.yml", "      ubuntu: [gcc-13, gcc-14, clang-18]", "      ubuntu: [gcc-13, gcc-14, clang-17, clang-18]")]),
    "a CUDA": (example("cuda-wheels"), [
        ("matrix/versions.yml", '  "13.0":\n',
         '  "12.8":\n    toolkit: 12.8.1\n    torch_wheels: cu128\n    gcc: 13\n    driver: 525\n'
         '    linux_x86_64:  { capabilities: ["7.5", "8.0", "9.0", "10.0"] }\n  "13.0":\n'),
        ("matrix/wheels.yml", '["12.4", "12.6", "13.0"]', '["12.4", "12.6", "12.8", "13.0"]')]),
    "a new axis": (example("cpp-library"), [
        ("matrix/schema.yml", AXIS, '  standard: { noun: C++, values: standards, id: "cpp$[[ key ]]", label: "C++$[[ key ]]" }\n' + AXIS),
        ("matrix/schema.yml", "axes: [system, compiler, type, sanitizer]", "axes: [system, compiler, standard, type, sanitizer]"),
        ("matrix/schema.yml", "      type: $[[ names.type ]]\n", "      type: $[[ names.type ]]\n      standard: $[[ names.standard ]]\n"),
        ("matrix/schema.yml", STANDARDS, '      standards: { type: list of text, default: ["20"], doc: "The C++s", example: ["20"] }\n' + STANDARDS),
        ("matrix/builds.yml", "    title: Nightly\n", '    title: Nightly\n    standards: ["20", "23"]\n'),
        ("templates/fragments/build.yml", "-DCMAKE_CXX_COMPILER=$[[ build.command ]]",
         "-DCMAKE_CXX_STANDARD=$[[ build.standard ]] -DCMAKE_CXX_COMPILER=$[[ build.command ]]")]),
}


def texts(folder, *parts):
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for part in parts for path in sorted((folder / part).rglob("*.yml"))}


def edited(before, after):
    """{file: lines that were added or changed}"""
    found = {}
    for name in after:
        lines = difflib.ndiff(before.get(name, "").splitlines(), after[name].splitlines())
        count = sum(line.startswith("+ ") for line in lines)
        if count:
            found[name] = count
    return found


def row_of(change, files, before, after):
    """A row of the page: the edited files, and the changes of the output."""
    differ = {*before.items()} ^ {*after.items()}
    jobs = [sum(len(_JOB.findall(text.split("\njobs:\n")[1])) for text in side.values()) for side in (before, after)]
    matrix = ", ".join(f"`{name}`: {count}" for name, count in files.items())
    return [change, matrix, f"{jobs[1] - jobs[0]:+}" if jobs[1] != jobs[0] else "0", str(len({name for name, _ in differ}))]


@pytest.fixture(scope="module")
def rows():
    """The rows of the page. With UPDATE_GOLDEN=1, the page is rewritten after the tests."""
    found = {}
    yield found
    if os.environ.get("UPDATE_GOLDEN"):
        page = ROOT / PAGE
        head = page.read_text(encoding="utf-8").split(f"\n{HEADING}\n")[0]
        lines = ["| change | lines by file | jobs | workflows |", "| --- | --- | --- | --- |",
                 *("| " + " | ".join(found[change]) + " |" for change in [*EDITS, "a new product"] if change in found)]
        page.write_text(f"{head}\n{HEADING}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


def is_on_the_page(rows, row):
    rows[row[0]] = row
    if not os.environ.get("UPDATE_GOLDEN"):
        assert row in table(PAGE, HEADING)


@pytest.mark.parametrize("change", EDITS)
def test_a_daily_edit(change, tmp_path, rows):
    project, edits = EDITS[change]
    project(tmp_path)
    before, workflows = texts(tmp_path, *WRITTEN), texts(tmp_path, "generated-workflows")
    for name, old, new in edits:
        path = tmp_path / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name}: {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")
    files = edited(before, texts(tmp_path, *WRITTEN))
    begun = time.monotonic()
    told = run(tmp_path, "check")
    assert told.returncode == 1 and "is not current" in told.stdout, told.stderr
    done = run(tmp_path, "generate")
    assert (done.returncode, done.stderr) == (0, "")
    print(f"{change}: check and generate took {time.monotonic() - begun:.2f} s")
    assert run(tmp_path, "check").returncode == 0
    is_on_the_page(rows, row_of(change, files, workflows, texts(tmp_path, "generated-workflows")))


@pytest.mark.quick
def test_a_new_product(tmp_path, rows):
    own(tmp_path)
    before, workflows = texts(tmp_path, *WRITTEN), texts(tmp_path, "generated-workflows")
    jax_example.add_jax(tmp_path)
    files = edited(before, texts(tmp_path, *WRITTEN))
    templates = [files.pop(name) for name in list(files) if name.startswith("templates/")]
    done = run(tmp_path, "generate")
    assert (done.returncode, done.stderr) == (0, "")
    assert run(tmp_path, "check").returncode == 0
    files[f"{len(templates)} new files below templates/"] = sum(templates)
    is_on_the_page(rows, row_of("a new product", files, workflows, texts(tmp_path, "generated-workflows")))


@pytest.mark.skipif("UPDATE_GOLDEN" in os.environ, reason="it is written at the end")
def test_the_page_has_no_other_rows():
    assert [row[0] for row in table(PAGE, HEADING)] == [*EDITS, "a new product"]
