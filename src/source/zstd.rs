//! zstd: our own archives (see [`crate::frames`]) frame by frame, everything else as a stream.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use zstd::zstd_safe::{
    self, DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, find_frame_compressed_size, get_frame_content_size,
};

use super::LARGE;
use super::raw::Raw;
use crate::error::Error;
use crate::frames::{
    self, FIRST_HEADER, First, Frame, FrameBlock, Head, MAX_COMPRESSED, PEEK, SKIPPABLE_HEAD, Totals, field, is_ours,
    is_skippable,
};

/// The largest window of a foreign frame, as a power of 2. The zstd program has the same default.
const WINDOW_LOG: u32 = 27;
/// Bytes of text decoded at a time from a foreign frame.
const STEP: usize = 128 * 1024;
/// Compressed bytes read at a time, so that a wrong length in a truncated file does not cost memory.
const PORTION: usize = 1 << 20;

/// A zstd input.
pub(super) struct Zstd {
    raw: Raw,
    /// Totals of the frames so far, within an archive of our own.
    archive: Option<Totals>,
    /// A head whose frame was not taken yet.
    head: Option<Head>,
    /// The frame of `head`, if it was read to find out where it ends, and its offset.
    first: Option<(Spare, u64)>,
    /// Whether the reader is in the middle of a foreign frame.
    foreign: bool,
    /// Where the last foreign frame begins, for errors. How far into it the decoder had come depends on how much input
    /// it was given at a time.
    began: u64,
    context: DCtx<'static>,
    /// Text that was decoded and not yet taken.
    pending: Vec<u8>,
    start: usize,
    pool: Pool,
}

/// A frame of our own: its head and its compressed bytes.
pub(super) struct OwnFrame {
    pub(super) head: Head,
    /// Offset of the frame in the raw input.
    position: u64,
    spare: Spare,
    pool: Pool,
}

/// What is needed to decode a frame: a buffer for compressed bytes, and a decoder.
struct Spare {
    compressed: Vec<u8>,
    context: DCtx<'static>,
}

/// Buffers and decoders to be reused, as many as frames were decoded at the same time.
type Pool = Arc<Mutex<Vec<Spare>>>;

/// What comes next in the input.
enum NextFrame {
    Own(Head),
    Foreign,
    End,
}

impl Zstd {
    pub(super) fn new(raw: Raw) -> Result<Self, Error> {
        let mut context = new_context()?;
        context.set_parameter(DParameter::WindowLogMax(WINDOW_LOG)).map_err(internal)?;
        Ok(Self {
            raw,
            archive: None,
            head: None,
            first: None,
            foreign: false,
            began: 0,
            context,
            pending: Vec::new(),
            start: 0,
            pool: Pool::default(),
        })
    }

    /// Like [`Raw::ready`].
    pub(super) fn ready(&self) -> bool {
        self.start < self.pending.len() || self.raw.ready()
    }

