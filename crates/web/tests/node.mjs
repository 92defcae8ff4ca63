// The module in Node against the program: GRIDMILL_WEB=FOLDER:PROGRAM node --test. FOLDER is what scripts/serve.sh makes.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

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

test("a table", () => {
    const rows = all.map((string, at) => `${at},"${string.replaceAll('"', '""')}",note ${at}`);
    const table = `id,board,note\n${rows.join("\n")}\n`;
    const done = gridmill.convert(table, { framing: "csv", column: "board" });
    const program_ = expected(program, ["convert", ["--framing", "csv", "--column", "board"]], table);
    assert.equal(done.rejects, program_.rejects);
    assert.equal(done.text, program_.text);
});

test("what a string is, and what is wrong with a call", () => {
    assert.deepEqual(gridmill.detect("1" + "0".repeat(80) + "\nx"), [{ format: "plain", kind: "sudoku", side: 9, layout: null }, null]);
    assert.throws(() => gridmill.convert("x", { tow: "v2" }), GridmillError);
    assert.equal(gridmill.convert("x").counts.rejected, 1);
});
