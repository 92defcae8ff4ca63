#!/usr/bin/env python3
"""Compares migrations of a million rows over loopback with a trivial UPDATE in the database itself. Prints a table.

    benches/databases.py --bin target/release/gridmill      built with --all-features; takes a quarter of an hour

Starts its own servers, with their default settings. The ways of writing to a database run in turn, each on a fresh table, --runs times.
The figures are medians of the seconds of the write (`--report`); ratios compare medians.
"""
import argparse
import json
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "faults"))
sys.dont_write_bytecode = True
import servers  # noqa: E402

UPDATE = {"mysql": "UPDATE boards SET bd = CONCAT('S9B', bd)"}
TARGETS = {"mysql": 2, "postgres": 1.7, "sqlite": 1.3}
WAYS = ["UPDATE", "migrate", "--backup", "composite key"]


def fill(server, client, rows, file):
    """Writes the strings to a table that is copied for each run."""
    client.run("DROP TABLE IF EXISTS kept")
    client.run("CREATE TABLE kept (id INTEGER, bd VARCHAR(400))")
    if server.name == "postgres":
        client.run(f"COPY kept FROM '{file}'")
    elif server.name == "mysql":
        client.run(f"LOAD DATA INFILE '{file}' INTO TABLE kept")
    else:
        strings = (line.rstrip("\n").split("\t") for line in open(file))
        client.connection.execute("BEGIN")
        client.connection.executemany("INSERT INTO kept VALUES (?, ?)", strings)
        client.connection.execute("COMMIT")
    assert int(client.run("SELECT count(*) FROM kept")[0][0]) == rows


def fresh(server, client, is_composite):
    client.run("DROP TABLE IF EXISTS boards")
    client.run("DROP TABLE IF EXISTS gridmill_migration")
    columns, key = ("a INTEGER NOT NULL, b INTEGER NOT NULL", ", PRIMARY KEY (a, b)") if is_composite else ("id INTEGER PRIMARY KEY", "")
    without = " WITHOUT ROWID" if server.name == "sqlite" and is_composite else ""
    client.run(f"CREATE TABLE boards ({columns}, bd VARCHAR(400){key}){without}")
    half = "id DIV 1000" if server.name == "mysql" else "id / 1000"
    client.run(f"INSERT INTO boards SELECT {half + ', id % 1000' if is_composite else 'id'}, bd FROM kept ORDER BY id")
    if server.name == "postgres":
        client.run("VACUUM ANALYZE boards")
        client.run("CHECKPOINT")
    subprocess.run(["sync"], check=True)


def seconds(server, client, way, program, work):
    """The time that one way takes to write all rows."""
    fresh(server, client, way == "composite key")
    if way == "UPDATE":
        begun = time.monotonic()
        client.run(UPDATE.get(server.name, "UPDATE boards SET bd = 'S9B' || bd"))
        return time.monotonic() - begun
    backup = work / "old.zst"
    backup.unlink(missing_ok=True)
    more = ["--backup", str(backup)] if way == "--backup" else []
    command = [program, "migrate", server.name, server.place, *servers.TABLE, "--yes", "--quiet", "--report", "-", *more]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"]["write"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/gridmill", help="the program, built with --all-features (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="postgres,mysql,sqlite", help="databases (default: %(default)s)")
    options = parser.parse_args()
    program = str(pathlib.Path(options.bin).resolve())
    work = pathlib.Path(tempfile.mkdtemp(prefix="databases-"))
    work.chmod(0o755)
    started = []
    servers.Mysql.more = []
    try:
        file = work / "rows.tsv"
        gen = [program, "gen", "-q", "--format", "v1", "--count", str(options.rows), "--seed", "3", "--mix", "progress", "--lossy"]
        strings = subprocess.run(gen, check=True, capture_output=True, text=True).stdout.split()
        file.write_text("".join(f"{n}\t{string}\n" for n, string in enumerate(strings, 1)))
        print(f"{options.rows} rows, medians of {options.runs}, {platform.processor() or platform.machine()}, {time.strftime('%F')}\n")
        print("| database | `UPDATE` | write | ratio | target | with `--backup` | ratio | target | composite key | ratio | target |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        for kind in (kind for kind in (servers.Postgres, servers.Mysql, servers.Lite) if kind.name in options.only.split(",")):
            server = kind(work)
            started.append(server)
            client = server.client()
            fill(server, client, options.rows, file)
            took = {way: [] for way in WAYS}
            for _ in range(options.runs):
                for way in WAYS:
                    took[way].append(seconds(server, client, way, program, work))
            update, write, backup, composite = (statistics.median(took[way]) for way in WAYS)
            print(f"| {server.name} | {update:.2f} s | {write:.2f} s | {write / update:.2f} | {TARGETS[server.name]} "
                  f"| {backup:.2f} s | {backup / write:.2f} | 1.25 | {composite:.2f} s | {composite / write:.2f} | 1.2 |", flush=True)
            client.end()
            server.stop()
            started.remove(server)
    finally:
        for server in started:
            server.stop()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
