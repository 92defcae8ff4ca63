//! Strings of all sorts, columns of all types, and the program's results for the same strings.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use arrow_array::builder::{LargeStringBuilder, StringBuilder, StringDictionaryBuilder, StringViewBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, UInt16Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use gridmill::engine::{Bad, Conversion, Convert, RejectsTo};
use gridmill::framing::{Options, REGISTRY as FRAMINGS};
use gridmill::output::Target;
use gridmill::source::Input;
use gridmill_core::board::{Batch, Kind, Shape, Side};
use gridmill_core::formats::{Form, Format, Hints, Layout, REGISTRY, StringsOut, Text, write_one};
use gridmill_core::kernels::SCALAR;
use gridmill_core::make::{Maker, MakerMemory, Mix};

/// Boards of a shape.
pub(crate) fn made(kind: Kind, side: Side, mix: Mix, seed: u64, count: usize) -> Option<Batch> {
    let maker = Maker::new(kind, side, mix, seed).ok()?;
    let mut batch = Batch::new();
    batch.reset(Shape::new(kind, side), count);
    maker.fill(0, &mut batch, &mut MakerMemory::default());
    Some(batch)
}

/// Good strings of all kinds, sides up to 9 and 16, mixes and formats; Str8ts strings in both layouts that can be
/// written.
fn good() -> Vec<String> {
    let mut strings = Vec::new();
    for kind in Kind::all() {
        for side in [4, 6, 9, 16].into_iter().filter_map(Side::new) {
            for mix in Mix::ALL {
                let Some(batch) = made(kind, side, mix, 7, 3) else { continue };
                for format in REGISTRY {
                    let id = format.about().id;
                    strings.extend((0..batch.len()).filter_map(|board| write_one(&batch, board, id).ok()));
                }
                if kind.has_black() {
                    strings.extend(site(&batch));
                }
            }
        }
    }
    strings
}

/// Str8ts strings in the layout of the site.
pub(crate) fn site(batch: &Batch) -> Vec<String> {
    let form: Form = Format::V2.codec().writes(batch.shape()).expect("v2 writes all").write_as(Layout::Site);
    let (mut text, mut ends) = (Text::new(), [0; 64]);
    Format::V2.codec().encode(form, batch, &SCALAR, StringsOut { text: &mut text, gap: 0, ends: &mut ends });
    let text = String::from_utf8(text.as_slice().to_vec()).expect("ASCII");
    text.as_bytes().chunks(form.width).map(|string| String::from_utf8_lossy(string).into_owned()).collect()
}

/// Strings of all sorts, good and bad.
pub(crate) static STRINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut strings = good();
    let damaged: Vec<_> = strings.iter().step_by(7).map(|string| format!("{}?", &string[1..])).collect();
    strings.extend(damaged);
    let others =
        ["", "x", "# a comment", "## another", "S9B", "\u{e9}t\u{e9}", "12345678901", "123456789012", "1234567890123"];
    strings.extend(others.map(str::to_string));
    strings.extend(["1".repeat(81), ".".repeat(81), "-".repeat(81), "\u{e9}".repeat(81), "7".repeat(70_000)]);
    strings
});

/// The types of columns.
pub(crate) const TYPES: usize = 7;

/// A chunk of a type with these strings, as a slice of a longer one.
pub(crate) fn chunk(of: usize, strings: &[Option<&str>]) -> ArrayRef {
    let mut longer = vec![Some("not of the slice"), None];
    longer.extend_from_slice(strings);
    longer.extend([None, Some("neither")]);
    let array: ArrayRef = match of {
        0 => Arc::new(longer.into_iter().collect::<arrow_array::StringArray>()),
        1 => Arc::new(longer.into_iter().collect::<arrow_array::LargeStringArray>()),
        2 => {
            // Several buffers.
            let mut builder = StringViewBuilder::new().with_fixed_block_size(500);
            longer.into_iter().for_each(|string| builder.append_option(string));
            Arc::new(builder.finish())
        }
        3 => {
            let mut builder = StringDictionaryBuilder::<UInt16Type>::new();
            longer.into_iter().for_each(|string| builder.append_option(string));
            Arc::new(builder.finish())
        }
        4 => Arc::new(longer.into_iter().map(|s| s.map(str::as_bytes)).collect::<arrow_array::BinaryArray>()),
        5 => Arc::new(longer.into_iter().map(|s| s.map(str::as_bytes)).collect::<arrow_array::LargeBinaryArray>()),
        _ => Arc::new(longer.into_iter().map(|s| s.map(str::as_bytes)).collect::<arrow_array::BinaryViewArray>()),
    };
    array.slice(2, strings.len())
}

/// The strings of chunks.
pub(crate) fn strings(chunks: &[ArrayRef]) -> Vec<Option<String>> {
    chunks.iter().flat_map(of_chunk).collect()
}

