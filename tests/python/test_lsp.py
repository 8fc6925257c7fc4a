"""`wheelwright lsp`, asked by a client as editors have one, over the standard streams."""

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["WHEELWRIGHT"]
SECONDS = 60  # until an answer that does not come is a failure

WORKFLOW = """\
name: A
on:
  workflow_call:
    inputs:
      version: {type: string}
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    outputs:
      wheel: ${{ steps.make.outputs.wheel }}
    steps:
      - id: make
        uses: actions/cache@v5
        with:
          path: ä 𝄞 ${{ inputs.version }}
          key: x
      - run: echo ${{ steps.make.outputs.cache-hit }}
  test:
    needs: build
    runs-on: ubuntu-24.04
    strategy: {matrix: {os: [a]}}
    steps:
      - run: echo ${{ needs.build.outputs.wheel }} ${{ matrix.os }} ${{ needs.build.outputs.whel }}
  call:
    needs: [build, test]
    uses: ./.github/workflows/b.yml
    with:
      who: me
  last:
    needs: call
    runs-on: ubuntu-24.04
    steps:
      - run: echo ${{ needs.call.outputs.said }}
"""
CALLED = """\
on:
  workflow_call:
    inputs:
      who: {type: string, required: true}
    outputs:
      said: {value: x}
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: echo ${{ inputs.who }}
"""


class Editor:
    """A client, and the diagnostics that it received."""

    def __init__(self, folder):
        self.folder = folder
        self.client = LanguageClient("tests", "1")
        self.told = asyncio.Queue()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda told: self.told.put_nowait(told))
        self.texts = {}

    async def __aenter__(self):
        environment = {**os.environ, "PATH": "/nowhere"}
        await self.client.start_io(PROGRAM, "lsp", "--stdio", cwd=self.folder, env=environment)
        self.abilities = await self.client.initialize_async(
            types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=self.folder.as_uri()))
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await asyncio.wait_for(self.client._server.wait(), SECONDS)
        self.status = self.client._server.returncode
        await self.client.stop()

    async def findings(self):
        """[(line from 1, code)] of what is told next."""
        told = await asyncio.wait_for(self.told.get(), SECONDS)
        return [(one.range.start.line + 1, one.code) for one in told.diagnostics]

    async def open(self, path, text):
        self.texts[path] = text
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=path.as_uri(), language_id="yaml", version=1, text=text)))
        return await self.findings()

    async def change(self, path, text):
        self.texts[path] = text
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=2, uri=path.as_uri()),
            [types.TextDocumentContentChangeWholeDocument(text=text)]))
        return await self.findings()

    def at(self, path, words, inside):
        """The position after the first letter of `inside` in the only line with `words`."""
        lines = self.texts[path].splitlines()
        number = next(number for number, line in enumerate(lines) if words in line)
        before = lines[number][:lines[number].index(words) + words.index(inside) + 1]
        return {"text_document": types.TextDocumentIdentifier(path.as_uri()),
                "position": types.Position(number, len(before.encode("utf-16-le")) // 2)}

    async def defined(self, path, words, inside):
        """(file, line from 1)"""
        found = await self.client.text_document_definition_async(types.DefinitionParams(**self.at(path, words, inside)))
        return found and (Path(found.uri.removeprefix("file://")).name, found.range.start.line + 1)

    async def shown(self, path, words, inside):
        found = await self.client.text_document_hover_async(types.HoverParams(**self.at(path, words, inside)))
        return found and found.contents.value

    async def completed(self, path, line, text):
        """Labels for a line of the document that was typed as `text`."""
        lines = self.texts[path].splitlines()
        lines[line - 1] = text
        await self.change(path, "\n".join(lines) + "\n")
        found = await self.client.text_document_completion_async(types.CompletionParams(
            types.TextDocumentIdentifier(path.as_uri()), types.Position(line - 1, len(text))))
        return [one.label for one in found]


@pytest.fixture
def workflow(tmp_path):
    folder = tmp_path / "a b/.github/workflows"
    folder.mkdir(parents=True)
    (folder / "b.yml").write_text(CALLED, encoding="utf-8")
    return folder / "a.yml"


def run(work):
    asyncio.run(asyncio.wait_for(work, 10 * SECONDS))


def test_findings_follow_what_is_typed(workflow):
    """The file does not exist: what counts is the open text. Places count UTF-16 units."""
    async def work():
        async with Editor(workflow.parents[2]) as editor:
            expected = [(11, "unknown-action-output"), (24, "undeclared-output")]
            assert await editor.open(workflow, WORKFLOW) == expected
            right = WORKFLOW.replace("outputs.whel ", "outputs.wheel ").replace("outputs.wheel }}\n    steps", "outputs.cache-hit }}\n    steps")
            assert await editor.change(workflow, right) == []
            assert await editor.change(workflow, right.replace("version }}", "versoin }}")) == [
                (5, "unused-input"), (16, "undeclared-input")]
            assert await editor.change(workflow, "jobs: {a: [}") == [(1, "yaml-syntax")]
            editor.client.text_document_did_close(types.DidCloseTextDocumentParams(
                types.TextDocumentIdentifier(workflow.as_uri())))
            assert await editor.findings() == []
        assert editor.status == 0
    run(work())


def test_a_finding_has_its_place_and_its_page(workflow):
    async def work():
        async with Editor(workflow.parents[2]) as editor:
            await editor.open(workflow, "")
            text = WORKFLOW.replace("inputs.version }}", "inputs.versoin }}")
            editor.texts[workflow] = text
            editor.client.text_document_did_change(types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=2, uri=workflow.as_uri()),
                [types.TextDocumentContentChangeWholeDocument(text=text)]))
            told = await asyncio.wait_for(editor.told.get(), SECONDS)
            one = next(one for one in told.diagnostics if one.code == "undeclared-input")
            line = text.splitlines()[15]
            begin = len(line[:line.index("versoin")].encode("utf-16-le")) // 2
            assert (one.range.start, one.range.end) == (types.Position(15, begin), types.Position(15, begin + 7))
            assert one.severity == types.DiagnosticSeverity.Warning and one.source == "wheelwright"
            assert "did you mean 'version'?" in one.message
            assert one.code_description.href.endswith("docs/diagnostics.md")
            shown = await editor.shown(workflow, "inputs.versoin", "versoin")
            assert shown.startswith("**undeclared-input**: ") and "no trigger declares the input that is read" in shown
    run(work())


