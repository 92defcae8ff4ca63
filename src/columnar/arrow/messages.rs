//! Checks messages before they are decoded: the decoder reserves memory for buffers as long as they say to be.

use std::fs::File;
use std::io::{self, Read};

use arrow_ipc::{Block, CompressionType, Message, RecordBatch, root_as_footer, root_as_message};

use crate::columnar::damage;
use crate::platform::read_exact_at;

/// The first bytes of a file, which are also its last.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";

/// The bytes before the length of a message.
pub(super) const CONTINUATION: [u8; 4] = [0xff; 4];

/// The bytes before a compressed buffer, which say how long it is without compression.
const LENGTH_BYTES: u64 = 8;

/// The most bytes that a byte of LZ4 can stand for.
const MAX_LZ4: u64 = 256;

/// The error for what is not as the file says.
fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged; its buffers are not as long as it says")
}

/// Where the batches of a file are, according to its end. All dictionaries have been checked.
pub(super) fn blocks_of(file: &File) -> io::Result<Vec<Block>> {
    let length = file.metadata()?.len();
    let tail_bytes = 4 + MAGIC.len() as u64;
    let mut tail = [0; 4];
    read_exact_at(file, &mut tail, length.saturating_sub(tail_bytes))?;
    let footer = u64::from(u32::from_le_bytes(tail));
    let start = length.checked_sub(tail_bytes).and_then(|end| end.checked_sub(footer)).ok_or_else(damaged)?;
    let bytes = bytes_at(file, start, footer)?;
    // The reader says what is wrong with it.
    let Ok(footer) = root_as_footer(&bytes) else { return Ok(Vec::new()) };
    for block in footer.dictionaries().into_iter().flatten() {
        check_block(file, block)?;
    }
    Ok(footer.recordBatches().into_iter().flatten().copied().collect())
}

/// Checks a block of a file: whether it is there, and its buffers.
pub(super) fn check_block(file: &File, block: &Block) -> io::Result<()> {
    let number = |number: i64| u64::try_from(number).map_err(|_| damaged());
    let (start, body) = (number(block.offset())?, number(block.bodyLength())?);
    let metadata = number(block.metaDataLength().into())?;
    let message = bytes_at(file, start, metadata)?;
    let (place, length) = (start + metadata, file.metadata()?.len());
    if place.checked_add(body).is_none_or(|end| end > length) {
        return Err(damaged());
    }
    check_buffers(&message_in(&message)?, body, |at, length| bytes_at(file, place + at, length))
}

/// The compression of a block of a file, if it can be read. (The first block is not always at the same place: some
/// writers fill up the bytes before it to a multiple of 64.)
pub(super) fn compression_of(file: &File, block: &Block) -> Option<CompressionType> {
    let (start, metadata) = (u64::try_from(block.offset()).ok()?, u64::try_from(block.metaDataLength()).ok()?);
    let message = bytes_at(file, start, metadata).ok()?;
    Some(compressed(&message_in(&message).ok()?)?.1)
}

/// The message after its prefix.
fn message_in(bytes: &[u8]) -> io::Result<Message<'_>> {
    let prefix = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
    bytes.get(prefix..).and_then(|message| root_as_message(message).ok()).ok_or_else(damaged)
}

/// Reads bytes of a file, if they are there.
fn bytes_at(file: &File, start: u64, length: u64) -> io::Result<Vec<u8>> {
    let all = file.metadata()?.len();
    if start.checked_add(length).is_none_or(|end| end > all) {
        return Err(damaged());
    }
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| damaged())?];
    read_exact_at(file, &mut bytes, start)?;
    Ok(bytes)
}

/// The batch in a message, if its buffers are compressed.
fn compressed<'m>(message: &Message<'m>) -> Option<(RecordBatch<'m>, CompressionType)> {
    let of_dictionary = || message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let batch = message.header_as_record_batch().or_else(of_dictionary)?;
    Some((batch, batch.compression()?.codec()))
}

/// Checks the compressed buffers of a message with this length of the body. `get` returns some bytes of the body.
fn check_buffers(message: &Message<'_>, body: u64, get: impl Fn(u64, u64) -> io::Result<Vec<u8>>) -> io::Result<()> {
    let Some((batch, codec)) = compressed(message) else { return Ok(()) };
    for buffer in batch.buffers().into_iter().flatten() {
        let (Ok(start), Ok(length)) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length())) else {
            return Err(damaged());
        };
        if start.checked_add(length).is_none_or(|end| end > body) {
            return Err(damaged());
        }
        let Some(bytes) = length.checked_sub(LENGTH_BYTES) else { continue };
        let says = get(start, LENGTH_BYTES)?.try_into().map_or(0, i64::from_le_bytes);
        // It is -1 if the buffer is not compressed.
        let Ok(says) = u64::try_from(says) else { continue };
        let is_there = match codec {
            _ if damage::is_usual(bytes, says) => true,
            CompressionType::LZ4_FRAME => says <= bytes.saturating_mul(MAX_LZ4),
            _ => damage::zstd_gives(&get(start + LENGTH_BYTES, bytes)?, says),
        };
        if !is_there {
            return Err(damaged());
        }
    }
    Ok(())
}

/// A stream whose messages are checked as they are read.
pub(super) struct CheckedStream<R> {
    stream: R,
    /// Bytes that were checked, and how many of them were given.
    ready: Vec<u8>,
    given: usize,
    /// How many bytes of a body follow that need no check.
    body: u64,
}

impl<R: Read> CheckedStream<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, ready: Vec::new(), given: 0, body: 0 }
    }

    /// Reads the next message. If it cannot be understood, the reader says why.
    fn prepare(&mut self) -> io::Result<()> {
        (self.ready, self.given) = (Vec::new(), 0);
        let mut more = |bytes: u64, ready: &mut Vec<u8>| {
            let read = self.stream.by_ref().take(bytes).read_to_end(ready)?;
            Ok::<_, io::Error>(read as u64 == bytes)
        };
        if !more(4, &mut self.ready)? || (self.ready == CONTINUATION && !more(4, &mut self.ready)?) {
            return Ok(());
        }
        let start = self.ready.len();
        let length = self.ready.last_chunk().map_or(0, |length| i32::from_le_bytes(*length));
        if length <= 0 || !more(length.unsigned_abs().into(), &mut self.ready)? {
            return Ok(());
        }
        let metadata = self.ready[start..].to_vec();
        let Ok(message) = root_as_message(&metadata) else { return Ok(()) };
        let body = u64::try_from(message.bodyLength()).unwrap_or(0);
        if compressed(&message).is_none() {
            self.body = body;
            return Ok(());
        }
        let place = self.ready.len();
        if !more(body, &mut self.ready)? {
            return Ok(());
        }
        let bytes = &self.ready[place..];
        check_buffers(&message, body, |at, length| Ok(bytes[at as usize..(at + length) as usize].to_vec()))
    }
}

impl<R: Read> Read for CheckedStream<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() && self.body == 0 && !into.is_empty() {
            self.prepare()?;
        }
        let ready = &self.ready[self.given..];
        if !ready.is_empty() {
            let bytes = ready.len().min(into.len());
            into[..bytes].copy_from_slice(&ready[..bytes]);
            self.given += bytes;
            return Ok(bytes);
        }
        let most = into.len().min(usize::try_from(self.body).unwrap_or(usize::MAX));
        let bytes = self.stream.read(&mut into[..most])?;
        self.body -= bytes as u64;
        Ok(bytes)
    }
}
