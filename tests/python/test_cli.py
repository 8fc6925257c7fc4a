"""The program as users see it: output, exit statuses and files.

Every test runs the built binary ($WHEELWRIGHT) on a small project.
"""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from wheelwright import PROGRAM, ROOT, Project

OLD, NEW = "a" * 40, "b" * 40

PROJECT = {
    "matrix/schema.yml": (ROOT / "matrix/schema.yml").read_text(encoding="utf-8"),
    "templates/plan.yml": (ROOT / "templates/plan.yml").read_text(encoding="utf-8"),
    "matrix/platforms.yml": """\
platforms:
  linux:
    title: Linux
    build_runs_on: build-linux
    fallback_runs_on: ubuntu-24.04
    wheel_platform: linux_x86_64
    packages: [torch]
    variants: { release: { label: release } }
""",
    "matrix/families.yml": """\
tiers: { presubmit: On every pull request }
families:
  gfx94x:
    tier: presubmit
    linux: { family: gfx94X-dcgpu, targets: [gfx942], test_runs_on: linux-mi325, fetch_targets: [gfx942] }
  gfx1151:
    tier: presubmit
    linux: { family: gfx1151, targets: [gfx1151], test_runs_on: linux-1151, fetch_targets: [gfx1151] }
""",
    "matrix/pytorch.yml": """\
torch:
  release/2.10: { id: torch_210, version: "2.10", stable: true, source: rocm }
projects: { torch: { folder: pytorch, hipify: true } }
torch_sources:
  rocm: { torch: { repository: https://github.com/ROCm/pytorch.git, commit_from: torch_ref } }
combos:
  ci: { platforms: { linux: { python: ["3.11", "3.12"], torch: [release/2.10] } } }
""",
    "matrix/pins.yml": f"""\
actions:
  checkout: {{ uses: actions/checkout, sha: {OLD}, version: v7.0.1 }}
""",
    "templates/workflows/build.yml": """\
$[[ template ]]:
  for:
    - platform in combo_sets.ci.platforms
    - family in platform.families
  file: build_$[[ family.name ]].yml

name: Build | $[[ family.name ]]
on:
  workflow_dispatch:
permissions: {}
concurrency:
  group: build-$[[ family.name ]]
  cancel-in-progress: true
jobs:
  $[[ for combo in family.combos ]]:
    # One for each combo.
    build_$[[ combo.id ]]:
      name: Build | $[[ combo.label ]]
      runs-on: $[[ platform.build_runs_on ]]
      timeout-minutes: 60
      permissions: {}
      steps:
        - $[[ include fragments/checkout.yml ]]: { minutes: 5 }
        - name: Build
          run: |
            set -e
            make $[[ family.name ]]
""",
    "templates/fragments/checkout.yml": """\
- $[[ fragment ]]:
    arguments: [minutes]
- name: Check out
  uses: $[[ actions.checkout ]]
  timeout-minutes: $[[ minutes ]]
  with:
    persist-credentials: false
""",
}


class Repository(Project):
    def __init__(self, folder):
        super().__init__(folder, PROJECT)
        self.out = folder / "generated-workflows"


@pytest.fixture
def project(tmp_path):
    return Repository(tmp_path)


@pytest.fixture
def generated(project):
    project.ok("generate")
    return project


# ---- the command line -----------------------------------------------------------------------


def test_overview(project):
    text = project.ok()
    assert text == project.ok("help") == project.ok("--help") == project.ok("-h")
    assert text.startswith("Turns a matrix and templates into checked, unrolled GitHub Actions workflows.\n\n"
                           "usage: wheelwright COMMAND [ARGUMENT]... [OPTION]...\n\n  init ")
    for command in ("generate", "check", "plan", "explain", "lint", "schema", "pins"):
        assert f"\n  {command} " in text
        help_text = project.ok("help", command)
        assert help_text == project.ok(command, "--help") == project.ok(command, "-h")
        assert f"\nusage: wheelwright {command}" in help_text
        assert "\noptions:\n" in help_text and help_text.count("\n  wheelwright ") >= 2
        assert max(map(len, help_text.splitlines())) <= 100


def test_help_of_schema(project):
    assert project.ok("help", "schema") == """\
Print the JSON Schema of a file of the matrix, or of lint's configuration.

usage: wheelwright schema [NAME] [--into DIR]

Without a name, lists the files that there are schemas of: those of the built-in tables of the
matrix, those of the project's own matrix/schema.yml, and lint's configuration. Editors complete and
check a file that names its schema in its first line: `# yaml-language-server: $schema=PATH`.

options:
  --into DIR    Write all of them into this folder, each as NAME.schema.json
  --root DIR    The project: the folder with matrix/ and templates/ (default: the nearest from here
                upwards)
  --color WHEN  Colours: auto (by the terminal, NO_COLOR and CLICOLOR_FORCE), always or never
  -h, --help    Print this text

examples:
  wheelwright schema
      Which files are there?
  wheelwright schema --into matrix/schemas
      All of them, after a change of matrix/schema.yml
  wheelwright schema triggers > triggers.schema.json
      For an editor, or for another validator
"""


