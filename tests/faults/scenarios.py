"""Shared by faults.py and short.py: the commands that are disturbed, and a place to run them in. promises.py has what must hold.

A scenario is a command line, its inputs, the files that may exist before, and its outputs in the order in which they are put in
place. It is run once undisturbed; every other run must leave the same files, or the old ones.
"""
import dataclasses
import gzip
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess

TEMPORARY = re.compile(r"\.gridmill-tmp$")
PUZZLE = "100000569492056108056109240009640801064010000218035604040500016905061402621000005"


@dataclasses.dataclass
class Scenario:
    name: str
    args: str
    outputs: list = dataclasses.field(default_factory=list)  # in the order of their places
    inputs: list = dataclasses.field(default_factory=list)
    old: bool = False  # the outputs are there before
    loose: tuple = ()  # outputs that hold times: whole if they begin and end as such a file does
    kind: str = "files"  # files, stream, relink, database
    stdin: str = ""  # a file
    pipe: bool = False  # stdin is a pipe
    again: str = ""  # the command after a kill, if it differs from the first
    backup: str = ""  # the backup; it must restore the table however the migration ended


@dataclasses.dataclass
class Done:
    code: object  # the exit code; negative for a signal, "hangs"
    stderr: bytes
    files: dict


def scenarios():
    s = Scenario
    every = ["out", "list", "rejects", "report"]
    flags = "--list-solved list --rejects rejects --report report -o out"
    three, described = ["out", "rejects", "report"], "-o out --rejects rejects --report report"
    link = " relink -q --write -f --rejects rejects"
    table = "--table t --column p --batch 500 -q --yes -f --rejects rejects --report report"
    return [
        s("new", "convert -q -j1 in -o out", ["out", "out.rejects.tsv"], ["in"], again="convert -q -f in -o out"),
        s("replaced", f"convert -q -f -j1 in {flags}", every, ["in"], True, ("report",)),
        s("replaced, 2 threads", f"convert -q -f -j2 in {flags}", every, ["in"], True, ("report",)),
        s("replaced, not synced", "convert -q -f -j2 --no-sync in -o out", ["out", "out.rejects.tsv"], ["in"], True),
        s("read, not mapped", "convert -q -f -j2 --no-mmap in -o out", ["out", "out.rejects.tsv"], ["in"], True),
        s("to zstd", "convert -q -f -j2 in -o out.zst", ["out.zst", "out.zst.rejects.tsv"], ["in"], True),
        s("from zstd", "convert -q -f -j2 --to v1 --lossy in.zst -o out", ["out", "out.rejects.tsv"], ["in.zst"], True),
        s("from gzip", "convert -q -f -j2 in.gz -o out", ["out", "out.rejects.tsv"], ["in.gz"], True),
        s("pipe to file", "convert -q -f -j2 -o out", ["out", "out.rejects.tsv"], ["in"], True, stdin="in", pipe=True),
        s("pipe to zstd", "convert -q -f -j2 -o out.zst", ["out.zst", "out.zst.rejects.tsv"], ["in"], True, stdin="in", pipe=True),
        s("stdin to stdout", "convert -q -j2", ["stdout", "stderr"], ["in"], kind="stream", stdin="in"),
        s("pipe to pipe", "convert -q -j2", ["stdout", "stderr"], ["in"], kind="stream", stdin="in", pipe=True),
        s("csv", "convert -q -f -j2 --framing csv --column bd in.csv -o out", ["out", "out.rejects.tsv"], ["in.csv"], True),
        s("array", "convert -q -f -j2 --framing csv --column bd in.csv --to-numpy out", ["out", "out.rejects.tsv"], ["in.csv"], True),
        s("csv, pipe to zstd", "convert -q -f -j2 --framing csv --column bd --to-column n -o out.zst",
          ["out.zst", "out.zst.rejects.tsv"], ["in.csv"], True, stdin="in.csv", pipe=True),
        s("tsv to stdout", "convert -q -j2 --framing tsv --column 2 in.tsv", ["stdout", "stderr"], ["in.tsv"], kind="stream"),
        s("jsonl", "convert -q -f -j2 --framing jsonl --field /bd in.jsonl -o out", ["out", "out.rejects.tsv"], ["in.jsonl"], True),
        s("links", "convert -q -f -j2 --framing links in.html -o out", ["out", "out.rejects.tsv"], ["in.html"], True),
        s("grid", "convert -q -f -j2 --framing grid in.grid -o out", ["out"], ["in.grid"], True),
        s("validate", "validate -q -f -j2 in -o out --rejects rejects --report report", ["out", "rejects", "report"], ["in"], True,
          ("report",)),
        s("validate to stdout", "validate -q -j2 in", ["stdout"], ["in"], kind="stream"),
        s("validate, solutions", "validate -q -f -j2 --level unique --solutions puzzles -o out --rejects rejects",
          ["out"], ["puzzles"], True),
        s("solve", "solve -q -f -j2 puzzles -o out", ["out"], ["puzzles"], True),
        s("solve, rejects", f"solve -q -f -j2 mixed {described}", three, ["mixed"], True, ("report",)),
        s("solve to stdout", "solve -q -j2 mixed", ["stdout", "stderr"], ["mixed"], kind="stream"),
        s("canon", "canon -q -f -j2 --key small -o out", ["out"], ["small"], True),
        s("canon, rejects", f"canon -q -f -j2 --key mixed {described}", three, ["mixed"], True, ("report",)),
        s("dedupe, rejects", f"dedupe -q -f -j2 mixed {described}", three, ["mixed"], True, ("report",)),
        s("dedupe, against", "dedupe -q -f -j2 --memory 4K --against known mixed -o out", ["out", "out.rejects.tsv"], ["mixed", "known"], True),
        s("dedupe", "dedupe -q -f -j2 --memory 1K --groups groups small -o out", ["out", "groups"], ["small"], True),
        s("dedupe, pipe to zstd", "dedupe -q -f -j2 --memory 1K --count -o out.zst", ["out.zst"], ["small"], True, stdin="small", pipe=True),
        s("gen", "gen -q -f -j2 --count 5000 -o out", ["out"], [], True),
        s("gen to stdout", "gen -q -j2 --count 2000", ["stdout"], [], kind="stream"),
        s("gen to zstd", "gen -q -f -j2 --count 5000 -o out.zst", ["out.zst"], [], True),
        s("gen, unique", "gen -q -j2 --unique --count 130 -o out", ["out"], [], again="gen -q -f --unique --count 130 -o out"),
        s("relink", f"{link.strip()} page.html other.html", ["page.html", "other.html", "rejects"], ["page.html", "other.html"], kind="relink"),
        s("relink, folder", f"{link.strip()} site", ["site/page.html", "site/sub/other.html", "rejects"],
          ["site/page.html", "site/sub/other.html"], kind="relink"),
        s("relink, stdin", "relink -q", ["stdout", "stderr"], ["in.html"], kind="stream", stdin="in.html"),
        s("show --svg", "show --svg out.svg -f", ["out.svg"], ["few"], True, stdin="few"),
        s("show --svg, several", "show --svg x-{}.svg -f tiny", [f"x-{number}.svg" for number in range(1, 6)], ["tiny"], True),
        s("show --svg to stdout", "show --svg - few", ["stdout"], ["few"], kind="stream"),
        s("bench --svg", "bench --svg out.svg -f --runs 1 -j1 --kernel scalar tiny", ["out.svg"], ["tiny"], True, ("out.svg",)),
        s("show --json", "show --json", ["stdout"], ["few"], kind="stream", stdin="few"),
        s("sqlite", f"migrate sqlite db {table}", ["rejects", "report"], ["db"], True, ("report",), "database"),
        s("sqlite, WAL", f"migrate sqlite wal.db {table}", ["rejects", "report"], ["wal.db"], True, ("report",), "database"),
        s("sqlite, to a column", f"migrate sqlite db --to-column n {table}", ["rejects", "report"], ["db"], True, ("report",), "database"),
        s("sqlite, backup", f"migrate sqlite db --backup old.zst {table}", ["rejects", "report"], ["db"], True, ("report",), "database",
          backup="old.zst"),
        s("restore", "migrate restore old.zst done.db -q --yes -f --rejects rejects --report report", ["rejects", "report"],
          ["done.db", "old.zst"], True, ("report",), "database"),
        s("restore, of a column", "migrate restore old2.zst done2.db -q --yes -f --report report", ["report"], ["done2.db", "old2.zst"], True,
          ("report",), "database"),
        s("sqlite, dry run", "migrate sqlite db --table t --column p -q -f --rejects rejects --report report", ["rejects", "report"],
          ["db"], True, ("report",), "database"),
        *framings_and_archives(),
    ]


