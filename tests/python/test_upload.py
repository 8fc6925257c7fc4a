"""upload and fetch with a real S3 server: all files in the outputs exist, whatever happens on the way."""

import io
import json
import os
import random
import re
import subprocess
import sys
import tarfile
import time

import pytest
import s3_server as s3
import wheelrun as runner
from pip_runs import pip
from web import Quiet, WebServer

BUCKET, STAGING = "therock-dev-python", "v2-staging/gfx1151/"
RUNS = "therock-ci-artifacts"
MIB = 1 << 20


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with s3.serving(tmp_path_factory.mktemp("server"), BUCKET, RUNS) as server:
        yield server


@pytest.fixture
def proxy(server):
    with s3.disturbed(server) as proxy:
        yield proxy


@pytest.fixture
def staging(server):
    server.aws("s3", "rm", "--recursive", f"s3://{BUCKET}")
    return server


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels") / "dist"
    for i, (project, size) in enumerate([("torch", 70 * MIB), ("torchaudio", 3 * MIB), ("triton", 40 * MIB)]):
        s3.make_wheel(folder, project, "2.10.0+rocm7.10.0", size, seed=i)
    (folder / "notes.txt").write_text("not a package")
    return folder


def upload(endpoint, folder, *words, job=None, env=None):
    words = ("upload", folder, "--family", "gfx1151", *words)
    env = {**s3.variables(endpoint), **(env or {})}
    return runner.in_job(job, *words, env=env) if job else runner.wheelrun(*words, env=env)


def assert_complete(server, dist, done):
    """All files are there, according to the AWS CLI, and the outputs list exactly these."""
    sums = {path.name: s3.sha256(path) for path in dist.glob("*.whl")}
    assert json.loads(done.outputs["wheels"]) == sums
    keys = server.keys(BUCKET)
    for name, total in sums.items():
        head = server.aws("s3api", "head-object", "--bucket", BUCKET, "--key", STAGING + name)
        assert head["Metadata"]["checksum-sha256"] == total
        assert head["ContentLength"] == (dist / name).stat().st_size and head["ContentType"] == "application/zip"
        assert keys[STAGING + name + ".metadata"] > 0
    page = server.aws("s3", "cp", f"s3://{BUCKET}/{STAGING}find-links.html", "-")
    assert all(total in page for total in sums.values())
    assert not any("notes" in key for key in keys) and server.pending(BUCKET) == []


@pytest.mark.quick
def test_an_upload_is_complete_and_done_again_sends_nothing(staging, dist, tmp_path):
    done = upload(staging.url, dist, "--bucket", BUCKET, job=tmp_path)
    assert done.status == 0, done.stdout + done.stderr
    assert_complete(staging, dist, done)
    assert done.outputs["package_index_url"] == "https://rocm.devreleases.amd.com/v2-staging/gfx1151/"
    assert done.outputs["package_find_links_url"] == f"{staging.url}/{BUCKET}/{STAGING}find-links.html"
    assert "pip install --index-url" in done.summary and "torch==2.10.0+rocm7.10.0" in done.summary
    assert "--extra-index-url https://rocm.devreleases.amd.com/v2-dependencies/" in done.summary
    proxy = s3.Proxy(staging.port)
    again = upload(proxy.url, dist, "--bucket", BUCKET, job=tmp_path)
    assert again.status == 0 and "3 of them there already" in again.stdout
    assert [request for request in proxy.requests if request[0] not in ("GET", "HEAD")] == []
    proxy.close()


def test_a_wheel_that_changed_is_replaced(staging, tmp_path):
    for seed in (1, 2):
        dist = tmp_path / f"d{seed}"
        s3.make_wheel(dist, "torch", "2.10.0", MIB, seed=seed)
        assert_complete(staging, dist, upload(staging.url, dist, "--bucket", BUCKET))


