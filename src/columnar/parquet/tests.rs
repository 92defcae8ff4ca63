use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, PageType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnChunkMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter,
};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::file::ParquetInput;
use crate::columnar::{self, ColumnFile};
use crate::convert::{Bad, Conversion};
use crate::engine::{Convert, RejectsTo, Report, StringColumns};
use crate::error::Error;
use crate::output::Target;
use crate::source::Input;

pub(super) const BOARD: &str = "100000569492056108056109240009640801064010000218035604040500016905061402621000005";

/// Writes a file with a number and a string in each row, in row groups of these strings.
pub(super) fn write(path: &Path, properties: WriterPropertiesBuilder, groups: &[Vec<ByteArray>]) {
    write_below("m", path, properties, groups);
}

/// Does the same with a root of this name.
fn write_below(root: &str, path: &Path, properties: WriterPropertiesBuilder, groups: &[Vec<ByteArray>]) {
    let schema = format!("message {root} {{ required int64 id; required binary board (UTF8); }}");
    let schema = parse_message_type(&schema).expect("a schema");
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

pub(super) fn properties() -> WriterPropertiesBuilder {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).expect("a level"));
    WriterProperties::builder().set_compression(zstd).set_dictionary_enabled(false)
}

pub(super) fn column() -> StringColumns {
    StringColumns { strings: vec!["board".into()], solutions: Vec::new() }
}

pub(super) fn convert(old: &Path, new: &Path, bad: Bad) -> Report {
    convert_all(&[old], new, bad)
}

pub(super) fn convert_all(old: &[&Path], new: &Path, bad: Bad) -> Report {
    try_convert(old, new, bad).expect("it can be converted")
}

pub(super) fn try_convert(old: &[&Path], new: &Path, bad: Bad) -> Result<Report, Error> {
    let convert = Convert::new(Target::File { path: new.to_path_buf(), force: false })
        .conversion(Conversion { bad, ..Conversion::default() })
        .rejects(RejectsTo::Nowhere)
        .threads(2)
        .sync(false);
    let convert = old.iter().fold(convert, |convert, old| convert.input(Input::File(old.to_path_buf())));
    columnar::run(convert, ColumnFile::Parquet, column())
}

/// Returns the number of rows on each page of a chunk.
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

pub(super) fn strings(input: &ParquetInput, group: usize) -> Vec<ByteArray> {
    let rows = input.group(group).expect("a row group");
    let board = input.metadata.file_metadata().schema_descr().num_columns() - 1;
    let mut reader = super::chunk::strings_of(&rows, board).expect("strings");
    let mut values = Vec::new();
    reader.read_records(usize::MAX, None, None, &mut values).expect("values");
    values
}

pub(super) fn open(path: &Path) -> ParquetInput {
    ParquetInput::open(Input::File(path.to_path_buf())).expect("a Parquet file")
}

/// Rows with strings that no kind of board has are summed up by name, also where a dictionary has each string once.
#[test]
fn names_of_what_no_kind_has_are_counted_by_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = format!("<values>{}</values>", "_".repeat(81));
    let string = |parts: &str| {
        let graph = format!("<graph order=\"9\" type=\"sudoku\">{parts}</graph>");
        ByteArray::from(format!("<ksudoku><game><puzzle>{graph}{values}</puzzle></game></ksudoku>").as_str())
    };
    let [good, one, two] = [string(""), string("<one/>"), string("<two/><one/>")];
    for dictionary in [false, true] {
        let [old, new] = ["old", "new"].map(|name| folder.path().join(format!("{name}{dictionary}")));
        let rows = [good.clone(), two.clone(), one.clone(), two.clone(), ByteArray::from("?")];
        let groups = [rows.to_vec(), vec![rows.to_vec(); 2_000].concat(), vec![two.clone(); 9]];
        write(&old, properties().set_dictionary_enabled(dictionary), &groups);
        let report = convert(&old, &new, Bad::Keep);
        assert_eq!((report.counts.records, report.counts.rejected), (10_014, 8_013));
        assert_eq!(report.unsupported_lines(), ["6,012 of 10,014: unknown: one", "4,011 of 10,014: unknown: two"]);
    }
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
        let [before, after] = [before.unchanged_chunk(0, 0), after.unchanged_chunk(0, 0)];
        assert!(after.bloom_filter.is_some_and(|filter| filter.check(&7_i64) && !filter.check(&30_000_i64)));
        assert_eq!(after.column_index, before.column_index);
        assert_eq!(after.offset_index.is_some(), indexed);
        // If a row is left out, the following rows move up.
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

