"""The sources of a run, with real git: `wheelrun resolve`, `checkout` and `manifest` on small repositories."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from index_world import served
from pytorch_world import make_world, write_plan
from wheelrun import PROGRAM, environment, in_job, told_to_builds, wheelrun

LINUX = ["torch", "torchaudio", "torchvision", "triton", "apex"]
WINDOWS = LINUX[:3]
UPSTREAM, HIPIFIED = "THEROCK_UPSTREAM_DIFFBASE", "THEROCK_HIPIFY_DIFFBASE"
NOBODY = "0123456789abcdef0123456789abcdef01234567"
HOSTILE = ["--upload-pack=touch pwned", "-x", "$(touch pwned)", "`touch pwned`", "a\nb", "a b", "a..b", "/etc/passwd",
           "x;touch pwned", "refs/*", "a@{1}", ":/x", "^main", "\x1b[31m"]


@pytest.fixture(name="world", scope="module")
def fixture_world(tmp_path_factory):
    """Read-only for tests."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(name="fresh", scope="module")
def fixture_fresh(tmp_path_factory):
    """A world, and a copy of its repositories: their commits name their paths, so they serve at one place only."""
    world = make_world(tmp_path_factory.mktemp("own"))
    copy_all(world.folder / "remotes", world.folder / "saved")
    return world


@pytest.fixture(name="own")
def fixture_own(fresh):
    """A world that a test may change."""
    shutil.rmtree(fresh.folder / "remotes")
    copy_all(fresh.folder / "saved", fresh.folder / "remotes")
    return fresh


def copy_all(source, target):
    subprocess.run(["cp", "-a", f"{source}/.", target], check=True)


@pytest.fixture(name="checked_out", scope="module")
def fixture_checked_out(world, tmp_path_factory):
    """What a checkout leaves. Read-only for tests, which may change a copy."""
    root = tmp_path_factory.mktemp("checked_out")
    says(checkout(world, root), 0)
    return root


def resolve(world, *words, **kwargs):
    return wheelrun("resolve", *words, env={**world.environment, **kwargs})


def checkout(world, root, *words, commits=None, ref="release/2.10", row="torch_210", **kwargs):
    given = ["--commits", json.dumps(commits or world.commits[row])] if "--commit" not in words else []
    return wheelrun("checkout", *words, "--root", root, "--torch-ref", ref, *given,
                    env={**world.environment, "GIT_AUTHOR_DATE": "", **kwargs})


def says(done, status, *texts):
    assert done.status == status, done.stdout + done.stderr
    for text in texts:
        assert text in done.stderr, done.stderr
    return done


@pytest.mark.quick
def test_every_ref_becomes_a_commit(world):
    done = says(resolve(world), 0)
    assert json.loads(done.outputs["commits"]) == world.commits
    assert done.outputs["versions"] == "{}"
    assert (done.outputs["rocm_version"], done.outputs["package_index_url"]) == ("", "")
    assert "\n" not in done.outputs["commits"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("rocm", "suffix"),
    [("7.12.0", "+rocm7.12.0"), ("7.12.0a20260101", "+rocm7.12.0a20260101"), ("7.12.0rc1", "+rocm7.12.0rc1"),
     ("7.12.0.dev0+EFED3C", "+devrocm7.12.0.dev0.efed3c")],
)
def test_every_wheel_has_its_version_before_it_is_built(world, rocm, suffix):
    done = says(resolve(world, "--set", "ci", "--platform", "linux", "--family", "gfx94x", "--rocm-version", rocm), 0)
    versions = json.loads(done.outputs["versions"])
    assert versions == {"py312_torch210": world.versions(suffix, "torch_210", LINUX)}
    assert list(json.loads(done.outputs["commits"])) == ["torch_210"]
    assert done.outputs["rocm_version"] == rocm.lower()


@pytest.mark.parametrize(("combo", "row", "ref"), [("py312_torch27", "torch_27", "release/2.7"),
                                                   ("py312_nightly", "torch_nightly", "nightly")])
def test_versions_are_those_that_the_projects_own_builds_give(world, tmp_path, combo, row, ref):
    """Compares with each setup.py, run with the variables of `wheelrun build`. The two combos have different kinds of
    triton and apex."""
    done = says(resolve(world, "--family", "gfx94x", "--platform", "linux", "--rocm-version", "7.12.0"), 0)
    versions = json.loads(done.outputs["versions"])[combo]
    says(checkout(world, tmp_path, "--no-hipify", "--no-submodules", ref=ref, row=row), 0)
    told = told_to_builds("--root", tmp_path, "--family", "gfx94x", "--versions", json.dumps(versions), "--output-dir",
                          "dist", env=world.environment)
    assert len(told) == len(versions) == 5
    said, no_rocm = {}, {"PYTORCH_EXTRA_INSTALL_REQUIREMENTS": ""}  # because no ROCm is installed
    for folder, variables in told.items():
        asked = subprocess.run([sys.executable, "setup.py", "--quiet", "--name", "--version"], cwd=folder, check=True,
                               env={**world.environment, **variables, **no_rocm}, capture_output=True, text=True)
        name, version = asked.stdout.split()[-2:]
        said[name] = version.replace("-", ".")
    assert said == versions
    # Several branches use this apex, so its version contains the branch.
    assert said["apex"].endswith(row.replace("_", ""))


