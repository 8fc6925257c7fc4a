"""Completion as users see it: in an interactive bash, zsh and fish, with the tabulator key, after the shell has sourced
the program's output."""

import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest
from needs import need

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {name: os.environ.get(name.upper(), str(ROOT / f"build/{name}")) for name in ("wheelwright", "wheelrun")}
# Code that makes a key write the command line into the file $LINE, and the way each shell loads the completion.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], """\
source <(wheelwright completion bash); source <(wheelrun completion bash)
bind -x '"\\C-xl": printf "%s\\n" "$READLINE_LINE" >$LINE; READLINE_LINE='
"""),
    "zsh": (["zsh", "-f", "-i"], """\
autoload -U compinit; compinit -u -D
source <(wheelwright completion zsh); source <(wheelrun completion zsh)
show() { print -r -- "$BUFFER" >$LINE; BUFFER= }; zle -N show; bindkey '^Xl' show
"""),
    "fish": (["fish", "--no-config", "-i"], """\
wheelwright completion fish | source; wheelrun completion fish | source
bind \\cxl 'commandline >$LINE; commandline -r ""'
"""),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with both programs on the PATH, and some files to complete."""
    folder = tmp_path_factory.mktemp("completion")
    (folder / "bin").mkdir()
    for name, program in PROGRAMS.items():
        (folder / "bin" / name).symlink_to(program)
    (folder / "here/wheels").mkdir(parents=True)
    (folder / "here/plan.json").write_text("{}")
    (folder / "here/odd name.whl").write_text("")
    return folder


class Shell:
    """An interactive shell in a pseudo-terminal."""

    def __init__(self, name, world):
        words, setup = SHELLS[name]
        need(name)
        self.line = world / f"{name}.line"
        kept = {key: os.environ[key] for key in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS") if key in os.environ}
        environment = {**kept, "PATH": f"{world}/bin:{os.environ['PATH']}", "HOME": str(world), "TERM": "xterm",
                       "LC_ALL": "C.UTF-8", "LINE": str(self.line), "PS1": "> "}
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(world / "here")
            os.execvpe(words[0], words, environment)
        self.send(setup + f"echo ready >{self.line}\n")
        self.written("the shell does not start", seconds=60)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def written(self, failure, seconds=20):
        """The content that the shell writes into the file; its output is read meanwhile."""
        end, printed = time.monotonic() + seconds, b""
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.02)[0]:
                printed += os.read(self.terminal, 65536)
            if self.line.exists() and self.line.read_text().endswith("\n"):
                text = self.line.read_text().rstrip("\n")
                self.line.unlink()
                return text
        pytest.fail(f"{failure}: {printed.decode(errors='replace')}")

    def complete(self, typed):
        """The command line after the tabulator key."""
        self.send(typed + "\t\x18l")
        line = self.written(f"no answer to '{typed}'")
        return line.rstrip(" =")  # zsh writes the '=' of --out=DIR

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


@pytest.fixture(scope="module", params=SHELLS)
def shell(request, world):
    made = Shell(request.param, world)
    yield made
    made.close()


@pytest.mark.parametrize(("typed", "completed"), [
    ("wheelwright gen", "wheelwright generate"),
    ("wheelwright generate --dry", "wheelwright generate --dry-run"),
    ("wheelwright check --color al", "wheelwright check --color always"),
    ("wheelwright check --color=al", "wheelwright check --color=always"),
    ("wheelwright check --out whe", "wheelwright check --out wheels/"),
    ("wheelwright schema lim", "wheelwright schema limits"),
    ("wheelwright help mat", "wheelwright help matrix"),
    ("wheelwright help expl", "wheelwright help explain"),
    ("wheelwright completion fi", "wheelwright completion fish"),
    ("wheelwright vers", "wheelwright version"),
    ("wheelrun rocm inst", "wheelrun rocm install"),
    ("wheelrun rocm install --index-u", "wheelrun rocm install --index-url"),
    ("wheelrun version suf", "wheelrun version suffix"),
    ("wheelrun version rocm --relea", "wheelrun version rocm --release-type"),
    ("wheelrun help wheel insp", "wheelrun help wheel inspect"),
    ("wheelrun build torch --platform win", "wheelrun build torch --platform windows"),
    ("wheelrun build torch --plan pl", "wheelrun build torch --plan plan.json"),
    ("wheelrun index whe", "wheelrun index wheels/"),
    ("wheelrun wheel check odd", r"wheelrun wheel check odd\ name.whl"),
])
def test_the_tabulator_completes(shell, typed, completed):
    assert shell.complete(typed) == completed


def tables(program):
    """The commands of a program with their options, from its help."""
    run = lambda *words: subprocess.run([PROGRAMS[program], *words], capture_output=True, text=True, check=True).stdout
    overview = run("help").split("\n\n")[2]
    commands = re.findall(r"^  (\S+(?: \S+)?)  +\S", overview, re.MULTILINE)
    return {name: set(re.findall(r"(?:^  |, )--([a-z0-9-]+)", run("help", *name.split()), re.MULTILINE))
            for name in commands}


@pytest.mark.parametrize("program", PROGRAMS)
def test_bash_is_offered_every_command_and_option(program, world):
    script = f"""\
source <({program} completion bash)
offered() {{
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _{program}
  printf '%s\\n' "${{COMPREPLY[@]}}" | sort | paste -s -d ' '
}}
"""
    commands = tables(program)
    assert len(commands) > 8
    firsts = sorted({name.split()[0] for name in commands} | {"help"})
    expected = [" ".join(firsts)]
    script += f"offered {program} ''\n"
    for name, options in commands.items():
        script += f"offered {program} {name} --\n"
        expected.append(" ".join(sorted(f"--{option}" for option in options)))
    done = subprocess.run(["bash", "-c", script], env={**os.environ, "PATH": f"{world}/bin:{os.environ['PATH']}",
                                                      "LC_ALL": "C"}, capture_output=True, text=True, check=True)
    assert (done.stdout.splitlines(), done.stderr) == (expected, "")


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_text_for_bash_pleases_shellcheck(program, tmp_path):
    text = subprocess.run([PROGRAMS[program], "completion", "bash"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "completion").write_text(text)
    done = subprocess.run(["shellcheck", "--shell=bash", tmp_path / "completion"], capture_output=True, text=True,
                          check=False)
    assert done.stdout == ""


@pytest.mark.parametrize("program", PROGRAMS)
def test_another_shell_is_refused(program):
    done = subprocess.run([PROGRAMS[program], "completion", "fissh"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error[unknown-completion]: nothing is known of a shell 'fissh'\n   = did you mean 'fish'?\n"


@pytest.mark.parametrize("program", PROGRAMS)
def test_version(program):
    run = lambda *words: subprocess.run([PROGRAMS[program], *words], capture_output=True, text=True, check=False)
    declared = re.search(r"^project\(wheelwright VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    for word in ("version", "--version", "-V"):
        done = run(word)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{program} {declared}\n", "")
    assert run("version", "now").returncode == 2
    assert run("version", "--help").stdout.startswith("Print the version of this program.\n")
    if program == "wheelrun":
        assert "did you mean 'suffix'?" in run("version", "sufix").stderr