def test_references(project):
    assert project.ok("help", "matrix", cwd=ROOT) == (ROOT / "docs/matrix-reference.md").read_text()
    assert project.ok("help", "schema-language") == (ROOT / "docs/schema-reference.md").read_text()
    assert project.ok("help", "templates") == (ROOT / "docs/template-reference.md").read_text()


USAGE = "usage: wheelwright generate [--out DIR] [--only NAME]... [--dry-run]"


@pytest.mark.parametrize(("words", "text"), [
    ("genrate", """\
error[unknown-command]: there is no command 'genrate'
   = did you mean 'generate'?
   = `wheelwright help` tells what each does
"""),
    ("help pin", """\
error[unknown-command]: there is no command or topic 'pin'
   = did you mean 'pins'?
   = `wheelwright help` tells what each does
"""),
    ("--vesion", """\
error[unknown-option]: there is no option '--vesion' without a command
   = did you mean '--version'?
   = options stand behind the command: wheelwright COMMAND [OPTION]...
"""),
    ("generate --dryrun", f"""\
error[unknown-option]: 'generate' has no option '--dryrun'
   = did you mean '--dry-run'?
   = {USAGE}
   = wheelwright help generate
"""),
    ("generate --out", f"""\
error[option-value]: '--out' needs a value
   = {USAGE}
   = wheelwright help generate
"""),
    ("generate --out --dry-run", f"""\
error[option-value]: '--out' needs a value, but '--dry-run' follows
   = {USAGE}
   = wheelwright help generate
"""),
    ("generate --dry-run=yes", f"""\
error[option-value]: a switch takes no value
   = {USAGE}
   = wheelwright help generate
"""),
    ("generate --threads many", f"""\
error[option-value]: '--threads' takes a whole number, not 'many'
   = {USAGE}
   = wheelwright help generate
"""),
    ("check --format jsn", """\
error[option-value]: '--format' does not take 'jsn'
   = did you mean 'json'?
   = usage: wheelwright check [--out DIR] [--all] [--format text|github|json]
   = wheelwright help check
"""),
    ("check --color sometimes", """\
error[option-value]: '--color' does not take 'sometimes'
   = it takes auto, always and never
   = usage: wheelwright check [--out DIR] [--all] [--format text|github|json]
   = wheelwright help check
"""),
    ("check now", """\
error[surplus-argument]: 'check' takes no argument, but 'now' is given
   = usage: wheelwright check [--out DIR] [--all] [--format text|github|json]
   = wheelwright help check
"""),
    ("explain a b", """\
error[surplus-argument]: 'explain' takes 1 argument at most; 'b' is one too many
   = usage: wheelwright explain [FILE[:LINE] | [FILE#]JOB | CODE]
   = wheelwright help explain
"""),
    ("actions", """\
error[missing-argument]: 'actions' needs an argument
   = usage: wheelwright actions OWNER/NAME@VERSION=FILE... [--into FILE]
   = wheelwright help actions
"""),
    ("schema famlies", """\
error[unknown-schema]: there is no file of the matrix 'famlies'
   = did you mean 'families'?
   = `wheelwright schema` lists them

1 error
"""),
    ("generate --root nowhere", """\
error[no-project]: nowhere does not hold matrix/ and templates/
   = --root names the folder that both are in

1 error; nothing was written
"""),
])
def test_command_line_mistakes(project, words, text):
    assert project.refused(*words.split()) == text


def test_no_project(tmp_path):
    tmp_path.joinpath("matrix").mkdir()
    assert Project(tmp_path).refused("check") == """\
error[no-project]: neither this folder nor one above it holds matrix/ and templates/
   = go to a project, or name it: --root DIR

1 error; nothing was compared
"""


def test_colours(generated):
    generated.replace("generated-workflows/build_gfx1151.yml", "60", "61")
    plain = generated.found("check")
    assert "\x1b" not in plain
    assert "\x1b[32m+" in generated.found("check", "--color", "always")
    assert "\x1b" in generated.found("check", "--color=always", NO_COLOR="1")
    assert generated.found("check", "--color", "never", CLICOLOR_FORCE="1") == plain


def test_colours_that_variables_ask_for(generated):
    generated.replace("generated-workflows/build_gfx1151.yml", "60", "61")
    for plain in ({}, {"TERM": "xterm"}, {"CLICOLOR_FORCE": "0"}, {"CLICOLOR_FORCE": ""},
                  {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}):
        assert "\x1b" not in generated.found("check", **plain), plain
    for coloured in ({"CLICOLOR_FORCE": "1"}, {"CLICOLOR_FORCE": "yes", "NO_COLOR": ""},
                     {"CLICOLOR_FORCE": "1", "TERM": "dumb"}):
        assert "\x1b[32m+" in generated.found("check", **coloured), coloured


