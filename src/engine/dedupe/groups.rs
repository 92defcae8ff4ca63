//! A row for each record that is left out: which record it is the same as, and a map that proves it.

use std::fmt::Write;

use super::buckets::Row;
use super::collect::Places;
use crate::canon::Map;
use crate::engine::rejects::unless_closed;
use crate::error::Error;
use crate::output::Output;

/// The rows, being written.
pub(super) struct Groups {
    output: Output,
    places: Places,
    /// The inputs, those of other files first.
    names: Vec<String>,
    text: String,
}

impl Groups {
    pub(super) fn new(output: Output, places: Places, names: Vec<String>) -> Self {
        let text = "key\tfirst_input\tfirst_line\tinput\tline\tbyte\tmap\n".into();
        Self { output, places, names, text }
    }

    /// Adds the row of a record that is left out, whose first byte is this one of its input, if it has one.
    pub(super) fn row(&mut self, fact: &Row, byte: Option<u64>) -> Result<(), Error> {
        let (own, first) = (self.places.of(fact[0])?, self.places.of(fact[1])?);
        let (name, first_name) = (&self.names[own.input], &self.names[first.input]);
        let (byte, map) = (byte.map_or("-".into(), |byte| byte.to_string()), proof(&own.map, &first.map));
        let row = format_args!("{}\t{first_name}\t{}\t{name}\t{}\t{byte}\t{map}", own.key, first.line, own.line);
        writeln!(self.text, "{row}").map_err(|error| Error::Internal(error.to_string()))
    }

    /// Writes the rows that there are.
    pub(super) fn write(&mut self) -> Result<(), Error> {
        unless_closed(self.output.write(self.text.as_bytes()))?;
        self.text.clear();
        Ok(())
    }

    /// The output, with the header even where there were no records.
    pub(super) fn end(mut self) -> Result<Output, Error> {
        self.write()?;
        Ok(self.output)
    }
}

/// The maps that make the first record's puzzles of those of another: to the form, and back from it.
fn proof(own: &[u8], first: &[u8]) -> String {
    let maps = |text: &[u8]| -> Option<Vec<Map>> {
        String::from_utf8_lossy(text).split(',').map(|map| map.parse().ok()).collect()
    };
    let (Some(own), Some(first)) = (maps(own), maps(first)) else { return String::new() };
    let both = own.iter().zip(&first).filter_map(|(own, first)| own.then(&first.inverse()).ok());
    both.map(|map| map.to_string()).collect::<Vec<_>>().join(",")
}
