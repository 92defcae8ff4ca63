// How strings are to be read that do not say it themselves.

import { element } from "./dom.mjs";
import { CONTROLS, DELIMITERS, FRAMINGS } from "./words.mjs";

/** Framings with a header row, or without one if the caller says so. */
export const TABLES = ["csv", "tsv"];

/** Codes of strings that can be read once something is chosen here; `framing` is of files. */
const UNDECIDED = ["ambiguous", "flag", "framing"];

/** A row of lists to choose from, folded while nothing has to be chosen. */
export class Reading {
    #box;
    /** The lists, by the names of their options. */
    #lists;

    /**
     * @param {any} box the element that the row goes into
     * @param {() => void} changed is called after each choice
     * @param {boolean} files whether it is for files, which have a framing
     */
    constructor(box, changed = () => {}, files = false) {
        this.#box = box;
        this.#lists = {
            ...(files && { framing: this.#list(CONTROLS.framing, []), delimiter: this.#list(CONTROLS.delimiter, Object.keys(DELIMITERS), DELIMITERS) }),
            from: this.#list(CONTROLS.from, []), kind: this.#list(CONTROLS.kind, []),
            str8ts_layout: this.#list(CONTROLS["str8ts-layout"], ["spec", "site", "first", "nine"]), str8ts_flags: this.#list(CONTROLS["str8ts-flags"], ["site", "snippet"]),
            alphabet: this.#list(CONTROLS.alphabet, ["digits", "letters", "zero", "ascii", "pairs"]),
        };
        const labels = Object.values(this.#lists).map((list) => list.parentElement);
        box.append(element("summary", { textContent: "Read as…" }), element("p", { className: "row" }, ...labels));
        box.addEventListener("change", () => {
            this.#showDelimiter();
            changed();
        });
        this.#showDelimiter();
    }

    #list(label, values, words) {
        const list = element("select");
        element("label", {}, `${label} `, list);
        return this.#fill(list, values, words);
    }

    #fill(list, values, words = {}) {
        list.replaceChildren(...["auto", ...values].map((value) => element("option", { value, textContent: words[value] ?? value })));
        return list;
    }

    /** What separates fields can be chosen once it is a table that they are in. */
    #showDelimiter() {
        if (this.#lists.delimiter) this.#lists.delimiter.parentElement.hidden = this.#lists.framing.value !== "csv";
    }

    /** Takes the names of formats, framings and kinds. */
    know({ formats, framings, kinds }) {
        if (this.#lists.framing) this.#fill(this.#lists.framing, framings, FRAMINGS);
        this.#fill(this.#lists.from, formats.map(({ name }) => name));
        this.#fill(this.#lists.kind, kinds.map(({ name }) => name));
    }

    /** What is chosen, as options of gridmill. */
    get options() {
        const chosen = Object.entries(this.#lists).filter(([, { value, parentElement }]) => value !== "auto" && !parentElement.hidden);
        return Object.fromEntries(chosen.map(([name, { value }]) => [name, value]));
    }

    set options(options) {
        for (const [name, list] of Object.entries(this.#lists)) list.value = options[name] ?? "auto";
        this.#showDelimiter();
    }

    /** Chooses a framing, and what separates the fields of a table. */
    arrange({ framing, delimiter }) {
        this.options = { ...this.options, framing, delimiter };
    }

    /** Whether nothing can be chosen for now. */
    set disabled(disabled) {
        for (const list of Object.values(this.#lists)) list.disabled = disabled;
    }

    /** Unfolds the row if a choice is needed, or was made. */
    unfold(code) {
        const needed = UNDECIDED.includes(code);
        this.#box.open ||= needed || Object.keys(this.options).length > 0;
        return needed;
    }
}
