"""Installs ROCm, builds, installs and tests wheels with real pips, compilers and processes, on small projects
(rocm_world.py)."""

import json
import re
import shutil
import signal
import subprocess
import xml.etree.ElementTree as ET

import pytest
import rocm_world as world
import setup_shapes
from rocm_world import FAMILY, TARGETS, VERSION, VERSIONS
from wheelrun import PROGRAM, environment, in_job, wheelrun

ALL = json.dumps(VERSIONS)
TORCH = json.dumps({"torch": VERSIONS["torch"]})


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """ROCm packages, and an interpreter in which they are installed."""

    class Shop:
        folder = tmp_path_factory.mktemp("shop")
        packages = world.make_rocm(folder / "rocm")
        python = world.make_python(folder / "python")
        env = {**world.pip_environment(), "WHEELRUN_PYTHON": str(python), "CCACHE_DIR": str(folder / "ccache")}

    done = install_rocm(Shop, "--find-links", Shop.packages)
    assert done.status == 0, done.stdout + done.stderr
    Shop.said = done
    return Shop


def install_rocm(shop, *words, version=VERSION, family=FAMILY, env=None):
    return wheelrun("rocm", "install", "--family", family, "--version", version, *words,
                    env={**shop.env, **(env or {})})


@pytest.fixture(scope="module")
def built(shop):
    """All five wheels."""
    root = world.make_projects(shop.folder / "src")
    done = in_job(shop.folder, "build", "--root", root, "--family", FAMILY, "--versions", ALL, "--output-dir",
                  shop.folder / "dist", env={**shop.env, "CI_MARK": "1"})
    assert done.status == 0, done.stdout + done.stderr
    shop.built = done
    return shop.folder / "dist"


def build(shop, root, *words, versions=TORCH, env=None, job=None):
    call = ["build", *words, "--root", root, "--family", FAMILY, "--versions", versions, "--output-dir", root / "dist"]
    return (in_job(job, *call, env={**shop.env, **(env or {})}) if job
            else wheelrun(*call, env={**shop.env, **(env or {})}))


# rocm install


@pytest.mark.quick
def test_rocm_is_installed_and_found(shop):
    assert shop.said.outputs["rocm_version"] == VERSION
    assert shop.said.outputs["rocm_root"].startswith(str(shop.folder))
    assert f"ROCm {VERSION} for {TARGETS[0]} is in " in shop.said.stderr


@pytest.mark.parametrize("words", [[], ["--index-url", ""], ["--index-url", "", "--find-links", ""]])
def test_no_source_is_an_error(shop, words):
    done = install_rocm(shop, *words)
    assert done.status == 2
    assert "error[package-source]: 'rocm install' needs a source to install from" in done.stderr


def test_two_sources_are_an_error(shop):
    done = install_rocm(shop, "--index-url", "https://a.example", "--find-links", "https://b.example")
    assert done.status == 2
    assert "has two sources" in done.stderr


@pytest.mark.quick
def test_an_index_that_the_matrix_knows_has_a_folder_for_each_family(shop):
    url = "https://rocm.nightlies.amd.com/v2"
    for given, used in ((url, f"{url}/{FAMILY}/"), (f"{url}/", f"{url}/{FAMILY}/"), (f"{url}/{FAMILY}/",) * 2,
                        ("https://other.example/simple",) * 2):
        done = install_rocm(shop, "--index-url", given, "--dry-run")
        assert done.status == 0
        # Their dependencies come from the index of dependencies beside theirs, if the matrix has one.
        known = f" --extra-index-url {url}-dependencies/" if given.startswith(url) else ""
        assert f"pip install --index-url {used}{known} --force-reinstall --no-build-isolation " in done.stdout
        assert f"'rocm[libraries,devel]=={VERSION}'" in done.stdout


def test_a_version_that_is_not_there_is_not_replaced_by_another(shop, tmp_path):
    done = install_rocm(shop, "--find-links", tmp_path, "--index-url", "", version="1.0")
    assert done.status == 1
    assert "No matching distribution found for rocm" in done.stdout + done.stderr


