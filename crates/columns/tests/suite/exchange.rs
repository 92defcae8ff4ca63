//! Columns through the C interfaces of Arrow.

#![expect(unsafe_code)] // structures of these interfaces, which were just made

use std::sync::Arc;

use arrow_array::ffi::to_ffi;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::types::Int8Type;
use arrow_array::{Array, ArrayRef, BinaryArray, DictionaryArray, LargeStringArray, StringArray, StringViewArray};
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

/// An array that is passed through the interface.
fn exchanged(array: &ArrayRef) -> ArrayRef {
    let (mut array, schema) = to_ffi(&array.to_data()).unwrap();
    // SAFETY: both were just made, from the same array.
    unsafe { take_array(&mut array, &schema) }.unwrap()
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
fn streams_give_their_chunks_and_their_type() {
    for column in columns() {
        for chunks in [vec![], vec![column.clone()], vec![column.clone(), column.slice(0, 0), column.clone()]] {
            let mut stream = stream_of(chunks.clone(), column.data_type());
            // SAFETY: it was just made.
            let (taken, data_type) = unsafe { take_stream(&mut stream) }.unwrap();
            assert_eq!(&data_type, column.data_type());
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
    drop(stream_of(vec![column.clone(); 3], column.data_type()));
    let stream = stream_of(vec![column.clone(); 3], column.data_type());
    let mut reader = ArrayStreamReader::try_new(stream).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().to_data(), column.to_data());
}
