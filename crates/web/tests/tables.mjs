// Tables whose column is chosen, and files that are solved or lose their duplicates.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { run } from "./program.mjs";

const PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById("file-words").textContent), pattern.source);

/** What is saved of a file once it is done. */
async function saved(page) {
    await page.click("#start");
    const link = page.locator("#saves a", { hasText: "Save the result" });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    return readFileSync(await download.path(), "utf8");
}

/** Columns are shown with their first rows; a click chooses one, and another if it was the wrong one. */
export async function columns({ open, address, work, program, pictures, said }) {
    const solution = run(program, ["solve", "-q"], PUZZLE).text.toString().trim();
    const table = `id,quizzes,solutions,note\n${[1, 2, 3, 4, 5, 6, 7].map((id) => `${id},${PUZZLE},${solution},"one, two"`).join("\n")}\n`;
    const path = join(work, "kaggle.csv");
    writeFileSync(path, table);
    const page = await open(address);
    await page.setInputFiles("#file", path);
    await page.waitForSelector("#columns:visible");
    assert.match(await page.textContent("#columns-title"), /^Which column has the puzzles/);
    assert.deepEqual(await page.locator("#column-names th").allTextContents(), ["id", "quizzes", "solutions", "note"]);
    assert.deepEqual([await page.locator("#column-rows tr").count(), await page.textContent("#column-rows tr:last-child td:last-child")], [5, "one, two"]);
    const pressed = () => page.locator('#column-names [aria-pressed="true"]').allTextContents();
    assert.deepEqual(await pressed(), []);
    await page.click("#column-names button >> text=solutions");
    assert.deepEqual([await pressed(), await page.inputValue("#column")], [["solutions"], "solutions"]);
    const of = (column) => run(program, ["convert", "-q", "--framing", "csv", "--column", column], table).text.toString();
    assert.equal(await saved(page), of("solutions"));
    await page.click("#column-rows tr:first-child td:nth-child(2)");
    assert.deepEqual([await pressed(), await page.inputValue("#column")], [["quizzes"], "quizzes"]);
    assert.equal(await saved(page), of("quizzes"));
    if (pictures) await page.screenshot({ path: join(pictures, "columns.png"), fullPage: true });
    // Another file, whose column is guessed: what was chosen was of the first.
    const other = `board;id\n${PUZZLE};1\n${PUZZLE};2\n`;
    writeFileSync(join(work, "other.txt"), other);
    await page.setInputFiles("#file", join(work, "other.txt"));
    await page.waitForFunction(() => /^The puzzles are in the column board/.test(document.getElementById("columns-title").textContent));
    assert.deepEqual([await pressed(), await page.inputValue("#column")], [["board"], ""]);
    assert.equal(await saved(page), run(program, ["convert", "-q", "--framing", "csv", "--delimiter", ";", "--column", "board"], other).text.toString());
    // A header that looks like none, and lines without columns.
    await page.click("#column-names button >> text=id");
    await page.check("#no-header");
    await page.waitForFunction(() => document.querySelector("#column-names th").textContent === "Column 1");
    writeFileSync(join(work, "lines.txt"), `${PUZZLE}\n`);
    await page.setInputFiles("#file", join(work, "lines.txt"));
    await page.waitForSelector("#columns", { state: "hidden" });
    assert.match(await saved(page), /^S9B/);
    said("the column of a table is chosen from its first rows, and chosen again");
    await page.context().close();
}

/** Files are solved, and duplicates are left out, as the program does. */
export async function answers({ open, address, work, program, pictures, said }) {
    const page = await open(address);
    const turned = [...PUZZLE].reverse().join("");
    const lines = `${PUZZLE}\n# a comment\n${turned}\n${PUZZLE}\n`;
    const table = `id,board\n${lines.split("\n").filter((line) => /^[^#]/.test(line)).map((line, at) => `${at},${line}`).join("\n")}\n9,1${".".repeat(80)}\n`;
    for (const [name, text, place] of [["some.txt", lines, []], ["some.csv", table, ["--framing", "csv", "--column", "board"]]]) {
        writeFileSync(join(work, name), text);
        await page.setInputFiles("#file", join(work, name));
        await page.selectOption("#command", "solve");
        assert.equal(await saved(page), run(program, ["solve", "-q", ...place], text).text.toString(), `${name} solved`);
        await says(page, name === "some.txt" ? /^All 3 boards are solved\./ : /^4 records, 1 rejected\./);
        await page.selectOption("#command", "dedupe");
        await page.selectOption("#by", "puzzle");
        assert.equal(await saved(page), run(program, ["dedupe", "-q", ...place], text).text.toString(), `${name} without duplicates`);
        await says(page, name === "some.txt" ? /^3 records, 1 kept, 2 duplicates left out\./ : /^4 records, 2 kept, 2 duplicates left out\./);
        await page.selectOption("#by", "string");
        assert.equal(await saved(page), run(program, ["dedupe", "-q", "--by", "string", ...place], text).text.toString(), `${name} without the same boards`);
    }
    if (pictures) await page.screenshot({ path: join(pictures, "answers.png"), fullPage: true });
    const solved = `solution,board\nx,${PUZZLE}\n`;
    writeFileSync(join(work, "has.csv"), solved);
    await page.setInputFiles("#file", join(work, "has.csv"));
    await page.selectOption("#command", "solve");
    assert.match(await saved(page), /^solution,board,solution of gridmill\nx,/);
    said("files are solved, and duplicates left out, as the program does both");
    await page.context().close();
}
