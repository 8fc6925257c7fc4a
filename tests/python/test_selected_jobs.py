"""The jobs that `wheelwright select` names are those that run: the conditions of the generated workflows, evaluated
with the outputs of the selection, start exactly the jobs of the selected builds."""

import json
import re

import pytest
import wheelrun as runner
from github_run import Expression, Run, evaluated
from wheelwright import wheelwright
from workflow_set import frozen
from workflow_set import workflows as workflows_in

LINUX_CI = ["gfx94X-dcgpu", "gfx110X-all", "gfx1151", "gfx120X-all"]
WINDOWS_CI = ["gfx110X-all", "gfx1151", "gfx120X-all"]
LINUX_ALL = [*LINUX_CI, "gfx950-dcgpu", "gfx90X-dcgpu", "gfx101X-dgpu", "gfx103X-dgpu", "gfx1150", "gfx1152", "gfx1153"]
WINDOWS_ALL = [*WINDOWS_CI, "gfx90X-dcgpu", "gfx101X-dgpu", "gfx103X-dgpu", "gfx1150", "gfx1152", "gfx1153"]
ASAN = ["gfx94X-dcgpu-asan", "gfx950-dcgpu-asan"]


def workflows():
    return workflows_in(frozen() / "generated-workflows")


def select(*words):
    done = wheelwright("select", *words, "--format", "json", cwd=frozen())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows(selection):
    """(platform, row) of each selected build."""
    for platform, found in selection["platforms"].items():
        for row in found["in"]:
            yield platform, row


def handed_on(selection):
    """The outputs of `setup` that a selection gives, as docs/workflows.md describes them."""
    selected = [f"{platform}/{row['artifact_group']}" for platform, row in rows(selection)]
    pytorch = {f"{platform}/{row['pytorch_gfx']}": 0 for platform, row in rows(selection) if row["build_pytorch"]}
    runners = {f"{platform}/{row['artifact_group']}": row["test_runs_on"] for platform, row in rows(selection)}
    return {
        "selected": json.dumps(selected), "pytorch": json.dumps(list(pytorch)), "runners": json.dumps(runners),
        "test_type": selection["test_type"], "rocm_version": "7.12.0.dev0",
        "test_labels": json.dumps({name: found["test_labels"] for name, found in selection["platforms"].items()}),
    }  # fmt: skip


def expected(selection, fork):
    """The jobs of the selection, by the rules on docs/workflows.md."""
    jobs = {"wheelrun", "setup", "summary"}
    for platform, row in rows(selection):
        if platform == "windows":
            jobs.add("wheelrun_windows")
        build = f"{platform}_{row['artifact_group']}"
        prebuilt, tested = row["use_prebuilt_artifacts"], row["test_runs_on"] != "" and not row["expect_failure"]
        if not prebuilt:
            jobs.add(f"artifacts_{build}")
        if tested and (prebuilt or not fork):
            jobs.add(f"components_{build}")
        if not row["expect_failure"]:
            jobs.add(f"packages_{build}")
        if tested and not fork:
            jobs.add(f"test_rocm_{build}")
        if row["build_pytorch"]:
            jobs.add("resolve")
            for combo in [] if fork else row["pytorch_combos"]:
                wheels = f"{platform}_{row['pytorch_gfx']}_{combo['id']}"
                jobs.add(f"pytorch_{wheels}")
                if combo["tests"] and row["test_runs_on"]:
                    jobs.add(f"test_pytorch_{wheels}")
    return jobs


def started(file, selection, fork=False, **inputs):
    """The jobs that GitHub would run."""
    outputs = {
        "setup": handed_on(selection),
        "resolve": {"commits": "{}", "versions": "{}", "rocm_version": "7.12.0.dev0"},
    }

    def outputs_of(job_id, job, context):
        if job_id in outputs:
            return outputs[job_id]
        # Packages that were not uploaded have no address.
        uploaded = evaluated(job.get("with", {}).get("upload", False), context)
        return {"package_find_links_url": "https://example.com/" if uploaded else ""}

    github = {"event": {"pull_request": {"head": {"repo": {"fork": fork}}}}} if "pull_request" in file else {}
    return Run(workflows()[file], github, inputs, outputs_of).started()


def groups(selection, platform):
    return [row["artifact_group"] for name, row in rows(selection) if name == platform]


def check(file, words, **event):
    selection = select(*words)["ci"]
    if selection["workflows"]:
        assert f"{selection['workflows'][0]}.yml" == file
    assert started(file, selection, **event) == expected(selection, event.get("fork", False))
    return selection


# ---- what a pull request, a push and the clock build ------------------------------------------


