"""Which DLLs wheels for Windows need: read as `pefile` reads them, and judged as delvewheel does."""

import json
import os
import re
import subprocess
from pathlib import Path

import pefile
import pip
import pytest
from delvewheel import _dll_list as delvewheel
from made_pe import made_pe
from test_wheel_platforms import errors, reports, wheel_of
from wheelrun import PLAN, wheelrun

WINDOWS = sorted(delvewheel.ignore_names_x64)
MINGW = "x86_64-w64-mingw32-"


def imports_of(path):
    done = subprocess.run([os.environ["READER_PROBE"], "imports", path], text=True, stdout=subprocess.PIPE)
    assert done.returncode == 0, path
    lines = done.stdout.splitlines()[:-1]
    return [line for line in lines if not line.startswith("~")], [line[1:] for line in lines if line.startswith("~")]


def by_pefile(path):
    read = pefile.PE(path)
    return tuple([row.dll.decode() for row in getattr(read, table, [])]
                 for table in ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT"))


def linked(folder, name, imports=(), delayed=()):
    """A DLL of a real linker that calls a function of each other DLL: by GNU's, which delays nothing, or by LLVM's."""
    folder.mkdir(parents=True, exist_ok=True)
    archives, calls = [], []
    for number, library in enumerate((*imports, *delayed)):
        definition, archive = folder / f"{number}.def", folder / f"lib{number}.a"
        definition.write_text(f'LIBRARY "{library}"\nEXPORTS\n  need_{number}\n')
        subprocess.run(["llvm-dlltool-19", "-m", "i386:x86-64", "-d", definition, "-l", archive], check=True)
        archives.append(archive)
        calls.append(f"need_{number}")
    source = "".join(f"__declspec(dllimport) void {call}(void);\n" for call in calls)
    source += "__declspec(dllexport) void use(void) {\n" + "".join(f"  {call}();\n" for call in calls) + "}\n"
    # What the linker calls for a function of another DLL that is not loaded yet.
    source += "void *__delayLoadHelper2(void *dll, void *function) { return dll ? function : dll; }\n"
    (folder / "x.c").write_text(source)
    if not delayed:
        subprocess.run([f"{MINGW}gcc", "-shared", "-o", folder / name, folder / "x.c", *archives], check=True)
    else:
        subprocess.run([f"{MINGW}gcc", "-c", "-o", folder / "x.o", folder / "x.c"], check=True)
        subprocess.run(["lld-link-19", "/DLL", "/NOENTRY", *[f"/DELAYLOAD:{library}" for library in delayed],
                        f"/OUT:{folder / name}", folder / "x.o", *archives], check=True)
    return (folder / name).read_bytes()


def wheel(folder, files, tags="cp312-cp312", requires=()):
    path = wheel_of(folder, files, "win_amd64", requires)
    if tags == "cp312-cp312":
        return path
    import zipfile
    renamed = folder / path.name.replace("cp312-cp312", tags)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(renamed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"Tag: cp312-cp312", f"Tag: {tags}".encode()))
    return renamed


def external(wheels, *options):
    """(severity, message) of each finding about DLLs."""
    found = [finding for report in reports(wheels, *options) for finding in report["findings"]]
    return [(finding["severity"], finding["message"]) for finding in found if finding["code"] == "wheel-external"]


@pytest.mark.parametrize("delayed", [[], ["late.dll"]])
def test_what_a_linker_wrote_is_read_as_by_pefile(tmp_path, delayed):
    linked(tmp_path, "core.dll", ["first.dll", "Second.DLL"], delayed)
    ours = imports_of(tmp_path / "core.dll")
    assert ours == by_pefile(str(tmp_path / "core.dll"))
    assert {"first.dll", "Second.DLL"} <= set(ours[0]) and ours[1] == delayed


@pytest.mark.parametrize("path", sorted(Path(pip.__file__).parent.rglob("*.exe")), ids=lambda path: path.name)
def test_programs_of_a_compiler_of_windows_are_read_as_by_pefile(path):
    """pip's launchers: for 32 bits, 64 bits and AArch64."""
    ours = imports_of(path)
    assert ours == by_pefile(str(path)) and ours[0]


@pytest.mark.parametrize("bits, machine", [(64, 0x8664), (64, 0xAA64), (32, 0x14C)])
def test_what_the_tests_make_is_read_as_by_pefile(tmp_path, bits, machine):
    path = tmp_path / "made.dll"
    for imports, delayed in (["a.dll"], []), ([], ["b.dll"]), (["a.dll", "c.dll"], ["b.dll"]), ([], []):
        path.write_bytes(made_pe(imports, delayed, machine, bits))
        assert imports_of(path) == by_pefile(str(path)) == (imports, delayed)