def test_colours_of_a_terminal(generated):
    def printed(**environment):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([PROGRAM, "check", "--threads", "1", "extra"], stdin=subprocess.DEVNULL,
                                   stdout=theirs, stderr=theirs, cwd=generated.folder,
                                   env={"PATH": os.environ["PATH"], **environment})
        os.close(theirs)
        text = os.read(ours, 65536)
        assert process.wait() == 2
        os.close(ours)
        return text

    assert b"\x1b[" in printed() and b"\x1b[" in printed(TERM="xterm")
    assert b"\x1b[" not in printed(TERM="dumb")
    assert b"\x1b[" not in printed(TERM="xterm", NO_COLOR="1")
    assert b"\x1b[" in printed(TERM="dumb", CLICOLOR_FORCE="1")


# ---- versions -------------------------------------------------------------------------------


def own_version(project):
    return project.ok("version").split()[1]


@pytest.mark.parametrize(("row", "lies"), [
    (">=90.1,<90.2", "older"), ("==90", "older"), (">90", "older"), ("<0.0.1", "newer"), ("<=0.0.1, >=0", "newer")])
def test_a_matrix_of_another_version(project, row, lies):
    # Rows of other versions are not checked.
    project.write("matrix/settings.yml", f'settings:\n  wheelwright: "{row}"\n  later_row: 1\n')
    project.write("matrix/later.yml", "later: {}\n")
    said = project.refused("check")
    version = own_version(project)
    assert said.startswith(f"""\
error[version-skew]: this matrix is written for wheelwright {row}, and this is {version}, which is {lies}
  --> matrix/settings.yml:2:16
   |
 2 |   wheelwright: "{row}"
   |                {"^" * (len(row) + 2)}
   = install one that fits: pip install 'wheelwright-actions{row}'
""")
    assert ("CHANGELOG.md, and write" in said) == (lies == "newer")
    assert said.endswith("1 error; nothing was compared\n") and not project.out.exists()


def test_a_matrix_of_this_version(project):
    version = own_version(project)
    major, minor, _ = version.split(".")
    for row in (f">={major}.{minor},<{major}.{int(minor) + 1}", f"== {version}", f"<={version}", ">=0", f"<{int(major) + 1}"):
        project.write("matrix/settings.yml", f'settings: {{ wheelwright: "{row}" }}\n')
        project.ok("generate")
        assert json.loads((project.out / "plan.json").read_text())["settings"]["wheelwright"] == row


@pytest.mark.parametrize("row", ['"0.1"', "0.1", '"~=0.1"', '">=0.1.2.3"', '">=v0.1"', '">=0.1,"', '">=0.1;<2"'])
def test_no_range_of_versions(project, row):
    project.write("matrix/settings.yml", f"settings: {{ wheelwright: {row} }}\n")
    said = project.refused("check")
    assert "a range of versions" in said and "matrix/settings.yml:1:26" in said


PIN = "{ version: 90.1.2, digests: { linux: 'sha256:%s' } }" % ("0" * 64)


def test_a_pin_of_another_series_where_no_range_is_written(project):
    project.write("matrix/settings.yml", f"settings:\n  wheelrun: {PIN}\n")
    version = own_version(project)
    assert project.refused("check").startswith(f"""\
error[version-skew]: jobs run wheelrun 90.1.2, and this is wheelwright {version}, which is older
  --> matrix/settings.yml:2:24
""")


# ---- labels ---------------------------------------------------------------------------------

TRIGGERS = """\
triggers:
  pull_request:
    tiers: [presubmit]
    pytorch: []
    labels: { "build:pytorch": [gfx94x], %s: [gfx1151] }
    workflows: [ci_pull_request]
labels:
  skip-ci: { effect: skip, doc: Nothing }
  build:*: { effect: pytorch, doc: Wheels }
  gfx*: { effect: family, doc: A family }
"""


def test_a_label_that_starts_nothing(project):
    project.write("matrix/triggers.yml", TRIGGERS % '"BUILD:all"')
    project.ok("generate")
    project.write("matrix/triggers.yml", TRIGGERS % '"biuld:all"')
    assert project.refused("check") == """\
error[unreached-label]: no label starts the jobs that 'biuld:all' adds to pull_request
  --> matrix/triggers.yml:5:42
   |
 5 |     labels: { "build:pytorch": [gfx94x], "biuld:all": [gfx1151] }
   |                                          ^^^^^^^^^^^
   = they are started by labels that a row of `labels` gives the effect pytorch

1 error; nothing was compared
"""
    project.write("matrix/triggers.yml", TRIGGERS % "gfx1151")
    said = project.refused("check")
    assert "no label starts the jobs that 'gfx1151' adds to pull_request" in said
    assert "this row takes it: family" in said and "matrix/triggers.yml:10:3" in said


# ---- generate -------------------------------------------------------------------------------


def test_generate(project):
    assert project.ok("generate") == "generated-workflows/: 3 written\n"
    assert sorted(path.name for path in project.out.iterdir()) == [
        "build_gfx1151.yml", "build_gfx94X-dcgpu.yml", "plan.json"]
    before = project.files()
    assert project.ok("generate") == "generated-workflows/: 3 files, all current\n"
    assert project.files() == before


