"""A project with its own schema, without sources or a compiler.

The first project is the example of docs/schema-language.md.
"""

import json
import re

import pytest
import yaml
from json_schema import jsonschema
from wheelwright import ROOT, SETTINGS, Project

SCHEMA, ROWS = (
    re.sub(r"^# matrix/\w+\.yml\n", "", block)
    for block in re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/schema-language.md").read_text(encoding="utf-8"), re.S)[:2]
)
TEMPLATE = """\
$[[ template ]]:
  for: compiler in compilers
  file: $[[ compiler.name ]].yml

name: $[[ compiler.name ]]
on: { push: {} }
permissions: {}
concurrency: { group: "$[[ compiler.name ]]-${{ github.ref }}", cancel-in-progress: true }
jobs:
  build:
    name: Build
    runs-on: $[[ compiler.runs_on ]]
    timeout-minutes: 30
    steps:
      - run: make CC=$[[ compiler.name ]]-$[[ compiler.version ]]
  $[[ for sanitizer in compiler.sanitizers ]]:
    $[[ sanitizer ]]:
      name: Check | $[[ sanitizer ]]
      runs-on: $[[ compiler.runs_on ]]
      timeout-minutes: 30
      steps:
        - run: make check SANITIZER=$[[ sanitizer ]]
"""


FILES = {"matrix/schema.yml": SCHEMA, "matrix/compilers.yml": ROWS, "matrix/settings.yml": SETTINGS,
         "templates/workflows/build.yml": TEMPLATE}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path, FILES)


def test_a_project_with_tables_of_its_own(project):
    project.ok("generate")
    assert sorted(path.name for path in (project.folder / "generated").glob("*")) == ["clang.yml", "gcc.yml"]
    gcc, clang = project.made("gcc.yml"), project.made("clang.yml")
    assert list(gcc["jobs"]) == ["build", "address"]
    assert gcc["jobs"]["build"]["runs-on"] == "ubuntu-24.04"
    assert gcc["jobs"]["build"]["steps"][0]["run"] == "make CC=gcc-14.2"
    assert list(clang["jobs"]) == ["build"]
    assert clang["jobs"]["build"]["runs-on"] == "ubuntu-24.04-arm"
    assert project.ok("check").startswith("generated/ is current: 2 files")
    assert "gcc.yml" in project.ok("plan")
    assert "matrix/compilers.yml:2" in project.ok("explain", "gcc.yml")


def test_a_new_column(project):
    project.replace("matrix/schema.yml", "      sanitizers:",
                    "      flags: { type: text, default: -O2, doc: What it is called with, example: -O2 }\n      sanitizers:")
    project.replace("matrix/compilers.yml", 'gcc: { version: "14.2"', 'gcc: { version: "14.2", flags: -O3')
    project.replace("templates/workflows/build.yml", "- run: make CC", "- run: make CFLAGS=$[[ compiler.flags ]] CC")
    project.ok("generate")
    assert project.made("gcc.yml")["jobs"]["build"]["steps"][0]["run"] == "make CFLAGS=-O3 CC=gcc-14.2"
    assert project.made("clang.yml")["jobs"]["build"]["steps"][0]["run"] == "make CFLAGS=-O2 CC=clang-19.1"
    assert "| `flags` | text | `-O2` | What it is called with | `-O2` |" in project.ok("help", "matrix")


def test_a_new_table_of_which_rows_are_named(project):
    project.replace("matrix/schema.yml", "\nrows:\n", """\
  platforms: { file: compilers, type: map of key to row platform, doc: "The machines, by name" }

rows:
  platform:
    noun: a platform
    columns:
      label: { type: runner_label, required: true, doc: Its label, example: ubuntu-24.04 }
""")
    project.replace("matrix/schema.yml", "runs_on: { type: runner_label, default: ubuntu-24.04",
                    "runs_on: { type: row of platforms, required: true")
    project.replace("matrix/schema.yml", "The runner of its jobs, example: ubuntu-24.04", "The platform of its jobs, example: small")
    project.write("matrix/compilers.yml", """\
platforms: { small: { label: ubuntu-24.04 }, arm: { label: ubuntu-24.04-arm } }
compilers:
  gcc: { version: "14.2", runs_on: small }
  clang: { version: "19.1", runs_on: arms }
""")
    project.replace("templates/workflows/build.yml", "runs-on: $[[ compiler.runs_on ]]",
                    "runs-on: $[[ compiler.runs_on.label ]]")
    assert project.wrong("generate") == """\
error[unknown-platform]: no platform is called 'arms'
  --> matrix/compilers.yml:4:38
   |
 4 |   clang: { version: "19.1", runs_on: arms }
   |                                      ^^^^ did you mean 'arm'?
   = platforms are defined in matrix/compilers.yml

1 error; nothing was written
"""
    project.replace("matrix/compilers.yml", "arms", "arm")
    project.ok("generate")
    assert project.made("clang.yml")["jobs"]["build"]["runs-on"] == "ubuntu-24.04-arm"


