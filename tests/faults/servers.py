#!/usr/bin/env python3
"""Interrupts migrations of databases at random moments: kills the server (kill -9, then restarts it), the connection, or the program.

Starts servers of its own (databases.py). After each fault every row must have its old string or its new one. The migration is run again
until it is complete. Then the table must be the converted original, the backup must list every written row exactly once, and `restore`,
which is interrupted in the same ways, must give the original byte for byte. In some rounds another session changes a hundred random rows a
second meanwhile; in others two migrations are started at the same time. Prints a table of counts, and exits with 1 if anything did not hold.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from databases import ConnectionLost, Mysql, Postgres, Sqlite, wait_for

TABLE = ["--table", "boards", "--column", "bd"]
FAULTS = {"postgres": ["server", "connection", "process"], "mysql": ["server", "connection", "process"], "sqlite": ["process"]}


class Writer(threading.Thread):
    """Changes a hundred random rows a second, and records the possible values of each."""

    def __init__(self, server, old, others):
        super().__init__()
        self.server, self.others, self.over = server, others, threading.Event()
        self.latest, self.changes = {n: {string} for n, string in enumerate(old, 1)}, 0

    def run(self):
        client, rng = None, random.Random(1)
        while not self.over.is_set():
            row, string = rng.randrange(len(self.latest)) + 1, rng.choice(self.others)
            try:
                client = client or self.server.client()
                client.run(f"UPDATE boards SET bd = '{string}' WHERE id = {row}")
                self.latest[row] = {string}
                self.changes += 1
            except (ConnectionLost, sqlite3.OperationalError):
                # The statement may have been committed nevertheless.
                self.latest[row].add(string)
                client = None
            self.over.wait(0.01)

    def end(self):
        self.over.set()
        self.join()


class Rounds:
    """All rounds with one database. A round migrates a table and restores it."""

    def __init__(self, server, options, rng, work):
        self.server, self.program, self.rng, self.work = server, os.path.abspath(options.bin), rng, work
        self.batch = str(options.batch)
        self.seconds = {"migrate": 1.0, "restore": 1.0}
        self.counts, self.bad, self.number = collections.Counter(), [], 0
        self.old = self.strings(options.rows, 7)
        self.old[7::100] = ["bad"] * len(self.old[7::100])
        self.others = self.strings(500, 8)
        self.new = dict(zip(self.others, self.converted(self.others)))
        good = [string for string in self.old if string != "bad"]
        self.new.update(zip(good, self.converted(good)), bad="bad")

    def strings(self, count, seed):
        command = [self.program, "gen", "-q", "--format", "v1", "--count", str(count), "--seed", str(seed), "--mix", "progress", "--lossy"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    def converted(self, strings):
        text = "".join(f"{string}\n" for string in strings)
        return subprocess.run([self.program, "convert", "-q"], input=text, check=True, capture_output=True, text=True).stdout.split()

    def prepare(self, lose_the_last=False):
        client = self.server.client()
        self.server.lose_the_last(client, False)
        client.end()
        client = self.server.client()
        rows = [f"({n}, '{string}')" for n, string in enumerate(self.old, 1)]
        statements = ["DROP TABLE IF EXISTS boards", "DROP TABLE IF EXISTS gridmill_migration", "CREATE TABLE boards (id INTEGER PRIMARY KEY, bd VARCHAR(400))"]
        statements += [f"INSERT INTO boards VALUES {', '.join(rows[at:at + 500])}" for at in range(0, len(rows), 500)]
        client.run(";\n".join(statements))
        if lose_the_last:
            self.server.lose_the_last(client, True)
        client.end()

    def table(self, client):
        rows = client.run("SELECT id, bd FROM boards ORDER BY id")
        if [row[0] for row in rows] != [str(n) for n in range(1, len(self.old) + 1)]:
            self.fail("rows are missing or occur twice")
        return [row[1] for row in rows]

    def fail(self, what):
        self.bad.append(f"{self.server.name}, round {self.number}: {what}")
        print(f"VIOLATION {self.bad[-1]}", flush=True)

    def start(self, command, stderr=subprocess.PIPE):
        return subprocess.Popen([self.program, *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True)

    def go_through(self, command, how, faults, check):
        """Runs a command until it succeeds, with a number of faults on the way."""
        what = command[1] if command[1] == "restore" else "migrate"
        for left in [*range(faults, 0, -1), 0, 0]:
            begun, process = time.monotonic(), self.start(command)
            if left:
                time.sleep(self.rng.uniform(0, self.seconds[what]))
                self.strike(how, process)
            words = process.communicate()[1]
            if not left:
                process, words = self.when_free(command, process, words)
            if not faults:
                self.seconds[what] = time.monotonic() - begun
            elif left:
                # Faults should hit a run before its end, whose time varies with the load of the machine.
                self.seconds[what] *= 0.8 if process.returncode in (0, 1) else 1.03
            if process.returncode in (0, 1):
                # A killed server may have lost what it had reported as committed.
                if left and how == "server":
                    continue
                return
            if "has the rows of an earlier run" in words and how == "server":
                # The server has lost even the first entry of the journal, so all rows are old.
                self.begin_anew(command)
                continue
            self.counts[how, f"{what} ended"] += 1
            if not left or process.returncode not in (2, -signal.SIGKILL):
                self.fail(f"{' '.join(command[:2])} ends with {process.returncode}: {words[-300:]}")
                return
            check()

    def when_free(self, command, process, words):
        """Repeats a command while it is refused. A server takes a moment to notice that a program was killed."""
        until = time.monotonic() + 300
        while process.returncode == 2 and "another migration is running" in words and time.monotonic() < until:
            self.counts["process", "told to wait"] += 1
            time.sleep(0.2)
            process = self.start(command)
            words = process.communicate()[1]
        return process, words

    def strike(self, how, process):
        if how == "process":
            process.kill()
        elif how == "server":
            self.server.kill()
            process.wait()
            self.server.start()
        else:
            self.server.cut()

    def begin_anew(self, command):
        client = self.server.client()
        if self.table(client) != self.old:
            self.fail("the journal is lost, but written rows are not")
        client.end()
        os.unlink(command[command.index("--backup") + 1])
        self.counts["server", "begun anew"] += 1

    def half_way(self):
        """Checks that every row has its old string or its new one."""
        client = self.server.client()
        for old, now in zip(self.old, self.table(client)):
            if now not in (old, self.new[old]):
                self.fail(f"a row holds {now[:80]!r}")
        client.end()

    def round(self, how, faults):
        self.number += 1
        self.prepare(how == "server" and self.rng.random() < 0.5)
        backup = self.work / f"{self.server.name}-{self.number}.zst"
        migrate = ["migrate", self.server.name, self.server.place, *TABLE, "--yes", "--batch", self.batch, "--backup", backup]
        self.go_through(migrate, how, faults, self.half_way)
        client = self.server.client()
        if self.table(client) != [self.new[old] for old in self.old]:
            self.fail("the table is not the converted original")
        client.end()
        self.look_into(backup)
        self.go_through(["migrate", "restore", backup, self.server.place, "--yes"], how, faults, self.half_way)
        client = self.server.client()
        if self.table(client) != self.old:
            self.fail("the table is not the original again")
        client.end()
        backup.unlink()
        self.counts[how, "rounds"] += 1

    def look_into(self, backup):
        """Checks that the backup lists every written row exactly once."""
        lines = subprocess.run(["zstd", "-dcq", backup], capture_output=True, text=True).stdout.splitlines()
        rows = [line for line in map(json.loads, lines[1:]) if "old" in line]
        listed = {int(next(iter(row["key"].values()))): row["old"] for row in rows}
        want = {n: old for n, old in enumerate(self.old, 1) if old != "bad"}
        if listed != want or len(rows) != len(want):
            self.fail("the backup is not complete")

    def with_a_writer(self, how):
        """Others change rows during the migration. At the end each row is the conversion of its last string, and a restore gives that string back."""
        self.number += 1
        self.prepare()
        backup, rest = (self.work / f"{self.server.name}-{self.number}-{name}.zst" for name in ("first", "rest"))
        writer = Writer(self.server, self.old, self.others)
        writer.start()
        migrate = ["migrate", self.server.name, self.server.place, *TABLE, "--yes", "--batch", self.batch]
        self.go_through([*migrate, "--rate", str(2 * len(self.old) // 3), "--backup", backup], how, 1, lambda: None)
        writer.end()
        self.counts[how, "changes of others"] += writer.changes
        self.final(writer, lambda string: {string, self.new[string]})
        self.go_through([*migrate, "--backup", rest], how, 0, lambda: None)
        self.final(writer, lambda string: {self.new[string]})
        for file in (rest, backup):
            if file.exists():
                self.go_through(["migrate", "restore", file, self.server.place, "--yes"], how, 0, lambda: None)
        self.final(writer, lambda string: {string})
        self.counts[how, "with a writer"] += 1

    def final(self, writer, may_be):
        client = self.server.client()
        for n, now in enumerate(self.table(client), 1):
            if not any(now in may_be(string) for string in writer.latest[n]):
                self.fail(f"row {n} holds {now[:80]!r}")
        client.end()

    def two_at_once(self):
        self.number += 1
        self.prepare()
        migrate = ["migrate", self.server.name, self.server.place, *TABLE, "--yes", "--batch", self.batch, "--rate", str(2 * len(self.old))]
        both = [self.start(migrate) for _ in range(2)]
        for process in both:
            words = process.communicate()[1]
            refused = process.returncode == 2 and "another migration is running" in words
            self.counts["two at once", "stopped with the reason"] += refused
            if process.returncode != 1 and not refused:
                self.fail(f"one of two ends with {process.returncode}: {words[-300:]}")
        client = self.server.client()
        if self.table(client) != [self.new[old] for old in self.old]:
            self.fail("the table is not the converted original")
        client.end()
        self.counts["two at once", "rounds"] += 1


def with_a_replica(rounds, work, servers):
    """A migration waits for a replica that lags, or whose lag is unknown, and continues when it has caught up."""
    rounds.number += 1
    server = rounds.server
    replica = server.replica(work)
    servers.append(replica)
    rounds.prepare()
    near, far, other = server.client(), replica.client(), replica.client()
    is_there = "SELECT count(*) FROM information_schema.tables WHERE table_name = 'boards'"
    wait_for(lambda: far.run(is_there) == [["1"]] and far.run("SELECT count(*) FROM boards") == [[str(len(rounds.old))]])
    replica.receive(far, False)
    flags = ["--yes", "--batch", "50", "--max-lag", "1", "--replica", replica.place, "--rate", str(len(rounds.old) // 30)]
    # What it says shows how far it is, however busy the machine is.
    messages = work / "messages"
    says = lambda words: wait_for(lambda: words in messages.read_text() or process.poll() is not None)
    with open(messages, "w") as stderr:
        process = rounds.start(["migrate", server.name, server.place, *TABLE, *flags], stderr)
    says("it receives nothing")
    if rounds.table(near) != rounds.old:
        rounds.fail("it did not wait for a replica that is stopped")
    replica.receive(far, True)
    is_new = "SELECT count(*) FROM boards WHERE bd LIKE 'S9B%'"
    wait_for(lambda: int(near.run(is_new)[0][0]) > 0)
    replica.apply(other, False)
    says("s behind (--max-lag 1)")
    replica.apply(other, True)
    process.communicate()
    words = messages.read_text()
    for said in ["it is unknown how far the replica is behind: it receives nothing", "s behind (--max-lag 1)", "continuing"]:
        if said not in words:
            rounds.fail(f"it does not say {said!r}: {words[-300:]}")
    want = [rounds.new[old] for old in rounds.old]
    if process.returncode != 1 or rounds.table(near) != want:
        rounds.fail("the table is not the converted original")
    wait_for(lambda: rounds.table(far) == want)
    rounds.counts["a replica", "rounds"] += 1
    for client in (near, far, other):
        client.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/debug/gridmill", help="the program, built with --all-features (default: %(default)s)")
    parser.add_argument("--moments", type=int, default=50, help="faults of each sort in migrations, and as many in restores, at least (default: %(default)s)")
    parser.add_argument("--only", default="postgres,mysql,sqlite", help="databases (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=3000, help="rows of the table (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=50, help="rows of a batch; more than 10,000 are read in parts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="servers-"))
    work.chmod(0o755)
    begun, all_rounds, servers = time.monotonic(), [], []
    try:
        for kind in (kind for kind in (Postgres, Mysql, Sqlite) if kind.name in options.only.split(",")):
            servers.append(kind(work))
            rounds = Rounds(servers[-1], options, random.Random(options.seed), work)
            all_rounds.append(rounds)
            rounds.round("no fault", 0)
            for how in FAULTS[kind.name]:
                # Some faults come after the end of the run, and do not count.
                while min(rounds.counts[how, f"{what} ended"] for what in ("migrate", "restore")) < options.moments:
                    rounds.round(how, min(3, options.moments))
                for _ in range(max(1, options.moments // 10)):
                    rounds.with_a_writer(how)
            for _ in range(max(1, options.moments // 10)):
                rounds.two_at_once()
            if kind is not Sqlite:
                with_a_replica(rounds, work, servers)
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(work, ignore_errors=True)
    columns = ["migrate ended", "restore ended", "begun anew", "rounds", "with a writer", "changes of others", "stopped with the reason"]
    print(f"{'':24}" + "".join(f"{column:>25}" for column in columns))
    for rounds in all_rounds:
        for how in [*FAULTS[rounds.server.name], "two at once", *(["a replica"] if rounds.counts["a replica", "rounds"] else [])]:
            print(f"{rounds.server.name + ', ' + how:24}" + "".join(f"{rounds.counts[how, column]:25}" for column in columns))
    wrong = [one for rounds in all_rounds for one in rounds.bad]
    print(f"{sum(rounds.number for rounds in all_rounds)} rounds, {len(wrong)} violations, in {time.monotonic() - begun:.0f} s")
    sys.exit(1 if wrong or not all_rounds else 0)


if __name__ == "__main__":
    main()
