"""Small versions of the ROCm packages and PyTorch's projects, for `wheelrun` to install, build and test.

`make_rocm(folder, version, targets)` makes a page of links with the packages of a family, in the form of the real ones:
`rocm` is a source package that is built during its installation. `make_projects(root)` makes source trees with a real C
extension, whose setup.py checks its variables. `wheelhouse()` has the packages of the public index, so that tests need
no network.
"""

import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import setup_shapes
from wheelrun import ROOT

sys.path.insert(0, str(ROOT / "tests/tools"))
import kept

VERSION = "7.12.0a20260219"
FAMILY = "gfx94X-dcgpu"
TARGETS = ["gfx942"]
SUFFIX = f"+rocm{VERSION}"
VERSIONS = {
    "triton": f"3.5.1{SUFFIX}",
    "torch": f"2.10.0{SUFFIX}",
    "torchaudio": f"2.10.0{SUFFIX}",
    "torchvision": f"0.25.0{SUFFIX}",
    "apex": f"1.10.0{SUFFIX}",
}

_ROCM_SETUP = """\
import os
from setuptools import setup
family = os.environ.get("ROCM_SDK_TARGET_FAMILY", "{family}")
setup(
    name="rocm", version="{version}", packages=["rocm_sdk"], install_requires=["rocm-sdk-core=={version}"],
    extras_require={{"libraries": [f"rocm-sdk-libraries-{{family}}=={version}"], "devel": ["rocm-sdk-devel=={version}"]}},
    entry_points={{"console_scripts": ["rocm-sdk=rocm_sdk.__main__:main"]}})
"""
_ROCM_INIT = """\
def initialize_process(preload_shortnames, check_version):
    assert check_version == "{version}", check_version
    assert "rocm-openblas" in preload_shortnames
"""
_ROCM_MAIN = """\
import os, sys

def root():
    import rocm_sdk_devel
    return os.path.join(os.path.dirname(rocm_sdk_devel.__file__), "tree")

def main():
    words = sys.argv[1:]
    if words == ["version"]:
        print(os.environ.get("WORLD_ROCM_VERSION", "{version}"))
    elif words == ["targets"]:
        import rocm_sdk_libraries
        print(" ".join(rocm_sdk_libraries.TARGETS))
    elif words[:1] == ["path"]:
        print({{"--root": root(), "--bin": root() + "/bin", "--cmake": root() + "/lib/cmake"}}[words[1]])
    elif words == ["test"]:
        print("Ran 12 tests")
        if os.environ.get("WORLD_ROCM_FAILS"):
            print("FAILED (failures=1)")
            sys.exit(1)
    else:
        sys.exit("usage: rocm-sdk")

if __name__ == "__main__":
    main()
"""

