"""Attacks on trust: templates, actions and matrices that try to reach something they must not.

They are in trust_attacks.yml. Each is a small project with one workflow, `a.yml`, whose parts the attack sets;
`refused` is the code of the compiler's error, `harmless` says why none is needed.
"""

import itertools
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WHEELWRIGHT = Path(os.environ.get("WHEELWRIGHT", ROOT / "build/wheelwright")).resolve()
DATA = yaml.load((Path(__file__).parent / "trust_attacks.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)

# Codes of errors about trust; other codes are about form.
TRUST = {
    "missing-environment",
    "script-injection",
    "shared-runner",
    "unreadable-dispatch",
    "untrusted-artifact",
    "untrusted-cache",
    "untrusted-checkout",
    "untrusted-path",
    "untrusted-runner",
    "domain-overlap",
    "outside-domain",
    "inherited-secrets",
    "unknown-domain",
    "minimal-permissions",
    "unpinned-action",
    "checkout-credentials",
}


# The attack itself is invalid: it would not run.
BROKEN = {"bad-uses", "missing-key", "not-callable", "unknown-key", "uses-and-steps", "yaml-syntax", "bad-type"}


def fill(value, names):
    """The value with each <<name>> replaced."""
    if isinstance(value, dict):
        return {fill(key, names): fill(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [fill(one, names) for one in value]
    if isinstance(value, str):
        for name, text in names.items():
            if value == f"<<{name}>>":
                return text
            value = value.replace(f"<<{name}>>", str(text))
    return value


def attacks():
    for group in DATA["groups"]:
        ways = group.get("ways", {})
        for values in itertools.product(*ways.values()):
            case = {key: value for key, value in group.items() if key not in ("ways", "name")}
            # Replacements may contain names themselves.
            case = fill(fill(case, dict(zip(ways, values, strict=True))), DATA["names"])
            yield f"{group['name']}: {', '.join(str(value) for value in values)}", case


CASES = list(attacks())


def workflow(case):
    calls = "uses" in case.get("job", {})
    job = {
        "name": "A job",
        **({} if calls else {"runs-on": case.get("runner", "ubuntu-24.04"), "timeout-minutes": 5}),
        "permissions": case.get("grant", {"contents": "read", "id-token": "write"}),
        **({"environment": case["environment"]} if "environment" in case else {}),
        **case.get("job", {}),
    }
    if "steps" in case:
        job["steps"] = case["steps"]
    return {
        "name": "A",
        "on": case.get("events", ["pull_request"]),
        "concurrency": {"group": "a", "cancel-in-progress": False},
        "permissions": {},
        **({"env": case["env"]} if "env" in case else {}),
        "jobs": {"a": job, **case.get("jobs", {})},
    }


def write(folder, case):
    files = {f"matrix/{name}.yml": value for name, value in DATA["matrix"].items()}
    for name, value in case.get("matrix", {}).items():
        files[f"matrix/{name}.yml"] = {**DATA["matrix"].get(name, {}), **value}
    workflows = {"a.yml": workflow(case), **case.get("files", {})}
    for name, value in workflows.items():
        files[f"templates/workflows/{name}"] = {"$[[ template ]]": {"file": name}, **value}
    for name, value in case.get("by_hand", {}).items():
        files[f".github/workflows/{name}"] = value
    for name, value in case.get("actions", {}).items():
        action = {"name": "X", "description": "x", "runs": {"using": "composite", "steps": value.pop("steps")}, **value}
        files[f".github/actions/{name}/action.yml"] = action
    for name, value in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # JSON is YAML, without special words such as `on`.
        (folder / name).write_text(json.dumps(value, indent=1), encoding="utf-8")


def run(folder, case):
    write(folder, case)
    done = subprocess.run(
        [WHEELWRIGHT, "lint", "--root", folder, "--format", "json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    said = [json.loads(line) for line in (done.stdout + done.stderr).splitlines() if line.startswith("{")]
    return done.returncode, said


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folders = [tmp_path_factory.mktemp("attack", numbered=True) for _ in CASES]
    with ThreadPoolExecutor(4) as pool:
        return dict(
            zip([name for name, _ in CASES], pool.map(run, folders, [case for _, case in CASES]), strict=True)
        )


def test_there_are_enough_and_each_has_a_name():
    assert len(CASES) >= 200
    assert len({name for name, _ in CASES}) == len(CASES)
    for name, case in CASES:
        assert ("refused" in case) != ("harmless" in case), name
        assert len(case.get("harmless", "an argument in some words").split()) > 4, name


@pytest.mark.parametrize("name, case", CASES, ids=[name for name, _ in CASES])
def test_attack(name, case, results):
    status, said = results[name]
    assert status in (0, 1, 2), said
    codes = {one["code"] for one in said}
    assert not codes & BROKEN, said
    if "refused" in case:
        assert case["refused"] in codes, said
        assert all(one["where"]["line"] > 0 for one in said if one["code"] == case["refused"])
    else:
        assert not codes & TRUST, said
