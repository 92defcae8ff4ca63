//! Files: which one it is, when it changed, and reading and writing at an offset.
#![expect(unsafe_code)] // questions that only the Windows API answers

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_REPARSE_POINT, FILE_BASIC_INFO, FILE_FLAG_BACKUP_SEMANTICS,
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_ID_INFO, FILE_INFO_BY_HANDLE_CLASS, FILE_READ_ATTRIBUTES, FILE_STANDARD_INFO,
    FILE_TYPE_CHAR, FILE_TYPE_DISK, FILE_TYPE_PIPE, FileBasicInfo, FileIdInfo, FileStandardInfo,
    GetFileInformationByHandle, GetFileInformationByHandleEx, GetFileType,
};

/// The identity of a file, whatever its name, so that no run overwrites its own input: the volume and the number of the file,
/// which are equal for all names (hard links, symbolic links, `./x`, other case) of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId {
    volume: u64,
    file: [u8; 16],
}

impl FileId {
    /// The identity of the file at a path, at the end of all links.
    ///
    /// # Errors
    /// The system's answer: there is none, or it cannot be examined.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(FileFacts::at(path)?.id())
    }
}

/// A moment, in steps of 100 nanoseconds. Only good for comparisons with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(i64);

/// What the system knows about a file.
#[derive(Debug)]
pub(crate) struct FileFacts {
    kind: HandleKind,
    id: FileId,
    changed: Time,
    names: u64,
}

/// What a handle leads to.
#[derive(Debug)]
enum HandleKind {
    /// A file or a folder, or a link if it was opened as such.
    Disk(Metadata),
    Pipe,
    /// A console, `NUL`, or a port.
    Device,
}

impl FileFacts {
    /// Of an open file.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        let none = FileId { volume: 0, file: [0; 16] };
        let without_names = |kind| Ok(Self { kind, id: none, changed: Time(0), names: 1 });
        // SAFETY: the handle is open while `file` is borrowed.
        match unsafe { GetFileType(file.as_raw_handle()) } {
            FILE_TYPE_DISK => {}
            FILE_TYPE_PIPE => return without_names(HandleKind::Pipe),
            FILE_TYPE_CHAR => return without_names(HandleKind::Device),
            _ => return Err(io::Error::last_os_error()),
        }
        let about = by_handle(file)?;
        let id = match ask::<FILE_ID_INFO>(file, FileIdInfo) {
            Ok(id) => FileId { volume: id.VolumeSerialNumber, file: id.FileId.Identifier },
            // A file system whose numbers have 64 bits.
            Err(_) => {
                let number = u128::from(about.nFileIndexHigh) << 32 | u128::from(about.nFileIndexLow);
                FileId { volume: about.dwVolumeSerialNumber.into(), file: number.to_le_bytes() }
            }
        };
        let changed = Time(ask::<FILE_BASIC_INFO>(file, FileBasicInfo)?.ChangeTime);
        let names = ask::<FILE_STANDARD_INFO>(file, FileStandardInfo)?.NumberOfLinks.into();
        Ok(Self { kind: HandleKind::Disk(file.metadata()?), id, changed, names })
    }

    /// Of the file at a path, at the end of all links.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        Self::of(&examined(path, 0)?)
    }

    /// Of what has this name: of a link itself, not of the file that it leads to.
    pub(crate) fn of_name(path: &Path) -> io::Result<Self> {
        Self::of(&examined(path, FILE_FLAG_OPEN_REPARSE_POINT)?)
    }

    /// The identity of the file.
    pub(crate) fn id(&self) -> FileId {
        self.id
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.metadata().map_or(0, Metadata::len)
    }

    /// When the contents changed last, as far as no program has set that time.
    pub(crate) fn modified(&self) -> Time {
        Time(self.metadata().map_or(0, |metadata| metadata.last_write_time().cast_signed()))
    }

    /// When the file changed last, its names and its attributes too. Unlike the time of [`FileFacts::modified`], programs do not
    /// set it back.
    pub(crate) fn changed(&self) -> Time {
        self.changed
    }

    /// The number of its names.
    pub(crate) fn names(&self) -> u64 {
        self.names
    }

    /// Whether it is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        self.metadata().is_some_and(Metadata::is_file)
    }

    /// Whether it is a folder.
    pub(crate) fn is_folder(&self) -> bool {
        self.metadata().is_some_and(Metadata::is_dir)
    }

    /// Whether it is a pipe with a name. Pipes without one are none here: any number of outputs may share them.
    #[expect(clippy::unused_self)] // as on other systems
    pub(crate) fn is_fifo(&self) -> bool {
        false
    }

    /// Whether it is something that no output should go to: no such thing has a handle here.
    #[expect(clippy::unused_self)] // as on other systems
    pub(crate) fn is_socket_or_disk(&self) -> bool {
        false
    }

    /// Whether its attributes forbid writing.
    pub(super) fn is_read_only(&self) -> bool {
        self.metadata().is_some_and(|metadata| metadata.permissions().readonly())
    }

    fn metadata(&self) -> Option<&Metadata> {
        match &self.kind {
            HandleKind::Disk(metadata) => Some(metadata),
            HandleKind::Pipe | HandleKind::Device => None,
        }
    }
}

