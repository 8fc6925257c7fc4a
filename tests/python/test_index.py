"""`wheelrun index`: the results that installers get, and the files that they read for them."""

import json
import random
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from index_world import (
    INSTALLERS,
    JSON_TYPE,
    bytes_asked,
    make_wheel,
    pip_install,
    pip_resolve,
    served,
    sha256,
    source,
    uv_install,
    uv_resolve,
    wheels_asked,
)
from wheelrun import PROGRAM, ROOT, environment, in_job, wheelrun

sys.path.insert(0, str(ROOT / "tests/tools"))
import kept

KINDS = ["find-links", "html", "json"]
INSTALL = {"pip": pip_install, "uv": uv_install}


def indexed(folder, *words):
    done = wheelrun("index", folder, *words)
    assert done.status == 0, done.stderr
    return done


def page(folder, project):
    return json.loads((folder / project / "index.v1.json").read_text(encoding="utf-8"))


def names(folder, project):
    return [file["filename"] for file in page(folder, project)["files"]]


@pytest.fixture
def store(tmp_path):
    """The newest `app` cannot be installed, so an installer must read two of three."""
    folder = tmp_path / "store"
    make_wheel(folder, "app", "1.0+rocm7.10.0", ["my-lib==1.0"])
    make_wheel(folder, "app", "2.0+rocm7.10.0", ["my-lib==1.0"])
    make_wheel(folder, "app", "3.0+rocm7.10.0", ["my-lib>=9"])
    make_wheel(folder, "app", "4.0+rocm7.10.0", ["my-lib"], python=">=3.99")
    make_wheel(folder, "my-lib", "1.0")
    make_wheel(folder, "my-lib", "2.0")
    indexed(folder)
    return folder


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("installer", INSTALL)
def test_installers_install(store, tmp_path, kind, installer):
    with served(store, json=kind == "json") as server:
        status, _, said = INSTALL[installer](kind, server.url, tmp_path / "target", "app")
    assert status == 0, said
    assert "2.0+rocm7.10.0" in (tmp_path / "target/app/__init__.py").read_text()
    assert wheels_asked(server) == ["app-2.0+rocm7.10.0-py3-none-any.whl", "my_lib-1.0-py3-none-any.whl"]


@cache
def old_pip():
    """pip 22.3.1, which came with Python 3.11 for half a year, downloaded and unpacked once."""
    def download(folder):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "pip==22.3.1"],
                       check=True)
        (path,) = folder.glob("*.whl")
        zipfile.ZipFile(path).extractall(folder)

    return kept.made("old_pip", "22.3.1", download) / "pip"


