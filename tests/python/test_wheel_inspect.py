"""`wheelrun wheel inspect` on wheels of libraries from a real compiler."""

import json
import subprocess
import sys

import pytest
from hip_tools import WINDOWS, compile_object, link, packed, run, wheel
from wheelrun import PROGRAM, in_job, wheelrun

TARGETS = ["gfx942", "gfx90a:xnack-"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A library of three sources, one of them compressed; an archive; a library for one GPU."""
    folder = tmp_path_factory.mktemp("made")
    objects = [compile_object(folder, "a", TARGETS), compile_object(folder, "b", TARGETS, "--offload-compress"),
               compile_object(folder, "c", TARGETS)]
    link(folder, "libx.so", objects)
    link(folder, "libone.so", [compile_object(folder, "d", TARGETS[:1])])
    subprocess.run(["ar", "rcs", "libx.a", "a.o", "b.o"], cwd=folder, check=True)
    return folder


def inspect(*words):
    done = wheelrun("wheel", "inspect", *words, "--format", "json")
    return done.status, json.loads(done.stdout)


@pytest.mark.parametrize("packed", [True, False])
def test_every_bundle_of_a_linked_library_is_found(made, tmp_path, packed):
    path = wheel(tmp_path, {"torch/lib/libx.so": (made / "libx.so").read_bytes(),
                            "torch/lib/libx.a": (made / "libx.a").read_bytes(), "torch/x.py": b"#" * 99}, packed=packed)
    status, report = inspect(tmp_path, "--target", ",".join(TARGETS))
    assert status == 0 and report["good"]
    (found,) = report["wheels"]
    assert [o["name"] for o in found["objects"]] == ["torch/lib/libx.a(a.o)", "torch/lib/libx.a(b.o)",
                                                     "torch/lib/libx.so"]
    assert found["objects"][2]["bundles"] == {"compressed bundle (CCOB 2, zstd)": 1, "plain bundle": 2}
    assert all(o["targets"] == ["gfx90a:xnack-", "gfx942"] for o in found["objects"])
    assert [(t["target"], t["images"]) for t in found["targets"]] == [("gfx90a:xnack-", 5), ("gfx942", 5)]
    assert (sum(t["packed"] for t in found["targets"]) < path.stat().st_size) is packed or not packed


def test_it_agrees_with_the_bundler_where_that_is_right(made):
    for name in ("a.o", "b.o"):
        section = subprocess.run(["llvm-objcopy-19", f"--dump-section=.hip_fatbin={made / 'bundle'}", made / name,
                                  "/dev/null"], capture_output=True, text=True, check=False)
        assert section.returncode == 0, section.stderr
        listed = subprocess.run(["clang-offload-bundler-19", "--list", "--type=o", f"--input={made / 'bundle'}"],
                                capture_output=True, text=True, check=True)
        ids = {line for line in listed.stdout.split() if "amdgcn" in line}
        _, report = inspect(made / name)
        assert {i.split("--")[-1] for i in ids} == set(report["wheels"][0]["objects"][0]["targets"])


def test_a_lost_target_is_named_with_the_library_that_lost_it(made, tmp_path):
    wheel(tmp_path, {"torch/libx.so": (made / "libx.so").read_bytes(),
                     "torch/libone.so": (made / "libone.so").read_bytes()})
    done = wheelrun("wheel", "inspect", tmp_path, "--target", "gfx942,gfx90a")
    assert done.status == 1
    assert "error[lost-target]: torch-2.10.0-cp312-cp312-linux_x86_64.whl: 'torch/libone.so' has no code for gfx90a\n" \
           "   = it has code for gfx942\n" in done.stderr
    assert "libx.so'" not in done.stderr
    excepted = wheelrun("wheel", "inspect", tmp_path, "--target", "gfx942,gfx90a", "--except", "*/libone.so")
    assert (excepted.status, excepted.stderr) == (0, "")


def test_the_targets_of_a_family_are_asked_for(made, tmp_path):
    wheel(tmp_path, {"torch/libone.so": (made / "libone.so").read_bytes()})
    assert wheelrun("wheel", "inspect", tmp_path, "--family", "gfx94X-dcgpu").status == 0
    lost = wheelrun("wheel", "inspect", tmp_path, "--family", "gfx110X-all")
    assert lost.status == 1 and lost.stderr.count("error[lost-target]") == 4
    unknown = wheelrun("wheel", "inspect", tmp_path, "--family", "gfx110X-al")
    assert unknown.status == 2 and "did you mean 'gfx110X-all'?" in unknown.stderr


def test_a_job_gets_a_bar_for_each_target(made, tmp_path):
    wheel(tmp_path, {"torch/libx.so": (made / "libx.so").read_bytes()})
    done = in_job(tmp_path, "wheel", "inspect", tmp_path, "--target", "gfx942,gfx1100")
    assert done.status == 1
    assert "| gfx942 |" in done.summary and "█" in done.summary
    assert "::error title=lost-target::" in done.stdout or "::error" in done.stdout


def test_relocatable_code_of_both_drivers_is_found(tmp_path):
    new = compile_object(tmp_path, "n", TARGETS[:1], "--offload-new-driver", "-fgpu-rdc")
    old = compile_object(tmp_path, "o", TARGETS[:1], "-fgpu-rdc")
    _, report = inspect(new, old)
    assert [w["objects"][0]["bundles"] for w in report["wheels"]] == [{"offload binary 1": 1}, {"code object": 1}]
    assert all(w["objects"][0]["targets"] == ["gfx942"] for w in report["wheels"])


def test_libraries_objects_and_archives_of_windows_are_read(tmp_path):
    objects = [compile_object(tmp_path, "a", TARGETS, *WINDOWS), compile_object(tmp_path, "b", TARGETS, *WINDOWS)]
    subprocess.run(["lld-link-19", "/dll", "/noentry", "/force", "/out:x.dll", *objects], cwd=tmp_path, check=True,
                   capture_output=True)
    subprocess.run(["ar", "rcs", "x.lib", "b.o"], cwd=tmp_path, check=True)
    wheel(tmp_path, {"torch/lib/x.dll": (tmp_path / "x.dll").read_bytes(),
                     "torch/lib/x.lib": (tmp_path / "x.lib").read_bytes()},
          name="torch-2.10.0-cp312-cp312-win_amd64.whl")
    status, report = inspect(tmp_path, objects[0], "--target", ",".join(TARGETS))
    assert status == 0 and report["good"]
    found = {o["name"]: o for w in report["wheels"] for o in w["objects"]}
    assert {name: o["bundles"] for name, o in found.items()} == {
        "torch/lib/x.dll": {"plain bundle": 2}, "torch/lib/x.lib(b.o)": {"plain bundle": 1}, "a.o": {"plain bundle": 1}}
    assert all(o["targets"] == ["gfx90a:xnack-", "gfx942"] for o in found.values())


def test_code_in_kpack_archives_is_told_apart_and_looked_up(made, tmp_path):
    """A library whose marker names an archive, which is in the wheel of another GPU, or missing."""
    (tmp_path / "marker").write_bytes(packed({"kernel_name": "lib/libx.so",
                                              "kpack_search_paths": ["../.kpack/x_@GFXARCH@.kpack"]}))
    run("llvm-objcopy-19", "--remove-section=.hip_fatbin", f"--add-section=.rocm_kpack_ref={tmp_path / 'marker'}",
        made / "libx.so", tmp_path / "libx.so", cwd=tmp_path)
    host = {"torch/lib/libx.so": (tmp_path / "libx.so").read_bytes()}
    (tmp_path / "host").mkdir()
    wheel(tmp_path / "host", host)
    done = wheelrun("wheel", "inspect", tmp_path / "host", "--target", "gfx942")
    assert done.status == 0
    assert "torch/lib/libx.so: its code stands in ../.kpack/x_@GFXARCH@.kpack\n" in done.stdout
    assert "warning[kpack-code]: torch-2.10.0-cp312-cp312-linux_x86_64.whl: the device code of 1 file is in " \
           "kpack archives, which are missing\n   = 'torch/lib/libx.so': ../.kpack/x_@GFXARCH@.kpack\n" in done.stderr
    table = packed({"gfx_arches": ["gfx942"], "compression_scheme": "none", "blobs": [{"offset": 64, "size": 5000}],
                    "toc": {"lib/libx.so": {"gfx942": {"type": "hsaco", "ordinal": 0, "original_size": 5000}}}})
    archive = b"KPAK" + (1).to_bytes(4, "little") + (5064).to_bytes(8, "little") + bytes(5048) + table
    wheel(tmp_path / "host", {"torch/.kpack/x_gfx942.kpack": archive},
          name="amd_torch_device_gfx942-2.10.0-py3-none-linux_x86_64.whl")
    status, report = inspect(tmp_path / "host", "--target", "gfx942")
    assert status == 0 and not any(w["findings"] for w in report["wheels"])
    device = next(w for w in report["wheels"] if w["file"].startswith("amd"))
    assert device["objects"][0]["bundles"] == {"kpack archive 1": 1} and device["targets"][0]["unpacked"] == 5000
    lost = wheelrun("wheel", "inspect", tmp_path / "host", "--target", "gfx942,gfx1100")
    assert lost.status == 1
    assert "'torch/lib/libx.so' has no code for gfx1100\n   = its kpack archives have code for gfx942\n" in lost.stderr


def test_what_was_asked_for_and_is_missing_stands_in_the_tables(made, tmp_path):
    wheel(tmp_path, {"torch/libone.so": (made / "libone.so").read_bytes()})
    done = in_job(tmp_path, "wheel", "inspect", tmp_path, "--target", "gfx942,gfx1100")
    assert "\n  gfx1100  missing\n" in done.stdout and "| gfx1100 | **missing** |" in done.summary
    _, report = inspect(tmp_path, "--target", "gfx942,gfx1100")
    assert (report["asked"], report["wheels"][0]["missing"]) == (["gfx942", "gfx1100"], ["gfx1100"])


def test_what_cannot_be_read_is_told_and_nothing_else(made, tmp_path):
    whole = (made / "libx.so").read_bytes()
    wheel(tmp_path, {"torch/libx.so": whole[: len(whole) // 2]})
    done = wheelrun("wheel", "inspect", tmp_path, "--target", "gfx942")
    assert done.status == 1 and "error[broken-device-code]" in done.stderr
    path = wheel(tmp_path, {"torch/libx.so": whole})
    path.write_bytes(path.read_bytes()[:-40])
    done = wheelrun("wheel", "inspect", tmp_path)
    assert done.status == 1 and "error[broken-device-code]" in done.stderr
    missing = wheelrun("wheel", "inspect", tmp_path / "missing.whl")
    assert missing.status == 2 and "error[no-file]: " in missing.stderr


def test_memory_does_not_grow_with_the_files(tmp_path):
    head = b"\x7fELF\x02\x01\x01".ljust(64, b"\0")
    peaks = []
    for megabytes in (20, 300):
        path = wheel(tmp_path, {"torch/libzero.so": head + bytes(megabytes << 20)})
        code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3, stderr=-3); "
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", code, PROGRAM, "wheel", "inspect", path], capture_output=True,
                              text=True, timeout=120, check=True)
        peaks.append(int(done.stdout))
    assert peaks[1] < peaks[0] + 40_000  # kilobytes