def test_columns_for_the_rows_of_another_table(project):
    project.replace("matrix/schema.yml", "\nrows:\n", """\
  systems: { file: compilers, type: map of key to text, doc: "Operating systems, by name" }

rows:
  there:
    noun: a compiler on one system
    columns:
      package: { type: text, required: true, unique: true, doc: "Its package on {system}", example: gcc-14 }
""")
    project.replace("matrix/schema.yml", "      sanitizers:", """\
      each system of systems: { type: row there, doc: "What it is on {system}; none: it is not built there" }
      sanitizers:""")
    project.replace("matrix/compilers.yml", "compilers:\n", "systems: { linux: Linux, macos: macOS }\ncompilers:\n")
    project.replace("matrix/compilers.yml", 'gcc: { version: "14.2"', 'gcc: { version: "14.2", linux: { package: gcc-14 }')
    project.replace("templates/workflows/build.yml", "make CC=$[[ compiler.name ]]",
                    "make CC=$[[ compiler.linux && compiler.linux.package || 'none' ]]")
    project.ok("generate")
    assert project.made("gcc.yml")["jobs"]["build"]["steps"][0]["run"] == "make CC=gcc-14-14.2"
    assert project.made("clang.yml")["jobs"]["build"]["steps"][0]["run"] == "make CC=none-19.1"
    schema = json.loads(project.ok("schema", "compilers"))
    assert {"linux", "macos"} < set(schema["definitions"]["a-compiler"]["properties"])
    (project.folder / "generated").rename(project.folder / "made")
    project.replace("matrix/compilers.yml", "linux: { package", "windows: { package")
    assert "error[unknown-key]: 'compilers.gcc' has no column 'windows'\n" in project.wrong("generate")


def test_more_columns_of_a_built_in_table(project):
    project.replace("matrix/schema.yml", "\nrows:\n", """
rows:
  runner:
    columns:
      cores: { type: integer from 1, default: 4, doc: How many it has, example: 16 }
""")
    project.replace("matrix/schema.yml", "tables:\n", "tables:\n  runners: { file: compilers }\n")
    project.replace("matrix/compilers.yml", "compilers:\n", """\
runners: { ubuntu-24.04: { domains: [], why: GitHub's own, cores: 16 } }
compilers:
""")
    project.replace("templates/workflows/build.yml", "make check", "make check -j$[[ runners['ubuntu-24.04'].cores ]]")
    project.ok("generate")
    assert project.made("gcc.yml")["jobs"]["address"]["steps"][0]["run"] == "make check -j16 SANITIZER=address"


