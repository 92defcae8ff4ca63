//! The layout of our own `.zst` files. Pure: bytes in, bytes out.
//!
//! ```text
//! mark                      skippable frame: this file ends with an end record
//! head, zstd frame          as often as needed; the head is a skippable frame that says how large the two sides are
//! end record                skippable frame: totals, and a fold of all heads in their order
//! ```
//!
//! Any zstd decoder passes over skippable frames and so reads the text. This program reads the frames in parallel, and
//! finds a frame that was cut off, dropped, doubled or moved, which a plain zstd file cannot show.
//!
//! All numbers are little-endian. Each of the three begins `magic u32, payload bytes u32, "GRML", kind u8, version u8`:
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
    /// The text ends with a newline.
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

/// The mark, as a skippable frame.
pub fn mark() -> Vec<u8> {
    let mut bytes = begin(MARK, 0, MARK_BYTES);
    bytes.extend_from_slice(MARK_TEXT);
    bytes
}

impl Head {
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
/// reliable with [`PEEK`].
pub(crate) fn resembles_mark(bytes: &[u8]) -> bool {
    let good = mark();
    good.iter().zip(bytes).filter(|(a, b)| a != b).count() <= 1
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
}
