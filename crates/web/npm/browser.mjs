import { load } from "./gridmill.mjs";

export * from "./gridmill.mjs";

const answer = await fetch(new URL("./gridmill.wasm", import.meta.url));
if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
export const gridmill = await load(await answer.arrayBuffer());
