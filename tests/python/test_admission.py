"""Which packages may be added to an index: projects that were not resolved for a build, and source archives, are
rejected."""

import json

import pytest
import wheelrun as runner
from index_world import make_wheel, sha256

FAMILY = "gfx94X-dcgpu"
VERSION = "2.10.0+rocm7.10.0"
VERSIONS = {"torch": VERSION, "triton": "3.5.0", "apex": ""}
STRANGERS = [("rocm", "99.0"), ("rocm-sdk-core", "99.0"), ("requests", "99.0"), ("pip", "99.0"), ("torch-extras", "1.0")]


def dist(folder, *wheels):
    made = folder / "dist"
    make_wheel(made, "torch", VERSION)
    make_wheel(made, "triton", "3.5.0")
    for project, version in wheels:
        make_wheel(made, project, version)
    return made


def upload(store, folder, *words):
    return runner.wheelrun("upload", folder, "--family", FAMILY, "--platform", "linux", "--output-dir", store, *words)


def files(store):
    return sorted(p.name for p in store.rglob("*") if p.is_file()) if store.exists() else []


@pytest.mark.parametrize(("project", "version"), STRANGERS)
def test_a_stranger_is_refused_by_check_upload_and_promote(tmp_path, project, version):
    made = dist(tmp_path, (project, version))
    checked = runner.wheelrun("wheel", "check", made, "--versions", json.dumps(VERSIONS))
    assert checked.status == 1
    assert f"error[surplus-wheel]: no version of {project} was resolved" in checked.stderr

    done = upload(tmp_path / "store", made, "--release-type", "nightly")
    assert done.status == 1 and files(tmp_path / "store") == []
    assert f"the matrix does not build {project} for linux, so this index must not contain it" in done.stderr
    run = upload(tmp_path / "store", made, "--run-id", "7", "--versions", json.dumps(VERSIONS))
    assert run.status == 1 and files(tmp_path / "store") == []
    assert f"no version of {project} was resolved" in run.stderr

    store = tmp_path / "store"
    staged = make_wheel(store / "v2-staging" / FAMILY, project, version)
    done = runner.wheelrun(
        "promote", "--platform", "linux", "--family", FAMILY, "--output-dir", store, "--release-type", "nightly",
        "--wheels", json.dumps({staged.name: sha256(staged)}), "--build-result", "success",
        "--test-results", f"{FAMILY}=success", env={"GITHUB_REF_NAME": "main"})
    assert done.status == 2 and not (store / "v2").exists()
    assert f"error[surplus-wheel]: '{staged.name}' is not promoted: the matrix does not build {project}" in done.stderr


@pytest.mark.parametrize("name", ["requests-99.0.tar.gz", "torch-2.10.0.tar.gz", "torch-2.10.0.zip"])
def test_a_source_archive_is_refused_by_check_upload_and_promote(tmp_path, name):
    made = dist(tmp_path)
    (made / name).write_bytes(b"x")
    checked = runner.wheelrun("wheel", "check", made, "--versions", json.dumps(VERSIONS))
    assert checked.status == 1
    assert f"error[source-archive]: '{name}' is not a wheel, but an index would offer it" in checked.stderr
    for words in [("--release-type", "nightly"), ("--run-id", "7", "--versions", json.dumps(VERSIONS))]:
        done = upload(tmp_path / "store", made, *words)
        assert done.status == 1 and files(tmp_path / "store") == []
        assert "it is a source archive of" in done.stderr
    done = runner.wheelrun(
        "promote", "--platform", "linux", "--family", FAMILY, "--output-dir", tmp_path / "store", "--release-type",
        "nightly", "--wheels", json.dumps({name: "0" * 64}), "--build-result", "success",
        "--test-results", f"{FAMILY}=success", env={"GITHUB_REF_NAME": "main"})
    assert done.status == 2 and files(tmp_path / "store") == []


def test_another_version_than_the_resolved_one_is_refused(tmp_path):
    made = dist(tmp_path)
    other = json.dumps({**VERSIONS, "torch": "2.10.0+rocm7.9.0"})
    done = upload(tmp_path / "store", made, "--release-type", "nightly", "--versions", other)
    assert done.status == 1 and files(tmp_path / "store") == []
    assert f"torch is {VERSION}, but 2.10.0+rocm7.9.0 was resolved" in done.stderr
    done = upload(tmp_path / "store", made, "--release-type", "nightly", "--versions", '{"torch": 1}')
    assert done.status == 2 and "error[resolved-versions]" in done.stderr


def test_what_was_resolved_goes_through(tmp_path):
    made = dist(tmp_path)
    assert upload(tmp_path / "store", made, "--release-type", "nightly", "--versions", json.dumps(VERSIONS)).status == 0
    assert upload(tmp_path / "other", made, "--release-type", "nightly").status == 0
    windows = runner.wheelrun("upload", made, "--family", "gfx1151", "--platform", "windows", "--output-dir",
                              tmp_path / "third", "--release-type", "nightly")
    assert windows.status == 1 and "the matrix does not build triton for windows" in windows.stderr


def test_triton_may_have_another_name(tmp_path):
    made = tmp_path / "dist"
    make_wheel(made, "torch", VERSION)
    make_wheel(made, "pytorch-triton-rocm", "3.5.0")
    words = ("upload", made, "--family", FAMILY, "--platform", "linux", "--output-dir", tmp_path / "store",
             "--release-type", "nightly", "--versions", json.dumps(VERSIONS))
    assert runner.wheelrun(*words).status == 1
    assert runner.wheelrun(*words, env={"TRITON_WHEEL_NAME": "pytorch-triton-rocm"}).status == 0


def test_packages_of_rocm_go_to_the_folder_of_a_run(tmp_path):
    """They have no resolved versions, and the folder of a run is not a release."""
    made = tmp_path / "dist"
    make_wheel(made, "rocm-sdk-core", "7.10.0")
    (made / "rocm-7.10.0.tar.gz").write_bytes(b"x")
    assert upload(tmp_path / "store", made, "--run-id", "7").status == 0
