"""Runs every command of README.md and docs/ in a copy of the project.

The commands of docs/adopting.md run in a small repository of hand-written workflows, with the archive of a release and
nothing else of the project.

A `console` block has commands behind `$ ` and, below each, its output. `...` matches any text, and on a line of its own
any lines. Of `sh` blocks and indented blocks, the lines that call the project's programs are run. The blocks of a page
share one copy of the project, from top to bottom. Commands and options that are named in prose must exist.

Commands of wheelrun run with `--dry-run` if they have it, because they would need GPUs, networks and hours; they only
have to accept their command line.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import hand_written
import pytest
import wheelrun
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import archive  # noqa: E402  (what packs releases)

PROGRAM = Path(os.environ.get("WHEELWRIGHT", ROOT / "build/wheelwright")).resolve()
WHEELRUN = Path(wheelrun.PROGRAM).resolve()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COPIED = ["matrix", "templates", "generated-workflows", "docs", ".github"]
# The page for other repositories.
ADOPTING = ROOT / "docs/adopting.md"
# The page for a repository that has one workflow, which the page shows.
IMPORT = ROOT / "docs/import.md"

# Replaces the real script, which would compile first, but runs the commands that it passes on.
DEV = """#!/bin/sh
case $1 in
  generate | check) command=$1; shift; exec wheelwright "$command" --root . "$@" ;;
esac
"""

# Replaces the real pip, which has no index here; tests/package installs the wheel with the real one.
PIP = """#!/bin/sh
[ "$*" = "install wheelwright-actions" ] && echo "Successfully installed wheelwright-actions"
"""

OURS = {"wheelwright", "wheelrun", "./dev"}
# Errors about a command line.
NOT_TAKEN = re.compile(r"error\[(unknown-(command|option)|missing-argument|surplus-argument|option-value)\]")
# Variables of jobs that examples use.
JOB = {
    "NEEDS": '{"build": {"result": "success"}}',
    "WHEELS": '{"torch-2.10.0-cp312-cp312-linux_x86_64.whl": "' + 64 * "0" + '"}',
    "WHEELRUN_PLAN": "generated-workflows/plan.json",
}
# Other programs in `console` blocks.
OTHERS = {"sed", "git", "cp", "mkdir", "tar", "pip"}


def blocks(text):
    """(line, language, lines) of every block; indented ones count as `sh`."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        fence = re.match(r"( *)```(\w*)$", lines[at])
        end = at + 1
        if fence:
            while lines[end].strip() != "```":
                end += 1
            yield at + 2, fence.group(2), [line.removeprefix(fence.group(1)) for line in lines[at + 1 : end]]
            end += 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1]):
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            yield at + 1, "sh", [line.strip() for line in lines[at:end]]
        at = end


def commands(language, lines):
    """(offset, command, expected output or None) of a block."""
    if language == "sh":
        for offset, line in enumerate(lines):
            rest = offset
            while line.endswith("\\") and rest + 1 < len(lines):
                rest += 1
                line = line[:-1] + lines[rest].strip()
            command = re.sub(r"\s+# .*$", "", line)
            # A line with brackets or words such as FILE is a synopsis.
            called = "[" in command or any(word.isupper() and word.isalpha() for word in command.split())
            if command.split()[:1] and command.split()[0] in OURS and not called:
                yield offset, command, None
        return
    offset = 0
    while offset < len(lines):
        assert lines[offset].startswith("$ "), f"not a command: {lines[offset]}"
        end = offset + 1
        while end < len(lines) and not lines[end].startswith("$ "):
            end += 1
        shown = lines[offset + 1 : end]
        yield offset, lines[offset][2:], shown or None
        offset = end


def pattern(shown):
    """A regular expression for the expected output."""
    parts = []
    for line in shown:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r"[^\n]*".join(re.escape(part) for part in line.split("...")) + r" *\n")
    return "".join(parts)


def commit(root):
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run([*git, "init", "-q"], cwd=root, check=True)
    subprocess.run([*git, "add", "."], cwd=root, check=True)
    subprocess.run([*git, "commit", "-qm", "all"], cwd=root, check=True)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name)
    (root / "dev").write_text(DEV)
    (root / "dev").chmod(0o755)
    commit(root)
    return root