_TORCH_SETUP = setup_shapes.TORCH + """\
import sys
from setuptools import Extension, setup

def expect(name, *parts):
    value = os.environ.get(name, "")
    for part in parts:
        assert part in value, f"{name}={value!r} has no {part!r}"

assert sys.flags.utf8_mode
root = os.environ["ROCM_HOME"]
assert os.environ["PATH"].startswith(root + "/bin:"), os.environ["PATH"]
expect("PYTORCH_ROCM_ARCH", "gfx942")
expect("CMAKE_PREFIX_PATH", root + "/lib/cmake")
expect("LD_LIBRARY_PATH", root + "/lib/rocm_sysdeps/lib")
expect("HIP_DEVICE_LIB_PATH", root)
expect("USE_ROCM", "ON")
expect("MAX_JOBS", "")
assert int(os.environ["MAX_JOBS"]) >= 1
expect("USE_FLASH_ATTENTION", "ON" if "triton" in os.environ["PYTORCH_EXTRA_INSTALL_REQUIREMENTS"] else "OFF")
assert os.path.exists("torch/_rocm_init.py")
with open("torch/data.bin", "wb") as data:  # a smaller wheel would not pass for torch's
    data.write(os.urandom(120_000))
if os.environ.get("WORLD_SLEEP"):
    import time
    print("sleeping", flush=True)
    time.sleep(float(os.environ["WORLD_SLEEP"]))
setup(
    name="torch", version=os.environ.get("WORLD_TORCH_VERSION", version),
    packages=["torch", "torch.cuda"], package_data={"torch": ["data.bin"]}, ext_modules=[Extension("torch._C", ["csrc/module.c"])],
    install_requires=["typing_extensions", *os.environ["PYTORCH_EXTRA_INSTALL_REQUIREMENTS"].split("|")])
if os.environ.get("WORLD_TWO_WHEELS"):
    os.makedirs("dist", exist_ok=True)
    open("dist/torch-0.1-py3-none-any.whl", "w").close()
"""
_MODULE_C = """\
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static PyObject* add(PyObject* self, PyObject* arguments) {
  double a, b;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "dd", &a, &b)) return NULL;
  return PyFloat_FromDouble(a + b);
}
static PyMethodDef methods[] = {{"add", add, METH_VARARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", "", -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__C(void) { return PyModule_Create(&module); }
"""
_TORCH_INIT = """\
import importlib.metadata
from . import _rocm_init
_rocm_init.initialize()
from . import _C, cuda

__version__ = importlib.metadata.version("torch")
float32 = "float32"

float16, bfloat16 = "float16", "bfloat16"

class version:
    hip = "7.12"

from ._small import addmm, allclose, arange, bmm, compile, equal, eye, full, linalg, nn, ones
"""
_TORCH_CUDA = """\
import os

class _Properties:
    def __init__(self, name):
        self.gcnArchName = name

def _gpus():
    gpus = [name for name in os.environ.get("WORLD_GPUS", "").split(",") if name]
    visible = os.environ.get("HIP_VISIBLE_DEVICES")
    return [gpus[int(i)] for i in visible.split(",")] if visible else gpus

def device_count():
    return len(_gpus())

def is_available():
    return device_count() > 0

def get_device_properties(index):
    return _Properties(_gpus()[index])
"""
_SIBLING_SETUP = """\
from setuptools import Extension, setup
CHECK
setup(name="NAME", version=version, packages=["NAME"],
      install_requires=["torch==TORCH"],
      ext_modules=[Extension("NAME._C", ["module.c"])])
"""
_TRITON_SETUP = setup_shapes.TRITON.replace("{base}", "3.5.1") + """\
from setuptools import Extension, setup
assert os.environ["TRITON_APPEND_CMAKE_ARGS"] == "-DCMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH=FALSE"
setup(name=name, version=version, packages=["triton"], ext_modules=[Extension("triton._C", ["module.c"])])
"""
_APEX_SETUP = """\
import sys
from setuptools import Extension, setup
if "bdist_wheel" in sys.argv:
    assert "--cuda_ext" in sys.argv and "--cpp_ext" in sys.argv, sys.argv
sys.argv = [word for word in sys.argv if not word.endswith("_ext")]
setup(name="apex", version=version, packages=["apex"], ext_modules=[Extension("apex._C", ["module.c"])])
"""


def _sibling_setup(name, check):
    text = _SIBLING_SETUP.replace("NAME", name).replace("CHECK", check).replace("TORCH", VERSIONS["torch"])
    return setup_shapes.SIBLING + text


@cache
def wheelhouse():
    """A folder with third-party packages for tests, downloaded once."""
    wanted = ROOT / "tests/python/wheelhouse.txt"

    def download(folder):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--only-binary", ":all:", "--dest", folder, "-r", wanted], check=True)

    return kept.made("wheelhouse", wanted.read_text(encoding="utf-8"), download)


def pip_environment():
    """Makes pip use the wheelhouse instead of the public index."""
    # Only a few modules of most packages are used, so Python compiles these on import. pip documents that the variable of
    # this option has to be false to set it.
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheelhouse()), "PIP_NO_COMPILE": "false"}


