"""Jobs of the projects in examples/, run as they are generated: their real steps, with the compilers of this machine."""

import tarfile

import pytest
from example_stage import ExampleStage, keeping_marks
from needs import need

VERSION = "1.2.0"  # of examples/cpp-library/CMakeLists.txt


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """examples/cpp-library. Its g++-14 is this machine's g++, and its valkey listens at another port."""
    need("cmake", "ninja", "g++", "cpack")
    with keeping_marks() as (port, commands):
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
