"""Sets of cells over a project's own tables: axes, includes, excludes, groups and views."""

import re

import pytest
from wheelwright import SETTINGS, Project

SCHEMA = """\
files:
  product: What is built

tables:
  hosts: { file: product, type: map of key to row host, key: name, doc: The systems }
  compilers: { file: product, type: map of key to row compiler, key: name, doc: The compilers }
  fleets: { file: product, type: map of key to row fleet, doc: Compilers that are built in one }
  builds: { file: product, type: map of key to row build, doc: What is combined }
  books: { file: product, type: map of key to row book, doc: What is printed }

rows:
  host:
    noun: a host
    columns:
      runs_on: { type: runner_label, required: true, doc: Its runner }
  compiler:
    noun: a compiler
    columns:
      each host of hosts: { type: row there, doc: "What it is on {host}; none: it is not there" }
      stable: { type: boolean, default: true, doc: It is released }
  there:
    noun: a compiler on a host
    columns:
      version: { type: text, required: true, doc: The version }
      flags: { type: list of text, default: [], doc: Its flags }
      broken: { type: text, doc: Why it builds nothing }
  fleet:
    noun: a fleet
    columns:
      hosts: { type: list of name of hosts, required: true, doc: Where it is }
      compilers: { type: list of name of compilers, required: true, doc: Its members }
  rule:
    noun: a rule
    others: any
    columns: {}
  build:
    noun: a kind of build
    columns:
      hosts: { type: list of name of hosts, required: true, doc: Where }
      modes: { type: list of text, required: true, doc: How }
      include: { type: list of row rule, default: [], doc: Adds }
      exclude: { type: list of row rule, default: [], doc: Takes out }
  book:
    noun: a book
    columns:
      papers: { type: list of text, required: true, doc: The formats }
      languages: { type: list of text, required: true, doc: The languages }
      include: { type: list of row rule, default: [], doc: Adds }

axes:
  host: { table: hosts, values: hosts }
  compiler:
    table: compilers
    row: "{host}"
    out: broken
    id: "$[[ key ]]$[[ replace(row.version, '.', '') ]]"
    groups:
      table: fleets
      members: compilers
      there: { host: hosts }
      merge: { version: common, flags: union }
      removable: true
  mode: { values: modes }
  paper: { values: papers }
  language: { values: languages, label: "in $[[ upper(key) ]]" }

sets:
  builds:
    noun: build
    table: builds
    axes: [host, compiler, mode]
    nest: [host]
    columns:
      flags: $[[ join(compiler.flags, ' ') ]]
      mode: $[[ names.mode ]]
      members: $[[ compiler.name ]]
    defaults: { tests: true }
    view:
      heading: tests
      states:
        - { when: "$[[ cell.tests ]]", title: tested, says: "tested on $[[ host.runs_on ]]" }
        - { title: not tested, sign: "○" }
  books: { noun: print, table: books, axes: [paper, language] }
"""
ROWS = """\
hosts:
  linux: { runs_on: ubuntu-24.04 }
  mac: { runs_on: macos-15 }
compilers:
  gcc: { linux: { version: "14.2", flags: [-Wall] } }
  clang: { linux: { version: "19.1", flags: [-Weverything] }, mac: { version: "17.0" } }
  tcc: { linux: { version: "0.9", broken: It knows no templates } }
fleets: {}
builds:
  daily:
    hosts: [linux, mac]
    modes: [debug, release]
books:
  guide: { papers: [a4, letter], languages: [en, de] }
"""
TEMPLATE = """\
$[[ template ]]:
  for: name, set in builds
  file: $[[ name ]].yml

name: $[[ name ]]
on: { push: {} }
permissions: {}
concurrency: { group: "$[[ name ]]-${{ github.ref }}", cancel-in-progress: true }
jobs:
  $[[ for host in set.hosts ]]:
    $[[ for build in host.builds ]]:
      $[[ host.name ]]_$[[ build.id ]]:
        name: $[[ host.name ]] | $[[ build.label ]]
        runs-on: $[[ host.runs_on ]]
        timeout-minutes: 30
        steps:
          - run: make CFLAGS="$[[ build.flags ]]" MODE=$[[ build.mode ]]
          - $[[ if build.tests ]]:
              - run: make check
  $[[ for cell in books.guide.prints ]]:
    print_$[[ cell.id ]]:
      name: $[[ cell.label ]]
      runs-on: ubuntu-24.04
      timeout-minutes: 30
      steps:
        - run: make book
"""


