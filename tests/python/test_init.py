"""`wheelwright init` in folders where there is nothing: no sources, no compiler, no network."""

import json
import re
import stat

import pytest
import yaml
from json_schema import jsonschema
from wheelwright import PROGRAM, ROOT, Project, wheelwright

NAMES = ["plain", "cpp-library", "cuda-wheels", "rocm"]
SCHEMA_LINE = re.compile(r"^# yaml-language-server: \$schema=(.*)$", re.M)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "own").mkdir()
    return Project(tmp_path / "own")


@pytest.fixture(params=NAMES)
def begun(request, project):
    project.said = project.ok("init", "--from", request.param)
    project.name = request.param
    return project


def test_it_generates_and_checks_and_lints_clean(begun):
    assert begun.run("generate").returncode == 0
    made = list((begun.folder / ".github/workflows").iterdir())
    assert re.match(rf"\.github/workflows/ is current: \d+ files\n", begun.run("check").stdout)
    done = begun.run("lint", ".")
    assert (done.returncode, done.stderr) == (0, "") and re.match(r"\d+ files, no findings", done.stdout)
    assert begun.run("plan").returncode == 0
    assert len(made) >= 2


def test_every_schema_that_a_line_names_is_there_and_accepts_the_file(begun):
    files = [*sorted((begun.folder / "matrix").glob("*.yml")), *(begun.folder / ".github").glob("*.yml")]
    assert len(files) >= 5
    for path in files:
        text = path.read_text(encoding="utf-8")
        schema = path.parent / SCHEMA_LINE.search(text)[1]
        assert schema.name == ("lint" if path.parent.name == ".github" else path.stem) + ".schema.json"
        validator = jsonschema.Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))
        assert [error.message for error in validator.iter_errors(yaml.load(text, yaml.CSafeLoader))] == []


def test_the_schemas_are_renewed_by_one_command(begun):
    before = begun.files()
    said = begun.ok("schema", "--into", "matrix/schemas")
    assert re.fullmatch(r"matrix/schemas: \d+ schemas\n", said)
    assert {name: text for name, (text, _) in begun.files().items()} == {name: text for name, (text, _) in before.items()}


def test_it_says_what_it_wrote_and_what_comes_next(begun):
    count = len(begun.files())
    head, _, *rest = begun.said.splitlines()
    assert re.fullmatch(rf"\./: .+ \({count} files\)", head)
    assert [line.split("   ")[0].strip() for line in rest] == ["wheelwright generate", "wheelwright plan", "wheelwright check"]


@pytest.mark.parametrize(("name", "source"), [("rocm", ROOT), ("plain", ROOT / "examples/plain"),
                                              ("cpp-library", ROOT / "examples/cpp-library"),
                                              ("cuda-wheels", ROOT / "examples/cuda-wheels")])
def test_it_is_the_project_byte_for_byte(project, name, source):
    project.ok("init", "--from", name)
    for folder in ("matrix", "templates"):
        for path in sorted(path for path in (source / folder).rglob("*") if path.is_file()):
            own, text = project.read(path.relative_to(source).as_posix()), path.read_text(encoding="utf-8")
            text = re.sub(r"^  output: .*$", "  output: .github/workflows", text, flags=re.M)
            if folder == "matrix" and path.suffix == ".yml":
                own = own.removeprefix(f"# yaml-language-server: $schema=schemas/{path.stem}.schema.json\n")
                text = re.sub(r"\A# yaml-language-server.*\n", "", text)
                own = own if own == text else own.removeprefix("#\n")
            assert own == text, path
    assert "\n  output: .github/workflows\n" in project.read("matrix/settings.yml")


def test_it_needs_nothing_but_the_program(tmp_path):
    program = tmp_path / "bin/wheelwright"
    program.parent.mkdir()
    program.write_bytes(PROGRAM.read_bytes())
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "elsewhere").mkdir()
    done = wheelwright("init", "new", cwd=tmp_path / "elsewhere")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\n  cd new && wheelwright generate   writes .github/workflows/\n" in done.stdout
    assert (tmp_path / "elsewhere/new/matrix/builds.yml").is_file()


def test_it_writes_over_nothing(project):
    project.write("matrix/builds.yml", "mine\n")
    project.write("templates/workflows/builds.yml", "mine too\n")
    before = project.files()
    assert project.refused("init") == """\
error[file-in-the-way]: 2 files are in the way
   = matrix/builds.yml
   = templates/workflows/builds.yml
   = choose another folder, or move what is there

1 error; nothing was written
"""
    assert project.files() == before
    project.ok("init", "beside")
    before = project.files()
    assert project.refused("init", "beside").startswith("error[file-in-the-way]: ")
    assert project.files() == before


def test_what_fails_in_the_middle_leaves_nothing(project):
    project.write("templates", "a file, not a folder\n")
    before = project.files()
    assert project.refused("init").startswith("error[file-access]: ")
    assert project.files() == before


def test_files_that_a_repository_has_anyway_are_not_in_the_way(project):
    project.write(".pre-commit-config.yaml", "repos: []\n")
    said = project.ok("init")
    assert project.read(".pre-commit-config.yaml") == "repos: []\n"
    hooks = yaml.load(said.split(".pre-commit-config.yaml is there already. What it should have:\n\n")[1], yaml.CSafeLoader)
    version = wheelwright("--version").stdout.split()[1]
    assert hooks["repos"][0]["rev"] == f"v{version}"
    assert [hook["id"] for hook in hooks["repos"][0]["hooks"]] == ["wheelwright-generate", "wheelwright-lint"]


def test_it_says_where_the_repository_begins(project):
    (project.folder / ".git").mkdir()
    assert "The repository begins" not in project.ok("init")
    assert project.ok("init", "tools/ci").endswith(
        "\nThe repository begins at ., and GitHub reads .github/workflows there: begin at its top, or set `output` in "
        "tools/ci/matrix/settings.yml to ../../.github/workflows.\n")


@pytest.mark.parametrize(("words", "message"), [
    (["--from", "cpp-libary"], "error[option-value]: '--from' does not take 'cpp-libary'\n   = did you mean 'cpp-library'?\n"),
    (["--from", "jax"], "error[option-value]: '--from' does not take 'jax'\n   = it takes plain, cpp-library, cuda-wheels and rocm\n"),
    (["a", "b"], "error[surplus-argument]: 'init' takes 1 argument at most; 'b' is one too many\n"),
])
def test_what_it_does_not_take(project, words, message):
    assert project.refused("init", *words).startswith(message)
    assert project.files() == {}


def test_one_row_more_is_one_job_more(project):
    project.ok("init")
    project.ok("generate")
    project.replace("matrix/builds.yml", "  macos: { runs_on: macos-15 }\n",
                    "  macos: { runs_on: macos-15 }\n  arm: { runs_on: ubuntu-24.04-arm }\n")
    project.replace("matrix/builds.yml", "    systems: [linux, macos]", "    systems: [linux, macos, arm]")
    said = project.found("check")
    assert re.search(r"\+ 2 jobs +ci\.yml", said)
    project.ok("generate")
    jobs = yaml.load(project.read(".github/workflows/ci.yml"), yaml.CSafeLoader)["jobs"]
    assert list(jobs) == ["linux_debug", "linux_release", "macos_release", "arm_debug", "arm_release", "all"]
    assert jobs["all"]["needs"] == list(jobs)[:-1]


def test_all_schemas_and_one_name_are_two_questions(project):
    project.ok("init")
    assert project.refused("schema", "pins", "--into", "x").startswith("error[surplus-argument]: '--into' takes all schemas")
