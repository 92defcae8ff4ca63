#!/usr/bin/env python3
"""Checks the program against the shared vectors of canonical forms: strings, keys, automorphisms, solutions and refusals. Applies its own
maps and those of the vectors. Runs on lines and on tables, with every number of records per call that matters."""

import argparse
import csv
import subprocess
import sys


def run(program, arguments, text):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def refusals(program, arguments, text):
    """The codes of refused rows, by the number at the start of each row."""
    done = run(program, [*arguments, "--rejects", "-", "-o", "/dev/null"], text)
    rows = [line.split("\t") for line in done.splitlines()[1:]]
    return {int(row[6].split("\\t")[0]): row[4] for row in rows}


def check(program, rows, form):
    """The rows of a form that are wrong."""
    table = "".join(f"{number}\t{row['input']}\n" for number, row in enumerate(rows))
    framing = ["--framing", "tsv", "--no-header", "--column", "2"]
    command = ["canon", "-q", "--str8ts-layout", "spec", "--form", form]
    codes = refusals(program, [*command, *framing], table)
    added = ["--key", "--map", "--automorphisms", "--solution"]
    got = {}
    for line in run(program, [*command, *framing, *added], table).splitlines():
        number, *values = line.split("\t")
        got[int(number)] = values
    wrong, maps = [], []
    for number, row in enumerate(rows):
        if row["canonical"].startswith("!"):
            expected = row["canonical"][1:]
            code = codes.get(number)
            if code is None or (expected != "format" and code != expected):
                wrong.append(f"{row['input']}: refused as {code}, not {expected}")
            continue
        string, key, own, automorphisms, _ = got.get(number, [codes.get(number), "", "", "", ""])
        grid = "" if row["grid_automorphisms"] == "-" else "/" + row["grid_automorphisms"]
        if [string, key, automorphisms] != [row["canonical"], row["key"], row["automorphisms"] + grid]:
            wrong.append(f"{row['input']}: {string} {key} {automorphisms}")
            continue
        maps += [(row["input"], map, row["canonical"]) for map in (own, row["map"])]
    text = "".join(f"{string}\t{map}\n" for string, map, _ in maps)
    applied = run(program, ["canon", "-q", "--str8ts-layout", "spec", "--apply"], text).splitlines()
    if applied != [canonical for _, _, canonical in maps]:
        wrong.append("a map does not make the canonical string")
    return wrong


def alone(program, rows, form):
    """Lines in chunks of few and of many records give the same keys."""
    good = [row for row in rows if not row["canonical"].startswith("!")]
    wrong = []
    for count in (1, 2, 63, 64, 65, 129, 300):
        some = (good * (1 + count // len(good)))[:count]
        text = "".join(row["input"] + "\n" for row in some)
        keys = run(program, ["canon", "-q", "--str8ts-layout", "spec", "--only-key", "--form", form], text).splitlines()
        if keys != [row["key"] for row in some]:
            wrong.append(f"{count} lines of the {form} form have other keys")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default="target/release/gridmill")
    parser.add_argument("--vectors", required=True, help="oracle/vectors/canon.tsv of the shared folder")
    flags = parser.parse_args()
    with open(flags.vectors, encoding="ascii") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wrong = []
    for form in ("puzzle", "solution"):
        of_form = [row for row in rows if row["form"] == form]
        wrong += check(flags.bin, of_form, form) + alone(flags.bin, of_form, form)
    print(f"{len(rows)} vectors, {len(wrong)} wrong")
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
