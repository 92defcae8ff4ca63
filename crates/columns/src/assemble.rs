//! Assembles new strings in the memory of the arrays that are returned.
//!
//! Nearly all formats have strings of one width. So each block of rows gets the room that its strings need if all have
//! this width, and the block is written there while it is in the cache. Blocks that need more room overflow into memory
//! of their own. At the end, blocks that are not in their final places are moved.

use std::ops::Range;

use arrow_array::ArrayRef;
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_schema::DataType;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Converter, LeftSolutions};
use gridmill_core::formats::{Evidence, Records};

use crate::blocks;
use crate::error::CallError;
use crate::platform::zeroed;
use crate::reader::{Reader, StringAnswers};
use crate::refused::RefusedRows;
use crate::rewrite_options::{BadStrings, RewriteOptions, RewriteTo, RewrittenColumn, rewritten_type};
use crate::session::KnownEvidence;
use crate::strings::Strings;
use crate::text::{Entry, PackedStrings, Part};

/// The number of strings of a column that are converted to find their width.
const SAMPLE: usize = 64;

/// A block of rows to rewrite, and where to write it.
struct BlockJob<'j, M> {
    chunk: usize,
    /// The number in the column of the chunk's first row.
    first: usize,
    rows: Range<usize>,
    /// The assumed width of the new strings.
    width: usize,
    /// Room for the strings, and its start in its part of the text if all strings have the assumed width.
    room: &'j mut [u8],
    start: usize,
    entries: &'j mut [M],
}

/// A block of new strings.
struct StringBlock {
    chunk: usize,
    rows: usize,
    /// Bytes of room.
    room: usize,
    /// The start of the block in its part, which its entries assume.
    start: usize,
    /// The number of bytes that were written to the room, or to the overflow.
    len: usize,
    overflow: Option<Vec<u8>>,
    /// Rows of the chunk that become null, besides those that were null before.
    missing: Vec<usize>,
    refused: RefusedRows,
}

