// @ts-check
// gridmill for browsers and Node: strings of number puzzles converted, checked and solved. README.md says what there is.

/**
 * Loads gridmill.
 * @param {BufferSource | WebAssembly.Module} wasm the bytes of gridmill.wasm, or what was compiled of them
 * @returns {Promise<Gridmill>}
 */
export async function load(wasm) {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    return new Gridmill(/** @type {any} */ ((await WebAssembly.instantiate(module, {})).exports));
}

/** What was wrong with a call; a string that cannot be read is not an error but a refused record. */
export class GridmillError extends Error {
    name = "GridmillError";
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Gridmill {
    #wasm;

    /** @param {any} wasm */
    constructor(wasm) {
        this.#wasm = wasm;
    }

    /** @type {import("./gridmill.mjs").Gridmill["convert"]} */
    convert = (text, options = {}) => this.#rewrite("convert", text, options);

    /** @type {import("./gridmill.mjs").Gridmill["validate"]} */
    validate = (text, options = {}) => this.#rewrite("validate", text, options);

    /** @type {import("./gridmill.mjs").Gridmill["solve"]} */
    solve = (text, options = {}) => this.#rewrite("solve", text, options);

    /** @type {import("./gridmill.mjs").Gridmill["detect"]} */
    detect(text, options = {}) {
        const lines = decoder.decode(this.#call("detect", options, text).text).split("\n").slice(0, -1);
        return lines.map((line) => {
            const [format, kind, side, layout] = line.split("\t");
            return line ? { format, kind, side: Number(side), layout: layout || null } : null;
        });
    }

    /** @type {import("./gridmill.mjs").Gridmill["begin"]} */
    begin(command, options = {}) {
        const { run } = this.#call("begin", { ...options, command }).head;
        return {
            feed: (bytes, last = false) => this.#call("feed", run, bytes, Number(last)),
            end: () => this.#wasm.end(run),
        };
    }

    show = (text, options = {}) => this.#call("show", options, text).head;
    find = (text, options = {}) => this.#call("find", options, text).head;
    edit = (text, change = {}) => this.#call("edit", change, text).head;
    names = () => this.#call("names").head;

    #rewrite(command, text, options) {
        const { head, ...done } = this.#call(command, options, text);
        return { ...done, text: typeof text === "string" ? decoder.decode(done.text) : done.text };
    }

    /** Calls a function; what it takes is JSON of an object, bytes of a text, or a number. */
    #call(name, ...values) {
        const [own, values32] = [[], []];
        for (const value of values) {
            if (typeof value === "number") values32.push(value);
            else {
                const json = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
                const bytes = typeof json === "string" ? encoder.encode(json) : json;
                const address = this.#wasm.alloc(bytes.length) >>> 0;
                own.push(address);
                new Uint8Array(this.#wasm.memory.buffer, address, bytes.length).set(bytes);
                values32.push(address, bytes.length);
            }
        }
        const start = this.#wasm[name](...values32) >>> 0;
        own.forEach((address) => this.#wasm.release(address));
        const answer = new Uint8Array(this.#wasm.memory.buffer, start, this.#wasm.answer_len());
        const end = 4 + new DataView(answer.buffer, start, 4).getUint32(0, true);
        const head = JSON.parse(decoder.decode(answer.subarray(4, end)));
        if (head.error !== undefined) throw new GridmillError(head.error);
        const split = end + (head.text ?? 0);
        return { head, ...head, text: answer.slice(end, split), rejects: decoder.decode(answer.subarray(split)) };
    }
}
