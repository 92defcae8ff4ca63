//! What is beside a block of a text: how far away it is, and what its title is.
//!
//! Only blocks next to each other are compared, with at most [`FARTHEST`] lines of text between them. How many blank lines are between
//! them shows nothing.

use super::GridBlock;
use super::glyphs::{Glyphs, has_rule, is_border_glyph};
use crate::error::Code;
use crate::formats::line_at;

/// The most lines of text between two blocks that are compared.
pub(super) const FARTHEST: usize = 50;
/// The most blocks between two of which one decides on the other, if neither is a map.
pub(super) const REACH: usize = 8;
/// With fewer digits than this, two grids have them in common by chance.
pub(super) const FEWEST_DIGITS: usize = 8;
/// The fewest rows of a block that separates others. Fewer may be a part of a companion, such as a row of empty cells.
const ROWS: usize = 9;

/// Blocks of a text that follow each other.
pub(super) struct Neighbours<'b> {
    pub(super) text: &'b [u8],
    /// The offset at which the text begins.
    pub(super) from: usize,
    pub(super) blocks: &'b [GridBlock],
}

impl<'b> Neighbours<'b> {
    /// The number of lines of text between two blocks; none if they are too many.
    pub(super) fn gap(&self, one: usize, two: usize) -> Option<usize> {
        let (before, after) = (&self.blocks[one.min(two)], &self.blocks[one.max(two)]);
        let mut gap = 0;
        let mut at = before.next;
        while let Some(line) = line_at(self.text, at).filter(|line| line.start < after.start) {
            gap += usize::from(!self.text[line.start..line.end].trim_ascii().is_empty());
            if gap > FARTHEST {
                return None;
            }
            at = line.next;
        }
        Some(gap)
    }

    /// The number of lines of text between a block and the next one.
    pub(super) fn lines_between(&self, one: usize, two: usize) -> usize {
        lines_of(&self.text[self.blocks[one].next..self.blocks[two].start])
    }

    /// The line of text above a block, with only blank lines and borders between them.
    pub(super) fn title(&self, at: usize) -> Option<&'b [u8]> {
        let from = at.checked_sub(1).map_or(self.from, |before| self.blocks[before].next);
        let above = self.text.get(from..self.blocks[at].start)?;
        let is_border = |line: &[u8]| line.iter().all(|&byte| is_border_glyph(byte));
        let mut lines = above.rsplit(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.find(|line| !is_border(line))
    }

    /// Whether the titles of two blocks differ only in their numbers.
    pub(super) fn have_numbered_titles(&self, one: usize, two: usize) -> bool {
        let [Some(one), Some(two)] = [one, two].map(|at| self.title(at)) else { return false };
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let words = |title: &[u8]| -> Vec<u8> { title.iter().filter(|byte| !is_digit(byte)).copied().collect() };
        let has_number = |title: &[u8]| title.iter().any(u8::is_ascii_digit);
        has_number(one) && has_number(two) && one != two && words(one) == words(two)
    }
}

/// Whether a block is a line with which every grid ends, whatever follows. Nothing on the other side of it is compared.
pub(super) fn is_barrier(block: &GridBlock) -> bool {
    matches!(&block.cells, Err(reject) if reject.code == Code::TooLong)
}

/// Whether a block is a few rows that are no grid and are not known to be anything else.
pub(super) fn is_scrap(text: &[u8], block: &GridBlock) -> bool {
    block.cells.is_err()
        && block.companion.is_none()
        && !is_barrier(block)
        && memchr::memchr_iter(b'\n', &text[block.start..block.end]).take(ROWS).count() + 1 < ROWS
}

/// Whether a line is a border or a code fence, which belongs to the rows beside it.
pub(super) fn is_frame(line: &[u8]) -> bool {
    let mut glyphs = Glyphs::default();
    glyphs.read(line);
    let glyphs = glyphs.bytes.trim_ascii();
    let is_fence = line.trim_ascii().starts_with(b"```") || line.trim_ascii().starts_with(b"~~~");
    is_fence || has_rule(glyphs) && glyphs.iter().all(|&glyph| is_border_glyph(glyph))
}

/// The number of lines that are not blank.
pub(super) fn lines_of(text: &[u8]) -> usize {
    text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count()
}
