//! Files that say to have more than they have. The decoder would reserve memory for it, up to terabytes.

use std::fs::File;
use std::path::Path;

use parquet::basic::Compression;
use parquet::data_type::ByteArray;
use parquet::file::metadata::{ColumnChunkMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::EnabledStatistics;

use super::tests::{BOARD, column, properties, write};
use crate::columnar::{self, ColumnFile};
use crate::engine::Convert;
use crate::error::Error;
use crate::output::Target;
use crate::source::Input;

/// A number as Thrift writes it.
fn varint(number: u64) -> Vec<u8> {
    let (mut rest, mut bytes) = (number, Vec::new());
    while rest > 0x7f {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// The header of a page: its kind, its two lengths, and the field with the rest.
fn header(kind: u64, uncompressed: u64, compressed: u64, field: u8, rest: &[u8]) -> Vec<u8> {
    let number = |number: u64| [vec![0x15], varint(2 * number)].concat();
    [number(kind), number(uncompressed), number(compressed), vec![(field - 3) << 4 | 12], rest.to_vec(), vec![0, 0]]
        .concat()
}

/// The rest of a header: the number of values, and the encoding.
fn values(values: u64, encoding: u64) -> Vec<u8> {
    [vec![0x15], varint(2 * values), vec![0x15], varint(2 * encoding)].concat()
}

/// The rest for a page of data, whose levels have the encoding RLE.
fn data_values(number: u64, encoding: u64) -> Vec<u8> {
    [values(number, encoding), vec![0x15, 6, 0x15, 6]].concat()
}

/// Writes a file whose last chunk has these bytes, and whose metadata about it is changed.
fn write_with(path: &Path, bytes: &[u8], say: impl Fn(ColumnChunkMetaDataBuilder, i64) -> ColumnChunkMetaDataBuilder) {
    let plain = path.with_extension("plain");
    let properties = properties().set_statistics_enabled(EnabledStatistics::None).set_offset_index_disabled(true);
    write(&plain, properties, &[vec![ByteArray::from(BOARD); 3]]);
    let metadata =
        ParquetMetaDataReader::new().parse_and_finish(&File::open(&plain).expect("a file")).expect("its end");
    let mut builder = metadata.into_builder();
    let groups: Vec<_> = builder.take_row_groups();
    let start = groups[0].column(1).data_page_offset();
    let groups = groups.into_iter().map(|group| {
        let mut columns = group.columns().to_vec();
        let chunk = columns[1].clone().into_builder().set_total_compressed_size(bytes.len() as i64);
        columns[1] = say(chunk, start).build().expect("a chunk");
        group.into_builder().set_column_metadata(columns).build().expect("a row group")
    });
    let metadata = builder.set_row_groups(groups.collect()).build();
    let mut written = std::fs::read(&plain).expect("a file")[..start as usize].to_vec();
    written.extend_from_slice(bytes);
    ParquetMetaDataWriter::new(&mut written, &metadata).finish().expect("an end");
    std::fs::write(path, written).expect("a file");
}

/// Converts a file.
fn convert(path: &Path) -> Result<(), Error> {
    let target = Target::Writer { name: "nowhere".into(), writer: Box::new(std::io::sink()) };
    let convert = Convert::new(target).input(Input::File(path.to_path_buf())).threads(1);
    columnar::run(convert, ColumnFile::Parquet, column()).map(drop)
}

/// Returns why a file is refused.
fn refusal(path: &Path) -> String {
    convert(path).expect_err("it is refused").to_string()
}

#[test]
fn a_page_is_not_longer_than_its_bytes_can_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old");
    let codecs = [
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::ZSTD(Default::default()),
    ];
    for codec in codecs {
        let page = [header(0, i32::MAX as u64, 100, 5, &data_values(3, 0)), vec![0; 100]].concat();
        write_with(&path, &page, |chunk, _| chunk.set_compression(codec));
        assert!(refusal(&path).contains("it is damaged; its parts are not as it says"), "{codec}");
    }
}

#[test]
fn a_page_has_no_more_values_than_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old");
    let deltas = [varint(128), varint(4), varint(1 << 40), varint(0)].concat();
    let many = i32::MAX as u64;
    let statistics = [data_values(3, 0), vec![0x1c, 0x18], varint(1 << 40)].concat();
    for page in [
        header(2, 0, 0, 7, &values(many, 0)),
        [header(0, deltas.len() as u64, deltas.len() as u64, 5, &data_values(3, 6)), deltas.clone()].concat(),
        [header(0, deltas.len() as u64, deltas.len() as u64, 5, &data_values(3, 7)), deltas].concat(),
        header(0, 0, 0, 5, &data_values(many, 6)),
        // The smallest value among them would have a terabyte.
        header(0, 0, 0, 5, &statistics),
    ] {
        write_with(&path, &page, |chunk, _| chunk.set_compression(Compression::UNCOMPRESSED));
        let words = refusal(&path);
        assert!(words.contains("it is damaged; its parts are not as it says"), "{words}");
    }
}

#[test]
fn an_index_has_no_more_pages_than_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old");
    let index = [vec![0x19, 0xfc], varint(i32::MAX as u64), vec![0]].concat();
    write_with(&path, &index, |chunk, start| {
        chunk.set_offset_index_offset(Some(start)).set_offset_index_length(Some(index.len() as i32))
    });
    let words = refusal(&path);
    assert!(words.contains("it is damaged; its parts are not as it says"), "{words}");
}

/// A file without rows, whose schema has a column `board` and, in its root, these bytes for the number of columns.
fn write_schema(path: &Path, columns: &[u8]) {
    let root = [b"\x48\x06schema", columns, &[0]].concat();
    let column = b"\x15\x0c\x25\x00\x18\x05board\x25\x00\x00";
    let metadata = [b"\x15\x02\x19\x2c", &root[..], column, b"\x16\x00\x19\x0c\x00"].concat();
    let length = (metadata.len() as u32).to_le_bytes();
    std::fs::write(path, [b"PAR1", &metadata[..], &length, b"PAR1"].concat()).expect("a file");
}

#[test]
fn a_schema_has_no_more_columns_than_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old");
    write_schema(&path, b"\x15\x02");
    convert(&path).expect("one column");
    for columns in [
        // The largest number of 32 bits, and a negative one with the same lower 32 bits.
        [vec![0x15], varint((1 << 32) - 2)].concat(),
        [vec![0x15], varint((1 << 32) + 1)].concat(),
        // The largest number, where the type says that there are eight bytes of a fraction, or a byte.
        [vec![0x17], varint((1 << 32) - 2), vec![0; 3]].concat(),
        [vec![0x13], varint((1 << 32) - 2)].concat(),
    ] {
        write_schema(&path, &columns);
        let words = refusal(&path);
        assert!(words.contains("it is damaged; its parts are not as it says"), "{columns:?}: {words}");
    }
}
