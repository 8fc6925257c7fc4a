"""Operations of stores on a real S3 server, with the AWS CLI as a second opinion, and with injected faults."""

import json
import os
import random
import resource
import subprocess
import threading

import pytest
import s3_server as s3
import wheelrun as runner
from web import Quiet, WebServer

MIB = 1 << 20
KEYS = ["plain.txt", "torch-2.10.0+rocm7.10.0-cp312.whl", "a b/c  d.txt", "ünï/码.bin", "q?x=1&y=%41#z", "~tilde'(1)*!,;:@$.x"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with s3.serving(tmp_path_factory.mktemp("server"), "bucket") as server:
        yield server


@pytest.fixture
def proxy(server):
    with s3.disturbed(server) as proxy:
        yield proxy


@pytest.fixture(params=["bucket", "folder"])
def store(request, server, tmp_path):
    """Runs an operation on either kind of store; both give the same kind of result."""
    name = str(tmp_path / "store") if request.param == "folder" else server.make_bucket(f"b{random.getrandbits(40):x}")
    return lambda *words: s3.probe(server.url, name, *words)


@pytest.mark.quick
@pytest.mark.parametrize("key", KEYS)
def test_any_key_is_written_read_listed_copied_and_removed(store, key):
    assert store("head", key) is None and store("read", key) is None
    put = store("write", key, "hello", "type=text/plain", "cache=no-cache", "meta:wheel-sha256=abc")
    assert store("head", key)["version"] == put["version"]
    head = store("head", key)
    assert (head["size"], head["content_type"], head["cache_control"]) == (5, "text/plain", "no-cache")
    assert head["metadata"]["wheel-sha256"] == "abc"
    assert head["sha256"] == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert store("read", key) == "hello"
    assert [store("range", key, *span) for span in ((1, 2), (4, 9), (9, 2))] == ["el", "o", ""]
    assert store("copy", key, "copy/" + key)["sha256"] == head["sha256"]
    assert store("head", "copy/" + key)["metadata"]["wheel-sha256"] == "abc"
    assert [item["key"] for item in store("list")] == sorted([key, "copy/" + key], key=str.encode)
    assert store("remove", key) is True and store("remove", key) is True
    assert [item["key"] for item in store("list", "copy/")] == ["copy/" + key]


@pytest.mark.quick
def test_conditions_hold(store):
    first = store("write", "page", "1", "if-absent")
    assert store("write", "page", "2", "if-absent")["error"] == "conflict"
    second = store("write", "page", "2", "if-version=" + first["version"])
    assert store("write", "page", "3", "if-version=" + first["version"])["error"] == "conflict"
    assert store("write", "other", "3", "if-version=" + first["version"])["error"] == "conflict"
    assert second["version"] != first["version"] and store("read", "page") == "2"


def test_one_of_many_writers_wins(store):
    first = store("write", "page", "start")
    answers = []
    writers = [threading.Thread(target=lambda i=i: answers.append(
        store("write", "page", f"from {i}", "if-version=" + first["version"]))) for i in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(answer.get("error", "won") for answer in answers) == ["conflict"] * 5 + ["won"]


@pytest.mark.quick
@pytest.mark.parametrize("size", [0, 1, 5 * MIB, 5 * MIB + 1, 17 * MIB])
def test_files_of_any_size_go_up_are_copied_and_come_down(store, tmp_path, size):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(size).randbytes(size))
    put = store("small", "upload", "a/file.whl", source, "type=application/zip")
    assert (put["size"], put["sha256"]) == (size, s3.sha256(source))
    assert store("small", "copy", "a/file.whl", "b/file.whl")["sha256"] == put["sha256"]
    assert store("small", "download", "b/file.whl", back) is True
    assert back.read_bytes() == source.read_bytes()
    assert store("head", "b/file.whl")["content_type"] == "application/zip"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".part") == []