def installed(folder, *words):
    status, _, problems = pip("install", "-q", "--disable-pip-version-check", "--no-deps", "--target", folder, *words,
                              environment=dict(os.environ))
    assert status == 0, problems


def test_pip_installs_what_was_uploaded_to_a_folder(tmp_path):
    dist = tmp_path / "dist"
    s3.make_wheel(dist, "torch", "2.10.0+rocm7.10.0", 1000, tag="py3-none-any")
    done = upload("", dist, "--output-dir", tmp_path / "out", "--platform", "linux")
    assert done.status == 0, done.stderr
    for how in (["--index-url", done.outputs["package_index_url"]],
                ["--no-index", "--find-links", done.outputs["package_find_links_url"]]):
        installed(tmp_path / how[0].strip("-"), *how, "torch==2.10.0")
        assert (tmp_path / how[0].strip("-") / "torch/data.bin").stat().st_size == 1000


def test_nothing_is_written_with_a_dry_run(staging, dist):
    done = upload(staging.url, dist, "--bucket", BUCKET, "--dry-run")
    assert done.status == 0 and done.outputs == {} and staging.keys(BUCKET) == {}
    assert f"s3://{BUCKET}/{STAGING}torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl" in done.stderr


def test_what_is_no_wheel_is_refused_before_anything_is_sent(staging, tmp_path):
    (tmp_path / "empty").mkdir()
    assert upload(staging.url, tmp_path / "empty", "--bucket", BUCKET).status == 1
    bad = tmp_path / "bad"
    s3.make_wheel(bad, "torch", "2.10.0", 100)
    (bad / "torchaudio-2.10.0-cp312-cp312-linux_x86_64.whl").write_bytes(b"PK no zip")
    done = upload(staging.url, bad, "--bucket", BUCKET)
    assert done.status == 1 and "torchaudio" in done.stderr and staging.keys(BUCKET) == {}


@pytest.mark.quick
@pytest.mark.parametrize("words, says", [
    (["--bucket", "b", "--output-dir", "d"], "error[two-places]: '--bucket' and '--output-dir' are two places"),
    (["--bucket", "s3://b"], "error[bucket-name]: 's3://b' is not a valid name of a bucket"),
    (["--bucket", "b", "--endpoint-url", "localhost"], "error[endpoint-url]: 'localhost' is no URL of a server"),
    (["--bucket", BUCKET, "--family", "gfx1l51"], "unknown-family")])
def test_wrong_input_is_refused(dist, words, says):
    done = upload("", dist, *words)
    assert done.status == 2 and says in done.stderr and done.outputs == {}


def test_a_job_has_to_say_where(dist, tmp_path):
    done = upload("", dist, job=tmp_path)
    assert done.status == 2 and done.outputs == {}
    says = "error[no-place]: no bucket or folder was given"
    assert says.split(": ")[1] in done.stdout + done.stderr


def test_nothing_is_announced_when_something_fails(staging, proxy, dist, tmp_path):
    proxy.faults = [s3.Fault("403", "PUT", path="triton", times=99)]
    done = upload(proxy.url, dist, "--bucket", BUCKET, job=tmp_path)
    assert done.status == 1 and done.outputs == {} and done.summary == ""
    assert STAGING + "find-links.html" not in staging.keys(BUCKET) and staging.pending(BUCKET) == []
    assert "Access Denied" in done.stdout and s3.KEYS["AWS_SECRET_ACCESS_KEY"] not in done.stdout


