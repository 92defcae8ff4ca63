//! Stores triples of numbers in buckets: in memory if they fit, otherwise in a file, where each bucket is compressed
//! separately.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::output::Scratch;

/// Three numbers about a record: 24 bytes.
pub(super) type Triple = [u64; 3];

/// The number of buckets. A bucket is selected by a byte of a key, or by the position of a record.
pub(super) const BUCKETS: usize = 256;

/// The length of the header of a compressed block: the position of the bucket's previous block plus one, and two
/// lengths.
const HEADER: usize = 16;

/// Triples in buckets.
pub(super) struct Buckets {
    buckets: Vec<Bucket>,
    /// The number of triples for which memory is allocated, and its limit.
    allocated: usize,
    limit: usize,
    /// The folder in which the temporary file is made.
    folder: PathBuf,
    file: Option<Scratch>,
    compressed: Vec<u8>,
}

#[derive(Default)]
struct Bucket {
    rows: Vec<Triple>,
    /// The number of triples in the file.
    spilled: u64,
    /// The position of the last block of the bucket plus one; 0 if there is none.
    last: u64,
}

impl Buckets {
    /// Empty buckets that keep about this many bytes in memory at most.
    pub(super) fn new(memory: usize, folder: &Path) -> Self {
        let buckets = std::iter::repeat_with(Bucket::default).take(BUCKETS).collect();
        let limit = (memory / size_of::<Triple>()).max(BUCKETS);
        Self { buckets, allocated: 0, limit, folder: folder.to_path_buf(), file: None, compressed: Vec::new() }
    }

    pub(super) fn push(&mut self, bucket: usize, row: Triple) -> Result<(), Error> {
        let rows = &mut self.buckets[bucket].rows;
        if rows.len() == rows.capacity() {
            // Capacity is not doubled: the limit applies to all allocated memory.
            let more = (rows.capacity() / 8).max(8);
            if self.allocated + more > self.limit {
                self.spill()?;
            }
            let rows = &mut self.buckets[bucket].rows;
            if rows.len() == rows.capacity() {
                let before = rows.capacity();
                rows.reserve_exact(more);
                self.allocated += rows.capacity() - before;
            }
        }
        self.buckets[bucket].rows.push(row);
        Ok(())
    }

    /// Writes all triples in memory to the file.
    fn spill(&mut self) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(Scratch::create(&self.folder)?),
        };
        self.allocated = 0;
        for bucket in &mut self.buckets {
            let rows = std::mem::take(&mut bucket.rows);
            if rows.is_empty() {
                continue;
            }
            // The columns are stored separately: keys do not compress, but ascending numbers do.
            let columns: Vec<u8> =
                (0..3).flat_map(|column| rows.iter().flat_map(move |row| row[column].to_be_bytes())).collect();
            self.compressed.clear();
            self.compressed.resize(HEADER + zstd::zstd_safe::compress_bound(columns.len()), 0);
            let written = zstd::bulk::compress_to_buffer(&columns, &mut self.compressed[HEADER..], 1)
                .map_err(|error| Error::Internal(format!("zstd compresses nothing: {error}")))?;
            self.compressed.truncate(HEADER + written);
            self.compressed[..8].copy_from_slice(&bucket.last.to_be_bytes());
            self.compressed[8..12].copy_from_slice(&(rows.len() as u32).to_be_bytes());
            self.compressed[12..16].copy_from_slice(&(written as u32).to_be_bytes());
            bucket.last = file.append(&self.compressed)? + 1;
            bucket.spilled += rows.len() as u64;
        }
        Ok(())
    }

    /// Returns the number of triples in a bucket.
    pub(super) fn len(&self, bucket: usize) -> u64 {
        self.buckets[bucket].spilled + self.buckets[bucket].rows.len() as u64
    }

    /// Calls `take` with the triples of a bucket, a block at a time, in no particular order.
    pub(super) fn each(
        &self,
        bucket: usize,
        mut take: impl FnMut(&mut dyn Iterator<Item = Triple>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Bucket { rows, last, .. } = &self.buckets[bucket];
        take(&mut rows.iter().copied())?;
        let (mut next, mut block, mut columns) = (*last, Vec::new(), Vec::new());
        while let (Some(at), Some(file)) = (next.checked_sub(1), &self.file) {
            let mut head = [0; HEADER];
            file.read(at, &mut head)?;
            let number = |range: std::ops::Range<usize>| {
                head[range].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
            };
            let (count, length) = (number(8..12) as usize, number(12..16) as usize);
            block.resize(length, 0);
            file.read(at + HEADER as u64, &mut block)?;
            columns.resize(count * size_of::<Triple>(), 0);
            zstd::bulk::decompress_to_buffer(&block, &mut columns)
                .map_err(|error| Error::file(&self.folder, format!("a temporary file there is damaged: {error}")))?;
            let (numbers, _) = columns.as_chunks::<8>();
            take(&mut (0..count).map(|i| [0, 1, 2].map(|column| u64::from_be_bytes(numbers[column * count + i]))))?;
            next = number(0..8);
        }
        Ok(())
    }

    /// Returns the triples of a bucket, sorted.
    pub(super) fn sorted(&self, bucket: usize) -> Result<Vec<Triple>, Error> {
        let mut all = Vec::with_capacity(usize::try_from(self.len(bucket)).unwrap_or(0));
        self.each(bucket, |rows| {
            all.extend(rows);
            Ok(())
        })?;
        all.sort_unstable();
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_however_little_memory_there_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows: Vec<Triple> = (0..20_000_u64).map(|i| [i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i % 7, i]).collect();
        for memory in [1, 100_000, 1 << 20] {
            let mut buckets = Buckets::new(memory, folder.path());
            for row in &rows {
                buckets.push((row[0] >> 56) as usize, *row).expect("room");
            }
            assert_eq!(buckets.file.is_some(), memory < 1 << 20);
            let mut back: Vec<Triple> = (0..BUCKETS).flat_map(|bucket| buckets.sorted(bucket).expect("rows")).collect();
            assert!(back.is_sorted());
            back.sort_by_key(|row| row[2]);
            assert_eq!(back, rows);
            assert_eq!((0..BUCKETS).map(|bucket| buckets.len(bucket)).sum::<u64>(), 20_000);
        }
    }
}
