//! Reads the strings of an array one by one, so that a long array is not held in memory.

use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::string::take_string;
use crate::error::{Code, Reject};
use crate::framing::rows::{MOST_STRINGS, Rows};

/// Adds the strings of an array to rows.
pub(super) struct List<'r, 't> {
    pub(super) text: &'t [u8],
    pub(super) rows: &'r mut Rows,
    /// The number of strings that were added.
    pub(super) fields: u32,
    /// Whether to record elements that are not strings, too.
    pub(super) all: bool,
    /// The number of elements that are not strings.
    pub(super) none: u32,
    /// Why an element was refused.
    pub(super) reject: Option<Reject>,
}

impl<'t> DeserializeSeed<'t> for &mut List<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'t> Visitor<'t> for &mut List<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<&RawValue>()? {
            let taken = match self.fields + self.none < MOST_STRINGS {
                true => take_string(self.text, element.get(), self.rows),
                false => Err(Reject::whole(Code::TooLong, format!("a row has at most {MOST_STRINGS} strings"))),
            };
            match taken {
                Ok(0) if self.all => {
                    self.rows.push_none();
                    self.none += 1;
                }
                Ok(taken) => self.fields += taken,
                Err(reject) => {
                    self.reject = Some(reject);
                    return Err(A::Error::custom("the rest is not looked at"));
                }
            }
        }
        Ok(())
    }
}
