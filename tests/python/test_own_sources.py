"""Work on own sources: `wheelrun hipify`, and forks for `wheelrun checkout`."""

import json
import os
import signal
import subprocess
import time

import pytest
from pytorch_world import make_world
from wheelrun import PROGRAM, environment, wheelrun

UPSTREAM, HIPIFIED = "THEROCK_UPSTREAM_DIFFBASE", "THEROCK_HIPIFY_DIFFBASE"


@pytest.fixture(name="world", scope="module")
def fixture_world(tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("world"))


def checkout(world, root, *words, ref="release/2.10", commits=True):
    given = ["--commits", json.dumps(world.commits["torch_210"])] if commits else []
    return wheelrun("checkout", *words, "--root", root, "--torch-ref", ref, *given, env=world.environment)


def hipify(world, root, *words, **variables):
    return wheelrun("hipify", *words, "--root", root, env={**world.environment, **variables})


def good(done):
    assert done.status == 0, done.stdout + done.stderr
    return done


def refused(done, status, *texts):
    assert done.status == status, done.stdout + done.stderr
    for text in texts:
        assert text in done.stderr, done.stderr


# hipify


def test_hipify_alone_does_what_a_checkout_does(world, tmp_path):
    good(checkout(world, tmp_path / "whole"))
    good(checkout(world, tmp_path / "parts", "--no-hipify"))
    folder = tmp_path / "parts/pytorch"
    assert "cuda" in (folder / "aten/kernel.cu").read_text(encoding="utf-8")
    done = good(hipify(world, tmp_path / "parts"))
    assert "torch is hipified" in done.stderr
    for inner in ("", "third_party/fbgemm", "third_party/fbgemm/external/composable"):
        heads = {world.git(tmp_path / name / "pytorch" / inner, "rev-parse", "HEAD") for name in ("whole", "parts")}
        assert len(heads) == 1, inner
        assert world.git(folder / inner, "rev-parse", HIPIFIED) in heads
        assert world.git(folder / inner, "status", "--porcelain") == ""
    assert "torch is hipified already" in good(hipify(world, tmp_path / "parts", "torch")).stderr
    # `checkout` recognizes it as its own result.
    assert f"torch is at {world.commits['torch_210']['torch']} already" in good(checkout(world, tmp_path / "parts")).stderr


def clone(world, folder):
    world.git("rocm_pytorch", "clone", "--quiet", "--recursive", "--branch", "release/2.10",
              str(world.repositories["rocm_pytorch"]), str(folder))
    return folder


def test_a_clone_made_by_hand_is_hipified(world, tmp_path):
    folder = clone(world, tmp_path / "pytorch")
    base = world.git(folder, "rev-parse", "HEAD")
    good(hipify(world, tmp_path))
    assert world.git(folder, "rev-parse", UPSTREAM) == base
    assert world.git(folder, "log", "-1", "--format=%s %P") == f"DO NOT SUBMIT: HIPIFY {base}"
    assert world.git(folder, "diff", "--name-only", UPSTREAM, HIPIFIED).split() == ["aten/kernel.cu", "aten/kernel.hip"]


def test_commits_made_by_hand_come_first(world, tmp_path):
    good(checkout(world, tmp_path, "torch", "--no-hipify"))
    folder = tmp_path / "pytorch"
    (folder / "aten/mine.cu").write_text("cudaStream_t stream;\n", encoding="utf-8")
    world.git(folder, "add", "--all")
    world.git(folder, "commit", "--quiet", "-m", "Mine")
    good(hipify(world, tmp_path))
    assert world.git(folder, "log", "-3", "--format=%s").splitlines() == ["DO NOT SUBMIT: HIPIFY", "Mine",
                                                                        "Release 2.10"]
    assert (folder / "aten/mine.cu").read_text(encoding="utf-8") == "hipStream_t stream;\n"
    # `checkout` does not recognize that as its own result: it returns to the commit, and keeps this one.
    done = good(checkout(world, tmp_path, "torch"))
    assert "already" not in done.stderr
    assert not (folder / "aten/mine.cu").exists()


def test_changes_that_are_not_committed_are_refused(world, tmp_path):
    good(checkout(world, tmp_path, "torch", "--no-hipify"))
    inner = tmp_path / "pytorch/third_party/fbgemm"
    (inner / "src/embedding.cu").write_text("cudaEvent_t event;\n", encoding="utf-8")
    refused(hipify(world, tmp_path), 1, f"{inner} has uncommitted changes", "commit or stash them")
    assert (inner / "src/embedding.cu").read_text(encoding="utf-8") == "cudaEvent_t event;\n"
    assert world.git(tmp_path / "pytorch", "tag", "--list", HIPIFIED) == ""


def test_hipify_goes_on_after_an_interruption(world, tmp_path):
    good(checkout(world, tmp_path, "torch", "--no-hipify"))
    mark = tmp_path / "hangs"
    words = [PROGRAM, "hipify", "torch", "--root", tmp_path]
    with subprocess.Popen(words, env=environment({**world.environment, "WORLD_HIPIFY_HANGS": str(mark)}),
                          stderr=subprocess.DEVNULL) as process:
        for _ in range(1200):
            if mark.exists() and mark.read_text(encoding="utf-8"):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == -signal.SIGTERM
    assert world.git(tmp_path / "pytorch", "status", "--porcelain"), "it was interrupted too late"
    good(hipify(world, tmp_path))
    assert world.git(tmp_path / "pytorch", "log", "-1", "--format=%s") == "DO NOT SUBMIT: HIPIFY"
    assert world.git(tmp_path / "pytorch", "status", "--porcelain") == ""
    assert "already" in good(checkout(world, tmp_path, "torch")).stderr


