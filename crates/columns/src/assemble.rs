//! New strings, put together in the memory that they are given away in.
//!
//! Nearly all formats have strings of one width. So there is room for each block of rows where its strings belong if all of them are
//! of that width, and the block is written there while it is in the cache. Blocks that need more room are kept apart, and what is
//! not in its place then is moved at the end.

use std::ops::Range;

use arrow_array::{ArrayRef, OffsetSizeTrait};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_schema::DataType;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Converter};
use gridmill_core::formats::Records;

use crate::blocks::{self, ROWS};
use crate::error::Error;
use crate::how::{Bad, Rewrite, Rewritten, Written, rewritten_type};
use crate::reader::{Answers, Reader};
use crate::refused::Refused;

use crate::session::Known;
use crate::strings::Strings;
use crate::text::Text;

/// Strings of a column that are looked at for their width.
const GLANCE: usize = 64;

/// Rows to rewrite, and where.
struct Job<'j, O> {
    chunk: usize,
    rows: Range<usize>,
    /// Room for the strings.
    room: &'j mut [u8],
    /// Where each ends, from the start of the block.
    ends: &'j mut [O],
}

/// A block of new strings.
struct Block {
    chunk: usize,
    /// Rows, and bytes of room.
    rows: usize,
    room: usize,
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
        DataType::Utf8 => as_arrays::<i32>(columns, how, known, Text::into_array),
        DataType::LargeUtf8 => as_arrays::<i64>(columns, how, known, Text::into_array),
        _ => as_arrays::<i64>(columns, how, known, Text::into_views),
    }
}