def test_killed_at_any_point_and_run_again_nothing_is_lost(staging, proxy, dist):
    draw = random.Random(11)
    command = [runner.PROGRAM, "upload", str(dist), "--family", "gfx1151", "--bucket", BUCKET]
    proxy.faults = [s3.Fault("latency", times=10**6, share=0.2)]
    kills = 0
    for _ in range(8):
        with subprocess.Popen(command, env=runner.environment(s3.variables(proxy.url)), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            time.sleep(draw.uniform(0.05, 1.5))
            process.kill()
            said = process.stdout.read()
            kills += process.wait() != 0
        keys = staging.keys(BUCKET)
        if said or STAGING + "find-links.html" in keys:
            assert all(keys.get(STAGING + path.name) == path.stat().st_size for path in dist.glob("*.whl"))
    staging.injected["kill -9"] = kills
    assert kills >= 3
    done = upload(proxy.url, dist, "--bucket", BUCKET)
    assert done.status == 0, done.stderr
    # An upload that a killed run started without sending a part stays until the bucket's lifecycle rules remove it.
    for pending in staging.pending(BUCKET):
        staging.aws("s3api", "abort-multipart-upload", "--bucket", BUCKET, "--key", pending["Key"], "--upload-id",
                    pending["UploadId"])
    assert_complete(staging, dist, done)


def test_a_storm_does_not_keep_it_from_being_right(staging, proxy, dist):
    proxy.faults = [s3.Fault(action, times=10**6, share=0.04)
                    for action in ("503", "500", "429", "reset-request", "reset-response", "latency")]
    done = upload(proxy.url, dist, "--bucket", BUCKET)
    assert done.status == 0, done.stderr
    assert_complete(staging, dist, done)
    assert proxy.count() >= 3


# Artifacts of a build, and their download.


def make_build(folder, group="gfx1151", split=(), content=""):
    """The files of a build. split: GPUs with separate archives. content: of a file in each archive."""
    (folder / "artifacts").mkdir(parents=True)
    (folder / "logs/deep").mkdir(parents=True)
    (folder / "logs/deep/build.log").write_text("log")
    (folder / "base/aux-overlay/build").mkdir(parents=True)
    (folder / "base/aux-overlay/build/therock_manifest.json").write_text("{}")
    for name in (f"blas_lib_{group}", "base_run_generic", *(f"fft_lib_{target}" for target in split)):
        with tarfile.open(folder / f"artifacts/{name}.tar.xz", "w:xz") as archive:
            entry = tarfile.TarInfo("lib/file.txt")
            text = (content or name).encode()
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
        (folder / f"artifacts/{name}.tar.xz.sha256sum").write_text(
            f"{s3.sha256(folder / f'artifacts/{name}.tar.xz')}  {name}.tar.xz\n")
    return folder


class GithubApi(Quiet):
    """Has the runs 5 (failed), 6 and 7, all of one commit."""

    mode = ""

    def do_GET(self):
        runs = [{"id": i, "conclusion": "success" if i != 5 else "failure", "created_at": f"2026-11-0{i}T00:00:00Z",
                 "updated_at": f"2026-11-0{i}T01:00:00Z", "head_repository": {"full_name": "ROCm/TheRock"}}
                for i in (5, 6, 7)]
        status, answer = 200, {"workflow_runs": runs}
        if "/runs/" in self.path:
            answer = runs[1]
        if self.mode:
            status, answer = int(self.mode.split()[0]), {"message": "no"}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("x-ratelimit-remaining", "0" if "limit" in self.mode else "9")
        self.end_headers()
        self.wfile.write(text)


@pytest.fixture
def github():
    GithubApi.mode = ""
    with WebServer(GithubApi) as server:
        yield {"GITHUB_API_URL": server.url}


def fetch(server, folder, *words, env=None, what="artifacts", group="gfx1151"):
    return runner.wheelrun("fetch", what, "--platform", "linux", "--artifact-group", group, "--output-dir", folder,
                           *words, env={**s3.variables(server.url), **(env or {})})


def send(server, folder, run, *words, group="gfx1151", attempt=""):
    return runner.wheelrun("upload", folder, "--kind", "artifacts", "--platform", "linux", "--artifact-group", group,
                           "--bucket", RUNS, "--run-id", run, *words,
                           env={**s3.variables(server.url), "GITHUB_RUN_ATTEMPT": attempt})


@pytest.mark.quick
def test_artifacts_go_up_and_come_down(server, github, tmp_path):
    build = make_build(tmp_path / "build")
    assert send(server, build, "6", "--build-result", "success").status == 0
    keys = server.keys(RUNS)
    assert {"6-linux/artifacts/gfx1151/blas_lib_gfx1151.tar.xz",
            "6-linux/artifacts/gfx1151/base_run_generic.tar.xz", "6-linux/index-gfx1151.html",
            "6-linux/logs/gfx1151/deep/build.log", "6-linux/manifests/gfx1151/therock_manifest.json"} <= set(keys)
    done = fetch(server, tmp_path / "out", "--run-id", "6", "--archives", tmp_path / "archives", env=github)
    assert done.status == 0, done.stderr
    assert (tmp_path / "out/blas_lib_gfx1151/lib/file.txt").read_text() == "blas_lib_gfx1151"
    assert (tmp_path / "out/base_run_generic/lib/file.txt").is_file()
    again = fetch(server, tmp_path / "out", "--run-id", "6", "--archives", tmp_path / "archives", env=github)
    assert again.status == 0 and "0 files (0 B)" in again.stderr
    # The newest successful run, 7, has none; 6 has.
    newest = fetch(server, tmp_path / "new", "--commit", "abc", env=github)
    assert newest.status == 0 and "run 6 of abc is the newest" in newest.stderr


def test_variants_of_a_family_in_one_run_do_not_meet(server, github, tmp_path):
    """Their archives have equal names: those of the family."""
    for group in ("gfx94X-dcgpu", "gfx94X-dcgpu-asan"):
        build = make_build(tmp_path / group, "gfx94X-dcgpu", content=f"of {group}")
        assert send(server, build, "30", group=group).status == 0
    for group in ("gfx94X-dcgpu", "gfx94X-dcgpu-asan"):
        out = tmp_path / "out" / group
        done = fetch(server, out, "--run-id", "30", "--archives", out / "archives", env=github, group=group)
        assert done.status == 0, done.stderr
        assert (out / "blas_lib_gfx94X-dcgpu/lib/file.txt").read_text() == f"of {group}"
        assert (out / "base_run_generic/lib/file.txt").read_text() == f"of {group}"


def test_an_artifact_of_the_run_is_not_replaced_by_another(server, github, tmp_path):
    first, second = (make_build(tmp_path / name, content=name) for name in ("first", "second"))
    assert send(server, first, "31", attempt="1").status == 0
    again = send(server, first, "31", attempt="1")
    assert again.status == 0 and "there already" in again.stderr, again.stderr
    refused = send(server, second, "31", attempt="1")
    assert refused.status == 1
    assert "31-linux/artifacts/gfx1151/blas_lib_gfx1151.tar.xz exists already with other content" in refused.stderr
    assert "give it its own --artifact-group" in refused.stderr

    def content(name):
        out = tmp_path / "out" / name
        assert fetch(server, out, "--run-id", "31", "--archives", out / "archives", env=github).status == 0
        return (out / "base_run_generic/lib/file.txt").read_text()

    assert content("refused") == "first"
    # A repetition of the job replaces its files.
    assert send(server, second, "31", attempt="2").status == 0
    assert content("attempt") == "second"
    assert send(server, first, "31", attempt="2").status == 1
    assert send(server, first, "31", "--replace", attempt="2").status == 0
    assert content("replaced") == "first"


def test_artifacts_of_the_hand_written_workflows_are_found(server, github, tmp_path):
    build = make_build(tmp_path / "build", split=["gfx1151", "gfx942"])
    make_build(tmp_path / "other", "gfx94X-dcgpu")
    other = "blas_lib_gfx94X-dcgpu.tar.xz"
    (tmp_path / "other/artifacts" / other).rename(build / "artifacts" / other)
    server.aws("s3", "cp", "--recursive", build / "artifacts", f"s3://{RUNS}/32-linux/")
    done = fetch(server, tmp_path / "out", "--run-id", "32", "--archives", tmp_path / "archives", env=github)
    assert done.status == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "base_run_generic", "blas_lib_gfx1151", "fft_lib_gfx1151"]


