//! A run: converts a text that comes in pieces of any size, piece by piece, with the same result as the program.

use gridmill_core::convert::{Conversion, Converter, Emit};
use gridmill_core::error::Reject;
use gridmill_core::formats::{Evidence, Records, Text};
use gridmill_core::framing::{Framing, Piece, RowStrings, Rows};
use gridmill_core::kernels::{self, Kernel};
use serde_json::Value;

use crate::answer::Answer;
use crate::framed::{Framed, Part, Parts, mark};
use crate::lines::Lines;
use crate::options::Options;
use crate::put_back::PutBack;
use crate::summary::{Place, Summary};

/// How many bytes of text are evidence for layouts, as in the program.
const WINDOW: usize = 4 << 20;

/// How many bytes are kept for that, so that the last record of the window is complete.
const SURVEYED: usize = WINDOW + (1 << 20);

/// How many bytes are examined to guess the framing.
const GLANCE: usize = 64 << 10;

/// A run.
pub(crate) struct Run {
    options: Options,
    plan: Conversion,
    kernel: &'static Kernel,
    converter: Converter,
    /// The framing, once it is known.
    framed: Option<(Framed, Parts)>,
    /// Text that is not converted yet, and room for the next piece.
    pending: Text,
    /// The size of the room.
    room: usize,
    /// The first bytes of the input, as long as they may be needed as evidence for layouts.
    head: Vec<u8>,
    /// The position of the current text.
    at: Place,
    found: Found,
    out: Text,
    summary: Summary,
}

/// The records of a piece.
#[derive(Default)]
pub(crate) struct Found {
    lines: Lines,
    rows: Rows,
    strings: RowStrings,
}

impl Run {
    /// A run before any text is known.
    ///
    /// # Errors
    /// The options contradict each other.
    pub(crate) fn new(options: Options) -> Result<Self, String> {
        let (plan, kernel) = (options.conversion()?, kernels::best());
        let summary = Summary::new(options.name.as_deref().unwrap_or("<stdin>"));
        Ok(Self {
            options,
            plan,
            kernel,
            converter: Converter::new(plan, kernel),
            framed: None,
            pending: Text::new(),
            room: 0,
            head: Vec::new(),
            at: Place::default(),
            found: Found::default(),
            out: Text::new(),
            summary,
        })
    }

    /// Makes room for the next piece, of at most `length` bytes.
    pub(crate) fn room(&mut self, length: usize) -> &mut [u8] {
        self.room = length;
        if length >= GLANCE && self.at.byte == 0 && self.pending.is_empty() && self.plan.surveys() {
            // Otherwise text that is held back would outgrow its buffer again and again.
            self.pending = Text::with_room(SURVEYED + length);
        }
        &mut self.pending.room(length)[..length]
    }

    /// Takes the memory of a text that is no longer needed.
    pub(crate) fn write_to(&mut self, text: Text) {
        self.out = text;
    }

    /// Takes `length` bytes of the room, and answers with the results of what is complete by now. Also returns whether
    /// there will be more from the text that it has, because the answer would exceed about `most` bytes.
    ///
    /// # Errors
    /// The run cannot continue, or the room is smaller than `length`.
    pub(crate) fn feed(&mut self, length: usize, last: bool, most: usize) -> Result<(Answer, bool), String> {
        let room = std::mem::take(&mut self.room);
        if length > room {
            return Err(format!("there was room for {room} bytes, not {length}"));
        }
        self.pending.advance(length);
        let mut more = false;
        let enough = if self.plan.surveys() { SURVEYED } else { GLANCE };
        if self.framed.is_some() || last || self.pending.len() >= enough {
            let mut pending = std::mem::take(&mut self.pending);
            let used = self.convert(pending.as_slice(), last, most)?;
            more = self.said() >= most && used < pending.len();
            let rest = pending.as_slice()[used..].to_vec();
            pending.clear();
            pending.push(&rest);
            self.pending = pending;
        }
        Ok((self.answer(more), more))
    }

    /// Converts a text that is given at once.
    ///
    /// # Errors
    /// The options do not suit the text.
    pub(crate) fn whole(&mut self, text: &[u8]) -> Result<Answer, String> {
        self.convert(text, true, usize::MAX)?;
        Ok(self.answer(false))
    }

    /// The results since the last answer: the JSON, the new text, and the rows of a reject file.
    fn answer(&mut self, more: bool) -> Answer {
        let (mut head, rows) = self.summary.take();
        head["more"] = more.into();
        head["bytes"] = self.at.byte.into();
        head["read_as"] = self.framed.as_ref().map_or(Value::Null, |(framed, _)| framed.flags.clone().into());
        Answer::with_text(head, std::mem::take(&mut self.out), rows)
    }

    /// The number of bytes to be answered.
    fn said(&self) -> usize {
        self.out.len() + self.summary.len()
    }

