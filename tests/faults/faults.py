#!/usr/bin/env python3
"""Makes system calls of gridmill fail, one after another, and checks the promises of docs/RELIABILITY.md after each run.

strace makes the Nth call of a name return an error (once, or from then on), or kills the program there. Without --long, runs a
sample that fits in --seconds; with it, every N, every error and every command. Prints a table of counts, and
exits with 1 if a promise was broken.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import scenarios as common

ERRORS = ["EIO", "ENOSPC", "EINTR", "EMFILE", "ENOMEM", "EDQUOT"]
# The calls that are made to fail. A scenario skips those that it does not make.
CALLS = """write pwrite64 read pread64 mmap mremap mprotect munmap madvise fsync fdatasync renameat renameat2 rename linkat
    unlink unlinkat openat fallocate ftruncate statx newfstatat fstat clone3 fchmod fchown lseek getdents64 faccessat2 access
    readlink fcntl flock poll pipe2 socketpair fstatfs""".split()
# The calls at which the program is killed: those that change files, and some between them.
KILLS = """write pwrite64 fsync fdatasync renameat renameat2 linkat unlink unlinkat openat fallocate ftruncate fchmod fchown
    munmap statx""".split()


@dataclasses.dataclass(frozen=True)
class Fault:
    call: str
    how: str  # error=E or signal=KILL
    when: str  # N or N+
    before_main: bool  # so early that it meets the loader or the runtime of Rust

    def options(self):
        return ["-e", f"trace={self.call}", "-e", f"inject={self.call}:{self.how}:when={self.when}"]

    def __str__(self):
        return f"{self.call} {self.how} when={self.when}"


def strace(fault, named):
    # strace 6.1 sends no signal if it compiles a filter, which would be faster.
    faster = [] if "signal" in fault.how else ["--seccomp-bpf"]
    return ["strace", "-f", "-qq", *faster, "-o", "/dev/null", *named, *fault.options()]


def calls(place, scenario):
    """How often the busiest thread makes each call, and how many of these calls the first thread makes before main."""
    place.prepare(scenario)
    log = place.folder.parent / (place.folder.name + ".log")
    # Without a compiled filter, strace reports all calls.
    place.run(scenario, ["strace", "-f", "-qq", "-o", str(log)])
    per = collections.Counter()
    early = collections.Counter()
    first, begun, unnamed = None, False, 0
    for line in log.read_text(errors="replace").splitlines():
        match = re.match(r"(\d+) +(\w+)\(", line)
        if not match:
            continue
        thread, call = match.groups()
        first = first or thread
        per[call, thread] += 1
        if thread == first and call == "openat" and "O_TMPFILE" in line and scenario.outputs[0] in scenario.args and not unnamed:
            unnamed = per[call, thread]
        if not begun and thread == first:
            early[call] += 1
        # The last thing before main is the runtime's stack for signals.
        begun = begun or (thread == first and "sigaltstack({" in line)
    log.unlink()
    most = collections.Counter()
    for (call, _), count in per.items():
        most[call] = max(most[call], count)
    return most, early, unnamed


def faults_of(most, early, kill):
    """All faults of a scenario."""
    for call in KILLS if kill else CALLS:
        for n in range(1, most[call] + 1):
            before = n <= early[call]
            if kill:
                yield Fault(call, "signal=KILL", str(n), before)
                continue
            for error in ERRORS:
                yield Fault(call, f"error={error}", str(n), before)
            for error in ["EIO", "ENOMEM"]:
                yield Fault(call, f"error={error}", f"{n}+", before)


@dataclasses.dataclass
class Result:
    group: str
    scenario: str
    fault: Fault
    outcome: str
    bad: list
    stderr: bytes


def judge(place, scenario, base, fault, named):
    """One run."""
    place.prepare(scenario)
    killed = "KILL" in fault.how
    done = place.run(scenario, strace(fault, named))
    # The call that fails may be the one that writes the message, since calls are counted for each thread.
    deaf = fault.call == "write"
    bad = common.violations(scenario, base, place, done, killed, deaf)
    # If the program has not begun, only its exit code and messages may differ.
    if fault.before_main and not killed:
        harmless = ("dies with", "says panicked", "exit code", "no message", "says BACKTRACE", "the message names no file")
        bad = [one for one in bad if not one.startswith(harmless)]
    # Files that cannot be removed stay, and so does the file of a lock that was not obtained, since another run may
    # have it.
    if fault.call in ("unlink", "unlinkat") or b"cannot lock it" in done.stderr:
        bad = [one for one in bad if one not in ("a lock is left", "a temporary is left")]
    left = any(common.TEMPORARY.search(name) for name in done.files)
    if killed or scenario.kind == "database":
        bad += common.again(scenario, base, place)
    good = done.code == base.code
    outcome = "before main" if fault.before_main else "left by a kill" if killed and left else "good" if good else "refused"
    group = "SIGKILL" if killed else "from then on" if fault.when.endswith("+") else "once"
    return Result(group, scenario.name, fault, outcome, bad, done.stderr)


def worker(job):
    program, data, folder, scenario, base, faults, named = job
    place = common.Place(program, data, folder / f"run-{os.getpid()}")
    return [judge(place, scenario, base, fault, named) for fault in faults]


def jobs_of(options, data, work, rng):
    place = common.Place(options.bin, data, work / "baseline")
    for scenario in common.column_scenarios() if options.columns else common.scenarios():
        if not re.search(options.only, scenario.name):
            continue
        base = common.Baseline(place, scenario)
        most, early, unnamed = calls(place, scenario)
        variants = [(scenario, [], False), (scenario, [], True)]
        if scenario.name in ("new", "replaced") and unnamed:
            # As on a file system that does not support files without a name.
            other = dataclasses.replace(scenario, name=f"{scenario.name}, named")
            named = ["-e", f"inject=openat:error=EOPNOTSUPP:when={unnamed}"]
            variants.append((other, named, False))
        for variant, named, kill in variants:
            faults = [fault for fault in faults_of(most, early, kill) if not (named and fault.call == "openat")]
            if options.calls:
                faults = [fault for fault in faults if fault.call in options.calls.split(",")]
            # A sample includes some of every call; a complete run is in the order of the calls.
            if not options.long:
                rng.shuffle(faults)
            for at in range(0, len(faults), 20):
                yield at, (options.bin, data, work, variant, base, faults[at : at + 20], named)


def table(counts, bad):
    columns = ["good", "refused", "before main", "left by a kill"]
    print(f"\n{'fault':14}{'command':24}" + "".join(f"{c:>16}" for c in ["runs", *columns, "violations"]))
    total = collections.Counter()
    for group, name in sorted({key[:2] for key in counts}):
        row = [counts[group, name, column] for column in columns]
        wrong = bad[group, name]
        print(f"{group:14}{name:24}" + "".join(f"{c:16}" for c in [sum(row), *row, wrong]))
        for column, count in zip(columns, row):
            total[column] += count
        total["violations"] += wrong
    row = [total[column] for column in columns]
    print(f"{'':14}{'all':24}" + "".join(f"{c:16}" for c in [sum(row), *row, total["violations"]]))
    return sum(row), total["violations"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=common.default_program(), help="the program (default: target/release/gridmill)")
    parser.add_argument("--work", default=tempfile.gettempdir(), help="the folder, and so the file system, to work in")
    parser.add_argument("--long", action="store_true", help="everything; else a sample")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many (default: 90, with --long never)")
    parser.add_argument("--columns", action="store_true", help="Parquet and Arrow files (needs --features parquet and pyarrow) instead of all else")
    parser.add_argument("--only", default="", help="commands whose names match this")
    parser.add_argument("--calls", default="", help="only these calls, with commas")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    limit = options.seconds or (float("inf") if options.long else 90)
    rng = random.Random(options.seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="faults-", dir=options.work))
    begun = time.monotonic()
    counts, bad, seen, cut = collections.Counter(), collections.Counter(), set(), 0
    try:
        data = common.make_data(options.bin, work / "data", options.columns)
        all_jobs = list(jobs_of(options, data, work, rng))
        # If time is short, faults are left out evenly. A sample begins with some of every command.
        rng.shuffle(all_jobs)
        if not options.long:
            all_jobs.sort(key=lambda job: job[0])
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            waiting, queue = set(), iter([job for _, job in all_jobs])
            while True:
                while len(waiting) < 2 * options.jobs and time.monotonic() - begun < limit and (job := next(queue, None)):
                    waiting.add(pool.submit(worker, job))
                if not waiting:
                    break
                finished, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for result in (result for future in finished for result in future.result()):
                    counts[result.group, result.scenario, result.outcome] += 1
                    bad[result.group, result.scenario] += bool(result.bad)
                    for one in result.bad:
                        key = (result.scenario, result.fault.call, one[:40])
                        if key not in seen:
                            seen.add(key)
                            print(f"VIOLATION {result.scenario} [{result.fault}]: {one} | {result.stderr[-300:]!r}", flush=True)
            cut = sum(len(job[5]) for job in queue)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    runs, wrong = table(counts, bad)
    kind = subprocess.run(["stat", "-f", "-c", "%T", options.work], capture_output=True, text=True).stdout.strip()
    rest = f"; {cut} not tried" if cut else ""
    print(f"{runs} runs, {wrong} with violations, in {time.monotonic() - begun:.0f} s on {kind}, kernel {os.uname().release}{rest}")
    sys.exit(1 if wrong or not runs else 0)


if __name__ == "__main__":
    main()
