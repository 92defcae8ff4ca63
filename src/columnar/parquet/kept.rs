//! What is kept of the inputs: what they say about chunks that are copied, and checksums of pages.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Crc;
use parquet::basic::Encoding;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, SchemaDescriptor};
use tempfile::TempDir;

use super::fields::{BYTES, I32, LIST, STRUCT, StructFields, contents, elements, encoded_bytes, list};
use super::tests::{BOARD, convert, convert_all, kinds_of_pages, open, properties, strings, try_convert};
use super::write::{ChunkWriter, PageSpace, Pages};
use crate::convert::Bad;

/// The order of values by their type, as it is encoded.
const TYPE_ORDER: &[u8] = &[0x1c, 0, 0];

/// A field that no program knows.
const UNKNOWN: i16 = 77;

struct KeptFiles {
    folder: TempDir,
}

impl KeptFiles {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn schema() -> Arc<SchemaDescriptor> {
    let schema = "message m { required int64 id; required double rating; required binary board (UTF8); }";
    Arc::new(SchemaDescriptor::new(Arc::new(parse_message_type(schema).expect("a schema"))))
}

/// Writes a file with a row group for each list of ratings, with checksums of pages if that is asked for. Strings are
/// boards, but one is not if `bad` says so.
fn write(path: &Path, properties: WriterPropertiesBuilder, checksums: bool, groups: &[&[f64]], bad: Option<usize>) {
    let (schema, properties) = (schema(), Arc::new(properties.build()));
    let space = Arc::new(PageSpace::new(path.parent().expect("a folder").into(), 1 << 20));
    let (root, file) = (schema.root_schema_ptr(), File::create(path).expect("a file"));
    let mut writer = SerializedFileWriter::new(file, root, Arc::clone(&properties)).expect("a writer");
    for ratings in groups {
        let mut group = writer.next_row_group().expect("a row group");
        let mut write =
            KeptColumns { schema: &schema, properties: &properties, space: &space, checksums, group: &mut group };
        write.column::<Int64Type>(0, &(0..ratings.len() as i64).collect::<Vec<_>>());
        write.column::<DoubleType>(1, ratings);
        let board = |row| ByteArray::from(if Some(row) == bad { "?" } else { BOARD });
        write.column::<ByteArrayType>(2, &(0..ratings.len()).map(board).collect::<Vec<_>>());
        group.close().expect("its end");
    }
    writer.close().expect("the end");
}

struct KeptColumns<'w, 'g> {
    schema: &'w SchemaDescriptor,
    properties: &'w Arc<WriterProperties>,
    space: &'w Arc<PageSpace>,
    checksums: bool,
    group: &'w mut SerializedRowGroupWriter<'g, File>,
}

impl KeptColumns<'_, '_> {
    fn column<T: DataType>(&mut self, leaf: usize, values: &[T::T]) {
        let mut pages = Pages::new(self.space, false, self.checksums).expect("pages");
        let mut writer = ChunkWriter::<T>::new(self.schema.column(leaf), Arc::clone(self.properties), &mut pages);
        writer.write(values, &[], &[]).expect("values");
        let about = writer.close().expect("a chunk");
        pages.end(about).expect("a chunk").append_to(self.group).expect("a chunk");
    }
}

fn metadata(path: &Path) -> Vec<u8> {
    open(path).footer.to_vec()
}

/// Changes the metadata of a file.
fn edit(path: &Path, edit: impl FnOnce(&mut StructFields<'_>)) {
    let old = metadata(path);
    let mut fields = StructFields::of(&old).expect("metadata");
    edit(&mut fields);
    let (mut bytes, new) = (std::fs::read(path).expect("a file"), fields.write());
    bytes.truncate(bytes.len() - 8 - old.len());
    bytes.extend([&new[..], &(new.len() as u32).to_le_bytes(), b"PAR1"].concat());
    std::fs::write(path, bytes).expect("a file");
}

/// Changes all structs in a list.
fn edit_all(fields: &mut StructFields<'_>, number: i16, edit: impl Fn(usize, &mut StructFields<'_>)) {
    let edited = |(at, element): (usize, &&[u8])| {
        let mut element = StructFields::of(element).expect("a struct");
        edit(at, &mut element);
        element.write()
    };
    let new: Vec<_> = fields.elements(number).expect("a list").iter().enumerate().map(edited).collect();
    fields.set(number, LIST, list(STRUCT, &new));
}

fn edit_struct(fields: &mut StructFields<'_>, number: i16, edit: impl FnOnce(&mut StructFields<'_>)) {
    let old = fields.get(number).expect("a struct").to_vec();
    let mut inner = StructFields::of(&old).expect("a struct");
    edit(&mut inner);
    fields.set(number, STRUCT, inner.write());
}

