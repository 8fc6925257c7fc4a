"""`wheelrun wheel check` and `wheel versions` on real wheels, intact and damaged.

setuptools and the tool `wheel` make the wheels; each test damages one thing. pip can install every wheel that the
program accepts.
"""

import base64
import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from wheelrun import PROGRAM, environment, in_job, wheelrun

NAME = "demo-1.0-cp312-cp312-linux_x86_64.whl"
INFO = "demo-1.0.dist-info"
RUN = ["--platform", "linux", "--python", "3.12"]
# Only the header of a shared object for x86-64.
ELF = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + b"\x03\0\x3e\0".ljust(48, b"\0")
FILES = {
    "demo/__init__.py": b"import demo.core\n" * 50,
    "demo/core.so": ELF,
    f"{INFO}/METADATA": b"Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n",
    f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
    b"Tag: cp312-cp312-linux_x86_64\n",
    f"{INFO}/licenses/LICENSE": b"The license\n",
}


def row(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def record(files):
    return ("".join(row(path, data) for path, data in files.items()) + f"{INFO}/RECORD,,\n").encode()


def pack(files=None, changes=None, rows=None):
    """The bytes of a wheel of these files; RECORD lists the files before `changes`."""
    files = dict(files or FILES)
    files[f"{INFO}/RECORD"] = rows if rows is not None else record(files)
    files.update(changes or {})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            if data is not None:
                info = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
                info.external_attr = 0o100644 << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data)
    return out.getvalue()


def check(folder, data, name=NAME, options=RUN):
    (folder / name).write_bytes(data)
    return wheelrun("wheel", "check", name, *options, cwd=folder)


def pip_takes(folder, name=NAME):
    """Whether pip unpacks the wheel, for any platform."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check",
         "--platform", "linux_x86_64", "--python-version", "3.12", "--abi", "cp312", "--only-binary=:all:",
         "--target", folder / "installed", folder / name],
        capture_output=True, text=True, check=False)  # fmt: skip
    return done.returncode == 0


@pytest.fixture(scope="session")
def real(tmp_path_factory):
    """A wheel with a compiled module, made by setuptools."""
    folder = tmp_path_factory.mktemp("real")
    (folder / "core.c").write_text(
        '#include <math.h>\n#include <stdio.h>\ndouble f(double x) { printf("%f", x); return pow(x, x); }\n')
    (folder / "demo").mkdir()
    (folder / "demo" / "__init__.py").write_text("x = 1\n")
    (folder / "LICENSE").write_text("The license\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", "demo/core.so", "core.c", "-lm"], cwd=folder, check=True)
    (folder / "setup.py").write_text(
        "import setuptools\n"
        "class Distribution(setuptools.Distribution):\n"
        "    def has_ext_modules(self): return True\n"
        "setuptools.setup(name='Demo.Wheel', version='1.0+rocm7.10.0', packages=['demo'],\n"
        "                 package_data={'demo': ['*.so']}, distclass=Distribution)\n")
    subprocess.run([sys.executable, "setup.py", "-q", "bdist_wheel", "--dist-dir", "dist"], cwd=folder, check=True,
                   capture_output=True)
    (made,) = (folder / "dist").glob("*.whl")
    return made


def test_a_wheel_of_setuptools_is_good(real):
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    done = wheelrun("wheel", "check", real, "--platform", "linux", "--python", python, "--format", "json")
    assert done.status == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["good"] is True
    (wheel,) = report["wheels"]
    assert wheel["project"] == "demo-wheel"
    assert wheel["version"] == "1.0+rocm7.10.0"
    assert wheel["files"] == len(zipfile.ZipFile(real).namelist())
    assert wheel["size"] == real.stat().st_size
    assert wheel["findings"] == []


def test_the_glibc_that_a_compiled_module_needs(real, tmp_path):
    """Compared with readelf."""
    python = f"{sys.version_info.major}{sys.version_info.minor}"
    with zipfile.ZipFile(real) as archive:
        files = {name.replace("demo_wheel-1.0+rocm7.10.0", "demo-1.0"): archive.read(name)
                 for name in archive.namelist()}
    (tmp_path / "core.so").write_bytes(files["demo/core.so"])
    shown = subprocess.run(["readelf", "--version-info", "--wide", tmp_path / "core.so"], capture_output=True,
                           text=True, check=True).stdout
    needed = {int(word.split("GLIBC_2.")[1].split(".")[0]) for word in shown.split() if word.startswith("GLIBC_2.")}
    name = f"demo-1.0-cp{python}-cp{python}-manylinux_2_5_x86_64.whl"
    files[f"{INFO}/METADATA"] = FILES[f"{INFO}/METADATA"]
    files[f"{INFO}/WHEEL"] = (
        f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {name[9:-4]}\n".encode())
    del files[f"{INFO}/RECORD"]
    done = check(tmp_path, pack(files), name, [])
    assert done.status == 1
    assert done.stderr == (
        f"error[wheel-glibc]: 'demo/core.so' needs GLIBC_2.{max(needed)}\n"
        "   = manylinux_2_5_x86_64 promises to run with glibc 2.5\n"
        f"   = in {name}\n")


def test_a_good_wheel(tmp_path):
    done = check(tmp_path, pack())
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "1 wheel: good"
    assert pip_takes(tmp_path)


def test_a_wheel_of_the_wheel_tool(tmp_path):
    content = tmp_path / "content"
    for path, data in FILES.items():
        file = content / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    subprocess.run([sys.executable, "-m", "wheel", "pack", content, "--dest-dir", tmp_path], check=True,
                   capture_output=True)
    done = wheelrun("wheel", "check", NAME, *RUN, cwd=tmp_path)
    assert (done.status, done.stderr) == (0, "")


class Unseekable(io.RawIOBase):
    """Makes zipfile write sizes behind the data, like streamed archives."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


