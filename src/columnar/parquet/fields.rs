//! Structs in Thrift's compact encoding whose values stay as they are encoded: what nobody changes is copied as bytes,
//! whether it is known or not.

use std::borrow::Cow;

use super::thrift::length_of;

/// Types of the encoding.
pub(super) const I16: u8 = 4;
pub(super) const I32: u8 = 5;
pub(super) const I64: u8 = 6;
pub(super) const BYTES: u8 = 8;
pub(super) const LIST: u8 = 9;
pub(super) const STRUCT: u8 = 12;

/// The fields of a struct, in their order: number, type, and the encoded value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StructFields<'b>(Vec<(i16, u8, Cow<'b, [u8]>)>);

impl<'b> StructFields<'b> {
    /// Reads the struct at the start of `bytes`. Returns it with its length.
    pub(super) fn read(bytes: &'b [u8]) -> Option<(Self, usize)> {
        let (mut fields, mut field, mut at) = (Vec::new(), 0_i16, 0);
        loop {
            let header = *bytes.get(at)?;
            at += 1;
            field = match header {
                0 => return Some((Self(fields), at)),
                1..16 => {
                    let (number, length) = decoded(bytes.get(at..)?)?;
                    at += length;
                    number as i16
                }
                _ => field.wrapping_add(i16::from(header >> 4)),
            };
            let written = header & 15;
            // The value of a boolean field is in its type.
            let length = if matches!(written, 1 | 2) { 0 } else { length_of(bytes.get(at..)?, written)? };
            fields.push((field, written, Cow::Borrowed(&bytes[at..at + length])));
            at += length;
        }
    }

    /// Reads a struct that is all of `bytes`.
    pub(super) fn of(bytes: &'b [u8]) -> Option<Self> {
        Self::read(bytes).filter(|(_, length)| *length == bytes.len()).map(|(fields, _)| fields)
    }

    /// Returns an encoded value.
    pub(super) fn get(&self, number: i16) -> Option<&[u8]> {
        self.0.iter().find(|(field, ..)| *field == number).map(|(.., value)| &**value)
    }

    /// Returns an encoded value that was read.
    pub(super) fn take(self, number: i16) -> Option<&'b [u8]> {
        self.0.into_iter().find_map(|(field, _, value)| match value {
            Cow::Borrowed(value) if field == number => Some(value),
            _ => None,
        })
    }

    /// Returns the struct without references to what it was read from.
    pub(super) fn into_owned<'o>(self) -> StructFields<'o> {
        StructFields(
            self.0.into_iter().map(|(field, written, value)| (field, written, value.into_owned().into())).collect(),
        )
    }

    /// Returns a whole number.
    pub(super) fn number(&self, number: i16) -> Option<i64> {
        let (_, written, value) = self.0.iter().find(|(field, ..)| *field == number)?;
        matches!(*written, I16 | I32 | I64).then(|| decoded(value))?.map(|(value, _)| value)
    }

    /// Returns a struct among the values.
    pub(super) fn fields(&self, number: i16) -> Option<StructFields<'_>> {
        StructFields::of(self.get(number)?)
    }

    /// Returns the elements of a list.
    pub(super) fn elements(&self, number: i16) -> Option<Vec<&[u8]>> {
        elements(self.get(number)?)
    }

    /// Sets a value, which is encoded with this type. A new one comes before those with higher numbers.
    pub(super) fn set(&mut self, number: i16, written: u8, value: Vec<u8>) {
        let value = Cow::Owned(value);
        match self.0.iter().position(|(field, ..)| *field >= number) {
            Some(at) if self.0[at].0 == number => self.0[at] = (number, written, value),
            Some(at) => self.0.insert(at, (number, written, value)),
            None => self.0.push((number, written, value)),
        }
    }

    pub(super) fn set_number(&mut self, number: i16, written: u8, value: i64) {
        self.set(number, written, encoded(value));
    }

    pub(super) fn remove(&mut self, number: i16) {
        self.0.retain(|(field, ..)| *field != number);
    }

    /// Sets a value to that of another struct, or removes it if that has none.
    pub(super) fn set_as_in(&mut self, other: &StructFields<'_>, number: i16) {
        match other.0.iter().find(|(field, ..)| *field == number) {
            Some((_, written, value)) => self.set(number, *written, value.to_vec()),
            None => self.remove(number),
        }
    }

    /// Does the same if there is a value already.
    pub(super) fn update_from(&mut self, other: &StructFields<'_>, number: i16) {
        if self.get(number).is_some() {
            self.set_as_in(other, number);
        }
    }

    /// Returns the struct as it is encoded.
    pub(super) fn write(&self) -> Vec<u8> {
        let (mut bytes, mut last) = (Vec::new(), 0_i16);
        for (field, written, value) in &self.0 {
            match field.checked_sub(last) {
                Some(more @ 1..=15) => bytes.push((more as u8) << 4 | written),
                _ => {
                    bytes.push(*written);
                    bytes.extend(encoded((*field).into()));
                }
            }
            bytes.extend_from_slice(value);
            last = *field;
        }
        bytes.push(0);
        bytes
    }
}

