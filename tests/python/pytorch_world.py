"""Small versions of PyTorch and its sibling projects: real git repositories with the structure that wheelrun reads and
builds.

`make_world(folder)` makes them and a plan.json that refers to them. The projects build in a second. Each setup.py
computes its version like the real one: see setup_shapes.py.
"""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import setup_shapes
from wheelrun import PLAN

RELEASES = ["release/2.7", "release/2.8", "release/2.9", "release/2.10"]
UPSTREAM = "https://github.com/pytorch/"
ROCM = "https://github.com/ROCm/"
# Address: the repository that replaces it.
REPOSITORIES = {
    f"{UPSTREAM}pytorch.git": "pytorch",
    f"{ROCM}pytorch.git": "rocm_pytorch",
    f"{UPSTREAM}audio.git": "audio",
    f"{UPSTREAM}vision.git": "vision",
    f"{ROCM}triton.git": "triton",
    f"{ROCM}apex.git": "apex",
}

# A wheel for this platform, with the minimum size of a real one.
_SETUP = """\
{top}
import sys
from setuptools import setup
from setuptools.dist import Distribution

sys.argv = [word for word in sys.argv if not word.endswith("_ext")]

class Native(Distribution):
    def has_ext_modules(self):
        return True

(here / "{package}" / "data.bin").write_bytes(
    b"".join(i.to_bytes(4, "little") for i in range(1 << 15))[: 120_000] + os.urandom(110_000))
setup(
    name={name},
    version={version},
    packages={packages}, package_data={{"{package}": ["data.bin"]}}, install_requires={requires}, distclass=Native)
"""

# Like the real one, it changes tracked files, adds files, also in a submodule, and can run twice.
_BUILD_AMD = """\
import os, sys, time
from pathlib import Path
root = Path(__file__).resolve().parents[2]
for source in sorted(root.rglob("*.cu")):
    source.write_text(source.read_text().replace("cuda", "hip"))
    source.with_suffix(".hip").write_text(source.read_text())
    print("hipified", source.relative_to(root))
    if os.environ.get("WORLD_HIPIFY_HANGS"):
        Path(os.environ["WORLD_HIPIFY_HANGS"]).write_text(str(os.getpid()))
        time.sleep(600)
"""
_KERNEL = "cudaError_t status = cudaSuccess;\n"
_IGNORED = "build/\ndist/\n*.egg-info/\ndata.bin\n"


def setup_py(package, shape, *, name=None, version="version", packages=None, requires="[]"):
    """A setup.py whose version is computed as in `shape`. The other parameters are Python expressions."""
    return _SETUP.format(top=shape, package=package, name=name or repr(package), version=version,
                         packages=repr(packages or [package]), requires=requires)


