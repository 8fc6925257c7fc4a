"""The release of this project: which packages are built and tested, which jobs publish them, and how failures are handled.

A fake compiler links programs that were built before; packages.try runs the real programs. Jobs get only the
permissions that they declare.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import source_tree
import wheelrun as runner
from own_stage import PROJECT, WINDOWS, OwnStage

VERSION = re.search(r"project\(wheelwright VERSION (\S+)", (runner.ROOT / "CMakeLists.txt").read_text())[1]
TAG = f"v{VERSION}"
ARCHS = ("x86_64", "aarch64")
TRIES = {"try_alone", "try_aarch64", "try_manylinux", "try_ubuntu24", "try_alpine"}
BUILDS = {f"build_{arch}" for arch in ARCHS}
# A few of the tests of `./dev try`, all of which ran where these programs were built.
FEW = {"try_alone": {"PYTEST_ADDOPTS": "-k 'archive_holds or checksums or pip_installs'"}}

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the release is built on x86_64")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with OwnStage(tmp_path_factory.mktemp("own"), Path(runner.PROGRAM).resolve().parent, VERSION) as made:
        made.tag(TAG)
        yield made


@pytest.fixture(scope="module")
def refused(stage):
    """The whole release, with an index that does not trust the workflow."""
    stage.trust(environment="another")
    run = stage.release(TAG, FEW)
    assert {name: run.result(name) for name in BUILDS | TRIES} == dict.fromkeys(BUILDS | TRIES, "success"), run.shown()
    run.indexed, run.released, run.asked = stage.indexed(), stage.released(TAG), stage.asked()
    return run


@pytest.fixture(scope="module")
def released(refused, stage):
    """A rerun of the failed jobs, after a maintainer has registered the workflow at the index."""
    stage.trust()
    run = stage.run_again(TAG, refused)
    assert run.result("publish_wheels") == run.result("publish") == "success", run.shown()
    return run


def test_an_index_that_refuses_ends_it_before_the_release(refused):
    assert refused.result("publish_wheels") == "failure" and refused.result("publish") == "skipped"
    assert "invalid-publisher" in refused.jobs["publish_wheels"].text
    assert refused.asked == [("publish_wheels", "refused")]
    assert refused.indexed == refused.released == {}


SOURCES = ("CMakeLists.txt", "base", "cli", "cmake", "generator", "matrix", "runtime", "selection", "static")
# Calls each library that the programs are linked with.
LIBRARIES = """
#include <boost/version.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <pugixml.hpp>
#include <yaml-cpp/yaml.h>
#include <zlib.h>
#include <zstd.h>
#include <cstdio>

