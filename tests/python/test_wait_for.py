"""`wheelrun wait-for`: on the pages that `wheelrun index` writes, served like a bucket behind a CDN, and on a real S3
server."""

import json
import re
import shutil
import signal
import subprocess

import pytest
import s3_server as s3
from index_world import make_wheel, served, sha256
from wheelrun import PROGRAM, environment, in_job, wheelrun

ROCM = "7.12.0a20261122"
TORCH = f"2.10.0a0+rocm{ROCM}"
LINUX = "cp312-cp312-linux_x86_64"


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


def published(store, project="torch", version=TORCH, tag=LINUX, **more):
    path = make_wheel(store, project, version, tag=tag, **more)
    index(store)
    return path


def index(store):
    done = wheelrun("index", store)
    assert done.status == 0, done.stderr


def words(server, *packages, limit="1s"):
    return ["wait-for", *packages, "--index-url", f"{server.url}/", "--python", "3.12", "--platform", "linux", "--for",
            limit, "--every", "1s"]


def without_times(text):
    return re.sub(r"(?<=after )[\d.]+ (ms|s)", "TIME", text)


def wait(server, *packages, limit="1s", more=()):
    return wheelrun(*words(server, *packages or [f"torch=={TORCH}"], limit=limit), *more)


@pytest.mark.parametrize("form", ["html", "json"])
def test_what_is_there_is_found_at_once(store, form):
    wheel = published(store)
    published(store, "triton", "3.5.1", tag="cp312-cp312-manylinux_2_28_x86_64")
    headers = []
    with served(store, json=form == "json", fault=lambda request: headers.append(request.headers)) as server:
        done = wait(server, f"torch[extra]=={TORCH}", "Triton==3.5.1", limit="10m")
        asked = server.asked
    assert done.status == 0, done.stderr
    assert f"torch=={TORCH} is there: {wheel.name}\n" in done.stderr
    assert without_times(done.stderr).endswith("\n2 packages can be installed, after TIME\n")
    # Installers ask for the same URLs, and no wheel is downloaded.
    assert [(method, path) for method, path, size in asked if path.startswith("/torch")] == [
        ("GET", "/torch/"), ("HEAD", f"/{wheel.name}"), ("GET", f"/{wheel.name}.metadata")]
    assert {each["Cache-Control"] for each in headers} == {"no-cache"}


def test_what_appears_late(store):
    published(store, version=f"2.9.1+rocm{ROCM}")
    with served(store) as server:
        call = subprocess.Popen([PROGRAM, *words(server, f"torch=={TORCH}", limit="1m")], env=environment(),
                                stderr=subprocess.PIPE, text=True)
        first = call.stderr.readline(), call.stderr.readline()
        assert first[0] == f"waiting up to 1 min 0 s for 1 package on {server.url}/\n"
        assert first[1] == f"torch=={TORCH} is not there: the version is not there; there is 2.9.1+rocm{ROCM}\n"
        published(store)
        said = call.communicate(timeout=60)[1]
    assert call.returncode == 0 and f"torch=={TORCH} is there: torch-" in said
    # A line for each change, not for each try.
    assert len(said.splitlines()) == 2


def test_what_never_appears(store, tmp_path):
    for version in ("2.8.0", "2.9.0", "2.9.1", "2.9.2", "2.10.0a0+rocm7.11.0"):
        make_wheel(store, "torch", version, tag=LINUX)
    published(store, "triton", "3.5.1")
    with served(store) as server:
        done = wait(server, f"torch=={TORCH}", "triton==3.5.1")
        assert done.status == 1
        said = without_times(done.stderr[done.stderr.index("error: "):])
        assert said == f"""\
error: not published: 1 of 2 packages is missing after TIME
torch=={TORCH} for Python 3.12 on linux
  asked: {server.url}/torch/
  found: the version is not there
  there: 2.10.0a0+rocm7.11.0, 2.9.2, 2.9.1, 2.9.0 and 1 more
  next:  look at the job that publishes: it has not ended, held the version back, or built another one
"""
        assert in_job(tmp_path, *words(server, f"torch=={TORCH}", limit="0s")).stdout.count(
            "::error title=not published::1 of 1 package is missing after ") == 1


def test_a_project_that_is_not_there(store):
    published(store, "triton", "3.5.1")
    with served(store) as server:
        done = wait(server, limit="0s")
    assert done.status == 1 and f"  found: {server.url} has no project torch\n  there: nothing\n" in done.stderr
    assert "  next:  compare the URL and the family with those of the job that publishes" in done.stderr


def test_a_password_is_not_printed(store):
    published(store, "triton", "3.5.1")
    wheel = published(store, "apex", "1.10")
    (store / f"{wheel.name}.metadata").write_bytes(b"x")
    with served(store, json=True) as server:
        url = server.url.replace("//", "//name:hidden@")
        for more in (b"", b"x"):  # the metadata is another one, then the wheel is
            wheel.write_bytes(wheel.read_bytes() + more)
            done = wheelrun("wait-for", "torch==2.10", "triton==3.5.2", "apex==1.10", "--python", "3.12", "--index-url", url,
                            "--for", "0s")
            assert done.status == 1 and "hidden" not in done.stdout + done.stderr and "***@127.0.0.1" in done.stderr
            assert ("bytes, and its page says" if more else "is not what the page says") in done.stderr


