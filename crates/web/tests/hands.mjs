// Using the page: dropping, copying and printing, and everything with the keyboard only.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { run } from "./program.mjs";

const PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The file that an action saves. */
async function saved(page, action) {
    const [download] = await Promise.all([page.waitForEvent("download"), action()]);
    return readFileSync(await download.path());
}

/** Drags something from elsewhere onto the page and drops it, as the browser does: `data` is text, or the paths of files. */
async function drop(page, { files = [], text }) {
    const session = await page.context().newCDPSession(page);
    const items = text === undefined ? [] : [{ mimeType: "text/plain", data: text }];
    for (const type of ["dragEnter", "dragOver", "drop"]) {
        await session.send("Input.dispatchDragEvent", { type, x: 600, y: 450, data: { items, files, dragOperationsMask: 1 } });
        assert.equal(await page.evaluate(() => document.body.classList.contains("dropping")), type === "dragOver");
    }
    await session.detach();
}

/** Files of every sort are dropped, and what is saved of them is the program's. */
export async function drops({ open, address, work, program, pictures, said }) {
    const page = await open(address);
    const lines = run(program, ["gen", "-q", "--count", "20000", "--format", "v1", "--mix", "progress"]).text;
    const table = `id;board\n${lines.toString().trimEnd().split("\n").map((line, at) => `${at};${line}`).join("\n")}\n7;bad\n`;
    const files = { "lines.txt": lines, "table.csv": table, "lines.txt.gz": gzipSync(lines), "table.csv.gz": gzipSync(table) };
    for (const [name, content] of Object.entries(files)) {
        const path = join(work, `dropped-${name}`);
        writeFileSync(path, content);
        const program_ = run(program, ["convert", "-q", "--framing", "auto", path]).text;
        await drop(page, { files: [path] });
        assert.match(await page.textContent("#file-name"), new RegExp(`^dropped-${name}, `));
        await page.click("#start");
        const link = page.locator("#saves a", { hasText: "Save the result" });
        await link.waitFor();
        assert.equal(hash(await saved(page, () => link.click())), hash(program_), name);
    }
    if (pictures) await page.screenshot({ path: join(pictures, "dropped.png"), fullPage: true });
    const rejects = await saved(page, () => page.click("#saves a >> text=Save the rejected records"));
    assert.match(rejects.toString(), /^input\tline\tbyte\tcell\tcode\tmessage\trecord\n[^\n]*\t20002\t[^\n]*\tlength\t[^\n]*\t7;bad\n$/);
    const packed = join(work, "dropped.txt.zst");
    run(program, ["convert", "-q", "--to", "v1", "-o", packed], lines);
    await drop(page, { files: [packed] });
    await page.click("#start");
    const has = await page.evaluate(() => /^.gz or .zst/.test(document.getElementById("unpacked").textContent));
    if (has) {
        const link = page.locator("#saves a", { hasText: "Save the result" });
        await link.waitFor();
        assert.equal(hash(await saved(page, () => link.click())), hash(run(program, ["convert", "-q"], lines).text), "zstd");
    } else {
        await page.waitForFunction(() => /^this browser cannot unpack zstd; unpack dropped.txt.zst first/.test(document.getElementById("file-words").textContent));
    }
    await drop(page, { text: PUZZLE });
    await page.waitForFunction(() => document.getElementById("words").textContent === "plain, sudoku 9x9: 21 clues, 60 empty");
    said(`text, tables and gzip are dropped and saved as the program has them; zstd: ${has ? "so, too" : "the browser has none, and the page says what to do"}`);
    await page.context().close();
}

/** Every button that copies; what was copied is pasted. */
export async function copies({ open, address, program, said }) {
    for (const fails of [false, true]) {
        const page = await open(`${address}#${PUZZLE}`, fails ? {} : { permissions: ["clipboard-read", "clipboard-write"] });
        if (fails) await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))));
        await page.waitForFunction(() => /exactly one solution/.test(document.getElementById("solver").textContent));
        const strings = Object.fromEntries(await page.$$eval("#formats tr", (rows) =>
            rows.filter((row) => row.querySelector(".copy")).map((row) => [row.querySelector("th").textContent, row.querySelector(".string").textContent])));
        const { formats } = JSON.parse(run(program, ["formats", "--json"], "").text.toString());
        const written = formats.filter(({ summary }) => !summary.endsWith("; read only"));
        const taken = written.map(({ name }) => name).filter((to) => run(program, ["convert", "-q", "--lossy", "--to", to], PUZZLE).text.length > 0);
        assert.deepEqual(Object.keys(strings).sort(), taken.sort());
        assert.equal(strings.plain, PUZZLE);
        for (const to of Object.keys(strings).filter((name) => name !== "plain"))
            assert.equal(strings[to], run(program, ["convert", "-q", "--lossy", "--to", to], PUZZLE).text.toString().trimEnd(), to);
        const buttons = page.locator(".copy:visible");
        const labels = await buttons.evaluateAll((all) => all.map((button) => button.getAttribute("aria-label")));
        for (const [at, label] of labels.entries()) {
            await buttons.nth(at).click();
            await page.waitForFunction((label) => document.getElementById("said").textContent === `${label.slice(5)} copied`, label);
            const copied = await pasted(page);
            const format = /^Copy ([\w-]+) string$/.exec(label)?.[1];
            if (format) assert.equal(copied, strings[format], label);
            else if (label === "Copy solution") assert.equal(copied, run(program, ["solve", "-q", "--to", "v2"], PUZZLE).text.toString().trim());
            else assert.ok(copied.endsWith(strings.v2) && /^http/.test(copied), `${label}: ${copied}`);
        }
        assert.ok(labels.length >= 8, `${labels}`);
        await page.context().close();
    }
    said("all buttons copy what they say, with the clipboard's permission and without");
}

