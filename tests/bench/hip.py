"""Compares `wheelrun hip compile` with one call of hipcc per source for all GPUs, serially and with `make -j`, and with
one call per source and GPU with `make -j`; and `wheelrun wheel inspect` with only unpacking the wheel.

All produce an object with code for six GPUs from each canary. Caches of other tools are disabled.
"""

import os
import random
import resource
import shutil
import statistics
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CANARIES = ROOT / "runtime" / "canaries"
TARGETS = ["gfx906", "gfx90a", "gfx1010", "gfx1030", "gfx1031", "gfx1032"]
MARK = b"__CLANG_OFFLOAD_BUNDLE__"


def _makefile(folder, sources, pairs):
    """One call of hipcc per source; with `pairs`, one per source and GPU, and one per source for the host code."""
    if pairs:
        rules = {f"{s.stem}-{t}.o": f"--cuda-device-only --no-gpu-bundle-output --offload-arch={t} -c {s}"
                 for s in sources for t in TARGETS}
        rules.update({f"{s.stem}.o": f"--cuda-host-only -c {s}" for s in sources})
    else:
        arches = " ".join(f"--offload-arch={t}" for t in TARGETS)
        rules = {f"{s.stem}.o": f"{arches} -c {s}" for s in sources}
    # clang does not remove its temporary folders.
    lines = ["export TMPDIR := $(CURDIR)", f"all: {' '.join(rules)}", *(f"{name}:\n\thipcc -std=c++17 {words} -o $@" for name, words in rules.items())]
    (folder / "Makefile").write_text("\n".join(lines) + "\n")