@pytest.fixture(scope="module")
def split(server, tmp_path_factory):
    """A run with one archive for each GPU."""
    folder = tmp_path_factory.mktemp("split")
    build = make_build(folder / "build", "gfx110X-all", split=["gfx1100", "gfx1101", "gfx1151"])
    assert send(server, build, "33", group="gfx110X-all").status == 0
    return server


@pytest.mark.parametrize(("words", "names"), [
    ([], ["base_run_generic", "blas_lib_gfx110X-all", "fft_lib_gfx1100", "fft_lib_gfx1101"]),
    (["--target", "gfx1101"], ["base_run_generic", "blas_lib_gfx110X-all", "fft_lib_gfx1101"]),
    (["--target", "gfx1100,gfx1101", "--include", "fft_*"], ["fft_lib_gfx1100", "fft_lib_gfx1101"]),
    (["--include", "base_*", "--include", "fft_*", "--exclude", "*_gfx1100"], ["base_run_generic", "fft_lib_gfx1101"]),
])
def test_archives_are_chosen(split, github, tmp_path, words, names):
    done = fetch(split, tmp_path / "out", "--run-id", "33", "--archives", tmp_path / "archives", *words, env=github,
                 group="gfx110X-all")
    assert done.status == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert sorted(path.name for path in (tmp_path / "archives").glob("*.xz")) == [f"{name}.tar.xz" for name in names]
    assert len(list((tmp_path / "archives").iterdir())) == 2 * len(names), "each with its sum"
    # From the existing archives, the same ones are unpacked.
    more = make_build(tmp_path / "more", "gfx110X-all", split=["gfx1100", "gfx1101", "gfx1151"])
    done = fetch(split, tmp_path / "here", "--archives", more / "artifacts", *words, group="gfx110X-all")
    assert done.status == 0 and sorted(path.name for path in (tmp_path / "here").iterdir()) == names


