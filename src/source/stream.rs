//! Text that is read in order: pipes, readers, archives. The bytes after the end of a chunk begin the next one.

use super::ahead::Ahead;
use super::gzip::Gzip;
use super::open::Regular;
use super::raw::Raw;
use super::sniff::refused_contents;
use super::utf16::{Utf16, has_mark};
use super::zstd::{OwnFrame, Zstd};
use super::{ChunkShape, raw::Shared};
use crate::error::Error;
use crate::framing::chunk::{Cut, Limits, cut_early, cut_from};
use crate::framing::cutter::{Cutter, TextBefore};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How much is read beyond the size of a chunk, in the hope that its last line ends there.
const SLACK: usize = 4096;

/// The decoder of raw bytes to text.
pub(super) enum Decoder {
    Plain(Raw),
    /// Text of a regular file.
    Ahead(Arc<Ahead>),
    Gzip(Box<Gzip>),
    Zstd(Box<Zstd>),
}

impl Decoder {
    /// Appends up to `want` bytes of text, or a block that was read ahead, and returns how many; 0 only at the end.
    fn append(&mut self, buffer: &mut Vec<u8>, want: usize) -> Result<usize, Error> {
        if !matches!(self, Self::Ahead(_)) {
            buffer.reserve_exact(want);
        }
        match self {
            Self::Ahead(ahead) => ahead.append(buffer),
            Self::Plain(raw) => raw.append(buffer, want),
            Self::Gzip(gzip) => gzip.append(buffer, want),
            Self::Zstd(zstd) => zstd.append(buffer, want),
        }
    }

    /// Whether `append` would return without waiting for a slow writer.
    fn ready(&self) -> bool {
        match self {
            Self::Plain(raw) => raw.ready(),
            Self::Ahead(_) => true,
            Self::Gzip(gzip) => gzip.ready(),
            Self::Zstd(zstd) => zstd.ready(),
        }
    }
}

/// One input that is read in order.
pub(super) struct Stream {
    decoder: Decoder,
    /// Makes UTF-8 of the text, if it is UTF-16.
    utf16: Option<Utf16>,
    /// Whether the begin of the text was looked at, which shows that.
    is_begun: bool,
    /// The regular file behind the input, if any, which is checked at the end.
    regular: Option<(Regular, Arc<File>)>,
    carry: Vec<u8>,
    ended: bool,
    /// An error that occurred while looking ahead. It is reported after the chunk that was complete.
    failed: Option<Error>,
    offset: u64,
    continues: bool,
    /// Decides where chunks end, if not after every line.
    cutter: Option<Box<dyn Cutter>>,
}

/// The text of a chunk, or the means to get it.
pub(super) enum StreamPart {
    Text(Vec<u8>),
    /// A frame, to be decoded without the lock, and the buffer for its text.
    Frame(OwnFrame, Vec<u8>),
}

impl Stream {
    pub(super) fn new(
        decoder: Decoder,
        regular: Option<(Regular, Arc<File>)>,
        cutter: Option<Box<dyn Cutter>>,
    ) -> Self {
        let (carry, ended, failed) = (Vec::new(), false, None);
        let (utf16, is_begun) = (None, false);
        Self { decoder, utf16, is_begun, regular, carry, ended, failed, offset: 0, continues: false, cutter }
    }

    /// Appends text in UTF-8, as [`Decoder::append`] does.
    fn append(&mut self, buffer: &mut Vec<u8>, want: usize, path: &Path, shared: &Shared) -> Result<usize, Error> {
        if let Some(utf16) = &mut self.utf16 {
            return utf16.append(|bytes, want| self.decoder.append(bytes, want), buffer, want, path);
        }
        let before = buffer.len();
        let mut got = self.decoder.append(buffer, want)?;
        if std::mem::replace(&mut self.is_begun, true) || self.offset > 0 || before > 0 {
            return Ok(got);
        }
        while has_mark(buffer, got == 0).is_none() {
            got = self.decoder.append(buffer, want)?;
        }
        self.utf16 = Utf16::after(buffer);
        let Some(utf16) = &mut self.utf16 else { return Ok(buffer.len()) };
        shared.utf16.fetch_add(1, Ordering::Relaxed);
        buffer.clear();
        utf16.append(|bytes, want| self.decoder.append(bytes, want), buffer, want, path)
    }

    /// Whether [`Stream::append`] would return without waiting for a slow writer.
    fn ready(&self) -> bool {
        self.utf16.as_ref().is_some_and(Utf16::ready) || self.decoder.ready()
    }

