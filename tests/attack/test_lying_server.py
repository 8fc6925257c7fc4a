"""Servers with wrong responses, for each command that uses them. A command fails, or it stores the right bytes in the
right places; it never reports success otherwise."""

import functools
import json
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import s3_server as s3
import wheelrun as runner
from lying_server import Server, Thing

FAMILY, VERSION = "gfx1151", "2.10.0+rocm7.10.0"
BUCKETS = {"fetch": "therock-ci-artifacts"}
RELEASE, STAGING = f"v2/{FAMILY}/", f"v2-staging/{FAMILY}/"
TORCH = f"torch-{VERSION}-cp312-cp312-linux_x86_64.whl"
LIES = {}


def lie(commands, kinds, key=TORCH, times=10**9):
    """Registers a lie for commands: "fetch index upload promote"."""
    def add(function):
        for command in commands.split():
            LIES[f"{command}: {function.__name__.replace('_', ' ')}"] = (command, function, kinds.split(), key, times)
        return function
    return add


ALL = "fetch index upload promote"


def rows_of(answer, server):
    with server.lock:
        return [(key, len(thing.data), thing.etag) for key, thing in sorted(server.things.items())
                if key.startswith(answer.key)]


def changed(answer, server, change):
    """Changes each row of a torch wheel in the listing."""
    answer.data = server.listing("", [change(*row) if row[0].endswith(TORCH) else row for row in rows_of(answer, server)])


# Listings.

@lie(ALL, "list", "")
def it_is_cut_off_without_a_token(answer, server):
    answer.data = server.listing("", rows_of(answer, server)[:1], "<IsTruncated>true</IsTruncated>")


@lie(ALL, "list", "")
def it_gives_the_same_token_for_ever(answer, server):
    answer.data = server.listing("", rows_of(answer, server)[:1],
                                 "<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>")


@lie(ALL, "list", "")
def it_gives_two_tokens_in_turn(answer, server):
    token = "b" if answer.headers["query"].get("continuation-token") == "a" else "a"
    answer.data = server.listing("", rows_of(answer, server)[:1], "<IsTruncated>true</IsTruncated>"
                                 f"<NextContinuationToken>{token}</NextContinuationToken>")


@lie("fetch index", "list", "")
def it_gives_empty_pages_for_ever(answer, server):
    token = int(answer.headers["query"].get("continuation-token", "0")) + 1
    answer.data = server.listing("", [], "<IsTruncated>true</IsTruncated>"
                                 f"<NextContinuationToken>{token}</NextContinuationToken>")


@lie("index", "list", "")
def it_gives_full_pages_for_ever(answer, server):
    token = int(answer.headers["query"].get("continuation-token", "0")) + 1
    rows = "".join(f"<Contents><Key>{answer.key}x{token}-{i}</Key><Size>1</Size></Contents>" for i in range(5000))
    answer.data = (f"<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>{token}"
                   f"</NextContinuationToken>{rows}</ListBucketResult>").encode()


@lie(ALL, "list", "")
def it_lists_a_key_that_is_shorter_than_the_prefix(answer, server):
    answer.data = server.listing("", [*rows_of(answer, server), ("v", 1, '"x"')])


@lie(ALL, "list", "")
def it_lists_a_key_of_another_folder(answer, server):
    answer.data = server.listing("", [*rows_of(answer, server), ("zzz/../../../etc/passwd", 1, '"x"')])


@lie(ALL, "list", "")
def it_lists_an_empty_key(answer, server):
    answer.data = server.listing("", [("", 1, '"x"'), *rows_of(answer, server)])


@lie(ALL, "list", "")
def its_listing_is_no_xml(answer, server):
    answer.data = b"\x00\xff<<<<"


@lie(ALL, "list", "")
def its_listing_is_empty_text(answer, server):
    answer.data = b""


@lie(ALL, "list", "")
def its_listing_is_a_page_of_a_portal(answer, server):
    answer.data = b"<html><body>Please log in</body></html>"


@lie(ALL, "list", "")
def its_listing_is_an_error_with_status_200(answer, server):
    answer.data = b"<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>"


