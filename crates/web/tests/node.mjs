// The module in Node, compared with the program: GRIDMILL_WEB=FOLDER:PROGRAM node --test. scripts/serve.sh makes FOLDER.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { inWords } from "../page/words.mjs";
import { TASKS, expected, run, strings } from "./program.mjs";

const [folder, program] = process.env.GRIDMILL_WEB.split(":");
const { load, GridmillError } = await import(pathToFileURL(join(folder, "gridmill.mjs")).href);
const gridmill = await load(await readFile(join(folder, "gridmill.wasm")));
const all = strings(program, process.env.GRIDMILL_SHARED);

for (const task of TASKS) {
    test(`${task[0]} ${task[1].join(" ")}: as the program, of ${all.length} strings`, () => {
        const text = all.join("\n");
        const { text: new_, rejects } = gridmill[task[0]](text, task[2]);
        const program_ = expected(program, task, text);
        assert.equal(rejects, program_.rejects);
        assert.equal(new_, program_.text);
    });
}

test("every kind and side is drawn as `show --svg` draws it", () => {
    const drawn = [];
    const compare = (name, side, board) => {
        // One string may not tell its layout.
        const program_ = run(program, ["show", "--svg", "-", "--theme", "auto", "--str8ts-layout", "spec", "-"], board).text.toString();
        assert.ok(program_.startsWith("<svg"), `${name} ${side}: ${board}`);
        assert.equal(gridmill.show(board, { str8ts_layout: "spec" }).svg, program_, `${name} ${side}: ${board}`);
        drawn.push(`${name} ${side}`);
    };
    const cells = [[0, { clue: 1 }], [1, { solved: 2 }], [2, { candidates: [1, 3] }]];
    for (const { name, sides } of gridmill.names().kinds) {
        for (const side of sides) {
            compare(name, side, gridmill.edit("", { kind: name, side, cells }).string);
            if (side !== 9 && ["windoku", "colour-sudoku"].includes(name)) continue; // `gen` makes none
            compare(name, side, run(program, ["gen", "-q", "--kind", name, "--side", String(side), "--count", "1"]).text.toString().trim());
        }
    }
    for (const one of ["sudoku 9", "killer 16", "jigsaw 6", "kenken 4", "str8ts-bx 25"]) assert.ok(drawn.includes(one), one);
});

