// How strings are to be read that do not say it themselves.

import { element } from "./dom.mjs";

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
            ...(files && { framing: this.#list("Framing", []) }),
            from: this.#list("Format", []), kind: this.#list("Kind", []),
            str8ts_layout: this.#list("Str8ts layout", ["spec", "site", "first", "nine"]), str8ts_flags: this.#list("Str8ts flags", ["site", "snippet"]),
            alphabet: this.#list("Alphabet", ["digits", "letters", "zero", "ascii", "pairs"]),
        };
        const labels = Object.values(this.#lists).map((list) => list.parentElement);
        box.append(element("summary", { textContent: "Read as…" }), element("p", { className: "row" }, ...labels));
        box.addEventListener("change", changed);
    }

    #list(words, values) {
        const list = element("select");
        element("label", {}, `${words} `, list);
        return this.#fill(list, values);
    }

    #fill(list, values) {
        list.replaceChildren(...["auto", ...values].map((value) => element("option", { value, textContent: value })));
        return list;
    }

    /** Takes the names of formats, framings and kinds. */
    know({ formats, framings, kinds }) {
        if (this.#lists.framing) this.#fill(this.#lists.framing, framings);
        this.#fill(this.#lists.from, formats.map(({ name }) => name));
        this.#fill(this.#lists.kind, kinds.map(({ name }) => name));
    }

    /** What is chosen, as options of gridmill. */
    get options() {
        return Object.fromEntries(Object.entries(this.#lists).map(([name, { value }]) => [name, value]).filter(([, value]) => value !== "auto"));
    }

    set options(options) {
        for (const [name, list] of Object.entries(this.#lists)) list.value = options[name] ?? "auto";
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