@pytest.mark.parametrize(("words", "status", "says"), [
    (["--target", "gfx942"], 2, "error[option-value]: 'gfx942' is no GPU of gfx110X-all"),
    (["--target", "mi300"], 2, "error[option-value]: '--target' does not take 'mi300'"),
    (["--include", "bals_*"], 1, "no archive matches 'bals_*'; there are base_run_generic, "),
    (["--exclude", "*"], 1, "'--exclude' leaves nothing of base_run_generic, "),
])
def test_a_choice_that_leaves_nothing_is_told(split, github, tmp_path, words, status, says):
    done = fetch(split, tmp_path / "out", "--run-id", "33", *words, env=github, group="gfx110X-all")
    assert done.status == status and says in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


# The manifest of wheels.


@pytest.fixture
def described(tmp_path):
    """Two wheels, and the commits from which they were built."""
    for project in ("torch", "torchaudio"):
        s3.make_wheel(tmp_path / "dist", project, "2.10.0", 1000, tag="py3-none-any")
    manifest = tmp_path / "dist/manifests/therock-manifest_torch_py3.12_release-2.10.json"
    manifest.parent.mkdir()
    manifest.write_text('{"pytorch": {"commit": "abc"}}\n', encoding="utf-8")
    return manifest


def test_the_manifest_goes_up_beside_each_wheel_and_the_index_links_it(staging, described, tmp_path):
    dry = upload(staging.url, tmp_path / "dist", "--bucket", BUCKET, "--dry-run")
    assert dry.stderr.count(".whl.manifest.json (") == 2, dry.stderr
    done = upload(staging.url, tmp_path / "dist", "--bucket", BUCKET, job=tmp_path)
    assert done.status == 0, done.stdout
    name = "torch-2.10.0-py3-none-any.whl"
    there = staging.aws("s3", "cp", f"s3://{BUCKET}/{STAGING}{name}.manifest.json", "-")
    assert there == json.loads(described.read_text())
    assert done.outputs["manifest_url"] == f"https://rocm.devreleases.amd.com/v2-staging/gfx1151/{name}.manifest.json"
    assert done.outputs["manifest_sha256"] == s3.sha256(described)
    page = staging.aws("s3", "cp", f"s3://{BUCKET}/{STAGING}torch/index.html", "-")
    assert f'<a href="../{name}.manifest.json">manifest</a>' in page
    listed = staging.aws("s3", "cp", f"s3://{BUCKET}/{STAGING}torch/index.v1.json", "-")
    assert [file["_manifest"] for file in listed["files"]] == [f"../{name}.manifest.json"]


