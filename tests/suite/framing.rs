//! Tables and JSON lines, compared with rows that were made together with the expected result. Output, rejects and
//! counts must be the same for any chunk size, any number of threads and any way of reading.

use std::io;
use std::sync::LazyLock;

use gridmill::engine::{Added, Appended, Bad, Conversion, Convert, RejectsTo, Report};
use gridmill::error::Error;
use gridmill::formats::{Evidence, Hints, read_one};
use gridmill::framing::{Column, Framing, JsonLines, Table};
use gridmill::output::Target;
use gridmill::source::{Input, Reading};

use crate::random::Rng;
use crate::support::{Few, Folder, Shared, archive, boards, gzip, v2};

/// A string with its result, format and kind; or `None` if it is refused.
struct Sample {
    string: String,
    good: Option<(String, &'static str, &'static str)>,
}

static POOL: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let lines = |format, count| String::from_utf8(boards(format, count, 31)).unwrap();
    let killer = std::str::from_utf8(include_bytes!("../../data/killer-v1.txt")).unwrap();
    let sample = |string: &str, format, kind| Sample { string: string.into(), good: Some((v2(string), format, kind)) };
    let mut pool: Vec<_> = lines("v1", 30).lines().map(|line| sample(line, "v1", "sudoku")).collect();
    pool.extend(lines("plain", 10).lines().map(|line| sample(line, "plain", "sudoku")));
    pool.extend(lines("v2", 10).lines().map(|line| sample(line, "v2", "sudoku")));
    pool.extend(killer.lines().filter(|line| !line.starts_with('#')).take(5).map(|line| sample(line, "v1", "killer")));
    for bad in ["x", "# no comment here", "#", " ", "S9B", "0"] {
        pool.push(Sample { string: bad.into(), good: None });
    }
    pool
});

/// Other fields.
const FIELDS: &[&str] =
    &["", "7", "a field", "a, b", "\"quoted\"", "two\nlines", "\r\n", "ünï ☃", "5\" pipe", "\\N", "''", "\\t"];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Csv,
    Tsv,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Replace,
    Append,
    Kind,
}

