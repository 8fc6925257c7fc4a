"""Commands that run git, pip, venv and builds, killed at random moments with their child processes. The repeated
command succeeds, and incomplete results are never accepted. ATTACK_KILLS counts as in test_kills.py, for a fifth: these
commands take seconds."""

import importlib.metadata
import json
import os
import random
import shutil
import signal
import subprocess
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import rocm_world as world
import wheelrun as runner
from pytorch_world import make_world
from rocm_world import FAMILY, VERSION, VERSIONS

KILLS = int(os.environ.get("ATTACK_KILLS", "40")) // 5


@dataclass
class Command:
    words: list
    env: dict = field(default_factory=dict)
    half: object = lambda: None  # asserts that the state after a kill does not look complete
    whole: object = lambda: None  # the result of a success
    reset: object = lambda: None  # restores the initial state


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    class Shop:
        folder = tmp_path_factory.mktemp("shop")
        sources = make_world(folder / "world")
        packages = world.make_rocm(folder / "rocm")
        python = world.make_python(folder / "python")
        env = {**world.pip_environment(), "WHEELRUN_PYTHON": str(python), "CCACHE_DIR": str(folder / "ccache")}

    run(Command(install_words(Shop), Shop.env))
    return Shop


def install_words(shop):
    return ["rocm", "install", "--family", FAMILY, "--version", VERSION, "--find-links", shop.packages]


def frozen(python):
    """What is installed, as pip lists it, but without the half second that a pip takes."""
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    return {one.name.replace("_", "-"): one.version for one in importlib.metadata.distributions(path=[str(packages)])}


def checkout(shop, tmp_path):
    root, git = tmp_path / "src", shop.sources.git
    words = ["checkout", "--root", root, "--torch-ref", "release/2.10", "--commits",
             json.dumps(shop.sources.commits["torch_210"])]

    def whole():
        found = {}
        for path in sorted(root.iterdir()):
            tags = git(path, "tag", "--list", "--format=%(refname:short) %(tree)%(*tree)")
            found[path.name] = (git(path, "rev-parse", "HEAD^{tree}"), git(path, "status", "--porcelain"), tags,
                                git(path, "submodule", "status", "--recursive"))
        assert found and all(not row[1] for row in found.values()), found
        return {name: (tree, sorted(line.split()[0] for line in tags.splitlines()), submodules.split("(")[0])
                for name, (tree, _, tags, submodules) in found.items()}

    return Command(words, shop.sources.environment, whole=whole, reset=lambda: shutil.rmtree(root, ignore_errors=True))


def rocm_install(shop, tmp_path):
    def reset():
        shutil.rmtree(tmp_path / "python")
        world.make_python(tmp_path / "python")

    return Command(*installation(shop, world.make_python(tmp_path / "python")), reset)


def installation(shop, python):
    """The words, variables and assertions of an installation into this interpreter."""
    sdk = python.with_name("rocm-sdk")

    def half():
        # This program exists only if the packages that it needs are complete.
        if sdk.exists():
            said = subprocess.run([sdk, "targets"], capture_output=True, text=True, check=False)
            assert said.returncode != 0 or said.stdout.split() == world.TARGETS

    def whole():
        checked = subprocess.run([python, "-m", "pip", "check"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout
        return {name: version for name, version in frozen(python).items() if name.startswith("rocm")}

    return install_words(shop), {**shop.env, "WHEELRUN_PYTHON": str(python)}, half, whole


def venv(shop, tmp_path):
    folder = tmp_path / "venv"
    words = ["venv", folder, "--clean", "--rocm-version", VERSION, "--rocm-extras", "libraries,devel", "--find-links",
             shop.packages, "--family", FAMILY, "--installer", "pip"]

    def half():
        # Without --clean, no command continues after a kill.
        if folder.exists():
            again = runner.wheelrun(*[word for word in words if word != "--clean"], env=shop.env)
            assert again.status == 2 and "'--clean' removes it first" in again.stderr, again.stderr

    return Command(words, shop.env, half, lambda: frozen(folder / "bin/python"))


def build(shop, tmp_path):
    root, dist = world.make_projects(tmp_path / "src"), tmp_path / "dist"
    words = ["build", "torch", "--root", root, "--family", FAMILY, "--versions",
             json.dumps({"torch": VERSIONS["torch"]}), "--output-dir", dist]

    def wheels():
        return sorted(dist.glob("*.whl")) if dist.exists() else []

    def half():
        for path in wheels():
            with zipfile.ZipFile(path) as archive:
                assert archive.testzip() is None

    def whole():
        half()
        return [path.name for path in wheels()]

    return Command(words, shop.env, half, whole, lambda: shutil.rmtree(dist, ignore_errors=True))


def acceptance(shop, tmp_path):
    folder, results = shop.python.parents[1], tmp_path / "results.xml"
    words = ["test", "--venv", folder, "--family", FAMILY, "--level", "rocm", "--junit", results]

    def half():
        assert not results.exists() or results.read_text().rstrip().endswith("</testsuites>")

    return Command(words, shop.env, half, lambda: frozen(folder / "bin/python"),
                   lambda: results.unlink(missing_ok=True))


COMMANDS = [checkout, rocm_install, venv, build, acceptance]


def start(command):
    return subprocess.Popen([runner.PROGRAM, *map(str, command.words)], env=runner.environment(command.env),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=runner.ROOT)


def run(command):
    done = runner.wheelrun(*command.words, env=command.env)
    assert done.status == 0, (done.stdout[-2000:], done.stderr[-3000:])


def descendants(pid):
    """The process and its descendants in its process groups."""
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:
                pass
    return found


def kill(process, how):
    """SIGTERM is sent only to the program, which ends its children; SIGKILL ends all of them at once, like a
    machine."""
    for pid in descendants(process.pid) if how == signal.SIGKILL else [process.pid]:
        try:
            os.kill(pid, how)
        except ProcessLookupError:
            pass
    process.wait(60)


@pytest.mark.parametrize("make", COMMANDS, ids=lambda make: make.__name__.replace("_", " "))
def test_a_killed_command_can_be_run_again(shop, tmp_path, make):
    command = make(shop, tmp_path)
    began = time.monotonic()
    run(command)
    took = time.monotonic() - began
    expected = command.whole()
    assert expected
    draw, killed = random.Random(7), 0
    rounds = max(2, KILLS // len(COMMANDS))
    for number in range(rounds):
        # After a complete run, after kills, and from the beginning.
        if number % 3 != 1:
            command.reset()
        process = start(command)
        time.sleep(draw.uniform(0, took))
        kill(process, draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        killed += process.returncode != 0
        command.half()
        if number % 3 == 2 or number == rounds - 1:
            run(command)
            assert command.whole() == expected
    print(f"{make.__name__}: {killed} of {rounds} were killed on the way")


def test_a_package_that_pip_had_not_finished_is_replaced(shop):
    """Killed between the files of a package and its RECORD, which is written last."""
    command = Command(*installation(shop, shop.python))
    expected = command.whole()
    records = [*shop.python.parents[1].glob("lib/python3*/site-packages/rocm*.dist-info/RECORD")]
    assert expected and len(records) == len(expected)
    for record in records:
        record.unlink()
    run(command)
    assert command.whole() == expected
    assert all(record.exists() for record in records)
