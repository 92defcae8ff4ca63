use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::file::ParquetInput;
use crate::columnar::{self, ColumnFile};
use crate::convert::{Bad, Conversion};
use crate::engine::{Convert, RejectsTo, Report};
use crate::output::Target;
use crate::source::Input;

const BOARD: &str = "100000569492056108056109240009640801064010000218035604040500016905061402621000005";

/// Writes a file with a number and a string in each row, in row groups of these strings.
fn write(path: &Path, properties: WriterPropertiesBuilder, groups: &[Vec<ByteArray>]) {
    let schema =
        parse_message_type("message m { required int64 id; required binary board (UTF8); }").expect("a schema");
    let file = File::create(path).expect("a file");
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), properties).expect("a writer");
    for strings in groups {
        let ids: Vec<_> = (0..strings.len() as i64).collect();
        let mut group = writer.next_row_group().expect("a row group");
        let mut column = group.next_column().expect("a column").expect("the first");
        column.typed::<Int64Type>().write_batch(&ids, None, None).expect("numbers");
        column.close().expect("its end");
        let mut column = group.next_column().expect("a column").expect("the second");
        column.typed::<ByteArrayType>().write_batch(strings, None, None).expect("strings");
        column.close().expect("its end");
        group.close().expect("its end");
    }
    writer.close().expect("the end");
}

fn properties() -> WriterPropertiesBuilder {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).expect("a level"));
    WriterProperties::builder().set_compression(zstd).set_dictionary_enabled(false)
}

fn convert(old: &Path, new: &Path, bad: Bad) -> Report {
    let convert = Convert::new(Target::File { path: new.to_path_buf(), force: false })
        .conversion(Conversion { bad, ..Conversion::default() })
        .rejects(RejectsTo::Nowhere)
        .input(Input::File(old.to_path_buf()))
        .threads(2)
        .sync(false);
    columnar::run(convert, ColumnFile::Parquet, Some("board")).expect("it can be converted")
}

/// The rows of the pages of a chunk.
fn pages(input: &ParquetInput, group: usize, leaf: usize) -> Vec<usize> {
    let group = input.group(group).expect("a row group");
    let mut pages = group.get_column_page_reader(leaf).expect("pages");
    let mut rows = Vec::new();
    while let Some(page) = pages.peek_next_page().expect("a page") {
        rows.extend(page.num_rows.or(page.num_levels));
        pages.skip_next_page().expect("a page");
    }
    rows
}

fn strings(input: &ParquetInput, group: usize) -> Vec<ByteArray> {
    let rows = input.group(group).expect("a row group");
    let mut reader = super::chunk::strings_of(&rows, 1).expect("strings");
    let mut values = Vec::new();
    reader.read_records(usize::MAX, None, None, &mut values).expect("values");
    values
}

fn open(path: &Path) -> ParquetInput {
    ParquetInput::open(Input::File(path.to_path_buf())).expect("a Parquet file")
}

#[test]
fn pages_have_as_many_rows_as_before_and_other_chunks_their_index_and_bloom_filter() {
    let folder = tempfile::tempdir().expect("a folder");
    for (at, (version, indexed, rows_of_page)) in [
        (WriterVersion::PARQUET_1_0, true, 100),
        (WriterVersion::PARQUET_2_0, true, 7),
        (WriterVersion::PARQUET_1_0, false, 9001),
        (WriterVersion::PARQUET_2_0, false, 333),
    ]
    .into_iter()
    .enumerate()
    {
        let [old, new, rest] = ["old", "new", "rest"].map(|name| folder.path().join(format!("{name}{at}")));
        let with = properties()
            .set_writer_version(version)
            .set_offset_index_disabled(!indexed)
            .set_write_batch_size(1)
            .set_data_page_row_count_limit(rows_of_page)
            .set_column_bloom_filter_enabled(ColumnPath::from("id"), true);
        let mut boards = vec![ByteArray::from(BOARD); 20_000];
        boards[5] = ByteArray::from("?");
        write(&old, with, &[boards]);
        convert(&old, &new, Bad::Keep);
        let [before, after] = [&old, &new].map(|path| open(path));
        assert_eq!(pages(&before, 0, 1).first(), Some(&rows_of_page));
        assert_eq!(pages(&after, 0, 1), pages(&before, 0, 1));
        let [before, after] = [before.as_it_is(0, 0), after.as_it_is(0, 0)];
        assert!(after.bloom_filter.is_some_and(|filter| filter.check(&7_i64) && !filter.check(&30_000_i64)));
        assert_eq!(after.column_index, before.column_index);
        assert_eq!(after.offset_index.is_some(), indexed);
        // Where a row is left out, the others close up.
        convert(&old, &rest, Bad::Reject);
        let rest = open(&rest);
        for leaf in 0..2 {
            assert_eq!(pages(&rest, 0, leaf)[0], rows_of_page);
            assert_eq!(pages(&rest, 0, leaf).iter().sum::<usize>(), 19_999);
        }
    }
}

#[test]
fn a_large_row_group_waits_in_a_file_without_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new, rest] = ["old", "new", "rest"].map(|name| folder.path().join(name));
    let long = ByteArray::from(vec![b'1'; 90_000]);
    let boards: Vec<_> = (0..3200).map(|row| if row % 2 == 0 { long.clone() } else { BOARD.into() }).collect();
    let twice: Vec<_> = boards.iter().chain(&boards).cloned().collect();
    write(&old, properties(), &[twice.clone(), boards]);
    let report = convert(&old, &new, Bad::Keep);
    assert_eq!((report.counts.records, report.counts.rejected), (9600, 4800));
    let (before, after) = (open(&old), open(&new));
    assert!(before.metadata.row_group(0).column(1).uncompressed_size() > super::LARGE);
    let found = strings(&after, 0);
    assert!(found.iter().step_by(2).eq(twice.iter().step_by(2)));
    assert!(found.iter().skip(1).step_by(2).all(|string| string.data().starts_with(b"S9B")));
    convert(&old, &rest, Bad::Reject);
    assert_eq!(strings(&open(&rest), 0).len(), 3200);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3);
}

#[test]
fn much_that_is_refused_is_told_before_the_end_of_its_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    let groups: Vec<_> = [70_000, 10, 140_000].map(|rows| vec![ByteArray::from("?"); rows]).into();
    write(&old, properties(), &groups);
    let report = convert(&old, &new, Bad::Keep);
    assert_eq!((report.counts.lines, report.counts.records, report.counts.rejected), (210_010, 210_010, 210_010));
    let after = open(&new);
    assert_eq!((0..3).map(|group| strings(&after, group).len()).sum::<usize>(), 210_010);
}