/// A text and its expected results.
#[derive(Default)]
struct Case {
    text: String,
    expected: String,
    /// Line, byte, code and record of each refused row.
    rejects: Vec<(usize, usize, &'static str, String)>,
    records: u64,
    without: u64,
}

/// A field of CSV.
fn csv(rng: &mut Rng, field: &str) -> String {
    let needs = field.contains([',', '"', '\n', '\r']) && !(field == "5\" pipe" && rng.once_in(2));
    if needs || rng.once_in(4) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

fn other(rng: &mut Rng, shape: Shape) -> String {
    let field = *rng.pick(FIELDS);
    match shape {
        Shape::Csv => csv(rng, field),
        Shape::Tsv => field.replace(['\n', '\r'], "\\n"),
        Shape::Json => serde_json::to_string(field).unwrap(),
    }
}

/// The text of a row around a string, as two parts, and the string as it is written, before and after. Nothing can be
/// appended to a row of a table with fewer fields than the header.
fn row(rng: &mut Rng, (shape, mode): (Shape, Mode), old: &str, new: &str) -> (String, [String; 2], String) {
    let before: Vec<_> = (0..2).map(|_| other(rng, shape)).collect();
    let behind = if shape == Shape::Json || mode == Mode::Replace { rng.below(3) } else { 2 };
    let after: Vec<_> = (0..behind).map(|_| other(rng, shape)).collect();
    match shape {
        Shape::Csv | Shape::Tsv => {
            let delimiter = if shape == Shape::Csv { "," } else { "\t" };
            let behind: String = after.iter().map(|field| format!("{delimiter}{field}")).collect();
            let quote = shape == Shape::Csv && !old.is_empty() && old != "\\N" && (old.contains(',') || rng.once_in(3));
            let quoted = |text: &str| if quote { format!("\"{text}\"") } else { text.into() };
            (before.join(delimiter) + delimiter, [quoted(old), quoted(new)], behind)
        }
        Shape::Json => {
            let space = *rng.pick(&["", " ", "\t "]);
            let behind: String =
                after.iter().enumerate().map(|(n, field)| format!(",{space}\"z{n}\":{field}")).collect();
            let quoted = |text: &str| if text == "\\N" { "null".into() } else { serde_json::to_string(text).unwrap() };
            let before = format!("{{{space}\"a\":{}, \"b\" :{space}[{},1.50e1],\"bd\":{space}", before[0], before[1]);
            (before, [quoted(old), quoted(new)], behind + space + "}")
        }
    }
}

/// The fields that are appended to a row.
fn appended(shape: Shape, mode: Mode, sample: Option<&(String, &str, &str)>) -> String {
    let cells: Vec<(&str, Option<&str>)> = match mode {
        Mode::Replace => return String::new(),
        Mode::Append => vec![("new", sample.map(|(new, _, _)| new.as_str()))],
        Mode::Kind => {
            vec![("format", sample.map(|(_, format, _)| *format)), ("kind", sample.map(|(_, _, kind)| *kind))]
        }
    };
    let cell = |(name, cell): &(&str, Option<&str>)| match shape {
        Shape::Csv => format!(",{}", cell.unwrap_or("")),
        Shape::Tsv => format!("\t{}", cell.unwrap_or("")),
        Shape::Json => format!(",\"{name}\":{}", cell.map_or("null".into(), |cell| format!("\"{cell}\""))),
    };
    cells.iter().map(cell).collect()
}

fn case(rng: &mut Rng, shape: Shape, mode: Mode, bad: Bad, rows: usize) -> Case {
    let mut case = Case::default();
    let names = match (shape, mode) {
        (Shape::Csv, Mode::Replace) => "a,\"b\n\",bd,y,z\n",
        (Shape::Csv, Mode::Append) => "a,\"b\n\",bd,y,z,new\n",
        (Shape::Csv, Mode::Kind) => "a,\"b\n\",bd,y,z,format,kind\n",
        (Shape::Tsv, Mode::Replace) => "a\tb\tbd\ty\tz\n",
        (Shape::Tsv, Mode::Append) => "a\tb\tbd\ty\tz\tnew\n",
        (Shape::Tsv, Mode::Kind) => "a\tb\tbd\ty\tz\tformat\tkind\n",
        (Shape::Json, _) => "",
    };
    case.expected.push_str(names);
    case.text.push_str(match shape {
        Shape::Csv => "a,\"b\n\",bd,y,z\n",
        Shape::Tsv => "a\tb\tbd\ty\tz\n",
        Shape::Json => "",
    });
    for n in 0..rows {
        let end = if n + 1 == rows && rng.once_in(2) { "" } else { *rng.pick(&["\n", "\n", "\r\n"]) };
        let (line, byte) = (case.text.matches('\n').count() + 1, case.text.len());
        let refuse = |case: &mut Case, row: String, code| {
            case.text += &format!("{row}{end}");
            case.records += 1;
            if bad == Bad::Keep {
                let behind = if shape == Shape::Json { String::new() } else { appended(shape, mode, None) };
                case.expected += &format!("{row}{behind}{end}");
            }
            case.rejects.push((line, byte, code, row));
        };
        match rng.below(12) {
            0 if !end.is_empty() => {
                case.text += end;
                case.expected += end;
            }
            1 => {
                let (before, [null, _], after) = row(rng, (shape, mode), "\\N", "");
                case.text += &format!("{before}{null}{after}{end}");
                let behind = appended(shape, mode, None);
                let (after, close) =
                    after.split_at(after.rfind('}').filter(|_| shape == Shape::Json).unwrap_or(after.len()));
                case.expected += &format!("{before}{null}{after}{behind}{close}{end}");
                case.without += 1;
            }
            2 if bad != Bad::Keep => {
                let text = match shape {
                    Shape::Csv => "1,\"2\n\"",
                    Shape::Tsv => "1\t2",
                    Shape::Json => "{\"bd\":1}",
                };
                refuse(&mut case, text.into(), "column");
            }
            _ => {
                let sample = rng.pick(&POOL);
                let new = sample
                    .good
                    .as_ref()
                    .map_or("", |(new, _, _)| if mode == Mode::Append { &sample.string } else { new });
                let (before, [old, new], after) = row(rng, (shape, mode), &sample.string, new);
                if sample.good.is_none() {
                    let read = read_one(sample.string.as_bytes(), None, &Hints::default(), &Evidence::default());
                    let code = read.err().unwrap().code.name();
                    refuse(&mut case, format!("{before}{old}{after}"), code);
                    continue;
                }
                case.text += &format!("{before}{old}{after}{end}");
                let behind = appended(shape, mode, sample.good.as_ref());
                let (after, close) =
                    after.split_at(after.rfind('}').filter(|_| shape == Shape::Json).unwrap_or(after.len()));
                case.expected += &format!("{before}{new}{after}{behind}{close}{end}");
                case.records += 1;
            }
        }
    }
    case
}

fn framing(shape: Shape) -> Box<dyn Framing> {
    let column = Column::Name("bd".into());
    match shape {
        Shape::Csv => Box::new(Table::csv(column)),
        Shape::Tsv => Box::new(Table::tsv(column)),
        Shape::Json => Box::new(JsonLines::new("/bd").unwrap()),
    }
}

fn converted(
    input: Input,
    shape: Shape,
    mode: Mode,
    bad: Bad,
    how: (Reading, usize, usize),
) -> Result<(String, String, Report), Error> {
    let (output, rejects) = (Shared::default(), Shared::default());
    let kind = [Added::Format, Added::Kind].map(|added| (added, added.name().to_string()));
    let added = kind.into_iter().filter(|_| mode == Mode::Kind).collect();
    let to = (mode == Mode::Append).then(|| "new".into()).into_iter().collect();
    let appended = Appended { to, added, ..Appended::default() };
    let (reading, chunk_size, threads) = how;
    let report = Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(output.clone()) })
        .input(input)
        .conversion(Conversion { bad, ..Conversion::default() })
        .framing(framing(shape))
        .append(appended)
        .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
        .reading(reading)
        .chunk_size(chunk_size)
        .threads(threads)
        .run()?;
    Ok((output.text(), rejects.text(), report))
}

