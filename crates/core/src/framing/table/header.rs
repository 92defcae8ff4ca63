//! What the first row of a table says: which column it is that has the strings, and how many there are.

use std::borrow::Cow;

use super::misplaced::ends_in_record;
use super::rows::RowReader;
use super::{Column, Table};
use crate::error::escape;
use crate::formats::{encoding, recognise};
use crate::framing::{Asked, Piece, Unsuited};

impl Table {
    /// How the rows after the first one are read.
    ///
    /// # Errors
    /// The column is not there; a column that is to be appended is; or the header has a stray quote, or looks like a record.
    pub(super) fn reader_after(&self, first: &Piece, asked: &Asked) -> Result<RowReader, Unsuited> {
        let asked_for = |words: String| Err(Unsuited::Asked(words));
        if self.header && first.quotes.is_some_and(|quotes| quotes.spoiled.iter().any(|row| row.start == first.start)) {
            let words = "a quote of the first row, with the names of the columns, is not closed; mend it";
            return Err(Unsuited::Input(words.into()));
        }
        let number = if let Column::Number(number) = self.column { number - 1 } else { 0 };
        let mut reader = RowReader { column: number, width: None, ..self.reader };
        let (found, _) = reader.header(first.text);
        reader.width = match first.quotes {
            Some(quotes) => quotes.width,
            None => Some(found.len()).filter(|_| !matches!(first.text, [] | [b'\n', ..] | [b'\r', b'\n', ..])),
        };
        if !self.header {
            return Ok(reader);
        }
        let shown = |name: &[u8]| escape(&name[..name.len().min(100)]);
        if let Column::Name(name) = &self.column {
            let mut places = (0..found.len()).filter(|&place| *found[place] == *name.as_bytes());
            reader.column = match (places.next(), places.next()) {
                (Some(place), None) => place,
                (None, _) => {
                    let all: Vec<_> = found.iter().map(|name| shown(name)).collect();
                    let (name, all) = (escape(name.as_bytes()), all.join(", "));
                    let why = encoding(first.text).map_or(String::new(), |words| format!("; {words}"));
                    return asked_for(format!("there is no column {name:?}; the first row has: {all}{why}"));
                }
                _ => {
                    let name = escape(name.as_bytes());
                    return asked_for(format!("there are two columns {name:?}; give the number of one"));
                }
            };
        } else if found.get(number).is_some_and(|name| recognise(name, asked.from, &asked.hints).is_ok()) {
            let words =
                "the first row looks like a record, not like the names of columns; say --no-header if it is one";
            return asked_for(words.into());
        }
        if let Some(name) = found.iter().find(|name| ends_in_record(name, &asked.hints)) {
            return asked_for(format!(
                "the first row has a record in it, {:?}; give it its line end, or say --no-header if it is a record itself",
                shown(name)
            ));
        }
        if let Some(name) = asked.names.iter().find(|name| found.contains(&Cow::Borrowed(name.as_bytes()))) {
            return asked_for(format!("there is a column {:?} already", escape(name.as_bytes())));
        }
        Ok(reader)
    }
}