/// Makes a file say what the writer of the crate would not: about itself, its row groups, their chunks and the columns
/// in these.
fn say_more(path: &Path) {
    edit(path, |file| {
        file.set_number(1, I32, 7);
        file.set(6, BYTES, encoded_bytes(b"someone version 3.1 (build 5)"));
        file.set(7, LIST, list(STRUCT, &[TYPE_ORDER; 3]));
        file.set(UNKNOWN, BYTES, encoded_bytes(b"of the file"));
        edit_all(file, 4, |_, group| {
            group.set(UNKNOWN, BYTES, encoded_bytes(b"of the row group"));
            let sorted = [1, 2].map(|leaf| [0x15, 2 * leaf, 0x12, 0x12, 0]);
            group.set(4, LIST, list(STRUCT, &sorted));
            group.remove(7);
            edit_all(group, 1, |leaf, chunk| {
                chunk.set(UNKNOWN, BYTES, encoded_bytes(b"of the chunk"));
                edit_struct(chunk, 3, |about| {
                    let pair =
                        [&[0x18][..], &encoded_bytes(b"unit"), &[0x18], &encoded_bytes(&[b'0' + leaf as u8]), &[0]];
                    about.set(8, LIST, list(STRUCT, &[pair.concat()]));
                    about.set(UNKNOWN, BYTES, encoded_bytes(b"of the column"));
                });
            });
        });
    });
}

/// Returns the chunk of a column, and its metadata.
fn chunk(metadata: &[u8], group: usize, leaf: usize) -> (Vec<u8>, Vec<u8>) {
    let groups = StructFields::of(metadata).expect("metadata").take(4).and_then(elements).expect("row groups");
    let chunks = StructFields::of(groups[group]).expect("a row group").take(1).and_then(elements).expect("chunks");
    let about = StructFields::of(chunks[leaf]).expect("a chunk").take(3).expect("its metadata");
    (chunks[leaf].to_vec(), about.to_vec())
}

/// Returns a struct without these fields.
fn without(encoded: &[u8], fields: &[i16]) -> Vec<u8> {
    let mut all = StructFields::of(encoded).expect("a struct");
    fields.iter().for_each(|&field| all.remove(field));
    all.write()
}

/// The fields of a chunk and its metadata that say where something is.
const PLACES: [&[i16]; 2] = [&[2, 3, 4, 5, 6, 7], &[9, 10, 11, 14, 15]];

#[test]
fn what_is_said_about_copied_columns_stays_as_it_was_encoded() {
    let files = KeptFiles::new();
    let [old, new] = ["old", "new"].map(|name| files.path(name));
    let with = properties().set_column_bloom_filter_enabled(ColumnPath::from("id"), true).set_write_batch_size(1);
    write(&old, with.set_data_page_row_count_limit(3), false, &[&[1.0, 2.0, -0.5, 4.0], &[f64::NAN, 0.0]], None);
    say_more(&old);
    convert(&old, &new, Bad::Reject);
    let (before, after) = (metadata(&old), metadata(&new));
    assert_eq!(without(&after, &[4]), without(&before, &[4]));
    let of = |metadata: &[u8]| StructFields::of(metadata).and_then(|file| file.take(4).map(<[u8]>::to_vec));
    let (before_groups, after_groups) = (of(&before).expect("row groups"), of(&after).expect("row groups"));
    let groups = elements(&before_groups).expect("a list").into_iter().zip(elements(&after_groups).expect("a list"));
    for (group, (before_group, after_group)) in groups.enumerate() {
        assert_eq!(without(after_group, &[1, 2, 4, 5, 6]), without(before_group, &[1, 2, 4, 5, 6]));
        // Rows are no longer sorted by the strings.
        let sorted = StructFields::of(after_group).and_then(|group| group.take(4)).and_then(elements).expect("columns");
        assert_eq!(sorted, [[0x15, 2, 0x12, 0x12, 0]]);
        for leaf in 0..2 {
            let ((old_chunk, old_about), (new_chunk, new_about)) =
                (chunk(&before, group, leaf), chunk(&after, group, leaf));
            assert_eq!(without(&new_chunk, PLACES[0]), without(&old_chunk, PLACES[0]));
            assert_eq!(without(&new_about, PLACES[1]), without(&old_about, PLACES[1]));
        }
        // The metadata of the column is that of the new strings, too.
        let key_values = |metadata: &[u8]| {
            StructFields::of(&chunk(metadata, group, 2).1).and_then(|of| of.get(8).map(<[u8]>::to_vec))
        };
        assert!(key_values(&after).is_some() && key_values(&after) == key_values(&before));
    }
    // What is written there is found: the index of pages, and the Bloom filter.
    let (before, after) = (open(&old), open(&new));
    for group in 0..2 {
        let [before, after] = [&before, &after].map(|input| input.unchanged_chunk(group, 0));
        assert_eq!(after.column_index, before.column_index);
        assert!(after.offset_index.is_some() && after.bloom_filter.is_some());
        assert_eq!(strings(&open(&new), group).len(), [4, 2][group]);
    }
}