def test_files_of_windows_are_those_of_delvewheel(tmp_path):
    known = {f"demo/{at}.pyd": made_pe(WINDOWS[at:at + 150]) for at in range(0, len(WINDOWS), 150)}
    shown = wheel(tmp_path, known)
    # Some are Visual C++'s in every Windows, and delvewheel puts them into the wheel only when it is told to.
    assert external([shown]) == []
    others = ["kernel33.dll", "zlib1.dll", "libstdc++-6.dll", "sqlite3.dll"]
    assert not set(others) & set(WINDOWS)
    said = external([wheel(tmp_path, {"demo/core.pyd": made_pe(others)})])
    assert sorted(re.search("needs '(.*?)'", text)[1] for _, text in said) == sorted(others)


@pytest.mark.parametrize("library", ["vcruntime140.dll", "VCRUNTIME140_1.dll", "api-ms-win-crt-runtime-l1-1-0.dll", "KERNEL32.dll",
                                     "python312.dll", "python3.dll"])
def test_what_windows_and_the_python_of_the_tag_have_is_not_reported(tmp_path, library):
    assert external([wheel(tmp_path, {"demo/core.pyd": made_pe([library])})]) == []


@pytest.mark.parametrize("library, tags, says", [
    ("python311.dll", "cp312-cp312", "another Python's"),
    ("python312t.dll", "cp312-cp312", "another Python's"),
    ("python312.dll", "cp312-abi3", "another Python's"),
    ("python312.dll", "py3-none", "another Python's"),
    ("python312_d.dll", "cp312-cp312", "only developers have"),
    ("VCRUNTIME140D.dll", "cp312-cp312", "only developers have"),
    ("ucrtbased.dll", "cp312-cp312", "only developers have")])
def test_what_never_works_is_an_error(tmp_path, library, tags, says):
    ((severity, text),) = external([wheel(tmp_path, {"demo/core.pyd": made_pe([library])}, tags)])
    assert severity == "error" and says in text and f"'{library}'" in text


def test_the_runtime_of_visual_cpp_is_not_on_every_machine(tmp_path):
    ((severity, text),) = external([wheel(tmp_path, {"demo/core.pyd": made_pe(["MSVCP140.dll"])})])
    assert severity == "warning" and "which is of Visual C++ and not of Windows" in text
    carried = {"demo/core.pyd": made_pe(["MSVCP140.dll"]), "demo.libs/msvcp140.dll": made_pe(["kernel32.dll"])}
    assert external([wheel(tmp_path, carried)]) == []


def test_a_required_package_brings_its_dlls(tmp_path):
    """By the repository's own matrix, and without one."""
    needs = {"demo/core.pyd": made_pe(["amdhip64_7.dll", "miopen.dll", "c10.dll", "hiprtc0701.dll"])}
    for requires, missing in ((), 4), (["rocm[libraries]==7.12.0"], 1), (["rocm", "torch==2.10.0"], 0):
        path = wheel(tmp_path, needs, requires=requires)
        said = external([path], "--plan", str(PLAN))
        assert [severity for severity, _ in said] == ["error"] * missing, said
    alone = external([wheel(tmp_path, needs)])
    assert [severity for severity, _ in alone] == ["warning"] * 4


def test_what_is_loaded_late_may_be_missing(tmp_path):
    path = wheel(tmp_path, {"demo/core.pyd": linked(tmp_path / "c", "core.dll", [], ["late.dll"])})
    ((severity, text),) = external([path], "--plan", str(PLAN))
    assert severity == "warning" and "'late.dll'" in text and text.endswith("it is loaded when it is first called")


def test_one_fault_of_many_files_is_one_finding(tmp_path):
    path = wheel(tmp_path, {f"demo/{name}.pyd": made_pe(["gone.dll"]) for name in "abc"})
    done = wheelrun("wheel", "check", path, cwd=tmp_path, env={"WHEELRUN_PLAN": ""})
    assert done.status == 0 and done.stderr.count("gone.dll") == 1 and "and 2 other files too" in done.stderr, done.stderr


@pytest.mark.parametrize("fault, says", [
    (lambda data: data[:0x300], "are not where|reach over its end|lie behind its end"),
    (lambda data: data[:0x80], "are not where they should be|no PE header|is no shared object"),
    (lambda data: data.replace(b"\x00\x10\x00\x00", b"\x00\x90\x00\x00"), "are not where it says")])
def test_broken_tables_are_said(tmp_path, fault, says):
    data = fault(made_pe([f"library{number}.dll" for number in range(40)]))
    (report,) = reports([wheel(tmp_path, {"demo/core.pyd": data})], "--platform", "windows")
    assert "wheel-library" in errors(report)
    assert re.search(says, json.dumps(report["findings"])), report["findings"]
