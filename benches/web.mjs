// Compares v1 to v2 by gridmill.mjs with the sites' own JavaScript in the same engine: web.mjs FOLDER PROGRAM [CHROMIUM]. FOLDER is the
// output of scripts/serve.sh. CHROMIUM needs playwright-core in the current folder.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, chromium] = process.argv.slice(2);

/** Runs in Node and in the browser. Returns strings per second of seven alternating rounds of each. */
async function measure(address, wasm, text) {
    const { load } = await import(address);
    const gridmill = await load(wasm);

    /** The loops of the sites' articles: one unpacks a v1 string, the other packs a v2 string. */
    function site(v1) {
        const [clue, cells] = [[], []];
        const narr = v1.match(/.{1,2}/g);
        for (let y = 0; y < 9; y++)
            for (let x = 0; x < 9; x++) {
                const n = parseInt(narr[y * 9 + x], 32);
                clue.push(n & 1 ? 1 : 0);
                cells.push(n >> 1);
            }
        let s = "S9B";
        for (let y = 0; y < 9; y++)
            for (let x = 0; x < 9; x++) {
                const mask = cells[y * 9 + x];
                let n = 0;
                if (mask && (mask & (mask - 1)) === 0) n = 32 - Math.clz32(mask) + (clue[y * 9 + x] ? 0 : 9);
                else if (mask) n = mask + 18;
                let h = n.toString(36);
                if (h.length < 2) h = "0" + h;
                s += h;
            }
        return s;
    }

    const lines = text.trimEnd().split("\n");
    const bytes = new TextEncoder().encode(text);
    const few = lines.slice(0, lines.length / 20);
    const same = new TextDecoder().decode(gridmill.convert(bytes).text).split("\n").slice(0, few.length);
    if (few.some((line, at) => site(line) !== same[at])) throw new Error("the two differ");
    const timed = (work) => {
        const begun = performance.now();
        work();
        return performance.now() - begun;
    };
    const rounds = Array.from({ length: 7 }, () => [
        (lines.length / timed(() => gridmill.convert(bytes))) * 1000,
        (few.length / timed(() => few.forEach(site))) * 1000,
    ]);
    return rounds;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

function report(engine, rounds) {
    const shown = (numbers) => `${Math.round(median(numbers)).toLocaleString("en")} (${Math.round(Math.min(...numbers))} to ${Math.round(Math.max(...numbers))})`;
    const [ours, sites] = [0, 1].map((at) => rounds.map((round) => round[at]));
    console.log(`${engine}: gridmill ${shown(ours)} strings/s, the sites' JavaScript ${shown(sites)}: ${(median(ours) / median(sites)).toFixed(1)} x`);
}

const text = spawnSync(program, ["gen", "-q", "--count", "200000", "--format", "v1"], { maxBuffer: 1 << 30 }).stdout.toString();
const wasm = readFileSync(join(folder, "gridmill.wasm"));
report(`Node ${process.version}`, await measure(pathToFileURL(resolve(folder, "gridmill.mjs")).href, wasm, text));
if (chromium) {
    const { chromium: launcher } = createRequire(`${process.cwd()}/`)("playwright-core");
    const browser = await launcher.launch({ executablePath: chromium, args: ["--no-sandbox"] });
    const page = await browser.newPage();
    const source = `data:text/javascript;base64,${readFileSync(join(folder, "gridmill.mjs")).toString("base64")}`;
    const rounds = await page.evaluate(`(${measure})(${JSON.stringify(source)}, Uint8Array.from(atob("${wasm.toString("base64")}"), (c) => c.charCodeAt(0)), ${JSON.stringify(text)})`);
    report(`Chromium ${browser.version()}`, rounds);
    await browser.close();
}