    /// Converts the complete pieces of a text, until about `most` bytes are to be answered. Returns their end.
    fn convert(&mut self, text: &[u8], last: bool, most: usize) -> Result<usize, String> {
        if self.framed.is_none() {
            let framed =
                Framed::new(&self.options, &self.plan, &text[..text.len().min(GLANCE)], last && text.len() <= GLANCE)?;
            if self.plan.emit.solves() && !framed.framing().is_lines() {
                return Err("solve takes only lines here; the program also solves tables".into());
            }
            let from = framed.framing().format(self.plan.from);
            let converter = Converter::new(Conversion { from, ..self.plan }, self.kernel);
            let ends_lines = framed.framing().is_lines() && self.plan.emit.writes();
            self.converter = if ends_lines { converter.with_line_feeds() } else { converter };
            if self.plan.surveys() {
                self.head = text[..text.len().min(SURVEYED)].to_vec();
            }
            let parts = framed.parts();
            self.framed = Some((framed, parts));
            if text.len() > GLANCE {
                self.out = Text::with_room(text.len().min(SURVEYED));
            }
        }
        let (mut framed, mut parts) = self.framed.take().ok_or("internal error: no framing")?;
        let mut used = 0;
        let done = loop {
            if self.said() >= most {
                break Ok(used);
            }
            match parts.next(&text[used..], last) {
                Ok(Some(part)) => {
                    let end = used + part.end;
                    if let Err(words) = self.convert_part(&mut framed, &text[used..end], &part) {
                        break Err(words);
                    }
                    used = end;
                }
                Ok(None) => break Ok(used),
                Err(words) => break Err(words),
            }
        };
        self.framed = Some((framed, parts));
        done
    }

    fn convert_part(&mut self, framed: &mut Framed, text: &[u8], part: &Part) -> Result<(), String> {
        let mut start = if self.at.byte == 0 { self.begin(framed, text, part)? } else { 0 };
        if self.plan.emit != Emit::Nothing {
            self.out.push(&text[..start]);
        }
        self.pass(&text[..start]);
        while start < text.len() {
            start += self.convert_rows(framed, &text[start..], part, start)?;
        }
        Ok(())
    }

    /// Converts rows from `start` on in a part, as many as are found at once. Returns their length.
    fn convert_rows(&mut self, framed: &Framed, text: &[u8], part: &Part, start: usize) -> Result<usize, String> {
        let framing = framed.framing();
        let piece = part.piece(text, start, self.kernel);
        let rewritten = if self.plan.emit.writes() { framing.rewrite(&piece) } else { None };
        let end = match rewritten {
            Some(_) => text.len(),
            None => self.found.find(framing, &piece, &self.plan),
        };
        let text = &text[..end];
        if rewritten.is_none() {
            self.convert_records(framed, text)?;
            self.summary.losses(self.converter.converted());
        }
        let detects = self.options.command == "detect";
        let (at, plan, summary, out) = (self.at, &self.plan, &mut self.summary, &mut self.out);
        let back = PutBack { text, at, plan, detects, summary, out, copied: 0 };
        match rewritten {
            Some(done) => back.rewritten(done),
            None if framing.is_lines() => back.lines(&self.found.lines, self.converter.converted()),
            None => back.rows(framing, &self.found.rows, self.converter.converted()),
        }
        self.pass(text);
        Ok(end)
    }

    /// Advances past some text.
    fn pass(&mut self, text: &[u8]) {
        self.at.byte += text.len() as u64;
        self.at.line += memchr::memchr_iter(b'\n', text).count() as u64;
    }

    /// Processes the start of the first piece. Returns the end of its byte order mark and header.
    fn begin(&mut self, framed: &mut Framed, text: &[u8], part: &Part) -> Result<usize, String> {
        let mark = mark(text);
        Ok(mark + framed.begin(&part.piece(&text[mark..], mark, self.kernel), &self.plan)?)
    }

    /// Converts the records that were found in a text. Repeats that with evidence for layouts if it is needed.
    fn convert_records(&mut self, framed: &Framed, text: &[u8]) -> Result<(), String> {
        let lines = framed.framing().is_lines();
        if self.converter.convert(self.found.records(text, lines)).is_err() {
            self.converter.know(self.survey(framed)?);
            self.head = Vec::new();
            let again = self.converter.convert(self.found.records(text, lines));
            again.map_err(|tied| format!("internal error: {tied}"))?;
        }
        Ok(())
    }

    /// The evidence of the first strings of the input for layouts.
    fn survey(&self, framed: &Framed) -> Result<Evidence, String> {
        let (framing, head) = (framed.framing(), &self.head[..]);
        let (mut parts, mut found, mut evidence) = (framed.parts(), Found::default(), Evidence::default());
        let mut at = 0;
        while at < WINDOW.min(head.len())
            && let Some(part) = parts.next(&head[at..], head.len() < SURVEYED)?
        {
            let text = &head[at..at + part.end];
            let mut start = if at == 0 { mark(text) } else { 0 };
            if at == 0 {
                start += framing.header(&text[start..]);
            }
            while start < text.len() {
                let rest = &text[start..];
                let end = found.find(framing, &part.piece(rest, start, self.kernel), &self.plan);
                let within = found.before(WINDOW.saturating_sub(at + start), framing.is_lines());
                let records = found.records(&rest[..end], framing.is_lines());
                evidence.join(&self.converter.weigh((0..within).map(|at| records.get(at))));
                start += end;
            }
            at += part.end;
        }
        Ok(evidence)
    }
}

impl Found {
    /// Finds the records of a piece. Returns the end of those that were found at once.
    pub(crate) fn find(&mut self, framing: &dyn Framing, piece: &Piece, plan: &Conversion) -> usize {
        if framing.is_lines() {
            self.lines.find(piece.text, plan);
            return piece.text.len();
        }
        self.rows.clear();
        framing.rows(piece, false, &mut self.rows);
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
