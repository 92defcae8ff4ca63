//! Finds the value at a pointer while `serde_json` parses a line.

use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::framing::NewName;

/// The result of searching a line.
pub(super) struct Pointed<'p, 't> {
    /// The value at the pointer.
    pub(super) value: Option<&'t RawValue>,
    /// Whether there are two values at the pointer.
    pub(super) twice: bool,
    /// A name to be appended that the object already has.
    pub(super) taken: Option<&'p NewName>,
}

/// Searches a value for what is at the rest of a path.
pub(super) struct Seek<'p, 'f, 't> {
    pub(super) path: &'p [String],
    /// Names that the object must not have yet.
    pub(super) new_names: &'p [NewName],
    pub(super) found: &'f mut Pointed<'p, 't>,
}

impl<'t> DeserializeSeed<'t> for Seek<'_, '_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.path.is_empty() {
            let value = <&RawValue as serde_core::Deserialize>::deserialize(deserializer)?;
            self.found.twice |= self.found.value.replace(value).is_some();
            return Ok(());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for Seek<'_, '_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(KeyMatcher { wanted: &self.path[0], new_names: self.new_names })? {
            match key {
                KeyClass::Wanted => {
                    let deeper = Seek { path: &self.path[1..], new_names: &[], found: &mut *self.found };
                    map.next_value_seed(deeper)?;
                }
                KeyClass::Taken(new) => {
                    self.found.taken = Some(new);
                    map.next_value::<IgnoredAny>()?;
                }
                KeyClass::Other => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<(), A::Error> {
        let wanted = self.path[0].parse::<usize>().ok().filter(|number| number.to_string() == self.path[0]);
        for number in 0.. {
            if wanted == Some(number) {
                let deeper = Seek { path: &self.path[1..], new_names: &[], found: &mut *self.found };
                if list.next_element_seed(deeper)?.is_none() {
                    break;
                }
            } else if list.next_element::<IgnoredAny>()?.is_none() {
                break;
            }
        }
        Ok(())
    }

    // Other values contain nothing that a pointer could refer to.
    fn visit_bool<E: serde_core::de::Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E: serde_core::de::Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E: serde_core::de::Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E: serde_core::de::Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E: serde_core::de::Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E: serde_core::de::Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// The meaning of a key.
enum KeyClass<'p> {
    /// The next part of the path.
    Wanted,
    /// A name that was to be appended.
    Taken(&'p NewName),
    Other,
}

/// Compares a key with the wanted one and with new names.
struct KeyMatcher<'p> {
    wanted: &'p str,
    new_names: &'p [NewName],
}

impl<'p, 't> DeserializeSeed<'t> for KeyMatcher<'p> {
    type Value = KeyClass<'p>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<KeyClass<'p>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'p> Visitor<'_> for KeyMatcher<'p> {
    type Value = KeyClass<'p>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde_core::de::Error>(self, key: &str) -> Result<KeyClass<'p>, E> {
        let taken = self.new_names.iter().find(|new| new.name == key);
        Ok(match taken {
            Some(new) => KeyClass::Taken(new),
            None if key == self.wanted => KeyClass::Wanted,
            None => KeyClass::Other,
        })
    }

    fn visit_bytes<E: serde_core::de::Error>(self, _: &[u8]) -> Result<KeyClass<'p>, E> {
        Err(E::custom("a key is no text"))
    }
}
