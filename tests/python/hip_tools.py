"""Real HIP compilers, and libraries made with them."""

import json
import os
import subprocess
import zipfile

# The declarations that newer clangs need to launch a kernel without HIP's headers.
STUB = """\
typedef __SIZE_TYPE__ size_t;
struct dim3 { unsigned x, y, z; };
typedef struct ihipStream_t* hipStream_t;
typedef int hipError_t;
extern "C" hipError_t hipLaunchKernel(const void*, dim3, dim3, void**, size_t, hipStream_t);
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
extern "C" hipError_t __hipPopCallConfiguration(dim3*, dim3*, size_t*, hipStream_t*);
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
"""
CLANG = "clang++-19"
WITHOUT_ROCM = ["-nogpuinc", "-nogpulib"]
WINDOWS = ["--target=x86_64-pc-windows-msvc", "-fno-PIC"]


def kernel(name):
    return f"""\
#include "stub.h"
__global__ void {name}(float* p) {{ p[__builtin_amdgcn_workitem_id_x()] *= 2; }}
void launch_{name}(float* p) {{ {name}<<<dim3{{1, 1, 1}}, dim3{{64, 1, 1}}>>>(p); }}
"""


def run(*command, cwd):
    # clang leaves temporary folders behind.
    done = subprocess.run([*map(str, command)], cwd=cwd, env={**os.environ, "TMPDIR": str(cwd)}, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def compile_object(folder, name, targets, *flags):
    """The path of an object with a kernel for each of the targets."""
    (folder / "stub.h").write_text(STUB)
    (folder / f"{name}.hip").write_text(kernel(name))
    run(CLANG, "-x", "hip", *WITHOUT_ROCM, *(f"--offload-arch={t}" for t in targets), "-fPIC", "-O1", *flags, "-c",
        f"{name}.hip", "-o", f"{name}.o", cwd=folder)
    return folder / f"{name}.o"


def link(folder, name, objects):
    run(CLANG, "-fuse-ld=lld-19", "-shared", "-nostdlib", "-o", name, *objects, cwd=folder)
    return folder / name


def wheel(folder, files, name="torch-2.10.0-cp312-cp312-linux_x86_64.whl", packed=True):
    """A wheel of the files, by their paths in it."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for inside, content in files.items():
            archive.writestr(inside, content)
    return path


def packed(value):
    """MessagePack of maps, lists, texts and numbers."""
    if isinstance(value, dict):
        return bytes([0x80 + len(value)]) + b"".join(packed(k) + packed(v) for k, v in value.items())
    if isinstance(value, list):
        return bytes([0x90 + len(value)]) + b"".join(map(packed, value))
    if isinstance(value, int):
        return b"\xce" + value.to_bytes(4, "big")
    return bytes([0xd9, len(value.encode())]) + value.encode()


def statuses(path):
    """{(source, target): status} from a file written by --json."""
    return {(p["source"], p["target"]): p["status"] for p in json.loads(path.read_text())["pairs"]}
