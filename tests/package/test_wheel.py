"""The wheel of a release, installed from a local folder by pip, uv and pipx, without a compiler."""

import hashlib
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
import hand_written  # noqa: E402  (the folder of the other tests)
import test_docs as pages  # noqa: E402  (the folder of the other tests)

ARCHIVE = Path(os.environ["ARCHIVE"]).absolute()
DIST = ARCHIVE.parent
ARCH = ARCHIVE.name.removesuffix(".tar.gz").rpartition("-")[2]
(WHEEL,) = DIST.glob(f"wheelwright_actions-*_{ARCH}.whl")
VERSION = re.search(r"project\(wheelwright VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
PROGRAMS = ("wheelwright", "wheelrun")
PACKAGING = ROOT / ".tools/packaging/bin"

own_machine = pytest.mark.skipif(ARCH != platform.machine(), reason="nothing here runs programs of another processor")


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """The environment variables of installers on a machine without a compiler."""
    folder = tmp_path_factory.mktemp("machine")
    tools = folder / "bin"
    tools.mkdir()
    for name in ("sh", "bash", "env", "git", "uname", "ldd", "sed", "dirname", "readlink", "rm", "cat", "cp", "mv", "ls"):
        (tools / name).symlink_to(shutil.which(name))
    (tools / "python3").symlink_to(sys.executable)
    (tools / "uv").symlink_to(Path(sys.executable).parent / "uv")
    for name in ("c++", "cc", "g++", "gcc", "clang", "cmake", "ninja", "make"):
        assert shutil.which(name, path=str(tools)) is None
    return {"PATH": str(tools), "HOME": str(folder), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(DIST),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "0", "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(DIST), "UV_OFFLINE": "1",
            "UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1"}


def succeeds(machine, *command, cwd=None, **variables):
    done = subprocess.run([str(word) for word in command], env={**machine, **variables}, cwd=cwd, capture_output=True,
                          text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def says_its_version(path):
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    return done.stdout == f"{path.name} {VERSION}\n"


def of_archive():
    with tarfile.open(ARCHIVE) as archive:
        return {name: archive.extractfile(name).read() for name in PROGRAMS}


def test_wheel_and_archive_hold_the_same_programs():
    with zipfile.ZipFile(WHEEL) as wheel:
        data = f"wheelwright_actions-{VERSION}.data/scripts"
        assert {name: wheel.read(f"{data}/{name}") for name in PROGRAMS} == of_archive()
        # uv applies these file modes.
        assert all(wheel.getinfo(f"{data}/{name}").external_attr >> 16 & stat.S_IXUSR for name in PROGRAMS)


def test_the_wheel_is_for_every_python_and_every_libc_of_its_processor():
    assert WHEEL.name == (f"wheelwright_actions-{VERSION}-py3-none-manylinux2014_{ARCH}.manylinux_2_17_{ARCH}"
                          f".musllinux_1_1_{ARCH}.whl")
    machine = {"x86_64": 62, "aarch64": 183}[ARCH]  # e_machine of an ELF file
    for content in of_archive().values():
        assert content[:4] == b"\x7fELF" and int.from_bytes(content[18:20], "little") == machine
        assert b"ld-linux" not in content[:4096] and b"ld-musl" not in content[:4096]  # no PT_INTERP
    with zipfile.ZipFile(WHEEL) as wheel:
        # The wheel has no Python modules, so any Python can install it.
        assert {name.split("/")[0].rpartition(".")[2] for name in wheel.namelist()} == {"data", "dist-info"}
        metadata = Parser().parsestr(wheel.read(f"wheelwright_actions-{VERSION}.dist-info/METADATA").decode())
        notices = wheel.read(f"wheelwright_actions-{VERSION}.dist-info/licenses/LICENSES").decode()
    assert (metadata["Name"], metadata["Version"]) == ("wheelwright-actions", VERSION)
    assert metadata.get_all("Requires-Dist") is None
    assert "libssl-dev/copyright" in notices


def test_indexes_take_the_metadata(machine):
    sources = list(DIST.glob(f"wheelwright_actions-{VERSION}.tar.gz"))
    assert bool(sources) == (ARCH == platform.machine())
    succeeds(machine, PACKAGING / "twine", "check", "--strict", WHEEL, *sources)


def test_every_file_is_in_the_list_of_checksums():
    sums = dict(line.split("  ")[::-1] for line in (DIST / "SHA256SUMS").read_text().splitlines())
    files = [path for path in DIST.iterdir() if path.name.startswith("wheelwright")]
    assert WHEEL in files
    assert sums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@own_machine
def test_pip_installs_it(machine, tmp_path):
    succeeds(machine, "python3", "-m", "venv", "--without-pip", tmp_path / "venv")
    pip = ["python3", "-m", "pip", "--python", tmp_path / "venv/bin/python"]
    succeeds(machine, *pip, "install", "wheelwright-actions")
    for name in PROGRAMS:
        installed = tmp_path / "venv/bin" / name
        assert says_its_version(installed)
        # The program itself is installed, and not a Python script that starts it.
        assert installed.read_bytes() == of_archive()[name]
    succeeds(machine, *pip, "uninstall", "--yes", "wheelwright-actions")
    assert not list((tmp_path / "venv/bin").glob("wheel*"))


@own_machine
def test_an_adopter_has_all_with_the_wheel_and_the_archive(machine, tmp_path):
    """Follows docs/adopting.md from start to end, on a machine with nothing else of the project."""
    hand_written.write_repository(tmp_path / "repository")
    pages.commit(tmp_path / "repository")
    shutil.copy(ARCHIVE, tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    pip = tmp_path / "venv/bin/pip"
    pip.write_text(f'#!/bin/sh\nexec {sys.executable} -m pip --python "{tmp_path}/venv/bin/python" "$@"\n')
    pip.chmod(0o755)

    def run(command):
        environment = {**machine, "PATH": f"{tmp_path}/venv/bin:{os.environ['PATH']}", "GIT_PAGER": "cat"}
        return subprocess.run(["bash", "-c", command], cwd=tmp_path / "repository", env=environment, text=True,
                              capture_output=True, timeout=120, stdin=subprocess.DEVNULL, check=False)

    pages.follow(pages.ADOPTING, run)
    assert says_its_version(tmp_path / "venv/bin/wheelwright")


@own_machine
def test_uv_installs_it_as_a_tool_and_runs_it_without(machine, tmp_path):
    folders = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
               "UV_CACHE_DIR": str(tmp_path / "cache")}
    succeeds(machine, "uv", "tool", "install", "wheelwright-actions", **folders)
    assert all(says_its_version(tmp_path / "bin" / name) for name in PROGRAMS)
    for name in PROGRAMS:
        said = succeeds(machine, "uv", "tool", "run", "--from", "wheelwright-actions", name, "--version", **folders)
        assert said == f"{name} {VERSION}\n"


@own_machine
def test_pipx_runs_it(machine, tmp_path):
    said = succeeds(machine, PACKAGING / "pipx", "run", "--spec", "wheelwright-actions", "wheelwright", "--version",
                    PIPX_HOME=str(tmp_path), PIPX_DEFAULT_PYTHON=sys.executable, PIPX_DEFAULT_BACKEND="uv")
    assert said == f"wheelwright {VERSION}\n"


@own_machine
def test_a_machine_of_another_kind_is_told(machine, tmp_path):
    done = subprocess.run(["python3", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--platform",
                           "win_amd64", "--dest", tmp_path, "wheelwright-actions"], env=machine, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1 and "No matching distribution found for wheelwright-actions" in done.stderr
