"""Wheels made to break a reader: each is rejected, or read like other readers do."""

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import measured
import pytest

NAME, INFO = "demo-1.0-py3-none-any.whl", "demo-1.0.dist-info"
CASES = {}
FILES = {
    "demo/__init__.py": b"here = True\n" * 40,
    "demo/data.bin": bytes(range(256)) * 4,
    f"{INFO}/METADATA": b"Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n\ntext\n",
    f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def row(name, data):
    import base64
    import hashlib
    total = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={total},{len(data)}\n"


def packed(files=None, record=None, method=zipfile.ZIP_DEFLATED):
    files = list((files or FILES).items())
    rows = "".join(row(name, data) for name, data in files) + f"{INFO}/RECORD,,\n"
    files.append((f"{INFO}/RECORD", rows.encode() if record is None else record))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


GOOD = packed()
END = GOOD.rfind(b"PK\5\6")
DIRECTORY = struct.unpack_from("<I", GOOD, END + 16)[0]


def case(name, data, file=NAME):
    assert name not in CASES, name
    CASES[name] = (file, data)


def patched(at, form, value):
    data = bytearray(GOOD)
    struct.pack_into(form, data, at, value)
    return bytes(data)


# Each field of the first entry, of the directory and of its end, with extreme values.
LOCAL = [("signature", 0, "<I"), ("version", 4, "<H"), ("flags", 6, "<H"), ("method", 8, "<H"), ("time", 10, "<I"),
         ("crc", 14, "<I"), ("packed size", 18, "<I"), ("size", 22, "<I"), ("name length", 26, "<H"), ("extra", 28, "<H")]
CENTRAL = [("signature", 0, "<I"), ("made by", 4, "<H"), ("version", 6, "<H"), ("flags", 8, "<H"), ("method", 10, "<H"),
           ("crc", 16, "<I"), ("packed size", 20, "<I"), ("size", 24, "<I"), ("name length", 28, "<H"),
           ("extra length", 30, "<H"), ("comment length", 32, "<H"), ("disk", 34, "<H"), ("attributes", 38, "<I"),
           ("offset", 42, "<I")]
LAST = [("signature", 0, "<I"), ("disk", 4, "<H"), ("directory disk", 6, "<H"), ("entries here", 8, "<H"),
        ("entries", 10, "<H"), ("directory size", 12, "<I"), ("directory offset", 16, "<I"), ("comment length", 20, "<H")]
for part, start, fields in [("local", 0, LOCAL), ("central", DIRECTORY, CENTRAL), ("end", END, LAST)]:
    for field, offset, form in fields:
        size = struct.calcsize(form)
        now = struct.unpack_from(form, GOOD, start + offset)[0]
        for value in {0, 1, now + 1, now - 1, 2 ** (8 * size) - 1, 2 ** (8 * size - 1)} - {now}:
            if 0 <= value < 2 ** (8 * size):
                case(f"{part} {field} = {value:#x}", patched(start + offset, form, value))

for cut in range(0, len(GOOD), max(1, len(GOOD) // 30)):
    case(f"cut at {cut}", GOOD[:cut])
case("bytes behind", GOOD + b"x" * 100)
case("bytes in front", b"x" * 100 + GOOD)
case("another archive behind", GOOD + packed({**FILES, "demo/other.py": b"evil"}))
case("all zeros", bytes(5000))
case("all ones", b"\xff" * 5000)
case("ends of directories alone", b"PK\5\6" * 2000)
case("heads alone", b"PK\3\4" * 2000)

ENTRIES = ["../outside.txt", "/tmp/wheel-attack.txt", "demo/../../outside.txt", "..\\outside.txt", "C:\\outside.txt",
           "C:outside.txt", "demo//x", "demo/./x", "", ".", "..", "demo/\n::error::x", "demo/\x1b[2J", "demo/\x07",
           "demo/\u202egnp.exe", "demo/" + "a" * 300, "a/" * 2000 + "x", "demo/nul", "CON", "demo/x.", "demo/x ", "DEMO/__INIT__.py",
           f"{INFO}/METADATA/x", "other-1.0.dist-info/METADATA", "demo-1.0.dist-info", "demo-1.0.data/scripts/../../../x",
           "demo-1.0.data/purelib/../x", "demo/\u00e9", "demo/e\u0301", "\\\\server\\share\\x", "demo:stream", "~/x", "$HOME/x",
           "demo/`id`", "demo/%2e%2e/x", "demo/|x", "demo/<script>", "-rf", "demo/-rf"]
for entry in ENTRIES:
    case(f"entry {entry!a:.60}", packed({**FILES, entry: b"x"}))


def raw_entry(name, data, crc=None, method=0, size=None, flags=0, mode=0o100644):
    """A wheel with one more entry, made by hand."""
    body = data
    head = struct.pack("<IHHHIIIIHH", 0x04034B50, 20, flags, method, 0x21, zlib.crc32(data) if crc is None else crc,
                       len(body), len(data) if size is None else size, len(name), 0) + name
    central = struct.pack("<IHHHHIIIIHHHHHII", 0x02014B50, 0x0314, 20, flags, method, 0x21,
                          zlib.crc32(data) if crc is None else crc, len(body), len(data) if size is None else size,
                          len(name), 0, 0, 0, 0, mode << 16, DIRECTORY) + name
    count = struct.unpack_from("<H", GOOD, END + 10)[0] + 1
    directory = GOOD[DIRECTORY:END] + central
    offset = DIRECTORY + len(head) + len(body)
    return (GOOD[:DIRECTORY] + head + body + directory +
            struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(directory), offset, 0))


for mode in (0o120777, 0o104755, 0o102755, 0o060644, 0o020644, 0o010644, 0o140644, 0o040755):
    case(f"mode {mode:o}", raw_entry(b"demo/link", b"/etc/passwd", mode=mode))
for method in (1, 6, 9, 12, 14, 93, 95, 97, 98, 99, 0xFFFF):
    case(f"method {method}", raw_entry(b"demo/m", b"x" * 50, method=method))
for flags in (1, 8, 0x20, 0x40, 0x2000, 0x800, 0xFFFF):
    case(f"flags {flags:#x}", raw_entry(b"demo/f", b"x" * 50, flags=flags))
for name in (b"\xff\xfe", b"demo/\x00x", b"\x00", b"demo/\x80", b"demo/__init__.py", b"demo/__init__.py/x"):
    case(f"name {name!r}", raw_entry(name, b"x"))
case("a promise of 4 GB", raw_entry(b"demo/big", b"x", size=2**32 - 2))
case("not deflated at all", raw_entry(b"demo/d", b"x" * 80, method=8, size=1000))
case("deflated for ever", raw_entry(b"demo/d", zlib.compressobj(9, zlib.DEFLATED, -15).compress(bytes(1 << 22)), method=8))

META, WHEEL, RECORD = f"{INFO}/METADATA", f"{INFO}/WHEEL", f"{INFO}/RECORD"
TEXTS = {
    "empty": b"", "a blank": b" ", "no line ends": b"Name: demo", "carriage returns": FILES[META].replace(b"\n", b"\r"),
    "not UTF-8": b"\xff\xfe\x00", "a null": b"Name: de\0mo\n", "10,000 names": b"Name: demo\n" * 10_001,
    "blank lines": b"\n" * 100_000, "continuations": b"Name: demo\n" + b" \n" * 50_000, "no colon": b"Name demo\n" * 100,
    "a header of a megabyte": b"Name: " + b"x" * 1_000_000 + b"\n", "orders": b"Name: demo\n::set-output name=a::b\n##[error]x\n",
    "markup": b"Name: <script>alert(1)</script>\nVersion: 1.0\n", "another project": b"Metadata-Version: 2.1\nName: pip\nVersion: 1.0\n",
    "another version": b"Metadata-Version: 2.1\nName: demo\nVersion: 99\n",
    "many tags": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n" + b"Tag: py3-none-any\n" * 20_000,
    "a product of tags": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: " + b"-".join(
        b".".join(b"t%d" % i for i in range(300)) for _ in range(3)) + b"\n",
    "rows alone": b"a,,\n" * 5000, "quotes": b'"' * 5000, "commas": b"," * 5000, "no sums": b"demo/__init__.py,,\n",
    "weak sums": b"demo/__init__.py,md5=xx,3\n", "a negative size": b"demo/__init__.py,sha256=x,-1\n",
    "a size of all bits": b"demo/__init__.py,sha256=x,99999999999999999999999\n", "paths outside": b"../../x,sha256=x,1\n",
}
for file in (META, WHEEL, RECORD):
    for name, text in TEXTS.items():
        files = dict(FILES)
        if file == RECORD:
            case(f"RECORD of {name}", packed(record=text))
        else:
            files[file] = text
            case(f"{file[len(INFO) + 1:]} of {name}", packed(files))

NAMES = ["demo-1.0-py3-none-any.WHL.whl", "demo.whl", ".whl", "-.whl", "demo-1.0.whl", "demo-1.0-py3-none-any-any-any.whl",
         "demo-x-py3-none-any.whl", "d\n::error::o-1.0-py3-none-any.whl", "demo-1.0-" + ".".join(f"t{i}" for i in range(60)) + "-none-any.whl",
         "demo-1.0-a.b.c.d.e.f.g.h.i.j.k.l-a.b.c.d.e.f.g.h.i.j.k.l-a.b.c.d.e.f.g.h.i.j.k.l.whl", "demo-1!0-py3-none-any.whl",
         "demo-1.0-1-py3-none-any.whl", "demo-1.0--py3-none-any.whl", "\u00e9-1.0-py3-none-any.whl", "demo -1.0-py3-none-any.whl",
         "demo-1.0+<b>-py3-none-any.whl", "..-1.0-py3-none-any.whl", "demo-1.0-py3-none-..whl", "$(id)-1.0-py3-none-any.whl"]
for name in NAMES:
    case(f"named {name!a:.60}", GOOD, name)


def as_others_read(data):
    """Its files according to Python's reader, or nothing if that rejects it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist()}
    except Exception:  # noqa: BLE001, whatever it does not like
        return None


def trouble_of(words, top):
    """The run, and what is wrong with it, whatever it read."""
    before = measured.tree(top)
    done = measured.run(words, top)
    found = []
    if done.status not in (0, 1, 2) or "fault of the program" in done.said:
        found.append(f"status {done.status}: {done.said[-500:]}")
    if done.seconds >= 20:
        found.append(f"{done.seconds} s")
    if done.peak >= 300 << 20 and not measured.SANITIZED:
        found.append(f"{done.peak >> 20} MB")
    if measured.tree(top) != before:
        found.append("it changed files")
    return done, found


def harmless(words, each, top):
    """One run with all wheels. If something is wrong with that, a run with `each` says which wheel it is."""
    done, found = trouble_of(words, top)
    if found:
        alone = {name: wrong for name, one in each.items() if (wrong := trouble_of(one, top)[1])}
        pytest.fail(f"{words[:2]}: {alone or found}")
    # No more than this is read of an output.
    assert len(done.said) < 1 << 20
    return done


class Wheels:
    """Each in a folder of its own, and all in one, where they have different names."""

    def __init__(self, top):
        self.top, self.alone, self.together = top, {}, {}
        self.all = top / "all"
        self.all.mkdir()
        for number, (name, (file, data)) in enumerate(CASES.items()):
            self.alone[name] = top / str(number)
            self.alone[name].mkdir()
            (self.alone[name] / file).write_bytes(data)
            self.together[name] = self.all / (numbered(number) if file == NAME else file)
            assert not self.together[name].exists()
            self.together[name].hardlink_to(self.alone[name] / file)

    def harmless(self, command):
        each = {name: [*command, folder] for name, folder in self.alone.items()}
        return harmless([*command, *self.alone.values()], each, self.top)


def numbered(number):
    """The same name with the number of a build."""
    return NAME.replace("-1.0-", f"-1.0-{1000 + number}-")


@pytest.fixture(scope="module", name="wheels")
def fixture_wheels(tmp_path_factory):
    yield Wheels(tmp_path_factory.mktemp("wheels"))
    assert not Path("/tmp/wheel-attack.txt").exists()


@pytest.mark.parametrize("command", ["check", "inspect"])
def test_it_is_refused_or_harmless(wheels, command):
    wheels.harmless(["wheel", command])


def test_what_is_accepted_is_read_as_by_others(wheels):
    done = wheels.harmless(["wheel", "check", "--format", "json"])
    reports = json.loads(done.said)["wheels"]
    assert [report["file"] for report in reports] == [file for file, _ in CASES.values()]
    accepted = [name for name, report in zip(CASES, reports, strict=True)
                if all(finding["severity"] != "error" for finding in report["findings"])]
    assert len(accepted) > 20
    for name in accepted:
        files = as_others_read(CASES[name][1])
        assert files is not None, f"zipfile rejects the wheel, and wheelrun accepts it: {name}"
        assert {path: content for path, content in files.items() if path in FILES} == FILES, name
        assert not any(".." in path.split("/") or path.startswith("/") or "\\" in path for path in files), name


def test_an_upload_of_it_is_refused_or_harmless(wheels):
    def words(folder):
        return ["upload", folder, "--family", "gfx1151", "--platform", "linux", "--output-dir", folder, "--dry-run"]

    each = {name: words(folder) for name, folder in wheels.alone.items()}
    # A folder is refused for each wheel that cannot be read. What is left goes further.
    said = harmless(words(wheels.all), each, wheels.top).said
    left = {name: path for name, path in wheels.together.items()
            if "'" + path.name.replace("\n", "\\n") + "':" not in said}
    assert 50 < len(left) < len(CASES)
    good = wheels.top / "good"
    good.mkdir()
    for name, path in left.items():
        (good / path.name).hardlink_to(path)
    done = harmless(words(good), {name: each[name] for name in left}, wheels.top)
    assert done.status == 0 and done.said.count("would upload ") == len(left), done.said[:1000]


def index_of(folder, names):
    """Indexes these in a folder beside a file that must stay as it is."""
    index = folder / "index"
    index.mkdir(parents=True)
    files = {}
    for number, name in enumerate(names):
        file, data = CASES[name]
        files[name] = index / (numbered(number) if file == NAME else file)
        files[name].write_bytes(data)
    (folder / "outside.txt").write_text("mine")
    done = measured.run(["index", "--output-dir", index], folder)
    assert done.status in (0, 1, 2) and "fault of the program" not in done.said, done.said
    assert [path.name for path in folder.iterdir() if path.name not in ("index", "outside.txt")] == []
    assert (folder / "outside.txt").read_text() == "mine"
    for name, path in files.items():
        assert path.read_bytes() == CASES[name][1], name
    pages = [path.read_text() for path in index.rglob("*.html")]
    assert not any("<script" in page for page in pages), pages
    return done.said, pages


# A name can end a command early, so those have a folder each.
@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("named")])
def test_an_index_of_a_name_writes_nowhere_else(tmp_path, name):
    index_of(tmp_path, [name])


def test_an_index_writes_nowhere_else(tmp_path):
    names = [name for name in CASES if name.startswith(("entry", "METADATA", "mode"))]
    try:
        said, pages = index_of(tmp_path / "all", names)
        # It went to its end, and had read all of them.
        assert pages and f" {len(names)} new; " in said, said
    except AssertionError:
        # Which of them it is.
        for number, name in enumerate(names):
            index_of(tmp_path / str(number), [name])
        raise


def test_the_good_one_is_good(tmp_path):
    (tmp_path / NAME).write_bytes(GOOD)
    assert measured.run(["wheel", "check", NAME], tmp_path).status == 0


def test_there_are_cases_enough():
    assert len(CASES) >= 300
