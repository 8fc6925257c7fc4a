"""`wheelwright import` over a corpus in the manner of real repositories: what it writes generates the workflows again.

What GitHub makes of a matrix is computed here anew, and expressions are evaluated by github_run.py, which shares no
code with the generator.
"""

import itertools
import json
import re

import pytest
import yaml
from github_run import Expression, truth
from wheelwright import ROOT, Project

CORPUS = ROOT / "tests/import"
NAMES = sorted(path.stem for path in CORPUS.glob("*.yml"))
GITHUB = {
    "github": {"ref": "refs/heads/main", "ref_name": "main", "workspace": "/w", "event_name": "push",
               "repository_owner": "owner", "event": {"action": "opened", "label": {"name": "run"}}},
    "runner": {"os": "Linux"}, "inputs": {"target": "t"},
    "steps": {"make": {"outputs": {"digest": "d"}}, "h": {"outputs": {"hash": "h"}}, "up": {"outputs": {"url": "u"}}},
}  # fmt: skip

# What cannot be taken over, with its line.
LEFT = {
    "anchors": ["1: its YAML aliases are written out: generated files have none"],
    "dynamic": ["16: only a run knows the matrix of job 'all'", "26: only a run knows 'version' of the matrix of job 'some'"],
}  # fmt: skip
LEFT_UNROLLED = {
    **LEFT,
    "dynamic": [*LEFT["dynamic"], "25: the legs of job 'some' are known to a run alone"],
    "differing": ["22: job 'use' reads what job 'build' leaves, which has another matrix"],
    "quotes": ["21: a value of 'matrix.greeting' has a quote"],
    "reusable-build": ["11: an output is that of job 'build', whichever leg ends last"],
    "whole-matrix": ["10: the matrix is read as a whole here", "18: the context 'strategy' is read here"],
    "self-hosted": ["9: all legs of job 'gpu' start at once"],
    "experimental": ["8: other legs of job 'test' go on when one fails", "9: all legs of job 'test' start at once"],
}
KEPT = {("dynamic", "all"), ("dynamic", "some"), ("differing", "build"), ("quotes", "greet"), ("reusable-build", "build"),
        ("whole-matrix", "dump"), ("whole-matrix", "shard")}  # fmt: skip
# Jobs that say nothing of fail-fast, with the line of `strategy` or of `fail-fast`.
FAIL_FAST = {"conditions": ("t", 10), "document-start": ("t", 7), "env-blocks": ("cross", 15), "go-release": ("releases-matrix", 9),
             "include-extends": ("pick", 6), "include-overwrites": ("t", 6), "mixed-types": ("t", 6), "null-and-empty": ("t", 6),
             "services": ("sql", 18), "settings": ("build-and-test", 6), "sometimes-experimental": ("test", 8)}  # fmt: skip


def load(text):
    """YAML 1.1 reads a key `on` without quotes as true."""
    return {"on" if key is True else key: value for key, value in yaml.load(text, yaml.CSafeLoader).items()}


def legs_of(matrix):
    """The values of each job that GitHub makes, as its documentation says."""
    axes = {key: values for key, values in matrix.items() if key not in ("include", "exclude")}
    legs = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())] if axes else []
    for row in matrix.get("exclude", []):
        legs = [leg for leg in legs if any(leg.get(key) != value for key, value in row.items())]
    made, added = [dict(leg) for leg in legs], []
    for row in matrix.get("include", []):
        fits = [i for i, leg in enumerate(legs) if all(leg[key] == row[key] for key in row if key in leg)]
        for i in fits:
            made[i].update(row)
        if not fits:
            added.append(dict(row))
    return made + added


def is_literal(matrix):
    return isinstance(matrix, dict) and "${{" not in json.dumps(matrix)


def text_of(value):
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