def test_installers_pass_the_link_of_the_manifest_over(described, tmp_path):
    done = upload("", tmp_path / "dist", "--output-dir", tmp_path / "out", "--platform", "linux")
    assert done.status == 0 and "manifest" in (tmp_path / "out/local-linux/python/gfx1151/find-links.html").read_text()
    for how in (["--index-url", done.outputs["package_index_url"]],
                ["--no-index", "--find-links", done.outputs["package_find_links_url"]]):
        installed(tmp_path / how[0].strip("-"), *how, "torchaudio==2.10.0")


@pytest.mark.parametrize(("text", "says"), [("{", "is no manifest"), (None, "are two manifests")])
def test_a_manifest_that_is_none_stops_the_upload(described, tmp_path, text, says):
    if text is None:
        described.with_name("other.json").write_text("{}")
    else:
        described.write_text(text)
    done = upload("", tmp_path / "dist", "--output-dir", tmp_path / "out", "--platform", "linux")
    assert done.status == 1 and says in done.stderr and not (tmp_path / "out").exists()


def test_a_failed_build_sends_its_logs_alone(server, tmp_path):
    build = make_build(tmp_path / "build")
    assert send(server, build, "8", "--build-result", "failure").status == 0
    keys = [key for key in server.keys(RUNS) if key.startswith("8-")]
    assert keys and not any(key.endswith(".tar.xz") for key in keys)


def test_what_is_in_the_folder_is_unpacked_without_a_run(server, tmp_path):
    build = make_build(tmp_path / "build")
    assert fetch(server, tmp_path / "out", "--archives", build).status == 0
    assert (tmp_path / "out/blas_lib_gfx1151/lib/file.txt").is_file()
    (tmp_path / "none").mkdir()
    assert fetch(server, tmp_path / "out", "--archives", tmp_path / "none").status == 1


@pytest.mark.quick
@pytest.mark.parametrize("name, link", [("../escaped", ""), ("/tmp/escaped-wheelrun", ""), ("lib/x", "/tmp")])
def test_archives_that_lead_out_of_their_folder_do_no_harm(server, tmp_path, name, link):
    archives = tmp_path / "archives"
    archives.mkdir()
    with tarfile.open(archives / "evil_lib_generic.tar.xz", "w:xz") as archive:
        if link:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            archive.addfile(entry)
            name += "/escaped-wheelrun"
        entry = tarfile.TarInfo(name)
        entry.size = 4
        archive.addfile(entry, io.BytesIO(b"evil"))
    fetch(server, tmp_path / "out", "--archives", archives)
    assert not (tmp_path / "out/escaped").exists() and not (tmp_path / "escaped").exists()
    assert not runner.Path("/tmp/escaped-wheelrun").exists()


def test_a_broken_archive_leaves_no_folder(server, tmp_path):
    build = make_build(tmp_path / "build")
    (build / "artifacts/blas_lib_gfx1151.tar.xz").write_bytes(b"\xfd7zXZ broken")
    done = fetch(server, tmp_path / "out", "--archives", build)
    assert done.status == 1 and "blas_lib_gfx1151.tar.xz cannot be unpacked" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["base_run_generic"]