int main() {
  const unsigned char text[] = "abc";
  unsigned char sum[SHA256_DIGEST_LENGTH];
  SHA256(text, 3, sum);
  pugi::xml_document xml;
  char packed[64], plain[4] = "";
  const size_t size = ZSTD_compress(packed, sizeof packed, text, 3, 1);
  ZSTD_decompress(plain, 3, packed, size);
  SSL_CTX* tls = SSL_CTX_new(TLS_client_method());
  std::puts(fmt::format("{:02x}{:02x} {:08x} {} {} {} {} {}", sum[0], sum[1], crc32(0, text, 3), plain,
                        bool(xml.load_string("<a/>")), YAML::Load("a: 7")["a"].as<int>(),
                        nlohmann::json::parse("[1]").size(), tls != nullptr && BOOST_VERSION > 0).c_str());
}
"""


def test_the_libraries_for_aarch64_link_and_run(tmp_path):
    """All libraries exist for that processor. A job of CI compiles the programs with them, which takes minutes."""
    (tmp_path / "probe.cpp").write_text(LIBRARIES, encoding="utf-8")
    compiler = ["aarch64-linux-gnu-g++", f"--sysroot={runner.ROOT / '.tools/aarch64/root'}"]
    subprocess.run(["ccache", *compiler, "-std=c++20", "-DFMT_HEADER_ONLY", "-c", "probe.cpp"], cwd=tmp_path, check=True)
    subprocess.run([*compiler, "-static", "probe.o", "-o", "probe", "-lyaml-cpp", "-lpugixml", "-lssl", "-lcrypto", "-lzstd",
                    "-lz"], cwd=tmp_path, check=True)
    said = subprocess.run(["qemu-aarch64-static", tmp_path / "probe"], capture_output=True, text=True, check=True)
    assert said.stdout == "ba78 352441c2 abc true 7 1 true\n"


def wheel(arch):
    return (f"wheelwright_actions-{VERSION}-py3-none-manylinux2014_{arch}.manylinux_2_17_{arch}.musllinux_1_1_{arch}"
            ".whl")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_index_has_the_wheels_and_the_sources(released, stage):
    assert set(stage.indexed()) == {wheel("x86_64"), wheel("aarch64"), f"wheelwright_actions-{VERSION}.tar.gz"}


def test_the_release_has_all_files_and_the_sums_of_where_they_were_built(released, stage):
    files = stage.released(TAG)
    sums = dict(line.split("  ")[::-1] for line in files.pop("SHA256SUMS").read_text().splitlines())
    assert set(files) == {*stage.indexed(), *(f"wheelwright-{VERSION}-linux-{arch}.tar.gz" for arch in ARCHS)}
    assert sums == {name: sha256(path) for name, path in files.items()}
    assert {name: sha256(path) for name, path in stage.indexed().items()}.items() <= sums.items()


def test_one_job_proves_who_it_is_and_another_writes(released, stage):
    assert stage.asked()[1:] == [("publish_wheels", "trusted")]
    permissions = json.loads((stage.folder / "permissions.json").read_text())
    assert {token: grants for token, grants in permissions.items() if "write" in grants.values()} == {
        "token-of-publish_wheels": {"id-token": "write"}, "token-of-publish": {"contents": "write"}}


def test_pip_installs_from_the_index(released, stage, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    authority = str(stage.index / "authority.pem")
    subprocess.run([sys.executable, "-m", "pip", "--python", tmp_path / "venv/bin/python", "install", "--quiet", PROJECT],
                   env={"PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": f"{stage.url}/simple/",
                        "PIP_CERT": authority, "REQUESTS_CA_BUNDLE": authority}, check=True)
    for name in ("wheelwright", "wheelrun"):
        said = subprocess.run([tmp_path / "venv/bin" / name, "--version"], capture_output=True, text=True, check=True)
        assert said.stdout == f"{name} {VERSION}\n"


def test_pip_builds_the_sources_where_there_is_a_compiler(released, stage, tmp_path):
    (sources,) = [path for name, path in stage.indexed().items() if name.endswith(".tar.gz")]
    with tarfile.open(sources) as packed:
        folder = f"wheelwright_actions-{VERSION}"
        held = {name.removeprefix(f"{folder}/") for name in packed.getnames()}
    tracked = source_tree.git(stage.repository, "ls-files", *SOURCES).splitlines()
    assert held >= {*tracked, "pyproject.toml", "README.md", "LICENSE", "PKG-INFO"}
    environment = {"PATH": f"{stage.tools()}:{os.environ['PATH']}", "REHEARSAL_PROGRAMS": str(stage.programs),
                   "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "CCACHE_DISABLE": "1"}
    done = subprocess.run([runner.ROOT / ".tools/packaging/bin/python", "-m", "pip", "install", "--no-build-isolation",
                           "--no-deps", "--ignore-installed", "--prefix", tmp_path, sources], env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = subprocess.run([tmp_path / "bin/wheelwright", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"wheelwright {VERSION}\n"


def test_run_again_it_leaves_out_what_the_index_has(refused, released, stage):
    """The state is that of a failure between the upload to the index and the release."""
    before = {name: path.stat().st_mtime_ns for name, path in stage.indexed().items()}
    stage.forget_release()
    again = stage.run_again(TAG, refused)
    assert again.result("publish_wheels") == again.result("publish") == "success", again.shown()
    assert again.jobs["publish_wheels"].text.count("already exists, skipping") == len(before)
    assert {name: path.stat().st_mtime_ns for name, path in stage.indexed().items()} == before
    assert len(stage.released(TAG)) == 6


def test_a_tag_of_another_version_builds_nothing(stage):
    stage.tag("v99.0.0")
    run = stage.release("v99.0.0", FEW)
    assert {name for name, job in run.jobs.items() if job.result == "failure"} == BUILDS
    assert run.ran() - set(WINDOWS) == BUILDS
    assert "CMakeLists.txt is not version 99.0.0" in run.jobs["build_x86_64"].text