/// Rewrites chunks of strings. Their type is not a dictionary.
pub(crate) fn rewrite_strings(
    of: &DataType,
    columns: &[Strings<'_>],
    options: &RewriteOptions<'_>,
    known: &KnownEvidence<'_>,
) -> Result<RewrittenColumn, CallError> {
    match rewritten_type(of)? {
        DataType::Utf8 => rewrite_texts::<i32>(columns, options, known),
        DataType::LargeUtf8 => rewrite_texts::<i64>(columns, options, known),
        _ => rewrite_texts::<u128>(columns, options, known),
    }
}

/// Rewrites chunks. Each becomes one array, or several if there are more bytes than entries can address.
fn rewrite_texts<M: Entry>(
    columns: &[Strings<'_>],
    options: &RewriteOptions<'_>,
    known: &KnownEvidence<'_>,
) -> Result<RewrittenColumn, CallError> {
    let width = width(columns, options, known);
    let rows = columns.iter().map(Strings::len).sum();
    let of_block = blocks::rows_of_block(options.session, options.plan.checks.level, rows);
    let rooms: Vec<Vec<usize>> = columns.iter().map(|strings| rooms(strings, of_block, width)).collect();
    let mut bytes: Vec<Vec<u8>> = rooms.iter().map(|rooms| zeroed(rooms.iter().sum())).collect();
    let mut entries: Vec<Vec<M>> = columns.iter().map(|strings| zeroed(strings.len() + 1)).collect();
    let (mut jobs, mut first_of_chunk) = (Vec::new(), 0);
    for (chunk, ((strings, rooms), (bytes, entries))) in
        columns.iter().zip(&rooms).zip(bytes.iter_mut().zip(&mut entries)).enumerate()
    {
        let (mut rest, mut next) = (&mut bytes[..], 0);
        let starts = places::<M>(rooms.iter().copied()).map(|place| place.start);
        for ((&room, start), entries) in rooms.iter().zip(starts).zip(entries[1..].chunks_mut(of_block)) {
            let (room, after) = rest.split_at_mut(room);
            let rows = next..(next + of_block).min(strings.len());
            (rest, next) = (after, rows.end);
            jobs.push(BlockJob { chunk, first: first_of_chunk, rows, width, room, start, entries });
        }
        first_of_chunk += strings.len();
    }
    let blocks = blocks::run_jobs(
        options.session,
        rows,
        jobs,
        || Reader::new(known).leaving_solutions(),
        |reader, job, stop| rewrite_block(reader, &columns[job.chunk], job, options, stop),
    )?;
    let mut rewritten = RewrittenColumn { chunks: Vec::new(), refused: RefusedRows::default() };
    let mut blocks = blocks.into_iter().peekable();
    for (chunk, (bytes, entries)) in bytes.into_iter().zip(entries).enumerate() {
        let mut own = Vec::new();
        while let Some(mut block) = blocks.next_if(|block| block.chunk == chunk) {
            rewritten.refused.join(std::mem::take(&mut block.refused), options.session.list_refused);
            own.push(block);
        }
        let nulls = nulls(&columns[chunk], &own);
        rewritten.chunks.extend(M::arrays(assemble(bytes, entries, nulls, own)));
    }
    Ok(rewritten)
}

/// Returns the width of the new strings, judging by the first string that can be converted, or 0 if it is unknown.
fn width(columns: &[Strings<'_>], options: &RewriteOptions<'_>, known: &KnownEvidence<'_>) -> usize {
    let syntax = Checks { level: CheckLevel::Syntax, ..options.plan.checks };
    let plan = Conversion { checks: syntax, ..options.plan };
    let all = columns.iter().flat_map(|strings| (0..strings.len()).filter_map(|row| strings.get(row)));
    for string in all.filter(|string| !string.is_empty()).take(SAMPLE) {
        let Ok(end) = u32::try_from(string.len()) else { continue };
        let mut converter = match options.to {
            RewriteTo::Strings => Converter::new(plan, options.session.kernel),
            RewriteTo::Solutions => known.converter(),
        };
        let records = Records { bytes: string, starts: &[0], ends: &[end] };
        let converted = converter.convert(records, &Evidence::default());
        let width = match options.to {
            RewriteTo::Strings => converted.string(0).len(),
            RewriteTo::Solutions => converted.solution(0).len(),
        };
        if width > 0 {
            return width;
        }
    }
    0
}

/// Returns the room for each block of this many rows.
fn rooms(strings: &Strings<'_>, of_block: usize, width: usize) -> Vec<usize> {
    let blocks = (0..strings.len()).step_by(of_block);
    blocks.map(|first| strings.count(first..(first + of_block).min(strings.len())) * width).collect()
}

/// The place of a block: the part of the text, and the byte in it.
struct BlockPlace {
    part: usize,
    start: usize,
}

/// Returns the places of blocks with these lengths, one after the other. A part has no more bytes than entries can
/// address.
fn places<M: Entry>(blocks: impl Iterator<Item = usize>) -> impl Iterator<Item = BlockPlace> {
    blocks.scan((0, 0), |(part, end), len| {
        if *end + len > M::MAX_BYTES {
            (*part, *end) = (*part + 1, 0);
        }
        let start = std::mem::replace(end, *end + len);
        Some(BlockPlace { part: *part, start })
    })
}

/// Collects the strings of a block in its room, or in the overflow.
struct StringSink<'j> {
    room: &'j mut [u8],
    len: usize,
    overflow: Option<Vec<u8>>,
}

impl StringSink<'_> {
    /// Returns room for this many bytes, which the caller writes.
    fn room(&mut self, more: usize) -> &mut [u8] {
        let (start, end) = (self.len, self.len + more);
        self.len = end;
        match &mut self.overflow {
            None if end <= self.room.len() => &mut self.room[start..end],
            overflow => {
                let overflow = overflow.get_or_insert_with(|| self.room[..start].to_vec());
                overflow.resize(end, 0);
                &mut overflow[start..]
            }
        }
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        match &mut self.overflow {
            None if end <= self.room.len() => self.room[self.len..end].copy_from_slice(bytes),
            None => self.overflow = Some([&self.room[..self.len], bytes].concat()),
            Some(overflow) => overflow.extend_from_slice(bytes),
        }
        self.len = end;
    }
}

/// Rewrites a block.
fn rewrite_block<M: Entry>(
    reader: &mut Reader<'_>,
    strings: &Strings<'_>,
    job: BlockJob<'_, M>,
    options: &RewriteOptions<'_>,
    stop: &dyn Fn() -> bool,
) -> StringBlock {
    let BlockJob { chunk, first, rows, width, room, start, entries } = job;
    let (mut missing, mut refused) = (Vec::new(), RefusedRows::default());
    let all_room = room.len();
    let mut sink = StringSink { room, len: 0, overflow: None };
    // The number of rows in the block that have their entries.
    let mut known = 0;
    reader.convert(strings, rows.clone(), stop, &mut |answers| {
        let mut end = start + sink.len;
        if let Some((text, width)) = write_all(answers, options.to, width, &mut sink) {
            for (string, &row) in text.chunks_exact(width).zip(answers.rows) {
                entries[known..row - rows.start].fill(M::empty(end));
                entries[row - rows.start] = M::of(end, string);
                end += width;
                known = row - rows.start + 1;
            }
            return;
        }
        let mut why = answers.refused().peekable();
        for (record, &row) in answers.rows.iter().enumerate() {
            let end = start + sink.len;
            entries[known..row - rows.start].fill(M::empty(end));
            let string = if let Some((_, reject)) = why.next_if(|&(of, _)| of == record) {
                refused.add(first + row, &reject, options.session.list_refused);
                strings.get(row).filter(|string| is_kept(string, options))
            } else {
                Some(match options.to {
                    RewriteTo::Strings => answers.converted.string(record),
                    RewriteTo::Solutions => answers.converted.solution(record),
                })
            };
            match string {
                Some(string) => {
                    sink.push(string);
                    entries[row - rows.start] = M::of(end, string);
                }
                None => {
                    missing.push(row);
                    entries[row - rows.start] = M::empty(end);
                }
            }
            known = row - rows.start + 1;
        }
    });
    entries[known..].fill(M::empty(start + sink.len));
    if options.to == RewriteTo::Solutions {
        missing.extend(rows.clone().filter(|&row| strings.get(row).is_some_and(<[u8]>::is_empty)));
    }
    let StringSink { len, overflow, .. } = sink;
    StringBlock { chunk, rows: rows.len(), room: all_room, start, len, overflow, missing, refused }
}

/// Writes all new strings at once, if they have the same width. Returns them, and the width.
fn write_all<'s>(
    answers: &StringAnswers<'_>,
    to: RewriteTo,
    width: usize,
    sink: &'s mut StringSink<'_>,
) -> Option<(&'s [u8], usize)> {
    if let Some(solutions) = answers.solutions {
        let room = sink.room(solutions.bytes());
        solutions.write(room);
        return Some((room, LeftSolutions::WIDTH));
    }
    let converted = answers.converted;
    if width == 0 || to == RewriteTo::Solutions || !converted.refused.is_empty() {
        return None;
    }
    let all = converted.ends.iter().zip(1..).fold(true, |all, (&end, records)| all & (end == records * width));
    let text = converted.text.as_slice();
    let room = if all { sink.room(text.len()) } else { return None };
    room.copy_from_slice(text);
    Some((room, width))
}