/// Writes a file whose metadata about the chunks of one column is changed.
fn say_of_chunks(
    old: &Path,
    new: &Path,
    leaf: usize,
    say: impl Fn(&ColumnChunkMetaData, ColumnChunkMetaDataBuilder) -> ColumnChunkMetaDataBuilder,
) {
    let bytes = std::fs::read(old).expect("a file");
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&File::open(old).expect("a file")).expect("its end");
    let mut builder = metadata.into_builder();
    let groups = builder.take_row_groups().into_iter().map(|group| {
        let mut columns = group.columns().to_vec();
        columns[leaf] = say(&columns[leaf], columns[leaf].clone().into_builder()).build().expect("a chunk");
        group.into_builder().set_column_metadata(columns).build().expect("a row group")
    });
    let metadata = builder.set_row_groups(groups.collect()).build();
    let end = bytes.len() - 8 - u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().expect("four")) as usize;
    let mut written = bytes[..end].to_vec();
    ParquetMetaDataWriter::new(&mut written, &metadata).finish().expect("an end");
    std::fs::write(new, written).expect("a file");
}

#[test]
fn a_dictionary_that_cannot_be_there_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, old] = ["plain", "old"].map(|name| folder.path().join(name));
    let boards = vec![ByteArray::from(BOARD); 300];
    write(&plain, properties(), &[boards.clone(), boards]);
    for (at, (leaf, offset)) in [(0, 0), (1, 0), (0, 3), (1, i64::MAX)].into_iter().enumerate() {
        say_of_chunks(&plain, &old, leaf, |_, chunk| chunk.set_dictionary_page_offset(Some(offset)));
        let new = folder.path().join(format!("new{at}"));
        convert(&old, &new, Bad::Reject);
        let (before, after) = (open(&plain), open(&new));
        for group in 0..2 {
            assert!(strings(&after, group).iter().all(|string| string.data().starts_with(b"S9B")));
            let chunk = |input: &ParquetInput| {
                let column = input.metadata.row_group(group).column(0).clone();
                assert_eq!(column.dictionary_page_offset(), None);
                let (start, length) = column.byte_range();
                std::fs::read(&input.path).expect("a file")[start as usize..][..length as usize].to_vec()
            };
            assert_eq!(chunk(&after), chunk(&before));
        }
    }
}

#[test]
fn chunks_that_are_not_in_the_file_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, old] = ["plain", "old"].map(|name| folder.path().join(name));
    write(&plain, properties().set_offset_index_disabled(true), &[vec![ByteArray::from(BOARD); 300]]);
    let length = std::fs::metadata(&plain).expect("a file").len() as i64;
    for at in [-1, 0, 3, length - 8, length, i64::MAX] {
        say_of_chunks(&plain, &old, 1, |_, chunk| chunk.set_data_page_offset(at));
        refused(&old);
    }
    for size in [-1, i64::MIN / 2, length, i64::MAX / 2] {
        say_of_chunks(&plain, &old, 1, |_, chunk| chunk.set_total_compressed_size(size));
        refused(&old);
    }
    say_of_chunks(&plain, &old, 1, |_, chunk| chunk.set_dictionary_page_offset(Some(-7)));
    refused(&old);
    // The dictionary is in the file, but the data after it are not.
    say_of_chunks(&plain, &old, 1, |column, chunk| {
        chunk.set_dictionary_page_offset(Some(column.data_page_offset())).set_data_page_offset(i64::MAX)
    });
    refused(&old);
}