    /// The next frame, if it can be decoded on its own: it is one of ours, its text [ends a line](frames::ends_line) and is
    /// not large, and no earlier text is left. (The text of large frames is decoded in order, and cut into chunks.)
    pub(super) fn whole_frame(&mut self) -> Result<Option<OwnFrame>, Error> {
        if self.start < self.pending.len() {
            return Ok(None);
        }
        match self.step()? {
            NextFrame::Own(head) if head.ends_line && head.text as usize <= LARGE => self.take_frame(head).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether more text follows.
    pub(super) fn more(&mut self) -> Result<bool, Error> {
        loop {
            if self.start < self.pending.len() {
                return Ok(true);
            }
            match self.step()? {
                NextFrame::Own(_) => return Ok(true),
                NextFrame::End => return Ok(false),
                NextFrame::Foreign => self.decode_foreign()?,
            }
        }
    }

    /// Appends up to `want` bytes of text and returns their number, which is 0 at the end only.
    pub(super) fn append(&mut self, buffer: &mut Vec<u8>, want: usize) -> Result<usize, Error> {
        loop {
            let ready = &self.pending[self.start..];
            if !ready.is_empty() {
                let count = ready.len().min(want);
                buffer.extend_from_slice(&ready[..count]);
                self.start += count;
                return Ok(count);
            }
            match self.step()? {
                NextFrame::End => return Ok(0),
                NextFrame::Foreign => self.decode_foreign()?,
                NextFrame::Own(head) => {
                    let frame = self.take_frame(head)?;
                    self.start = 0;
                    frame.decode(self.raw.path(), &mut self.pending)?;
                }
            }
        }
    }

    /// Reads up to the next frame with text.
    fn step(&mut self) -> Result<NextFrame, Error> {
        loop {
            if self.foreign {
                return Ok(NextFrame::Foreign);
            }
            if let Some(head) = self.head {
                return Ok(NextFrame::Own(head));
            }
            let first = self.raw.fill(PEEK)?;
            if first.is_empty() {
                if self.archive.is_some() {
                    return Err(self.damaged("it ends without its end record, so it was truncated or never finished"));
                }
                return Ok(NextFrame::End);
            }
            match field(first, 0) {
                Some(magic) if is_skippable(magic) && is_ours(first) => self.own_frame()?,
                Some(magic) if is_skippable(magic) => self.skip()?,
                Some(frames::ZSTD_MAGIC) => match (First::read(first), self.archive) {
                    (Some(first), None) => self.first_frame(first)?,
                    (Some(_), Some(_)) => return Err(self.damaged("the archive before this one has no end record")),
                    (None, Some(_)) => return Err(self.damaged("a frame header is missing")),
                    (None, None) => {
                        self.context.reset(ResetDirective::SessionOnly).map_err(internal)?;
                        self.foreign = true;
                        self.began = self.raw.position();
                    }
                },
                Some(_) => return Err(self.damaged("the compressed data ends here, but something else follows")),
                None => return Err(self.damaged("truncated inside a frame")),
            }
        }
    }

    /// Reads the first frame of an archive of our own, block by block, since nothing says how long it is.
    fn first_frame(&mut self, first: First) -> Result<(), Error> {
        const CHECKSUM: usize = 4;
        let began = self.raw.position();
        let mut spare = self.spare()?;
        let frame = &mut spare.compressed;
        self.append_exactly(frame, FIRST_HEADER)?;
        loop {
            self.append_exactly(frame, FrameBlock::HEADER)?;
            let block = frame.last_chunk().map_or(Err("truncated inside a frame"), |header| FrameBlock::read(*header));
            let block = block.map_err(|message| self.damaged(message))?;
            if frame.len() + block.bytes + CHECKSUM > MAX_COMPRESSED {
                return Err(self.damaged("a frame is longer than its text can be"));
            }
            self.append_exactly(frame, block.bytes)?;
            if block.last {
                break;
            }
        }
        self.append_exactly(frame, CHECKSUM)?;
        let head = Head::of_first(frame, first);
        let mut totals = Totals::default();
        totals.add(&head);
        self.archive = Some(totals);
        if first.text > 0 {
            (self.head, self.first) = (Some(head), Some((spare, began)));
        } else if *frame != First::empty() {
            return Err(damaged(self.raw.path(), began, "a frame does not match its header"));
        }
        Ok(())
    }

    /// Reads one of our skippable frames.
    fn own_frame(&mut self) -> Result<(), Error> {
        let length = frames::length(self.raw.ahead()).map_err(|m| self.damaged(m))?;
        let frame = frames::parse(self.raw.fill(length)?).map_err(|m| self.damaged(m))?;
        match (frame, self.archive) {
            (Frame::Mark, None) => self.archive = Some(Totals::default()),
            (Frame::Mark, Some(_)) => return Err(self.damaged("the archive before this mark has no end record")),
            (Frame::Head(head), Some(mut totals)) => {
                totals.add(&head);
                self.archive = Some(totals);
                self.head = Some(head);
            }
            (Frame::End(end), Some(totals)) if end == totals => self.archive = None,
            (Frame::End(_), Some(_)) => {
                return Err(self.damaged("frames are missing, doubled or out of order: the end record does not agree"));
            }
            (Frame::Head(_) | Frame::End(_), None) => {
                return Err(self.damaged("the beginning of the archive is missing"));
            }
        }
        self.raw.take_ahead(length);
        Ok(())
    }

    /// Skips a skippable frame of another program.
    fn skip(&mut self) -> Result<(), Error> {
        if self.archive.is_some() {
            return Err(self.damaged("there is a foreign frame between the frames"));
        }
        let Some(payload) = field(self.raw.ahead(), 4) else { return Err(self.damaged("truncated inside a frame")) };
        let mut left = SKIPPABLE_HEAD as u64 + u64::from(payload);
        while left > 0 {
            let ahead = self.raw.fill(1)?.len();
            if ahead == 0 {
                return Err(self.damaged("truncated inside a frame"));
            }
            let count = (ahead as u64).min(left);
            self.raw.take_ahead(count as usize); // not more than `ahead`
            left -= count;
        }
        Ok(())
    }

    /// Returns the compressed bytes of the frame of `head`.
    fn take_frame(&mut self, head: Head) -> Result<OwnFrame, Error> {
        let (spare, position) = match self.first.take() {
            Some(first) => first,
            None => {
                let position = self.raw.position();
                let mut spare = self.spare()?;
                self.append_exactly(&mut spare.compressed, head.compressed as usize)?; // at most MAX_COMPRESSED
                (spare, position)
            }
        };
        self.head = None;
        Ok(OwnFrame { head, position, spare, pool: Arc::clone(&self.pool) })
    }

    /// A decoder, and an empty buffer.
    fn spare(&self) -> Result<Spare, Error> {
        let spare = self.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut spare = match spare {
            Some(spare) => spare,
            None => Spare { compressed: Vec::new(), context: new_context()? },
        };
        spare.compressed.clear();
        Ok(spare)
    }

    /// Appends the next `count` bytes of a frame.
    fn append_exactly(&mut self, buffer: &mut Vec<u8>, count: usize) -> Result<(), Error> {
        let end = buffer.len() + count;
        while buffer.len() < end {
            let want = (end - buffer.len()).min(PORTION);
            if self.raw.append_all(buffer, want)? < want {
                return Err(self.damaged("truncated inside a frame"));
            }
        }
        Ok(())
    }

    /// Decodes a part of a foreign frame.
    fn decode_foreign(&mut self) -> Result<(), Error> {
        self.pending.clear();
        self.start = 0;
        self.pending.reserve_exact(STEP);
        self.raw.fill(1)?;
        let mut input = InBuffer::around(self.raw.ahead());
        let at_end = self.raw.ahead().is_empty();
        let mut output = OutBuffer::around(&mut self.pending);
        let hint = self.context.decompress_stream(&mut output, &mut input);
        let (read, written) = (input.pos(), output.pos());
        let hint = hint.map_err(|code| damaged(self.raw.path(), self.began, decoder_message(code)))?;
        self.raw.take_ahead(read);
        self.foreign = hint != 0;
        if self.foreign && at_end && written == 0 {
            return Err(self.damaged("truncated inside a frame"));
        }
        Ok(())
    }

    fn damaged(&self, message: &str) -> Error {
        damaged(self.raw.path(), self.raw.position(), message)
    }
}

fn damaged(path: &Path, position: u64, message: &str) -> Error {
    if message == NO_MEMORY {
        return no_memory();
    }
    if message == OTHER_DICTIONARY {
        return Error::file(
            path,
            "was compressed with a dictionary of zstd, without which it cannot be read; decompress it first: \
             zstd -dc -D DICTIONARY FILE | gridmill ...",
        );
    }
    Error::archive(path, format!("{message} (byte {position})"))
}

fn decoder_message(code: usize) -> &'static str {
    match zstd_safe::get_error_name(code) {
        "Frame requires too much memory for decoding" => {
            "a frame needs a window of more than 128 MiB; decompress it first: zstd -d --long=31 FILE"
        }
        // Of a frame with more text than it says. Where the buffer has room for that, the library finds it corrupted.
        "Destination buffer is too small" => "Data corruption detected",
        name => name,
    }
}

fn new_context() -> Result<DCtx<'static>, Error> {
    DCtx::try_create().ok_or_else(no_memory)
}