class Folder:
    """A folder in which commands run as for a reader of the page."""

    def __init__(self, root, programs):
        self.root = root
        programs.mkdir(exist_ok=True)
        for program in (PROGRAM, WHEELRUN):
            if not (programs / program.name).exists():
                (programs / program.name).symlink_to(program)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, **JOB, "PATH": path, "NO_COLOR": "1", "GIT_PAGER": "cat"}

    def __call__(self, command):
        return subprocess.run(
            ["bash", "-c", command], cwd=self.root, env=self.environment, text=True, timeout=120,
            capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip


@pytest.fixture
def project(original, tmp_path):
    shutil.copytree(original, tmp_path / "wheelwright", symlinks=True)
    return Folder(tmp_path / "wheelwright", tmp_path / "bin")


@pytest.fixture
def repository(tmp_path):
    """A repository of hand-written workflows, beside the archive of a release."""
    folder = tmp_path / "elsewhere"
    hand_written.write_repository(folder / "repository")
    commit(folder / "repository")
    programs = {path.name: f'#!/bin/sh\nexec "{path}" "$@"\n'.encode() for path in (PROGRAM, WHEELRUN)}
    archive.write_archive(folder / archive.archive_name("x86_64"), programs, "")
    (folder / "bin").mkdir()
    (folder / "bin/pip").write_text(PIP)
    (folder / "bin/pip").chmod(0o755)
    return Folder(folder / "repository", folder / "bin")


@cache
def help_of(program, words):
    """What a program says about a command, which is the same in every folder."""
    return subprocess.run([{"wheelwright": PROGRAM, "wheelrun": WHEELRUN}[program], "help", *words.split()], timeout=120,
                          env={**os.environ, "NO_COLOR": "1"}, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          check=False)


def words_of_command(words):
    """The words that are the command's name: "version rocm", "configure"."""
    two = " ".join(words[:2])
    usage = help_of("wheelrun", two).stdout.partition("usage: ")[2].split("\n")[0]
    return two if f"{usage} ".startswith(f"wheelrun {two} ") else words[0]


def check_taken(run, command, place):
    name = words_of_command(command.split()[1:3])
    if "--dry-run" in help_of("wheelrun", name).stdout and "--dry-run" not in command:
        command += " --dry-run"
    # A command that was accepted may wait for a network, which does not matter here. It is killed if the signal comes while
    # the leak checker of a sanitizer looks at it, which then hangs.
    result = run(f"timeout --kill-after=20 --signal=INT 3 {command}")
    refused = NOT_TAKEN.search(result.stderr.replace("missing-argument]: 'checkout --dry-run'", ""))
    assert not refused and result.returncode != 3, f"{place}: {result.stderr}"


def follow(page, run):
    """Runs the commands of a page from top to bottom, and compares their output. Those that only have to be accepted change
    nothing, so they run beside each other at the end: some wait for a network."""
    taken = []
    for line, language, lines in blocks(page.read_text(encoding="utf-8")):
        if language not in ("sh", "console"):
            continue
        for offset, command, shown in commands(language, lines):
            place = f"{page.name}:{line + offset}: {command}"
            assert command.split()[0] in OURS | OTHERS, f"{place}: nobody runs this"
            if command.startswith("wheelrun ") and shown is None:
                taken.append((command, place))
                continue
            result = run(command)
            if shown is None:
                # 1: it found something, which may be the topic of the example.
                assert result.returncode < 2, f"{place}: status {result.returncode}\n{result.stderr}"
            else:
                # Results or errors; warnings beside results may be left out.
                printed = result.stderr if result.returncode == 2 else result.stdout
                assert re.fullmatch(pattern(shown), printed), f"{place}: prints\n{printed}"
    with ThreadPoolExecutor(max_workers=8) as pool:
        for done in [pool.submit(check_taken, run, command, place) for command, place in taken]:
            done.result()


@pytest.mark.parametrize("page", [page for page in PAGES if page not in (ADOPTING, IMPORT)], ids=lambda page: page.name)
def test_commands_do_what_the_page_shows(page, project):
    follow(page, project)


def test_an_adopter_needs_the_archive_of_a_release_alone(repository):
    follow(ADOPTING, repository)


def named_commands(text):
    """(line, program, words) of every `wheelwright ...` and `wheelrun ...` in prose."""
    for number, line in enumerate(text.splitlines(), 1):
        for program, code in re.findall(r"`(wheelwright|wheelrun) ([^`]+)`", line):
            yield number, program, code.split()


@pytest.mark.quick
@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: page.name)
def test_commands_in_prose_exist(page):
    helps = {}
    for number, program, words in named_commands(page.read_text(encoding="utf-8")):
        command = words[0] if program == "wheelwright" else words_of_command(words[:2])
        if command.isupper() or command.startswith("-") or command == "help":
            continue
        if (program, command) not in helps:
            result = help_of(program, command)
            assert result.returncode == 0, f"{page.name}:{number}: there is no command {program} {command}"
            helps[program, command] = result.stdout
        for word in words[1:]:
            if word.startswith("--"):
                option = word.strip("[].,").split("=")[0]
                known = re.search(rf"^  (?:-h, )?{re.escape(option)}\b", helps[program, command], re.MULTILINE)
                assert known, f"{page.name}:{number}: {program} {command} has no {option}"