def test_platforms_build_different_projects(world):
    args = ["--set", "ci", "--rocm-version", "7.12.0"]
    windows = says(resolve(world, *args, "--platform", "windows"), 0)
    assert list(json.loads(windows.outputs["commits"])["torch_210"]) == WINDOWS
    assert list(json.loads(windows.outputs["versions"])["py312_torch210"]) == WINDOWS
    assert list(json.loads(says(resolve(world, *args), 0).outputs["versions"])["py312_torch210"]) == LINUX


def test_a_release_type_leaves_out_what_it_does_not_take(world):
    assert "torch_nightly" in json.loads(says(resolve(world, "--release-type", "nightly"), 0).outputs["commits"])
    assert "torch_nightly" not in json.loads(says(resolve(world, "--release-type", "prerelease"), 0).outputs["commits"])


def test_a_repository_is_asked_once(world, tmp_path):
    log = tmp_path / "log"
    says(resolve(world, PATH=f"{git_wrapper(tmp_path, log)}:{os.environ['PATH']}"), 0)
    asked = [line for line in log.read_text().splitlines() if line.startswith("ls-remote")]
    assert sorted(line.rsplit("/", 1)[-1] for line in asked) == ["apex", "audio", "pytorch", "rocm_pytorch", "vision"]


def git_wrapper(folder, log, fail=0, command="ls-remote"):
    """A git on the PATH that records its calls, and fails the first `fail` calls of a command."""
    real = subprocess.run(["bash", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    script = bin_folder / "git"
    script.write_text(f"""#!{sys.executable}
import os, sys
words = [w for i, w in enumerate(sys.argv[1:], 1) if w != "-c" and sys.argv[i - 1] != "-c"]
line = words[0] + " " + next((w for w in words[1:] if "/remotes/" in w), "")
with open({str(log)!r}, "a+") as log:
    log.seek(0)
    seen = sum(l.startswith({command!r}) for l in log)
    log.write(line + "\\n")
if words[0] == {command!r} and seen < {fail}:
    sys.exit("fatal: unable to access: Could not resolve host: github.com")
os.execv({real!r}, ["git", *sys.argv[1:]])
""", encoding="utf-8")
    script.chmod(0o755)
    return bin_folder


@pytest.mark.parametrize("command", ["ls-remote", "fetch"])
def test_a_network_that_comes_back_is_waited_for(world, tmp_path, command):
    path = f"{git_wrapper(tmp_path, tmp_path / 'log', 2, command)}:{os.environ['PATH']}"
    done = says(resolve(world, "--set", "ci", PATH=path), 0, "trying again in", "(try 3 of 4)")
    assert json.loads(done.outputs["commits"]) == {"torch_210": world.commits["torch_210"]}


def test_commits_that_are_given_are_taken_as_they_are(world):
    given = {row: dict(projects) for row, projects in world.commits.items()}
    given["torch_210"]["torch"] = world.commits["torch_29"]["torch"]
    done = says(resolve(world, "--set", "ci", "--platform", "linux", "--family", "gfx94X-dcgpu", "--rocm-version",
                        "7.12.0", "--commits", json.dumps(given)), 0)
    assert json.loads(done.outputs["commits"]) == given
    assert json.loads(done.outputs["versions"])["py312_torch210"]["torch"] == "2.9.0+rocm7.12.0"


@pytest.mark.parametrize(
    ("commits", "message"),
    [
        ("[]", "'[]' is not a JSON object with entries"),
        ("{}", "'{}' is not a JSON object with entries"),
        ("{", "'{' is not a JSON object with entries"),
        ('{"torch_29": {"torch": "%s"}}' % NOBODY, "'--commits' has nothing for torch_210"),
        ('{"torch_211": {"torch": "%s"}}' % NOBODY, "no branch of PyTorch has the id 'torch_211'"),
        ('{"torch_210": {"troch": "%s"}}' % NOBODY, "no project is called 'troch'"),
        ('{"torch_210": {"torch": "main"}}', "'main' of torch is no commit"),
        ('{"torch_210": {"torch": "--upload-pack=touch pwned"}}', "'--upload-pack=touch pwned' of torch is no commit"),
        ('{"torch_210": {"torch": 5}}', "'5' of torch is no commit"),
        ('{"torch_210": {"torch": "%s\\n"}}' % NOBODY, "\\n' of torch is no commit"),
    ],
)
def test_commits_that_are_none(world, commits, message):
    says(resolve(world, "--set", "ci", "--commits", commits), 2, "error[option-value]: ", message)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "relaese"], "error[unknown-combo-set]: no set of combos is called 'relaese'\n   = did you mean 'release'?"),
        (["--platform", "macos"], "error[unknown-platform]: no platform is called 'macos'"),
        (["--family", "gfx94"], "error[unknown-family]: no family is called 'gfx94'\n   = did you mean 'gfx94x'?"),
        (["--release-type", "nigthly"], "error[unknown-release-type]: no release type is called 'nigthly'"),
        (["--family", "gfx94x", "--platform", "windows"], "error[no-combos]: the set 'release' has no combo for gfx94x on windows"),
        (["--family", "gfx101x", "--platform", "linux"], "ROCm/TheRock/issues/1926"),
        (["--family", "gfx94x"], "error[missing-argument]: 'resolve' needs '--rocm-version' for a family"),
        (["--rocm-version", "seven"], "'--rocm-version' does not take 'seven'"),
        (["--rocm-version", "1!7.0"], "the version of a wheel cannot end in ROCm 1!7.0"),
    ],
)
def test_wrong_names_are_answered_with_the_right_ones(world, words, message):
    says(resolve(world, *words), 2, message)