def test_any_number_of_threads_and_any_folder_give_the_same_bytes(project):
    project.ok("generate", "--threads", "1", "--out", "one")
    project.ok("generate", "--threads", "7", "--out", "../seven", cwd="matrix")
    read = lambda name: {path.name: path.read_bytes() for path in (project.folder / name).iterdir()}
    assert read("one") == read("seven") and len(read("one")) == 3


def test_from_a_subfolder(project):
    assert project.ok("generate", cwd="templates/workflows") == "../../generated-workflows/: 3 written\n"
    assert project.ok("check", cwd="matrix") == "../generated-workflows/ is current: 3 files\n"


def test_what_nothing_gives_any_more_is_removed(generated):
    generated.write("generated-workflows/notes.yml", "mine: 1\n")
    generated.replace("templates/workflows/build.yml", "file: build_", "file: make_")
    before = generated.files()
    assert generated.ok("generate", "--dry-run") == """\
generated-workflows/: would write 2 files, remove 2, 1 current
  new      make_gfx1151.yml
  new      make_gfx94X-dcgpu.yml
  removed  build_gfx1151.yml
  removed  build_gfx94X-dcgpu.yml
"""
    assert generated.files() == before
    assert generated.ok("generate") == "generated-workflows/: 2 written, 2 removed, 1 current\n"
    assert sorted(path.name for path in generated.out.iterdir()) == [
        "make_gfx1151.yml", "make_gfx94X-dcgpu.yml", "notes.yml", "plan.json"]


def test_only(generated):
    generated.replace("templates/workflows/build.yml", "file: build_", "file: make_")
    assert generated.ok("generate", "--only", "make_gfx94*") == "generated-workflows/: 1 written\n"
    assert sorted(path.name for path in generated.out.iterdir()) == [
        "build_gfx1151.yml", "build_gfx94X-dcgpu.yml", "make_gfx94X-dcgpu.yml", "plan.json"]
    assert generated.ok("generate", "--only", "make_gfx1151", "plan.json") == (
        "generated-workflows/: 1 written, 1 current\n")
    assert generated.refused("generate", "--only", "make_gfx1152.yml") == """\
error[unknown-file]: there is no generated file 'make_gfx1152.yml'
   = did you mean 'make_gfx1151.yml'?
   = `wheelwright plan --all-files` lists them

1 error; nothing was written
"""


def test_all_mistakes_are_told_and_nothing_is_written(generated):
    generated.replace("matrix/families.yml", "  gfx1151:\n    tier: presubmit", "  gfx1151:\n    tier: presubmitt")
    generated.replace("matrix/families.yml", "dcgpu, targets: [gfx942]", "dcgpu, targets: [942]")
    before = generated.files()
    text = """\
error[wrong-type]: 'families.gfx94x.linux.targets[0]' must be a gfx target, not the number 942
  --> matrix/families.yml:5:45
   |
 5 |     linux: { family: gfx94X-dcgpu, targets: [942], test_runs_on: linux-mi325, fetch_targets: [gfx942] }
   |                                              ^^^ such as gfx942

error[unknown-tier]: there is no tier 'presubmitt'
  --> matrix/families.yml:7:11
   |
 7 |     tier: presubmitt
   |           ^^^^^^^^^^ did you mean 'presubmit'?
   = tiers are defined in matrix/families.yml

2 errors; nothing was written
"""
    stderr = generated.refused("generate")
    # Other tests compare the whole texts; this one checks that all errors are there, and the end.
    assert [line.split(":")[0] for line in stderr.splitlines() if line.startswith("error")] == [
        line.split(":")[0] for line in text.splitlines() if line.startswith("error")]
    assert stderr.endswith("\n\n2 errors; nothing was written\n")
    assert generated.refused("check").endswith("\n\n2 errors; nothing was compared\n")
    github = generated.refused("generate", "--format", "github").splitlines()
    assert len(github) == 2 and github[1].startswith(
        "::error file=matrix/families.yml,line=7,col=11,title=unknown-tier::")
    objects = [json.loads(line) for line in generated.refused("generate", "--format", "json").splitlines()]
    assert [found["code"] for found in objects] == ["wrong-type", "unknown-tier"]
    assert generated.files() == before


def test_a_mistake_in_a_template_is_answered_in_the_template(generated):
    generated.replace("templates/workflows/build.yml", "      permissions: {}\n",
                      "      needs: no_$[[ combo.id ]]\n      permissions: {}\n")
    before = generated.files()
    assert generated.refused("generate") == """\
error[unknown-need]: job 'build_py311_torch210' needs 'no_py311_torch210', which is no job of this workflow
   --> templates/workflows/build.yml:21:14
    |
 21 |       needs: no_$[[ combo.id ]]
    |              ^^^^^^^^^^^^^^^^^^
    = in 4 instances, first: platform=linux family=gfx94X-dcgpu combo=py311_torch210

1 error; nothing was written
"""
    assert generated.files() == before


