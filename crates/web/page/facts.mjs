// What is said of a string: in words, by the rules, by the solver, in other formats.

import { byId, copyButton, count, element } from "./dom.mjs";
import { siteAddress } from "./sites.mjs";

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
    ["rules", "solver", "links", "formats"].forEach((id) => byId(id).replaceChildren());
}

function showRules(problems) {
    const list = problems.map(({ cell, message, warning }) =>
        element("li", { className: warning ? "" : "bad", textContent: `${warning ? "Warning: " : ""}${cell ? `${cell}: ` : ""}${message}` }),
    );
    const words = element("p", { className: "good", textContent: "No rule is broken." });
    byId("rules").replaceChildren(list.length ? element("ul", {}, ...list) : words);
}

function showFormats(shown) {
    const row = (format, string, loses, copy) =>
        element("tr", {}, element("th", { scope: "row", textContent: format }), element("td", { className: "string", textContent: string }),
            element("td", { className: "loses", textContent: loses }), element("td", {}, ...(copy ? [copyButton(string, `${format} string`)] : [])));
    const rows = [row(shown.format, shown.string, "as it is", true)];
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
    const site = siteAddress(shown.kind, shown.v2);
    const links = [element("a", { href: own, textContent: "This board" }), copyButton(own, "link to this board")];
    if (site) links.push(element("a", { href: site, rel: "noreferrer", textContent: `On ${new URL(site).host.replace("www.", "")}` }), copyButton(site, "link to the site"));
    byId("links").replaceChildren(...links);
}

/**
 * What the solver says.
 * @param {any} solved
 * @param {(solution: any) => void} show draws the solution
 * @param {() => void} longer asks for a longer search
 */
export function showSolver(solved, show, longer) {
    const box = byId("solver");
    if (solved === null) return box.replaceChildren(element("p", { textContent: "Looking…" }));
    if (!solved.refused) {
        const button = element("button", { type: "button", textContent: "Show the solution" });
        button.addEventListener("click", () => show(solved));
        const words = element("p", { className: "good", textContent: "It has exactly one solution." });
        return box.replaceChildren(words, element("p", { className: "row" }, button, copyButton(solved.v2, "solution")));
    }
    const { code, cell, message } = solved.refused;
    const parts = [element("p", { className: code === "undecided" ? "" : "bad", textContent: `${cell ? `${cell}: ` : ""}${message}` })];
    if (code === "undecided") {
        const button = element("button", { type: "button", textContent: "Search longer" });
        button.addEventListener("click", longer);
        parts.push(button);
    }
    box.replaceChildren(...parts);
}

/**
 * A string that was refused, with the places that are wrong.
 * @param {any} shown
 */
export function showRefusal(shown) {
    const { cell, message } = shown.refused;
    byId("refusal-words").textContent = `${cell ? `${cell}: ` : ""}${message}`;
    const parts = [];
    let at = 0;
    for (const [start, end] of shown.places) {
        parts.push(shown.string.slice(at, start), element("mark", { textContent: shown.string.slice(start, end) }));
        at = end;
    }
    byId("refusal-string").replaceChildren(...parts, shown.string.slice(at));
}