/// The minimum and maximum in the statistics of the ratings, in both forms.
fn bounds(metadata: &[u8]) -> [Option<f64>; 4] {
    let about = chunk(metadata, 0, 1).1;
    let statistics =
        StructFields::of(&about).and_then(|about| about.take(12)).and_then(StructFields::of).expect("statistics");
    let float = |field| {
        statistics.get(field).and_then(contents).map(|float| f64::from_le_bytes(float.try_into().expect("8 bytes")))
    };
    [6, 5, 2, 1].map(float)
}

#[test]
fn minima_and_maxima_of_floats_are_of_the_order_that_the_file_says() {
    let files = KeptFiles::new();
    let with = || properties().set_statistics_enabled(EnabledStatistics::Page).set_write_batch_size(1);
    for (at, (ratings, right, indexed)) in [
        (&[0.0, 9.0, f64::NAN, 2.5][..], [Some(-0.0), Some(2.5), None, None], true),
        (&[-3.0, 9.0, -0.0], [Some(-3.0), Some(0.0), None, None], true),
        (&[f64::NAN, 1.0], [None; 4], false),
    ]
    .into_iter()
    .enumerate()
    {
        let [old, new] = ["old", "new"].map(|name| files.path(&format!("{name}{at}")));
        write(&old, with().set_data_page_row_count_limit(9), false, &[ratings], Some(1));
        say_more(&old);
        convert(&old, &new, Bad::Reject);
        let found = bounds(&metadata(&new)).map(|bound| bound.map(f64::to_bits));
        assert_eq!(
            found[..2],
            right[..2].iter().map(|bound| bound.map(f64::to_bits)).collect::<Vec<_>>()[..],
            "{ratings:?}"
        );
        let index = StructFields::of(&chunk(&metadata(&new), 0, 1).0).and_then(|chunk| chunk.number(6));
        assert_eq!(index.is_some(), indexed, "{ratings:?}");
        assert!(StructFields::of(&chunk(&metadata(&new), 0, 1).0).and_then(|chunk| chunk.number(4)).is_some());
    }
}

#[test]
fn minima_and_maxima_of_another_order_are_left_out() {
    let files = KeptFiles::new();
    let [first, second, new] = ["first", "second", "new"].map(|name| files.path(name));
    for path in [&first, &second] {
        write(path, properties(), false, &[&[1.0, 2.0]], None);
    }
    say_more(&first);
    convert_all(&[&first, &second], &new, Bad::Reject);
    let of_group = |group, leaf| {
        let about = chunk(&metadata(&new), group, leaf).1;
        StructFields::of(&about)
            .and_then(|about| about.take(12))
            .and_then(StructFields::of)
            .is_some_and(|of| of.get(6).is_some())
    };
    assert_eq!([of_group(0, 0), of_group(0, 1), of_group(1, 0), of_group(1, 1)], [true, true, true, false]);
    assert_eq!(StructFields::of(&metadata(&new)).and_then(|file| file.number(1)), Some(7));
}

/// Properties of pages of all kinds.
fn all_pages() -> Vec<(&'static str, WriterPropertiesBuilder)> {
    let small = || properties().set_write_batch_size(1).set_data_page_row_count_limit(2);
    vec![
        ("first", small()),
        ("second", small().set_writer_version(WriterVersion::PARQUET_2_0)),
        ("dictionary", small().set_dictionary_enabled(true)),
    ]
}