class Entry(zipfile.ZipInfo):
    """Has the header that Python 3.11.4 and newer write. Older ones do not mark the sizes of zip64 as such."""

    def FileHeader(self, zip64=None):
        header = bytearray(super().FileHeader(zip64))
        if zip64:
            header[4:6], header[18:26] = b"\x2d\0", b"\xff" * 8
        return bytes(header)


@pytest.mark.parametrize("zip64", [False, True])
def test_archives_that_were_sent_while_they_were_made(tmp_path, zip64):
    out = Unseekable()
    files = {**FILES, f"{INFO}/RECORD": record(FILES)}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            info = Entry(path, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=zip64) as entry:
                entry.write(data)
    assert out.data[6] & 8
    done = check(tmp_path, bytes(out.data))
    assert (done.status, done.stderr) == (0, "")


def test_more_entries_than_fit_in_16_bits(tmp_path):
    files = {**{f"demo/data/{i}": b"" for i in range(66_000)}, **FILES}
    done = check(tmp_path, pack(files))
    assert (done.status, done.stderr) == (0, "")


def replaced(old, new, count=-1):
    def change(data):
        assert old in data
        return data.replace(old, new, count)

    return change


def appended(path, data=b"x", mode=0o100644, method=zipfile.ZIP_STORED):
    """An additional entry, without a row in RECORD unless `pack` made one."""

    def change(wheel):
        out = io.BytesIO(wheel)
        with zipfile.ZipFile(out, "a") as archive:
            info = zipfile.ZipInfo("placeholder", (2020, 1, 1, 0, 0, 0))
            info.filename = path
            info.external_attr = mode << 16
            info.compress_type = method
            archive.writestr(info, data)
        return out.getvalue()

    return change