def test_bounds_take_the_newest_version_that_there_is(shop, tmp_path):
    packages = tmp_path / "packages"
    shutil.copytree(shop.packages, packages)
    world.make_rocm(packages, "7.11.0")
    done = install_rocm(shop, "--find-links", packages, version=">1.0")
    assert done.status == 0, done.stdout + done.stderr
    assert done.outputs["rocm_version"] == VERSION
    for bounds, as_pip_has_it in ((">=7.10, <7.12", ">=7.10,<7.12"), ("==7.11.*", "==7.11.*"), ("~=7.11", "~=7.11")):
        done = install_rocm(shop, "--find-links", packages, "--dry-run", version=bounds)
        assert f" --pre 'rocm[libraries,devel]{as_pip_has_it}'\n" in done.stdout
    done = install_rocm(shop, "--find-links", packages, "--dry-run", version="==7.11.0")
    assert " --no-build-isolation 'rocm[libraries,devel]==7.11.0'\n" in done.stdout


@pytest.mark.quick
@pytest.mark.parametrize("version", [">", "=>1.0", "latest", ">1.0,", "~=7", ">=7.12.*", ">7.12.0+x", "7.12 || 7.13"])
def test_what_is_no_version_is_an_error(shop, version):
    done = install_rocm(shop, "--find-links", shop.packages, version=version)
    assert done.status == 2
    assert f"'--version' does not take '{version}'" in done.stderr
    assert "or bounds, such as '>=7.12,<8'" in done.stderr


def test_packages_of_another_version_are_refused(shop):
    done = install_rocm(shop, "--find-links", shop.packages, env={"WORLD_ROCM_VERSION": "0.1.0"})
    assert done.status == 1
    assert f"version {VERSION} was asked for, and 0.1.0 is installed" in done.stderr


def test_packages_for_other_gpus_are_refused(shop, tmp_path):
    # The rules of gfx950-dcgpu, and packages with its name but the code of another GPU.
    packages = world.make_rocm(tmp_path / "rocm", family="gfx950-dcgpu", targets=["gfx942"])
    python = world.make_python(tmp_path / "python")
    done = install_rocm(shop, "--find-links", packages, family="gfx950-dcgpu", env={"WHEELRUN_PYTHON": str(python)})
    assert done.status == 1
    assert "gfx950-dcgpu needs gfx950; the packages are for gfx942" in done.stderr


@pytest.mark.parametrize(("targets", "says"), [
    ("sys.exit('no GPU was found')", "ask the ROCm packages: version, targets, path --root, path --bin, path --cmake failed"),
    ("pass", "ask the ROCm packages: targets: it printed nothing"),
], ids=["fails", "silent"])
def test_packages_that_do_not_answer_are_told(shop, tmp_path, targets, says):
    python = world.make_python(tmp_path / "python")
    (packages,) = (tmp_path / "python").glob("lib/python*/site-packages")
    (packages / "rocm_sdk").mkdir()
    (packages / "rocm_sdk/__main__.py").write_text(
        f"import sys\nif sys.argv[1] == 'targets':\n    {targets}\nelse:\n    print('7.12.0')\n", encoding="utf-8")
    done = build(shop, world.make_projects(tmp_path / "src"), "torch", env={"WHEELRUN_PYTHON": str(python)})
    assert done.status == 1
    assert says in done.stderr
    assert ("no GPU was found" in done.stderr) == ("exit" in targets)


# build


def test_all_projects_are_built_in_their_order(built):
    names = sorted(path.name.split("-")[0] for path in built.glob("*.whl"))
    assert names == sorted(VERSIONS)
    assert not list(built.glob("*.part"))
    for name, version in VERSIONS.items():
        assert list(built.glob(f"{name}-{version}-cp3*.whl")), name


def test_what_was_built_is_shown(shop, built):
    rows = re.findall(r"^\| `(\w+)-", shop.built.summary, re.MULTILINE)
    assert rows == ["triton", "torch", "torchaudio", "torchvision", "apex"]
    assert "flash_attention: on (gfx942 has it)" in shop.built.stdout


def test_pip_is_asked_only_where_something_is_missing(shop, built):
    asked = set(re.findall(r"install what (\w+) is built with", shop.built.stdout))
    # The interpreter brings `build`, and ROCm was installed by setuptools; torch has a requirement of its own.
    assert asked == {"torch"}, shop.built.stdout


