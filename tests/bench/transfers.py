"""Compares wheelrun's transfers with s5cmd and aws: the same files and server, in interleaved runs.

The server is versitygw on this machine and shares its cores with the tools, so the benchmark measures the work of a
tool and of the server rather than a network.
"""

import http.server
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))

MB = 1_000_000
SETS = {
    "one file of 2 GB": [2000 * MB],
    "five wheels, 10 MB to 1 GB": [10 * MB, 40 * MB, 150 * MB, 400 * MB, 1000 * MB],
    "2,000 files of 20 kB": [20_000] * 2000,
}
BUCKET, GROUP = "bench-bucket", "bench"
ROUNDS = 5  # at most; the first round of each set runs even if the time is over
SECONDS = 480  # for all sets together, in equal shares; leaves time for the build and for rounds that take longer
# Uploads; downloads of files that were uploaded by s5cmd, by aws in parts, and by wheelrun. wheelrun verifies all files
# by the server's checksums.
WAYS = ("up", "down", "aws", "own")


class NoGithub(http.server.BaseHTTPRequestHandler):
    """A fake GitHub API that answers 404 immediately, so that no benchmark waits for the network."""

    def do_GET(self):
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def make_files(folder, sizes):
    """Writes files whose names all three tools accept, for uploads and downloads."""
    folder.mkdir(parents=True)
    draw = random.Random(1)
    block = draw.randbytes(4 * MB)
    for i, size in enumerate(sizes):
        with open(folder / f"p{i:04}-1.0.tar.gz", "wb") as out:
            start = draw.randrange(MB)
            piece = memoryview(block)[start : start + 3 * MB]
            while size > 0:
                out.write(piece[: min(size, len(piece))])
                size -= min(size, len(piece))


class Progress:
    """Prints progress on stderr, and divides the time among the sets."""

    def __init__(self, sets, seconds):
        self.started = time.monotonic()
        self.end = self.started + seconds
        self.sets = sets

    def say(self, text):
        print(f"[{time.monotonic() - self.started:4.0f} s] {text}", file=sys.stderr, flush=True)

    def share(self):
        """The time at which the set that starts now has to end, so that each of the following sets has as much time."""
        now = time.monotonic()
        self.sets -= 1
        return now + max(self.end - now, 0) / (self.sets + 1)


