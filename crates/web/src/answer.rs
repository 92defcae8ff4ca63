//! What a call answers: JSON, then bytes.

use serde_json::{Value, json};

/// The answer of a call. JavaScript reads the length of the JSON (four bytes, the lowest first), the JSON, and what follows it.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    bytes: Vec<u8>,
}

impl Answer {
    /// An answer with JSON, and bytes of which the JSON says where they end.
    pub(crate) fn new(head: &Value, parts: &[&[u8]]) -> Self {
        let head = head.to_string();
        let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
        bytes.reserve(head.len() + parts.iter().map(|part| part.len()).sum::<usize>());
        bytes.extend_from_slice(head.as_bytes());
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        Self { bytes }
    }

    /// The answer to a call that was wrong: the words of an error.
    pub(crate) fn error(words: &str) -> Self {
        Self::new(&json!({ "error": words }), &[])
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
