"""Shared by faults.py and short.py: what must hold whatever happens to a command (docs/RELIABILITY.md)."""
import pathlib
import re
import shutil
import subprocess
import tempfile

from scenarios import TEMPORARY, rows

# Messages that do not concern a single file. Temporary files have no name, but a folder, which is the current one here.
GENERAL = re.compile(
    rb"gridmill: (out of memory|cannot start \d+ threads|cannot watch for signals|the system provides no random numbers"
    rb"|a folder that was read cannot be closed"
    rb"|\.: cannot (create|write|read) a temporary file there)"
)
# What is followed by the name of a file.
FLAGS = ["-o", "--rejects", "--report", "--list-solved", "--solutions", "--groups", "--against", "--backup", "--svg", "--to-numpy"]
STREAMS = ["<stdin>", "<stdout>", "<stderr>", "<rejects>"]


def names_a_file(scenario, done, line):
    """Whether a message begins with the name of a file of the scenario, as every message about a file does."""
    words = scenario.args.split()
    names = {*done.files, *scenario.inputs, *(name for flag, name in zip(words, words[1:]) if flag in FLAGS and name != "-")}
    names |= {*scenario.outputs, *(f"{name}.rejects.tsv" for name in scenario.outputs), *STREAMS}
    names |= {part for name in list(names) for part in pathlib.PurePath(name).parts}
    either = "|".join(re.escape(name) for name in sorted(names))
    return re.match(rb"gridmill: (\S*/)?(%s)[: ]" % either.encode(), line)


def violations(scenario, base, place, done, killed=False, deaf=False, named=False):
    """What does not hold after a disturbed run. `deaf` says that its messages could not be written, and `named` that its files had names
    from the start."""
    bad = []
    said = done.stderr
    if done.code == "hangs":
        return ["hangs"]
    died = done.code < 0 or done.code > 128
    if killed:
        died = False
    elif died:
        bad.append(f"dies with {done.code}")
    elif done.code not in (base.code, 2):
        bad.append(f"exit code {done.code}")
    for words in (b"panicked", b"internal error", b"BACKTRACE"):
        if words in said:
            bad.append(f"says {words.decode()}")
    if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", said):
        bad.append("raw control bytes")
    lines = [line for line in said.splitlines() if line.startswith(b"gridmill: ")]
    if (done.code == 2 or scenario.kind == "relink" and lines) and not killed:
        if not lines and not deaf:
            bad.append("no message")
        elif lines and not deaf and not any(GENERAL.match(line) or names_a_file(scenario, done, line) for line in lines):
            bad.append("the message does not begin with a file")
    temporaries = [name for name in done.files if TEMPORARY.search(name)]
    if temporaries and not killed:
        bad.append("a temporary is left")
    for name in temporaries:
        # Left by a kill at the one moment when a complete file has its second name.
        if killed and not named and not any(base.is_new(scenario, output, done.files[name]) for output in scenario.outputs):
            bad.append("a temporary that is not whole is left")
    if not killed and any(name.endswith("-gridmill") for name in done.files):
        bad.append("a lock is left")
    for name in scenario.inputs:
        if scenario.kind not in ("relink", "database") and done.files.get(name) != base.before[name]:
            bad.append("an input is changed")
    good = done.code == base.code and not killed
    if scenario.kind == "relink" and (deaf or any(line.startswith(b"gridmill: ") for line in said.splitlines())):
        good = False  # a file that is not done does not stop the others: 1, and the message says which
    if scenario.kind == "stream":
        bad += stream_violations(scenario, base, done, good)
    else:
        bad += file_violations(scenario, base, done, good)
    if scenario.kind == "database":
        bad += database_violations(scenario, base, place, good)
    return bad


def stream_violations(scenario, base, done, good):
    bad = []
    have = done.files["stdout"]
    if not base.after["stdout"].startswith(have):
        bad.append("stdout is no beginning of the output")
    if good and have != base.after["stdout"]:
        bad.append("good, but stdout is cut")
    if good and "stderr" in scenario.outputs and done.files["stderr"] != base.after["stderr"]:
        bad.append("good, but rejects on stderr are missing")
    return bad


def file_violations(scenario, base, done, good):
    bad, placed = [], []
    for name in scenario.outputs:
        have = done.files.get(name)
        new, old = base.is_new(scenario, name, have), have == base.before.get(name)
        placed.append(new and not old)
        if good and not new:
            bad.append("good, but an output is missing or wrong")
        elif not new and not old:
            bad.append("an output is neither old nor new")
    # A file that describes an output never exists without it, nor a report without the rejects. (Each file of relink is an output of its
    # own.)
    if scenario.kind in ("files", "database") and any(later and not earlier for earlier, later in zip(placed, placed[1:])):
        bad.append("rejects, list or report without what comes before them")
    return bad


def database_violations(scenario, base, place, good):
    bad = []
    whole, now = rows(place.folder / scenario.inputs[0])
    if whole != "ok":
        bad.append("the database is damaged")
    if len(now) != len(base.rows_before):
        bad.append("rows are gone or doubled")
    elif any(row not in (old, new) for row, old, new in zip(now, base.rows_before, base.rows_after)):
        bad.append("a row is neither old nor new")
    if good and now != base.rows_after:
        bad.append("good, but rows are missing")
    if scenario.backup and now != base.rows_before:
        bad += backup_violations(scenario, base, place)
    return bad


def backup_violations(scenario, base, place):
    """What a backup does not restore in a copy of the current database."""
    with tempfile.TemporaryDirectory(dir=place.folder.parent) as folder:
        for name in place.files():
            shutil.copyfile(place.folder / name, pathlib.Path(folder) / name)
        restore = [place.program, "migrate", "restore", scenario.backup, scenario.inputs[0], "-q", "--yes"]
        done = subprocess.run(restore, cwd=folder, env=place.environment, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            return [f"restore: exit code {done.returncode}: {done.stderr[-200:]!r}"]
        if rows(pathlib.Path(folder) / scenario.inputs[0]) != ("ok", base.rows_before):
            return ["restore: rows differ from those before the migration"]
    return []


def again(scenario, base, place):
    """Runs the same command again, undisturbed. It must succeed."""
    if scenario.kind == "stream":
        return []
    done = place.run(scenario, args=scenario.again or scenario.args, again=True)
    bad = []
    # Links and rows that an interrupted run has completed are not reported by the next one, but all others are.
    if done.code not in ((0, 1) if scenario.kind == "relink" else (base.code,)):
        bad.append(f"again: exit code {done.code}: {done.stderr[-200:]!r}")
    for name in scenario.outputs:
        if scenario.kind == "relink" and name == "rejects":
            continue  # the bytes at which links stand are others in a file that was done before
        if not base.is_new(scenario, name, done.files.get(name)):
            bad.append(f"again: {name} differs")
    if scenario.kind == "database" and rows(place.folder / scenario.inputs[0]) != ("ok", base.rows_after):
        bad.append("again: rows differ")
    if scenario.backup:
        bad += backup_violations(scenario, base, place)
    return bad
