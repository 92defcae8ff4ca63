// What is said of a string: in words, by the rules, by the solver, in other formats.

import { byId, copyButton, count, element } from "./dom.mjs";

const NAMES = {
    variant: "the kind", regions: "the regions", cages: "the cages", operators: "the operators", groups: "groups",
    clue: "which digits are clues", solved: "solved cells", "single-candidate": "single candidates", notes: "candidates",
    black: "black cells",
};

/** Losses in words. */
const losses = (lost) => Object.entries(lost).map(([name, cells]) => NAMES[name] + (cells ? ` (${count(cells)})` : "")).join(", ");

/** @param {any} shown what `show` says of a string that was read */
export function showFacts(shown) {
    byId("words").textContent = `${shown.format}, ${shown.words}`;
    const lost = losses(shown.lost_in_reading);
    byId("lost").hidden = !lost;
    byId("lost").textContent = lost && `Lost in reading: ${lost}`;
    showRules(shown.problems);
    showFormats(shown);
    showLinks(shown);
}

/** Nothing is known. */
export function clearFacts(words) {
    byId("words").textContent = words;
    byId("lost").hidden = true;
    ["rules", "solver-words", "solver-buttons", "links", "formats"].forEach((id) => byId(id).replaceChildren());
}

/** Gives an element other content; the same content again would be heard again. */
function change(box, content) {
    if (box.childNodes.length !== 1 || !box.firstChild.isEqualNode(content)) box.replaceChildren(content);
}

function showRules(problems) {
    const list = problems.map(({ cell, message, warning }) =>
        element("li", { className: warning ? "" : "bad", textContent: `${warning ? "Warning: " : ""}${cell ? `${cell}: ` : ""}${message}` }),
    );
    const words = element("p", { className: "good", textContent: "No rule is broken." });
    change(byId("rules"), list.length ? element("ul", {}, ...list) : words);
}

function showFormats(shown) {
    const row = (format, string, words, copy) =>
        element("tr", {}, element("th", { scope: "row", textContent: format }), element("td", { className: "string", textContent: string }),
            element("td", { className: copy ? "loses" : "why", textContent: words }), element("td", {}, ...(copy ? [copyButton(string, `${format} string`)] : [])));
    const rows = [row(shown.format, shown.string, "nothing, it is as given", true)];
    for (const [format, fate] of Object.entries(shown.other_formats)) {
        const string = shown.strings[format];
        if (fate.unsupported || !string) rows.push(row(format, "", fate.unsupported ?? "not available", false));
        else rows.push(row(format, string, losses(fate.loses) || "nothing", true));
    }
    byId("formats").replaceChildren(...rows);
}

function showLinks(shown) {
    if (!shown.v2) {
        byId("links").replaceChildren("Version 2 cannot hold all of this board, so there are no links to it.");
        return;
    }
    const own = `${location.href.split("#")[0]}#${shown.v2}`;
    const site = shown.format === "link" ? shown.string : shown.strings.link;
    const host = site && new URL(site).host.replace("www.", "");
    const link = (href, textContent, what) =>
        element("span", { className: "pair" }, element("a", { href, rel: "noreferrer", textContent }), copyButton(href, what, "Copy link"));
    const links = [link(own, "This board", "link to this board"), ...(site ? [link(site, `On ${host}`, `link to ${host}`)] : [])];
    byId("links").replaceChildren(...links);
}

/** Whether a board has nothing that a solver could begin with: that is no fault of it. */
export const isEmpty = ({ board }) => !board.cages && board.cells.flat().every((cell) => !cell.clue && !cell.solved && !cell.candidates);

/** Nothing is asked of the solver. */
export function showNothingToSolve() {
    change(byId("solver-words"), element("span", { textContent: "The board is empty: the solver answers once there are digits." }));
    byId("solver-buttons").replaceChildren();
}

/**
 * What the solver says.
 * @param {any} solved
 * @param {(solution: any) => void} show draws the solution, or the puzzle if it is given none
 * @param {() => void} longer asks for a longer search
 */
export function showSolver(solved, show, longer) {
    const words = (textContent, className = "") => change(byId("solver-words"), element("span", { className, textContent }));
    const buttons = byId("solver-buttons");
    buttons.replaceChildren();
    if (solved === null) return words("Looking…");
    const button = element("button", { type: "button" });
    if (!solved.refused) {
        let [drawn, names] = [false, ["Show the solution", "Show the puzzle"]];
        button.textContent = names[0];
        button.addEventListener("click", () => {
            drawn = !drawn;
            button.textContent = names[Number(drawn)];
            show(drawn ? solved : null);
        });
        buttons.append(button, copyButton(solved.v2, "solution", "Copy solution"));
        const { grade } = solved;
        const needs = grade ? ` Its grade is ${grade.number} of 11, ${grade.name}: ${grade.about}.` : "";
        return words(`It has exactly one solution.${needs}`, "good");
    }
    const { code, cell, message } = solved.refused;
    words(`${cell ? `${cell}: ` : ""}${message}`, code === "undecided" ? "" : "bad");
    if (code !== "undecided") return;
    button.textContent = "Search longer";
    button.addEventListener("click", longer);
    buttons.append(button);
}

/** Signs that would not be seen, as they are written in JavaScript. */
const visible = (text) => text.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === " " ? sign : `\\u{${sign.codePointAt(0).toString(16)}}`));

/**
 * A string that was refused, with the places that are wrong, which are counted in bytes.
 * @param {any} shown
 * @param {string} string
 */
export function showRefusal(shown, string) {
    const { cell, message } = shown.refused;
    byId("refusal-words").textContent = `${cell ? `${cell}: ` : ""}${message}`;
    const bytes = new TextEncoder().encode(string);
    const slice = (from, to) => visible(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from, to)));
    const parts = [];
    let at = 0;
    for (const [start, end] of shown.places) {
        parts.push(slice(at, start), element("mark", { textContent: slice(start, end) }));
        at = end;
    }
    byId("refusal-string").replaceChildren(...parts, slice(at));
}
