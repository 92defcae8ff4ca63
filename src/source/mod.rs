//! Bytes in: inputs become chunks of whole lines, which any number of threads may pull.
//!
//! - [`Source`]: opens the inputs, and cuts and reads chunks in order.
//! - `open`: what each input is, and whether it is unchanged at the end.
//! - `sniff`: recognises text, gzip, zstd and files with columns by the first bytes; `foreign`: files that are not read.
//! - `regular`: uncompressed regular files, mapped or read in parallel.
//! - `stream`: everything that is cut in order, over `raw`; archives through `gzip` and `zstd`; `utf16`: becomes UTF-8.
//! - `ahead`: regular files that are cut in order, read in parallel; `blocks`: what its threads share.

mod ahead;
mod blocks;
mod chunk;
mod foreign;
mod gzip;
mod large;
pub(crate) mod open;
mod raw;
mod regular;
mod sniff;
mod stream;
mod utf16;
mod zstd;

use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use crate::platform::install_fault_handler;
pub use chunk::{Chunk, ChunkShape};

use crate::error::Error;
use crate::frames;
use crate::framing::chunk::Limits;
use crate::framing::cutter::Cutter;
use crate::platform::FileId;
use ahead::Ahead;
use chunk::ChunkText;
use large::{Gate, Large};
use open::{InputInfo, Opened, open_all};
use raw::{Bytes, Raw, Shared};
use regular::{RegularPiece, RegularText};
use sniff::{ENOUGH, Sniffed, sniff};
use stream::{Decoder, Stream, StreamPart};

pub use crate::framing::MAX_LINE;
pub(crate) use large::LARGE;
#[cfg(feature = "cli")]
pub(crate) use sniff::{foreign, is_archive};
#[cfg(feature = "cli")]
pub(crate) use utf16::begin_as_utf8;

/// The largest chunk size, in bytes.
pub const MAX_CHUNK_SIZE: usize = 1 << 30;

/// How files are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reading {
    /// Regular files are mapped into memory where the system can; everything else is read.
    #[default]
    Auto,
    /// Like `Auto`, but an input that is not a regular file or cannot be mapped is an error. (Archives are read
    /// nevertheless, since only text is mapped.)
    Mapped,
    /// Nothing is mapped.
    Read,
}

/// One input.
#[non_exhaustive]
pub enum Input {
    /// The standard input. May be given once.
    Stdin,
    /// A file, FIFO or device.
    File(PathBuf),
    /// A reader of the caller.
    Reader {
        /// How messages refer to it.
        name: String,
        /// Provides the bytes.
        reader: Box<dyn Read + Send>,
    },
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("Stdin"),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Reader { name, .. } => f.debug_struct("Reader").field("name", name).finish_non_exhaustive(),
        }
    }
}

/// Inputs as one stream of chunks. Shared by all workers: [`Source::next`] may be called from many threads.
pub struct Source {
    infos: Vec<InputInfo>,
    identities: Vec<FileId>,
    reading: Reading,
    limits: Limits,
    cutter: Option<Box<dyn Cutter>>,
    shared: Arc<Shared>,
    gate: Arc<Gate>,
    /// The input at hand, if it is one that is read ahead.
    ahead: Mutex<Option<Arc<Ahead>>>,
    state: Mutex<SourceState>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("reading", &self.reading).field("limits", &self.limits).finish_non_exhaustive()
    }
}

struct SourceState {
    waiting: VecDeque<Option<Opened>>,
    /// Index of the current input, or of the next one if `current` is `None`.
    index: usize,
    current: Option<Current>,
    sequence: u64,
    ended: bool,
}

enum Current {
    Regular(Box<RegularText>),
    Stream(Box<Stream>),
}

/// The result of [`Source::next`]: a chunk with its number, or the error that ends the stream at this point.
#[derive(Debug)]
pub struct Pulled {
    /// 0, 1, 2... over all inputs. Chunks pulled by different threads are ordered by it.
    pub sequence: u64,
    /// The chunk. After an error, chunks with a higher number must not be used.
    pub chunk: Result<Chunk, Error>,
}

/// The work on a chunk that does not need the lock.
enum PieceWork {
    Piece(RegularPiece, Vec<u8>),
    StreamPart(StreamPart),
}

