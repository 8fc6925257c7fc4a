"""Checks and computed columns in the schema of a project, without sources or a compiler."""

import pytest
from wheelwright import SETTINGS, Project

SCHEMA = """\
files:
  hosts: The machines and what they build

tables:
  hosts: { file: hosts, type: map of name to row host, key: name, doc: "The machines, by name" }
  compilers: { file: hosts, type: map of name to row compiler, key: name, doc: "The compilers, by name" }

rows:
  host:
    noun: a host
    columns:
      runs_on: { type: runner_label, doc: Its runner }
      compilers: { type: list of name of compilers, default: [], doc: What it has }
      main: { type: row of compilers, doc: What it uses }
    computed:
      tested: { value: "$[[ row.runs_on != null ]]", type: boolean, doc: There is a runner }
      title: { value: "$[[ key ]] with $[[ row.uses ]]", type: text, doc: What people call it }
      uses: { value: "$[[ row.main && row.main.short || 'nothing' ]]", type: text, doc: What it uses }
  compiler:
    noun: a compiler
    columns:
      version: { type: version, required: true, doc: Its version }
    computed:
      short: { value: "$[[ key ]]-$[[ split(row.version, '.')[0] ]]", type: name, doc: Its command }
      hosts: { value: "$[[ length(hosts) ]]", type: integer, doc: How many hosts there are }

formats:
  version: { noun: a version, pattern: '^[0-9]+\\.[0-9]+$', example: "14.2", rule: "two numbers with a dot" }

checks:
"""
ROWS = """\
compilers:
  gcc: { version: "14.2" }
  clang: { version: "19.1" }
hosts:
  fast: { runs_on: ubuntu-24.04, compilers: [gcc, clang], main: gcc }
  slow: { compilers: [gcc] }
  old: { compilers: [clang], main: clang }
"""
TEMPLATE = """\
$[[ template ]]:
  for: host in hosts
  if: host.tested
  file: $[[ host.name ]].yml

name: $[[ host.title ]]
on: { push: {} }
permissions: {}
concurrency: { group: "$[[ host.name ]]-${{ github.ref }}", cancel-in-progress: true }
jobs:
  build:
    name: Build
    runs-on: $[[ host.runs_on ]]
    timeout-minutes: 30
    steps:
      - run: make CC=$[[ host.main.short ]] HOSTS=$[[ host.main.hosts ]]
"""


FILES = {"matrix/schema.yml": SCHEMA.removesuffix("\nchecks:\n"), "matrix/hosts.yml": ROWS,
         "matrix/settings.yml": SETTINGS, "templates/workflows/build.yml": TEMPLATE}


class Checked(Project):
    def checks(self, text):
        self.write("matrix/schema.yml", SCHEMA + text)


@pytest.fixture
def project(tmp_path):
    return Checked(tmp_path, FILES)


def test_computed_columns_are_columns_like_others(project):
    project.ok("generate")
    text = (project.folder / "generated/fast.yml").read_text(encoding="utf-8")
    assert "name: fast with gcc-14\n" in text
    assert "make CC=gcc-14 HOSTS=3\n" in text
    assert [path.name for path in (project.folder / "generated").glob("*")] == ["fast.yml"]
    assert "| `tested` | true or false | computed | There is a runner |" in project.ok("help", "matrix")
    assert "tested" not in project.ok("schema", "hosts")


def test_a_computed_column_is_given_by_no_row(project):
    project.replace("matrix/hosts.yml", "slow: {", "slow: { tested: true,")
    assert project.wrong("generate").startswith("""\
error[computed-column]: 'hosts.slow.tested' is computed, and no row gives it
  --> matrix/hosts.yml:6:11
   |
 6 |   slow: { tested: true, compilers: [gcc] }
   |           ^^^^^^
""")


def test_a_computed_column_that_hides_another(project):
    project.replace("matrix/schema.yml", "      tested: {", "      runs_on: {")
    assert "error[name-taken]: the row has two columns 'runs_on'\n   --> matrix/schema.yml:16:7\n" in project.wrong("generate")