FILES = {"matrix/schema.yml": SCHEMA, "matrix/product.yml": ROWS, "matrix/settings.yml": SETTINGS,
         "templates/workflows/build.yml": TEMPLATE}


class Builds(Project):
    def jobs(self):
        self.ok("generate")
        text = self.read("generated/daily.yml")
        return re.findall(r"^  (\w+):$", text[text.index("\njobs:"):], re.M)

    def errors(self):
        return re.findall(r"^error\[.*", self.refused("generate"), re.M)


@pytest.fixture
def project(tmp_path):
    return Builds(tmp_path, FILES)


BUILDS = ["linux_gcc142_debug", "linux_gcc142_release", "linux_clang191_debug", "linux_clang191_release", "mac_clang170_debug",
          "mac_clang170_release"]
PRINTS = ["print_a4_en", "print_a4_de", "print_letter_en", "print_letter_de"]


def test_three_axes_of_which_one_depends_on_another_and_a_second_product(project):
    assert project.jobs() == BUILDS + PRINTS
    text = (project.folder / "generated/daily.yml").read_text(encoding="utf-8")
    assert "name: linux | gcc | debug" in text
    assert "name: a4 | in DE" in text


def test_plan_shows_every_set(project):
    plan = project.ok("plan")
    assert re.search(r"^builds, daily\nhost  +compiler  +mode  +tests$", plan, re.M)
    assert "tested on ubuntu-24.04" in plan
    assert "It knows no templates, matrix/product.yml:7" in plan
    assert re.search(r"^books, guide$", plan, re.M)
    assert "10 cells" in plan
    assert "mac" in project.ok("graph", "--format", "markdown")
    assert "print" in project.ok("graph", "--format", "html")


def test_exclude_takes_cells_out_with_a_reason(project):
    project.replace("matrix/product.yml", "    modes: [debug, release]",
                    "    modes: [debug, release]\n    exclude:\n"
                    "      - { compiler: clang, mode: debug, why: Too slow, issue: https://github.com/a/b/issues/1 }")
    assert project.jobs() == [job for job in BUILDS if "clang" not in job or "debug" not in job] + PRINTS
    assert "Too slow (a/b#1), matrix/product.yml:14" in project.ok("plan")


def test_include_adds_a_column_or_a_cell(project):
    project.replace("matrix/product.yml", "    modes: [debug, release]",
                    "    modes: [debug, release]\n    include:\n      - { compiler: gcc, mode: debug, tests: false }\n"
                    "      - { host: mac, compiler: clang, mode: fuzz }")
    assert project.jobs() == [*BUILDS, "mac_clang170_fuzz", *PRINTS]
    text = (project.folder / "generated/daily.yml").read_text(encoding="utf-8")
    assert text.count("make check") == 6  # of seven builds
    assert "not tested" in project.ok("plan")


GROUP = ("fleets: {}", "fleets:\n  all: { hosts: [linux], compilers: [gcc, clang] }")


def test_a_group_is_one_value_with_merged_columns(project):
    project.replace("matrix/product.yml", *GROUP)
    project.replace("matrix/schema.yml", "$[[ key ]]$[[ replace(row.version, '.', '') ]]", "$[[ key ]]")
    assert project.jobs() == ["linux_all_debug", "linux_all_release", "mac_clang_debug", "mac_clang_release", *PRINTS]
    text = (project.folder / "generated/daily.yml").read_text(encoding="utf-8")
    assert 'CFLAGS="-Wall -Weverything" MODE=debug' in text


