//! Validates strings.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BooleanBuilder, ListBuilder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use gridmill_core::Reject;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Emit, Facts};

use crate::blocks;
use crate::error::CallError;
use crate::reader::{Reader, StringAnswers, first_rows};
use crate::session::{KnownEvidence, Session};
use crate::strings::Strings;

/// The results for the rows of a block.
#[derive(Default)]
struct BlockVerdicts {
    /// Problems in the order of rows, with the reasons.
    refused: Vec<(usize, Reject)>,
    /// Warnings in the order of rows.
    warnings: Vec<(usize, String)>,
    /// The number of solutions of each row, if it is known.
    solutions: Vec<Option<u32>>,
}

/// The type of the result of [`validate()`].
pub fn verdict_type() -> DataType {
    DataType::Struct(fields())
}

fn fields() -> Fields {
    let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
    Fields::from(vec![
        Field::new("ok", DataType::Boolean, true),
        Field::new("code", DataType::Utf8, true),
        Field::new("cell", DataType::Utf8, true),
        Field::new("message", DataType::Utf8, true),
        Field::new("warnings", DataType::List(item), true),
        Field::new("solutions", DataType::UInt32, true),
    ])
}

/// Checks the strings of a column as far as the session's conversion says. The result has a struct for each row: `ok`
/// (null if there is no string); `code`, `cell` (`r4c7`) and `message` of the first problem if it is not ok;
/// `warnings`; and at [`CheckLevel::Unique`] the number of `solutions`, null if it is unknown.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn validate(chunks: &[ArrayRef], session: &Session<'_>) -> Result<Vec<ArrayRef>, CallError> {
    judge_all(chunks, None, session)
}

/// Does the same as [`validate()`] for strings that came with solutions, in a column of as many rows. A solution must be
/// complete, contain the givens and break no rule; at [`CheckLevel::Unique`] it must be the only one.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn validate_given(
    chunks: &[ArrayRef],
    solutions: &[ArrayRef],
    session: &Session<'_>,
) -> Result<Vec<ArrayRef>, CallError> {
    judge_all(chunks, Some(solutions), session)
}

fn judge_all(
    chunks: &[ArrayRef],
    solutions: Option<&[ArrayRef]>,
    session: &Session<'_>,
) -> Result<Vec<ArrayRef>, CallError> {
    let counts = session.conversion.checks.level == CheckLevel::Unique;
    let plan = Conversion {
        emit: Emit::Nothing,
        checks: Checks { all: true, ..session.conversion.checks },
        facts: Facts { solution: counts, ..Facts::default() },
        given_solutions: solutions.is_some(),
        ..session.conversion
    };
    let columns = Strings::of_all(chunks)?;
    let known = KnownEvidence::new(session, plan, &columns);
    let jobs = blocks::of_columns(&columns, session, plan.checks.level);
    let rows = columns.iter().map(Strings::len).sum();
    let (starts, solutions) = (first_rows(&columns), solutions.map(Strings::of_all).transpose()?);
    let places: Vec<(usize, Range<usize>)> = jobs.clone();
    let verdicts = blocks::run_jobs(
        session,
        rows,
        jobs,
        || Reader::new(&known).with_solutions(solutions.as_deref()),
        |reader, (chunk, rows), stop| {
            reader.begin_chunk(starts[chunk]);
            judge(reader, &columns[chunk], rows, counts, stop)
        },
    )?;
    let mut blocks = places.into_iter().zip(verdicts).peekable();
    let mut done: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for (chunk, strings) in columns.iter().enumerate() {
        let mut columns = VerdictColumns::default();
        while let Some(((_, rows), verdicts)) = blocks.next_if(|((of, _), _)| *of == chunk) {
            columns.append(strings, rows, verdicts);
        }
        done.push(columns.finish());
    }
    Ok(done)
}

fn judge(
    reader: &mut Reader<'_>,
    strings: &Strings<'_>,
    rows: Range<usize>,
    counts: bool,
    stop: &dyn Fn() -> bool,
) -> BlockVerdicts {
    let mut verdicts = BlockVerdicts::default();
    if counts {
        verdicts.solutions.resize(rows.len(), None);
    }
    reader.convert(strings, rows.clone(), stop, &mut |answers: &StringAnswers<'_>| {
        let row = |record: usize| answers.rows[record];
        verdicts.refused.extend(answers.refused().map(|(record, reject)| (row(record), reject.into_owned())));
        for notice in &answers.converted.notices {
            let Some(words) = notice.reject.message.strip_prefix("warning: ") else { continue };
            let mut warning = notice.reject.clone();
            warning.message = words.into();
            verdicts.warnings.push((row(notice.record), warning.to_string()));
        }
        if counts {
            for (record, &row) in answers.rows.iter().enumerate() {
                verdicts.solutions[row - rows.start] = answers.converted.facts(record).solutions;
            }
        }
    });
    verdicts
}

#[derive(Default)]
struct VerdictColumns {
    ok: BooleanBuilder,
    code: StringBuilder,
    cell: StringBuilder,
    message: StringBuilder,
    warnings: ListBuilder<StringBuilder>,
    solutions: UInt32Builder,
}

impl VerdictColumns {
    fn append(&mut self, strings: &Strings<'_>, rows: Range<usize>, verdicts: BlockVerdicts) {
        let mut refused = verdicts.refused.into_iter().peekable();
        let mut warnings = verdicts.warnings.into_iter().peekable();
        for row in rows.clone() {
            let solutions = verdicts.solutions.get(row - rows.start).copied().flatten();
            self.solutions.append_option(solutions);
            let has_string = strings.span(row).is_some_and(|span| span.start < span.end);
            let reject = refused.next_if(|(of, _)| *of == row).map(|(_, reject)| reject);
            self.ok.append_option(has_string.then_some(reject.is_none()));
            self.code.append_option(reject.as_ref().map(|reject| reject.code.name()));
            self.cell.append_option(reject.as_ref().and_then(|reject| reject.cell).map(|cell| cell.to_string()));
            self.message.append_option(reject.map(|reject| reject.message));
            while let Some((_, warning)) = warnings.next_if(|(of, _)| *of == row) {
                self.warnings.values().append_value(warning);
            }
            self.warnings.append(has_string);
        }
    }

    fn finish(mut self) -> ArrayRef {
        let columns: [&mut dyn ArrayBuilder; 6] =
            [&mut self.ok, &mut self.code, &mut self.cell, &mut self.message, &mut self.warnings, &mut self.solutions];
        Arc::new(StructArray::new(fields(), columns.map(ArrayBuilder::finish).to_vec(), None))
    }
}