def test_computed_columns_read_each_other(project):
    project.replace("matrix/schema.yml", "$[[ length(hosts) ]]", "$[[ length(where(hosts, 'tested', true)) ]]")
    project.replace("matrix/schema.yml", "$[[ row.runs_on != null ]]", "$[[ row.title == 'fast with gcc-14' ]]")
    project.ok("generate")
    assert "HOSTS=1\n" in (project.folder / "generated/fast.yml").read_text(encoding="utf-8")


def test_a_computed_column_that_reads_itself(project):
    project.replace("matrix/schema.yml", "$[[ row.runs_on != null ]]", "$[[ !row.tested ]]")
    assert project.wrong("generate") == """\
error[schema-circle]: the computed column 'tested' reads itself
   --> matrix/schema.yml:16:7
    |
 16 |       tested: { value: "$[[ !row.tested ]]", type: boolean, doc: There is a runner }
    |       ^^^^^^

1 error; nothing was written
"""


def test_computed_columns_that_read_themselves_by_way_of_a_reference_and_a_table(project):
    project.replace("matrix/schema.yml", "$[[ key ]]-$[[ split(row.version, '.')[0] ]]", "x$[[ length(hosts.*.title) ]]")
    assert project.wrong("generate").startswith("""\
error[schema-circle]: the computed column 'title' reads itself
   --> matrix/schema.yml:17:7
    |
 17 |       title: { value: "$[[ key ]] with $[[ row.uses ]]", type: text, doc: What people call it }
    |       ^^^^^
   ::: matrix/schema.yml:18:7
    |
 18 |       uses: { value: "$[[ row.main && row.main.short || 'nothing' ]]", type: text, doc: What it uses }
    |       ^^^^ by way of this one
   ::: matrix/schema.yml:24:7
    |
 24 |       short: { value: "x$[[ length(hosts.*.title) ]]", type: name, doc: Its command }
    |       ^^^^^ by way of this one
""")


def test_what_is_computed_fits_its_type(project):
    project.replace("matrix/schema.yml", "$[[ key ]]-$[[ split", "$[[ key ]] $[[ split")
    assert project.wrong("generate").startswith("""\
error[bad-computed]: the computed column 'short' does not fit its type: 'gcc 14' is not a name
   --> matrix/hosts.yml:2:3
    |
  2 |   gcc: { version: "14.2" }
    |   ^^^
   ::: matrix/schema.yml:24:23
    |
 24 |       short: { value: "$[[ key ]] $[[ split(row.version, '.')[0] ]]", type: name, doc: Its command }
""")


def test_names_in_computed_columns_are_looked_up(project):
    project.replace("matrix/schema.yml", "row.runs_on != null", "row.run_on != null")
    assert project.wrong("generate").startswith("""\
error[unknown-property]: 'row' has no column 'run_on'
   --> matrix/schema.yml:16:33
    |
 16 |       tested: { value: "$[[ row.run_on != null ]]", type: boolean, doc: There is a runner }
    |                                 ^^^^^^ did you mean 'runs_on'?
""")


def test_a_check_is_an_error_at_its_row(project):
    project.checks("""\
  - each: [host in hosts, name in host.compilers]
    if: host.main
    that: startsWith(host.main.short, name) || host.tested
    at: name
    code: idle-compiler
    message: "'$[[ host.name ]]' has '$[[ name ]]' and never uses it"
    near: split('gc', ',')
    related: [{ at: host.main, text: what it uses }]
    notes: [{ text: "take it out, or give it a runner" }, { if: host.tested, text: never said }]
""")
    project.replace("matrix/hosts.yml", "compilers: [clang], main", "compilers: [clang, gcc], main")
    assert project.wrong("generate") == """\
error[idle-compiler]: 'old' has 'gcc' and never uses it
  --> matrix/hosts.yml:7:29
   |
 7 |   old: { compilers: [clang, gcc], main: clang }
   |                             ^^^ did you mean 'gc'?
  ::: matrix/hosts.yml:7:35
   |
 7 |   old: { compilers: [clang, gcc], main: clang }
   |                                   ^^^^ what it uses
   = take it out, or give it a runner

1 error; nothing was written
"""


