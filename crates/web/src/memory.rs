//! Buffers that JavaScript writes and calls read. They are kept in a list and found by their addresses, so that a wrong
//! address is only an error: no pointer is dereferenced.

use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// The address of a buffer.
fn address(buffer: &[u8]) -> usize {
    buffer.as_ptr() as usize
}

/// Allocates `length` bytes. No other buffer has the same address.
pub(crate) fn alloc(length: usize) -> usize {
    // An empty buffer would have no address of its own.
    let mut buffer = vec![0; length.max(1)];
    // The compiler cannot see the writes from outside; exposing the address permits them.
    let start = buffer.as_mut_ptr() as usize;
    BUFFERS.with_borrow_mut(|buffers| buffers.push(buffer));
    start
}

/// Frees a buffer. Ignores an unknown address.
pub(crate) fn release(start: usize) {
    BUFFERS.with_borrow_mut(|buffers| buffers.retain(|buffer| address(buffer) != start));
}

/// Calls `read` with a part of a buffer, which is taken out of the list meanwhile.
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

/// Writes to a buffer, like JavaScript.
#[cfg(test)]
pub(crate) fn write(start: usize, bytes: &[u8]) {
    BUFFERS.with_borrow_mut(|buffers| {
        let buffer = buffers.iter_mut().find(|buffer| address(buffer) == start).expect("a buffer");
        buffer[..bytes.len()].copy_from_slice(bytes);
    });
}
