//! Finds the classes of equal records: sorts their keys bucket by bucket, and marks the records to be dropped.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::buckets::{BUCKETS, Buckets, Triple};
use crate::engine::threads::Threads;
use crate::error::Error;

/// A bit for each record.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<AtomicU64>);

impl Marks {
    pub(super) fn new(records: u64) -> Self {
        Self((0..records.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn set(&self, record: u64) {
        self.0[(record / 64) as usize].fetch_or(1 << (record % 64), Ordering::Relaxed);
    }

    pub(super) fn has(&self, record: u64) -> bool {
        self.0[(record / 64) as usize].load(Ordering::Relaxed) >> (record % 64) & 1 == 1
    }
}

/// Statistics about all classes.
#[derive(Debug, Clone)]
pub(super) struct ClassTally {
    /// Records that are the same as an earlier one.
    pub(super) duplicates: u64,
    /// Records that are the same as a record in one of the other files.
    pub(super) in_other: u64,
    /// Classes with two or more records.
    pub(super) repeated: u64,
    /// Records of the largest class.
    pub(super) largest: u64,
    /// The number of classes by size: 1, 2 to 3, 4 to 7 and so on.
    pub(super) sizes: [u64; 64],
}

impl ClassTally {
    fn new() -> Self {
        Self { duplicates: 0, in_other: 0, repeated: 0, largest: 0, sizes: [0; 64] }
    }

    fn add_class(&mut self, records: u64, in_other: bool) {
        match in_other {
            true => self.in_other += records,
            false => self.duplicates += records - 1,
        }
        self.repeated += u64::from(records > 1);
        self.largest = self.largest.max(records);
        self.sizes[records.ilog2() as usize] += 1;
    }

    fn add(&mut self, other: &Self) {
        self.duplicates += other.duplicates;
        self.in_other += other.in_other;
        self.repeated += other.repeated;
        self.largest = self.largest.max(other.largest);
        self.sizes.iter_mut().zip(other.sizes).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// What has to be found out about the classes.
pub(super) struct ClassQuery<'q> {
    /// Records with a smaller number are in other files, and are not dropped.
    pub(super) others: u64,
    /// The last number plus one.
    pub(super) end: u64,
    /// The maximum number of bytes of keys in memory at a time.
    pub(super) memory: usize,
    /// The folder for temporary files.
    pub(super) folder: &'q Path,
    /// Whether to find the first record and the size of the class, and for which records.
    pub(super) fact_scope: Option<FactScope>,
}

/// The records for which facts are found: number, first record of the class, size of the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FactScope {
    Dropped,
    All,
}

/// Finds the classes, and marks the records to be dropped. A triple consists of the two halves of a key and the number
/// of the record.
pub(super) fn find_classes(
    keys: &Buckets,
    query: &ClassQuery<'_>,
    marks: &Marks,
    workers: &Threads,
) -> Result<(ClassTally, Option<FactReader>), Error> {
    let facts = query.fact_scope.map(|_| Mutex::new(Buckets::new(query.memory / 2, query.folder)));
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(ClassTally::new()));
    let finder = Finder { query, marks, facts: facts.as_ref(), memory: query.memory / workers.count() };
    workers.run_on_all(|| {
        let mut mine = ClassTally::new();
        loop {
            let bucket = next.fetch_add(1, Ordering::Relaxed);
            if bucket >= BUCKETS {
                break;
            }
            finder.bucket(keys, bucket, 1, &mut mine)?;
        }
        tally.lock().unwrap_or_else(PoisonError::into_inner).add(&mine);
        Ok(())
    })?;
    let facts = facts.map(|facts| FactReader {
        facts: facts.into_inner().unwrap_or_else(PoisonError::into_inner),
        records: query.others..query.end,
        bucket: 0,
        rows: Vec::new(),
        next: 0,
    });
    Ok((tally.into_inner().unwrap_or_else(PoisonError::into_inner), facts))
}

struct Finder<'q> {
    query: &'q ClassQuery<'q>,
    marks: &'q Marks,
    facts: Option<&'q Mutex<Buckets>>,
    memory: usize,
}

impl Finder<'_> {
    /// Finds the classes in a bucket, whose keys have the same first `depth` bytes.
    fn bucket(&self, keys: &Buckets, bucket: usize, depth: usize, tally: &mut ClassTally) -> Result<(), Error> {
        let bytes = keys.len(bucket).saturating_mul(size_of::<Triple>() as u64);
        if bytes <= self.memory.max(1 << 16) as u64 {
            let rows = keys.sorted(bucket)?;
            return rows.chunk_by(|one, other| one[..2] == other[..2]).try_for_each(|rows| self.key_class(rows, tally));
        }
        if self.single_class(keys, bucket, tally)? {
            return Ok(());
        }
        let mut buckets = Buckets::new(self.memory / 2, self.query.folder);
        let byte = |row: &Triple| (row[depth / 8] >> (56 - depth % 8 * 8) & 255) as usize;
        keys.each(bucket, |rows| {
            for row in rows {
                buckets.push(byte(&row), row)?;
            }
            Ok(())
        })?;
        (0..BUCKETS).try_for_each(|bucket| self.bucket(&buckets, bucket, depth + 1, tally))
    }