def test_rows_of_which_the_same_is_said_are_one_message(project):
    project.checks("""\
  - each: host in hosts
    that: host.tested
    code: no-runner
    message: nothing runs on '$[[ host.name ]]'
    hint: "add runs_on"
""")
    assert project.wrong("generate") == """\
error[no-runner]: nothing runs on 'slow' (and 1 more)
  --> matrix/hosts.yml:6:3
   |
 6 |   slow: { compilers: [gcc] }
   |   ^^^^ add runs_on
  ::: matrix/hosts.yml:7:3
   |
 7 |   old: { compilers: [clang], main: clang }
   |   ^^^ 'old' too

1 error; nothing was written
"""


def test_a_warning_is_what_check_says(project):
    project.checks("""\
  - if: length(where(hosts, 'tested', true)) < 2
    level: warning
    at: hosts
    code: few-runners
    message: one runner does it all
""")
    project.ok("generate")
    done = project.run("check")
    assert done.returncode == 0
    assert done.stderr.startswith("warning[few-runners]: one runner does it all\n  --> matrix/hosts.yml:")


@pytest.mark.parametrize(("check", "said"), [
    ("{ each: host in hots, that: host, code: a-b, message: m }",
     "error[unknown-name]: nothing is called 'hots' here\n   --> matrix/schema.yml:31:21\n"),
    ("{ each: host in hosts, that: host.tested && , code: a-b, message: m }", "error[schema-expression]: expected "),
    ("{ each: host of hosts, that: host, code: a-b, message: m }", "error[bad-value]: 'host of hosts' is not a loop\n"),
    ("{ each: host in hosts, code: a-b, message: m }", "error[missing-key]: 'checks[0]' needs at least one of 'if' and 'that'\n"),
    ("{ each: host in hosts, that: host, code: Ab, message: m }", "error[bad-value]: 'Ab' is not a code\n"),
    ("{ each: [host in hosts, x in host.tested], that: x, code: a-b, message: m }",
     "error[not-a-list]: a loop needs a list, found a boolean\n"),
    ("{ each: host in hosts, that: host, code: a-b, message: m, nots: [] }", "error[unknown-key]: 'checks[0]' has no column 'nots'\n"),
])
def test_what_is_wrong_in_a_check(project, check, said):
    project.checks(f"  - {check}\n")
    assert project.wrong("generate").startswith(said)


def test_a_row_for_which_a_check_cannot_be_evaluated(project):
    project.checks("""\
  - each: host in hosts
    that: host.compilers[1]
    code: one-compiler
    message: there is one
""")
    assert project.wrong("generate").startswith("""\
error[schema-expression]: 'host.compilers' has no item 1
   --> matrix/schema.yml:32:26
    |
 32 |     that: host.compilers[1]
    |                          ^ it has 1 item, counted from 0
   ::: matrix/hosts.yml:6:3
    |
  6 |   slow: { compilers: [gcc] }
    |   ^^^^ computed for this
""")


def test_a_computed_column_may_be_a_list_of_rows(project):
    project.replace("matrix/schema.yml", "      tested: {",
                    "      builds:\n        value:\n          each: one\n          of: $[[ row.compilers ]]\n"
                    "          if: $[[ row.tested ]]\n          columns: { name: \"$[[ key ]]-$[[ one ]]\" }\n"
                    "        type: list of any\n        doc: Its builds\n      tested: {")
    project.replace("templates/workflows/build.yml", "HOSTS=$[[ host.main.hosts ]]", "BUILDS=$[[ join(host.builds.*.name) ]]")
    project.ok("generate")
    assert "BUILDS=fast-gcc" in (project.folder / "generated/fast.yml").read_text(encoding="utf-8")
    project.replace("matrix/schema.yml", "$[[ key ]]-$[[ one ]]", "$[[ key ]]-$[[ one.nme ]]")
    assert "error[unknown-property]: 'one' is a text and has no property 'nme'" in project.run("check").stderr
    project.replace("matrix/schema.yml", "$[[ key ]]-$[[ one.nme ]]", "$[[ length(row.builds) ]]")
    assert "error[schema-circle]: the computed column 'builds' reads itself" in project.run("check").stderr
