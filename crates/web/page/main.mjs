// The page: what is typed, pasted, dropped, drawn or linked to becomes one string; all else follows from it.

import { Board } from "./board.mjs";
import { byId, count, element, say } from "./dom.mjs";
import { Engine } from "./engine.mjs";
import { clearFacts, isEmpty, showFacts, showNothingToSolve, showRefusal, showSolver } from "./facts.mjs";
import { Files } from "./files.mjs";
import { Reading } from "./reading.mjs";

/** Text over this is looked at as a file is. */
const LONG = 1 << 20;

/** Nodes of a first search, and of one that is asked for. */
const [QUICK, LONGER] = [2_000, 1_000_000];

/** What stands before the string in an address of this page. */
const OWN_LINK = /^\S+#(?=[A-Z][A-Z0-9][BC])/gm;

/** The start of a string of version 2. */
const V2 = /^[A-Z][A-Z0-9][BC]/;

/** How the strings are read that the page itself writes. */
const WRITTEN = { from: "v2", str8ts_layout: "spec" };

/** A string that could also be a line of signs; alone on this page, it is a board. */
const EMPTY = /^([_*-])\1{80}$/;

/** What there is to see: a sudoku, one with progress, a jigsaw, a killer, a Str8ts and a KenKen. */
const EXAMPLE = `S9B000000070000050204040600000502030009050102000003070000010900050004000800000000000008010905000005000001000400000200000307080500000000020009000700070400000005000302
S9B060b09030g0d0a050h04070a0b080e0i06030h0c05060i0a070d020a0h020i040g0e0c0f0i0f0d0e03020h010g070e0c0801060b0i0405040g0a060h0c0b0i030a0h040b0i0f0g0502090f070e03040h01
J9B0020060080sg1kw1l11l51kw1l30000000000sp2dj1kw1kw1kw1l40070000090so2dc2dc2dc2dc2dc35s35s35s0sg0sl2dc3y83y82dc3614qo4qo0sg0sg2dk3yf3y83y835w4qw4qo0sn0sg3y83y83ye3y835x4qo4qu5j75jc5j65j86bt6bk35s35v4qs5j45j45j46bs6bk6bm3604qx4qo5j45j46bo6bk6br6bn
L9B311c2t4w0glc0000000033eo2t4w0fsw00004e0w1o1s1ekg00091jb44rgg2t4w00000000347404qo00003c3k1ekg47pc47pc47pc00002t4w2t4w1vy82t4w2t4w0jr431ts2t4y4l4w2t4w4jk01ekg4oar2t4w000000001kw047pc47pj47pc1ekg47pc0000000032m81ekg47pf308w2t4w08ow47pc47pc1tkw2t4w05j700004rgg47pc000447pc1ekg1ekg1ekg39q82t5547pc47pc000034zo2t4w2t4w4e0w47pi2t4w
T9B0a07060809040203050a0800000a0000020004060000000a0j000a000a040a0102030a07030905000001060700060a0301020a000i090i020a0j0300070406020401030i0700060a01000200070008050a
K6Cbda8b8u8gvpcguwwgutc00owb8jk00oz003k5mva5mkh003pgxs0gv40guth5m9sgvsw5mv4gutc5n5s5mdcb9tsgux200sg01345m9sh91eb8n4b8jk003k003kgutcgv40gutcb8jk0000`;

const NOTHING = { strings: [], at: 0, more: 0, note: "" };
const TITLE = document.title;

const reader = new Engine();
const solver = new Engine();
const files = new Files();
const board = new Board((change) => edit(change));
const reading = new Reading(byId("reading"), () => look(byId("string").value));

/** The strings that were found in what was given, with the options that they are read with, and which of them is shown. */
let found = NOTHING;
/** The string that is shown, with its options, and the answer of `show`. */
let current = null;
let shown = null;
/** What was there before changes by hand. */
const past = [];
/** Changes are made one after the other. */
let changes = Promise.resolve();
let kinds = [];

/** Looks at a text: one string, or all that stand in it. */
async function look(text) {
    if (text.length > LONG) return files.take(new File([text], "pasted.txt"));
    if (!text.trim()) {
        found = NOTHING;
        const { string } = await reader.call("edit", ["", {}]);
        return show({ string, options: WRITTEN });
    }
    let best = await search(text, "");
    for (const [other, note, more] of best.readable ? [] : mended(text)) {
        const next = await search(other, note, more);
        if (next.readable) best = next;
        if (next.readable) break;
    }
    found = best.found;
    if (best.error) {
        [current, shown] = [{ string: text.trim(), options: reading.options }, failure(best.error)];
        return refuse(shown, "");
    }
    await show(found.strings[0]);
}

