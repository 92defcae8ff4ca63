// The columns of a table with its first rows, to choose the one with the puzzles from.

import { byId, element, say } from "./dom.mjs";

export class Columns {
    /** What gridmill says of the table at hand. */
    #table = null;
    #choose;

    /** @param {(options: object) => void} choose is told how the column that was chosen is named, and the rest of how the table is read */
    constructor(choose) {
        this.#choose = choose;
        byId("columns").addEventListener("click", ({ target }) => {
            const cell = target.closest("th, td");
            if (cell) this.#take(cell.cellIndex);
        });
    }

    /**
     * Shows the columns of a file; nothing if it is no table.
     * @param {any} table
     * @param {string} asked the column that the user has named, if any
     */
    show(table, asked) {
        this.#table = table?.columns?.length > 1 ? table : null;
        byId("columns").hidden = !this.#table;
        if (!this.#table) return;
        const { columns, rows, chosen } = this.#table;
        const names = columns.map(({ name }) => element("th", { scope: "col" }, element("button", { type: "button", textContent: name, "aria-pressed": "false" })));
        byId("column-names").replaceChildren(...names);
        const fields = (row) => columns.map((_, at) => element("td", { className: "string", textContent: row[at] ?? "" }));
        byId("column-rows").replaceChildren(...rows.map((row) => element("tr", {}, ...fields(row))));
        this.#mark(asked ? columns.findIndex(({ value }) => value === asked) : (chosen ?? -1));
    }

    /** Whether a column has this name. */
    has(name) {
        return this.#table?.columns.some((column) => column.name === name) ?? false;
    }

    /** Marks the column of this number, from 0; none if it is negative. */
    #mark(at) {
        const { columns } = this.#table;
        byId("columns-title").textContent = at < 0 ? "Which column has the puzzles? Choose it here." : `The puzzles are in the column ${columns[at].name}. Choose another if they are not.`;
        for (const cell of byId("columns").querySelectorAll("th, td")) cell.classList.toggle("chosen", cell.cellIndex === at);
        [...byId("column-names").querySelectorAll("button")].forEach((button, of) => button.setAttribute("aria-pressed", String(of === at)));
    }

    #take(at) {
        const { columns, framing, delimiter, no_header } = this.#table;
        this.#mark(at);
        say(byId("columns-title").textContent);
        this.#choose({ column: columns[at].value, framing, delimiter, no_header });
    }
}