def test_an_exclude_takes_a_member_out_of_the_cells_of_its_group(project):
    project.replace("matrix/product.yml", *GROUP)
    project.replace("matrix/schema.yml", "$[[ key ]]$[[ replace(row.version, '.', '') ]]", "$[[ key ]]")
    project.replace("matrix/product.yml", "    modes: [debug, release]",
                    "    modes: [debug, release]\n    exclude: [{ host: linux, compiler: gcc, mode: debug, why: It crashes }]")
    assert project.jobs()[:2] == ["linux_all_debug", "linux_all_release"]
    text = (project.folder / "generated/daily.yml").read_text(encoding="utf-8")
    assert 'CFLAGS="-Weverything" MODE=debug' in text
    assert 'CFLAGS="-Wall -Weverything" MODE=release' in text
    # If the schema does not allow the removal of members, the rule has no effect.
    project.replace("matrix/schema.yml", "      removable: true\n", "")
    assert project.errors() == [
        "error[unused-exclude]: no build of set 'daily' has compiler 'gcc', so this exclude takes out none"]


def test_a_column_in_which_members_differ_needs_a_rule(project):
    project.replace("matrix/product.yml", *GROUP)
    project.replace("matrix/schema.yml", "$[[ key ]]$[[ replace(row.version, '.', '') ]]", "$[[ key ]]")
    project.replace("matrix/schema.yml", "merge: { version: common, flags: union }", "merge: { version: common }")
    project.replace("matrix/schema.yml", "      flags: $[[ join(compiler.flags, ' ') ]]", "      flags: x")
    done = project.run("generate")
    assert done.returncode == 2
    assert "error[group-differs]: the members of 'all' differ in 'flags', and nothing says what the group has" in done.stderr
    assert "--> matrix/product.yml:9:3" in done.stderr


@pytest.mark.parametrize(("old", "new", "message"), [
    ("axes: [host, compiler, mode]", "axes: [host, compilr, mode]", "error[unknown-in-schema]: no axis is called 'compilr'"),
    ("axes: [host, compiler, mode]", "axes: [compiler, host, mode]",
     "error[bad-set]: 'compiler' depends on 'host', which does not stand in front of it"),
    ("nest: [host]", "nest: [compiler]", "error[bad-set]: the axis 'host' is next"),
    ("axes: [paper, language]", "axes: [paper, language], nest: [paper, language]",
     "error[bad-set]: no axis is left for the cells"),
    ("table: books, axes", "table: bookz, axes", "error[unknown-in-schema]: no table is called 'bookz'"),
    ("host: { table: hosts, values: hosts }", "host: { table: hosts, values: \"{compiler}\" }",
     "error[schema-circle]: the axes 'host' and 'compiler' depend on each other"),
    ("paper: { values: papers }", "paper: { label: x }", "error[bad-set]: nothing says what the values of 'paper' are"),
    ("    table: compilers\n    row", "    table: compilerz\n    row", "error[unknown-in-schema]: no table is called 'compilerz'"),
    ('row: "{host}"', 'row: "{hosts}"', "error[unknown-in-schema]: no axis is called 'hosts'"),
    ("upper(key)", "uper(key)", "error[schema-expression]: no function is called 'uper'"),
    ("upper(key)", "upper(kee)", "error[schema-expression]: nothing is called 'kee' here"),
])
def test_a_wrong_axis_or_set_is_an_error_in_the_schema(project, old, new, message):
    project.replace("matrix/schema.yml", old, new)
    assert message in project.errors()[0]


def test_ids_that_are_not_unique(project):
    project.replace("matrix/product.yml", "modes: [debug, release]", "modes: [a.b, ab]")
    assert project.errors() == [
        "error[duplicate-combo]: two builds of set 'daily' are called 'gcc142_ab': compiler gcc with mode a.b, and compiler gcc "
        "with mode ab"]