@pytest.mark.parametrize("kind", KINDS)
def test_an_old_pip_installs(tmp_path, kind):
    """A regression test: pip 22.3 to 23.1 fail where the metadata has its former name too, see PEP 714."""
    make_wheel(tmp_path / "store", "my_lib", "1.0")
    indexed(tmp_path / "store")
    with served(tmp_path / "store", json=kind == "json") as server:
        done = subprocess.run([sys.executable, old_pip(), "--isolated", "install", "--no-cache-dir", "--quiet",
                               "--disable-pip-version-check", "--no-warn-conflicts", "--no-compile", "--target",
                               tmp_path / "target", *source(kind, server.url), "my_lib"], env=INSTALLERS,
                              capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_uv_resolves_by_metadata_alone(store, tmp_path, kind):
    with served(store, json=kind == "json") as server:
        assert uv_resolve(kind, server.url, tmp_path, "app") == ["app==2.0+rocm7.10.0", "my-lib==1.0"]
    assert wheels_asked(server) == []
    assert any(path.endswith("app-3.0+rocm7.10.0-py3-none-any.whl.metadata") for _, path, _ in server.asked)
    assert not any("app-4.0" in path for _, path, _ in server.asked), "needs another Python: the page says so"
    asked_json = any(path.endswith("/app/") for _, path, _ in server.asked)
    assert asked_json == (kind != "find-links")


@pytest.mark.parametrize("kind", KINDS)
def test_pip_resolves_by_metadata_alone(store, kind):
    with served(store, json=kind == "json") as server:
        report = json.loads(pip_resolve(kind, server.url, "app"))
    chosen = {item["metadata"]["name"]: item["metadata"]["version"] for item in report["install"]}
    assert chosen == {"app": "2.0+rocm7.10.0", "my-lib": "1.0"}
    assert wheels_asked(server) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    store = tmp_path_factory.mktemp("large")
    path = make_wheel(store, "torch", "2.10.0+rocm7.10.0", ["my-lib"], hole=3_000_000_000)
    assert path.stat().st_size > 3_000_000_000 > path.stat().st_blocks * 512 * 1000
    make_wheel(store, "my-lib", "1.0")
    indexed(store)
    return store


@pytest.mark.parametrize("kind", KINDS)
def test_a_wheel_of_3_gb_is_resolved_by_kilobytes(large, tmp_path, kind):
    with served(large, json=kind == "json") as server:
        assert uv_resolve(kind, server.url, tmp_path, "torch") == ["my-lib==1.0", "torch==2.10.0+rocm7.10.0"]
        json.loads(pip_resolve(kind, server.url, "torch"))
    assert wheels_asked(server) == []
    assert bytes_asked(server) < 20_000


@pytest.mark.parametrize("installer", INSTALL)
@pytest.mark.parametrize("kind", KINDS)
def test_a_swapped_wheel_is_not_installed(store, tmp_path, kind, installer):
    make_wheel(store, "my-lib", "1.0", ["evil"])
    with served(store, json=kind == "json") as server:
        status, _, said = INSTALL[installer](kind, server.url, tmp_path / "target", "app")
    assert status != 0
    assert "hash" in said.lower()


# uv ignores yanks on a flat page.
@pytest.mark.parametrize(("installer", "kind"), [(i, k) for i in INSTALL for k in KINDS if (i, k) != ("uv", "find-links")])
def test_a_yanked_file_is_passed_over_unless_it_is_asked_for(store, tmp_path, kind, installer):
    file = "my_lib-2.0-py3-none-any.whl"
    done = wheelrun("index", "yank", file, "--reason", "breaks <everything>", "--output-dir", store)
    assert done.status == 0, done.stderr
    with served(store, json=kind == "json") as server:
        status, _, said = INSTALL[installer](kind, server.url, tmp_path / "a", "my-lib")
        assert status == 0, said
        assert "1.0" in (tmp_path / "a/my_lib/__init__.py").read_text()
        status, _, said = INSTALL[installer](kind, server.url, tmp_path / "b", "my-lib==2.0")
        assert status == 0, said
        assert "breaks <everything>" in said
        assert wheelrun("index", "yank", file, "--undo", "--output-dir", store).status == 0
        status, _, said = INSTALL[installer](kind, server.url, tmp_path / "c", "my-lib")
        assert status == 0, said
        assert "2.0" in (tmp_path / "c/my_lib/__init__.py").read_text()


def test_two_indexes_keep_own_and_foreign_packages_apart(tmp_path):
    """A placeholder with the same name among the dependencies is never installed."""
    store = tmp_path / "store"
    make_wheel(store, "rocm", "0.1.0")
    make_wheel(store, "numpy", "2.0")
    indexed(store, "--split")
    with served(store) as server:
        status, _, said = pip_install("html", f"{server.url}/_dependencies", tmp_path / "a", "numpy")
        assert status == 0, said
        status, _, _ = pip_install("html", f"{server.url}/_dependencies", tmp_path / "b", "rocm")
        assert status != 0
        status, _, said = uv_install("find-links", f"{server.url}/_own", tmp_path / "c", "rocm")
        assert status == 0, said


@pytest.mark.quick
def test_sums_and_sizes_are_those_of_the_files(store):
    for project in ("app", "my-lib"):
        for file in page(store, project)["files"]:
            path = store / file["filename"]
            assert file["hashes"]["sha256"] == sha256(path)
            assert file["size"] == path.stat().st_size
            assert file["core-metadata"]["sha256"] == sha256(path.with_name(path.name + ".metadata"))
    assert JSON_TYPE.endswith("v1+json")
    assert page(store, "app")["versions"] == [f"{v}.0+rocm7.10.0" for v in (1, 2, 3, 4)]


@pytest.mark.quick
def test_the_same_files_give_the_same_pages(store, tmp_path):
    def html(folder):
        return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*.html")}

    other = tmp_path / "other"
    other.mkdir()
    for path in sorted(store.glob("*.whl"), reverse=True):
        (other / path.name).write_bytes(path.read_bytes())
        indexed(other)
    assert html(other) == html(store)
    before = {p: p.stat().st_mtime_ns for p in store.rglob("*") if p.is_file()}
    assert "0 pages written" in indexed(store).stderr
    assert before == {p: p.stat().st_mtime_ns for p in store.rglob("*") if p.is_file()}


def test_an_empty_folder_gets_an_empty_index(tmp_path):
    indexed(tmp_path)
    assert "<a " not in (tmp_path / "index.html").read_text()
    with served(tmp_path) as server:
        status, _, said = pip_install("find-links", server.url, tmp_path / "target", "app")
    assert status != 0
    assert "No matching distribution" in said


@pytest.mark.quick
def test_foreign_files_and_folders_stay_out(tmp_path):
    make_wheel(tmp_path, "app", "1.0")
    make_wheel(tmp_path / "nested", "other", "1.0")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "bad<b>-1.0-py3-none-any.whl").write_text("x")
    (tmp_path / "torch.whl").write_text("x")
    (tmp_path / "broken-1.0-py3-none-any.whl").write_text("x")
    done = indexed(tmp_path)
    text = (tmp_path / "find-links.html").read_text()
    assert text.count("<a ") == 1
    assert "'broken-1.0-py3-none-any.whl': it is no zip archive" in done.stderr
    assert "'bad<b>-1.0-py3-none-any.whl'" in done.stderr
    assert not (tmp_path / "other").exists()