/// Opens what is at a path, without any right to its contents.
fn examined(path: &Path, flags: u32) -> io::Result<File> {
    let flags = FILE_FLAG_BACKUP_SEMANTICS | flags;
    OpenOptions::new().access_mode(FILE_READ_ATTRIBUTES).custom_flags(flags).open(path)
}

fn by_handle(file: &File) -> io::Result<BY_HANDLE_FILE_INFORMATION> {
    let mut about = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open while `file` is borrowed, and the answer is written to a structure of that type.
    match unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut about) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(about),
    }
}

/// A structure that `GetFileInformationByHandleEx` fills for its class.
trait FixedFacts: Default {}
impl FixedFacts for FILE_ID_INFO {}
impl FixedFacts for FILE_BASIC_INFO {}
impl FixedFacts for FILE_STANDARD_INFO {}

fn ask<T: FixedFacts>(file: &File, class: FILE_INFO_BY_HANDLE_CLASS) -> io::Result<T> {
    let mut answer = T::default();
    // SAFETY: the handle is open while `file` is borrowed. The system writes at most the given number of bytes, which is the
    // size of the structure; all types of `FixedFacts` are plain numbers, of which any bytes are valid, as the class gives them.
    let done = unsafe {
        GetFileInformationByHandleEx(file.as_raw_handle(), class, (&raw mut answer).cast(), size_of::<T>() as u32)
    };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}

/// Reads once at an offset. The position of the file is undefined afterwards.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Fills the buffer from an offset on.
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                offset += read as u64;
                buffer = &mut buffer[read..];
            }
        }
    }
    Ok(())
}

/// Writes everything at an offset.
pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => {
                offset += written as u64;
                bytes = &bytes[written..];
            }
        }
    }
    Ok(())
}

/// Reads once at an offset, up to `want` bytes to the end of `buffer`.
pub(crate) fn append_at(file: &File, buffer: &mut Vec<u8>, want: usize, offset: u64) -> io::Result<usize> {
    let before = buffer.len();
    buffer.reserve_exact(want);
    buffer.resize(before + want, 0);
    let got = file.seek_read(&mut buffer[before..], offset);
    buffer.truncate(before + got.as_ref().map_or(0, |&got| got));
    got
}

/// Opens a file unless its name is a symbolic link: then `None`.
pub(crate) fn open_unless_link(options: &mut OpenOptions, path: &Path) -> io::Result<Option<File>> {
    let opened = options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path)?;
    let about = opened.metadata()?;
    if about.is_symlink() {
        return Ok(None);
    }
    // What has a reparse point and is no link (files that are fetched when they are opened) is opened as any file.
    match about.file_attributes() & FILE_ATTRIBUTE_REPARSE_POINT {
        0 => Ok(Some(opened)),
        _ => options.custom_flags(0).open(path).map(Some),
    }
}

/// Creates a file. Who may use it is what its folder gives to new files.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// Does nothing: who may use a file is what its folder gives.
#[expect(clippy::unnecessary_wraps)] // as on other systems
pub(crate) fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}
