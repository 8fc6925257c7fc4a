"""A changed row of the matrix changes exactly the expected files and jobs, and `check` lists them.

Each test edits a copy of the frozen project, runs `check`, generates, and compares all workflows with the earlier ones,
job by job.
"""

import re
import shutil

import pytest
from wheelwright import Project
from workflow_set import frozen
from workflow_set import workflows as workflows_in

CI = {"ci_nightly.yml", "ci_postsubmit.yml", "ci_pull_request.yml"}
STARTERS = {"release_dev.yml", "release_nightly.yml", "release_prerelease.yml"}
PYTHONS = ["py310", "py311", "py312", "py313"]
TORCHES = {
    "linux": ["torch27", "torch28", "torch29", "torch210", "nightly"],
    "windows": ["torch29", "torch210", "nightly"],
}


def workflows(folder=None):
    return workflows_in(folder or frozen() / "generated-workflows")


def release(platform, family):
    return f"release_{platform}_pytorch_wheels_{family}.yml"


def releases():
    return {name for name in workflows() if re.match(r"release_(linux|windows)_", name)}


class Copy(Project):
    """A copy of the project, of which one file is edited."""

    def __init__(self, folder):
        super().__init__(folder)
        for name in ("matrix", "templates", "generated-workflows"):
            shutil.copytree(frozen() / name, folder / name)

    def edit(self, name, old, new, count=1):
        self.replace(f"matrix/{name}", old, new, count)

    def drop_rows(self, name, start, end):
        """Removes the lines from the one that begins with `start` up to the one that begins with `end`."""
        text = self.read(f"matrix/{name}")
        first = re.search(f"^{re.escape(start)}", text, re.MULTILINE).start()
        last = re.compile(f"^{re.escape(end)}", re.MULTILINE).search(text, first).start()
        self.write(f"matrix/{name}", text[:first] + text[last:])

    def summary(self):
        """The summary of `check`, before the files and diffs."""
        done = self.run("check")
        assert done.returncode == 1, done.stderr
        head, lines, files, *_ = done.stdout.split("\n\n", 3)
        return head, [re.sub(" +", " ", line.strip()) for line in lines.splitlines()], listed(files)

    def generate(self):
        self.ok("generate")
        assert self.run("check").returncode == 0
        return Changes(workflows(), workflows(self.folder / "generated-workflows"))


def listed(files):
    """The state of each file according to `check`."""
    found = re.findall(r"^  (differs|missing|left over) +(\S+)", files, re.MULTILINE)
    return {name: word for word, name in found}


