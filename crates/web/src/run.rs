//! Converts a text that comes in pieces of any size, with the same result as the program.

use std::collections::HashSet;

use gridmill_core::canon::Key;
use gridmill_core::convert::{Conversion, Converter, Emit};
use gridmill_core::error::Reject;
use gridmill_core::formats::{AskedEvidence, Evidence, Records, Text};
use gridmill_core::framing::{Framing, Piece, RowStrings, Rows};
use gridmill_core::kernels::{self, Kernel};
use serde_json::Value;

use crate::answer::CallAnswer;
use crate::framed::{CutPiece, FramedText, GUESS_WINDOW, PieceCutter, SolutionColumn, mark};
use crate::lines::RecordLines;
use crate::options::CallOptions;
use crate::put_back::{PutBackPlan, TextPutBack};
use crate::summary::{Summary, TextPosition};

/// How many bytes of text are evidence for layouts, as in the program.
const SURVEY_WINDOW: usize = 4 << 20;

/// How many bytes are kept for this evidence, so that the last record in the window is complete.
const SURVEY_KEPT: usize = SURVEY_WINDOW + (1 << 20);

/// The conversion of a text that comes in pieces.
pub(crate) struct Run {
    options: CallOptions,
    plan: Conversion,
    kernel: &'static Kernel,
    converter: Converter,
    /// The framing, once it is known.
    framed: Option<(FramedText, PieceCutter)>,
    /// Text that is not converted yet, and room for the next piece.
    pending: Text,
    /// The size of the room.
    room: usize,
    /// The first bytes of the input, as long as they may be needed as evidence for layouts.
    head: Vec<u8>,
    /// This evidence, once a string has needed it.
    evidence: Option<Evidence>,
    /// The position of the current text.
    at: TextPosition,
    found: FoundRecords,
    /// The keys so far, if later records that have one of them are left out.
    seen: Option<HashSet<Key>>,
    out: Text,
    summary: Summary,
}

/// The records of a piece.
#[derive(Default)]
pub(crate) struct FoundRecords {
    lines: RecordLines,
    rows: Rows,
    strings: RowStrings,
}

impl Run {
    /// A run before any text is known.
    ///
    /// # Errors
    /// The options contradict each other.
    pub(crate) fn new(options: CallOptions) -> Result<Self, String> {
        let (plan, kernel) = (options.conversion()?, kernels::best());
        let summary = Summary::new(options.records.name.as_deref().unwrap_or("<stdin>"));
        Ok(Self {
            options,
            plan,
            kernel,
            converter: Converter::new(plan, kernel),
            framed: None,
            pending: Text::new(),
            room: 0,
            head: Vec::new(),
            evidence: None,
            at: TextPosition::default(),
            found: FoundRecords::default(),
            seen: plan.canonical.map(|_| HashSet::new()),
            out: Text::new(),
            summary,
        })
    }

    /// Makes room for the next piece, of at most `length` bytes.
    pub(crate) fn room(&mut self, length: usize) -> &mut [u8] {
        self.room = length;
        if length >= GUESS_WINDOW && self.at.byte == 0 && self.pending.is_empty() && self.plan.surveys() {
            // Without this, the buffer would have to grow again and again while text is collected for the survey.
            self.pending = Text::with_room(SURVEY_KEPT + length);
        }
        &mut self.pending.room(length)[..length]
    }

    /// Reuses the memory of a text that is no longer needed.
    pub(crate) fn write_to(&mut self, text: Text) {
        self.out = text;
    }

    /// Takes `length` bytes of the room, and answers with the results of the pieces that are complete by now. Also
    /// returns whether the text so far will give more results, which were left out since the answer has at most about
    /// `most` bytes.
    ///
    /// # Errors
    /// The run cannot continue, or the room is smaller than `length`.
    pub(crate) fn feed(&mut self, length: usize, last: bool, most: usize) -> Result<(CallAnswer, bool), String> {
        let room = std::mem::take(&mut self.room);
        if length > room {
            return Err(format!("there was room for {room} bytes, not {length}"));
        }
        self.pending.advance(length);
        let mut more = false;
        let enough = if self.plan.surveys() { SURVEY_KEPT } else { GUESS_WINDOW };
        if self.framed.is_some() || last || self.pending.len() >= enough {
            let mut pending = std::mem::take(&mut self.pending);
            let used = self.convert(pending.as_slice(), last, most)?;
            more = self.output_len() >= most && used < pending.len();
            let rest = pending.as_slice()[used..].to_vec();
            pending.clear();
            pending.push(&rest);
            self.pending = pending;
        }
        Ok((self.answer(more), more))
    }

