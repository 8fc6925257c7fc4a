"""`wheelrun configure` in a job: with a real repository and payload, and the outputs for other jobs."""

import json
import os

import pytest
import wheelrun
from source_tree import git
from wheelrun import in_job
from wheelwright import wheelwright

def commit(folder, *paths):
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.read_text() + "x" if file.exists() else "x")
        git(folder, "add", "--", path)
    git(folder, "commit", "-q", "-m", "change")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def upstream(tmp_path):
    """A repository with some history; any of its commits may be fetched, as on GitHub."""
    folder = tmp_path / "upstream"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    (folder / ".gitmodules").write_text('[submodule "rocPRIM"]\n\tpath = math-libs/rocPRIM\n\turl = ../rocPRIM\n')
    git(folder, "add", ".")
    for i in range(5):
        commit(folder, f"core/{i}.cpp")
    return folder


def clone(upstream, folder, ref, depth=1):
    """Like actions/checkout: one commit, and no credentials."""
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "remote", "add", "origin", upstream.as_uri())
    git(folder, "fetch", "-q", "--no-tags", f"--depth={depth}", "origin", ref)
    git(folder, "checkout", "-q", "FETCH_HEAD")
    return folder


def pull_request(upstream, *paths, labels=()):
    """Merges a branch that changes the paths, like GitHub. Gives the merge and the payload."""
    base = git(upstream, "rev-parse", "main")
    git(upstream, "checkout", "-q", "-b", "topic", "main~2")
    head = commit(upstream, *paths)
    git(upstream, "checkout", "-q", "--detach", "main")
    git(upstream, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    merge = git(upstream, "rev-parse", "HEAD")
    git(upstream, "update-ref", "refs/pull/1/merge", merge)
    git(upstream, "checkout", "-q", "main")
    repository = {"full_name": "ROCm/TheRock"}
    payload = {
        "action": "synchronize",
        "pull_request": {
            "labels": [{"name": label} for label in labels],
            "base": {"ref": "main", "sha": base, "repo": repository},
            "head": {"ref": "topic", "sha": head, "repo": repository},
        },
    }
    return merge, payload


def configure(tmp_path, checkout, event, payload, *words, env=None):
    file = tmp_path / "event.json"
    file.write_text(json.dumps(payload), encoding="utf-8")
    return in_job(
        tmp_path, "configure", *words, cwd=checkout,
        env={"GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(file), "GITHUB_REPOSITORY": "ROCm/TheRock",
             "GIT_CONFIG_GLOBAL": os.devnull, **(env or {})},
    )


def test_a_pull_request_is_compared_with_what_it_is_merged_into(tmp_path, upstream):
    _, payload = pull_request(upstream, "docs/a.md")
    checkout = clone(upstream, tmp_path / "checkout", "refs/pull/1/merge")
    done = configure(tmp_path, checkout, "pull_request", payload)
    assert (done.status, done.stderr) == (0, "")
    # In the base, core/3.cpp and core/4.cpp are newer than the branch, so they are not its changes.
    assert done.outputs["selected"] == "[]"
    assert "'docs/a.md' needs no build" in done.summary


def test_a_pull_request_gets_the_presubmit_families(tmp_path, upstream):
    _, payload = pull_request(upstream, "core/new file.cpp", labels=["build:pytorch"])
    checkout = clone(upstream, tmp_path / "checkout", "refs/pull/1/merge")
    done = configure(tmp_path, checkout, "pull_request", payload)
    assert json.loads(done.outputs["selected"]) == [
        "linux/gfx94X-dcgpu", "linux/gfx110X-all", "linux/gfx1151", "linux/gfx120X-all",
        "windows/gfx110X-all", "windows/gfx1151", "windows/gfx120X-all",
    ]
    assert json.loads(done.outputs["pytorch"]) == ["linux/gfx94X-dcgpu"]
    assert done.outputs["test_type"] == "smoke"
    assert json.loads(done.outputs["runners"])["linux/gfx94X-dcgpu"] == "linux-mi325-1gpu-ossci-rocm"
    assert "tier presubmit is built by pull_request" in done.summary


def test_a_changed_submodule_asks_for_full_tests(tmp_path, upstream):
    _, payload = pull_request(upstream, "math-libs/rocPRIM")
    checkout = clone(upstream, tmp_path / "checkout", "refs/pull/1/merge")
    assert configure(tmp_path, checkout, "pull_request", payload).outputs["test_type"] == "full"


def test_a_checkout_of_the_head_is_deepened_until_it_meets_its_base(tmp_path, upstream):
    _, payload = pull_request(upstream, "docs/a.md")
    checkout = clone(upstream, tmp_path / "checkout", "topic")
    done = configure(tmp_path, checkout, "pull_request", payload)
    assert done.outputs["selected"] == "[]"
    assert "'docs/a.md' needs no build" in done.summary


def test_a_push_is_compared_with_what_the_branch_was_at(tmp_path, upstream):
    before = git(upstream, "rev-parse", "main")
    for path in ("docs/a.md", "docs/b.md", "core/b.md"):
        commit(upstream, path)
    checkout = clone(upstream, tmp_path / "checkout", "main")
    done = configure(tmp_path, checkout, "push", {"before": before}, env={"GITHUB_REF": "refs/heads/main"})
    assert done.outputs["selected"] == "[]"
    commit(upstream, "core/b.cpp")
    git(checkout, "fetch", "-q", "--depth=1", "origin", "main")
    git(checkout, "checkout", "-q", "FETCH_HEAD")
    done = configure(tmp_path, checkout, "push", {"before": before}, env={"GITHUB_REF": "refs/heads/main"})
    assert "linux/gfx950-dcgpu" in json.loads(done.outputs["selected"])


@pytest.mark.parametrize("before", ["0" * 40, "1234567890" * 4])
def test_when_it_is_not_known_what_changed_everything_is_built(tmp_path, upstream, before):
    checkout = clone(upstream, tmp_path / "checkout", "main")
    done = configure(tmp_path, checkout, "push", {"before": before}, env={"GITHUB_REF": "refs/heads/main"})
    assert done.status == 0
    assert "linux/gfx950-dcgpu" in json.loads(done.outputs["selected"])
    warned = f"cannot find out what changed since {before}" in done.stdout
    assert warned == (before[0] != "0")


def test_names_of_files_cannot_deceive(tmp_path, upstream):
    """A file whose name looks like two lines, an option or a command is one file that requires a build."""
    _, payload = pull_request(upstream, "docs/a.md\ncore", "-n", "$(touch pwned)")
    checkout = clone(upstream, tmp_path / "checkout", "refs/pull/1/merge")
    done = configure(tmp_path, checkout, "pull_request", payload)
    assert json.loads(done.outputs["selected"]) != []
    assert not (checkout / "pwned").exists()


HOSTILE = ["gfx950\nselected=[]", "$(id)", "`id`", "::set-output name=selected::all", "end_0", "a|b<script>"]


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_are_words(tmp_path, upstream, label):
    _, payload = pull_request(upstream, "core/a.cpp", labels=[label])
    checkout = clone(upstream, tmp_path / "checkout", "refs/pull/1/merge")
    done = configure(tmp_path, checkout, "pull_request", payload)
    assert set(done.outputs) in (set(), {"selected", "pytorch", "runners", "test_type", "test_labels"})
    for line in done.stdout.splitlines():
        assert not line.startswith(("::set-output", "selected="))
    assert "<script>" not in done.summary


def test_a_typo_in_a_label_is_an_error_that_names_the_right_word(tmp_path, upstream):
    _, payload = pull_request(upstream, "core/a.cpp", labels=["gfx95"])
    checkout = clone(upstream, tmp_path / "checkout", "refs/pull/1/merge")
    done = configure(tmp_path, checkout, "pull_request", payload)
    assert (done.status, done.outputs) == (2, {})
    assert "::error title=unknown-label::" in done.stdout
    assert "did you mean 'gfx950'?" in done.stdout


def test_what_a_release_builds(tmp_path, upstream):
    checkout = clone(upstream, tmp_path / "checkout", "main")
    done = configure(tmp_path, checkout, "workflow_dispatch", {"inputs": {}}, "--workflow", "release_dev",
                     "--input", "release_type=dev", "--input", "linux_amdgpu_families=gfx94x",
                     "--input", "windows_amdgpu_families=none")
    assert done.outputs == {"selected": '["linux/gfx94X-dcgpu"]'}


def test_it_agrees_with_select(tmp_path, upstream):
    """The same cases through wheelrun and through wheelwright."""
    checkout = clone(upstream, tmp_path / "checkout", "main")
    for variant in ("release", "asan", "tsan"):
        typed = {"linux_amdgpu_families": "all", "windows_amdgpu_families": "all", "build_variant": variant}
        words = [word for name, value in typed.items() for word in ("--input", f"{name}={value}")]
        done = configure(tmp_path, checkout, "workflow_dispatch", {"inputs": typed})
        told = wheelwright("select", "--event", "workflow_dispatch", *words, "--format", "json")
        platforms = json.loads(told.stdout)["ci"]["platforms"]
        expected = [f"{name}/{family['artifact_group']}" for name in platforms for family in platforms[name]["in"]]
        assert json.loads(done.outputs["selected"]) == expected
        assert expected


def test_without_a_plan_it_says_where_one_comes_from(tmp_path):
    done = in_job(tmp_path, "configure", cwd=tmp_path,
                  env={"GITHUB_EVENT_NAME": "schedule", "WHEELRUN_PLAN": "plan.json"})
    assert done.status == 2
    assert "there is no plan.json, which WHEELRUN_PLAN names" in done.stdout
