"""A rehearsal with machines for Windows: their jobs run wheelrun.exe, and a real CPython, by Wine."""

import os
import shutil
import subprocess

import host_programs
import setup_shapes
import visual_studio
from host_programs import PREFIX, ROOT
from stage import Stage, say
from windows_python import make_python

MACHINE = ROOT / "tests/windows/machine"
REPLACED = """\
On machines for Windows:
  runners with bash of git: bash of this machine, whose uname is that of Windows
  wheelrun.exe, python.exe: real programs for Windows, run by Wine; Python 3.11 stands for every Python, with a
    newer pip
  uv.exe: the real one, which makes the environments
  git.exe, tar.exe: an .exe that calls that of this machine
  cl.exe, link.exe of Visual Studio: clang and lld for MinGW; vswhere.exe and vcvarsall.bat: what is documented of them
  clang++.exe of ROCm: clang 19 of this machine, with Debian's headers of HIP
  choco: puts an .exe in the requested version onto the PATH; ninja.exe says its version alone
  drive B: a folder"""


class WindowsStage(Stage):
    """As Stage, for combos of Windows with Python 3.11."""

    pythons_of_linux = 1

    def _make_machines(self):
        super()._make_machines()
        subprocess.run(["/usr/lib/llvm-19/bin/llvm-strip", "-o", self.folder / "programs/wheelrun.exe",
                        os.environ["WHEELRUN_EXE"]], check=True)
        self.windows = self.folder / "windows"
        shutil.copytree(MACHINE, self.windows)
        make_python(self.windows / "python")
        self.host = self._open.enter_context(host_programs.serving(
            git=host_programs.git, tar=host_programs.tar, ninja=self._ninja, **{"clang++": visual_studio.clang, **visual_studio.PROGRAMS}))
        self.host.install(self.windows / "tools", "git", "tar")
        self.host.install(self.windows / "programs", "ninja")
        host_programs.install_uv(self.windows / "tools")
        visual_studio.install(self.host)
        self._open.callback(visual_studio.remove)
        drive = PREFIX / "dosdevices/b:"
        drive.unlink(missing_ok=True)
        (self.folder / "drive_b").mkdir()
        drive.symlink_to(self.folder / "drive_b")
        self._open.callback(drive.unlink)
        say(REPLACED)

    def _ninja(self, words, _):
        assert words == ["--version"]
        return ["cat", self.windows / "tools/ninja.version"], {}

    def _make_sources(self):
        super()._make_sources()
        torch = setup_shapes.TORCH + (ROOT / "tests/windows/torch_setup.py").read_text(encoding="utf-8")
        self.sources.git("rocm_pytorch", "checkout", "--quiet", "release/2.10")
        self.sources.commits["torch_210"]["torch"] = self.sources.commit("rocm_pytorch", {
            "setup.py": torch, "csrc/kernel.hip": (ROOT / "tests/windows/kernel.hip").read_text(encoding="utf-8")})

    def tree(self, family, targets):
        """ROCm's files, with programs for Windows."""
        tree = super().tree(family, targets)
        for path in ("bin/hipcc", "lib/llvm/bin/clang++"):
            (tree / path).unlink()
        self.host.install(tree / "lib/llvm/bin", "clang++")
        return tree

    def labels(self):
        platform = self.plan["platforms"]["windows"]
        found = {platform["build_runs_on"], platform["fallback_runs_on"]}
        found |= {(row.get("windows") or {}).get("test_runs_on") for row in self.plan["families"].values()} - {None, ""}
        return sorted({*super().labels(), *found})

    def _environment(self, *words):
        return {**super()._environment(*words), "HOST_PROGRAMS": str(self.host.port),
                "REHEARSAL_WINE": str(ROOT / "packaging/windows/wine.sh")}