def test_aws_reads_what_was_uploaded_and_the_other_way(server, tmp_path):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(1).randbytes(12 * MIB))
    key = "x/torch-2.10.0+rocm7 ü.whl"
    s3.probe(server.url, "bucket", "small", "upload", key, source, "type=application/zip")
    head = server.aws("s3api", "head-object", "--bucket", "bucket", "--key", key)
    assert head["Metadata"]["checksum-sha256"] == s3.sha256(source)
    assert (head["ContentLength"], head["ContentType"]) == (12 * MIB, "application/zip")
    server.aws("s3", "cp", f"s3://bucket/{key}", back)
    assert back.read_bytes() == source.read_bytes()
    server.aws("s3", "cp", source, "s3://bucket/by-aws")
    back.unlink()
    assert s3.probe(server.url, "bucket", "small", "download", "by-aws", back) is True
    assert back.read_bytes() == source.read_bytes()
    assert server.pending("bucket") == []


def test_long_listings_come_in_pages(server):
    bucket = server.make_bucket("pages")
    folder = next(path for path in (server.log.name,)).replace("server.log", "data/pages")
    for i in range(2345):
        open(f"{folder}/k{i:04}", "w").close()
    assert len(s3.probe(server.url, bucket, "list")) == 2345
    assert len(s3.probe(server.url, bucket, "list", "k1")) == 1000


def test_a_folder_knows_files_that_people_replace(server, tmp_path):
    s3.probe(server.url, tmp_path, "write", "page", "1", "meta:a=b")
    (tmp_path / "page").write_text("by hand")
    head = s3.probe(server.url, tmp_path, "head", "page")
    assert (head["metadata"], head["sha256"]) == ({}, s3.sha256(tmp_path / "page"))
    for key in ("../x", "a/../../x", "/etc/x", "a//b", ".objects/lock"):
        assert s3.probe(server.url, tmp_path, "write", key, "1")["error"] == "local"


def test_a_folder_is_not_changed_without_its_lock(server, tmp_path):
    s3.probe(server.url, tmp_path, "write", "page", "1")
    (tmp_path / ".objects/lock").unlink()
    (tmp_path / ".objects/lock").mkdir()
    for words in (["write", "page", "2"], ["remove", "page"]):
        refused = s3.probe(server.url, tmp_path, *words)
        assert refused["error"] == "local" and ".objects/lock: " in refused["message"]
    assert (tmp_path / "page").read_text() == "1"


@pytest.mark.quick
def test_refusals_have_their_kinds(server, tmp_path):
    assert s3.probe(server.url, "no-such-bucket", "read", "x")["error"] == "not-found"
    assert s3.probe(server.url, "bucket", "download", "nothing", tmp_path / "x")["error"] == "not-found"
    wrong = s3.probe(server.url, "bucket", "read", "x", env={"AWS_SECRET_ACCESS_KEY": "other"})
    assert wrong["error"] == "denied" and "other" not in wrong["message"]
    none = s3.probe(server.url, "bucket", "read", "x", env={"AWS_ACCESS_KEY_ID": ""})
    assert none["error"] == "denied" and "none in the environment" in none["message"]
    gone = s3.probe("http://127.0.0.1:1", "bucket", "read", "x")
    assert gone["error"] == "unreached"
    assert s3.probe(server.url, "bucket", "upload", "x", tmp_path / "missing")["error"] == "local"


PASSING = ["latency", "reset-request", "reset-response", "503", "500", "429", "hang", "slow"]


@pytest.mark.parametrize("action", PASSING)
def test_what_passes_is_tried_again(server, proxy, tmp_path, action):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(action).randbytes(11 * MIB))
    key = f"again/{action}"
    proxy.faults = [s3.Fault(action, "PUT", times=2), s3.Fault(action, "POST", times=1)]
    assert s3.probe(proxy.url, "bucket", "small", "upload", key, source)["sha256"] == s3.sha256(source)
    proxy.faults = [s3.Fault(action, "GET", times=3), s3.Fault(action, "HEAD", times=1)]
    assert s3.probe(proxy.url, "bucket", "small", "download", key, back) is True
    assert back.read_bytes() == source.read_bytes()
    assert proxy.count() >= (5 if action != "latency" else 4) and server.pending("bucket") == []