    /// Processes the sorted triples of one key.
    fn key_class(&self, rows: &[Triple], tally: &mut ClassTally) -> Result<(), Error> {
        let others = rows.partition_point(|row| row[2] < self.query.others);
        let own = &rows[others..];
        if own.is_empty() {
            return Ok(());
        }
        tally.add_class(own.len() as u64, others > 0);
        let (first, count) = (rows[0][2], own.len() as u64);
        own.iter().try_for_each(|row| self.add_record(row[2], first, count))
    }

    /// Processes a bucket that does not fit into memory, if all its keys are the same. Returns whether they are.
    fn single_class(&self, keys: &Buckets, bucket: usize, tally: &mut ClassTally) -> Result<bool, Error> {
        let (mut key, mut same, mut first, mut count) = (None, true, u64::MAX, 0);
        keys.each(bucket, |rows| {
            for [high, low, number] in rows {
                same &= *key.get_or_insert([high, low]) == [high, low];
                first = first.min(number);
                count += u64::from(number >= self.query.others);
            }
            Ok(())
        })?;
        if same && count > 0 {
            tally.add_class(count, first < self.query.others);
            keys.each(bucket, |rows| {
                for [_, _, number] in rows.filter(|row| row[2] >= self.query.others) {
                    self.add_record(number, first, count)?;
                }
                Ok(())
            })?;
        }
        Ok(same)
    }

    /// Marks a record unless it is the first of its class, and stores the facts about it.
    fn add_record(&self, number: u64, first: u64, count: u64) -> Result<(), Error> {
        let is_dropped = number != first;
        if is_dropped {
            self.marks.set(number - self.query.others);
        }
        match self.facts {
            Some(facts) if is_dropped || self.query.fact_scope == Some(FactScope::All) && count > 1 => {
                let mut facts = facts.lock().unwrap_or_else(PoisonError::into_inner);
                let (at, records) = (number - self.query.others, self.query.end - self.query.others);
                let bucket = u128::from(at) * BUCKETS as u128 / u128::from(records);
                facts.push(bucket as usize, [number, first, count])
            }
            _ => Ok(()),
        }
    }
}

/// Reads the facts about records, in their order.
pub(super) struct FactReader {
    facts: Buckets,
    /// The numbers of all records.
    records: Range<u64>,
    /// The next bucket, and the triples of the one before it.
    bucket: usize,
    rows: Vec<Triple>,
    next: usize,
}

impl FactReader {
    /// Returns the facts about the next records, those with numbers below `end`: number, first record of its class,
    /// size of its class.
    pub(super) fn until(&mut self, end: u64) -> Result<Vec<Triple>, Error> {
        let mut all = Vec::new();
        loop {
            let rest = &self.rows[self.next..];
            let count = rest.partition_point(|row| row[0] < end);
            all.extend_from_slice(&rest[..count]);
            self.next += count;
            // The first number in the next bucket or a later one.
            let records = u128::from(self.records.end - self.records.start);
            let first = (self.bucket as u128 * records).div_ceil(BUCKETS as u128) as u64 + self.records.start;
            if self.next < self.rows.len() || self.bucket == BUCKETS || first >= end {
                return Ok(all);
            }
            self.rows = self.facts.sorted(self.bucket)?;
            (self.bucket, self.next) = (self.bucket + 1, 0);
        }
    }
}
