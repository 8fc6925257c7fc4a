"""The machines on which the jobs of a rehearsal run: this one, or for a job with a container an empty root directory.

Every step of a job is a script for `bash`. The one that is found first on the PATH is made here. In a job with a
container it enters a root directory that has nothing but what is put there: this machine's /usr without what
Wheelwright is compiled with, no package manager, Pythons in /opt/python that the job alone has, and the folder of the
rehearsal. An image for tests has no compiler at all.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from wheelrun import ROOT

# As CMakeLists.txt looks for them: with one of these missing, Wheelwright does not compile.
HEADERS = ("boost", "cxxopts.hpp", "fmt", "nlohmann", "openssl", "pugixml.hpp", "yaml-cpp", "zlib.h", "zstd.h")
PACKAGE_MANAGERS = ("apt", "apt-get", "dpkg", "sudo")
COMPILERS = ("c++", "cc", "clang", "clang-19", "clang++", "clang++-19", "cmake", "g++", "gcc", "hipcc", "ninja")
_OF_ETC = ("alternatives", "ca-certificates", "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime",
           "nsswitch.conf", "passwd", "resolv.conf", "ssl")

_BASH = """\
#!/bin/bash
# Where a job has a container, its steps run in there.
if [[ -z ${{REHEARSAL_CONTAINER-}} || -n ${{REHEARSAL_INSIDE-}} ]]; then exec /bin/bash "$@"; fi
host={host}
pythons=$RUNNER_TEMP/opt-python
if [[ ! -d $pythons ]]; then cp -al {pythons} "$pythons"; fi
root=({root})
case $REHEARSAL_CONTAINER in
  *manylinux*)
    for python in "$pythons"/*; do
      tag=cp${{python##*/}}
      tag=${{tag//./}}
      root+=(--bind "$python" "/opt/python/$tag-$tag")
    done
    path=/opt/python/{tag}-{tag}/bin
    ;;
  *)
    root+=({without_compilers})
    path=/usr/local/bin
    ;;
esac
PATH=${{PATH//"$host"/$path}}
export REHEARSAL_INSIDE=1
exec {bwrap} "${{root[@]}}" --chdir "$PWD" /bin/bash "$@"
"""


def _without(folder, names):
    """Words for bwrap that leave these out of a folder; of links, what they lead to."""
    words = []
    for path in sorted({(Path(folder) / name).resolve() for name in names}):
        if path.is_dir():
            words += ["--tmpfs", path]
        elif path.exists():
            words += ["--ro-bind", "/dev/null", path]
    return words


def _bases(pythons):
    """The folders that the interpreters of these environments are from, when they are not in /usr."""
    for python in pythons:
        said = subprocess.run([python, "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True,
                              check=True)
        base = Path(said.stdout.strip())
        if base != Path("/usr"):
            yield base


def _root(folder, bases):
    words = ["--die-with-parent", "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for name in ("bin", "lib", "lib64", "sbin"):
        words += ["--symlink", f"usr/{name}", f"/{name}"]
    for name in _OF_ETC:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += _without("/usr/include", HEADERS) + _without("/usr/bin", PACKAGE_MANAGERS)
    if not any(base.is_relative_to("/usr/local") for base in bases):
        words += ["--tmpfs", "/usr/local"]
    words += ["--tmpfs", os.environ.get("HOME", "/root")]
    # What the jobs read of this project: the world's modules and packages.
    for path in (ROOT / "tests", ROOT / ".tools/wheelhouse", *bases):
        words += ["--ro-bind", path, path]
    return [*words, "--bind", folder, folder]


def _bwrap():
    """bwrap with the right to make root directories; elsewhere than here that may take sudo."""
    program = shutil.which("bwrap")
    assert program, "a rehearsal of jobs with containers takes bwrap, of the package bubblewrap"
    if subprocess.run([program, "--ro-bind", "/", "/", "true"], capture_output=True, check=False).returncode == 0:
        return [program]
    return ["sudo", "--non-interactive", "--preserve-env", "/usr/bin/env", 'PATH="$PATH"', program]


def make_bash(folder, tools, pythons):
    """Makes the shell of jobs in `folder`/bin. tools: what stands on their PATH before this machine's folders. pythons:
    versions with environments in `folder`/pythons."""
    def quoted(words):
        return " ".join(word if "$" in str(word) else shlex.quote(str(word)) for word in words)

    environments = [folder / "pythons" / version / "bin/python" for version in pythons]
    bash = folder / "bin/bash"
    bash.parent.mkdir()
    bash.write_text(_BASH.format(
        pythons=quoted([folder / "pythons"]), root=quoted(_root(folder, sorted(set(_bases(environments))))),
        tag="cp" + pythons[0].replace(".", ""), host=quoted([f"{tools}:/usr/local/sbin:/usr/local/bin"]),
        bwrap=quoted(_bwrap()),
        without_compilers=quoted(_without("/usr/bin", COMPILERS))), encoding="utf-8")
    bash.chmod(0o755)
