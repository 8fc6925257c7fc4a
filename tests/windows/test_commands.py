"""Commands whose programs Wine lacks: git and tar of this machine, and Visual Studio's stand-ins."""

import json
import shutil
import zipfile

import host_programs
import pytest
import rocm_world as world
import setup_shapes
import visual_studio
from host_programs import windows_path
from pytorch_world import make_world
from wheelrun import wheelrun
from windows_python import compile_packages

FAMILY, TARGET = "gfx1151", "gfx1151"
LONG = "/".join(["a_folder_with_a_rather_long_name_of_fifty_characters"] * 5)


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    with host_programs.serving(git=host_programs.git, ninja=ninja, **visual_studio.PROGRAMS) as server:
        server.path = server.install(tmp_path_factory.mktemp("tools"), "git", "ninja")
        yield server


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """PyTorch's sources, with a path that is longer than Windows takes by itself, and a link."""
    made = make_world(tmp_path_factory.mktemp("world"))
    made.git("rocm_pytorch", "checkout", "--quiet", "release/2.10")
    repository = made.repositories["rocm_pytorch"]
    (repository / "link.cu").symlink_to("aten/kernel.cu")
    commit = made.commit("rocm_pytorch", {f"{LONG}/kernel.cu": "cudaError_t status;\n"})
    made.commits["torch_210"] = {"torch": commit, **{name: made.commits["torch_210"][name] for name in ("torchaudio", "torchvision")}}
    # As git for Windows where the user may not make links.
    config = made.folder / "gitconfig"
    config.write_text(config.read_text(encoding="utf-8") + "[core]\n\tsymlinks = false\n", encoding="utf-8")
    return made


def test_a_checkout_has_long_paths_and_links_that_may_not_be_made(host, sources, tmp_path, machine_python):
    env = {**sources.environment, "GIT_AUTHOR_DATE": "", "HOST_PROGRAMS": str(host.port), "WINEPATH": host.path,
           "WHEELRUN_PYTHON": windows_path(machine_python / "python.exe")}

    def checkout():
        done = wheelrun("checkout", "--root", tmp_path, "--torch-ref", "release/2.10", "--commits",
                        json.dumps(sources.commits["torch_210"]), env=env)
        assert done.status == 0, done.stdout + done.stderr
        return done.stderr

    checkout()
    folder = tmp_path / "pytorch"
    assert len(str(folder / LONG)) > 300
    assert "hip" in (folder / LONG / "kernel.hip").read_text(encoding="utf-8")
    link = folder / "link.cu"
    assert link.is_file() and not link.is_symlink()
    assert sources.git(folder, "ls-tree", "HEAD", "link.cu").startswith("120000 blob ")
    assert sources.git(folder, "status", "--porcelain") == ""
    assert "already" in checkout()


@pytest.fixture(scope="module")
def python(tmp_path_factory, machine_python):
    """A Python with ROCm, without the half minute that pip takes to install it."""
    folder = tmp_path_factory.mktemp("python") / "python"
    shutil.copytree(machine_python, folder)
    packages = folder / "Lib/site-packages"
    rocm = world.make_rocm(tmp_path_factory.mktemp("rocm"), targets=[TARGET], family=FAMILY)
    shutil.unpack_archive(next(rocm.glob("rocm-*.tar.gz")), rocm)
    (unpacked,) = rocm.glob(f"rocm-{world.VERSION}")
    shutil.copytree(unpacked / "rocm_sdk", packages / "rocm_sdk")
    for wheel in [*rocm.glob("*.whl"), *world.wheelhouse().glob("*.whl")]:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
    compile_packages(folder)
    return folder


@pytest.fixture
def triton(tmp_path):
    """The words of a build of triton, by a plan in which it is built for Windows."""
    plan = json.loads((world.ROOT / "generated-workflows/plan.json").read_text(encoding="utf-8"))
    plan["platforms"]["windows"]["packages"].append("triton")
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return ["build", "triton", "--root", tmp_path / "src", "--family", FAMILY, "--versions",
            json.dumps({"triton": world.VERSIONS["triton"]}), "--output-dir", tmp_path / "dist", "--plan", tmp_path / "plan.json"]


def ninja(words, _):
    assert words == ["--version"]
    return ["echo", "1.13.1"], {}


def test_triton_is_built_in_the_environment_of_visual_studio(host, python, triton, tmp_path):
    root = world.make_projects(tmp_path / "src")
    (root / "triton/setup.py").write_text(
        (root / "triton/setup.py").read_text(encoding="utf-8") +
        'assert os.environ["VSCMD_ARG_TGT_ARCH"] == "x64" and os.environ["VCToolsInstallDir"].endswith("\\\\14.44.35207\\\\")\n'
        'assert os.environ["CC"].endswith("/lib/llvm/bin/clang-cl.exe")\n', encoding="utf-8")
    visual_studio.install(host)
    try:
        done = wheelrun(*triton, env={
                             **world.pip_environment(), "PIP_FIND_LINKS": windows_path(world.wheelhouse()),
                             "HOST_PROGRAMS": str(host.port), "WINEPATH": host.path,
                             "WHEELRUN_PYTHON": windows_path(python / "python.exe")})
    finally:
        visual_studio.remove()
    assert done.status == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.endswith("-cp311-cp311-win_amd64.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert any(name.endswith(".pyd") for name in archive.namelist())
    assert [name for name, _ in host.runs].count("vswhere") == 1


def test_without_visual_studio_nothing_is_built(python, triton, tmp_path):
    (tmp_path / "src/triton").mkdir(parents=True)
    done = wheelrun(*triton, env={"WHEELRUN_PYTHON": windows_path(python / "python.exe")})
    assert done.status == 1, done.stdout + done.stderr
    assert "find Visual Studio failed" in done.stderr, done.stderr


@pytest.fixture(scope="module")
def environment(tmp_path_factory, python):
    """A virtual environment with a small torch, without the minute that pip takes for it."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    (folder / "Scripts").mkdir(parents=True)
    shutil.copy(python / "Lib/venv/scripts/nt/python.exe", folder / "Scripts/python.exe")
    (folder / "pyvenv.cfg").write_text(f"home = {windows_path(python)}\ninclude-system-site-packages = true\n", encoding="utf-8")
    packages = folder / "Lib/site-packages"
    files = {path: text for path, text in world.torch_files().items() if path.startswith("torch/")}
    files["torch/__init__.py"] = 'from . import cuda\n__version__ = "2.10.0"\n'
    world.write(packages, {**files, "torch-2.10.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: torch\nVersion: 2.10.0\n"})
    return folder


def test_results_count_if_the_process_does_not_end(environment, tmp_path):
    plan = json.loads((world.ROOT / "generated-workflows/plan.json").read_text(encoding="utf-8"))
    plan["test_levels"]["full"].update(files=["test_end.py"], minutes=3, packages=[])
    plan["test_skips"] = []
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    world.write(tmp_path / "src/pytorch/test", {"test_end.py": "import threading, time\n"
                                                "threading.Thread(target=time.sleep, args=(300,)).start()\n"
                                                "def test_quick():\n    pass\n"})
    done = wheelrun("test", "--venv", environment, "--family", FAMILY, "--level", "full", "--only", "--time-limit", 20,
                    "--root", tmp_path / "src", "--plan", tmp_path / "plan.json", "--torch-ref", "release/2.10",
                    env={"WORLD_GPUS": TARGET})
    assert done.status == 0, done.stdout + done.stderr
    assert "all tests passed, but the process did not exit" in done.stderr