@pytest.mark.parametrize("mode, says", [("403 limit", "set GITHUB_TOKEN"), ("403", "actions: read"),
                                        ("404", "GitHub has no"), ("401", "rejects the token")])
def test_what_github_refuses_is_told_apart(server, github, tmp_path, mode, says):
    GithubApi.mode = mode
    done = fetch(server, tmp_path / "out", "--commit", "abc", env=github)
    assert done.status == 1 and says in done.stderr


def test_packages_of_a_run_come_down(server, github, tmp_path):
    dist = tmp_path / "dist"
    wheel = s3.make_wheel(dist, "rocm", "7.10.0", 1000, tag="py3-none-any")
    env = {**s3.variables(server.url), "GITHUB_RUN_ID": "6"}
    assert runner.wheelrun("upload", dist, "--family", "gfx1151", "--platform", "linux", "--bucket", RUNS,
                           env=env).status == 0
    done = fetch(server, tmp_path / "out", "--run-id", "6", env=github, what="packages")
    assert done.status == 0, done.stderr
    assert s3.sha256(tmp_path / "out" / wheel.name) == s3.sha256(wheel)


def test_a_file_of_the_same_size_is_not_taken_for_the_right_one(server, github, tmp_path):
    dist, out = tmp_path / "dist", tmp_path / "out"
    wheels = [s3.make_wheel(dist, project, "7.10.0", MIB, tag="py3-none-any") for project in ("rocm", "hip")]
    env = {**s3.variables(server.url), "GITHUB_RUN_ID": "21"}
    assert runner.wheelrun("upload", dist, "--family", "gfx1151", "--platform", "linux", "--bucket", RUNS,
                           env=env).status == 0
    assert fetch(server, out, "--run-id", "21", env=github, what="packages").status == 0
    (out / wheels[0].name).write_bytes(bytes(wheels[0].stat().st_size))
    dry = fetch(server, out, "--run-id", "21", "--dry-run", env=github, what="packages")
    assert dry.stderr.count("would fetch") == 1 and f"python/gfx1151/{wheels[0].name} to " in dry.stderr
    done = fetch(server, out, "--run-id", "21", env=github, what="packages")
    assert done.status == 0 and ": 1 file (" in done.stderr and "; 1 there already" in done.stderr, done.stderr
    assert all(s3.sha256(out / wheel.name) == s3.sha256(wheel) for wheel in wheels)


def test_what_aws_sent_in_parts_is_known_by_the_sums_of_its_parts(server, github, proxy, tmp_path):
    wheel, out = s3.make_wheel(tmp_path, "rocm", "7.10.0", 20 * MIB, tag="py3-none-any"), tmp_path / "out"
    server.aws("s3", "cp", wheel, f"s3://{RUNS}/22-linux/python/gfx1151/{wheel.name}")
    assert fetch(server, out, "--run-id", "22", env=github, what="packages").status == 0
    again = fetch(server, out, "--run-id", "22", env=github, what="packages")
    assert again.status == 0 and "; 1 there already" in again.stderr, again.stderr
    with open(out / wheel.name, "r+b") as file:
        file.seek(10 * MIB)
        file.write(b"other")
    proxy.faults = [s3.Fault("lie-body", "GET", path=wheel.name, times=999)]
    through = {**github, **s3.variables(proxy.url)}
    lied_to = fetch(server, out, "--run-id", "22", env=through, what="packages")
    assert lied_to.status == 1 and "arrived damaged: its CRC-32 by parts is" in lied_to.stderr, lied_to.stderr
    assert fetch(server, out, "--run-id", "22", env=github, what="packages").status == 0
    assert s3.sha256(out / wheel.name) == s3.sha256(wheel)


