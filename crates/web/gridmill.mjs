// gridmill for browsers and Node: strings of number puzzles converted, checked and solved. README.md says what there is.

/** Loads gridmill, of the bytes of gridmill.wasm or what was compiled of them. */
export async function load(wasm) {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    return new Gridmill((await WebAssembly.instantiate(module, {})).exports);
}

/** The same without a promise, for Node and workers: the thread waits while the code is compiled. */
export function loadSync(wasm) {
    const module = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm);
    return new Gridmill(new WebAssembly.Instance(module, {}).exports);
}

/** What was wrong with a call; a string that cannot be read is not an error but a refused record. */
export class GridmillError extends Error {
    name = "GridmillError";
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder("utf-8", { ignoreBOM: true })];

/** Bytes of a large text that go through at once. */
const AT_ONCE = 512 << 10;

export class Gridmill {
    #wasm;

    constructor(wasm) {
        this.#wasm = wasm;
    }

    convert = (text, options = {}) => this.#rewrite("convert", text, options);
    validate = (text, options = {}) => this.#rewrite("validate", text, options);
    solve = (text, options = {}) => this.#rewrite("solve", text, options);
    dedupe = (text, options = {}) => this.#rewrite("dedupe", text, options);

    detect(text, options = {}) {
        const lines = decoder.decode(this.#bytes(this.#call("detect", options, text).text)).split("\n").slice(0, -1);
        return lines.map((line) => {
            const [format, kind, side, layout] = line.split("\t");
            return line ? { format, kind, side: Number(side), layout: layout || null } : null;
        });
    }

    begin(command, options = {}) {
        const { run } = this.#call("begin", { ...options, command });
        const feed = (bytes, last = false) => {
            const done = this.#feed(run, bytes, last);
            return { ...done, text: this.#bytes(done.text).slice(), rejects: decoder.decode(this.#bytes(done.rejects)) };
        };
        return { feed, end: () => this.#wasm.end(run) };
    }

    #feed(run, bytes, last) {
        const address = this.#wasm.room(run, bytes.length) >>> 0;
        if (address > 0) this.#bytes([address, bytes.length]).set(bytes);
        return this.#answer(this.#wasm.feed(run, bytes.length, last));
    }

    show = (text, options = {}) => this.#call("show", options, text);
    find = (text, options = {}) => this.#call("find", options, text);
    columns = (text, options = {}) => this.#call("columns_of", options, text);
    edit = (text, change = {}) => this.#call("edit", change, text);
    names = () => this.#call("names");

    /** In pieces: what large texts take in the memory of WebAssembly does not depend on their size. */
    #rewrite(command, text, options) {
        const bytes = typeof text === "string" ? encoder.encode(text) : text;
        const { run } = this.#call("begin", { ...options, command });
        let [whole, length, rejects, listed, done] = [new Uint8Array(bytes.length * 1.1 + 256), 0, "", [], null];
        for (let at = 0; at < bytes.length || !done || done.more; at += AT_ONCE) {
            done = this.#feed(run, bytes.subarray(at, at + AT_ONCE), at + AT_ONCE >= bytes.length);
            const part = this.#bytes(done.text);
            const old = whole;
            if (length + part.length > old.length) (whole = new Uint8Array(1.5 * (length + part.length))).set(old);
            whole.set(part, length);
            length += part.length;
            rejects += decoder.decode(this.#bytes(done.rejects));
            listed = listed.concat(done.listed);
        }
        const made = whole.subarray(0, length);
        return { ...done, text: typeof text === "string" ? decoder.decode(made) : made, rejects, listed };
    }

    /** Calls a function; what it takes is JSON of an object, or bytes of a text. */
    #call(name, ...values) {
        const places = values.map((value) => {
            const text = typeof value === "object" && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
            const bytes = typeof text === "string" ? encoder.encode(text) : text;
            const place = [this.#wasm.alloc(bytes.length) >>> 0, bytes.length];
            this.#bytes(place).set(bytes);
            return place;
        });
        const answer = this.#wasm[name](...places.flat());
        places.forEach(([address]) => this.#wasm.release(address));
        return this.#answer(answer);
    }

    #bytes = ([address, length]) => new Uint8Array(this.#wasm.memory.buffer, address, length);

    /** The JSON that stands where a function says. */
    #answer(address) {
        const answer = JSON.parse(decoder.decode(this.#bytes([address >>> 0, this.#wasm.answer_len()])));
        if (answer.error !== undefined) throw new GridmillError(answer.error);
        return answer;
    }
}
