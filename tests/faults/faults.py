#!/usr/bin/env python3
"""Makes system calls of gridmill fail, one after another, and checks the promises of docs/RELIABILITY.md after each run.

nth.c makes the Nth call of a name, in whichever thread, return an error (once, or from then on), or kills the program there. Without
--long, runs a sample that fits in --seconds; with it, every N, every error and every command. Prints tables of counts, and exits with 1 if
a promise was broken.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import promises
import scenarios as common

ERRORS = ["EIO", "ENOSPC", "EINTR", "EMFILE", "ENOMEM", "EDQUOT"]
# The calls that are made to fail. A scenario skips those that it does not make.
CALLS = """write pwrite64 read pread64 mmap mremap mprotect munmap madvise fsync fdatasync renameat renameat2 rename link linkat
    unlink unlinkat open openat close fallocate ftruncate statx stat lstat newfstatat fstat clone clone3 fchmod chown fchown lseek
    getdents64 faccessat2 access readlink fcntl flock poll pipe2 socketpair fstatfs statfs recvfrom sendto getrandom rt_sigaction ioctl
    copy_file_range lgetxattr llistxattr fgetxattr fsetxattr fremovexattr""".split()
# The calls before which the program is killed.
KILLS = [*CALLS, "exit_group"]
# The commands that are also run as on a file system without unnamed files.
NAMED = ["new", "replaced", "replaced, 2 threads", "pipe to zstd", "validate", "dedupe, rejects", "gen", "relink", "show --svg, several",
         "sqlite, backup", "columns, parquet", "columns, dedupe"]


@dataclasses.dataclass(frozen=True)
class Fault:
    call: str
    how: str  # an error, or KILL
    when: str  # N or N+
    before_main: bool  # so early that it meets the loader or the runtime of Rust

    def __str__(self):
        return f"{self.call} {self.how} {self.when}"


@dataclasses.dataclass
class Met:
    """Where a fault happened."""

    thread: str = ""  # before (main), first, other or never
    descriptor: int = -1  # the first argument of the call


class Nth:
    """nth.c, which counts the calls of all threads together."""

    can_refuse_unnamed = True

    def __init__(self, work):
        self.tool = str(work / "nth")
        source = pathlib.Path(__file__).with_name("nth.c")
        subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", self.tool, str(source)], check=True)

    def _run(self, place, scenario, named, words):
        log = place.folder.parent / (place.folder.name + ".met")
        # The tool reports to descriptor 9.
        tell = ["sh", "-c", 'exec 9> "$0"; exec "$@"', str(log), self.tool, *(["named"] if named else []), *words, "--"]
        done = place.run(scenario, tell)
        return done, log.read_text()

    def calls(self, place, scenario, named):
        """How often the command makes each call, and how many of these come before main."""
        place.prepare(scenario)
        _, text = self._run(place, scenario, named, ["count"])
        counts = {call: (int(count), int(early)) for call, count, early, _ in map(str.split, text.splitlines())}
        return {call: of[0] for call, of in counts.items()}, {call: of[1] for call, of in counts.items()}

    def disturb(self, place, scenario, fault, named):
        done, text = self._run(place, scenario, named, [fault.call, fault.when, fault.how])
        thread, *descriptor = text.split() or ["never"]
        return done, Met(thread, int(descriptor[0]) if descriptor else -1)


class Strace:
    """strace, which counts the calls of each thread separately, and works on any processor."""

    can_refuse_unnamed = False

    def calls(self, place, scenario, _named):
        place.prepare(scenario)
        log = place.folder.parent / (place.folder.name + ".log")
        # Without a compiled filter, strace reports all calls.
        place.run(scenario, ["strace", "-f", "-qq", "-o", str(log)])
        per, early, most = collections.Counter(), collections.Counter(), collections.Counter()
        first, begun = None, False
        for line in log.read_text(errors="replace").splitlines():
            match = re.match(r"(\d+) +(\w+)\(", line)
            if not match:
                continue
            thread, call = match.groups()
            first = first or thread
            per[call, thread] += 1
            if not begun and thread == first:
                early[call] += 1
            # The last thing before main is the runtime's stack for signals.
            begun = begun or (thread == first and "sigaltstack({" in line)
        log.unlink()
        for (call, _), count in per.items():
            most[call] = max(most[call], count)
        return most, early

    def disturb(self, place, scenario, fault, _named):
        # strace 6.1 sends no signal if it compiles a filter, which would be faster.
        how, faster = ("signal=KILL", []) if fault.how == "KILL" else (f"error={fault.how}", ["--seccomp-bpf"])
        options = ["-e", f"trace={fault.call}", "-e", f"inject={fault.call}:{how}:when={fault.when}"]
        done = place.run(scenario, ["strace", "-f", "-qq", *faster, "-o", "/dev/null", *options])
        # Any write may be the one of the message.
        return done, Met("before" if fault.before_main else "", 2 if fault.call == "write" else -1)


def faults_of(counts, early, kill):
    """All faults of a scenario."""
    for call in KILLS if kill else CALLS:
        for n in range(1, counts.get(call, 0) + 1):
            before = n <= early.get(call, 0)
            if kill:
                yield Fault(call, "KILL", str(n), before)
                continue
            for error in ERRORS:
                yield Fault(call, error, str(n), before)
            for error in ["EIO", "ENOMEM"]:
                yield Fault(call, error, f"{n}+", before)


@dataclasses.dataclass
class Result:
    group: str
    scenario: str
    fault: Fault
    met: Met
    outcome: str
    bad: list
    stderr: bytes


def judge(tool, place, scenario, base, fault, named):
    """One run."""
    place.prepare(scenario)
    done, met = tool.disturb(place, scenario, fault, named)
    # A run with several threads may make fewer calls than the one in which they were counted.
    killed = fault.how == "KILL" and met.thread != "never"
    # The call that fails may be the one that writes the message.
    deaf = fault.call == "write" and met.descriptor == 2
    bad = promises.violations(scenario, base, place, done, killed, deaf, named)
    # If the program has not begun, only its exit code and messages may differ.
    if met.thread == "before" and not killed:
        harmless = ("dies with", "says panicked", "exit code", "no message", "says BACKTRACE", "the message does not")
        bad = [one for one in bad if not one.startswith(harmless)]
    # Files that cannot be removed stay, and so does the file of a lock that was not obtained, since another run may
    # have it.
    if fault.call in ("unlink", "unlinkat") or b"cannot lock it" in done.stderr:
        bad = [one for one in bad if one not in ("a lock is left", "a temporary is left")]
    left = any(common.TEMPORARY.search(name) for name in done.files)
    if killed or scenario.kind == "database":
        bad += promises.again(scenario, base, place)
    good = done.code == base.code
    if met.thread in ("before", "never"):
        outcome = {"before": "before main", "never": "not met"}[met.thread]
        if outcome == "not met" and not good:
            bad.append(f"exit code {done.code} without a fault")
    else:
        outcome = "left by a kill" if killed and left else "good" if good else "refused"
    group = "SIGKILL" if fault.how == "KILL" else "from then on" if fault.when.endswith("+") else "once"
    return Result(group, scenario.name + (", named" if named else ""), fault, met, outcome, bad, done.stderr)


def worker(job):
    tool, program, data, folder, scenario, base, faults, named = job
    place = common.Place(program, data, folder / f"run-{os.getpid()}")
    return [judge(tool, place, scenario, base, fault, named) for fault in faults]


def jobs_of(tool, options, data, work, rng):
    place = common.Place(options.bin, data, work / "baseline")
    for scenario in common.column_scenarios() if options.columns else common.scenarios():
        if not re.search(options.only, scenario.name):
            continue
        base = common.Baseline(place, scenario)
        # The second time, as on a file system that does not support files without a name.
        for named in [False, True] if scenario.name in NAMED and tool.can_refuse_unnamed else [False]:
            if options.named and not named:
                continue
            counts, early = tool.calls(place, scenario, named)
            faults = [fault for kill in (False, True) for fault in faults_of(counts, early, kill)]
            if options.calls:
                faults = [fault for fault in faults if fault.call in options.calls.split(",")]
            # A sample includes some of every call; a complete run is in the order of the calls.
            if not options.long:
                rng.shuffle(faults)
            for at in range(0, len(faults), 20):
                yield at, (tool, options.bin, data, work, scenario, base, faults[at : at + 20], named)


def table(counts, bad):
    columns = ["good", "refused", "before main", "not met", "left by a kill"]
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


def thread_table(threads):
    """How many faults were met by which thread after main began."""
    print(f"\n{'call':18}{'first thread':>16}{'other threads':>16}")
    for call in sorted({call for call, _ in threads}):
        print(f"{call:18}" + "".join(f"{threads[call, thread]:16}" for thread in ("first", "other")))
    sums = [sum(count for (_, thread), count in threads.items() if thread == of) for of in ("first", "other")]
    print(f"{'all':18}{sums[0]:16}{sums[1]:16}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=common.default_program(), help="the program (default: target/release/gridmill)")
    parser.add_argument("--work", default=tempfile.gettempdir(), help="the folder, and so the file system, to work in")
    parser.add_argument("--long", action="store_true", help="everything; else a sample")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many (default: 90, with --long never)")
    parser.add_argument("--columns", action="store_true", help="Parquet and Arrow files (needs --all-features and pyarrow) instead of all else")
    parser.add_argument("--only", default="", help="commands whose names match this")
    parser.add_argument("--calls", default="", help="only these calls, with commas")
    parser.add_argument("--named", action="store_true", help="only as on a file system without unnamed files")
    parser.add_argument("--strace", action="store_true", help="use strace, which counts the calls of each thread separately")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    limit = options.seconds or (float("inf") if options.long else 90)
    rng = random.Random(options.seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="faults-", dir=options.work))
    begun = time.monotonic()
    counts, bad, threads, seen, cut = collections.Counter(), collections.Counter(), collections.Counter(), set(), 0
    try:
        data = common.make_data(options.bin, work / "data", options.columns)
        if platform.machine() != "x86_64" and not options.strace:
            print("nth.c knows the registers of x86-64 alone, so strace is used")
            options.strace = True
        tool = Strace() if options.strace else Nth(work)
        all_jobs = list(jobs_of(tool, options, data, work, rng))
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
                    if result.met.thread in ("first", "other"):
                        threads[result.fault.call, result.met.thread] += 1
                    for one in result.bad:
                        key = (result.scenario, result.fault.call, one[:40])
                        if key not in seen:
                            seen.add(key)
                            print(f"VIOLATION {result.scenario} [{result.fault}]: {one} | {result.stderr[-300:]!r}", flush=True)
            cut = sum(len(job[6]) for job in queue)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if threads:
        thread_table(threads)
    runs, wrong = table(counts, bad)
    kind = subprocess.run(["stat", "-f", "-c", "%T", options.work], capture_output=True, text=True).stdout.strip()
    rest = f"; {cut} not tried" if cut else ""
    print(f"{runs} runs, {wrong} with violations, in {time.monotonic() - begun:.0f} s on {kind}, kernel {os.uname().release}{rest}")
    sys.exit(1 if wrong or not runs else 0)


if __name__ == "__main__":
    main()
