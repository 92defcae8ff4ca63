// The worker's side: calls are passed on to gridmill.

import { load } from "../gridmill.mjs";
import { beginning, convertFile } from "./stream.mjs";

let gridmill;

const calls = {
    show: (text, options) => gridmill.show(text, options),
    find: (text, options) => gridmill.find(text, options),
    edit: (text, change) => gridmill.edit(text, change),
    names: () => gridmill.names(),
    columns: async (file, options) => {
        const { bytes, name } = await beginning(file);
        return gridmill.columns(bytes, { framing: "auto", ...options, name });
    },
    file: (file, command, options, writable, progress) => convertFile(gridmill, file, command, options, writable, progress),
};

self.onmessage = async ({ data: { module, id, name, values } }) => {
    if (module) {
        gridmill = load(module);
        return;
    }
    gridmill = await gridmill;
    try {
        const progress = (progress) => self.postMessage({ id, progress });
        self.postMessage({ id, result: await calls[name](...values, progress) });
    } catch (error) {
        const trapped = error instanceof WebAssembly.RuntimeError;
        self.postMessage({ id, trapped, error: trapped ? `internal error in gridmill (${error.message}); please report it` : error.message });
    }
};