def test_an_editor_knows_the_schema_and_the_tables(project):
    for name in ("schema", "compilers", "settings"):
        schema = json.loads(project.ok("schema", name))
        jsonschema.Draft7Validator.check_schema(schema)
        rows = yaml.load((project.folder / f"matrix/{name}.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)
        jsonschema.Draft7Validator(schema).validate(rows)
    compilers = jsonschema.Draft7Validator(json.loads(project.ok("schema", "compilers")))
    assert not compilers.is_valid({"compilers": {"gcc": {"version": "14"}}})
    assert not compilers.is_valid({"compilers": {"gcc": {"version": "14.2", "sanitizers": ["memory"]}}})
    listed = project.ok("schema").splitlines()
    assert [line.split()[0] for line in listed] == ["settings", "compilers", "triggers", "domains", "pins", "limits", "external",
                                                       "acknowledged", "shared", "schema",
                                                       "lint"]


def test_a_project_without_a_schema_has_the_built_in_tables(project):
    (project.folder / "matrix/schema.yml").unlink()
    assert project.wrong("generate").startswith("""\
error[unknown-file]: nothing reads matrix/compilers.yml
   = there is no matrix/schema.yml, which says what other files hold
""")


def message(project):
    """The single error: its first line, its line number, the underlined text, and the words behind the carets."""
    text = project.wrong("generate")
    assert text.endswith("\n1 error; nothing was written\n"), text
    head, place, _, line, carets, *_ = text.splitlines()
    shown = line.split("|", 1)[1]
    marks = carets.split("|", 1)[1]
    start, count = marks.index("^"), marks.count("^")
    assert place.strip().startswith("--> matrix/schema.yml:")
    return head, shown[start : start + count], marks[start + count :].strip()


@pytest.mark.parametrize(("old", "new", "head", "marked", "hint"), [
    ("type: version,", "type: verson,", "error[unknown-in-schema]: no format or set of words is called 'verson'", "verson",
     "did you mean 'version'?"),
    ("to row compiler,", "to row compilr,", "error[unknown-in-schema]: no kind of row is called 'compilr'", "compilr",
     "did you mean 'compiler'?"),
    ("type: list of sanitizer", "type: list of name of compiler", "error[unknown-in-schema]: no table is called 'compiler'",
     "compiler", "did you mean 'compilers'?"),
    ("file: compilers,", "file: compiler,", "error[unknown-in-schema]: no file is called 'compiler'", "compiler",
     "did you mean 'compilers'?"),
    ("type: list of sanitizer", "type: list sanitizer", "error[bad-type]: 'of' must stand before 'sanitizer'", "sanitizer", ""),
    ("type: list of sanitizer", "type: list of", "error[bad-type]: a type is missing at the end", "of", ""),
    ("type: list of sanitizer", "type: list of sanitizer or sanitizer list",
     "error[bad-type]: nothing can follow here, and 'list' does", "list", ""),
    ("type: list of sanitizer", "type: sanitizer or version",
     "error[bad-type]: only a list, or a mapping, can be told from what stands before `or`", "version", ""),
    ("type: list of sanitizer", "type: row compiler", "error[schema-circle]: the row 'compiler' would hold itself", "compiler",
     ""),
    ("type: list of sanitizer", "type: list of row of compilers",
     "error[schema-circle]: rows of 'compilers' would stand in rows of 'compilers' without end", "compilers", ""),
    ("default: ubuntu-24.04", "default: [a]",
     "error[bad-default]: the default of 'runs_on' does not fit its type: 'runs_on' must be a runner label, not a list", "[",
     "for one value, write a"),
    ('example: "14.2" }\n      runs', 'example: "14" }\n      runs',
     "error[bad-default]: the example of 'version' does not fit its type: '14' is not a version", '"14"',
     'expected something like "14.2"'),
    ("required: true, doc: The version", 'required: true, default: "1.2", doc: The version',
     "error[bad-default]: 'version' is required, so nothing is filled in for it", "default", ""),
    (r"'^[0-9]+\.[0-9]+$'", "'^[0-9+$'", "error[bad-pattern]: the pattern of 'version' is no regular expression", "'^[0-9+$'",
     ""),
    ("key: name,", "keys: name,", "error[unknown-key]: 'tables.compilers' has no column 'keys'", "keys", "did you mean 'key'?"),
    ("rows:\n", "rows:\n  tool: { noun: a compiler, columns: {} }\n",
     "error[name-taken]: 'a compiler' is what 'tool' is called too", "a compiler", ""),
    ("  sanitizer: {", "  version: {", "error[name-taken]: 'version' is defined twice", "version", ""),
    ("  sanitizer: {", "  cron: {", "error[name-taken]: 'cron' is built in", "cron", ""),
    ("  sanitizer: {", "  list: {", "error[name-taken]: 'list' is a word of the language", "list", ""),
    ("tables:\n", "tables:\n  runners: { type: any }\n",
     "error[name-taken]: 'runners' is built in: 'file' is all that can be said of it here", "type", ""),
    ("rows:\n", "rows:\n  runner: { columns: { why: { type: any, doc: x } } }\n",
     "error[name-taken]: the built-in 'runner' has a column 'why'", "why", ""),
    ("rows:\n", "rows:\n  runner: { columns: { each x of hosts: { type: any, doc: x } } }\n",
     "error[unknown-in-schema]: no table is called 'hosts'", "each x of hosts", ""),
    ("    noun: a compiler\n", "    noun: a compiler\n    needs_one_of: [verson]\n",
     "error[unknown-in-schema]: no column of the row is called 'verson'", "verson", "did you mean 'version'?"),
    ("    noun: a compiler\n", "    noun: a compiler\n    extends: compiler\n",
     "error[schema-circle]: the row 'compiler' would hold itself", "compiler", ""),
    ("    noun: a compiler\n", "    noun: a compiler\n    extends: program\n",
     "error[unknown-in-schema]: no kind of row is called 'program'", "program", ""),
    ("    noun: a compiler\n", "", "error[missing-key]: 'rows.compiler' has no 'noun'", "compiler", ""),
])
def test_a_wrong_schema_is_an_error_at_its_place(project, old, new, head, marked, hint):
    project.replace("matrix/schema.yml", old, new)
    if "sanitizer: {" in old:  # the removed type
        project.replace("matrix/schema.yml", "type: list of sanitizer", "type: list of text")
    assert message(project) == (head, marked, hint)


def test_what_the_program_says_of_itself_names_no_product(tmp_path):
    alone = Project(tmp_path, {})
    words = re.compile(r"gfx|torch|rocm|hip\b|python|triton|amd|famil", re.I)
    for page in (("help", "--json"), ("help", "matrix"), ("help", "schema-language"), ("help", "templates")):
        # One of the projects that `init` begins with has the name of a product.
        assert words.findall(re.sub(r'^ *"rocm"$', "", alone.ok(*page), flags=re.M)) == []
