"""`wheelrun index` and `promote` in a bucket of a real S3 server, with a proxy that records requests and injects
faults."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
import s3_server
from index_world import make_wheel, served, sha256
from needs import need
from pip_runs import pip
from s3_server import Fault, Proxy, Server, variables
from wheelrun import PROGRAM, environment, wheelrun

BUCKET = "therock-nightly-python"
FAMILY = "gfx94X-dcgpu"
STAGING, RELEASE = f"v2-staging/{FAMILY}/", f"v2/{FAMILY}/"


class Watched(Proxy):
    """Counts the responses for each path, and calls `at` before it passes a request on."""

    def __post_init__(self):
        super().__post_init__()
        self.sent = Counter()
        self.at = lambda method, path: None
        handler, proxy = self.server.RequestHandlerClass, self
        answer = handler.answer

        def count(own, status, headers, content, *more, **named):
            proxy.sent[own.path.split("?")[0]] += len(content)
            return answer(own, status, headers, content, *more, **named)

        handler.answer = count

    def take(self, method, path):
        self.at(method, path)
        return super().take(method, path)

    def read(self, ending):
        return sum(size for path, size in self.sent.items() if path.endswith(ending))


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    need(s3_server.SERVER, s3_server.AWS)
    server = Server(folder)
    server.data = folder / "data"
    server.make_bucket(BUCKET)
    yield server
    server.close()


@pytest.fixture
def proxy(server):
    proxy = Watched(server.port)
    yield proxy
    proxy.close()


def put(server, path, prefix, *words):
    server.aws("s3", "cp", "--only-show-errors", path, f"s3://{BUCKET}/{prefix}{path.name}", *words)


def page(server, project, prefix=RELEASE):
    return json.loads((server.data / BUCKET / prefix / project / "index.v1.json").read_text())["files"]


def index(proxy, *words):
    done = wheelrun("index", "--bucket", BUCKET, "--family", FAMILY, *words, env=variables(proxy.url))
    assert done.status == 0, done.stderr
    return done


def words(wheels, *more):
    return ["promote", "--platform", "linux", "--family", FAMILY, "--bucket", BUCKET, "--wheels", json.dumps(wheels),
            "--build-result", "success", "--test-results", "f=success", *more]


def promote(proxy, wheels, *more):
    return wheelrun(*words(wheels, *more), env={**variables(proxy.url), "GITHUB_REF_NAME": "main"})


@pytest.fixture
def tested(server, tmp_path):
    files = [make_wheel(tmp_path, "torch", "2.10.0+rocm7.10.0"), make_wheel(tmp_path, "torchvision", "0.25.0")]
    for path in files:
        put(server, path, STAGING)
    return {path.name: sha256(path) for path in files}


def released(server):
    return {key.removeprefix(RELEASE) for key in server.keys(BUCKET) if key.startswith(RELEASE)}


def test_a_wheel_of_3_gb_is_indexed_by_kilobytes(server, proxy):
    folder = server.data / BUCKET / RELEASE
    make_wheel(folder, "torch", "2.10.0+rocm7.10.0", ["triton"], python=">=3.10", hole=3_000_000_000)
    done = index(proxy)
    assert "1 file of 1 project, 1 new" in done.stderr
    assert 0 < proxy.read(".whl") < 200_000
    file, = page(server, "torch")
    assert (file["size"] > 3_000_000_000, file["requires-python"]) == (True, ">=3.10")
    assert "triton" in (folder / f"{file['filename']}.metadata").read_text()


@pytest.mark.quick
def test_what_is_known_is_not_read_again(server, proxy, tested, tmp_path):
    index(proxy, "--staging")
    proxy.requests.clear()
    assert "0 pages written" in index(proxy, "--staging").stderr
    assert not any(".whl" in path for _, path in proxy.requests)
    assert {method for method, _ in proxy.requests} <= {"GET", "HEAD"}
    put(server, make_wheel(tmp_path, "torch", "2.11.0+rocm7.10.0"), STAGING)
    proxy.requests.clear()
    assert "1 new; 5 pages written" in index(proxy, "--staging").stderr
    assert all("2.11.0" in path for _, path in proxy.requests if ".whl" in path)


def test_wheels_move_inside_the_store_with_their_sums(server, proxy, tested):
    done = promote(proxy, tested)
    assert done.status == 0, done.stderr
    assert done.outputs == {"verdict": "promote"}
    assert {name for name in released(server) if name.endswith(".whl")} == set(tested)
    for name, sum_ in tested.items():
        head = server.aws("s3api", "head-object", "--bucket", BUCKET, "--key", RELEASE + name)
        assert head["Metadata"]["checksum-sha256"] == sum_
        project = name.split("-")[0]
        assert [file["hashes"] for file in page(server, project)] == [{"sha256": sum_}]
    head = server.aws("s3api", "head-object", "--bucket", BUCKET, "--key", f"{RELEASE}torch/index.html")
    assert (head["ContentType"], head["CacheControl"]) == ("text/html; charset=utf-8", "no-cache")
    assert promote(proxy, tested).status == 0


@pytest.mark.quick
def test_a_swapped_and_a_missing_wheel_are_refused(server, proxy, tested, tmp_path):
    put(server, make_wheel(tmp_path / "evil", "torchvision", "0.25.0", ["evil"]), STAGING)
    done = promote(proxy, tested)
    assert (done.status, done.outputs) == (1, {})
    assert "is not what was tested" in done.stderr
    server.aws("s3", "rm", f"s3://{BUCKET}/{STAGING}torchvision-0.25.0-py3-none-any.whl")
    done = promote(proxy, tested)
    assert (done.status, done.outputs) == (1, {})
    assert "is not there any more" in done.stderr
    assert released(server) == set()


def test_what_an_object_says_of_itself_is_not_believed(server, proxy, tested, tmp_path):
    evil = make_wheel(tmp_path / "evil", "torchvision", "0.25.0", ["evil"])
    put(server, evil, STAGING, "--metadata", f"checksum-sha256={tested[evil.name]}")
    done = promote(proxy, tested)
    assert (done.status, done.outputs) == (1, {})
    assert f"is not what was tested: its SHA-256 is {sha256(evil)}" in done.stderr
    assert released(server) == set()


def test_a_wheel_that_is_swapped_at_the_last_moment_is_refused(server, proxy, tested, tmp_path):
    evil = make_wheel(tmp_path / "evil", "torch", "2.10.0+rocm7.10.0", ["evil"])
    one_at_a_time, swapped = threading.Lock(), threading.Event()

    def swap(method, path):
        if method == "PUT" and "/torch-" in path:
            with one_at_a_time:  # a request that is sent again waits for the swap, too
                if not swapped.is_set():
                    put(server, evil, STAGING)
                    swapped.set()

    proxy.at = swap
    done = promote(proxy, tested)
    assert (done.status, done.outputs) == (1, {})
    assert not any(name.endswith(".whl") for name in released(server))


def test_killed_between_the_copies_and_the_index(server, proxy, tested):
    running = None
    ready = threading.Event()

    def kill(method, path):
        if method == "PUT" and path.split("?")[0].endswith("/index.html"):
            ready.wait(10)
            running.send_signal(signal.SIGKILL)
            proxy.at = lambda *_: None

    proxy.at = kill
    running = subprocess.Popen([PROGRAM, *words(tested)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**environment(), **variables(proxy.url), "GITHUB_REF_NAME": "main"})
    ready.set()
    assert running.wait(60) == -signal.SIGKILL
    assert set(tested) <= released(server)
    assert not {"index.html", "find-links.html"} & released(server)
    assert promote(proxy, tested).status == 0
    assert len(page(server, "torch")) == len(page(server, "torchvision")) == 1


def test_many_writers_lose_no_file(server, proxy, tmp_path):
    folder = server.data / BUCKET / RELEASE
    folder.mkdir(parents=True)

    def arrive(number):
        for minor in range(3):
            path = make_wheel(tmp_path / str(number), "torch", f"{number}.{minor}")
            path.rename(folder / path.name)
            index(proxy)

    threads = [threading.Thread(target=arrive, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(page(server, "torch")) == 12
    assert (server.data / BUCKET / RELEASE / "find-links.html").read_text().count("<a ") == 12
    assert "0 pages written" in index(proxy).stderr


@pytest.mark.parametrize("action", ["503", "500", "429", "reset-request", "reset-response", "truncate", "lie-body"])
def test_faults_on_the_way_change_nothing(server, proxy, tested, action):
    """The store's retries handle short faults; a repetition handles the others."""
    proxy.faults.append(Fault(action, times=12, share=0.25))
    statuses = []
    for _ in range(8):
        done = promote(proxy, tested)
        statuses.append(done.status)
        assert done.status in (0, 1), done.stderr
        if done.status == 0:
            break
    assert statuses[-1] == 0, done.stderr
    assert proxy.count() > 0
    for name, sum_ in tested.items():
        assert sha256(server.data / BUCKET / RELEASE / name) == sum_
        assert [file["hashes"]["sha256"] for file in page(server, name.split("-")[0])] == [sum_]