/// Whether a refused string is kept unchanged.
fn is_kept(string: &[u8], options: &RewriteOptions<'_>) -> bool {
    options.bad == BadStrings::Keep && !(options.is_binary && str::from_utf8(string).is_err())
}

/// Returns which rows of a chunk are null.
fn nulls(strings: &Strings<'_>, blocks: &[StringBlock]) -> Option<NullBuffer> {
    if blocks.iter().all(|block| block.missing.is_empty()) {
        return strings.nulls().cloned();
    }
    let mut valid = BooleanBufferBuilder::new(strings.len());
    match strings.nulls() {
        Some(nulls) => valid.append_buffer(nulls.inner()),
        None => valid.append_n(strings.len(), true),
    }
    blocks.iter().flat_map(|block| &block.missing).for_each(|&row| valid.set_bit(row, false));
    Some(NullBuffer::new(valid.finish()))
}

/// Moves the blocks of a chunk to their final places, and adjusts their entries.
fn assemble<M: Entry>(
    bytes: Vec<u8>,
    mut entries: Vec<M>,
    nulls: Option<NullBuffer>,
    blocks: Vec<StringBlock>,
) -> PackedStrings<M> {
    let mut parts = vec![Part { rows: 0..0, bytes: 0..0 }];
    for (block, place) in blocks.iter().zip(places::<M>(blocks.iter().map(|block| block.len))) {
        let Some(last) = parts.last().cloned() else { break };
        if place.part == parts.len() {
            parts.push(Part { rows: last.rows.end..last.rows.end, bytes: last.bytes.end..last.bytes.end });
        }
        let Some(part) = parts.last_mut() else { break };
        if place.part > 0 || place.start != block.start {
            let by = place.start.wrapping_sub(block.start);
            let entries = &mut entries[1 + part.rows.end..][..block.rows];
            entries.iter_mut().for_each(|entry| *entry = entry.moved(place.part, by));
        }
        part.rows.end += block.rows;
        part.bytes.end += block.len;
    }
    PackedStrings { entries, bytes: Buffer::from_vec(compact(bytes, blocks)), nulls, parts }
}

