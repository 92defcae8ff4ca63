// The board on the page: the drawing, and over it cells that can be reached, heard and changed.

import { byId, element } from "./dom.mjs";

/** Width of a cell in the drawing, and its margin, which depend on the side: those of the drawing itself. */
const MARGIN = 10;

const modes = () => document.querySelector('input[name="mode"]:checked').value;

/** A digit as it is typed: letters from A for 10 and more. */
const sign = (digit) => (digit < 10 ? String(digit) : String.fromCharCode(55 + digit));

/** The digit of a key; 0 for none. */
function digitOf(event, side) {
    const typed = /^(Digit|Numpad)([0-9])$/.exec(event.code)?.[2] ?? event.key;
    const digit = /^[0-9]$/.test(typed) ? Number(typed) : /^[a-p]$/i.test(typed) ? typed.toUpperCase().charCodeAt(0) - 55 : 0;
    return digit <= side ? digit : 0;
}

/** What a cell holds, in words. */
function cellWords(cell) {
    const black = cell.black ? "black" : "";
    if (cell.clue) return `${black} clue ${cell.clue}`.trim();
    if (cell.solved) return `solved ${cell.solved}`;
    if (cell.candidates) return `candidates ${cell.candidates.join(" ")}`;
    return black || "empty";
}

export class Board {
    #board = null;
    #cells = [];
    #change;
    /** The cells that a cage is made of, while cages are drawn. */
    #marked = new Set();

    /** @param {(change: object) => void} change is called with what the user does */
    constructor(change) {
        this.#change = change;
        const grid = byId("cells");
        grid.addEventListener("keydown", (event) => this.#key(event));
        grid.addEventListener("click", (event) => {
            const at = this.#cells.indexOf(event.target);
            if (modes() === "cage" && at >= 0) this.#mark(at, !this.#marked.has(at));
            this.#focus(at);
        });
        byId("modes").addEventListener("change", () => this.showMode());
        byId("cage").addEventListener("submit", (event) => {
            event.preventDefault();
            this.#setCage();
        });
        byId("pad").addEventListener("click", (event) => {
            if (event.target.dataset?.digit) this.#put(Number(event.target.dataset.digit), modes());
        });
    }

    /**
     * Draws a board.
     * @param {string} svg
     * @param {any} board as data; nothing of it can be changed without
     * @param {Map<string, string>} marks words for cells, by their names, that something is wrong with
     * @param {number} side
     */
    draw(svg, board, marks, side) {
        byId("svg").innerHTML = svg;
        this.#printInLight(svg);
        this.#board = board;
        if (this.#cells.length !== side * side) this.#make(side);
        const drawn = byId("svg").querySelector("svg").viewBox.baseVal.width;
        byId("cells").style.inset = `${(100 * MARGIN) / drawn}%`;
        this.#cells.forEach((cell, at) => {
            const name = `r${Math.floor(at / side) + 1}c${(at % side) + 1}`;
            const what = board ? cellWords(board.cells[Math.floor(at / side)][at % side]) : "";
            const region = board?.regions ? `, region ${board.regions[Math.floor(at / side)][at % side]}` : "";
            const cage = this.#cageOf(at);
            const caged = cage ? `, cage of ${cage.cells[0]}: ${cage.clue || "no sum"}${cage.operator ?? ""}` : "";
            const mark = marks.get(name);
            cell.className = mark === undefined ? "" : mark.startsWith("warning") ? "doubtful" : "wrong";
            cell.setAttribute("aria-label", `${name} ${what}${region}${caged}${mark ? `, ${mark}` : ""}`);
            cell.title = mark ?? "";
        });
        this.showMode();
    }

    /** Shows what belongs to the mode at hand; no cell is marked any more. */
    showMode() {
        const draws = modes() === "cage";
        byId("cage").hidden = !draws;
        byId("pad").hidden = draws;
        byId("keys-region").hidden = modes() !== "region";
        for (const empty of byId("pad").querySelectorAll('[data-digit="-1"]')) empty.hidden = modes() === "region";
        this.#cells.forEach((_, at) => this.#mark(at, false));
    }

