"""Commands that write, killed at random moments. Files under their final names are complete, and a repeated command has
the same result as one that was never killed. ATTACK_KILLS is the number of kills of all commands together."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import s3_server as s3
import wheelrun as runner
from lying_server import Server

KILLS = int(os.environ.get("ATTACK_KILLS", "40"))
FAMILY = "gfx1151"
VERSION = "2.10.0"
GENERATOR = os.environ.get("WHEELWRIGHT", str(runner.ROOT / "build/wheelwright"))


@dataclass
class Command:
    words: list
    folder: Path  # what it writes to
    program: str = runner.PROGRAM
    cwd: Path = runner.ROOT
    env: dict = None
    server: object = None


def wheels(folder):
    for number, project in enumerate(("torch", "triton", "torchaudio", "apex")):
        s3.make_wheel(folder, project, VERSION, 300_000, seed=number)
    return folder


def upload(tmp_path):
    return Command(["upload", wheels(tmp_path / "dist"), "--family", FAMILY, "--platform", "linux", "--release-type",
                    "nightly", "--output-dir", tmp_path / "store"], tmp_path / "store")


def upload_to_a_bucket(tmp_path):
    server = Server({}, "therock-dev-python")
    return Command(["upload", wheels(tmp_path / "dist"), "--family", FAMILY, "--platform", "linux", "--bucket",
                    "therock-dev-python"], tmp_path / "store", env=s3.variables(server.url), server=server)


def artifacts(tmp_path):
    build = tmp_path / "build"
    (build / "logs").mkdir(parents=True)
    (build / "artifacts").mkdir()
    draw = random.Random(1)
    for i in range(8):
        (build / f"artifacts/c{i}_lib_generic.tar.xz").write_bytes(draw.randbytes(200_000))
        (build / f"logs/{i}.log").write_text("line\n" * 10_000)
    return Command(["upload", build, "--kind", "artifacts", "--platform", "linux", "--artifact-group", FAMILY, "--run-id",
                    "7", "--output-dir", tmp_path / "store"], tmp_path / "store")


def index(tmp_path):
    wheels(tmp_path / "store")
    for number in range(20):
        s3.make_wheel(tmp_path / "store", f"demo{number}", VERSION, 100)
    return Command(["index", "--output-dir", tmp_path / "store"], tmp_path / "store")


def promote(tmp_path):
    staged = wheels(tmp_path / f"store/v2-staging/{FAMILY}")
    sums = {path.name: s3.sha256(path) for path in staged.glob("*.whl")}
    return Command(["promote", "--platform", "linux", "--family", FAMILY, "--output-dir", tmp_path / "store",
                    "--release-type", "nightly", "--wheels", json.dumps(sums), "--build-result", "success",
                    "--test-results", f"{FAMILY}=success"], tmp_path / "store", env={"GITHUB_REF_NAME": "main"})


def yank(tmp_path):
    wheels(tmp_path / "store")
    name = next(path.name for path in (tmp_path / "store").glob("torch-*.whl"))
    return Command(["index", "yank", name, "--reason", "it is broken", "--output-dir", tmp_path / "store"],
                   tmp_path / "store")


def fetch(tmp_path):
    archives = tmp_path / "archives"
    archives.mkdir()
    draw = random.Random(1)
    for i in range(6):
        source = tmp_path / f"source{i}"
        source.mkdir()
        for file in range(5):
            (source / f"{file}.bin").write_bytes(draw.randbytes(100_000))
        with tarfile.open(archives / f"c{i}_lib_generic.tar.gz", "w:gz") as archive:
            archive.add(source, arcname=".")
        shutil.rmtree(source)
    return Command(["fetch", "artifacts", "--platform", "linux", "--artifact-group", FAMILY, "--archives", archives,
                    "--output-dir", tmp_path / "out"], tmp_path / "out")


def generate(tmp_path):
    return Command(["generate", "--root", runner.ROOT, "--out", tmp_path / "out"], tmp_path / "out", program=GENERATOR)


COMMANDS = [upload, upload_to_a_bucket, artifacts, index, promote, yank, fetch, generate]


def contents(command):
    """File contents by name, without metadata of the folder store and unfinished files."""
    if command.server is not None:
        return {key: thing.data for key, thing in command.server.things.items()}
    return {str(path.relative_to(command.folder)): path.read_bytes() for path in sorted(command.folder.rglob("*"))
            if path.is_file() and not path.is_symlink() and not unfinished(path.relative_to(command.folder))}


def unfinished(path):
    return ".objects" in path.parts or ".unpacking" in path.parts or path.name.startswith(".") or path.name.endswith(
        (".part", ".tmp"))


def comparable(name, data):
    """Uploads store their time; pages contain it and the versions of files."""
    text = re.sub(rb'"_?(upload-time|version|metadata_version|_version|_metadata_version|html|find_links)": ?"[^"]*",?\n?',
                  b"", data)
    return text if name.endswith((".json", ".html")) else data


def start(command):
    return subprocess.Popen([command.program, *map(str, command.words)], cwd=command.cwd,
                            env=runner.environment(command.env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(command):
    done = subprocess.run([command.program, *map(str, command.words)], cwd=command.cwd,
                          env=runner.environment(command.env), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, (done.stdout[-1000:], done.stderr[-2000:])


@pytest.mark.parametrize("make", COMMANDS, ids=lambda make: make.__name__.replace("_", " "))
def test_a_killed_command_leaves_nothing_half(tmp_path, make):
    (tmp_path / "right").mkdir()
    right = make(tmp_path / "right")
    began = time.monotonic()
    run(right)
    took = time.monotonic() - began
    expected = {name: comparable(name, data) for name, data in contents(right).items()}
    assert expected
    draw, killed = random.Random(5), 0
    rounds = max(2, KILLS // len(COMMANDS))
    (tmp_path / "killed").mkdir()
    command = make(tmp_path / "killed")
    for number in range(rounds):
        process = start(command)
        time.sleep(draw.uniform(0, took * 1.1))
        process.send_signal(draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        killed += process.wait() != 0
        for name, data in contents(command).items():
            if name.endswith((".json", ".html")) and make in (index, upload, promote, upload_to_a_bucket, yank):
                continue  # a page of fewer files, until all exist
            assert comparable(name, data) == expected.get(name), f"{name} is incomplete after kill {number}"
        if number % 8 == 7 or number == rounds - 1:
            run(command)
            again = {name: comparable(name, data) for name, data in contents(command).items()}
            assert sorted(again) == sorted(expected)
            for name, data in again.items():
                if not name.endswith((".json", ".html")):
                    assert data == expected[name], name
            if command.server is None and number < rounds - 1 and make not in (index, promote):
                shutil.rmtree(command.folder)
                shutil.rmtree(tmp_path / "killed")
                (tmp_path / "killed").mkdir()
                command = make(tmp_path / "killed")
            elif command.server is not None:
                command.server.things.clear()
    for one in (right, command):
        if one.server is not None:
            one.server.close()
    print(f"{make.__name__}: {killed} of {rounds} were killed on the way")
