//! Checksums of pages: checks those of old pages, and adds them to new ones.

use std::io::Write;

use flate2::Crc;
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

use super::fields::{I32, StructFields};
use super::footer::damaged;
use super::shared_file::SharedFile;

/// The field of a page header with the checksum of all bytes after the header.
pub(super) const CHECKSUM: i16 = 4;

/// How many bytes are read at a time.
const PIECE: u64 = 256 << 10;

/// Whether the bytes at a position have this checksum.
pub(super) fn is_checksum(file: &SharedFile, at: u64, length: u64, checksum: u32) -> Result<bool, ParquetError> {
    let mut found = Crc::new();
    for start in (0..length).step_by(PIECE as usize) {
        found.update(&file.get_bytes(at + start, PIECE.min(length - start) as usize)?);
    }
    Ok(found.sum() == checksum)
}

/// Writes pages with checksums, which the writer of the crate does not know.
pub(super) struct ChecksummedPages<'p, W: Write + Send>(pub(super) &'p mut TrackedWrite<W>);

impl<W: Write + Send> PageWriter for ChecksummedPages<'_, W> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        let (mut checksum, length) = (Crc::new(), page.data().len());
        checksum.update(page.data());
        let mut written = TrackedWrite::new(Vec::new());
        let mut about = SerializedPageWriter::new(&mut written).write_page(page)?;
        let written = written.into_inner()?;
        let (header, contents) = written.split_at(written.len() - length);
        let mut fields = StructFields::of(header).ok_or_else(damaged)?;
        fields.set_number(CHECKSUM, I32, i64::from(checksum.sum() as i32));
        let with_checksum = fields.write();
        let more = with_checksum.len() - header.len();
        about.uncompressed_size += more;
        about.compressed_size += more;
        about.bytes_written += more as u64;
        about.offset = self.0.bytes_written() as u64;
        self.0.write_all(&with_checksum)?;
        self.0.write_all(contents)?;
        Ok(about)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        Ok(self.0.flush()?)
    }
}