def test_credentials_that_may_not_are_a_failure(server, proxy, tested):
    done = wheelrun(*words(tested), env={**variables(proxy.url), "AWS_SECRET_ACCESS_KEY": "wrong"})
    assert (done.status, done.outputs) == (1, {})
    assert "wrong" not in done.stdout + done.stderr
    assert released(server) == set()


NIGHTS = ("7.12.0a20260218", "7.12.0a20260219")


def put_night(server, rocm):
    """A set whose members require each other in exactly one version."""
    folder, label = server.data / BUCKET / RELEASE, f"+rocm{rocm}"
    folder.mkdir(parents=True, exist_ok=True)
    make_wheel(folder, "rocm-sdk-core", rocm)
    make_wheel(folder, "triton", f"3.6.0{label}")
    make_wheel(folder, "torch", f"2.10.0{label}", [f"rocm-sdk-core=={rocm}", f"triton==3.6.0{label}"])
    make_wheel(folder, "torchvision", f"0.25.0{label}", [f"torch==2.10.0{label}"])
    make_wheel(folder, "apex", f"1.10.0{label}.torch210", [f"torch==2.10.0{label}"])


def resolved(*command):
    """The versions that a real client takes of the whole set, by project."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return dict(line.split("==") for line in done.stdout.splitlines() if "==" in line and not line.startswith(" "))


def test_real_clients_find_a_whole_set_at_every_moment_of_a_publication(server, proxy, tmp_path):
    put_night(server, NIGHTS[0])
    index(proxy)
    put_night(server, NIGHTS[1])
    (tmp_path / "wanted.in").write_text("torchvision\napex\n")
    states, lock = [], threading.Lock()
    with served(server.data) as web:
        url = f"{web.url}/{BUCKET}/{RELEASE}"

        def by_uv():
            return resolved(Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--no-header", "--no-cache",
                            "--no-config", "--no-annotate", "--prerelease", "allow", "--index-url", url,
                            tmp_path / "wanted.in")

        def by_pip():
            report = tmp_path / "report.json"
            status, _, problems = pip("install", "--quiet", "--disable-pip-version-check", "--dry-run", "--pre",
                                      "--no-cache-dir", "--ignore-installed", "--index-url", url, "--report", report,
                                      "torchvision", "apex", environment=dict(os.environ))
            assert status == 0, problems
            rows = json.loads(report.read_text())["install"]
            return {row["metadata"]["name"]: row["metadata"]["version"] for row in rows}

        def look(method, path):
            if method != "PUT" or path.endswith(".metadata"):
                return
            with lock:
                states.append((path.removeprefix(f"/{BUCKET}/{RELEASE}"), by_uv()))
                if len(states) in (5, 10):
                    states.append((path, by_pip()))

        assert by_uv() == by_pip()
        proxy.at = look
        index(proxy)
        proxy.at = lambda method, path: None
        after = by_uv()
    assert {path for path, _ in states} >= {"torch/index.html", "torchvision/index.html", "find-links.html"}
    for path, versions in [*states, ("the end", after)]:
        nights = {night for night in NIGHTS for version in versions.values() if night in version}
        assert len(versions) == 5 and len(nights) == 1, (path, versions)
    assert all(NIGHTS[0] in version for version in states[0][1].values())
    assert all(NIGHTS[1] in version for version in after.values())
