// The part of the page for whole files.

import { Columns } from "./columns.mjs";
import { byId, count, element } from "./dom.mjs";
import { Engine } from "./engine.mjs";
import { Reading, TABLES } from "./reading.mjs";
import { CONTROLS, placeInWords } from "./words.mjs";

/** Bytes from which on the result goes straight to a file, where the browser can do that. */
const LARGE = 256e6;

/** Refused records that are shown. */
const SHOWN = 200;

/** Whether the browser unpacks a format. */
function unpacks(format) {
    try {
        return Boolean(new DecompressionStream(/** @type {any} */ (format)));
    } catch {
        return false;
    }
}

export class Files {
    #engine = new Engine();
    #file = null;
    #links = [];
    #reading = new Reading(byId("file-reading"), () => this.#arranged(), true);
    #columns = new Columns((table) => this.#take(table));
    /** Whether a column was chosen, and not named by the user. */
    #picked = false;
    /** Until the columns of the file are shown. */
    #looked = Promise.resolve();

    constructor() {
        byId("unpacked").textContent = unpacks("zstd") ? ".gz or .zst" : ".gz (this browser unpacks no .zst; the program does)";
        byId("start").addEventListener("click", () => this.#start());
        byId("cancel").addEventListener("click", () => this.#engine.stop("Stopped. Nothing was saved."));
        byId("command").addEventListener("change", () => this.#choose());
        byId("no-header").addEventListener("change", () => this.#showColumns());
        byId("column").addEventListener("input", () => (this.#picked = false));
        byId("column").addEventListener("change", () => this.#showColumns());
    }

    /** Takes the names of formats, framings and kinds. */
    know(names) {
        byId("to").replaceChildren(...names.formats.filter(({ written }) => written).map(({ name }) => element("option", { value: name, textContent: name, selected: name === "v2" })));
        this.#reading.know(names);
    }

    /** @param {File} file */
    take(file) {
        this.#engine.busy && this.#engine.stop();
        this.#file = file;
        this.#running(false);
        byId("files").hidden = false;
        byId("file-name").textContent = `${file.name}, ${count(file.size)} bytes`;
        this.#clear("");
        if (this.#picked) this.#take({ column: "", framing: null, delimiter: null, no_header: false }); // it was of another file
        this.#picked = false;
        this.#arranged();
        byId("files").scrollIntoView({ block: "nearest" });
        byId("start").focus();
    }

    /** How the file is read has changed. */
    #arranged() {
        this.#choose();
        this.#showColumns();
    }

    #showColumns() {
        this.#looked = this.#lookAtColumns();
    }

    /** Shows the columns of a table. What is wrong with a file is said once it is read. */
    async #lookAtColumns() {
        const file = this.#file;
        if (!file) return;
        const { framing, delimiter } = this.#reading.options;
        const table = await this.#engine.call("columns", [file, { ...(framing && { framing }), ...(delimiter && { delimiter }), ...this.#header() }]).catch(() => null);
        if (this.#file === file) this.#columns.show(table, byId("column").value.trim());
    }

    /** Takes a column that was chosen, and with it how its table is read. */
    #take({ column, framing, delimiter, no_header }) {
        this.#picked = true;
        byId("column").value = column;
        byId("no-header").checked = no_header;
        this.#reading.arrange({ framing, delimiter });
        this.#choose();
    }

    #header() {
        return TABLES.includes(this.#reading.options.framing) && byId("no-header").checked ? { no_header: true } : {};
    }

    #choose() {
        const command = byId("command").value;
        byId("to-label").hidden = byId("lossy-label").hidden = command !== "convert";
        byId("level-label").hidden = command !== "validate";
        byId("by-label").hidden = command !== "dedupe";
        byId("no-header-label").hidden = !TABLES.includes(this.#reading.options.framing);
    }

    #clear(words) {
        byId("file-words").textContent = words;
        byId("file-words").className = "";
        byId("saves").replaceChildren();
        byId("reject-rows").replaceChildren();
        byId("rejects").hidden = true;
        this.#links.splice(0).forEach((link) => URL.revokeObjectURL(link));
    }

    #options() {
        const column = byId("column").value.trim();
        const read = this.#reading.options;
        const place = { ...this.#header(), ...(column && (column.startsWith("/") ? { field: column } : { column })) };
        const own = {
            convert: { to: byId("to").value, lossy: byId("lossy").checked }, validate: { level: byId("level").value },
            solve: this.#columns.has("solution") ? { to_column: "solution of gridmill" } : {}, dedupe: { by: byId("by").value },
        };
        return { ...read, ...place, ...own[byId("command").value] };
    }

    /** The file that a large result goes to, if the browser asks for one; a blob is made else. */
    async #target(name) {
        const picks = byId("command").value !== "validate" && this.#file.size > LARGE && "showSaveFilePicker" in window;
        return picks ? /** @type {any} */ (window).showSaveFilePicker({ suggestedName: name }) : null;
    }

    async #start() {
        const [file, command] = [this.#file, byId("command").value];
        this.#clear("Begun…");
        this.#running(true);
        await this.#looked; // what the options say depends on the columns
        if (this.#file !== file) return;
        const options = this.#options();
        const name = `${{ convert: options.to, validate: "checked", solve: "solved", dedupe: "distinct" }[command]}-${file.name.replace(/\.(gz|zst)$/, "")}`;
        try {
            const target = await this.#target(name);
            if (this.#file !== file) return; // another one was taken while a place was chosen
            const done = await this.#engine.call("file", [file, command, options, target], (progress) => this.#progress(progress));
            this.#finish(done, command, name);
        } catch (error) {
            if (this.#file !== file) return;
            byId("file-words").textContent = error.name === "AbortError" ? "No file was chosen for the result." : this.#advice(error.message);
            byId("file-words").className = "bad";
        }
        this.#running(false);
    }

    /** A message that names what can be chosen, which is then there to choose from. */
    #advice(message) {
        if (message.includes(`“${CONTROLS.framing}`)) this.#reading.unfold("framing");
        return message;
    }

    #running(runs) {
        byId("start").hidden = runs;
        byId("cancel").hidden = byId("progress").hidden = !runs;
        byId("progress").value = 0;
        ["command", "to", "level", "by", "column", "no-header", "lossy"].forEach((id) => (byId(id).disabled = runs));
        this.#reading.disabled = runs;
    }

    #progress({ read, size, counts, listed }) {
        byId("progress").value = size ? read / size : 1;
        byId("file-words").textContent = countWords(counts, byId("command").value);
        this.#list(listed);
    }

    #list(listed) {
        const room = SHOWN - byId("reject-rows").children.length;
        const rows = listed.slice(0, Math.max(0, room)).map((row) =>
            element("tr", {}, ...[count(row.line), row.cell ?? "", row.code, row.message].map((text) => element("td", { textContent: text })),
                element("td", { className: "string", textContent: row.record.slice(0, 200) })),
        );
        listed.forEach(({ code }) => this.#reading.unfold(code));
        byId("reject-rows").append(...rows);
        byId("rejects").hidden = byId("reject-rows").children.length === 0;
    }

    #finish(done, command, name) {
        const { counts, seconds } = done;
        const forms = counts.forms.map(({ format, kind, records }) => `${count(records)} ${format} ${kind}`).join(", ");
        const more = counts.rejected > SHOWN ? ` The first ${SHOWN} rejected records are listed.` : "";
        const fine = (command === "validate" || command === "solve") && !counts.rejected && counts.records;
        const words = fine ? fineWords(counts, command === "solve" ? command : byId("level").value) : countWords(counts, command);
        byId("file-words").textContent = `${words}${forms && ` Among them: ${forms}.`} Read as ${placeInWords(done.read_as)}; ${seconds.toFixed(1)} s.${more}`;
        byId("file-words").className = counts.rejected || !counts.records ? "" : "good";
        if (command !== "validate") {
            if (done.text) this.#save("Save the result", name, done.text);
            else byId("saves").append("The result is in the file you chose.");
        }
        if (counts.rejected) this.#save("Save the rejected records", `${name}.rejects.tsv`, done.rejects);
    }

    #save(words, name, blob) {
        const href = URL.createObjectURL(blob);
        this.#links.push(href);
        byId("saves").append(element("a", { className: "button", href, download: name, textContent: words }));
    }
}

/** What a check that refuses nothing says. */
function fineWords({ records, without }, level) {
    const what = { syntax: ["can be read", "can be read"], rules: ["is fine", "are fine"], unique: ["has exactly one solution", "have exactly one solution"], solve: ["is solved", "are solved"] }[level];
    const others = without ? ` Rows without a string: ${count(without)}.` : "";
    return (records === 1 ? `The board ${what[0]}.` : `All ${count(records)} boards ${what[1]}.`) + others;
}

/** Counts in words. */
function countWords({ records, rejected, without, lossy, good, duplicates }, command) {
    const kept = command === "dedupe" ? `, ${count(good - duplicates)} kept, ${count(duplicates)} duplicate${duplicates === 1 ? "" : "s"} left out` : "";
    const more = [[rejected, "rejected"], [lossy, "with losses"], [without, "rows without a string"]].filter(([number]) => number > 0);
    return `${count(records)} record${records === 1 ? "" : "s"}${kept}${more.map(([number, what]) => `, ${count(number)} ${what}`).join("")}.`;
}