def flipped_bit(data):
    """Changes the packed bytes of the first entry's last block."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.infolist()[1]
    at = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def local_name(data):
    """The header of the entry has another name than the directory."""
    return data.replace(b"demo/__init__.py", b"demo/__evil__.py", 1)


def local_size(data):
    """The header of the entry has another size than the directory."""
    return data[:22] + (7).to_bytes(4, "little") + data[26:]


def huge_size(data):
    at = data.rindex(b"PK\x01\x02")  # the last: RECORD
    first = data.index(b"PK\x01\x02")
    assert at != first
    data = data[:22] + (0x70000000).to_bytes(4, "little") + data[26:]
    return data[: first + 24] + (0x70000000).to_bytes(4, "little") + data[first + 28 :]


def overlapping(data):
    """The second entry of the directory refers to the first entry, under its own name."""
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    return data[: second + 42] + (0).to_bytes(4, "little") + data[second + 46 :]


def encrypted(data):
    first = data.index(b"PK\x01\x02")
    data = data[:6] + b"\x01" + data[7:]
    return data[: first + 8] + b"\x01" + data[first + 9 :]


HINT_UNLISTED = "   = installers leave such files, and whoever put them there, unchecked\n"
IN = f"   = in {NAME}\n"
RECORD_AT = f"  --> {NAME}/{INFO}/RECORD"


@pytest.mark.parametrize(("damage", "message"), [
    (replaced(b"", b"#!/usr/bin/env python\n", 1),
     "error[zip-broken]: its directory should be {directory} bytes from byte {begin} on, but ends before byte {end}\n"
     "   = does the file have data in front of the archive?\n"),
    (lambda data: data + b"trailing junk", "error[zip-stray-bytes]: 13 bytes stand behind the end of the archive\n"),
    (lambda data: data[:-30], "error[zip-broken]: it is no zip archive: it has no central directory\n"
                              "   = was it copied or written only in part?\n"),
    (lambda data: b"", "error[zip-broken]: it is no zip archive: it is too short\n"),
    (local_name, "error[zip-mismatch]: 'demo/__init__.py': the directory and the entry's own header differ in the "
                 "name\n   = tools that use one unpack other files than tools that use the other\n"),
    (local_size, "error[zip-mismatch]: 'demo/__init__.py': the directory and the entry's own header differ in the "
                 "size\n   = tools that use one unpack other files than tools that use the other\n"),
    (huge_size, "error[zip-size]: 'demo/__init__.py' declares 1,879,048,192 bytes, more than its {packed} packed "
                "bytes can hold\n"),
    (overlapping, "error[zip-mismatch]: 'demo/core.so': the directory and the entry's own header differ in the "
                  "name\n   = tools that use one unpack other files than tools that use the other\n"),
    (encrypted, "error[zip-method]: 'demo/__init__.py' is encrypted\n"),
    (flipped_bit, None),
    (appended("demo/core.so"), "error[zip-duplicate]: 'demo/core.so' is there twice\n"
                               "   = tools differ in which one they use\n"),
    (appended("../evil.py"), "error[zip-name]: '../evil.py' is no safe name: it has a part '..'\n"),
    (appended("/etc/evil"), "error[zip-name]: '/etc/evil' is no safe name: it is absolute\n"),
    (appended("demo\\evil.py"), "error[zip-name]: 'demo\\evil.py' is no safe name: it holds a backslash\n"),
    (appended("demo/link", b"../../x", mode=0o120777),
     "error[zip-link]: 'demo/link' is a symbolic link\n"
     "   = installers write a file with the link's target in it, or the link\n"),
    (appended("demo/data", method=zipfile.ZIP_LZMA),
     "error[zip-method]: 'demo/data' is packed by method 14\n"
     "   = installers read method 0 (stored) and 8 (deflate)\n"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_damaged_archives(tmp_path, damage, message):
    good = pack()
    done = check(tmp_path, damage(good))
    assert done.status == 1
    if message is None:  # inflating stops at a point that depends on the bit
        assert done.stderr.startswith("error[zip-contents]: 'demo/core.so' cannot be unpacked: ")
        return
    first = good.index(b"PK\x01\x02")
    end = good.index(b"PK\x05\x06")
    filled = message.replace("{directory}", str(end - first)).replace("{begin}", str(first))
    filled = filled.replace("{end}", str(end + 22))
    filled = filled.replace("{packed}", str(zipfile.ZipFile(io.BytesIO(good)).infolist()[0].compress_size))
    assert done.stderr.startswith(filled + IN)


def test_a_file_that_record_does_not_list(tmp_path):
    done = check(tmp_path, appended("demo/evil.py")(pack()))
    assert done.status == 1
    assert done.stderr == f"error[record-missing]: RECORD does not list 'demo/evil.py'\n{HINT_UNLISTED}{IN}"
    assert pip_takes(tmp_path)  # so it must be found earlier


def test_a_file_that_was_changed(tmp_path):
    changed = b"import os\n"
    done = check(tmp_path, pack(changes={"demo/__init__.py": changed}))
    want = row("demo/__init__.py", FILES["demo/__init__.py"]).rstrip()
    have = row("demo/__init__.py", changed).split(",")[1]
    digest = want.split(",")[1]
    assert done.status == 1
    assert done.stderr == (
        "error[record-size]: 'demo/__init__.py' has another size than RECORD says\n"
        f"{RECORD_AT}:1:{len(want) - 2}\n   |\n 1 | {want}\n   | {' ' * (len(want) - 3)}^^^ it has 10\n{IN}"
        "\n"
        "error[record-hash]: 'demo/__init__.py' is not the file that RECORD lists\n"
        f"{RECORD_AT}:1:18\n   |\n 1 | {want}\n   | {' ' * 17}{'^' * len(digest)} it has {have}\n{IN}")


def test_a_file_that_is_gone(tmp_path):
    done = check(tmp_path, pack(changes={"demo/__init__.py": None}))
    want = row("demo/__init__.py", FILES["demo/__init__.py"]).rstrip()
    assert done.status == 1
    assert done.stderr == (
        "error[record-surplus]: RECORD lists 'demo/__init__.py', which is not in the wheel\n"
        f"{RECORD_AT}:1:1\n   |\n 1 | {want}\n   | ^^^^^^^^^^^^^^^^\n{IN}")


@pytest.mark.parametrize("text", ["RECORD", "METADATA", "WHEEL"])
def test_a_text_that_is_gone(tmp_path, text):
    files = {path: data for path, data in FILES.items() if not path.endswith("/" + text)}
    changes = {f"{INFO}/RECORD": None} if text == "RECORD" else {}
    done = check(tmp_path, pack(files, changes))
    assert done.status == 1
    assert done.stderr == f"error[wheel-dist-info]: it has no {text}\n{IN}"


def test_another_version_than_was_resolved(tmp_path):
    done = check(tmp_path, pack(), options=[*RUN, "--versions", '{"demo": "1.1"}'])
    assert done.status == 1
    assert done.stderr == (
        "error[wheel-version]: demo is 1.0, but 1.1 was resolved\n"
        '  --> <--versions>:1:10\n   |\n 1 | {"demo": "1.1"}\n   |          ^^^^^ resolved here\n' + IN)


def test_a_renamed_wheel(tmp_path):
    """The result of a promotion that only renames."""
    name = "demo-2.0-cp312-cp312-linux_x86_64.whl"
    done = check(tmp_path, pack(), name)
    assert done.status == 1
    assert done.stderr == (
        f"error[wheel-dist-info]: the folder '{INFO}' is not of this wheel\n"
        "   = expected demo-2.0.dist-info\n"
        f"   = in {name}\n\n"
        "error[wheel-metadata]: its METADATA says version 1.0, its name 2.0\n"
        f"  --> {name}/{INFO}/METADATA:3:10\n   |\n 3 | Version: 1.0\n   |          ^^^\n"
        f"   = in {name}\n")


def test_a_library_for_another_machine(tmp_path):
    files = {**FILES, "demo/core.so": ELF[:18] + b"\xb7\0" + ELF[20:]}
    done = check(tmp_path, pack(files))
    assert done.status == 1
    assert done.stderr == ("error[wheel-library]: 'demo/core.so' is for Linux on AArch64\n"
                           f"   = expected one for Linux on x86-64\n{IN}")


def test_another_interpreter(tmp_path):
    done = check(tmp_path, pack(), options=["--platform", "linux", "--python", "3.13t"])
    assert done.status == 1
    assert done.stderr == (
        "error[wheel-tag]: the tag cp312-cp312-linux_x86_64 is not for Python 3.13t on Linux\n"
        f"   = expected cp313-cp313t-linux_x86_64 or one that it takes too\n{IN}")


def test_no_wheel_at_all(tmp_path):
    for folder in (".", "missing"):
        done = wheelrun("wheel", "check", folder, *RUN, cwd=tmp_path)
        assert done.status == 1
        assert done.stderr == ("error[missing-wheel]: there is no wheel at all\n"
                               "   = did the build end early, or write them to another folder?\n")


def test_all_faults_of_all_wheels_at_once(tmp_path):
    (tmp_path / NAME).write_bytes(appended("../evil")(pack()))
    (tmp_path / "torch-latest.whl").write_bytes(b"")
    done = wheelrun("wheel", "check", ".", *RUN, "--format", "json", cwd=tmp_path)
    assert done.status == 1
    report = json.loads(done.stdout)
    assert [[f["code"] for f in wheel["findings"]] for wheel in report["wheels"]] == [
        ["zip-name", "record-missing"], ["wheel-name", "zip-broken"]]
    assert [f["code"] for f in report["findings"]] == ["missing-wheel"] * 5


def test_a_job_gets_annotations_and_a_summary(tmp_path):
    (tmp_path / NAME).write_bytes(appended("demo/evil.py")(pack()))
    done = in_job(tmp_path, "wheel", "check", NAME, *RUN, cwd=tmp_path)
    assert done.status == 1
    assert "::error title=record-missing::RECORD does not list 'demo/evil.py'%0A" in done.stdout
    assert done.summary.startswith("### 1 wheel: 1 error\n")
    assert "\n    error[record-missing]: RECORD does not list 'demo/evil.py'\n" in done.summary


def test_a_wrong_command_line(tmp_path):
    done = wheelrun("wheel", "check", ".", "--python", "three", cwd=tmp_path)
    assert done.status == 2
    assert done.stderr == ("error[option-value]: '--python' does not take 'three'\n"
                           "   = it takes a minor version, such as 3.12 or 3.13t\n")
    done = wheelrun("wheel", "check", ".", "--versions", "{", cwd=tmp_path)
    assert done.status == 2
    assert done.stderr.startswith("error[resolved-versions]: the versions are no JSON\n  --> <--versions>:1:2\n")


def peak(folder, name):
    """The peak memory of a check, in kilobytes."""
    process = subprocess.Popen([PROGRAM, "wheel", "check", name, *RUN], cwd=folder, env=environment(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


def test_memory_does_not_grow_with_the_wheel(tmp_path):
    size = 300 << 20
    block = bytes(1 << 20)
    digest = hashlib.sha256()
    (tmp_path / NAME).write_bytes(pack())
    small = peak(tmp_path, NAME)
    with zipfile.ZipFile(tmp_path / NAME, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("demo/large.bin", "w") as entry:
            for _ in range(size // len(block)):
                entry.write(block)
                digest.update(block)
        for path, data in FILES.items():
            archive.writestr(path, data)
        sum_ = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
        rows = record(FILES).decode() + f"demo/large.bin,sha256={sum_},{size}\n"
        archive.writestr(f"{INFO}/RECORD", rows)
    assert peak(tmp_path, NAME) - small < 8 * 1024


def versions_folder(folder, *names):
    for name in names:
        (folder / name).write_bytes(b"")
    return wheelrun("wheel", "versions", ".", cwd=folder)


TORCH = "torch-2.10.0a0+devrocm7.10.0.dev0_efed3c-cp312-cp312-{}.whl"


def test_versions_of_wheels(tmp_path):
    done = versions_folder(tmp_path, TORCH.format("linux_x86_64"), "torchaudio-2.10-cp312-cp312-linux_x86_64.whl",
                           "torchvision-0.25.0-cp312-cp312-linux_x86_64.whl",
                           "triton-3.5.0-cp312-cp312-linux_x86_64.whl", "apex-1.10-cp312-cp312-linux_x86_64.whl")
    assert (done.status, done.stderr) == (0, "")
    assert done.outputs == {
        "torch_version": "2.10.0a0+devrocm7.10.0.dev0.efed3c", "torchaudio_version": "2.10",
        "torchvision_version": "0.25.0", "triton_version": "3.5.0", "apex_version": "1.10"}


def test_versions_of_wheels_for_windows(tmp_path):
    done = versions_folder(tmp_path, TORCH.format("win_amd64"), "torchaudio-2.10-cp312-cp312-win_amd64.whl",
                           "torchvision-0.25.0-cp312-cp312-win_amd64.whl")
    assert (done.status, done.stderr) == (0, "")
    assert done.outputs["triton_version"] == ""
    assert done.outputs["apex_version"] == ""


def test_versions_are_not_guessed(tmp_path):
    other = "torch-2.9-cp312-cp312-win_amd64.whl"
    done = versions_folder(tmp_path, TORCH.format("win_amd64"), other, "torchaudio-2.10-cp312-cp312-win_amd64.whl")
    assert done.status == 1
    assert done.outputs == {}
    assert done.stderr == (
        f"error: there are 2 wheels of torch: it is unclear which one was built: {TORCH.format('win_amd64')} and "
        f"{other}\n"
        "error: there is no wheel of torchvision: looked for torchvision-VERSION-....whl in .\n").replace(
            f"{TORCH.format('win_amd64')} and {other}", " and ".join(sorted([TORCH.format("win_amd64"), other])))


def test_names_are_read_as_packaging_reads_them():
    """Through the report on empty files with these names."""
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    names = [NAME, "six-1.17.0-py2.py3-none-any.whl", "Amd_Torch.device-1.0-1build-py3-none-any.whl",
             TORCH.format("linux_x86_64"), "a-1.whl", "a-b-1-2-py3-none-any.whl", "a-gfx942-py3-none-any.whl",
             "a-1-x-py3-none-any.whl", "torch-2.10.0+rocm.7-cp313-cp313t-win_amd64.whl",
             "torch-1!2.10.0-cp313-cp313t-manylinux_2_28_x86_64.manylinux2014_x86_64.whl"]  # fmt: skip
    for name in names:
        done = wheelrun("wheel", "check", Path("/nonexistent") / name, "--format", "json")
        (wheel,) = json.loads(done.stdout)["wheels"]
        try:
            project, version, _, _ = parse_wheel_filename(name)
        except InvalidWheelFilename:
            assert wheel["project"] == "", name
        else:
            assert (wheel["project"], wheel["version"]) == (project, str(version))
