"""Runs one outside validator on the generated workflows, as they will stand in a repository.

The set is laid out as .github/workflows/ beside .github/actions/ in a folder of its own. No finding and no
comment that suppresses one is accepted. With --own it is the workflows of this project itself. With --planted the
validator gets workflows with known faults
instead and must find them all: each is announced in its file by a comment `# expect VALIDATOR: text`.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# How generated workflows name each other (matrix/settings.yml), and what one validator has against it: zizmor
# asks for the form that actionlint refuses, and the other way around. docs/workflows.md tells more.
EXCEPTED = {
    "path": {"zizmor.yml": {"rules": {"self-repository": {"disable": True}}}},
    "dollar": {
        "actionlint.yaml": {
            "paths": {
                "**": {
                    "ignore": [
                        r'reusable workflow call "\$/\S+" at "uses" is not following the format',
                        r'specifying action "\$/\S+" in invalid format',
                    ]
                }
            }
        }
    },
}

SUPPRESSION = re.compile(r"zizmor:\s*ignore|actionlint[:-]\s*(ignore|disable)|shellcheck\s+disable|noqa")
EXPECTED = re.compile(r"# expect (\w+): (.*)")

# validator: its command, and the exit statuses by which it says that it found something.
VALIDATORS = {
    "actionlint": (
        [str(ROOT / ".tools/bin/actionlint"), "-config-file", "actionlint.yaml", "-no-color"],
        {1},
    ),
    "github_parser": (["node", str(HERE / "github_parser.mjs"), "."], {1}),
    "zizmor": (
        [str(Path(sys.executable).parent / "zizmor"), "--persona", "pedantic", "--offline"]
        + ["--no-progress", "--color=never", "--collect=all", "."],
        {11, 12, 13, 14},
    ),
}


def runner_labels():
    """Every runner that the matrix names; actionlint knows GitHub's own ones only."""
    labels = set()

    def visit(key, value):
        if isinstance(value, dict):
            for name, inner in value.items():
                visit(f"{key} {name}", inner)
        elif isinstance(value, list):
            for inner in value:
                visit(key, inner)
        elif isinstance(value, str) and re.search(r"runs_on|runner", key):
            labels.add(value)

    for path in sorted((ROOT / "matrix").glob("*.yml")):
        visit("", yaml.safe_load(path.read_text(encoding="utf-8")))
    return sorted(labels)


def stand_in(external):
    """A workflow with the interface that matrix/external.yml declares, for validators that look into it."""
    inputs = {
        name: {"description": name, "type": row["type"], "required": row.get("required", False)}
        for name, row in external.get("inputs", {}).items()
    }
    outputs = {name: {"description": name, "value": name} for name in external.get("outputs", [])}
    call = {"inputs": inputs} | ({"outputs": outputs} if outputs else {})
    job = {"name": "Stand-in", "runs-on": "ubuntu-24.04", "steps": [{"name": "Nothing", "run": "true"}]}
    return {
        "name": "Stand-in",
        "on": {"workflow_call": call},
        "permissions": {},
        "jobs": {"stand_in": job},
    }


def lay_out(tree, workflows):
    """Copies the set; returns the names of its files that suppress findings."""
    target = tree / ".github" / "workflows"
    target.mkdir(parents=True)
    for path in workflows:
        shutil.copy(path, target)
    declared = ROOT / "matrix" / "external.yml"
    if declared.is_file():
        rows = yaml.safe_load(declared.read_text(encoding="utf-8"))["external_workflows"]
        for row in rows.values():
            if row["path"].startswith("./"):
                text = yaml.safe_dump(stand_in(row), sort_keys=False)
                (tree / row["path"]).write_text(text, encoding="utf-8")
    if (ROOT / ".github" / "actions").is_dir():
        shutil.copytree(ROOT / ".github" / "actions", tree / ".github" / "actions")
    (tree / ".git").mkdir()  # how actionlint tells a project's top folder
    configured = {
        "actionlint.yaml": {"self-hosted-runner": {"labels": runner_labels()}},
        "zizmor.yml": {"rules": {}},
    }
    settings = yaml.safe_load((ROOT / "matrix" / "settings.yml").read_text(encoding="utf-8"))
    form = settings["settings"].get("self_repository_form", "path")
    for name, extra in EXCEPTED[form].items():
        configured[name].update(extra)
    for name, content in configured.items():
        (tree / name).write_text(yaml.safe_dump(content))
    suppressed = []
    for path in sorted((tree / ".github").rglob("*.yml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if SUPPRESSION.search(line):
                suppressed.append(f"{path.relative_to(tree)}:{number}: suppresses a finding")
    return suppressed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("validator", choices=VALIDATORS)
    parser.add_argument("--planted", action="store_true", help="check that it finds what is planted")
    parser.add_argument("--own", action="store_true", help="look at .github/workflows/")
    options = parser.parse_args()
    source = ROOT / "generated-workflows"
    if options.planted:
        source = HERE / "planted"
    elif options.own:
        source = ROOT / ".github/workflows"
    workflows = sorted(source.glob("*.yml"))
    if not workflows:
        print(f"{source} has no workflow; run ./dev generate")
        return 1
    command, found_something = VALIDATORS[options.validator]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        suppressed = lay_out(tree, workflows)
        result = subprocess.run(
            command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    output = result.stdout

    if options.planted:
        expected = [
            text.strip()
            for path in workflows
            for name, text in EXPECTED.findall(path.read_text(encoding="utf-8"))
            if name == options.validator
        ]
        missed = [text for text in expected if text not in output]
        if result.returncode in found_something and expected and not missed:
            print(f"{options.validator} finds all {len(expected)} planted faults")
            return 0
        print(output)
        print(f"{options.validator} ended with {result.returncode} and missed: {missed}")
        return 1

    if result.returncode == 0 and not suppressed:
        print(f"{options.validator}: {len(workflows)} workflows, no finding")
        return 0
    print(output.replace(".github/workflows/", f"{source.relative_to(ROOT).as_posix()}/"))
    print("\n".join(suppressed))
    if result.returncode and result.returncode not in found_something:
        print(f"{options.validator} itself failed, with exit status {result.returncode}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
