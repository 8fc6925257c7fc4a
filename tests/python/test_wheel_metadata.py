"""METADATA, license files and permissions in wheels, compared with `packaging`, `twine check` and pip."""

import contextlib
import io
import json
import os
import subprocess
import sys
import zipfile

import pytest
from packaging.licenses import canonicalize_license_expression
from packaging.markers import Marker
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from test_wheel_check import FILES, INFO, NAME, pack
from twine.commands.check import check as twine_check
from wheelrun import wheelrun

META, LICENSE = f"{INFO}/METADATA", f"{INFO}/licenses/LICENSE"
FILES = {path: data for path, data in FILES.items() if path != LICENSE}
HEAD = "Metadata-Version: 2.4\nName: demo\nVersion: 1.0\n"


def findings(folder, files):
    (found,) = findings_of(folder, [files])
    return found


def findings_of(folder, wheels):
    """Those of several wheels, from one process. A single one is in the folder itself."""
    folders = [folder] if len(wheels) == 1 else [folder / str(number) for number in range(len(wheels))]
    for place, files in zip(folders, wheels, strict=True):
        place.mkdir(exist_ok=True)
        (place / NAME).write_bytes(pack(files))
    return checked(folder, [place / NAME for place in folders])


def checked(folder, paths):
    done = wheelrun("wheel", "check", *paths, "--format", "json", cwd=folder)
    assert done.status in (0, 1), done.stderr
    wheels = json.loads(done.stdout)["wheels"]
    assert len(wheels) == len(paths)
    return [[(finding["severity"], finding["code"], finding["message"]) for finding in wheel["findings"]]
            for wheel in wheels]


def packaging_takes(text):
    try:
        Metadata.from_email(text, validate=True)
    except Exception:  # noqa: BLE001, it raises several
        return False
    return True


def twine_takes(path):
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return not twine_check([str(path)])
        except Exception:  # noqa: BLE001, it raises several
            return False


