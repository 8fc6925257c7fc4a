"""Limits of readers, as a table: an input of a given size is read or rejected within given memory and time. The limits
are ratios, so they depend on the real size of an input and not on the size that it declares."""

import json
import os
import struct
import zipfile

import measured
import pytest
import wheelrun as runner
from made_pe import made_pe
from needs import need
from test_hostile_wheels import FILES, INFO, NAME, packed
from web import Quiet, WebServer

MIB = 1 << 20
# The memory of the program itself, with its libraries and threads.
BASE = 60 * MIB
ROWS = {}


def bound(ratio, seconds=15, free=0):
    """Registers a reader: a function that writes its input into a folder and gives the words of a command. The peak may
    be BASE plus `free` bytes plus `ratio` bytes for each byte of input."""
    def add(function):
        ROWS[function.__name__.replace("_", " ")] = (function, ratio, seconds, free)
        return function
    return add


def wheel(folder, files, record=None, name=NAME):
    data = packed({**FILES, **files}, record)
    (folder / name).write_bytes(data)
    return ["wheel", "check", name], len(data)


@bound(10, free=40 * MIB)
def a_wheel_whose_METADATA_is_blank_lines(folder):
    return wheel(folder, {f"{INFO}/METADATA": b"\n" * (63 * MIB)})


@bound(10, free=64 * MIB)
def a_wheel_whose_METADATA_is_headers(folder):
    return wheel(folder, {f"{INFO}/METADATA": b"A: b\n" * 800_000})


@bound(10, seconds=5)
def a_wheel_whose_METADATA_goes_on_for_ever(folder):
    return wheel(folder, {f"{INFO}/METADATA": b"Name: demo\n" + b" x\n" * 650_000})


@bound(10, free=40 * MIB)
def a_wheel_for_all_tags(folder):
    tags = b"-".join(b".".join(b"t%d" % i for i in range(3000)) for _ in range(3))
    return wheel(folder, {f"{INFO}/WHEEL": FILES[f"{INFO}/WHEEL"] + b"Tag: " + tags + b"\n"})


@bound(10, free=40 * MIB)
def a_wheel_with_many_tags(folder):
    return wheel(folder, {f"{INFO}/WHEEL": FILES[f"{INFO}/WHEEL"] + b"Tag: py3-none-any\n" * 200_000})


@bound(10, free=64 * MIB)
def a_wheel_of_license_files(folder):
    text = FILES[f"{INFO}/METADATA"].split(b"\n\n")[0] + b"\n"
    text += b"".join(b"License-File: %d\nLicense-Expression: MIT\nA%d: b\n" % (i, i) for i in range(3300))
    return wheel(folder, {f"{INFO}/METADATA": text, **{f"{INFO}/licenses/x{i}": b"" for i in range(20_000)}})


@bound(10, seconds=5)
def a_wheel_whose_METADATA_is_markers(folder):
    text = FILES[f"{INFO}/METADATA"].split(b"\n\n")[0] + b"\n"
    text += b"".join(b"Requires-Dist: a%d; %s\n" % (i, b" or ".join(b"extra == 'e%d'" % (i * 20 + j) for j in range(20)))
                     for i in range(4500))
    return wheel(folder, {f"{INFO}/METADATA": text})


def needy(libraries, path, versions=0):
    """A shared object that needs so many libraries and versions, and has this RUNPATH."""
    strings = b"\0" + path.encode() + b"\0" + b"".join(b"lib%d.so\0" % i for i in range(libraries))
    names = [at + 1 for at in range(len(path) + 1, len(strings) - 1) if strings[at] == 0]
    needed = struct.pack("<HHIII", 1, versions, 1, 16, 0) + b"".join(
        struct.pack("<IHHII", 0, 0, 0, 1 + i % len(strings[1:]), 16) for i in range(versions))
    rows = [(1, name) for name in names] + [(29, 1)]
    count = len(rows) + 5
    dynamic = 64 + 2 * 56
    table = dynamic + 16 * count
    rows += [(5, table), (10, len(strings)), (0x6FFFFFFE, table + len(strings)), (0x6FFFFFFF, 1 if versions else 0), (0, 0)]
    size = table + len(strings) + len(needed)
    head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    segments = b"".join(struct.pack("<IIQQQQQQ", kind, 5, at, at, at, long, long, 8)
                        for kind, at, long in [(1, 0, size), (2, dynamic, 16 * count)])
    return head + segments + b"".join(struct.pack("<QQ", *row) for row in rows) + strings + needed


