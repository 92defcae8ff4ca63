//! Memory-mapped files, and the handler for the fault that occurs when one on a network drive cannot be read any more.
#![expect(unsafe_code)] // mapping a file and answering its fault cannot be said in safe Rust

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;

use windows_sys::Win32::Foundation::EXCEPTION_IN_PAGE_ERROR;
use windows_sys::Win32::System::Diagnostics::Debug::{
    AddVectoredExceptionHandler, EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS,
};

use super::end_at_once;
use crate::error::Error;

/// What a fault says. The handler must not allocate, so it does not name the file.
const WORDS: &[u8] =
    b"gridmill: an input that is mapped cannot be read any more (is it on a network drive, or on a disk that was \
                       removed?); the output file was not written. Run again, or read it with --no-mmap\n";

/// The function to call before a fault ends the program.
static BEFORE: OnceLock<fn()> = OnceLock::new();

/// The bytes of a file, from 0 to its length when it was mapped. The system lets no program shorten it meanwhile.
pub(crate) struct Mapping(memmap2::Mmap);

impl Mapping {
    /// Maps the first `length` bytes of `file`, which has at least as many.
    ///
    /// # Errors
    /// The system's answer: the file cannot be mapped.
    pub(crate) fn new(file: &File, length: usize, _: &Path) -> io::Result<Self> {
        // SAFETY: the mapping is private to this type, read-only and as long as `length`, so no code here writes to it. Another
        // process may change the file meanwhile, which no reader can prevent: the bytes are only ever looked at as bytes, every
        // value of which is valid input, and nothing that was learnt from them is trusted for memory safety afterwards.
        unsafe { memmap2::MmapOptions::new().len(length).map(file).map(Self) }
    }

    /// Does nothing: on other systems, asks for the pages of a range to be mapped at once.
    #[expect(clippy::unused_self)] // as on other systems
    pub(crate) fn expect(&self, _: usize, _: usize) {}
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Turns the fault of a mapped input that cannot be read any more into one line on stderr and exit code 2. `before` is called
/// first. It must not wait for a lock or allocate. Files that were not completed need nothing: the system deletes them when the
/// program ends, however it does.
///
/// For a program; a library must not call this.
///
/// # Errors
/// The system refused the handler.
pub fn install_fault_handler(before: fn()) -> Result<(), Error> {
    BEFORE.get_or_init(|| before);
    // SAFETY: `fault` lives as long as the program and has the signature of a handler.
    match unsafe { AddVectoredExceptionHandler(0, Some(fault)) }.is_null() {
        true => Err(Error::Usage(format!(
            "the system refused a handler, and nothing was done: {}",
            io::Error::last_os_error()
        ))),
        false => Ok(()),
    }
}

/// The handler of exceptions. Any but that of a page that cannot be read goes its usual way.
unsafe extern "system" fn fault(exception: *mut EXCEPTION_POINTERS) -> i32 {
    // SAFETY: the system passes a valid pointer to valid pointers.
    let code = unsafe { (*(*exception).ExceptionRecord).ExceptionCode };
    if code != EXCEPTION_IN_PAGE_ERROR {
        return EXCEPTION_CONTINUE_SEARCH;
    }
    if let Some(before) = BEFORE.get() {
        before();
    }
    end_at_once(WORDS)
}