def test_the_version_for_others_only(store):
    for tag in ("cp311-cp311-linux_x86_64", "cp312-cp312-win_amd64"):
        make_wheel(store, "torch", TORCH, tag=tag)
    published(store, version=TORCH, tag="cp312-cp312-linux_aarch64")
    with served(store) as server:
        done = wait(server, limit="0s")
        assert done.status == 1
        assert f"found: the version is there for others only: torch-{TORCH}-cp311-cp311-linux_x86_64.whl, " in done.stderr
        assert wait(server, limit="0s", more=["--platform", "windows"]).status == 0
        assert wait(server, limit="0s", more=["--python", "3.11"]).status == 0


def test_a_yanked_version(store):
    wheel = published(store)
    assert wheelrun("index", "yank", wheel.name, "--reason", "broken", "--output-dir", store).status == 0
    with served(store) as server:
        done = wait(server, limit="0s")
    assert done.status == 1 and f"  found: {wheel.name} is yanked: broken\n" in done.stderr and "yank --undo" in done.stderr


def test_a_file_that_is_missing_though_its_page_lists_it(store, tmp_path):
    wheel = published(store)
    shutil.move(wheel, tmp_path / wheel.name)
    with served(store) as server:
        done = wait(server, limit="0s")
        assert done.status == 1
        assert f"found: a page lists it, but {server.url}/{wheel.name.replace('+', '%2B')} answers with status 404\n" in done.stderr
        assert "  next:  look at the upload of the file; `wheelrun index` writes the page" in done.stderr
        shutil.move(tmp_path / wheel.name, wheel)
        beside = store / f"{wheel.name}.metadata"
        metadata = beside.read_bytes()
        beside.write_bytes(metadata + b"x")
        done = wait(server, limit="0s")
        assert done.status == 1 and ".metadata is not what the page says\n" in done.stderr
        beside.write_bytes(metadata)
        server.json = True
        wheel.write_bytes(wheel.read_bytes() + b"x")
        done = wait(server, limit="0s")
        size = wheel.stat().st_size
        assert done.status == 1 and f" has {size} bytes, and its page says {size - 1}\n" in done.stderr


def test_a_server_that_is_down_for_a_while(store):
    published(store)
    left = [503, 500, 502]
    with served(store, fault=lambda request: left.pop() if left else None) as server:
        done = wait(server, limit="1m")
        assert done.status == 0 and f"is not there: {server.url}/torch/ answers with status 502\n" in done.stderr
    done = wait(server, limit="0s")
    assert done.status == 1 and "127.0.0.1" in done.stderr and "  next:  " in done.stderr


def test_redirections_are_followed(store):
    published(store)

    def moved(request):
        return None if request.path.startswith("/new/") else f"/new{request.path}"

    (store.parent / "site").mkdir()
    shutil.move(store, store.parent / "site/new")
    with served(store.parent / "site", fault=moved) as server:
        assert wait(server, limit="0s").status == 0


def test_redirections_in_a_circle_end(store):
    published(store)
    with served(store, fault=lambda request: request.path) as server:
        done = wait(server, limit="0s")
    assert done.status == 1 and f"{server.url}/torch/ answers with status 302" in done.stderr


def test_text_of_a_page_is_no_command_of_the_runner(store, tmp_path):
    wheel = published(store)
    page = store / "torch/index.html"
    page.write_text(page.read_text().replace("<a ", '<a data-yanked="x\n::add-path::/evil\x1b[2J##[error]" ', 1))
    with served(store) as server:
        done = in_job(tmp_path, *words(server, f"torch=={TORCH}", limit="0s"))
    assert done.status == 1 and f"{wheel.name} is yanked: x" in done.stdout
    assert not done.path and "\x1b" not in done.stdout
    commands = [line for line in done.stdout.splitlines() if line.lstrip().startswith("::") or line.lstrip().startswith("##[")]
    assert [line.split("::")[1] for line in commands] == ["error title=not published"]


def test_the_index_of_dependencies_counts_too(store, tmp_path):
    published(store)
    make_wheel(tmp_path / "more", "numpy", "2.3.0")
    index(tmp_path / "more")
    with served(store) as server, served(tmp_path / "more") as more:
        packages = [f"torch=={TORCH}", "numpy==2.3.0"]
        assert wait(server, *packages, limit="0s").status == 1
        done = wait(server, *packages, limit="0s", more=["--dependencies-url", more.url])
        assert done.status == 0, done.stderr
        done = wait(server, "pillow==12.0.0", limit="0s", more=["--dependencies-url", more.url])
        assert f"  asked: {server.url}/pillow/ and {more.url}/pillow/\n" in done.stderr


