"""Threads, processes, signals and memory."""

import multiprocessing
import os
import pickle
import statistics
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pytest

import gridmill

if os.name == "posix":
    import resource
unix = pytest.mark.skipif(os.name != "posix", reason="it reads /proc, or sends signals of Unix")

BOARDS = gridmill.gen(40_000, seed=5, mix="clues", format="plain")


def converted(part: pa.Array) -> pa.Array:
    return gridmill.convert(part, threads=2)


@pytest.mark.parametrize("method", [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()])
def test_other_processes(method: str) -> None:
    """A call in a child process, which has no threads, after a call with threads in its parent."""
    expected = converted(BOARDS)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(converted, [BOARDS, BOARDS]) == [expected, expected]


def test_functions_pickle_by_name() -> None:
    for name in gridmill.__all__:
        function = getattr(gridmill, name)
        if callable(function):
            assert pickle.loads(pickle.dumps(function)) is function


def test_threads_change_nothing() -> None:
    one = gridmill.solve(BOARDS, threads=1)
    assert one == gridmill.solve(BOARDS, threads=3) == gridmill.solve(pa.chunked_array([BOARDS])).combine_chunks()


def test_the_lock_is_released() -> None:
    ticks, over = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.001):
            ticks += 1

    ticking = threading.Thread(target=tick)
    ticking.start()
    # On a busy machine, the other thread may get no time during one call.
    most = 0
    for _ in range(100):
        before = ticks
        gridmill.solve(pa.concat_arrays([BOARDS] * 5), threads=1)
        most = max(most, ticks - before)
        if most > 3:
            break
    over.set()
    ticking.join()
    assert most > 3, most


@unix
def test_ctrl_c() -> None:
    code = """
import os, signal, threading, time
import gridmill
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell had ignored
puzzles = gridmill.gen(20_000, seed=5, mix="clues", format="plain")
import pyarrow as pa
many = pa.chunked_array([puzzles] * 5000)
before = len(os.listdir("/proc/self/task"))
# The solver searches a hundred thousand nodes for each.
slow = pa.array([gridmill.from_numpy([[1] + [0] * 624])[0].as_py()] * 2000)
calls = [
    lambda: gridmill.validate(many, level="unique", threads=2),
    lambda: gridmill.solve(many, threads=1),
    lambda: gridmill.validate(slow, level="unique", threads=2),
    lambda: gridmill.to_numpy(many),
    lambda: gridmill.convert(many.slice(0, 10_000_000)),
    lambda: gridmill.detect(many),
    lambda: gridmill.evidence(many),
    lambda: gridmill.gen(20_000_000, seed=1),
]
for call in calls:
    sent = []
    def send():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.3, send)
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        late = time.process_time() - sent[0]
        timer.join()
        print("stopped", len(os.listdir("/proc/self/task")) - before, late)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[:2] for line in lines] == [["stopped", "0"]] * 8, done
    # Usually after less than 0.2 s. This is the time of the process and its threads, since the machine may be busy.
    late = [float(line[2]) for line in lines]
    assert statistics.median(late) < 1 and max(late) < 4, done


@unix
def test_memory_stays() -> None:
    part = pa.array([*BOARDS.slice(0, 2000).to_pylist(), None, "bad"])
    before = pa.total_allocated_bytes()

    def call() -> None:
        gridmill.convert(part, errors="null")
        gridmill.validate(part.slice(1900))
        with pytest.raises(gridmill.RejectError):
            gridmill.to_numpy(part.slice(1990))

    def used() -> int:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()

    # What leaks grows in every round; what the allocator keeps for later, for each of several threads, grows in
    # some rounds only, and how much depends on which threads get to work.
    grown = []
    for _ in range(8):
        begun = used()
        for _ in range(200):
            call()
        grown.append(used() - begun)
    assert min(grown) < 200 << 10, grown  # a kibibyte a call
    assert pa.total_allocated_bytes() == before


@unix
def test_two_gibibytes() -> None:
    """New strings with more bytes than the offsets of `string` can address: an error for an array, more chunks for chunks."""
    short = gridmill.gen(1, seed=5, mix="clues", format="plain")[0].as_py()
    rows = (2 << 30) // 165 + 10_000
    with open("/proc/meminfo") as meminfo:
        available = next(int(line.split()[1]) << 10 for line in meminfo if line.startswith("MemAvailable:"))
    if available < 8 << 30:
        (pytest.fail if "CI" in os.environ else pytest.skip)(f"not enough memory here: {available} bytes")
    text = pa.py_buffer(short.encode() * rows)
    offsets = np.arange(0, (rows + 1) * 81, 81, dtype=np.int32)
    array = pa.Array.from_buffers(pa.string(), rows, [None, pa.py_buffer(offsets), text])
    with pytest.raises(OverflowError, match="large_string"):
        gridmill.convert(array)
    new = gridmill.convert(pa.chunked_array([array]))
    assert new.num_chunks == 2 and len(new) == rows
    assert new[rows - 1].as_py() == new[0].as_py() == gridmill.convert([short])[0].as_py()


@unix
def test_handlers_of_signals_stay() -> None:
    """The package catches and ignores no signal that was not caught or ignored before, whatever the shell ignored."""
    code = """
def handled():
    masks = [int(line[8:], 16) for line in open("/proc/self/status") if line.startswith(("SigIgn", "SigCgt"))]
    return [mask & ~(3 << 31) for mask in masks]  # without 32 and 33, which are for the C library's threads
before = handled()
import gridmill
gridmill.solve(gridmill.gen(50_000, seed=1, mix="clues"), threads=2)
assert len(before) == 2 and handled() == before, (before, handled())
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