def test_a_new_axis_is_a_few_lines_of_yaml(project):
    project.replace("matrix/schema.yml", "  paper: {", "  level:\n    values: levels\n    label: -O$[[ key ]]\n    id: O$[[ key ]]\n  paper: {")
    project.replace("matrix/schema.yml", "axes: [host, compiler, mode]", "axes: [host, compiler, mode, level]")
    project.replace("matrix/schema.yml", "      modes: { type: list of text, required: true, doc: How }\n",
                    "      modes: { type: list of text, required: true, doc: How }\n"
                    "      levels: { type: list of text, required: true, doc: How fast }\n")
    assert "error[missing-key]: 'builds.daily' has no 'levels'" in project.errors()
    project.replace("matrix/product.yml", "    modes: [debug, release]", '    modes: [debug, release]\n    levels: ["1", "3"]')
    assert project.jobs()[:4] == ["linux_gcc142_debug_O1", "linux_gcc142_debug_O3", "linux_gcc142_release_O1",
                                  "linux_gcc142_release_O3"]
    assert re.search(r"^host  +compiler  +mode  +level  +tests$", project.ok("plan"), re.M)
    project.replace("matrix/product.yml", "    modes: [debug", "    exclude: [{ level: '3', mode: debug, why: No need }]\n    modes: [debug")
    assert "linux_gcc142_debug_O3" not in project.jobs()


def test_explain_knows_a_cell_by_its_axes(project):
    project.ok("generate")
    explained = project.ok("explain", "daily.yml#linux_gcc142_debug")
    assert re.search(r"^    build = compiler gcc, mode debug +matrix/product\.yml:5, :12$", explained, re.M)
    assert re.search(r"^    host = linux +matrix/product\.yml:2$", explained, re.M)
    assert re.search(r"^    cell = a4_en ", project.ok("explain", "daily.yml#print_a4_en"), re.M)


def test_plan_tells_why_an_include_changes_builds(project):
    project.replace("matrix/product.yml", "    modes: [debug, release]",
                    "    modes: [debug, release]\n    include:\n      - { compiler: gcc, mode: debug, tests: false, why: They hang,"
                    " issue: https://github.com/a/b/issues/1 }")
    assert re.search(r"^changed  +compiler  +mode  +builds  +to  +why\nlinux  +gcc  +debug  +1  +tests: false  +"
                     r"They hang \(a/b#1\), matrix/product\.yml:14$", project.ok("plan"), re.M)


OUT = """\
$[[ template ]]:
  file: out.json
out:
  - $[[ for row in builds.daily.out ]]:
      - $[[ row.host.name ]] $[[ row.kind ]] $[[ join(row.members) ]]($[[ join(row.builds) ]]) $[[ row.why ]] $[[ row.issue ]]
"""


def test_templates_see_what_is_out_and_why(project):
    project.replace("matrix/product.yml", *GROUP)
    project.replace("matrix/schema.yml", "$[[ key ]]$[[ replace(row.version, '.', '') ]]", "$[[ key ]]")
    project.replace("matrix/product.yml", "    modes: [debug, release]",
                    "    modes: [debug, release]\n    exclude:\n"
                    "      - { host: linux, compiler: gcc, mode: debug, why: It crashes }\n"
                    "      - { host: mac, mode: debug, why: Too slow, issue: https://github.com/a/b/issues/1 }")
    project.write("templates/out.yml", OUT)
    project.ok("generate")
    assert project.made("out.json")["out"] == [
        "linux excluded gcc(all_debug) It crashes ",
        "linux grouped (gcc_debug,gcc_release) built in the group 'all' ",
        "linux grouped (clang_debug,clang_release) built in the group 'all' ",
        "linux itself (tcc_debug,tcc_release) It knows no templates ",
        "mac absent (gcc_debug,gcc_release) no row for mac ",
        "mac excluded (clang_debug) Too slow https://github.com/a/b/issues/1",
        "mac absent (tcc_debug,tcc_release) no row for mac ",
    ]
    assert re.search(r"^linux \(gcc\)  +all  +debug  +1  +It crashes, ", project.ok("plan"), re.M)
    project.replace("templates/out.yml", "row.kind", "row.knd")
    assert "has no column 'knd'" in project.errors()[0]