@pytest.mark.quick
@pytest.mark.parametrize("ref", ["main", "release/therock-7.10"])
def test_a_push(ref):
    found = check("ci_postsubmit.yml", ["--event", "push", "--ref", ref])
    assert groups(found, "linux") == [*LINUX_CI, "gfx950-dcgpu"]
    assert groups(found, "windows") == WINDOWS_CI
    assert [row["key"] for _, row in rows(found) if row["build_pytorch"]] == ["gfx94x"]


@pytest.mark.quick
def test_the_clock():
    found = check("ci_nightly.yml", ["--event", "schedule", "--workflow", "ci_nightly"])
    assert [group for group in groups(found, "linux") if "asan" not in group] == LINUX_ALL
    assert groups(found, "windows") == WINDOWS_ALL
    failing = [(platform, row["family"]) for platform, row in rows(found)
               if not row["build_pytorch"] and row["variant"] == "release"]  # fmt: skip
    assert failing == [("linux", "gfx101X-dgpu"), ("windows", "gfx90X-dcgpu")]


def test_the_clock_builds_with_the_address_sanitizer():
    found = check("ci_nightly.yml", ["--event", "schedule", "--workflow", "ci_nightly", "--variant", "asan"])
    assert groups(found, "linux") == ASAN and groups(found, "windows") == []
    assert [row["test_runs_on"] for _, row in rows(found)] == [
        "linux-mi325-8gpu-ossci-rocm-sandbox", "linux-mi355-1gpu-ossci-rocm",
    ]  # fmt: skip


def test_a_variant_that_fails_is_built_and_goes_no_further():
    typed = {"linux_amdgpu_families": "all", "build_variant": "tsan"}
    words = [word for name, value in typed.items() for word in ("--input", f"{name}={value}")]
    found = check("ci_nightly.yml", ["--event", "workflow_dispatch", "--workflow", "ci_nightly", *words], **typed)
    assert groups(found, "linux") == ["gfx94X-dcgpu-tsan", "gfx950-dcgpu-tsan"]
    assert all(row["expect_failure"] and not row["build_pytorch"] for _, row in rows(found))
    assert started("ci_nightly.yml", found, **typed) == {
        "wheelrun", "setup", "artifacts_linux_gfx94X-dcgpu-tsan", "artifacts_linux_gfx950-dcgpu-tsan", "summary",
    }  # fmt: skip


@pytest.mark.quick
def test_a_pull_request():
    found = check("ci_pull_request.yml", ["--event", "pull_request"])
    assert groups(found, "linux") == LINUX_CI and groups(found, "windows") == WINDOWS_CI


def test_a_label_of_a_runner():
    found = check("ci_pull_request.yml", ["--event", "pull_request", "--label", "test_runner:oem"])
    assert {row["family"]: row["test_runs_on"] for platform, row in rows(found) if row["test_runs_on"]} == {
        "gfx1151": "linux-strix-halo-gpu-rocm-oem"
    }
    tested = {job for job in started("ci_pull_request.yml", found) if job.startswith(("components_", "test_"))}
    assert tested == {"components_linux_gfx1151", "test_rocm_linux_gfx1151"}


@pytest.mark.quick
@pytest.mark.parametrize("fork", [False, True])
@pytest.mark.parametrize("labels", [
    (), ("gfx950",), ("gfx950-linux", "build:pytorch"), ("run-all-archs-ci",), ("run-all-archs-ci", "build:pytorch"),
    ("test:rocblas", "test_runner:oem"), ("gfx1150", "skip-ci"),
])  # fmt: skip
def test_labels(labels, fork):
    words = [word for label in labels for word in ("--label", label)]
    found = check("ci_pull_request.yml", ["--event", "pull_request", *words, *(["--fork"] if fork else [])], fork=fork)
    if "skip-ci" in labels:
        assert started("ci_pull_request.yml", found) == {"wheelrun", "setup", "summary"}
    if "run-all-archs-ci" in labels:
        assert groups(found, "linux") == LINUX_ALL
    if "build:pytorch" in labels and not fork:
        assert "test_pytorch_linux_gfx94X-dcgpu_py312_torch210" in started("ci_pull_request.yml", found)


def test_a_fork_uploads_nothing_and_so_tests_nothing():
    found = select("--event", "pull_request", "--label", "build:pytorch", "--fork")["ci"]
    jobs = started("ci_pull_request.yml", found, fork=True)
    assert {job.split("_")[0] for job in jobs} == {"wheelrun", "setup", "resolve", "artifacts", "packages", "summary"}


@pytest.mark.parametrize("file", ["docs/index.md", "LICENSE", "core/a.cpp", ".github/workflows/cinnamon.yml",
                                  ".github/workflows/release_windows_packages.yml"])  # fmt: skip
def test_paths(file):
    found = check("ci_postsubmit.yml", ["--event", "push", "--ref", "main", "--changed-file", file])
    built = started("ci_postsubmit.yml", found) != {"wheelrun", "setup", "summary"}
    assert built == found["build"] == (file in ("core/a.cpp", ".github/workflows/cinnamon.yml"))


