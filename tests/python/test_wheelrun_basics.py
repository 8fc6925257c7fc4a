"""Features that all commands of wheelrun share, and the small commands."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from wheelrun import PLAN, PROGRAM, environment, in_job, wheelrun

NO_PLAN = (
    "error[no-plan]: neither this folder nor one above it has a plan.json\n"
    "   = `wheelwright generate` writes it beside the workflows; name it: --plan FILE\n"
)
NO_EVENT = (
    "error[event-payload]: no event: the variable GITHUB_EVENT_NAME is empty\n"
    "   = outside of a job, name it: --event pull_request\n"
)
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"


def test_help_names_every_command_and_each_has_examples():
    overview = wheelrun("help")
    assert (overview.status, overview.stderr) == (0, "")
    rows = overview.stdout.split("\n\n")[2].splitlines()
    commands = [line[2:].split("  ")[0] for line in rows if not line.startswith("   ")]
    assert {"configure", "python select", "summary"} <= set(commands)
    for command in commands:
        said = wheelrun(*command.split(), "--help")
        assert said.status == 0
        assert f"usage: wheelrun {command}" in said.stdout
        assert f"wheelrun {command}" in said.stdout.split("\nexamples:\n  ")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["konfigure"], "error[unknown-command]: there is no command 'konfigure'\n   = did you mean 'configure'?\n"),
        (["python"], "error[unknown-command]: 'python' needs a second word\n   = it takes select\n"),
        (["python", "selekt"], "error[unknown-command]: there is no command 'python selekt'\n   = did you mean 'select'?"),
        (["python", "select", "--verison", "3.12"], "'python select' has no option '--verison'"),
        (["python", "select"], "error[missing-argument]: 'python select' needs '--version'\n   = such as --version 3.12"),
        (["python", "select", "--version", ""], "error[missing-argument]: 'python select' needs '--version'"),
        (["summary", "--needs", "[]"], "'--needs' is not the JSON of GitHub's needs: it is no JSON object"),
        (["summary", "--needs", "{}"], "'--needs' is not the JSON of GitHub's needs: it names no job"),
        (["summary", "--needs", '{"a\\nb": 1}'], "'--needs' is not the JSON of GitHub's needs: 'a\\nb' has no result"),
    ],
)
def test_a_wrong_command_line_is_answered_with_the_right_word(words, message):
    done = wheelrun(*words)
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr


def test_python_of_this_machine(tmp_path):
    done = in_job(tmp_path, "python", "select", "--version", HERE)
    assert done.status == 0, done.stdout + done.stderr
    tag = f"cp{HERE.replace('.', '')}"
    assert done.outputs["cp_version"] == f"{tag}-{tag}"
    assert done.path == [os.path.dirname(done.outputs["python"])]
    assert done.variables == {"WHEELRUN_PYTHON": done.outputs["python"]}
    asked = subprocess.run([done.outputs["python"], "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                           capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == HERE


def fake_python(path, version, free_threaded=False):
    """An interpreter that reports another version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nprintf '%s\\n' {version} '{'t' if free_threaded else ''}' {path}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(("version", "tag"), [("3.12", "cp312-cp312"), ("3.9", "cp39-cp39"), ("3.13t", "cp313-cp313t")])
def test_pythons_of_a_manylinux_image(tmp_path, version, tag):
    fake_python(tmp_path / "opt/cp313-cp313/bin/python", "3.13")
    expected = fake_python(tmp_path / f"opt/{tag}/bin/python", version.rstrip("t"), version.endswith("t"))
    done = wheelrun("python", "select", "--version", version, "--root", tmp_path / "opt")
    assert done.outputs["python"] == expected
    assert done.outputs["cp_version"] == tag


def test_a_name_is_not_believed(tmp_path):
    """On many machines `python3` has another version, and even `python3.12` can be anything."""
    fake_python(tmp_path / "bin/python3.12", "3.11")
    right = fake_python(tmp_path / "bin/python3", "3.12")
    path = f"{tmp_path}/bin:/usr/bin:/bin"
    assert wheelrun("python", "select", "--version", "3.12", env={"PATH": path}).outputs["python"] == right
    done = wheelrun("python", "select", "--version", "3.13", env={"PATH": path})
    assert done.status == 1
    assert done.stderr == (
        "error: there is no Python 3.13: looked for /opt/python/cp313-cp313/bin/python, and on the PATH for "
        "python3.13: install it, or use an image that has it\n"
    )


@pytest.mark.parametrize("version", ["3.09", "10.1", "3.12.1", "3.12 ", "3.12\n", "3.", "0", "3", "3.12tt", "t", "-1.2"])
def test_versions_that_are_none(version):
    assert wheelrun("python", "select", f"--version={version}").status == 2


def needs(**results):
    return json.dumps({job: {"result": result, "outputs": {}} for job, result in results.items()})


def test_summary_of_a_good_run(tmp_path):
    done = in_job(tmp_path, "summary", "--needs", needs(build="success", test="success", windows="skipped"))
    assert done.status == 0
    assert "### 2 of 3 jobs succeeded, the others were skipped" in done.summary


