// What the page says in the place of the program's flags: messages come from the same code as the program's.

/** How strings can stand in a text, by the names of gridmill. */
export const FRAMINGS = {
    lines: "a string on each line", csv: "a table", tsv: "a table with tabs", words: "a word of each line", jsonl: "JSON lines",
    links: "links in a text", grid: "grids over several lines", file: "a file of another program", xml: "XML",
};

/** What can stand between the fields of a table. */
export const DELIMITERS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", ":": "colons", " ": "spaces" };

/** Flags that take a value, and what is chosen or typed here in their place. */
export const CONTROLS = {
    framing: "Arranged as", from: "Format", kind: "Kind", alphabet: "Alphabet", "str8ts-layout": "Str8ts layout", "str8ts-flags": "Str8ts flags",
    column: "Column or field", field: "Column or field", delimiter: "Separated by",
};

/** Flags without a value, and what is ticked here in their place. */
export const TICKS = { "no-header": "no header row", lossy: "accept losses" };

/** What the page does not offer, and what other programs do. */
const OTHERS = [
    [/; --effort allows more/g, "; a longer search may decide it"],
    [/--notes auto or full fills them in/g, "the program can fill them in"],
    [/--givens candidates uses both/g, "the program can use both"],
    [/; use another sign with --blank/g, ""],
    [/; 'gridmill formats' lists them/g, ""],
    [/'gridmill convert --framing links'/g, "--framing links"],
    [/'gridmill [^']*'/g, "the program"],
    [/jq -[cr] (?:'[^']*'|\.) puts each (element |object |)on its own line/g, "put each $1on a line of its own"],
    [/ \(of a list of objects '[^']*'\)|,? with(?:, for example,)? jq -c '[^']*'|, for example with (?:jq -c '[^']*'|tail -n \+[^\s,;]+)/g, ""],
    [/, as jq -c '[^']*' makes them| \(zstd -d\)/g, ""],
];

/** What may follow a flag that takes a value and is none. */
const NO_VALUE = "a|and|as|by|decides|for|gives|if|in|instead|is|must|names|needs|numbers|of|once|only|or|says|that|to|with";
const VALUE = String.raw`'[^']*'|(?!(?:${NO_VALUE})\b)(?:[\w/{][\w/.{}@~:-]*[\w/}]|[\w/])`;
const FLAG = `--(?:(${Object.keys(TICKS).join("|")})|(${Object.keys(CONTROLS).join("|")}))(?![a-z-])(?: (${VALUE}))?`;
const [ONE, SEVERAL] = [new RegExp(FLAG, "g"), new RegExp(`${FLAG}(?: ${FLAG})*`, "g")];

/** A value as it is called here. */
function valueInWords(flag, value) {
    const bare = value.replace(/^'(.*)'$/, "$1");
    if (flag === "framing") return FRAMINGS[bare] ?? bare;
    return flag === "delimiter" ? (DELIMITERS[bare === "tab" ? "\t" : bare] ?? bare) : bare;
}

/** Flags that stand one after the other, as what is to be chosen here. */
function chosen(flags) {
    const all = [...flags.matchAll(ONE)].map(([, tick, control, value]) => {
        if (tick) return `“${TICKS[tick]}”${value ? ` ${value}` : ""}`;
        return `“${CONTROLS[control]}${value ? `: ${valueInWords(control, value)}` : ""}”`;
    });
    return all.join(" and ");
}

/**
 * Where strings stand in a text.
 * @param {string} flags as the program is told
 */
export function placeInWords(flags) {
    const words = { framing: "", column: "column ", field: "field ", delimiter: "separated by " };
    return [...flags.matchAll(ONE)].map(([, tick, control, value]) => (tick ? TICKS[tick] : words[control] + valueInWords(control, value))).join(", ");
}

/**
 * A message without flags of the program.
 * @param {string} message
 */
export function inWords(message) {
    const others = OTHERS.reduce((text, [pattern, words]) => text.replace(pattern, /** @type {string} */ (words)), message);
    const known = others.replace(SEVERAL, chosen).replace(/leave out (“(?:Format|Kind)”)/g, "set $1 to auto");
    return known.replace(/--([a-z][a-z0-9-]*)/g, (_, flag) => `“${flag.replaceAll("-", " ")}” of the program`);
}

/** The names of what is said to the user in the answers of gridmill. */
const SAID = new Set(["message", "unsupported", "refused"]);

/**
 * An answer of gridmill, with its messages in words.
 * @template Answer
 * @param {Answer} answer
 * @param {boolean} said whether this is such a message
 * @returns {Answer}
 */
export function answerInWords(answer, said = false) {
    if (typeof answer === "string") return /** @type {any} */ (said ? inWords(answer) : answer);
    if (Array.isArray(answer)) return /** @type {any} */ (answer.map((one) => answerInWords(one, said)));
    if (answer === null || typeof answer !== "object" || answer instanceof Blob) return answer;
    return /** @type {any} */ (Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, answerInWords(value, SAID.has(name))])));
}