#[test]
fn a_page_whose_dictionary_is_not_there_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, old] = ["plain", "old"].map(|name| folder.path().join(name));
    write(&plain, properties().set_dictionary_enabled(true), &[vec![ByteArray::from(BOARD); 300]]);
    say_of_chunks(&plain, &old, 1, |column, chunk| {
        let dictionary = column.data_page_offset() - column.dictionary_page_offset().expect("a dictionary");
        chunk.set_dictionary_page_offset(None).set_total_compressed_size(column.compressed_size() - dictionary)
    });
    let target = Target::File { path: folder.path().join("new"), force: false };
    let convert = Convert::new(target).input(Input::File(old)).threads(2).sync(false);
    let failed = columnar::run(convert, ColumnFile::Parquet, column()).expect_err("it is refused");
    assert!(failed.to_string().contains("needs a dictionary"), "{failed}");
}

fn refused(path: &Path) {
    let opened = ParquetInput::open(Input::File(path.to_path_buf()));
    let words = opened.err().expect("it is refused").to_string();
    assert!(words.contains("column \"board\" of row group 0 is not where"), "{words}");
}

/// Returns the types and encodings of the data pages of a chunk.
pub(super) fn kinds_of_pages(input: &ParquetInput, leaf: usize) -> Vec<(PageType, Encoding)> {
    let column = input.metadata.row_group(0).column(leaf);
    let pages = column.page_encoding_stats().expect("pages").iter();
    pages
        .filter(|page| page.page_type != PageType::DICTIONARY_PAGE)
        .map(|page| (page.page_type, page.encoding))
        .collect()
}

#[test]
fn chunks_with_a_dictionary_keep_one_and_all_keep_the_version_of_their_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    // This dictionary is larger than the limit of most writers.
    let long: Vec<_> = (0..15_000).map(|row| ByteArray::from(format!("{row:0100}").as_str())).collect();
    let boards: Vec<_> = (0..20_000).map(|row| if row == 5 { "?".into() } else { BOARD.into() }).collect();
    for (at, (version, page_type)) in
        [(WriterVersion::PARQUET_1_0, PageType::DATA_PAGE), (WriterVersion::PARQUET_2_0, PageType::DATA_PAGE_V2)]
            .into_iter()
            .enumerate()
    {
        for (with, encoding) in [(true, Encoding::RLE_DICTIONARY), (false, Encoding::PLAIN)] {
            let [old, kept, rest, longer, new] =
                ["old", "kept", "rest", "longer", "new"].map(|name| folder.path().join(format!("{name}{at}{with}")));
            let with = properties()
                .set_writer_version(version)
                .set_encoding(Encoding::PLAIN)
                .set_dictionary_enabled(with)
                .set_dictionary_page_size_limit(8 << 20);
            write(&old, with.clone(), std::slice::from_ref(&boards));
            convert(&old, &kept, Bad::Keep);
            convert(&old, &rest, Bad::Reject);
            write(&longer, with, std::slice::from_ref(&long));
            convert(&longer, &new, Bad::Keep);
            for path in [old, kept, rest, longer, new] {
                for leaf in 0..2 {
                    let pages = kinds_of_pages(&open(&path), leaf);
                    assert!(
                        !pages.is_empty() && pages.iter().all(|page| *page == (page_type, encoding)),
                        "{path:?} {pages:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_name_of_the_root_is_no_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, other, new] = ["first", "other", "new"].map(|name| folder.path().join(name));
    let boards = vec![ByteArray::from(BOARD); 10];
    write_below("schema", &first, properties(), std::slice::from_ref(&boards));
    write_below("spark_schema", &other, properties(), &[boards]);
    convert_all(&[&first, &other], &new, Bad::Keep);
    let after = open(&new);
    assert_eq!((strings(&after, 0).len(), strings(&after, 1).len()), (10, 10));
    assert_eq!(after.metadata.file_metadata().schema_descr().name(), "schema");
}
