"""Tables and summaries for terminals of different widths."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

import pytest
from wheelwright import ENVIRONMENT, PROGRAM, ROOT, Project
from workflow_set import frozen

QUESTIONS = [["plan"], ["plan", "--all-files"], ["select", "--event", "schedule"], ["select", "--event", "pull_request"]]


@pytest.fixture(scope="module")
def project():
    return Project(frozen())


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
@pytest.mark.parametrize("columns", [80, 100, 132])
def test_every_line_fits(project, words, columns):
    lines = project.run(*words, COLUMNS=str(columns)).stdout.splitlines()
    assert lines and max(map(len, lines)) <= columns


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_nothing_is_lost(project, words):
    """The text is the same for every width, except that long names are broken after punctuation."""
    wide, narrow = (project.run(*words, COLUMNS=columns).stdout for columns in ("", "80"))
    assert sorted(wide.replace(" ", "").replace("\n", "")) == sorted(narrow.replace(" ", "").replace("\n", ""))
    assert max(map(len, wide.splitlines())) > 80


def test_words_are_whole_where_there_is_room(project):
    words = set(project.run("plan").stdout.split())
    narrow = {word for line in project.run("plan", COLUMNS="132").stdout.splitlines() for word in line.split()}
    parted = {word for word in narrow - words if not word.endswith(tuple("/#:_-"))}
    # Each is the part of a name after punctuation.
    assert all(any(whole.endswith(word) or word in whole for whole in words) for word in parted)


def test_a_terminal_says_how_wide_it_is():
    control, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    with subprocess.Popen([PROGRAM, "plan", "--root", ROOT / "examples/cpp-library", "--color", "never"], env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.DEVNULL) as running:
        os.close(terminal)
        said = b""
        while True:
            try:
                part = os.read(control, 65536)
            except OSError:  # the other end was closed
                break
            if not part:
                break
            said += part
        assert running.wait() == 0
    os.close(control)
    lines = said.decode().splitlines()
    assert len(lines) > 20 and max(map(len, lines)) <= 80


def test_a_file_has_lines_of_any_length(project):
    assert max(map(len, project.run("plan").stdout.splitlines())) > 100
    assert project.run("plan", COLUMNS="nonsense").stdout == project.run("plan").stdout


def test_markdown_is_left_alone(project):
    assert project.run("plan", "--format", "markdown", COLUMNS="60").stdout == project.run("plan", "--format", "markdown").stdout


def test_the_summary_of_check_shows_what_differs(tmp_path):
    project = Project(tmp_path)
    project.ok("init")
    template = "templates/workflows/builds.yml"
    text = "${{ github.event_name == 'push' && github.ref_name == 'main' && github.actor != 'somebody' && 'yes' || 'no' }}"
    project.replace(template, "          PASSED:", f"          WHERE: {text}\n          PASSED:", count=1)
    project.replace(template, "        run: test \"$PASSED\" = true", "        run: |\n          echo \"$WHERE\"\n          test \"$PASSED\" = true")
    project.ok("generate")
    project.replace(template, "'somebody'", "'nobody'")
    project.replace(template, 'echo "$WHERE"', 'echo "where: $WHERE"')
    project.replace("matrix/pins.yml", "sha: 3d3c42e5aac5ba805825da76410c181273ba90b1, version: v7.0.1",
                    "sha: 1111111111111111111111111111111111abcdef, version: v7.1.0")
    said = project.found("check")
    assert """
  ~ 4 jobs  steps['Check out this repository'].uses: actions/checkout v7.0.1 -> v7.1.0
  ~ 1 job   steps['Look at the results'].env.WHERE: ...'somebody'... -> ...'nobody'...
  ~ 1 job   steps['Look at the results'].run: - echo "$WHERE" + echo "where: $WHERE"
""" in said