def yaml_blocks(page):
    return ["\n".join(lines) + "\n" for _, language, lines in blocks(page.read_text("utf-8")) if language == "yaml"]


def indented(text, depth):
    return "".join(f"{' ' * depth}{line}\n" if line else "\n" for line in text.splitlines())


@pytest.mark.quick
def test_the_examples_of_the_guide_are_templates(original, tmp_path):
    """The blocks of docs/templates.md, combined to two templates, are read without errors."""
    root = tmp_path / "project"
    shutil.copytree(original / "matrix", root / "matrix")
    head, pin, jobs, steps, fragment, include, _, publication = yaml_blocks(ROOT / "docs/templates.md")
    assert head.startswith("$[[ template ]]:") and jobs.startswith("jobs:") and steps.startswith("steps:")
    files = {
        "workflows/directives.yml": f"{head}\non: workflow_dispatch\npermissions: {{}}\n{jobs}",
        "workflows/lists.yml": (
            "$[[ template ]]:\n  for: platform in platforms\n  file: lists_$[[ platform.name ]].yml\n\n"
            "on: workflow_dispatch\npermissions: {}\njobs:\n  one:\n    name: One\n    runs-on: ubuntu-24.04\n"
            f"    timeout-minutes: 5\n{indented(steps, 4)}{indented(pin, 6)}"
            f"  two:\n    name: Two\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n{indented(include, 4)}"
        ),
        "workflows/publication.yml": (
            head.replace("file: ", "file: published_") + f"\non: workflow_dispatch\npermissions: {{}}\n{publication}"
        ),
        "fragments/setup.yml": fragment.replace("    defaults: { token: none }\n", ""),
    }
    for name, text in files.items():
        path = root / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copy(original / "templates/plan.yml", root / "templates")
    result = subprocess.run(
        [PROGRAM, "generate", "--dry-run", "--root", root], capture_output=True, text=True, timeout=120
    )
    # Templates come before workflows: an error of the link stage means that they were read and expanded.
    template_stage = re.findall(
        r"error\[((?:template|yaml|unused|shadowed|misplaced)-[\w-]+|unknown-name|not-\w+)\]", result.stderr
    )
    assert template_stage == [], result.stderr
    assert "--> matrix/" not in result.stderr, result.stderr


def block_of(page, language, start):
    """The only block of a language that begins with `start`."""
    found = ["\n".join(lines) + "\n" for _, word, lines in blocks(page.read_text("utf-8")) if word == language]
    (text,) = [text for text in found if text.startswith(start)]
    return text