    /// Converts a whole text.
    ///
    /// # Errors
    /// The options do not suit the text.
    pub(crate) fn convert_all(&mut self, text: &[u8]) -> Result<CallAnswer, String> {
        self.convert(text, true, usize::MAX)?;
        Ok(self.answer(false))
    }

    /// The results since the last answer: the JSON, the new text, and the rows of a reject file.
    fn answer(&mut self, more: bool) -> CallAnswer {
        let (mut head, rows) = self.summary.take();
        head["more"] = more.into();
        head["bytes"] = self.at.byte.into();
        head["read_as"] = self.framed.as_ref().map_or(Value::Null, |(framed, _)| framed.flags.clone().into());
        CallAnswer::with_text(head, std::mem::take(&mut self.out), rows)
    }

    /// The number of bytes in the next answer.
    fn output_len(&self) -> usize {
        self.out.len() + self.summary.len()
    }

    /// Converts the complete pieces of a text, until the answer has about `most` bytes. Returns the end of these
    /// pieces.
    fn convert(&mut self, text: &[u8], last: bool, most: usize) -> Result<usize, String> {
        if self.framed.is_none() {
            let framed = FramedText::new(
                &self.options,
                &self.plan,
                &text[..text.len().min(GUESS_WINDOW)],
                last && text.len() <= GUESS_WINDOW,
            )?;
            self.plan.hints.within = framed.within;
            let from = framed.framing().format(self.plan.from);
            let converter = Converter::new(Conversion { from, ..self.plan }, self.kernel);
            let ends_lines = framed.framing().facts().is_lines && self.plan.emit.writes();
            self.converter = if ends_lines { converter.with_line_feeds() } else { converter };
            if self.plan.surveys() {
                self.head = text[..text.len().min(SURVEY_KEPT)].to_vec();
            }
            let cutter = framed.cutter();
            self.framed = Some((framed, cutter));
            if text.len() > GUESS_WINDOW {
                self.out = Text::with_room(text.len().min(SURVEY_KEPT));
            }
        }
        let (mut framed, mut cutter) = self.framed.take().ok_or("internal error: no framing")?;
        let mut used = 0;
        let done = loop {
            if self.output_len() >= most {
                break Ok(used);
            }
            match cutter.next(&text[used..], last) {
                Ok(Some(cut_piece)) => {
                    let end = used + cut_piece.end;
                    if let Err(words) = self.convert_piece(&mut framed, &text[used..end], &cut_piece) {
                        break Err(words);
                    }
                    used = end;
                }
                Ok(None) => break Ok(used),
                Err(words) => break Err(words),
            }
        };
        self.framed = Some((framed, cutter));
        done
    }

    fn convert_piece(&mut self, framed: &mut FramedText, text: &[u8], cut_piece: &CutPiece) -> Result<(), String> {
        if let Some(words) = framed.framing().too_long(text) {
            return Err(format!("the text {words}"));
        }
        let mut start = if self.at.byte == 0 { self.begin(framed, text, cut_piece)? } else { 0 };
        if self.copies() {
            push_header(framed, &text[..start], &mut self.out);
        }
        self.pass(&text[..start]);
        while start < text.len() {
            start += self.convert_rows(framed, &text[start..], cut_piece, start)?;
        }
        Ok(())
    }

    /// Converts rows from byte `start` of a piece on, as many as are found at once. Returns their length.
    fn convert_rows(
        &mut self,
        framed: &FramedText,
        text: &[u8],
        cut_piece: &CutPiece,
        start: usize,
    ) -> Result<usize, String> {
        let framing = framed.framing();
        let piece = cut_piece.piece(text, start, self.kernel);
        let rewrites = self.plan.emit.writes() && !self.plan.emit.solves();
        let rewritten = if rewrites { framing.rewrite(&piece) } else { None };
        let end = match rewritten {
            Some(_) => text.len(),
            None => self.found.find(framing, &piece, &self.plan, framed.solution.is_some()),
        };
        let text = &text[..end];
        if rewritten.is_none() {
            self.convert_records(framed, text)?;
            self.summary.losses(self.converter.converted());
        }
        let detects = self.options.command == "detect";
        let copies = self.copies();
        let (at, plan, summary, out, seen) =
            (self.at, &self.plan, &mut self.summary, &mut self.out, self.seen.as_mut());
        let what = PutBackPlan { plan, detects, copies, solution: framed.solution.as_ref() };
        let back = TextPutBack { text, at, what, seen, summary, out, copied: 0 };
        match rewritten {
            Some(done) => back.rewritten(done),
            None if framing.facts().is_lines => back.lines(&self.found.lines, self.converter.converted()),
            None => back.rows(framing, &self.found.rows, self.converter.converted()),
        }
        self.pass(text);
        Ok(end)
    }