@pytest.mark.parametrize("action, method", [("lie-etag", "PUT"), ("lie-sum", "PUT")])
def test_a_lying_server_is_not_believed(server, proxy, tmp_path, action, method):
    source = tmp_path / "source"
    source.write_bytes(b"x" * MIB)
    proxy.faults = [s3.Fault(action, method, times=1)]
    assert s3.probe(proxy.url, "bucket", "upload", "lie", source)["sha256"] == s3.sha256(source)
    proxy.faults = [s3.Fault(action, method, times=99)]
    assert s3.probe(proxy.url, "bucket", "upload", "lie", source)["error"] == "damaged"


# The uploader, the size, and the checksum that detects the damage. "no-sums" simulates old servers, which do not support
# CRC; "aws, old" simulates old versions of aws, which send none.
SENT = [("wheelrun", 900_000, "CRC-32C"), ("wheelrun", 11 * MIB, "CRC-32C"), ("wheelrun, no-sums", 11 * MIB, "SHA-256"),
        ("aws", 900_000, "CRC-32"), ("aws", 21 * MIB, "CRC-32 by parts"),
        ("aws --checksum-algorithm SHA256", 21 * MIB, "SHA-256 by parts"),
        ("aws, old", 11 * MIB, "CRC-64"),
        ("aws, no-sums", 900_000, "MD5"), ("aws, no-sums", 7 * MIB, "MD5"), ("aws, no-sums", 21 * MIB, "MD5 by parts")]


@pytest.mark.parametrize("sender, size, sum_", SENT)
@pytest.mark.parametrize("action", ["lie-body", "truncate"])
def test_damaged_bodies_never_become_files(server, proxy, tmp_path, action, sender, size, sum_):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(3).randbytes(size))
    if sender.startswith("aws"):
        words = sender.partition(",")[0].split()[1:]
        keys = {"AWS_REQUEST_CHECKSUM_CALCULATION": "when_required"} if sender == "aws, old" else {}
        server.aws("s3", "cp", source, "s3://bucket/damage", *words, keys=keys)
    else:
        s3.probe(server.url, "bucket", "small", "upload", "damage", source)
    blind = [s3.Fault("no-sums", "HEAD", times=999)] if "no-sums" in sender else []
    get = "/damage"  # not the listing
    proxy.faults = [*blind, s3.Fault(action, "GET", path=get, times=1)]
    assert s3.probe(proxy.url, "bucket", "small", "download", "damage", back) is True
    assert back.read_bytes() == source.read_bytes()
    if action == "lie-body":
        back.unlink()
        proxy.faults = [*blind, s3.Fault(action, "GET", path=get, times=999)]
        refused = s3.probe(proxy.url, "bucket", "small", "download", "damage", back)
        assert refused["error"] == "damaged" and f"its {sum_} is" in refused["message"]
        assert list(tmp_path.iterdir()) == [source]


def test_files_in_parts_of_unknown_length_are_fetched_by_their_size(server, proxy, tmp_path):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(4).randbytes(21 * MIB))
    server.aws("s3", "cp", source, "s3://bucket/parts")
    proxy.faults = [s3.Fault("501", "HEAD", path="partNumber=", times=9)]
    assert s3.probe(proxy.url, "bucket", "small", "download", "parts", back) is True
    assert back.read_bytes() == source.read_bytes() and proxy.injected == {"501": 1}


