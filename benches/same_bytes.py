#!/usr/bin/env python3
"""Runs two builds of the program on the same inputs, and checks that both give the same bytes.

    benches/same_bytes.py OLD NEW [--boards 6000] [--only WORD]

The inputs are the files of data/, boards of every kind by `gen`, the same in every format, tables (CSV with quotes, TSV, JSON lines), a page
of links, and pipes that deliver odd numbers of bytes. They are larger than a chunk (512 KiB), except those of data/. For every run, stdout and
the exit codes must be equal, and so must the rows of rejects on stderr, except for the message in their sixth column, which may be worded
differently. Prints the number of runs, and exits with code 1 if any differ.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = "sudoku sudoku-x windoku colour-sudoku jigsaw killer killer-jigsaw kenken kendoku str8ts str8ts-x str8ts-b str8ts-bx".split()
ODD = 4093  # bytes that a pipe delivers at a time


class Comparison:
    """Both programs, and what has been compared."""

    def __init__(self, old: Path, new: Path, only: str) -> None:
        self.programs = (old, new)
        self.only = only
        self.runs = 0
        self.refused = 0
        self.different: list[str] = []

    def __call__(self, *flags: object, text: bytes | None = None, pieces: int | None = None) -> None:
        """Compares a run of both. `text` is its stdin; with `pieces`, a pipe delivers so many bytes of it at a time."""
        arguments = [str(flag) for flag in flags]
        what = " ".join(arguments) + (f" < {len(text)} bytes" if text is not None else "") + (f" by {pieces}" if pieces else "")
        if self.only not in what:
            return
        old, new = (run(program, arguments, text, pieces) for program in self.programs)
        self.runs += 1
        self.refused += new[0] == 2
        if old != new:
            self.different.append(what)
            parts = [name for name, one, two in zip(("exit code", "stdout", "stderr"), old, new) if one != two]
            print(f"{what}: {', '.join(parts)}", flush=True)


def formats(same: Comparison) -> list[str]:
    """The formats that both programs have."""
    listed = [json.loads(run(program, ["formats", "--json"], None, None)[1])["formats"] for program in same.programs]
    of_old = {one["name"] for one in listed[0]}
    return [one["name"] for one in listed[1] if one["name"] in of_old]


def run(program: Path, arguments: list[str], text: bytes | None, pieces: int | None) -> tuple[int, bytes, list[bytes]]:
    """Returns the exit code, stdout, and the rows of rejects without their messages."""
    if pieces is None:
        done = subprocess.run([program, *arguments], input=text, stdin=subprocess.DEVNULL if text is None else None, capture_output=True)
    else:
        with tempfile.NamedTemporaryFile() as file:
            file.write(text or b"")
            file.flush()
            feed = subprocess.Popen(["dd", f"if={file.name}", f"bs={pieces}", "status=none"], stdout=subprocess.PIPE)
            done = subprocess.run([program, *arguments], stdin=feed.stdout, capture_output=True)
            feed.wait()
    rows = [line.split(b"\t") for line in done.stderr.splitlines() if line.count(b"\t") >= 6]
    return done.returncode, done.stdout, [b"\t".join(row[:5] + row[6:]) for row in rows]


def samples(same: Comparison) -> None:
    """The files of data/, in every format."""
    for path in sorted(Path(__file__).resolve().parent.parent.joinpath("data").glob("*.txt")):
        name = path.stem.split("-")[-1]
        given = ["--from", name] if name in ("offset32", "wolfram") else []
        for threads in ("-j1", "-j2"):
            for level in ("syntax", "rules", "unique"):
                same("validate", "-q", threads, "--level", level, *given, path)
            for to in formats(same):
                for lossy in ([], ["--lossy"]):
                    same("convert", "-q", threads, *given, "--to", to, *lossy, path)
                    same("convert", "-q", threads, *given, "--to", to, *lossy, text=path.read_bytes(), pieces=7)


def boards(same: Comparison, kind: str, count: int, folder: Path) -> list[bytes]:
    """Boards of a kind: made, to every format, and from every format. Returns their v2 strings."""
    for mix in ("clues", "solved", "progress"):
        same("gen", "-q", "--kind", kind, "--seed", 7, "--count", 300, "--mix", mix)
    program = same.programs[0]
    made = ["gen", "-q", "--kind", kind, "--seed", "7", "--count", str(count), "--mix", "progress"]
    v2 = run(program, made, None, None)[1]
    path = folder / "boards"
    for name in formats(same):
        path.write_bytes(v2)
        for threads in ("-j1", "-j2"):
            for lossy in ([], ["--lossy"]):
                same("convert", "-q", threads, "--to", name, *lossy, path)
        text = run(program, ["convert", "-q", "--to", name, "--lossy", str(path)], None, None)[1]
        path.write_bytes(text)
        named, bare = [["--from", name, "--kind", kind], ["--from", name]], [["--kind", kind], []]
        # Without --from, wolfram strings that begin like other text were treated differently before 0837907.
        for given in (named if name == "wolfram" else named + bare) if text else ():
            for threads in ("-j1", "-j2"):
                same("convert", "-q", threads, *given, path)
            same("convert", "-q", *given, text=b"#\n" + text, pieces=ODD)
    return v2.split()


def tables(same: Comparison, strings: list[bytes], folder: Path) -> None:
    """Strings in CSV with quotes, TSV and JSON lines."""
    for name, head, row, flags in (
        ("csv", b"id,bd,name\n", b'%d,%s,"user, %d"\n', ["--column", "bd"]),
        ("csv", b"id,bd,name\r\n", b'%d,"%s","a ""b"" %d\nc"\r\n', ["--column", "2"]),
        ("tsv", b"id\tbd\tname\n", b"%d\t%s\tuser %d\n", ["--column", "bd"]),
        ("jsonl", b"", b'{"id":%d,"bd":"%s","name":"user \\"%d\\""}\n', ["--field", "/bd"]),
    ):
        text = head + b"".join(row % (at, string, at) for at, string in enumerate(strings))
        path = folder / "table"
        path.write_bytes(text)
        for to in ("v2", "v1", "plain"):
            for lossy in ([], ["--lossy"]):
                for threads in ("-j1", "-j2"):
                    same("convert", "-q", threads, "--framing", name, *flags, "--to", to, *lossy, path)
                same("convert", "-q", "--framing", name, *flags, "--to", to, *lossy, text=text, pieces=ODD)


def links(same: Comparison, count: int) -> None:
    """A page of links."""
    program = same.programs[0]
    v1 = run(program, ["gen", "-q", "--format", "v1", "--lossy", "--mix", "progress", "--count", str(count)], None, None)[1]
    page = b"".join(b'<a href="https://www.sudokuwiki.org/sudoku.htm?bd=%s">x</a>\n' % string for string in v1.split())
    for flags in ([], ["--any-host"], ["--plain"]):
        same("relink", "-q", *flags, text=page)
        same("relink", "-q", *flags, text=page, pieces=ODD)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--boards", type=int, default=6000)
    parser.add_argument("--only", default="", help="only runs whose description contains this")
    given = parser.parse_args()
    same = Comparison(given.old.resolve(), given.new.resolve(), given.only)
    with tempfile.TemporaryDirectory() as folder:
        samples(same)
        for kind in KINDS:
            tables(same, boards(same, kind, given.boards, Path(folder)), Path(folder))
    links(same, given.boards)
    print(f"{same.runs} runs ({same.refused} with exit code 2), {len(same.different)} of them different")
    sys.exit(bool(same.different))


if __name__ == "__main__":
    main()