    /// Whether the text between records is written.
    fn copies(&self) -> bool {
        self.plan.emit != Emit::Nothing || self.seen.is_some()
    }

    /// Advances past some text.
    fn pass(&mut self, text: &[u8]) {
        self.at.byte += text.len() as u64;
        self.at.line += memchr::memchr_iter(b'\n', text).count() as u64;
    }

    /// Processes the start of the first piece. Returns the end of its byte order mark and header.
    fn begin(&mut self, framed: &mut FramedText, text: &[u8], cut_piece: &CutPiece) -> Result<usize, String> {
        let mark = mark(text);
        Ok(mark + framed.begin(&cut_piece.piece(&text[mark..], mark, self.kernel), &self.plan)?)
    }

    /// Converts the records that were found in a text.
    fn convert_records(&mut self, framed: &FramedText, text: &[u8]) -> Result<(), String> {
        let plan = *self.converter.plan();
        let Self { converter, found, head, evidence, kernel, .. } = self;
        let collect = || evidence.map_or_else(|| survey(framed, head, &plan, kernel), Ok);
        let asked = AskedEvidence::new(&collect);
        converter.give_names(found.rows.names());
        converter.convert(found.records(text, framed.framing().facts().is_lines), &asked);
        if let Some(found) = asked.end()? {
            (self.evidence, self.head) = (Some(found), Vec::new());
        }
        Ok(())
    }
}

/// Writes the start of the input, up to the end of its header, with the name of the new column.
fn push_header(framed: &FramedText, start: &[u8], out: &mut Text) {
    let line = start.strip_suffix(b"\n").unwrap_or(start);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    out.push(line);
    if let Some(SolutionColumn { name: [new], .. }) = framed.solution.as_ref().filter(|_| line.len() > mark(start)) {
        framed.framing().append_name(&new.name, out);
    }
    out.push(&start[line.len()..]);
}

/// The evidence for layouts in the first strings of the input, of which `head` is the start.
fn survey(framed: &FramedText, head: &[u8], plan: &Conversion, kernel: &'static Kernel) -> Result<Evidence, String> {
    let framing = framed.framing();
    let (mut cutter, mut found, mut evidence) = (framed.cutter(), FoundRecords::default(), Evidence::default());
    let mut at = 0;
    while at < SURVEY_WINDOW.min(head.len())
        && let Some(cut_piece) = cutter.next(&head[at..], head.len() < SURVEY_KEPT)?
    {
        let text = &head[at..at + cut_piece.end];
        let mut start = if at == 0 { mark(text) } else { 0 };
        if at == 0 {
            start += framing.header(&text[start..]);
        }
        while start < text.len() {
            let rest = &text[start..];
            let end = found.find(framing, &cut_piece.piece(rest, start, kernel), plan, false);
            let within = found.before(SURVEY_WINDOW.saturating_sub(at + start), framing.facts().is_lines);
            let records = found.records(&rest[..end], framing.facts().is_lines);
            evidence.join(&plan.weigh((0..within).map(|at| records.get(at))));
            start += end;
        }
        at += cut_piece.end;
    }
    Ok(evidence)
}

impl FoundRecords {
    /// Finds the records of a piece, and with `all` rows without a string, too. Returns the end of those that were found at
    /// once.
    pub(crate) fn find(&mut self, framing: &dyn Framing, piece: &Piece, plan: &Conversion, all: bool) -> usize {
        if framing.facts().is_lines {
            self.lines.find(piece.text, plan);
            return piece.text.len();
        }
        self.rows.clear();
        framing.rows(piece, all, &mut self.rows);
        self.rows.stopped.filter(|&stopped| stopped > 0).unwrap_or(piece.text.len())
    }

    /// How many of the records begin in the first `window` bytes.
    fn before(&self, window: usize, lines: bool) -> usize {
        if lines {
            return self.lines.starts.partition_point(|&start| (start as usize) < window);
        }
        let rows = self.rows.rows.iter().take_while(|row| (row.start as usize) < window);
        rows.map(|row| row.fields as usize).sum()
    }

    /// The reasons why rows are refused.
    pub(crate) fn refused(&self) -> impl Iterator<Item = &Reject> {
        self.rows.refused.iter().map(|(_, reject)| reject)
    }

    /// The records of a text.
    pub(crate) fn records<'r>(&'r mut self, text: &'r [u8], lines: bool) -> Records<'r> {
        match lines {
            true => Records { bytes: text, starts: &self.lines.starts, ends: &self.lines.ends },
            false => {
                self.strings.take(&self.rows, text);
                self.strings.records(text)
            }
        }
    }
}
