// Inputs as people have them: links, damaged strings, strings of undecided layout, lists; and changing these by hand.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { run } from "./program.mjs";

const PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

/** A plain Str8ts, or a sudoku of v1; and a Str8ts with two equal clues, whatever its layout is. */
const [TWO_FORMATS, TWO_CLUES] = [`1${"0".repeat(161)}`, `T9B0101${"0".repeat(158)}`];

const words = (page, expected) => page.waitForFunction((expected) => document.getElementById("words").textContent === expected, expected);
const label = (page, at, expected) =>
    page.waitForFunction(([at, expected]) => document.querySelectorAll('#cells [role="gridcell"]')[at].getAttribute("aria-label") === expected, [at, expected]);

/** Strings that do not say how they are to be read. */
export async function undecided({ open, address, work, program, said }) {
    const page = await open(address);
    const choose = (name, value) => page.locator("#reading select").nth(["Format", "Kind", "Str8ts layout", "Str8ts flags"].indexOf(name)).selectOption(value);
    assert.equal(await page.getAttribute("#reading", "open"), null);
    await page.fill("#string", TWO_FORMATS);
    await page.waitForSelector("#reading[open]");
    assert.match(await page.textContent("#refusal-words"), /choose with “Format” or “Kind”$/);
    assert.ok(await page.isVisible("#refusal-hint"));
    assert.ok(await page.isHidden("#board"));
    await choose("Format", "v1");
    await words(page, "v1, sudoku 9x9: 1 solved, 80 empty");
    await page.waitForFunction(() => /solution/.test(document.getElementById("solver").textContent));
    await choose("Format", "auto");
    await page.waitForSelector("#refusal:visible");
    await choose("Kind", "str8ts");
    await words(page, "plain, str8ts 9x9: 1 clue, 80 empty");
    await choose("Kind", "auto");
    await page.fill("#string", TWO_CLUES);
    await page.waitForFunction(() => /“Str8ts layout”$/.test(document.getElementById("refusal-words").textContent));
    await choose("Str8ts layout", "site");
    await words(page, "v2, str8ts 9x9, layout site: 2 clues, 79 empty");
    await page.locator('#cells [role="gridcell"]').nth(2).click();
    await page.keyboard.press("3");
    await label(page, 2, "r1c3 clue 3"); // it still has two equal clues, and is read in the layout that the page writes
    assert.deepEqual(await page.locator("#reading select").evaluateAll((all) => all.map(({ value }) => value)), Array(5).fill("auto"));
    const path = join(work, "undecided.txt");
    writeFileSync(path, `${TWO_FORMATS}\n`.repeat(2));
    await page.setInputFiles("#file", path);
    await page.click("#start");
    await page.waitForSelector("#file-reading[open]");
    assert.match(await page.textContent("#reject-rows"), /ambiguous/);
    await page.locator("#file-reading").getByLabel("Format").selectOption("v1");
    await page.click("#start");
    await page.waitForFunction(() => /^2 records\. /.test(document.getElementById("file-words").textContent));
    said("strings that can be read in two ways, and files of them, are read as is chosen");
    await page.context().close();
}

/** Its own links, and what other programs make of strings. */
export async function pasted({ open, address, program, said }) {
    const v2 = run(program, ["convert", "-q"], PUZZLE).text.toString().trim();
    const page = await open(`${address}#50%`);
    assert.equal(await page.inputValue("#string"), "50%");
    const breaks = "Read without the line breaks and spaces in it.";
    const invisible = "Read without the invisible characters in it.";
    const folded = v2.replace(/.{76}/g, "$&\n");
    for (const [text, note] of [[`${address}#${v2}`, ""], [`file:///x/index.html#${v2}`, ""], [folded, breaks], [`${folded}\u00a0`, breaks], [`${v2}\u00a0`, invisible], [`\u200b${v2}`, invisible]]) {
        await page.fill("#string", "?");
        await page.waitForSelector("#refusal:visible");
        await page.fill("#string", text);
        await words(page, "v2, sudoku 9x9: 21 clues, 60 empty");
        assert.equal(await page.textContent("#note"), note);
        assert.ok(page.url().endsWith(`#${v2}`));
    }
    const damaged = `S9B01\u00e9zz${"00".repeat(79)}`.slice(0, -2);
    await page.fill("#string", damaged);
    await page.waitForFunction(() => /\u00e9/.test(document.getElementById("refusal-string").textContent));
    assert.equal(await page.textContent("#refusal-string"), damaged);
    await page.fill("#string", "a\\b\u200b");
    await page.waitForFunction(() => document.getElementById("refusal-string").textContent === "a\\b\\u{200b}");
    said("links of the page and folded strings are read; what is refused stands there as it was given");
    await page.context().close();
}

