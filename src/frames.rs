//! The layout of our own `.zst` files. Pure: bytes in, bytes out.
//!
//! ```text
//! zstd frame                the first text; its header says that this file ends with an end record
//! head, zstd frame          as often as needed; the head is a skippable frame that says how large the two sides are
//! end record                skippable frame: totals, and a fold of all heads in their order
//! ```
//!
//! Any zstd decoder passes over skippable frames and so reads the text. This program reads the frames in parallel, and
//! finds a frame that was cut off, dropped, doubled or moved, which a plain zstd file cannot show.
//!
//! The file begins with a frame of text, because many programs recognise zstd by the magic number of such a frame, and
//! some read one frame only. A skippable frame cannot come before it, so what it would say is said by its header, in a way
//! that decoders accept and encoders do not write: the size of the text in 8 bytes, though it fits in 4, and a window of
//! 13/8 or 15/8 of a power of 2 (15/8: the text ends with a newline). It has no head of its own; its blocks show where it
//! ends. The end record counts it as if it had one. If there is no text at all, the first frame is empty.
//!
//! Older archives begin with a skippable frame, the mark, and all of their frames have heads.
//!
//! All numbers are little-endian. Skippable frames begin `magic u32, payload bytes u32, "GRML", kind u8, version u8`:
//!
//! ```text
//! mark   0 u16, "gridmill"
//! head   flags u8, 0 u8, compressed bytes u32, text bytes u32, content checksum u32
//! end    0 u16, frames u64, text bytes u64, fold u64
//! ```

/// The skippable magic of our frames.
pub(crate) const MAGIC: u32 = 0x184D_2A57;
/// The magic of an ordinary zstd frame.
pub(crate) const ZSTD_MAGIC: u32 = 0xFD2F_B528;
/// The tag, after magic and payload size, that makes a skippable frame one of ours.
pub(crate) const TAG: [u8; 4] = *b"GRML";
/// The version of the layout that is written, and the only one that is read.
pub(crate) const VERSION: u8 = 1;
/// The most bytes of text a frame may announce. It limits what a reader allocates.
pub(crate) const MAX_TEXT: usize = 16 << 20;
/// The most compressed bytes a frame may announce: [`MAX_TEXT`] that could not be compressed.
pub(crate) const MAX_COMPRESSED: usize = MAX_TEXT + MAX_TEXT / 256 + 1024;
/// Bytes of magic and payload size, in any skippable frame.
pub(crate) const SKIPPABLE_HEAD: usize = 8;
/// Bytes needed to recognise one of our skippable frames and its length.
pub(crate) const PEEK: usize = 14;

/// Bytes of the header of a first frame.
pub(crate) const FIRST_HEADER: usize = 14;
/// The header's flags: the size in 8 bytes, a window, a checksum, no dictionary.
const FIRST_FLAGS: u8 = 0b1100_0100;

const MARK: u8 = b'M';
const HEAD: u8 = b'H';
const END: u8 = b'E';
const MARK_BYTES: usize = 24;
const HEAD_BYTES: usize = 28;
const END_BYTES: usize = 40;
const MARK_TEXT: &[u8; 8] = b"gridmill";
const ENDS_LINE: u8 = 1;

/// One of our skippable frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// An archive begins.
    Mark,
    /// A data frame follows.
    Head(Head),
    /// The archive is complete.
    End(Totals),
}

/// The head of a data frame, which follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// Bytes of the zstd frame; at most [`MAX_COMPRESSED`].
    pub(crate) compressed: u32,
    /// Bytes of its text; 1 to [`MAX_TEXT`].
    pub(crate) text: u32,
    /// The zstd frame's last four bytes: the content checksum.
    pub(crate) checksum: u32,
    /// The text [ends a line](ends_line).
    pub(crate) ends_line: bool,
}

/// Sums over the data frames of an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Number of data frames.
    pub(crate) frames: u64,
    /// Bytes of text.
    pub(crate) text: u64,
    fold: u64,
}

/// Whether a text ends with a line end that is one in every kind of text. A backslash may make the line end after it part
/// of a field (docs/CLI.md, "Records").
pub(crate) fn ends_line(text: &[u8]) -> bool {
    let Some(line) = text.strip_suffix(b"\n") else { return false };
    !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

/// The mark of older archives, as a skippable frame.
pub(crate) fn mark() -> Vec<u8> {
    let mut bytes = begin(MARK, 0, MARK_BYTES);
    bytes.extend_from_slice(MARK_TEXT);
    bytes
}

/// What the header of a first frame says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct First {
    /// Bytes of its text; 0 to [`MAX_TEXT`].
    pub(crate) text: u32,
    /// The text ends with a newline.
    pub(crate) ends_line: bool,
}

