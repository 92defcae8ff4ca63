//! New strings, put together in the memory that they are given away in.
//!
//! Nearly all formats have strings of one width. So there is room for each block of rows where its strings belong if all of them are
//! of that width, and the block is written there while it is in the cache. Blocks that need more room are kept apart, and what is
//! not in its place then is moved at the end.

use std::ops::Range;

use arrow_array::ArrayRef;
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_schema::DataType;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Converter, LeftSolutions};
use gridmill_core::formats::Records;

use crate::blocks;
use crate::error::Error;
use crate::how::{Bad, Rewrite, Rewritten, Written, rewritten_type};
use crate::memory::zeroed;
use crate::reader::{Answers, Reader};
use crate::refused::Refused;
use crate::session::Known;
use crate::strings::Strings;
use crate::text::{Mark, Part, Text};

/// Strings of a column that are looked at for their width.
const GLANCE: usize = 64;

/// Rows to rewrite, and where.
struct Job<'j, M> {
    chunk: usize,
    rows: Range<usize>,
    /// Room for the strings, and where it begins in its part of the text, if all strings have their room.
    room: &'j mut [u8],
    start: usize,
    marks: &'j mut [M],
}

/// A block of new strings.
struct Block {
    chunk: usize,
    rows: usize,
    /// Bytes of room.
    room: usize,
    /// Where it begins in its part, as its marks have it.
    start: usize,
    /// Bytes that were written: to the room, or apart from it.
    len: usize,
    apart: Option<Vec<u8>>,
    /// Rows of the chunk that are null, besides those that were.
    missing: Vec<usize>,
    refused: Refused,
}