/** What is changed by hand, and undone. */
export async function changes({ open, address, program, said }) {
    const v2 = run(program, ["convert", "-q"], PUZZLE).text.toString().trim();
    const page = await open(`${address}#${PUZZLE}`);
    await words(page, "plain, sudoku 9x9: 21 clues, 60 empty");
    await page.click("#new-board");
    await words(page, "v2, sudoku 9x9: 81 empty");
    await page.check('input[value="solved"]');
    await page.keyboard.press("Control+z"); // with the focus in the list of modes
    await words(page, "plain, sudoku 9x9: 21 clues, 60 empty");
    assert.equal(await page.inputValue("#string"), PUZZLE);
    await page.fill("#string", "");
    await words(page, "v2, sudoku 9x9: 81 empty");
    assert.equal(page.url(), address);
    const title = await page.title();
    await page.fill("#string", PUZZLE);
    await page.waitForFunction((v2) => location.hash === `#${v2}`, v2);
    await page.fill("#string", "what?");
    await page.waitForSelector("#refusal:visible");
    assert.deepEqual([page.url(), await page.title()], [address, title]);
    const list = `id,board\n1,${PUZZLE}\n2,${PUZZLE}\n3,${PUZZLE}`;
    await page.fill("#string", list);
    await page.waitForSelector("#which:visible");
    await page.click("#after");
    await page.waitForFunction(() => document.getElementById("which-words").textContent === "2 of 3");
    await page.locator('#cells [role="gridcell"]').nth(1).click();
    await page.check('input[value="clue"]');
    await page.click('#pad [data-digit="8"]');
    await label(page, 1, "r1c2 clue 8");
    const [one, two, three] = (await page.inputValue("#string")).split("\n").slice(1);
    assert.deepEqual([one, three], [`1,${PUZZLE}`, `3,${PUZZLE}`]);
    assert.equal(two, `2,${run(program, ["convert", "-q"], `18${PUZZLE.slice(2)}`).text.toString().trim()}`);
    assert.equal(await page.textContent("#which-words"), "2 of 3");
    await page.click("#undo");
    await label(page, 1, "r1c2 empty");
    assert.deepEqual([await page.inputValue("#string"), await page.textContent("#which-words")], [list, "2 of 3"]);
    const grid = `12.......\n${".........\n".repeat(8)}`;
    await page.fill("#string", `${grid}\n${grid}`);
    await page.waitForFunction(() => document.getElementById("which-words").textContent === "1 of 2");
    await page.locator('#cells [role="gridcell"]').nth(2).click();
    await page.keyboard.press("3");
    await label(page, 2, "r1c3 clue 3");
    const strings = run(program, ["convert", "-q"], `123${".".repeat(78)}\n12${".".repeat(79)}\n`).text.toString().trim();
    assert.equal(await page.inputValue("#string"), strings);
    await page.fill("#string", "what\nis\nthis?");
    await page.waitForSelector("#refusal:visible");
    await page.click("#new-board");
    await words(page, "v2, sudoku 9x9: 81 empty");
    await page.click("#undo");
    await page.waitForSelector("#refusal:visible");
    assert.equal(await page.inputValue("#string"), "what\nis\nthis?");
    said("a change by hand keeps the list that it is made in, and is undone, as a new board is");
    await page.context().close();
}

/** Boards for who has none, and a board without digits: nothing is wrong with it, and nothing is asked of the solver. */
export async function examples({ open, address, pictures, said }) {
    const page = await open(address);
    const empty = () => page.waitForFunction(() => document.getElementById("solver-words").textContent === "The board is empty: the solver answers once there are digits.");
    await empty();
    assert.equal(await page.locator(".bad:visible").count(), 0);
    await page.click("#example");
    for (const expected of ["sudoku", "jigsaw", "killer", "str8ts", "kenken"]) {
        await page.waitForFunction((expected) => document.getElementById("words").textContent.startsWith(`v2, ${expected} `), expected);
        await page.waitForFunction(() => /exactly one solution/.test(document.getElementById("solver").textContent));
        assert.equal(await page.textContent("#rules"), "No rule is broken.");
        if (pictures && expected === "killer") await page.screenshot({ path: join(pictures, "example.png"), fullPage: true });
        if (expected !== "kenken") await page.click("#after");
        if (expected === "sudoku") await page.waitForFunction(() => /^2 of 6/.test(document.getElementById("which-words").textContent));
        if (expected === "sudoku") await page.click("#after");
    }
    await page.click("#undo");
    await words(page, "v2, sudoku 9x9: 81 empty");
    await empty();
    for (const sign of "0._-*") {
        await page.fill("#string", sign.repeat(81));
        await words(page, "plain, sudoku 9x9: 81 empty");
        assert.equal(await page.textContent("#note"), "0.".includes(sign) ? "" : "Read as an empty board.");
        await page.fill("#string", "");
        await words(page, "v2, sudoku 9x9: 81 empty");
        await empty();
    }
    said("examples of six kinds of board are shown, and undone; an empty board is no error");
    await page.context().close();
}

