//! Bytes in: inputs become chunks of whole lines, which any number of threads may pull.
//!
//! - [`Source`]: opens the inputs, cuts and reads chunks in order.
//! - `open`: what each input is, and whether it is still the same at the end.
//! - `sniff`: text, gzip or zstd, by the first bytes.
//! - `whole`: plain regular files, mapped or read in parallel.
//! - `stream`: everything that comes in order, over `raw`; archives through `gzip` and `zstd`.
//! - `mapped`: the mapping itself, and the fault handler of the program.

#[cfg(feature = "gzip")]
mod gzip;
mod large;
mod mapped;
pub(crate) mod open;
mod raw;
mod sniff;
mod stream;
mod whole;
#[cfg(feature = "zstd")]
mod zstd;

use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

pub use mapped::install_fault_handler;

use crate::error::Error;
use crate::file_id::FileId;
use crate::framing::chunk::Limits;
use crate::framing::cutter::Cutter;
use crate::framing::table::quotes::Quotes;
use large::{Gate, Large};
use open::{InputInfo, Opened, open_all};
use raw::{Bytes, Raw, Shared};
use sniff::{ENOUGH, Sniffed, sniff};
use stream::{Decoder, Stream, StreamPart};
use whole::{Whole, WholePiece};

pub use crate::framing::MAX_LINE;
pub(crate) use large::LARGE;
#[cfg(feature = "cli")]
pub(crate) use sniff::is_archive;

/// The largest chunk size, in bytes.
pub const MAX_CHUNK_SIZE: usize = 1 << 30;

/// How files are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reading {
    /// Regular files are mapped into memory where the system can; everything else is read.
    #[default]
    Auto,
    /// As `Auto`, but an input that is not a regular file, or cannot be mapped, is an error. (Archives are read in any
    /// case: what is mapped is text.)
    Mapped,
    /// Everything is read.
    Read,
}

/// One input.
pub enum Input {
    /// The standard input; at most once.
    Stdin,
    /// A file, FIFO or device.
    File(PathBuf),
    /// Somebody's reader.
    Reader {
        /// What messages call it.
        name: String,
        /// Gives the bytes.
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
    whole: bool,
    shared: Arc<Shared>,
    gate: Arc<Gate>,
    state: Mutex<SourceState>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("reading", &self.reading).field("limits", &self.limits).finish_non_exhaustive()
    }
}

struct SourceState {
    waiting: VecDeque<Option<Opened>>,
    /// Index of the input that `current` is; of the next one if there is none.
    index: usize,
    current: Option<Current>,
    sequence: u64,
    ended: bool,
}

enum Current {
    Whole(Box<Whole>),
    Stream(Box<Stream>),
}

/// What [`Source::next`] gives: a chunk in its place, or the error that ends the stream there.
#[derive(Debug)]
pub struct Pulled {
    /// 0, 1, 2... over all inputs. Chunks pulled by different threads are in order by this.
    pub sequence: u64,
    /// The chunk. Nothing after an error (by sequence) may be used.
    pub chunk: Result<Chunk, Error>,
}

/// Some whole lines of one input; never empty.
pub struct Chunk {
    /// The input, from 0 in the order given to [`Source::new`].
    pub input: usize,
    /// The offset of the first byte in the (decompressed) input.
    pub offset: u64,
    /// The first chunk of its input.
    pub first: bool,
    /// The first chunk of all: inputs before its own are empty.
    pub leads: bool,
    /// Nothing follows in this input. A chunk without a newline at its end, unless it is `open`, is always the last. A
    /// chunk of whole lines that a slow pipe gave may turn out to be the last without having said so: waiting to see what
    /// follows would hold its lines back.
    pub last: bool,
    /// The text begins inside the line that the chunk before left open.
    pub continues: bool,
    /// The last line goes on in the next chunk, which `continues`. The line is then longer than the longest line, and
    /// unless the line fills this chunk from a `continues` at its start, the part of it in this chunk already is.
    pub open: bool,
    /// Where line ends may stand between quotes, what those make of the rows.
    pub quotes: Option<Quotes>,
    /// So many of the first bytes may belong to a string before them whose length does not fit.
    pub owed: usize,
    text: ChunkText,
    /// Keeps others from being out, if this one is large and was asked for so.
    _large: Option<Large>,
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("input", &self.input)
            .field("offset", &self.offset)
            .field("len", &self.text().len())
            .finish_non_exhaustive()
    }
}

