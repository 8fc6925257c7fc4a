"""JSON files from templates, including the one that wheelrun reads, in a folder that contains nothing else."""

import json
import os
import shutil
import subprocess

import pytest
from json_schema import jsonschema
from test_own_schema import FILES
from wheelwright import ENVIRONMENT, ROOT, SETTINGS, Project

WHEELRUN = os.environ.get("WHEELRUN", str(ROOT / "build/wheelrun"))
LIST = """\
$[[ template ]]: { file: compilers.json }
format: 1
newest: $[[ compilers[0].version ]]
compilers: $[[ compilers ]]
by_name:
  # A block takes a line for each entry.
  $[[ for compiler in compilers ]]:
    $[[ compiler.name ]]: { runner: "$[[ compiler.runs_on ]]", checked: "$[[ length(compiler.sanitizers) > 0 ]]", why: null }
empty: []
"""
SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["format", "compilers"],
    "properties": {
        "format": {"const": 1},
        "newest": {"type": "string"},
        "compilers": {"type": "array", "items": {
            "type": "object", "required": ["name"],
            "properties": {"runs_on": {"enum": ["ubuntu-24.04", "ubuntu-24.04-arm"]}}}},
        "by_name": {"type": "object", "additionalProperties": {"type": "object", "properties": {"checked": {"type": "boolean"}}}},
    },
}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path, {**FILES, "templates/list.yml": LIST})


@pytest.fixture
def checked(project):
    project.write("matrix/settings.yml", SETTINGS.replace(" }", ", json_schemas: { compilers.json: schemas/list.json } }"))
    project.write("schemas/list.json", json.dumps(SCHEMA))
    return project


def wheelrun(*words, cwd):
    return subprocess.run([WHEELRUN, *words], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=60,
                          check=False)


def test_a_row_is_a_line(project):
    assert project.ok("generate") == "generated/: 3 written\n"
    assert (project.folder / "generated/compilers.json").read_text(encoding="utf-8") == """\
{
  "generated_by": "wheelwright generate, from templates/list.yml and matrix/. Do not edit: change those, then run it again.",
  "format": 1,
  "newest": "14.2",
  "compilers": [
    {"name": "gcc", "version": "14.2", "runs_on": "ubuntu-24.04", "sanitizers": ["address"]},
    {"name": "clang", "version": "19.1", "runs_on": "ubuntu-24.04-arm", "sanitizers": []}
  ],
  "by_name": {
    "gcc": {"runner": "ubuntu-24.04", "checked": true, "why": null},
    "clang": {"runner": "ubuntu-24.04-arm", "checked": false, "why": null}
  },
  "empty": []
}
"""
    assert project.ok("check") == "generated/ is current: 3 files\n"
    (project.folder / "templates/list.yml").unlink()
    assert project.ok("generate") == "generated/: 1 removed, 2 current\n"


def test_a_file_that_fits_is_written(checked):
    checked.ok("generate")
    made = json.loads((checked.folder / "generated/compilers.json").read_text(encoding="utf-8"))
    jsonschema.validate(made, SCHEMA)


@pytest.mark.parametrize("old, new, said, place", [
    ("format: 1", "format: 2", "compilers.json: 'format' is 2; it must be 1", "templates/list.yml:2:9"),
    ("newest: $[[ compilers[0].version ]]", "newest: 14", "compilers.json: 'newest' is the number 14; it must be a text",
     "templates/list.yml:3:9"),
    ("$[[ length(compiler.sanitizers) > 0 ]]", "$[[ compiler.name ]]",
     "compilers.json: 'by_name.gcc.checked' is the string 'gcc'; it must be true or false", "templates/list.yml:8:"),
    ("compilers: $[[ compilers ]]", "compilres: $[[ compilers ]]", "compilers.json: 'compilers' is missing", "templates/list.yml"),
])
def test_what_does_not_fit_is_shown_in_the_template(checked, old, new, said, place):
    checked.replace("templates/list.yml", old, new)
    errors = checked.wrong("generate")
    assert errors.startswith(f"error[json-misfit]: {said}\n") and place in errors
    assert "schemas/list.json says what compilers.json must be" in errors and errors.endswith("1 error; nothing was written\n")


