//! Framings: putting the strings back as they were found gives the text; tables and JSON lines agree with other
//! libraries; and a run loses no row.

use std::cell::RefCell;
use std::sync::LazyLock;

use gridmill::convert::{Conversion, Emit};
use gridmill::engine::Convert;
use gridmill::formats::{Format, Text};
use gridmill::framing::{Asked, NamedFraming, NamedPlace, Options, Piece, Rows, Unsure, guess};
use gridmill::kernels;
use gridmill::output::Target;
use gridmill::source::Input;

use super::formats::strings;

/// The column and the field with the strings.
const COLUMN: usize = 2;
const FIELD: &str = "bd";

static OPTIONS: LazyLock<Options> = LazyLock::new(|| Options {
    columns: vec![COLUMN.to_string()],
    fields: vec![format!("/{FIELD}")],
    no_header: true,
    to: Format::V2.into(),
    ..Options::default()
});

/// The options of a framing: names of XML do not begin with a digit.
fn options(named: &NamedFraming) -> Options {
    match named.name {
        "xml" => Options { columns: vec![FIELD.to_string()], ..OPTIONS.clone() },
        _ => OPTIONS.clone(),
    }
}

thread_local! {
    /// Reused memory.
    static SCRATCH: RefCell<(Rows, Text)> = RefCell::default();
}

/// The rows are in order, and give the text.
pub(crate) fn quick(framing: &NamedFraming, text: &[u8]) {
    find_all(framing, text, kernels::best(), |_| ());
}

/// The rows are the same with every kernel, in other libraries, and in a run.
pub(crate) fn thorough(framing: &NamedFraming, text: &[u8]) {
    let mut rows: Option<Vec<Row>> = None;
    for kernel in kernels::available() {
        let found = find(framing, text, kernel);
        assert_eq!(*rows.get_or_insert_with(|| found.clone()), found, "{} differs", kernel.name);
    }
    let rows = rows.unwrap_or_default();
    match framing.name {
        "csv" => same_as_csv(text, b',', true, &rows),
        "tsv" => same_as_csv(text, b'\t', false, &rows),
        "jsonl" => same_as_json(text, &rows),
        _ => {}
    }
    if let Err(Unsure::Refused(words)) = guess(text, None, true, &NamedPlace::default()) {
        assert!(!words.is_empty());
    }
    whole_run(framing, text);
}

/// A row: its line, and its strings or why it has none.
type Row = (usize, Result<Vec<Vec<u8>>, String>);

/// The rows of a text, for comparison.
fn find(named: &NamedFraming, text: &[u8], kernel: &'static kernels::Kernel) -> Vec<Row> {
    let mut rows = Vec::new();
    find_all(named, text, kernel, |found| {
        let mut strings = found.strings(text);
        rows.extend(found.rows.iter().enumerate().map(|(index, row)| {
            let refused = found.refused.iter().find(|(of, _)| *of == index);
            let its: Vec<_> = strings.by_ref().take(row.fields as usize).map(<[u8]>::to_vec).collect();
            (row.line as usize, refused.map_or(Ok(its), |(_, reject)| Err(reject.message.clone())))
        }));
    });
    rows
}

/// Finds the rows of a text, checks that they are in order, do not overlap and give the text again, and calls `visit`
/// with them.
fn find_all(named: &NamedFraming, text: &[u8], kernel: &'static kernels::Kernel, visit: impl FnOnce(&Rows)) {
    let mut framing = (named.make)(&options(named)).expect("all options are there");
    let piece = Piece { text, start: 0, quotes: None, kernel, before: Default::default() };
    let asked = Asked::default();
    if text.is_empty() || framing.begin(&piece, &asked).is_err() {
        return;
    }
    SCRATCH.with_borrow_mut(|(found, out)| {
        found.clear();
        out.clear();
        framing.rows(&piece, true, found);
        if found.stopped.is_some() {
            return; // more rows than are found at once
        }
        let mut copied = 0;
        for place in &found.fields {
            let (start, end) = (place.start as usize, place.end as usize);
            assert!(copied <= start && start < end && end <= text.len());
            out.push(&text[copied..start]);
            // A string that was unescaped may be written differently.
            let is_plain = |byte: &u8| byte.is_ascii_graphic() && !b",\"\\".contains(byte);
            let is_kept = named.name != "xml" || framing.is_bare(&text[start..end]);
            if named.name != "grid" && is_kept && text[start..end].iter().all(is_plain) {
                framing.put(&text[start..end], place.quoted, out);
            } else {
                out.push(&text[start..end]);
            }
            copied = end;
        }
        out.push(&text[copied..]);
        assert!(out.as_slice() == text, "put back it is another text");
        let mut next = 0;
        for row in &found.rows {
            assert!(next <= row.start && row.start <= row.end && row.end <= row.next, "rows overlap");
            next = row.next;
        }
        assert_eq!(found.strings(text).count(), found.rows.iter().map(|row| row.fields as usize).sum::<usize>());
        visit(found);
    });
}

