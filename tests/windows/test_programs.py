"""Both programs on Windows."""

import json
import os
import shutil
import subprocess
import zipfile

import pytest
import s3_server as s3
from needs import need
from wheelrun import ROOT, in_job, wheelrun

WHEELWRIGHT = os.environ["WHEELWRIGHT"]
BUCKET, PREFIX = "therock-dev-python", "v2-staging/gfx1151/"
PROJECTS = ("torch", "torchaudio", "torchvision")
VERSION = "2.10.0+rocm7.10.0"
WINDOWS = "cp312-cp312-win_amd64"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with s3.serving(tmp_path_factory.mktemp("server"), BUCKET) as server:
        yield server


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels") / "dist"
    for i, project in enumerate(PROJECTS):
        s3.make_wheel(folder, project, VERSION, (40 << 20) if i == 0 else (3 << 20), seed=i, tag=WINDOWS)
    return folder


def test_the_same_workflows_are_generated(tmp_path):
    done = subprocess.run([WHEELWRIGHT, "generate", "--root", ".", "--out", tmp_path / "set"], cwd=ROOT, check=False,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "set").iterdir()}
    committed = {path.name: path.read_bytes() for path in (ROOT / "generated-workflows").iterdir()}
    assert made == committed


def test_a_mistake_is_shown_at_its_place(tmp_path):
    (tmp_path / "a.yml").write_text("on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    neds: b\n    steps:\n"
                                    "      - run: echo\n", encoding="utf-8")
    done = subprocess.run([WHEELWRIGHT, "lint", "a.yml"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "a.yml:5:5" in done.stdout + done.stderr


def test_wheels_go_into_a_bucket_once(server, dist, tmp_path):
    env = s3.variables(server.url)
    words = ("upload", dist, "--family", "gfx1151", "--bucket", BUCKET)
    done = in_job(tmp_path, *words, env=env)
    assert done.status == 0, done.stdout + done.stderr
    sums = {path.name: s3.sha256(path) for path in dist.glob("*.whl")}
    assert json.loads(done.outputs["wheels"]) == sums
    keys = server.keys(BUCKET)
    assert {name: keys[PREFIX + name] for name in sums} == {path.name: path.stat().st_size for path in dist.glob("*.whl")}
    assert b"\r" not in (tmp_path / "output").read_bytes()
    proxy = s3.Proxy(server.port)
    again = in_job(tmp_path, *words, env=s3.variables(proxy.url))
    proxy.close()
    assert again.status == 0, again.stderr
    sent = [path for method, path in proxy.requests if method == "PUT" and ".whl" in path]
    assert sent == []


def test_faults_on_the_way_are_tried_again(server, dist):
    with s3.disturbed(server) as proxy:
        proxy.faults += [s3.Fault("503", method="PUT", times=2), s3.Fault("reset-request", method="PUT", times=2)]
        server.aws("s3", "rm", "--recursive", f"s3://{BUCKET}")
        done = wheelrun("upload", dist, "--family", "gfx1151", "--bucket", BUCKET, env=s3.variables(proxy.url))
        assert done.status == 0, done.stderr
        assert proxy.count() == 4
    assert {name.removeprefix(PREFIX) for name in server.keys(BUCKET) if name.endswith(".whl")} == {
        path.name for path in dist.glob("*.whl")}


def test_the_certificate_of_a_server_is_checked(tmp_path, dist):
    need("openssl")
    certificate, key = tmp_path / "own.pem", tmp_path / "own.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True,
                   capture_output=True)
    with s3.serving(tmp_path, BUCKET, tls=(certificate, key)) as own:
        words = ("upload", dist, "--family", "gfx1151", "--bucket", BUCKET)
        refused = wheelrun(*words, env=s3.variables(own.url, SSL_CERT_FILE="", SSL_CERT_DIR="", AWS_CA_BUNDLE=""))
        assert refused.status == 1 and "certificate" in refused.stderr, refused.stderr
        taken = wheelrun(*words, env=s3.variables(own.url, AWS_CA_BUNDLE=str(certificate)))
        assert taken.status == 0, taken.stderr


def test_a_folder_is_indexed(dist, tmp_path):
    folder = tmp_path / "index"
    shutil.copytree(dist, folder)
    done = wheelrun("index", folder)
    assert done.status == 0, done.stderr
    page = json.loads((folder / "torch/index.v1.json").read_text(encoding="utf-8"))
    (file,) = page["files"]
    assert file["hashes"]["sha256"] == s3.sha256(folder / file["filename"])
    assert not any(b"\r" in path.read_bytes() for path in folder.rglob("index.*"))


@pytest.mark.parametrize("name", ["demo/nul", "demo/aux.py", "demo/a."])
def test_names_that_windows_cannot_have_are_found(tmp_path, name):
    path = s3.make_wheel(tmp_path, "demo", "1.0", 10, tag=WINDOWS)
    assert wheelrun("wheel", "check", path).status == 0
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, b"x")
    done = wheelrun("wheel", "check", path)
    assert done.status == 1 and name in done.stderr, done.stderr


@pytest.fixture
def deep(tmp_path):
    folder = tmp_path.joinpath(*["a_folder_with_a_rather_long_name_of_fifty_characters"] * 6)
    folder.mkdir(parents=True)
    assert len(str(folder)) > 300
    return folder


def test_a_wheel_may_have_a_long_path(deep):
    assert wheelrun("wheel", "check", s3.make_wheel(deep, "demo", "1.0", 10, tag=WINDOWS)).status == 0


def test_a_folder_with_a_long_path_is_indexed(deep):
    s3.make_wheel(deep, "demo", "1.0", 10, tag=WINDOWS)
    done = wheelrun("index", deep)
    assert done.status == 0, done.stderr
    assert (deep / "demo/index.v1.json").is_file()