@dataclass
class World:
    """Repositories by name, the plan, and the values that wheelrun should find."""

    folder: Path
    plan: Path
    environment: dict
    public: bool = False
    repositories: dict = field(default_factory=dict)  # "rocm_pytorch": Path
    commits: dict = field(default_factory=dict)  # "torch_210": {"torch": ...}, as `wheelrun resolve` gives them
    bases: dict = field(default_factory=dict)  # "torch_210": {"torch": "2.10.0"}: versions without ROCm's

    def address(self, repository):
        """The address of a repository: its folder, or in a world with public addresses the one that git rewrites."""
        if not self.public:
            return str(self.repositories[repository])
        return next(address for address, name in REPOSITORIES.items() if name == repository)

    def git(self, repository, *words):
        """Runs git in a repository of the world, or in another folder."""
        folder = self.repositories.get(repository, repository)
        done = subprocess.run(["git", *words], cwd=folder, env=self.environment, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"git {words}: {done.stderr}"
        return done.stdout.strip()

    def commit(self, repository, files, message="Change something"):
        """Writes files (None: removes) and commits them; gives the commit."""
        for name, text in files.items():
            path = self.repositories[repository] / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git(repository, "add", "--all")
        self.git(repository, "commit", "--quiet", "--allow-empty", "-m", message)
        return self.git(repository, "rev-parse", "HEAD")

    def branch(self, repository, name):
        self.git(repository, "checkout", "--quiet", "-B", name)

    def versions(self, suffix, ref_id, projects):
        """The expected output of `wheelrun resolve` for one row."""
        return {project: self._version(project, suffix, ref_id) for project in projects}

    def _version(self, project, suffix, ref_id):
        base = self.bases[ref_id][project]
        if project == "triton" and base != "3.3.1":
            return f"{base}+git{self.commits[ref_id]['triton'][:8]}.{suffix.removeprefix('+')}"
        return base + suffix


def _environment(folder):
    config = folder / "gitconfig"
    # Samples of hooks and a look whether to tidy up cost more than most commands in such small repositories.
    templates = folder / "templates"
    templates.mkdir()
    config.write_text("[user]\n\tname = World\n\temail = world@example.org\n[protocol \"file\"]\n\tallow = always\n"
                      f"[init]\n\tdefaultBranch = main\n\ttemplateDir = {templates}\n[commit]\n\tgpgSign = false\n"
                      "[maintenance]\n\tauto = false\n", encoding="utf-8")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    date = "2026-02-19T12:00:00Z"
    return {**kept, "GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date}


def _make_siblings(world):
    commits = {}
    # Like the real ones: torch==PYTORCH_VERSION, if it is set.
    requires = '["torch" + ("==" + os.environ["PYTORCH_VERSION"] if os.getenv("PYTORCH_VERSION") else "")]'
    for repository, package, base in (("audio", "torchaudio", "2.10.0"), ("vision", "torchvision", "0.25.0")):
        commits[package] = world.commit(repository, {
            "version.txt": f"{base}\n",
            "setup.py": setup_py(package, setup_shapes.SIBLING, requires=requires),
            f"{package}/__init__.py": "import torch\n",
            ".gitignore": _IGNORED,
        })
        world.branch(repository, "nightly")
        commits[f"{package} nightly"] = world.commit(repository, {"version.txt": f"{base[:-1]}1a0\n"})
    commits["triton old"] = world.commit("triton", {
        "python/setup.py": setup_py("triton", setup_shapes.TRITON_BY_VARIABLE, name="name",
                                    version='"3.3.1" + os.environ.get("TRITON_WHEEL_VERSION_SUFFIX", "")'),
        "python/triton/__init__.py": "",
        ".gitignore": _IGNORED,
    })
    world.git("triton", "mv", "python/setup.py", "setup.py")
    world.git("triton", "mv", "python/triton", "triton")
    commits["triton"] = world.commit("triton", {
        "setup.py": setup_py("triton", setup_shapes.TRITON.replace("{base}", "3.5.0"), name="name"),
        "python/requirements.txt": "",
    })
    world.branch("apex", "master")
    # Some branches are tested with a commit from before the setup read BUILD_VERSION.
    commits["apex old"] = world.commit("apex", {
        "version.txt": "1.10.0\n",
        "setup.py": setup_py("apex", setup_shapes.APEX_BY_FILE),
        "pyproject.toml": '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
        "apex/__init__.py": "",
        ".gitignore": _IGNORED,
    })
    commits["apex"] = world.commit("apex", {
        "version.txt": "1.11.0\n",
        "setup.py": setup_py("apex", setup_shapes.APEX),
    })
    return commits


def _torch_files(base, triton):
    return {
        "version.txt": f"{base}\n",
        "setup.py": setup_py("torch", setup_shapes.TORCH, packages=["torch", "torch.cuda"],
                             requires="[r for r in os.environ.get('PYTORCH_EXTRA_INSTALL_REQUIREMENTS', '').split('|')"
                                      " if r]"),
        "requirements.txt": "",
        "torch/__init__.py": "from . import cuda\n",
        "torch/cuda/__init__.py": "def is_available():\n    return False\n",
        "aten/kernel.cu": _KERNEL,
        "tools/amd_build/build_amd.py": _BUILD_AMD,
        ".ci/docker/ci_commit_pins/triton.txt": f"{triton}\n",
        ".gitignore": _IGNORED,
    }


def _record(world, siblings, apex):
    rows = []
    for project, repository, branch in (("apex", "apex", "master"), ("torchvision", "vision", "main"),
                                        ("torchaudio", "audio", "main")):
        commit = siblings[apex if project == "apex" else project]
        for system in ("ubuntu", "centos"):
            rows.append(f"{system}|pytorch|{project}|{branch}|{commit}|{world.address(repository)}\n")
    rows.append(f"ubuntu|pytorch|ao|main|{'5' * 40}|https://github.com/pytorch/ao\n")
    return "".join(rows)


def _add_submodules(world, repository):
    """A submodule that has a submodule itself."""
    world.git(repository, "submodule", "--quiet", "add", str(world.repositories["fbgemm"]), "third_party/fbgemm")
    world.git(repository, "submodule", "--quiet", "add", str(world.repositories["pybind"]), "third_party/pybind")


def make_world(folder, public=False):
    """With `public`, the repositories have their public addresses, without network access."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    world = World(folder, folder / "plan.json", {}, public)
    world.environment = _environment(folder)
    for name in ("composable", "fbgemm", "pybind", *REPOSITORIES.values()):
        world.repositories[name] = folder / "remotes" / name
        world.repositories[name].mkdir(parents=True)
        world.git(name, "init", "--quiet")
    world.commit("composable", {"device/gemm.cu": _KERNEL})
    world.commit("pybind", {"pybind.h": "#pragma once\n"})
    world.git("fbgemm", "submodule", "--quiet", "add", str(world.repositories["composable"]), "external/composable")
    world.commit("fbgemm", {"src/embedding.cu": _KERNEL})
    siblings = _make_siblings(world)

    _add_submodules(world, "rocm_pytorch")
    for ref in RELEASES:
        version = ref.removeprefix("release/")
        triton = siblings["triton old" if version == "2.7" else "triton"]
        apex = "apex" if version == "2.9" else "apex old"
        world.branch("rocm_pytorch", ref)
        torch = world.commit("rocm_pytorch", {**_torch_files(f"{version}.0", triton),
                                              "related_commits": _record(world, siblings, apex)}, f"Release {version}")
        row = f"torch_{version.replace('.', '')}"
        world.commits[row] = {"torch": torch, "torchaudio": siblings["torchaudio"],
                              "torchvision": siblings["torchvision"], "triton": triton, "apex": siblings[apex]}
        world.bases[row] = {"torch": f"{version}.0", "torchaudio": "2.10.0", "torchvision": "0.25.0",
                            "triton": "3.3.1" if version == "2.7" else "3.5.0",
                            "apex": "1.11.0" if apex == "apex" else "1.10.0"}
    _add_submodules(world, "pytorch")
    world.branch("pytorch", "nightly")
    torch = world.commit("pytorch", _torch_files("2.11.0a0", siblings["triton"]), "Nightly")
    world.commits["torch_nightly"] = {"torch": torch, "torchaudio": siblings["torchaudio nightly"],
                                      "torchvision": siblings["torchvision nightly"], "triton": siblings["triton"],
                                      "apex": siblings["apex"]}
    world.bases["torch_nightly"] = {"torch": "2.11.0a0", "torchaudio": "2.10.1a0", "torchvision": "0.25.1a0",
                                    "triton": "3.5.0", "apex": "1.11.0"}
    if public:
        _rewrite_addresses(world)
    else:
        write_plan(world)
        world.environment["WHEELRUN_PLAN"] = str(world.plan)
    return world


def _rewrite_addresses(world):
    """Maps the public addresses to the world's repositories in git's configuration."""
    lines = [f'[url "file://{world.repositories[name]}"]\n\tinsteadOf = {address}\n'
             for address, name in REPOSITORIES.items()]
    with open(world.environment["GIT_CONFIG_GLOBAL"], "a", encoding="utf-8") as config:
        config.write("".join(lines) + "[uploadpack]\n\tallowAnySHA1InWant = true\n")


def write_plan(world, **addresses):
    """The plan of this repository with the world's repositories as sources; `addresses` replaces some of them."""
    text = PLAN.read_text(encoding="utf-8")
    for address, repository in REPOSITORIES.items():
        assert f'"{address}"' in text, address
        text = text.replace(f'"{address}"', json.dumps(str(addresses.get(repository, world.repositories[repository]))))
    world.plan.write_text(text, encoding="utf-8")