fn as_arrays<O: OffsetSizeTrait>(
    columns: &[Strings<'_>],
    how: &Rewrite<'_>,
    known: &Known<'_>,
    array: impl Fn(Text<O>) -> ArrayRef,
) -> Result<Rewritten, Error> {
    let (texts, refused) = rewrite_texts::<O>(columns, how, known)?;
    Ok(Rewritten { chunks: texts.into_iter().map(array).collect(), refused })
}

/// Rewrites chunks: a text for each, or several where offsets do not reach far enough.
fn rewrite_texts<O: OffsetSizeTrait>(
    columns: &[Strings<'_>],
    how: &Rewrite<'_>,
    known: &Known<'_>,
) -> Result<(Vec<Text<O>>, Refused), Error> {
    let width = width(columns, how, known);
    let rooms: Vec<Vec<usize>> = columns.iter().map(|strings| rooms(strings, width)).collect();
    // Memory that nobody has touched is zero: it takes no time before it is written.
    let mut bytes: Vec<Vec<u8>> = rooms.iter().map(|rooms| vec![0; rooms.iter().sum()]).collect();
    let mut offsets: Vec<Vec<O>> = columns.iter().map(|strings| vec![O::zero(); strings.len() + 1]).collect();
    let mut jobs = Vec::new();
    for (chunk, ((strings, rooms), (bytes, offsets))) in
        columns.iter().zip(&rooms).zip(bytes.iter_mut().zip(&mut offsets)).enumerate()
    {
        let (mut rest, mut first) = (&mut bytes[..], 0);
        for (&room, ends) in rooms.iter().zip(offsets[1..].chunks_mut(ROWS)) {
            let (room, after) = rest.split_at_mut(room);
            let rows = first..(first + ROWS).min(strings.len());
            (rest, first) = (after, rows.end);
            jobs.push(Job { chunk, rows, room, ends });
        }
    }
    let rows = columns.iter().map(Strings::len).sum();
    let firsts: Vec<usize> =
        columns.iter().scan(0, |rows, strings| Some(std::mem::replace(rows, *rows + strings.len()))).collect();
    let blocks = blocks::each(
        how.session,
        rows,
        jobs,
        || Reader::new(known),
        |reader, job, stop| {
            let (strings, first) = (&columns[job.chunk], firsts[job.chunk]);
            rewrite_block(reader, strings, job, first, width, how, stop)
        },
    )?;
    let (mut texts, mut refused) = (Vec::new(), Refused::default());
    let mut blocks = blocks.into_iter().peekable();
    for (chunk, (bytes, offsets)) in bytes.into_iter().zip(offsets).enumerate() {
        let mut own = Vec::new();
        while let Some(mut block) = blocks.next_if(|block| block.chunk == chunk) {
            refused.join(std::mem::take(&mut block.refused), how.session.list_refused);
            own.push(block);
        }
        let nulls = nulls(&columns[chunk], &own);
        put_together(bytes, offsets, nulls, own, &mut texts);
    }
    Ok((texts, refused))
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

/// Room for the strings of each block.
fn rooms(strings: &Strings<'_>, width: usize) -> Vec<usize> {
    let has_string = |&row: &usize| strings.span(row).is_some_and(|span| span.start < span.end);
    let blocks = (0..strings.len()).step_by(ROWS);
    blocks.map(|first| (first..(first + ROWS).min(strings.len())).filter(has_string).count() * width).collect()
}

/// Strings on their way to where they belong.
struct Sink<'j> {
    room: &'j mut [u8],
    len: usize,
    apart: Option<Vec<u8>>,
}

impl Sink<'_> {
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
fn rewrite_block<O: OffsetSizeTrait>(
    reader: &mut Reader<'_>,
    strings: &Strings<'_>,
    Job { chunk, rows, room, ends }: Job<'_, O>,
    first: usize,
    width: usize,
    how: &Rewrite<'_>,
    stop: &dyn Fn() -> bool,
) -> Block {
    let (mut missing, mut refused) = (Vec::new(), Refused::default());
    let all_room = room.len();
    let mut sink = Sink { room, len: 0, apart: None };
    // Rows of the block whose ends are known.
    let mut known = 0;
    reader.convert(strings, rows.clone(), stop, |answers| {
        let is_whole = how.written == Written::Strings && is_of_width(answers, width);
        if is_whole {
            let start = sink.len;
            sink.push(answers.converted.text.as_slice());
            for (record, &row) in answers.rows.iter().enumerate() {
                ends[known..row - rows.start].fill(O::usize_as(start + record * width));
                ends[row - rows.start] = O::usize_as(start + (record + 1) * width);
                known = row - rows.start + 1;
            }
            return;
        }
        let mut why = answers.refused().peekable();
        for (record, &row) in answers.rows.iter().enumerate() {
            ends[known..row - rows.start].fill(O::usize_as(sink.len));
            if let Some((_, reject)) = why.next_if(|&(of, _)| of == record) {
                refused.add(first + row, &reject, how.session.list_refused);
                match strings.get(row).filter(|string| is_kept(string, how)) {
                    Some(string) => sink.push(string),
                    None => missing.push(row),
                }
            } else {
                match how.written {
                    Written::Strings => sink.push(answers.converted.string(record)),
                    Written::Solutions => sink.push(answers.converted.solution(record)),
                }
            }
            ends[row - rows.start] = O::usize_as(sink.len);
            known = row - rows.start + 1;
        }
    });
    ends[known..].fill(O::usize_as(sink.len));
    if how.written == Written::Solutions {
        missing.extend(rows.clone().filter(|&row| strings.get(row).is_some_and(<[u8]>::is_empty)));
    }
    let Sink { len, apart, .. } = sink;
    Block { chunk, rows: rows.len(), room: all_room, len, apart, missing, refused }
}

/// Whether all strings were converted, and are of a width.
fn is_of_width(answers: &Answers<'_>, width: usize) -> bool {
    let ends = &answers.converted.ends;
    let all = ends.iter().zip(1..).fold(true, |all, (&end, records)| all & (end == records * width));
    width > 0 && answers.converted.refused.is_empty() && all
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

/// Moves the blocks of a chunk to where they belong, and cuts them where offsets do not reach farther.
fn put_together<O: OffsetSizeTrait>(
    bytes: Vec<u8>,
    mut offsets: Vec<O>,
    nulls: Option<NullBuffer>,
    blocks: Vec<Block>,
    texts: &mut Vec<Text<O>>,
) {
    let most = O::MAX_OFFSET;
    // For each text its first row, its rows, its first byte and its bytes.
    let (mut cuts, mut rows, mut start) = (vec![(0, 0, 0, 0)], 0, 0);
    for block in &blocks {
        let Some(cut) = cuts.last_mut() else { break };
        if cut.3 + block.len > most {
            cuts.push((rows, 0, start, 0));
        }
        let Some(cut) = cuts.last_mut() else { break };
        let before = O::usize_as(cut.3);
        offsets[1 + rows..=rows + block.rows].iter_mut().for_each(|end| *end += before);
        (cut.1, cut.3) = (cut.1 + block.rows, cut.3 + block.len);
        (rows, start) = (rows + block.rows, start + block.len);
    }
    let bytes = Buffer::from_vec(in_place(bytes, blocks));
    if let [_] = cuts[..] {
        return texts.push(Text { offsets, bytes, nulls });
    }
    for (row, rows, start, len) in cuts {
        let mut own = vec![O::zero()];
        own.extend_from_slice(&offsets[1 + row..=row + rows]);
        let nulls = nulls.as_ref().map(|nulls| nulls.slice(row, rows));
        texts.push(Text { offsets: own, bytes: bytes.slice_with_length(start, len), nulls });
    }
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
        done.push(Block { chunk: 0, rows, room: 0, len, apart: Some(bytes), missing, refused });
    }
    let mut texts = Vec::new();
    put_together(Vec::new(), offsets, None, done, &mut texts);
    texts.into_iter().map(Text::into_array).collect()
}
