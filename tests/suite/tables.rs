//! Tables written and read by another library: except for the column with the strings, it reads the same from the
//! output as it wrote to the input.

use csv::{QuoteStyle, ReaderBuilder, Terminator, WriterBuilder};

use crate::random::Rng;
use crate::support::{boards, convert, v2};

/// How a table is written.
#[derive(Debug, Clone, Copy)]
struct Style {
    delimiter: u8,
    quotes: QuoteStyle,
    ends: Terminator,
    header: bool,
    /// The number of columns, and the index of the one with the strings.
    columns: usize,
    strings: usize,
}

impl Style {
    fn random(rng: &mut Rng) -> Self {
        let columns = 1 + rng.below(6);
        Self {
            delimiter: *rng.pick(b",;|\t"),
            quotes: *rng.pick(&[QuoteStyle::Always, QuoteStyle::Necessary, QuoteStyle::NonNumeric]),
            ends: *rng.pick(&[Terminator::CRLF, Terminator::Any(b'\n')]),
            header: rng.once_in(2),
            columns,
            strings: rng.below(columns),
        }
    }

    fn write(self, rows: &[Vec<String>]) -> Vec<u8> {
        let mut builder = WriterBuilder::new();
        builder.delimiter(self.delimiter).quote_style(self.quotes).terminator(self.ends);
        let mut writer = builder.from_writer(Vec::new());
        rows.iter().for_each(|row| writer.write_record(row).expect("rows of one length"));
        writer.into_inner().expect("writing into memory")
    }

    fn read(self, text: &[u8]) -> Vec<Vec<String>> {
        let mut reader = ReaderBuilder::new().delimiter(self.delimiter).has_headers(false).from_reader(text);
        let fields = |row: csv::StringRecord| row.iter().map(str::to_string).collect();
        reader.records().map(|row| fields(row.expect("rows of one length"))).collect()
    }

    fn flags(self) -> Vec<String> {
        let delimiter = char::from(self.delimiter).to_string();
        let mut flags =
            vec!["--framing", "csv", "--delimiter", &delimiter].into_iter().map(String::from).collect::<Vec<_>>();
        flags.push("--column".into());
        flags.push(if self.header { "board".into() } else { (self.strings + 1).to_string() });
        flags.extend((!self.header).then(|| "--no-header".into()));
        flags
    }
}

/// A field of any characters, including line ends and quotes.
fn field(rng: &mut Rng) -> String {
    let length = rng.below(12);
    (0..length)
        .map(|_| *rng.pick(&['a', 'Z', '7', ' ', ',', ';', '|', '\t', '"', '\n', '\r', 'ü', '☃', '\'', '#', '\\']))
        .collect()
}

/// The rows of a table, with its strings and with their results.
fn rows(style: Style, strings: &[(String, String)], rng: &mut Rng) -> [Vec<Vec<String>>; 2] {
    let mut both = [vec![], vec![]];
    if style.header {
        let name = |column: usize| if column == style.strings { "board".to_string() } else { format!("c{column}") };
        both.iter_mut().for_each(|rows| rows.push((0..style.columns).map(name).collect()));
    }
    for _ in 0..1 + rng.below(60) {
        let (old, new) = rng.pick(strings);
        let mut row: Vec<String> = (0..style.columns).map(|_| field(rng)).collect();
        for (rows, string) in both.iter_mut().zip([old, new]) {
            row[style.strings].clone_from(string);
            rows.push(row.clone());
        }
    }
    both
}

#[test]
fn the_csv_crate_reads_what_it_wrote_but_for_the_strings() {
    let mut rng = Rng(2026);
    let text = String::from_utf8(boards("v1", 40, 3)).expect("text");
    let strings: Vec<_> = text.lines().map(|line| (line.to_string(), v2(line))).collect();
    for _ in 0..300 {
        let style = Style::random(&mut rng);
        let [old, new] = rows(style, &strings, &mut rng);
        let table = style.write(&old);
        let shown = || String::from_utf8_lossy(&table).into_owned();
        assert!(style.read(&table) == old, "{style:?}");
        let out = convert(style.flags(), &table).good();
        assert!(style.read(&out) == new, "{style:?}:\n{}", shown());
        // Quotes and line ends stay as they are, too.
        let replaced = strings.iter().fold(shown(), |text, (old, new)| text.replace(old, new));
        assert!(out == replaced.as_bytes(), "{style:?}:\n{}", shown());
        if !style.header {
            continue;
        }
        let flags = [style.flags(), vec!["--to-column".into(), "new,\"one\"".into()]].concat();
        let appended = style.read(&convert(flags, &table).good());
        let expected = old.iter().zip(&new).enumerate().map(|(i, (old, new))| {
            let last = if i == 0 { "new,\"one\"" } else { &new[style.strings] };
            [old.clone(), vec![last.to_string()]].concat()
        });
        assert!(appended == expected.collect::<Vec<_>>(), "{style:?}:\n{}", shown());
    }
}