/// What the library says if a frame needs a dictionary.
const OTHER_DICTIONARY: &str = "Dictionary mismatch";

/// What the library says if an allocation fails.
const NO_MEMORY: &str = "Allocation error : not enough memory";

fn no_memory() -> Error {
    Error::OutOfMemory("none left for a zstd decoder")
}

fn internal(code: usize) -> Error {
    if zstd_safe::get_error_name(code) == NO_MEMORY {
        return no_memory();
    }
    Error::Internal(format!("zstd: {}", zstd_safe::get_error_name(code)))
}

impl OwnFrame {
    /// Decodes the frame into `text`. Called without the lock of the source.
    pub(super) fn decode(mut self, path: &Path, text: &mut Vec<u8>) -> Result<(), Error> {
        let Spare { compressed, context } = &mut self.spare;
        decode(&self.head, compressed, context, text).map_err(|message| damaged(path, self.position, message))?;
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(self.spare);
        Ok(())
    }
}

/// Decodes one frame, which must match its head exactly.
fn decode(head: &Head, compressed: &[u8], context: &mut DCtx<'static>, text: &mut Vec<u8>) -> Result<(), &'static str> {
    const DIFFERS: &str = "a frame does not match its header";
    let checksum = compressed.last_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let size = find_frame_compressed_size(compressed).map_err(zstd_safe::get_error_name)?;
    let content = get_frame_content_size(compressed).map_err(|_| DIFFERS)?;
    if size != compressed.len() || content != Some(u64::from(head.text)) || checksum != Some(head.checksum) {
        return Err(DIFFERS);
    }
    text.clear();
    text.reserve_exact(head.text as usize); // at most MAX_TEXT
    context.decompress(text, compressed).map_err(decoder_message)?;
    // In older archives, any line end was one.
    let ends_line = frames::ends_line(text) || head.ends_line && text.last() == Some(&b'\n');
    if text.len() != head.text as usize || ends_line != head.ends_line {
        return Err(DIFFERS);
    }
    Ok(())
}