@pytest.mark.parametrize("result", ["failure", "cancelled"])
def test_summary_of_a_bad_run(tmp_path, result):
    done = in_job(tmp_path, "summary", "--needs", needs(build="success", test=result, promote="skipped"))
    assert done.status == 1
    assert "::error title=1 of 3 jobs did not succeed::test" in done.stdout
    rows = [line for line in done.summary.splitlines() if line.startswith("| ")][2:]
    assert rows[0].startswith("| test | "), "what decides stands first"


def test_a_job_that_may_fail(tmp_path):
    allowed = {"a": {"result": "success"}, "b": {"result": "failure", "outputs": {"continue_on_error": "true"}}}
    assert in_job(tmp_path, "summary", "--needs", json.dumps(allowed)).status == 0
    allowed["b"]["outputs"]["continue_on_error"] = "false"
    assert in_job(tmp_path, "summary", "--needs", json.dumps(allowed)).status == 1


def test_a_cancelled_job_ends_what_it_runs(tmp_path):
    """A runner sends SIGINT; child processes end too, and the status shows the signal."""
    fake = tmp_path / "bin/python3"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho $$ > pid\nexec sleep 1000\n")
    fake.chmod(0o755)
    process = subprocess.Popen([PROGRAM, "python", "select", "--version", "3.12"], cwd=tmp_path,
                               env=environment({"PATH": f"{fake.parent}:/usr/bin:/bin"}))
    for _ in range(200):
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip():
            break
        time.sleep(0.02)
    child = int((tmp_path / "pid").read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == -signal.SIGINT
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_what_is_missing_is_said_at_once(tmp_path):
    done = wheelrun("configure", cwd=tmp_path, env={"WHEELRUN_PLAN": ""})
    assert (done.status, done.stdout, done.stderr) == (2, "", f"{NO_PLAN}\n{NO_EVENT}")


def test_the_nearest_plan_is_found(tmp_path):
    def plan(folder, place, text):
        file = tmp_path / folder / place / "plan.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def found_from(folder):
        done = wheelrun("configure", cwd=tmp_path / folder, env={"WHEELRUN_PLAN": ""})
        return done.stderr.partition("plan-format]: ")[2].partition(" has")[0]

    plan("", ".github/workflows", '{"format": 9}')
    (tmp_path / "a/b").mkdir(parents=True)
    assert found_from("a/b") == "../../.github/workflows/plan.json"
    plan("a", "generated-workflows", '{"format": 9}')
    assert found_from("a/b") == "../generated-workflows/plan.json"
    plan("a", ".github/workflows", '{"format": 9}')  # the name of the other program
    assert found_from("a/b") == "../generated-workflows/plan.json"
    assert found_from("") == ".github/workflows/plan.json"


def test_a_chosen_python_that_is_none(tmp_path):
    done = wheelrun("rocm", "install", "--family", "gfx94x", "--version", "7.12.0", "--find-links", tmp_path,
                    env={"WHEELRUN_PYTHON": "/bin/false"})
    assert done.status == 2
    assert done.stderr == (
        "error[no-python]: /bin/false, which WHEELRUN_PYTHON names, is no Python\n"
        "   = `wheelrun python select --version 3.12` chooses one\n"
    )


def skewed(tmp_path, *, range=None, release=None):
    """(status, stderr) of a command with a plan for other versions."""
    plan = json.loads(PLAN.read_text(encoding="utf-8"))
    plan["settings"]["wheelwright"] = range
    plan["settings"]["wheelrun"] = release and {"version": release, "digests": {"linux": ""}, "urls": {}}
    if range and range.startswith((">=90", "<0.0")):
        del plan["families"]  # another version may lack the table
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    done = wheelrun("configure", "--event", "push", cwd=tmp_path, env={"WHEELRUN_PLAN": "plan.json"})
    return done.status, done.stderr


def test_a_plan_of_another_version(tmp_path):
    own = wheelrun("version").stdout.split()[1]
    major, minor, _ = own.split(".")
    assert skewed(tmp_path, range=">=90.1,<90.2") == (2, (
        f"error[version-skew]: plan.json is written for wheelwright >=90.1,<90.2, and this is {own}, which is older\n"
        "   = install one that fits: pip install 'wheelwright-actions>=90.1,<90.2'\n"))
    status, said = skewed(tmp_path, range="<0.0.1")
    assert status == 2 and f"and this is {own}, which is newer\n" in said
    # Without a range, the version of the pinned release counts.
    status, said = skewed(tmp_path, release="90.1.7")
    assert status == 2 and "is written for wheelwright >=90.1,<90.2, and" in said
    # Jobs run another version, which accepts the same plan.
    status, said = skewed(tmp_path, range=f">={major}.{minor}", release=f"{major}.{minor}.99")
    assert "families" not in said
    assert f"warning[version-skew]: jobs of plan.json run wheelrun {major}.{minor}.99, and this is {own}, which is older\n" in said
    assert "version-skew" not in skewed(tmp_path, range=f">={major}.{minor}", release=own)[1]
    assert "version-skew" not in skewed(tmp_path)[1]
