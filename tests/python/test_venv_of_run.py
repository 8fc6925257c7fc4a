"""`wheelrun venv` with the packages of a GitHub run or of a named index: in a public bucket of a real S3 server,
installed by real pips and uvs."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import rocm_world as world
import s3_server as s3
from rocm_world import FAMILY, VERSION
from wheelrun import wheelrun
from web import Quiet, WebServer

RUNS = "therock-ci-artifacts"
TORCH = f"2.10.0+rocm{VERSION}"
UV = Path(sys.executable).with_name("uv")
INSTALLERS = ["pip", "uv"]


class Github(Quiet):
    """Has the runs in `runs`, the newest first, in pages of a hundred."""

    runs = []
    asked = []

    def do_GET(self):
        url = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        self.asked.append((url.path, query))
        status, answer = 200, {"default_branch": "develop"}
        if "/runs/" in url.path:
            found = [run for run in self.runs if str(run["id"]) == url.path.rsplit("/", 1)[1]]
            status, answer = (200, found[0]) if found else (404, {})
        elif url.path.endswith("/runs"):
            page = int(query["page"]) - 1
            of_branch = [run for run in self.runs if run["head_branch"] == query["branch"]]
            answer = {"workflow_runs": of_branch[100 * page:100 * page + 100]}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def run_of(number, branch="develop", conclusion="success", head="ROCm/TheRock"):
    return {"id": number, "head_branch": branch, "conclusion": conclusion, "head_sha": f"{number:040x}",
            "created_at": "2026-11-20T00:00:00Z", "updated_at": "2026-11-20T01:00:00Z",
            "head_repository": {"full_name": head} if head else None}


@pytest.fixture(scope="module")
def github():
    with WebServer(Github) as server:
        yield server.url


def make_torch(folder, version=TORCH):
    """A torch for any Python that requires its ROCm and a package of the public index."""
    world.make_wheel(folder, "torch", version, {"torch/__init__.py": f"__version__ = {version!r}\n"},
                     requires=[f"rocm[libraries]=={VERSION}", "typing-extensions"])


@pytest.fixture(scope="module")
def shop(tmp_path_factory, github):
    """Runs of the matrix's repository: 40 has ROCm and torch, 41 only ROCm, 42 nothing, 43 is a fork's."""

    class Shop:
        folder = tmp_path_factory.mktemp("shop")

    Shop.python = world.make_python(Shop.folder / "python")
    with s3.serving(Shop.folder, RUNS) as server:
        policy = {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Principal": "*", "Action": action, "Resource": f"arn:aws:s3:::{RUNS}{what}"}
            for action, what in (("s3:GetObject", "/*"), ("s3:ListBucket", ""))]}
        server.aws("s3api", "put-bucket-policy", "--bucket", RUNS, "--policy", json.dumps(policy))
        Shop.server = server
        Shop.env = {**world.pip_environment(), "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(world.wheelhouse()),
                    "UV_CACHE_DIR": str(Shop.folder / "uv"), "WHEELRUN_PYTHON": str(Shop.python),
                    "GITHUB_API_URL": github, "AWS_ENDPOINT_URL": server.url, "AWS_REGION": "us-east-1",
                    "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/nowhere",
                    "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "WHEELRUN_NETWORK_TIMEOUT": "2",
                    "PATH": f"{Shop.folder / 'bin'}:{os.environ['PATH']}"}
        (Shop.folder / "bin").mkdir()
        (Shop.folder / "bin/uv").symlink_to(UV)
        dist = world.make_rocm(Shop.folder / "rocm")
        send(Shop, dist, "41")
        send(Shop, dist, "43")
        make_torch(dist)
        send(Shop, dist, "40")
        Shop.dist = dist
        yield Shop


def send(shop, dist, run, *words):
    done = wheelrun("upload", dist, "--platform", "linux", "--family", FAMILY, "--run-id", run, "--bucket", RUNS,
                    *words, env=s3.variables(shop.server.url))
    assert done.status == 0, done.stderr


@pytest.fixture
def runs():
    Github.asked.clear()
    Github.runs = [run_of(44, head=None), run_of(43, head="somebody/TheRock"), run_of(42), run_of(41, conclusion="failure"),
                   run_of(40), run_of(39, branch="release/7.12")]


def make_venv(shop, folder, *words, family=FAMILY, env=None):
    return wheelrun("venv", folder, "--platform", "linux", *(["--family", family] if family else []), *words,
                    env={**shop.env, **(env or {})})


def installed(folder):
    return {name.replace("_", "-"): version for name, version in world.installed(folder).items()}


@pytest.mark.parametrize(("family", "installer"), [(FAMILY, "pip"), ("gfx94x", "uv")])
def test_one_command_from_a_run_to_an_environment(shop, runs, tmp_path, family, installer):
    done = make_venv(shop, tmp_path / "a venv", "--run-id", "40", "--installer", installer, family=family)
    assert done.status == 0, done.stdout + done.stderr
    there = installed(tmp_path / "a venv")
    assert (there["torch"], there["rocm"], there[f"rocm-sdk-libraries-{FAMILY}"]) == (TORCH, VERSION, VERSION)
    assert "typing-extensions" in there and "pip" in there
    page = f"{shop.server.url}/{RUNS}/40-linux/python/{FAMILY}/find-links.html"
    assert f"--no-index --find-links {page}" in done.stderr
    assert (f"{shop.folder}/bin/uv pip install" in done.stderr) == (installer == "uv")


@pytest.mark.quick
def test_uv_installs_where_it_is(shop, runs, tmp_path):
    done = make_venv(shop, tmp_path / "venv", "--run-id", "41", "--dry-run")
    assert done.status == 0 and f"{shop.folder}/bin/uv venv" in done.stdout, done.stdout + done.stderr
    no_uv = {"PATH": re.sub(r"[^:]*\.tools[^:]*:?", "", os.environ["PATH"])}
    if shutil.which("uv", path=no_uv["PATH"]):
        pytest.skip("uv is installed on this machine")
    done = make_venv(shop, tmp_path / "venv", "--run-id", "41", "--dry-run", env=no_uv)
    assert done.status == 0 and "-m pip install" in done.stdout, done.stdout + done.stderr
    done = make_venv(shop, tmp_path / "venv", "--run-id", "41", "--installer", "uv", env=no_uv)
    assert done.status == 2 and "there is no uv on the PATH" in done.stderr


def test_the_newest_run_that_has_it(shop, runs, tmp_path):
    done = make_venv(shop, tmp_path / "venv", "--latest")
    assert done.status == 0, done.stdout + done.stderr
    assert "run 41 of develop (failure, commit 00000000) is the newest that has it" in done.stderr
    assert installed(tmp_path / "venv")["rocm"] == VERSION
    done = make_venv(shop, tmp_path / "other", "--latest", "--torch-version", "==2.10.*", "--workflow", "ci_nightly.yml",
                     "--dry-run")
    assert done.status == 0, done.stdout + done.stderr
    assert "run 40 of develop" in done.stderr
    assert f"torch=={TORCH}" in done.stdout
    path, query = Github.asked[-1]
    assert path == "/repos/ROCm/TheRock/actions/workflows/ci_nightly.yml/runs"
    assert (query["branch"], query["status"]) == ("develop", "completed")


@pytest.mark.quick
@pytest.mark.parametrize(("words", "says"), [
    (["--latest", "--branch", "release/7.12"], "none of the newest 1 run of 'release/7.12' has the requested packages"),
    (["--latest", "--rocm-version", ">7.12"], "has no rocm>7.12 for Python"),
    (["--latest", "--branch", "main"], "none of the newest 0 runs of 'main'"),
    (["--run-id", "41", "--torch-version", ">=2"], "has no torch>=2 for Python"),
    (["--run-id", "40", "--torch-version", "2.9.1"], f"; it has {TORCH}"),
    (["--run-id", "40", "--packages", "torchaudio"], "has no torchaudio for Python"),
    (["--run-id", "40", "--artifact-group", "gfx1151"], "holds no packages for Python"),
    (["--run-id", "7"], "holds no packages for Python"),
])
def test_what_no_run_has_is_said(shop, runs, tmp_path, words, says):
    done = make_venv(shop, tmp_path / "venv", *words)
    assert done.status == 1, done.stdout + done.stderr
    assert says in done.stderr, done.stderr
    assert not (tmp_path / "venv").exists()


def test_the_walk_ends(shop, tmp_path):
    Github.asked.clear()
    Github.runs = [run_of(number) for number in range(5000, 3000, -1)]
    done = make_venv(shop, tmp_path / "venv", "--latest", env={"WHEELRUN_NETWORK_TIMEOUT": "9"})
    assert done.status == 1 and "none of the newest 500 runs of 'develop'" in done.stderr, done.stderr
    assert len(Github.asked) == 6


def test_of_several_torches_the_newest_is_taken(shop, runs, tmp_path):
    dist = tmp_path / "dist"
    shutil.copytree(shop.dist, dist)
    make_torch(dist, f"2.9.1+rocm{VERSION}")
    send(shop, dist, "38")
    done = make_venv(shop, tmp_path / "venv", "--run-id", "38", "--dry-run")
    assert f"has torch 2.9.1+rocm{VERSION} and {TORCH}; using the last" in done.stderr
    assert f"torch=={TORCH}" in done.stdout
    done = make_venv(shop, tmp_path / "venv", "--run-id", "38", "--torch-version", "<2.10", "--dry-run")
    assert f"torch==2.9.1+rocm{VERSION}" in done.stdout, done.stderr


@pytest.mark.parametrize("installer", INSTALLERS)
def test_a_folder_in_place_of_the_bucket(shop, runs, tmp_path, installer):
    done = wheelrun("upload", shop.dist, "--platform", "linux", "--family", FAMILY, "--run-id", "40", "--output-dir",
                    tmp_path / "a store")
    assert done.status == 0, done.stderr
    done = make_venv(shop, tmp_path / "venv", "--run-id", "40", "--store", tmp_path / "a store", "--installer", installer)
    assert done.status == 0, done.stdout + done.stderr
    assert installed(tmp_path / "venv")["torch"] == TORCH


@pytest.mark.parametrize(("change", "status"), [("", 0), ("0" * 64, 1)])
def test_uv_installs_no_wheel_with_another_sum(shop, tmp_path, change, status):
    wheel = next(shop.dist.glob("torch-*.whl"))
    wheels = json.dumps({wheel.name: change or world.sha256(wheel)})
    done = make_venv(shop, tmp_path / "venv", "--torch-version", TORCH, "--wheels", wheels, "--find-links", shop.dist,
                     "--installer", "uv")
    assert done.status == status, done.stdout + done.stderr
    assert ("torch" in installed(tmp_path / "venv")) == (status == 0)
    assert ("the source has no wheels with the sums that were given" in done.stderr) == (status == 1)


@pytest.mark.parametrize("installer", INSTALLERS)
@pytest.mark.parametrize(("index", "options"), [
    ("nightly", f"--index-url https://rocm.nightlies.amd.com/v2/{FAMILY}/ "
                "--extra-index-url https://rocm.nightlies.amd.com/v2-dependencies/"),
    ("stable", f"--index-url https://repo.amd.com/rocm/whl/{FAMILY}/"),
])
def test_indexes_have_names(shop, tmp_path, installer, index, options):
    done = make_venv(shop, tmp_path / "venv", "--index", index, "--rocm-version", "7.12.0", "--installer", installer,
                     "--dry-run", family="gfx94x")
    assert done.status == 0, done.stderr
    assert options in done.stdout
    assert ("--extra-index-url" in done.stdout) == (index == "nightly")
    done = wheelrun("rocm", "install", "--index", index, "--family", FAMILY, "--version", "7.12.0", "--dry-run",
                    env=shop.env)
    assert done.status == 0 and options in done.stdout, done.stderr


@pytest.mark.quick
@pytest.mark.parametrize(("words", "says"), [
    (["--run-id", "1", "--latest"], "'--run-id' and '--latest' give two runs"),
    (["--run-id", "1", "--find-links", "x"], "'--find-links' and a run are two sources"),
    (["--run-id", "1", "--torch-version", "newest"], "'--torch-version' does not take 'newest'"),
    (["--run-id", "1", "--wheels", json.dumps({"torch-2.10.0-cp312-cp312-linux_x86_64.whl": "0" * 64})],
     "'--wheels' cannot be combined with a run"),
    (["--index", "nightly", "--branch", "main", "--torch-version", "2.10.0"], "'--branch' needs a run"),
    (["--index", "nightlyy", "--torch-version", "2.10.0"], "did you mean 'nightly'?"),
    (["--index", "nightly", "--index-url", "https://x.example", "--torch-version", "2.10.0"], "has two sources"),
])
def test_wrong_calls(shop, tmp_path, words, says):
    done = make_venv(shop, tmp_path / "venv", *words)
    assert done.status == 2, done.stdout + done.stderr
    assert says in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("words", [["--run-id", "1"], ["--index", "stable", "--torch-version", "2.10.0"]])
def test_a_family_is_needed(shop, tmp_path, words):
    done = make_venv(shop, tmp_path / "venv", *words, family="")
    assert done.status == 2 and "--family gfx94X-dcgpu" in done.stderr, done.stderr