#[test]
fn rows_of_every_sort_however_they_are_cut() {
    let folder = Folder::new();
    let mut rng = Rng(77);
    for round in 0..160 {
        let shape = *rng.pick(&[Shape::Csv, Shape::Tsv, Shape::Json]);
        let mode = *rng.pick(&[Mode::Replace, Mode::Append, Mode::Kind]);
        let bad = *rng.pick(&[Bad::Reject, Bad::Keep]);
        let rows = [3, 20, 200][rng.below(3)];
        let case = case(&mut rng, shape, mode, bad, rows);
        let size = [1, 7, 100, 1000, 1 << 20][rng.below(5)];
        let bytes = case.text.as_bytes();
        let (input, reading) = match rng.below(5) {
            0 => (Input::File(folder.write("text", bytes)), Reading::Mapped),
            1 => (Input::File(folder.write("text", bytes)), Reading::Read),
            2 => (Input::File(folder.write("text.gz", gzip(bytes))), Reading::Auto),
            3 => (Input::File(folder.write("text.zst", archive(bytes, 1 + rng.below(3000)))), Reading::Auto),
            _ => {
                let reader = Box::new(Few(io::Cursor::new(bytes.to_vec()), 1 + rng.below(300)));
                (Input::Reader { name: "text".into(), reader }, Reading::Auto)
            }
        };
        let context = format!("round {round}: {shape:?} {mode:?} {bad:?} size {size} {reading:?}\n{}", case.text);
        let (output, rejects, report) = converted(input, shape, mode, bad, (reading, size, 1 + rng.below(3))).unwrap();
        assert!(output == case.expected, "{context}\n-- became --\n{output}\n-- and not --\n{}", case.expected);
        let counts = (report.counts.records, report.counts.rejected, report.counts.without, report.counts.lines);
        let lines = case.text.matches('\n').count() + usize::from(!case.text.is_empty() && !case.text.ends_with('\n'));
        assert_eq!(counts, (case.records, case.rejects.len() as u64, case.without, lines as u64), "{context}");
        let found: Vec<_> = rejects.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>()).collect();
        assert_eq!(found.len(), case.rejects.len(), "{context}\n{rejects}");
        for (row, (line, byte, code, record)) in found.iter().zip(&case.rejects) {
            let escaped = gridmill::error::escape(record.as_bytes());
            assert_eq!(
                [row[1], row[2], row[4], row[6]],
                [line.to_string().as_str(), &byte.to_string(), code, &escaped],
                "{context}"
            );
        }
    }
}

