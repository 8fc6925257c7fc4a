"""The script of the composite action in all its modes, with a curl that serves a folder."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github/actions/setup-wheelrun"

CURL = """#!/usr/bin/env bash
# Takes the last argument's file from $SERVED, whose folders are those of the address; writes where --output says.
while (($#)); do
  if [[ $1 == --output ]]; then output=$2; fi
  last=$1
  shift
done
echo "$last" >>"$SERVED/asked.txt"
cp "$SERVED/${last#https://}" "$output" || exit 22
"""
# Without one of these, another program unpacks zips.
TOOLS = ["bash", "cp", "cat", "chmod", "dirname", "env", "gzip", "mkdir", "realpath", "rm", "sha256sum", "tar", "uname"]
PROGRAM = "#!/bin/sh\necho wheelrun 1.2.3\n"
RELEASES = "github.com/ROCm/wheelwright/releases/download/v1.2.3"
ARCHIVE = "wheelwright-1.2.3-linux-x86_64.tar.gz"
WHEEL = "wheelwright_actions-1.2.3-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"
DEV = """#!/bin/sh
# Stands in for ./dev.
echo "$*" >>calls.txt
test -z "$BROKEN" || exit 2
tar -czf "$2" -C "$PAYLOAD" wheelrun wheelwright
"""


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class Runner:
    """A machine on which the script is called as by the runner."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("bin", "temp", "served", "payload"):
            (folder / name).mkdir()
        for tool in TOOLS:
            (folder / "bin" / tool).symlink_to(shutil.which(tool))
        self.tool("curl", CURL)
        for name in ("wheelrun", "wheelwright"):
            self.write(folder / "payload" / name, PROGRAM, 0o755)
        self.environment = {}

    @staticmethod
    def write(path, text, mode=0o644):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def tool(self, name, text):
        self.write(self.folder / "bin" / name, text, 0o755)

    def archive(self, path, names=("wheelrun", "wheelwright")):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path, "w:gz") as archive:
            for name in names:
                archive.add(self.folder / "payload" / name, name)
        return path

    def release(self):
        return self.archive(self.folder / "served" / RELEASES / ARCHIVE)

    def wheel(self):
        """The wheel of a package index: programs are in its data, for the folder of scripts."""
        path = self.folder / "served/index.example/packages" / WHEEL
        path.parent.mkdir(parents=True)
        data = "wheelwright_actions-1.2.3.data/scripts"
        with zipfile.ZipFile(path, "w") as archive:
            for name in ("wheelrun", "wheelwright"):
                archive.write(self.folder / "payload" / name, f"{data}/{name}")
            archive.writestr("wheelwright_actions-1.2.3.dist-info/RECORD", "")
        return path

    def sources(self):
        self.write(self.folder / "sources/dev", DEV, 0o755)
        (self.folder / "sources/runtime").mkdir()

    def asked(self):
        asked = self.folder / "served/asked.txt"
        return asked.read_text().split() if asked.exists() else []

    def __call__(self, **inputs):
        """Exit status, text, and outputs, which are empty after a failure."""
        environment = {
            "PATH": str(self.folder / "bin"), "SERVED": str(self.folder / "served"),
            "PAYLOAD": str(self.folder / "payload"), "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_PATH": str(self.folder / "path"), "GITHUB_OUTPUT": str(self.folder / "output"),
            "VERSION": "", "URL": "", "ARCHIVE": "", "SHA256": "", "FROM_SOURCE": "false", "SOURCE_DIRECTORY": "sources",
            **self.environment, **inputs,
        }
        for name in ("path", "output"):
            (self.folder / name).write_text("")
        done = subprocess.run(["bash", ACTION / "setup.sh"], env=environment, cwd=self.folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        outputs = dict(line.split("=", 1) for line in (self.folder / "output").read_text().splitlines())
        assert (self.folder / "path").read_text().splitlines()[:1] == ([outputs["directory"]] if "directory" in outputs else [])
        return done.returncode, done.stdout, outputs

    def unpacked(self):
        return list((self.folder / "temp").rglob("wheelrun*"))


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)


def runs(outputs):
    said = subprocess.check_output([f"{outputs['directory']}/wheelrun"], text=True)
    return said == "wheelrun 1.2.3\n" and os.access(f"{outputs['directory']}/wheelwright", os.X_OK)


def refused(answer, message):
    status, text, outputs = answer
    assert (status, outputs) == (1, {}), text
    assert re.search(rf"^::error title=setup-wheelrun::.*{re.escape(message)}", text, re.MULTILINE), text
    return True


def test_every_input_reaches_the_script():
    declared = set(re.findall(r"^  ([a-z0-9-]+):$", (ACTION / "action.yml").read_text().split("outputs:")[0], re.MULTILINE))
    handed = dict(re.findall(r"(\w+): \$\{\{ inputs\.([a-z0-9-]+) \}\}", (ACTION / "action.yml").read_text()))
    assert set(handed.values()) == declared
    assert all(name == value.upper().replace("-", "_") for name, value in handed.items())


# From a release.


def test_a_release_with_the_right_sum_is_on_the_path(runner):
    total = sha256(runner.release())
    status, text, outputs = runner(VERSION="1.2.3", SHA256=total)
    assert status == 0 and runs(outputs), text
    assert outputs["sha256"] == total
    assert "wheelrun 1.2.3" in text


def test_a_wrong_sum_is_refused_and_nothing_is_unpacked(runner):
    runner.release()
    assert refused(runner(VERSION="1.2.3", SHA256="0" * 64), f"{ARCHIVE} is not what was pinned or built")
    assert runner.unpacked() == []


def test_a_download_that_fails_is_refused(runner):
    assert refused(runner(VERSION="9.9.9", SHA256="0" * 64), "could not download https://github.com/ROCm/wheelwright")


@pytest.mark.parametrize("unzips_by", ["unzip", "python3", "python"])
def test_a_wheel_is_taken_from_where_the_url_says(runner, unzips_by):
    wheel = runner.wheel()
    if unzips_by == "unzip":
        runner.tool("unzip", UNZIP)
    else:
        runner.tool(unzips_by, f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    url = f"https://index.example/packages/{WHEEL}"
    status, text, outputs = runner(VERSION="1.2.3", URL=url, SHA256=sha256(wheel))
    assert status == 0 and runs(outputs), text
    assert runner.asked() == [url]


def test_a_wheel_of_another_sum_is_refused(runner):
    runner.wheel()
    runner.tool("unzip", "#!/bin/sh\nexit 99\n")
    url = f"https://index.example/packages/{WHEEL}"
    assert refused(runner(VERSION="1.2.3", URL=url, SHA256="0" * 64), f"{WHEEL} is not what was pinned or built")
    assert runner.unpacked() == []


def test_a_machine_that_cannot_unpack_a_wheel_says_what_else_to_pin(runner):
    url = f"https://index.example/packages/{WHEEL}"
    answer = runner(VERSION="1.2.3", URL=url, SHA256=sha256(runner.wheel()))
    if not list(Path("/opt/python").glob("cp3*/bin/python")):
        assert refused(answer, "there is neither unzip nor a Python")


def test_a_file_without_the_program_is_refused(runner):
    runner.archive(runner.folder / "served/mirror.example/other.tar.gz", ["wheelwright"])
    total = sha256(runner.folder / "served/mirror.example/other.tar.gz")
    answer = runner(VERSION="1.2.3", URL="https://mirror.example/other.tar.gz", SHA256=total)
    assert refused(answer, "other.tar.gz holds no wheelrun")


def test_a_program_that_does_not_run_here_is_refused(runner):
    runner.write(runner.folder / "payload/wheelrun", "\x7fELF of another machine", 0o755)
    assert refused(runner(VERSION="1.2.3", SHA256=sha256(runner.release())), "does not run here")


# From a job of the run.


def test_what_the_run_built_is_taken_with_its_sum(runner):
    archive = runner.archive(runner.folder / ".wheelrun/wheelrun.tar.gz")
    status, text, outputs = runner(ARCHIVE=".wheelrun/wheelrun.tar.gz", SHA256=sha256(archive))
    assert status == 0 and runs(outputs), text
    assert not archive.exists(), "nothing is left in the checkout"
    assert runner.asked() == []


def test_an_artifact_that_was_swapped_is_refused(runner):
    archive = runner.archive(runner.folder / ".wheelrun/wheelrun.tar.gz")
    total = sha256(archive)
    runner.write(runner.folder / "payload/wheelrun", "#!/bin/sh\necho evil\n", 0o755)
    swapped = sha256(runner.archive(archive))
    answer = runner(ARCHIVE=".wheelrun/wheelrun.tar.gz", SHA256=total)
    assert refused(answer, f"wheelrun.tar.gz is not what was pinned or built: its SHA-256 is {swapped}, not {total}")
    assert "evil" not in answer[1]
    assert runner.unpacked() == []


@pytest.mark.parametrize("total, message", [("", "has given no sha256"), ("abc", "sha256 must be 64")])
def test_an_artifact_without_a_sum_is_refused(runner, total, message):
    runner.archive(runner.folder / "wheelrun.tar.gz")
    assert refused(runner(ARCHIVE="wheelrun.tar.gz", SHA256=total), message)
    assert runner.unpacked() == []


def test_an_artifact_that_is_not_there_is_named(runner):
    assert refused(runner(ARCHIVE="wheelrun.tar.gz", SHA256="0" * 64), "there is no file wheelrun.tar.gz")


# From source.


def test_what_is_built_is_kept_for_other_jobs(runner):
    runner.sources()
    status, text, outputs = runner(FROM_SOURCE="true", ARCHIVE="kept/wheelrun.tar.gz")
    assert status == 0 and runs(outputs), text
    kept = runner.folder / "kept/wheelrun.tar.gz"
    assert outputs["sha256"] == sha256(kept)
    assert (runner.folder / "sources/calls.txt").read_text() == f"build-static {kept}\n"
    # In another job.
    status, text, outputs = runner(ARCHIVE=str(kept), SHA256=outputs["sha256"])
    assert status == 0 and runs(outputs), text


def test_what_is_kept_is_not_built_again(runner):
    archive = runner.archive(runner.folder / "wheelrun.tar.gz")
    status, text, outputs = runner(FROM_SOURCE="true", ARCHIVE="wheelrun.tar.gz")
    assert status == 0 and runs(outputs), text
    assert outputs["sha256"] == sha256(archive)


def test_from_source_keeps_nothing_where_nobody_asks(runner):
    runner.sources()
    status, text, outputs = runner(FROM_SOURCE="true")
    assert status == 0 and runs(outputs), text
    assert sorted(path.name for path in runner.folder.glob("*")) == [
        "bin", "output", "path", "payload", "served", "sources", "temp"]


def test_sources_that_do_not_compile_are_an_error(runner):
    runner.sources()
    assert refused(runner(FROM_SOURCE="true", BROKEN="1"), "the sources of wheelwright in 'sources' do not compile")


def test_a_repository_without_the_sources_is_told_what_to_pin(runner):
    (runner.folder / "sources").mkdir()
    answer = runner(FROM_SOURCE="true")
    assert refused(answer, "'sources' does not hold the sources of wheelwright: pin a release, or name the commit")
    assert "settings.wheelrun in matrix/settings.yml" in answer[1]


# Windows, and invalid combinations.

UNZIP = f'#!/bin/sh\n"{sys.executable}" -m zipfile -e "$2" "$4"\n'
FOR_WINDOWS = """#!/bin/sh
test "$1" = build-static && cd "$PAYLOAD" && "{python}" -m zipfile -c "$2" wheelrun.exe
"""
UNAME = '#!/bin/sh\ncase $1 in -s) echo MINGW64_NT-10.0-20348 ;; *) echo x86_64 ;; esac\n'


def on_windows(runner):
    (runner.folder / "bin/uname").unlink()
    runner.tool("uname", UNAME)
    runner.tool("cygpath", "#!/bin/sh\necho \"D:\\\\$(basename \"$2\")\"\n")
    (runner.folder / "bin/basename").symlink_to(shutil.which("basename"))


def test_on_windows_nothing_is_built(runner):
    on_windows(runner)
    runner.sources()
    assert refused(runner(FROM_SOURCE="true"), "from-source builds on Linux, for Windows too")


def test_what_is_built_for_windows_is_installed_there_alone(runner):
    (runner.folder / "payload/wheelrun").rename(runner.folder / "payload/wheelrun.exe")
    runner.sources()
    runner.write(runner.folder / "sources/dev", FOR_WINDOWS.format(python=sys.executable), 0o755)
    status, text, outputs = runner(FROM_SOURCE="true", ARCHIVE="kept/wheelrun_windows.zip")
    kept = runner.folder / "kept/wheelrun_windows.zip"
    assert status == 0 and outputs == {"sha256": sha256(kept)}, text
    assert (runner.folder / "path").read_text() == "" and runner.unpacked() == []
    on_windows(runner)
    runner.tool("unzip", UNZIP)
    status, text, outputs = runner(ARCHIVE=str(kept), SHA256=outputs["sha256"])
    assert status == 0 and outputs["directory"] == "D:\\wheelrun", text


def test_a_release_without_a_file_for_the_platform_says_which_row_lacks_it(runner):
    on_windows(runner)
    assert refused(runner(VERSION="1.2.3"), "no file for windows is pinned: put its SHA-256 into digests")
    assert runner.asked() == []


def test_a_release_for_windows_is_a_zip(runner):
    on_windows(runner)
    runner.tool("unzip", UNZIP)
    path = runner.folder / "served" / RELEASES / "wheelwright-1.2.3-windows-x86_64.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(runner.folder / "payload/wheelrun", "wheelrun.exe")
    status, text, outputs = runner(VERSION="1.2.3", SHA256=sha256(path))
    assert status == 0, text
    assert outputs["directory"] == "D:\\wheelrun"


@pytest.mark.parametrize(
    "inputs, message",
    [
        ({"VERSION": "latest", "SHA256": "0" * 64}, "version must look like 1.2.3"),
        ({"VERSION": "v1.2.3", "SHA256": "0" * 64}, "version must look like 1.2.3, without the v of a tag, not 'v1.2.3'"),
        ({"VERSION": "../1.2.3", "SHA256": "0" * 64}, "version must look like 1.2.3"),
        ({"VERSION": "1.2.3", "ARCHIVE": "x.tar.gz", "SHA256": "0" * 64}, "a version and an archive are two ways"),
        ({"FROM_SOURCE": "yes"}, "from-source must be true or false"),
        ({"FROM_SOURCE": "true", "VERSION": "1.2.3"}, "from-source takes neither version nor url"),
        ({"FROM_SOURCE": "true", "SHA256": "0" * 64}, "from-source takes no sha256"),
        ({}, "give a version, an archive, or from-source: true"),
    ],
)
def test_a_wrong_input_is_named(runner, inputs, message):
    assert refused(runner(**inputs), message)


def test_the_verifier_is_installed_by_hashes_and_is_alone_on_the_path(runner):
    def inputs():
        archive = runner.archive(runner.folder / "x.tar.gz")
        return {"ARCHIVE": "x.tar.gz", "SHA256": sha256(archive), "VERIFIER": "true"}
    for tool in ("ln", "sed"):
        (runner.folder / "bin" / tool).symlink_to(shutil.which(tool))
    runner.tool("python3", """#!/bin/sh
for folder; do :; done
mkdir -p "$folder/bin"
printf '#!/bin/sh\\necho "$*" >pip.txt\\n' >"$folder/bin/pip"
chmod +x "$folder/bin/pip"
""")
    status, text, _ = runner(**inputs())
    assert status == 0, text
    said = (runner.folder / "pip.txt").read_text()
    assert "--require-hashes" in said and said.split()[-1] == str(ACTION / "verifier.txt")
    folder = runner.folder / "temp/verifier/bin"
    assert (runner.folder / "path").read_text().splitlines()[-1] == str(folder)
    assert [path.name for path in folder.iterdir()] == ["sigstore"]
    wanted = re.search(r"^sigstore==(\S+)", (ACTION / "verifier.txt").read_text(), re.MULTILINE).group(1)
    runner.tool("sigstore", f"#!/bin/sh\necho sigstore {wanted}\n")
    (runner.folder / "pip.txt").unlink()
    assert "is there already" in runner(**inputs())[1] and not (runner.folder / "pip.txt").exists()


def test_a_release_has_an_archive_for_each_architecture(runner):
    (runner.folder / "bin/uname").unlink()
    runner.tool("uname", "#!/bin/sh\ncase $1 in -s) echo Linux ;; *) echo aarch64 ;; esac\n")
    assert refused(runner(VERSION="1.2.3", SHA256="0" * 64), "could not download https://")
    assert runner.asked() == [f"https://{RELEASES}/wheelwright-1.2.3-linux-aarch64.tar.gz"]


def test_a_machine_that_wheelrun_does_not_run_on_is_named(runner):
    (runner.folder / "bin/uname").unlink()
    runner.tool("uname", '#!/bin/sh\ncase $1 in -s) echo Darwin ;; *) echo arm64 ;; esac\n')
    assert refused(runner(FROM_SOURCE="true"), "wheelrun does not run on Darwin on arm64")
