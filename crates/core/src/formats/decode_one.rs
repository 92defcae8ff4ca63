//! Decodes one string of a known form.

use super::{Form, Losses, Records};
use crate::board::Batch;
use crate::error::{Code, Reject};
use crate::kernels::SCALAR;

/// A string that was read.
#[derive(Debug)]
pub struct DecodedString {
    /// The format, kind, side and layout of the string.
    pub form: Form,
    /// Its board, in a batch of one.
    pub batch: Batch,
    /// What was lost in reading: strings of the first Str8ts draft and of other programs may lose something.
    pub losses: Losses,
}

/// Decodes one string, whose length is that of the form.
pub(super) fn decode_one(form: Form, text: &[u8]) -> Result<DecodedString, Reject> {
    let length = u32::try_from(text.len())
        .map_err(|_| Reject::whole(Code::TooLong, "a string of 4 GiB is not a puzzle string".to_string()))?;
    let mut batch = Batch::new();
    let records = Records { bytes: text, starts: &[0], ends: &[length] };
    let decoded = form.id.codec().decode(form, records, &mut batch, &SCALAR);
    if decoded.good & 1 == 0 {
        return Err(form.id.codec().explain(form, text));
    }
    let losses = match decoded.doubtful & 1 {
        0 => Losses::default(),
        _ => form.id.codec().remainder(form, text).losses,
    };
    Ok(DecodedString { form, batch, losses })
}
