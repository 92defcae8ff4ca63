//! The answer of a call: JSON, and text at the positions given in the JSON.

use gridmill_core::formats::Text;
use serde_json::{Value, json};

/// The answer of a call.
#[derive(Debug, Default)]
pub(crate) struct CallAnswer {
    head: String,
    text: Text,
    #[cfg_attr(not(test), expect(dead_code))] // JavaScript reads it
    rows: String,
}

impl CallAnswer {
    /// An answer of JSON alone.
    pub(crate) fn new(head: &Value) -> Self {
        Self { head: head.to_string(), ..Self::default() }
    }

    /// An answer with a new text and rows of a reject file. The JSON gets the address and length of both.
    pub(crate) fn with_text(mut head: Value, text: Text, rows: String) -> Self {
        let place = |bytes: &[u8]| json!([bytes.as_ptr() as usize, bytes.len()]);
        head["text"] = place(text.as_slice());
        head["rejects"] = place(rows.as_bytes());
        Self { head: head.to_string(), text, rows }
    }

    /// The answer to an invalid call: an error message.
    pub(crate) fn error(words: &str) -> Self {
        Self::new(&json!({ "error": words }))
    }

    pub(crate) fn head(&self) -> &str {
        &self.head
    }

    /// The memory of the text, for reuse.
    pub(crate) fn into_text(self) -> Text {
        let mut text = self.text;
        text.clear();
        text
    }

    /// The three parts.
    #[cfg(test)]
    pub(crate) fn parts(&self) -> [String; 3] {
        let text = String::from_utf8(self.text.as_slice().to_vec()).expect("UTF-8");
        [self.head.clone(), text, self.rows.clone()]
    }
}
