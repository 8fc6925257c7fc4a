"""Templates of another project: fetched by git at a pinned commit, or read in a folder. The other project is a real
repository."""

import os
import shutil
import signal
import subprocess
import time

import pytest
from wheelwright import PROGRAM, ROOT, Project, wheelwright

SETUP = """\
- $[[ fragment ]]:
    arguments: [timeout]
- $[[ include fragments/inner.yml ]]:
- run: echo shared
  timeout-minutes: $[[ timeout ]]
"""
INNER = "- $[[ fragment ]]:\n- run: echo inner\n"
# About a matrix that the project does not have: nobody includes it.
FOREIGN = "- $[[ fragment ]]:\n- run: echo $[[ no_such_table.row ]]\n"
WORKFLOW = """\
$[[ template ]]:
  file: nightly.yml

name: Nightly
on:
  workflow_dispatch:

permissions: {}

jobs:
  nightly:
    name: Nightly
    runs-on: $[[ settings.runs_on ]]
    timeout-minutes: 5
    steps:
      - $[[ include fragments/inner.yml ]]:
"""


def git(folder, *words):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", "-C",
                           folder, *words], check=True, capture_output=True, text=True).stdout.strip()


class Other(Project):
    """The other project, with the tag v1."""

    def make(self):
        for name, text in {
                "templates/fragments/setup.yml": SETUP, "templates/fragments/inner.yml": INNER,
                "templates/fragments/deep/foreign.yml": FOREIGN, "templates/workflows/nightly.yml": WORKFLOW,
                "README.md": ""}.items():
            self.write(name, text)
        git(self.folder, "init", "-q", "-b", "main")
        self.commit()
        git(self.folder, "tag", "v1")

    def commit(self):
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", "more")
        return git(self.folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Both projects, of which each test has a copy."""
    folder = tmp_path_factory.mktemp("fresh")
    (folder / "other").mkdir()
    Other(folder / "other").make()
    assert wheelwright("init", "mine", cwd=folder).returncode == 0
    return folder


@pytest.fixture
def other(tmp_path, fresh):
    shutil.copytree(fresh / "other", tmp_path / "other")
    return Other(tmp_path / "other")


@pytest.fixture
def project(tmp_path, fresh, other):
    shutil.copytree(fresh / "mine", tmp_path / "mine")
    made = Project(tmp_path / "mine")
    made.replace("templates/workflows/builds.yml", "        - name: Build\n",
                 "        - $[[ include builds/fragments/setup.yml ]]: { timeout: 5 }\n\n        - name: Build\n")
    shared(made, other)
    return made


def shared(project, other, ref="v1", **more):
    lines = {"git": f"file://{other.folder}", "ref": ref, **more}
    project.write("matrix/shared.yml", "shared_templates:\n  builds:\n" + "".join(f"    {k}: {v}\n" for k, v in lines.items()))


def headline(project, *words):
    """The first line of an error, with its code."""
    return project.refused(*words).split("\n")[0]


def test_fragments_of_another_repository_are_fetched_and_used_offline(project, other):
    assert headline(project, "check") == "error[not-fetched]: the templates 'builds' were never fetched"
    first = git(other.folder, "rev-parse", "v1")
    assert project.ok("fetch") == f"builds: v1 is {first[:12]}; 3 files, 3 written\n"
    assert project.read("templates/builds/fragments/setup.yml") == SETUP
    assert f"  commit: {first}\n" in project.read("templates/shared.lock")
    other.folder.rename(other.folder.with_name("away"))
    assert project.ok("generate") == ".github/workflows/: 2 written\n"
    made = project.read(".github/workflows/ci.yml")
    assert "- run: echo inner\n      - run: echo shared\n        timeout-minutes: 5\n" in made
    assert project.ok("check") == ".github/workflows/ is current: 2 files\n"
    assert project.ok("fetch") == f"builds: v1 is {first[:12]}, as before\n"
    line = 1 + made[:made.index("echo shared")].count("\n")
    assert "templates/builds/fragments/setup.yml:4" in project.ok("explain", f".github/workflows/ci.yml:{line}")


def test_a_moved_tag_changes_nothing_until_an_update(project, other):
    first = git(other.folder, "rev-parse", "v1")
    project.ok("fetch")
    other.write("templates/fragments/inner.yml", INNER + "- run: echo more\n")
    second = other.commit()
    git(other.folder, "tag", "-f", "v1")
    done = project.run("fetch", "--check")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (f"builds: v1 is {second[:12]}, and {first[:12]} was fetched\n"
                           "`wheelwright fetch --update` takes what the refs are now.\n")
    project.folder.joinpath("templates/builds/fragments/inner.yml").unlink()
    assert project.ok("fetch") == f"builds: v1 is {first[:12]}; 3 files, 1 written\n"
    assert project.read("templates/builds/fragments/inner.yml") == INNER
    assert project.ok("fetch", "--update") == f"builds: v1 is {second[:12]}; 3 files, 1 written\n"
    assert project.ok("fetch", "--check") == f"builds: v1 is {second[:12]}, as fetched\n"
    assert "echo more" in project.read("templates/builds/fragments/inner.yml")


@pytest.mark.parametrize("kind", ["branch", "annotated tag", "commit"])
def test_a_ref_is_a_branch_a_tag_or_a_commit(project, other, kind):
    commit = git(other.folder, "rev-parse", "HEAD")
    git(other.folder, "tag", "-a", "-m", "x", "v2")
    git(other.folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    shared(project, other, {"branch": "main", "annotated tag": "v2", "commit": commit}[kind])
    assert f"is {commit[:12]}; 3 files" in project.ok("fetch")


def test_what_differs_from_the_lock_is_refused(project):
    project.ok("fetch")
    folder = project.folder / "templates/builds/fragments"
    project.write("templates/builds/fragments/setup.yml", SETUP + "# changed\n")
    project.write("templates/builds/fragments/new.yml", INNER)
    (folder / "inner.yml").unlink()
    said = project.refused("check")
    assert said.startswith("error[changed-shared-templates]: the templates 'builds' are not those of commit ")
    assert [line[5:] for line in said.split("\n") if line.startswith("   = ")][:3] == [
        "templates/builds/fragments/inner.yml is missing", "templates/builds/fragments/new.yml was not fetched",
        "templates/builds/fragments/setup.yml was changed"]
    assert "run `wheelwright fetch`" in said
    assert "; 3 files, 2 written" in project.ok("fetch")
    assert sorted(path.name for path in folder.iterdir()) == ["deep", "inner.yml", "setup.yml"]


@pytest.mark.parametrize(("row", "says"), [
    ({"ref": "v2"}, "error[fetch-failed]: file://OTHER has no branch and no tag 'v2'"),
    ({"folder": "elsewhere"}, "has no folder elsewhere"),
    ({"take": "[fragmens]"}, "error[unknown-shared-file]: templates of 'builds' has no templates 'fragmens'"),
    ({"git": "https://me:secret@example.org/x"}, "error[bad-value]: "),
    ({"git": "ext::sh -c true"}, "error[bad-value]: "),
    ({"git": "--upload-pack=true"}, "error[bad-value]: "),
    ({"ref": "--upload-pack=x"}, "error[bad-value]: "),
    ({"folder": "../../etc"}, "error[fetch-failed]: "),
    ({"take": "[../secrets]"}, "error[bad-value]: "),
    ({"ref": "null"}, "error[unpinned-templates]: 'builds' has a repository and no ref"),
    ({"git": "null"}, "error[unpinned-templates]: 'builds' does not say where its templates are"),
])
def test_a_wrong_row_is_refused_and_nothing_is_written(project, other, row, says):
    shared(project, other, **{"ref": "v1", **row})
    assert says.replace("OTHER", str(other.folder)) in headline(project, "fetch")
    assert not (project.folder / "templates/builds").exists() and not (project.folder / "templates/shared.lock").exists()


def test_a_changed_row_is_behind_until_it_is_fetched(project, other):
    project.ok("fetch")
    git(other.folder, "tag", "v2")
    shared(project, other, "v2")
    assert headline(project, "check") == "error[not-fetched]: the templates 'builds' are behind: they were fetched at v1"
    shared(project, other, take="[fragments/setup.yml]")
    assert "were fetched with other files: fragments" in headline(project, "check")
    project.ok("fetch")
    assert headline(project, "check") == "error[unknown-fragment]: no fragment is called 'fragments/inner.yml'"


def test_a_removed_row_takes_its_files_along(project):
    project.ok("fetch")
    project.write("matrix/shared.yml", "")
    assert "and matrix/shared.yml no longer fetches it" in headline(project, "check")
    assert project.ok("fetch") == "builds: removed, matrix/shared.yml no longer has it\n"
    assert not (project.folder / "templates/shared.lock").exists()
    assert headline(project, "check") == "error[unknown-fragment]: no fragment is called 'builds/fragments/setup.yml'"


def test_templates_of_another_project_become_workflows_of_this_one(project, other):
    shared(project, other, take="[fragments, workflows/nightly.yml]")
    project.ok("fetch")
    assert project.run("generate").stderr == ""
    assert project.read(".github/workflows/nightly.yml").startswith(
        "# Generated by wheelwright from templates/builds/workflows/nightly.yml")


def test_a_thousand_files_are_enough(project, other):
    for i in range(1000):
        other.write(f"templates/fragments/f{i}.yml", INNER)
    other.commit()
    shared(project, other, "main")
    assert headline(project, "fetch") == (
        "error[too-many-shared-files]: 'builds' would take 1,003 files with 0.0 MB; at most 1000 and 16 MB are fetched")


def test_links_are_not_fetched(project, other):
    os.symlink("/etc/passwd", other.folder / "templates/fragments/link.yml")
    other.commit()
    shared(project, other, "main")
    assert headline(project, "fetch") == "error[unknown-shared-file]: 'fragments/link.yml' of 'builds' is no file of its folder"


def test_a_folder_of_this_project_is_not_overwritten(project, other):
    project.write("templates/builds/fragments/own.yml", INNER)
    assert headline(project, "fetch").startswith("error[shared-name]: templates/builds is a folder of this project")
    project.write("matrix/shared.yml", "shared_templates:\n  builds: { folder: ../other/templates }\n")
    assert headline(project, "check").startswith("error[shared-name]: templates/builds is a folder of this project")


def test_a_lock_that_was_edited_is_refused(project):
    project.ok("fetch")
    project.replace("templates/shared.lock", "fragments/inner.yml", "../../inner.yml")
    assert headline(project, "check") == ("error[bad-shared-lock]: what the lock says of 'builds' is not what "
                                          "`wheelwright fetch` writes")


def test_a_fetch_that_is_killed_is_finished_by_the_next(project, other):
    for i in range(100):
        other.write(f"templates/fragments/f{i:02}.yml", INNER)
    other.commit()
    project.ok("fetch")
    shared(project, other, "main")
    process = subprocess.Popen([PROGRAM, "fetch"], cwd=project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not (project.folder / "templates/builds/fragments/f40.yml").exists():
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = project.run("check")
    assert done.returncode == 0 or "error[not-fetched]" in done.stderr
    project.ok("fetch")
    project.ok("generate")
    project.ok("check")


def test_a_submodule_is_read_where_it_is(project, other):
    git(project.folder, "init", "-q")
    git(project.folder, "submodule", "--quiet", "add", str(other.folder), "tools/other")
    project.write("matrix/shared.yml", "shared_templates:\n  builds: { folder: tools/other/templates }\n")
    assert project.ok("generate") == ".github/workflows/: 2 written\n"
    git(project.folder, "add", "-A")
    git(project.folder, "commit", "-q", "-m", "one")
    git(project.folder, "submodule", "--quiet", "deinit", "-f", "tools/other")
    said = project.refused("check")
    assert said.startswith("error[unknown-shared-file]: tools/other/templates has no templates 'fragments'")
    assert "git submodule update --init" in said
    git(project.folder, "submodule", "--quiet", "update", "--init")
    project.write("tools/other/templates/fragments/inner.yml", INNER.replace("echo", "$[[ wrong ]]"))
    assert "  --> tools/other/templates/fragments/inner.yml:2:" in project.refused("check")


def test_a_name_that_is_no_row_is_refused(project):
    assert headline(project, "fetch", "build") == (
        "error[unknown-templates]: there is no row with `git` in matrix/shared.yml 'build'")
    assert headline(project, "fetch", "--update", "--check") == "error[option-value]: '--update' and '--check' exclude each other"


def test_a_project_without_shared_templates_has_nothing_to_fetch():
    done = wheelwright("fetch", "--root", ROOT / "examples/cpp-library")
    assert (done.returncode, done.stdout) == (0, "matrix/shared.yml has no row with `git`: nothing to fetch\n")


@pytest.mark.parametrize("form", ["text", "github", "json"])
def test_a_password_is_not_printed(project, other, form):
    shared(project, other, git="https://me:s3cret@example.org/x")
    said = project.refused("check", "--format", form)
    assert "bad-value" in said and "s3cret" not in said and "https://*********@example.org/x" in said
    if form == "text":
        line, carets = said.split("\n")[3:5]
        assert line.index("https") == carets.index("^") and carets.count("^") == len("https://me:s3cret@example.org/x")


def test_what_is_no_password_is_printed(project, other):
    shared(project, other, git="ssh://git@example.org", ref="docker://alpine@sha256:12")
    said = project.refused("check")
    assert "ssh://git@example.org" in said and "docker://alpine@sha256:12" in said


def test_a_fetch_in_a_hook_leaves_its_repository_alone(project):
    git(project.folder, "init", "-q")
    before = {path: path.read_bytes() for path in (project.folder / ".git").rglob("*") if path.is_file()}
    variables = {"GIT_DIR": str(project.folder / ".git"), "GIT_INDEX_FILE": ".git/index", "GIT_WORK_TREE": "."}
    project.ok("fetch", **variables)
    assert {path: path.read_bytes() for path in (project.folder / ".git").rglob("*") if path.is_file()} == before
    project.ok("generate", **variables)
    project.ok("check", **variables)


@pytest.mark.parametrize("place", ["templates/builds", "templates/builds/fragments"])
def test_nothing_is_written_or_removed_through_a_link(project, tmp_path, place):
    project.ok("fetch")
    (tmp_path / "mine/elsewhere").mkdir()
    project.write("elsewhere/precious.yml", INNER)
    link = project.folder / place
    link.rename(tmp_path / "moved")
    link.symlink_to(project.folder / "elsewhere")
    assert headline(project, "fetch") == (
        f"error[linked-templates]: {place} is a link: files of another place would be written and removed")
    project.write("matrix/shared.yml", "")
    assert headline(project, "fetch").startswith(f"error[linked-templates]: {place} is a link: ")
    assert [path.name for path in (project.folder / "elsewhere").iterdir()] == ["precious.yml"]


def test_a_link_out_of_a_folder_is_not_read(project, other):
    project.write("matrix/shared.yml", "shared_templates:\n  builds: { folder: ../other/templates }\n")
    project.ok("generate")
    inner = other.folder / "templates/fragments/inner.yml"
    inner.rename(other.folder / "inner.yml")
    inner.symlink_to("../../inner.yml")
    assert headline(project, "check") == (
        "error[linked-templates]: ../other/templates/fragments/inner.yml is a link out of ../other/templates")