def test_a_missing_ref_is_answered_with_near_ones(own):
    own.git("rocm_pytorch", "branch", "-m", "release/2.9", "release/2.9.1")
    done = says(resolve(own), 2, "error[unknown-ref]: ", "has no branch or tag 'release/2.9'")
    assert re.search(r"there is 'release/2.\d+'.* and 'release/2.9.1'\n", done.stderr)
    assert done.outputs == {}


def test_of_a_branch_and_a_tag_the_branch_counts(own):
    own.git("rocm_pytorch", "tag", "-a", "-m", "x", "release/2.10", "release/2.8")
    done = says(resolve(own, "--set", "ci"), 0, "has a branch and a tag 'release/2.10': the branch counts")
    assert json.loads(done.outputs["commits"])["torch_210"]["torch"] == own.commits["torch_210"]["torch"]


def test_an_annotated_tag_is_the_commit_that_it_is_for(own):
    commit = own.commits["torch_210"]["torch"]
    own.git("rocm_pytorch", "checkout", "--quiet", "--detach")
    own.git("rocm_pytorch", "branch", "-D", "release/2.10")
    own.git("rocm_pytorch", "tag", "-a", "-m", "x", "release/2.10", commit)
    assert json.loads(says(resolve(own, "--set", "ci"), 0).outputs["commits"])["torch_210"]["torch"] == commit


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("|main|", "|", 1),
         "related_commits:3:1\n  |\n3 | ubuntu|pytorch|torchvision|"),
        (lambda text: text.replace("ubuntu|pytorch|torchaudio", "debian|pytorch|torchaudio"),
         "'debian' is no operating system"),
        (lambda text: re.sub(r"(torchaudio\|main\|)\w{4}", r"\1xyz-", text, count=1), "is no commit"),
        (lambda text: re.sub(r"(torchaudio\|main\|)\w+", r"\1--upload-pack=touch pwned", text),
         "'--upload-pack=touch pwned' is no commit"),
        (lambda text: re.sub(r"(centos\|pytorch\|torchaudio\|main\|)\w+", r"\g<1>" + NOBODY, text),
         "two records of 'torchaudio' contradict each other"),
        (lambda text: "".join(line for line in text.splitlines(True) if "torchaudio" not in line),
         "has no record of torchaudio"),
        (lambda text: text.replace("remotes/audio", "remotes/evil"), "the commit of torchaudio is one of"),
        (lambda text: None, "there is no "),
    ],
)
def test_related_commits_that_do_not_hold(own, change, message):
    own.branch("rocm_pytorch", "release/2.10")
    path = own.repositories["rocm_pytorch"] / "related_commits"
    own.commit("rocm_pytorch", {"related_commits": change(path.read_text(encoding="utf-8"))})
    done = says(resolve(own, "--set", "ci"), 2, "error[related-commits]: ")
    assert message.replace(" ", "") in done.stderr.replace(" ", "")
    assert done.outputs == {}


@pytest.mark.parametrize(
    ("pin", "message"),
    [("main\n", "holds 'main', which is no commit"), ("--upload-pack=x\n", "which is no commit"), (None, "there is no ")],
)
def test_a_triton_pin_that_does_not_hold(own, pin, message):
    own.branch("rocm_pytorch", "release/2.10")
    own.commit("rocm_pytorch", {".ci/docker/ci_commit_pins/triton.txt": pin})
    says(resolve(own, "--set", "ci"), 2, "error[triton-pin]: ", message)


@pytest.mark.parametrize(
    ("repository", "files", "message"),
    [
        ("rocm_pytorch", {"version.txt": "two\n"}, "holds 'two', which is no version"),
        ("rocm_pytorch", {"version.txt": None}, "has no version.txt"),
    ],
)
def test_versions_that_cannot_be_known(own, repository, files, message):
    own.branch(repository, "release/2.10")
    own.commit(repository, files)
    says(resolve(own, "--set", "ci", "--family", "gfx94x", "--platform", "linux", "--rocm-version", "7.12.0"), 2,
         "error[package-version]: ", message)


def test_a_setup_that_says_its_version_in_a_new_way(own):
    commit = own.commit("triton", {"setup.py": "version = compute()\nsetup(version=version)\n"})
    given = {"torch_210": {**own.commits["torch_210"], "triton": commit}}
    says(resolve(own, "--set", "ci", "--rocm-version", "7.12.0", "--commits", json.dumps(given)), 2,
         "error[package-version]: setup.py of ", "defines its version in an unknown way")