# For each framing: its flags, its input, and the archives that no other scenario combines it with.
FRAMINGS = {
    "csv": ("--framing csv --column bd", "short.csv", (".gz", ".zst", "to zstd")),
    "tsv": ("--framing tsv --column bd", "short.tsv", ("", ".gz", ".zst", "to zstd")),
    "jsonl": ("--framing jsonl --field /bd", "short.jsonl", (".gz", ".zst", "to zstd")),
    "words": ("--framing words", "short.words", ("", ".gz", ".zst", "to zstd")),
    "links": ("--framing links", "short.html", (".gz", ".zst", "to zstd")),
    "grid": ("--framing grid", "short.grid", (".gz", ".zst", "to zstd")),
}
ARCHIVES = {"": "", ".gz": ", from gzip", ".zst": ", from zstd", "to zstd": ", to zstd"}


def framings_and_archives():
    """`convert` in the other combinations of framings and archives, with short inputs."""
    for framing, (flags, name, archives) in FRAMINGS.items():
        for archive in archives:
            source, target = (name, "out.zst") if archive == "to zstd" else (name + archive, "out")
            yield Scenario(framing + ARCHIVES[archive], f"convert -q -f -j2 {flags} {source} -o {target}",
                           [target, f"{target}.rejects.tsv"], [source], True)


