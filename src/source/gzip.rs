//! gzip: all members of a file, one after another.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;

use super::raw::{Raw, unwrap_error};
use crate::error::Error;

/// The two bytes at the start of every member.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes of text decoded at a time.
const STEP: usize = 128 * 1024;

/// A gzip input.
pub(super) struct Gzip {
    /// The member being read; `None` after the last.
    state: GzipState,
    /// Zeroed only once, since the decoder may give any small part of it at a time.
    scratch: Vec<u8>,
}

enum GzipState {
    Member(Box<GzDecoder<Raw>>),
    Between(Raw),
    Ended,
}

impl Gzip {
    pub(super) fn new(raw: Raw) -> Self {
        Self { state: GzipState::Between(raw), scratch: Vec::new() }
    }

    /// See [`Raw::ready`].
    pub(super) fn ready(&self) -> bool {
        match &self.state {
            GzipState::Member(member) => member.get_ref().ready(),
            GzipState::Between(raw) => raw.ready(),
            GzipState::Ended => true,
        }
    }

    /// Appends up to `want` bytes of text, at least one; 0 is the end.
    pub(super) fn append(&mut self, buffer: &mut Vec<u8>, want: usize) -> Result<usize, Error> {
        loop {
            match std::mem::replace(&mut self.state, GzipState::Ended) {
                GzipState::Ended => return Ok(0),
                GzipState::Between(raw) => self.state = next_member(raw)?,
                GzipState::Member(mut member) => {
                    if self.scratch.is_empty() {
                        self.scratch = vec![0; STEP];
                    }
                    let scratch = &mut self.scratch[..want.min(STEP)];
                    let got = super::raw::retry(|| member.read(scratch));
                    match got {
                        Ok(0) => self.state = GzipState::Between(member.into_inner()),
                        Ok(got) => {
                            buffer.extend_from_slice(&scratch[..got]);
                            self.state = GzipState::Member(member);
                            return Ok(got);
                        }
                        Err(error) => return Err(explain(error, member.get_ref())),
                    }
                }
            }
        }
    }
}

/// Reads what follows a member: another member, or zero padding up to the end.
fn next_member(mut raw: Raw) -> Result<GzipState, Error> {
    if raw.fill(2)?.starts_with(&MAGIC) {
        return Ok(GzipState::Member(Box::new(GzDecoder::new(raw))));
    }
    loop {
        let ahead = raw.fill(1)?;
        if ahead.is_empty() {
            return Ok(GzipState::Ended);
        }
        let zeros = ahead.iter().take_while(|&&b| b == 0).count();
        let all = zeros == ahead.len();
        raw.take_ahead(zeros);
        if !all {
            let message = format!(
                "the compressed data ends at byte {}, but something else follows; 'gzip -dc FILE | gridmill ...' reads what is \
                 before it",
                raw.position()
            );
            return Err(Error::archive(raw.path(), message));
        }
    }
}

fn explain(error: io::Error, raw: &Raw) -> Error {
    match unwrap_error(error) {
        Ok(error) => error,
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
            Error::archive(raw.path(), format!("truncated inside a gzip member (byte {})", raw.position()))
        }
        Err(e) => Error::archive(raw.path(), format!("{e} (before byte {})", raw.position())),
    }
}