def index(folder, *versions):
    page = folder / "rocm/index.html"
    page.parent.mkdir(parents=True)
    page.write_text("".join(f'<a href="rocm-{v}.tar.gz">rocm-{v}.tar.gz</a>\n' for v in versions), encoding="utf-8")
    return folder.as_uri() + "/"


FAMILY = ["--set", "ci", "--platform", "linux", "--family", "gfx94X-dcgpu"]


@pytest.mark.parametrize(
    ("release_type", "versions", "newest"),
    [
        ("", ["7.9.0", "7.12.0rc1", "7.10.0"], "7.12.0rc1"),
        ("nightly", ["7.12.0a20260101", "7.12.0a20260102", "7.12.0rc1", "7.13.0.dev0+abc"], "7.12.0a20260102"),
        ("prerelease", ["7.12.0rc2", "7.12.0rc10", "7.13.0a20260102"], "7.12.0rc10"),
        ("dev", ["7.12.0.dev0+aaa", "7.11.0.dev0+bbb", "7.11.0.dev0+ccc", "7.13.0a1"], "7.12.0.dev0+aaa"),
        ("nightly", ["0.1.0", "9.0.0a1", "10.0.0a1"], "10.0.0a1"),
    ],
)
def test_the_newest_rocm_of_an_index(world, tmp_path, release_type, versions, newest):
    url = index(tmp_path / "index", *versions)
    words = FAMILY if not release_type else ["--set", "release", *FAMILY[2:], "--release-type", release_type]
    commits = json.dumps(world.commits)
    done = says(resolve(world, *words, "--index-url", url, "--commits", commits), 0)
    assert (done.outputs["rocm_version"], done.outputs["package_index_url"]) == (newest, url)
    torch = json.loads(done.outputs["versions"])["py312_torch210"]["torch"]
    assert torch == f"2.10.0+{'devrocm' if 'dev' in newest else 'rocm'}{newest.replace('+', '.')}"


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        (["0.1.0"], "has no rocm package\n   = it has 0.1.0"),
        (["7.12.0.dev0+aaa", "7.12.0.dev0+bbb"], "has several packages of rocm 7.12.0.dev0"),
    ],
)
def test_an_index_that_does_not_tell(world, tmp_path, versions, message):
    says(resolve(world, *FAMILY, "--index-url", index(tmp_path / "index", *versions)), 2, "error[no-rocm]: ", message)


def test_an_empty_index_never_leads_to_the_public_one(world, tmp_path):
    other = index(tmp_path / "other", "7.12.0")
    config = tmp_path / "pip.conf"
    config.write_text(f"[global]\nextra-index-url = {other}\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    done = resolve(world, *FAMILY, "--index-url", (tmp_path / "empty").as_uri(), PIP_EXTRA_INDEX_URL=other,
                   PIP_CONFIG_FILE=str(config), PIP_FIND_LINKS=other)
    says(done, 1, "No matching distribution found for rocm")


def test_the_index_of_a_release_is_the_folder_of_its_family(world):
    done = says(resolve(world, "--platform", "linux", "--family", "gfx94x", "--release-type", "nightly",
                        "--rocm-version", "7.12.0a20260101"), 0)
    assert done.outputs["package_index_url"] == "https://rocm.nightlies.amd.com/v2/gfx94X-dcgpu/"


def test_resolve_in_a_job(world, tmp_path):
    output = tmp_path / "resolved.json"
    done = in_job(tmp_path, "resolve", *FAMILY, "--rocm-version", "7.12.0", "--commits", "", "--release-type", "",
                  "--output", output, env=world.environment)
    assert done.status == 0, done.stdout
    torch = world.commits["torch_210"]["torch"]
    assert f"| release/2.10 | torch | `{torch[:12]}` | 2.10.0+rocm7.12.0 |" in done.summary
    file = json.loads(output.read_text(encoding="utf-8"))
    assert file == {"rocm_version": "7.12.0", "package_index_url": "", "commits": json.loads(done.outputs["commits"]),
                    "versions": json.loads(done.outputs["versions"])}
    assert not list(tmp_path.glob("wheelrun-*"))


def test_nothing_temporary_is_left(world, tmp_path):
    says(resolve(world, "--set", "ci", RUNNER_TEMP=str(tmp_path)), 0)
    assert list(tmp_path.iterdir()) == []


# --- checkout ---


def tree(folder):
    """{path: text} of all files outside of .git."""
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(folder).parts}


def expect_clean(world, folder):
    """The commit of a folder without changes."""
    said = world.git(folder, "status", "--porcelain=v2", "--branch").splitlines()
    assert [line for line in said if not line.startswith("# ")] == []
    (commit,) = (line.removeprefix("# branch.oid ") for line in said if line.startswith("# branch.oid "))
    return commit