def column_scenarios():
    """Commands for files with columns: for a program with `--all-features`, and with pyarrow, which makes the files."""
    def of(name, command, *others):
        ending = "arrow" if "arrow" in name else "parquet"
        return Scenario(name, f"{command} -q -f -j2 --framing {ending} --column bd in.{ending} -o out", ["out", *others], [f"in.{ending}"], True)

    return [
        of("columns, parquet", "convert", "out.rejects.tsv"),
        of("columns, arrow", "convert", "out.rejects.tsv"),
        of("columns, nulls", "convert --bad null --to-column n --rejects rejects", "rejects"),
        of("columns, solve", "solve --rejects rejects", "rejects"),
        of("columns, dedupe", "dedupe --memory 1K --groups groups --rejects rejects", "groups", "rejects"),
        of("columns, dedupe of arrow", "dedupe --memory 1K --count --rejects rejects", "rejects"),
    ]


def make_columns(folder, lines):
    """The inputs of `column_scenarios`."""
    import pyarrow
    from pyarrow import feather, parquet

    lines = lines[:60]
    table = pyarrow.table({"id": range(len(lines)), "bd": [line.decode() for line in lines], "note": [f"a {n % 7}" for n in range(len(lines))]})
    parquet.write_table(table, folder / "in.parquet", row_group_size=25)
    feather.write_feather(table, folder / "in.arrow", compression="uncompressed", chunksize=25)


def make_short(program, folder, lines, page):
    """The inputs of `framings_and_archives`: texts with good strings and a bad one; each also as gzip, and as an archive of
    another program."""
    lines = [*lines[:60], lines[0][:-1] + b"z", *lines[60:80]]
    texts = {
        "short.csv": b"id,bd\n" + b"".join(b"%d,%s\n" % (n, line) for n, line in enumerate(lines)),
        "short.tsv": b"id\tbd\n" + b"".join(b"%d\t%s\n" % (n, line) for n, line in enumerate(lines)),
        "short.jsonl": b"".join(b'{"id": %d, "bd": "%s"}\n' % (n, line) for n, line in enumerate(lines)),
        "short.words": b"".join(b"%s %d\n" % (line, n) for n, line in enumerate(lines)),
        "short.html": b"".join(page[:80]) + page[0].replace(b"bd=", b"bd=z", 1),
        "short.grid": (folder / "in.grid").read_bytes()[:800],  # the last one is cut
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text)
        (folder / f"{name}.gz").write_bytes(gzip.compress(text, 1))
        with open(folder / f"{name}.zst", "wb") as out:
            subprocess.run(["zstd", "-q", "-c", folder / name], stdout=out, check=True)