/// Rows of the greatest length, and longer ones, which are refused as a whole wherever they are cut.
#[test]
fn rows_of_megabytes() {
    const LONGEST: usize = 16 << 20;
    let good = &POOL[0];
    let new = &good.good.as_ref().unwrap().0;
    let row = |length: usize| {
        let fixed = format!("\"\",2,{}", good.string).len();
        format!("\"{}\",2,{}", "x\n".repeat((length - fixed) / 2), good.string)
    };
    let (fits, over) = (row(LONGEST - 1), row(LONGEST + 3_000_000));
    let small = format!("1,2,{}\n", good.string);
    let text = format!("a,b,bd\n{small}{fits}\n{small}{over}\n{small}");
    let small_new = format!("1,2,{new}\n");
    let expected = format!("a,b,bd\n{small_new}{}\n{small_new}{small_new}", fits.replace(&good.string, new));
    let folder = Folder::new();
    let path = folder.write("text", &text);
    for (input, reading) in [
        (Input::File(path.clone()), Reading::Mapped),
        (Input::File(path), Reading::Read),
        (
            Input::Reader { name: "text".into(), reader: Box::new(io::Cursor::new(text.clone().into_bytes())) },
            Reading::Auto,
        ),
    ] {
        let how = (reading, 512 << 10, 2);
        let (output, rejects, report) = converted(input, Shape::Csv, Mode::Replace, Bad::Reject, how).unwrap();
        assert!(output == expected, "{reading:?}");
        assert_eq!((report.counts.records, report.counts.rejected), (5, 1));
        assert_eq!(report.counts.lines as usize, text.matches('\n').count());
        let row: Vec<_> = rejects.lines().nth(1).unwrap().split('\t').collect();
        let (line, byte) = (2 + 1 + fits.matches('\n').count() + 1 + 1, 7 + 2 * small.len() + fits.len() + 1);
        assert_eq!([row[1], row[2], row[4]], [&line.to_string(), &byte.to_string(), "toolong"]);
        assert!(row[6].ends_with(&format!("...{}", over.len())), "{}", &row[6][row[6].len() - 30..]);
    }
}

/// A stray quote before more rows than a row may have bytes; and a row that is too long and never ends.
#[test]
fn megabytes_after_a_stray_quote() {
    let good = &POOL[0];
    let new = &good.good.as_ref().unwrap().0;
    let row = format!("1,{},{}\n", "a long note ".repeat(80), good.string);
    let rows = row.repeat((17 << 20) / row.len());
    let start = format!("a,b,bd\n1,2,{}\n", good.string);
    let stray = format!("{start}1,\"2,{}\n{rows}", good.string);
    let endless = format!("{start}1,\"{}", "x\n".repeat(9 << 20));
    let folder = Folder::new();
    for (name, text) in [("stray", &stray), ("endless", &endless)] {
        let path = folder.write(name, text);
        let reader = || Box::new(io::Cursor::new(text.clone().into_bytes()));
        for (input, reading, size) in [
            (Input::File(path.clone()), Reading::Mapped, 512 << 10),
            (Input::Reader { name: "text".into(), reader: reader() }, Reading::Auto, 4 << 20),
        ] {
            let how = (reading, size, 2);
            let done = converted(input, Shape::Csv, Mode::Replace, Bad::Reject, how);
            if name == "endless" {
                assert!(done.unwrap_err().to_string().contains(": line 3: a quote opens there"));
                continue;
            }
            let (output, rejects, report) = done.unwrap();
            let expected = (start.clone() + &rows).replace(&good.string, new);
            assert!(output == expected, "{} and not {}", output.len(), expected.len());
            assert_eq!((report.counts.records as usize, report.counts.rejected), (2 + rows.len() / row.len(), 1));
            assert!(rejects.ends_with(&format!("\t1,\"2,{}\n", good.string)), "{}", rejects.len());
        }
    }
}