@cache
def pythons():
    """Interpreters of this machine that can build, the newest first. That of the tests stands for its version."""
    found = {}
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for path in [Path(sys.executable), *versions.glob("3.1[0-9]*/bin/python")]:
        said = subprocess.run([path, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"],
                              capture_output=True, text=True, check=False)
        if said.returncode == 0:
            found.setdefault(said.stdout.strip(), path)
    return dict(sorted(found.items(), key=lambda item: [-int(part) for part in item[0].split(".")]))


# What the Pythons of manylinux images bring: docker/build_scripts/requirements3.12.txt of pypa/manylinux.
BROUGHT = ("build", "packaging", "pip", "pyproject_hooks")
# Jobs install the requirements of a repository that has none here. Like any other call, that one would take half a second.
_PIP = """\
#!{python}
import sys
if sys.argv[1:3] == ["install", "-r"] and all(line.startswith("#") for line in open(sys.argv[3])):
    sys.exit()
from pip._internal.cli.main import main
sys.exit(main())
"""


def make_python(folder, version=None):
    """The path of a new interpreter into which packages can be installed, as in a job."""
    base = pythons()[version] if version else Path(sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin/python"
    (packages,) = folder.glob("lib/python*/site-packages")
    shutil.copytree(_brought(base), packages, dirs_exist_ok=True)
    for name in ("pip", "pip3"):
        script = folder / "bin" / name
        script.write_text(_PIP.format(python=python), encoding="utf-8")
        script.chmod(0o755)
    return python


@cache
def _brought(base):
    """A folder with those packages, compiled: ensurepip and compiling take seconds each time. The pip that comes with an
    interpreter is older and imports for longer."""
    wheels = [next(wheelhouse().glob(f"{name}-*.whl")) for name in BROUGHT]
    said = subprocess.run([base, "-c", "import sys; print(sys.implementation.cache_tag)"], capture_output=True, text=True,
                          check=True)

    def unpack(folder):
        for wheel in wheels:
            zipfile.ZipFile(wheel).extractall(folder)
        subprocess.run([base, "-m", "compileall", "-q", folder], check=False)

    return kept.made("pip", " ".join([said.stdout, *(wheel.name for wheel in wheels)]), unpack)


def installed(venv):
    """{name: version} of the packages in an environment, told by its Python, which is faster than `pip list`."""
    script = ("import importlib.metadata, json; "
              "print(json.dumps({d.metadata['Name']: d.version for d in importlib.metadata.distributions()}))")
    said = subprocess.run([venv / "bin/python", "-c", script], capture_output=True, text=True, check=True)
    return json.loads(said.stdout)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def make_wheel(folder, name, version, files, requires=(), tag="py3-none-any", scripts=()):
    """The path of a wheel with these files; those in `bin` are executable."""
    stem = f"{name.replace('-', '_')}-{version}"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
    entries = {
        **files,
        f"{stem}.dist-info/METADATA": metadata,
        f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: world\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    if scripts:
        lines = "".join(f"{script}\n" for script in scripts)
        entries[f"{stem}.dist-info/entry_points.txt"] = f"[console_scripts]\n{lines}"
    record = ""
    for path, text in entries.items():
        content = text if isinstance(text, bytes) else text.encode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    entries[f"{stem}.dist-info/RECORD"] = record + f"{stem}.dist-info/RECORD,,\n"
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in entries.items():
            entry = zipfile.ZipInfo(path, (2026, 2, 19, 0, 0, 0))
            entry.external_attr = (0o100755 if "/bin/" in path else 0o100644) << 16
            archive.writestr(entry, text)
    return wheel


def make_sdist(folder, name, version, files):
    stem = f"{name}-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    files = {**files, "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"}
    with tarfile.open(folder / f"{stem}.tar.gz", "w:gz") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{stem}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))


# The parts of /opt/rocm that builds read.
_TREE = {
    "bin/hipcc": "#!/bin/sh\n",
    "lib/cmake/hip/hip-config.cmake": "",
    "lib/llvm/amdgcn/bitcode/ocml.bc": "",
    "lib/rocm_sysdeps/include/lzma.h": "",
    "lib/rocm_sysdeps/lib/liblzma.so": "",
    "include/roctracer/roctracer.h": "",
}


def make_rocm(folder, version=VERSION, targets=tuple(TARGETS), family=FAMILY, tree=None):
    """A folder for --find-links with the packages of a family. `tree` is a folder to pack."""
    files = _TREE if tree is None else {
        path.relative_to(tree).as_posix(): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file()}
    make_sdist(folder, "rocm", version, {
        "setup.py": _ROCM_SETUP.format(version=version, family=family),
        "rocm_sdk/__init__.py": _ROCM_INIT.format(version=version),
        "rocm_sdk/__main__.py": _ROCM_MAIN.format(version=version),
    })
    make_wheel(folder, "rocm-sdk-core", version, {"rocm_sdk_core/__init__.py": ""})
    make_wheel(folder, f"rocm-sdk-libraries-{family}", version,
               {"rocm_sdk_libraries/__init__.py": f"TARGETS = {list(targets)!r}\n"})
    make_wheel(folder, "rocm-sdk-devel", version, {
        "rocm_sdk_devel/__init__.py": "",
        **{f"rocm_sdk_devel/tree/{path}": content for path, content in files.items()},
    })
    return folder


def make_index(folder, packages):
    """The URL of a PEP 503 index of the files in a folder."""
    by_project = {}
    for path in sorted(packages.iterdir()):
        project = path.name.split("-")[0].lower().replace("_", "-").replace(".", "-")
        by_project.setdefault(project, []).append(path)
    for project, paths in by_project.items():
        page = folder / project / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        links = "".join(f'<a href="{path.as_uri()}">{path.name}</a>\n' for path in paths)
        page.write_text(f"<!DOCTYPE html><html><body>\n{links}</body></html>\n", encoding="utf-8")
    return folder.as_uri()


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


_BUILD_SYSTEM = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'


def torch_files():
    """PyTorch's sources, by path."""
    return {
        "setup.py": _TORCH_SETUP,
        "pyproject.toml": _BUILD_SYSTEM,
        "requirements.txt": "setuptools\ntyping_extensions\n",
        "csrc/module.c": _MODULE_C,
        "torch/__init__.py": _TORCH_INIT,
        "torch/_small.py": (ROOT / "tests/python/small_torch.py").read_text(encoding="utf-8"),
        "torch/_dynamo.py": "def is_dynamo_supported():\n    return True\n",
        "torch/cuda/__init__.py": _TORCH_CUDA,
    }


def make_projects(root, apex=setup_shapes.APEX):
    """Source trees of all five projects, in the folders of the plan. `apex` selects the kind of its setup."""
    write(root / "pytorch", torch_files())
    write(root, {
        "pytorch/version.txt": "2.10.0\n",
        "triton/setup.py": _TRITON_SETUP,
        "triton/python/requirements.txt": "setuptools\n",
        "triton/build_env.json": json.dumps({"TRITON_WHEEL_VERSION_SUFFIX": ""}),
        "triton/triton/__init__.py": "",
        "triton/module.c": _MODULE_C,
        "pytorch_audio/setup.py": _sibling_setup(
            "torchaudio", 'import torch\nassert os.environ["USE_ROCM"] == "1" and os.environ["USE_CUDA"] == "0"'),
        "pytorch_audio/version.txt": "2.10.0\n",
        "pytorch_audio/torchaudio/__init__.py": "import torch\n",
        "pytorch_audio/module.c": _MODULE_C,
        "pytorch_vision/setup.py": _sibling_setup(
            "torchvision", 'import torch\nassert os.environ["FORCE_CUDA"] == "1"'),
        "pytorch_vision/version.txt": "0.25.0\n",
        "pytorch_vision/torchvision/__init__.py": "import torch\n",
        "pytorch_vision/module.c": _MODULE_C,
        "apex/setup.py": apex + _APEX_SETUP,
        "apex/version.txt": "1.10.0\n",
        "apex/pyproject.toml": _BUILD_SYSTEM,
        "apex/apex/__init__.py": "",
        "apex/module.c": _MODULE_C,
    })
    return root
