//! Temporary storage for what does not fit into memory, in files without a name: however the program ends, nothing is
//! left behind.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::temporaries::lock_registry;
use crate::error::Error;
use crate::platform::{CreateMode, Folder, read_at, read_exact_at, write_all_at};

/// Bytes that are stored now and read again later.
#[derive(Debug)]
pub(crate) struct Scratch {
    file: Arc<File>,
    length: u64,
    folder: PathBuf,
    messages: Messages,
}

/// The messages of errors: what could not be done, and what to do about it.
#[derive(Debug, Clone, Copy)]
struct Messages {
    make: &'static str,
    write: &'static str,
}

impl Scratch {
    /// Creates one in the folder given by `--temp`.
    pub(crate) fn create(folder: &Path) -> Result<Self, Error> {
        let make = "create a temporary file there (--temp sets another folder)";
        Self::create_with(folder, Messages { make, write: "write a temporary file there (--temp sets another folder)" })
    }

    /// Creates one in the folder of an output.
    pub(crate) fn create_beside(folder: &Path) -> Result<Self, Error> {
        Self::create_with(
            folder,
            Messages { make: "create a temporary file there", write: "write a temporary file there" },
        )
    }

    fn create_with(folder: &Path, messages: Messages) -> Result<Self, Error> {
        let failed = |error| Error::io(folder, messages.make, error);
        let opened = Folder::open(folder, false).map_err(failed)?;
        let file = match opened.create_unnamed(CreateMode::Private).map_err(failed)? {
            Some(file) => file,
            None => nameless(&opened).map_err(failed)?,
        };
        Ok(Self { file: Arc::new(file), length: 0, folder: folder.to_path_buf(), messages })
    }

    /// Appends bytes, and returns their offset.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<u64, Error> {
        let at = self.length;
        let written = write_all_at(&self.file, bytes, at);
        written.map_err(|error| Error::io(&self.folder, self.messages.write, error))?;
        self.length += bytes.len() as u64;
        Ok(at)
    }

    /// Reads bytes back from an offset.
    pub(crate) fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), Error> {
        let read = read_exact_at(&self.file, bytes, at);
        read.map_err(|error| Error::io(&self.folder, "read a temporary file there", error))
    }

    /// Reads everything from an offset on.
    pub(crate) fn reader_from(&self, at: u64) -> impl Read + Send + use<> {
        ScratchReader { file: Arc::clone(&self.file), at: at.min(self.length), end: self.length }
    }

    /// Reads everything.
    pub(crate) fn reader(&self) -> impl Read + Send + use<> {
        self.reader_from(0)
    }
}

/// Creates a file and removes its name.
fn nameless(folder: &Folder) -> io::Result<File> {
    let name = PathBuf::from(format!(".{}.{:012x}.gridmill-tmp", std::process::id(), super::atomic::random()));
    // While the lock is held, no signal can end the program between the two steps.
    let registry = lock_registry();
    let file = folder.create(&name, CreateMode::Private)?;
    folder.remove(&name)?;
    drop(registry);
    Ok(file)
}

struct ScratchReader {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Read for ScratchReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = bytes.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        let read = read_at(&self.file, &mut bytes[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_are_read_back_from_a_file_without_a_name() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in [None, Some(nameless)] {
            let mut scratch = Scratch::create(folder.path()).expect("a file");
            if let Some(make) = file {
                let opened = Folder::open(folder.path(), false).expect("a folder");
                scratch.file = Arc::new(make(&opened).expect("a file"));
            }
            let files = || std::fs::read_dir(folder.path()).expect("a folder").count();
            // Windows lists such a file until it is closed.
            assert!(files() == 0 || cfg!(windows));
            assert_eq!((scratch.append(b"abc").expect("writing"), scratch.append(b"de").expect("writing")), (0, 3));
            let (mut part, mut all) = ([0; 3], Vec::new());
            scratch.read(2, &mut part).expect("reading");
            scratch.reader().read_to_end(&mut all).expect("reading");
            assert_eq!((&part, all.as_slice()), (b"cde", b"abcde".as_slice()));
            assert!(scratch.read(4, &mut part).is_err());
            drop(scratch);
            assert_eq!(files(), 0);
        }
    }
}