def test_a_file_in_the_way_is_left_alone(project):
    project.write("generated-workflows/build_gfx1151.yml", "name: By hand\n")
    before = project.files()
    stderr = project.refused("generate")
    assert stderr.startswith("error[output-foreign]: generated-workflows/build_gfx1151.yml exists already "
                             "and was not generated\n  --> templates/workflows/build.yml:5:9\n")
    assert project.files() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is refused to root")
def test_a_folder_that_cannot_be_written(generated):
    generated.replace("templates/workflows/build.yml", "60", "61")
    generated.out.chmod(0o500)
    before = generated.files()
    assert generated.refused("generate").startswith("error[file-access]: cannot write ")
    generated.out.chmod(0o700)
    assert generated.files() == before


def test_an_unreadable_input(generated):
    (generated.folder / "matrix/pins.yml").unlink()
    (generated.folder / "matrix/pins.yml").mkdir()
    assert generated.refused("generate") == "error[file-access]: cannot read matrix/pins.yml: it is a folder\n"


def test_a_full_device(project):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error[file-access]: the output could not be written\n")


def test_stats(generated):
    done = generated.run("generate", "--stats")
    stages = [line.split()[0] for line in done.stderr.splitlines()]
    assert done.returncode == 0
    assert stages == ["matrix", "templates", "json", "files", "expand", "link", "emit", "compare",
                      "write", "together"]


# ---- check ----------------------------------------------------------------------------------


def test_check_of_current_files(generated):
    assert generated.ok("check") == "generated-workflows/ is current: 3 files\n"
    assert generated.ok("check", "--format", "github") == "generated-workflows/ is current: 3 files\n"
    assert json.loads(generated.ok("check", "--format", "json")) == {
        "current": True, "folder": "generated-workflows", "current_files": 3, "files": [], "changes": [],
        "newer_pins": [], "repair": None}


def test_check(generated):
    generated.replace("generated-workflows/build_gfx1151.yml", "timeout-minutes: 60", "timeout-minutes: 61")
    (generated.out / "build_gfx94X-dcgpu.yml").unlink()
    header = (generated.out / "build_gfx1151.yml").read_text().splitlines()[0]
    generated.write("generated-workflows/old.yml", f"{header}\njobs: {{ clean_up: {{}} }}\n")
    before = generated.files()
    text = generated.found("check")
    assert text.startswith("""\
generated-workflows/ is not current: 1 file differs, 1 is missing, 1 is left over

  + 2 jobs  build_gfx94X-dcgpu.yml: build_py311_torch210, build_py312_torch210
  - 1 job   old.yml: clean_up
  ~ 2 jobs  timeout-minutes: 61 -> 60

  differs    build_gfx1151.yml       +2 -2
  missing    build_gfx94X-dcgpu.yml  +47
  left over  old.yml                 -2

--- generated-workflows/build_gfx1151.yml
+++ what the matrix and templates give
@@ -16,7 +16,7 @@
   build_py311_torch210:
     name: Build | py 3.11 | torch release/2.10
     runs-on: build-linux
-    timeout-minutes: 61
+    timeout-minutes: 60
     permissions: {}
""")
    assert text.endswith("""\
(30 more lines; see them with `wheelwright check --all`)
--- generated-workflows/old.yml
+++ /dev/null
@@ -1,2 +0,0 @@
-# Generated by wheelwright from templates/workflows/build.yml and matrix/. Do not edit:
-jobs: { clean_up: {} }

To repair: wheelwright generate
""")
    assert "+          make gfx94X-dcgpu\n" not in text
    assert "+          make gfx94X-dcgpu\n" in generated.found("check", "--all")
    assert generated.files() == before

    generated.ok("generate")
    generated.ok("check")


def test_check_for_programs(generated):
    generated.replace("generated-workflows/build_gfx1151.yml", "build-linux", "elsewhere")
    told = json.loads(generated.found("check", "--format", "json"))
    assert told["files"][0].pop("diff").startswith("--- generated-workflows/build_gfx1151.yml\n")
    assert told == {
        "current": False,
        "folder": "generated-workflows",
        "current_files": 2,
        "files": [{"name": "build_gfx1151.yml", "state": "stale", "added": 2, "removed": 2}],
        "changes": [{"mark": "~", "count": 2, "of": "jobs", "text": "runs-on: elsewhere -> build-linux"}],
        "newer_pins": [],
        "repair": "wheelwright generate",
    }


def test_check_for_annotations(generated):
    generated.replace("generated-workflows/build_gfx1151.yml", "build-linux", "elsewhere")
    lines = generated.found("check", "--format", "github").splitlines()
    assert lines[0] == ("::error file=generated-workflows/build_gfx1151.yml,line=18,title=not current::"
                        "build_gfx1151.yml is not what the matrix and templates give (+2 -2)%0A"
                        "To repair: wheelwright generate")
    assert lines[1] == "::group::generated-workflows/ is not current: 1 file differs"
    # The content of files cannot end the section in which the runner ignores commands.
    start, word = lines[2].removeprefix("::").split("::")
    assert (start, lines[-3]) == ("stop-commands", f"::{word}::")
    assert lines[-2:] == ["::endgroup::", "To repair: wheelwright generate"]
    assert "-    runs-on: elsewhere" in lines