/// Returns the places of all pages of a file: the column, the start and length of the contents, and the checksum.
fn all_checksums(path: &Path) -> Vec<(usize, usize, usize, Option<u32>)> {
    let (input, bytes) = (open(path), std::fs::read(path).expect("a file"));
    let mut pages = Vec::new();
    for (leaf, column) in input.metadata.row_groups().iter().flat_map(|group| group.columns().iter().enumerate()) {
        let (start, length) = column.byte_range();
        let (mut at, end) = (start as usize, (start + length) as usize);
        while at < end {
            let (header, bytes_of_header) = StructFields::read(&bytes[at..end]).expect("a header");
            let length = header.number(3).expect("a length") as usize;
            at += bytes_of_header;
            pages.push((leaf, at, length, header.number(4).map(|checksum| checksum as u32)));
            at += length;
        }
    }
    pages
}

#[test]
fn a_damaged_page_ends_the_run() {
    let files = KeptFiles::new();
    for (name, properties) in all_pages() {
        let [old, damaged, other, new] =
            ["old", "damaged", "other", "new"].map(|file| files.path(&format!("{file}-{name}")));
        write(&old, properties, true, &[&[1.0, 2.0, 3.0], &[4.0, 5.0]], Some(1));
        write(&other, super::tests::properties(), false, &[&[1.0]], None);
        let bytes = std::fs::read(&old).expect("a file");
        let pages = all_checksums(&old);
        assert_eq!(pages.len(), if name == "dictionary" { 15 } else { 9 }, "{name}");
        for (leaf, at, length, _) in pages {
            let mut changed = bytes.clone();
            changed[at + length - 1] ^= 0x40;
            std::fs::write(&damaged, changed).expect("a file");
            for bad in [Bad::Keep, Bad::Reject] {
                let words = try_convert(&[&other, &damaged], &new, bad).expect_err("it is damaged").to_string();
                let column = ["id", "rating", "board"][leaf];
                assert!(
                    words.contains(&format!("a page of column \"{column}\", at byte {at}, does not have")),
                    "{words}"
                );
                assert!(!new.exists());
            }
        }
        convert(&old, &new, Bad::Reject);
    }
}

#[test]
fn new_pages_have_checksums_if_the_old_ones_had() {
    let files = KeptFiles::new();
    for (name, properties) in all_pages() {
        for (with, bad) in [(true, Bad::Keep), (true, Bad::Reject), (false, Bad::Reject)] {
            let [old, new] = ["old", "new"].map(|file| files.path(&format!("{file}-{name}-{with}-{bad:?}")));
            write(&old, properties.clone(), with, &[&[1.0, 2.0, 3.0], &[4.0, 5.0]], Some(1));
            convert(&old, &new, bad);
            let bytes = std::fs::read(&new).expect("a file");
            for (leaf, at, length, checksum) in all_checksums(&new) {
                let mut right = Crc::new();
                right.update(&bytes[at..at + length]);
                assert_eq!(checksum, with.then(|| right.sum()), "{name} {with} {leaf}");
            }
            let rows = open(&new).metadata.row_groups().iter().map(|group| group.num_rows()).sum::<i64>();
            assert_eq!(rows, if bad == Bad::Keep { 5 } else { 3 });
            assert_eq!((0..2).map(|group| strings(&open(&new), group).len() as i64).sum::<i64>(), rows);
        }
    }
}

#[test]
fn new_pages_have_the_encoding_of_the_old_ones() {
    let files = KeptFiles::new();
    for (at, encoding) in [Encoding::DELTA_BYTE_ARRAY, Encoding::DELTA_LENGTH_BYTE_ARRAY].into_iter().enumerate() {
        let with = properties()
            .set_column_encoding(ColumnPath::from("id"), Encoding::DELTA_BINARY_PACKED)
            .set_column_encoding(ColumnPath::from("rating"), Encoding::BYTE_STREAM_SPLIT)
            .set_column_encoding(ColumnPath::from("board"), encoding);
        let [old, new] = ["old", "new"].map(|name| files.path(&format!("{name}{at}")));
        write(&old, with, false, &[&[1.0, 2.0, 3.0]], Some(1));
        convert(&old, &new, Bad::Reject);
        for leaf in 0..3 {
            assert_eq!(kinds_of_pages(&open(&new), leaf), kinds_of_pages(&open(&old), leaf));
        }
        assert_eq!(strings(&open(&new), 0).len(), 2);
    }
}
