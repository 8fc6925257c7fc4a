"""The machines on which the jobs of a rehearsal run: the host, or for a job with a container a minimal root directory.

Every step of a job is a `bash` script. This module writes a wrapper that is the first `bash` on the PATH. In a job with
a container it enters a root directory that contains only: the host's /usr without the headers that Wheelwright is
compiled with and without package managers, a private copy of the Pythons in /opt/python, and the folder of the
rehearsal. The root directory of an image for tests has no compiler.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import rocm_world
from wheelrun import ROOT

sys.path.insert(0, str(ROOT / "tests/tools"))
import kept

# What `wheelrun hip compile` keeps of all rehearsals: most of their processor time was compiling the same sources for the
# same target again. It takes a result if the compiler, its flags and all files that it read are the same.
COMPILED = kept.folder("canaries")
# Wheelwright does not compile if one of these is missing; see CMakeLists.txt.
HEADERS = ("boost", "cxxopts.hpp", "fmt", "nlohmann", "openssl", "pugixml.hpp", "yaml-cpp", "zlib.h", "zstd.h")
# Package managers, and a slow shell script that pip runs each time where it is installed.
NOT_IN_IMAGES = ("apt", "apt-get", "dpkg", "lsb_release", "sudo")
COMPILERS = ("c++", "cc", "clang", "clang-19", "clang++", "clang++-19", "cmake", "g++", "gcc", "hipcc", "ninja")
_OF_ETC = ("alternatives", "ca-certificates", "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime",
           "nsswitch.conf", "passwd", "resolv.conf", "ssl")

_BASH = """\
#!/bin/bash
# Steps of a job with a container run inside the container's root directory. Those of a job on Windows find its programs.
if [[ -n ${{REHEARSAL_WINDOWS-}} ]]; then
  export PATH=$REHEARSAL/windows:$PATH:$REHEARSAL/windows/tools
  exec /bin/bash "$@"
fi
# Machines that test wheels have uv, which makes an environment in a tenth of pip's time, but for these jobs.
uv={uv}
if [[ ${{REHEARSAL_JOB-}} == {with_pip} ]]; then uv=; fi
# In a plain Debian ./dev installs everything, as on the host.
if [[ -z ${{REHEARSAL_CONTAINER-}} || $REHEARSAL_CONTAINER == */debian@* || -n ${{REHEARSAL_INSIDE-}} ]]; then
  PATH=${{uv:+${{uv%/*}}:}}$PATH exec /bin/bash "$@"
fi
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
    if [[ -n $uv ]]; then
      root+=(--ro-bind "$uv" /opt/uv/uv)
      path+=:/opt/uv
    fi
    ;;
esac
PATH=${{PATH//"$host"/$path}}
# As on GitHub, the sources are in the same folder in every container: what was compiled in one job is found by others.
inside=/__w/${{GITHUB_REPOSITORY#*/}}/${{GITHUB_REPOSITORY#*/}}
root+=(--bind "$GITHUB_WORKSPACE" "$inside" --bind {cache} /cache/wheelrun/hip)
folder=${{PWD/#"$GITHUB_WORKSPACE"/"$inside"}}
export REHEARSAL_INSIDE=1 GITHUB_WORKSPACE=$inside XDG_CACHE_HOME=/cache
exec {bwrap} "${{root[@]}}" --chdir "$folder" /bin/bash "$@"
"""


def _without(folder, names):
    """Arguments of bwrap that hide these files of a folder; links are resolved first."""
    words = []
    for path in sorted({(Path(folder) / name).resolve() for name in names}):
        if path.is_dir():
            words += ["--tmpfs", path]
        elif path.exists():
            words += ["--ro-bind", "/dev/null", path]
    return words


def _bases(pythons):
    """The installation folders of these environments' interpreters, except /usr."""
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
    words += _without("/usr/include", HEADERS) + _without("/usr/bin", NOT_IN_IMAGES)
    if not any(base.is_relative_to("/usr/local") for base in bases):
        words += ["--tmpfs", "/usr/local"]
    words += ["--tmpfs", os.environ.get("HOME", "/root")]
    # The modules and packages of this project that jobs read.
    for path in (ROOT / "tests", rocm_world.wheelhouse(), *bases):
        words += ["--ro-bind", path, path]
    return [*words, "--bind", folder, folder, "--bind", folder / "cache", "/cache"]


def _bwrap():
    """The command for bwrap, with sudo where unprivileged users may not create namespaces."""
    program = shutil.which("bwrap")
    assert program, "rehearsals of jobs with containers need bwrap: install the package bubblewrap"
    if subprocess.run([program, "--ro-bind", "/", "/", "true"], capture_output=True, check=False).returncode == 0:
        return [program]
    return ["sudo", "--non-interactive", "--preserve-env", "/usr/bin/env", 'PATH="$PATH"', program]


def make_bash(folder, tools, pythons, uv=None, with_pip="-"):
    """Writes the shell of jobs into `folder`/bin. tools: the entries of their PATH before the host's folders. pythons:
    the versions that have environments in `folder`/pythons. uv: the program, on machines that test wheels; with_pip: a
    pattern of the jobs whose machines have none."""
    def quoted(words):
        return " ".join(word if "$" in str(word) else shlex.quote(str(word)) for word in words)

    environments = [folder / "pythons" / version / "bin/python" for version in pythons]
    bash = folder / "bin/bash"
    bash.parent.mkdir()
    if uv:
        (folder / "uv").mkdir()
        shutil.copy(uv, folder / "uv")
        uv = folder / "uv/uv"
    (folder / "cache/wheelrun/hip").mkdir(parents=True)
    bash.write_text(_BASH.format(
        pythons=quoted([folder / "pythons"]), root=quoted(_root(folder, sorted(set(_bases(environments))))),
        tag="cp" + pythons[0].replace(".", ""), host=quoted([f"{tools}:/usr/local/sbin:/usr/local/bin"]),
        bwrap=quoted(_bwrap()), cache=quoted([COMPILED]),
        uv=quoted([uv or ""]), with_pip=with_pip,
        without_compilers=quoted(_without("/usr/bin", COMPILERS))), encoding="utf-8")
    bash.chmod(0o755)


def make_starter(path, program, otherwise=""):
    """Writes a script that starts a program, unless the shell code `otherwise` ends it."""
    path.write_text(f'#!/bin/sh\n{otherwise}exec {shlex.quote(str(program))} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def make_node(path):
    """Writes a node that says at once where the real one is: the engine asks that in each job."""
    node = shutil.which("node")
    make_starter(path, node, f'[ "$*" != "--no-warnings -e console.log(process.execPath)" ] || {{ echo {node}; exit; }}\n')
