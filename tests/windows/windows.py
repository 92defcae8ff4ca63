#!/usr/bin/env python3
"""Compares gridmill.exe, under wine, with the program for this system, byte for byte; ends it at random moments, which must leave nothing behind; and
replaces files while other programs read or hold them. Prints a line for each part, and exits with 1 if anything differs from what
docs/SYSTEMS.md promises.

It needs wine64 and x86_64-w64-mingw32-gcc:

    cargo build --bin gridmill && cargo build --bin gridmill --target x86_64-pc-windows-gnu
    tests/windows/windows.py
"""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import pty
import random
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"

UTF8 = "Käse.txt"
# Arguments, and what is written to stdin. Names with a folder have `/`, which Windows takes as well.
COMMANDS = [
    (["convert", "mixed.txt"], None),
    (["convert", "mixed.txt", "-o", "out.txt"], None),
    (["convert", "-"], "mixed.txt"),
    (["convert"], "v1.txt"),
    (["convert", "v1.txt", "v2.txt", "-o", "out.txt.zst"], None),
    (["convert", "killer-v1.txt", "--to", "v1"], None),
    (["convert", "str8ts-v1.txt"], None),
    (["convert", "wolfram.txt"], None),
    (["convert", "some-bad.txt"], None),
    (["convert", "some-bad.txt", "-o", "out.txt", "--rejects", "bad.tsv"], None),
    (["convert", "some-bad.txt", "-o", "out.txt", "--bad", "stop"], None),
    (["convert", "plain.txt", "--to", "v0"], None),
    (["convert", "plain.txt", "--no-mmap"], None),
    (["convert", "boards.csv", "--framing", "csv", "--column", "board", "-o", "new.csv"], None),
    (["convert", "boards.csv", "--framing", "csv"], None),
    (["convert", "links.txt", "--framing", "links"], None),
    (["convert", UTF8, "-o", "Größe.txt"], None),
    (["convert", "mixed.txt", "-o", "there.txt"], None),
    (["convert", "mixed.txt", "-f", "-o", "there.txt"], None),
    (["convert", "there.txt", "-f", "-o", "there.txt"], None),
    (["convert", "there.txt", "-f", "-o", "./there.txt"], None),
    (["convert", "mixed.txt", "-o", "none/out.txt"], None),
    (["convert", "nosuch.txt"], None),
    (["convert", "folder"], None),
    (["convert", "mixed.txt", "-o", "folder"], None),
    (["convert", "mixed.txt", "-o", "folder/"], None),
    (["convert", "mixed.txt", "-o", "new.txt", "--rejects", "new.txt"], None),
    (["validate", "mixed.txt"], None),
    (["validate", "plain.txt", "--level", "unique"], None),
    (["validate", "some-bad.txt", "--all"], None),
    (["validate", "killer-v1.txt", "--level", "unique", "-o", "good.txt"], None),
    (["solve", "plain.txt"], None),
    (["solve", "v2.txt"], None),
    (["solve", "killer-v1.txt", "-o", "solved.txt"], None),
    (["canon", "plain.txt"], None),
    (["canon", "plain.txt", "--framing", "lines", "-o", "canon.txt"], None),
    (["dedupe", "plain.txt", "v1.txt"], None),
    (["dedupe", "mixed.txt", "-o", "single.txt"], None),
    (["gen", "--count", "20", "--seed", "1"], None),
    (["gen", "--count", "20", "--seed", "2", "--kind", "killer"], None),
    (["gen", "--count", "20", "--seed", "3", "--kind", "jigsaw", "-o", "gen.txt"], None),
    (["gen", "--count", "5", "--seed", "4", "--unique"], None),
    (["gen", "--count", "5", "--seed", "5", "--unique", "--minimal"], None),
    (["gen", "--count", "5", "--seed", "6", "--kind", "str8ts"], None),
    (["gen", "--count", "5", "--seed", "7", "--kind", "kenken"], None),
    (["show", "v1.txt"], None),
    (["show", "v2.txt", "--ascii"], None),
    (["show", "killer-v1.txt", "--svg", "drawing-{}.svg"], None),
    (["show", "v1.txt", "--json"], None),
    (["relink", "links.txt"], None),
    (["relink", "links.txt", "--write"], None),
    (["relink", "folder"], None),
    (["migrate", "sqlite", "boards.db", "--table", "boards", "--column", "board"], None),
    (["migrate", "sqlite", "boards.db", "--table", "boards", "--column", "board", "--yes", "--backup", "rows.backup"], None),
    (["formats"], None),
    (["completions", "bash"], None),
    (["completions", "powershell"], None),
    (["man"], None),
    (["--help"], None),
    (["convert", "--help"], None),
    (["convert", "--nosuch"], None),
    (["nosuch"], None),
]
# What has words that name the system, or numbers of the moment: the exit code and the files are compared, not the words.
WORDS_DIFFER = {("convert", "nosuch.txt")}