# (what is behind Name and Version, what is said here, whether packaging and twine take it, why they differ)
ERROR, WARNING = "error", "warning"
METADATA = {
    "nothing more": ("", None, True, True, ""),
    "all that is usual": (
        "Summary: A demo\nHome-page: https://example.org\nAuthor: A\nAuthor-email: a@example.org\nKeywords: a,b\n"
        "Project-URL: Source, https://example.org\nClassifier: Programming Language :: Python :: 3\n"
        "Classifier: Operating System :: POSIX :: Linux\nRequires-Python: >=3.10,<4\nRequires-Dist: numpy>=1.23,!=2.0.*\n"
        "Requires-Dist: rocm[libraries,devel]==7.10.0a20251124\nRequires-Dist: triton==3.5.1; platform_system == \"Linux\"\n"
        "Requires-Dist: old (>=1.0)\nRequires-Dist: a~=1.4.2\nRequires-Dist: b<4.0.0dev,>=1!2\nRequires-Dist: c==1.0.post1\n"
        "Requires-Dist: d>=2.0.dev0\nRequires-Dist: e<=1.0-beta.2\nRequires-Dist: f == 1.* , != 1.5rc1\nRequires-Dist: g[h]\n"
        "Requires-Dist: i>v1.0\nRequires-Dist: j[]\nRequires-Dist: k ;python_version<'3.13' and extra=='opt_einsum'\n"
        "Requires-Dist: here @ https://example.org/here-1.0.tar.gz\n"
        "Requires-Dist: opt-einsum>=3.3; extra == \"opt-einsum\"\nProvides-Extra: opt-einsum\n"
        "License-Expression: BSD-3-Clause AND (MIT OR Apache-2.0 WITH LLVM-exception)\nLicense-File: LICENSE\n"
        "Dynamic: Requires-Dist\nDescription-Content-Type: text/markdown; charset=UTF-8; variant=GFM\n\n# Demo\n",
        None, True, True, ""),
    "a folded description": ("Description: one\n        |two\nDescription-Content-Type: text/plain\n", None, True, True, ""),
    "a requirement without a name": ("Requires-Dist: >=1.0\n", ERROR, False, False, ""),
    "a requirement with a bad bound": ("Requires-Dist: numpy>=one\n", ERROR, False, False, ""),
    "a requirement with bad extras": ("Requires-Dist: numpy[a b]\n", ERROR, False, False, ""),
    "a requirement with a bad marker": ("Requires-Dist: numpy; python_version = 3\n", ERROR, False, False, ""),
    "a text as a version": ("Requires-Dist: numpy===one\n", None, True, True, ""),
    "a bad Requires-Python": ("Requires-Python: three\n", ERROR, False, False, ""),
    "a bad extra": ("Provides-Extra: a b\n", WARNING, False, False, ""),
    "an extra twice": ("Provides-Extra: a-b\nProvides-Extra: a_b\n", WARNING, True, True, "both are one extra (PEP 685)"),
    "an extra that is not provided": ("Requires-Dist: numpy; extra == 'fast'\n", WARNING, True, True,
                                      "pip warns when the extra is asked for"),
    "a classifier twice": ("Classifier: Private :: x\nClassifier: Private :: x\n", WARNING, True, True,
                           "the index refuses it at the upload"),
    "an unknown field": ("Requires_Dist: numpy\n", WARNING, False, False, ""),
    "a field twice": ("Summary: a\nSummary: b\n", WARNING, False, False, ""),
    "a Summary of lines": ("Summary: a\n  b\n", WARNING, False, False, ""),
    "an unknown content type": ("Description-Content-Type: text/html\n\nx\n", WARNING, False, False, ""),
    "a content type without a slash": ("Description-Content-Type: markdown\n\nx\n", WARNING, False, False, ""),
    "another charset": ("Description-Content-Type: text/plain; charset=latin-1\n\nx\n", WARNING, False, False, ""),
    "another variant": ("Description-Content-Type: text/markdown; variant=Pandoc\n\nx\n", WARNING, False, False, ""),
    "a variant in quotes": ("Description-Content-Type: text/markdown; charset=\"utf-8\"\n\nx\n", None, True, True, ""),
    "reStructuredText with a fault": ("Description-Content-Type: text/x-rst\n\nTitle\n==\n\n.. nothing::\n", None, True, False,
                                      "only an index renders it"),
    "Dynamic of no field": ("Dynamic: colour\n", WARNING, False, False, ""),
    "a dynamic Version": ("Dynamic: Version\n", WARNING, False, False, ""),
    "a field of later versions": ("Import-Name: demo\n", WARNING, False, False, ""),
    "a bad expression": ("License-Expression: MIT Apache-2.0\n", WARNING, False, False, ""),
    "a license that SPDX does not have": ("License-Expression: My-License\n", None, False, False,
                                          "the list of SPDX grows with each release"),
    "a license of one's own": ("License-Expression: LicenseRef-Mine\n", None, True, True, ""),
    "expression and text": ("License-Expression: MIT\nLicense: MIT\n", WARNING, True, True,
                            "the index refuses it at the upload (PEP 639)"),
    "a license file above": ("License-File: ../LICENSE\n", WARNING, False, False, ""),
    "a license file that is not there": ("License-File: COPYING\n", WARNING, True, True, "they do not look into the wheel"),
    "a license file by a pattern": ("License-File: LICENSE*\n", WARNING, False, False, ""),
}


def with_metadata(text):
    return {**FILES, META: text.encode(), LICENSE: b"MIT"}


def in_one_process(cases, files_of):
    """A fixture: what is found in the wheel of each case, and the wheel."""
    @pytest.fixture(scope="module")
    def found(tmp_path_factory):
        folder = tmp_path_factory.mktemp("wheels")
        found = findings_of(folder, [files_of(case) for case in cases])
        return {case: (one, folder / str(number) / NAME) for number, (case, one) in enumerate(zip(cases, found, strict=True))}

    return found


of_metadata = in_one_process(METADATA, lambda name: with_metadata(HEAD + METADATA[name][0]))


@pytest.mark.parametrize("name", METADATA)
def test_metadata_is_judged_as_by_packaging_and_twine(of_metadata, name):
    text, said, packaging, twine, why = METADATA[name]
    found, wheel = of_metadata[name]
    assert {severity for severity, *_ in found} == ({said} if said else set()), found
    assert {code for _, code, _ in found} <= {"wheel-metadata", "wheel-license"}
    assert packaging_takes(HEAD + text) == packaging
    assert twine_takes(wheel) == twine
    assert bool(why) == (not packaging == twine == (said is None)), "only differences have reasons"


HEADS = [
    ("Metadata-Version: 1.0\nName: demo\nVersion: 1.0\n", None),
    ("Metadata-Version: 2.1\nName: demo\nVersion: 1.0\nLicense-File: LICENSE\n", None),  # as setuptools wrote it
    ("Metadata-Version: 2.1\nName: demo\nVersion: 1.0\nLicense-Expression: MIT\n", WARNING),
    ("Metadata-Version: 2.9\nName: demo\nVersion: 1.0\n", WARNING),
    ("Metadata-Version: 3.0\nName: demo\nVersion: 1.0\n", ERROR),
    ("Name: demo\nVersion: 1.0\n", ERROR),
    ("Metadata-Version: 2.4\nVersion: 1.0\n", ERROR),
    ("Metadata-Version: 2.4\nName: demo\n", ERROR),
    ("Metadata-Version: 2.4\nName: -demo\nVersion: 1.0\n", ERROR),
    ("Metadata-Version: 2.4\nName: demo\nVersion: one\n", ERROR),
    ("Metadata-Version: 2.4\nName: demo\nName: demo\nVersion: 1.0\n", ERROR),
]

