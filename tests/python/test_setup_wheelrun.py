"""The composite action's script, with a curl that serves a folder."""

import hashlib
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / ".github/actions/setup-wheelrun/setup.sh"

CURL = """#!/usr/bin/env bash
# Takes the last argument's file name from $SERVED; writes where --output says.
while (($#)); do
  if [[ $1 == --output ]]; then output=$2; fi
  last=$1
  shift
done
cp "$SERVED/${last##*/}" "$output" || exit 22
"""


@pytest.fixture
def runner(tmp_path):
    """Calls the script as a runner does; gives the exit status, the text and what it put on the PATH."""
    served = tmp_path / "served"
    for folder in ("bin", "temp", "served", "payload"):
        (tmp_path / folder).mkdir()
    (tmp_path / "bin/curl").write_text(CURL)
    (tmp_path / "bin/curl").chmod(0o755)
    tool = tmp_path / "payload/wheelrun"
    tool.write_text("#!/bin/sh\necho hello\n")
    tool.chmod(0o755)
    with tarfile.open(served / "wheelwright-1.2.3-linux-x86_64.tar.gz", "w:gz") as archive:
        archive.add(tool, "wheelrun")

    def run(**inputs):
        environment = {
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            "SERVED": str(served),
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "GITHUB_PATH": str(tmp_path / "path"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "VERSION": "",
            "SHA256": "",
            "FROM_SOURCE": "false",
            "SOURCE_DIRECTORY": str(tmp_path),
            "RELEASES_URL": "https://example.invalid",
            **inputs,
        }
        result = subprocess.run(
            ["bash", str(SCRIPT)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        path = tmp_path / "path"
        return result.returncode, result.stdout, path.read_text().strip() if path.exists() else None

    run.sum = hashlib.sha256((served / "wheelwright-1.2.3-linux-x86_64.tar.gz").read_bytes()).hexdigest()
    return run


def test_a_release_with_the_right_sum_is_on_the_path(runner):
    status, _, path = runner(VERSION="1.2.3", SHA256=runner.sum)
    assert status == 0
    assert subprocess.check_output([f"{path}/wheelrun"]) == b"hello\n"


def test_a_wrong_sum_is_refused_and_nothing_is_unpacked(runner, tmp_path):
    status, text, path = runner(VERSION="1.2.3", SHA256="0" * 64)
    assert status == 1
    assert "does not have the SHA-256" in text
    assert path is None
    assert not list((tmp_path / "temp").glob("*/wheelrun"))


def test_a_download_that_fails_is_refused(runner):
    status, text, path = runner(VERSION="9.9.9", SHA256=runner.sum)
    assert (status, path) == (1, None)
    assert "could not download wheelwright-9.9.9-linux-x86_64.tar.gz" in text


@pytest.mark.parametrize(
    "inputs, message",
    [
        ({"VERSION": "", "SHA256": "0" * 64}, "version must look like 1.2.3"),
        ({"VERSION": "../1.2.3", "SHA256": "0" * 64}, "version must look like 1.2.3"),
        ({"VERSION": "1.2.3", "SHA256": "abc"}, "sha256 must be 64"),
        ({"FROM_SOURCE": "yes"}, "from-source must be true or false"),
        ({"FROM_SOURCE": "true"}, "does not hold the sources"),
    ],
)
def test_a_wrong_input_is_named(runner, inputs, message):
    status, text, path = runner(**inputs)
    assert (status, path) == (1, None)
    assert message in text


def test_from_source_builds_in_the_checkout(runner, tmp_path):
    (tmp_path / "dev").write_text("#!/bin/sh\nmkdir -p build && touch build/$1\n")
    (tmp_path / "dev").chmod(0o755)
    status, _, path = runner(FROM_SOURCE="true")
    assert status == 0
    assert path == str(tmp_path / "build")
    assert (tmp_path / "build/build").exists()
