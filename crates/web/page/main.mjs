// The page: what is typed, pasted, dropped, drawn or linked to becomes one string; all else follows from it.

import { Board } from "./board.mjs";
import { byId, count, element, say } from "./dom.mjs";
import { Engine } from "./engine.mjs";
import { clearFacts, showFacts, showRefusal, showSolver } from "./facts.mjs";
import { Files } from "./files.mjs";

/** Text over this is looked at as a file is. */
const LONG = 1 << 20;

/** Nodes of a first search, and of one that is asked for. */
const [QUICK, LONGER] = [2_000, 1_000_000];

const reader = new Engine();
const solver = new Engine();
const files = new Files();
const board = new Board((change) => edit(change));

/** The strings that were found in what was given, and which of them is shown. */
let found = { strings: [], at: 0, more: 0 };
/** What is shown: the answer of `show`. */
let shown = null;
/** Strings before changes by hand. */
const past = [];
/** Changes are made one after the other. */
let changes = Promise.resolve();
let kinds = [];

/** Looks at a text: one string, or all that stand in it. */
async function look(text) {
    if (text.length > LONG) return files.take(new File([text], "pasted.txt"));
    if (!text.trim()) {
        const { string } = await reader.call("edit", ["", {}]);
        return show(string, { typed: false });
    }
    try {
        const all = await reader.call("find", [text, { framing: "auto" }]);
        found = { strings: all.strings, at: 0, more: all.more };
        await show(all.strings[0] ?? text.trim());
    } catch (error) {
        found = { strings: [], at: 0, more: 0 };
        showWhich();
        refuse({ refused: { cell: null, message: error.message }, string: "", places: [] });
    }
}

/** Shows a string and all that is to be said of it. */
async function show(string, { typed = true } = {}) {
    const answer = await reader.call("show", [string, {}]);
    showWhich();
    shown = answer;
    if (answer.refused) return refuse(answer);
    byId("refusal").hidden = true;
    document.body.classList.remove("refused");
    const marks = new Map(answer.problems.filter(({ cell }) => cell).map(({ cell, message, warning }) => [cell, `${warning ? "warning: " : ""}${message}`]));
    board.draw(answer.svg, answer.board, marks, answer.side);
    showFacts(answer);
    showKind(answer.kind, answer.side);
    if (typed && answer.v2) history.replaceState(null, "", `#${answer.v2}`);
    document.title = `${answer.words} - gridmill`;
    ask(string, QUICK);
}

function refuse(answer) {
    byId("refusal").hidden = false;
    document.body.classList.add("refused");
    showRefusal(answer);
    say(`This cannot be read. ${byId("refusal-words").textContent}`);
    clearFacts("It cannot be read.");
    if (!answer.svg) return;
    const marks = new Map(answer.wrong.map((cell) => [`r${Math.floor(cell / answer.side) + 1}c${(cell % answer.side) + 1}`, "cannot be read"]));
    if (answer.refused.cell) marks.set(answer.refused.cell, answer.refused.message);
    board.draw(answer.svg, null, marks, answer.side);
}

/** Asks the solver, in a worker of its own: it may take long, and is stopped when something else is asked. */
async function ask(string, effort) {
    if (solver.busy) solver.stop();
    const asked = shown;
    showSolver(null, () => {}, () => {});
    try {
        const { solved } = await solver.call("show", [string, { effort }]);
        if (shown === asked) showSolver(solved, ({ svg }) => byId("svg").replaceChildren(drawing(svg)), () => ask(string, LONGER));
    } catch {
        // Something else is asked by now.
    }
}

const drawing = (svg) => element("div", { innerHTML: svg }).firstElementChild;

/** Changes the board by hand. */
function edit(change) {
    changes = changes.then(async () => {
        try {
            const from = change.empty ? "" : (shown?.v2 ?? "");
            const what = "digit" in change ? Board.changed(shown.board, change) : change;
            const { string } = await reader.call("edit", [from, { ...what, empty: undefined }]);
            if (from && from !== string) past.push(from);
            byId("undo").disabled = past.length === 0;
            set(string);
            await show(string);
        } catch (error) {
            say(error.message);
            byId("words").textContent = error.message;
        }
    });
}

/** Puts a string into the field. */
function set(string) {
    byId("string").value = string;
    found = { strings: [string], at: 0, more: 0 };
}

function showWhich() {
    const { strings, at, more } = found;
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
        found.at += by;
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
        const writes = event.target.matches("textarea, input");
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
    set(before);
    show(before);
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

/** The board of an address. */
function read(hash) {
    const string = decodeURIComponent(hash.slice(1));
    byId("string").value = string;
    return look(string);
}

async function begin() {
    listen();
    const names = await reader.call("names", []);
    kinds = names.kinds;
    byId("to").replaceChildren(...names.formats.map(({ name }) => element("option", { value: name, textContent: name, selected: name === "v2" })));
    byId("about").textContent = `gridmill ${names.version}, the same code as the program, in WebAssembly (${names.kernel}).`;
    await read(location.hash);
    document.body.dataset.ready = "yes";
}

begin().catch((error) => refuse({ refused: { cell: null, message: error.message }, string: "", places: [] }));
