"""Archives of untrusted builds: effects of their names and contents, and of files that builds leave for an upload."""

import gzip
import io
import tarfile

import measured
import pytest
import wheelrun as runner

GROUP = "gfx1151"


def tarred(*members, compress="xz"):
    """An archive of (name, kind, value): the content of a file, or the target of a link."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compress}") as archive:
        for name, kind, value in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(value)
                archive.addfile(info, io.BytesIO(value))
            else:
                info.linkname = value
                archive.addfile(info)
    return out.getvalue()


FILE, LINK, HARD = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
GOOD = tarred(("lib/a.txt", FILE, b"here"))
USUAL = "base_lib_generic.tar.xz"

# Names of the archive.
BAD_NAMES = ["...tar.xz", "..tar.xz", ".tar.xz.tar.xz", "....tar.xz", "..tar.gz", "...tar.gz", "..hidden.tar.xz",
             ".git.tar.xz", ".unpacking.tar.xz", "a..tar.xz", "a .tar.xz", "a\\b.tar.xz", "..\\x.tar.xz", "C:x.tar.xz",
             "a\nb.tar.xz", "a\x1bb.tar.xz"]
TWICE = [("a.tar.xz", "a.tar.gz"), ("a.tar.xz", "A.tar.xz"), ("a.tar", "a.tar.zst")]

# Contents of the archive.
CONTENTS = {
    "a file above": [("../outside.txt", FILE, b"x")],
    "a file far above": [("../../../../../../tmp/archive-attack.txt", FILE, b"x")],
    "a file between": [("a/../../outside.txt", FILE, b"x")],
    "an absolute name": [("/tmp/archive-attack.txt", FILE, b"x")],
    "a link and a file through it": [("l", LINK, ".."), ("l/outside.txt", FILE, b"x")],
    "an absolute link and a file through it": [("l", LINK, "/tmp"), ("l/archive-attack.txt", FILE, b"x")],
    "two links and a file": [("a", LINK, "."), ("a/b", LINK, "../.."), ("a/b/outside.txt", FILE, b"x")],
    "a hard link above": [("h", HARD, "../secret.txt"), ("h", FILE, b"changed")],
    "a hard link to a system's file": [("h", HARD, "/etc/passwd")],
    "a link that is replaced": [("x", LINK, "../../secret.txt"), ("x", FILE, b"changed")],
    "a link to itself": [("x", LINK, "x"), ("x/y", FILE, b"x")],
    "a device": [("null", tarfile.CHRTYPE, "")],
    "a pipe": [("pipe", tarfile.FIFOTYPE, "")],
    "an empty name": [("", FILE, b"x")],
    "a dot": [(".", FILE, b"x")],
    "an option": [("--checkpoint-action=exec=sh", FILE, b"x"), ("--checkpoint=1", FILE, b"x")],
    "a name with orders": [("a\n::set-output name=x::y", FILE, b"x")],
    "a long name": [("a/" * 400 + "x", FILE, b"x")],
    "the same twice": [("a", FILE, b"1"), ("a", FILE, b"2")],
    "a file that is a folder": [("a", FILE, b"1"), ("a/b", FILE, b"2")],
}
BROKEN = {f"cut at {i} of 10": GOOD[:len(GOOD) * i // 10] for i in range(10)}
BROKEN |= {f"byte {i} changed": GOOD[:i] + bytes([GOOD[i] ^ 0xFF]) + GOOD[i + 1:] for i in range(0, len(GOOD), max(1, len(GOOD) // 20))}
BROKEN |= {"zeros": bytes(10_000), "text": b"hello", "gzip in xz": gzip.compress(b"x"), "endless ones": b"\xff" * 100_000}


@pytest.fixture
def place(tmp_path):
    """A workspace with other files around the output folder."""
    (tmp_path / "work/archives").mkdir(parents=True)
    (tmp_path / "work/out").mkdir()
    (tmp_path / "work/mine.txt").write_text("mine")
    (tmp_path / "work/secret.txt").write_text("secret")
    (tmp_path / "work/out/before").mkdir()
    return tmp_path / "work"


def unpack(place):
    return measured.run(["fetch", "artifacts", "--platform", "linux", "--artifact-group", GROUP, "--archives",
                         place / "archives", "--output-dir", place / "out"], place, env={"GITHUB_ACTIONS": "true"})


def assert_untouched(place):
    assert sorted(path.name for path in place.iterdir()) == ["archives", "mine.txt", "out", "secret.txt"]
    assert (place / "mine.txt").read_text() == "mine" and (place / "secret.txt").read_text() == "secret"
    assert (place / "out/before").is_dir() and not (place / "out/.unpacking").exists()
    assert not (place / "../outside.txt").exists()
    assert sorted(path.name for path in place.parent.iterdir()) == ["work"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_is_no_folder_of_its_own_is_refused(place, name):
    (place / "archives" / name).write_bytes(GOOD)
    (place / "archives" / USUAL).write_bytes(GOOD)
    done = unpack(place)
    assert done.status in (0, 1) and "fault" not in done.said
    assert_untouched(place)
    left = sorted(path.name for path in (place / "out").iterdir())
    assert left in (["before"], ["base_lib_generic", "before"]), left


@pytest.mark.parametrize("names", TWICE)
def test_two_archives_of_one_name_are_refused(place, names):
    for name in names:
        (place / "archives" / name).write_bytes(GOOD)
    done = unpack(place)
    assert_untouched(place)
    assert [path.name for path in (place / "out").iterdir()] == ["before"]
    assert done.status == 1


@pytest.mark.parametrize("name", CONTENTS)
def test_nothing_leads_out_of_the_folder(place, name):
    (place / "archives" / USUAL).write_bytes(tarred(*CONTENTS[name]))
    done = unpack(place)
    assert done.status in (0, 1) and "fault" not in done.said, done.said
    assert_untouched(place)
    assert not any(line.startswith("::set-output") for line in done.said.splitlines())


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_no_folder(place, name):
    (place / "archives" / USUAL).write_bytes(BROKEN[name])
    done = unpack(place)
    assert_untouched(place)
    made = place / "out/base_lib_generic"
    assert done.status in (0, 1)
    assert made.exists() == (done.status == 0)
    if made.exists() and (made / "lib/a.txt").exists():
        assert (made / "lib/a.txt").read_bytes() == b"here"


def test_the_good_one_replaces_what_was_there(place):
    (place / "archives" / USUAL).write_bytes(GOOD)
    (place / "out/base_lib_generic").mkdir()
    (place / "out/base_lib_generic/old.txt").write_text("old")
    assert unpack(place).status == 0
    assert_untouched(place)
    assert [path.name for path in (place / "out/base_lib_generic").rglob("*")] == ["lib", "a.txt"]


@pytest.mark.parametrize(("link", "target"), [
    ("logs/passwd", "/etc/passwd"), ("logs/above", "../../secret.txt"), ("artifacts/base_lib_generic.tar.xz", "/etc/passwd"),
    ("base/aux-overlay/build/therock_manifest.json", "/etc/passwd"), ("logs", "/etc"), ("artifacts", "../secret"),
])
def test_an_upload_follows_no_link_out_of_its_folder(tmp_path, link, target):
    build = tmp_path / "build"
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/x_lib_generic.tar.xz").write_bytes(b"secret")
    (build / link).parent.mkdir(parents=True, exist_ok=True)
    (build / "artifacts").mkdir(exist_ok=True) if link != "artifacts" else None
    if link != "artifacts":
        (build / "artifacts/fft_lib_generic.tar.xz").write_bytes(GOOD)
    (build / link).symlink_to(target)
    done = runner.wheelrun("upload", build, "--kind", "artifacts", "--platform", "linux", "--artifact-group", GROUP,
                           "--run-id", "7", "--output-dir", tmp_path / "store")
    assert done.status == 1 and "is a link out of" in done.stderr, done.stderr
    assert not (tmp_path / "store").exists() or not list((tmp_path / "store").rglob("*passwd*"))


def test_an_upload_takes_links_inside_of_its_folder(tmp_path):
    build = tmp_path / "build"
    (build / "artifacts").mkdir(parents=True)
    (build / "artifacts/fft_lib_generic.tar.xz").write_bytes(GOOD)
    (build / "logs").mkdir()
    (build / "logs/one.log").write_text("x")
    (build / "logs/latest.log").symlink_to("one.log")
    (build / "logs/gone.log").symlink_to("nothing.log")
    done = runner.wheelrun("upload", build, "--kind", "artifacts", "--platform", "linux", "--artifact-group", GROUP,
                           "--run-id", "7", "--output-dir", tmp_path / "store")
    assert done.status == 0, done.stderr


@pytest.mark.parametrize("name", ["rocm-99.0-py3-none-any.whl", "torch-2.10.0-cp312-cp312-linux_x86_64.whl"])
def test_a_wheel_that_is_a_link_out_is_refused(tmp_path, name):
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / name).symlink_to("/etc/passwd")
    done = runner.wheelrun("upload", tmp_path / "dist", "--family", GROUP, "--platform", "linux", "--run-id", "7",
                           "--output-dir", tmp_path / "store")
    assert done.status == 1 and "is a link out of" in done.stderr
