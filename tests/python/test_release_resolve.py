"""`wheelrun release resolve`, and promotions that need it: real resolvers, on what users would see."""

import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from index_world import make_wheel, pip_resolve, served, sha256, wheels_asked
from wheelrun import in_job, wheelrun

FAMILY = "gfx94X-dcgpu"
ROCM = "7.12.0a20261123"
TORCH = f"2.10.0+rocm{ROCM}"
VISION = f"0.25.0+rocm{ROCM}"
TAG = "cp312-cp312-linux_x86_64"
UV = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def staged(store):
    return store / "v2-staging" / FAMILY


def released(store):
    return store / "v2" / FAMILY


def with_extras(requires, extras):
    """Requirements in the form of make_wheel(), and the extras that they belong to."""
    return [*requires, *(f'{need}; extra == "{extra}"' for extra, needs in extras.items() for need in needs)], extras


def wheel(folder, project, version, requires=(), extras=None, tag="py3-none-any", **more):
    needs, provided = with_extras(requires, extras or {})
    path = make_wheel(folder, project, version, needs, tag=tag, **more)
    if not provided:
        return path
    # A header more, before those of requirements.
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            if name.endswith("/METADATA"):
                lines = "".join(f"Provides-Extra: {extra}\n" for extra in provided).encode()
                text = text.replace(b"Requires-Python", lines + b"Requires-Python", 1)
            archive.writestr(zipfile.ZipInfo(name), text)
    return path


def stage_torch(store, tag=TAG, triton="3.5.1", rocm=f"rocm[libraries]=={ROCM}"):
    folder = staged(store)
    wheel(folder, "triton", "3.5.1", tag=tag)
    wheel(folder, "torch", TORCH, [f"triton=={triton}", rocm, "numpy>=2"],
          {"device-gfx942": [f"amd-torch-device-gfx942=={TORCH}"]}, tag=tag)
    wheel(folder, "torchvision", VISION, [f"torch=={TORCH}", "pillow"], tag=tag)


@pytest.fixture
def store(tmp_path):
    """A release with ROCm, an index of dependencies, and staged wheels of a run."""
    store = tmp_path / "store"
    folder = released(store)
    wheel(folder, "rocm", ROCM, [f"rocm-sdk-core=={ROCM}"], {"libraries": [f"rocm-sdk-libraries=={ROCM}"]})
    wheel(folder, "rocm-sdk-core", ROCM)
    wheel(folder, "rocm-sdk-libraries", ROCM)
    wheel(folder, "amd-torch-device-gfx942", TORCH)
    wheel(folder, "torch", "2.9.1+rocm7.11.0", tag=TAG)
    wheel(store / "v2-dependencies", "numpy", "2.3.0")
    wheel(store / "v2-dependencies", "pillow", "12.0.0")
    stage_torch(store)
    return store


def uploaded(store):
    return json.dumps({path.name: sha256(path) for path in staged(store).glob("*.whl")})


def resolve(store, *more, wheels=None, platform="linux", env=None):
    wheels = ["--wheels", wheels or uploaded(store)] if wheels != "" else []
    return in_job(store.parent, "release", "resolve", "--platform", platform, "--family", FAMILY, "--output-dir", store,
                  "--release-type", "nightly", *wheels, *more, env={**UV, **(env or {})})


def errors(done):
    """The texts of annotations."""
    return [text.replace("%0A", "\n") for text in re.findall(r"^::error[^:]*::(.*)$", done.stdout, re.MULTILINE)]


def test_what_users_can_install_is_resolved_and_nothing_is_written(store):
    before = sorted(store.rglob("*"))
    done = resolve(store)
    assert done.status == 0, done.stdout
    # torch, its extra, torchvision, triton, and all together
    assert "resolved 5 cells of Python 3.12 in " in done.stdout
    assert done.summary == "### Resolve\n\nInstallable: uv resolved 5 cells of Python 3.12.\n\n"
    assert sorted(store.rglob("*")) == before


def test_of_a_wheel_only_the_metadata_is_read(store):
    """The rest of this one is damaged."""
    wheel(staged(store), "triton", "3.5.1", tag=TAG, hole=1 << 20)
    done = resolve(store)
    assert done.status == 0, done.stdout


