//! Bytes that JavaScript writes and the calls read. Each buffer stays in a list under its address, so that a wrong address is an
//! error and nothing else: no pointer is followed.

use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// The address of a buffer.
fn address(buffer: &[u8]) -> usize {
    buffer.as_ptr() as usize
}

/// Makes room for `length` bytes. The address is not that of any other buffer.
pub(crate) fn alloc(length: usize) -> usize {
    // A buffer of no bytes has no address of its own.
    let mut buffer = vec![0; length.max(1)];
    // What writes to it is not seen from here: this makes the address one that may be written to.
    let start = buffer.as_mut_ptr() as usize;
    BUFFERS.with_borrow_mut(|buffers| buffers.push(buffer));
    start
}

/// Gives a buffer back. An address that is none is nothing.
pub(crate) fn release(start: usize) {
    BUFFERS.with_borrow_mut(|buffers| buffers.retain(|buffer| address(buffer) != start));
}

/// What stands in a part of a buffer, taken out of the list while `read` has it.
///
/// # Errors
/// No buffer holds these bytes.
pub(crate) fn with<T>(part: Range<usize>, read: impl FnOnce(&[u8]) -> T) -> Result<T, String> {
    BUFFERS.with_borrow(|buffers| {
        let holds = |buffer: &&Vec<u8>| address(buffer) <= part.start && part.end <= address(buffer) + buffer.len();
        let words = || format!("no buffer of alloc() holds the {} bytes at {}", part.len(), part.start);
        let buffer = buffers.iter().find(holds).filter(|_| part.start <= part.end).ok_or_else(words)?;
        Ok(read(&buffer[part.start - address(buffer)..part.end - address(buffer)]))
    })
}

/// Writes to a buffer, as JavaScript does.
#[cfg(test)]
pub(crate) fn write(start: usize, bytes: &[u8]) {
    BUFFERS.with_borrow_mut(|buffers| {
        let buffer = buffers.iter_mut().find(|buffer| address(buffer) == start).expect("a buffer");
        buffer[..bytes.len()].copy_from_slice(bytes);
    });
}
