//! The process: what it may do, what it was started with, and how it ends.
#![expect(unsafe_code)] // calls of the Windows API that are possible before `main` and without memory

use std::ffi::OsString;
use std::io;
use std::os::windows::io::AsRawHandle;

use windows_sys::Win32::Storage::FileSystem::WriteFile;
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, GetConsoleScreenBufferInfo, GetStdHandle, STD_ERROR_HANDLE,
};
use windows_sys::Win32::System::Environment::{GetEnvironmentVariableW, SetEnvironmentVariableW};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};
use windows_sys::w;

/// The arguments, in which names with `*` and `?` are replaced by those of the files that there are: shells of Windows leave
/// that to programs.
#[cfg(feature = "cli")]
pub(crate) fn arguments() -> impl Iterator<Item = OsString> {
    wild::args_os()
}

/// How many files the process may have open at a time.
pub(crate) fn open_files() -> u64 {
    u64::MAX // no limit but memory
}

/// The name of the processor, or of its kind if the system does not tell.
pub(crate) fn processor() -> String {
    std::env::var("PROCESSOR_IDENTIFIER").unwrap_or_else(|_| std::env::consts::ARCH.to_string())
}

/// The width of the console that stdout is, in columns.
pub(crate) fn terminal_width() -> Option<usize> {
    let mut about = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: the handle is that of stdout, and the answer is written to a structure of that type.
    let known = unsafe { GetConsoleScreenBufferInfo(io::stdout().as_raw_handle(), &raw mut about) } != 0;
    let columns = i32::from(about.srWindow.Right) - i32::from(about.srWindow.Left) + 1;
    usize::try_from(columns).ok().filter(|&columns| known && columns > 0)
}

/// Does nothing: a stream that was closed has no handle, which can still be seen later.
pub(crate) fn note_closed_streams() {}

/// Whether stdin, stdout or stderr (0, 1 or 2) was closed at the start.
pub(crate) fn was_closed(stream: u8) -> bool {
    match stream {
        0 => io::stdin().as_raw_handle().is_null(),
        1 => io::stdout().as_raw_handle().is_null(),
        _ => io::stderr().as_raw_handle().is_null(),
    }
}

/// Makes the client of MySQL keep one buffer for the next packet. By default it keeps up to 128, each as large as the
/// values were, up to 4 MiB. It takes this number from the environment only. The user's own number has priority.
pub(crate) fn limit_buffers_of_mysql() {
    let name = w!("MYSQL_ASYNC_BUFFER_POOL_CAP");
    // SAFETY: both strings end with a NUL, and the system copies them. Nothing is written, since the buffer has no room. Other
    // threads may read the environment meanwhile, which the system locks.
    unsafe {
        if GetEnvironmentVariableW(name, std::ptr::null_mut(), 0) == 0 {
            SetEnvironmentVariableW(name, w!("1"));
        }
    }
}

/// Writes a last message to stderr and ends the process at once with exit code 2. It does not allocate, and may be called
/// while any lock is held.
pub(crate) fn end_at_once(words: &[u8]) -> ! {
    let mut written = 0;
    // SAFETY: the system reads exactly the bytes of the message, and writes their number. Where there is no stderr it fails. The
    // handle of the process is always valid.
    unsafe {
        let stderr = GetStdHandle(STD_ERROR_HANDLE);
        WriteFile(stderr, words.as_ptr(), words.len() as u32, &raw mut written, std::ptr::null_mut());
        TerminateProcess(GetCurrentProcess(), 2);
    }
    // TerminateProcess does not return for the own process.
    std::process::exit(2)
}
