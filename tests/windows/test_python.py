"""A real CPython for Windows: its selection, its virtual environments, and builds with it."""

import json
import os
import subprocess
import zipfile

import pytest
import rocm_world as world
from host_programs import ROOT, install_uv, windows_path
from wheelrun import in_job, wheelrun

WINE = ROOT / "packaging/windows/wine.sh"


@pytest.fixture
def python(machine_python):
    return windows_path(machine_python / "python.exe")


@pytest.fixture
def env(python, tmp_path):
    links = windows_path(world.wheelhouse())
    return {**world.pip_environment(), "PIP_FIND_LINKS": links, "WHEELRUN_PYTHON": python,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "UV_FIND_LINKS": links, "UV_OFFLINE": "1",
            "UV_CACHE_DIR": windows_path(tmp_path / "cache")}


def test_python_is_found_in_the_tool_cache(tmp_path, machine_python):
    place = tmp_path / "tools/Python/3.11.3"
    place.mkdir(parents=True)
    (place / "x64").symlink_to(machine_python)
    done = in_job(tmp_path, "python", "select", "--version", "3.11",
                  env={"RUNNER_TOOL_CACHE": windows_path(tmp_path / "tools").replace("/", "\\")})
    assert done.status == 0, done.stdout + done.stderr
    assert done.outputs["cp_version"] == "cp311-cp311"
    assert done.outputs["python"].endswith("/python.exe") and "\\" not in done.outputs["python"]
    other = wheelrun("python", "select", "--version", "3.12", env={"RUNNER_TOOL_CACHE": windows_path(tmp_path / "tools")})
    assert other.status == 1 and "there is no Python 3.12" in other.stderr


def test_python_is_found_on_the_path(tmp_path, machine_python, python):
    done = in_job(tmp_path, "python", "select", "--version", "3.11", env={"WINEPATH": windows_path(machine_python)})
    assert done.status == 0, done.stdout + done.stderr
    assert done.outputs["python"] == python


def test_an_environment_has_what_was_asked_for(tmp_path, env):
    """By pip; elsewhere it is uv."""
    folder, version = tmp_path / "environment", world.VERSIONS["torch"]
    dist = world.make_rocm(tmp_path / "dist", targets=["gfx1151"], family="gfx1151")
    wheel = world.make_wheel(dist, "torch", version, {"torch/__init__.py": ""}, tag="cp311-cp311-win_amd64",
                             requires=[f"rocm[libraries]=={world.VERSION}", "typing_extensions"])
    done = in_job(tmp_path, "venv", folder, "--installer", "pip", "--family", "gfx1151", "--torch-version", version, "--wheels",
                  json.dumps({wheel.name: world.sha256(wheel)}), "--activate", "--find-links", windows_path(dist), env=env)
    assert done.status == 0, done.stdout + done.stderr
    assert [path.rpartition("/")[2] for path in done.path] == ["Scripts"]
    asked = subprocess.run([WINE, folder / "Scripts/python.exe", "-c", "import torch, rocm_sdk_libraries, typing_extensions as t; print(t.__file__)"],
                           capture_output=True, text=True, check=True)
    assert f"\\{folder.name}\\lib\\site-packages\\" in asked.stdout.lower()


def test_a_wheel_is_built_from_source_checked_and_installed(tmp_path, python, env):
    source = tmp_path / "source"
    (source / "demo").mkdir(parents=True)
    (source / "demo/__init__.py").write_text("place = __file__\n", encoding="utf-8")
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "demo"\nversion = "1.0"\n[tool.setuptools]\npackages = ["demo"]\n', encoding="utf-8")
    dist = tmp_path / "dist"
    env["WINEPATH"] = install_uv(tmp_path / "uv")
    subprocess.run([WINE, tmp_path / "uv/uv.exe", "build", "--wheel", "--python", python, "--out-dir", windows_path(dist), windows_path(source)],
                   env={**os.environ, **env}, check=True, capture_output=True)
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert "demo/__init__.py" in archive.namelist()
    checked = wheelrun("wheel", "check", wheel)
    assert checked.status == 0, checked.stdout + checked.stderr
    done = wheelrun("venv", tmp_path / "fresh", "--installer", "uv", "--packages", "demo==1.0", "--find-links", windows_path(dist),
                    env=env)
    assert done.status == 0, done.stdout + done.stderr
    said = subprocess.run([WINE, tmp_path / "fresh/Scripts/python.exe", "-c", "import demo; print(demo.place)"],
                          capture_output=True, text=True, check=True)
    assert "fresh" in said.stdout