def test_a_dry_run_writes_nothing(tmp_path):
    make_wheel(tmp_path, "app", "1.0")
    done = indexed(tmp_path, "--dry-run")
    assert f"would write {tmp_path}/app/index.html" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["app-1.0-py3-none-any.whl"]


def test_many_writers_lose_no_file(tmp_path):
    def arrive(number):
        make_wheel(tmp_path / "in", "app", f"{number}.0").rename(tmp_path / f"app-{number}.0-py3-none-any.whl")
        indexed(tmp_path)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(arrive, range(1, 25)))
    assert len(names(tmp_path, "app")) == 24
    for flat in ("find-links.html", "app/index.html"):
        assert (tmp_path / flat).read_text().count("<a ") == 24
    assert "0 pages written" in indexed(tmp_path).stderr


def test_a_writer_that_was_killed_is_made_up_for(tmp_path):
    pick = random.Random(5)
    for number in range(40):
        make_wheel(tmp_path, f"app{number % 10}", f"{number}.0")
    killed = 0
    for _ in range(25):
        writer = subprocess.Popen([PROGRAM, "index", str(tmp_path)], env=environment(), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        time.sleep(pick.uniform(0, 0.08))
        if writer.poll() is None:
            writer.send_signal(signal.SIGKILL)
            killed += 1
        writer.wait()
        for text in (p.read_text() for p in tmp_path.rglob("*.html") if ".objects" not in p.parts):
            assert text.endswith("</html>\n")
        make_wheel(tmp_path, "late", f"{killed}.0")
    indexed(tmp_path)
    wheels = {p.name for p in tmp_path.glob("*.whl")}
    assert {file for folder in tmp_path.glob("*/index.v1.json") for file in names(tmp_path, folder.parent.name)} == wheels
    assert (tmp_path / "find-links.html").read_text().count("<a ") == len(wheels)
    assert killed > 3


def test_the_family_and_the_release_type_say_the_folder(tmp_path):
    make_wheel(tmp_path / "v2/gfx94X-dcgpu", "app", "1.0")
    done = in_job(tmp_path, "index", "--family", "GFX94x-DCGPU", "--release-type", "nightly", "--output-dir", tmp_path)
    assert done.status == 0, done.stdout
    assert names(tmp_path / "v2/gfx94X-dcgpu", "app") == ["app-1.0-py3-none-any.whl"]
    done = wheelrun("index", "--family", "gfx94X-dcgpu", "--release-type", "prerelease", "--staging", "--output-dir",
                    tmp_path)
    assert done.status == 0, done.stderr
    assert (tmp_path / "v3/whl-staging/gfx94X-dcgpu/index.html").is_file()


@pytest.mark.quick
@pytest.mark.parametrize(("words", "says"), [
    (["nowhere"], "error[no-folder]: there is no folder 'nowhere'"),
    ([".", "--bucket", "b"], "error[two-places]: '--bucket' and the folder '.' are two places"),
    (["--bucket", "b"], "error[missing-argument]: 'index' needs '--family' or '--prefix'"),
    (["--bucket", "therock-nightly-pyton", "--family", "gfx94X-dcgpu"],
     "error[unknown-bucket]: no release type uses the bucket 'therock-nightly-pyton'"),
    (["--bucket", "therock-nightly-python", "--family", "gfx94Y"], "error[unknown-family]: no family is called 'gfx94Y'"),
    (["--output-dir", ".", "--family", "gfx94X-dcgpu"], "error[missing-argument]: 'index' needs '--release-type'"),
    (["--output-dir", ".", "--family", "gfx94X-dcgpu", "--release-type", "nightli"],
     "error[unknown-release-type]: no release type is called 'nightli'"),
    (["--output-dir", ".", "--family", "gfx94X-dcgpu", "--prefix", "x"], "error[two-places]: "),
    (["yank", "a.whl", "--output-dir", "."], "error[missing-argument]: 'index yank' needs '--reason' or '--undo'"),
    (["yank", "a.whl", "--output-dir", ".", "--reason", "x\ny"], "error[option-value]: '--reason' does not take 'x\\ny'"),
    (["yank", "app-1.0-py3-none-any.wh", "--output-dir", ".", "--reason", "x"], "error[unknown-file]: "),
])
def test_what_is_wrong_is_said(tmp_path, words, says):
    make_wheel(tmp_path, "app", "1.0")
    done = wheelrun("index", *words, cwd=tmp_path)
    assert done.status == 2, done.stderr
    assert says in done.stderr
    assert not (tmp_path / "index.html").exists()


def test_a_list_of_yanks_that_is_none_is_a_failure(tmp_path):
    make_wheel(tmp_path, "app", "1.0")
    (tmp_path / "yanked.json").write_text("[]")
    done = wheelrun("index", tmp_path)
    assert done.status == 1
    assert "yanked.json is no JSON object" in done.stderr
    assert not (tmp_path / "app").exists()