impl PieceWork {
    /// Length of the chunk's text.
    fn length(&self) -> usize {
        match self {
            Self::Piece(RegularPiece::Mapped { start, end, .. }, _) => end - start,
            Self::Piece(RegularPiece::Placed { length, .. }, _) => *length,
            Self::StreamPart(StreamPart::Text(text)) => text.len(),
            Self::StreamPart(StreamPart::Frame(frame, _)) => frame.head.text as usize,
        }
    }
}

impl Source {
    /// Opens all inputs, so that a missing one is reported before there is output. (FIFOs are opened when reached.)
    ///
    /// A chunk has at least `chunk_size` bytes (1 to [`MAX_CHUNK_SIZE`]) and ends with the next newline. Exceptions
    /// are: the last chunk of an input; the whole lines that a slow pipe has given so far; a frame of our own archives
    /// of at most 2.25 MiB, which always is one chunk; and a line longer than [`MAX_LINE`], which is cut. No other
    /// chunk is longer than `chunk_size` + [`MAX_LINE`] + 1. An empty input gives no chunk.
    ///
    /// # Errors
    /// A file cannot be opened, or not be mapped with [`Reading::Mapped`]; a folder; a size out of range.
    pub fn new(inputs: Vec<Input>, reading: Reading, chunk_size: usize) -> Result<Self, Error> {
        if !(1..=MAX_CHUNK_SIZE).contains(&chunk_size) {
            return Err(Error::Usage(format!("a chunk size must be 1 to {MAX_CHUNK_SIZE} bytes, not {chunk_size}")));
        }
        let (infos, opened) = open_all(inputs, reading)?;
        Ok(Self {
            identities: infos.iter().filter_map(|a| a.stamp.map(|s| s.id)).collect(),
            infos,
            reading,
            limits: Limits { size: chunk_size, line: MAX_LINE },
            cutter: None,
            shared: Arc::default(),
            gate: Arc::default(),
            ahead: Mutex::default(),
            state: Mutex::new(SourceState {
                waiting: opened.into(),
                index: 0,
                current: None,
                sequence: 0,
                ended: false,
            }),
        })
    }

    /// Cuts only lines longer than `bytes` (1 to [`MAX_CHUNK_SIZE`]), instead of [`MAX_LINE`]: for rows that may be
    /// longer. Buffers grow only where there are such lines.
    #[must_use]
    pub fn with_longest_line(mut self, bytes: usize) -> Self {
        self.limits.line = bytes.clamp(1, MAX_CHUNK_SIZE);
        self
    }

    /// The length from which lines are cut.
    pub(crate) fn longest_line(&self) -> usize {
        self.limits.line
    }

    /// Lets `cutter` decide where chunks of any input end. Unless it is [local](Cutter::is_local), all of the text is then
    /// scanned under the lock, and input that is not a regular file is also read there.
    #[must_use]
    pub fn with_cutter(mut self, cutter: Option<Box<dyn Cutter>>) -> Self {
        self.cutter = cutter;
        self
    }

    /// The next chunk, in `buffer` if it needs one (see [`Chunk::into_buffer`]). `None` after the last chunk, after an
    /// error, and after [`Source::stop`].
    ///
    /// The lock is held while the chunk is cut and, for inputs that are read in order, read. Regular files are read and
    /// our own archives decompressed without it.
    pub fn next(&self, buffer: Vec<u8>) -> Option<Pulled> {
        self.pull(buffer, false).unwrap_or(None)
    }

    /// Like [`Source::next`], but while a large chunk from this function is in use, it returns only the buffer. The
    /// caller should then call [`Source::wait`], without holding a chunk.
    pub(crate) fn next_unless_large(&self, buffer: Vec<u8>) -> Result<Option<Pulled>, Vec<u8>> {
        self.pull(buffer, true)
    }

    /// The sequence number of the next chunk.
    pub(crate) fn next_sequence(&self) -> u64 {
        self.state.lock().map_or(0, |state| state.sequence)
    }

    /// Waits until no large chunk is in use.
    pub(crate) fn wait(&self) {
        self.gate.wait();
    }

