"""`wheelwright graph --against`: how the matrix differs from another state of it."""

import shutil
import subprocess

import pytest
from test_graph_page import CONTRAST, NARROW, WIDE, browser  # noqa: F401  (the fixture `browser`)
from wheelwright import ROOT, Project


def git(folder, *words):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", folder, *words], check=True, capture_output=True)


def committed(repository, folder):
    shutil.copytree(ROOT / "examples/cpp-library/matrix", folder / "matrix")
    shutil.copytree(ROOT / "examples/cpp-library/templates", folder / "templates")
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "one")
    return Project(folder)


@pytest.fixture
def project(tmp_path):
    return committed(tmp_path, tmp_path)


def edit(project):
    """A compiler more, a system less, and another runner."""
    project.replace("matrix/builds.yml", "      ubuntu-arm: [gcc-14]\n      windows: [msvc]\n      macos: [apple-clang]\n"
                    "    types: [Debug", "      ubuntu-arm: [gcc-13, gcc-14]\n      windows: [msvc]\n    types: [Debug", count=1)
    for name in ("systems", "domains"):
        project.replace(f"matrix/{name}.yml", "windows-2022", "windows-2025")


CHANGES = """\
### What is different from HEAD

|  | row | builds | before | now |
| --- | --- | --- | --- | --- |
| added | ci: ubuntu-arm | gcc-13 Debug address, gcc-13 Release none | not there | all tests, with the services |
| changed | ci: windows | all | runner: windows-2022 | runner: windows-2025 |
| changed | nightly: windows | all | runner: windows-2022 | runner: windows-2025 |
| changed | release: windows | all | runner: windows-2022 | runner: windows-2025 |
| removed | ci: macos | apple-clang Debug address, apple-clang Debug none, apple-clang Release none | no tests of the services | not there |

"""


def test_changes_are_listed_by_row(project):
    assert project.ok("graph", "--format", "markdown", "--against", "HEAD").startswith(
        "### What is different from HEAD\n\nNothing that is built.\n\n")
    edit(project)
    assert project.ok("graph", "--format", "markdown", "--against", "HEAD").startswith(CHANGES)
    git(project.folder, "commit", "-q", "-a", "-m", "two")
    assert "Nothing that is built." in project.ok("graph", "--format", "markdown", "--against", "HEAD")
    before = project.ok("graph", "--format", "markdown", "--against", "HEAD~1")
    assert before.startswith(CHANGES.replace("HEAD", "HEAD\\~1")) or before.startswith(CHANGES.replace("HEAD", "HEAD~1"))


def test_a_project_below_the_top_of_its_repository(tmp_path):
    project = committed(tmp_path, tmp_path / "ci")
    edit(project)
    assert project.ok("graph", "--format", "markdown", "--against", "HEAD").startswith(CHANGES)


def test_another_folder_is_compared_with(project, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(project.folder / "matrix", other / "matrix")
    edit(project)
    said = project.ok("graph", "--format", "markdown", "--against", other)
    assert said.splitlines()[2:] == project.ok("graph", "--format", "markdown", "--against", "HEAD").splitlines()[2:]


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_marks_changed_cells(browser, project, size, scheme):  # noqa: F811
    edit(project)
    project.ok("graph", "--format", "html", "--against", "HEAD", "--out", "page.html")
    browser.open(project.folder / "page.html", size=size, scheme=scheme)
    marked = browser.all(".scroll:not([hidden]) td[data-change]")
    assert [cell.get_attribute("data-change") for cell in marked] == ["added", "added"]
    marked[0].click()
    assert "Before" in browser.one("#detail").text
    assert "not there (added since HEAD)" in browser.one("#detail").text
    table = browser.one("[aria-labelledby=changes-title]")
    assert "What is different from HEAD" in table.text
    assert "ci: macos" in table.text and "runner: windows-2025" in table.text
    signs = browser.js("""return [...document.querySelectorAll(".legend [data-change]")].map((key) =>
        getComputedStyle(key, "::before").content);""")
    assert [sign[1] for sign in signs] == ["+", "\u2212", "~"]
    assert browser.js("return document.documentElement.scrollWidth") == size[0]
    assert browser.js(CONTRAST)[1] == {}
    assert browser.driver.get_log("browser") == []


def test_what_cannot_be_compared_with(project):
    assert project.refused("graph", "--format", "markdown", "--against", "nope") == """\
error[unknown-revision]: 'nope' cannot be compared with: it is no folder with a matrix/, and git knows no such revision here
   = name a folder, a branch, a tag or a commit

1 error
"""
    assert "'--against' is for the formats html and markdown" in project.refused("graph", "--against", "HEAD")
    assert "'--minutes' is for the format html" in project.refused("graph", "--minutes", "m.json")
    git(project.folder, "rm", "-q", "-r", "--cached", "matrix")
    git(project.folder, "commit", "-q", "-m", "none")
    assert "'HEAD' cannot be compared with: it has no matrix/" in project.refused(
        "graph", "--format", "html", "--against", "HEAD")


def test_a_revision_that_this_version_does_not_read(project):
    good = project.read("matrix/builds.yml")
    project.replace("matrix/builds.yml", "types:", "kinds:")
    git(project.folder, "commit", "-q", "-a", "-m", "broken")
    project.write("matrix/builds.yml", good)
    said = project.refused("graph", "--format", "markdown", "--against", "HEAD")
    assert said.startswith("error[unreadable-revision]: this version does not read the matrix of 'HEAD'\n   = matrix/builds.yml:")