def test_a_checkout_begins_again_where_hipify_was_interrupted(world, tmp_path):
    good(checkout(world, tmp_path, "torch", "--no-hipify"))
    folder = tmp_path / "pytorch"
    state = folder / ".git/wheelrun-checkout"
    state.write_text("hipifying\n" + state.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "aten/kernel.cu").write_text("half of it", encoding="utf-8")
    good(checkout(world, tmp_path, "torch"))
    assert (folder / "aten/kernel.cu").read_text(encoding="utf-8") == "hipError_t status = hipSuccess;\n"
    assert world.git(folder, "stash", "list") == ""


def test_what_cannot_be_hipified(world, tmp_path):
    refused(hipify(world, tmp_path), 1, "there is nothing to hipify", "torch, torchaudio and torchvision")
    refused(hipify(world, tmp_path, "torhc"), 2, "unknown-project", "did you mean 'torch'")
    refused(hipify(world, tmp_path, "torch"), 1, f"{tmp_path}/pytorch is no checkout")
    good(checkout(world, tmp_path, "apex"))
    refused(hipify(world, tmp_path, "apex"), 1, "apex cannot be hipified", "tools/amd_build/build_amd.py")
    state = tmp_path / "apex/.git/wheelrun-checkout"
    state.write_text("busy\n", encoding="utf-8")
    (tmp_path / "apex/tools/amd_build").mkdir(parents=True)
    (tmp_path / "apex/tools/amd_build/build_amd.py").touch()
    refused(hipify(world, tmp_path, "apex"), 1, "a checkout of apex was interrupted")


def test_the_commands_of_hipify_can_be_seen(world, tmp_path):
    done = good(hipify(world, tmp_path, "torch", "--dry-run"))
    assert f"cd {tmp_path}/pytorch && " in done.stdout
    assert " tools/amd_build/build_amd.py\n" in done.stdout
    assert not os.listdir(tmp_path)


# forks


@pytest.fixture(name="fork", scope="module")
def fixture_fork(world, tmp_path_factory):
    """A copy of PyTorch with its own branch."""
    folder = clone(world, tmp_path_factory.mktemp("fork") / "pytorch.git")
    world.git(folder, "checkout", "--quiet", "-b", "faster")
    (folder / "faster.txt").write_text("much\n", encoding="utf-8")
    world.git(folder, "add", "--all")
    world.git(folder, "commit", "--quiet", "-m", "Make it faster")
    return folder


def test_a_branch_of_a_fork_is_checked_out(world, fork, tmp_path):
    good(checkout(world, tmp_path, "torch", "--origin", f"torch={fork}", ref="faster", commits=False))
    folder = tmp_path / "pytorch"
    assert (folder / "faster.txt").exists()
    assert world.git(folder, "rev-parse", UPSTREAM) == world.git(fork, "rev-parse", "faster")
    assert world.git(folder, "config", "remote.origin.url") == str(fork)
    # The other projects come from their usual origins.
    good(checkout(world, tmp_path, "torch", "triton", "--origin", f"torch={fork}", ref="faster", commits=False))
    assert world.git(tmp_path / "triton", "config", "remote.origin.url") == str(world.repositories["triton"])


def test_a_fork_of_a_companion_has_the_recorded_commit(world, tmp_path):
    fork = tmp_path / "audio.git"
    world.git("audio", "clone", "--quiet", "--bare", str(world.repositories["audio"]), str(fork))
    good(checkout(world, tmp_path, "torchaudio", "--origin", f"torchaudio={fork}", commits=False))
    folder = tmp_path / "pytorch_audio"
    assert world.git(folder, "rev-parse", "HEAD") == world.commits["torch_210"]["torchaudio"]
    assert world.git(folder, "config", "remote.origin.url") == str(fork)
    # Back to the usual origin.
    good(checkout(world, tmp_path, "torchaudio"))
    assert world.git(folder, "config", "remote.origin.url") == str(world.repositories["audio"])


@pytest.mark.parametrize(("value", "says"), [
    ("torch", "'--origin' does not take 'torch'"),
    ("torch=", "it takes a project and an address"),
    ("torch=--upload-pack=touch pwned", "'--origin' does not take"),
    ("torhc=https://github.com/me/pytorch.git", "did you mean 'torch'"),
    ("torch=https://me:secret@github.com/me/pytorch.git", "give https://github.com/me/pytorch.git"),
])
def test_wrong_origins(world, tmp_path, value, says):
    done = checkout(world, tmp_path, "torch", "--origin", value)
    refused(done, 2, says)
    assert "secret" not in done.stderr + done.stdout
    assert not os.listdir(tmp_path)


def test_a_manifest_says_where_everything_is_from(world, tmp_path):
    done = wheelrun("checkout", "torch", "--root", tmp_path, "--manifest", "m.json", "--origin", "torch=/fork",
                    env=world.environment)
    refused(done, 2, "'--origin' and '--manifest' contradict each other")