def test_a_conflict_says_who_asks_for_what(store):
    stage_torch(store, triton="3.4.0")
    done = resolve(store)
    assert done.status == 1
    assert f"""triton: what is asked for is not there
  torch-{TORCH}-{TAG}.whl requires triton==3.4.0
  there is triton 3.5.1
  for Python 3.12: torch=={TORCH}, and 2 other cells""" in errors(done)
    assert f"""triton: no version is what all of these ask for
  torch-{TORCH}-{TAG}.whl requires triton==3.4.0
  triton==3.5.1 is to be installed
  there is triton 3.5.1
  for Python 3.12: torch=={TORCH} torchvision=={VISION} triton==3.5.1""" in errors(done)
    assert f"    triton: what is asked for is not there\n      torch-{TORCH}-{TAG}.whl requires triton==3.4.0\n" in done.summary


@pytest.mark.parametrize(("gone", "says"), [
    ("v2-dependencies/numpy-2.3.0-py3-none-any.whl", "numpy: what is asked for is not there\n"
     f"  torch-{TORCH}-{TAG}.whl requires numpy>=2\n  there is no numpy at all"),
    (f"v2/{FAMILY}/rocm_sdk_libraries-{ROCM}-py3-none-any.whl", "rocm-sdk-libraries: what is asked for is not there\n"
     f"  rocm-{ROCM}-py3-none-any.whl requires rocm-sdk-libraries=={ROCM}\n  there is no rocm-sdk-libraries at all"),
    (f"v2/{FAMILY}/amd_torch_device_gfx942-{TORCH}-py3-none-any.whl",
     f"amd-torch-device-gfx942: what is asked for is not there\n  torch-{TORCH}-{TAG}.whl requires "
     f"amd-torch-device-gfx942=={TORCH}\n  there is no amd-torch-device-gfx942 at all\n"
     f"  for Python 3.12: torch[device-gfx942]=={TORCH}"),
])
def test_missing_packages(store, gone, says):
    (store / gone).unlink()
    done = resolve(store)
    assert done.status == 1
    assert any(error.startswith(says) for error in errors(done)), errors(done)


def test_wheels_for_another_python_are_named(store):
    shutil.rmtree(staged(store))
    stage_torch(store, tag="cp313-cp313-linux_x86_64")
    (staged(store) / "triton-3.5.1-cp313-cp313-linux_x86_64.whl").unlink()
    wheel(staged(store), "triton", "3.5.1", tag=TAG)
    done = resolve(store)
    assert done.status == 1 and "of Python 3.12, 3.13" in done.stdout
    assert any("no file of triton is for Python 3.13 on this platform; there is triton-3.5.1-" in error
               for error in errors(done)), errors(done)


def test_an_extra_that_nothing_provides_is_an_error(store):
    """pip and uv install without it and print a warning."""
    stage_torch(store, rocm=f"rocm[librareis]=={ROCM}")
    done = resolve(store)
    assert done.status == 1
    assert f"""rocm-{ROCM}-py3-none-any.whl has no extra librareis: installers would only warn
  torch-{TORCH}-{TAG}.whl requires rocm[librareis]=={ROCM}
  for Python 3.12: torch=={TORCH}, and 3 other cells""" in errors(done)


def test_another_version_than_that_of_the_run_is_an_error(store):
    """torchvision takes any torch, and the release has a newer one."""
    wheel(released(store), "torch", "2.11.0+rocm7.11.0", tag=TAG)
    wheel(staged(store), "torchvision", VISION, ["torch>=2.9"], tag=TAG)
    done = resolve(store)
    assert done.status == 1
    assert errors(done) == [f"""torch 2.11.0+rocm7.11.0 would be installed, which is not of this run
  torchvision-{VISION}-{TAG}.whl requires torch>=2.9
  this run has torch {TORCH}
  for Python 3.12: torchvision=={VISION}"""]


def test_a_wheel_that_requires_no_version_is_resolved_with_that_of_the_run(store):
    """Wheels of the main branch do so, and another ref may be published at the same time."""
    wheel(released(store), "torch", "2.11.0+rocm7.11.0", tag=TAG)
    wheel(staged(store), "torchvision", VISION, ["torch"], tag=TAG)
    done = resolve(store)
    assert (done.status, errors(done)) == (0, [])