/** What is found in a text, and whether it can be read. */
async function search(text, note, more = {}) {
    const options = { ...more, ...reading.options };
    try {
        const { strings, more: left, refused } = await reader.call("find", [text.replace(OWN_LINK, ""), { ...options, framing: "auto" }]);
        const unread = refused.length ? `${note} ${count(refused.length)} more cannot be read here; the first: ${refused[0]}`.trim() : note;
        const all = (strings.length ? strings : [text.trim()]).map((string) => ({ string, options }));
        const readable = all.length > 1 || !(await reader.call("show", [all[0].string, options])).refused;
        return { found: { strings: all, at: 0, more: left, note: unread }, readable };
    } catch (error) {
        return { found: NOTHING, error };
    }
}

/** A text without what other programs put into it, and the words for that. */
function mended(text) {
    const seen = text.replace(/[\u200b\ufeff]/g, "").replace(/\u00a0/g, " ").trim();
    const tries = [[seen, "Read without the invisible characters in it."]];
    if (EMPTY.test(seen)) tries.push([seen, "Read as an empty board.", { from: "plain" }]);
    if (V2.test(seen)) tries.push([seen.replace(/\s+/g, ""), "Read without the line breaks and spaces in it."]);
    return tries.filter(([other, , more]) => more || other !== text);
}

const failure = ({ message }) => ({ refused: { cell: null, message }, string: "", places: [] });

/** Shows a string and all that is to be said of it. */
async function show(one) {
    const answer = await reader.call("show", [one.string, one.options]).catch(failure);
    [current, shown] = [one, answer];
    if (answer.refused) return refuse(answer, one.string);
    showFound();
    byId("refusal").hidden = true;
    document.body.classList.remove("refused", "undrawn");
    draw(answer);
    showFacts(answer);
    showKind(answer.kind, answer.side);
    const typed = byId("string").value.trim();
    setAddress(typed ? answer.v2 : "", typed ? `${answer.words} - gridmill` : TITLE);
    ask(one, QUICK);
}

function draw(answer) {
    const marks = new Map(answer.problems.filter(({ cell }) => cell).map(({ cell, message, warning }) => [cell, `${warning ? "warning: " : ""}${message}`]));
    board.draw(answer.svg, answer.board, marks, answer.side);
}

function refuse(answer, string) {
    showFound();
    byId("refusal").hidden = false;
    document.body.classList.add("refused");
    showRefusal(answer, string);
    byId("refusal-hint").hidden = !reading.unfold(answer.refused.code);
    say(`This cannot be read. ${byId("refusal-words").textContent}`);
    clearFacts("It cannot be read.");
    if (decoded(location.hash) !== byId("string").value) setAddress("", TITLE);
    document.body.classList.toggle("undrawn", !answer.svg); // the board from before would not be this one
    if (!answer.svg) return;
    const marks = new Map(answer.wrong.map((cell) => [`r${Math.floor(cell / answer.side) + 1}c${(cell % answer.side) + 1}`, "cannot be read"]));
    if (answer.refused.cell) marks.set(answer.refused.cell, answer.refused.message);
    board.draw(answer.svg, null, marks, answer.side);
}

/** Gives the page the address of a board, and a title; the bare address if there is none. */
function setAddress(string, title) {
    history.replaceState(null, "", location.href.split("#")[0] + (string ? `#${string}` : ""));
    document.title = title;
}

/** Asks the solver, in a worker of its own: it may take long, and is stopped when something else is asked. */
async function ask(one, effort) {
    if (solver.busy) solver.stop();
    const asked = shown;
    if (isEmpty(asked)) return showNothingToSolve();
    showSolver(null, () => {}, () => {});
    try {
        const { solved } = await solver.call("show", [one.string, { ...one.options, effort }]);
        const solution = async ({ v2 }) => ({ ...(await reader.call("show", [v2, WRITTEN])), problems: [] });
        const toggle = async (wanted) => {
            const answer = wanted ? await solution(wanted) : asked;
            if (shown === asked) draw(answer);
        };
        if (shown === asked) showSolver(solved, toggle, () => ask(one, LONGER));
    } catch (error) {
        // If something else is asked by now, this was stopped for it.
        if (shown === asked) showSolver(failure(error), () => {}, () => {});
    }
}

/** What there is now, to come back to. */
const now = () => ({ value: byId("string").value, found, current, options: reading.options });

/** Keeps what was there, for Undo. */
function keep(before) {
    past.push(before);
    byId("undo").disabled = false;
}

/** Shows a few boards, for who has none at hand. */
function example() {
    keep(now());
    reading.options = {};
    byId("string").value = EXAMPLE;
    return look(EXAMPLE);
}

/** Changes the board by hand. */
function edit(change) {
    changes = changes.then(async () => {
        try {
            const what = "digit" in change ? Board.changed(shown.board, change) : change;
            const asked = change.empty ? ["", {}] : [current.string, { ...what, options: current.options }];
            const one = { string: (await reader.call("edit", asked)).string, options: WRITTEN };
            if (!change.empty && one.string === shown.v2) return;
            const before = now();
            put(one, !change.empty && found.strings.length > 1);
            keep(before);
            await show(one);
        } catch (error) {
            say(error.message);
            byId("words").textContent = error.message;
        }
    });
}

