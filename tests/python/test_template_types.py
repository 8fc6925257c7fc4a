"""Type errors in templates: an error in a `$[[ ]]` is reported when the template is read, even if no instance evaluates
it."""

import pytest
from test_own_schema import FILES
from wheelwright import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path, FILES)


def errors(said):
    return [line for line in said.splitlines() if line.startswith(("error[", "warning["))]


def test_a_misspelt_column_is_told_once_and_where_it_stands(project):
    project.replace("templates/workflows/build.yml", "Build\n    runs-on: $[[ compiler.runs_on ]]",
                    "Build\n    runs-on: $[[ compiler.run_on ]]")
    assert project.wrong("generate") == """\
error[unknown-property]: 'compiler' has no column 'run_on'
   --> templates/workflows/build.yml:12:27
    |
 12 |     runs-on: $[[ compiler.run_on ]]
    |                           ^^^^^^ did you mean 'runs_on'?
    = the columns of a compiler are name, version, runs_on and sanitizers

1 error; nothing was written
"""


@pytest.mark.parametrize("rows", ["compilers: {}\n", ""])
def test_an_empty_table_hides_no_slip(project, rows):
    project.write("matrix/compilers.yml", rows)
    project.replace("templates/workflows/build.yml", "$[[ compiler.version ]]", "$[[ compiler.verison ]]")
    assert errors(project.wrong("generate")) == ["error[unknown-property]: 'compiler' has no column 'verison'"]


def test_a_branch_that_is_not_taken_hides_no_slip(project):
    project.replace("templates/workflows/build.yml", "jobs:\n", """jobs:
  $[[ if compiler.name == 'icc' ]]:
    $[[ for sanitiser in compiler.sanitisers ]]:
      $[[ sanitiser ]]: {}
    other: $[[ actions.chekout ]]
""")
    project.write("matrix/pins.yml", "actions:\n  checkout:\n    uses: actions/checkout\n"
                                     f"    sha: {'a' * 40}\n    version: v4\n")
    assert errors(project.wrong("generate")) == [
        "error[unknown-property]: 'compiler' has no column 'sanitisers'",
        "error[unknown-property]: 'actions' has no property 'chekout'",
    ]


def test_fragments_know_what_they_are_given(project):
    project.write("templates/fragments/step.yml", "- $[[ fragment ]]:\n    arguments: [of]\n- run: make $[[ of.verison ]]\n")
    project.replace("templates/workflows/build.yml", "    steps:\n      - run: make CC",
                    "    steps:\n      - $[[ include fragments/step.yml ]]: { of: \"$[[ compiler ]]\" }\n      - run: make CC")
    said = project.wrong("generate")
    assert errors(said) == ["error[unknown-property]: 'of' has no column 'verison'"]
    assert "templates/fragments/step.yml:3:20" in said
    project.replace("templates/fragments/step.yml", "verison", "version")
    project.ok("generate")
    assert {"run": "make 14.2"} in project.made("gcc.yml")["jobs"]["build"]["steps"]


def test_words_of_the_schema_are_known(project):
    project.replace("templates/workflows/build.yml", "jobs:\n", """jobs:
  $[[ if contains(compiler.sanitizers, 'adress') ]]:
    other: {}
""")
    assert "'compiler.sanitizers' is never 'adress'" in project.wrong("generate")


@pytest.mark.parametrize("expression, said", [
    ("length(compiler)", "length() expects a list or a text, and 'compiler' is a mapping"),
    ("join(compiler)", "join() expects a list, and 'compiler' is a mapping"),
    ("upper(length(compilers))", "upper() expects a text, and 'length(compilers)' is a number"),
    ("compiler.sanitizers == 'address'", "'compiler.sanitizers' is a list and cannot be compared"),
    ("compiler.name == true", "'compiler.name' is a text, which never equals the boolean true"),
    ("compilers.name", "'compilers' is a list and has no property 'name'"),
    ("compilers.*.nam", "'compilers.*' has no column 'nam'"),
    ("(compiler || compilers[0]).nam", "'(compiler || compilers[0])' has no column 'nam'"),
    ("format('{1}', compiler.name)", "format() is given no value for {1}"),
    ("compiler.sanitizers", "'compiler.sanitizers' is a list and has no text to stand among other text"),
])
def test_values_fit_what_takes_them(project, expression, said):
    project.replace("templates/workflows/build.yml", "name: Build", f"name: Build $[[ {expression} ]]")
    assert said in errors(project.wrong("generate"))[0]


