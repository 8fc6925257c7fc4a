"""Tables and summaries for terminals of different widths."""

import fcntl
import functools
import os
import pty
import struct
import subprocess
import termios

import pytest
from wheelwright import ENVIRONMENT, PROGRAM, ROOT, Project
from workflow_set import frozen

QUESTIONS = [["plan"], ["plan", "--all-files"], ["select", "--event", "schedule"], ["select", "--event", "pull_request"]]


@functools.cache
def said(*words, columns=""):
    """What the set of this repository is told for such a width."""
    return Project(frozen()).run(*words, COLUMNS=columns).stdout


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
@pytest.mark.parametrize("columns", [80, 100, 132])
def test_every_line_fits(words, columns):
    lines = said(*words, columns=str(columns)).splitlines()
    assert lines and max(map(len, lines)) <= columns


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_nothing_is_lost(words):
    """The text is the same for every width, except that long names are broken after punctuation."""
    wide, narrow = (said(*words, columns=columns) for columns in ("", "80"))
    assert sorted(wide.replace(" ", "").replace("\n", "")) == sorted(narrow.replace(" ", "").replace("\n", ""))
    assert max(map(len, wide.splitlines())) > 80


def test_words_are_whole_where_there_is_room():
    words = set(said("plan").split())
    narrow = {word for line in said("plan", columns="132").splitlines() for word in line.split()}
    parted = {word for word in narrow - words if not word.endswith(tuple("/#:_-"))}
    # Each is the part of a name after punctuation.
    assert all(any(whole.endswith(word) or word in whole for whole in words) for word in parted)


def test_a_terminal_says_how_wide_it_is():
    control, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    with subprocess.Popen([PROGRAM, "plan", "--root", ROOT / "examples/cpp-library", "--color", "never"], env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.DEVNULL) as running:
        os.close(terminal)
        shown = b""
        while True:
            try:
                part = os.read(control, 65536)
            except OSError:  # the other end was closed
                break
            if not part:
                break
            shown += part
        assert running.wait() == 0
    os.close(control)
    lines = shown.decode().splitlines()
    assert len(lines) > 20 and max(map(len, lines)) <= 80


def test_a_file_has_lines_of_any_length():
    without = Project(frozen()).ok("plan")
    assert max(map(len, without.splitlines())) > 100
    assert said("plan", columns="nonsense") == without == said("plan")


def test_markdown_is_left_alone():
    assert said("plan", "--format", "markdown", columns="60") == said("plan", "--format", "markdown") != ""


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
    assert """
  ~ 4 jobs  steps['Check out this repository'].uses: actions/checkout v7.0.1 -> v7.1.0
  ~ 1 job   steps['Look at the results'].env.WHERE: ...'somebody'... -> ...'nobody'...
  ~ 1 job   steps['Look at the results'].run: - echo "$WHERE" + echo "where: $WHERE"
""" in project.found("check")