class Wine:
    """A prefix of wine in a folder of its own."""

    def __init__(self, folder, exe):
        # Without winedbg.exe: beside it, a program that faulted ended with exit code 0 in 3 of 60 runs.
        self.environment = {**os.environ, "WINEPREFIX": str(folder / "prefix"), "WINEDEBUG": "-all", "WINEARCH": "win64", "GRIDMILL_KERNEL": "scalar",
                            "WINEDLLOVERRIDES": "mscoree,mshtml,winedbg.exe="}
        self.server = pathlib.Path(WINE).with_name("wineserver")
        if not self.server.exists():
            self.server = "wineserver"
        self.exe, self.tool = str(exe), str(folder / "tool.exe")
        self.broken = 0
        self.library = folder / "bcryptprimitives.dll"
        compiler = ["x86_64-w64-mingw32-gcc", "-O1", "-o"]
        subprocess.run([*compiler, self.library, "-shared", HERE / "bcryptprimitives.c", "-ladvapi32"], check=True)
        subprocess.run([*compiler, self.tool, HERE / "tool.c"], check=True)

    def begin(self, folder):
        """Makes the prefix."""
        # What wine starts besides stays, with the streams of what started it, so these are nobody's. The server stays until it is told to end.
        nobody = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": self.environment}

        def call(*words):
            self.unless_broken(lambda: subprocess.run(words, timeout=240, **nobody)).check_returncode()

        (folder / "prefix").mkdir()
        call(self.server, "-p")
        call(WINE, "wineboot", "-i")
        shutil.copy(self.library, folder / "prefix/drive_c/windows/system32")
        call(WINE, "reg", "add", r"HKEY_CURRENT_USER\Software\Wine", "/v", "Version", "/d", "win10", "/f")

    def unless_broken(self, attempt):
        """The first of three attempts in which wine itself does not break; an attempt begins with its files as they were."""
        for _ in range(3):
            done = attempt()
            # A fault of a Windows program is an exception and ends in its exit code (`tool fault` shows it). By a signal of this system ends only wine: 8.0 did
            # once in some hundred runs, with everything written and said, while it ended the program's threads.
            if done.returncode >= 0:
                break
            self.broken += 1
            print("wine ended by signal", -done.returncode, "after", done.args)
        return done

    def run(self, words, folder, stdin=b"", files=lambda: None):
        """Runs a command whose files `files` makes."""
        def attempt():
            files()
            return subprocess.run([WINE, *words], cwd=folder, env=self.environment, input=stdin, capture_output=True, timeout=240)

        return self.unless_broken(attempt)

    def start(self, words, folder):
        return subprocess.Popen([WINE, *words], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def stop(self):
        subprocess.run([self.server, "-k"], env=self.environment, check=False, timeout=60)


def prepare(folder):
    """The files of a command."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "data", folder)
    (folder / "folder").mkdir()
    (folder / "there.txt").write_text((folder / "v1.txt").read_text())
    shutil.copy(folder / "plain.txt", folder / UTF8)
    lines = (folder / "plain.txt").read_text().splitlines()
    (folder / "boards.csv").write_text("id,board,name\n" + "".join(f'{i},{line},"a, b"\n' for i, line in enumerate(lines)))
    (folder / "links.txt").write_text((folder / "link.txt").read_text())
    database = sqlite3.connect(folder / "boards.db")
    database.execute("CREATE TABLE boards (id INTEGER PRIMARY KEY, board TEXT)")
    database.executemany("INSERT INTO boards (board) VALUES (?)", [(line,) for line in lines])
    database.commit()
    database.close()


def contents(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.endswith(".db"):
            database = sqlite3.connect(path)
            found[name] = database.execute("SELECT * FROM boards").fetchall()
            database.close()
        elif name.endswith(".backup"):
            found[name] = len(path.read_bytes().splitlines()) # its identifier is random
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def plain(words):
    """Messages without the speeds, and with one sort of separator."""
    text = words.decode(errors="replace").replace("\r\n", "\n").replace("\\", "/").replace("gridmill.exe", "gridmill")
    text = re.sub(r"\d[\d.,]* (ms|s|µs|min|([kMG] ?)?\w+/s)(?!\w)", "#", text)
    return re.sub(r"[A-Za-z]:(?=/)", "", text)


def compare(wine, native, folder, only):
    differences = 0
    commands = [command for command in COMMANDS if only in " ".join(command[0])]

    def both(command):
        words, stdin = command
        results = []
        for system in ["native", "wine"]:
            place = folder / f"{system}-{commands.index(command)}"
            prepare(place)
            given = (place / stdin).read_bytes() if stdin else b""
            if system == "wine":
                done = wine.run([wine.exe, *words], place, given, lambda: prepare(place))
            else:
                environment = {**os.environ, "GRIDMILL_KERNEL": "scalar"}
                done = subprocess.run([native, *words], cwd=place, input=given, capture_output=True, timeout=240, env=environment)
            results.append((done, contents(place), str(place)))
            shutil.rmtree(place)
        return results

    # Most of the time is waiting until wine has started the program.
    with concurrent.futures.ThreadPoolExecutor(3) as several:
        done = list(several.map(both, commands))
    for (words, _), ((one, files, here), (other, others, there)) in zip(commands, done):
        same = one.returncode == other.returncode and files == others
        if tuple(words) not in WORDS_DIFFER:
            raw = one.stdout == other.stdout or plain(one.stdout) == plain(other.stdout)
            same = same and raw and plain(one.stderr).replace(here, "") == plain(other.stderr).replace(there, "")
        if not same:
            differences += 1
            print("differs:", " ".join(words), one.returncode, other.returncode)
            for name in ["stdout", "stderr"]:
                if plain(getattr(one, name)) != plain(getattr(other, name)):
                    print(f"  {name}:", getattr(one, name)[:600], "\n   wine:", getattr(other, name)[:600])
            print("  files:", [name for name in {**files, **others} if files.get(name) != others.get(name)])
    print(f"{len(commands)} commands, {differences} differ")
    return differences


def only_there(wine, folder):
    """What has no counterpart on other systems."""
    place, wrong = folder / "wine", 0
    lines = (ROOT / "data/plain.txt").read_text()

    def expect(name, words, holds, stdin=b""):
        nonlocal wrong
        done = wine.run([wine.exe, *words], place, stdin, lambda: prepare(place))
        if not holds(done):
            wrong += 1
            print(f"wrong: {name}:", done.returncode, done.stdout[:300], done.stderr[:600])

    def files():
        return {path.name for path in place.iterdir()}

    expect("patterns", ["convert", "killer-*.txt", "-o", "out.txt"], lambda done: done.returncode in (0, 1) and (place / "out.txt").exists())
    expect("NUL", ["convert", "plain.txt", "-o", "NUL"], lambda done: done.returncode == 0 and "NUL" not in files())
    expect("names that differ by case", ["convert", "some-bad.txt", "-o", "new.txt", "--rejects", "NEW.TXT"],
           lambda done: done.returncode == 2 and b"name the same file" in done.stderr)
    expect("an input by another case", ["convert", "there.txt", "-f", "-o", "THERE.TXT"],
           lambda done: done.returncode == 2 and b"also an input" in done.stderr)
    expect("backslashes", ["convert", "folder\\nosuch.txt"], lambda done: b"folder\\nosuch.txt" in done.stderr)
    expect("long names", ["convert", "plain.txt", "-o", "x" * 200 + ".txt"], lambda done: done.returncode == 0)
    def read_only():
        prepare(place)
        os.chmod(place / "there.txt", 0o444)

    done = wine.run([wine.exe, "convert", "v1.txt", "-f", "-o", "there.txt"], place, files=read_only)
    if done.returncode != 2 or b"read-only" not in done.stderr:
        wrong += 1
        print("wrong: a read-only file is replaced:", done.returncode, done.stderr)
    def long_path():
        prepare(place)
        long = place.joinpath(*["f" * 100] * 3)
        long.mkdir(parents=True)
        (long / "in.txt").write_text(lines)

    name = "\\".join(["f" * 100] * 3)
    # Wine 8 does not find the long name of an open folder, so nothing can be written there.
    done = wine.run([wine.exe, "convert", f"{name}\\in.txt", "-o", "out.txt"], place, files=long_path)
    if done.returncode != 0 or not (place / "out.txt").exists():
        wrong += 1
        print("wrong: a long path:", done.returncode, done.stderr)
    # A reader that is gone is no error.
    def reader_is_gone():
        command = wine.start([wine.exe, "gen", "--count", "2000000"], place)
        limit = threading.Timer(120, command.kill)
        limit.start()
        command.stdout.read(100)
        command.stdout.close()
        stderr = command.stderr.read()
        limit.cancel()
        code = command.wait(timeout=60)
        # 1 if it had to be ended.
        return subprocess.CompletedProcess("gen", 1 if code == -signal.SIGKILL else code, stderr=stderr)

    done = wine.unless_broken(reader_is_gone)
    if done.returncode != 0 or done.stderr:
        wrong += 1
        print("wrong: the reader of a pipe is gone:", done.returncode, done.stderr)
    done = wine.run([wine.tool, "fault"], place)
    # The low byte of 0xC0000005.
    if done.returncode != 5:
        wrong += 1
        print("wrong: a program that faults ends with exit code", done.returncode)
    print(f"what only Windows has: {wrong} wrong")
    return wrong


def large(place):
    """A file that takes seconds to solve, since the program for tests is slow."""
    text = (ROOT / "data/v1.txt").read_text()
    (place / "large.txt").write_text(text * (1 + (4 << 20) // len(text)))


def temporaries(place):
    return [path.name for path in place.iterdir() if path.name.endswith("gridmill-tmp")]


def control_c(wine, folder):
    """Ctrl-C at a console."""
    place = folder / "wine"

    def attempt():
        prepare(place)
        large(place)
        process, console = pty.fork()
        if process == 0:
            os.chdir(place)
            os.execve(WINE, [WINE, wine.exe, "solve", "large.txt", "-o", "out.txt"], {**wine.environment, "TERM": "xterm"})
        end, code = time.monotonic() + 120, None
        while time.monotonic() < end and not temporaries(place):
            time.sleep(0.05)
        began = bool(temporaries(place))
        os.write(console, b"\x03")
        while time.monotonic() < end and code is None:
            if select.select([console], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    os.read(console, 4096)
            ended, status = os.waitpid(process, os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) if ended else None
        if code is None:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        os.close(console)
        # 1 if it wrote nothing, or did not end.
        return subprocess.CompletedProcess("solve at a console", code if began and code is not None else 1)

    code = wine.unless_broken(attempt).returncode
    end = time.monotonic() + 10
    while time.monotonic() < end and temporaries(place):
        time.sleep(0.1)
    # Linux shows eight bits of the exit code 0xC000013A.
    wrong = code != 0x3A or bool(temporaries(place)) or (place / "out.txt").exists()
    print(f"Ctrl-C: exit code {code}, {'wrong' if wrong else 'nothing left'}")
    return int(wrong)


def kills(wine, native, folder, count, chance):
    """Ends the program at random moments while it writes: an output is there whole or not at all, and nothing else is left."""
    place, wrong, ended = folder / "wine", 0, 0
    commands = [
        ["convert", "large.txt", "-o", "out.txt"],
        ["convert", "large.txt", "-f", "-o", "there.txt"],
        ["dedupe", "large.txt", "-o", "out.txt"],
        ["solve", "large.txt", "-o", "out.txt", "--rejects", "bad.tsv"],
    ]
    whole = []

    def files():
        prepare(place)
        large(place)

    for words in commands:
        files()
        before = contents(place)
        subprocess.run([native, *words], cwd=place, capture_output=True, timeout=240, check=False)
        whole.append({name: bytes for name, bytes in contents(place).items() if before.get(name) != bytes})
    files()
    before = contents(place)
    begin = time.monotonic()
    wine.run([wine.exe, *commands[0]], place, files=files)
    longest = max(100, round(1000 * (time.monotonic() - begin)))
    number = 0
    while number < count or ended == 0 and number < 10 * count:
        words, outputs = commands[number % len(commands)], whole[number % len(commands)]
        number += 1
        done = wine.run([wine.tool, "end", str(chance.randrange(20, longest)), wine.exe, *words], place, files=files)
        ended += done.returncode == 99
        # Wine needs a moment to close the handles of a program that was ended.
        end = time.monotonic() + 10
        while time.monotonic() < end and temporaries(place):
            time.sleep(0.1)
        new = {name: bytes for name, bytes in contents(place).items() if before.get(name) != bytes}
        if any(outputs.get(name) != bytes for name, bytes in new.items()):
            wrong += 1
            print("left behind, or not whole:", words, {name: len(bytes) for name, bytes in new.items()})
    print(f"{number} runs, {ended} ended by TerminateProcess, {wrong} left something behind or an output that is not whole")
    return wrong + (ended == 0)


def replaces(wine, folder, count):
    """Replaces a file while another program reads it, and while one holds it."""
    place, wrong = folder / "wine", 0
    prepare(place)
    reader = wine.start([wine.tool, "read", "there.txt", str(3_600_000)], place)
    again = 0
    for number in range(count):
        # The reader may be put aside for more than the second in which the program tries again, while it has the file open.
        for _ in range(5):
            before = (place / "there.txt").read_bytes()
            done = wine.run([wine.exe, "convert", ["v1.txt", "plain.txt"][number % 2], "-f", "-o", "there.txt"], place)
            if not (done.returncode == 2 and b"another program holds it open" in done.stderr and (place / "there.txt").read_bytes() == before):
                break
            again += 1
        if done.returncode not in (0, 1):
            wrong += 1
            print("not replaced beside a reader:", done.returncode, done.stderr)
    reader.kill()
    sums = set(reader.communicate(timeout=60)[0].split())
    # The file as it was, and the two that replaced it.
    if not 1 <= len(sums) <= 3:
        wrong += 1
        print("a reader saw nothing, or other contents than whole files:", sums)
    # On a busy machine, 400 milliseconds may outlast the second in which it is tried again, but not five times.
    for time_held, attempts in [(400, 5), (120_000, 1)]:
        for attempt in range(attempts):
            prepare(place)
            before = (place / "there.txt").read_bytes()
            holder = wine.start([wine.tool, "hold", "there.txt", str(time_held)], place)
            limit = threading.Timer(120, holder.kill)
            limit.start()
            holder.stdout.readline()
            limit.cancel()
            done = wine.run([wine.exe, "convert", "plain.txt", "-f", "-o", "there.txt"], place)
            after, left = (place / "there.txt").read_bytes(), temporaries(place)
            holder.kill()
            holder.communicate(timeout=60)
            refused = done.returncode == 2 and b"another program holds it open" in done.stderr and after == before
            replaced = done.returncode in (0, 1) and after != before
            if left or not (refused or replaced) or time_held < 1000 and refused and attempt + 1 == attempts or time_held > 1000 and replaced:
                wrong += 1
                print(f"held for {time_held} ms:", done.returncode, done.stderr, left)
            if replaced:
                break
    print(f"{count} replaces beside a reader ({again} refused first), 2 beside a holder: {wrong} wrong; the reader saw {len(sums)} files")
    return wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--exe", default=ROOT / "target/x86_64-pc-windows-gnu/debug/gridmill.exe", type=pathlib.Path)
    arguments.add_argument("--bin", default=ROOT / "target/debug/gridmill", type=pathlib.Path)
    arguments.add_argument("--only", default="", help="compares commands that have these words, and does nothing else")
    arguments.add_argument("--kills", default=12, type=int)
    arguments.add_argument("--replaces", default=200, type=int)
    arguments.add_argument("--seed", default=random.randrange(1 << 32), type=int)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        begin = time.monotonic()
        wine = Wine(folder, given.exe.resolve())
        try:
            wine.begin(folder)
            wrong = compare(wine, str(given.bin.resolve()), folder, given.only)
            if not given.only:
                wrong += only_there(wine, folder)
                wrong += control_c(wine, folder)
                print("seed", given.seed)
                wrong += kills(wine, str(given.bin.resolve()), folder, given.kills, random.Random(given.seed))
                wrong += replaces(wine, folder, given.replaces)
        finally:
            wine.stop()
    print(f"{time.monotonic() - begin:.0f} s; wine itself broke {wine.broken} times")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
