//! Parquet and Arrow files, with few threads and with many.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::{ends, lines};
use crate::support::{Folder, boards};

/// The number of strings in a row group or batch, and the number of these.
const ROWS: usize = 20_000;
const PARTS: usize = 12;

/// The strings of each row group or batch; with `bad`, one of them is not a board.
fn strings(bad: bool) -> Vec<String> {
    let boards = String::from_utf8(boards("v1", 1000, 31)).expect("text");
    let mut all: Vec<_> = boards.lines().cycle().take(ROWS).map(str::to_string).collect();
    if bad {
        all[ROWS / 2] = "not a board".into();
    }
    all
}

fn write_parquet(folder: &Folder, name: &str, strings: &[String]) {
    let schema = parse_message_type("message m { required binary board (UTF8); }").expect("a schema");
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).set_dictionary_enabled(false);
    let file = File::create(folder.at(name)).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema.into(), properties.build().into()).expect("a writer");
    let values: Vec<ByteArray> = strings.iter().map(|string| string.as_str().into()).collect();
    for _ in 0..PARTS {
        let mut group = writer.next_row_group().expect("a row group");
        let mut column = group.next_column().expect("a column").expect("the first");
        // The writer ends a page at the end of a call only.
        for values in values.chunks(5000) {
            column.typed::<ByteArrayType>().write_batch(values, None, None).expect("strings");
        }
        column.close().expect("its end");
        group.close().expect("its end");
    }
    writer.close().expect("the end");
}

fn write_arrow(folder: &Folder, name: &str, strings: &[String]) {
    let column: ArrayRef = Arc::new(StringArray::from_iter_values(strings));
    let batch = RecordBatch::try_from_iter([("board", column)]).expect("a batch");
    let mut writer = FileWriter::try_new(File::create(folder.at(name)).expect("a file"), &batch.schema());
    let writer = writer.as_mut().expect("a writer");
    (0..PARTS).for_each(|_| writer.write(&batch).expect("a batch"));
    writer.finish().expect("the end");
}

/// Converts a file with this many threads, and compares the output with that of one thread.
fn same_with_all_threads(folder: &Folder, name: &str, bad: bool) {
    for threads in [1, 4, 8, 16, 40] {
        let args = format!("-q -f -j{threads} --column board {name} -o out{threads} --rejects rejects");
        ends(folder, threads, &format!("$G convert {args}"), i32::from(bad));
        assert!(folder.read(&format!("out{threads}")) == folder.read("out1"), "{name} with {threads} threads");
        assert_eq!(bad, folder.at("rejects").exists() && lines(folder, "rejects") == 1 + PARTS);
    }
}

/// Took 142 MiB with eight threads, and 188 MiB with sixteen.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn row_groups_of_20_000_strings() {
    let folder = Folder::new();
    for bad in [false, true] {
        write_parquet(&folder, "boards.parquet", &strings(bad));
        same_with_all_threads(&folder, "boards.parquet", bad);
    }
}

/// Took 99 MiB with four threads, 176 MiB with eight, and 213 MiB with sixteen.
#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn batches_of_20_000_strings() {
    let folder = Folder::new();
    for bad in [false, true] {
        write_arrow(&folder, "boards.arrow", &strings(bad));
        same_with_all_threads(&folder, "boards.arrow", bad);
    }
}
