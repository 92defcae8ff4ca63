//! Texts with links, in reports and messages.

use crate::error::{Refused, Reject, escape, plural};
use crate::framing::{Links, RewrittenText};

/// How many bytes of a link, or of the text around it, are shown.
const SHOWN: usize = 256;

/// How many bytes before a change are shown.
const BEFORE: usize = 80;

/// Whether a text has a link to a board.
pub(super) fn has_link(text: &[u8]) -> bool {
    let RewrittenText { rewritten, kept, left, .. } = Links::default().text(text);
    rewritten + kept > 0 || !left.is_empty()
}

/// Why a text stays as it is: the first link that cannot be rewritten.
pub(super) fn refused(done: &RewrittenText) -> Option<Reject> {
    let Refused { record, line, reject, .. } = done.left.first()?;
    let link = escape(&record[..record.len().min(SHOWN)]);
    let others = match done.left.len() as u64 - 1 {
        0 => String::new(),
        others => format!(" (and {others} more link{})", plural(others)),
    };
    let message = format!("{}, in the link on line {} of the text: {link}{others}", reject.message, line + 1);
    let mut refused = Reject::whole(reject.code, message);
    refused.cell = reject.cell;
    Some(refused)
}

/// A text before and after, or for long texts the part from shortly before the first difference on.
pub(super) fn beside(old: &[u8], new: &[u8]) -> (String, String) {
    if old.len().max(new.len()) <= 2 * SHOWN {
        return (escape(old), escape(new));
    }
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let from = same.saturating_sub(BEFORE);
    let part = |text: &[u8]| {
        let end = text.len().min(from + 2 * SHOWN);
        let (before, after) = (if from > 0 { "..." } else { "" }, if end < text.len() { "..." } else { "" });
        format!("{before}{}{after}", escape(&text[from..end]))
    };
    (part(old), part(new))
}

/// The record of a refused row, truncated since a text may be long.
pub(super) fn beginning(text: &[u8]) -> String {
    match text.len() > SHOWN {
        true => format!("{}...{}", escape(&text[..SHOWN]), text.len()),
        false => escape(text),
    }
}