/// Returns the bytes of the blocks, one after the other.
fn compact(mut bytes: Vec<u8>, blocks: Vec<StringBlock>) -> Vec<u8> {
    let len = blocks.iter().map(|block| block.len).sum();
    // Blocks can be moved one by one, from the first to the last, if each ends before the room of the next one begins.
    let ends = blocks.iter().scan((0, 0), |(end, room), block| {
        (*end, *room) = (*end + block.len, *room + block.room);
        Some(*end <= *room)
    });
    let fits = ends.fold(true, |all, fits| all & fits);
    let mut copied = if fits { Vec::new() } else { Vec::with_capacity(len) };
    let (mut from, mut to) = (0, 0);
    for block in blocks {
        match &block.overflow {
            Some(overflow) if fits => bytes[to..to + block.len].copy_from_slice(overflow),
            Some(overflow) => copied.extend_from_slice(overflow),
            None if !fits => copied.extend_from_slice(&bytes[from..from + block.len]),
            None if from != to => bytes.copy_within(from..from + block.len, to),
            None => {}
        }
        (from, to) = (from + block.room, to + block.len);
    }
    if fits {
        bytes.truncate(len);
        return bytes;
    }
    copied
}

/// New strings, one after the other, and the end of each.
#[derive(Default)]
pub(crate) struct NewBlock {
    pub(crate) bytes: Vec<u8>,
    pub(crate) ends: Vec<usize>,
}

/// Joins the strings of blocks in one array, or in several if there are more bytes than offsets can address.
pub(crate) fn join_blocks(blocks: Vec<NewBlock>) -> Vec<ArrayRef> {
    let mut offsets = vec![0_i32];
    let mut done = Vec::with_capacity(blocks.len());
    for NewBlock { bytes, ends } in blocks {
        offsets.extend(ends.iter().map(|&end| end as i32));
        let (rows, len) = (ends.len(), bytes.len());
        let (missing, refused) = (Vec::new(), RefusedRows::default());
        done.push(StringBlock { chunk: 0, rows, room: 0, start: 0, len, overflow: Some(bytes), missing, refused });
    }
    Entry::arrays(assemble(Vec::new(), offsets, None, done))
}

#[cfg(test)]
mod tests;