@pytest.mark.parametrize("parts", [(6, 5, 5), (5, 5, 6), (5, 6, 5)])
def test_files_in_parts_of_unequal_length_are_not_called_damaged(server, tmp_path, parts):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(5).randbytes(sum(parts) * MIB))
    where = ["--bucket", "bucket", "--key", "unequal"]
    upload = server.aws("s3api", "create-multipart-upload", *where, "--checksum-algorithm", "CRC32")["UploadId"]
    done, at = [], 0
    for number, length in enumerate(parts, 1):
        part = tmp_path / "part"
        part.write_bytes(source.read_bytes()[at : at + length * MIB])
        at += length * MIB
        sent = server.aws("s3api", "upload-part", *where, "--upload-id", upload, "--part-number", number, "--body", part,
                          "--checksum-algorithm", "CRC32")
        done.append({"PartNumber": number, "ETag": sent["ETag"], "ChecksumCRC32": sent["ChecksumCRC32"]})
    server.aws("s3api", "complete-multipart-upload", *where, "--upload-id", upload, "--multipart-upload",
               json.dumps({"Parts": done}))
    assert s3.probe(server.url, "bucket", "small", "download", "unequal", back) is True
    assert back.read_bytes() == source.read_bytes()


def test_a_server_that_put_something_else_together_is_found_out(server, proxy, tmp_path):
    source = tmp_path / "source"
    source.write_bytes(random.Random(8).randbytes(11 * MIB))
    sent = s3.probe(proxy.url, "bucket", "small", "upload", "joined", source)
    assert sent["crc"].startswith("CRC-32C ") and s3.probe(server.url, "bucket", "head", "joined")["crc"] == sent["crc"]
    proxy.faults = [s3.Fault("lie-sum", "HEAD", times=99)]
    refused = s3.probe(proxy.url, "bucket", "small", "upload", "joined", source)
    assert refused["error"] == "damaged" and "its CRC-32C is 0 instead of" in refused["message"]


@pytest.mark.parametrize("before", ["", "what was there before"])
def test_an_object_that_is_put_together_for_long_is_waited_for(server, proxy, tmp_path, before):
    source = tmp_path / "source"
    source.write_bytes(random.Random(9).randbytes(11 * MIB))
    if before:
        s3.probe(server.url, "bucket", "write", "slowly", before)
    complete = "?uploadId="
    proxy.faults = [s3.Fault("late", "POST", path=complete), s3.Fault("hasty", "POST", path=complete)]
    sent = s3.probe(proxy.url, "bucket", "small", "upload", "slowly", source)
    assert sent.get("sha256") == s3.sha256(source), sent
    assert proxy.injected == {"late": 1, "hasty": 1}
    proxy.faults = [s3.Fault("late", "POST", path=complete), s3.Fault("hasty", "POST", path=complete)]
    copied = s3.probe(proxy.url, "bucket", "small", "copy", "slowly", "slowly copied")
    assert copied.get("sha256") == s3.sha256(source), copied
    assert proxy.injected == {"late": 2, "hasty": 2} and server.pending("bucket") == []
    for key in ("slowly", "slowly copied"):
        s3.probe(server.url, "bucket", "remove", key)


def test_small_files_take_one_request_and_are_those_that_are_there_now(server, proxy, tmp_path):
    back = tmp_path / "back"
    s3.probe(server.url, "bucket", "write", "small", "first")
    assert s3.probe(proxy.url, "bucket", "download", "small", back) is True and back.read_text() == "first"
    assert [method for method, path in proxy.requests if "/small" in path] == ["GET"]

    def changed_after_it_was_listed():
        s3.probe(server.url, "bucket", "write", "small", "second")

    proxy.faults = [s3.Fault(changed_after_it_was_listed, "GET", path="/small")]
    assert s3.probe(proxy.url, "bucket", "download", "small", back) is True and back.read_text() == "second"

    def removed_after_it_was_listed():
        s3.probe(server.url, "bucket", "remove", "small")

    proxy.faults = [s3.Fault(removed_after_it_was_listed, "GET", path="/small")]
    assert s3.probe(proxy.url, "bucket", "download", "small", back)["error"] == "not-found"
    assert back.read_text() == "second"


