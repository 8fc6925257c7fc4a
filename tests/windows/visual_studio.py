"""What stands for Visual Studio under Wine: vswhere.exe and vcvarsall.bat with the documented switches and output, and a
cross compiler in the place of cl.exe and link.exe."""

import shutil
import subprocess

from host_programs import PREFIX, ROOT

INSTALLER = PREFIX / "drive_c/Program Files (x86)/Microsoft Visual Studio/Installer"
FOLDER = PREFIX / "drive_c/Program Files/Microsoft Visual Studio/2022/Enterprise"
TOOLS = FOLDER / "VC/Tools/MSVC/14.44.35207"
OPENMP = FOLDER / "VC/Redist/MSVC/14.44.35112/debug_nonredist/x64/Microsoft.VC143.OpenMP.LLVM"
COMPONENT = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"


def vswhere(words, _):
    """-latest, -products, -requires, -property and -utf8 of the real one: no output where nothing fits, and an error for
    what it does not know."""
    given, rest = {}, list(words)
    while rest:
        switch = rest.pop(0)
        takes = {"-latest": 0, "-utf8": 0, "-products": 1, "-requires": 1, "-property": 1}.get(switch)
        if takes is None:
            return ["sh", "-c", 'echo "Error 0x57: Unknown parameter: $0"; exit 87', switch], {}
        given[switch] = rest.pop(0) if takes else True
    fits = given.get("-products") == "*" and given.get("-requires", COMPONENT) == COMPONENT and TOOLS.is_dir()
    assert given.get("-property") == "installationPath"
    path = "C:" + str(FOLDER).removeprefix(str(PREFIX / "drive_c")).replace("/", "\\")
    return ["printf", "%s", f"{path}\r\n" if fits else ""], {}


def cl(words, _):
    return ["clang-19", "--driver-mode=cl", "--target=x86_64-w64-mingw32", "/GS-",
            *(word.replace("\\", "/") for word in words if word not in ("/GL", "/O2"))], {}


def link(words, _):
    libraries = ROOT / ".tools/windows/python/libs"
    return ["lld-link-19", *(word.replace("\\", "/") for word in words if not word.startswith("/LIBPATH:")), "/NOENTRY", "/NODEFAULTLIB",
            f"/LIBPATH:{libraries}", "python311.lib"], {}


def clang(words, _):
    return ["clang++-19", *words], {}


PROGRAMS = {"vswhere": vswhere, "cl": cl, "link": link}


def install(programs):
    """programs: a server that has PROGRAMS."""
    remove()
    programs.install(INSTALLER, "vswhere")
    programs.install(TOOLS / "bin/HostX64/x64", "cl", "link")
    for folder in (TOOLS / "include", TOOLS / "lib/x64", OPENMP, FOLDER / "VC/Auxiliary/Build"):
        folder.mkdir(parents=True)
    script = (ROOT / "tests/windows/vcvarsall.bat").read_text(encoding="utf-8")
    (FOLDER / "VC/Auxiliary/Build/vcvarsall.bat").write_text(script, encoding="utf-8", newline="\r\n")
    empty = OPENMP / "empty.obj"
    subprocess.run(["clang-19", "--target=x86_64-w64-mingw32", "-x", "c", "-c", "/dev/null", "-o", empty], check=True)
    subprocess.run(["lld-link-19", "/DLL", "/NOENTRY", "/NOLOGO", empty, f"/OUT:{OPENMP}/libomp140.x86_64.dll"], check=True)
    empty.unlink()


def remove():
    for folder in (INSTALLER.parent, FOLDER.parents[1]):
        shutil.rmtree(folder, ignore_errors=True)
