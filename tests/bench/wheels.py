"""Compares `wheelrun wheel check` with the tools of a script: sha256sum on the unpacked files, and Python's `wheel`.

The wheel is generated with the structure of a torch wheel: a few large libraries, and many small files.
"""

import base64
import hashlib
import io
import random
import shutil
import statistics
import sys
import zipfile
from pathlib import Path

NAME = "demo-1.0-cp312-cp312-linux_x86_64.whl"
INFO = "demo-1.0.dist-info"
ELF = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + b"\x03\0\x3e\0".ljust(48, b"\0")
RUNS = 5


def _block(size):
    """Reproducible bytes that compress to a bit more than half, like machine code."""
    source = random.Random(7)
    words = [source.randbytes(source.randint(2, 9)) for _ in range(1500)]
    out = io.BytesIO()
    while out.tell() < size:
        out.write(b"".join(source.choices(words, k=1000)))
    return out.getvalue()[:size]


def make(path, megabytes):
    """Writes a wheel whose files have that many megabytes. Returns the number of its files."""
    block = _block(4 << 20)
    unit = megabytes << 20
    sizes = {"demo/libs/largest.so": unit // 2, "demo/libs/second.so": unit // 4}
    sizes |= {f"demo/libs/lib{i}.so": unit // 50 for i in range(10)}
    sizes |= {f"demo/include/{i}.h": 4000 for i in range(2000)}
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:

        def add(name, pieces):
            digest, size = hashlib.sha256(), 0
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o100644 << 16
            with archive.open(info, "w", force_zip64=True) as entry:
                for piece in pieces:
                    entry.write(piece)
                    digest.update(piece)
                    size += len(piece)
            encoded = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={encoded},{size}\n")

        for name, size in sizes.items():
            start = ELF if name.endswith(".so") else name.encode()
            count, rest = divmod(size - len(start), len(block))
            add(name, [start, *[block] * count, block[:rest]])
        add(f"{INFO}/METADATA", [b"Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n"])
        add(f"{INFO}/WHEEL", [b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-cp312-linux_x86_64\n"])
        archive.writestr(f"{INFO}/RECORD", "".join(rows) + f"{INFO}/RECORD,,\n")
    return len(rows) + 1


def bench(run, peak_memory, wheelrun, work, quick):
    """Seconds and peak memory of all three in interleaved runs. run, peak_memory: functions that measure a command."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    wheel = work / NAME
    megabytes = 60 if quick else 560
    files = make(wheel, megabytes)
    content, out = work / "content", work / "out"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(content)
    unpacked = sorted(map(str, (path for path in content.rglob("*") if path.is_file())))
    commands = {
        "wheel check": [wheelrun, "wheel", "check", wheel, "--platform", "linux", "--python", "3.12"],
        "sha256sum, unpacked before": ["sha256sum", *unpacked],
        "python -m wheel unpack": [sys.executable, "-m", "wheel", "unpack", wheel, "--dest", out],
    }
    memory = {name: peak_memory(command, out) for name, command in commands.items()}
    times = {name: [] for name in commands}
    for _ in range(2 if quick else RUNS):
        for name, command in commands.items():
            times[name].append(run(command, out))
    ours = statistics.median(times["wheel check"])
    result = {
        "packed_mb": wheel.stat().st_size / 1e6,
        "unpacked_mb": sum(Path(path).stat().st_size for path in unpacked) / 1e6,
        "files": files,
        "results": {
            name: {
                "seconds": statistics.median(values),
                "fastest": min(values),
                "ratio": statistics.median(values) / ours,
                "peak_mb": memory[name],
            }
            for name, values in times.items()
        },
    }
    shutil.rmtree(work)
    return result


def show(result):
    print(f"\na wheel of {result['packed_mb']:.0f} MB, {result['unpacked_mb']:.0f} MB in {result['files']:,} files")
    print(f"{'':28}{'seconds':>9}{'fastest':>9}{'ratio':>8}{'peak MB':>9}")
    for name, row in result["results"].items():
        print(f"  {name:26}{row['seconds']:9.3f}{row['fastest']:9.3f}{row['ratio']:8.2f}{row['peak_mb']:9.1f}")