enum ChunkText {
    Own(Vec<u8>),
    Mapped { mapping: Arc<mapped::Mapping>, start: usize, end: usize, buffer: Vec<u8> },
}

/// Where a chunk is in its input.
struct ChunkShape {
    offset: u64,
    first: bool,
    last: bool,
    continues: bool,
    open: bool,
    quotes: Option<Quotes>,
    owed: usize,
}

/// What is left to do for a chunk when the lock is released.
enum PieceWork {
    Piece(WholePiece, Vec<u8>),
    StreamPart(StreamPart),
}

impl PieceWork {
    /// Bytes of the chunk.
    fn length(&self) -> usize {
        match self {
            Self::Piece(WholePiece::Mapped { start, end, .. }, _) => end - start,
            Self::Piece(WholePiece::Placed { length, .. }, _) => *length,
            Self::StreamPart(StreamPart::Text(text)) => text.len(),
            #[cfg(feature = "zstd")]
            Self::StreamPart(StreamPart::Frame(frame, _)) => frame.head.text as usize,
        }
    }
}

impl Source {
    /// Opens all inputs, so that a missing one is found before there is output. (FIFOs are opened when they are reached.)
    ///
    /// Chunks have at least `chunk_size` bytes (1 to [`MAX_CHUNK_SIZE`]) and end with the next newline, except: the last
    /// of an input; what a slow pipe has given so far, in whole lines; a frame of our own archives of at most 2.25 MiB, which is
    /// a chunk whatever the size asked for; a line longer than [`MAX_LINE`], which is cut. No chunk of the other kinds
    /// is longer than `chunk_size` + [`MAX_LINE`] + 1. An input without a byte gives no chunk.
    ///
    /// # Errors
    /// Files that cannot be opened, folders, inputs that cannot be mapped with [`Reading::Mapped`], a size out of range.
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
            whole: false,
            shared: Arc::default(),
            gate: Arc::default(),
            state: Mutex::new(SourceState {
                waiting: opened.into(),
                index: 0,
                current: None,
                sequence: 0,
                ended: false,
            }),
        })
    }

    /// Has only lines longer than `bytes` (1 to [`MAX_CHUNK_SIZE`]) cut, instead of [`MAX_LINE`]: for rows that may be
    /// longer. Buffers grow accordingly where there are such lines.
    #[must_use]
    pub fn with_longest_line(mut self, bytes: usize) -> Self {
        self.limits.line = bytes.clamp(1, MAX_CHUNK_SIZE);
        self
    }

    /// Has `cutter` say where a chunk of any input may end. Then all of the text is looked at under the lock, and what cannot be
    /// mapped is read there.
    #[must_use]
    pub fn with_cutter(mut self, cutter: Option<Box<dyn Cutter>>) -> Self {
        self.cutter = cutter;
        self
    }

    /// Has each input be one chunk, up to [`MAX_CHUNK_SIZE`]: for records that go over several lines.
    #[must_use]
    pub fn with_whole_inputs(mut self) -> Self {
        self.limits.size = MAX_CHUNK_SIZE;
        self.whole = true;
        self
    }

    /// The next chunk, in `buffer` if it needs one (see [`Chunk::into_buffer`]). `None` when everything was given out,
    /// after an error, and after [`Source::stop`].
    ///
    /// The lock is held while the chunk is cut and, for what comes in order, read; regular files are read and our own
    /// archives decompressed outside of it.
    pub fn next(&self, buffer: Vec<u8>) -> Option<Pulled> {
        self.pull(buffer, false).unwrap_or(None)
    }

    /// As [`Source::next`]; but while a large chunk is out that was got by this call, it gives nothing but the buffer. Then
    /// [`Source::wait`], with nothing in hand.
    pub(crate) fn next_unless_large(&self, buffer: Vec<u8>) -> Result<Option<Pulled>, Vec<u8>> {
        self.pull(buffer, true)
    }

    /// Waits until no large chunk is out.
    pub(crate) fn wait(&self) {
        self.gate.wait();
    }

    fn pull(&self, buffer: Vec<u8>, unless_large: bool) -> Result<Option<Pulled>, Vec<u8>> {
        let mut large = None;
        let (sequence, index, cut) = {
            let Ok(mut state) = self.state.lock() else {
                // A thread died while it was reading. Ending here quietly would pass for the end of the input.
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
            // After a quote that is never closed nothing can be read.
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

    /// No further chunks: [`Source::next`] gives `None` from now on, and a thread that waits for a pipe stops waiting.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.gate.open();
    }

    /// Checks that the files are still as they were when they were opened. To be asked when all chunks are done with and
    /// before the output is finished: a mapped file may have changed after its last chunk was cut.
    ///
    /// # Errors
    /// The first file whose size or time of modification is another.
    pub fn unchanged(&self) -> Result<(), Error> {
        self.infos.iter().try_for_each(InputInfo::unchanged)
    }

    /// Device and inode of every input that is a regular file, also of a redirected stdin: what no output may be.
    pub fn identities(&self) -> &[FileId] {
        &self.identities
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.infos.len()
    }

    /// The path of input `input` (from 0), or the name that stands for it: for messages, to be escaped.
    pub fn path(&self, input: usize) -> &Path {
        &self.infos[input].path
    }

    /// The raw (compressed) bytes of all inputs together, if they all say so beforehand.
    pub fn total_bytes(&self) -> Option<u64> {
        self.infos.iter().map(|a| a.bytes).sum()
    }

    /// The raw (compressed) bytes taken so far.
    pub fn bytes_taken(&self) -> u64 {
        self.shared.taken.load(Ordering::Relaxed)
    }

    /// The bytes of text given out so far.
    pub fn text_bytes(&self) -> u64 {
        self.shared.text.load(Ordering::Relaxed)
    }

    /// Cuts the next chunk of the current input, or of the next one that has something.
    fn cut(&self, state: &mut SourceState, mut buffer: Vec<u8>) -> Result<Option<(ChunkShape, PieceWork)>, Error> {
        loop {
            if state.current.is_none() {
                let Some(opened) = state.waiting.get_mut(state.index) else { return Ok(None) };
                let Some(opened) = opened.take() else { return Ok(None) };
                state.current = Some(self.begin(state.index, opened)?);
            }
            let path = self.path(state.index);
            match state.current.as_mut() {
                Some(Current::Whole(whole)) => {
                    if let Some((shape, piece)) = whole.next(path, self.limits, &self.shared)? {
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

    /// Begins an input: finds out what it is.
    fn begin(&self, index: usize, opened: Opened) -> Result<Current, Error> {
        let path = self.path(index);
        let fresh = || self.cutter.as_ref().map(|cutter| cutter.fresh());
        let raw = |bytes| Raw::new(path.to_path_buf(), bytes, Arc::clone(&self.shared));
        let stream = |raw, regular| {
            let stream = Stream::new(decoder(raw)?, regular, fresh(), self.whole);
            Ok(Current::Stream(Box::new(stream)))
        };
        match opened {
            Opened::Regular(regular) => {
                let file = regular.open(path)?;
                let mut first = [0; ENOUGH];
                let first = regular.first_bytes(&file, path, &mut first)?;
                let (regular, file) = match sniff(first, true) {
                    Sniffed::Text => match Whole::new(regular, file, path, self.reading, fresh())?.unless_streamed() {
                        Ok(whole) => return Ok(Current::Whole(Box::new(whole))),
                        Err(parts) => parts,
                    },
                    _ => (regular, file),
                };
                stream(raw(regular.bytes(Arc::clone(&file))), Some((regular, file)))
            }
            Opened::Stream(file) => stream(raw(Bytes::Stream(file)), None),
            Opened::Reader(reader) => stream(raw(Bytes::Reader(reader)), None),
            Opened::Fifo => {
                let file = std::fs::File::open(path).map_err(|e| Error::io(path, "open", e))?;
                stream(raw(Bytes::Stream(file)), None)
            }
        }
    }

    /// The part of the work that needs no lock.
    fn complete(&self, input: usize, shape: ChunkShape, job: PieceWork) -> Result<Chunk, Error> {
        let text = match job {
            PieceWork::Piece(WholePiece::Mapped { mapping, start, end }, buffer) => {
                mapping.expect(start, end);
                ChunkText::Mapped { mapping, start, end, buffer }
            }
            PieceWork::Piece(WholePiece::Placed { file, position, length, whole }, mut buffer) => {
                if buffer.capacity() < length {
                    buffer.clear(); // nothing to be copied over
                    buffer.reserve_exact(length);
                }
                buffer.resize(length, 0);
                WholePiece::read(&file, position, whole, &mut buffer, self.path(input))?;
                ChunkText::Own(buffer)
            }
            PieceWork::StreamPart(StreamPart::Text(text)) => ChunkText::Own(text),
            #[cfg(feature = "zstd")]
            PieceWork::StreamPart(StreamPart::Frame(frame, mut buffer)) => {
                frame.decode(self.path(input), &mut buffer)?;
                ChunkText::Own(buffer)
            }
        };
        let ChunkShape { offset, first, last, continues, open, quotes, owed } = shape;
        Ok(Chunk { input, offset, first, leads: false, last, continues, open, quotes, owed, text, _large: None })
    }
}

/// The decoder that the first bytes ask for.
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
        Sniffed::Damaged => Err(Error::archive(raw.path(), "a zstd archive whose start is damaged (byte 0)")),
        #[cfg(feature = "gzip")]
        Sniffed::Gzip => Ok(Decoder::Gzip(Box::new(gzip::Gzip::new(raw)))),
        #[cfg(feature = "zstd")]
        Sniffed::Zstd => Ok(Decoder::Zstd(Box::new(zstd::Zstd::new(raw)?))),
        #[cfg(not(feature = "gzip"))]
        Sniffed::Gzip => Err(without(&raw, "gzip", "gzip -d")),
        #[cfg(not(feature = "zstd"))]
        Sniffed::Zstd => Err(without(&raw, "zstd", "zstd -d")),
    }
}

#[cfg(not(all(feature = "gzip", feature = "zstd")))]
fn without(raw: &Raw, what: &str, command: &str) -> Error {
    let message = format!("is {what}, which this build does not support; decompress it first: {command}");
    Error::file(raw.path(), message)
}

impl Chunk {
    /// The text.
    pub fn text(&self) -> &[u8] {
        match &self.text {
            ChunkText::Own(text) => text,
            ChunkText::Mapped { mapping, start, end, .. } => &mapping[*start..*end],
        }
    }

    /// See [`Quotes::unclosed`].
    pub fn unclosed(&self) -> Option<u64> {
        self.quotes.as_ref()?.unclosed
    }

    /// The buffer, for the next call of [`Source::next`]. What is in it is unspecified.
    pub fn into_buffer(self) -> Vec<u8> {
        match self.text {
            ChunkText::Own(buffer) | ChunkText::Mapped { buffer, .. } => buffer,
        }
    }
}