of_heads = in_one_process([head for head, _ in HEADS], with_metadata)


@pytest.mark.parametrize(("head", "said"), HEADS)
def test_the_heads_of_metadata(of_heads, head, said):
    found, _ = of_heads[head]
    assert {severity for severity, *_ in found} == ({said} if said else set()), found
    # packaging does not take a License-File in older versions, which setuptools wrote for years.
    assert packaging_takes(head) == (said is None and "2.1" not in head)


MARKERS = [
    "os_name == 'nt'", 'os_name=="nt"', "'nt' == os_name", "python_version<'3.13'and extra=='test'",
    "python_version < '3.13' or (os_name == 'nt' and extra == 'test')", "((os_name == 'nt'))", "( os_name == 'nt' )or os_name!='x'",
    "python_full_version ~= '3.10.1'", "platform_release === '5'", "sys_platform in 'linux darwin'",
    "sys_platform not  in 'win32'", "os.name == 'posix' and sys.platform == 'linux'", "platform.python_implementation == 'CPython'",
    "python_implementation == 'PyPy'", "'x' in extras", "'x' in dependency_groups", "implementation_version >= '3'",
    "'a' == 'b'", "os_name == ''", "os_name == \"it's\"", "platform_version == 'Grün'", "\tos_name\t==\t'nt'\t",
    "python_version in'3.12'", "platform_machine == 'x86_64' and platform_system == 'Linux' and platform_python_implementation == 'x'",
    # What is none.
    "", " ", "os_name", "os_name ==", "== 'nt'", "os_name = 'nt'", "os_name =! 'nt'", "os_name 'nt'", "os_name == nt", "os_name == 'nt",
    "os_name == 'nt\"", "os_name == 3", "python_version >= 3.10", "python_verson < '3.13'", "Python_Version < '3.13'",
    "os_name == 'nt' os_name == 'nt'", "os_name == 'nt' and", "and os_name == 'nt'", "os_name == 'nt' && extra == 'x'",
    "os_name == 'nt' AND extra == 'x'", "os_name == 'nt', extra == 'x'", "not os_name == 'nt'", "os_name not 'nt'", "os_name notin 'nt'",
    "os_name is 'nt'", "(os_name == 'nt'", "os_name == 'nt')", "()", "(os_name) == 'nt'", "os_name == ('nt')", "'a' < 'b' < 'c'",
    "os_name == 'nt'; extra == 'x'", "os_name == 'nt' # x", "os_name <> 'nt'", "platform == 'x'", "env.HOME == 'x'", "ö == 'x'",
    "os_name == 'nt' or\n os_name == 'x'", "os_name == '\\'", "os_name == '\\x'",
]


def read_by(constructor, text):
    try:
        constructor(text)
    except ValueError:
        return False
    return True


WANTED = ("numpy", "numpy[a]>=1.0 ", "numpy===one", "numpy @ https://example.org/a;b.whl ")

of_markers = in_one_process([f"{wanted};{marker}" for marker in MARKERS for wanted in WANTED],
                            lambda lines: with_metadata(f"{HEAD}Requires-Dist: {lines}\n"))


@pytest.mark.parametrize("marker", MARKERS)
def test_markers_are_judged_as_by_packaging(of_markers, marker):
    for wanted in WANTED:
        lines = f"{wanted};{marker}"
        found, _ = of_markers[lines]
        errors = [message for severity, _, message in found if severity == ERROR]
        assert not errors == read_by(Requirement, lines), errors
        assert len(errors) <= 1 and all("has a marker that is not valid: " in message for message in errors)


def test_a_backslash_is_not_in_the_grammar_of_markers(tmp_path):
    """pip and uv read it, and not as the same text."""
    marker = "os_name == 'a\\\\b'"
    found = findings(tmp_path, {**FILES, META: f"{HEAD}Requires-Dist: numpy; {marker}\n".encode(), LICENSE: b"MIT"})
    assert [severity for severity, *_ in found] == [ERROR] and read_by(Marker, marker)