def test_a_source_archive_and_another_local_label(store):
    """`rocm` is an archive. A version without a label stands for those with one, as for installers."""
    store.mkdir()
    (store / f"rocm-{ROCM}.tar.gz").write_bytes(b"")
    published(store)
    with served(store) as server:
        assert wait(server, f"rocm=={ROCM}", "torch==2.10.0a0", limit="0s").status == 0


def test_exactly_the_uploaded_wheels(store):
    wheel = published(store)
    with served(store) as server:
        def given(sums, *packages):
            return wheelrun("wait-for", *packages, "--wheels", json.dumps(sums), "--index-url", server.url, "--for", "0s")

        assert given({wheel.name: sha256(wheel)}).status == 0
        assert given({wheel.name: sha256(wheel)}, f"torch=={TORCH}").status == 0
        done = given({wheel.name: "0" * 64})
        assert done.status == 1
        assert f"torch=={TORCH}, as {wheel.name}\n" in done.stderr
        assert f"found: {wheel.name} has the SHA-256 {sha256(wheel)} there, and {'0' * 64} was built\n" in done.stderr
        done = given({wheel.name: sha256(wheel)}, "torch==2.9.0")
        assert done.status == 2 and "torch==" in done.stderr and "are different versions" in done.stderr


def test_a_bucket_with_other_bytes_than_its_page_says(store, tmp_path):
    """S3 states the SHA-256 of objects, so a file of the same length is found out."""
    bucket, folder = "therock-nightly-python", "v2/gfx94X-dcgpu"
    wheel = make_wheel(store, "torch", TORCH, tag=LINUX)
    with s3.serving(tmp_path, bucket) as server:
        server.allow(bucket, s3.KEYS["AWS_ACCESS_KEY_ID"])
        put = ["s3", "cp", "--only-show-errors", wheel, f"s3://{bucket}/{folder}/{wheel.name}", "--checksum-algorithm", "SHA256"]
        server.aws(*put)
        done = wheelrun("index", "--bucket", bucket, "--family", "gfx94X-dcgpu", env=s3.variables(server.url))
        assert done.status == 0, done.stderr
        call = ["wait-for", f"torch=={TORCH}", "--python", "3.12", "--platform", "linux", "--for", "0s", "--find-links",
                f"{server.url}/{bucket}/{folder}/find-links.html"]
        done = wheelrun(*call)
        assert done.status == 0, done.stderr
        wheel.write_bytes(wheel.read_bytes()[:-1] + b"x")
        server.aws(*put)
        done = wheelrun(*call)
        assert done.status == 1 and f"has the SHA-256 {sha256(wheel)}, and its page says " in done.stderr, done.stderr


def test_a_cancelled_job_ends_at_once(store):
    published(store, "triton", "3.5.1")
    with served(store) as server:
        call = subprocess.Popen([PROGRAM, *words(server, f"torch=={TORCH}", limit="1h")[:-2]], env=environment(),
                                stderr=subprocess.PIPE, text=True)
        call.stderr.readline()
        call.stderr.readline()
        call.send_signal(signal.SIGTERM)
        assert "cancelled after " in call.communicate(timeout=30)[1]
    assert call.returncode != 0


@pytest.mark.parametrize(("call", "message"), [
    ([], "'wait-for' needs something to wait for"),
    (["torch>=2"], "'wait-for' cannot wait for 'torch>=2'"),
    (["torch==2.*"], "'wait-for' cannot wait for 'torch==2.*'"),
    (["torch"], "'wait-for' cannot wait for 'torch'"),
    (["torch==2.10", "torch==2.9"], "torch==2.10 and torch==2.9 are different versions"),
    (["torch==2.10", "--for", "10"], "'--for' does not take '10'"),
    (["torch==2.10", "--for", "25h"], "'--for' does not take '25h'"),
    (["torch==2.10", "--every", "soon"], "'--every' does not take 'soon'"),
    (["torch==2.10", "--python", "three"], "'--python' does not take 'three'"),
    (["--wheels", "[]"], "'--wheels' is no JSON object"),
])
def test_wrong_input(call, message):
    done = wheelrun("wait-for", *call, "--index-url", "http://127.0.0.1:9/", *([] if "--python" in call else ["--python", "3.12"]))
    assert done.status == 2 and message in done.stderr and "waiting" not in done.stderr


@pytest.mark.parametrize(("call", "message"), [
    (["--index-url", "dist", "--python", "3.12"], "'wait-for' cannot ask 'dist'"),
    (["--find-links", "dist", "--python", "3.12"], "'wait-for' cannot ask 'dist'"),
    (["--index", "nightly", "--python", "3.12"], "'--index nightly' needs '--family'"),
    (["--python", "3.12"], "'wait-for' needs a source to install from"),
    (["--index-url", "http://127.0.0.1:9/"], "needs '--python'"),
])
def test_a_source_that_cannot_be_asked(call, message):
    done = wheelrun("wait-for", "torch==2.10", *call)
    assert done.status == 2 and message in done.stderr
