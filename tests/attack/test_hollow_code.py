"""Empty device code: compilers that succeed without output, and images of 0 bytes."""

import json
import struct

import pytest
import wheelrun as runner

COMPILER = """#!/bin/sh
for word in "$@"; do
  case "$word" in
    --version) echo "clang version 19.0.0 (hollow)"; exit 0 ;;
    -'###') exit 0 ;;
  esac
done
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && out=$2
  shift
done
{write}
"""
WRITES = {
    "no object": ":",
    "an empty object": ': > "$out"',
    "an object in another place": 'echo here > "$out.x"',
    "a folder": 'mkdir -p "$out"',
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("times", [1, 2])
def test_a_compiler_that_writes_nothing_has_failed(tmp_path, write, times):
    compiler = tmp_path / "clang++"
    compiler.write_text(COMPILER.format(write=WRITES[write]))
    compiler.chmod(0o755)
    for _ in range(times):  # the second time from the cache
        done = runner.wheelrun("hip", "compile", "--family", "gfx942", "--platform", "linux", "--compiler", compiler,
                               env={"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")})
        assert done.status == 1, done.stdout + done.stderr
        assert "the compiler succeeded but wrote" in done.stdout + done.stderr


def bundle(*images):
    ids = [f"hipv4-amdgcn-amd-amdhsa--{target}".encode() for target, _ in images]
    begin = 32 + sum(24 + len(one) for one in ids)
    table, bodies = b"", b""
    for one, (_, size) in zip(ids, images, strict=True):
        table += struct.pack("<QQQ", begin + len(bodies), size, len(one)) + one
        bodies += b"\x7fELF" + bytes(size - 4) if size else b""
    return b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(images)) + table + bodies


@pytest.mark.parametrize(("images", "good"), [
    ([("gfx942", 64)], True), ([("gfx942", 0)], False), ([("gfx942", 64), ("gfx90a", 0)], False),
    ([("gfx90a", 0), ("gfx942", 64)], False), ([("gfx90a", 64), ("gfx942", 0)], False),
])
def test_an_image_without_a_byte_is_broken(tmp_path, images, good):
    (tmp_path / "x.hipfb").write_bytes(bundle(*images))
    done = runner.wheelrun("wheel", "inspect", tmp_path / "x.hipfb", "--family", "gfx942", "--format", "json")
    found = json.loads(done.stdout)
    codes = [finding["code"] for wheel in found["wheels"] for finding in wheel["findings"]]
    assert done.status == (0 if good else 1), found
    assert ("broken-device-code" in codes) is not good
