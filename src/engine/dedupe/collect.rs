//! Collects the results of the first pass for each record, in order: its key, its place if that is needed, and the text
//! of inputs that cannot be read twice.

use std::path::Path;

use super::buckets::Buckets;
use crate::canon::Key;
use crate::engine::compressor::Compressor;
use crate::engine::ledger::{KeySink, PartPlace};
use crate::engine::outcome::{Outcome, RecordKey};
use crate::engine::text_pass::TEXT_LEVEL;
use crate::error::Error;
use crate::output::Scratch;

/// The length of the entry for a record's place: key, input, line, start and length of its map.
const PLACE_LENGTH: usize = 16 + 4 + 8 + 8 + 4;

/// The results of the first pass.
pub(super) struct Collector {
    pub(super) keys: Buckets,
    /// The number of the next record.
    pub(super) next: u64,
    /// The number of the first input, which is the number of other files.
    pub(super) input: usize,
    /// The records without a key, counted from the first one that is not in another file.
    pub(super) refused: Bits,
    /// The rows without a string, counted in the same way.
    pub(super) without: Bits,
    pub(super) others: u64,
    pub(super) places: Option<RecordPlaces>,
    /// For each input, its text if it cannot be read twice.
    pub(super) texts: Vec<Option<StoredText>>,
}

impl Collector {
    pub(super) fn new(memory: usize, folder: &Path) -> Self {
        Self {
            keys: Buckets::new(memory, folder),
            next: 0,
            input: 0,
            refused: Bits::default(),
            without: Bits::default(),
            others: 0,
            places: None,
            texts: Vec::new(),
        }
    }

    /// Returns the number of records (in files with columns, rows) that are not in other files.
    pub(super) fn own(&self) -> u64 {
        self.next - self.others
    }

    /// Ends the records of other files; the next record is the first of the inputs.
    pub(super) fn end_others(&mut self, inputs: usize) {
        self.others = self.next;
        self.input = inputs;
        (self.refused, self.without) = (Bits::default(), Bits::default());
    }
}

/// A bit for each record up to the last one that is set.
#[derive(Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// The number of bits that are set.
    pub(super) count: u64,
}

impl Bits {
    fn set(&mut self, at: u64) {
        let word = (at / 64) as usize;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (at % 64);
        self.count += 1;
    }

    pub(super) fn has(&self, at: u64) -> bool {
        self.words.get((at / 64) as usize).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

impl KeySink for Collector {
    fn keeps_text(&self, input: usize) -> bool {
        self.texts.get(input).is_some_and(Option::is_some)
    }

    fn take(&mut self, place: &PartPlace, outcome: &Outcome) -> Result<(), Error> {
        for record in &outcome.keys.records {
            match record.key {
                RecordKey::Key(key) => {
                    let [high, low] = key.halves();
                    self.keys.push((high >> 56) as usize, [high, low, self.next])?;
                }
                RecordKey::Refused => self.refused.set(self.next - self.others),
                RecordKey::NoString => self.without.set(self.next - self.others),
            }
            self.next += 1;
        }
        match &mut self.places {
            Some(places) => places.take((self.input + place.input) as u32, place.line, outcome),
            None => Ok(()),
        }
    }

    fn take_text(&mut self, input: usize, frames: &Compressor) -> Result<(), Error> {
        match self.texts.get_mut(input) {
            Some(Some(text)) => text.take(frames),
            _ => Ok(()),
        }
    }
}

/// The place of a record, and its map.
pub(super) struct RecordPlace {
    pub(super) key: Key,
    pub(super) input: usize,
    pub(super) line: u64,
    pub(super) map: Vec<u8>,
}

/// The places of records, and their maps.
pub(super) struct RecordPlaces {
    places: Scratch,
    maps: Scratch,
}

impl RecordPlaces {
    pub(super) fn create(folder: &Path) -> Result<Self, Error> {
        Ok(Self { places: Scratch::create(folder)?, maps: Scratch::create(folder)? })
    }

    fn take(&mut self, input: u32, line: u64, outcome: &Outcome) -> Result<(), Error> {
        let mut at = self.maps.append(&outcome.keys.maps)?;
        let mut places = Vec::with_capacity(outcome.keys.records.len() * PLACE_LENGTH);
        for record in &outcome.keys.records {
            let key = if let RecordKey::Key(key) = record.key { key.0 } else { [0; 16] };
            places.extend_from_slice(&key);
            places.extend_from_slice(&input.to_be_bytes());
            places.extend_from_slice(&(line + record.line + 1).to_be_bytes());
            places.extend_from_slice(&at.to_be_bytes());
            places.extend_from_slice(&record.map.to_be_bytes());
            at += u64::from(record.map);
        }
        self.places.append(&places).map(drop)
    }

    /// Reads the place of a record.
    pub(super) fn of(&self, number: u64) -> Result<RecordPlace, Error> {
        let mut place = [0; PLACE_LENGTH];
        self.places.read(number * PLACE_LENGTH as u64, &mut place)?;
        let number =
            |range: std::ops::Range<usize>| place[range].iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let mut map = vec![0; number(36..40) as usize];
        self.maps.read(number(28..36), &mut map)?;
        let key = Key(std::array::from_fn(|at| place[at]));
        Ok(RecordPlace { key, input: number(16..20) as usize, line: number(20..28), map })
    }
}

/// The text of an input, stored as an archive.
pub(super) struct StoredText {
    pub(super) file: Scratch,
    compressor: Compressor,
}

impl StoredText {
    pub(super) fn create(folder: &Path) -> Result<Self, Error> {
        Ok(Self { file: Scratch::create(folder)?, compressor: Compressor::new(TEXT_LEVEL)? })
    }

    fn take(&mut self, frames: &Compressor) -> Result<(), Error> {
        let bytes = self.compressor.add_frames(frames)?;
        self.file.append(&bytes).map(drop)
    }

    /// Completes the archive.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.file.append(&self.compressor.archive_end()).map(drop)
    }
}
