//! The strings of an array, one after the other: an array of many is not kept.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::string;
use crate::error::{Code, Reject};
use crate::framing::rows::{MOST_STRINGS, Rows};

/// Takes the strings of an array into rows.
pub(super) struct List<'r, 't> {
    pub(super) text: &'t [u8],
    pub(super) rows: &'r mut Rows,
    /// How many were taken.
    pub(super) fields: u32,
    /// Elements that are no strings are taken, too, and so many were.
    pub(super) all: bool,
    pub(super) none: u32,
    /// Why the next one could not be.
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
                true => string(self.text, element.get(), self.rows),
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
