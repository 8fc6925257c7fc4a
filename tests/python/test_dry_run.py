"""Compares the output of `--dry-run` with a real run, for every command that has the option: the same commands, word by
word, in the same order.

All programs are one fake that records its calls. A dry run executes only commands that read; the real run executes
these and the printed ones.
"""

import fnmatch
import json
import os
import re
import shlex
import shutil
import sys
from itertools import takewhile

import pytest
import s3_server as s3
from wheelrun import PLAN, in_job, wheelrun

VERSION = "7.12.0a20260219"
SUFFIX = f"+rocm{VERSION}"
VERSIONS = {"triton": f"3.5.1{SUFFIX}", "torch": f"2.10.0{SUFFIX}", "torchaudio": f"2.10.0{SUFFIX}",
            "torchvision": f"0.25.0{SUFFIX}", "apex": f"1.10.0{SUFFIX}"}
FOLDERS = {"triton": "triton", "torch": "pytorch", "torchaudio": "pytorch_audio", "torchvision": "pytorch_vision", "apex": "apex"}
TAG = "cp312-cp312-linux_x86_64"
STAND_IN = """\
#!{python}
import json, os, shutil, sys
from pathlib import Path
own, words, said = sys.argv[0], sys.argv[1:], " ".join(sys.argv[1:])
if ".egg-info" in said:  # it has what is uninstalled and lacks the rest, so that pip is called, as a dry run says
    sys.exit(print("torch 0\\ntriton 0"))
with open(os.environ["RECORD"], "a") as record:
    record.write(json.dumps([sys.argv, os.getcwd(), dict(os.environ)]) + "\\n")
if "sys.version_info" in said:
    print(f"3.12\\n\\n{{own}}\\n{{os.environ.get('OWN_PIP', '')}}")
elif said.endswith("rocm_sdk version"):
    print("{version}")
elif "rocm_sdk" in said:
    print("{version}", "gfx942", "{root}", "{root}/bin", "{root}/lib/cmake", sep="\\n")
elif "version('torch')" in said:
    print("{torch}")
elif "gcnArchName" in said:
    print('["gfx942:sramecc+:xnack-"]')
elif words[:2] == ["-m", "venv"]:
    (Path(words[2]) / "bin").mkdir(parents=True)
    shutil.copy(own, words[2] + "/bin/python")
elif "download" in words:
    folder = Path(words[words.index("--dest") + 1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in json.loads(os.environ.get("WHEELS", "[]")):
        (folder / name).write_text(name)
elif words[:1] == ["-c"] and "torch.cuda.is_available" in said:
    print("False")
elif words[:1] == ["-c"]:
    print("rocm[libraries]=={version}")
elif "build" in words and "--wheel" in words or "bdist_wheel" in words:
    versions = json.loads(os.environ["VERSIONS"])
    project = {folders}[Path.cwd().name if Path.cwd().name != "python" else Path.cwd().parent.name]
    os.makedirs("dist", exist_ok=True)
    Path(f"dist/{{project}}-{{versions[project]}}-{tag}.whl").write_text("wheel")
elif "pytest" in words:
    Path(words[words.index("--junitxml") + 1]).write_text('<testsuites><testsuite name="t" tests="1" failures="0" errors="0" skipped="0" time="1">'
                           '<testcase classname="a" name="b" time="1"/></testsuite></testsuites>')
"""


COMPILER = """\
#!{python}
import json, os, sys
with open(os.environ["RECORD"], "a") as record:
    record.write(json.dumps([sys.argv, os.getcwd(), dict(os.environ)]) + "\\n")
if sys.argv[1:] == ["--version"]:
    print("AMD clang version 20.0.0")
if "-o" in sys.argv:
    for option in ("-o", "-MF"):
        with open(sys.argv[sys.argv.index(option) + 1], "w") as out:
            out.write("x.o: \\n")
"""


