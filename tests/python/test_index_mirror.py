"""`wheelrun index mirror`: from an index like PyPI's into a bucket of a real S3 server, read back by real installers."""

import json

import pytest
import s3_server as s3
from index_world import make_wheel, pip_install, served, sha256, uv_resolve
from wheelrun import PLAN, in_job, wheelrun
from web import Quiet, WebServer

BUCKET = "therock-nightly-python"
FOLDER = "v2-dependencies/"


class World:
    """An index that serves `files`, with an optional fault. `form` is html or json."""

    def __init__(self, folder):
        self.folder, self.form, self.pages, self.faults, self.asked = folder, "json", {}, {}, []
        world = self

        class Handler(Quiet):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                world.asked.append(self.path)
                kind, content, headers = "text/html", b"", {}
                status = 200
                faults = world.faults.get(self.path, [])
                fault = faults.pop(0) if faults else None
                name = self.path.rsplit("/", 1)[1] or self.path.split("/")[-2]
                if isinstance(fault, int):
                    status = fault
                elif fault == "cut":
                    self.close_connection = True
                    self.send_response(200)
                    self.send_header("Content-Length", "9999")
                    self.end_headers()
                    self.wfile.write(b"PK")
                    return
                elif self.path.startswith("/simple/") and name in world.pages:
                    kind, content = world.page(name)
                elif self.path.startswith("/old/"):
                    status, headers = 301, {"Location": "/simple/" + self.path.removeprefix("/old/")}
                elif self.path.startswith("/files/") and (world.folder / name).is_file():
                    content = (world.folder / name).read_bytes()
                    if fault == "flip":
                        content = content[:-1] + bytes([content[-1] ^ 1])
                else:
                    status = 404
                self.send_response(status)
                for header, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
                    self.send_header(header, value)
                self.end_headers()
                self.wfile.write(content)

        self.server = WebServer(Handler)
        self.url = self.server.url

    def add(self, project, version, tag="py3-none-any", requires=(), python=">=3.8", **said):
        path = make_wheel(self.folder, project, version, requires, python=python, tag=tag)
        row = {"filename": path.name, "url": f"../../files/{path.name}", "hashes": {"sha256": sha256(path)},
               "size": path.stat().st_size, "requires-python": python, "yanked": False,
               "upload-time": "2026-01-02T03:04:05.678901Z", **said}
        self.pages.setdefault(project, []).append(row)
        return path

    def page(self, project):
        rows = self.pages[project]
        if self.form == "json":
            return "application/vnd.pypi.simple.v1+json", json.dumps({"meta": {"api-version": "1.1"}, "files": rows}).encode()
        links = "".join(
            f'<a\n  class=x href="{row["url"]}#sha256={row["hashes"].get("sha256", "")}" '
            f'data-requires-python="{row["requires-python"].replace(">", "&gt;")}"'
            + (' data-yanked="old"' if row["yanked"] else "") + f'>{row["filename"]}</a><br/>\n' for row in rows)
        return "text/html; charset=utf-8", f"<!DOCTYPE html><!-- <a href='x'> --><html><body>{links}</body></html>".encode()

    def close(self):
        self.server.close()


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path / "files")
    world.folder.mkdir()
    yield world
    world.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with s3.serving(tmp_path_factory.mktemp("server"), BUCKET) as server:
        yield server


@pytest.fixture
def bucket(server):
    server.aws("s3", "rm", "--recursive", f"s3://{BUCKET}")
    return server