    fn pull(&self, buffer: Vec<u8>, unless_large: bool) -> Result<Option<Pulled>, Vec<u8>> {
        let (mut large, buffer) = (None, self.read_ahead(buffer));
        let (sequence, index, cut) = {
            let Ok(mut state) = self.state.lock() else {
                // A thread panicked while reading. To return `None` would look like the end of the input.
                let error = Error::Internal("a thread that was reading the input died".into());
                return Ok(Some(Pulled { sequence: u64::MAX, chunk: Err(error) }));
            };
            if state.ended || self.shared.stopped.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if unless_large && self.gate.is_closed() {
                return Err(buffer);
            }
            let cut = self.cut(&mut state, buffer).transpose();
            // After a quote that is never closed, the rest cannot be read.
            let unclosed = |shape: &ChunkShape| shape.quotes.as_ref().is_some_and(|quotes| quotes.unclosed.is_some());
            state.ended = !matches!(&cut, Some(Ok((shape, _))) if !unclosed(shape));
            let Some(cut) = cut else { return Ok(None) };
            if unless_large && cut.as_ref().is_ok_and(|(_, work)| work.length() > LARGE) {
                large = Some(Large::take(&self.gate));
            }
            let sequence = state.sequence;
            state.sequence += 1;
            (sequence, state.index, cut)
        };
        let chunk = cut.and_then(|(shape, job)| self.complete(index, shape, job));
        let chunk = chunk.map(|chunk| Chunk { leads: sequence == 0, _large: large, ..chunk });
        match &chunk {
            Ok(chunk) => _ = self.shared.text.fetch_add(chunk.text().len() as u64, Ordering::Relaxed),
            Err(_) => self.stop(),
        }
        Ok(Some(Pulled { sequence, chunk }))
    }

    /// Reads some of the current input before it is this thread's turn to cut it, if possible; otherwise returns the buffer.
    fn read_ahead(&self, buffer: Vec<u8>) -> Vec<u8> {
        let ahead = self.ahead().clone(); // the lock is not held during the read
        match ahead.filter(|_| !self.shared.stopped.load(Ordering::Relaxed)) {
            Some(ahead) => ahead.read(buffer),
            None => buffer,
        }
    }

