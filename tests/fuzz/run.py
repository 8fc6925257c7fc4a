"""Runs libFuzzer targets, two at a time, each with its seed corpus and its dictionary.

--seconds explores: new inputs are kept in BUILD/corpus/TARGET, from which the next run continues.
--inputs tries that many inputs with a fixed random seed, which gives nearly the same inputs each time, so that a change
is not rejected for random findings in unrelated code.

An input that fails is written to BUILD/failures/ and the command that repeats it is printed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def fuzz(target, build, limits, found):
    """Whether the target found no failure within the limits, which are options of libFuzzer. New inputs are written
    to the folder `found`."""
    program = build / "tests" / "fuzz" / f"{target}_fuzz"
    if not program.exists():
        print(f"{target}: {program} is not built; run ./dev fuzz", file=sys.stderr)
        return False
    failures = build / "failures"
    found.mkdir(parents=True, exist_ok=True)
    failures.mkdir(parents=True, exist_ok=True)
    command = [
        str(program),
        *limits,
        f"-artifact_prefix={failures}/{target}-",
        "-timeout=10",  # an input of a few kilobytes that takes longer is a finding
        "-rss_limit_mb=2048",
        "-max_len=16384",
        "-print_final_stats=1",
    ]
    dictionary = HERE / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    command.append(str(found))  # the first folder takes the discoveries
    seeds = HERE / "corpus" / target
    if seeds.is_dir():
        command.append(str(seeds))
    log = build / f"{target}.log"
    symbolizer = shutil.which("llvm-symbolizer-19") or ""
    environment = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1", ASAN_SYMBOLIZER_PATH=symbolizer)
    start = time.monotonic()
    with log.open("wb") as output:
        status = subprocess.run(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment
        ).returncode
    text = log.read_text(errors="replace")
    if status == 0:
        runs = next((s.split()[-1] for s in text.splitlines() if "number_of_executed" in s), "?")
        print(f"{target}: {runs} inputs in {time.monotonic() - start:.0f} s, none failed")
        return True
    # Without libFuzzer's progress, which has thousands of lines.
    print("\n".join(line for line in text.splitlines() if not line.startswith("#"))[-6000:])
    written = re.search(r"Test unit written to (\S+)", text)
    print(f"{target}: FAILED; to repeat: {program} {written.group(1) if written else ''}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="the fuzzers' build folder")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--seconds", type=int, help="explore for that long")
    limit.add_argument("--inputs", type=int, help="try that many, from a fixed seed")
    parser.add_argument("targets", nargs="*", help="such as yaml; default: all")
    options = parser.parse_args()
    known = sorted(path.stem.removesuffix("_fuzz") for path in HERE.glob("*_fuzz.cpp"))
    for target in options.targets:
        if target not in known:
            parser.error(f"no fuzzer is called '{target}'; there are: {', '.join(known) or 'none'}")
    build = options.build.resolve()

    def run(target):
        if options.seconds is not None:
            limits = [f"-max_total_time={options.seconds}"]
            return fuzz(target, build, limits, build / "corpus" / target)
        with tempfile.TemporaryDirectory() as found:
            # Compared values contain addresses, which differ between runs, so they are not used to create inputs.
            limits = [f"-runs={options.inputs}", "-seed=1", "-use_cmp=0"]
            return fuzz(target, build, limits, Path(found))

    with ThreadPoolExecutor(max_workers=2) as pool:
        fine = list(pool.map(run, options.targets or known))
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
