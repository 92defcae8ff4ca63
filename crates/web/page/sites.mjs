// The pages of the sites that show boards, by kind: docs/FORMATS.md, "Links". They take version 2.

const SUDOKU_WIKI = {
    sudoku: "sudoku",
    "sudoku-x": "sudokux",
    windoku: "windoku",
    "colour-sudoku": "coloursudoku",
    jigsaw: "jigsaw",
    killer: "killersudoku",
    "killer-jigsaw": "killerjigsaw",
    kenken: "kenken",
    kendoku: "kendoku",
};

const STR8TS = { str8ts: "", "str8ts-x": "type=X&", "str8ts-b": "type=B&", "str8ts-bx": "type=BX&" };

/**
 * The address of a board on the site of its kind.
 * @param {string} kind
 * @param {string} v2
 * @returns {string | null}
 */
export function siteAddress(kind, v2) {
    if (kind in SUDOKU_WIKI) return `https://www.sudokuwiki.org/${SUDOKU_WIKI[kind]}.htm?bd=${v2}`;
    if (kind in STR8TS) return `https://www.str8ts.com/str8ts.aspx?${STR8TS[kind]}bd=${v2}`;
    return null;
}
