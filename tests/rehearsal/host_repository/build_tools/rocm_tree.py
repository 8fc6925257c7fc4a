"""A tree like /opt/rocm for some targets, of the parts of ROCm that Debian has."""

import shutil
import subprocess
from pathlib import Path

BITCODE = Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
HEADERS = Path("/usr/include/hip")
LLVM = Path("/usr/lib/llvm-19/bin")
# The targets that the compiler behind Debian's hipcc supports.
KNOWN_TO_DEBIAN = {f"gfx{name}" for name in (900, 906, 908, "90a", 1010, 1011, 1012, 1030, 1031, 1032, 1033, 1034)}

_DEBIAN = """\
#!/bin/sh
# Debian's packages know their own folders.
unset ROCM_PATH HIP_PATH HIP_DEVICE_LIB_PATH
exec /usr/bin/hipcc "$@"
"""
_CLANG = """\
#!/bin/sh
exec {llvm}/clang++ "$@"
"""
_HIPCC = """\
#!/bin/sh
root=$(cd "$(dirname "$0")/.." && pwd)
exec "$root/lib/llvm/bin/clang++" -x hip --rocm-path="$root" \\
  --rocm-device-lib-path="$root/lib/llvm/amdgcn/bitcode" "$@"
"""
_VERSION = "HIP_VERSION_MAJOR=5\nHIP_VERSION_MINOR=2\nHIP_VERSION_PATCH=21153\n"
_ISA = """\
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-v24:32-v32:32-\
v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7"
target triple = "amdgcn-amd-amdhsa"
@__oclc_ISA_version = linkonce_odr hidden local_unnamed_addr addrspace(4) constant i32 {number}, align 4
"""


def isa_number(target):
    """The ISA number in the device libraries' encoding: gfx1100 is 11000, gfx90a is 9010, gfx942 is 9402."""
    digits = target.removeprefix("gfx")
    major, minor, step = int(digits[:-2]), int(digits[-2]), int(digits[-1], 16)
    return major * 1000 + minor * 100 + step


def make_tree(folder, targets):
    """Writes the tree. Its compiler is Debian's hipcc if that supports all targets, otherwise a newer clang."""
    files = {"lib/cmake/hip/hip-config.cmake": "", "lib/rocm_sysdeps/include/lzma.h": "",
             "lib/rocm_sysdeps/lib/liblzma.so": "", "include/roctracer/roctracer.h": "", "bin/.hipVersion": _VERSION}
    if set(targets) <= KNOWN_TO_DEBIAN:
        files["bin/hipcc"] = _DEBIAN
    else:
        files["bin/hipcc"] = _HIPCC
        files["lib/llvm/bin/clang++"] = _CLANG.format(llvm=LLVM)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if "/bin/" in f"/{name}":
            path.chmod(0o755)
    shutil.copytree(HEADERS, folder / "include/hip", dirs_exist_ok=True)
    bitcode = folder / "lib/llvm/amdgcn/bitcode"
    shutil.copytree(BITCODE, bitcode, dirs_exist_ok=True)
    newer = bitcode / "oclc_abi_version_600.bc"
    if not newer.exists():
        shutil.copyfile(bitcode / "oclc_abi_version_500.bc", newer)
    for target in targets:
        library = bitcode / f"oclc_isa_version_{target.removeprefix('gfx')}.bc"
        if not library.exists():
            subprocess.run([LLVM / "llvm-as", "-o", library], input=_ISA.format(number=isa_number(target)), text=True,
                           check=True)
    return folder


def targets_of(plan, family):
    """The targets of a family according to the plan next to the workflows."""
    return plan["target_groups"].get(family) or [family]