def test_what_is_open_is_not_reported(project):
    project.replace("matrix/schema.yml", "    noun: a compiler\n", "    noun: a compiler\n    others: any\n")
    project.replace("matrix/compilers.yml", 'gcc: { version: "14.2",', 'gcc: { version: "14.2", color: red,')
    project.replace("templates/workflows/build.yml", "name: Build\n",
                    "name: Build $[[ compiler.name == 'gcc' && compiler.color || 'plain' ]]\n")
    project.ok("generate")
    assert project.made("gcc.yml")["jobs"]["build"]["name"] == "Build red"


def test_a_column_that_may_be_left_out_is_no_mistake(project):
    project.replace("matrix/schema.yml", "      sanitizers:",
                    "      wrapper: { type: row wrapper, doc: What stands before it }\n      sanitizers:")
    project.replace("matrix/schema.yml", "\nformats:", """
  wrapper:
    noun: a wrapper
    columns:
      program: { type: text, required: true, doc: The program, example: ccache }

formats:""")
    project.replace("matrix/compilers.yml", 'version: "14.2"', 'version: "14.2", wrapper: { program: ccache }')
    project.replace("templates/workflows/build.yml", "name: Build\n",
                    "name: Build $[[ compiler.wrapper && compiler.wrapper.program || 'alone' ]]\n")
    project.ok("generate")
    assert project.made("gcc.yml")["jobs"]["build"]["name"] == "Build ccache"
    assert project.made("clang.yml")["jobs"]["build"]["name"] == "Build alone"
    project.replace("templates/workflows/build.yml", "compiler.wrapper.program", "compiler.wrapper.porgram")
    assert "'compiler.wrapper' has no column 'porgram'" in project.run("check").stderr
    project.replace("templates/workflows/build.yml", "compiler.wrapper && compiler.wrapper.porgram",
                    "compiler.wrapper == null && 'x'")
    assert "write !compiler.wrapper" in project.run("check").stderr


def test_keys_have_dashes(project):
    project.replace("matrix/schema.yml", "      sanitizers:",
                    "      nightly-bkc: { type: text, default: none, doc: Its build of the night }\n      sanitizers:")
    project.replace("matrix/schema.yml", "\nrows:", """
  variants: { file: compilers, type: map of key to row variant, doc: "The variants, by name" }

rows:
  variant:
    noun: a variant
    columns:
      flags: { type: text, required: true, doc: What it is compiled with, example: -g }
      after: { type: id, default: build, doc: The job before it, example: build }""")
    rows = (project.folder / "matrix/compilers.yml").read_text(encoding="utf-8")
    project.write("matrix/compilers.yml", rows.replace('"14.2"', '"14.2", nightly-bkc: b7') + """
variants:
  host-asan: { flags: -fsanitize=address }
  device-asan: { flags: -xnack+, after: host-asan }
""")
    project.replace("templates/workflows/build.yml", "name: Build\n", "name: Build $[[ compiler.nightly-bkc ]]\n")
    project.replace("templates/workflows/build.yml", "  $[[ for sanitizer", """\
  $[[ for name, variant in variants ]]:
    $[[ name ]]:
      name: Check | $[[ name ]]
      needs: $[[ variant.after ]]
      runs-on: $[[ compiler['runs_on'] ]]
      timeout-minutes: 30
      steps:
        - run: make $[[ variants['host-asan'].flags ]] $[[ variants.device-asan.flags ]]
  $[[ for sanitizer""")
    project.ok("generate")
    jobs = project.made("gcc.yml")["jobs"]
    assert jobs["build"]["name"] == "Build b7"
    assert jobs["device-asan"]["needs"] == "host-asan"
    assert jobs["host-asan"]["steps"] == [{"run": "make -fsanitize=address -xnack+"}]
    project.replace("matrix/compilers.yml", "  device-asan:", "  device--asan:")
    said = project.run("check").stderr
    assert "'device--asan' is not a key" in said and "with single _ or - between them" in said