/// Rewrites chunks of strings of a type, which is no dictionary.
pub(crate) fn rewrite_strings(
    of: &DataType,
    columns: &[Strings<'_>],
    how: &Rewrite<'_>,
    known: &Known<'_>,
) -> Result<Rewritten, Error> {
    match rewritten_type(of)? {
        DataType::Utf8 => rewrite_texts::<i32>(columns, how, known),
        DataType::LargeUtf8 => rewrite_texts::<i64>(columns, how, known),
        _ => rewrite_texts::<u128>(columns, how, known),
    }
}

/// Rewrites chunks: an array for each, or several where its marks do not reach far enough.
fn rewrite_texts<M: Mark>(columns: &[Strings<'_>], how: &Rewrite<'_>, known: &Known<'_>) -> Result<Rewritten, Error> {
    let width = width(columns, how, known);
    let rows = columns.iter().map(Strings::len).sum();
    let of_block = blocks::rows_of_block(how.session, how.plan.checks.level, rows);
    let rooms: Vec<Vec<usize>> = columns.iter().map(|strings| rooms(strings, of_block, width)).collect();
    let mut bytes: Vec<Vec<u8>> = rooms.iter().map(|rooms| zeroed(rooms.iter().sum())).collect();
    let mut marks: Vec<Vec<M>> = columns.iter().map(|strings| zeroed(strings.len() + 1)).collect();
    let mut jobs = Vec::new();
    for (chunk, ((strings, rooms), (bytes, marks))) in
        columns.iter().zip(&rooms).zip(bytes.iter_mut().zip(&mut marks)).enumerate()
    {
        let (mut rest, mut first) = (&mut bytes[..], 0);
        let starts = places::<M>(rooms.iter().copied()).map(|place| place.start);
        for ((&room, start), marks) in rooms.iter().zip(starts).zip(marks[1..].chunks_mut(of_block)) {
            let (room, after) = rest.split_at_mut(room);
            let rows = first..(first + of_block).min(strings.len());
            (rest, first) = (after, rows.end);
            jobs.push(Job { chunk, rows, room, start, marks });
        }
    }
    let firsts: Vec<usize> =
        columns.iter().scan(0, |rows, strings| Some(std::mem::replace(rows, *rows + strings.len()))).collect();
    let blocks = blocks::each(
        how.session,
        rows,
        jobs,
        || Reader::new(known).leaving_solutions(),
        |reader, job, stop| {
            let (strings, first) = (&columns[job.chunk], firsts[job.chunk]);
            rewrite_block(reader, strings, job, first, width, how, stop)
        },
    )?;
    let mut rewritten = Rewritten { chunks: Vec::new(), refused: Refused::default() };
    let mut blocks = blocks.into_iter().peekable();
    for (chunk, (bytes, marks)) in bytes.into_iter().zip(marks).enumerate() {
        let mut own = Vec::new();
        while let Some(mut block) = blocks.next_if(|block| block.chunk == chunk) {
            rewritten.refused.join(std::mem::take(&mut block.refused), how.session.list_refused);
            own.push(block);
        }
        let nulls = nulls(&columns[chunk], &own);
        rewritten.chunks.extend(M::arrays(put_together(bytes, marks, nulls, own)));
    }
    Ok(rewritten)
}

/// The width of the new strings, by the first that can be converted; 0, if it is not known.
fn width(columns: &[Strings<'_>], how: &Rewrite<'_>, known: &Known<'_>) -> usize {
    let syntax = Checks { level: CheckLevel::Syntax, ..how.plan.checks };
    let plan = Conversion { checks: syntax, ..how.plan };
    let all = columns.iter().flat_map(|strings| (0..strings.len()).filter_map(|row| strings.get(row)));
    for string in all.filter(|string| !string.is_empty()).take(GLANCE) {
        let Ok(end) = u32::try_from(string.len()) else { continue };
        let mut converter = match how.written {
            Written::Strings => Converter::new(plan, how.session.kernel),
            Written::Solutions => known.converter(),
        };
        let records = Records { bytes: string, starts: &[0], ends: &[end] };
        let Ok(converted) = converter.convert(records) else { continue };
        let width = match how.written {
            Written::Strings => converted.string(0).len(),
            Written::Solutions => converted.solution(0).len(),
        };
        if width > 0 {
            return width;
        }
    }
    0
}

/// Room for the strings of each block of so many rows.
fn rooms(strings: &Strings<'_>, of_block: usize, width: usize) -> Vec<usize> {
    let blocks = (0..strings.len()).step_by(of_block);
    blocks.map(|first| strings.count(first..(first + of_block).min(strings.len())) * width).collect()
}

/// Where a block stands: the part of the text, and the byte in it.
struct Place {
    part: usize,
    start: usize,
}

/// Where blocks of so many bytes stand, one after the other: a part has no more than marks reach.
fn places<M: Mark>(blocks: impl Iterator<Item = usize>) -> impl Iterator<Item = Place> {
    blocks.scan((0, 0), |(part, end), len| {
        if *end + len > M::MOST {
            (*part, *end) = (*part + 1, 0);
        }
        let start = std::mem::replace(end, *end + len);
        Some(Place { part: *part, start })
    })
}

/// Strings on their way to where they belong.
struct Sink<'j> {
    room: &'j mut [u8],
    len: usize,
    apart: Option<Vec<u8>>,
}

impl Sink<'_> {
    /// Room for so many bytes, which are written.
    fn room(&mut self, more: usize) -> &mut [u8] {
        let (start, end) = (self.len, self.len + more);
        self.len = end;
        match &mut self.apart {
            None if end <= self.room.len() => &mut self.room[start..end],
            apart => {
                let apart = apart.get_or_insert_with(|| self.room[..start].to_vec());
                apart.resize(end, 0);
                &mut apart[start..]
            }
        }
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        match &mut self.apart {
            None if end <= self.room.len() => self.room[self.len..end].copy_from_slice(bytes),
            None => self.apart = Some([&self.room[..self.len], bytes].concat()),
            Some(apart) => apart.extend_from_slice(bytes),
        }
        self.len = end;
    }
}

/// `first` is the number in the column of the chunk's first row.
fn rewrite_block<M: Mark>(
    reader: &mut Reader<'_>,
    strings: &Strings<'_>,
    Job { chunk, rows, room, start, marks }: Job<'_, M>,
    first: usize,
    width: usize,
    how: &Rewrite<'_>,
    stop: &dyn Fn() -> bool,
) -> Block {
    let (mut missing, mut refused) = (Vec::new(), Refused::default());
    let all_room = room.len();
    let mut sink = Sink { room, len: 0, apart: None };
    // Rows of the block that have their marks.
    let mut known = 0;
    reader.convert(strings, rows.clone(), stop, &mut |answers| {
        let mut end = start + sink.len;
        if let Some((text, width)) = written_at_once(answers, how.written, width, &mut sink) {
            for (string, &row) in text.chunks_exact(width).zip(answers.rows) {
                marks[known..row - rows.start].fill(M::of_nothing(end));
                marks[row - rows.start] = M::of(end, string);
                end += width;
                known = row - rows.start + 1;
            }
            return;
        }
        let mut why = answers.refused().peekable();
        for (record, &row) in answers.rows.iter().enumerate() {
            let end = start + sink.len;
            marks[known..row - rows.start].fill(M::of_nothing(end));
            let string = if let Some((_, reject)) = why.next_if(|&(of, _)| of == record) {
                refused.add(first + row, &reject, how.session.list_refused);
                strings.get(row).filter(|string| is_kept(string, how))
            } else {
                Some(match how.written {
                    Written::Strings => answers.converted.string(record),
                    Written::Solutions => answers.converted.solution(record),
                })
            };
            match string {
                Some(string) => {
                    sink.push(string);
                    marks[row - rows.start] = M::of(end, string);
                }
                None => {
                    missing.push(row);
                    marks[row - rows.start] = M::of_nothing(end);
                }
            }
            known = row - rows.start + 1;
        }
    });
    marks[known..].fill(M::of_nothing(start + sink.len));
    if how.written == Written::Solutions {
        missing.extend(rows.clone().filter(|&row| strings.get(row).is_some_and(<[u8]>::is_empty)));
    }
    let Sink { len, apart, .. } = sink;
    Block { chunk, rows: rows.len(), room: all_room, start, len, apart, missing, refused }
}

/// Writes what becomes of all strings at once, if that has one width. Returns it, and its width.
fn written_at_once<'s>(
    answers: &Answers<'_>,
    written: Written,
    width: usize,
    sink: &'s mut Sink<'_>,
) -> Option<(&'s [u8], usize)> {
    if let Some(solutions) = answers.solutions {
        let room = sink.room(solutions.bytes());
        solutions.write(room);
        return Some((room, LeftSolutions::WIDTH));
    }
    let converted = answers.converted;
    if width == 0 || written == Written::Solutions || !converted.refused.is_empty() {
        return None;
    }
    let all = converted.ends.iter().zip(1..).fold(true, |all, (&end, records)| all & (end == records * width));
    let text = converted.text.as_slice();
    let room = if all { sink.room(text.len()) } else { return None };
    room.copy_from_slice(text);
    Some((room, width))
}