/// Returns the elements of an encoded list.
pub(super) fn elements(list: &[u8]) -> Option<Vec<&[u8]>> {
    let (&header, mut rest) = list.split_first()?;
    let mut number = u64::from(header >> 4);
    if number == 15 {
        let (decoded, length) = varint(rest)?;
        (number, rest) = (decoded, &rest[length..]);
    }
    let mut elements = Vec::new();
    for _ in 0..number {
        let (element, after) = rest.split_at_checked(length_of(rest, header & 15)?)?;
        elements.push(element);
        rest = after;
    }
    Some(elements)
}

/// Encodes a list of elements of this type.
pub(super) fn list<E: AsRef<[u8]>>(written: u8, elements: &[E]) -> Vec<u8> {
    let mut bytes = match elements.len() {
        few @ 0..15 => vec![(few as u8) << 4 | written],
        many => [vec![0xf0 | written], encoded_length(many as u64)].concat(),
    };
    elements.iter().for_each(|element| bytes.extend_from_slice(element.as_ref()));
    bytes
}

/// Returns the contents of encoded bytes or text.
pub(super) fn contents(value: &[u8]) -> Option<&[u8]> {
    value.get(varint(value)?.1..)
}

/// Encodes bytes or text.
pub(super) fn encoded_bytes(contents: &[u8]) -> Vec<u8> {
    [&encoded_length(contents.len() as u64), contents].concat()
}

fn encoded(number: i64) -> Vec<u8> {
    encoded_length((number << 1 ^ number >> 63) as u64)
}

fn encoded_length(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Decodes a whole number. Returns it with its length.
fn decoded(bytes: &[u8]) -> Option<(i64, usize)> {
    varint(bytes).map(|(number, length)| ((number >> 1) as i64 ^ -((number & 1) as i64), length))
}

fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return Some((number, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_changed_stays_as_it_is_encoded() {
        // A number, true, bytes, a list of 16 numbers, a struct with a double, a field far away, and one out of order.
        let list = [&[0xf5, 16][..], &[2; 16]].concat();
        let parts: [&[u8]; 7] = [
            &[0x15, 0x80, 0x01],
            &[0x11],
            &[0x18, 3, b'a', b'b', b'c'],
            &[&[0x19][..], &list].concat(),
            &[0x1c, 0x17, 1, 2, 3, 4, 5, 6, 7, 8, 0],
            &[0x06, 0xc8, 0x01, 0x0a],
            &[0x05, 0x0c, 0x04],
        ];
        let bytes = [parts.concat(), vec![0]].concat();
        let (mut fields, length) = StructFields::read(&bytes).expect("a struct");
        assert_eq!((length, fields.write()), (bytes.len(), bytes.clone()));
        assert_eq!([1, 100, 6, 7].map(|number| fields.number(number)), [Some(64), Some(5), Some(2), None]);
        assert_eq!(fields.get(3).and_then(contents), Some(&b"abc"[..]));
        let numbers = fields.elements(4).expect("a list");
        assert_eq!((numbers.len(), super::list(I32, &numbers)), (16, list.clone()));
        fields.set_number(1, I32, -3);
        fields.remove(4);
        fields.set(8, BYTES, encoded_bytes(b"new"));
        let written = fields.write();
        let again = StructFields::of(&written).expect("a struct");
        assert_eq!((again.number(1), again.get(4), again.get(8)), (Some(-3), None, Some(&b"\x03new"[..])));
        assert_eq!(again.fields(5), fields.fields(5));
        for end in 0..bytes.len() {
            assert_eq!(StructFields::read(&bytes[..end]), None, "cut at {end}");
        }
    }

    #[test]
    fn numbers_of_all_sizes() {
        for number in [0, 1, -1, 63, 64, -64, -65, i64::from(i32::MIN), i64::MAX, i64::MIN] {
            let bytes = encoded(number);
            assert_eq!(decoded(&bytes), Some((number, bytes.len())));
        }
    }
}