LINUX = "demo-1.0-cp312-cp312-manylinux_2_28_x86_64.whl"


@bound(60, seconds=8, free=64 * MIB)
def a_wheel_whose_libraries_need_libraries(folder):
    path = ":".join(f"$ORIGIN/{i}" for i in range(400))
    one = needy(300, path)
    return wheel(folder, {**{f"demo/{i}/lib{i}.so": one for i in range(750)}}, name=LINUX)


@bound(60, seconds=3)
def a_wheel_whose_libraries_need_versions(folder):
    one = needy(300, "x" * 5000, 3000)
    return wheel(folder, {**{f"demo/{i}/lib{i}.so": one for i in range(75)}}, name=LINUX)


@bound(10)
def a_name_for_all_tags(folder):
    parts = ".".join(f"{c}" for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM")
    return wheel(folder, {}, name=f"demo-1.0-{parts}-{parts}-{parts}.whl")


@bound(10, free=40 * MIB)
def a_RECORD_of_rows(folder):
    return wheel(folder, {}, record=b"a,,\n" * 10_000_000)


@bound(10, free=40 * MIB)
def a_RECORD_of_line_ends(folder):
    return wheel(folder, {}, record=b"\n" * (60 * MIB))


@bound(50, seconds=3)
def a_wheel_of_many_files(folder):
    return wheel(folder, {f"demo/{i}": b"" for i in range(15_000)})


@bound(8, seconds=5)
def a_wheel_of_much_that_is_nothing(folder):
    path = folder / NAME
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
        with archive.open("demo/zeros", "w", force_zip64=True) as out:
            for _ in range(128):
                out.write(bytes(MIB))
    return ["wheel", "check", NAME], path.stat().st_size


@bound(8)
def ends_of_directories(folder):
    (folder / NAME).write_bytes(b"PK\5\6" * (2 * MIB))
    return ["wheel", "check", NAME], 8 * MIB


@bound(8)
def a_directory_that_promises_entries(folder):
    data = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFE, 0xFFFE, 0xFFFFFFF0, 0, 0)
    (folder / NAME).write_bytes(data)
    return ["wheel", "check", NAME], len(data)


def bundle(images):
    """A plain bundle of device code with that many empty images."""
    table = b"".join(struct.pack("<QQQ", 4096, 0, 30) + b"hipv4-amdgcn-amd-amdhsa--gfx942"[:30] for _ in range(images))
    return b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", images) + table


@bound(40, free=16 * MIB)
def a_file_of_bundles(folder):
    data = bundle(2) * 20_000
    (folder / "x.hipfb").write_bytes(data)
    return ["wheel", "inspect", "x.hipfb"], len(data)


@bound(40)
def a_bundle_that_promises_images(folder):
    data = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 2**60) + bytes(4096)
    (folder / "x.hipfb").write_bytes(data)
    return ["wheel", "inspect", "x.hipfb"], len(data)


@bound(40)
def a_packed_bundle_that_promises_a_terabyte(folder):
    data = b"CCOB" + struct.pack("<HHIQQQ", 3, 1, 0, 4096, 2**40, 0) + bytes(4096)
    (folder / "x.hipfb").write_bytes(data)
    return ["wheel", "inspect", "x.hipfb"], len(data)


@bound(40)
def a_kpack_archive_that_promises_a_table(folder):
    data = b"KPAK" + struct.pack("<IQ", 1, 2**50) + bytes(4096)
    (folder / "x.kpack").write_bytes(data)
    return ["wheel", "inspect", "x.kpack"], len(data)


@bound(40, free=64 * MIB)
def resolved_versions(folder):
    text = json.dumps({f"project{i}": "1.0" for i in range(4000)})[:120_000]
    return ["wheel", "check", ".", "--versions", text], len(text)


@bound(30, seconds=8)
def an_event(folder):
    event = {"pull_request": {"labels": [{"name": f"gfx{i}"} for i in range(100_000)], "base": {"ref": "main", "sha": "a"},
                              "head": {"sha": "b"}}}
    (folder / "event.json").write_text(json.dumps(event))
    return (["configure"], (folder / "event.json").stat().st_size,
            {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(folder / "event.json")})