@lie(ALL, "list", "")
def its_listing_is_cut_in_the_middle(answer, server):
    answer.data = answer.data[:len(answer.data) // 2]


@lie("fetch index upload", "list", "")
def it_lists_a_byte_more(answer, server):
    changed(answer, server, lambda key, size, etag: (key, size + 1, etag))


@lie("fetch index upload", "list", "")
def it_lists_a_byte_less(answer, server):
    changed(answer, server, lambda key, size, etag: (key, size - 1, etag))


@lie("fetch index upload", "list", "")
def it_lists_no_byte(answer, server):
    changed(answer, server, lambda key, size, etag: (key, 0, etag))


@lie("fetch index upload", "list", "")
def it_lists_more_bytes_than_there_are_disks_for(answer, server):
    changed(answer, server, lambda key, size, etag: (key, 2**63 + 5, etag))


@lie("fetch index upload", "list", "")
def it_lists_a_negative_size(answer, server):
    changed(answer, server, lambda key, size, etag: (key, -5, etag))


@lie("fetch index upload", "list", "")
def it_lists_another_version(answer, server):
    changed(answer, server, lambda key, size, etag: (key, size, '"0123456789abcdef0123456789abcdef"'))


@lie("fetch index upload", "list", "")
def it_lists_no_version(answer, server):
    changed(answer, server, lambda key, size, etag: (key, size, ""))


@lie("upload", "list", "")
def it_does_not_list_the_wheel(answer, server):
    answer.data = server.listing("", [row for row in rows_of(answer, server) if not row[0].endswith(TORCH)])


@lie("upload", "list", "")
def it_lists_nothing(answer, server):
    answer.data = server.listing("", [])


# Descriptions.

HEADS = "index upload promote"


@lie(HEADS, "head")
def it_describes_without_a_length(answer, server):
    answer.length = None


@lie(HEADS, "head")
def it_describes_no_byte(answer, server):
    answer.length = 0 if answer.status == 200 else "own"


@lie(HEADS, "head")
def it_describes_a_byte_more(answer, server):
    if answer.status == 200:
        answer.length += 1


@lie(HEADS, "head")
def it_describes_half(answer, server):
    if answer.status == 200:
        answer.length //= 2


@lie("upload promote", "head")
def it_describes_another_sum(answer, server):
    answer.headers = {name: "0" * 64 if name.lower().endswith("checksum-sha256") else value
                      for name, value in answer.headers.items()}


@lie("upload promote", "head")
def it_forgets_what_it_holds(answer, server):
    answer.status, answer.headers, answer.length = 404, {}, 0


@lie(HEADS, "head")
def its_length_is_a_word(answer, server):
    answer.length = "many"


@lie(HEADS, "head")
def it_describes_by_status_500(answer, server):
    answer.status, answer.headers, answer.length = 403, {}, 0


# Bytes.

GETS = "fetch index promote"


@lie(GETS, "get")
def it_gives_no_byte(answer, server):
    answer.data = b""


@lie(GETS, "get")
def it_gives_half_and_calls_it_all(answer, server):
    answer.data = answer.data[:len(answer.data) // 2]


@lie(GETS, "get")
def it_gives_one_byte_less(answer, server):
    answer.data = answer.data[:-1]


@lie(GETS, "get")
def it_gives_one_byte_more(answer, server):
    answer.data += b"x"


@lie("fetch promote", "get")
def it_gives_other_bytes(answer, server):
    answer.data = bytes(byte ^ 1 for byte in answer.data)


@lie("fetch promote", "get")
def it_gives_zeros(answer, server):
    answer.data = bytes(len(answer.data))


@lie(GETS, "get")
def it_gives_the_bytes_of_another(answer, server):
    answer.data = b"<html>Please log in</html>"


@lie("index promote", "get")
def it_gives_another_range(answer, server):
    if answer.status == 206:
        answer.headers["Content-Range"] = "bytes 1-9/10"
        answer.data = answer.data[1:] + b"x"


@lie(GETS, "get", times=1)
def it_ends_in_the_middle(answer, server):
    answer.length, answer.data = len(answer.data), answer.data[:len(answer.data) // 2]


@lie(GETS, "get", times=1)
def it_says_no_length_and_ends_early(answer, server):
    answer.length, answer.data = None, answer.data[:len(answer.data) // 2]


@lie(GETS, "get", times=1)
def it_speaks_no_http(answer, server):
    answer.raw = lambda out: out.write(b"220 mail.example ESMTP\r\n")


@lie(GETS, "get", times=1)
def it_says_nothing(answer, server):
    answer.raw = lambda out: None


def drip(out):
    out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(60):
        out.write(b"x")
        out.flush()
        time.sleep(0.5)


@lie("fetch", "get", times=1)
def it_gives_a_byte_now_and_then(answer, server):
    answer.raw = drip


def interim(out):
    for _ in range(100_000):
        out.write(b"HTTP/1.1 100 Continue\r\n\r\n")


@lie(GETS, "get", times=1)
def its_interim_answers_have_no_end(answer, server):
    answer.raw = interim


@lie(GETS, "get", times=1)
def its_headers_have_no_end(answer, server):
    answer.raw = lambda out: [out.write(b"HTTP/1.1 200 OK\r\n"), *(out.write(b"X: " + b"y" * 1000 + b"\r\n")
                                                                  for _ in range(1000))]


@lie(GETS, "get")
def it_sends_elsewhere(answer, server):
    answer.status, answer.data = 302, b""
    answer.headers = {"Location": "http://127.0.0.1:1/"}


@lie(GETS, "get")
def it_has_lost_it(answer, server):
    answer.status, answer.headers, answer.data = 404, {}, b"<Error><Code>NoSuchKey</Code></Error>"


# Puts.

@lie("upload", "put")
def it_takes_the_wheel_and_keeps_nothing(answer, server):
    answer.stored = None


@lie("upload", "put")
def it_keeps_half_of_the_wheel(answer, server):
    if answer.stored:
        answer.stored = replace(answer.stored, data=answer.stored.data[:1000])


@lie("upload", "put")
def it_keeps_an_empty_wheel(answer, server):
    if answer.stored:
        answer.stored = Thing(b"", answer.stored.headers)


@lie("upload", "put")
def it_answers_a_put_with_an_error_and_status_200(answer, server):
    answer.stored, answer.headers = None, {}
    answer.data = b"<Error><Code>InternalError</Code><Message>Oops</Message></Error>"


@lie("upload", "put")
def its_sum_of_what_it_took_is_another(answer, server):
    answer.headers = {**answer.headers, "ETag": '"00000000000000000000000000000000"', "x-amz-checksum-crc32c": "AAAAAA=="}


@lie("upload", "put")
def it_refuses_for_ever(answer, server):
    answer.status, answer.stored, answer.data = 412, None, b""


@lie("upload", "put")
def it_denies(answer, server):
    answer.status, answer.stored, answer.data = 403, None, b"<Error><Code>AccessDenied</Code></Error>"


@lie("index upload promote", "put", "index.html")
def it_denies_pages(answer, server):
    answer.status, answer.stored, answer.data = 403, None, b"<Error><Code>AccessDenied</Code></Error>"


# Copies.

@lie("promote", "copy")
def it_copies_nothing(answer, server):
    answer.stored = None


@lie("promote", "copy")
def it_copies_half(answer, server):
    answer.stored = replace(answer.stored, data=answer.stored.data[:1000])


@lie("promote", "copy")
def it_copies_an_empty_file(answer, server):
    answer.stored = Thing(b"", answer.stored.headers)


@lie("promote", "copy")
def it_copies_another_wheel_without_its_sum(answer, server):
    answer.stored = Thing(b"x" * len(answer.stored.data), {})


@lie("promote", "copy")
def it_answers_a_copy_with_an_error_and_status_200(answer, server):
    answer.stored, answer.data = None, b"<Error><Code>InternalError</Code><Message>Oops</Message></Error>"


@lie("promote", "copy")
def it_answers_a_copy_with_nothing(answer, server):
    answer.stored, answer.data = None, b""


@lie("promote", "copy")
def it_denies_the_copy(answer, server):
    answer.status, answer.stored, answer.data = 403, None, b"<Error><Code>AccessDenied</Code></Error>"


@lie("promote", "copy")
def it_says_that_somebody_was_faster(answer, server):
    answer.status, answer.stored, answer.data = 412, None, b""


class World:
    """The wheels, and the content of an honest server before each command."""

    def __init__(self, folder):
        self.folder = folder
        self.dist = folder / "dist"
        for number, project in enumerate(("torch", "triton")):
            s3.make_wheel(self.dist, project, VERSION, 3000, seed=number)
        self.wheels = {path.name: path.read_bytes() for path in self.dist.glob("*.whl")}
        self.sums = {path.name: s3.sha256(path) for path in self.dist.glob("*.whl")}
        self.states = {"upload": {}, "index": {}, "promote": {}, "fetch": {}}
        for command, words in [("promote", ["--family", FAMILY, "--bucket", "therock-dev-python"]),
                               ("fetch", ["--family", FAMILY, "--bucket", BUCKETS["fetch"], "--run-id", "7"])]:
            server = Server({}, words[3])
            done = runner.wheelrun("upload", self.dist, "--platform", "linux", *words, env=self.env(server))
            assert done.status == 0, done.stderr
            self.states[command] = server.things
            server.close()
        self.states["index"] = {RELEASE + name: Thing(data) for name, data in self.wheels.items()}

    def env(self, server):
        return {**s3.variables(server.url), "WHEELRUN_NETWORK_TIMEOUT": "1", "GITHUB_API_URL": server.url}

    def words(self, command, out):
        python = ["--family", FAMILY, "--bucket", "therock-dev-python"]
        return {
            "upload": ["upload", self.dist, "--platform", "linux", *python],
            "index": ["index", *python],
            "promote": ["promote", "--platform", "linux", *python, "--wheels", json.dumps(self.sums), "--build-result",
                        "success", "--test-results", f"{FAMILY}=success"],
            "fetch": ["fetch", "packages", "--platform", "linux", "--artifact-group", FAMILY, "--output-dir", out,
                      "--run-id", "7", "--bucket", BUCKETS["fetch"]],
        }[command]

    def run(self, name):
        """The result: the command's status, the server's objects, and the output folder."""
        command, function, kinds, key, times = LIES[name]
        server = Server(self.states[command], BUCKETS.get(command, "therock-dev-python"))
        job = Path(tempfile.mkdtemp(dir=self.folder))
        server.tell(function, kinds, key, times)
        began = time.monotonic()
        try:
            env = {**self.env(server), "GITHUB_REF_NAME": "main"}
            done = runner.in_job(job, *self.words(command, job / "out"), env=env, timeout=150)
        finally:
            server.close()
        return done, server, job / "out", time.monotonic() - began


@pytest.fixture(scope="module")
def results():
    """All at once, because a command mostly waits for retries."""
    folder = Path(tempfile.mkdtemp())
    world = World(folder)
    with ThreadPoolExecutor(48) as pool:
        futures = {name: pool.submit(world.run, name) for name in LIES}
        yield functools.partial(_take, world, futures)
        for future in futures.values():
            future.cancel()
    shutil.rmtree(folder)


def _take(world, futures, name):
    return world, futures[name].result()


def problems_of(command, world, server, out):
    """Differences from the required state after a success."""
    if command == "fetch":
        return [name for name, data in world.wheels.items()
                if not (out / name).exists() or (out / name).read_bytes() != data]
    prefix = STAGING if command == "upload" else RELEASE
    wrong = [name for name, data in world.wheels.items()
             if prefix + name not in server.things or server.things[prefix + name].data != data]
    if command == "promote" or command == "upload" or command == "index":
        page = server.things.get(prefix + "torch/index.v1.json")
        rows = {row["filename"]: row for row in json.loads(page.data)["files"]} if page else {}
        row = rows.get(TORCH)
        if row is None or row["size"] != len(world.wheels[TORCH]):
            wrong.append(f"the page has {row}")
        elif row["hashes"].get("sha256", world.sums[TORCH]) != world.sums[TORCH]:
            wrong.append("the page has another sum")
    return wrong


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_no_success(results, name):
    command = LIES[name][0]
    world, (done, server, out, took) = results(name)
    assert server.told > 0, "the lie was never told"
    assert done.status in (0, 1), (done.status, done.stdout[-2000:], done.stderr[-2000:])
    assert took < 150
    if done.status == 0:
        assert problems_of(command, world, server, out) == [], done.stdout[-3000:]
        return
    said = done.stdout + done.stderr
    assert "::error" in said and "fault of the program" not in said, said[-2000:]
    assert done.outputs == {}, "a failed command wrote outputs"
    # A failed download leaves a complete file, or none.
    for path in out.glob("*") if out.exists() else []:
        assert path.read_bytes() == world.wheels.get(path.name), path


def test_there_are_lies_enough():
    assert len(LIES) >= 100


def test_the_honest_server_is_believed():
    folder = Path(tempfile.mkdtemp())
    world = World(folder)
    LIES["promote: nothing"] = ("promote", lambda *_: None, ["none"], "", 0)
    try:
        done, server, out, _ = world.run("promote: nothing")
    finally:
        del LIES["promote: nothing"]
        shutil.rmtree(folder)
    assert done.status == 0 and problems_of("promote", world, server, out) == [], done.stdout
