// Runs the program, and makes texts for comparisons with it.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes of stdout and stderr that a run may have. */
const MOST = 1 << 30;

/**
 * Runs the program.
 * @returns {{ text: Buffer, rejects: string }} what it writes to stdout, and its rows of refused records
 */
export function run(program, args, input) {
    const done = spawnSync(program, args, { input, maxBuffer: MOST });
    if (done.error || done.status > 1) throw new Error(`${args.join(" ")}: ${done.error ?? done.stderr}`);
    return { text: done.stdout, rejects: done.stderr.toString() };
}

const KINDS = ["sudoku", "sudoku-x", "windoku", "colour-sudoku", "jigsaw", "killer", "killer-jigsaw", "kenken", "kendoku", "str8ts", "str8ts-x", "str8ts-b", "str8ts-bx"];

/** Ten thousand strings: boards of every kind in many formats, some of them damaged, and the shared vectors, good and bad. */
export function strings(program, shared) {
    const made = KINDS.flatMap((kind) => {
        const gen = (more) => run(program, ["gen", "-q", "--kind", kind, ...more]).text.toString().trimEnd().split("\n");
        return [...gen(["--count", "400"]), ...gen(["--count", "150", "--mix", "clues", "--seed", "2"])];
    });
    const sudokus = ["plain", "v0", "v1", "wolfram"].flatMap((format) => {
        const mix = { plain: "clues", wolfram: "clues" }[format] ?? "progress";
        return run(program, ["gen", "-q", "--lossy", "--count", "500", "--mix", mix, "--format", format]).text.toString().trimEnd().split("\n");
    });
    const damaged = [...made, ...sudokus].filter((_, at) => at % 4 === 0).map((string, at) => {
        const where = (at * 7919) % string.length;
        return string.slice(0, where) + "z0!~,"[at % 5] + string.slice(where + (at % 3 ? 1 : 0));
    });
    const all = [...made, ...sudokus, ...damaged, ...vectors(shared)];
    if (all.length < 10_000) throw new Error(`${all.length} strings`);
    return all;
}

/** The strings of the shared vectors, if they are there. */
function vectors(shared) {
    const folder = shared && join(shared, "oracle/vectors");
    if (!folder || !existsSync(folder)) return [];
    return readdirSync(folder).flatMap((name) => {
        const [head, ...rows] = readFileSync(join(folder, name), "utf8").trimEnd().split("\n").map((row) => row.split("\t"));
        const column = head.findIndex((title) => ["string", "input"].includes(title));
        return rows.map((row) => row[column]).filter(Boolean);
    });
}

/** What is compared: flags of the program, and the options that say the same. */
export const TASKS = [
    ["convert", [], {}],
    ["convert", ["--to", "v1", "--lossy"], { to: "v1", lossy: true }],
    ["convert", ["--to", "plain", "--lossy", "--notes", "none", "--blank", "."], { to: "plain", lossy: true, notes: "none", blank: "." }],
    ["convert", ["--to", "wolfram", "--bad", "keep"], { to: "wolfram", bad: "keep" }],
    ["convert", ["--notes", "auto", "--check", "rules"], { notes: "auto", check: "rules" }],
    ["validate", [], {}],
    ["validate", ["--level", "unique", "--effort", "50"], { level: "unique", effort: 50 }],
    ["solve", ["--effort", "50"], { effort: 50 }],
    ["dedupe", ["--effort", "50"], { effort: 50 }],
    ["dedupe", ["--by", "string", "--bad", "keep"], { by: "string", bad: "keep" }],
];

/** The program's answer in the terms of the module: `validate` has its rows on stdout. */
export function expected(program, [command, flags], input) {
    const quiet = command === "validate" ? [] : ["-q"];
    const done = run(program, [command, ...quiet, ...flags], input);
    if (command !== "validate") return { text: done.text.toString(), rejects: done.rejects };
    return { text: "", rejects: done.text.toString() };
}