@pytest.mark.parametrize("depth", [50, 51])
def test_brackets_in_brackets(tmp_path, depth):
    marker = "(" * depth + "os_name == 'nt'" + ")" * depth
    found = findings(tmp_path, {**FILES, META: f"{HEAD}Requires-Dist: numpy; {marker}\n".encode(), LICENSE: b"MIT"})
    assert read_by(Marker, marker)
    assert bool(found) == (depth > 50), found


@pytest.mark.parametrize(("wanted", "said"), [
    ("numpy; python_verson < '3.13'",
     "'python_verson' is no variable of markers; texts stand in quotes\n  --> {place}:4:23\n   |\n"
     " 4 | Requires-Dist: numpy; python_verson < '3.13'\n   |                       ^^^^^^^^^^^^^^^^^^^^^^ "
     "did you mean 'python_version'?"),
    ("numpy; os_name = 'nt'",
     "'=' is no comparison; expected ==, !=, <=, >=, <, >, ~=, ===, in or not in\n  --> {place}:4:31\n   |\n"
     " 4 | Requires-Dist: numpy; os_name = 'nt'\n   |                               ^^^^^^ "
     "expected such as python_version < '3.13' (PEP 508)"),
    ("numpy;", "nothing stands behind the ';'\n  --> {place}:4:16\n   |\n 4 | Requires-Dist: numpy;\n"
               "   |                ^^^^^^ expected such as python_version < '3.13' (PEP 508)"),
])
def test_whole_messages_of_markers(tmp_path, wanted, said):
    (tmp_path / NAME).write_bytes(pack({**FILES, META: f"{HEAD}Requires-Dist: {wanted}\n".encode(), LICENSE: b"MIT"}))
    assert wheelrun("wheel", "check", NAME, cwd=tmp_path).stderr == (
        f"error[wheel-metadata]: Requires-Dist '{wanted}' has a marker that is not valid: "
        f"{said.format(place=f'{NAME}/{META}')}\n   = in {NAME}\n")


def test_a_description_that_is_not_utf8(tmp_path):
    text = (HEAD + "Description-Content-Type: text/plain\n\n").encode() + "Grün\n".encode("latin-1")
    assert findings(tmp_path, {**FILES, META: text, LICENSE: b"MIT"}) == [
        (WARNING, "wheel-metadata", f"its METADATA is not UTF-8 at byte {text.index(0xfc)}")]
    assert not packaging_takes(text)


EXPRESSIONS = ["MIT", "mit", "GPL-2.0-or-later", "GPL-2.0+", "MIT AND Apache-2.0", "MIT and apache-2.0", "(MIT)",
               "MIT OR (BSD-3-Clause AND ISC)", "GPL-3.0-only WITH Classpath-exception-2.0", "LicenseRef-x", "LicenseRef-x.1",
               "", " ", "MIT Apache-2.0", "MIT AND", "AND MIT", "(MIT", "MIT)", "()", "MIT AND AND ISC", "MIT (ISC)", "MIT/ISC",
               "MIT, ISC", "(MIT AND ISC) WITH x", "MIT OR (", "MIT WITH (x)", "MIT_", "MIT++", "BSD 3-Clause", "MIT\nISC"]


def with_expression(text):
    value = text.replace("\n", "\n ")
    return with_metadata(f"{HEAD}License-Expression: {value}\n")


of_expressions = in_one_process(EXPRESSIONS, with_expression)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_are_judged_as_by_packaging(of_expressions, text):
    try:
        canonicalize_license_expression(text)
        taken = True
    except ValueError:
        taken = False
    found, _ = of_expressions[text]
    assert (not found) == taken, found


def test_license_files(tmp_path):
    assert findings(tmp_path, {**FILES, META: HEAD.encode()}) == [(WARNING, "wheel-license", "it has no license file")]
    for path in (LICENSE, f"{INFO}/COPYING", f"{INFO}/LICENSE.txt", f"{INFO}/licenses/third_party/a.txt"):
        assert findings(tmp_path, {**FILES, META: HEAD.encode(), path: b"text"}) == []
    listed = f"{HEAD}License-File: LICENSE\nLicense-File: third_party/COPYING\n".encode()
    assert findings(tmp_path, {**FILES, META: listed, LICENSE: b"text"}) == [
        (WARNING, "wheel-license", "it has no license file 'third_party/COPYING'")]
    # Since 2.4 only below licenses/.
    assert [code for _, code, _ in findings(tmp_path, {**FILES, META: (HEAD + "License-File: LICENSE\n").encode(),
                                                       f"{INFO}/LICENSE": b"text"})] == ["wheel-license"]
    older = HEAD.replace("2.4", "2.2") + "License-File: LICENSE\n"
    assert findings(tmp_path, {**FILES, META: older.encode(), f"{INFO}/LICENSE": b"text"}) == []


