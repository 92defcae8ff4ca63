// The page: what is typed, pasted, dropped, drawn or linked to becomes one string; all else follows from it.

import { Board } from "./board.mjs";
import { byId, count, element, say } from "./dom.mjs";
import { Engine } from "./engine.mjs";
import { clearFacts, showFacts, showRefusal, showSolver } from "./facts.mjs";
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
    for (const [other, note] of best.readable ? [] : mended(text)) {
        const next = await search(other, note);
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
async function search(text, note) {
    const options = reading.options;
    try {
        const { strings, more, refused } = await reader.call("find", [text.replace(OWN_LINK, ""), { ...options, framing: "auto" }]);
        const unread = refused.length ? `${note} ${count(refused.length)} more cannot be read here; the first: ${refused[0]}`.trim() : note;
        const all = (strings.length ? strings : [text.trim()]).map((string) => ({ string, options }));
        const readable = all.length > 1 || !(await reader.call("show", [all[0].string, options])).refused;
        return { found: { strings: all, at: 0, more, note: unread }, readable };
    } catch (error) {
        return { found: NOTHING, error };
    }
}

/** A text without what other programs put into it, and the words for that. */
function mended(text) {
    const seen = text.replace(/[\u200b\ufeff]/g, "").replace(/\u00a0/g, " ").trim();
    const tries = [[seen, "Read without the invisible characters in it."]];
    if (V2.test(seen)) tries.push([seen.replace(/\s+/g, ""), "Read without the line breaks and spaces in it."]);
    return tries.filter(([other]) => other !== text);
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

/** Changes the board by hand. */
function edit(change) {
    changes = changes.then(async () => {
        try {
            const what = "digit" in change ? Board.changed(shown.board, change) : change;
            const asked = change.empty ? ["", {}] : [current.string, { ...what, options: current.options }];
            const one = { string: (await reader.call("edit", asked)).string, options: WRITTEN };
            if (!change.empty && one.string === shown.v2) return;
            const before = { value: byId("string").value, found, current, options: reading.options };
            put(one, !change.empty && found.strings.length > 1);
            past.push(before);
            byId("undo").disabled = false;
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
