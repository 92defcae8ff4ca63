// The part of the page for whole files.

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
    #reading = new Reading(byId("file-reading"), () => this.#choose(), true);

    constructor() {
        byId("unpacked").textContent = unpacks("zstd") ? ".gz or .zst" : ".gz (this browser unpacks no .zst; the program does)";
        byId("start").addEventListener("click", () => this.#start());
        byId("cancel").addEventListener("click", () => this.#engine.stop("Stopped. Nothing was saved."));
        byId("command").addEventListener("change", () => this.#choose());
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
        this.#choose();
        byId("files").scrollIntoView({ block: "nearest" });
        byId("start").focus();
    }

    #choose() {
        const converts = byId("command").value === "convert";
        byId("to-label").hidden = byId("lossy-label").hidden = !converts;
        byId("level-label").hidden = converts;
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
        const header = TABLES.includes(read.framing) && byId("no-header").checked ? { no_header: true } : {};
        const place = { ...header, ...(column && (column.startsWith("/") ? { field: column } : { column })) };
        return byId("command").value === "convert"
            ? { ...read, ...place, to: byId("to").value, lossy: byId("lossy").checked }
            : { ...read, ...place, level: byId("level").value };
    }

    /** The file that a large result goes to, if the browser asks for one; a blob is made else. */
    async #target(name) {
        const picks = byId("command").value === "convert" && this.#file.size > LARGE && "showSaveFilePicker" in window;
        return picks ? /** @type {any} */ (window).showSaveFilePicker({ suggestedName: name }) : null;
    }

    async #start() {
        const [file, command, options] = [this.#file, byId("command").value, this.#options()];
        const name = `${options.to ?? "checked"}-${file.name.replace(/\.(gz|zst)$/, "")}`;
        this.#clear("Begun…");
        this.#running(true);
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
        ["command", "to", "level", "column", "no-header", "lossy"].forEach((id) => (byId(id).disabled = runs));
        this.#reading.disabled = runs;
    }

    #progress({ read, size, counts, listed }) {
        byId("progress").value = size ? read / size : 1;
        byId("file-words").textContent = countWords(counts);
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
        const words = command === "validate" && !counts.rejected && counts.records ? fineWords(counts, byId("level").value) : countWords(counts);
        byId("file-words").textContent = `${words}${forms && ` Among them: ${forms}.`} Read as ${placeInWords(done.read_as)}; ${seconds.toFixed(1)} s.${more}`;
        byId("file-words").className = counts.rejected || !counts.records ? "" : "good";
        if (command === "convert") {
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
    const what = { syntax: ["can be read", "can be read"], rules: ["is fine", "are fine"], unique: ["has exactly one solution", "have exactly one solution"] }[level];
    const others = without ? ` Rows without a string: ${count(without)}.` : "";
    return (records === 1 ? `The board ${what[0]}.` : `All ${count(records)} boards ${what[1]}.`) + others;
}

/** Counts in words. */
function countWords({ records, rejected, without, lossy }) {
    const more = [[rejected, "rejected"], [lossy, "with losses"], [without, "rows without a string"]].filter(([number]) => number > 0);
    return `${count(records)} record${records === 1 ? "" : "s"}${more.map(([number, what]) => `, ${count(number)} ${what}`).join("")}.`;
}