def measure(work, name, sizes, server, s3, program, rounds, progress):
    build, out = work / "build", work / "out"
    for folder in (build, out):
        shutil.rmtree(folder, ignore_errors=True)
    files = build / "artifacts"
    progress.say(f"{name}: writing {sum(sizes) / MB:,.0f} MB")
    make_files(files, sizes)
    api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), NoGithub)
    threading.Thread(target=api.serve_forever, daemon=True).start()
    env = {**os.environ, **s3.variables(server.url), "GITHUB_API_URL": f"http://127.0.0.1:{api.server_address[1]}",
           "WHEELRUN_PLAN": str(ROOT / "generated-workflows/plan.json"), "WHEELRUN_NETWORK_TIMEOUT": "60",
           "S3_ENDPOINT_URL": server.url}  # the last one is read by s5cmd
    s5cmd = os.environ.get("S5CMD", str(ROOT / ".tools/bin/s5cmd"))
    there = f"s3://{BUCKET}/1-linux/python/{GROUP}/"
    place = ["--platform", "linux", "--artifact-group", GROUP, "--bucket", BUCKET, "--run-id", "1",
             "--repository", "ROCm/TheRock"]
    tools = {
        "wheelrun": ([program, "upload", build, "--kind", "artifacts", *place],
                     [program, "fetch", "packages", *place, "--output-dir", out]),
        "s5cmd": ([s5cmd, "--log", "error", "cp", f"{files}/*", f"s3://{BUCKET}/s5cmd/"],
                  [s5cmd, "--log", "error", "cp", f"{there}*", f"{out}/"]),
        "aws": ([s3.AWS, "s3", "cp", "--quiet", "--recursive", files, f"s3://{BUCKET}/aws/"],
                [s3.AWS, "s3", "cp", "--quiet", "--recursive", there, out]),
    }
    seconds = {(tool, way): [] for tool in tools for way in WAYS}
    cores = {(tool, way): [] for tool in tools for way in WAYS}
    memory = 0
    data = Path(server.log.name).parent / "data" / BUCKET

    def run(command):
        started = time.perf_counter()
        report = work / "memory.txt"
        done = subprocess.run(["/usr/bin/time", "--format", "%M %U %S", "--output", str(report), *map(str, command)], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        taken = time.perf_counter() - started
        if done.returncode != 0:
            sys.exit(f"{command}\n{done.stdout.decode()[-3000:]}")
        peak, user, system = report.read_text().splitlines()[-1].split()
        return taken, float(user) + float(system), int(peak) / 1024

    def away(path):
        """Removes a file or folder. Large sets are only renamed, because ext4 is slow to create files after removals."""
        if len(sizes) > 100:
            path.rename(work / f"{path.name}.{time.monotonic_ns()}")
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()

    def empty():
        for entry in data.iterdir():
            away(entry)

    def note(tool, way, command):
        nonlocal memory
        os.sync()  # so that pending writes of earlier steps do not count
        taken, busy, peak = run(command)
        seconds[tool, way].append(taken)
        cores[tool, way].append(busy)
        memory = max(memory, peak) if tool == "wheelrun" else memory
        progress.say(f"{name}: round {number + 1} of {rounds} at most, {tool} {way}: {taken:.1f} s")

    def fetch(tool, way, command):
        if out.exists():
            away(out)
        out.mkdir(parents=True)
        note(tool, way, command)
        assert len(list(out.iterdir())) == len(sizes), (tool, len(list(out.iterdir())))

    end, longest = progress.share(), 0.0
    for number in range(rounds):
        began = time.monotonic()
        if number > 0 and began + longest > end:
            progress.say(f"{name}: ended after {number} of {rounds} rounds, for the time that is left")
            break
        # The previous work affects the first tool, so each tool is the first in turn.
        order = [*tools][number % 3:] + [*tools][: number % 3]
        for tool in order:
            empty()
            note(tool, "up", tools[tool][0])
        empty()
        run([s5cmd, "--log", "error", "cp", f"{files}/*", there])
        for tool in order:
            fetch(tool, "down", tools[tool][1])
        if len(sizes) < 100:  # the files of larger sets are too small for multipart uploads
            empty()
            run([s3.AWS, "s3", "cp", "--quiet", "--recursive", files, there])
            for tool in order:
                if tool != "aws":
                    fetch(tool, "aws", tools[tool][1])
        # Downloads of the same files as uploaded by wheelrun.
        empty()
        run(tools["wheelrun"][0])
        run([s5cmd, "--log", "error", "cp", f"s3://{BUCKET}/1-linux/artifacts/{GROUP}/*", there])
        for tool in order:
            if tool != "aws":
                fetch(tool, "own", tools[tool][1])
        longest = max(longest, time.monotonic() - began)
    api.shutdown()
    row = {"set": name, "bytes": sum(sizes), "files": len(sizes), "memory_mb": round(memory),
           "rounds": len(seconds["wheelrun", "up"])}
    for way in WAYS:
        if not seconds["wheelrun", way]:
            continue
        ran = [tool for tool in tools if seconds[tool, way]]
        row[way] = {tool: round(statistics.median(seconds[tool, way]), 3) for tool in ran}
        row[f"{way}_cpu"] = {tool: round(statistics.median(cores[tool, way]), 2) for tool in ran}
        for peer in ran[1:]:
            row[f"{way}_ratio_to_{peer}"] = round(row[way][peer] / row[way]["wheelrun"], 2)
    return row


def transfers(work, program, only="", rounds=ROUNDS, seconds=SECONDS):
    """A row of results for each set of files; prints each as soon as it is complete. Each set gets at least one round."""
    import s3_server as s3

    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    server = s3.Server(work)
    server.make_bucket(BUCKET)
    rows = []
    chosen = {name: sizes for name, sizes in SETS.items() if only in name}
    progress = Progress(len(chosen), seconds)
    try:
        for name, sizes in chosen.items():
            row = measure(work, name, sizes, server, s3, program, rounds, progress)
            rows.append(row)
            print(f"{name}, median of {row['rounds']} rounds; peak memory of wheelrun {row['memory_mb']} MB")
            for way in filter(row.get, WAYS):
                times = ", ".join(f"{tool} {value:.2f} s ({row[f'{way}_cpu'][tool]:.2f} of a core)"
                                  for tool, value in row[way].items())
                ratios = ", ".join(f"{row[f'{way}_ratio_to_{tool}']:.2f} times {tool}'s"
                                   for tool in list(row[way])[1:])
                print(f"  {way:8}{times}; rate {ratios}", flush=True)
    finally:
        server.close()
        shutil.rmtree(work, ignore_errors=True)
    return rows


if __name__ == "__main__":
    transfers(Path(sys.argv[1]), sys.argv[2], *sys.argv[3:4], *map(int, sys.argv[4:5]))