/** Puts a string into the field, or in a list, there, in the place of the one that is shown. */
function put(one, listed) {
    if (!listed) {
        byId("string").value = one.string;
        found = { ...NOTHING, strings: [one] };
        reading.options = {};
        return;
    }
    const text = byId("string").value;
    let [start, end] = [0, 0];
    for (const { string } of found.strings.slice(0, found.at + 1)) {
        start = start < 0 ? start : text.indexOf(string, end);
        end = start + string.length;
    }
    const strings = found.strings.map((old, at) => (at === found.at ? one : old));
    // Grids do not stand there as strings: they all become strings.
    if (start < 0 && found.more) throw new Error("The list is too long for changing a board of it: save it as a file, and convert that.");
    byId("string").value = start < 0 ? strings.map(({ string }) => string).join("\n") : text.slice(0, start) + one.string + text.slice(end);
    found = { ...found, strings };
}

/** Shows which string of a list is shown, and what was done to read it. */
function showFound() {
    const { strings, at, more, note } = found;
    byId("note").textContent = note;
    byId("which").hidden = strings.length < 2;
    byId("which-words").textContent = `${count(at + 1)} of ${count(strings.length + more)}`;
    byId("before").disabled = at === 0;
    byId("after").disabled = at >= strings.length - 1;
}

function showKind(kind, side) {
    const option = (value) => element("option", { value, textContent: value });
    byId("kind").replaceChildren(...kinds.map(({ name }) => option(name)));
    byId("side").replaceChildren(...kinds.find(({ name }) => name === kind).sides.map(option));
    byId("kind").value = kind;
    byId("side").value = String(side);
    const { regions, cages, operators, black } = kinds.find(({ name }) => name === kind);
    byId("mode-region").hidden = !regions;
    byId("mode-cage").hidden = !cages;
    byId("cage-operator-label").hidden = !operators;
    byId("cage-clue-words").textContent = operators ? "Result" : "Sum";
    byId("keys-black").hidden = !black;
    const mode = document.querySelector('input[name="mode"]:checked');
    if (mode.parentElement.hidden) document.querySelector('input[value="clue"]').checked = true;
    board.showMode();
}

function listen() {
    let timer = 0;
    byId("string").addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => look(byId("string").value), 120);
    });
    const step = (by) => {
        found = { ...found, at: found.at + by };
        show(found.strings[found.at]);
    };
    byId("before").addEventListener("click", () => step(-1));
    byId("after").addEventListener("click", () => step(1));
    byId("new-board").addEventListener("click", () => edit({ empty: true }));
    byId("example").addEventListener("click", example);
    byId("undo").addEventListener("click", undo);
    byId("kind").addEventListener("change", () => edit({ kind: byId("kind").value, side: sideFor(byId("kind").value) }));
    byId("side").addEventListener("change", () => edit({ side: Number(byId("side").value) }));
    byId("file").addEventListener("change", () => byId("file").files[0] && files.take(byId("file").files[0]));
    addEventListener("keydown", (event) => {
        const writes = event.target.matches('textarea, input:not([type="radio"], [type="checkbox"], [type="file"])');
        if (writes || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault(); // browsers undo what was typed into the field, and go there
        undo();
    });
    addEventListener("hashchange", () => read(location.hash));
    document.addEventListener("dragover", (event) => {
        event.preventDefault();
        document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
    document.addEventListener("drop", drop);
}

/** A side that the kind has. */
function sideFor(kind) {
    const { sides } = kinds.find(({ name }) => name === kind);
    const side = Number(byId("side").value);
    return sides.includes(side) ? side : 9;
}

function undo() {
    const before = past.pop();
    byId("undo").disabled = past.length === 0;
    if (before === undefined) return;
    byId("string").value = before.value;
    found = before.found;
    reading.options = before.options;
    show(before.current);
}

function drop(event) {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text/plain");
    if (file) return files.take(file);
    byId("string").value = text;
    look(text);
}

/** What the end of an address says, as it is if it is not encoded. */
function decoded(hash) {
    try {
        return decodeURIComponent(hash.slice(1));
    } catch {
        return hash.slice(1);
    }
}

/** The board of an address. */
function read(hash) {
    const string = decoded(hash);
    byId("string").value = string;
    return look(string);
}

async function begin() {
    listen();
    const names = await reader.call("names", []);
    kinds = names.kinds;
    files.know(names);
    reading.know(names);
    byId("about").textContent = `gridmill ${names.version}, the same code as the program, in WebAssembly (${names.kernel}).`;
    await read(location.hash);
    document.body.dataset.ready = "yes";
}

begin().catch((error) => refuse(failure(error), ""));