impl First {
    /// The header of the frame.
    pub(crate) fn header(self) -> [u8; FIRST_HEADER] {
        let mantissa = if self.ends_line { 7 } else { 5 };
        // The smallest window of this form that holds all of the text.
        let holds = |exponent: &u8| (8 + u64::from(mantissa)) << (7 + exponent) >= u64::from(self.text);
        let exponent = (0..22).find(holds).unwrap_or(22);
        let mut header = [0; FIRST_HEADER];
        header[..4].copy_from_slice(&ZSTD_MAGIC.to_le_bytes());
        header[4] = FIRST_FLAGS;
        header[5] = exponent << 3 | mantissa;
        header[6..].copy_from_slice(&u64::from(self.text).to_le_bytes());
        header
    }

    /// Reads the header of a frame, if it is a first one. Needs [`FIRST_HEADER`] bytes.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; FIRST_HEADER] = bytes.first_chunk()?;
        let first = Self { text: field(header, 6)?, ends_line: header[5] & 7 == 7 };
        (first.text as usize <= MAX_TEXT && first.header() == *header).then_some(first)
    }

    /// Writes this header instead of that of a frame with the same text.
    ///
    /// # Errors
    /// The frame has no such header.
    pub(crate) fn replace_header(self, frame: &[u8]) -> Result<Vec<u8>, &'static str> {
        const NO_FRAME: &str = "a compressor made a frame without a checksum";
        let flags = *frame.get(4).filter(|_| field(frame, 0) == Some(ZSTD_MAGIC)).ok_or(NO_FRAME)?;
        let one_segment = flags & 0x20 != 0;
        let size = [usize::from(one_segment), 2, 4, 8][usize::from(flags >> 6)];
        if flags & 0b1111 != 0b0100 {
            return Err(NO_FRAME);
        }
        let blocks = frame.get(5 + usize::from(!one_segment) + size..).ok_or(NO_FRAME)?;
        Ok([&self.header(), blocks].concat())
    }

    /// The first frame of an archive without text.
    pub(crate) fn empty() -> Vec<u8> {
        const LAST_BLOCK: [u8; 3] = [1, 0, 0];
        const CHECKSUM_OF_NOTHING: [u8; 4] = [0x99, 0xe9, 0xd8, 0x51];
        [&Self { text: 0, ends_line: false }.header()[..], &LAST_BLOCK, &CHECKSUM_OF_NOTHING].concat()
    }
}

/// A block of a zstd frame.
pub(crate) struct FrameBlock {
    /// The bytes that follow its header.
    pub(crate) bytes: usize,
    /// It is the last one of its frame.
    pub(crate) last: bool,
}

impl FrameBlock {
    /// Bytes of the header of a block.
    pub(crate) const HEADER: usize = 3;

    /// Reads the header of a block.
    ///
    /// # Errors
    /// There is no block of this type.
    pub(crate) fn read(header: [u8; Self::HEADER]) -> Result<Self, &'static str> {
        let [a, b, c] = header;
        let number = u32::from_le_bytes([a, b, c, 0]);
        let bytes = match number >> 1 & 3 {
            0 | 2 => number as usize >> 3, // as it is, compressed
            1 => 1,                        // a repeated byte
            _ => return Err("a block of a frame is of an unknown type"),
        };
        Ok(Self { bytes, last: number & 1 == 1 })
    }
}

impl Head {
    /// The head that a first frame would have. Its length fits in 32 bits.
    pub(crate) fn of_first(frame: &[u8], first: First) -> Self {
        let checksum = frame.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        Self { compressed: frame.len() as u32, text: first.text, checksum, ends_line: first.ends_line }
    }

