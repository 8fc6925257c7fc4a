"""All steps of a job: versions, sources, ROCm, wheels, their check, an environment, tests."""

import json
import shutil

import pytest
import rocm_world
from pytorch_world import make_world
from rocm_world import FAMILY, VERSION
from wheelrun import in_job

ROW = "torch_210"
# The rehearsal of a release runs the same steps, in jobs, with the newer ones.
OLDEST = next(version for version in ("3.10", "3.11", "3.12") if version in rocm_world.pythons())


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Repositories like the real ones; the PyTorch can be tested on a GPU."""
    world = make_world(tmp_path_factory.mktemp("world"))
    world.git("rocm_pytorch", "checkout", "--quiet", "release/2.10")
    world.commit("rocm_pytorch", {**rocm_world.torch_files(), "test/test_nn.py": "def test_linear():\n    pass\n"})
    plan = json.loads(world.plan.read_text(encoding="utf-8"))
    plan["test_levels"]["full"].update(files=["test_nn.py"], packages=["pytest==9.0.3"])
    world.plan.write_text(json.dumps(plan), encoding="utf-8")
    return world


def test_from_a_ref_to_tested_wheels(sources, tmp_path):
    packages = rocm_world.make_rocm(tmp_path / "rocm")
    python = rocm_world.make_python(tmp_path / "python", OLDEST)
    env = {**sources.environment, **rocm_world.pip_environment(), "WHEELRUN_PLAN": str(sources.plan),
           "PATH": f"{python.parent}:{sources.environment['PATH']}", "CCACHE_DIR": str(tmp_path / "ccache")}
    combo = f"py{OLDEST.replace('.', '')}_torch210"

    def step(*words, **more):
        done = in_job(tmp_path, *words, cwd=tmp_path, env={**env, **more})
        assert done.status == 0, f"{words}: {done.stdout}{done.stderr}"
        env.update(done.variables)
        return done

    resolved = step("resolve", "--set", "release", "--platform", "linux", "--family", FAMILY, "--rocm-version",
                    VERSION).outputs
    commits = json.dumps(json.loads(resolved["commits"])[ROW])
    versions = json.loads(resolved["versions"])[combo]
    selected = step("python", "select", "--version", OLDEST)
    assert selected.variables["WHEELRUN_PYTHON"] == str(python.with_name(f"python{OLDEST}"))
    step("rocm", "install", "--family", FAMILY, "--version", VERSION, "--find-links", packages, "--index-url", "")
    step("checkout", "--root", "src", "--torch-ref", "release/2.10", "--commits", commits)
    for project in ("triton", "torch", "torchaudio", "torchvision", "apex"):
        step("build", project, "--root", "src", "--family", FAMILY, "--versions", json.dumps(versions),
             "--output-dir", "dist")
    step("wheel", "check", "dist", "--platform", "linux", "--python", OLDEST, "--versions", json.dumps(versions))
    read = step("wheel", "versions", "dist").outputs
    assert read == {f"{project}_version": text for project, text in versions.items()}

    # Like `upload`: the run's folder has ROCm's packages and the wheels.
    wheels = {path.name: rocm_world.sha256(path) for path in sorted((tmp_path / "dist").glob("*.whl"))}
    for path in (tmp_path / "dist").glob("*.whl"):
        shutil.copy(path, packages)
    step("venv", ".venv", "--family", FAMILY, "--torch-version", read["torch_version"], "--wheels", json.dumps(wheels),
         "--index-url", "", "--find-links", packages)
    tested = step("test", "--venv", ".venv", "--root", "src", "--family", FAMILY, "--torch-ref", "release/2.10",
                  "--level", "full", WORLD_GPUS="gfx942:sramecc+:xnack-")
    assert "rocm passed, smoke passed, full passed; success" in tested.stdout