def test_whole_messages(tmp_path):
    with_modes(tmp_path, {SCRIPT: 0o100644, "demo/core.so": 0o100666, f"{INFO}/WHEEL": 0o100666},
               {SCRIPT: b"#!/bin/sh\n", META: (HEAD + "Summary: a\nLicense-Expression: MIT AND\n").encode()})
    assert wheelrun("wheel", "check", NAME, cwd=tmp_path).stderr == (
        "warning[wheel-license]: License-Expression 'MIT AND' is not valid: nothing stands behind AND\n"
        f"  --> {NAME}/{META}:5:21\n   |\n 5 | License-Expression: MIT AND\n"
        "   |                     ^^^^^^^ expected identifiers of SPDX with AND, OR and WITH: MIT AND Apache-2.0\n"
        f"   = in {NAME}\n\n"
        "warning[wheel-mode]: 'demo/core.so' can be changed by everybody: its mode is 666\n"
        "   = unpackers take that over: use 644, or 755 for programs\n   = and 1 other file too\n"
        f"   = in {NAME}\n\n"
        f"error[wheel-mode]: '{SCRIPT}' is a command that cannot be executed: its mode is 644\n"
        f"   = pip installs it as it is: use 755\n   = in {NAME}\n")


SCRIPT = "demo-1.0.data/scripts/demo-run"


def with_modes(folder, modes, files):
    """A wheel whose entries have these modes; others have 0644."""
    data = pack({**FILES, META: HEAD.encode(), LICENSE: b"MIT", **files})
    out = folder / NAME
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as changed:
        for info in archive.infolist():
            info.external_attr = modes.get(info.filename, 0o100644) << 16
            changed.writestr(info, archive.read(info))
    done = wheelrun("wheel", "check", NAME, "--format", "json", cwd=folder)
    (wheel,) = json.loads(done.stdout)["wheels"]
    return [(finding["severity"], finding["message"]) for finding in wheel["findings"]]


@pytest.mark.parametrize(("path", "mode", "said"), [
    ("demo/__init__.py", 0o100644, None),
    ("demo/__init__.py", 0o100755, None),
    ("demo/__init__.py", 0o600, None),  # without a kind: Python's zipfile writes it so
    ("demo/__init__.py", 0o100600, (WARNING, "'demo/__init__.py' can be read by its owner alone: its mode is 600")),
    ("demo/core.so", 0o100700, (WARNING, "'demo/core.so' can be read by its owner alone: its mode is 700")),
    ("demo/core.so", 0o100777, (WARNING, "'demo/core.so' can be changed by everybody: its mode is 777")),
    ("demo/core.so", 0o104755, (ERROR, "'demo/core.so' runs with the rights of its owner: its mode is 4755")),
    ("demo/core.so", 0o102755, (ERROR, "'demo/core.so' runs with the rights of its owner: its mode is 2755")),
    (SCRIPT, 0o100755, None),
    (SCRIPT, 0o100644, (ERROR, f"'{SCRIPT}' is a command that cannot be executed: its mode is 644")),
    (SCRIPT, 0o755, (ERROR, f"'{SCRIPT}' is a command that cannot be executed: its mode is 755")),
    ("demo/bin/tool", 0o100755, None),
    ("demo/bin/tool", 0o100644, (WARNING, "'demo/bin/tool' is a program that cannot be executed: its mode is 644")),
    ("demo/bin/libtool.so", 0o100644, None),
    ("demo/bin/notes.txt", 0o100644, None),
])
def test_permissions(tmp_path, path, mode, said):
    content = {SCRIPT: b"#!/bin/sh\necho here\n", "demo/bin/tool": FILES["demo/core.so"],
               "demo/bin/libtool.so": FILES["demo/core.so"], "demo/bin/notes.txt": b"text\n"}
    files = {path: content[path]} if path in content else {}
    assert with_modes(tmp_path, {path: mode}, files) == ([said] if said else [])


@pytest.mark.parametrize("mode", [0o100755, 0o100644, 0o755])
def test_pip_installs_commands_as_they_are(tmp_path, mode):
    said = with_modes(tmp_path, {SCRIPT: mode}, {SCRIPT: b"#!/bin/sh\necho here\n"})
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--platform", "linux_x86_64", "--python-version", "3.12", "--abi", "cp312",
                    "--only-binary=:all:", "--target", tmp_path / "to", tmp_path / NAME], check=True, capture_output=True)
    (installed,) = (tmp_path / "to").rglob("demo-run")
    assert os.access(installed, os.X_OK) == (not said)
