//! Columns through the C interfaces of Arrow.

#![expect(unsafe_code)] // structures of these interfaces, which were just made

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, to_ffi};
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::types::Int8Type;
use arrow_array::{Array, ArrayRef, BinaryArray, DictionaryArray, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field};
use gridmill_columns::exchange::{stream_of, take_array, take_stream};
use gridmill_columns::{BadStrings, Session, convert};

const ROWS: [Option<&str>; 5] =
    [Some("not of the slice"), Some("2222"), None, Some(""), Some("a string that is longer")];

/// The same strings as slices of all types, and an empty slice of each.
fn columns() -> Vec<ArrayRef> {
    let binary = ROWS.map(|row| row.map(str::as_bytes)).to_vec();
    let all: [ArrayRef; 5] = [
        Arc::new(StringArray::from(ROWS.to_vec())),
        Arc::new(LargeStringArray::from(ROWS.to_vec())),
        Arc::new(StringViewArray::from(ROWS.to_vec())),
        Arc::new(BinaryArray::from(binary)),
        Arc::new(ROWS.into_iter().collect::<DictionaryArray<Int8Type>>()),
    ];
    all.iter().flat_map(|array| [array.slice(1, 4), array.slice(5, 0)]).collect()
}

/// A field for a column: with metadata and, for a dictionary, an order.
fn field(column: &ArrayRef) -> Field {
    let metadata = HashMap::from([("ARROW:extension:name".into(), "board".into())]);
    let is_dictionary = matches!(column.data_type(), DataType::Dictionary(..));
    Field::new("board", column.data_type().clone(), false).with_metadata(metadata).with_dict_is_ordered(is_dictionary)
}

/// An array that is passed through the interface.
fn exchanged(array: &ArrayRef) -> ArrayRef {
    let (mut array, schema) = to_ffi(&array.to_data()).unwrap();
    // SAFETY: both were just made, from the same array.
    unsafe { take_array(&mut array, &schema) }.unwrap().0
}

#[test]
fn columns_come_and_go() {
    for column in columns() {
        let taken = exchanged(&column);
        assert_eq!(taken.to_data(), column.to_data());
        drop(column);
        let done = convert(&[taken], &Session::default(), BadStrings::Keep).unwrap().chunks;
        let back = exchanged(&done[0]);
        back.to_data().validate_full().unwrap();
        assert_eq!(back.to_data(), done[0].to_data());
    }
}

#[test]
fn arrays_give_their_field() {
    for column in columns() {
        let field = field(&column);
        let (mut array, schema) = (FFI_ArrowArray::new(&column.to_data()), FFI_ArrowSchema::try_from(&field).unwrap());
        // SAFETY: both were just made, from the same array.
        let (_, taken) = unsafe { take_array(&mut array, &schema) }.unwrap();
        assert_eq!((&taken, taken.dict_is_ordered()), (&field, field.dict_is_ordered()));
    }
}

#[test]
fn streams_give_their_chunks_and_their_field() {
    for column in columns() {
        for chunks in [vec![], vec![column.clone()], vec![column.clone(), column.slice(0, 0), column.clone()]] {
            let field = field(&column);
            let mut stream = stream_of(chunks.clone(), &field);
            // SAFETY: it was just made.
            let (taken, taken_field) = unsafe { take_stream(&mut stream) }.unwrap();
            assert_eq!((&taken_field, taken_field.dict_is_ordered()), (&field, field.dict_is_ordered()));
            assert!(taken.iter().map(|chunk| chunk.to_data()).eq(chunks.iter().map(|chunk| chunk.to_data())));
            // SAFETY: it is left released, which is only an error.
            assert!(unsafe { take_stream(&mut stream) }.is_err());
        }
    }
}

/// Chunks that are not read are freed; Miri would report a leak.
#[test]
fn streams_that_are_not_read_to_their_end_are_freed() {
    let [column, ..] = &columns()[..] else { panic!("there are columns") };
    drop(stream_of(vec![column.clone(); 3], &field(column)));
    let stream = stream_of(vec![column.clone(); 3], &field(column));
    let mut reader = ArrayStreamReader::try_new(stream).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().to_data(), column.to_data());
}
