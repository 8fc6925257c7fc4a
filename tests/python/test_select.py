"""`wheelwright select` with the project's own matrix: output and exit status."""

import json
import re
import shutil

import pytest
import yaml
from wheelwright import ROOT, wheelwright



def select(*words, **options):
    return wheelwright("select", *words, **options)


def ok(*words, **options):
    done = select(*words, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*words):
    done = select(*words)
    assert (done.returncode, done.stdout) == (2, ""), done
    return done.stderr


def groups(selection, platform):
    return [family["artifact_group"] for family in selection["platforms"][platform]["in"]]


def test_text_names_the_rule_for_each_family():
    text = ok("--event", "pull_request", "--label", "gfx950", "--changed-file", "core/a.cpp")
    lines = text.splitlines()
    assert lines[:3] == [
        "pull_request starts ci_pull_request.yml",
        "build: yes ('core/a.cpp' changed)",
        "tests: smoke (Quick answers for everyday changes)",
    ]
    row = next(line for line in lines if line.startswith("gfx94X-dcgpu"))
    assert row.split("  ")[0] == "gfx94X-dcgpu" and row.endswith("tier presubmit is built by pull_request")
    assert next(line for line in lines if line.startswith("gfx950-dcgpu")).endswith("label 'gfx950'")
    assert "out         tier nightly is not built by pull_request" in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--event", "pull_request", "--label", "gfx950", "--label", "skip-ci"], "the label 'skip-ci'"),
        (["--event", "push", "--ref", "main2"], "a push starts something on main and release/therock-*, not on 'main2'"),
        (
            ["--event", "push", "--ref", "main", "--changed-file", "docs/a.md"],
            "'docs/a.md' needs no build by 'docs/*' of paths.skippable",
        ),
        (["--event", "workflow_dispatch"], "no family is selected"),
    ],
)
def test_nothing_is_built_for_a_reason(words, why):
    lines = ok(*words).splitlines()[1:]
    assert lines[0] == f"build: no ({why})"
    if words[-1] == "workflow_dispatch":
        assert any(line.startswith("out  nothing is typed in linux_amdgpu_families ") for line in lines)
    else:
        assert len(lines) == 1


@pytest.mark.parametrize("ref", ["main", "refs/heads/main", "release/therock-7.10"])
def test_a_ref_is_a_branch(ref):
    assert ok("--event", "push", "--ref", ref).startswith("push starts ci_postsubmit.yml\n")
    ci = json.loads(ok("--event", "push", "--ref", ref, "--format", "json"))["ci"]
    assert groups(ci, "linux") == ["gfx94X-dcgpu", "gfx110X-all", "gfx1151", "gfx120X-all", "gfx950-dcgpu"]
    assert groups(ci, "windows") == ["gfx110X-all", "gfx1151", "gfx120X-all"]


def test_a_schedule_starts_ci_and_a_release():
    answer = json.loads(ok("--event", "schedule", "--format", "json"))
    assert answer["ci"]["workflows"] == ["ci_nightly"]
    assert answer["release"]["release_type"] == "nightly"
    alone = json.loads(ok("--event", "schedule", "--workflow", "ci_nightly", "--format", "json"))
    assert alone["release"] is None


def test_an_input_makes_the_run_a_release():
    words = ["--event", "workflow_dispatch", "--input", "release_type=prerelease"]
    answer = json.loads(ok(*words, "--input", "linux_amdgpu_families=gfx94x", "--format", "json"))
    assert answer["ci"] is None
    combos = answer["release"]["platforms"]["linux"]["in"][0]["combos"]
    assert len(combos) == 16
    assert {combo["promotes"] for combo in combos} == {"tests"}
    assert ok(*words).startswith("prerelease release by workflow_dispatch (typed in release_type)\n\nLinux\n")


def test_markdown_is_a_table():
    text = ok("--event", "pull_request", "--format", "markdown")
    assert "|  | family | platform | why | tests on | PyTorch |" in text
    assert "| out | gfx950-dcgpu | Linux | tier postsubmit is not built by pull_request |  |  |" in text


