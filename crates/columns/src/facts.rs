//! Finds facts about puzzles.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BooleanBuilder, StringBuilder, UInt8Builder, UInt32Builder};
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use gridmill_core::convert::{CheckLevel, Conversion, Emit, Facts, RecordFacts};

use crate::blocks;
use crate::error::CallError;
use crate::reader::{Reader, StringAnswers};
use crate::session::{KnownEvidence, Session};
use crate::strings::Strings;

/// The type of the result of [`facts()`].
pub fn facts_type() -> DataType {
    DataType::Struct(fields())
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("clues", DataType::UInt32, true),
        Field::new("symmetric", DataType::Boolean, true),
        Field::new("solutions", DataType::UInt32, true),
        Field::new("nodes", DataType::UInt32, true),
        Field::new("grade", DataType::UInt8, true),
        Field::new("grade_name", DataType::Utf8, true),
    ])
}

/// Finds facts about the puzzles of a column. The result has a struct for each row: the number of `clues`; whether their
/// pattern is `symmetric` under half a turn; the number of `solutions`, up to that of the session's checks, and the
/// `nodes` of the search, both null if it is incomplete; the `grade` (1 to 11) and the `grade_name`, null for puzzles
/// without one. All fields are null if there is no string, or if it cannot be read or breaks a rule.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn facts(chunks: &[ArrayRef], session: &Session<'_>) -> Result<Vec<ArrayRef>, CallError> {
    let mut plan = Conversion { emit: Emit::Nothing, ..session.conversion };
    plan.checks.level = CheckLevel::Rules;
    plan.facts = Facts { givens: true, symmetric: true, search: true, grade: true, ..Facts::default() };
    let columns = Strings::of_all(chunks)?;
    let known = KnownEvidence::new(session, plan, &columns);
    let jobs = blocks::of_columns(&columns, session, CheckLevel::Unique);
    let rows = columns.iter().map(Strings::len).sum();
    let found = blocks::run_jobs(
        session,
        rows,
        jobs,
        || Reader::new(&known),
        |reader, (chunk, rows), stop| find(reader, &columns[chunk], rows, stop),
    )?;
    let mut found = found.into_iter().flatten();
    Ok(columns.iter().map(|strings| as_struct(found.by_ref().take(strings.len()))).collect())
}

/// Finds the facts about the strings of these rows, as far as they are good.
fn find(
    reader: &mut Reader<'_>,
    strings: &Strings<'_>,
    rows: Range<usize>,
    stop: &dyn Fn() -> bool,
) -> Vec<Option<RecordFacts>> {
    let mut found = vec![None; rows.len()];
    reader.convert(strings, rows.clone(), stop, &mut |answers: &StringAnswers<'_>| {
        for (record, &row) in answers.rows.iter().enumerate() {
            found[row - rows.start] = Some(answers.converted.facts(record));
        }
        answers.refused().for_each(|(record, _)| found[answers.rows[record] - rows.start] = None);
    });
    found
}

fn as_struct(found: impl Iterator<Item = Option<RecordFacts>>) -> ArrayRef {
    let (mut clues, mut symmetric) = (UInt32Builder::new(), BooleanBuilder::new());
    let (mut solutions, mut nodes) = (UInt32Builder::new(), UInt32Builder::new());
    let (mut grades, mut names) = (UInt8Builder::new(), StringBuilder::new());
    for facts in found {
        let grade = facts.and_then(|facts| facts.grade);
        clues.append_option(facts.map(|facts| facts.clues.into()));
        symmetric.append_option(facts.map(|facts| facts.symmetric));
        solutions.append_option(facts.and_then(|facts| facts.solutions));
        nodes.append_option(facts.and_then(|facts| facts.nodes));
        grades.append_option(grade.map(|grade| grade.number()));
        names.append_option(grade.map(|grade| grade.name()));
    }
    let columns: [&mut dyn ArrayBuilder; 6] =
        [&mut clues, &mut symmetric, &mut solutions, &mut nodes, &mut grades, &mut names];
    Arc::new(StructArray::new(fields(), columns.map(ArrayBuilder::finish).to_vec(), None))
}