test("a large text in pieces of any size", () => {
    const text = run(program, ["gen", "-q", "--count", "100000", "--format", "v1"]).text;
    const whole = run(program, ["convert", "-q"], text).text;
    const hash = (parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
    for (const size of [4_093, 262_144, 10_000_019]) {
        const [piecewise, parts] = [gridmill.begin("convert"), []];
        for (let at = 0; at < text.length; at += size) {
            const last = at + size >= text.length;
            let done = piecewise.feed(text.subarray(at, at + size), last);
            for (; done.more; done = piecewise.feed(new Uint8Array(0), last)) parts.push(done.text);
            parts.push(done.text);
        }
        assert.equal(hash(parts), hash([whole]), `pieces of ${size}`);
    }
});

/** The strings, some of them twice, in texts of several framings, with the options that say where they stand. */
function texts() {
    const twice = [...all.slice(0, 6000), ...all.slice(0, 500)].filter((string) => !/[\t\r\n]/.test(string));
    const quoted = (string) => `"${string.replaceAll('"', '""')}"`;
    const words = twice.filter((string) => !/\s/.test(string));
    return [
        [`id,board,note\n${twice.map((string, at) => `${at},${at % 7 ? quoted(string) : ""},note ${at}`).join("\n")}\n`, { framing: "csv", column: "board" }],
        [`\ufeffid;board\r\n${twice.map((string, at) => `${at};${quoted(string)}`).join("\r\n")}`, { framing: "csv", column: "2", delimiter: ";" }],
        [`${twice.map((string, at) => `${at}\t${string}`).join("\n")}\n`, { framing: "tsv", column: "2", no_header: true }],
        [`${twice.map((string, at) => JSON.stringify(at % 5 ? { at, board: string } : { at, board: [string, null, twice[at + 1]] })).join("\n")}\n`, { framing: "jsonl", field: "/board" }],
        [`${words.map((string, at) => `${at} ${string} x`).join("\n")}\n`, { framing: "words", column: "2" }],
    ];
}

for (const [command, more] of [["convert", {}], ["validate", {}], ["solve", { effort: 50 }], ["solve", { effort: 50, bad: "keep" }], ["dedupe", { effort: 50 }], ["dedupe", { by: "string" }]]) {
    test(`${command} ${JSON.stringify(more)} of tables, JSON lines and words: as the program`, () => {
        for (const [text, place] of texts()) {
            const options = { ...place, ...more };
            const flags = Object.entries(options).flatMap(([name, value]) => (value === true ? [`--${name.replace("_", "-")}`] : [`--${name}`, String(value)]));
            const [done, program_] = [gridmill[command](text, options), expected(program, [command, flags], text)];
            assert.equal(done.rejects, program_.rejects, JSON.stringify(options));
            assert.ok(done.text === program_.text, `${JSON.stringify(options)}: another text`);
        }
    });
}

test("text that solutions and kept records cannot be put into is refused", () => {
    const link = "https://www.sudokuwiki.org/sudoku.htm?bd=" + all[0];
    assert.throws(() => gridmill.solve(link, { framing: "links" }), /cannot be written into links/);
    assert.throws(() => gridmill.dedupe(link, { framing: "links" }), /cannot be left out of the text around them/);
    assert.throws(() => gridmill.solve("id,solution,b\n", { framing: "csv", column: "b" }), /"solution" already exists/);
    assert.match(gridmill.solve("id,solution,b\n", { framing: "csv", column: "b", to_column: "answer" }).text, /^id,solution,b,answer\n$/);
});

test("the columns of a table", () => {
    const string = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    const named = (columns) => columns.map(({ value }) => value);
    const columns = (text, name = "x.csv", more = {}) => gridmill.columns(text, { framing: "auto", name, ...more });
    const two = columns(`quizzes,solutions\n${string},${string}\n`);
    assert.deepEqual([named(two.columns), two.chosen, two.rows[0]], [["quizzes", "solutions"], null, [string.slice(0, 60), string.slice(0, 60)]]);
    const one = columns(`id;board\n1;${string}\n2;${string}\n`, "x.txt");
    assert.deepEqual([named(one.columns), one.chosen, one.delimiter, one.framing, one.rows.length], [["id", "board"], 1, ";", "csv", 2]);
    const bare = columns(`1,${string}\n2,${string}\n`);
    assert.deepEqual([named(bare.columns), bare.chosen, bare.no_header, bare.columns[1].name], [["1", "2"], 1, true, "Column 2"]);
    const odd = columns(`2,a,a,,name:x\n1,x,${string},x,x\n`);
    assert.deepEqual([named(odd.columns), odd.chosen], [["number:1", "number:2", "number:3", "number:4", "number:5"], 2]);
    assert.deepEqual(named(columns("a,b\nx,y\n", "x.csv").columns), ["a", "b"]);
    assert.deepEqual(named(columns("a;b\nx;y\n", "x.txt", { framing: "csv", delimiter: ";" }).columns), ["a", "b"]);
    for (const text of [`${string}\n`, "", "what is this?\n", `{"a":"${string}"}\n`]) assert.equal(columns(text, "x.txt").columns, null, text);
});

/** What does not belong into the words of the page. */
const FLAGS = /--[a-z]|'gridmill|\b(?:jq|tail|zstd) -/;

test("the page has words for every flag that a message can name", () => {
    const core = new URL("../../core/src/", import.meta.url);
    const sources = readdirSync(core, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".rs") && !name.endsWith("tests.rs"));
    const literals = sources.flatMap((name) => {
        const code = readFileSync(new URL(name, core), "utf8").split("#[cfg(test)]\nmod tests {")[0].replace(/^ *\/\/.*$/gm, "");
        return [...code.replace(/\\\n\s*/g, "").matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text]) => text).filter((text) => FLAGS.test(text));
    });
    assert.ok(literals.length > 80, `${literals.length} literals`);
    for (const text of literals) assert.doesNotMatch(inWords(text), FLAGS, text);
});

test("what is said of strings, in the words of the page", () => {
    const text = all.join("\n");
    const refused = [gridmill.convert(text, { to: "plain" }), gridmill.validate(text, { level: "unique", effort: 1 })];
    const messages = new Set(refused.flatMap(({ rejects }) => rejects.split("\n").slice(1, -1).map((row) => row.split("\t")[5])));
    assert.ok([...messages].some((message) => FLAGS.test(message)));
    for (const message of messages) assert.doesNotMatch(inWords(message), FLAGS);
    for (const [message, words] of [
        ["choose with --from or --kind", "choose with “Format” or “Kind”"],
        ["use --framing csv --delimiter tab --column 'the board' --no-header", "use “Arranged as: a table” and “Separated by: tabs” and “Column or field: the board” and “no header row”"],
        ["leave out --kind, or check --from", "set “Kind” to auto, or check “Format”"],
    ]) assert.equal(inWords(message), words);
});

test("what a string is, and what is wrong with a call", () => {
    assert.deepEqual(gridmill.detect("1" + "0".repeat(80) + "\nx"), [{ format: "plain", kind: "sudoku", side: 9, layout: null }, null]);
    assert.throws(() => gridmill.convert("x", { tow: "v2" }), GridmillError);
    assert.equal(gridmill.convert("x").counts.rejected, 1);
});