class Values:
    """Evaluates all expressions of a job."""

    def __init__(self, **contexts):
        self.contexts = {**GITHUB, **contexts}

    def value(self, text):
        functions = {name: lambda: True for name in ("success", "always")} | {
            "failure": lambda: False, "cancelled": lambda: False,
            "format": lambda form, *given: form.format(*(text_of(one) for one in given)),
        }  # fmt: skip
        return Expression(text, self.contexts, functions).value()

    def of(self, value, key=""):
        if isinstance(value, dict):
            return {name: self.of(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self.of(one) for one in value]
        if key == "if":
            bare = re.fullmatch(r"\s*\$\{\{(.*)\}\}\s*", str(value), re.DOTALL)
            return truth(self.value(bare.group(1) if bare else str(value)))
        if isinstance(value, str):
            whole = re.fullmatch(r"\$\{\{((?:(?!\}\}).)*)\}\}", value, re.DOTALL)
            if whole:
                value = self.value(whole.group(1))
            else:
                value = re.sub(r"\$\{\{(.*?)\}\}", lambda found: text_of(self.value(found.group(1))), value, flags=re.DOTALL)
        if key == "continue-on-error":
            return truth(value)
        return value if isinstance(value, list | dict) else text_of(value)


def needs_of(job):
    needs = job.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


def imported(tmp_path, name, *options):
    project = Project(tmp_path)
    source = (CORPUS / f"{name}.yml").read_text()
    path = project.write(f".github/workflows/{name}.yml", source)
    done = project.run("import", path, *options)
    assert done.returncode == 0, done.stderr
    return project, source, done


def reports(done):
    """The line and the message of each report."""
    return [f"{line}: {message}" for message, line in
            re.findall(r"^warning\[not-imported\]: (.*)\n +--> \S+:(\d+):\d+$", done.stderr, re.MULTILINE)]  # fmt: skip


def comments_kept(project, source, but=""):
    written = "".join(path.read_text() for path in project.folder.rglob("*.yml") if ".github" not in path.parts)
    lost = [found for found in re.findall(r"(?:^|(?<=\s))#.*$", source, re.MULTILINE) if found not in written]
    assert [one for one in lost if not but or but not in one] == []


def generated(project, name):
    done = project.run("generate")
    assert (done.returncode, done.stderr) == (0, "")
    assert project.ok("check") == "generated-workflows/ is current: 1 file\n"
    return load(project.read(f"generated-workflows/{name}.yml"))


def told(name, source, jobs):
    """What import prints first."""
    matrices = [job["strategy"]["matrix"] for job in jobs.values() if isinstance(job.get("strategy", {}).get("matrix"), dict)]
    legs = sum(len(legs_of(matrix)) for matrix in matrices if is_literal(matrix))
    count = f"{len(matrices)} {'matrix' if len(matrices) == 1 else 'matrices'} of {legs} leg{'' if legs == 1 else 's'}"
    return f"./: 1 workflow, with {count}; "


def test_corpus_is_large_enough():
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_stays_one(tmp_path, name):
    project, source, done = imported(tmp_path, name)
    before = load(source)
    assert done.stdout.startswith(told(name, source, before["jobs"]))
    assert reports(done) == LEFT.get(name, [])
    comments_kept(project, source)
    assert generated(project, name) == before
    for job in before["jobs"].values():  # no list stays in the template
        matrix = job.get("strategy", {}).get("matrix", {})
        if isinstance(matrix, dict):
            known = {key for key, value in matrix.items() if isinstance(value, list)}
            template = project.read(f"templates/workflows/{name}.yml")
            assert all(re.search(rf"^ +\"?{key}\"?: \$\[\[ [\w.-]+\.{key} \]\]$", template, re.MULTILINE) for key in known)


@pytest.mark.parametrize("name", NAMES)
def test_unrolled(tmp_path, name):
    project, source, done = imported(tmp_path, name, "--unroll")
    before = load(source)
    jobs = before["jobs"]
    expected = list(LEFT_UNROLLED.get(name, []))
    if name in FAIL_FAST:
        job, line = FAIL_FAST[name]
        expected.append(f"{line}: other legs of job '{job}' go on when one fails")
    assert sorted(reports(done)) == sorted(expected)
    comments_kept(project, source, but="matrix.")
    after = generated(project, name)
    assert {key: value for key, value in after.items() if key != "jobs"} == {
        key: value for key, value in before.items() if key != "jobs"
    }
    unrolled = {one for one, job in jobs.items() if "strategy" in job and (name, one) not in KEPT}
    made = {one: [other for other in after["jobs"] if other.startswith(f"{one}_")] if one in unrolled else [one] for one in jobs}
    assert sorted(sum(made.values(), [])) == sorted(after["jobs"])
    for one, job in jobs.items():
        legs = legs_of(job["strategy"]["matrix"]) if one in unrolled else [{}]
        assert len(made[one]) == len(legs)
        for i, (leg, new) in enumerate(zip(legs, made[one], strict=True)):
            compare_leg(jobs, unrolled, made, one, i, leg, after["jobs"][new])


def compare_leg(jobs, unrolled, made, one, i, leg, new):
    job = jobs[one]

    def same_matrix(other):
        return {one, other} <= unrolled and job["strategy"]["matrix"] == jobs[other]["strategy"]["matrix"]

    needs = [[made[need][i]] if same_matrix(need) else made[need] for need in needs_of(job)]
    assert needs_of(new) == sum(needs, [])
    if one not in unrolled:
        assert {**new, "needs": 0} == {**job, "needs": 0}
        return
    state = {"result": "success", "outputs": {"digest": "D", "version": 1, "hash": "H"}}
    old_values = Values(matrix=leg, needs={need: state for need in needs_of(job)})
    new_values = Values(needs={need: state for need in needs_of(new)})
    left_out = ("strategy", "needs", "name")
    assert new_values.of({key: value for key, value in new.items() if key not in left_out}) == old_values.of(
        {key: value for key, value in job.items() if key not in left_out})  # fmt: skip
    if "matrix." in str(job.get("name")):
        assert new["name"] == old_values.of(job["name"])
    else:
        values = [text_of(value) for value in leg.values() if not isinstance(value, dict | list)]
        assert new["name"].startswith(f"{job.get('name', one)} (")
        assert all(value in new["name"] for value in values)


def test_several_workflows_share_equal_matrices(tmp_path):
    project = Project(tmp_path)
    for name in ("a", "b"):
        project.write(f"{name}.yml", f"name: {name}\non: push\njobs:\n  t:\n    runs-on: x\n    strategy:\n"
                                     "      matrix:\n        v: [1, 2] # {0}\n".format(name) +
                                     "    steps: [{ run: 'echo ${{ matrix.v }}' }]\n")  # fmt: skip
    done = project.run("import", "a.yml", "b.yml", "--out", "new")
    assert done.returncode == 0, done.stderr
    assert "2 workflows, with 2 matrices of 4 legs; all of it was taken over" in done.stdout
    rows = project.read("new/matrix/a.yml")
    assert "# Of job `t` of a.yml and job `t` of b.yml." in rows and rows.count("v:") == 1
    assert "# a" in rows and "# b" in rows
    assert not (tmp_path / "new/matrix/b.yml").exists()


def test_nothing_is_written_over(tmp_path):
    project = Project(tmp_path, {"ci.yml": (CORPUS / "python-package.yml").read_text()})
    assert project.run("import", "ci.yml").returncode == 0
    before = project.files()
    stderr = project.refused("import", "ci.yml")
    assert stderr.startswith("error[file-in-the-way]: 4 files are in the way\n")
    assert project.files() == before
    for path in ("matrix/settings.yml", "matrix/ci.yml", "matrix/schema.yml"):
        (tmp_path / path).unlink()
    before = project.files()
    assert "= templates/workflows/ci.yml\n" in project.refused("import", "ci.yml")
    assert project.files() == before


@pytest.mark.parametrize(("text", "says"), [
    ("jobs: [\n", "error[yaml-syntax]"),
    ("on: push\n", "error[missing-key]: ci.yml is no workflow: it has no 'jobs'"),
    ("jobs:\n  a:\n    steps: [{ run: 'echo $[[ x ]]' }]\n", "error[template-expression]: '$[[' has a meaning in templates"),
])  # fmt: skip
def test_what_is_no_workflow(tmp_path, text, says):
    project = Project(tmp_path, {"ci.yml": text})
    assert project.refused("import", "ci.yml").startswith(says)
    assert sorted(project.files()) == ["ci.yml"]


def test_missing_and_repeated_files(tmp_path):
    project = Project(tmp_path, {"a/ci.yml": "on: push\njobs: {}\n", "b/ci.yml": "on: push\njobs: {}\n"})
    assert project.refused("import", "none.yml").startswith("error[file-access]: there is no file none.yml")
    assert project.refused("import", "a/ci.yml", "b/ci.yml").startswith("error[same-file]: two workflows are called ci.yml")
    assert sorted(project.files()) == ["a/ci.yml", "b/ci.yml"]


def test_nothing_is_half_written(tmp_path):
    project = Project(tmp_path, {"ci.yml": (CORPUS / "python-package.yml").read_text(), "templates": "a file\n"})
    stderr = project.refused("import", "ci.yml")
    assert stderr.startswith("error[file-access]")
    assert sorted(project.files()) == ["ci.yml", "templates"]


def test_a_yaml_ending(tmp_path):
    project = Project(tmp_path, {"ci.yaml": (CORPUS / "python-package.yml").read_text()})
    done = project.run("import", "ci.yaml")
    assert reports(done) == ["2: ci.yaml becomes ci.yml"]
    assert project.ok("generate") == "generated-workflows/: 1 written\n"


def test_a_report_shows_the_place(tmp_path):
    _, _, done = imported(tmp_path, "reusable-build", "--unroll")
    assert done.stderr == """\
warning[not-imported]: an output is that of job 'build', whichever leg ends last
   --> .github/workflows/reusable-build.yml:11:16
    |
 11 |         value: ${{ jobs.build.outputs.url }}
    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the job keeps its matrix

1 warning
"""
    assert done.stdout.startswith("./: 1 workflow, with 1 matrix of 2 legs; 1 thing was not taken over\n")


def test_policies_can_be_turned_on(tmp_path):
    project, _, _ = imported(tmp_path, "python-package")
    project.replace("matrix/settings.yml", "policies: lint", "policies: errors")
    stderr = project.refused("generate")
    assert "error[unpinned-action]" in stderr and "error[moving-runner]" in stderr
    project.replace("matrix/settings.yml", "policies: errors", "policies: none")
    assert project.refused("generate").startswith("error[unknown-value]")