/** A solution is drawn and taken away again. */
export async function solution({ open, address, program, said }) {
    const page = await open(`${address}#${PUZZLE}`);
    await page.click("text=Show the solution");
    const solved = run(program, ["solve", "-q", "--to", "plain", "--lossy"], PUZZLE).text.toString()[1];
    await label(page, 1, `r1c2 solved ${solved}`);
    await page.click("text=Show the puzzle");
    await label(page, 1, "r1c2 empty");
    said("a solution is drawn, heard, and taken away");
    await page.context().close();
}

/** A second file while the first runs, and a gridmill that breaks down. */
export async function troubles({ open, address, work, program, said }) {
    const page = await open(address);
    const [large, small] = [join(work, "large.txt"), join(work, "small.txt")];
    writeFileSync(large, run(program, ["gen", "-q", "--count", "300000", "--format", "v1"]).text);
    writeFileSync(small, `${PUZZLE}\n`);
    await page.setInputFiles("#file", large);
    await page.click("#start");
    await page.setInputFiles("#file", small);
    await page.waitForTimeout(300);
    assert.equal(await page.textContent("#file-words"), "");
    await page.click("#start");
    await page.waitForFunction(() => /^1 record\. /.test(document.getElementById("file-words").textContent));
    await page.context().close();
    // One of the worker's calls fails.
    const breaks = async (page) => page.route(address, async (route) => {
        const body = await (await route.fetch()).text();
        const call = "show: (text, options) => ";
        const fails = 'function fails() { throw new WebAssembly.RuntimeError("unreachable"); }';
        const changed = body.replace(call, `${call}options.effort && text.startsWith("2") ? fails() : `).replace("self.onmessage", `${fails}\nself.onmessage`);
        await route.fulfill({ contentType: "text/html", body: changed });
    });
    const broken = await open(address, {}, breaks);
    await broken.fill("#string", `2${PUZZLE.slice(1)}`);
    await broken.waitForFunction(() => /^internal error in gridmill/.test(document.getElementById("solver").textContent));
    await broken.fill("#string", PUZZLE);
    await broken.waitForFunction(() => /exactly one solution/.test(document.getElementById("solver").textContent));
    said("a second file takes the place of the first; after an internal error, the next question is answered");
    await broken.context().close();
}

/** A phone: the cell that is chosen is seen, and the help does not speak of keys. */
export async function phone({ open, address, pictures, said }) {
    const page = await open(`${address}#${PUZZLE}`, { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });
    await page.locator('#cells [role="gridcell"]').nth(10).tap();
    await page.locator('#pad [data-digit="3"]').tap();
    await label(page, 10, "r2c2 clue 3");
    assert.equal(await page.locator(".keyboard:visible").count(), 0);
    const outlines = await page.$$eval('#cells [role="gridcell"]', (cells) => cells.flatMap((cell, at) => (getComputedStyle(cell).outlineStyle === "none" ? [] : [at])));
    assert.deepEqual(outlines, [10]);
    assert.equal(await page.locator("#keys").innerText(), "Tap a cell, then a digit.");
    assert.match(await page.evaluate(() => getComputedStyle(document.querySelector("#formats .loses"), "::before").content), /Loses/);
    const rows = await page.$$eval("#links .pair", (pairs) => pairs.map(({ children: [link, button] }) => link.getBoundingClientRect().top < button.getBoundingClientRect().bottom && button.getBoundingClientRect().top < link.getBoundingClientRect().bottom));
    assert.deepEqual(rows, [true, true]);
    if (pictures) await page.screenshot({ path: join(pictures, "touched-phone.png"), fullPage: true });
    const desktop = await open(`${address}#${PUZZLE}`);
    assert.match(await desktop.locator("#keys").innerText(), /^Arrow keys move/);
    assert.match(await desktop.locator("#input-help").innerText(), /drop text or a file anywhere/);
    await desktop.context().close();
    said("a phone shows the cell that is chosen, and speaks of no keys");
    await page.context().close();
}