def test_a_fetch_that_is_killed_anywhere_leaves_right_files_alone(server, github, proxy, tmp_path):
    dist, out = tmp_path / "dist", tmp_path / "out"
    wheels = [s3.make_wheel(dist, project, "7.10.0", size * MIB, seed=size, tag="py3-none-any")
              for project, size in (("rocm", 60), ("hip", 5), ("blas", 33))]
    sums = {wheel.name: s3.sha256(wheel) for wheel in wheels}
    env = {**s3.variables(server.url), "GITHUB_RUN_ID": "2244"}
    assert runner.wheelrun("upload", dist, "--family", "gfx1151", "--platform", "linux", "--bucket", RUNS,
                           env=env).status == 0
    proxy.faults = [s3.Fault("latency", times=10**6, share=0.3)]
    words = ["fetch", "packages", "--platform", "linux", "--artifact-group", "gfx1151", "--output-dir", str(out),
             "--run-id", "2244"]
    draw, kills = random.Random(3), 0
    for _ in range(8):
        with subprocess.Popen([runner.PROGRAM, *words], env=runner.environment({**s3.variables(proxy.url), **github}),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(draw.uniform(0.05, 1.2))
            process.kill()
            kills += process.wait() != 0
        for path in out.glob("*.whl") if out.exists() else []:
            assert s3.sha256(path) == sums[path.name]
    server.injected["kill -9"] = server.injected.get("kill -9", 0) + kills
    assert kills >= 3
    done = runner.wheelrun(*words, env={**s3.variables(proxy.url), **github})
    assert done.status == 0, done.stderr
    assert {path.name: s3.sha256(path) for path in out.iterdir()} == sums


@pytest.mark.parametrize("action", ["lie-body", "truncate"])
def test_what_arrives_damaged_is_not_announced(server, github, proxy, tmp_path, action):
    wheel = s3.make_wheel(tmp_path / "dist", "rocm", "7.10.0", 20 * MIB, tag="py3-none-any")
    env = {**s3.variables(server.url), "GITHUB_RUN_ID": "23"}
    assert runner.wheelrun("upload", tmp_path / "dist", "--family", "gfx1151", "--platform", "linux", "--bucket", RUNS,
                           env=env).status == 0
    proxy.faults = [s3.Fault(action, "GET", path=wheel.name.split("-")[0] + "-7", times=10**6)]
    words = ["--run-id", "23"]
    done = runner.wheelrun("fetch", "packages", "--platform", "linux", "--artifact-group", "gfx1151", "--output-dir",
                           tmp_path / "out", *words, env={**s3.variables(proxy.url), **github})
    assert done.status == 1 and "it is safe to repeat" in done.stderr and "there already" not in done.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_the_install_line_of_rocm_packages_names_rocm(tmp_path):
    """`rocm` itself is a source package that chooses the packages for the machine."""
    packages = tmp_path / "packages"
    for project in ("rocm_sdk_core", "rocm_sdk_libraries_gfx1151"):
        s3.make_wheel(packages, project, "7.12.0", 1000, tag="py3-none-linux_x86_64")
    with tarfile.open(packages / "rocm-7.12.0.tar.gz", "w:gz") as archive:
        text = b"Metadata-Version: 2.1\nName: rocm\nVersion: 7.12.0\n"
        entry = tarfile.TarInfo("rocm-7.12.0/PKG-INFO")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    done = runner.in_job(tmp_path, "upload", packages, "--family", "gfx1151", "--output-dir", tmp_path / "there")
    assert done.status == 0, done.stderr
    line = re.search(r"^pip install .*\n +(.*)$", done.summary, re.MULTILINE)[1]
    assert sorted(line.split()) == ["rocm-sdk-core==7.12.0", "rocm-sdk-libraries-gfx1151==7.12.0", "rocm==7.12.0"]
    assert sorted(json.loads(done.outputs["wheels"])) == sorted(path.name for path in packages.glob("*.whl"))