    /// Reads and cuts the next chunk. Its text is in the buffer `spare`, which is taken for it.
    pub(super) fn next(
        &mut self,
        spare: &mut Vec<u8>,
        path: &Path,
        limits: Limits,
        shared: &Shared,
    ) -> Result<Option<(ChunkShape, StreamPart)>, Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut buffer = std::mem::take(spare);
        buffer.clear();
        buffer.append(&mut self.carry);
        let before = self.cutter.as_ref().map(|cutter| cutter.before()).unwrap_or_default();
        // A frame ends with a whole line, but that line end may stand between quotes.
        if buffer.is_empty()
            && !self.continues
            && self.utf16.is_none()
            && self.cutter.as_ref().is_none_or(|cutter| cutter.is_local())
            && let Decoder::Zstd(zstd) = &mut self.decoder
            && let Some(frame) = zstd.whole_frame()?
        {
            match &mut self.cutter {
                // It must see the start of the text.
                Some(cutter) if self.offset == 0 => {
                    frame.decode(path, &mut buffer)?;
                    let all = Limits { size: buffer.len(), ..limits };
                    if let Some(cut) = cutter.cut(&buffer, false, all) {
                        let shape = ChunkShape { last: !self.more(path, shared), ..self.shape(cut, before) };
                        return Ok(Some((shape, StreamPart::Text(buffer))));
                    }
                }
                _ => {
                    let shape = self.shape(Cut { end: frame.head.text as usize, open: false }, before);
                    let shape = ChunkShape { last: !self.more(path, shared), ..shape };
                    return Ok(Some((shape, StreamPart::Frame(frame, buffer))));
                }
            }
        }
        let Some(cut) = self.read_chunk(&mut buffer, limits, path, shared)? else {
            if let Some((regular, file)) = &self.regular {
                regular.finish(file, path)?;
            }
            *spare = buffer;
            return Ok(None);
        };
        if self.offset == 0
            && !matches!(self.decoder, Decoder::Plain(_) | Decoder::Ahead(_))
            && let Some(why) = refused_contents(&buffer)
        {
            return Err(Error::file(path, why));
        }
        self.carry.extend_from_slice(&buffer[cut.end..]);
        buffer.truncate(cut.end);
        let shape = self.shape(cut, before);
        let last = !cut.open && self.carry.is_empty() && !self.more(path, shared);
        Ok(Some((ChunkShape { last, ..shape }, StreamPart::Text(buffer))))
    }

    /// Reads until a chunk is complete. Returns `None` at the end.
    fn read_chunk(
        &mut self,
        buffer: &mut Vec<u8>,
        limits: Limits,
        path: &Path,
        shared: &Shared,
    ) -> Result<Option<Cut>, Error> {
        // What most chunks need, and what any chunk may need.
        let usual = limits.longest().saturating_add(1);
        let most = self.cutter.as_ref().map_or(usual, |cutter| cutter.enough(limits));
        let up_to = |known| if known < usual { usual } else { most };
        let enough = limits.size.saturating_add(SLACK).min(most);
        let mut known = 0;
        // A cutter scans from the start each time, so it is asked again only when there is much more text.
        let mut ask_at = limits.size;
        loop {
            let cut = match &mut self.cutter {
                None => cut_from(buffer, known, self.ended, limits),
                Some(_) if buffer.len() < ask_at.min(most) && !self.ended => None,
                Some(cutter) => {
                    let often = cutter.is_local() && buffer.len() < enough;
                    ask_at = if often { 0 } else { up_to(buffer.len()).min(2 * buffer.len() + 1) };
                    cutter.cut(buffer, self.ended, limits)
                }
            };
            if cut.is_some() {
                return Ok(cut);
            }
            if self.ended {
                return Ok(None);
            }
            known = buffer.len();
            if !buffer.is_empty() && !self.ready() {
                let cut = match &mut self.cutter {
                    None => cut_early(buffer),
                    Some(cutter) => cutter.cut_early(buffer, limits),
                };
                if cut.is_some() {
                    return Ok(cut);
                }
            }
            let target = match known < enough {
                true => enough,
                // A row that is only somewhat longer should not cost a buffer for the longest one.
                false => up_to(known).min(2 * known),
            };
            let got = self.append(buffer, target - known, path, shared)?;
            if shared.stopped.load(Ordering::Relaxed) {
                return Ok(None);
            }
            self.ended = got == 0;
        }
    }

    /// Records a chunk that ends at `cut`. See [`Cutter::before`] for `before`.
    fn shape(&mut self, cut: Cut, before: TextBefore) -> ChunkShape {
        let shape = ChunkShape {
            offset: self.offset,
            first: self.offset == 0,
            last: false,
            continues: self.continues,
            open: cut.open,
            quotes: self.cutter.as_mut().and_then(|cutter| cutter.take_quotes()),
            before,
        };
        self.offset += cut.end as u64;
        self.continues = cut.open;
        shape
    }

    /// Whether more text follows, as far as is known without waiting for a slow writer (if unknown: yes).
    fn more(&mut self, path: &Path, shared: &Shared) -> bool {
        if self.ended {
            return false;
        }
        if !self.ready() {
            return true;
        }
        if let Decoder::Ahead(ahead) = &self.decoder {
            return ahead.more();
        }
        // What follows in UTF-16 may be a part of a character only, which is an error.
        if let (Decoder::Zstd(zstd), None) = (&mut self.decoder, &self.utf16) {
            return match zstd.more() {
                Ok(more) => {
                    self.ended = !more;
                    more
                }
                Err(error) => {
                    self.failed = Some(error);
                    true
                }
            };
        }
        let mut carry = std::mem::take(&mut self.carry);
        let got = self.append(&mut carry, SLACK, path, shared);
        self.carry = carry;
        match got {
            Ok(got) => {
                self.ended = got == 0;
                got > 0
            }
            Err(error) => {
                self.failed = Some(error);
                true
            }
        }
    }
}
