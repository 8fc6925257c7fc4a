"""Runs generated jobs of the projects in examples/: their real steps, with the compilers of this machine."""

import hashlib
import tarfile
import zipfile

import pytest
import rocm_world
from example_stage import ExampleStage, fake_redis
from needs import need

VERSION = "1.2.0"  # of examples/cpp-library/CMakeLists.txt
# The part of PyTorch that the tests of examples/cuda-wheels use.
TORCH = """
class tensor(list):
    def __init__(self, values, device=None):
        super().__init__(values)
        assert device == "cuda"
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """examples/cpp-library. g++-14 is the g++ of this machine, and a fake valkey listens on another port."""
    need("cmake", "ninja", "g++", "cpack")
    with fake_redis() as (port, commands):
        edits = [("matrix/systems.yml", "port: 6379", f"port: {port}")]
        with ExampleStage(tmp_path_factory.mktemp("library"), "cpp-library", {"g++-14": "g++"}, edits) as stage:
            stage.commands = commands
            yield stage


def test_a_change_is_built_and_tested_with_a_sanitizer_and_a_service(library):
    job = "ubuntu_gcc_14_debug_address"
    library.only("ci.yml", job, "all")
    run = library.push("ci.yml", "refs/heads/main")
    assert {name: run.result(name) for name in (job, "all")} == {job: "success", "all": "success"}, run.shown()
    assert "-fsanitize=address" in run.jobs[job].text
    assert "2/2 Test" in run.jobs[job].text  # that of the service too
    assert library.commands == [["SET", "harbour", "5"]]


def test_a_tag_becomes_a_release_and_no_other_version_does(library):
    library.only("release.yml", "build_ubuntu", "publish")
    library.git("tag", "v9.9.9")
    run = library.push("release.yml", "refs/tags/v9.9.9")
    assert (run.result("build_ubuntu"), run.result("publish")) == ("failure", "skipped"), run.shown()
    library.git("tag", f"v{VERSION}")
    run = library.push("release.yml", f"refs/tags/v{VERSION}")
    assert (run.result("build_ubuntu"), run.result("publish")) == ("success", "success"), run.shown()
    files = {path.name: path for path in (library.folder / "releases" / f"v{VERSION}").iterdir()}
    archive = f"tidemark-{VERSION}-ubuntu.tar.gz"
    assert set(files) == {archive, "SHA256SUMS"}
    with tarfile.open(files[archive]) as packed:
        names = {name.split("/", 1)[1] for name in packed.getnames() if "/" in name}
    assert {"include/tidemark.h", "lib/libtidemark.a", "lib/cmake/tidemark/tidemark-config.cmake"} <= names


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """examples/cuda-wheels, with a Python of this machine and a fake PyTorch. There is no GPU: the built code runs on the
    CPU."""
    version = next(iter(rocm_world.pythons()))
    folder = tmp_path_factory.mktemp("wheels")
    edits = [("matrix/wheels.yml", 'python: ["3.12"]', f'python: ["{version}"]'),
             ("templates/workflows/release.yml", 'python-version: "3.12"', f'python-version: "{version}"')]
    with ExampleStage(folder, "cuda-wheels", {"nvidia-smi": "true"}, edits) as stage:
        rocm_world.make_python(folder / "pythons" / version, version)
        torch = folder / "torch-2.10.0+cu126-py3-none-any.whl"
        with zipfile.ZipFile(torch, "w") as wheel:
            wheel.writestr("torch.py", TORCH)
            wheel.writestr("torch-2.10.0+cu126.dist-info/METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 2.10.0+cu126\n")
            wheel.writestr("torch-2.10.0+cu126.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr("torch-2.10.0+cu126.dist-info/RECORD", "")
        stage.version, stage.id = version, f"linux_x86_64_cu126_torch210_py{version.replace('.', '')}"
        stage.pip = {**rocm_world.pip_environment(), "PIP_FIND_LINKS": f"{rocm_world.wheelhouse()} {folder}"}
        yield stage


def test_a_wheel_is_built_and_what_was_built_is_tested(wheels):
    names = {f"{kind}_{wheels.id}" for kind in ("build", "test")}
    wheels.only("ci.yml", *names)
    run = wheels.push("ci.yml", "refs/heads/main", machines=dict.fromkeys(names, wheels.pip))
    assert {name: run.result(name) for name in names} == dict.fromkeys(names, "success"), run.shown()
    built, tested = (run.jobs[name] for name in sorted(names))
    tag = f"cp{wheels.version.replace('.', '')}"
    assert built.outputs["wheel"] == f"ragged_ops_cu126_torch210-1.4.0-{tag}-none-manylinux_2_28_x86_64.whl"
    assert f"dist/{built.outputs['wheel']}: OK" in tested.text
    assert "Successfully installed torch-2.10.0+cu126" in tested.text
    assert "2 passed" in tested.text


def test_pypi_takes_tested_wheels_from_the_job_that_it_trusts_and_has_them_for_pip(wheels):
    names = {f"{kind}_{wheels.id}" for kind in ("build", "test")}
    wheels.only("release.yml", *names, "publish", "install")
    wheels.git("tag", "v1.4.0")
    wheels.trust()
    public = {"PIP_INDEX_URL": f"{wheels.url}/simple/", "PIP_CERT": str(wheels.index / "authority.pem")}
    run = wheels.push("release.yml", "refs/tags/v1.4.0", machines={**dict.fromkeys(names, wheels.pip), "install": public})
    names |= {"publish", "install"}
    assert {name: run.result(name) for name in names} == dict.fromkeys(names, "success"), run.shown()
    wheel, sha256 = (run.jobs[f"build_{wheels.id}"].outputs[name] for name in ("wheel", "sha256"))
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in wheels.index.glob("packages/*.whl")} == {
        wheel: sha256}
    assert [job for job, _ in wheels.asked()] == ["publish"]
    assert f"{wheel}: OK" in run.jobs["install"].text
