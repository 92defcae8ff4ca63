// What users have without gridmill: the JavaScript of the published description of v1 (two base-32 digits a cell, mask shifted by one,
// clue flag), and of v2 (header, base 36), line by line, as a page or a script would do it. Run by benches/e2e.sh with node.
// It checks less than gridmill: a bad digit becomes NaN and then arbitrary text.
const lines = require("readline").createInterface({ input: require("fs").createReadStream(process.argv[2]) });

function bitCount(n) {
  let count = 0;
  for (; n; n &= n - 1) count++;
  return count;
}

function decode(string) {
  const cells = [];
  for (const pair of string.match(/.{1,2}/g)) {
    let n = parseInt(pair, 32);
    const clue = n & 1;
    n >>= 1;
    const digit = Math.log2(n) + 1;
    cells.push(n === 0 ? 0 : bitCount(n) > 1 ? 18 + n : clue ? digit : 9 + digit);
  }
  return cells;
}

function encode(cells) {
  return "S9B" + cells.map((code) => code.toString(36).padStart(2, "0")).join("");
}

let out = [];
lines.on("line", (line) => {
  out.push(encode(decode(line)));
  if (out.length === 10000) {
    process.stdout.write(out.join("\n") + "\n");
    out = [];
  }
});
lines.on("close", () => process.stdout.write(out.map((line) => line + "\n").join("")));
