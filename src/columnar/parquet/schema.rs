//! Where the strings are, and the schema of the output.

use std::sync::Arc;

use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::{DataType, Field, Schema};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use crate::columnar::{same_name, the_column};
use crate::error::Error;

/// The key under which Arrow's own schema stands among the metadata.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// The number of the leaf with the strings.
pub(super) fn find(schema: &SchemaDescriptor, column: Option<&str>) -> Result<usize, Error> {
    let is_text = |leaf: usize| schema.column(leaf).physical_type() == PhysicalType::BYTE_ARRAY;
    let path = |leaf: usize| schema.column(leaf).path().string();
    let candidates = (0..schema.num_columns()).filter(|&leaf| is_text(leaf)).map(|leaf| (leaf, path(leaf)));
    let leaf = the_column(column, &candidates.collect::<Vec<_>>())?;
    match schema.column(leaf).max_rep_level() {
        0 => Ok(leaf),
        _ => Err(Error::Usage(format!(
            "{} are strings in lists, which are not converted yet; write each into a row of its own first",
            path(leaf)
        ))),
    }
}

/// The schema with a column of strings after all others.
pub(super) fn with_column(schema: &SchemaDescriptor, name: &str) -> Result<TypePtr, Error> {
    let root = schema.root_schema();
    if root.get_fields().iter().any(|field| field.name() == name) {
        return Err(same_name(name));
    }
    let failed = |error: ParquetError| Error::Usage(format!("a column {name:?} cannot be added: {error}"));
    let column = Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::String))
        .build()
        .map_err(failed)?;
    let fields = root.get_fields().iter().cloned().chain([Arc::new(column)]).collect();
    let schema = Type::group_type_builder(root.name()).with_fields(fields).build().map_err(failed)?;
    Ok(Arc::new(schema))
}

/// The metadata of a file to which a column is added: Arrow's schema has it, too. One that cannot be read is left out, since what
/// reads the file would miss the column.
pub(super) fn with_arrow_column(metadata: Vec<KeyValue>, name: &str) -> Vec<KeyValue> {
    let add = |mut entry: KeyValue| match entry.key == ARROW_SCHEMA {
        false => Some(entry),
        true => {
            entry.value = Some(arrow_schema_with(entry.value.as_deref()?, name)?);
            Some(entry)
        }
    };
    metadata.into_iter().filter_map(add).collect()
}

/// Arrow's schema, as the metadata have it, with a column of strings more.
fn arrow_schema_with(encoded: &str, name: &str) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(encoded).ok()?;
    // What is to come, and its length.
    let message = if bytes.starts_with(&[0xff; 4]) { bytes.get(8..)? } else { &bytes };
    let message = arrow_ipc::root_as_message(message).ok()?;
    let schema = arrow_ipc::convert::try_fb_to_schema(message.header_as_schema()?).ok()?;
    let new = Arc::new(Field::new(name, DataType::Utf8, true));
    let fields: Vec<_> = schema.fields().iter().cloned().chain([new]).collect();
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    let (mut tracker, options) = (DictionaryTracker::new(true), IpcWriteOptions::default());
    let new = IpcDataGenerator::default()
        .schema_to_bytes_with_dictionary_tracker(&schema, &mut tracker, &options)
        .ipc_message;
    let length = u32::try_from(new.len()).ok()?;
    Some(BASE64_STANDARD.encode([&[0xff; 4][..], &length.to_le_bytes(), &new].concat()))
}
