"""Limits of templates and workflows: inputs that would need unlimited memory or quadratic time end early.

Templates end with an error at a place; memory is bounded by the size of the input, and time grows linearly.
"""

import os
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from measured import of_the_processor

ROOT = Path(__file__).resolve().parents[2]
WHEELWRIGHT = Path(os.environ.get("WHEELWRIGHT", ROOT / "build/wheelwright")).resolve()
MATRIX = {
    "settings": "settings: { repository: me/it, output: out }",
    "families": "tiers: {}\nfamilies: {}",
    "platforms": "platforms: { linux: { title: Linux, build_runs_on: x, fallback_runs_on: x, wheel_platform: linux_x86_64,"
    " packages: [], variants: { release: { label: release } } } }",
}
HEAD = "$[[ template ]]:\n  file: a.yml\n"
DIGITS = "split('0,1,2,3,4,5,6,7,8,9', ',')"
# Memory that AddressSanitizer reserves counts too.
SANITIZED = b"__asan_init" in WHEELWRIGHT.read_bytes()


def project(folder, templates):
    for name, text in MATRIX.items():
        (folder / "matrix").mkdir(exist_ok=True)
        shutil.copy(ROOT / "matrix/schema.yml", folder / "matrix")
        (folder / f"matrix/{name}.yml").write_text(text)
    for name, text in templates.items():
        (folder / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "templates" / name).write_text(text)


def run(*arguments, megabytes=2000):
    """Status and output; memory and time are limited."""
    limit = None if SANITIZED else lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2)
    done = subprocess.run(
        [WHEELWRIGHT, *arguments], capture_output=True, text=True, timeout=300, check=False, preexec_fn=limit
    )
    return done.returncode, done.stdout + done.stderr


def never(depth):
    """False in every iteration, and reads each loop's name."""
    return " || ".join(f"x{level} == 'no'" for level in range(depth))


def loops(depth, *inner):
    """The lines inside nested loops over ten items each."""
    text = "".join("  " * level + f"$[[ for x{level} in {DIGITS} ]]:\n" for level in range(depth))
    return text + "".join("  " * depth + line + "\n" for line in inner)


def chain(first, step, length):
    """Names, each computed from the one before."""
    lines = [f"$[[ let a0 ]]: {first}\n"]
    lines += [f"$[[ let a{i} ]]: {step.replace('BEFORE', f'a{i - 1}')}\n" for i in range(1, length)]
    return HEAD + "".join(lines) + f"name: $[[ toJSON(a{length - 1}) ]]\n"


TWICE = """$[[ fragment ]]:
$[[ if true ]]:
  $[[ include fragments/NEXT.yml ]]:
$[[ if 1 == 1 ]]:
  $[[ include fragments/NEXT.yml ]]:
"""