def test_a_source_archive_is_resolved_by_its_metadata(store):
    """rocm is one. It is not built."""
    (released(store) / f"rocm-{ROCM}-py3-none-any.whl").unlink()

    def write(libraries, more=None):
        extras = f'Provides-Extra: libraries\nRequires-Dist: {libraries}; extra == "libraries"\n' if more is None else more
        text = f"Metadata-Version: 2.4\nName: rocm\nVersion: {ROCM}\n{extras}".encode()
        with tarfile.open(released(store) / f"rocm-{ROCM}.tar.gz", "w:gz") as archive:
            for name, data in (("setup.py", b"raise SystemExit('built')"), ("PKG-INFO", text)):
                info = tarfile.TarInfo(f"rocm-{ROCM}/{name}")
                info.size = len(data)
                archive.addfile(info, BytesIO(data))

    write(f"rocm-sdk-libraries=={ROCM}")
    done = resolve(store)
    assert done.status == 0, done.stdout
    write("rocm-sdk-libraries==7.0")
    assert f"  rocm-{ROCM}.tar.gz requires rocm-sdk-libraries==7.0\n" in errors(resolve(store))[0]
    write("", "")
    assert f"rocm-{ROCM}.tar.gz has no extra libraries" in errors(resolve(store))[0]
    write("", "Dynamic: Provides-Extra\n")  # the build will say
    assert resolve(store).status == 0


def test_yanked_files_count_as_for_installers(store):
    (store / "v2-dependencies/yanked.json").write_text('{"pillow-12.0.0-py3-none-any.whl": "broken"}')
    done = resolve(store)
    assert done.status == 1 and "pillow: what is asked for is not there" in errors(done)[0]


def test_what_is_published_is_resolved_without_a_list(store):
    assert resolve(store, wheels="").status == 0
    wheel(released(store), "torchaudio", "2.8.0", ["torch==2.8.0"], tag=TAG)
    done = resolve(store, wheels="")
    assert done.status == 1 and "torchaudio-2.8.0-" in errors(done)[0] and "2.9.1+rocm7.11.0" in errors(done)[0]


def test_windows_and_pure_wheels_for_pythons_of_the_matrix(store):
    shutil.rmtree(staged(store))
    stage_torch(store, tag="cp312-cp312-win_amd64")
    done = resolve(store, platform="windows")
    assert done.status == 0, done.stdout
    shutil.rmtree(staged(store))
    stage_torch(store, tag="py3-none-any")
    done = resolve(store)
    assert done.status == 0 and "resolved 20 cells of Python 3.10, 3.11, 3.12, 3.13 in " in done.stdout
    assert "of Python 3.13 in " in resolve(store, "--python", "3.13").stdout


def test_a_wheel_of_the_stable_abi_adds_no_python(store):
    wheel(staged(store), "apex", TORCH, [f"torch=={TORCH}"], tag="cp39-abi3-linux_x86_64")
    done = resolve(store)
    assert done.status == 0 and "resolved 6 cells of Python 3.12 in " in done.stdout, done.stdout


def test_dependencies_from_another_index(store, tmp_path):
    """What would be the public index. Its wheels are not downloaded either."""
    shutil.rmtree(store / "v2-dependencies")
    public = tmp_path / "public"
    for name, version in (("numpy", "2.3.0"), ("pillow", "12.0.0")):
        wheel(public, name, version)
    assert wheelrun("index", public).status == 0
    with served(public) as server:
        done = resolve(store, "--dependencies-url", server.url + "/")
        assert done.status == 0, done.stdout
        assert not wheels_asked(server)
        (public / "pillow/index.html").unlink()
        done = resolve(store, "--dependencies-url", server.url + "/")
        assert done.status == 1 and "pillow was not found" in errors(done)[0]
    done = resolve(store, "--dependencies-url", server.url + "/", env={"UV_HTTP_TIMEOUT": "1", "UV_HTTP_RETRIES": "0"})
    assert done.status == 1 and "uv could not resolve Python 3.12: " in errors(done)[-1]