def test_a_variant_and_a_workflow_can_be_named():
    ci = json.loads(ok("--event", "schedule", "--variant", "asan", "--workflow", "ci_nightly", "--format", "json"))["ci"]
    assert groups(ci, "linux") == ["gfx94X-dcgpu-asan", "gfx950-dcgpu-asan"]
    text = refused("--event", "workflow_dispatch", "--workflow", "ci_postsubmit", "--input",
                   "linux_amdgpu_families=gfx1153")
    assert "ci_postsubmit has no jobs for it" in text


def test_mistakes_are_said_all_at_once_with_the_right_name():
    text = refused("--event", "pull_request", "--label", "test:rocblass", "--label", "gfx95", "--input", "x=1")
    assert "did you mean 'test:rocblas'?" in text
    assert "did you mean 'gfx950'?" in text
    assert text.rstrip().endswith("3 errors")
    assert "did you mean 'pull_request'?" in refused("--event", "pul_request")
    assert "did you mean 'nightly'?" in refused("--event", "schedule", "--input", "release_type=nightl")


def test_a_near_miss_of_a_label_is_a_warning():
    done = select("--event", "pull_request", "--label", "skip_ci")
    assert done.returncode == 0
    assert "did you mean 'skip-ci'?" in done.stderr
    assert "build: yes" in done.stdout


def test_a_pull_request_starts_no_release():
    text = refused("--event", "pull_request", "--input", "release_type=nightly")
    assert "error[release-event]: 'pull_request' may not start a nightly release" in text


def test_the_command_line_is_checked():
    assert "error[missing-argument]: 'select' needs an event" in refused("--label", "gfx950")
    assert "'--input' does not take 'release_type'" in refused("--event", "push", "--input", "release_type")
    assert "did you mean '--event'?" in refused("--evnt", "push")


def test_hostile_text_is_quoted():
    harm = "gfx\n::set-output name=x::$(id)\x1b[31m"
    text = refused("--event", "pull_request", "--label", harm)
    assert "'gfx\\n::set-output name=x::$(id)\\x1b[31m'" in text
    assert not any(line.startswith("::") for line in text.splitlines())


def test_a_matrix_with_a_mistake_is_told_with_its_line(tmp_path):
    for name in ("matrix", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    triggers = tmp_path / "matrix/triggers.yml"
    triggers.write_text(triggers.read_text().replace("tiers: [presubmit]", "tiers: [presubmits]"))
    text = refused("--event", "push", "--root", str(tmp_path))
    assert "error[unknown-tier]" in text
    assert "triggers.yml:" in text


def test_a_variant_that_the_workflow_has_no_jobs_for():
    """asan is built nightly: a push has no jobs for it, although the family has the variant."""
    out = json.loads(ok("--event", "push", "--ref", "main", "--variant", "asan", "--format", "json"))["ci"]["platforms"]["linux"]["out"]
    why = {family["key"]: family["why"] for family in out}
    assert why["gfx94x"] == "ci_postsubmit has no jobs for the variant asan"
    assert why["gfx1151"] == "no variant asan"
    text = ok("--event", "push", "--ref", "main", "--variant", "asan")
    assert re.search(r"^out  ci_postsubmit has no jobs for the variant asan +gfx94x, gfx950$", text, re.MULTILINE), text
    assert "gfx94X-dcgpu-asan" in ok("--event", "schedule", "--variant", "asan")


def examples():
    """The examples in the descriptions of inputs: (workflow, input, example)."""
    for path in sorted((ROOT / "generated-workflows").glob("ci_*.yml")):
        inputs = yaml.load(path.read_text().replace("\non:", '\n"on":'), yaml.CSafeLoader)["on"]["workflow_dispatch"]["inputs"]
        for name, row in inputs.items():
            if shown := re.search(r"such as ([^; ]+)", row["description"]):
                yield path.stem, name, shown[1]


def test_there_are_examples():
    found = list(examples())
    assert len(found) >= 15 and {name for _, name, _ in found} >= {"linux_amdgpu_families", "windows_amdgpu_families"}


@pytest.mark.parametrize(("workflow", "name", "example"), list(examples()))
def test_the_examples_of_inputs_can_be_typed(workflow, name, example):
    """Each alone, with the example families of the file: examples that people copy must be valid."""
    families = {f"--input={other}={shown}" for file, other, shown in examples() if file == workflow and other.endswith("_families")}
    done = select("--event", "workflow_dispatch", "--workflow", workflow, *families, f"--input={name}={example}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "build: yes" in done.stdout
