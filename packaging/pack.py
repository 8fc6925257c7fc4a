"""Packs the programs of one architecture for a release: a wheel and an archive with the same programs, and with
--sources the source distribution. The output is reproducible: it depends only on the programs.

Usage: pack.py --build FOLDER --arch x86_64|aarch64 --out FOLDER [--platform windows] [--root FOLDER] [--sources]
"""

import argparse
import contextlib
import hashlib
import re
import sys
import tempfile
import zipfile
from pathlib import Path

from archive import archive_name, write_archive
from scikit_build_core import build as backend
from version import version

HERE = Path(__file__).resolve().parent
# The programs are linked statically, so they need no libc. The kernel that they need is older than that of
# manylinux_2_17. The second tag is for versions of pip before PEP 600.
TAGS = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"]
# The Debian packages that the programs are linked with; their licenses require their texts to be distributed.
LIBRARIES = ["libssl-dev", "zlib1g-dev", "libzstd-dev", "libboost-dev", "libyaml-cpp-dev", "libfmt-dev",
             "libcxxopts-dev", "libpugixml-dev", "nlohmann-json3-dev"]
# On Windows the programs use the system's C library; only the compiler's runtime is linked.
RUNTIME = {"linux": "libc6-dev", "windows": "gcc-mingw-w64-base"}


def notices(root, platform):
    """The licenses of the linked libraries. root: the root directory that the libraries are installed in."""
    common = [Path("/usr/share/common-licenses", name) for name in ("Apache-2.0", "LGPL-2.1")]
    if platform == "windows":
        common.append(root / "usr/share/doc/mingw-w64-x86-64-dev/copyright")
    paths = common + [root / "usr/share/doc" / name / "copyright" for name in (RUNTIME[platform], *LIBRARIES)]
    return "\n".join(f"==> {path.parent.name}/{path.name} <==\n{path.read_text(encoding='utf-8')}" for path in paths)


def kind_of(build):
    """How the folder's programs are compiled, such as Release: with another kind, all would be compiled again."""
    return re.search(r"^CMAKE_BUILD_TYPE:\w+=(\w+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]


def make_wheel(build, tags, licenses, out):
    """Builds the wheel with the build backend that pip uses; the folder's compiled objects are reused."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "LICENSES")
        file.write_text(licenses, encoding="utf-8")
        settings = {"build-dir": str(build), "cmake.build-type": kind_of(build), "cmake.define.WHEELWRIGHT_STATIC": "ON",
                    "cmake.define.WHEELWRIGHT_NOTICES": str(file),
                    "wheel.tags": ";".join(f"py3-none-{tag}" for tag in tags)}
        # The build folder's CMake cache names the toolchain. stdout is for the list of files, not for compilers.
        with contextlib.chdir(HERE), contextlib.redirect_stdout(sys.stderr):
            return out / backend.build_wheel(str(out), settings)


def programs_of(wheel):
    with zipfile.ZipFile(wheel) as packed:
        paths = {name.rpartition("/")[2]: name for name in packed.namelist() if ".data/scripts/" in name}
        return {name: packed.read(path) for name, path in paths.items()}


def make_sources(out):
    with contextlib.chdir(HERE), contextlib.redirect_stdout(sys.stderr):
        return out / backend.build_sdist(str(out))


def write_sums(out):
    """Writes the checksums of all release files in the folder; files of other versions are removed."""
    sums = []
    for path in sorted(out.iterdir()):
        named = re.match(r"wheelwright(?:_actions)?-(\d+\.\d+\.\d+)[-.]", path.name)
        if named and named[1] != version():
            path.unlink()
        elif named:
            sums.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return "".join(sums)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="where the programs were compiled")
    parser.add_argument("--arch", choices=["x86_64", "aarch64"], required=True)
    parser.add_argument("--platform", choices=["linux", "windows"], default="linux")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the libraries were taken from")
    parser.add_argument("--sources", action="store_true", help="the source distribution too")
    options = parser.parse_args()
    build, out = options.build.resolve(), options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    licenses = notices(options.root.resolve(), options.platform)
    tags = ["win_amd64"] if options.platform == "windows" else [f"{tag}_{options.arch}" for tag in TAGS]
    wheel = make_wheel(build, tags, licenses, out)
    write_archive(out / archive_name(options.arch, options.platform), programs_of(wheel), licenses)
    if options.sources:
        make_sources(out)
    print(write_sums(out), end="")


if __name__ == "__main__":
    main()
