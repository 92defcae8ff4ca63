//! Small files of both formats, with every type of strings and every compression.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int64Array, LargeBinaryArray, LargeStringArray,
    RecordBatch, StringArray, StringViewArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::strings;

/// Strings with a null, an empty and a bad one.
fn boards() -> Vec<Option<&'static str>> {
    let good = strings()[0];
    vec![Some(good), None, Some(""), Some("?"), Some(good)]
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    parquet_files().into_iter().chain(arrow_files()).collect()
}

const REQUIRED: &str = "message m { required int64 id; required binary board (UTF8); }";
const OPTIONAL: &str = "message m { required int64 id; optional binary board (UTF8); }";
const LISTS: &str = "message m { required int64 id; optional group board (LIST) { repeated group list \
                     { optional binary element (UTF8); } } }";

fn parquet_files() -> Vec<Vec<u8>> {
    let of =
        || WriterProperties::builder().set_statistics_enabled(EnabledStatistics::None).set_dictionary_enabled(false);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let second = || of().set_writer_version(WriterVersion::PARQUET_2_0);
    let indexed = of()
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_column_bloom_filter_enabled(ColumnPath::from("id"), true)
        .set_column_bloom_filter_max_ndv(ColumnPath::from("id"), 8);
    vec![
        parquet_file(REQUIRED, of().set_offset_index_disabled(true)),
        parquet_file(OPTIONAL, indexed),
        parquet_file(OPTIONAL, of().set_dictionary_enabled(true).set_compression(Compression::SNAPPY)),
        parquet_file(LISTS, of().set_compression(Compression::GZIP(GzipLevel::default()))),
        parquet_file(REQUIRED, second().set_encoding(Encoding::DELTA_LENGTH_BYTE_ARRAY).set_compression(zstd)),
        parquet_file(OPTIONAL, second().set_encoding(Encoding::DELTA_BYTE_ARRAY)),
        parquet_file(OPTIONAL, of().set_encoding(Encoding::DELTA_BYTE_ARRAY).set_compression(Compression::LZ4_RAW)),
        parquet_file(
            LISTS,
            second().set_dictionary_enabled(true).set_compression(Compression::BROTLI(BrotliLevel::default())),
        ),
        parquet_file(REQUIRED, of().set_compression(Compression::LZ4)),
    ]
}

/// Two row groups.
fn parquet_file(schema: &str, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let optional = schema != REQUIRED;
    let properties = properties.set_column_encoding(ColumnPath::from("id"), Encoding::PLAIN).build();
    let parsed = parse_message_type(schema).expect("a schema");
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, Arc::new(parsed), Arc::new(properties)).expect("a writer");
    for rows in [boards(), vec![boards()[0]; 2]] {
        let mut group = writer.next_row_group().expect("a row group");
        let mut column = group.next_column().expect("a column").expect("the first");
        // Two strings in each list.
        let in_list = if schema == LISTS { 2 } else { 1 };
        let ids: Vec<_> = (0..rows.len().div_ceil(in_list) as i64).collect();
        column.typed::<Int64Type>().write_batch(&ids, None, None).expect("numbers");
        column.close().expect("its end");
        let mut column = group.next_column().expect("a column").expect("the second");
        let values = rows.iter().filter(|row| !optional || row.is_some());
        let values: Vec<_> = values.map(|row| ByteArray::from(row.unwrap_or("x"))).collect();
        let deepest = if schema == LISTS { 3 } else { 1 };
        let defined: Vec<_> = rows.iter().map(|row| if row.is_some() { deepest } else { deepest - 1 }).collect();
        let repeated: Vec<_> = (0..rows.len()).map(|row| (row % 2) as i16).collect();
        let (defined, repeated) = (optional.then_some(&defined[..]), (schema == LISTS).then_some(&repeated[..]));
        column.typed::<ByteArrayType>().write_batch(&values, defined, repeated).expect("strings");
        column.close().expect("its end");
        group.close().expect("its end");
    }
    writer.close().expect("the end");
    file
}

fn arrow_files() -> Vec<Vec<u8>> {
    let rows = boards();
    let dictionary: DictionaryArray<Int8Type> = rows.iter().copied().collect();
    let bytes = || rows.iter().map(|row| row.map(str::as_bytes));
    let arrays: [ArrayRef; 7] = [
        Arc::new(StringArray::from(rows.clone())),
        Arc::new(LargeStringArray::from(rows.clone())),
        Arc::new(StringViewArray::from(rows.clone())),
        Arc::new(BinaryArray::from_iter(bytes())),
        Arc::new(LargeBinaryArray::from_iter(bytes())),
        Arc::new(BinaryViewArray::from_iter(bytes())),
        Arc::new(dictionary),
    ];
    let compressions = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];
    let all = arrays.iter().enumerate().flat_map(|(number, array)| {
        // Not every type with every compression: that would be too many for a test.
        [arrow_file(array, compressions[number % 3], true), arrow_file(array, compressions[(number + 1) % 3], false)]
    });
    all.collect()
}

/// Two batches, in a file or a stream.
fn arrow_file(array: &ArrayRef, compression: Option<CompressionType>, is_file: bool) -> Vec<u8> {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..array.len() as i64));
    let batch = RecordBatch::try_from_iter_with_nullable([("id", ids, false), ("board", Arc::clone(array), true)]);
    let batch = batch.expect("a batch");
    let options = IpcWriteOptions::try_new(8, false, arrow_ipc::MetadataVersion::V5).expect("options");
    let options = options.try_with_compression(compression).expect("a compression");
    let mut bytes = Vec::new();
    if is_file {
        let mut writer = FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).expect("a file");
        [&batch, &batch.slice(0, 2)].into_iter().for_each(|batch| writer.write(batch).expect("a batch"));
        writer.finish().expect("an end");
    } else {
        let mut writer = StreamWriter::try_new_with_options(&mut bytes, &batch.schema(), options).expect("a stream");
        [&batch, &batch.slice(0, 2)].into_iter().for_each(|batch| writer.write(batch).expect("a batch"));
        writer.finish().expect("an end");
    }
    bytes
}
