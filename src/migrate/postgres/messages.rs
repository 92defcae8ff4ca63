//! What the server says of an error, and whether others are the cause.

use crate::error::escape;
use crate::migrate::Interference;

/// The interference that an error reports, if it does.
pub(super) fn interference(error: &postgres::Error) -> Option<Interference> {
    let code = error.code()?.code();
    let is_lock = code == "55P03";
    (is_lock || code == "40001" || code == "40P01").then(|| Interference { message: message(error), is_lock })
}

/// The server's message.
pub(super) fn server_message(error: &postgres::Error) -> String {
    let text = match error.as_db_error() {
        Some(answer) => {
            let detail = answer.detail().map_or(String::new(), |detail| format!(" ({detail})"));
            let hint = answer.hint().map_or(String::new(), |hint| format!("; the server's hint: {hint}"));
            format!("{}{detail}{hint}", answer.message())
        }
        None => {
            let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
            causes.fold(error.to_string(), |all, cause| {
                let cause = cause.to_string();
                if all.contains(&cause) { all } else { format!("{all}: {cause}") }
            })
        }
    };
    escape(text.as_bytes())
}

/// The server's message, and what to do.
pub(super) fn message(error: &postgres::Error) -> String {
    let mut text = server_message(error);
    match error.code().map(|code| code.code()) {
        Some("55P03") => text.push_str("; somebody else holds a lock: run again later, or wait longer with --wait"),
        Some("42501") if text.contains("row-level security") => {
            text.push_str("; it would hide rows; connect as the owner of the table, or as a role with BYPASSRLS");
        }
        Some("57014") if text.contains("statement timeout") => {
            text.push_str("; the server's statement_timeout ended it: set a longer one for this role (ALTER ROLE ... SET statement_timeout)");
        }
        Some("40P01" | "40001") => text.push_str("; run again to resume"),
        None => text.push_str("; if the connection was lost, run again to resume"),
        _ => {}
    }
    text
}
