"""The committed JSON Schemas accept the current matrix and reject wrong rows.

Editors use these schemas with an independent validator; so does this test.
"""

import copy
import json
import re
from pathlib import Path

import pytest
import yaml
from json_schema import jsonschema

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {path.name.removesuffix(".schema.json"): path for path in (ROOT / "docs/schemas").iterdir()
           if path.name != "lint.schema.json"}  # test_lint_living.py tests that one
MATRIX = {path.stem: path for path in (ROOT / "matrix").glob("*.yml")}


class CoreLoader(yaml.SafeLoader):
    """Parses plain scalars by the core schema of YAML 1.2, like the project and editors."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("null", r"null|Null|NULL|~|", "nN~\0"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
]:
    # An empty scalar is found under "", others under their first character.
    CoreLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), [c if c != "\0" else "" for c in first]
    )


def read(stem):
    return yaml.load(MATRIX[stem].read_text(encoding="utf-8"), CoreLoader)


def validator(stem):
    schema = json.loads(SCHEMAS[stem].read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def test_the_reader_knows_yaml_1_2():
    text = "[on, yes, 3.10, '3.10', true, null, 12, 2025-11-11, , ~]".replace(" ,", "")
    assert yaml.load(text, CoreLoader) == ["on", "yes", 3.1, "3.10", True, None, 12, "2025-11-11", None]


@pytest.mark.parametrize("stem", sorted(MATRIX))
def test_the_matrix_fits(stem):
    errors = [f"{error.json_path}: {error.message}" for error in validator(stem).iter_errors(read(stem))]
    assert errors == []


@pytest.mark.parametrize("stem", sorted(MATRIX))
def test_an_editor_finds_the_schema(stem):
    first = MATRIX[stem].read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema=../docs/schemas/{stem}.schema.json"


@pytest.mark.parametrize("stem", sorted(set(SCHEMAS) - {"platforms", "families"}))
def test_an_empty_file_fits(stem):
    validator(stem).validate(None)


@pytest.mark.parametrize("stem", sorted(SCHEMAS))
def test_examples_and_defaults_fit(stem):
    schema = json.loads(SCHEMAS[stem].read_text(encoding="utf-8"))

    def check(part):
        if isinstance(part, list):
            for item in part:
                check(item)
        if not isinstance(part, dict):
            return
        scheme = {**{k: v for k, v in part.items() if k != "examples"}, "definitions": schema.get("definitions", {})}
        examples = part.get("examples")
        for example in examples if isinstance(examples, list) else []:
            jsonschema.Draft7Validator(scheme).validate(example)
        # A missing column is an empty text; a written one must not be empty.
        if part.get("default") not in (None, "") and "description" in part:
            jsonschema.Draft7Validator(scheme).validate(part["default"])
        for value in part.values():
            check(value)

    check(schema)


def change(data, path, value):
    """A copy with the value at the path set, or the entry removed when it is `...`."""
    changed = copy.deepcopy(data)
    *way, last = path
    place = changed
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return changed


LINUX = ("families", "gfx94x", "linux")
CHECKOUT = ("actions", "checkout")
EXCLUDE = ("combos", "release", "exclude", 0)


@pytest.mark.parametrize(
    "stem, path, value",
    [
        ("families", LINUX + ("test_run_on",), "linux-mi325"),
        ("families", LINUX + ("family",), ...),
        ("families", LINUX + ("family",), None),
        ("families", LINUX + ("family",), "gfx94X dcgpu"),
        ("families", LINUX + ("targets",), ["gfx94X"]),
        ("families", LINUX + ("targets",), ["gfx942", "gfx942"]),
        ("families", LINUX + ("variants",), "release"),
        ("families", LINUX + ("sanity_check_only",), "yes"),
        ("families", LINUX + ("known_failures",), {"pytorch": "#1926"}),
        ("families", LINUX + ("known_failures",), {"torch": "https://github.com/ROCm/TheRock/issues/1"}),
        ("families", LINUX + ("parked_runner",), {"runs_on": "linux-x"}),
        ("families", ("families", "gfx94x", "macos"), {}),
        ("families", ("families", "gfx94x"), {"tier": "presubmit"}),
        ("families", ("families", "gfx94X"), {"tier": "presubmit", "linux": {"family": "x", "targets": []}}),
        ("families", ("famlies",), {}),
        ("platforms", ("platforms", "macos"), {}),
        ("platforms", ("platforms", "linux", "title"), ""),
        ("pytorch", ("combos", "ci", "platforms", "linux", "python"), [3.12]),
        ("pytorch", ("combos", "ci", "platforms", "linux", "python"), ["3.12.1"]),
        ("pytorch", ("torch", "nightly", "stable"), "no"),
        ("pytorch", EXCLUDE + ("why",), ...),
        ("pytorch", EXCLUDE, {"why": "nothing in particular"}),
        ("pytorch", EXCLUDE + ("gpu",), "gfx1153"),
        ("triggers", ("triggers", "schedule", "cron"), "0 25 * * *"),
        ("triggers", ("triggers", "schedule", "pytorch"), "every"),
        ("triggers", ("triggers", "tag"), {"tiers": []}),
        ("triggers", ("labels", "skip-ci", "effect"), "nothing"),
        ("triggers", ("test_types", 0, "type"), "some"),
        ("release", ("release_types", "dev", "role"), "therock-dev"),
        ("release", ("release_types", "dev", "index_url"), "https://rocm.devreleases.amd.com/v2/"),
        ("release", ("promotion", 0, "verdict"), "maybe"),
        ("release", ("domains", "ci", "triggers"), ["workflow_run"]),
        ("pins", CHECKOUT + ("sha",), "v4"),
        ("pins", CHECKOUT + ("uses",), "actions/checkout@v4"),
        ("pins", CHECKOUT + ("version",), ...),
        ("pins", ("images", "manylinux_build", "digest"), "latest"),
        ("limits", ("limits", "matrix_legs", "value"), 0),
        ("limits", ("limits", "matrix_legs", "value"), "256"),
        ("limits", ("limits", "matrix_leg"), {"value": 1, "unit": "jobs", "source": "x"}),
        ("settings", ("settings", "self_repository_form"), "url"),
        ("settings", ("settings", "output"), "../elsewhere"),
    ],
)
def test_a_wrong_row_is_refused(stem, path, value):
    assert not validator(stem).is_valid(change(read(stem), path, value))


def test_a_workflow_of_others_can_be_described():
    row = {
        "path": "./.github/workflows/test_artifacts.yml",
        "inputs": {"amdgpu_family": {"type": "string", "required": True}},
        "outputs": ["result"],
        "permissions": {"contents": "read"},
    }
    external = validator("external")
    external.validate({"external_workflows": {"test_artifacts": row}})
    assert not external.is_valid({"external_workflows": {"test_artifacts": {**row, "path": "test.yml"}}})
