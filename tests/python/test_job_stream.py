"""The runner executes no workflow command in foreign text that a job prints."""

import json
import re

import pytest
import wheelrun as runner
from index_world import make_wheel

ORDER = re.compile(r"^\s*::|##\[")
OWN = re.compile(r"^::(error|warning|notice|group|endgroup|stop-commands|add-mask|wheelrun_[0-9a-f]+)[ :]")
NAMES = ["a\n::set-output name=x::y.whl", "a\r::add-path::b.whl", "##[error]x.whl", "a ##[command]b.whl",
         "\n   ::error::z.whl", "\n\u00a0::error::z.whl", "::warning::w.whl", "a\n##[group]b.whl"]


def orders(text):
    """Lines that a runner would execute, except the program's own."""
    return [line for line in re.split(r"[\r\n]", text) if ORDER.search(line.replace("\u00a0", " ")) and not OWN.match(line)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["check", "inspect"])
def test_names_of_wheels_give_no_orders(tmp_path, name, command):
    (tmp_path / name).write_bytes(b"x")
    done = runner.in_job(tmp_path, "wheel", command, tmp_path, env={})
    assert done.status == 1
    assert orders(done.stdout) == [] and orders(done.stderr) == [], done.stdout
    # In the summary a name ends no row and no block.
    for line in done.summary.split("\n"):
        assert not line.startswith(("::", "##[")), line


@pytest.mark.parametrize("name", ["##[error]x", "a\n::set-output name=x::y", " ::debug::x"])
def test_names_of_files_to_upload_give_no_orders(tmp_path, name):
    folder = tmp_path / "build"
    (folder / "artifacts").mkdir(parents=True)
    (folder / "logs").mkdir()
    (folder / "artifacts" / "base_lib_generic.tar.xz").write_bytes(b"x")
    (folder / "logs" / name).write_text("x")
    done = runner.in_job(tmp_path, "upload", folder, "--kind", "artifacts", "--platform", "linux", "--artifact-group",
                         "gfx1151", "--output-dir", tmp_path / "out", "--dry-run")
    assert done.status == 0, done.stdout
    assert orders(done.stdout) == [] and orders(done.stderr) == []


@pytest.mark.parametrize("label", ["##[error]x", "gfx94x\n::set-output name=x::y", "test:##[command]"])
def test_labels_give_no_orders(tmp_path, label):
    event = {"pull_request": {"labels": [{"name": label}], "base": {"ref": "main", "sha": "a"}, "head": {"sha": "b"}}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    done = runner.in_job(tmp_path, "configure", env={"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH":
                                                     str(tmp_path / "event.json")}, cwd=tmp_path)
    assert orders(done.stdout) == [] and orders(done.stderr) == [], done.stdout


def test_own_orders_arrive(tmp_path):
    make_wheel(tmp_path, "demo", "1.0")
    done = runner.in_job(tmp_path, "wheel", "check", tmp_path)
    assert re.search(r"^::error ", done.stdout, re.MULTILINE)