/// Whether a refused string stays as it was.
fn is_kept(string: &[u8], how: &Rewrite<'_>) -> bool {
    how.bad == Bad::Keep && !(how.is_binary && str::from_utf8(string).is_err())
}

/// Which rows of a chunk are null.
fn nulls(strings: &Strings<'_>, blocks: &[Block]) -> Option<NullBuffer> {
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

/// Moves the blocks of a chunk to where they belong, with their marks.
fn put_together<M: Mark>(bytes: Vec<u8>, mut marks: Vec<M>, nulls: Option<NullBuffer>, blocks: Vec<Block>) -> Text<M> {
    let mut parts = vec![Part { rows: 0..0, bytes: 0..0 }];
    for (block, place) in blocks.iter().zip(places::<M>(blocks.iter().map(|block| block.len))) {
        let Some(last) = parts.last().cloned() else { break };
        if place.part == parts.len() {
            parts.push(Part { rows: last.rows.end..last.rows.end, bytes: last.bytes.end..last.bytes.end });
        }
        let Some(part) = parts.last_mut() else { break };
        if place.part > 0 || place.start != block.start {
            let by = place.start.wrapping_sub(block.start);
            let marks = &mut marks[1 + part.rows.end..][..block.rows];
            marks.iter_mut().for_each(|mark| *mark = mark.moved(place.part, by));
        }
        part.rows.end += block.rows;
        part.bytes.end += block.len;
    }
    Text { marks, bytes: Buffer::from_vec(in_place(bytes, blocks)), nulls, parts }
}

/// The bytes of blocks, one after the other.
fn in_place(mut bytes: Vec<u8>, blocks: Vec<Block>) -> Vec<u8> {
    let len = blocks.iter().map(|block| block.len).sum();
    // Moved from the first to the last, a block must end before the room of the next one begins.
    let ends = blocks.iter().scan((0, 0), |(end, room), block| {
        (*end, *room) = (*end + block.len, *room + block.room);
        Some(*end <= *room)
    });
    let fits = ends.fold(true, |all, fits| all & fits);
    let mut anew = if fits { Vec::new() } else { Vec::with_capacity(len) };
    let (mut from, mut to) = (0, 0);
    for block in blocks {
        match &block.apart {
            Some(apart) if fits => bytes[to..to + block.len].copy_from_slice(apart),
            Some(apart) => anew.extend_from_slice(apart),
            None if !fits => anew.extend_from_slice(&bytes[from..from + block.len]),
            None if from != to => bytes.copy_within(from..from + block.len, to),
            None => {}
        }
        (from, to) = (from + block.room, to + block.len);
    }
    if fits {
        bytes.truncate(len);
        return bytes;
    }
    anew
}

/// Strings that were written, one after the other, and where each ends.
#[derive(Default)]
pub(crate) struct NewBlock {
    pub(crate) bytes: Vec<u8>,
    pub(crate) ends: Vec<usize>,
}

/// The strings of blocks as one array, or as several where offsets do not reach farther.
pub(crate) fn join_blocks(blocks: Vec<NewBlock>) -> Vec<ArrayRef> {
    let mut offsets = vec![0_i32];
    let mut done = Vec::with_capacity(blocks.len());
    for NewBlock { bytes, ends } in blocks {
        offsets.extend(ends.iter().map(|&end| end as i32));
        let (rows, len) = (ends.len(), bytes.len());
        let (missing, refused) = (Vec::new(), Refused::default());
        done.push(Block { chunk: 0, rows, room: 0, start: 0, len, apart: Some(bytes), missing, refused });
    }
    Mark::arrays(put_together(Vec::new(), offsets, None, done))
}

#[cfg(test)]
mod tests;