@bound(30)
def an_event_that_is_deep(folder):
    (folder / "event.json").write_text('{"a":' * 500_000)
    return (["configure"], 2_500_000, {"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(folder / "event.json")})


@bound(23, seconds=3)
def a_plan(folder):
    (folder / "plan.json").write_text(json.dumps({"format": 2, "x": [0] * 750_000}))
    return (["configure"], (folder / "plan.json").stat().st_size, {"WHEELRUN_PLAN": str(folder / "plan.json")})


@bound(25, seconds=3)
def pages_of_an_index(folder):
    files = [{"filename": f"demo-{i}.0-py3-none-any.whl", "size": 5, "hashes": {"sha256": "0" * 64}} for i in range(25_000)]
    (folder / "demo").mkdir()
    page = '{"meta":{"api-version":"1.1"},\n"name":"demo",\n"versions":[],"files":' + json.dumps(files) + "}"
    (folder / "demo/index.v1.json").write_text(page)
    return ["index", "--output-dir", "."], len(page)


@bound(20, seconds=3)
def yanks(folder):
    (folder / "yanked.json").write_text(json.dumps({f"demo-{i}.whl": "x" for i in range(75_000)}))
    return ["index", "--output-dir", "."], (folder / "yanked.json").stat().st_size


@bound(10, free=150 * MIB, seconds=30)
def a_compiler_that_floods_its_version(folder):
    (folder / "clang++").write_text("#!/bin/sh\nexec yes 'clang version 19 and many more words of it'\n")
    (folder / "clang++").chmod(0o755)
    return ["hip", "compile", "--family", "gfx942", "--compiler", folder / "clang++", "--platform", "linux"], 0


@bound(10, free=150 * MIB, seconds=60)
def a_hipcc_that_floods_what_it_would_call(folder):
    (folder / "hipcc").write_text("#!/bin/sh\nexec yes 'not a command'\n")
    (folder / "hipcc").chmod(0o755)
    return ["hip", "compile", "--family", "gfx942", "--compiler", folder / "hipcc", "--platform", "linux"], 0


@pytest.mark.parametrize("name", ROWS)
def test_a_reader_stays_within_its_bound(tmp_path, name):
    function, ratio, seconds, free = ROWS[name]
    words, size, *env = function(tmp_path)
    done = measured.run(words, tmp_path, env=env[0] if env else None, limit=20 * seconds)
    assert done.status in (0, 1, 2), (done.status, done.said[-500:])
    assert "fault of the program" not in done.said and len(done.said) < MIB // 2
    assert done.seconds < seconds * (4 if measured.SANITIZED else 1), done.seconds
    assert done.peak <= BASE + free + ratio * size or measured.SANITIZED, (done.peak / MIB, size / MIB, done.said[-300:])


# Readers of data from other repositories, builds, jobs and servers, if a command reaches them only after many other
# steps. By name: texts of a megabyte or two, of which the first is valid.
# The memory of the probe itself.
PROBE_BASE = 30 * MIB
READERS = os.environ.get("READER_PROBE", str(runner.ROOT / "build/tests/reader_probe"))
COMMIT = "0123456789abcdef0123456789abcdef01234567"
SUM = "0" * 64
DEEP = '{"a":[' * 100_000
WHEELS = {f"torch-2.{i}-cp312-cp312-linux_x86_64.whl": SUM for i in range(1000)}
PROBED = {
    "commits": [json.dumps({f"torch_{i}": {"torch": COMMIT, "torchaudio": COMMIT} for i in range(1000)}), DEEP],
    "compiler messages": ["a.hip:1:2: error: x\n" * 75_000, "error: " * 200_000, "a:" * 750_000,
                          "In file included from a:1:\n" * 50_000],
    "dependencies": ["a.o: " + "b.h \\\n " * 200_000, "\\" * 1_500_000],
    "HTML page": ["".join(f"<a href='demo-1.{i}.tar.gz#sha256={SUM}'>demo-1.{i}.tar.gz</a>\n" for i in range(15_000)),
                  "<a href=" * 200_000, "<" * 1_500_000, "<!--" * 350_000, "&" * 1_500_000],
    "imports": [made_pe([f"library_{i}.dll" for i in range(50_000)]), b"MZ" * 750_000,
                made_pe(["kernel32.dll"] * 50_000, ["user32.dll"] * 50_000)],
    "JSON page": [json.dumps({"meta": {"api-version": "1.1"}, "name": "demo", "files": [
        {"filename": f"demo-1.{i}.tar.gz", "url": f"demo-1.{i}.tar.gz", "hashes": {"sha256": SUM}}
        for i in range(7_500)]}), DEEP],
    "JUnit": ["<testsuites><testsuite>" + "<testcase classname='a' name='b'><failure message='x'/></testcase>" * 25_000
              + "</testsuite></testsuites>", "<testsuite>" * 125_000 + "</testsuite>" * 125_000, "<testsuite>" * 150_000,
              "<testsuite " + "a='b' " * 250_000 + "/>"],
    "listing": ["<ListBucketResult>" + "<Contents><Key>a</Key><Size>1</Size><ETag>b</ETag></Contents>" * 25_000
                + "</ListBucketResult>", "<a>" * 500_000, "<ListBucketResult>" * 100_000],
    "manifest": [json.dumps({"a": [{"b": COMMIT}] * 25_000}), DEEP, "[" * 750_000],
    "pinned wheels": [json.dumps(WHEELS), DEEP],
    "plan": [json.dumps({"format": 2, "x": [0] * 250_000}), DEEP],
    "related commits": [f"ubuntu|pytorch|torchaudio|main|{COMMIT}|https://github.com/pytorch/audio\n" * 15_000,
                        "a|b|torchaudio|d|e|f\n" * 75_000, "|" * 1_500_000, "\n" * 1_500_000],
    "setup of Triton": ["TRITON_VERSION = '3.5.1'\n" * 50_000, "version = " * 150_000, "(" * 1_500_000],
    "test results": [",".join(f"gfx{i}=success" for i in range(50_000)), "=" * 1_500_000],
    "tested wheels": [json.dumps(WHEELS), DEEP],
    "versions of pip": ["rocm (7.12.0)\nAvailable versions: " + ", ".join(f"7.{i}" for i in range(75_000)), "," * 1_500_000],
}


def test_the_table_has_all_readers():
    need(READERS)
    assert measured.run([], runner.ROOT, program=READERS).said.splitlines() == sorted(PROBED, key=str.encode)


@pytest.mark.parametrize("reader", PROBED)
def test_what_others_wrote_is_read_within_its_bound(tmp_path, reader):
    need(READERS)
    path = tmp_path / "input"
    for text in PROBED[reader]:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = measured.run([reader, path], tmp_path, program=READERS, limit=300)
        assert done.status in (0, 1), (text[:80], done.status, done.said[-500:])
        assert len(done.said) < MIB // 2
        assert done.seconds < (8 if measured.SANITIZED else 2), (text[:80], done.seconds)
        assert done.peak <= PROBE_BASE + 60 * len(text) or measured.SANITIZED, (text[:80], done.peak / MIB, len(text) / MIB)


@pytest.mark.parametrize("kind", ["listing", "error"])
def test_what_a_server_says_stays_within_its_bound(tmp_path, kind):
    """An endless listing, and an error of 80 MB."""
    text = {"listing": b"<ListBucketResult>" + b"<Contents><Key>v2/gfx1151/x</Key></Contents>" * 400_000 + b"</ListBucketResult>",
            "error": b"<Error><Message>" + b"x" * (80 * MIB) + b"</Message></Error>"}[kind]

    class Handler(Quiet):
        def do_GET(self):
            self.send_response(200 if kind == "listing" else 403)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            try:
                self.wfile.write(text)
            except OSError:
                pass

    with WebServer(Handler) as server:
        done = measured.run(
            ["index", "--family", "gfx1151", "--bucket", "therock-dev-python", "--dry-run"], tmp_path, limit=100,
            env={"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "us-east-1",
                 "AWS_ENDPOINT_URL": server.url, "AWS_CONFIG_FILE": "/nowhere",
                 "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "WHEELRUN_NETWORK_TIMEOUT": "5"})
    assert done.status in (0, 1) and len(done.said) < MIB // 2, done.said[-300:]
    assert done.peak < BASE + 24 * min(len(text), 64 * MIB) or measured.SANITIZED, done.peak / MIB
