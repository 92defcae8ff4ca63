// gridmill in a worker, so that the page never waits for it. What it says is put into the page's words here.

import { answerInWords, inWords } from "./words.mjs";

/** The compiled program, for all workers. It stands in the page, compressed. */
let compiled;

async function module() {
    const old = new Error("This browser is too old for gridmill, which needs Chrome 91, Firefox 113 or Safari 16.4.");
    if (!("DecompressionStream" in window)) throw old;
    const text = document.getElementById("wasm").textContent.trim();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const code = await new Response(stream).arrayBuffer();
    if (!WebAssembly.validate(code)) throw old;
    return WebAssembly.compile(code);
}

/** A worker with its own gridmill. */
export class Engine {
    #worker = null;
    #waiting = new Map();
    #next = 1;

    async #start() {
        compiled ??= module();
        const source = document.getElementById("worker").textContent;
        const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        const worker = new Worker(address);
        URL.revokeObjectURL(address);
        worker.onmessage = ({ data }) => this.#answer(data);
        worker.onerror = (event) => this.stop(event.message);
        worker.postMessage({ module: await compiled });
        return worker;
    }

    #answer({ id, progress, result, error, trapped }) {
        if (trapped) return this.stop(error); // what it had in memory may be damaged
        const waiting = this.#waiting.get(id);
        if (!waiting) return;
        if (progress) return waiting.progress?.(answerInWords(progress));
        this.#waiting.delete(id);
        error === undefined ? waiting.resolve(answerInWords(result)) : waiting.reject(new Error(inWords(error)));
    }

    /**
     * Calls a function of the worker.
     * @param {string} name
     * @param {any[]} values
     * @param {(progress: any) => void} [progress] is told how far a long call is
     * @returns {Promise<any>}
     */
    call(name, values, progress) {
        this.#worker ??= this.#start();
        const id = this.#next++;
        const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, progress }));
        this.#worker.then((worker) => worker.postMessage({ id, name, values }), (error) => this.#answer({ id, error: error.message }));
        return answer;
    }

    /** Whether an answer is waited for. */
    get busy() {
        return this.#waiting.size > 0;
    }

    /** Ends the worker and all of its calls; the next call starts another one. */
    stop(words = "stopped") {
        const [worker, waiting] = [this.#worker, [...this.#waiting.values()]];
        this.#worker = null;
        this.#waiting.clear();
        waiting.forEach(({ reject }) => reject(new Error(words)));
        worker?.then((worker) => worker.terminate(), () => {});
    }
}