def test_torch_says_what_it_requires(built):
    import zipfile

    with zipfile.ZipFile(next(built.glob("torch-*.whl"))) as wheel:
        metadata = wheel.read(next(n for n in wheel.namelist() if n.endswith("METADATA"))).decode()
    assert f"Requires-Dist: rocm[libraries]=={VERSION}" in metadata
    assert f"Requires-Dist: triton=={VERSIONS['triton']}" in metadata


@pytest.mark.quick
def test_a_compile_error_is_shown_at_its_place(shop, tmp_path):
    root = world.make_projects(tmp_path / "src")
    path = root / "pytorch/csrc/module.c"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace("double a, b;", "double a, b")
    path.write_text("\n".join(lines), encoding="utf-8")
    done = build(shop, root, "torch", job=tmp_path)
    assert done.status == 1
    annotations = re.findall(r"^::error (.*)$", done.stdout, re.MULTILINE)
    assert any("csrc/module.c" in text and re.search(r"line=[45]\b", text) for text in annotations), done.stdout
    assert not list((root / "dist").glob("*.whl"))


def test_two_wheels_are_an_error(shop, tmp_path):
    root = world.make_projects(tmp_path / "src")
    (root / "pytorch/dist").mkdir()
    (root / "pytorch/dist/torch-0.0-py3-none-any.whl").touch()  # of an earlier build: removed first
    done = build(shop, root, "torch", env={"WORLD_TWO_WHEELS": "1"})
    assert done.status == 1
    assert "there are 2 wheels in" in done.stderr
    assert "torch-0.1-py3-none-any.whl" in done.stderr


def test_another_version_is_an_error(shop, tmp_path):
    root = world.make_projects(tmp_path / "src")
    done = build(shop, root, "torch", env={"WORLD_TORCH_VERSION": "2.10.1+rocm1"})
    assert done.status == 1
    assert f"version {VERSIONS['torch']} was resolved for it, but it has version 2.10.1+rocm1" in done.stderr


@pytest.mark.parametrize("shape", [setup_shapes.APEX, setup_shapes.APEX_BY_FILE], ids=["new", "old"])
@pytest.mark.parametrize("version", [VERSIONS["apex"], VERSIONS["apex"] + ".torch210", "1.10.0"])
def test_apex_has_the_resolved_version_whichever_way_its_setup_goes(shop, tmp_path, shape, version):
    root = world.make_projects(tmp_path / "src", shape)
    # From a job for NVIDIA's GPUs: not for this build.
    env = {"BUILD_VERSION": "9.9", "DESIRED_CUDA": "cu128", "APEX_COMMIT": "0123456789"}
    done = build(shop, root, "apex", versions=json.dumps({"apex": version}), env=env)
    assert done.status == 0, done.stdout + done.stderr
    assert [path.name.split("-")[:2] for path in (root / "dist").iterdir()] == [["apex", version]]


def test_apex_with_its_label_twice_is_no_wheel_of_the_run(shop, tmp_path):
    root = world.make_projects(tmp_path / "src")
    done = build(shop, root, "apex", versions=ALL, env={"WORLD_WHOLE_VERSION": "1"})
    assert done.status == 1
    label = VERSIONS["apex"].partition("+")[2]
    assert re.search(f"{label}.{label}", done.stdout + done.stderr)
    assert not list((root / "dist").glob("*.whl"))