# ---- what is typed ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["ci_pull_request.yml", "ci_postsubmit.yml", "ci_nightly.yml"])
@pytest.mark.parametrize("typed", [
    {},
    {"linux_amdgpu_families": "gfx94x"},
    {"linux_amdgpu_families": "gfx94X,gfx1151", "windows_amdgpu_families": "all"},
    {"linux_amdgpu_families": "all", "windows_amdgpu_families": "none"},
    {"linux_amdgpu_families": "gfx950", "pytorch_amdgpu_families": "none"},
    {"linux_amdgpu_families": "gfx94x", "linux_use_prebuilt_artifacts": True, "artifact_run_id": "123"},
    {"windows_amdgpu_families": "gfx1151", "linux_amdgpu_families": "gfx94x", "windows_use_prebuilt_artifacts": True,
     "artifact_run_id": "123"},
    {"linux_amdgpu_families": "gfx94x,gfx1151", "additional_label_options": "test_runner:oem"},
], ids=str)  # fmt: skip
def test_inputs(file, typed):
    said = {name: str(value).lower() if value is True else value for name, value in typed.items()}
    words = [word for name, value in said.items() for word in ("--input", f"{name}={value}")]
    check(file, ["--event", "workflow_dispatch", "--workflow", file.removesuffix(".yml"), *words], **typed)


@pytest.mark.parametrize("words", [
    ["--event", "schedule"],
    ["--event", "workflow_dispatch", "--input", "linux_amdgpu_families=all", "--input", "windows_amdgpu_families=all"],
    ["--event", "workflow_dispatch", "--input", "linux_amdgpu_families=all", "--input", "build_variant=tsan"],
    ["--event", "workflow_dispatch", "--input", "linux_amdgpu_families=gfx94x,gfx1151", "--input",
     "additional_label_options=test_runner:oem", "--input", "linux_test_labels=test:rocblas"],
], ids=lambda words: " ".join(words[1::2]))  # fmt: skip
def test_wheelrun_hands_on_what_is_expected_here(words, tmp_path):
    """The outputs that the tests above assume are those of the job."""
    done = runner.wheelrun("configure", "--workflow", "ci_nightly", *words, cwd=tmp_path,
                           env={"WHEELRUN_PLAN": str(frozen() / "generated-workflows/plan.json")})
    assert done.status == 0, done.stderr
    printed = dict(re.findall(r"^(selected|pytorch|runners|test_type|test_labels)=(.*)$", done.stdout, re.MULTILINE))
    wanted = handed_on(select(*words, "--workflow", "ci_nightly")["ci"])
    assert read(printed) == {name: value for name, value in read(wanted).items() if name != "rocm_version"}


def read(outputs):
    """Outputs with their JSON parsed."""
    return {name: json.loads(value) if value[:1] in ("[", "{") else value for name, value in outputs.items()}


# ---- releases ---------------------------------------------------------------------------------

TYPES = ["dev", "nightly", "prerelease"]


def test_a_nightly_release_is_of_all_families():
    found = select("--event", "schedule", "--input", "release_type=nightly")["release"]
    families = {platform: [row["family"] for name, row in rows(found) if name == platform] for platform, _ in rows(found)}
    assert families == {"linux": LINUX_ALL, "windows": WINDOWS_ALL}
    # Families with a known failure of PyTorch are not built.
    assert [(platform, row["family"]) for platform, row in rows(found) if not row["combos"]] == [
        ("linux", "gfx101X-dgpu"), ("windows", "gfx90X-dcgpu"),
    ]  # fmt: skip
    for platform, row in rows(found):
        assert (f"release_{platform}_pytorch_wheels_{row['family']}.yml" in workflows()) == bool(row["combos"])


def released(release_type):
    """(platform, row) of each family with wheels in a release of all families."""
    words = [f"release_type={release_type}", "linux_amdgpu_families=all", "windows_amdgpu_families=all"]
    found = select("--event", "workflow_dispatch", *[part for word in words for part in ("--input", word)])["release"]
    return [(platform, row) for platform, row in rows(found) if row["combos"]]


@pytest.mark.parametrize("release_type", TYPES)
@pytest.mark.parametrize("typed", [{"linux": "all", "windows": "all"}, {"linux": "gfx94x,gfx1153", "windows": "none"}],
                         ids=str)  # fmt: skip
def test_a_release_starts_the_selected_families(release_type, typed):
    words = [word for name, value in typed.items() for word in ("--input", f"{name}_amdgpu_families={value}")]
    found = select("--event", "workflow_dispatch", "--input", f"release_type={release_type}", *words)["release"]
    selected = [f"{platform}/{row['family']}" for platform, row in rows(found) if row["combos"]]
    context = {"needs": {"setup": {"outputs": {"selected": json.dumps(selected)}}}}
    steps = workflows()[f"release_{release_type}.yml"]["jobs"]["start"]["steps"]
    ran = [step["with"]["workflow"] for step in steps if evaluated(condition(step), context)]
    assert ran == [f"release_{key.replace('/', '_pytorch_wheels_')}.yml" for key in selected]