fn of_chunk(chunk: &ArrayRef) -> Vec<Option<String>> {
    let owned = |string: Option<&str>| string.map(str::to_string);
    match chunk.data_type() {
        DataType::Utf8 => chunk.as_string::<i32>().iter().map(owned).collect(),
        DataType::LargeUtf8 => chunk.as_string::<i64>().iter().map(owned).collect(),
        DataType::Utf8View => chunk.as_string_view().iter().map(owned).collect(),
        DataType::Dictionary(..) => {
            let dictionary = chunk.as_any_dictionary();
            let values = of_chunk(dictionary.values());
            let keys = if values.is_empty() { vec![0; chunk.len()] } else { dictionary.normalized_keys() };
            keys.iter()
                .enumerate()
                .map(|(row, &key)| values.get(key)?.clone().filter(|_| chunk.is_valid(row)))
                .collect()
        }
        other => panic!("no strings: {other}"),
    }
}

/// The results for strings: the new strings, and the code, cell and message of refused rows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Became {
    pub(crate) strings: Vec<Option<String>>,
    pub(crate) refused: BTreeMap<usize, (String, String, String)>,
}

/// A writer into memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Memory {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("UTF-8")
    }
}

/// The result of `gridmill convert --framing jsonl --bad keep`.
pub(crate) fn program(strings: &[Option<&str>], conversion: Conversion) -> Became {
    let lines: Vec<_> = strings.iter().map(|string| serde_json::json!({"s": string}).to_string() + "\n").collect();
    let options = Options {
        columns: Vec::new(),
        fields: vec!["/s".into()],
        solution_columns: Vec::new(),
        solution_fields: Vec::new(),
        delimiter: None,
        no_header: false,
        null: None,
        hints: Hints::default(),
        to: conversion.written_as(),
        guessed: false,
    };
    let jsonl = FRAMINGS.iter().find(|framing| framing.name == "jsonl").expect("a framing");
    let (output, rejects) = (Memory::default(), Memory::default());
    let target = Target::Writer { name: "memory".into(), writer: Box::new(output.clone()) };
    Convert::new(target)
        .conversion(Conversion { bad: Bad::Keep, ..conversion })
        .framing((jsonl.make)(&options).expect("a field"))
        .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
        .input(Input::Reader { name: "memory".into(), reader: Box::new(Cursor::new(lines.concat())) })
        .threads(1)
        .run()
        .expect("a run");
    let field = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value["s"].as_str().map(str::to_string)
    };
    let reject = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        let cell = if fields[3] == "-" { "" } else { fields[3] };
        let row = fields[1].parse::<usize>().expect("a line") - 1;
        (row, (fields[4].to_string(), cell.to_string(), fields[5].to_string()))
    };
    Became {
        strings: output.text().lines().map(field).collect(),
        refused: rejects.text().lines().skip(1).map(reject).collect(),
    }
}

/// The code, cell and message of refused rows.
pub(crate) fn said(refused: &gridmill_columns::RefusedRows) -> BTreeMap<usize, (String, String, String)> {
    let words = |row: &gridmill_columns::Refusal| {
        let reject = &row.reject;
        let message = gridmill_core::error::escape(reject.message.as_bytes());
        (row.record, (reject.code.to_string(), reject.cell.map_or(String::new(), |cell| cell.to_string()), message))
    };
    refused.rows.iter().map(words).collect()
}

/// The rows of a file of shared vectors, without the header; empty on a machine without it.
pub(crate) fn vectors(file: &str) -> Vec<Vec<String>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = || here.ancestors().map(|folder| folder.join("shared")).find(|folder| folder.join("oracle").is_dir());
    let folder = std::env::var_os("GRIDMILL_SHARED").map(PathBuf::from).or_else(beside).unwrap_or_default();
    match std::fs::read_to_string(folder.join("oracle/vectors").join(file)) {
        Ok(text) => text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect(),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{file} of the shared folder: {error}");
            eprintln!("skipped: the shared folder has no {file} here");
            Vec::new()
        }
    }
}

/// A column of one chunk of `large_string`.
pub(crate) fn column(strings: &[&str]) -> [ArrayRef; 1] {
    let mut builder = LargeStringBuilder::new();
    strings.iter().for_each(|string| builder.append_value(string));
    [Arc::new(builder.finish())]
}

/// A dictionary with a bad value that no row has, and another type of keys.
pub(crate) fn dictionary(value: &str) -> [ArrayRef; 2] {
    let mut values = StringBuilder::new();
    [Some("bad"), Some(value), None, Some("worse")].into_iter().for_each(|string| values.append_option(string));
    let values: ArrayRef = Arc::new(values.finish());
    let small = arrow_array::PrimitiveArray::<Int8Type>::from(vec![Some(1), None, Some(2), Some(3), Some(1)]);
    let large = arrow_array::PrimitiveArray::<Int32Type>::from(vec![Some(1), None, Some(2), Some(3), Some(1)]);
    [
        Arc::new(arrow_array::DictionaryArray::new(small, values.clone())),
        Arc::new(arrow_array::DictionaryArray::new(large, values)),
    ]
}
