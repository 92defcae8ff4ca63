//! Exchanges arrays and streams of arrays through the C interfaces of Arrow.

#![expect(unsafe_code)] // pointers of the C interfaces

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, make_array};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Field};

/// Takes an array out of its structure, which is released. Returns it with its field: the name is usually empty, but a
/// dictionary may be ordered there, and the metadata may name an extension type.
///
/// # Errors
/// The structures do not describe an array.
///
/// # Safety
/// Both pointers point to valid structures of these types that are not released, and the array matches its schema.
pub unsafe fn take_array(
    array: *mut FFI_ArrowArray,
    schema: *const FFI_ArrowSchema,
) -> Result<(ArrayRef, Field), ArrowError> {
    // SAFETY: as the caller promises.
    let (schema, array) = unsafe { (&*schema, FFI_ArrowArray::from_raw(array)) };
    // SAFETY: as the caller promises.
    let array = make_array(unsafe { from_ffi(array, schema) }?);
    // Metadata may be any bytes; if they are no text, the array is read without them.
    let without = |_| Field::new("", array.data_type().clone(), true).with_dict_is_ordered(schema.dictionary_ordered());
    let field = Field::try_from(schema).unwrap_or_else(without);
    Ok((array, field))
}

/// Takes all arrays out of a stream, which is released. Returns them with their field.
///
/// # Errors
/// The stream returns an error.
///
/// # Safety
/// The pointer points to a valid stream that is not released, and its arrays match its schema.
pub unsafe fn take_stream(stream: *mut FFI_ArrowArrayStream) -> Result<(Vec<ArrayRef>, Field), ArrowError> {
    // SAFETY: as the caller promises.
    let reader = unsafe { ArrayStreamReader::from_raw(stream) }?;
    let field = reader.field().as_ref().clone();
    Ok((reader.collect::<Result<_, _>>()?, field))
}

/// Makes a stream of chunks, which have this field.
pub fn stream_of(chunks: Vec<ArrayRef>, of: &Field) -> FFI_ArrowArrayStream {
    let chunks = Box::new(ExportedChunks { chunks: chunks.into_iter(), field: of.clone() });
    let (schema, next): (GetSchema, GetNext) = (get_schema, get_next);
    // SAFETY: the functions are those below. They take a stream whose private data is the box made here, and `release`
    // frees it once. The chunks may be sent to other threads, as a stream may.
    unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(schema),
            Some(next),
            Some(get_last_error),
            Some(release),
            Box::into_raw(chunks).cast(),
        )
    }
}

type GetSchema = unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut FFI_ArrowSchema) -> c_int;
type GetNext = unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut FFI_ArrowArray) -> c_int;

/// The chunks that a stream has not yet returned.
struct ExportedChunks {
    chunks: std::vec::IntoIter<ArrayRef>,
    field: Field,
}

/// EINVAL, which the interface prescribes for types that cannot be exported.
const INVALID: c_int = 22;

/// # Safety
/// `stream` was made by [`stream_of`] and is not released, and `to` may be written.
unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, to: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the private data of such a stream has this type, and nobody else uses it during the call.
    let chunks = unsafe { &mut *(*stream).private_data().cast::<ExportedChunks>() };
    let Ok(schema) = FFI_ArrowSchema::try_from(&chunks.field) else { return INVALID };
    // SAFETY: `to` may be written, as the caller promises. Its old contents must not be dropped.
    unsafe { ptr::write(to, schema) };
    0
}

/// # Safety
/// The same as for [`get_schema`].
unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, to: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    let chunks = unsafe { &mut *(*stream).private_data().cast::<ExportedChunks>() };
    // The end of the stream is a released array.
    let array = chunks.chunks.next().map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data()));
    // SAFETY: as in `get_schema`.
    unsafe { ptr::write(to, array) };
    0
}

/// # Safety
/// This function is always safe to call.
unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

/// # Safety
/// `stream` was made by [`stream_of`]. It is released after this call.
unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: a stream is released only once, and nobody else uses the box in its private data.
    unsafe {
        drop(Box::from_raw((*stream).set_private_data(ptr::null_mut::<c_void>()).cast::<ExportedChunks>()));
        (*stream).set_release(None);
    }
}