def make_data(program, folder, columns=False):
    """The inputs, in a folder."""
    folder.mkdir(parents=True)

    def gridmill(*args):
        subprocess.run([program, *args], cwd=folder, check=False, capture_output=True, stdin=subprocess.DEVNULL)

    gridmill("gen", "-q", "--format", "v1", "--count", "4000", "--seed", "3", "--no-sync", "-o", "v1")
    gridmill("gen", "-q", "--unique", "--count", "200", "--no-sync", "-o", "puzzles")
    small = [["gen", "-q", "--side", "6", "--unique", "--mix", "clues", "--count", "150", "--seed", str(seed)] for seed in (1, 2, 1)]
    small = [subprocess.run([program, *command], capture_output=True, check=False).stdout for command in small]
    v1 = (folder / "v1").read_bytes().splitlines()
    lines = []
    for number, line in enumerate(v1):
        lines.append(line)
        if number % 1500 == 700:
            lines += [b"bad line %d" % number, line[:-1] + b"z"]
    write = lambda name, data: (folder / name).write_bytes(data)
    write("small", b"".join(small))
    write("in", b"\n".join(lines) + b"\n")
    write("in.gz", gzip.compress((folder / "in").read_bytes(), 1))
    gridmill("convert", "-q", "--no-sync", "in", "-o", "in.zst")
    write("in.csv", b'id,bd,"no te"\n' + b"".join(b'%d,%s,"a ""q"", b\n%d"\n' % (n, l, n) for n, l in enumerate(lines[:5000])))
    write("in.tsv", b"id\tbd\n" + b"".join(b"%d\t%s\n" % (n, l) for n, l in enumerate(lines[:2000])))
    write("in.jsonl", b"".join(b'{"id": %d, "bd": "%s"}\n' % (n, l) for n, l in enumerate(lines[:4000])))
    page = [b'<p><a href="https://www.sudokuwiki.org/sudoku.htm?bd=%s&amp;x=1">b %d</a>\n' % (l, n) for n, l in enumerate(lines)]
    write("in.html", b"".join(page[:4000]))
    rows = ["".join(PUZZLE[row * 9 : row * 9 + 9]).replace("0", ".") for row in range(9)]
    write("in.grid", ("\n".join(" ".join(row) for row in rows) + "\n\n").encode() * 40)
    write("few", b"\n".join(v1[:30]) + b"\n")
    write("tiny", b"\n".join(v1[:5]) + b"\n")
    puzzles = (folder / "puzzles").read_bytes().splitlines()
    write("mixed", b"\n".join([*puzzles[:40], b"bad line", *puzzles[20:60], puzzles[0][:-1] + b"z"]) + b"\n")
    write("known", b"\n".join(puzzles[10:30]) + b"\n")
    make_short(program, folder, lines, page)
    for name, part in [("page.html", page[:900]), ("other.html", page[900:1200])]:
        write(name, b"".join(part))
    (folder / "site/sub").mkdir(parents=True)
    write("site/page.html", b"".join(page[:900]))
    write("site/sub/other.html", b"".join(page[900:1200]))
    for name in ["db", "wal.db"]:
        db = sqlite3.connect(folder / name)
        if name == "wal.db":
            db.execute("pragma journal_mode=wal")
        db.execute("create table t (id integer primary key, p text, n text)")
        db.executemany("insert into t (p) values (?)", [(line.decode(),) for line in lines[:1400]])
        db.commit()
        db.close()
    if columns:
        make_columns(folder, [*small[0].splitlines()[:40], b"bad line", *v1[:10], *small[0].splitlines()[10:20]])
    shutil.copyfile(folder / "db", folder / "done.db")
    gridmill("migrate", "sqlite", "done.db", "--table", "t", "--column", "p", "--batch", "500", "-q", "--yes", "--backup", "old.zst",
             "--rejects", "done.rejects")
    shutil.copyfile(folder / "db", folder / "done2.db")
    gridmill("migrate", "sqlite", "done2.db", "--table", "t", "--column", "p", "--to-column", "n", "--batch", "500", "-q", "--yes",
             "--backup", "old2.zst", "--rejects", "done.rejects", "-f")
    # Two rows that others have written since. They stay as they are, and are listed.
    db = sqlite3.connect(folder / "done.db")
    db.execute("update t set p = 'somebody else''s' where id in (3, 1203)")
    db.commit()
    db.close()
    return folder