@pytest.fixture
def mirror(bucket, world, tmp_path):
    """Calls the mirror for a list of dependencies."""

    def call(rows, *words, where=("--bucket", BUCKET), endpoint="", source="", job=False, **changes):
        plan = json.loads(PLAN.read_text(encoding="utf-8"))
        plan["mirror"].update(source=f"{world.url}/simple", pythons=["3.11", "3.12"], platforms=["linux"])
        plan["dependencies"] = [{"pythons": None, "platforms": None, **row} for row in rows]
        plan.update(changes)
        path = tmp_path / "plan.json"
        path.write_text(json.dumps(plan), encoding="utf-8")
        env = {**s3.variables(endpoint or bucket.url), "WHEELRUN_PLAN": str(path), "TMPDIR": str(tmp_path)}
        call = ["index", "mirror", *where, *(["--source", source] if source else []), *words]
        done = in_job(tmp_path, *call, env=env) if job else wheelrun(*call, env=env)
        assert not list(tmp_path.glob("wheelrun-mirror-*"))
        return done

    return call


def there(server):
    return {key.removeprefix(FOLDER) for key in server.keys(BUCKET) if key.startswith(FOLDER)}


def wheels(server):
    return {name for name in there(server) if name.endswith(".whl")}


def row(name, *versions, **columns):
    return {"name": name, "versions": list(versions), **columns}


@pytest.mark.parametrize("form", ["json", "html"])
def test_what_the_list_says_is_brought_and_installed(mirror, bucket, world, form):
    world.form = form
    old, new = world.add("numpy", "2.1.0"), world.add("numpy", "2.3.5", tag="cp311-cp311-manylinux_2_28_x86_64")
    for tag in ("cp312-cp312-manylinux_2_28_x86_64.manylinux2014_x86_64", "cp312-cp312-win_amd64",
                "cp312-cp312-musllinux_1_2_x86_64", "cp312-cp312-manylinux_2_28_aarch64", "cp310-cp310-linux_x86_64"):
        world.add("numpy", "2.3.5", tag=tag)
    world.add("numpy", "3.0.0rc1")
    world.add("filelock", "3.20.0")
    done = mirror([row("NumPy", ">=2"), row("filelock", "3.20.0")], job=True)
    assert done.status == 0, done.stdout + done.stderr
    assert wheels(bucket) == {new.name, "filelock-3.20.0-py3-none-any.whl",
                              "numpy-2.3.5-cp312-cp312-manylinux_2_28_x86_64.manylinux2014_x86_64.whl"}
    assert old.name not in there(bucket)
    assert {f"{name}.metadata" for name in wheels(bucket)} < there(bucket)
    assert done.outputs == {"dependencies_url": "https://rocm.nightlies.amd.com/v2-dependencies/"}
    assert "3 files of 2 projects" in done.summary and sha256(new) in done.summary
    head = bucket.aws("s3api", "head-object", "--bucket", BUCKET, "--key", FOLDER + new.name)
    assert head["Metadata"]["checksum-sha256"] == sha256(new)
    if form == "json":
        assert head["Metadata"]["upload-time"] == "2026-01-02T03:04:05Z"


@pytest.mark.quick
def test_done_again_brings_only_what_is_new(mirror, bucket, world):
    world.add("sympy", "1.13.3", requires=["mpmath"])
    world.add("mpmath", "1.3.0")
    rows = [row("sympy", ">=1.13"), row("mpmath", ">=1.3,<1.4")]
    assert mirror(rows).status == 0
    before = there(bucket)
    world.asked.clear()
    done = mirror(rows)
    assert done.status == 0 and "2 files of the list are there, 0 new" in done.stderr
    assert not any(path.startswith("/files/") for path in world.asked)
    newer = world.add("sympy", "1.14.0")
    world.add("mpmath", "1.4.0")
    done = mirror(rows)
    assert "1 new" in done.stderr
    assert there(bucket) - before == {newer.name, f"{newer.name}.metadata"}
    # Files that the list no longer has stay, also on their page.
    assert mirror(rows[1:]).status == 0
    page = bucket.aws("s3", "cp", f"s3://{BUCKET}/{FOLDER}sympy/index.v1.json", "-")
    assert [(file["filename"].split("-")[1], file.get("yanked", False)) for file in page["files"]] == [
        ("1.13.3", False), ("1.14.0", False)]