def test_triton_may_have_another_name(shop, tmp_path):
    """The version comes from the variable that the setup reads, of the environment or of the file in the checkout."""
    import zipfile

    root = world.make_projects(tmp_path / "src")
    versions = json.dumps({name: VERSIONS[name] for name in ("triton", "torch")})
    (root / "triton/build_env.json").write_text('{"TRITON_WHEEL_NAME": "pytorch-triton-rocm"}', encoding="utf-8")
    env = {"TRITON_WHEEL_NAME": "of-another-build"}
    done = build(shop, root, "triton", "torch", versions=versions, env=env)
    assert done.status == 0, done.stdout + done.stderr
    wheels = {path.name.split("-")[0]: path for path in (root / "dist").iterdir()}
    assert wheels.keys() == {"pytorch_triton_rocm", "torch"}
    with zipfile.ZipFile(wheels["torch"]) as wheel:
        metadata = wheel.read(next(n for n in wheel.namelist() if n.endswith("METADATA"))).decode()
    assert f"Requires-Dist: pytorch-triton-rocm=={VERSIONS['triton']}" in metadata
    assert wheels["pytorch_triton_rocm"].name in done.stderr + done.stdout

    (root / "triton/build_env.json").unlink()
    for name, status in (("pytorch-triton-rocm", 0), ("triton", 1)):
        env = {**shop.env, "TRITON_WHEEL_NAME": name}
        told = wheelrun("build", "torch", "--root", root, "--family", FAMILY, "--versions", versions, "--output-dir",
                        "dist", "--dry-run", env=env)
        assert f"|{name}=={VERSIONS['triton']}" in told.stdout
        checked = wheelrun("wheel", "check", root / "dist", "--versions", versions, env=env)
        assert checked.status == status, checked.stdout + checked.stderr
    assert f"there is no wheel of triton, which was resolved to {VERSIONS['triton']}" in checked.stderr


def test_flash_attention_without_triton_is_refused(shop, tmp_path):
    done = build(shop, tmp_path, "torch", "--flash-attention")
    assert done.status == 2
    assert "'--flash-attention' needs triton, and '--versions' has no triton" in done.stderr
    done = build(shop, tmp_path, "torch", "--flash-attention", "--no-flash-attention", versions=ALL)
    assert done.status == 2
    assert "'--flash-attention' and '--no-flash-attention' contradict each other" in done.stderr
    (tmp_path / "pytorch").mkdir()
    for platform, family, versions, flag in (("linux", FAMILY, ALL, "ON"), ("windows", "gfx1151", TORCH, "ON")):
        done = wheelrun("build", "torch", "--platform", platform, "--root", tmp_path, "--family", family, "--versions",
                        versions, "--output-dir", tmp_path, "--flash-attention", "--dry-run", env=shop.env)
        assert done.status == 0, done.stderr
        assert f"USE_FLASH_ATTENTION={flag}" in done.stdout


@pytest.mark.parametrize("project", ["apex", "triton"])
def test_a_build_number_goes_into_the_name_of_the_wheel(shop, tmp_path, project):
    """A frontend builds apex, setup.py builds triton."""
    root = world.make_projects(tmp_path / "src")
    done = build(shop, root, project, "--build-number", "2", versions=ALL)
    assert done.status == 0, done.stdout + done.stderr
    (wheel,) = (root / "dist").iterdir()
    assert wheel.name.startswith(f"{project}-{VERSIONS[project]}-2-cp3")
    checked = wheelrun("wheel", "check", wheel, env=shop.env)
    assert "wheel-version" not in checked.stderr, checked.stderr


def test_a_build_number_is_for_every_kind_of_build(shop, tmp_path):
    root = world.make_projects(tmp_path / "src")
    (root / "apex/pyproject.toml").write_text('[build-system]\nbuild-backend = "scikit_build_core.build"\n',
                                              encoding="utf-8")
    done = build(shop, root, "--build-number", "3", "--dry-run", versions=ALL)
    assert done.status == 0, done.stderr
    assert done.stdout.count(" setup.py bdist_wheel --build-number=3\n") == 3
    assert done.stdout.count(" -C--build-option=--build-number=3\n") == 1
    assert " -Cwheel.build-tag=3\n" in done.stdout
    # torch would append a higher one to its version.
    assert " PYTORCH_BUILD_NUMBER=1 " in done.stdout
    done = build(shop, root, "--build-number", "two", versions=ALL)
    assert done.status == 2


@pytest.mark.quick
def test_what_is_wrong_with_a_call_is_told_at_once(shop, tmp_path):
    done = wheelrun("build", "torhc", "--family", "gfx9999", "--versions", "{}", env=shop.env)
    assert done.status == 2
    for part in ("unknown-project", "did you mean 'torch'", "unknown-family", "'--root'", "'--output-dir'"):
        assert part in done.stderr
    done = wheelrun("build", "torch", "--platform", "windows", "--root", tmp_path, "--family", "gfx1151",
                    "--versions", TORCH, "--output-dir", tmp_path, env=shop.env)
    assert done.status == 2
    assert "nothing can be built for windows on this machine" in done.stderr


