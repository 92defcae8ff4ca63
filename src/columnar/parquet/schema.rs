//! Finds the columns with strings, and makes the schema of the output.

use std::path::Path;
use std::sync::Arc;

use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::{DataType, Schema};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use crate::columnar::values::ValueType;
use crate::columnar::{ColumnNumbers, same_name};
use crate::engine::{NewColumn, StringColumns};
use crate::error::Error;

/// The keys of the schemas of Arrow and Spark in the metadata.
const ARROW_SCHEMA: &str = "ARROW:schema";
const SPARK_SCHEMA: &str = "org.apache.spark.sql.parquet.row.metadata";

/// The leaf columns of strings, with their names.
pub(super) fn candidates(schema: &SchemaDescriptor) -> Vec<(usize, String)> {
    let is_text = |leaf: &usize| schema.column(*leaf).physical_type() == PhysicalType::BYTE_ARRAY;
    let leaves = (0..schema.num_columns()).filter(is_text);
    leaves.map(|leaf| (leaf, schema.column(leaf).path().string())).collect()
}

/// Finds the leaf columns with strings in `file`. `appended` are the columns that are appended beside them.
pub(super) fn find(
    file: &Path,
    schema: &SchemaDescriptor,
    columns: &StringColumns,
    appended: &[NewColumn],
) -> Result<ColumnNumbers, Error> {
    let path = |leaf: usize| schema.column(leaf).path().string();
    let places = ColumnNumbers::find(file, columns, &candidates(schema))?;
    let mut all = places.strings.iter().chain(&places.solutions);
    let Some(&list) = all.find(|&&leaf| schema.column(leaf).max_rep_level() > 0) else { return Ok(places) };
    let words = match appended.first() {
        Some(new) => format!("{} is only for columns with one string in each row", new.flag),
        None if places.strings.len() > 1 => "convert other columns in a separate run".into(),
        None if !places.solutions.is_empty() => {
            "solutions are checked only in columns with one string in each row".into()
        }
        None => return Ok(places),
    };
    Err(Error::Usage(format!("{} are strings in lists, which can only be converted in place; {words}", path(list))))
}

/// Returns the schema with more columns at the end.
pub(super) fn with_columns(schema: &SchemaDescriptor, appended: &[NewColumn]) -> Result<TypePtr, Error> {
    let root = schema.root_schema();
    let failed = |error: ParquetError| Error::Usage(format!("columns cannot be appended: {error}"));
    let mut fields = root.get_fields().to_vec();
    for new in appended {
        if root.get_fields().iter().any(|field| field.name() == new.name) {
            return Err(same_name(new));
        }
        let (physical, logical) = match ValueType::of(new.content) {
            ValueType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ValueType::Number => (PhysicalType::INT64, None),
            ValueType::Truth => (PhysicalType::BOOLEAN, None),
        };
        let column = Type::primitive_type_builder(&new.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build();
        fields.push(Arc::new(column.map_err(failed)?));
    }
    let schema = Type::group_type_builder(root.name()).with_fields(fields).build().map_err(failed)?;
    Ok(Arc::new(schema))
}

/// Returns the metadata with the appended columns in the schemas of Arrow and Spark. One that cannot be read is left out,
/// because readers of the file would not find the new columns in it.
pub(super) fn with_new_columns(metadata: Vec<KeyValue>, appended: &[NewColumn]) -> Vec<KeyValue> {
    let add = |mut entry: KeyValue| {
        let with: fn(&str, &[NewColumn]) -> Option<String> = match entry.key.as_str() {
            ARROW_SCHEMA => arrow_schema_with,
            SPARK_SCHEMA => spark_schema_with,
            _ => return Some(entry),
        };
        entry.value = Some(with(entry.value.as_deref()?, appended)?);
        Some(entry)
    };
    metadata.into_iter().filter_map(add).collect()
}

/// Adds columns to Spark's schema, which is JSON.
fn spark_schema_with(encoded: &str, appended: &[NewColumn]) -> Option<String> {
    let mut schema: serde_json::Value = serde_json::from_str(encoded).ok()?;
    let fields = schema.get_mut("fields")?.as_array_mut()?;
    fields.extend(appended.iter().map(|new| {
        let of_values = match ValueType::of(new.content) {
            ValueType::Text => "string",
            ValueType::Number => "long",
            ValueType::Truth => "boolean",
        };
        serde_json::json!({"name": new.name, "type": of_values, "nullable": true, "metadata": {}})
    }));
    Some(schema.to_string())
}

/// Adds columns to Arrow's schema, encoded as in the metadata.
fn arrow_schema_with(encoded: &str, appended: &[NewColumn]) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(encoded).ok()?;
    // Skip the marker and the length before the message.
    let message = if bytes.starts_with(&[0xff; 4]) { bytes.get(8..)? } else { &bytes };
    let message = arrow_ipc::root_as_message(message).ok()?;
    let schema = arrow_ipc::convert::try_fb_to_schema(message.header_as_schema()?).ok()?;
    let new = appended.iter().map(|new| Arc::new(new.field(&DataType::Utf8)));
    let fields: Vec<_> = schema.fields().iter().cloned().chain(new).collect();
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    let (mut tracker, options) = (DictionaryTracker::new(true), IpcWriteOptions::default());
    let new = IpcDataGenerator::default()
        .schema_to_bytes_with_dictionary_tracker(&schema, &mut tracker, &options)
        .ipc_message;
    let length = u32::try_from(new.len()).ok()?;
    Some(BASE64_STANDARD.encode([&[0xff; 4][..], &length.to_le_bytes(), &new].concat()))
}