def test_definitions(workflow):
    async def work():
        async with Editor(workflow.parents[2]) as editor:
            await editor.open(workflow, WORKFLOW)
            for words, inside, place in (
                    ("needs.build.outputs.wheel", "build", ("a.yml", 8)), ("needs.build.outputs.wheel", "wheel", ("a.yml", 11)),
                    ("steps.make.outputs.wheel", "make", ("a.yml", 13)), ("inputs.version", "version", ("a.yml", 5)),
                    ("matrix.os", "os", ("a.yml", 22)), ("needs: build", "build", ("a.yml", 8)),
                    ("needs: [build, test]", "test", ("a.yml", 19)), ("uses: ./.github/workflows/b.yml", "b.yml", ("b.yml", 1)),
                    ("needs.call.outputs.said", "said", ("b.yml", 6)), ("needs.call.outputs.said", "call", ("a.yml", 25)),
                    ("runs-on: ubuntu-24.04", "ubuntu", None)):
                assert await editor.defined(workflow, words, inside) == place, (words, inside)
    run(work())


def test_completions(workflow):
    async def work():
        async with Editor(workflow.parents[2]) as editor:
            await editor.open(workflow, WORKFLOW)
            run_line = "      - run: echo ${{ "
            assert {"github", "needs", "matrix", "fromJSON"} <= set(await editor.completed(workflow, 24, run_line))
            assert await editor.completed(workflow, 24, run_line + "needs.") == ["build"]
            assert await editor.completed(workflow, 24, run_line + "needs.build.") == ["outputs", "result"]
            assert await editor.completed(workflow, 24, run_line + "needs.build.outputs.") == ["wheel"]
            assert await editor.completed(workflow, 24, run_line + "matrix.") == ["os"]
            assert await editor.completed(workflow, 24, run_line + "inputs.ver") == ["version"]
            assert "repository_visibility" in await editor.completed(workflow, 24, "        if: github.")
            await editor.change(workflow, WORKFLOW)
            assert await editor.completed(workflow, 18, "      - run: echo ${{ steps.make.outputs.") == ["cache-hit"]
            assert {"path", "key", "lookup-only"} <= set(await editor.completed(workflow, 17, "          "))
            await editor.change(workflow, WORKFLOW)
            assert await editor.completed(workflow, 29, "      ") == ["who"]
            assert await editor.completed(workflow, 34, "      - run: echo ${{ needs.call.outputs.") == ["said"]
            assert await editor.completed(workflow, 34, "      - run: echo ") == []
    run(work())


def test_an_action_is_shown(workflow):
    async def work():
        async with Editor(workflow.parents[2]) as editor:
            await editor.open(workflow, WORKFLOW)
            shown = await editor.shown(workflow, "uses: actions/cache@v5", "cache")
            assert shown.startswith("**actions/cache@v5** (node24)\n\nInputs:\n- `path` (required)")
            assert shown.endswith("Outputs: `cache-hit`")
            assert await editor.shown(workflow, "name: A", "A") is None
    run(work())


def test_templates_are_compiled(tmp_path):
    for folder in ("matrix", "templates", "generated-workflows"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    template = tmp_path / "templates/workflows/ci.yml"
    text = template.read_text(encoding="utf-8")
    generated = tmp_path / "generated-workflows/release_linux_pytorch_wheels_gfx94X-dcgpu.yml"

    async def work():
        async with Editor(tmp_path) as editor:
            assert await editor.open(template, text) == []
            found = await editor.change(template, text.replace("wheelrun summary --needs", "wheelrun summary --need"))
            assert [code for _, code in found] == ["unknown-option"]
            assert await editor.defined(template, "$[[ include ", "include") is not None
            await editor.open(generated, generated.read_text(encoding="utf-8"))
            assert await editor.defined(generated, "# Generated by wheelwright from", "Generated") == (
                "release_pytorch_wheels.yml", 1)
    run(work())


def test_what_is_malformed_is_answered():
    def message(text):
        return f"Content-Length: {len(text)}\r\n\r\n{text}"

    said = message("{") + message('{"jsonrpc": "2.0", "id": 1, "method": "no/such"}') + message(
        '{"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": {}}')
    done = subprocess.run([PROGRAM, "lsp"], input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 1  # nobody said `shutdown`
    for code in (-32700, -32601, -32602):
        assert f'"code":{code},' in done.stdout
    assert subprocess.run([PROGRAM, "lsp"], input="", check=False).returncode == 0