def expect_checked_out(world, root, row="torch_210", hipify=True):
    folder = root / "pytorch"
    commits = world.commits[row]
    for path, kernel in (("", "aten/kernel.cu"), ("third_party/fbgemm", "src/embedding.cu"),
                         ("third_party/fbgemm/external/composable", "device/gemm.cu")):
        inner = folder / path
        base, *hipified = world.git(inner, "rev-parse", UPSTREAM, *([HIPIFIED] if hipify else [])).splitlines()
        assert path or base == commits["torch"]
        source = inner / kernel
        assert ("hip" in source.read_text(encoding="utf-8")) == hipify
        assert source.with_suffix(".hip").exists() == hipify
        head = expect_clean(world, inner)
        if hipify:
            assert hipified == [head]
            assert world.git(inner, "log", "-1", "--format=%s %P") == f"DO NOT SUBMIT: HIPIFY {base}"
        else:
            assert head == base
            assert world.git(inner, "tag", "--list", HIPIFIED) == ""
    assert (folder / "third_party/pybind/pybind.h").exists()
    for project, name in (("torchaudio", "pytorch_audio"), ("torchvision", "pytorch_vision"), ("triton", "triton"),
                          ("apex", "apex")):
        assert expect_clean(world, root / name) == commits[project]
    assert json.loads((root / "triton/build_env.json").read_text()) == {"TRITON_WHEEL_VERSION_SUFFIX": ""}


def test_a_checkout_and_the_same_again(world, checked_out, tmp_path):
    copy_all(checked_out, tmp_path)
    expect_checked_out(world, tmp_path)
    before = tree(tmp_path)
    done = says(checkout(world, tmp_path), 0, "torch is at", "already")
    assert "hipify" not in done.stderr
    assert tree(tmp_path) == before


def test_a_checkout_is_the_same_everywhere(world, checked_out, tmp_path):
    says(checkout(world, tmp_path, "torch", GIT_AUTHOR_NAME="a", GIT_COMMITTER_EMAIL="a"), 0)
    heads = {world.git(root / "pytorch", "rev-parse", "HEAD") for root in (checked_out, tmp_path)}
    assert len(heads) == 1
    assert world.git(tmp_path / "pytorch", "log", "-1", "--format=%at %ct") == "1771502400 1771502400"


def test_no_identity_and_no_key_are_needed(world, tmp_path):
    config = tmp_path / "config"
    config.write_text("[protocol \"file\"]\n allow = always\n[commit]\n gpgSign = true\n[tag]\n gpgSign = true\n"
                      "[user]\n useConfigOnly = true\n[core]\n hooksPath = hooks\n", encoding="utf-8")
    says(checkout(world, tmp_path / "src", GIT_CONFIG_GLOBAL=str(config)), 0)
    expect_checked_out(world, tmp_path / "src")


def test_history_is_shallow_unless_asked_for(world, tmp_path):
    write_plan(world, rocm_pytorch=world.repositories["rocm_pytorch"].as_uri())
    try:
        for depth, commits in (([], 1), (["--depth", "2"], 2), (["--depth", "0"], 4)):
            root = tmp_path / "-".join(["src", *depth])
            says(checkout(world, root, "torch", "--no-submodules", "--no-hipify", *depth), 0)
            assert world.git(root / "pytorch", "rev-list", "--count", "HEAD") == str(commits)
    finally:
        write_plan(world)


def test_another_commit_in_the_same_folder(world, checked_out, tmp_path):
    copy_all(checked_out, tmp_path)
    says(checkout(world, tmp_path, row="torch_nightly", ref="nightly"), 0)
    expect_checked_out(world, tmp_path, "torch_nightly")
    assert world.git(tmp_path / "pytorch", "config", "remote.origin.url") == str(world.repositories["pytorch"])
    says(checkout(world, tmp_path, "--no-hipify"), 0)
    expect_checked_out(world, tmp_path, hipify=False)
    says(checkout(world, tmp_path), 0)
    expect_checked_out(world, tmp_path)


def test_submodules_move_with_the_commit(own, tmp_path):
    says(checkout(own, tmp_path), 0)
    composable = own.commit("composable", {"device/new.h": "\n"})
    own.git("fbgemm", "-C", "external/composable", "pull", "--quiet", "origin", "main")
    fbgemm = own.commit("fbgemm", {"src/new.h": "\n"})
    own.git("rocm_pytorch", "-C", "third_party/fbgemm", "pull", "--quiet", "origin", "main")
    moved = shutil.copytree(own.repositories["fbgemm"], tmp_path / "moved")
    own.git("rocm_pytorch", "rm", "--quiet", "--cached", "third_party/pybind")
    own.git("rocm_pytorch", "config", "--file", ".gitmodules", "--remove-section", "submodule.third_party/pybind")
    own.git("rocm_pytorch", "config", "--file", ".gitmodules", "submodule.third_party/fbgemm.url", str(moved))
    torch = own.commit("rocm_pytorch", {"new.txt": "\n", ".gitignore": "/third_party/pybind/\n"})
    says(checkout(own, tmp_path, commits={**own.commits["torch_210"], "torch": torch}), 0)
    folder = tmp_path / "pytorch/third_party"
    assert own.git(folder / "fbgemm", "rev-parse", UPSTREAM) == fbgemm
    assert own.git(folder / "fbgemm", "config", "remote.origin.url") == str(moved)
    assert own.git(folder / "fbgemm/external/composable", "rev-parse", UPSTREAM) == composable
    assert not (folder / "pybind").exists()


