// Files of any size, in pieces: what is in memory does not depend on theirs.

import { unpackGzip } from "./gzip.mjs";

/** Bytes that are given to gridmill at once. */
const PIECE = 256 << 10;

/** Bytes of the result that become one part of a blob, which the browser keeps outside of the page's memory. */
const PART = 4 << 20;

/** Bytes at the beginning of a file from which is seen what it is. */
const BEGINNING = 64 << 10;

/**
 * The beginning of a file, unpacked if need be.
 * @param {File} file
 */
export async function beginning(file) {
    const { stream, name } = await open(file);
    const bytes = new Uint8Array(BEGINNING);
    let length = 0;
    for (const reader = stream.getReader(); length < BEGINNING; ) {
        const { value, done } = await reader.read();
        if (done) break;
        bytes.set(value.subarray(0, BEGINNING - length), length);
        length = Math.min(BEGINNING, length + value.length);
        if (length === BEGINNING) reader.cancel().catch(() => {});
    }
    return { bytes: bytes.subarray(0, length), name };
}

/**
 * Converts, checks or solves a file, or leaves out its duplicates.
 * @param {import("../gridmill.mjs").Gridmill} gridmill
 * @param {File} file
 * @param {"convert" | "validate" | "solve" | "dedupe"} command
 * @param {object} options
 * @param {FileSystemFileHandle | null} target the file for the result; without one it becomes a blob
 * @param {(progress: object) => void} progress
 */
export async function convertFile(gridmill, file, command, options, target, progress) {
    const begun = performance.now();
    const source = await open(file);
    const run = gridmill.begin(/** @type {any} */ (command), { framing: "auto", ...options, name: source.name });
    const [texts, rejects] = [target ? new Direct(await target.createWritable()) : new Parts(), new Parts()];
    let [counts, told, readAs] = [null, 0, null];
    const take = async (bytes, last) => {
        let done = run.feed(bytes, last);
        for (; done.more; done = run.feed(new Uint8Array(0), last)) await keep(done, false);
        await keep(done, last);
    };
    const keep = async (done, last) => {
        [counts, readAs] = [done.counts, done.read_as];
        await texts.add(done.text);
        await rejects.add(done.rejects);
        const now = performance.now();
        if (done.listed.length || now - told > 100 || last) {
            told = now;
            progress({ read: source.read(), size: file.size, counts, listed: done.listed, read_as: readAs });
        }
    };
    try {
        for (const reader = source.stream.getReader(); ; ) {
            const { value, done } = await reader.read().catch((error) => {
                throw new Error(source.packed ? `${file.name} cannot be unpacked (${error.message}): it is damaged or truncated` : error.message);
            });
            if (done) break;
            for (let at = 0; at < value.length; at += PIECE) await take(value.subarray(at, at + PIECE), false);
        }
        await take(new Uint8Array(0), true);
        return { text: await texts.end(), rejects: await rejects.end(), counts, read_as: readAs, name: source.name, seconds: (performance.now() - begun) / 1000 };
    } catch (error) {
        await texts.abort();
        throw error;
    }
}

/** The text of a file, unpacked if need be. */
async function open(file) {
    const magic = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    const begins = (...bytes) => bytes.every((byte, at) => magic[at] === byte);
    const skipped = magic[0] >> 4 === 5 && [0x2a, 0x4d, 0x18].every((byte, at) => magic[at + 1] === byte); // the program's begin so
    const packed = begins(0x1f, 0x8b) ? "gzip" : begins(0x28, 0xb5, 0x2f, 0xfd) || skipped ? "zstd" : null;
    let read = 0;
    const counted = new TransformStream({
        transform(chunk, controller) {
            read += chunk.length;
            controller.enqueue(chunk);
        },
    });
    let stream = file.stream().pipeThrough(counted);
    if (packed) {
        try {
            stream = packed === "gzip" ? unpackGzip(stream) : stream.pipeThrough(new DecompressionStream(/** @type {any} */ (packed)));
        } catch {
            throw new Error(`this browser cannot unpack ${packed}; unpack ${file.name} first, or use the program`);
        }
    }
    return { stream, packed, read: () => read, name: packed ? file.name.replace(/\.(gz|zst)$/, "") : file.name };
}

/** What becomes a blob. */
class Parts {
    #parts = [];
    #blobs = [];
    #size = 0;

    async add(part) {
        if (part.length === 0) return;
        this.#parts.push(part);
        this.#size += part.length;
        if (this.#size >= PART) await this.#pack();
    }

    /** Once a blob can be read, the browser has it, and this page no more: else they would pile up here. */
    async #pack() {
        const blob = new Blob(this.#parts);
        [this.#parts, this.#size] = [[], 0];
        this.#blobs.push(blob);
        await blob.slice(0, 1).arrayBuffer();
    }

    async end() {
        await this.#pack();
        return new Blob(this.#blobs);
    }

    async abort() {}
}

/** What goes to a file as it comes. */
class Direct {
    #writable;

    constructor(writable) {
        this.#writable = writable;
    }

    async add(part) {
        if (part.length > 0) await this.#writable.write(part);
    }

    async end() {
        await this.#writable.close();
        return null;
    }

    async abort() {
        await this.#writable.abort();
    }
}
