"""Packs the programs of one architecture for a release: a wheel and an archive, which hold the same bytes, and with
--sources the source distribution. The same programs give the same bytes, whenever and by whomever they are packed.

Usage: pack.py --build FOLDER --arch x86_64|aarch64 --out FOLDER [--root FOLDER] [--sources]
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
# The programs are linked statically, so they ask for no libc. The kernel that they need is older than that of
# manylinux_2_17. The second name is for a pip of before PEP 600.
TAGS = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"]
# What the programs are linked with: Debian packages, whose licenses ask to be handed on.
LIBRARIES = ["libc6-dev", "libssl-dev", "zlib1g-dev", "libzstd-dev", "libboost-dev", "libyaml-cpp-dev", "libfmt-dev",
             "libcxxopts-dev", "libpugixml-dev", "nlohmann-json3-dev"]


def notices(root):
    """The licenses of what is inside the programs. root: where the libraries were taken from."""
    common = [Path("/usr/share/common-licenses", name) for name in ("Apache-2.0", "LGPL-2.1")]
    paths = common + [root / "usr/share/doc" / name / "copyright" for name in LIBRARIES]
    return "\n".join(f"==> {path.parent.name}/{path.name} <==\n{path.read_text(encoding='utf-8')}" for path in paths)


def make_wheel(build, arch, licenses, out):
    """The wheel, by the backend that everybody's pip calls; what was compiled in the folder is not compiled again."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "LICENSES")
        file.write_text(licenses, encoding="utf-8")
        settings = {"build-dir": str(build), "cmake.define.WHEELWRIGHT_STATIC": "ON",
                    "cmake.define.WHEELWRIGHT_NOTICES": str(file),
                    "wheel.tags": ";".join(f"py3-none-{tag}_{arch}" for tag in TAGS)}
        # The toolchain is in the folder's cache. Compilers write to our stdout, which is for the list of files.
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
    """Of every file of a release that lies there; what a former version left is removed."""
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
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the libraries were taken from")
    parser.add_argument("--sources", action="store_true", help="the source distribution too")
    options = parser.parse_args()
    build, out = options.build.resolve(), options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    licenses = notices(options.root.resolve())
    wheel = make_wheel(build, options.arch, licenses, out)
    write_archive(out / archive_name(options.arch), programs_of(wheel), licenses)
    if options.sources:
        make_sources(out)
    print(write_sums(out), end="")


if __name__ == "__main__":
    main()