def test_what_was_changed_by_hand_is_put_aside(world, checked_out, tmp_path):
    copy_all(checked_out, tmp_path)
    kernel = tmp_path / "pytorch/aten/kernel.cu"
    kernel.write_text("mine\n", encoding="utf-8")
    (tmp_path / "pytorch/notes.txt").write_text("mine\n", encoding="utf-8")
    inner = tmp_path / "pytorch/third_party/fbgemm"
    (inner / "src/embedding.cu").write_text("mine\n", encoding="utf-8")
    (tmp_path / "pytorch/.gitmodules").unlink()
    (tmp_path / "pytorch/build").mkdir()
    (tmp_path / "pytorch/build/object.o").write_text("built\n", encoding="utf-8")
    says(checkout(world, tmp_path), 0, "were stashed: `git stash pop` there restores them")
    expect_checked_out(world, tmp_path)
    assert not (tmp_path / "pytorch/notes.txt").exists()
    assert (tmp_path / "pytorch/build/object.o").exists()
    for folder, file in ((tmp_path / "pytorch", kernel), (inner, inner / "src/embedding.cu")):
        world.git(folder, "-c", "user.name=x", "-c", "user.email=x", "stash", "pop")
        assert file.read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "pytorch/notes.txt").exists()


def test_commits_made_by_hand_are_kept(world, checked_out, tmp_path):
    copy_all(checked_out, tmp_path)
    world.git(tmp_path / "pytorch", "commit", "--allow-empty", "-m", "mine")
    mine = world.git(tmp_path / "pytorch", "rev-parse", "HEAD")
    says(checkout(world, tmp_path), 0, f"torch was at {mine}, which is kept as refs/wheelrun/kept/{mine[:12]}")
    expect_checked_out(world, tmp_path)
    assert world.git(tmp_path / "pytorch", "rev-parse", f"refs/wheelrun/kept/{mine[:12]}") == mine


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed_in_the_middle_and_run_again(world, tmp_path, how):
    root, pid = tmp_path / "src", tmp_path / "pid"
    words = ["checkout", "--root", root, "--torch-ref", "release/2.10", "--commits",
             json.dumps(world.commits["torch_210"])]
    with subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=environment({**world.environment, "WORLD_HIPIFY_HANGS": str(pid)})) as running:
        for _ in range(600):
            if pid.exists() and pid.read_text():
                break
            time.sleep(0.1)
        running.send_signal(how)
        assert running.wait(timeout=60) != 0
    if how == signal.SIGKILL:
        os.kill(int(pid.read_text()), signal.SIGKILL)
    assert world.git(root / "pytorch", "status", "--porcelain") != ""
    for lock in ("config.lock", "index.lock", "shallow.lock", "modules/third_party/fbgemm/index.lock"):
        (root / "pytorch/.git" / lock).write_text("", encoding="utf-8")
    says(checkout(world, root), 0, "removed .git/index.lock, which an earlier run left behind",
         "an earlier checkout of torch was interrupted")
    expect_checked_out(world, root)
    assert world.git(root / "pytorch", "stash", "list") == ""


@pytest.mark.parametrize("broken", ["HEAD", "config", "modules/third_party/fbgemm/HEAD",
                                    "modules/third_party/fbgemm/objects",
                                    "modules/third_party/fbgemm/modules/external/composable/HEAD",
                                    "modules/third_party/fbgemm/modules/external/composable/refs"])
def test_half_a_clone_is_made_whole(world, checked_out, tmp_path, broken):
    copy_all(checked_out, tmp_path)
    path = tmp_path / "pytorch/.git" / broken
    subprocess.run(["rm", "-rf", str(path)], check=True)
    (tmp_path / "pytorch/.git/wheelrun-checkout").write_text("busy\n", encoding="utf-8")
    says(checkout(world, tmp_path), 0)
    expect_checked_out(world, tmp_path)


def test_what_is_no_checkout_is_left_alone(world, tmp_path):
    (tmp_path / "pytorch").mkdir()
    (tmp_path / "pytorch/thesis.tex").write_text("dear", encoding="utf-8")
    says(checkout(world, tmp_path), 1, "has files but is not a checkout")
    assert tree(tmp_path) == {"pytorch/thesis.tex": "dear"}


@pytest.mark.quick
def test_one_project_at_one_commit(world, tmp_path):
    commit = world.commits["torch_210"]["torch"]
    words = ["torch", "--commit", commit, "--no-hipify", "--no-submodules"]
    says(checkout(world, tmp_path, *words), 0)
    assert [path.name for path in tmp_path.iterdir()] == ["pytorch"]
    assert world.git(tmp_path / "pytorch", "rev-parse", "HEAD") == commit
    assert not list((tmp_path / "pytorch/third_party/fbgemm").iterdir())