class Changes:
    """The differences of two sets of workflows, as parsed YAML."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        self.added_files = set(new) - set(old)
        self.removed_files = set(old) - set(new)
        self.changed_files = {name for name in set(old) & set(new) if old[name] != new[name]}

    def jobs(self, name):
        """(added, removed, changed) of a file, as sets of ids."""
        old, new = (side.get(name, {"jobs": {}})["jobs"] for side in (self.old, self.new))
        changed = {job for job in set(old) & set(new) if old[job] != new[job]}
        return set(new) - set(old), set(old) - set(new), changed

    def head_changed(self, name):
        """Whether anything above the jobs differs."""
        old, new = ({**side[name], "jobs": None} for side in (self.old, self.new))
        return old != new


@pytest.fixture
def project(tmp_path):
    return Copy(tmp_path)


def chain(*kinds, pythons, torches):
    return {f"{kind}_{python}_{torch}" for kind in kinds for python in pythons for torch in torches}


def test_nothing_changed(project):
    changes = project.generate()
    assert not changes.added_files | changes.removed_files | changes.changed_files


@pytest.mark.quick
def test_a_new_family(project):
    project.edit("families.yml", "  gfx1152:\n", (
        "  gfx1250:\n    tier: nightly\n    linux:\n      family: gfx1250\n      targets: [gfx1250]\n"
        "      test_runs_on: linux-gfx1250\n      fetch_targets: [gfx1250]\n\n  gfx1152:\n"))  # fmt: skip
    new = release("linux", "gfx1250")
    head, said, files = project.summary()
    assert head == "generated-workflows/ is not current: 7 files differ, 1 is missing"
    assert said[:3] == [
        "+ 6 jobs ci_nightly.yml: 1 artifacts, 1 components, 1 packages, 2 test, 1 pytorch",
        "+ 4 jobs ci_pull_request.yml: 1 artifacts, 1 components, 1 packages, 1 test",
        f"+ 103 jobs {new}: 1 wheelrun, 1 resolve, 20 build, 20 test, 20 attest, 20 promote, 1 index, 20 install",
    ]
    assert [line.split(": ")[0] for line in said[3:]] == [
        "~ 3 jobs steps", "~ 1 job needs", "~ 1 job needs", "~ 1 file on.workflow_dispatch.inputs.amdgpu_family.options",
    ]  # fmt: skip
    assert said[-1].endswith(": + gfx1250")
    assert files.pop(new) == "missing"
    differ = {"ci_nightly.yml", "ci_pull_request.yml", "test_pytorch_wheels.yml", *STARTERS}
    assert files == dict.fromkeys([*differ, "plan.json"], "differs")

    changes = project.generate()
    assert (changes.added_files, changes.removed_files, changes.changed_files) == ({new}, set(), differ)
    rocm = {f"{kind}_linux_gfx1250" for kind in ("artifacts", "components", "packages", "test_rocm")}
    pytorch = {f"{kind}_linux_gfx1250_py312_torch210" for kind in ("pytorch", "test_pytorch")}
    assert changes.jobs("ci_nightly.yml") == (rocm | pytorch, set(), {"summary"})
    assert changes.jobs("ci_pull_request.yml") == (rocm, set(), {"summary"})
    whole = chain("build", "test", "attest", "promote", "install", pythons=PYTHONS, torches=TORCHES["linux"])
    assert changes.jobs(new) == (whole | {"wheelrun", "resolve", "index"}, set(), set())
    for name in STARTERS:
        assert changes.jobs(name) == (set(), set(), {"start"})
    assert changes.jobs("test_pytorch_wheels.yml") == (set(), set(), set())
    assert {name for name in differ if changes.head_changed(name)} == {"test_pytorch_wheels.yml"}


def test_a_new_python(project):
    project.edit("pytorch.yml", '["3.10", "3.11", "3.12", "3.13"]', '["3.10", "3.11", "3.12", "3.13", "3.14"]', count=2)
    head, said, files = project.summary()
    assert head == f"generated-workflows/ is not current: {len(releases()) + 1} files differ"
    assert f"+ 25 jobs {release('linux', 'gfx94X-dcgpu')}: 5 build, 5 test, 5 attest, 5 promote, 5 install" in said
    assert f"+ 20 jobs {release('linux', 'gfx110X-all')}: 5 build, 5 attest, 5 promote, 5 install" in said
    assert f"+ 8 jobs {release('linux', 'gfx1153')}: 2 build, 2 attest, 2 promote, 2 install" in said
    assert f"+ 15 jobs {release('windows', 'gfx1151')}: 3 build, 3 test, 3 attest, 3 promote, 3 install" in said
    assert len([line for line in said if line.startswith("+")]) == len(releases())
    assert not [line for line in said if line.startswith("-")]
    assert files == dict.fromkeys([*releases(), "plan.json"], "differs")

    changes = project.generate()
    assert (changes.added_files, changes.removed_files, changes.changed_files) == (set(), set(), releases())
    for name in releases():
        platform = name.split("_")[1]
        torches = ["torch210", "nightly"] if "gfx1153" in name else TORCHES[platform]
        tested = any(job.startswith("test_") for job in workflows()[name]["jobs"])
        kinds = ["build", "attest", "promote", "install", *(["test"] if tested else [])]
        assert changes.jobs(name) == (chain(*kinds, pythons=["py314"], torches=torches), set(), {"index"}), name
        assert not changes.head_changed(name)


def test_a_runner_gone(project):
    project.edit("families.yml", "      test_runs_on: linux-mi355-1gpu-ossci-rocm\n", "")
    head, said, files = project.summary()
    name = release("linux", "gfx950-dcgpu")
    assert head == "generated-workflows/ is not current: 5 files differ"
    assert said[:4] == [
        "- 5 jobs ci_nightly.yml: 2 components, 3 test",
        "- 2 jobs ci_postsubmit.yml: components_linux_gfx950-dcgpu, test_rocm_linux_gfx950-dcgpu",
        "- 2 jobs ci_pull_request.yml: components_linux_gfx950-dcgpu, test_rocm_linux_gfx950-dcgpu",
        f"- 20 jobs {name}: 20 test",
    ]
    assert {line.split(": ")[0].split(" ", 3)[3] for line in said[4:-1]} == {"with.test_results", "needs"}
    assert files == dict.fromkeys([*CI, name, "plan.json"], "differs")

    changes = project.generate()
    assert (changes.added_files, changes.removed_files, changes.changed_files) == (set(), set(), CI | {name})
    plain = {"components_linux_gfx950-dcgpu", "test_rocm_linux_gfx950-dcgpu"}
    nightly = {f"{job}-asan" for job in plain} | {"test_pytorch_linux_gfx950-dcgpu_py312_torch210"}
    assert changes.jobs("ci_nightly.yml") == (set(), plain | nightly, {"summary"})
    assert changes.jobs("ci_postsubmit.yml") == (set(), plain, {"summary"})
    assert changes.jobs("ci_pull_request.yml") == (set(), plain, {"summary"})
    # The wheels are still built; the remaining promotion holds them, because they may not skip tests.
    combos = {"pythons": PYTHONS, "torches": TORCHES["linux"]}
    assert changes.jobs(name) == (set(), chain("test", **combos), chain("attest", "promote", **combos))
    for job in chain("promote", **combos):
        assert changes.new[name]["jobs"][job]["with"]["test_results"] == ""
    assert "wheels of gfx950-dcgpu for linux can never be promoted" in project.run("check").stderr


def test_a_known_failure_added(project):
    project.edit("families.yml", "      family: gfx1152\n      targets: [gfx1152]\n    windows:", (
        "      family: gfx1152\n      targets: [gfx1152]\n      known_failures:\n"
        "        pytorch: https://github.com/ROCm/TheRock/issues/1926\n    windows:"))  # fmt: skip
    head, said, files = project.summary()
    gone = release("linux", "gfx1152")
    assert head == "generated-workflows/ is not current: 5 files differ, 1 is left over"
    assert said == [
        "- 1 job ci_nightly.yml: pytorch_linux_gfx1152_py312_torch210",
        f"- 83 jobs {gone}: 1 wheelrun, 1 resolve, 20 build, 20 attest, 20 promote, 1 index, 20 install",
        "~ 3 jobs steps: 18 items -> 17 items",
        "~ 1 job needs: - pytorch_linux_gfx1152_py312_torch210",
    ]
    assert files.pop(gone) == "left over"
    assert files == dict.fromkeys(["ci_nightly.yml", *STARTERS, "plan.json"], "differs")

    changes = project.generate()
    differ = {"ci_nightly.yml", *STARTERS}
    assert (changes.added_files, changes.removed_files, changes.changed_files) == (set(), {gone}, differ)
    # ROCm itself is built and tested as before.
    assert changes.jobs("ci_nightly.yml") == (set(), {"pytorch_linux_gfx1152_py312_torch210"}, {"summary"})
    for name in STARTERS:
        assert changes.jobs(name) == (set(), set(), {"start"})
        assert "gfx1152" in str(changes.new[name]), "Windows has no such failure"


def test_a_family_removed(project):
    project.drop_rows("families.yml", "  gfx1152:", "  gfx1153:")
    head, said, files = project.summary()
    gone = {release(platform, "gfx1152") for platform in TORCHES}
    assert head == "generated-workflows/ is not current: 7 files differ, 2 are left over"
    assert said[:4] == [
        "- 6 jobs ci_nightly.yml: 2 artifacts, 2 packages, 2 pytorch",
        "- 4 jobs ci_pull_request.yml: 2 artifacts, 2 packages",
        f"- 83 jobs {release('linux', 'gfx1152')}: 1 wheelrun, 1 resolve, 20 build, 20 attest, 20 promote, 1 index, 20 install",
        f"- 52 jobs {release('windows', 'gfx1152')}: 2 wheelrun, 1 resolve, 12 build, 12 attest, 12 promote, 1 index, 12 install",
    ]
    assert said[4] == "~ 3 jobs steps: 18 items -> 16 items"
    assert said[-1] == "~ 1 file on.workflow_dispatch.inputs.amdgpu_family.options: - gfx1152"
    differ = {"ci_nightly.yml", "ci_pull_request.yml", "test_pytorch_wheels.yml", *STARTERS}
    assert files == {**dict.fromkeys([*differ, "plan.json"], "differs"), **dict.fromkeys(gone, "left over")}

    changes = project.generate()
    assert (changes.added_files, changes.removed_files, changes.changed_files) == (set(), gone, differ)
    rocm = {f"{kind}_{platform}_gfx1152" for kind in ("artifacts", "packages") for platform in TORCHES}
    pytorch = {f"pytorch_{platform}_gfx1152_py312_torch210" for platform in TORCHES}
    assert changes.jobs("ci_nightly.yml") == (set(), rocm | pytorch, {"summary"})
    assert changes.jobs("ci_pull_request.yml") == (set(), rocm, {"summary"})
    for name in STARTERS:
        assert changes.jobs(name) == (set(), set(), {"start"})
    assert not [name for name, workflow in changes.new.items() if "gfx1152" in str(workflow)]


@pytest.mark.quick
def test_a_family_that_rules_still_name_is_not_removed(project):
    project.drop_rows("families.yml", "  gfx1153:", "# What a family name stands for")
    done = project.run("generate")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error[unknown-family]: no family is called 'gfx1153'\n   --> matrix/pytorch.yml:")
    for path in (frozen() / "generated-workflows").iterdir():
        assert (project.folder / "generated-workflows" / path.name).read_bytes() == path.read_bytes()


def test_dead_ends_are_told_by_check_and_not_by_generate(project):
    """Only `check` and `plan` show warnings of the matrix, `generate` does not."""
    assert project.run("generate").stderr == ""
    found = re.findall(r"^warning\[dead-end\]: wheels of (\S+) for (\w+) ", project.run("check").stderr, re.MULTILINE)
    assert len(found) == len(set(found)) > 0
    plan = project.run("plan", "--format", "json").stdout
    assert plan.count('"dead_end": true') >= len(found)


@pytest.mark.quick
def test_a_skip_in_a_file_that_no_level_runs_is_an_error(project):
    project.edit("build.yml", "files: [test_nn.py]\n    tests: [test_rnn_check_device]",
                 "files: [test_n.py]\n    tests: [test_rnn_check_device]")
    done = project.run("generate")
    assert done.returncode == 2
    assert done.stderr.startswith("error[file-not-run]: no level of tests runs 'test_n.py', so nothing of it is left out\n"
                                  "   --> matrix/build.yml:")
    assert "did you mean 'test_nn.py'?" in done.stderr
