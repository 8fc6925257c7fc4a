"""`wheelrun hip compile` with Debian's hipcc and ROCm libraries, and with a newer clang without ROCm."""

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest
from hip_tools import CLANG, STUB, WITHOUT_ROCM, kernel, statuses
from wheelrun import PLAN, PROGRAM, ROOT, environment, in_job, wheelrun

sys.path.insert(0, str(ROOT / "tests/tools"))
import kept

# Of the GPUs for which Debian has ROCm's device libraries: two, and one of each instruction set. Others differ from the
# one before them in the name, such as gfx902, gfx904, gfx909 and gfx90c from gfx900.
FEW = "gfx906,gfx1030"
ALL = "gfx803,gfx900,gfx906,gfx908,gfx90a,gfx1010,gfx1012,gfx1030"


class Place:
    """A folder with sources, its own cache, and a clang that needs no ROCm."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "stub.h").write_text(STUB)
        self.json = folder / "result.json"

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def compile(self, *words, run=wheelrun, rocm=False, compiler=CLANG, cache="cache", **more):
        clang = [] if rocm else ["--compiler", compiler, *(f"--flag={flag}" for flag in WITHOUT_ROCM)]
        where = [self.folder] if run is in_job else []
        return run(*where, "hip", "compile", *words, *clang, "--launcher", "none", "--cache-dir", self.folder / cache,
                   "--json", self.json, cwd=self.folder, **more)

    def result(self):
        return json.loads(self.json.read_text())

    def cached(self):
        return {p["source"]: p["cached"] for p in self.result()["pairs"]}


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def test_all_canaries_compile_for_each_instruction_set(place):
    """Compiled anew when a canary, a header or the compiler changed since it last passed."""
    cache = kept.folder("canaries")
    done = place.compile("--target", ALL, rocm=True, cache=cache, timeout=580)
    assert done.status == 0, done.stderr
    found = statuses(place.json)
    assert len(found) >= 15 * 8 and set(found.values()) == {"pass"}
    again = place.compile("--target", ALL, rocm=True, cache=cache)
    assert again.status == 0 and all(p["cached"] for p in place.result()["pairs"])


SHARING = ("atomics.hip", "half_traits.hip", "launch_bounds.hip", "shared_memory.hip", "warp_shuffle.hip")


def test_canaries_share_a_parsed_header_and_become_the_same(place):
    log = place.folder / "log"
    compiler = place.folder / "logged"
    compiler.write_text(f'#!/bin/bash\n[[ $1 == --version ]] || echo "$@" >>{log}\nexec hipcc "$@"\n')
    compiler.chmod(0o755)
    words = ("--target", "gfx906", "--flag=-O3", "--compiler", compiler, "--output-dir")
    assert place.compile(*SHARING, *words, "shared", rocm=True).status == 0
    calls = log.read_text().splitlines()
    assert sum("-emit-pch" in call for call in calls) == 1 and sum("-include-pch" in call for call in calls) == 5
    log.unlink()
    assert place.compile(*SHARING[:3], *words, "plain", "--flag=-DPLAIN", rocm=True).status == 0
    assert "-pch" not in log.read_text()
    for path in (place.folder / "plain").iterdir():
        assert path.read_bytes() == (place.folder / "shared" / path.name).read_bytes()
    assert len([*(place.folder / "plain").iterdir()]) == 3
    assert place.compile(*SHARING, *words, "shared", rocm=True).status == 0
    assert all(place.cached().values())


def test_errors_that_a_parsed_header_hides_are_found(place):
    """Clang misses these errors, and the code links: only the combined check of all sources finds them."""
    (place.folder / "inc/hip").mkdir(parents=True)
    header = place.folder / "inc/hip/hip_runtime.h"
    header.write_text("#include_next <hip/hip_runtime.h>\ninline __host__ __device__ void wait() {\n  try {\n"
                      "  } catch (...) {\n  }\n}\n#define __syncthreads() wait()\n")
    words = (*SHARING, "--target", "gfx906", "--flag=-Iinc")
    done = place.compile(*words, rocm=True)
    assert done.status == 1
    assert {source: status for (source, _), status in statuses(place.json).items()} == {
        name: "fail" if name == "shared_memory.hip" else "pass" for name in SHARING}
    assert "hip_runtime.h:3: fail: shared_memory.hip on gfx906: cannot use 'try' in __host__ __device__" in done.stderr
    header.write_text("#include_next <hip/hip_runtime.h>\n")
    assert place.compile(*words, rocm=True).status == 0
    assert not any(place.cached().values())


@pytest.mark.quick
def test_a_source_that_fails_for_one_gpu_is_told_at_its_line(place):
    place.write("k.hip", kernel("k") + '#if defined(__gfx1101__)\n#error "no such thing here"\n#endif\n')
    done = place.compile("k.hip", "--target", "gfx1100,gfx1101", run=in_job)
    assert done.status == 1
    assert statuses(place.json) == {("k.hip", "gfx1100"): "pass", ("k.hip", "gfx1101"): "fail"}
    assert '::error file=k.hip,line=5,col=2,title=fail%3A k.hip on gfx1101::"no such thing here"' in done.stdout
    assert "| k.hip |" in done.summary and "**fail**" in done.summary


def test_one_cause_on_many_gpus_and_sources_is_told_once(place):
    place.write("bad.h", "#pragma once\nstatic_assert(sizeof(int) == 2, \"int\");\n")
    for name in ("a", "b"):
        place.write(f"{name}.hip", f'// Guards: {name}.\n#include "bad.h"\n' + kernel(name))
    done = place.compile("a.hip", "b.hip", "--target", "gfx942,gfx1100,gfx1200")
    assert done.status == 1
    assert done.stderr.count("error: ") == 1
    assert "./bad.h:2: fail: a.hip and b.hip on gfx942, gfx1100 and gfx1200: static assertion failed" in done.stderr
    assert "guards: a\n" in done.stderr and "guards: b\n" in done.stderr
    (cause,) = place.result()["causes"]
    assert len(cause["pairs"]) == 6


def test_a_changed_header_invalidates_exactly_what_reads_it(place):
    place.write("used.h", "#define VALUE 1\n")
    place.write("a.hip", '#include "used.h"\n' + kernel("a"))
    place.write("b.hip", kernel("b"))
    words = ("a.hip", "b.hip", "--target", "gfx1100")
    assert place.compile(*words).status == 0
    assert place.cached() == {"a.hip": False, "b.hip": False}
    assert place.compile(*words).status == 0
    assert place.cached() == {"a.hip": True, "b.hip": True}
    place.write("used.h", "#define VALUE 2\n")
    assert place.compile(*words).status == 0
    assert place.cached() == {"a.hip": False, "b.hip": True}
    assert place.compile(*words, "--flag=-DMORE").status == 0
    assert place.cached() == {"a.hip": False, "b.hip": False}


def test_errors_are_kept_too_and_missing_headers_are_not(place):
    place.write("a.hip", kernel("a") + "#error no\n")
    place.write("b.hip", '#include "later.h"\n' + kernel("b"))
    words = ("a.hip", "b.hip", "--target", "gfx1100")
    assert place.compile(*words).status == 1
    assert place.compile(*words).status == 1
    assert place.cached() == {"a.hip": True, "b.hip": False}
    place.write("later.h", "")
    place.compile(*words)
    assert statuses(place.json)["b.hip", "gfx1100"] == "pass"


def test_a_crash_and_a_hang_are_no_errors(place):
    place.write("crash.hip", kernel("crash") + "#pragma clang __debug crash\n")
    place.write("hang.hip", '#include "endless"\n')
    os.mkfifo(place.folder / "endless")
    place.write("good.hip", kernel("good"))
    done = place.compile("crash.hip", "hang.hip", "good.hip", "--target", "gfx1100", "--time-limit", "5")
    assert done.status == 1
    assert [*statuses(place.json).values()] == ["crash", "hang", "pass"]
    assert "error: crash.hip:4: crash: crash.hip on gfx1100: the compiler crashed at: " in done.stderr
    assert "error: hang: hang.hip on gfx1100: the compiler exceeded its time limit" in done.stderr
    assert place.compile("crash.hip", "--target", "gfx1100").status == 1
    assert place.cached() == {"crash.hip": False}


def test_a_compiler_that_wants_too_much_memory_is_told_so(place):
    place.write("a.hip", kernel("a"))
    compiler = place.folder / "greedy"
    compiler.write_text(f'#!/bin/bash\n[[ $1 == --version ]] && exec {CLANG} --version\n'
                        "exec python3 -c 'try: bytearray(1 << 32)\nexcept MemoryError: exit(\"std::bad_alloc\")'\n")
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    done = place.compile("a.hip", "--target", "gfx1100", "--memory-limit", "1000", compiler=compiler)
    assert done.status == 1
    assert statuses(place.json) == {("a.hip", "gfx1100"): "out of memory"}


def test_what_is_known_to_fail_must_fail(place):
    plan = json.loads(PLAN.read_text())
    issue = "https://github.com/ROCm/TheRock/issues/1926"
    plan["hip_known_failures"] = [
        {"source": name, "targets": ["gfx101"], "platforms": None, "with_header": header, "why": "x", "issue": issue}
        for name, header in (("a.hip", None), ("b.hip", None), ("c.hip", "part/of.h"))]
    place.write("plan.json", json.dumps(plan))
    place.write("a.hip", kernel("a") + "#if defined(__gfx1010__)\n#error no\n#endif\n")
    place.write("b.hip", kernel("b"))
    place.write("c.hip", kernel("c"))  # does not read the header of its row
    done = place.compile("a.hip", "b.hip", "c.hip", "--target", "gfx1010,gfx1030", "--plan", "plan.json", run=in_job)
    assert done.status == 0
    assert statuses(place.json) == {
        ("a.hip", "gfx1010"): "expected fail", ("a.hip", "gfx1030"): "pass", ("b.hip", "gfx1010"): "unexpected pass",
        ("b.hip", "gfx1030"): "pass", ("c.hip", "gfx1010"): "pass", ("c.hip", "gfx1030"): "pass"}
    assert f"::warning title=unexpected pass::b.hip compiles for gfx1010: remove the row of {issue}" in done.stdout
    assert f"[fails as expected]({issue})" in done.summary and f"**[passes unexpectedly]({issue})**" in done.summary


def test_objects_are_kept_apart_or_bundled(place):
    place.write("a.hip", kernel("a"))
    words = ("a.hip", "--target", "gfx942,gfx90a:xnack-", "--output-dir", "out")
    assert place.compile(*words).status == 0
    assert sorted(p.name for p in (place.folder / "out").iterdir()) == ["a-gfx90a_xnack-.co", "a-gfx942.co"]
    assert place.compile(*words, "--bundle").status == 0
    done = wheelrun("wheel", "inspect", place.folder / "out", place.folder / "out/a.o", place.folder / "out/a-gfx942.co",
                    "--format", "json")
    found = {w["file"]: w["objects"][0] for w in json.loads(done.stdout)["wheels"]}
    assert found["a.o"]["targets"] == ["gfx90a:xnack-", "gfx942"] and found["a.o"]["bundles"] == {"plain bundle": 1}
    assert found["a-gfx942.co"]["bundles"] == {"code object": 1}
    assert place.compile(*words, "--bundle").status == 0
    assert all(p["cached"] for p in place.result()["pairs"])


@pytest.mark.quick
def test_a_dry_run_prints_what_would_be_run(place):
    place.write("a.hip", kernel("a"))
    done = place.compile("a.hip", "--target", "gfx1100", "--dry-run")
    assert done.status == 0 and done.stdout.count("--offload-arch=gfx1100") == 1
    assert not place.json.exists()


def test_fail_fast_begins_nothing_new(place):
    place.write("a.hip", "#error no\n")
    place.write("b.hip", kernel("b"))
    done = place.compile("a.hip", "b.hip", "--target", "gfx1100,gfx1101", "--fail-fast", "--jobs", "1")
    assert done.status == 1
    assert "not run" in statuses(place.json).values()


@pytest.mark.quick
def test_the_canaries_are_listed():
    done = wheelrun("hip", "compile", "--list")
    assert done.status == 0 and done.stdout.count("  guards ") >= 15
    assert "half_traits.hip\n" in done.stdout and "known to fail on gfx101: https://github.com/ROCm/" in done.stdout


@pytest.mark.quick
@pytest.mark.parametrize(("words", "message"), [
    ([], "error[missing-argument]: 'hip compile' needs '--family' or '--target'"),
    (["--target", "sm_90"], "error[option-value]: '--target' does not take 'sm_90'"),
    (["--family", "gfx94X-dcgp"], "error[unknown-family]: no family of linux is called 'gfx94X-dcgp'"),
    (["half_trait.hip", "--target", "gfx906"], "error[no-source]: there is no source 'half_trait.hip'\n   = did you mean"),
    (["--target", "gfx906", "--compiler", "/no/such"], "error[no-compiler]: there is no compiler '/no/such'"),
    (["--target", "gfx906", "--compiler", "/bin/false"], "error[no-compiler]: '/bin/false' does not print its version"),
    (["--target", "gfx906", "--bundle"], "error[missing-argument]: '--bundle' needs '--output-dir'"),
    (["--target", "gfx906", "--bundle", "--apart"], "error[option-value]: '--bundle' and '--apart' exclude each other"),
])
def test_wrong_use_is_answered(tmp_path, words, message):
    done = wheelrun("hip", "compile", *words, "--cache-dir", tmp_path)
    assert done.status == 2 and message in done.stderr


def test_a_compiler_that_tells_nothing_is_named_whole(tmp_path):
    program = tmp_path.joinpath(*["a-folder-of-many-letters"] * 20) / "clang++"
    program.parent.mkdir(parents=True)
    program.symlink_to("/bin/false")
    done = wheelrun("hip", "compile", "--target", "gfx906", "--compiler", program, "--cache-dir", tmp_path)
    assert done.status == 2 and f"error[no-compiler]: '{program}' does not print its version\n" in done.stderr


def test_a_launcher_of_canaries_is_asked_for_by_name(tmp_path):
    """It could not cache compiles that share a parsed header."""
    (tmp_path / "a.hip").write_text(kernel("a"))
    words = ("hip", "compile", "--target", "gfx1100", "--compiler", CLANG, "--cache-dir", tmp_path, "--dry-run")
    through = ["CCACHE_DEPEND=1 " in wheelrun(*words, *more, cwd=tmp_path).stdout
               for more in ([], ["a.hip"], ["--launcher", "ccache"])]
    assert through == [False, True, True]


class TwoRuns:
    """A run that compiles a source with a compiler that waits until told, and another of the same that waits for it."""

    def __init__(self, folder):
        (folder / "stub.h").write_text(STUB)
        (folder / "a.hip").write_text(kernel("a"))
        self.calls, self.told = folder / "calls", folder / "told"
        compiler = folder / "slow"
        compiler.write_text(f"#!/bin/bash\nif [[ $1 != --version && $* != *-###* ]]; then echo call >>{self.calls}; "
                            f'while [[ ! -e {self.told} ]]; do sleep 0.02; done; fi\nexec {CLANG} "$@"\n')
        compiler.chmod(0o755)
        self.words = ("hip", "compile", "a.hip", "--target", "gfx1100", "--compiler", compiler, "--launcher", "none",
                      *(f"--flag={flag}" for flag in WITHOUT_ROCM), "--cache-dir", folder / "cache")
        self.folder = folder
        self.first = self.start()
        self.follow(self.first, "compiling")
        while not self.calls.exists():
            assert self.first.poll() is None
            time.sleep(0.01)
        self.second = self.start()
        self.follow(self.second, "another wheelrun compiles the same")

    def start(self):
        return subprocess.Popen([PROGRAM, *map(str, self.words)], cwd=self.folder, env=environment(), text=True,
                                stderr=subprocess.PIPE, stdout=subprocess.PIPE)

    @staticmethod
    def follow(run, until):
        assert any(until in line for line in run.stderr)

    def count(self):
        return len(self.calls.read_text().splitlines())


def test_two_runs_compile_the_same_once(tmp_path):
    runs = TwoRuns(tmp_path)
    runs.told.touch()
    assert "1 passed in" in runs.first.communicate()[1] and runs.first.returncode == 0
    assert "1 passed (1 cached)" in runs.second.communicate()[1] and runs.second.returncode == 0
    assert runs.count() == 1


def test_who_waits_for_a_run_that_dies_compiles_itself(tmp_path):
    runs = TwoRuns(tmp_path)
    runs.first.kill()
    runs.first.communicate()
    runs.told.touch()
    said = runs.second.communicate()[1]
    assert runs.second.returncode == 0, said
    assert runs.count() == 2


def test_who_waits_can_be_interrupted(tmp_path):
    runs = TwoRuns(tmp_path)
    runs.second.send_signal(signal.SIGINT)
    runs.second.communicate(timeout=30)
    assert runs.second.returncode == -signal.SIGINT and runs.count() == 1
    runs.told.touch()
    runs.first.communicate()
    assert runs.first.returncode == 0


def test_compiler_caches_are_used(place):
    place.write("a.hip", kernel("a"))
    env = {"CCACHE_DIR": str(place.folder / "ccache"), "CCACHE_LOGFILE": str(place.folder / "ccache.log")}
    words = ("hip", "compile", "a.hip", "--target", "gfx1100", "--compiler", CLANG,
             *(f"--flag={flag}" for flag in WITHOUT_ROCM), "--launcher", "ccache")
    for cache in ("one", "two"):  # not its own cache, which would be used first
        done = wheelrun(*words, "--cache-dir", place.folder / cache, cwd=place.folder, env=env)
        assert done.status == 0 and "through ccache" in done.stderr
    assert "Result: direct_cache_hit" in (place.folder / "ccache.log").read_text()
