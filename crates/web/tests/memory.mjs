// Measures the memory that the page takes for a large file: memory.mjs FOLDER PROGRAM CHROMIUM [MEGABYTES]. It needs playwright-core in
// the current folder, and twice the size of the file on the disk. Linux only.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";

const [folder, program, chromium] = process.argv.slice(2, 5).map((path) => resolve(path));
const megabytes = Number(process.argv[5] ?? 1000);
const { chromium: launcher } = createRequire(`${process.cwd()}/`)("playwright-core");
const work = mkdtempSync(join(tmpdir(), "gridmill-memory-"));
const [input, output] = [join(work, "lines.txt"), join(work, "v2.txt")];

/** The program's output, to a file or hashed. */
const run = (args, to) => pipeline(spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] }).stdout, to);

/** A line of what the system says of a process, as a number. */
const said = (id, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);

/** Whether a process is one of the browser's. */
function isOurs(id) {
    const words = readFileSync(`/proc/${id}/cmdline`, "utf8");
    return words.includes(`--user-data-dir=${work}`) || (words.includes("--type=") && isOurs(said(id, "PPid")));
}

/** The most private memory that a page has had so far, in MB. */
let most = 0;
function look() {
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            const isPage = readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer");
            if (isPage && isOurs(id)) most = Math.max(most, said(id, "RssAnon") / 1000);
        } catch {
            // The process has ended.
        }
    }
}

try {
    await run(["gen", "-q", "--count", String(Math.ceil((megabytes * 1e6) / 163)), "--format", "v1"], createWriteStream(input));
    const context = await launcher.launchPersistentContext(join(work, "profile"), { executablePath: chromium, args: ["--no-sandbox"], acceptDownloads: true });
    const page = await context.newPage();
    await page.addInitScript(() => delete window.showSaveFilePicker); // the result becomes a blob, which takes more than a file
    await page.goto(`file://${join(folder, "index.html")}`);
    await page.waitForSelector("body[data-ready]");
    look();
    const before = most;
    const timer = setInterval(look, 50);
    await page.setInputFiles("#file", input);
    await page.click("#start");
    const link = page.locator("#saves a", { hasText: "Save the result" });
    await link.waitFor({ timeout: 600_000 });
    clearInterval(timer);
    console.log(`${await page.textContent("#file-words")}`);
    console.log(`the page's process: ${Math.round(most)} MB at most, ${Math.round(before)} before`);
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    await download.saveAs(output);
    const [ours, program_] = [createHash("sha256"), createHash("sha256")];
    await Promise.all([pipeline(createReadStream(output), ours), run(["convert", "-q", input], program_)]);
    assert.equal(ours.digest("hex"), program_.digest("hex"));
    console.log("the result is the program's");
    assert.ok(most < 200, `${most} MB`);
    await context.close();
} finally {
    rmSync(work, { recursive: true, force: true });
}