/** What comes of pasting: into a field of its own, since the page follows its own. */
async function pasted(page) {
    await page.evaluate(() => document.body.append(Object.assign(document.createElement("textarea"), { id: "pasted" })));
    await page.focus("#pasted");
    await page.keyboard.press("Control+v");
    const text = await page.inputValue("#pasted");
    await page.evaluate(() => document.getElementById("pasted").remove());
    return text;
}

/** A page of paper has the board, what is said of it and its strings, and nothing to click. */
export async function prints({ open, address, said, pictures }) {
    const page = await open(`${address}#${PUZZLE}`, { colorScheme: "dark" });
    await page.waitForFunction(() => /exactly one solution/.test(document.getElementById("solver").textContent));
    const pdf = await page.pdf({ format: "A4" });
    if (pictures) writeFileSync(join(pictures, "printed.pdf"), pdf);
    const sheets = pdf.toString("latin1").match(/\/Type \/Page\b(?!s)/g).length;
    assert.ok(sheets <= 2, `${sheets} sheets`);
    await page.emulateMedia({ media: "print" });
    const shown = await page.evaluate(() => ({
        buttons: [...document.querySelectorAll("button, textarea, select, input")].filter((part) => part.checkVisibility()).map((part) => part.id),
        board: document.querySelector("#svg svg").getBoundingClientRect().width,
        paper: getComputedStyle(document.body).backgroundColor,
        ink: getComputedStyle(document.body).color,
        facts: ["#words", "#rules", "#solver", "#formats"].filter((part) => !document.querySelector(part).checkVisibility()),
    }));
    assert.deepEqual({ ...shown, board: shown.board > 300 }, { buttons: [], board: true, paper: "rgb(255, 255, 255)", ink: "rgb(0, 0, 0)", facts: [] });
    said(`it prints in black on white, without what is clicked, on ${sheets} sheet${sheets > 1 ? "s" : ""} of A4`);
    await page.context().close();
}

/** From a fresh page to a saved file, a copied string and an undone digit, without a mouse. */
export async function keys({ open, address, work, program, said }) {
    const page = await open(address, { permissions: ["clipboard-read", "clipboard-write"] });
    // Asked for now: a browser that is asked just before the key is pressed may show the dialog itself, once in dozens of runs.
    const opened = page.waitForEvent("filechooser", { timeout: 120_000 });
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? (document.activeElement.id || document.activeElement.textContent));
    const tabTo = async (what) => {
        for (let tabs = 0; tabs < 60; tabs++) {
            await page.keyboard.press("Tab");
            if ((await focused()) === what) return;
        }
        assert.fail(`${what} cannot be reached; ${await focused()} has the focus`);
    };
    await tabTo("String, link or grid");
    await page.keyboard.type(PUZZLE);
    await page.waitForFunction(() => /exactly one solution/.test(document.getElementById("solver").textContent));
    await tabTo("r1c1 clue 1");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("8");
    await page.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "r1c2 clue 8");
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "r1c2 empty");
    await tabTo("Copy v2 string");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("said").textContent === "v2 string copied");
    assert.equal(await pasted(page), run(program, ["convert", "-q"], PUZZLE).text.toString().trim());
    const path = join(work, "keys.txt");
    writeFileSync(path, `${PUZZLE}\n`);
    await page.evaluate(() => document.activeElement.blur());
    await page.focus("#string");
    await tabTo("file");
    await page.keyboard.press("Space");
    await (await opened).setFiles(path);
    await page.waitForFunction(() => document.activeElement.id === "start");
    await page.keyboard.press("Enter");
    await page.locator("#saves a").waitFor();
    await tabTo("Save the result");
    assert.equal((await saved(page, () => page.keyboard.press("Enter"))).toString(), run(program, ["convert", "-q"], `${PUZZLE}\n`).text.toString());
    said("a string, a digit, a copy and a file, with keys alone");
    await page.context().close();
}
