//! What a new file takes over from the one that it replaces: its access list, and the attributes hidden and system.
#![expect(unsafe_code)] // access lists, for which there is only the Windows API

use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::MetadataExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use windows_sys::Win32::Security::{
    DACL_SECURITY_INFORMATION, GetFileSecurityW, PSECURITY_DESCRIPTOR, SetKernelObjectSecurity,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_ARCHIVE, FILE_ATTRIBUTE_HIDDEN, FILE_ATTRIBUTE_SYSTEM, FILE_BASIC_INFO, FileBasicInfo,
    SetFileInformationByHandle,
};

use super::FileFacts;
use crate::platform::shared::words_about_links;

/// A file that is to be replaced, as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Replaced {
    /// Its access list, as the system gave it; or why it is not known.
    list: Result<Vec<u64>, String>,
    attributes: u32,
    names: u64,
}

impl Replaced {
    /// The file at `path`, about which this is known.
    pub(crate) fn examine(path: &Path, facts: &FileFacts) -> Self {
        let attributes = std::fs::symlink_metadata(path).map_or(0, |metadata| metadata.file_attributes());
        Self {
            list: access_list(path).map_err(|error| error.to_string()),
            attributes: attributes & (FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM),
            names: facts.names(),
        }
    }

    /// Does nothing: a new file belongs to whoever makes it.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps)] // as on other systems
    pub(crate) fn give_owner(&self, _: &File) -> io::Result<Result<(), String>> {
        Ok(Ok(()))
    }

    /// Gives the new file the access list and the attributes of the old one, and adds to `lost` what cannot be kept.
    pub(crate) fn give_access(&self, file: &File, lost: &mut Vec<String>) -> io::Result<()> {
        match &self.list {
            Ok(list) => {
                if let Err(error) = give_list(file, list) {
                    lost.push(format!(
                        "its access list cannot be given to the new file, which has that of its folder ({error})"
                    ));
                }
            }
            Err(error) => lost.push(format!("its access list cannot be read and is not kept ({error})")),
        }
        if self.attributes != 0 {
            give_attributes(file, self.attributes)?;
        }
        lost.extend(words_about_links(self.names));
        Ok(())
    }
}

/// The security descriptor of a file with its access list alone. In numbers of 64 bits, so that it is aligned.
fn access_list(path: &Path) -> io::Result<Vec<u64>> {
    let path: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    let mut list = vec![0u64; 64];
    loop {
        let (room, mut needed) = (size_of_val(list.as_slice()), 0);
        let to: PSECURITY_DESCRIPTOR = list.as_mut_ptr().cast();
        // SAFETY: the path ends with a NUL, and the system writes at most as many bytes as there is room for.
        let done =
            unsafe { GetFileSecurityW(path.as_ptr(), DACL_SECURITY_INFORMATION, to, room as u32, &raw mut needed) };
        match done {
            0 if needed as usize > room => list.resize((needed as usize).div_ceil(8), 0),
            0 => return Err(io::Error::last_os_error()),
            _ => return Ok(list),
        }
    }
}

fn give_list(file: &File, list: &[u64]) -> io::Result<()> {
    let list: PSECURITY_DESCRIPTOR = list.as_ptr().cast_mut().cast();
    // SAFETY: the handle is open while `file` is borrowed. The descriptor is a whole one, as the system gave it, and is only read.
    match unsafe { SetKernelObjectSecurity(file.as_raw_handle(), DACL_SECURITY_INFORMATION, list) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn give_attributes(file: &File, attributes: u32) -> io::Result<()> {
    // Times of 0 stay as they are.
    let wanted = FILE_BASIC_INFO { FileAttributes: attributes | FILE_ATTRIBUTE_ARCHIVE, ..FILE_BASIC_INFO::default() };
    let length = size_of::<FILE_BASIC_INFO>() as u32;
    // SAFETY: the handle is open while `file` is borrowed, and the system reads a structure of the type of this class.
    let done =
        unsafe { SetFileInformationByHandle(file.as_raw_handle(), FileBasicInfo, (&raw const wanted).cast(), length) };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