def test_without_commits_they_are_found_out(world, tmp_path):
    done = wheelrun("checkout", "--root", tmp_path, "--torch-ref", "release/2.9", env=world.environment)
    says(done, 0)
    expect_checked_out(world, tmp_path, "torch_29")


def test_all_rows_are_taken_too(world, tmp_path):
    says(checkout(world, tmp_path, "apex", commits=world.commits), 0)
    assert world.git(tmp_path / "apex", "rev-parse", "HEAD") == world.commits["torch_210"]["apex"]


@pytest.mark.quick
def test_a_dry_run_prints_commands_and_does_nothing(world, tmp_path):
    done = says(checkout(world, tmp_path / "src", "--dry-run"), 0)
    assert not (tmp_path / "src").exists()
    for part in (f"fetch --quiet --force --no-tags --no-recurse-submodules --depth=1 -- origin "
                 f"{world.commits['torch_210']['torch']}",
                 "submodule --quiet update --init --recursive --force --jobs 10 --depth 1",
                 "tools/amd_build/build_amd.py", "commit --quiet --no-verify --message 'DO NOT SUBMIT: HIPIFY'"):
        assert part in done.stdout
    subprocess.run(["bash", "-n"], input=done.stdout, text=True, check=True)


@pytest.mark.quick
@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_values_are_refused(world, tmp_path, value):
    for words in (
        ["checkout", "--root", tmp_path / "src", f"--torch-ref={value}", "--commits", json.dumps(world.commits)],
        ["checkout", "torch", "--root", tmp_path / "src", "--torch-ref", "nightly", f"--commit={value}"],
        ["checkout", "--root", tmp_path / "src", "--torch-ref", "nightly", "--commits", json.dumps({"torch": value})],
        ["checkout", "--root", tmp_path / "src", "--torch-ref", "nightly", "--commits", json.dumps({value: NOBODY})],
        ["resolve", "--set", "ci", "--commits", json.dumps({"torch_210": {"torch": value}})],
        ["resolve", f"--set={value}"],
        ["resolve", "--set", "ci", f"--rocm-version={value}"],
        ["manifest", "--root", "src", "--python", "3.12", f"--torch-ref={value}", "--output-dir", tmp_path / "dist"],
        ["manifest", "--root", "src", f"--python={value}", "--torch-ref", "nightly", "--output-dir", tmp_path / "dist"],
    ):
        done = wheelrun(*words, cwd=tmp_path, env=world.environment)
        # A text with special characters of the shell can be a valid branch that does not exist.
        assert done.status in (1, 2), (words, done)
        assert "\x1b" not in done.stderr
        assert list(tmp_path.rglob("pwned")) == []
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["troch"], "error[unknown-project]: no project is called 'troch'\n   = did you mean 'torch'?"),
        (["--commit", NOBODY], "'--commit' is for one project"),
        (["torch", "--commit", "abc"], "'--commit' does not take 'abc'"),
        (["torch", "--jobs", "many"], "'--jobs' takes a whole number"),
        (["torch", "--dry-run"], "'checkout --dry-run' needs '--commits' or '--commit'"),
    ],
)
def test_a_wrong_checkout(world, tmp_path, words, message):
    says(wheelrun("checkout", *words, "--root", tmp_path, "--torch-ref", "nightly", env=world.environment), 2, message)


def test_a_commit_that_is_missing_in_commits(world, tmp_path):
    says(checkout(world, tmp_path, commits={"torch": NOBODY}), 2, "'--commits' has no commit of triton")


def test_a_hipify_that_fails_stops_it(own, tmp_path):
    own.branch("rocm_pytorch", "release/2.10")
    torch = own.commit("rocm_pytorch", {"tools/amd_build/build_amd.py": "raise RuntimeError('no hip')\n"})
    done = checkout(own, tmp_path, commits={**own.commits["torch_210"], "torch": torch})
    says(done, 1, "RuntimeError: no hip", "hipify torch failed")
    assert not (tmp_path / "pytorch_audio").exists()


# --- manifest ---


def manifest(world, root, output, *words, **kwargs):
    return wheelrun("manifest", "--root", root, "--python", "3.12", "--torch-ref", "release/2.10", "--output-dir",
                    output, *words, env={**world.environment, **kwargs})


def test_a_manifest_names_commits_that_others_can_fetch(world, checked_out, tmp_path):
    says(manifest(world, checked_out, tmp_path / "dist", GITHUB_SHA=NOBODY, GITHUB_REPOSITORY="ROCm/TheRock",
                  GITHUB_SERVER_URL="https://github.com", GITHUB_REF="refs/heads/main"), 0)
    path = tmp_path / "dist/manifests/therock-manifest_torch_py3.12_release-2.10.json"
    text = path.read_text(encoding="utf-8")
    commits, repositories = world.commits["torch_210"], world.repositories

    def entry(project, repository, **branch):
        return {"commit": commits[project], "repo": str(repositories[repository]), **branch}

    expected = {
        "pytorch": entry("torch", "rocm_pytorch", branch="release/2.10"),
        "pytorch_audio": entry("torchaudio", "audio", branch="main"),
        "pytorch_vision": entry("torchvision", "vision", branch="main"),
        "triton": entry("triton", "triton"),
        "apex": entry("apex", "apex", branch="master"),
        "therock": {"commit": NOBODY, "repo": "https://github.com/ROCm/TheRock.git", "branch": "main"},
    }
    assert text == json.dumps(expected, indent=2) + "\n"


