// Installs the package in a folder of its own and uses it as users do: test.mjs PACKAGE.tgz [TSC], where TSC is the program of TypeScript.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [packed, tsc] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), "gridmill-npm-"));
const call = (program, ...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const compile = (...words) => execFileSync(tsc, words, { cwd: folder, stdio: "inherit" }); // which writes errors to stdout
const write = (name, text) => writeFileSync(join(folder, name), text);

const PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

// What the README says of the first calls, and what both ways to load the package must agree on.
const USE = `
const puzzle = "${PUZZLE}";
let refused;
try { gridmill.convert(puzzle, { nosuch: 1 }); } catch (error) { refused = error instanceof GridmillError; }
const bytes = gridmill.convert(new TextEncoder().encode(puzzle)).text;
console.log(JSON.stringify({
    converted: gridmill.convert(puzzle).text, solved: gridmill.solve(puzzle).text, detected: gridmill.detect(puzzle), refused,
    listed: gridmill.validate("12345").listed, bytes: bytes instanceof Uint8Array && new TextDecoder().decode(bytes),
}));
`;

// Texts that are written in the source must be strings, not themselves: \`text === "S9B01"\` is no error.
const TYPES = `
const text: string = gridmill.convert("${PUZZLE}").text;
const same: boolean = gridmill.convert("${PUZZLE}").text === "S9B01";
const bytes: Uint8Array = gridmill.solve(new Uint8Array(), { effort: 1 }).text;
const either = (text: string | Uint8Array): string | Uint8Array => gridmill.validate(text, { level: "unique" }).text;
const run: Run = gridmill.begin("convert", { framing: "auto" });
const done: Done<Uint8Array> = run.feed(bytes, true);
// @ts-expect-error: no such option
gridmill.convert("", { nosuch: 1 });
// @ts-expect-error: no such format
gridmill.convert("", { to: "nosuch" });
// @ts-expect-error: a text
gridmill.convert(7);
const again: Promise<Gridmill> = load(new Uint8Array());
export { again, done, either, same, text };
`;

try {
    write("package.json", JSON.stringify({ name: "use", version: "1.0.0", private: true }));
    call("npm", "install", "--silent", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", packed);
    write("imported.mjs", `import { gridmill, GridmillError } from "gridmill";${USE}`);
    write("required.cjs", `const { gridmill, GridmillError } = require("gridmill");${USE}`);
    const [imported, required] = [call("node", "imported.mjs"), call("node", "required.cjs")];
    assert.equal(imported, required);
    const { converted, solved, detected, refused, listed, bytes } = JSON.parse(imported);
    assert.match(converted, /^S9B01[0-9a-v]+$/);
    assert.match(solved, /^[1-9]{81}$/);
    assert.deepEqual(detected, [{ format: "plain", kind: "sudoku", side: 9, layout: null }]);
    assert.equal(refused, true);
    assert.deepEqual(listed.map(({ line, byte, cell, code, record }) => [line, byte, cell, code, record]), [[1, 0, null, "length", "12345"]]);
    assert.equal(bytes, converted);
    write("loaded.mjs", `import { load } from "gridmill/load";
        import { readFile } from "node:fs/promises";
        import { fileURLToPath } from "node:url";
        const gridmill = await load(await readFile(fileURLToPath(import.meta.resolve("gridmill/gridmill.wasm"))));
        process.stdout.write(gridmill.convert("${PUZZLE}").text);`);
    assert.equal(call("node", "loaded.mjs"), converted);
    // Whoever requires and imports it has it once.
    write("both.mjs", `import { GridmillError } from "gridmill";
        import { createRequire } from "node:module";
        console.log(createRequire(import.meta.url)("gridmill").GridmillError === GridmillError);`);
    assert.equal(call("node", "both.mjs"), "true\n");
    if (tsc !== undefined) {
        const names = "gridmill, load, GridmillError, type Done, type Gridmill, type Run";
        write("types.mts", `import { ${names} } from "gridmill";${TYPES}`);
        write("types.cts", `import { ${names} } from "gridmill";${TYPES}`);
        write("load.mts", `import { load } from "gridmill/load";\nexport const text: Promise<string> = load(new ArrayBuffer(0)).then((gridmill) => gridmill.convert("").text);\n`);
        const strict = ["--strict", "--noEmit", "--types", "", "--target", "es2022"];
        for (const lib of ["es2022", "es2022,dom"]) {
            compile(...strict, "--lib", lib, "--module", "nodenext", "types.mts", "types.cts", "load.mts");
        }
        compile(...strict, "--lib", "es2022,dom", "--module", "esnext", "--moduleResolution", "bundler", "types.mts", "load.mts");
    }
    console.log(`the package for npm: installed, imported, required${tsc ? ", checked by TypeScript" : ""}`);
} finally {
    rmSync(folder, { recursive: true });
}