# Files by name; a bomb with a single template is a text.
BOMBS = {
    "loops that make nothing": HEAD + loops(12, f"$[[ if {never(12)} ]]: {{ a: b }}"),
    "loops with names alone": HEAD
    + loops(12, f"$[[ let y ]]: $[[ {never(12)} ]]", "$[[ if y ]]: { a: b }"),
    "loops that make jobs": HEAD + loops(8, "j" + "".join(f"$[[ x{i} ]]" for i in range(8)) + ": { a: b }"),
    "loops around comments": HEAD + loops(9, "# above", f"$[[ if {never(9)} ]]: {{ a: b }} # behind"),
    "instances": "$[[ template ]]:\n  for:\n"
    + "".join(f"    - x{i} in {DIGITS}\n" for i in range(9))
    + f"  if: {never(9)}\n  file: a.yml\nname: x\n",
    "fragments that include fragments twice": {
        "workflows/a.yml": HEAD + "$[[ include fragments/f0.yml ]]:\n",
        **{f"fragments/f{i}.yml": TWICE.replace("NEXT", f"f{i + 1}") for i in range(40)},
        "fragments/f40.yml": "$[[ fragment ]]:\n$[[ if false ]]: { a: b }\n",
    },
    "a text that doubles": chain("0123456789", "$[[ format('{0}{0}', BEFORE) ]]", 60),
    "a joined text that doubles": chain("0123456789", "$[[ BEFORE ]]-$[[ BEFORE ]]", 60),
    "a list that doubles": chain("[x]", "[ '$[[ BEFORE ]]', '$[[ BEFORE ]]' ]", 60),
    "long texts in loops": HEAD
    + loops(
        9,
        f"$[[ let long ]]: $[[ replace('{'x' * 900}', 'x', '{'y' * 90}') ]]",
        f"$[[ if length(long) == 0 || {never(9)} ]]: {{ a: b }}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_template_ends_with_an_error_at_its_place(name, tmp_path):
    bomb = BOMBS[name]
    project(tmp_path, bomb if isinstance(bomb, dict) else {"workflows/a.yml": bomb})
    status, said = run("check", "--root", tmp_path)
    assert status == 2, said[:1000]
    # A single expression has its own limit.
    assert ("error[too-large]" in said or "too much text" in said or "too long" in said), said[:1000]
    assert "--> templates/" in said, said[:1000]
    assert len(said) < 10_000


JOB = "name: x\non: push\npermissions: {}\njobs:\n  j:\n    runs-on: u\n    timeout-minutes: 5\n"
SHAPES = {
    "jobs": lambda n: "name: x\non: push\njobs:\n"
    + "".join(f"  j{i}:\n    runs-on: u\n    steps: [{{ run: echo {i} }}]\n" for i in range(n)),
    "steps with findings": lambda n: JOB + "    steps:\n" + "      - uses: actions/checkout@v4\n" * n,
    "a flow collection on one line": lambda n: JOB
    + "    strategy: { matrix: { a: [" + ",".join(f'"x{i}"' for i in range(n)) + "] } }\n    steps: [{ run: x }]\n",
    "a long line with findings": lambda n: JOB + "    steps:\n      - run: " + "echo ${{ github.event.issue.title }} " * n,
    "a script with findings": lambda n: JOB + "    steps:\n      - run: |\n"
    + "".join(f"          echo ${{{{ github.event.issue.title }}}} {i}\n" for i in range(n)),
    "a folded script with findings that differ": lambda n: JOB + "    steps:\n      - run: >\n"
    + "".join(f"          echo ${{{{ github.event.issue.title{i} }}}}\n" for i in range(n)),
    "a quoted line with findings": lambda n: JOB + "    steps:\n      - run: \"\\x65cho "
    + "".join(f"${{{{ github.event.issue.title }}}} {i} " for i in range(n)) + "\"\n",
    "needs of nothing": lambda n: "name: x\non: push\njobs:\n"
    + "".join(f"  j{i}:\n    runs-on: u\n    needs: nope{i}\n    steps: [{{ run: x }}]\n" for i in range(n)),
    "a long condition": lambda n: JOB
    + "    if: " + " && ".join(f"github.ref == 'a{i}'" for i in range(n)) + "\n    steps: [{ run: x }]\n",
    "variables": lambda n: JOB + "    env:\n" + "".join(f"      A{i}: x\n" for i in range(n)) + "    steps: [{ run: x }]\n",
}  # fmt: skip


def seconds(path):
    start = of_the_processor()
    status, said = run("lint", path, "--strict")
    assert status in (0, 1), said[:1000]
    return of_the_processor() - start


# Jobs and scripts have many findings, so shorter files of them show as much.
SIZES = {"jobs": 10_000, "needs of nothing": 10_000, "a script with findings": 25_000, "a quoted line with findings": 25_000,
         "a long line with findings": 25_000, "a folded script with findings that differ": 25_000}


@pytest.mark.parametrize("shape", SHAPES)
def test_lint_takes_time_by_the_size_of_the_file(shape, tmp_path):
    make = SHAPES[shape]
    count = 100
    while len(make(count)) < SIZES.get(shape, 50_000):
        count = count * 5 // 4
    paths = {factor: tmp_path / f"{factor}.yml" for factor in (1, 4)}
    for factor, path in paths.items():
        path.write_text(make(count * factor))
    times = {factor: seconds(path) for factor, path in paths.items()}
    # Quadratic time would be sixteen times. What else the machine does can lengthen a single run.
    if times[4] >= 9 * times[1] + 0.3:
        times = {factor: min(times[factor], seconds(path)) for factor, path in paths.items()}
    assert times[4] < 9 * times[1] + 0.3, times


# Findings with long lines and names: each of many kilobytes, of which an output may repeat little.
LONG = {
    "a line": JOB + "    steps:\n      - run: " + "echo ${{ github.event.issue.title }} " * 1600 + "\n",
    "names": JOB + "".join(f"    {letter}{'x' * 48_000}: y\n" for letter in "abcdefghij") + "    steps: [{ run: x }]\n",
    "one word": JOB + "    if: ${{ " + "y" * 480_000 + " }}\n    steps: [{ run: x }]\n",
}


@pytest.mark.parametrize("output", ["text", "github", "json"])
@pytest.mark.parametrize("shape", LONG)
def test_a_finding_prints_some_kilobytes_at_most(shape, output, tmp_path):
    path = tmp_path / "a.yml"
    path.write_text(LONG[shape])
    status, said = run("lint", path, "--strict", "--format", output)
    assert status == 1
    findings = len(re.findall({"text": r"^(?:error|warning)\[", "github": "^::", "json": r'^\{"severity"'}[output], said,
                              re.MULTILINE))
    assert 0 < len(said) < 10_000 * max(findings, 1), (len(said), findings)


def test_a_matrix_ends_with_an_error_at_its_place(tmp_path):
    """Eight kilobytes that describe more than a million combos."""
    project(tmp_path, {"workflows/a.yml": HEAD + "name: x\n"})
    families = [f"g{i}" for i in range(50)]
    rows = "".join(f"  {name}: {{ tier: often, linux: {{ family: {name}, targets: [gfx{i}] }} }}\n"
                   for i, name in enumerate(families))
    (tmp_path / "matrix/families.yml").write_text(f"tiers: {{ often: x }}\nfamilies:\n{rows}")
    pythons = ", ".join(f'"3.{i}"' for i in range(300))
    (tmp_path / "matrix/pytorch.yml").write_text(
        "projects: { torch: { folder: pytorch } }\n"
        "torch_sources: { here: { torch: { repository: https://x.example/t.git, commit_from: torch_ref } } }\n"
        "torch:\n" + "".join(f"  r{i}: {{ id: torch_{i}, source: here }}\n" for i in range(80))
        + f"combos:\n  all:\n    platforms:\n      linux: {{ python: [{pythons}], torch: [{', '.join(f'r{i}' for i in range(80))}] }}\n")
    status, said = run("check", "--root", tmp_path)
    assert status == 2 and "error[too-many-combos]" in said and "--> matrix/pytorch.yml:" in said, said[:1000]
    assert len(said) < 100_000