    /// The head as a skippable frame.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = begin(HEAD, self.flags(), HEAD_BYTES);
        for field in [self.compressed, self.text, self.checksum] {
            bytes.extend_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    fn flags(&self) -> u8 {
        if self.ends_line { ENDS_LINE } else { 0 }
    }
}

impl Totals {
    /// Counts the next data frame. The order matters.
    pub(crate) fn add(&mut self, head: &Head) {
        self.frames += 1;
        self.text += u64::from(head.text);
        for field in [head.compressed, head.text, head.checksum, u32::from(head.flags())] {
            // FNV-1a over whole fields, with a rotation that moves high bits down.
            self.fold = (self.fold ^ u64::from(field)).wrapping_add(1).wrapping_mul(0x100_0000_01b3).rotate_left(23);
        }
    }

    /// The end record as a skippable frame.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = begin(END, 0, END_BYTES);
        for field in [self.frames, self.text, self.fold] {
            bytes.extend_from_slice(&field.to_le_bytes());
        }
        bytes
    }
}

fn begin(kind: u8, flags: u8, total: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(total);
    bytes.extend_from_slice(&MAGIC.to_le_bytes());
    bytes.extend_from_slice(&((total - SKIPPABLE_HEAD) as u32).to_le_bytes());
    bytes.extend_from_slice(&TAG);
    bytes.extend_from_slice(&[kind, VERSION, flags, 0]);
    bytes
}

/// Whether `bytes` begin an ordinary or a skippable zstd frame. Needs 4 bytes.
pub(crate) fn is_zstd(bytes: &[u8]) -> bool {
    field(bytes, 0).is_some_and(|magic| magic == ZSTD_MAGIC || is_skippable(magic))
}

/// Whether `magic` is that of a skippable frame.
pub(crate) fn is_skippable(magic: u32) -> bool {
    magic & 0xFFFF_FFF0 == 0x184D_2A50
}

/// Whether `bytes` have the tag of our skippable frames, even if other fields are damaged. Needs [`PEEK`] bytes.
pub(crate) fn is_ours(bytes: &[u8]) -> bool {
    bytes.get(SKIPPABLE_HEAD..SKIPPABLE_HEAD + TAG.len()) == Some(&TAG)
}

/// Whether `bytes` are the start of one of our archives with at most one byte changed. Needs 4 bytes, and is more
/// reliable with [`FIRST_HEADER`], or [`PEEK`] for older archives.
pub(crate) fn resembles_start(bytes: &[u8]) -> bool {
    let differ = |good: &[u8], bytes: &[u8]| good.iter().zip(bytes).filter(|(a, b)| a != b).count();
    // The size and the window differ.
    let first = First { text: 0, ends_line: false }.header();
    let in_first = differ(&first[..5], bytes) + bytes.get(10..).map_or(0, |rest| differ(&first[10..], rest));
    differ(&mark(), bytes) <= 1 || in_first <= 1
}

/// The length of one of our skippable frames, from its first [`PEEK`] bytes (see [`is_ours`]).
///
/// # Errors
/// A field is damaged, or the layout is of a later version.
pub(crate) fn length(bytes: &[u8]) -> Result<usize, &'static str> {
    let (Some(magic), Some(payload), Some(&kind), Some(&version)) =
        (field(bytes, 0), field(bytes, 4), bytes.get(12), bytes.get(13))
    else {
        return Err("a frame is cut");
    };
    let total = match kind {
        _ if magic != MAGIC => return Err("a frame of our own has the wrong magic number"),
        _ if version != VERSION => return Err("written by a later version (or damaged); a newer gridmill may read it"),
        MARK => MARK_BYTES,
        HEAD => HEAD_BYTES,
        END => END_BYTES,
        _ => return Err("a frame of our own is of an unknown kind"),
    };
    if payload as usize != total - SKIPPABLE_HEAD {
        return Err("a frame of our own has the wrong length");
    }
    Ok(total)
}