def test_repair_names_the_project(generated, tmp_path):
    generated.replace("generated-workflows/build_gfx1151.yml", "60", "61")
    text = generated.found("check", "--root", "..", cwd="matrix")
    assert text.endswith("To repair: wheelwright generate --root ..\n")
    generated.ok("generate", "--root", "..", cwd="matrix")
    generated.ok("check")


def test_long_diffs_are_cut(project):
    families = "".join(
        f"  gfx{1300 + i}:\n    tier: presubmit\n    linux: {{ family: gfx{1300 + i}, targets: [gfx{1300 + i}] }}\n"
        for i in range(30))
    project.replace("matrix/families.yml", "families:\n", f"families:\n{families}")
    project.ok("generate")
    project.replace("templates/workflows/build.yml", "60", "61")
    text = project.found("check")
    assert "  ~ 64 jobs  timeout-minutes: 60 -> 61\n" in text
    assert text.count("\n+++ ") == 20
    assert "\n... and the diffs of 12 more files: see them with `wheelwright check --all`\n" in text
    assert project.found("check", "--all").count("\n+++ ") == 32


# ---- pins -----------------------------------------------------------------------------------


def test_pins(project):
    assert project.ok("pins") == f"actions\n  checkout  actions/checkout  v7.0.1  {OLD}\n"


def bump(project):
    for path in project.out.glob("*.yml"):
        path.write_text(path.read_text().replace(f"{OLD} # v7.0.1", f"{NEW} # v7.1.0"))


def test_a_bot_s_bump(generated):
    bump(generated)
    text = generated.found("check")
    assert text.endswith("""\
1 pin in generated-workflows/ is newer than in matrix/pins.yml:
  actions/checkout  v7.0.1 -> v7.1.0

To take the newer pin over and bring all files up to date: wheelwright pins --adopt
To go back to those of the matrix: wheelwright generate
""")
    told = json.loads(generated.found("check", "--format", "json"))
    assert told["repair"] == "wheelwright pins --adopt"
    assert told["newer_pins"] == [{"key": "actions.checkout", "name": "actions/checkout",
                                   "matrix": {"pin": OLD, "version": "v7.0.1"},
                                   "files": {"pin": NEW, "version": "v7.1.0"}}]

    assert generated.ok("pins", "--adopt") == """\
matrix/pins.yml: 1 newer pin taken over
  actions/checkout  v7.0.1 -> v7.1.0
generated-workflows/: 3 files, all current
"""
    assert (generated.folder / "matrix/pins.yml").read_text() == (
        PROJECT["matrix/pins.yml"].replace(OLD, NEW).replace("v7.0.1", "v7.1.0"))
    generated.ok("check")
    assert generated.ok("pins", "--adopt") == "no pin in generated-workflows/ is newer than in matrix/pins.yml\n"


def test_generate_does_not_undo_a_bump_silently(generated):
    bump(generated)
    done = generated.run("generate")
    assert (done.returncode, done.stdout) == (0, "generated-workflows/: 2 written, 1 current\n")
    assert done.stderr.startswith("warning[newer-pin]: actions/checkout v7.1.0 stood in the generated files, and "
                                  "the matrix has v7.0.1\n  --> matrix/pins.yml:2:")
    assert done.stderr.endswith(
        "   = to keep it: restore the files, then run `wheelwright pins --adopt`\n\n1 warning\n")


def test_a_tag_that_moved_is_not_adopted(generated):
    for path in generated.out.glob("*.yml"):
        path.write_text(path.read_text().replace(OLD, NEW))
    before = generated.files()
    assert generated.refused("pins", "--adopt").startswith("error[pin-moved]: ")
    done = generated.run("check")
    assert done.returncode == 1 and done.stderr.startswith("error[pin-moved]: ")
    assert done.stdout.endswith("To repair: wheelwright generate\n")
    assert generated.files() == before


# ---- plan, schema ---------------------------------------------------------------------------


def test_plan(project):
    text = project.ok("plan")
    assert text.startswith("""\
ci, linux
family        python     torch  runner       promotes
gfx94X-dcgpu  3.11 3.12  2.10   linux-mi325  not released
gfx1151       3.11 3.12  2.10   linux-1151   not released
""")
    assert text.splitlines()[-1].startswith("4 combos, 4 jobs in 2 files; largest file ")
    one = project.ok("plan", "--workflow", "*1151", "--combos", "--all-files")
    assert "gfx1151  py311_torch210  in" in one and "gfx94X" not in one
    assert json.loads(project.ok("plan", "--format", "json"))["jobs"] == 4
    assert project.ok("plan", "--format", "markdown").startswith("### ci, linux\n\n| family |")
    assert project.refused("plan", "--workflow", "build_gfx1152.yml") == """\
error[unknown-file]: there is no generated workflow 'build_gfx1152.yml'
   = did you mean 'build_gfx1151.yml'?
   = `wheelwright plan --all-files` lists them

1 error
"""