# strace also writes to the program's stderr: a call that ends with its thread cannot be tampered with (as of version
# 6.1).
WORDS_OF_STRACE = re.compile(rb"strace: [^\n]*\n")


class Place:
    """A folder in which a scenario is run repeatedly."""

    def __init__(self, program, data, folder):
        self.program, self.data, self.folder = os.path.abspath(program), data, folder
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("RUST_")}
        self.scenario = None

    def prepare(self, scenario):
        """Restores the state before the run."""
        fresh = scenario is not self.scenario
        self.scenario = scenario
        if fresh:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
        keep = () if fresh or scenario.kind in ("relink", "database") else scenario.inputs
        if not keep:
            shutil.rmtree(self.folder)
            self.folder.mkdir()
            for name in scenario.inputs:
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.data / name, target)
        else:
            for name in os.listdir(self.folder):
                if name not in keep:
                    os.remove(self.folder / name)
        if scenario.old:
            for name in scenario.outputs:
                (self.folder / name).write_bytes(b"old\n")

    def run(self, scenario, before=(), args=None, again=False):
        """Runs the command, with `before` prepended."""
        command = [*before, self.program, *(args or scenario.args).split()]
        stdin = open(self.folder / scenario.stdin, "rb") if scenario.stdin else subprocess.DEVNULL
        data = None
        if scenario.pipe:
            data = stdin.read()
            stdin.close()
            stdin = subprocess.PIPE
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdin=stdin, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        if hasattr(stdin, "close"):
            stdin.close()
        try:
            stdout, stderr = process.communicate(data, timeout=600)  # however busy the machine is
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
            code = "hangs"
        stderr = WORDS_OF_STRACE.sub(b"", stderr)
        files = self.files()
        if scenario.kind == "stream" and not again:
            files["stdout"] = stdout
            files["stderr"] = stderr
        return Done(code, stderr, files)

    def files(self):
        found = {}
        for path in self.folder.rglob("*"):
            if path.is_file():
                found[str(path.relative_to(self.folder))] = path.read_bytes()
        return found


def rows(path):
    """The rows of a database, and whether it is intact."""
    db = sqlite3.connect(path)
    whole = db.execute("pragma integrity_check").fetchone()[0]
    found = db.execute("select id, p, n from t order by id").fetchall()
    db.close()
    return whole, found


class Baseline:
    """The files before and after an undisturbed run."""

    def __init__(self, place, scenario):
        place.prepare(scenario)
        self.program = place.program
        self.before = place.files()
        database = scenario.kind == "database"
        self.rows_before = rows(place.folder / scenario.inputs[0])[1] if database else None
        done = place.run(scenario)
        self.code, self.after = done.code, done.files
        assert done.code in (0, 1), (scenario.name, done)
        assert all(name in self.after for name in scenario.outputs), (scenario.name, sorted(self.after))
        self.rows_after = rows(place.folder / scenario.inputs[0])[1] if database else None

    def is_new(self, scenario, name, bytes):
        if scenario.pipe and name.endswith(".zst") and bytes not in (None, b"old\n"):
            # How the text of a pipe is divided into frames depends on timing.
            return bytes == self.after[name] or self.text(bytes) == self.text(self.after[name])
        if name in scenario.loose:
            begin, end = (b"<svg", b"</svg>\n") if name.endswith(".svg") else (b"{", b"}\n")
            return bytes is not None and bytes.startswith(begin) and bytes.endswith(end)
        return bytes == self.after.get(name)

    def text(self, archive):
        """The text of an archive according to the program, or nothing if it is incomplete."""
        done = subprocess.run([self.program, "convert", "-q", "-j1"], input=archive, capture_output=True)
        return (done.stdout, done.stderr) if done.returncode < 2 else None


def default_program():
    return str(pathlib.Path(__file__).resolve().parents[2] / "target/release/gridmill")
