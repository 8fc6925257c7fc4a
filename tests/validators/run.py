"""Runs one third-party validator on the generated workflows, in the layout of a repository.

The set is copied to .github/workflows/ next to .github/actions/ in a temporary folder. Findings and comments that
suppress findings are failures. --own validates the workflows of this project itself, --examples those of each project in
examples/. With --planted the validator gets workflows with known faults instead and must find all of them: each file
lists its faults in comments `# expect VALIDATOR: text`.
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

# The form of references between generated workflows (matrix/settings.yml), and settings of the validator that rejects
# it: zizmor requires the form that actionlint rejects, and vice versa. See docs/workflows.md.
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

# {validator: (its command, its exit statuses for findings)}
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


def runner_labels(project):
    """Every runner label in the project's matrix; actionlint knows only the labels of GitHub's runners."""
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

    for path in sorted((project / "matrix").glob("*.yml")):
        visit("", yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))
    return sorted(labels)


def stand_in(external):
    """A stub workflow with the interface that matrix/external.yml declares, for validators that read called workflows."""
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
        "permissions": external.get("permissions", {}),
        "jobs": {"stand_in": job},
    }


def lay_out(tree, workflows, project):
    """Copies the set of a project; returns a line for each comment that suppresses findings."""
    target = tree / ".github" / "workflows"
    target.mkdir(parents=True)
    for path in workflows:
        shutil.copy(path, target)
    declared = project / "matrix" / "external.yml"
    if declared.is_file():
        rows = yaml.load(declared.read_text(encoding="utf-8"), yaml.CSafeLoader)["external_workflows"]
        for row in rows.values():
            if row["path"].startswith("./"):
                text = yaml.safe_dump(stand_in(row), sort_keys=False)
                (tree / row["path"]).write_text(text, encoding="utf-8")
    if (ROOT / ".github" / "actions").is_dir():
        shutil.copytree(ROOT / ".github" / "actions", tree / ".github" / "actions")
    (tree / ".git").mkdir()  # actionlint detects the root of a project by it
    configured = {
        "actionlint.yaml": {"self-hosted-runner": {"labels": runner_labels(project)}},
        "zizmor.yml": {"rules": {}},
    }
    settings = yaml.load((project / "matrix" / "settings.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)
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


def findings(validator, source, project, workflows):
    """Validates the workflows of a project. Returns (exit status, output, lines that suppress findings)."""
    command, _ = VALIDATORS[validator]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        suppressed = lay_out(tree, workflows, project)
        result = subprocess.run(
            command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    output = result.stdout.replace(".github/workflows/", f"{source.relative_to(ROOT).as_posix()}/")
    return result.returncode, output, suppressed


def is_clean(validator, source, project=ROOT):
    """Prints the findings in the workflows of a folder; whether there are none."""
    workflows = sorted(source.glob("*.yml"))
    if not workflows:
        print(f"{source} has no workflow; run ./dev generate")
        return False
    status, output, suppressed = findings(validator, source, project, workflows)
    if status == 0 and not suppressed:
        print(f"{validator}: {len(workflows)} workflows in {source.relative_to(ROOT)}, no finding")
        return True
    print(output)
    print("\n".join(suppressed))
    if status and status not in VALIDATORS[validator][1]:
        print(f"{validator} itself failed, with exit status {status}")
    return False


def finds_planted(validator):
    workflows = sorted((HERE / "planted").glob("*.yml"))
    status, output, _ = findings(validator, HERE / "planted", ROOT, workflows)
    expected = [
        text.strip()
        for path in workflows
        for name, text in EXPECTED.findall(path.read_text(encoding="utf-8"))
        if name == validator
    ]
    missed = [text for text in expected if text not in output]
    if status in VALIDATORS[validator][1] and expected and not missed:
        print(f"{validator} finds all {len(expected)} planted faults")
        return True
    print(output)
    print(f"{validator} ended with {status} and missed: {missed}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("validator", choices=VALIDATORS)
    parser.add_argument("--planted", action="store_true", help="check that it finds what is planted")
    parser.add_argument("--own", action="store_true", help="look at .github/workflows/")
    parser.add_argument("--examples", action="store_true", help="look at the projects in examples/")
    options = parser.parse_args()
    if options.planted:
        clean = finds_planted(options.validator)
    elif options.own:
        clean = is_clean(options.validator, ROOT / ".github/workflows")
    elif options.examples:
        projects = sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir())
        # An example without settings uses those of this project.
        clean = all([
            is_clean(options.validator, path / "generated-workflows", path if (path / "matrix/settings.yml").exists() else ROOT)
            for path in projects
        ])
    else:
        clean = is_clean(options.validator, ROOT / "generated-workflows")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