def test_installers_take_it_beside_the_index_of_a_release(mirror, world, tmp_path):
    world.add("filelock", "3.20.0")
    place = ("--output-dir", tmp_path / "store", "--release-type", "nightly")
    assert mirror([row("filelock", ">=3")], where=place).status == 0
    release = tmp_path / "store/v2/gfx1151"
    make_wheel(release, "torch", "2.10.0+rocm7.12.0", ["filelock"])
    assert wheelrun("index", release).status == 0
    with served(tmp_path / "store") as web:
        both = ["--extra-index-url", f"{web.url}/v2-dependencies/"]
        status, _, said = pip_install("index", f"{web.url}/v2/gfx1151", tmp_path / "pip", "torch", *both)
        assert status == 0 and (tmp_path / "pip/filelock").is_dir(), said
        pinned = uv_resolve("index", f"{web.url}/v2-dependencies", tmp_path, "filelock")
        assert pinned == ["filelock==3.20.0"]


@pytest.mark.parametrize(("rows", "says"), [
    ([row("filelock", "9.9")], "filelock==9.9 has no wheel for Python 3.11 on linux; there is 3.20.0"),
    ([row("filelock", ">=3", pythons=["3.14"], platforms=["windows"])], None),
    ([row("absent", ">=1")], "has no project absent"),
    ([row("source-only", ">=1")], "there is none of any version"),
    ([row("new-python", ">=1")], "new-python>=1 has no wheel for Python 3.11"),
    ([row("no-sum", ">=1")], "no_sum-1.0-py3-none-any.whl has no SHA-256 on its page"),
    ([row("withdrawn", ">=1")], "withdrawn>=1 has no wheel"),
    ([row("other-name", ">=1")], "other-name>=1 has no wheel"),
])
def test_a_list_that_cannot_be_had_writes_nothing(mirror, bucket, world, rows, says):
    world.add("filelock", "3.20.0")
    world.add("no-sum", "1.0", hashes={"md5": "0" * 32})
    world.add("withdrawn", "1.0", yanked="broken")
    world.add("new-python", "1.0", python=">=3.14")
    world.pages["source-only"] = [{"filename": "source-only-1.0.tar.gz", "url": "x", "hashes": {"sha256": "0" * 64}}]
    world.pages["other-name"] = world.pages["filelock"]
    done = mirror([row("filelock", ">=3"), *rows])
    if says is None:
        assert done.status == 0, done.stderr
        return
    assert done.status == 1, done.stdout + done.stderr
    assert says in done.stderr and "nothing was written" in done.stderr
    assert there(bucket) == set()


def test_a_yanked_version_that_is_named_is_taken(mirror, bucket, world):
    path = world.add("withdrawn", "1.0", yanked="broken on Tuesdays")
    done = mirror([row("withdrawn", "1.0")])
    assert done.status == 0 and "was yanked: broken on Tuesdays" in done.stderr
    assert wheels(bucket) == {path.name}


@pytest.mark.parametrize("lie", ["sum", "size", "longer", "metadata", "flip-always"])
def test_an_index_that_lies_is_refused(mirror, bucket, world, lie):
    good = world.add("filelock", "3.20.0")
    said = {"sum": {"hashes": {"sha256": "0" * 64}}, "size": {"size": 10**6}, "longer": {"size": 10}}.get(lie, {})
    bad = world.add("networkx", "3.4", **said)
    if lie == "metadata":
        evil = make_wheel(world.folder / "evil", "evil", "6.6")
        bad.write_bytes(evil.read_bytes())
        world.pages["networkx"][0].update(hashes={"sha256": sha256(bad)}, size=bad.stat().st_size)
    if lie == "flip-always":
        world.faults[f"/files/{bad.name}"] = ["flip"] * 99
    done = mirror([row("filelock", ">=3"), row("networkx", ">=3")])
    assert done.status == 1, done.stdout + done.stderr
    assert {"sum": "is not what its page says: its SHA-256 is", "size": "and its page says 1000000",
            "longer": "has more than 10 bytes", "metadata": "evil",
            "flip-always": "is not what its page says"}[lie] in done.stderr, done.stderr
    assert "the index was not written; it is safe to repeat" in done.stderr
    assert wheels(bucket) <= {good.name} and "index.html" not in there(bucket)


