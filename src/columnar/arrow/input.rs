//! Reads Arrow files and streams.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::{Block, CompressionType};
use arrow_schema::{ArrowError, SchemaRef};

use super::messages::{CONTINUATION, CheckedStream, MAGIC, blocks_of, check_block, compression_of};
use crate::columnar::damage;
use crate::columnar::metadata::Metadata;
use crate::error::{Error, escape};
use crate::source::Input;

/// An input.
pub(super) struct ArrowInput {
    pub(super) path: PathBuf,
    pub(super) compression: Option<CompressionType>,
    batches: BatchReader,
}

enum BatchReader {
    File(Box<FileReader<BufReader<Arc<File>>>>, FileBlocks),
    Stream(Box<StreamReader<Box<dyn Read + Send>>>),
}

/// The blocks of a file that were not read yet. Each is checked before.
struct FileBlocks {
    file: Arc<File>,
    blocks: std::vec::IntoIter<Block>,
}

/// The error for a failed read.
pub(super) fn read_error(path: &Path, error: ArrowError) -> Error {
    let is_of_data =
        |error: &io::Error| matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData);
    match error {
        ArrowError::IoError(_, error) if !is_of_data(&error) => Error::io(path, "read", error),
        error => {
            // Messages of the crate go on with the enclosing parts, one on each line.
            let words = error.to_string();
            let words = escape(words.lines().next().unwrap_or_default().as_bytes());
            Error::file(path, format!("cannot be read as Arrow: {words}"))
        }
    }
}

/// Calls `read`, in which a panic is an error. After an error, the reader must not be used any more.
fn read<T>(path: &Path, read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, Error> {
    let damaged = || Error::file(path, "cannot be read as Arrow: it is damaged; its buffers are shorter than it says");
    damage::catch(read).ok_or_else(damaged)?.map_err(|error| read_error(path, error))
}

impl ArrowInput {
    pub(super) fn open(input: Input) -> Result<Self, Error> {
        let (path, mut stream): (PathBuf, Box<dyn Read + Send>) = match input {
            Input::File(path) => {
                let file = File::open(&path).map_err(|error| Error::io(&path, "open", error))?;
                return Self::of_file(path, file);
            }
            Input::Stdin => ("<stdin>".into(), Box::new(BufReader::new(io::stdin()))),
            Input::Reader { name, reader } => (name.into(), reader),
        };
        let mut seen = Vec::new();
        let read_start = stream.by_ref().take(MAGIC.len() as u64).read_to_end(&mut seen);
        read_start.map_err(|error| Error::io(&path, "read", error))?;
        if seen == MAGIC {
            let words = "is an Arrow file, which is read from its end; name the file, or use a stream";
            return Err(Error::file(path, words));
        }
        Self::of_stream(path, Box::new(Cursor::new(seen).chain(stream)))
    }

    fn of_file(path: PathBuf, mut file: File) -> Result<Self, Error> {
        let failed = |error| Error::io(&path, "read", error);
        if !file.metadata().map_err(failed)?.is_file() {
            return Self::of_stream(path, Box::new(BufReader::new(file)));
        }
        let mut start = Vec::new();
        file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if start != MAGIC {
            return Self::of_stream(path, Box::new(BufReader::new(file)));
        }
        let file = Arc::new(file);
        let (blocks, reader) = read(&path, || {
            let blocks = blocks_of(&file)?;
            Ok((blocks, FileReader::try_new(BufReader::new(Arc::clone(&file)), None)?))
        })?;
        let compression = blocks.first().and_then(|block| compression_of(&file, block));
        let blocks = FileBlocks { file, blocks: blocks.into_iter() };
        Ok(Self { path, compression, batches: BatchReader::File(Box::new(reader), blocks) })
    }

    fn of_stream(path: PathBuf, mut stream: Box<dyn Read + Send>) -> Result<Self, Error> {
        let mut seen = Vec::new();
        let compression = compression(&mut stream, &mut seen).map_err(|error| Error::io(&path, "read", error))?;
        let stream: Box<dyn Read + Send> = Box::new(CheckedStream::new(Cursor::new(seen).chain(stream)));
        let reader = read(&path, || StreamReader::try_new(stream, None))?;
        Ok(Self { path, compression, batches: BatchReader::Stream(Box::new(reader)) })
    }

    pub(super) fn schema(&self) -> SchemaRef {
        match &self.batches {
            BatchReader::File(reader, _) => reader.schema(),
            BatchReader::Stream(reader) => reader.schema(),
        }
    }

    /// Returns the metadata beside the schema, or `None` for a stream, which has none.
    pub(super) fn metadata(&self) -> Option<&HashMap<String, String>> {
        match &self.batches {
            BatchReader::File(reader, _) => Some(reader.custom_metadata()),
            BatchReader::Stream(_) => None,
        }
    }

    /// Returns what it says about itself, beside the schema and in it.
    pub(super) fn about(&self) -> Metadata {
        let schema = self.schema();
        schema
            .metadata()
            .iter()
            .chain(self.metadata().into_iter().flatten())
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// Returns the next batch.
    pub(super) fn next(&mut self) -> Option<Result<RecordBatch, Error>> {
        let batches = &mut self.batches;
        let next = read(&self.path, || match batches {
            BatchReader::File(reader, blocks) => {
                blocks.blocks.next().map_or(Ok(()), |block| check_block(&blocks.file, &block))?;
                reader.next().transpose()
            }
            BatchReader::Stream(reader) => reader.next().transpose(),
        });
        next.transpose()
    }
}

/// Returns the compression of the first batch. Reads messages up to the start of its body, and stores everything it
/// reads in `seen`. If it cannot read a message, it returns `None`, and the reader that follows reports the error.
fn compression(stream: &mut impl Read, seen: &mut Vec<u8>) -> io::Result<Option<CompressionType>> {
    let mut read = |length: u64| {
        let start = seen.len();
        stream.take(length).read_to_end(seen)?;
        Ok::<_, io::Error>((seen.len() as u64 == start as u64 + length).then(|| seen[start..].to_vec()))
    };
    loop {
        let Some(mut length) = read(4)? else { return Ok(None) };
        if length == CONTINUATION {
            let Some(after) = read(4)? else { return Ok(None) };
            length = after;
        }
        let length = length.try_into().map_or(0, u32::from_le_bytes);
        let Some(message) = read(length.into())? else { return Ok(None) };
        let Ok(message) = arrow_ipc::root_as_message(&message) else { return Ok(None) };
        if let Some(batch) = message.header_as_record_batch() {
            return Ok(batch.compression().map(|compression| compression.codec()));
        }
        let Some(_) = read(u64::try_from(message.bodyLength()).unwrap_or(0))? else { return Ok(None) };
    }
}