@pytest.mark.quick
def test_the_commands_for_windows_can_be_seen(shop, tmp_path):
    (tmp_path / "src/pytorch").mkdir(parents=True)
    done = wheelrun("build", "torch", "--platform", "windows", "--root", tmp_path / "src", "--family", "gfx1151", "--versions",
                    TORCH, "--output-dir", tmp_path / "dist", "--dry-run", env=shop.env)
    assert done.status == 0, done.stderr
    for part in ("vswhere.exe", "vcvarsall.bat", "DISTUTILS_USE_SDK=1", "clang-cl.exe", "--skip-dependency-check",
                 "PYTORCH_ROCM_ARCH=gfx1151", "USE_FLASH_ATTENTION=ON", "uninstall --yes ninja", ";FOLDER_OF_ninja"):
        assert part in done.stdout
    assert "# libomp140.x86_64.dll of VCToolsRedistDir is copied to " in done.stdout
    assert not list((tmp_path / "src/pytorch").iterdir()) and not (tmp_path / "dist").exists()


def test_a_cancelled_build_leaves_no_process_and_no_wheel(shop, tmp_path):
    root = world.make_projects(tmp_path / "src")
    env = environment({**shop.env, "WORLD_SLEEP": "987.25"})
    words = ["build", "torch", "--root", root, "--family", FAMILY, "--versions", TORCH, "--output-dir", root / "dist"]
    with subprocess.Popen([PROGRAM, *map(str, words)], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        for line in process.stdout:
            if line.startswith("sleeping"):
                break
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == -signal.SIGTERM
    found = subprocess.run(["pgrep", "-f", f"{root}/pytorch"], capture_output=True, text=True, check=False)
    assert found.stdout == ""
    assert not list((root / "dist").glob("*.whl"))


# venv


def uploaded(built):
    return {path.name: world.sha256(path) for path in sorted(built.glob("*.whl"))}


@pytest.fixture(scope="module")
def store(shop, built):
    """The page of links after the upload: ROCm and the wheels."""
    folder = shop.folder / "store"
    shutil.copytree(shop.packages, folder)
    for wheel in built.glob("*.whl"):
        shutil.copy(wheel, folder)
    return folder


def make_venv(shop, folder, *words, env=None, job=None):
    call = ["venv", folder, "--family", FAMILY, *words]
    return in_job(job, *call, env={**shop.env, **(env or {})}) if job else wheelrun(*call,
                                                                                env={**shop.env, **(env or {})})


@pytest.fixture(scope="module")
def venv(shop, built, store):
    folder = shop.folder / "venv"
    done = make_venv(shop, folder, "--torch-version", VERSIONS["torch"], "--wheels", json.dumps(uploaded(built)),
                     "--find-links", store, "--activate", job=shop.folder)
    assert done.status == 0, done.stdout + done.stderr
    assert done.path == [f"{folder}/bin"]
    assert done.variables == {"VIRTUAL_ENV": str(folder)}
    return folder


def test_what_was_uploaded_is_installed(venv):
    there = world.installed(venv)
    assert {name: there.get(name) for name in VERSIONS} == VERSIONS
    assert there["rocm"] == there["rocm-sdk-core"] == there[f"rocm-sdk-libraries-{FAMILY}"] == VERSION
    assert "rocm-sdk-devel" not in there
    assert "typing_extensions" in there


def test_an_index_will_do(shop, store, tmp_path):
    everything = tmp_path / "all"
    shutil.copytree(store, everything)
    for path in world.wheelhouse().glob("*.whl"):
        shutil.copy(path, everything)
    url = world.make_index(tmp_path / "simple", everything)
    done = make_venv(shop, tmp_path / "venv", "--torch-version", VERSIONS["torch"], "--index-url", url)
    assert done.status == 0, done.stdout + done.stderr
    there = world.installed(tmp_path / "venv")
    assert there["torch"] == VERSIONS["torch"]
    assert there["triton"] == VERSIONS["triton"]
    assert "torchaudio" not in there


def test_a_wheel_with_another_sum_is_not_installed(shop, built, store, tmp_path):
    wheels = uploaded(built)
    torch = next(name for name in wheels if name.startswith("torch-"))
    wheels[torch] = "0" * 64
    done = make_venv(shop, tmp_path / "venv", "--torch-version", VERSIONS["torch"], "--wheels", json.dumps(wheels),
                     "--find-links", store)
    assert done.status == 1
    assert f"{torch} is not the wheel that was built" in done.stderr
    assert "torch" not in world.installed(tmp_path / "venv")


def test_rocm_alone_can_be_installed(shop, tmp_path):
    done = make_venv(shop, tmp_path / "venv", "--rocm-version", VERSION, "--rocm-extras", "libraries,devel",
                     "--find-links", shop.packages)
    assert done.status == 0, done.stdout + done.stderr
    assert world.installed(tmp_path / "venv")["rocm-sdk-devel"] == VERSION
    tested = wheelrun("test", "--venv", tmp_path / "venv", "--family", FAMILY, "--level", "rocm", env=shop.env)
    assert tested.status == 0, tested.stderr
    assert "1 passed, 0 failed" in tested.stderr
    tested = wheelrun("test", "--venv", tmp_path / "venv", "--family", FAMILY, "--level", "rocm", "--junit",
                      tmp_path / "results.xml", env={**shop.env, "WORLD_ROCM_FAILS": "1"})
    assert tested.status == 1
    assert ET.parse(tmp_path / "results.xml").findall(".//error")


@pytest.mark.parametrize(("words", "says"), [
    (["--torch-version", "2.10.0"], "needs a source"),
    (["--find-links", "x"], "needs something to install"),
    (["--find-links", "x", "--torch-version", "2.10.0", "--wheels", "{"], "is no JSON object"),
    (["--find-links", "x", "--torch-version", "9", "--wheels",
      json.dumps({"torch-2.10.0-cp312-cp312-linux_x86_64.whl": "0" * 64})], "has torch 2.10.0"),
])
def test_wrong_calls_of_venv(shop, tmp_path, words, says):
    done = make_venv(shop, tmp_path / "venv", *words)
    assert done.status == 2
    assert says in done.stderr
    assert not (tmp_path / "venv").exists()


def test_an_environment_that_is_there_is_not_reused(shop, tmp_path):
    done = make_venv(shop, tmp_path, "--rocm-version", VERSION, "--find-links", shop.packages)
    assert done.status == 2
    assert "'--clean' removes it first" in done.stderr


# test


def run_tests(shop, venv, level, *words, gpus="gfx942:sramecc+:xnack-", env=None, job=None):
    call = ["test", "--venv", venv, "--family", FAMILY, "--level", level, *words]
    env = {**shop.env, "WORLD_GPUS": gpus, **(env or {})}
    return in_job(job, *call, env=env) if job else wheelrun(*call, env=env)


def test_smoke_tests_run_on_a_gpu_of_the_family(shop, venv, tmp_path):
    done = run_tests(shop, venv, "smoke", "--junit", tmp_path / "out/results.xml", gpus="gfx1100,gfx942,gfx942",
                     job=tmp_path)
    assert done.status == 0, done.stdout + done.stderr
    assert "### Tests: rocm passed, smoke passed" in done.summary
    assert "smoke: smoke_test.py on gfx942" in done.summary
    assert "HIP_VISIBLE_DEVICES=1" in done.stdout
    suites = ET.parse(tmp_path / "out/results.xml").getroot().findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["rocm: rocm-sdk test", "smoke: smoke_test.py on gfx942"]


@pytest.mark.parametrize(("wrong", "test"), [
    ("conv2d", "test_convolutions"), ("matmul", "test_products_of_matrices"), ("solve", "test_equations_are_solved"),
    ("compile", "test_a_function_is_compiled")])
def test_what_a_gpu_computes_wrong_is_seen(shop, venv, tmp_path, wrong, test):
    done = run_tests(shop, venv, "smoke", "--only", env={"WORLD_WRONG": wrong}, job=tmp_path)
    assert done.status == 1
    assert f"smoke_test::{test}" in done.summary and "### Tests: smoke failed" in done.summary


def test_the_first_level_that_fails_is_the_last(shop, venv, full, tmp_path):
    words = full({"test_one.py": "def test_good():\n    pass\n"})
    done = run_tests(shop, venv, "full", *words, "--junit", tmp_path / "results.xml", env={"WORLD_ROCM_FAILS": "1"},
                     job=tmp_path)
    assert done.status == 1
    assert "### Tests: rocm failed, smoke was not started, full was not started" in done.summary
    assert "rocm failed, smoke was not started" in done.stdout
    root = ET.parse(tmp_path / "results.xml").getroot()
    assert [(suite.get("name"), suite[0][0].tag) for suite in root] == [
        ("rocm: rocm-sdk test", "error"), ("smoke", "skipped"), ("full", "skipped")]
    done = run_tests(shop, venv, "full", *words, env={"WORLD_WRONG": "conv2d"}, job=tmp_path)
    assert done.status == 1
    assert "### Tests: rocm passed, smoke failed, full was not started" in done.summary
    done = run_tests(shop, venv, "full", *words, "--only", env={"WORLD_WRONG": "conv2d"}, job=tmp_path)
    assert done.status == 0 and "### Tests: full passed" in done.summary, done.stdout


@pytest.mark.parametrize(("gpus", "says"), [("", "torch sees no GPU"), ("gfx1100", "the machine has gfx1100")])
def test_without_a_fitting_gpu_nothing_passes(shop, venv, gpus, says):
    done = run_tests(shop, venv, "smoke", gpus=gpus)
    assert done.status == 1
    assert "rocm passed, smoke failed" in done.stderr
    assert says in done.stderr


@pytest.fixture
def full(tmp_path):
    """Makes a plan whose level full has these files, and PyTorch's tests."""

    def make(files, minutes=3, skips=()):
        plan = json.loads(world.ROOT.joinpath("generated-workflows/plan.json").read_text(encoding="utf-8"))
        plan["test_levels"]["full"].update(files=list(files), minutes=minutes, packages=["pytest==9.0.3"])
        plan["test_skips"] = [
            {"torch": ["2.10"], "targets": ["gfx94"], "platforms": None, "files": ["test_one.py", "test_bad.py"],
             "tests": ["test_bad_there", "test_large*"], "why": "w", "issue": None},
            {"torch": ["2.9"], "targets": None, "platforms": None, "files": None, "tests": ["test_good"], "why": "w",
             "issue": None}, *skips]
        (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        world.write(tmp_path / "src/pytorch/test", files)
        world.write(tmp_path / "src/pytorch/torch", {"__init__.py": "raise ImportError('these are the sources')\n"})
        return ["--root", tmp_path / "src", "--plan", tmp_path / "plan.json", "--torch-ref", "release/2.10"]

    return make


def test_full_tests_run_without_what_is_skipped(shop, venv, full, tmp_path):
    words = full({
        "test_one.py": """\
import os, unittest, pytest
def test_good():
    assert os.environ['PYTORCH_TEST_WITH_ROCM'] == '1'
def test_bad_there():
    assert False
def test_bad_there_cuda():
    assert False
@pytest.mark.parametrize("size", [1, 2])
def test_large_sums(size):
    assert False
class TestNames(unittest.TestCase):
    def test_bad_there(self):
        assert False
    # Other tests than the one that is named.
    def test_bad_there_too(self):
        pass
    def test_Bad_there(self):
        pass
    def test_not_test_bad_there(self):
        pass
""",
        "test_two.py": "import helper\ndef test_also():\n    pass\ndef test_large_there():\n    pass\n",
        "helper.py": "",
    })
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    plan["test_levels"]["full"]["files"] = ["test_one.py", "test_two.py"]
    plan["test_skips"][0]["files"] = ["test_one.py"]
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = run_tests(shop, venv, "full", "--only", *words)
    assert done.status == 0, done.stdout + done.stderr
    assert "6 passed, 0 failed, 0 skipped; full passed; success" in done.stderr
    assert "can go" not in done.stderr


def test_skips_that_no_test_bears_are_reported(shop, venv, full, tmp_path):
    row = {"torch": None, "targets": None, "platforms": ["linux"], "why": "w", "issue": None}
    words = full({"test_one.py": "def test_bad_there():\n    assert False\ndef test_large():\n    pass\ndef test_good():\n    pass\n",
                  "test_two.py": "def test_elsewhere():\n    pass\n"},
                 skips=[{**row, "files": ["test_one.py"], "tests": ["test_renamed", "test_elsewhere"]},
                        {**row, "files": ["test_not_run.py"], "tests": ["test_unknown"]},
                        {**row, "files": None, "tests": ["test_gone*"]}])
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    plan["test_skips"][0]["files"] = ["test_one.py"]
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = run_tests(shop, venv, "full", "--only", *words, job=tmp_path)
    assert done.status == 0, done.stdout
    assert "remove 3 skips from the matrix" in done.stdout
    told = done.summary.split("Obsolete skips of the matrix")[1]
    assert [line for line in told.splitlines() if line.startswith("- ")] == [
        "- test_renamed (gfx942, torch 2.10)",
        "- test_elsewhere, which is in test_two.py (gfx942, torch 2.10)",
        "- test_gone\\* (gfx942, torch 2.10)"]
    # The tests in an unreadable file are unknown.
    (tmp_path / "src/pytorch/test/test_two.py").write_text("import nothing_like_that\n", encoding="utf-8")
    done = run_tests(shop, venv, "full", "--only", *words, job=tmp_path)
    told = done.summary.split("Obsolete skips of the matrix")[1]
    assert done.status == 1 and "which is in" not in told and "test_gone" not in told
    # With pytest's own selection not all tests are collected.
    done = run_tests(shop, venv, "full", "--only", *words, "--", "-k", "test_good")
    assert done.status == 1 and "can go" not in done.stderr


def test_failures_are_counted_and_a_crash_is_one(shop, venv, full, tmp_path):
    words = full({
        "test_bad.py": "def test_wrong():\n    assert 1 == 2\ndef test_right():\n    pass\n",
        "test_crash.py": "import os\ndef test_crash():\n    os.abort()\n",
        "test_fine.py": "def test_fine():\n    pass\n",
    })
    done = run_tests(shop, venv, "full", "--only", *words, "--junit", tmp_path / "results.xml", job=tmp_path)
    assert done.status == 1
    assert "test_bad::test_wrong" in done.summary
    assert "full: test_crash.py on gfx942: it ended before it wrote its results" in done.summary
    root = ET.parse(tmp_path / "results.xml").getroot()
    assert [suite.get("name").split()[1] for suite in root] == ["test_bad.py", "test_crash.py", "test_fine.py"]
    assert "2 passed, 1 failed, 0 skipped; full failed" in done.stdout


def test_a_test_that_hangs_is_ended_with_all_it_started(shop, venv, full):
    words = full({"test_hang.py": "import subprocess\ndef test_hang():\n    subprocess.run(['sleep', '986.5'])\n"},
                 minutes=60)
    done = run_tests(shop, venv, "full", "--only", "--time-limit", 3, *words)
    assert done.status == 1
    assert "ended after its limit of " in done.stderr
    assert "0 passed, 0 failed, 0 skipped; full failed" in done.stderr
    assert subprocess.run(["pgrep", "-f", "sleep 986.5"], capture_output=True, check=False).returncode == 1


def test_results_count_if_the_process_does_not_end(shop, venv, full):
    words = full({"test_end.py": "import threading, time\n"
                                 "threading.Thread(target=time.sleep, args=(985.5,)).start()\n"
                                 "def test_quick():\n    pass\n"})
    done = run_tests(shop, venv, "full", "--only", "--time-limit", 30, *words)
    assert done.status == 0, done.stdout + done.stderr
    assert "all tests passed, but the process did not exit" in done.stderr


def test_tests_of_another_torch_are_refused(shop, venv, full):
    words = full({"test_one.py": ""})
    words[-1] = "release/2.9"
    done = run_tests(shop, venv, "full", "--only", *words)
    assert done.status == 1
    assert "torch 2.10 is installed, and the tests are those of release/2.9" in done.stderr
