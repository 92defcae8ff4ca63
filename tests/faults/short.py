#!/usr/bin/env python3
"""Runs gridmill with reads and writes that are short, interrupted or torn at random (short.c), with a seed for each run.

Short counts, EINTR and EAGAIN must make no difference: the exit code and the bytes are the same. If a write is torn and the disk is full from
then on, the run must fail as docs/RELIABILITY.md promises. Prints a table of counts, and exits with 1 if anything did not hold.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import promises
import scenarios as common

MODES = ["short", "named", "torn", "torn-named"]


def judge(place, scenario, base, seed, mode, tool):
    place.prepare(scenario)
    log = place.folder.parent / (place.folder.name + ".changed")
    # The tool reports to descriptor 9 how many calls it changed.
    tell = ["sh", "-c", 'exec 9> "$0"; exec "$@"', str(log), tool, str(seed), mode, "--"]
    done = place.run(scenario, tell)
    changed = int(log.read_text() or 0)
    if mode.startswith("torn") and done.code != base.code:
        bad = promises.violations(scenario, base, place, done)
    else:
        bad = promises.violations(scenario, base, place, done)
        if done.code != base.code:
            bad.append(f"exit code {done.code}, not {base.code}")
        if "stderr" not in scenario.outputs and done.stderr != b"" and "report" not in scenario.loose and base.code == 0:
            bad.append("words on stderr")
    return mode, scenario.name, seed, changed, done.code == base.code, bad, done.stderr


def worker(job):
    program, data, folder, scenario, base, seeds, mode, tool = job
    place = common.Place(program, data, folder / f"run-{os.getpid()}")
    return [judge(place, scenario, base, seed, mode, tool) for seed in seeds]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=common.default_program(), help="the program (default: target/release/gridmill)")
    parser.add_argument("--work", default=tempfile.gettempdir(), help="the folder, and so the file system, to work in")
    parser.add_argument("--seeds", type=int, default=1000, help="runs in all")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if platform.machine() != "x86_64":
        print("skipped: short.c knows the registers of x86-64 alone")
        return
    work = pathlib.Path(tempfile.mkdtemp(prefix="short-", dir=options.work))
    begun = time.monotonic()
    counts, bad, seen = collections.Counter(), collections.Counter(), set()
    try:
        tool = str(work / "short")
        source = pathlib.Path(__file__).with_name("short.c")
        subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", tool, str(source)], check=True)
        data = common.make_data(os.path.abspath(options.bin), work / "data")
        place = common.Place(options.bin, data, work / "baseline")
        bases = [(scenario, common.Baseline(place, scenario)) for scenario in common.scenarios()]
        cases = [(scenario, base, mode) for scenario, base in bases for mode in MODES]
        jobs, seed = [], 1
        while seed <= options.seeds:
            for scenario, base, mode in cases:
                seeds = range(seed, min(seed + 5, options.seeds + 1))
                seed += 5
                if seeds:
                    jobs.append((options.bin, data, work, scenario, base, seeds, mode, tool))
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            waiting, queue = set(), iter(jobs)
            while True:
                while len(waiting) < 2 * options.jobs and time.monotonic() - begun < options.seconds and (job := next(queue, None)):
                    waiting.add(pool.submit(worker, job))
                if not waiting:
                    break
                finished, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for mode, name, seed, changed, good, wrong, stderr in (r for f in finished for r in f.result()):
                    counts[mode, "runs"] += 1
                    counts[mode, "calls changed"] += changed
                    counts[mode, "good" if good else "refused"] += 1
                    counts[mode, "violations"] += bool(wrong)
                    bad[name] += bool(wrong)
                    for one in wrong:
                        if (name, mode, one[:40]) not in seen:
                            seen.add((name, mode, one[:40]))
                            print(f"VIOLATION {name} [{mode}, seed {seed}]: {one} | {stderr[-300:]!r}", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    columns = ["runs", "calls changed", "good", "refused", "violations"]
    print(f"\n{'mode':14}" + "".join(f"{c:>16}" for c in columns))
    for mode in MODES:
        print(f"{mode:14}" + "".join(f"{counts[mode, c]:16}" for c in columns))
    runs, wrong = (sum(counts[mode, c] for mode in MODES) for c in ("runs", "violations"))
    print(f"{runs} runs, {wrong} with violations, in {time.monotonic() - begun:.0f} s, kernel {os.uname().release}")
    sys.exit(1 if wrong or not runs else 0)


if __name__ == "__main__":
    main()