def from_manifest(world, root, place, *words):
    return wheelrun("checkout", "--root", root, "--manifest", place, *words, env=world.environment)


@pytest.fixture(name="written", scope="module")
def fixture_written(world, checked_out, tmp_path_factory):
    """The manifest of a checkout."""
    folder = tmp_path_factory.mktemp("manifest")
    says(manifest(world, checked_out, folder), 0)
    return folder / "manifests/therock-manifest_torch_py3.12_release-2.10.json"


def test_a_manifest_brings_the_same_sources_back(world, checked_out, written, tmp_path):
    says(from_manifest(world, tmp_path / "src", written), 0)
    names = ("HEAD^{tree}", UPSTREAM)
    for folder in ("pytorch", "pytorch_audio", "pytorch_vision", "triton", "apex"):
        there, first = (world.git(root / folder, "rev-parse", *names) for root in (tmp_path / "src", checked_out))
        assert there == first
    says(manifest(world, tmp_path / "src", tmp_path), 0)
    assert (tmp_path / "manifests" / written.name).read_text() == written.read_text()


def test_a_manifest_is_fetched_from_an_address(world, written, tmp_path):
    with served(written.parent) as server:
        says(from_manifest(world, tmp_path, f"{server.url}/{written.name}", "torch", "--no-hipify", "--no-submodules",
                           "--commit", world.commits["torch_210"]["torch"]), 0)
        assert world.git(tmp_path / "pytorch", "rev-parse", "HEAD") == world.commits["torch_210"]["torch"]
        assert not (tmp_path / "triton").exists()
        says(from_manifest(world, tmp_path, f"{server.url}/other.json"), 1, "/other.json answers with status 404")


def test_repositories_are_those_of_the_manifest(world, written, tmp_path):
    """The plan's current addresses do not matter."""
    said = json.loads(written.read_text(encoding="utf-8"))
    fork = tmp_path / "fork"
    world.git(tmp_path, "clone", "--quiet", "--bare", said["pytorch"]["repo"], fork)
    said["pytorch"]["repo"] = str(fork)
    (tmp_path / "m.json").write_text(json.dumps(said), encoding="utf-8")
    says(from_manifest(world, tmp_path / "src", tmp_path / "m.json", "torch", "--no-hipify", "--no-submodules"), 0)
    assert world.git(tmp_path / "src/pytorch", "config", "remote.origin.url") == str(fork)


@pytest.mark.parametrize(("words", "status", "message"), [
    (["--torch-ref", "release/2.9"], 2, "the manifest is for release/2.10, but '--torch-ref' is release/2.9"),
    (["torch", "--commit", NOBODY], 2, "the manifest has another commit of torch than '--commit': "),
    (["--commit", NOBODY], 2, "'--commit' is for one project"),
    (["--commits", "{}"], 2, "'--manifest' and '--commits' both give the commits"),
    (["--manifest", "nowhere.json"], 1, "there is no file 'nowhere.json'"),
])
def test_a_manifest_that_does_not_fit(world, written, tmp_path, words, status, message):
    says(from_manifest(world, tmp_path / "src", written, *words), status, message)
    assert not (tmp_path / "src").exists()


def test_a_manifest_without_a_project(world, written, tmp_path):
    said = json.loads(written.read_text(encoding="utf-8"))
    del said["apex"]
    (tmp_path / "m.json").write_text(json.dumps(said), encoding="utf-8")
    done = says(from_manifest(world, tmp_path / "src", tmp_path / "m.json", "apex"), 2)
    assert "error[manifest]: the manifest does not say where apex is from" in done.stderr
    # Projects that it lacks are only an error if they are named.
    says(from_manifest(world, tmp_path / "src", tmp_path / "m.json", "--dry-run"), 0)


def test_a_manifest_of_what_is_there(world, tmp_path):
    says(checkout(world, tmp_path, "torch", "--no-submodules"), 0)
    world.git(tmp_path / "pytorch", "config", "remote.origin.url", "https://user:secret@example.org/x.git")
    says(manifest(world, tmp_path, tmp_path, "--python", "py3.13t"), 0)
    file = tmp_path / "manifests/therock-manifest_torch_py3.13t_release-2.10.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    assert list(said) == ["pytorch", "therock"]
    assert said["pytorch"]["repo"] == "https://example.org/x.git"
    assert said["therock"] == {"commit": "unknown", "repo": "unknown", "branch": "unknown"}


def test_a_manifest_without_checkouts(world, tmp_path):
    says(manifest(world, tmp_path, tmp_path / "dist"), 1, "there is no ", "`wheelrun checkout` puts it there")
    (tmp_path / "pytorch").mkdir()
    says(manifest(world, tmp_path, tmp_path / "dist"), 1, "is no checkout")
    assert not (tmp_path / "dist").exists()
