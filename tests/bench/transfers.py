"""wheelrun's transfers beside s5cmd and aws: the same files, the same server, the same run, interleaved.

The server is versitygw on this machine, so both ends share its cores: what is measured is the work of a tool, and of
the server for it, more than a network.
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
ROUNDS = 5  # as long as there is time: the first of each set is always done
SECONDS = 480  # for all sets, alike; what is left is for the build and for files that take longer than those before
# Uploads; downloads of what s5cmd sent, of what aws sent in parts, and of what wheelrun sent. It checks all of them, by
# the sum that the server has.
WAYS = ("up", "down", "aws", "own")


class NoGithub(http.server.BaseHTTPRequestHandler):
    """Answers at once that there is nothing: no benchmark waits for the world."""

    def do_GET(self):
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def make_files(folder, sizes):
    """Named so that all three tools and both directions take them."""
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
    """How far it is, on stderr, and how long it may take: for a while nothing else is seen."""

    def __init__(self, sets, seconds):
        self.started = time.monotonic()
        self.end = self.started + seconds
        self.sets = sets

    def say(self, text):
        print(f"[{time.monotonic() - self.started:4.0f} s] {text}", file=sys.stderr, flush=True)

    def share(self):
        """When the set that begins now has to be done, so that those behind it have as much."""
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
           "S3_ENDPOINT_URL": server.url}  # the last is s5cmd's
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
        """ext4 takes long to make files soon after thousands were removed, whoever makes them; so those stay for now."""
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
        os.sync()  # what was removed and copied before is not this tool's work
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
        # Whoever comes first finds the machine as the work before left it, so each does in turn.
        order = [*tools][number % 3:] + [*tools][: number % 3]
        for tool in order:
            empty()
            note(tool, "up", tools[tool][0])
        empty()
        run([s5cmd, "--log", "error", "cp", f"{files}/*", there])
        for tool in order:
            fetch(tool, "down", tools[tool][1])
        if len(sizes) < 100:  # those of the large set are too small for parts
            empty()
            run([s3.AWS, "s3", "cp", "--quiet", "--recursive", files, there])
            for tool in order:
                if tool != "aws":
                    fetch(tool, "aws", tools[tool][1])
        # The same as wheelrun sent them.
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
    """A row of numbers for each set of files; prints them as they come. Each set gets one round at the least."""
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
