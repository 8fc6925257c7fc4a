"""A real Neovim, without a terminal and with the lines of docs/editors.md as its configuration, talks to
`wheelwright lsp`."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from wheelwright import PROGRAM, ROOT

# Waits for findings, asks for the text of the first one, and writes what the editor knows.
PROBE = """\
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { line = one.lnum + 1, column = one.col + 1, code = one.code, severity = one.severity })
end
vim.api.nvim_win_set_cursor(0, { found[1].line, found[1].column })
local here = vim.lsp.util.make_position_params(0, "utf-16")
local text = ""
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", here, 60000) or {}) do
  text = answer.result.contents.value
end
local clients = vim.tbl_map(function(client) return client.name end, vim.lsp.get_clients({ bufnr = 0 }))
vim.fn.writefile({ vim.json.encode({ clients = clients, found = found, text = text }) }, vim.env.PROBE_OUT)
vim.cmd("qall!")
"""


def test_neovim_shows_findings_and_their_pages(tmp_path):
    beside = Path(sys.executable).parent / "nvim"
    neovim = str(beside) if beside.exists() else shutil.which("nvim")
    version = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True).stdout if neovim else ""
    if not re.match(r"NVIM v(0\.1[1-9]|[1-9])", version):
        pytest.skip("there is no Neovim 0.11")
    page = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    (tmp_path / "init.lua").write_text(re.search(r"## Neovim.*?```lua\n(.*?)```", page, re.DOTALL).group(1), encoding="utf-8")
    (tmp_path / "probe.lua").write_text(PROBE, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/wheelwright").symlink_to(PROGRAM)
    workflow = tmp_path / "project/.github/workflows/a.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text("on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ needs.x }}\n",
                        encoding="utf-8")
    own = {name: str(tmp_path / "own") for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    subprocess.run([neovim, "--headless", "--clean", "-u", tmp_path / "init.lua", workflow, "-c",
                    f"luafile {tmp_path / 'probe.lua'}"], cwd=workflow.parents[2], timeout=150, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True,
                   env={**os.environ, **own, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
                        "PROBE_OUT": str(tmp_path / "out.json")})
    said = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert said["clients"] == ["wheelwright"]
    assert {"line": 6, "column": 29, "code": "unknown-need", "severity": 1} in said["found"]
    assert said["text"].startswith("**unknown-need**: ")