class World:
    def __init__(self, folder):
        self.folder = folder
        self.root = folder / "rocm"
        (self.root / "lib/llvm/amdgcn/bitcode").mkdir(parents=True)
        (self.root / "lib/rocm_sysdeps").mkdir()
        self.python = folder / "bin/python3"
        self.stand_in(self.python)
        self.sources = folder / "my src"  # a blank, which must be quoted for a shell
        for name in FOLDERS.values():
            (self.sources / name).mkdir(parents=True)
        (self.sources / "pytorch/requirements.txt").write_text("")
        (self.sources / "pytorch/requirements-build.txt").write_text("")
        (self.sources / "pytorch/torch").mkdir()
        (self.sources / "triton/python").mkdir()
        for name in ("triton", "pytorch_audio", "pytorch_vision"):
            (self.sources / name / "setup.py").write_text("")
        self.calls = 0

    def stand_in(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(STAND_IN.format(python=sys.executable, version=VERSION, root=self.root, torch=VERSIONS["torch"], tag=TAG,
                                        folders={folder: name for name, folder in FOLDERS.items()}))
        path.chmod(0o755)

    def run(self, *words, **variables):
        """The output, and the executed commands."""
        record = self.folder / f"record{self.calls}"
        self.calls += 1
        record.write_text("")
        done = wheelrun(*words, cwd=self.folder, env={
            "WHEELRUN_PYTHON": str(self.python), "RECORD": str(record), "PATH": f"{self.python.parent}:/usr/bin:/bin",
            "VERSIONS": json.dumps(VERSIONS), **variables})
        assert done.status == 0, done.stdout + done.stderr
        return done, [json.loads(line) for line in record.read_text().splitlines()]

    def compare(self, *words, replace=(), in_order=True, **variables):
        """Runs it twice, and gives the printed commands."""
        dry, looked = self.run(*words, "--dry-run", **variables)
        _, executed = self.run(*words, **variables)
        looks = [call[0] for call in looked]
        for call in [*executed]:
            if call[0] in looks and is_look(call[0]):
                executed.remove(call)
        printed = [*commands(dry.stdout, self.folder)]
        show = lambda calls: "\n".join(shlex.join(call[0]) for call in calls)  # noqa: E731
        assert len(printed) == len(executed), f"printed:\n{show(printed)}\n\nexecuted:\n{show(executed)}"
        for old, new in replace:
            for call in (*printed, *executed):
                call[0][:] = [changed for word in call[0] if (changed := re.sub(old, new, word)) or not word]
        if not in_order:
            printed, executed = sorted(printed, key=lambda call: call[0]), sorted(executed, key=lambda call: call[0])
        for (told, told_folder, told_variables), (did, did_folder, did_variables) in zip(printed, executed):
            assert len(told) == len(did), f"{shlex.join(told)}\n{shlex.join(did)}"
            for one, other in zip(told, did):
                assert one == other or ("*" in one and fnmatch.fnmatchcase(other, one)), f"{shlex.join(told)}\n{shlex.join(did)}"
            assert told_folder == did_folder, shlex.join(did)
            for name, value in told_variables.items():
                assert did_variables.get(name) == value, f"{name} of {shlex.join(did)}"
        assert printed
        return dry.stdout


def is_look(words):
    """A query that a dry run may execute too, because it changes nothing."""
    return "-c" in words[1:3] or "rocm_sdk" in words or words[1:] == ["--version"]


def commands(text, here):
    """The programs that a printed script calls: words, folder and variables. Effects of shell tools in it are those of
    wheelrun itself."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("#"):
            continue
        if line.startswith("cat > "):
            while next(lines) != "END":
                pass
            continue
        while line.count("'") % 2:  # a word with several lines
            line += "\n" + next(lines)
        words, folder, variables = shlex.split(line), str(here), {}
        if words[0] in ("rm", "cp", "mkdir"):
            continue
        if words[0] == "cd":
            folder, words = words[1], words[3:]
        if words[0] == "env":
            words = words[1:]
            while words[0] == "-u":
                words = words[2:]
            variables = dict(pair.split("=", 1) for pair in takewhile(re.compile(r"\w+=").match, words))
            words = words[len(variables):]
        yield words, folder, variables


@pytest.fixture
def made(tmp_path):
    return World(tmp_path)


@pytest.mark.parametrize("project", [*VERSIONS, "all"])
def test_build(made, project):
    projects = [] if project == "all" else [project]
    text = made.compare("build", *projects, "--root", made.sources, "--family", "gfx94X-dcgpu", "--versions", json.dumps(VERSIONS),
                        "--output-dir", made.folder / "dist", "--cache", "none", "--jobs", "8", "--clean")
    for name in [*VERSIONS] if project == "all" else projects:
        # Quoted for a shell: the folder, but not the star.
        folder = f"'{made.sources}/{FOLDERS[name]}'"
        assert f"\ncp {folder}/dist/*.whl {made.folder}/dist/\n" in text
        assert (made.folder / f"dist/{name}-{VERSIONS[name]}-{TAG}.whl").exists()
    if project in ("torch", "all"):
        assert text.count("-r '") >= 2 and f"HIP_DEVICE_LIB_PATH={made.root}/lib/llvm/amdgcn/bitcode" in text
        assert not any(said in text for said in ("not there", "stand for", "WHEELS"))


def test_the_printed_script_is_one(made):
    """A shell runs the output, which produces the wheels."""
    words = ["build", "triton", "torch", "--root", made.sources, "--family", "gfx94X-dcgpu", "--versions", json.dumps(VERSIONS),
             "--output-dir", made.folder / "dist", "--cache", "none"]
    dry, _ = made.run(*words, "--dry-run")
    script = made.folder / "script"
    script.write_text("set -e\n" + dry.stdout)
    done = os.spawnve(os.P_WAIT, "/bin/bash", ["bash", str(script)], {
        "PATH": f"{made.python.parent}:/usr/bin:/bin", "RECORD": str(made.folder / "r"), "VERSIONS": json.dumps(VERSIONS)})
    assert done == 0
    assert sorted(path.name for path in (made.folder / "dist").iterdir()) == [
        f"{name}-{VERSIONS[name]}-{TAG}.whl" for name in ("torch", "triton")]
    assert (made.sources / "pytorch/torch/_rocm_init.py").exists()


def test_a_build_without_sources_prints_no_other_commands(made):
    shutil.rmtree(made.sources / "apex")
    dry, _ = made.run("build", "apex", "--root", made.sources, "--family", "gfx94X-dcgpu", "--versions", json.dumps(VERSIONS),
                      "--output-dir", "dist", "--cache", "none", "--dry-run")
    assert dry.stdout == (f"# the build of apex depends on {made.sources}/apex, which is missing: "
                          "`wheelrun checkout apex` creates it\n")


def test_a_build_without_rocm_says_what_stands_for_it(made):
    made.python.write_text(made.python.read_text().replace('said.endswith("rocm_sdk version")', 'sys.exit(1) if "rocm_sdk" in said else 0'))
    dry, _ = made.run("build", "torch", "--root", made.sources, "--family", "gfx94X-dcgpu", "--versions", json.dumps(VERSIONS),
                      "--output-dir", "dist", "--cache", "none", "--dry-run")
    assert dry.stdout.startswith("# no ROCm packages are installed (`wheelrun rocm install`): ROCM_ROOT and ROCM_VERSION are")
    assert " HIP_DEVICE_LIB_PATH=ROCM_ROOT/lib/llvm/amdgcn/bitcode " in dry.stdout


@pytest.mark.parametrize("source", [["--index-url", "https://rocm.nightlies.amd.com/v2"], ["--find-links", "dist"]])
def test_rocm_install(made, source):
    made.compare("rocm", "install", "--family", "gfx94X-dcgpu", "--version", VERSION, *source, "--cache-dir", "c")


@pytest.mark.parametrize(("source", "own_pip"), [(["--index-url", "https://rocm.nightlies.amd.com/v2"], "22.3"),
                                                  (["--find-links", "dist"], "22.2.2")])
def test_venv(made, source, own_pip):
    environment = made.folder / "env"
    wheels = {f"{name}-{VERSIONS[name]}-{TAG}.whl": None for name in ("torch", "triton")}
    for name in wheels:
        (made.folder / name).write_text(name)
        wheels[name] = s3.sha256(made.folder / name)
    # Without pins, only the source has the names of the files.
    for pins in ([], ["--wheels", json.dumps(wheels)]):
        text = made.compare("venv", environment, "--family", "gfx94X-dcgpu", "--torch-version", VERSIONS["torch"], "--clean", *pins,
                            *source, WHEELS=json.dumps(sorted(wheels) if pins else sorted(wheels)[:1]),
                            OWN_PIP=own_pip, replace=[("ROCM_VERSION", VERSION)])
        assert ("--without-pip" in text and "-m pip --python " in text) is (own_pip == "22.3")
        assert ("*.whl" in text) is not bool(pins)
        assert "# the wheels say which ROCm they require; ROCM_VERSION stands for it\n" in text


@pytest.mark.parametrize("level", ["smoke", "full"])
def test_test(made, level):
    environment = made.folder / "env"
    for program in ("python", "rocm-sdk"):
        made.stand_in(environment / "bin" / program)
    (environment / "wheelrun").mkdir()
    tests = made.sources / "pytorch/test"
    tests.mkdir()
    files = json.loads(PLAN.read_text())["test_levels"]["full"]["files"]
    for name in files:
        (tests / name).parent.mkdir(parents=True, exist_ok=True)
        (tests / name).write_text("")
    text = made.compare("test", "--venv", environment, "--family", "gfx94X-dcgpu", "--level", level, "--root", made.sources)
    assert text.count("# for each GPU of these targets that is found; gfx942 as device 0 stands for them\n") == text.count("gcnArchName")
    if level == "full":
        (tests / files[0]).unlink()
        dry, _ = made.run("test", "--venv", environment, "--family", "gfx94X-dcgpu", "--level", level, "--root", made.sources, "--dry-run")
        assert f"# there is no {tests}/{files[0]}: `wheelrun checkout torch` creates it\n" in dry.stdout


@pytest.mark.parametrize("more", [[], ["--bundle", "--output-dir", "objects"]])
@pytest.mark.parametrize("launcher", ["none", "ccache"])
def test_hip_compile(made, more, launcher):
    compiler, through = made.folder / "bin/clang++", made.folder / "bin/ccache"
    compiler.write_text(COMPILER.format(python=sys.executable))
    through.write_text('#!/bin/sh\nexec "$@"\n')
    for program in (compiler, through):
        program.chmod(0o755)
    for name in ("a.hip", "b.hip"):
        (made.folder / name).write_text("__global__ void f() {}\n")
    made.compare("hip", "compile", "a.hip", "b.hip", "--target", "gfx942,gfx1100", "--compiler", compiler, "--launcher", launcher,
                 "--cache-dir", "cache", "--jobs", "1", *more, in_order=False, replace=[
                     # Objects are in a folder of the run.
                     (r"^/.*/\d+\.o(?=$|\.)", "OBJECT"), (r"^[ab]\.hip(-gfx\d+)?\.o(?=$|\.)", "OBJECT"),
                     # The fake ccache calls the compiler, which records its call.
                     (r"^/.*/ccache$", "")])


def test_promote_announces_the_index_that_it_makes(tmp_path):
    store = tmp_path / "store"
    staging = store / "v2-staging/gfx94X-dcgpu"
    s3.make_wheel(staging, "torch", VERSIONS["torch"], 1000)
    s3.make_wheel(staging, "triton", VERSIONS["triton"], 1000)
    wheels = {path.name: s3.sha256(path) for path in staging.glob("*.whl")}
    words = ["promote", "--platform", "linux", "--family", "gfx94X-dcgpu", "--release-type", "nightly", "--output-dir", store,
             "--wheels", json.dumps(wheels), "--build-result", "success", "--test-results", "gfx94X-dcgpu=success", "--bypass-tests", "false"]
    told, did = would_and_does(tmp_path, words, store)
    assert told == did and len(did) == 7
    # With earlier released wheels, too.
    s3.make_wheel(staging, "apex", VERSIONS["apex"], 1000)
    wheels.update({path.name: s3.sha256(path) for path in staging.glob("apex*.whl")})
    words[words.index("--wheels") + 1] = json.dumps(wheels)
    told, did = would_and_does(tmp_path, words, store)
    assert told == did and len(did) == 5


def would_and_does(tmp_path, words, store):
    """Pages that a dry run lists, and those that are written; the last lines of both agree."""
    pages = lambda: {path: path.read_bytes() for path in store.rglob("*") if path.name in ("index.html", "index.v1.json", "find-links.html")}  # noqa: E731
    before = pages()
    dry = in_job(tmp_path, *words, "--dry-run", env={"GITHUB_REF_NAME": "main"})
    assert dry.status == 0 and pages() == before, dry.stdout + dry.stderr
    done = in_job(tmp_path, *words, env={"GITHUB_REF_NAME": "main"})
    assert done.status == 0, done.stdout + done.stderr
    told = {line.removeprefix("would write ") for line in dry.stdout.splitlines() if line.startswith("would write ") and not line.endswith(".metadata")}
    last = [said.stdout.splitlines()[-1].replace(" written", "").replace(" to write", "") for said in (dry, done)]
    assert last[0] == last[1], last
    return told, {str(path) for path, text in pages().items() if before.get(path) != text}


def files_of(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and not {".objects", "packages"} & {*path.parts}}


def told_and_done(tmp_path, words, folder, verb):
    """Files that a dry run lists, and those that the run makes."""
    before = files_of(folder)
    dry = in_job(tmp_path, *words, "--dry-run")
    assert dry.status == 0 and files_of(folder) == before, dry.stdout + dry.stderr
    done = in_job(tmp_path, *words)
    assert done.status == 0, done.stdout + done.stderr
    return dry, {match[1] for match in re.finditer(rf"^would {verb} (\S+)", dry.stdout, re.MULTILINE)}, {
        path for path, text in files_of(folder).items() if before.get(path) != text}


def test_upload_and_index(tmp_path):
    packages, store = tmp_path / "packages", tmp_path / "store"
    for project in ("torch", "triton"):
        s3.make_wheel(packages, project, VERSIONS[project], 1000)
    words = ["upload", packages, "--family", "gfx94X-dcgpu", "--output-dir", store]
    dry, told, done = told_and_done(tmp_path, words, store, r"(?:upload \S+ to|write)")
    pages = {path for path in done if path.endswith((".html", "index.v1.json"))}
    assert told == done - pages and len(told) == 4
    # The pages depend on the files that exist.
    place = f"{next(iter(told)).rpartition('/')[0]}/"
    assert f"would update the index of {place}" in dry.stdout and all(page.startswith(place) for page in pages)
    assert len(pages) == 7
    s3.make_wheel(tmp_path / "store" / place.removeprefix(f"{store}/"), "apex", VERSIONS["apex"], 1000)
    dry, told, done = told_and_done(tmp_path, ["index", place], store, "write")
    assert told == done and len(told) == 6 and f"{place}apex-{VERSIONS['apex']}-{TAG}.whl.metadata" in told