def condition(step):
    """The condition of a step in a run without cancellation."""
    return step["if"].replace("!cancelled() && ", "")


@pytest.mark.parametrize("given", ["", "0" * 64], ids=["alone", "called"])
@pytest.mark.parametrize("release_type", TYPES)
def test_a_family_s_release_builds_the_selected_combos(release_type, given):
    """Started directly, or called by a run that has built wheelrun already."""
    for platform, row in released(release_type):
        file = f"release_{platform}_pytorch_wheels_{row['family']}.yml"
        inputs = {"release_type": release_type, "wheelrun_sha256": given, "wheelrun_windows_sha256": given}
        wanted = {"resolve", "index"} | ({"wheelrun"} if not given else set())
        if platform == "windows" and not given:
            wanted.add("wheelrun_windows")
        held = {f"promote_{combo['id']}" for combo in row["combos"][::2]}
        run = Run(workflows()[file], {}, inputs, lambda job, *_: {"verdict": "hold" if job in held else "promote"})
        for combo in row["combos"]:
            wanted |= {f"{kind}_{combo['id']}" for kind in ("build", "attest", "promote")}
            if f"promote_{combo['id']}" not in held:
                wanted.add(f"install_{combo['id']}")
            if combo["tests"] and row["test_runs_on"]:
                wanted.add(f"test_{combo['id']}")
        assert run.started() == wanted, file


@pytest.mark.parametrize("release_type", TYPES)
def test_tests_and_bypasses_are_those_of_the_row(release_type):
    """Each promotion gets the input of the policy: a result for each test, and whether none is needed."""
    seen = {}
    for platform, row in released(release_type):
        jobs = workflows()[f"release_{platform}_pytorch_wheels_{row['family']}.yml"]["jobs"]
        for combo in row["combos"]:
            given = jobs[f"promote_{combo['id']}"]["with"]
            assert bool(given["test_results"]) == (combo["tests"] and row["test_runs_on"] != "")
            assert given["bypass_tests"] == row["bypass_tests_for_releases"]
            if given["test_results"]:
                assert jobs[f"test_{combo['id']}"]["with"]["runs_on"] == row["test_runs_on"]
        seen[platform, row["family"]] = (row["test_runs_on"] != "", row["bypass_tests_for_releases"])
    assert seen["linux", "gfx94X-dcgpu"] == seen["linux", "gfx950-dcgpu"] == seen["windows", "gfx1151"] == (True, False)
    assert seen["linux", "gfx1151"] == seen["linux", "gfx120X-all"] == seen["windows", "gfx110X-all"] == (True, True)
    assert seen["linux", "gfx110X-all"] == seen["windows", "gfx120X-all"] == (False, True)
    assert seen["linux", "gfx1152"] == (False, False)


# ---- the evaluator itself -----------------------------------------------------------------------


@pytest.mark.quick
@pytest.mark.parametrize(("text", "value"), [
    ("'a' == 'A'", True), ("null == ''", True), ("null != ''", False), ("true == 1", True), ("'x' == 0", False),
    ("a.b.c == null", True), ("a.list", [1, 2]), ("contains(a.list, 2)", True), ("contains('linux-x', 'NUX')", True),
    ("'' || 'b'", "b"), ("'a' && 'b'", "b"), ("'' && 'b'", ""), ("!a.list", False), ("!(false || null)", True),
    ("fromJSON('{\"k/e\": \"v\"}')['k/e']", "v"), ("'it''s'", "it's"), ("'' || 'a' && 'x'", "x"), ("'a' || '' && 'x'", "a"),
])  # fmt: skip
def test_expressions(text, value):
    assert Expression(text, {"a": {"list": [1, 2]}}, {}).value() == value


@pytest.mark.quick
def test_a_skipped_job_skips_its_dependents_unless_their_condition_overrides_it():
    jobs = {
        "first": {"if": "inputs.go"}, "second": {"needs": "first"}, "third": {"needs": ["second"]},
        "late": {"needs": "third", "if": "${{ !cancelled() && needs.third.result == 'skipped' }}"},
        "after": {"needs": "late"}, "last": {"needs": ["third", "late"], "if": "always()"},
    }  # fmt: skip
    assert Run({"jobs": jobs}, {}, {"go": False}, lambda *_: {}).started() == {"late", "last"}
    assert Run({"jobs": jobs}, {}, {"go": True}, lambda *_: {}).started() == {"first", "second", "third", "last"}