    /// Ends the stream: [`Source::next`] returns `None` from now on, and a thread that waits for a pipe stops waiting.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.gate.open();
    }

    /// Checks that no file has changed since it was opened. To be called after the last chunk was processed and before
    /// the output is finished, since a mapped file may change after its last chunk was cut.
    ///
    /// # Errors
    /// Names the first file whose size or time of modification differs.
    pub fn unchanged(&self) -> Result<(), Error> {
        self.infos.iter().try_for_each(InputInfo::unchanged)
    }

    /// Device and inode of every input that is a regular file, including a redirected stdin: no output may be one of
    /// these.
    pub fn identities(&self) -> &[FileId] {
        &self.identities
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.infos.len()
    }

    /// The path of input `input` (from 0), or a name in its stead. For messages; not escaped yet.
    pub fn path(&self, input: usize) -> &Path {
        &self.infos[input].path
    }

    /// The (compressed) size of all inputs together, if it is known in advance.
    pub fn total_bytes(&self) -> Option<u64> {
        self.infos.iter().map(|a| a.bytes).sum()
    }

    /// The (compressed) bytes read so far.
    pub fn bytes_taken(&self) -> u64 {
        self.shared.taken.load(Ordering::Relaxed)
    }

    /// The number of inputs that were UTF-16 and became UTF-8, among those that were begun.
    pub(crate) fn utf16_inputs(&self) -> u64 {
        self.shared.utf16.load(Ordering::Relaxed)
    }

    /// The bytes of text returned so far.
    pub fn text_bytes(&self) -> u64 {
        self.shared.text.load(Ordering::Relaxed)
    }

    /// Cuts the next chunk of the current input, or of the next input that has one.
    fn cut(&self, state: &mut SourceState, mut buffer: Vec<u8>) -> Result<Option<(ChunkShape, PieceWork)>, Error> {
        loop {
            if state.current.is_none() {
                let Some(opened) = state.waiting.get_mut(state.index) else { return Ok(None) };
                let Some(opened) = opened.take() else { return Ok(None) };
                state.current = Some(self.begin(state.index, opened)?);
            }
            let path = self.path(state.index);
            match state.current.as_mut() {
                Some(Current::Regular(text)) => {
                    if let Some((shape, piece)) = text.next(path, self.limits, &self.shared)? {
                        return Ok(Some((shape, PieceWork::Piece(piece, buffer))));
                    }
                }
                Some(Current::Stream(stream)) => {
                    if let Some((shape, part)) = stream.next(&mut buffer, path, self.limits, &self.shared)? {
                        return Ok(Some((shape, PieceWork::StreamPart(part))));
                    }
                }
                None => {}
            }
            state.current = None;
            state.index += 1;
        }
    }

    /// Starts an input, by what its first bytes say it is.
    fn begin(&self, index: usize, opened: Opened) -> Result<Current, Error> {
        let path = self.path(index);
        let fresh = || self.cutter.as_ref().map(|cutter| cutter.fresh());
        let raw = |bytes| Raw::new(path.to_path_buf(), bytes, Arc::clone(&self.shared));
        let of = |decoder, regular| Ok(Current::Stream(Box::new(Stream::new(decoder, regular, fresh()))));
        let stream = |raw, regular| of(decoder(raw)?, regular);
        *self.ahead() = None;
        match opened {
            Opened::Regular(regular) => {
                let file = regular.open(path)?;
                let mut first = [0; ENOUGH];
                let first = regular.first_bytes(&file, path, &mut first)?;
                if sniff(first, true) != Sniffed::Text || utf16::has_mark(first, true) == Some(true) {
                    return stream(raw(regular.bytes(Arc::clone(&file))), Some((regular, file)));
                }
                match RegularText::new(regular, file, path, self.reading, fresh())?.unless_streamed() {
                    Ok(text) => Ok(Current::Regular(Box::new(text))),
                    Err((regular, file)) => {
                        let part = regular.start..regular.stamp.size;
                        let ahead = Arc::new(Ahead::new(Arc::clone(&file), path, part, self.limits, &self.shared));
                        *self.ahead() = Some(Arc::clone(&ahead));
                        of(Decoder::Ahead(ahead), Some((regular, file)))
                    }
                }
            }
            Opened::Stream(file) => stream(raw(Bytes::Stream(file)), None),
            Opened::Reader(reader) => stream(raw(Bytes::Reader(reader)), None),
            Opened::Fifo => {
                let file = std::fs::File::open(path).map_err(|e| Error::io(path, "open", e))?;
                stream(raw(Bytes::Stream(file)), None)
            }
        }
    }

    fn ahead(&self) -> MutexGuard<'_, Option<Arc<Ahead>>> {
        // Nothing can panic while it is held.
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the part of the work that needs no lock.
    fn complete(&self, input: usize, shape: ChunkShape, job: PieceWork) -> Result<Chunk, Error> {
        let text = match job {
            PieceWork::Piece(RegularPiece::Mapped { mapping, start, end, expected }, buffer) => {
                mapping.expect(expected, end);
                ChunkText::Mapped { mapping, start, end, buffer }
            }
            PieceWork::Piece(RegularPiece::Placed { file, position, length, ends_line }, mut buffer) => {
                if buffer.capacity() < length {
                    buffer.clear(); // nothing to be copied over
                    buffer.reserve_exact(length);
                }
                buffer.resize(length, 0);
                RegularPiece::read(&file, position, ends_line, &mut buffer, self.path(input))?;
                ChunkText::Own(buffer)
            }
            PieceWork::StreamPart(StreamPart::Text(text)) => ChunkText::Own(text),
            PieceWork::StreamPart(StreamPart::Frame(frame, mut buffer)) => {
                frame.decode(self.path(input), &mut buffer)?;
                if self.cutter.is_some() && !frames::ends_line(&buffer) {
                    let words = "an older archive, of which a frame ends in a backslash; decompress it first: zstd -d";
                    return Err(Error::archive(self.path(input), words));
                }
                ChunkText::Own(buffer)
            }
        };
        Ok(Chunk { input, shape, leads: false, text, _large: None })
    }
}

/// The decoder for what the first bytes announce.
fn decoder(mut raw: Raw) -> Result<Decoder, Error> {
    let mut want = 1;
    let kind = loop {
        let first = raw.fill(want)?;
        let complete = first.len() < want;
        match sniff(first, complete) {
            Sniffed::Unsure if !complete => want = first.len() + 1,
            kind => break kind,
        }
    };
    match kind {
        Sniffed::Text | Sniffed::Unsure => Ok(Decoder::Plain(raw)),
        Sniffed::ColumnarFile(columns) => Err(Error::file(raw.path(), columns.refusal())),
        Sniffed::Foreign(foreign) => Err(Error::file(raw.path(), foreign.refusal)),
        Sniffed::Damaged => Err(Error::archive(raw.path(), "a zstd archive whose start is damaged (byte 0)")),
        Sniffed::Gzip => Ok(Decoder::Gzip(Box::new(gzip::Gzip::new(raw)))),
        Sniffed::Zstd => Ok(Decoder::Zstd(Box::new(zstd::Zstd::new(raw)?))),
    }
}
