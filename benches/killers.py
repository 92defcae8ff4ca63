#!/usr/bin/env python3
"""Extracts killer sudokus of side 9 from any text and prints each as a `plain` string. It finds two notations of solvers and forums: 81
characters with arrows that lead to a cage's sum, and `3x3::k:` with 81 numbers. Puzzles with diagonals, with cells outside of cages, or
with cages in several pieces are skipped.

    benches/killers.py FILE... > killers.txt

`data/collections.js` of the repository sigh/Interactive-Sudoku-Solver has the hard puzzles of the forums (by tarek, Mathemagic and Wecoc).
"""
import re
import sys

STEPS = {"<": -1, ">": 1, "^": -9, "v": 9, "`": -10, "'": -8, ",": 8, ".": 10}
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"


def from_arrows(text):
    """Returns for each cell the cell with its cage's sum, and the sums; nothing if arrows lead in circles or off the board."""
    cages = []
    for cell in range(81):
        for _ in range(81):
            if text[cell] not in STEPS:
                break
            cell += STEPS[text[cell]]
            if not 0 <= cell < 81:
                return None
        else:
            return None
        cages.append(cell)
    return cages, {cage: DIGITS.index(text[cage]) for cage in set(cages)}


def from_numbers(numbers):
    """The same for numbers, each of which is 256 times the sum plus the cage."""
    cages = [number % 256 for number in numbers]
    return cages, {cage: number // 256 for cage, number in zip(cages, numbers)}


def neighbours(cell):
    row, column = divmod(cell, 9)
    steps = ((row > 0, -9), (row < 8, 9), (column > 0, -1), (column < 8, 1))
    return [cell + step for inside, step in steps if inside]


def in_one_piece(cells):
    found, new = set(), {cells[0]}
    while new:
        found |= new
        new = {other for cell in new for other in neighbours(cell) if other in cells} - found
    return len(found) == len(cells)


def colours(cages):
    """Gives each cage a colour from 1 to 5, so that adjacent cages differ. The cage with the fewest colours left is coloured next."""
    touching = {cage: set() for cage in cages}
    for cell, cage in enumerate(cages):
        touching[cage] |= {cages[other] for other in neighbours(cell)} - {cage}
    chosen = {}

    def choose():
        free = {cage: {1, 2, 3, 4, 5} - {chosen.get(other) for other in touching[cage]} for cage in touching if cage not in chosen}
        if not free:
            return True
        cage = min(free, key=lambda cage: (len(free[cage]), -len(touching[cage])))
        for colour in sorted(free[cage]):
            chosen[cage] = colour
            if choose():
                return True
        chosen.pop(cage, None)
        return False

    return chosen if choose() else None


def plain(cages, sums):
    if not all(1 <= total <= 45 for total in sums.values()):
        return None
    if not all(in_one_piece([cell for cell in range(81) if cages[cell] == cage]) for cage in sums):
        return None
    chosen = colours(cages)
    shown = [sums[cage] if cages.index(cage) == cell else 0 for cell, cage in enumerate(cages)]
    return chosen and "".join(str(chosen[cage]) for cage in cages) + "," + "".join(f"{total:02}" for total in shown)


def main():
    number = r"\d+"
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        puzzles = [from_arrows(string) for string in re.findall(r"['\"]([0-9A-Za-j<>^v`',.]{81})['\"]", text) if re.search("[<>^v]", string)]
        puzzles += [from_numbers([int(n) for n in re.findall(number, string)]) for string in re.findall(r"3x3::k((?::\d+){81})", text)]
        for string in dict.fromkeys(plain(*puzzle) for puzzle in puzzles if puzzle):
            if string:
                print(string)


main()