def test_a_workflow_is_imported_as_its_page_shows(tmp_path):
    run = Folder(tmp_path / "repository", tmp_path / "bin")
    workflow, *parts = yaml_blocks(IMPORT)
    path = workflow.split("\n")[0].removeprefix("# ")
    (run.root / path).parent.mkdir(parents=True)
    (run.root / path).write_text(workflow)
    follow(IMPORT, run)
    written = "".join(path.read_text() for path in sorted(run.root.rglob("*.yml")))
    assert len(parts) == 2 and all(part in written for part in parts)


@pytest.mark.quick
def test_each_hand_written_file_is_in_the_table_of_the_guide():
    rows = re.findall(r"^\| (`[^|]*) \| ([^|]+) \| [^|]+ \|$", ADOPTING.read_text(encoding="utf-8"), re.MULTILINE)
    listed = [name for row, _ in rows for name in re.findall(r"`([\w-]+)\.yml`", row)]
    assert sorted(listed) == sorted(hand_written.JOBS) and len(listed) == 49
    kept = [name for row, becomes in rows if becomes.strip() in ("stays", "stay") for name in re.findall(r"`([\w-]+)\.yml`", row)]
    assert not set(kept) & {path.stem for path in (ROOT / "generated-workflows").glob("*.yml")}


def test_the_settings_of_an_adopter_pin_a_release(project):
    """The settings in docs/adopting.md determine what jobs install."""
    pinned = block_of(ADOPTING, "yaml", "settings:").removeprefix("settings:\n")
    settings = project.root / "matrix/settings.yml"
    settings.write_text(settings.read_text().replace("settings:\n", f"settings:\n{pinned}", 1))
    done = project("wheelwright generate")
    assert done.returncode == 0, done.stderr
    text = (project.root / "generated-workflows/test_rocm_wheels.yml").read_text()
    digest = re.search(r"linux: sha256:(\w+)", pinned).group(1)
    assert f"sha256: {digest}" in text and "version: 0.1.0" in text and "from-source" not in text
    assert "windows:" not in pinned  # releases hold no programs for Windows


@pytest.mark.parametrize("start", ["  wheelrun:", "  wheelrun_source:"])
def test_the_other_settings_of_an_adopter_are_understood(project, start):
    with (project.root / "matrix/settings.yml").open("a") as settings:
        settings.write("\n" + block_of(ADOPTING, "yaml", start))
    done = project("wheelwright generate --dry-run")
    assert done.returncode == 0, done.stderr


@pytest.mark.quick
def test_the_hooks_of_an_adopter_are_there():
    hooks = yaml.load((ROOT / ".pre-commit-hooks.yaml").read_text(), yaml.CSafeLoader)
    files = {hook["id"]: hook["files"] for hook in hooks}
    named = re.findall(r"- id: ([\w-]+)", block_of(ADOPTING, "yaml", "repos:"))
    assert named and set(named) <= set(files)
    taken = {
        "wheelwright-generate": ["matrix/families.yml", ".github/workflows/ci.yml", "generated-workflows/ci_nightly.yml"],
        "wheelwright-check": ["matrix/families.yml", ".github/workflows/ci.yml", "generated-workflows/ci_nightly.yml"],
        "wheelwright-lint": [".github/workflows/ci.yml", ".github/workflows/ci.yaml"],
    }
    for name, paths in files.items():
        assert all(re.search(paths, path) for path in taken[name]), f"{name}: {paths}"
        assert not re.search(paths, "README.md")
    assert not re.search(files["wheelwright-lint"], "templates/workflows/ci.yml")


def test_the_attributes_of_an_adopter_fold_generated_files_alone(repository):
    attributes = block_of(ADOPTING, "gitattributes", ".github/")
    (repository.root / ".gitattributes").write_text(attributes)
    generated = {path.name for path in (ROOT / "generated-workflows").iterdir()}
    written = [path.name for path in (repository.root / ".github/workflows").iterdir()]
    said = {name: repository(f"git check-attr linguist-generated .github/workflows/{name}").stdout.split()[-1]
            for name in {*generated, *written}}  # fmt: skip
    folded = {name for name, state in said.items() if state == "true"}
    assert folded <= generated and len(folded) > len(attributes.splitlines())
