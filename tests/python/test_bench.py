"""The benchmark's peers are made from generated text; they must reproduce that text for every family."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))

import peers
import synthetic

JSONNET = ROOT / ".tools/bin/jsonnet"
ROWS = synthetic.rows()
CODES = synthetic.codes(3)

HEAD = """\
# Generated.
name: Release | gfx{code}-dcgpu
on:
  workflow_dispatch:
jobs:
  resolve: # once
    with:
      combos: '[{listed}]'
"""
CHAIN = """
  # The chain of {row.id}
  build_{row.id}:
    name: Build | py {row.python} | torch release/{row.torch}
    with:
      family: gfx{code}-dcgpu
      python: "{row.python}"
      commit: ${{{{ fromJSON(needs.resolve.outputs.commits).{row.torch_id} }}}}

  test_{row.id}:
    needs: [resolve, build_{row.id}]
    runs-on: linux-gfx{code}-gpu-rocm
"""
TAIL = """
  summary:
    needs: [{needs}]
"""


def workflow(code):
    listed = ", ".join(f'{{"id": "{row.id}", "python": "{row.python}"}}' for row in ROWS)
    chains = "".join(CHAIN.format(row=row, code=code) for row in ROWS)
    needs = ", ".join(f"test_{row.id}" for row in ROWS)
    return HEAD.format(code=code, listed=listed) + chains + TAIL.format(needs=needs)


@pytest.fixture
def programs(tmp_path):
    peers.write(tmp_path, workflow(CODES[0]), f"release_gfx{CODES[0]}.yml", CODES, ROWS)
    (tmp_path / "out").mkdir()
    return tmp_path


def test_jinja_makes_the_same_bytes(programs):
    subprocess.run([sys.executable, programs / "render.py", programs, programs / "out"], check=True)
    for code in CODES:
        assert (programs / f"out/release_gfx{code}.yml").read_text() == workflow(code)


@pytest.mark.skipif(not JSONNET.exists(), reason="./dev bench installs jsonnet")
def test_jsonnet_makes_the_same_trees(programs):
    command = [JSONNET, "--string", "--multi", programs / "out", programs / "release.jsonnet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for code in CODES:
        text = (programs / f"out/release_gfx{code}.yml").read_text()
        assert peers.load_yaml(text) == peers.load_yaml(workflow(code))


def test_a_chain_that_differs_is_refused():
    text = workflow(CODES[0]).replace("Build | py 3.64", "Build | Python 3.64", 1)
    with pytest.raises(peers.NotAlike):
        peers.jinja_template(text, CODES[0], ROWS)


def test_a_synthetic_project_is_one(tmp_path):
    """It is made from the project's own matrix, so a new table or rule can break it."""
    synthetic.write(ROOT, tmp_path / "project", 100)
    program = os.environ.get("WHEELWRIGHT", str(ROOT / "build/wheelwright"))
    done = subprocess.run([program, "generate", "--root", tmp_path / "project", "--out", tmp_path / "out"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "release_" in " ".join(path.name for path in (tmp_path / "out").iterdir())
