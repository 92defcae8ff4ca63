/** A format, a kind, a level: the names and values are those of the program's flags. */
export interface Options {
    /** How strings stand in the text: `lines` unless said, `auto` for what its first lines look like. */
    framing?: "auto" | "lines" | "csv" | "tsv" | "words" | "jsonl" | "links" | "grid" | "file" | "xml";
    column?: string;
    field?: string;
    delimiter?: string;
    no_header?: boolean;
    /** The name of the input, for the rows of refused records; its ending helps `framing: "auto"`. */
    name?: string;
    from?: string;
    kind?: string;
    alphabet?: "auto" | "digits" | "letters" | "zero" | "ascii" | "pairs";
    str8ts_layout?: "auto" | "spec" | "site" | "first" | "nine";
    str8ts_flags?: "auto" | "site" | "snippet";
}

export interface ConvertOptions extends Options {
    to?: "plain" | "v0" | "v1" | "offset32" | "v2" | "wolfram" | "hodoku" | "pencilmarks" | "fpuzzles" | "ps-killer" | "sgt-solo" | "sgt-keen" | "puzzlink" | "sudokupad" | "sudokucoach" | "link";
    blank?: string;
    notes?: "keep" | "none" | "full" | "auto";
    str8ts_write?: "spec" | "site";
    lossy?: boolean;
    check?: "syntax" | "rules" | "unique";
    bad?: "reject" | "keep";
}

export interface ValidateOptions extends Options {
    level?: "syntax" | "rules" | "unique";
    max_solutions?: number;
    effort?: number;
}

export interface SolveOptions extends Options {
    /** The new column or field of tables and JSON lines: `solution` unless said. */
    to_column?: string;
    to?: ConvertOptions["to"];
    lossy?: boolean;
    effort?: number;
    bad?: "reject" | "keep";
}

export interface DedupeOptions extends Options {
    /** What counts as the same: the `puzzle` up to symmetry, unless said; the `grid` of its only solution; the exact `string`. */
    by?: "puzzle" | "grid" | "string";
    effort?: number;
    bad?: "reject" | "keep";
}

/** A refused record: lines from 1, bytes from 0. */
export interface Refused {
    line: number;
    byte: number;
    cell: string | null;
    code: string;
    message: string;
    record: string;
}

export interface Counts {
    records: number;
    good: number;
    rejected: number;
    /** Good records that were left out, being the same as earlier ones (`dedupe`). */
    duplicates: number;
    /** Rows without a string. */
    without: number;
    /** Records that lost something (`lossy`). */
    lossy: number;
    codes: Record<string, number>;
    losses: Record<string, number>;
    forms: { format: string; kind: string; records: number }[];
}

export interface Done<Text> {
    /** The new text; nothing of `validate`. */
    text: Text;
    /** Rows of TSV, as the program writes them: input, line, byte, cell, code, message, record. */
    rejects: string;
    /** The same as objects: the first 1000 of a run. */
    listed: Refused[];
    counts: Counts;
    /** Of a run: there is more to come of what it was fed; feed it a piece of no bytes. About 4 MiB are answered at once. */
    more: boolean;
    /** Bytes of the input that are done. */
    bytes: number;
    /** How strings stand in the text, as flags of the program; null until that is known. */
    read_as: string | null;
}

/** What a string is; null if it is refused. */
export type Detected = { format: string; kind: string; side: number; layout: string | null } | null;

/** A text that comes in pieces of any size. After the last one (and `more`, which is fed with `last`, too), or `end`, it is over. */
export interface Run {
    feed(bytes: Uint8Array, last?: boolean): Done<Uint8Array>;
    end(): void;
}

export class GridmillError extends Error {}

export class Gridmill {
    convert(text: string, options?: ConvertOptions): Done<string>;
    convert(text: Uint8Array, options?: ConvertOptions): Done<Uint8Array>;
    convert(text: string | Uint8Array, options?: ConvertOptions): Done<string> | Done<Uint8Array>;
    validate(text: string, options?: ValidateOptions): Done<string>;
    validate(text: Uint8Array, options?: ValidateOptions): Done<Uint8Array>;
    validate(text: string | Uint8Array, options?: ValidateOptions): Done<string> | Done<Uint8Array>;
    solve(text: string, options?: SolveOptions): Done<string>;
    solve(text: Uint8Array, options?: SolveOptions): Done<Uint8Array>;
    solve(text: string | Uint8Array, options?: SolveOptions): Done<string> | Done<Uint8Array>;
    dedupe(text: string, options?: DedupeOptions): Done<string>;
    dedupe(text: Uint8Array, options?: DedupeOptions): Done<Uint8Array>;
    dedupe(text: string | Uint8Array, options?: DedupeOptions): Done<string> | Done<Uint8Array>;
    detect(text: string | Uint8Array, options?: Options): Detected[];
    begin(command: "convert", options?: ConvertOptions): Run;
    begin(command: "validate", options?: ValidateOptions): Run;
    begin(command: "solve", options?: SolveOptions): Run;
    begin(command: "dedupe", options?: DedupeOptions): Run;
    /** Everything that is to be said of one string; with `effort` also what the solver says. For the page. */
    show(text: string, options?: Options & { effort?: number }): any;
    /** The strings of a text, however they stand in it. For the page. */
    find(text: string, options?: Options): { strings: string[]; more: number; refused: string[]; read_as: string };
    /** The columns of a text that is a table, and its first rows. For the page. */
    columns(text: string | Uint8Array, options?: Options): any;
    /** The string of a board of which cells, kind, side or regions are changed. For the page. */
    edit(text: string, change?: object): { string: string };
    /** Formats, framings and kinds. */
    names(): any;
}

/** What `WebAssembly.compile` makes, where that is declared (by the types of the DOM, for one). */
export type Compiled = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/** Loads gridmill, of the bytes of gridmill.wasm or what was compiled of them. */
export function load(wasm: ArrayBuffer | Uint8Array | Compiled): Promise<Gridmill>;

/** The same without a promise, for Node and workers: the thread waits while the code is compiled. */
export function loadSync(wasm: ArrayBuffer | Uint8Array | Compiled): Gridmill;