def test_a_lost_answer_to_a_condition_is_no_conflict(server, proxy):
    proxy.faults = [s3.Fault("reset-response", "PUT", times=1)]
    put = s3.probe(proxy.url, "bucket", "write", "lost", "mine", "if-absent")
    assert put["size"] == 4 and s3.probe(server.url, "bucket", "read", "lost") == "mine"


def test_a_failed_upload_in_parts_is_aborted(server, proxy, tmp_path):
    source = tmp_path / "source"
    source.write_bytes(random.Random(4).randbytes(16 * MIB))
    proxy.faults = [s3.Fault("403", "PUT", path="partNumber=3", times=99)]
    assert s3.probe(proxy.url, "bucket", "small", "upload", "aborted", source)["error"] == "denied"
    assert server.pending("bucket") == [] and "aborted" not in server.keys("bucket")


def test_a_killed_upload_goes_on_where_it_was(server, proxy, tmp_path):
    source = tmp_path / "source"
    source.write_bytes(random.Random(5).randbytes(30 * MIB))
    proxy.faults = [s3.Fault("hang", "PUT", path="partNumber=6", times=1)]
    command = [s3.PROBE, "bucket", "small", "upload", "resumed", str(source)]
    with subprocess.Popen(command, env={**runner.environment(), **s3.variables(proxy.url)}) as process:
        while proxy.count() == 0:
            assert process.poll() is None
        threading.Event().wait(1)
        process.kill()
    assert len(server.pending("bucket")) == 1 and "resumed" not in server.keys("bucket")
    proxy.requests.clear()
    assert s3.probe(proxy.url, "bucket", "small", "upload", "resumed", source)["sha256"] == s3.sha256(source)
    parts = [path for method, path in proxy.requests if method == "PUT"]
    assert 1 <= len(parts) <= 2 and server.pending("bucket") == []


class Keeper(Quiet):
    """A credentials service like those of containers and machines, with new credentials each time."""

    given = 0
    life = 3600

    def do_GET(self):
        Keeper.given += 1
        until = s3.time.strftime("%Y-%m-%dT%H:%M:%SZ", s3.time.gmtime(s3.time.time() + Keeper.life))
        answer = {"AccessKeyId": s3.KEYS["AWS_ACCESS_KEY_ID"], "SecretAccessKey": s3.KEYS["AWS_SECRET_ACCESS_KEY"],
                  "Token": f"token-{Keeper.given}", "Expiration": until}
        text = "role" if self.path.endswith("security-credentials/") else json.dumps(answer)
        self.reply(text)

    def do_PUT(self):
        self.reply("session")

    def do_POST(self):
        Keeper.given += 1
        fields = self.rfile.read(int(self.headers["Content-Length"])).decode()
        assert "RoleArn=arn%3Aaws" in fields and "WebIdentityToken=signed" in fields
        self.reply(f"<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
                   f"<AccessKeyId>{s3.KEYS['AWS_ACCESS_KEY_ID']}</AccessKeyId><SecretAccessKey>"
                   f"{s3.KEYS['AWS_SECRET_ACCESS_KEY']}</SecretAccessKey><SessionToken>web-{Keeper.given}</SessionToken>"
                   f"<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>"
                   f"</AssumeRoleWithWebIdentityResponse>")

    def reply(self, text):
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


@pytest.fixture
def keeper():
    Keeper.given = 0
    with WebServer(Keeper) as server:
        yield server.url


NO_KEYS = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}