@pytest.mark.parametrize("faults", [[503, 500, 429], ["cut", "cut"], ["flip"]])
def test_what_heals_is_tried_again(mirror, bucket, world, faults):
    path = world.add("filelock", "3.20.0")
    world.faults[f"/files/{path.name}"] = list(faults)
    if "flip" not in faults:
        world.faults["/simple/filelock/"] = list(faults)[:2]
    done = mirror([row("filelock", ">=3")])
    assert done.status == 0, done.stdout + done.stderr
    assert wheels(bucket) == {path.name}


def test_redirections_are_followed_to_where_they_may_lead(mirror, bucket, world):
    world.add("filelock", "3.20.0")
    assert mirror([row("filelock", ">=3")], source=f"{world.url}/old").status == 0
    assert len(wheels(bucket)) == 1
    world.pages["jinja2"] = [{**world.pages["filelock"][0], "filename": "jinja2-3.1-py3-none-any.whl",
                              "url": "ftp://127.0.0.1/jinja2-3.1-py3-none-any.whl"}]
    done = mirror([row("jinja2", ">=3")])
    assert done.status == 1 and "there is none of any version" in done.stderr


def test_a_file_with_another_content_is_not_replaced(mirror, bucket, world, tmp_path):
    path = world.add("filelock", "3.20.0")
    assert mirror([row("filelock", ">=3")]).status == 0
    world.pages.clear()
    world.add("filelock", "3.20.0", requires=["other"])
    done = mirror([row("filelock", ">=3")])
    assert done.status == 1 and f"{FOLDER}{path.name} exists with the SHA-256" in done.stderr
    other = make_wheel(tmp_path / "other", "filelock", "3.20.0", ["third"])
    bucket.aws("s3", "cp", other, f"s3://{BUCKET}/{FOLDER}{path.name}")
    done = mirror([row("filelock", ">=3")])
    assert done.status == 1 and "cannot be compared with the file of" in done.stderr, done.stderr


def test_faults_of_the_bucket_heal(mirror, bucket, world):
    for number in range(6):
        world.add("filelock", f"3.20.{number}")
    rows = [row("filelock", *(f"3.20.{number}" for number in range(6)))]
    with s3.disturbed(bucket) as proxy:
        proxy.faults = [s3.Fault(action, times=4, share=0.3) for action in ("503", "reset-request", "reset-response")]
        done = mirror(rows, endpoint=proxy.url)
        assert done.status == 0, done.stderr
    assert len(wheels(bucket)) == 6


@pytest.mark.quick
def test_a_dry_run_writes_nothing(mirror, bucket, world):
    path = world.add("filelock", "3.20.0")
    done = mirror([row("filelock", ">=3")], "--dry-run")
    assert done.status == 0 and f"would copy {path.name} from {world.url}/files/{path.name}" in done.stderr
    assert there(bucket) == set() and not any("files" in path for path in world.asked)


@pytest.mark.quick
@pytest.mark.parametrize(("rows", "words", "says"), [
    ([], (), "error[no-dependencies]: the matrix lists no dependencies"),
    ([row("filelock", ">=3")], ("--source", "pypi"), "'--source' does not take 'pypi'"),
])
def test_wrong_calls(mirror, bucket, rows, words, says):
    done = mirror(rows, *words)
    assert done.status == 2 and says in done.stderr, done.stderr


def test_a_release_type_without_such_an_index(mirror, bucket):
    types = json.loads(PLAN.read_text(encoding="utf-8"))["release_types"]
    types["nightly"]["dependencies"] = None
    done = mirror([row("filelock", ">=3")], release_types=types)
    assert done.status == 2 and "the release type 'nightly' has no index of dependencies" in done.stderr, done.stderr