def test_schema(project):
    names = [line.split()[0] for line in project.ok("schema", cwd=ROOT).splitlines()]
    assert names[0] == "settings" or "families" in names
    for name in names:
        committed = (ROOT / f"docs/schemas/{name}.schema.json").read_text()
        assert project.ok("schema", name, cwd=ROOT) == project.ok("schema", f"matrix/{name}.yml", cwd=ROOT) == committed


# ---- explain --------------------------------------------------------------------------------


def line_of(project, text, file="build_gfx1151.yml"):
    lines = (project.out / file).read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if text in line)


def test_explain_a_line(generated):
    number = line_of(generated, "name: Build | py 3.12")
    assert generated.ok("explain", f"generated-workflows/build_gfx1151.yml:{number}") == f"""\
generated-workflows/build_gfx1151.yml:{number}  in job build_py312_torch210
  name: Build | py 3.12 | torch release/2.10

  name: Build | $[[ combo.label ]]            templates/workflows/build.yml:18
  combo.label = py 3.12 | torch release/2.10  matrix/pytorch.yml:7
  for combo in family.combos                  templates/workflows/build.yml:15
    combo = python 3.12, torch release/2.10   matrix/pytorch.yml:7
  for family in platform.families             templates/workflows/build.yml:4
    family = gfx1151                          matrix/families.yml:6
  for platform in combo_sets.ci.platforms     templates/workflows/build.yml:3
    platform = linux                          matrix/platforms.yml:2
"""


def test_explain_a_line_of_a_script(generated):
    number = line_of(generated, "make gfx1151")
    text = generated.ok("explain", f"build_gfx1151.yml:{number}")
    assert "  make $[[ family.name ]] " in text and "templates/workflows/build.yml:27\n" in text
    assert "  family.name = gfx1151 " in text and "matrix/families.yml:8\n" in text


def test_explain_a_line_of_a_fragment(generated):
    included = "- $[[ include fragments/checkout.yml ]]: { minutes: 5 }  templates/workflows/build.yml:23\n"
    text = generated.ok("explain", f"build_gfx1151.yml:{line_of(generated, 'timeout-minutes: 5')}")
    assert "  timeout-minutes: $[[ minutes ]] " in text and "templates/fragments/checkout.yml:5\n" in text
    assert "  minutes = 5 " in text and included in text
    # Also for a line that is the same in all inclusions of the fragment.
    text = generated.ok("explain", f"build_gfx1151.yml:{line_of(generated, 'persist-credentials')}")
    assert "templates/fragments/checkout.yml:7\n" in text and included in text


def test_explain_comments_and_blank_lines(generated):
    number = line_of(generated, "# One for each combo.")
    text = generated.ok("explain", f"build_gfx1151.yml:{number}")
    assert f"\n  a comment, which goes with line {number + 1}: build_py311_torch210:\n" in text
    assert "\n  wheelwright itself writes this line\n" in generated.ok("explain", "build_gfx1151.yml:1")
    number = line_of(generated, "permissions: {}")
    text = generated.ok("explain", f"build_gfx1151.yml:{number - 1}")
    assert f"\n  a blank line, which goes with line {number}: permissions: {{}}\n" in text


def test_every_line_has_an_explanation(generated):
    for number in range(1, 1 + len((generated.out / "build_gfx1151.yml").read_text().splitlines())):
        text = generated.ok("explain", f"build_gfx1151.yml:{number}")
        assert "templates/" in text or "wheelwright itself" in text


def test_explain_a_file_and_a_job(generated):
    assert generated.ok("explain", "build_gfx1151.yml").startswith("""\
generated-workflows/build_gfx1151.yml  2 jobs, 47 lines

  file: build_$[[ family.name ]].yml       templates/workflows/build.yml:5
  family.name = gfx1151                    matrix/families.yml:8
""")
    text = generated.ok("explain", "build_py312_torch210")
    assert text.count("build_py312_torch210  Build | py 3.12 | torch release/2.10\n") == 2
    assert "  generated-workflows/build_gfx94X-dcgpu.yml:" in text
    one = generated.ok("explain", "generated-workflows/build_gfx1151.yml#build_py312_torch210")
    assert one in text and "gfx94X" not in one


def test_explain_says_when_the_file_is_another(generated):
    generated.replace("matrix/platforms.yml", "build-linux", "elsewhere")
    text = generated.ok("explain", "build_gfx1151.yml:18")
    assert text.startswith("generated-workflows/build_gfx1151.yml is not current: what follows is true of the file "
                           "that `wheelwright generate` would write\n\n")
    assert "runs-on: elsewhere" in text