/// A valid table must have the strings that the csv crate finds in it.
fn same_as_csv(text: &[u8], delimiter: u8, quotes: bool, rows: &[Row]) {
    // For the csv crate a CR alone ends a row.
    let lone = |at: usize| text[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
    if rows.iter().any(|(_, found)| found.is_err()) || (0..text.len()).any(lone) {
        return;
    }
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter).quoting(quotes).has_headers(false).flexible(true);
    let mut theirs = Vec::new();
    for record in builder.from_reader(text).byte_records() {
        let record = record.expect("bytes in memory");
        theirs.extend(record.get(COLUMN - 1).filter(|field| !field.is_empty() && *field != b"\\N").map(<[u8]>::to_vec));
    }
    let ours: Vec<_> = rows.iter().flat_map(|(_, found)| found.iter().flatten().cloned()).collect();
    let ours: Vec<_> = ours.into_iter().filter(|field| field != b"\\N").collect();
    assert_eq!(ours, theirs);
}

/// An accepted line must have the strings that serde_json finds in it.
fn same_as_json(text: &[u8], rows: &[Row]) {
    let lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
    for (line, found) in rows {
        let Ok(found) = found else { continue };
        // Other fields may contain any bytes, which are copied; serde_json only accepts UTF-8.
        if std::str::from_utf8(lines[*line]).is_err() {
            continue;
        }
        let value: serde_json::Value = match serde_json::from_slice(lines[*line]) {
            // JSON numbers may have any size, but those of serde_json must fit a double.
            Err(error) if error.to_string().starts_with("number out of range") => continue,
            value => value.expect("it was taken for JSON"),
        };
        let theirs: Vec<_> = match value.pointer(&format!("/{FIELD}")) {
            Some(serde_json::Value::String(string)) => vec![string.as_bytes().to_vec()],
            Some(serde_json::Value::Array(list)) => {
                list.iter().filter_map(|value| value.as_str()).map(|string| string.as_bytes().to_vec()).collect()
            }
            _ => Vec::new(),
        };
        let theirs: Vec<_> = theirs.into_iter().filter(|string| !string.is_empty()).collect();
        assert_eq!(*found, theirs, "line {line}");
    }
}

/// A run in small chunks gives the same with two threads and with one, or the same error.
fn whole_run(named: &NamedFraming, text: &[u8]) {
    let run = |threads, chunk| {
        let framing = (named.make)(&options(named)).expect("all options are there");
        framing.check(&Asked::default()).expect("they go together");
        let input = Input::Reader { name: "text".into(), reader: Box::new(std::io::Cursor::new(text.to_vec())) };
        let plan = Conversion { lossy: true, emit: Emit::Encoded, ..Conversion::default() };
        let run = Convert::new(Target::Writer { name: "nowhere".into(), writer: Box::new(std::io::sink()) })
            .input(input)
            .conversion(plan)
            .framing(framing)
            .threads(threads)
            .chunk_size(chunk);
        let counts = run.run().map(|report| (report.counts.lines, report.counts.records, report.counts.codes));
        counts.map_err(|error| error.to_string())
    };
    assert_eq!(run(1, 512 << 10), run(2, 4096));
}

/// Text with strings of all formats, in every framing.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    seeds_of(strings()).into_iter().chain(strings().iter().flat_map(|string| seeds_of(&[string]))).collect()
}

fn seeds_of(strings: &[&str]) -> Vec<Vec<u8>> {
    let each = |row: &dyn Fn(&str) -> String| strings.iter().map(|string| row(string)).collect::<String>();
    let plain = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let grid: String = plain.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
    let texts = [
        each(&|string| format!("{string}\n")),
        each(&|string| format!("1,{string},x\r\n")),
        each(&|string| format!("\"a \"\"b\"\"\",\"{string}\",\"x,\ny\"\n")),
        each(&|string| format!("1\t{string}\tx \"y\n")),
        each(&|string| format!("{{\"id\":1,\"{FIELD}\":\"{string}\"}}\n")),
        each(&|string| format!("{{\"{FIELD}\": [\"{string}\", null, \"\"], \"\\u0061\": {{\"b\": [1e5]}}}}\n")),
        each(&|string| format!("<a href=\"https://www.sudokuwiki.org/sudoku.htm?bd={string}\">\n")),
        each(&|string| format!("<a {FIELD}=\"{string}\"/>\n<!-- <{FIELD}> --><{FIELD}>\n{string} </{FIELD}>")),
        format!("Grid 01\n{grid}\nand\n{}", grid.replace('.', "0")),
        format!("1,,\n2,\\N,\n\n3,{plain}\n4\n"),
    ];
    texts.into_iter().map(String::into_bytes).collect()
}
