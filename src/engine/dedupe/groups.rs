//! Writes a row for each record that is left out: the record that it equals, and a map that proves this.

use std::fmt::Write;

use super::buckets::Triple;
use super::collect::RecordPlaces;
use crate::canon::Map;
use crate::engine::rejects::unless_closed;
use crate::error::Error;
use crate::output::Output;

/// Writes the rows.
pub(super) struct GroupWriter {
    output: Output,
    places: RecordPlaces,
    /// The names of the inputs, those of other files first.
    names: Vec<String>,
    text: String,
}

impl GroupWriter {
    pub(super) fn new(output: Output, places: RecordPlaces, names: Vec<String>) -> Self {
        let text = "key\tfirst_input\tfirst_line\tinput\tline\tbyte\tmap\n".into();
        Self { output, places, names, text }
    }

    /// Adds the row of a record that is left out. `byte` is the position of the record in its input, if it is known.
    pub(super) fn row(&mut self, fact: &Triple, byte: Option<u64>) -> Result<(), Error> {
        let (own, first) = (self.places.of(fact[0])?, self.places.of(fact[1])?);
        let (name, first_name) = (&self.names[own.input], &self.names[first.input]);
        let (byte, map) = (byte.map_or("-".into(), |byte| byte.to_string()), proof(&own.map, &first.map));
        let row = format_args!("{}\t{first_name}\t{}\t{name}\t{}\t{byte}\t{map}", own.key, first.line, own.line);
        writeln!(self.text, "{row}").map_err(|error| Error::Internal(error.to_string()))
    }

    /// Writes the rows that were added.
    pub(super) fn write(&mut self) -> Result<(), Error> {
        unless_closed(self.output.write(self.text.as_bytes()))?;
        self.text.clear();
        Ok(())
    }

    /// Returns the output. It has a header even if there were no rows.
    pub(super) fn end(mut self) -> Result<Output, Error> {
        self.write()?;
        Ok(self.output)
    }
}

/// Returns the maps from the puzzles of a record to those of the first record: each goes to the canonical form, and
/// back from it.
fn proof(own: &[u8], first: &[u8]) -> String {
    let maps = |text: &[u8]| -> Option<Vec<Map>> {
        String::from_utf8_lossy(text).split(',').map(|map| map.parse().ok()).collect()
    };
    let (Some(own), Some(first)) = (maps(own), maps(first)) else { return String::new() };
    let both = own.iter().zip(&first).filter_map(|(own, first)| own.then(&first.inverse()).ok());
    both.map(|map| map.to_string()).collect::<Vec<_>>().join(",")
}