/// Reads one of our skippable frames, of [`length`] bytes.
///
/// # Errors
/// A field is damaged, or a size exceeds its limit.
pub(crate) fn parse(bytes: &[u8]) -> Result<Frame, &'static str> {
    const CUT: &str = "a frame is cut";
    if bytes.len() < length(bytes)? {
        return Err(CUT);
    }
    let (kind, flags, zero) = (bytes[12], bytes[14], bytes[15]);
    if zero != 0 || flags & !ENDS_LINE != 0 || (kind != HEAD && flags != 0) {
        return Err("a frame of our own has unknown flags");
    }
    match kind {
        MARK if bytes[16..MARK_BYTES] == *MARK_TEXT => Ok(Frame::Mark),
        MARK => Err("the mark at the start is damaged"),
        HEAD => {
            let mut fields = [0u32; 3];
            for (i, value) in fields.iter_mut().enumerate() {
                *value = field(bytes, 16 + 4 * i).ok_or(CUT)?;
            }
            let [compressed, text, checksum] = fields;
            if text == 0 || text as usize > MAX_TEXT || compressed < 8 || compressed as usize > MAX_COMPRESSED {
                return Err("a frame announces an impossible size");
            }
            Ok(Frame::Head(Head { compressed, text, checksum, ends_line: flags & ENDS_LINE != 0 }))
        }
        _ => {
            let mut fields = [0u64; 3];
            for (value, bytes) in fields.iter_mut().zip(bytes[16..END_BYTES].as_chunks::<8>().0) {
                *value = u64::from_le_bytes(*bytes);
            }
            let [frames, text, fold] = fields;
            Ok(Frame::End(Totals { frames, text, fold }))
        }
    }
}

/// The little-endian u32 at offset `at`.
pub(crate) fn field(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..)?.first_chunk().copied()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(n: u32) -> Head {
        Head { compressed: 100 + n, text: 1000, checksum: 7 * n, ends_line: true }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut totals = Totals::default();
        totals.add(&head(1));
        for (bytes, frame) in [
            (mark(), Frame::Mark),
            (head(3).bytes(), Frame::Head(head(3))),
            (Head { ends_line: false, ..head(3) }.bytes(), Frame::Head(Head { ends_line: false, ..head(3) })),
            (totals.bytes(), Frame::End(totals)),
        ] {
            assert!(is_zstd(&bytes) && is_ours(&bytes));
            assert_eq!(length(&bytes), Ok(bytes.len()));
            assert_eq!(parse(&bytes), Ok(frame));
            for cut in 0..bytes.len() {
                assert!(parse(&bytes[..cut]).is_err());
            }
        }
    }

    #[test]
    fn the_fold_sees_order_loss_and_doubles() {
        let fold = |order: &[u32]| {
            let mut totals = Totals::default();
            order.iter().for_each(|&n| totals.add(&head(n)));
            totals
        };
        let good = fold(&[1, 2, 3]);
        for bad in [&[2, 1, 3][..], &[1, 3, 2], &[1, 2], &[1, 2, 3, 3], &[1, 2, 2]] {
            assert_ne!(fold(bad), good);
        }
    }

    #[test]
    fn impossible_sizes_are_refused_before_anything_is_allocated() {
        for (compressed, text) in [
            (100, 0),
            (100, MAX_TEXT as u32 + 1),
            (100, u32::MAX),
            (u32::MAX, 100),
            (MAX_COMPRESSED as u32 + 1, 100),
            (7, 1),
        ] {
            assert!(parse(&Head { compressed, text, checksum: 0, ends_line: true }.bytes()).is_err());
        }
    }

    #[test]
    fn a_first_frame_has_a_header_that_other_encoders_do_not_write() {
        for text in [0u32, 1, 255, 256, 1023, 1024, 1664, 1665, 65_791, 65_792, 1 << 20, (16 << 20) - 1, 16 << 20] {
            for ends_line in [false, true] {
                let first = First { text, ends_line };
                assert_eq!(First::read(&first.header()), Some(first));
                let window = (1u64 << (10 + (first.header()[5] >> 3))) * (8 + u64::from(first.header()[5] & 7)) / 8;
                assert!(window >= u64::from(text) && window <= 2048 + 2 * u64::from(text), "{text}: {window}");
                // The size as encoders write it, with and without a window.
                for flags in [0x24u8, 0x64, 0xa4, 0xe4, 0x44, 0x84] {
                    let size = [1, 2, 4, 8][usize::from(flags >> 6)];
                    let header = if flags & 0x20 == 0 { vec![flags, 0x50] } else { vec![flags] };
                    let frame = [&ZSTD_MAGIC.to_le_bytes()[..], &header, &vec![0; size], b"blocks"].concat();
                    assert_eq!(First::read(&frame), None);
                    assert_eq!(first.replace_header(&frame), Ok([&first.header()[..], b"blocks"].concat()));
                }
            }
        }
        assert_eq!(First::read(&First::empty()), Some(First { text: 0, ends_line: false }));
        assert_eq!(First::read(&First { text: MAX_TEXT as u32 + 1, ends_line: true }.header()), None);
    }
}
