#!/usr/bin/env node
// Reads puzzles of f-puzzles with JavaScript and with gridmill, in turn, and compares the time that each takes.
//
//   benches/fpuzzles.mjs LZ_STRING.js [GRIDMILL] [ROUNDS]
//
// LZ_STRING.js is libs/lz-string.js of the package lz-string, which is not part of this repository. The JavaScript unpacks a
// string, parses the JSON and takes the digits, notes, regions and cages out of it, as far as they become a board. gridmill
// converts the same strings to version 2, on one thread, which includes all checks and writing.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [library, program = "target/release/gridmill", rounds = "5"] = process.argv.slice(2);
if (!library) {
    console.error("usage: fpuzzles.mjs LZ_STRING.js [GRIDMILL] [ROUNDS]");
    process.exit(2);
}
const lz = createRequire(import.meta.url)(resolve(library));
const COUNT = 4000;

const gridmill = (args, input) => execFileSync(program, args, { input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] });
const kinds = ["sudoku", "sudoku-x", "jigsaw", "killer"];
const strings = kinds.flatMap((kind) => {
    const boards = gridmill(["gen", "-q", "--kind", kind, "--mix", "progress", "--count", String(COUNT / kinds.length), "--seed", "7"]);
    return gridmill(["convert", "-q", "--to", "fpuzzles"], boards).toString().trim().split("\n");
});

// What f-puzzles and its readers take from the JSON.
function board(string) {
    const json = lz.decompressFromBase64(string);
    const { size, grid, killercage = [], ...others } = JSON.parse(json);
    const [given, solved, centre, regions] = [[], [], [], []];
    for (const [row, cells] of grid.entries()) {
        for (const [column, cell] of cells.entries()) {
            (cell.given ? given : solved)[row * size + column] = cell.value ?? 0;
            centre[row * size + column] = (cell.centerPencilMarks ?? []).reduce((mask, digit) => mask | 1 << digit - 1, 0);
            regions[row * size + column] = cell.region;
        }
    }
    const cages = killercage.map(({ cells, value }) => [cells.map((cell) => /R(\d+)C(\d+)/.exec(cell).slice(1).map(Number)), Number(value)]);
    return { json, given, solved, centre, regions, cages, others };
}

const units = strings.reduce((sum, string) => sum + board(string).json.length, 0);
const folder = mkdtempSync(join(tmpdir(), "fpuzzles-"));
const file = join(folder, "strings.txt");
const times = { javascript: [], gridmill: [] };
const REPEATS = 16; // so that starting the program takes no part
writeFileSync(file, `${strings.join("\n")}\n`.repeat(REPEATS));
for (let round = 0; round <= Number(rounds); round++) {
    const before = process.cpuUsage();
    strings.forEach(board);
    const { user, system } = process.cpuUsage(before);
    const timed = execFileSync("bash", ["-c", 'TIMEFORMAT="%U %S"; { time "$0" convert -q -j 1 --from fpuzzles "$1" > /dev/null; } 2>&1', program, file], { encoding: "utf8" });
    const seconds = timed.trim().split(" ").map(Number).reduce((sum, one) => sum + one);
    if (round > 0) { // the first one warms up
        times.javascript.push((user + system) / 1e6);
        times.gridmill.push(seconds / REPEATS);
    }
}
rmSync(folder, { recursive: true });
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const rate = (list) => Math.round(strings.length / median(list));
console.log(`${strings.length} strings, ${(strings.join("").length / 1e6).toFixed(1)} MB, ${(units / 1e6).toFixed(1)} MB of JSON; processor time, median of ${rounds}`);
for (const [name, list] of Object.entries(times)) {
    const spread = [Math.min(...list), Math.max(...list)].map((time) => Math.round(strings.length / time));
    console.log(`${name}: ${rate(list)} strings/s (${spread[1]} to ${spread[0]}), ${(units / 1e6 / median(list)).toFixed(0)} MB/s of JSON`);
}
console.log(`ratio: ${(median(times.javascript) / median(times.gridmill)).toFixed(1)}`);
