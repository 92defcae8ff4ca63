// Node, for `require` and `import`.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const code = require("./gridmill.cjs");

module.exports = { ...code, gridmill: code.loadSync(readFileSync(join(__dirname, "gridmill.wasm"))) };