    #mark(at, marked) {
        this.#marked[marked ? "add" : "delete"](at);
        this.#cells[at].classList.toggle("marked", marked);
        if (modes() === "cage") this.#cells[at].setAttribute("aria-selected", String(marked));
        else this.#cells[at].removeAttribute("aria-selected");
    }

    /** The cage of a cell, as data; nothing where there is none. */
    #cageOf(at) {
        const side = Math.sqrt(this.#cells.length);
        return this.#board?.cages?.find(({ cells }) => cells.includes(`r${Math.floor(at / side) + 1}c${(at % side) + 1}`));
    }

    /** Makes a cage of the marked cells, or gives the one at hand another number. */
    #setCage() {
        const side = Math.sqrt(this.#cells.length);
        const numbers = (name) => name.match(/\d+/g).map(Number);
        const number = (name) => (numbers(name)[0] - 1) * side + numbers(name)[1] - 1;
        const cells = this.#marked.size ? [...this.#marked] : (this.#cageOf(this.#at())?.cells ?? []).map(number);
        if (cells.length === 0) return;
        this.#change({ cages: [{ cells, clue: Number(byId("cage-clue").value), operator: byId("cage-operator").value }] });
        this.#focus(Math.min(...cells));
    }

    /** Drawings follow the colours of the screen; paper is white. */
    #printInLight(svg) {
        const names = new Set([...svg.matchAll(/var\(--([0-9a-f]+)\)/g)].map((found) => found[1]));
        const rules = [...names].map((name) => `--${name}:#${name}!important`).join(";");
        const style = byId("print-colours") ?? document.head.appendChild(element("style", { id: "print-colours" }));
        style.textContent = `@media print{#svg svg{${rules}}}`;
    }

    #make(side) {
        const grid = byId("cells");
        grid.style.setProperty("--side", String(side));
        const rows = Array.from({ length: side }, () =>
            element("div", { role: "row" }, ...Array.from({ length: side }, () => element("div", { role: "gridcell", tabIndex: -1 }))),
        );
        grid.replaceChildren(...rows);
        this.#cells = [...grid.querySelectorAll('[role="gridcell"]')];
        this.#cells[0].tabIndex = 0;
        const buttons = Array.from({ length: side }, (_, at) => element("button", { type: "button", textContent: sign(at + 1), "data-digit": at + 1 }));
        byId("pad").replaceChildren(...buttons, element("button", { type: "button", textContent: "Empty", "data-digit": "-1" }));
    }

    #at() {
        return this.#cells.findIndex((cell) => cell.tabIndex === 0);
    }

    #focus(at) {
        if (at < 0) return;
        this.#cells.forEach((cell) => (cell.tabIndex = -1));
        this.#cells[at].tabIndex = 0;
        this.#cells[at].focus();
    }

    #key(event) {
        const side = Math.sqrt(this.#cells.length);
        const at = this.#at();
        const [row, column] = [Math.floor(at / side), at % side];
        const moves = {
            ArrowUp: row > 0 ? at - side : at,
            ArrowDown: row < side - 1 ? at + side : at,
            ArrowLeft: column > 0 ? at - 1 : at,
            ArrowRight: column < side - 1 ? at + 1 : at,
            Home: event.ctrlKey ? 0 : row * side,
            End: event.ctrlKey ? side * side - 1 : row * side + side - 1,
        };
        if (event.key in moves) {
            event.preventDefault();
            if (modes() === "cage" && event.shiftKey) [at, moves[event.key]].forEach((cell) => this.#mark(cell, true));
            this.#focus(moves[event.key]);
            return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (modes() === "cage") return this.#cageKey(event, at);
        const digit = digitOf(event, side);
        if (["Delete", "Backspace", " ", "0"].includes(event.key)) this.#put(-1, modes());
        else if (event.key === "." && this.#board?.kind.startsWith("str8ts")) this.#blacken(at);
        else if (digit > 0) this.#put(digit, event.shiftKey ? "candidates" : modes());
        else return;
        event.preventDefault();
    }

    #cageKey(event, at) {
        if (event.key === " ") this.#mark(at, !this.#marked.has(at));
        else if (event.key === "Escape") this.showMode();
        else if (event.key === "Enter" || /^[0-9]$/.test(event.key)) {
            byId("cage-clue").value = event.key === "Enter" ? (this.#cageOf(at)?.clue || "") : event.key;
            byId("cage-clue").focus();
        } else return;
        event.preventDefault();
    }

    #blacken(at) {
        const cell = this.#cell(at);
        const clue = cell.clue ? { clue: cell.clue } : {};
        this.#change({ cells: [[at, cell.black ? clue : { ...clue, black: true }]] });
    }

    #cell(at) {
        const side = Math.sqrt(this.#cells.length);
        return this.#board.cells[Math.floor(at / side)][at % side];
    }

    /** Puts a digit into the cell at hand, -1 for none. */
    #put(digit, mode) {
        if (!this.#board) return;
        const at = this.#at();
        this.#change({ at, digit, mode });
    }

    /**
     * What a digit makes of a cell.
     * @returns {object} a change for `edit`
     */
    static changed(board, { at, digit, mode }) {
        const cell = board.cells[Math.floor(at / board.side)][at % board.side];
        if (mode === "region") return digit > 0 ? { regions: [[at, digit]] } : {};
        const black = cell.black ? { black: true } : {};
        if (digit < 0) return { cells: [[at, black]] };
        if (mode === "clue") return { cells: [[at, { ...black, clue: digit }]] };
        if (mode === "solved") return { cells: [[at, { solved: digit }]] };
        const old = new Set(cell.candidates ?? []);
        old.delete(digit) || old.add(digit);
        return { cells: [[at, { candidates: [...old].sort((a, b) => a - b) }]] };
    }
}