def test_a_value_of_the_matrix_that_does_not_fit_is_shown_too(checked):
    checked.replace("matrix/compilers.yml", "ubuntu-24.04-arm", "macos-15")
    errors = checked.wrong("generate")
    assert "'compilers.1.runs_on' is \"macos-15\"; it must be one of \"ubuntu-24.04\", \"ubuntu-24.04-arm\"" in errors
    assert "templates/list.yml:4:12" in errors and "matrix/compilers.yml:3:" in errors and "the value is from here" in errors


@pytest.mark.parametrize("text, said", [
    (None, "schemas/list.json: there is no such file"),
    ("{", "schemas/list.json: the JSON text ends early"),
    ('{"properties": {"format": {"oneOf": []}}}', "schemas/list.json: the keyword 'oneOf' is not known here"),
    ("[]", "schemas/list.json: a schema is a list"),
])
def test_a_schema_that_cannot_be_used(checked, text, said):
    path = checked.folder / "schemas/list.json"
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    errors = checked.wrong("generate")
    assert errors.startswith(f"error[json-schema]: {said}\n") and "matrix/settings.yml:1:" in errors


def test_a_schema_of_no_file(checked):
    checked.replace("matrix/settings.yml", "compilers.json", "compiler.json")
    assert "error[json-schema]: no template makes 'compiler.json'" in checked.wrong("generate")


@pytest.mark.parametrize("body, said", [
    ("generated_by: me\n", "error[duplicate-key]: 'generated_by' is written by itself"),
    ("a: $[[ compilers[7] ]]\n", "has no item 7"),
])
def test_what_cannot_be_written(project, body, said):
    project.write("templates/list.yml", "$[[ template ]]: { file: compilers.json }\n" + body)
    assert said in project.wrong("generate")


def test_the_copy_of_the_plans_schema_is_what_wheelrun_asks_for(tmp_path):
    done = wheelrun("plan", "schema", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (ROOT / "matrix/plan.schema.json").read_text(encoding="utf-8"), (
        "to renew it: build/wheelrun plan schema > matrix/plan.schema.json")
    schema = json.loads(done.stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    plan = json.loads((ROOT / "generated-workflows/plan.json").read_text(encoding="utf-8"))
    jsonschema.validate(plan, schema)
    # The reader requires each of the required keys too.
    for key in schema["required"]:
        (tmp_path / "plan.json").write_text(json.dumps({k: v for k, v in plan.items() if k != key}), encoding="utf-8")
        assert wheelrun("resolve", "--plan", "plan.json", cwd=tmp_path).returncode != 0, key


def test_a_plan_that_wheelrun_could_not_read_is_refused(tmp_path):
    for name in ("matrix", "templates", ".github/actions"):
        shutil.copytree(ROOT / name, tmp_path / name)
    project = Project(tmp_path)
    project.replace("templates/plan.yml", "      tier: $[[ family.tier ]]\n", "")
    errors = project.wrong("generate")
    assert errors.startswith("error[json-misfit]: plan.json: 'families.gfx94x.tier' is missing\n")
    assert "templates/plan.yml:" in errors and "matrix/plan.schema.json says what plan.json must be" in errors


@pytest.mark.parametrize("number, said", [
    (1, "an older version made it: run `wheelwright generate`"),
    (3, "it is made for a newer version of wheelrun: install that one"),
])
def test_a_plan_of_another_format(tmp_path, number, said):
    plan = (ROOT / "generated-workflows/plan.json").read_text(encoding="utf-8")
    (tmp_path / "plan.json").write_text(plan.replace('"format": 2', f'"format": {number}'), encoding="utf-8")
    done = wheelrun("configure", "--plan", "plan.json", "--event", "push", cwd=tmp_path)
    assert done.returncode == 2
    assert f"plan.json has format {number}, and this program reads format 2" in done.stderr and said in done.stderr