def _measured(run, command):
    """(wall time, CPU time) in seconds; CPU time does not depend on other load."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bench_compile(run, wheelrun, work, quick):
    """Medians in seconds."""
    sources = sorted(CANARIES.glob("*.hip"))[: 4 if quick else None]
    peers = work / "peers"
    cores = os.cpu_count()
    ways = {"hipcc in turn": (1, False), f"make -j{cores}": (cores, False), f"make -j{cores}, pairs": (cores, True)}
    times = {name: [] for name in ("wheelrun, cold", "wheelrun, warm", *ways)}
    ours = [wheelrun, "hip", "compile", *sources, "--target", ",".join(TARGETS), "--bundle", "--output-dir",
            work / "objects", "--cache-dir", work / "cache", "--launcher", "none", "--compiler", "hipcc"]
    for _ in range(1 if quick else 3):
        shutil.rmtree(work / "cache", ignore_errors=True)
        times["wheelrun, cold"].append(_measured(run, ours))
        times["wheelrun, warm"] += [_measured(run, ours) for _ in range(5)]
        for name, (jobs, pairs) in ways.items():
            shutil.rmtree(peers, ignore_errors=True)
            peers.mkdir(parents=True)
            _makefile(peers, sources, pairs)
            times[name].append(_measured(run, ["make", "--silent", "-C", peers, f"-j{jobs}"]))
    seconds = {name: statistics.median(wall for wall, _ in values) for name, values in times.items()}
    work_done = {name: statistics.median(cpu for _, cpu in values) for name, values in times.items()}
    cold = "wheelrun, cold"
    return {"sources": len(sources), "targets": len(TARGETS), "seconds": seconds, "cpu_seconds": work_done,
            "to_cold": {name: seconds[name] / seconds[cold] for name in ways},
            "cpu_to_cold": {name: work_done[name] / work_done[cold] for name in ways},
            "cold_to_warm": seconds[cold] / seconds["wheelrun, warm"]}


def _bundle(image, targets):
    """An uncompressed bundle with the same image for each target."""
    ids = [f"hipv4-amdgcn-amd-amdhsa--{t}".encode() for t in targets]
    head = MARK + len(ids).to_bytes(8, "little")
    at = 4096
    for name in ids:
        head += at.to_bytes(8, "little") + len(image).to_bytes(8, "little") + len(name).to_bytes(8, "little") + name
        at += -(-len(image) // 4096) * 4096
    body = image.ljust(-(-len(image) // 4096) * 4096, b"\0")
    return head.ljust(4096, b"\0") + body * len(ids)


def _library(megabytes, image):
    """A shared object of bundles of four megabytes each, in pieces; its sections are at its end."""
    bundle = _bundle(image, TARGETS)
    count = max(1, (megabytes << 20) // len(bundle))
    names = b"\0.hip_fatbin\0.shstrtab\0"
    end = 4096 + len(bundle) * count

    def section(name, offset, size):
        return (name.to_bytes(4, "little") + b"\1\0\0\0" + (2).to_bytes(8, "little") + bytes(8)
                + offset.to_bytes(8, "little") + size.to_bytes(8, "little") + bytes(24))

    head = (b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + b"\3\0\x3e\0\1\0\0\0" + bytes(16)
            + (end + 64).to_bytes(8, "little") + bytes(4) + b"\x40\0\x38\0\0\0\x40\0\3\0\2\0")
    yield head.ljust(4096, b"\0")
    for _ in range(count):
        yield bundle
    yield names.ljust(64, b"\0")
    yield bytes(64) + section(1, 4096, len(bundle) * count) + section(13, end, len(names))


def bench_inspect(run, wheelrun, work, quick):
    """Seconds for inspecting a wheel, and for unpacking it without writing."""
    megabytes = 200 if quick else 2000
    path = work / "torch-2.10.0-cp312-cp312-linux_x86_64.whl"
    source = random.Random(5)
    words = [source.randbytes(source.randint(2, 9)) for _ in range(1500)]
    image = b"".join(source.choices(words, k=130_000))
    work.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, share in (("torch/lib/libtorch_hip.so", 2), ("torch/lib/libtorch_cpu.so", 3),
                            ("torch/lib/libcaffe2.so", 6)):
            with archive.open(name, "w", force_zip64=True) as entry:
                for piece in _library(megabytes // share, image):
                    entry.write(piece)
    ways = {"inspect": [wheelrun, "wheel", "inspect", path, "--target", ",".join(TARGETS)],
            "Python's zipfile": ["python3", "-c", _UNPACK, path], "cat": ["sh", "-c", f"cat {path} > /dev/null"]}
    if shutil.which("unzip"):
        ways["unzip -p"] = ["sh", "-c", f"unzip -p {path} > /dev/null"]
    times = {name: [] for name in ways}
    for _ in range(1 if quick else 3):
        for name, command in ways.items():
            times[name].append(_measured(run, command))
    size = path.stat().st_size
    path.unlink()
    return {"bytes": size, "seconds": {name: statistics.median(wall for wall, _ in values) for name, values in times.items()},
            "cpu_seconds": {name: statistics.median(cpu for _, cpu in values) for name, values in times.items()}}


_UNPACK = """
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in archive.namelist():
        with archive.open(name) as entry:
            while entry.read(1 << 20):
                pass
"""


def bench(run, wheelrun, work, quick):
    numbers = {"compile": None, "inspect": bench_inspect(run, wheelrun, work, quick)}
    if shutil.which("hipcc"):
        work.mkdir(parents=True, exist_ok=True)
        numbers["compile"] = bench_compile(run, wheelrun, work, quick)
    return numbers


def show(numbers):
    found = numbers["compile"]
    if found is None:
        print("\nhipcc is not installed, and compiles are not measured")
    else:
        print(f"\n{found['sources']} canaries for {found['targets']} GPUs; processors' seconds behind")
        for name, seconds in found["seconds"].items():
            times = found["to_cold"].get(name)
            beside = f"  {times:.2f} times as long as wheelrun" if times else ""
            print(f"  {name:16}{seconds:8.2f} s{found['cpu_seconds'][name]:8.2f} s{beside}")
        print(f"  warm: {found['cold_to_warm']:.0f} times as fast as cold")
    found = numbers["inspect"]
    print(f"\ncode for GPUs in a wheel of {found['bytes'] / 1e9:.2f} GB; processors' seconds behind")
    for name, seconds in found["seconds"].items():
        print(f"  {name:16}{seconds:8.2f} s{found['cpu_seconds'][name]:8.2f} s{found['bytes'] / 1e6 / seconds:9.0f} MB/s")