def test_pip_is_of_the_same_opinion(store, tmp_path):
    """The other installer, with the index as it is after the promotion."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    shutil.rmtree(staged(store))
    stage_torch(store, tag=f"{python}-{python}-linux_x86_64")
    assert promote(store).status == 0
    for name in ("numpy-2.3.0", "pillow-12.0.0"):
        shutil.copy(store / f"v2-dependencies/{name}-py3-none-any.whl", released(store))
    assert wheelrun("index", released(store)).status == 0
    with served(released(store)) as server:
        report = json.loads(pip_resolve("html", server.url, f"torchvision=={VISION}"))
        assert not [name for name in wheels_asked(server) if name.startswith("torch-2.9")]
    chosen = {one["metadata"]["name"]: one["metadata"]["version"] for one in report["install"]}
    assert chosen == {"torch": TORCH, "torchvision": VISION, "triton": "3.5.1", "rocm": ROCM, "rocm-sdk-core": ROCM,
                      "rocm-sdk-libraries": ROCM, "numpy": "2.3.0", "pillow": "12.0.0"}


def promote(store, *more, env=None):
    return in_job(store.parent, "promote", "--platform", "linux", "--family", FAMILY, "--output-dir", store,
                  "--release-type", "nightly", "--wheels", uploaded(store), "--build-result", "success", "--test-results",
                  f"{FAMILY}=success", "--resolve", *more, env={"GITHUB_REF_NAME": "main", **UV, **(env or {})})


def test_a_promotion_needs_it(store):
    (store / "v2-dependencies/numpy-2.3.0-py3-none-any.whl").rename(store / "numpy.whl")
    done = promote(store)
    assert done.status == 1 and done.outputs == {}
    assert not list(released(store).glob("triton*"))
    assert "numpy: what is asked for is not there" in errors(done)[0] and "numpy" in done.summary
    assert "Nothing was copied. Publish what is missing, then run this job again.\n" in done.stdout
    (store / "numpy.whl").rename(store / "v2-dependencies/numpy-2.3.0-py3-none-any.whl")
    done = promote(store)
    assert (done.status, done.outputs) == (0, {"verdict": "promote"}), done.stdout
    assert "Installable: uv resolved 5 cells of Python 3.12.\n" in done.summary
    assert promote(store).status == 0, "safe to repeat"


def test_without_uv_the_message_says_what_to_do(store):
    env = {"PATH": "/usr/bin:/bin"}
    for done in (resolve(store, env=env), promote(store, env=env)):
        assert done.status == 2
        assert "::error title=no-resolver::there is no uv on the PATH, which resolves the release%0A" in done.stdout
        assert "`pip install uv` installs it; in a job, astral-sh/setup-uv does" in done.stdout
    assert not list(released(store).glob("triton*"))
    done = wheelrun("release", "resolve", "--platform", "linux", "--family", FAMILY, "--output-dir", store,
                    "--release-type", "nightly", env=env)
    assert done.stderr.startswith("error[no-resolver]: there is no uv on the PATH, which resolves the release\n")


@pytest.mark.parametrize(("more", "says"), [
    (["--python", "three"], "'--python' does not take 'three'"),
    (["--family", "gfx1"], "gfx1"),
    (["--wheels", "{"], "--wheels"),
])
def test_wrong_options(store, more, says):
    done = resolve(store, *more)
    assert done.status == 2 and says in done.stdout


def test_an_empty_release_is_an_error(tmp_path):
    (tmp_path / "store").mkdir()
    done = resolve(tmp_path / "store", wheels="")
    assert done.status == 1 and "has no wheels of the matrix" in done.stdout


def test_a_uv_that_fails_is_told(store, tmp_path):
    uv = tmp_path / "bin/uv"
    uv.parent.mkdir()
    uv.write_text("#!/bin/sh\necho 'thread main panicked' >&2\nexit 101\n")
    uv.chmod(0o755)
    done = resolve(store, env={"PATH": f"{uv.parent}:/usr/bin:/bin"})
    assert done.status == 1 and "uv could not resolve Python 3.12: " in errors(done)[0]
    assert "thread main panicked" in errors(done)[0]


def test_uv_gets_no_credentials_and_builds_nothing(store, tmp_path):
    uv = tmp_path / "bin/uv"
    uv.parent.mkdir()
    uv.write_text(f"#!/bin/sh\nenv >{tmp_path}/seen.txt\necho \"$@\" >{tmp_path}/words.txt\nexit 101\n")
    uv.chmod(0o755)
    secrets = {name: "secret" for name in ("AWS_SECRET_ACCESS_KEY", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "GITHUB_TOKEN",
                                           "GH_TOKEN", "UV_INDEX_COMPANY_PASSWORD")}
    resolve(store, env={"PATH": f"{uv.parent}:/usr/bin:/bin", "UV_INDEX_URL": "https://example.com/", **secrets})
    seen = (tmp_path / "seen.txt").read_text()
    assert "secret" not in seen and "example.com" not in seen and "NO_PROXY=" in seen
    words = (tmp_path / "words.txt").read_text().split()
    assert {"--no-build", "--no-config", "--no-python-downloads"} <= set(words)


def test_a_free_threaded_python_is_not_passed_over_in_silence(store):
    for name in ("torch", "triton"):
        wheel(staged(store), name, TORCH if name == "torch" else "3.5.1", tag="cp313-cp313t-linux_x86_64")
    done = resolve(store)
    assert "::warning title=not resolved::Python 3.13t was not resolved: uv needs such an interpreter\n" in done.stdout
