"""Mistakes in rows of families and platforms that would otherwise fail only in a run, or never."""

import shutil

import pytest
from wheelwright import Project
from workflow_set import frozen


@pytest.fixture
def project(tmp_path):
    for name in ("matrix", "templates"):
        shutil.copytree(frozen() / name, tmp_path / name)
    return Project(tmp_path)


def test_a_target_is_fetched_that_nothing_builds(project):
    project.replace("matrix/families.yml", "fetch_targets: [gfx942]", "fetch_targets: [gfx940]", count=1)
    assert project.refused("generate") == """\
error[fetch-outside-targets]: nothing is built for 'gfx940', so there is nothing to fetch
   --> matrix/families.yml:23:23
    |
 23 |       fetch_targets: [gfx940]
    |                       ^^^^^^ did you mean 'gfx942'?
   ::: matrix/families.yml:18:7
    |
 18 |       targets: [gfx942]
    |       ^^^^^^^ the targets that are built

1 error; nothing was written
"""


@pytest.mark.parametrize(("file", "old", "new", "marked", "platform"), [
    ("families", "test_runs_on: linux-mi325-1gpu", "test_runs_on: windows-mi325-1gpu", "windows-mi325-1gpu-ossci-rocm", "linux"),
    ("families", "sandbox_runs_on: linux-", "sandbox_runs_on: windows-", "windows-mi325-8gpu-ossci-rocm-sandbox", "linux"),
    ("families", "oem: linux-strix", "oem: windows-strix", "windows-strix-halo-gpu-rocm-oem", "linux"),
    ("families", "test_runs_on: windows-gfx110X", "test_runs_on: linux-gfx110X", "linux-gfx110X-gpu-rocm", "windows"),
    ("platforms", "build_runs_on: azure-windows-scale", "build_runs_on: azure-linux-scale", "azure-linux-scale-rocm", "windows"),
    ("platforms", "fallback_runs_on: windows-2022", "fallback_runs_on: ubuntu-24.04", "ubuntu-24.04", "windows"),
])
def test_a_runner_of_another_system(project, file, old, new, marked, platform):
    project.replace(f"matrix/{file}.yml", old, new, count=1)
    said = project.refused("generate")
    assert said.startswith(f"error[runner-of-other-platform]: '{marked}' is not a runner on {platform}\n")
    assert f"--> matrix/{file}.yml:" in said and f"| {'^' * len(marked)}\n" in "\n".join(
        "| " + line.split("| ")[-1].strip() if "^" in line else line for line in said.splitlines()) + "\n"
    assert said.endswith("\n1 error; nothing was written\n")


def test_a_runner_that_fetches_nothing(project):
    project.replace("matrix/families.yml", "      fetch_targets: [gfx942]\n", "", count=1)
    assert project.run("generate").returncode == 0
    done = project.run("check")
    assert done.returncode == 0
    assert """\
warning[no-fetch-targets]: the tests of 'gfx94X-dcgpu' on linux fetch artifacts of no target
   --> matrix/families.yml:19:21
    |
 19 |       test_runs_on: linux-mi325-1gpu-ossci-rocm
    |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ say which of gfx942 the runner has, in fetch_targets
""" in done.stderr
