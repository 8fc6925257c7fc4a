"""The source checks must be able to fail: each gets a tree with a known error."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "tools"
ROOT = TOOLS.parents[1]


def run(tool, root):
    result = subprocess.run([sys.executable, str(TOOLS / tool), str(root)], capture_output=True, text=True)
    return result.returncode, result.stdout


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


BASE = {"base/text.h": "#pragma once\n", "generator/yaml/node.h": '#pragma once\n#include "base/text.h"\n'}


def test_includes_that_point_downwards_pass(tmp_path):
    write(tmp_path, BASE)
    assert run("check_layers.py", tmp_path)[0] == 0


# For each check: the files of its tree, and (file, content that adds an error, part of the message).
ERRORS = {
    "check_layers.py": (BASE, [
        ("CONTRIBUTING.md", "```mermaid\nflowchart TB\n```\n", "CONTRIBUTING.md: its picture of the folders is not the table's"),
        ("base/a.cpp", '#include "generator/yaml/node.h"\n', "base/a.cpp:1: base may not include"),
        ("runtime/wheels/plan/a.cpp", '\n#  include "generator/yaml/node.h"\n', "runtime/wheels/plan/a.cpp:2: runtime/wheels/plan may not"),
        ("generator/emit/a.cpp", '#include "text.h"\n', "there is no text.h"),
        ("generator/emit/a.cpp", "#include <yaml-cpp/yaml.h>\n", "yaml-cpp/ is known to"),
        ("generator/a.cpp", "\n", "its folder is in no layer"),
        ("runtime/store/http/a.cpp", "\n#ifdef _WIN32\n", "a.cpp:2: holds a name of an operating system"),
        ("base/a.cpp", "#include <sys/stat.h>\n", "base/a.cpp:1: holds a header of an operating system, which base/platform/"),
        ("base/a.cpp", "std::filesystem::path(name);\n", "holds a path that is not made by SystemPath()"),
        ("base/a.cpp", "if (fs::exists(name)) return;\n", "holds a call of std::filesystem for which base/platform/folders.h"),
        ("base/a.cpp", "path.string();\n", "holds a path that is not read by PathText()"),
        ("generator/elsewhere/a.cpp", "\n", "its folder is in no layer"),
    ]),
    "check_text.py": ({}, [
        ("a.txt", "one\r\n", "a.txt:1: has a carriage return"),
        ("a.txt", "one\n two \n", "a.txt:2: ends in blanks"),
        ("a.txt", "a\tb\n", "a.txt:1: has a tab"),
        ("a.txt", "one", "must end in exactly one line feed"),
        ("a.txt", "one\n\n", "must end in exactly one line feed"),
        ("a.txt", b"\xff\n", "is not UTF-8"),
        ("a.txt", b"a\0b\n", "holds a NUL byte"),
        ("a.txt", "see /home/" + "somebody/x\n", "names a path of one machine"),
        ("base/a.h", "int a;\n", "has no #pragma once"),
        ("base/a.cpp", "\n" * 601 + "int a;\n", "is longer than"),
    ]),
    "check_windows.py": ({"CMakeLists.txt": "-Wall -Werror\n", "packaging/windows/options.cmake": "", "base/a.h": "int F(int);\n"}, [
        ("base/platform/a_windows.cpp", '#include "base/a.h"\nint F(char* a) { return *a; }\nint g = F(1.5, 2);\n',
         "base/platform/a_windows.cpp:3:9: error: "),
    ]),
    "check_docs.py": ({"docs/diagnostics.md": "# All\n", "README.md": "# All\n", "tests/a.py": ""}, [
        ("README.md", "[x](docs/absent.md)\n", "README.md:1: there is no docs/absent.md"),
        ("README.md", "# A b\n\n[x](#a-c)\n", "README.md:3: no heading gives #a-c"),
        ("docs/security.md", "As `tests/x.py` shows.\n", "docs/security.md:1: there is no tests/x.py"),
        ("docs/security.md", "`docs/diagnostics.md`, `tests/../README.md: no`\n", "has no test 'no'"),
        ("docs/security.md", "| it is | test |\n| --- | --- |\n| so | |\n", "docs/security.md:3: the statement has no test"),
    ]),
}


@pytest.mark.parametrize(("tool", "name", "text", "message"), [
    (tool, *error) for tool, (_, errors) in ERRORS.items() for error in errors])
def test_an_error_is_found(tmp_path, tool, name, text, message):
    write(tmp_path, {**ERRORS[tool][0], name: text})
    status, output = run(tool, tmp_path)
    assert status == 1
    assert message in output


def test_two_headers_may_not_declare_types_of_one_name(tmp_path):
    write(tmp_path, {**BASE, "generator/yaml/step.h": "#pragma once\nstruct Step {\n};\n",
                     "runtime/host/programs/step.h": "#pragma once\nclass Step;\n\nclass Step final : Base {\n};\n"})
    status, shown = run("check_layers.py", tmp_path)
    assert status == 1
    assert "runtime/host/programs/step.h:4: generator/yaml/step.h declares a Step too" in shown


@pytest.mark.parametrize(
    "source",
    [
        'diagnostic.code = "new-code";',
        'd.code = bad ? "new-code" : "old-code";',
        'Report({.code = "new-code", .message = "a, b"});',
        'void Tell(const Node* at, std::string_view code) {}\nvoid f() { Tell(Find(x, "y"), "new-code"); }',
        'const auto tell = [&](int at, std::string_view code) {};\ntell(3, "new-code");',
        'struct Use {\n  int a;\n  std::string_view code;\n};\nvoid Check(int b, const Use& use);\n'
        'void f() { Check(1, {2, past ? x : "new-code", "no-code"}); }',
    ],
)
def test_a_code_that_is_neither_explained_nor_tested_is_found(tmp_path, source):
    page = "# All\n\n| `old-code` | x | y |\n"
    write(tmp_path, {"docs/diagnostics.md": page, "generator/a.cpp": source + "\n"})
    status, output = run("check_codes.py", tmp_path)
    assert status == 1
    assert "generator/a.cpp: docs/diagnostics.md does not explain new-code" in output
    assert "generator/a.cpp: no test compares a whole message of new-code" in output
    assert "no-code" not in output


def test_a_code_that_nothing_reports_is_found(tmp_path):
    page = "# All\n\n| `old-code` | x | y |\n"
    source = 'Report("read-all"); // .code = "old-code"\n'
    write(tmp_path, {"docs/diagnostics.md": page, "generator/a.cpp": source})
    status, output = run("check_codes.py", tmp_path)
    assert status == 1
    assert output == "docs/diagnostics.md explains old-code, which nothing reports\n"


def test_codes_that_are_explained_and_tested_pass(tmp_path):
    page = "# All\n\n| `old-code` | x | y |\n"
    test = 'CHECK(report == "error[old-code]: it is old");\n'
    write(
        tmp_path,
        {"docs/diagnostics.md": page, "base/a.cpp": 'd.code = "old-code";\n', "tests/unit/a_test.cpp": test},
    )
    assert run("check_codes.py", tmp_path) == (0, "1 codes are explained and tested\n")


def results(tmp_path, seconds):
    """The output of ctest and of ninja."""
    cases = "".join(f'<testcase name="{name}" status="run" time="{time}"/>' for name, time in seconds.items())
    write(tmp_path, {"times.xml": f"<testsuite>{cases}</testsuite>",
                     "build/.ninja_log": "# ninja log v5\n0\t4000\t1\ta.o\tff\n1000\t3500\t1\tb.o\tff\n"})
    result = subprocess.run([sys.executable, str(TOOLS / "times.py"), str(tmp_path / "times.xml"), str(tmp_path / "build")],
                            capture_output=True, text=True)
    return result.returncode, result.stdout


def budgeted():
    sys.path.insert(0, str(TOOLS))
    import times
    return times.budget((TOOLS.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def test_times_by_part_and_by_build(tmp_path):
    allowed = {part: share for part, share in budgeted().items() if part != "the rest"}
    status, shown = results(tmp_path, {f"{part}.a" if part in {"unit", "fuzz"} else part: share
                                       for part, share in allowed.items()})
    assert status == 0, shown
    assert "build/                                   6 s   compiled and linked, 2 files" in shown.splitlines()[0]
    assert "%" in shown.splitlines()[1]


def test_a_part_that_takes_far_more_than_its_share_is_a_failure(tmp_path):
    seconds = {part: share for part, share in budgeted().items() if part != "the rest"}
    status, shown = results(tmp_path, {**seconds, "python.storage": 100, "sources.lint": 1000})
    assert status == 1
    assert [line.split()[0] for line in shown.splitlines() if "make it faster" in line] == ["python.storage"]


def test_the_budget_is_a_whole():
    assert 95 <= sum(budgeted().values()) <= 105


def test_words_of_a_product_are_found_in_the_compiler_alone(tmp_path):
    write(tmp_path, {"generator/plan/a.cpp": "// each family\n// relationship\n", "generator/lint/b.cpp": "kPython\n",
                     "generator/graph/page/c.css": "p { font-family: serif }\n", "runtime/d.cpp": "// torch\n"})
    assert run("check_words.py", tmp_path) == (
        1, "generator/plan/a.cpp:1: 'famil' is a word of a matrix, not of the compiler\n")
    write(tmp_path, {"generator/plan/a.cpp": "// each row\n"})
    assert run("check_words.py", tmp_path) == (0, "generator/ knows no product\n")


@pytest.mark.parametrize("name, status", [("base/text.cpp", 0), ("{root}/base/text.cpp", 1)])
def test_sources_that_name_the_clone_are_found(tmp_path, name, status):
    build = tmp_path / "build"
    made = build / "by_folder/base.cpp"
    write(build, {"by_folder/base.cpp": f'#include "{name.format(root=tmp_path)}"\n',
                  "compile_commands.json": json.dumps([{"file": str(made)}, {"file": str(tmp_path / "base/text.cpp")}])})
    found, said = run("check_clones.py", build)
    assert found == status
    assert said.startswith("none of 1 sources" if status == 0 else f"by_folder/base.cpp names {tmp_path}")


# Which tests a second run leaves out.
CTEST = """\
1/3 Test #3: unit.text ...............   Passed    0.10 sec
2/3 Test #1: python.cli ..............***Failed    3.10 sec
3/3 Test  #2: fuzz.yaml ..............   Passed    1.00 sec
"""


@pytest.fixture
def tested_clone(tmp_path):
    write(tmp_path, {"a.txt": "a", "tests/tools/passed.py": (TOOLS / "passed.py").read_text(), "build-asan/configured.txt": "x",
                     ".gitignore": "/build*/\n/.tools/\n", ".tools/venv/installed.txt": "pytest\n"})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)

    def left_out(*words):
        command = [sys.executable, "tests/tools/passed.py", "build-asan", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    assert left_out() == ""
    write(tmp_path, {"build-asan/tested.txt": CTEST})
    return tmp_path, left_out


def test_what_passed_on_the_same_files_is_left_out(tested_clone):
    root, left_out = tested_clone
    assert left_out() == r"^(fuzz\.yaml|unit\.text)$"
    write(root, {"build-asan/tested.txt": CTEST[CTEST.index("2/3"):CTEST.index("3/3")].replace("***Failed", "   Passed")})
    assert left_out() == r"^(fuzz\.yaml|python\.cli|unit\.text)$"
    assert left_out("--again") == ""
    assert left_out() == ""


@pytest.mark.parametrize("file", ["a.txt", "new.txt", "build-asan/configured.txt", ".tools/venv/installed.txt"])
def test_after_a_change_all_tests_run(tested_clone, file):
    root, left_out = tested_clone
    write(root, {file: "changed\n"})
    assert left_out() == ""


def test_pytest_is_forked_and_ends_like_a_started_one(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import atexit, os, pathlib, sys\n"
        "def test_passes(tmp_path):\n"
        "    here = pathlib.Path(__file__).parent\n"
        "    atexit.register(lambda: (here / 'ended').write_text(os.environ['GIVEN']))\n"
        "    assert sys.dont_write_bytecode\n"
        "def test_fails():\n"
        "    assert 1 == 2\n", encoding="utf-8")
    words = [TOOLS / "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path / "test_it.py"]
    server = [sys.executable, TOOLS / "forked_pytest.py"]
    given = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "GIVEN": "it"}
    given.pop("FORKED_PYTEST", None)
    for command in (words, server + words):
        (tmp_path / "ended").unlink(missing_ok=True)
        done = subprocess.run([*map(str, command)], cwd=ROOT, env=given, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done
        assert (tmp_path / "ended").read_text(encoding="utf-8") == "it"
        one = subprocess.run([*map(str, command), "-k", "passes"], cwd=ROOT, env=given, capture_output=True, check=False)
        assert one.returncode == 0