@pytest.mark.parametrize(("target", "text"), [
    ("build_gfx1152.yml", """\
error[unknown-file]: there is no generated workflow 'build_gfx1152.yml'
   = did you mean 'build_gfx1151.yml'?
   = `wheelwright plan --all-files` lists them

1 error
"""),
    ("build_gfx1151.yml:1000", "error[unknown-line]: build_gfx1151.yml has 47 lines, not 1,000\n\n1 error\n"),
    ("build_py312_torch21", """\
error[unknown-job]: there is no job or code 'build_py312_torch21'
   = did you mean 'build_py312_torch210'?
   = for a file, give its whole name, or a line: FILE:LINE

1 error
"""),
    ("build_gfx1151.yml#bild", """\
error[unknown-job]: there is no job in build_gfx1151.yml called 'bild'
   = there are build_py311_torch210 and build_py312_torch210

1 error
"""),
])
def test_explain_what_is_not_there(generated, target, text):
    assert generated.refused("explain", target) == text


# ---- lint -----------------------------------------------------------------------------------

CALLED = """\
on:
  workflow_call:
    inputs:
      name: { type: string, required: true }
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - env: { NAME: "${{ inputs.name }}" }
        run: echo "$NAME"
"""
CALLER = """\
on: push
permissions: {}
jobs:
  call:
    uses: ./.github/workflows/called.yml
    with:
      nam: you
"""


@pytest.fixture
def foreign(tmp_path):
    """A repository without wheelwright."""
    return Project(tmp_path, {".github/workflows/called.yml": CALLED, ".github/workflows/caller.yml": CALLER})


FINDINGS = """\
error[missing-input]: job 'call' does not give called.yml the required input 'name'
  --> {0}:5:11
   |
 5 |     uses: ./.github/workflows/called.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: .github/workflows/called.yml:4:7
   |
 4 |       name: {{ type: string, required: true }}
   |       ^^^^ required here

error[unknown-input]: called.yml has no input 'nam'
  --> {0}:7:7
   |
 7 |       nam: you
   |       ^^^ did you mean 'name'?
  ::: .github/workflows/called.yml:2:3
   |
 2 |   workflow_call:
   |   ^^^^^^^^^^^^^ the called workflow

1 file, 2 errors
"""


def test_lint_of_any_workflow(foreign):
    assert foreign.found("lint", ".github/workflows/caller.yml") == FINDINGS.format(".github/workflows/caller.yml")
    assert foreign.ok("lint", ".github/workflows/called.yml") == "1 file, no findings\n"
    assert foreign.found("lint", ".github/workflows").endswith("\n\n2 files, 2 errors\n")


def test_lint_of_stdin(foreign):
    name = ".github/workflows/new.yml"
    assert foreign.found("lint", "-", "--stdin-name", name, stdin=CALLER) == FINDINGS.format(name)
    assert foreign.ok("lint", "-", stdin=CALLED) == "1 file, no findings\n"


def test_lint_for_machines(foreign):
    lines = foreign.found("lint", ".github/workflows", "--format", "github").splitlines()
    assert len(lines) == 2 and lines[1].startswith(
        "::error file=.github/workflows/caller.yml,line=7,col=7,title=unknown-input::called.yml has no input 'nam'")
    codes = [json.loads(line)["code"]
             for line in foreign.found("lint", ".github/workflows", "--format", "json").splitlines()]
    assert codes == ["missing-input", "unknown-input"]


def test_strict_lint_finds_more(foreign):
    assert foreign.ok("lint", ".github/workflows/called.yml")
    assert "error[" in foreign.found("lint", "--strict", ".github/workflows/called.yml")


def test_lint_of_what_is_no_workflow(foreign):
    foreign.write("broken.yml", "jobs: [\n")
    foreign.write("empty.yml", "")
    assert foreign.found("lint", "broken.yml").startswith("error[yaml-syntax]: ")
    assert "--> empty.yml:1:1\n" in foreign.found("lint", "empty.yml")
    assert foreign.refused("lint", "broken.yml", "missing.yml") == """\
error[file-access]: there is no file missing.yml

1 error; nothing was checked
"""
    (foreign.folder / "folder").mkdir()
    assert foreign.refused("lint", "folder") == """\
error[file-access]: folder holds no .yml or .yaml file

1 error; nothing was checked
"""


def test_lint_of_the_project(project):
    assert project.ok("lint") == "2 files, no findings\n"
    project.replace("templates/workflows/build.yml", "      timeout-minutes: 60\n", "")
    text = project.found("lint")
    assert text.startswith("error[missing-timeout]: job 'build_py311_torch210' has no 'timeout-minutes'\n")
    assert text.endswith("\n\n2 files, 1 error\n")
    assert not project.out.exists()


# ---- hooks ----------------------------------------------------------------------------------


def test_the_hooks_run(generated):
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text().splitlines()
    entries = [line.split("entry: wheelwright ")[1].split() for line in hooks if "entry:" in line]
    assert entries
    for words in entries:
        generated.ok(*words)