def sources(keeper, folder):
    (folder / "token").write_text("signed\n")
    (folder / "credentials").write_text(
        "[other]\naws_access_key_id = X\n[ours]\naws_access_key_id = {AWS_ACCESS_KEY_ID}\n"
        "aws_secret_access_key = {AWS_SECRET_ACCESS_KEY}\n".format(**s3.KEYS))
    return {
        "container": {"AWS_CONTAINER_CREDENTIALS_FULL_URI": keeper + "/here"},
        "machine": {"AWS_EC2_METADATA_SERVICE_ENDPOINT": keeper, "AWS_EC2_METADATA_DISABLED": ""},
        "web identity": {"AWS_WEB_IDENTITY_TOKEN_FILE": str(folder / "token"), "AWS_ENDPOINT_URL_STS": keeper,
                         "AWS_ROLE_ARN": "arn:aws:iam::1:role/r"},
        "profile": {"AWS_SHARED_CREDENTIALS_FILE": str(folder / "credentials"), "AWS_PROFILE": "ours"},
    }


@pytest.mark.parametrize("source", ["container", "machine", "web identity", "profile"])
def test_credentials_come_from_everywhere(proxy, keeper, tmp_path, source):
    env = {**NO_KEYS, **sources(keeper, tmp_path)[source]}
    assert s3.probe(proxy.url, "bucket", "write", "by-" + source, "x", env=env)["size"] == 1


def test_expired_credentials_are_renewed_in_the_middle(server, proxy, keeper, tmp_path):
    source = tmp_path / "source"
    source.write_bytes(random.Random(6).randbytes(16 * MIB))
    env = {**NO_KEYS, "AWS_CONTAINER_CREDENTIALS_FULL_URI": keeper + "/here"}
    proxy.faults = [s3.Fault("expired", "PUT", times=2)]
    done = s3.probe(proxy.url, "bucket", "small", "upload", "renewed", source, env=env)
    assert done["sha256"] == s3.sha256(source) and Keeper.given >= 2
    proxy.faults = [s3.Fault("expired", "PUT", times=99)]
    stale = s3.probe(proxy.url, "bucket", "write", "stale", "x")
    assert stale["error"] == "denied" and "expired" in stale["message"]


def test_a_full_disk_leaves_nothing(server, tmp_path):
    source, back = tmp_path / "source", tmp_path / "back"
    source.write_bytes(random.Random(7).randbytes(12 * MIB))
    s3.probe(server.url, "bucket", "upload", "disk", source)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8 * MIB, 8 * MIB))

    done = subprocess.run([s3.PROBE, "bucket", "small", "download", "disk", str(back)], preexec_fn=limit,
                          restore_signals=False, env={**runner.environment(), **s3.variables(server.url)},
                          capture_output=True, text=True, timeout=60, check=False)
    server.injected["disk full"] = server.injected.get("disk full", 0) + 1
    assert json.loads(done.stdout)["error"] == "local" and os.listdir(tmp_path) == ["source"]


def test_a_storm_of_all_faults_at_once(server, proxy, tmp_path):
    """All kinds of faults, at random, during uploads and downloads of a set of files: nothing is lost or damaged."""
    mild = [action for action in PASSING if action != "hang"]
    sources_ = []
    for i in range(6):
        path = tmp_path / f"f{i}"
        path.write_bytes(random.Random(i).randbytes(random.Random(i).randrange(1, 14 * MIB)))
        sources_.append(path)
    proxy.faults = [s3.Fault(action, times=10**6, share=0.03) for action in mild]
    proxy.faults += [s3.Fault("truncate", "GET", times=10**6, share=0.03)]

    def there_and_back(path):
        back = path.with_suffix(".back")
        assert s3.probe(proxy.url, "bucket", "small", "upload", f"storm/{path.name}", path)["sha256"] == s3.sha256(path)
        assert s3.probe(proxy.url, "bucket", "small", "download", f"storm/{path.name}", back) is True
        assert s3.sha256(back) == s3.sha256(path)

    failures = []

    def run(path):
        try:
            there_and_back(path)
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(path,)) for path in sources_]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and proxy.count() >= 5
