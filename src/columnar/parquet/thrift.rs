//! Walks through Thrift's compact encoding before it is decoded. The decoder reserves memory for lists and strings as
//! long as they say to be; here, those that are longer than what follows are found. So are fields of another type than
//! the decoder takes them for.

use super::kinds::{DecodedAs, StructFields};

/// Containers within each other. The decoder has the same limit for what it skips.
const MAX_DEPTH: usize = 64;

/// Why a walk ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// More bytes would be needed.
    Short,
    /// It is not Thrift.
    Wrong,
}

/// Something on the way, with the numbers of the fields that lead there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// A whole number.
    Number(i64),
    /// The start of a struct.
    Struct,
}

/// Walks through the struct with these fields at the start of `bytes`, and calls `visit` with what is there. Returns its
/// length.
pub(super) fn walk(bytes: &[u8], fields: StructFields, visit: impl FnMut(&[i16], Element)) -> Result<usize, Stop> {
    let mut walk = ThriftWalk { bytes, at: 0, path: Vec::new(), depth: 0, visit };
    walk.walk_struct(fields)?;
    Ok(walk.at)
}

/// Returns the length of the value at the start of `bytes` that is `written` with this type. `None` if it breaks off.
pub(super) fn length_of(bytes: &[u8], written: u8) -> Option<usize> {
    let mut walk = ThriftWalk { bytes, at: 0, path: Vec::new(), depth: 0, visit: |_: &[i16], _| {} };
    walk.value(written, None).ok().map(|()| walk.at)
}

struct ThriftWalk<'b, F> {
    bytes: &'b [u8],
    at: usize,
    path: Vec<i16>,
    depth: usize,
    visit: F,
}

impl<F: FnMut(&[i16], Element)> ThriftWalk<'_, F> {
    fn byte(&mut self) -> Result<u8, Stop> {
        let byte = *self.bytes.get(self.at).ok_or(Stop::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, Stop> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Stop::Wrong)
    }

    fn number(&mut self) -> Result<i64, Stop> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn skip(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > (self.bytes.len() - self.at) as u64 {
            return Err(Stop::Short);
        }
        self.at += bytes as usize;
        Ok(())
    }

    /// Every element has at least a byte.
    fn elements(&mut self, number: u64, written: u8, kind: Option<DecodedAs>) -> Result<(), Stop> {
        if number > (self.bytes.len() - self.at) as u64 {
            return Err(Stop::Short);
        }
        (0..number).try_for_each(|_| self.value(written, kind))
    }

    fn walk_struct(&mut self, fields: StructFields) -> Result<(), Stop> {
        (self.visit)(&self.path, Element::Struct);
        let mut field = 0_i16;
        loop {
            let header = self.byte()?;
            if header == 0 {
                return Ok(());
            }
            field = match header >> 4 {
                0 => self.number()? as i16,
                more => field.wrapping_add(more.into()),
            };
            let kind = usize::try_from(field).ok().and_then(|number| fields.get(number.checked_sub(1)?)).copied();
            self.path.push(field);
            match (header & 15, kind) {
                // The value of a boolean field is in its type.
                (1 | 2, None | Some(DecodedAs::Bool)) => {}
                (written, _) => self.value(written, kind)?,
            }
            self.path.pop();
        }
    }

    /// A value that is `written` with this type. The decoder does not know it if it has no `kind`.
    fn value(&mut self, written: u8, kind: Option<DecodedAs>) -> Result<(), Stop> {
        if kind.is_some_and(|kind| !kind.has_type(written)) {
            return Err(Stop::Wrong);
        }
        match written {
            1..=3 => self.skip(1),
            4..=6 => {
                let number = self.number()?;
                (self.visit)(&self.path, Element::Number(number));
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            13 => self.skip(16),
            9..=12 if self.depth == MAX_DEPTH => Err(Stop::Wrong),
            9..=12 => {
                self.depth += 1;
                self.container(written, kind)?;
                self.depth -= 1;
                Ok(())
            }
            _ => Err(Stop::Wrong),
        }
    }

    fn container(&mut self, written: u8, kind: Option<DecodedAs>) -> Result<(), Stop> {
        match written {
            12 => self.walk_struct(if let Some(DecodedAs::Struct(fields)) = kind { fields } else { &[] }),
            11 => match self.varint()? {
                0 => Ok(()),
                entries if entries > (self.bytes.len() - self.at) as u64 => Err(Stop::Short),
                entries => {
                    let kinds = self.byte()?;
                    (0..entries).try_for_each(|_| {
                        self.value(kinds >> 4, None)?;
                        self.value(kinds & 15, None)
                    })
                }
            },
            _ => {
                let header = self.byte()?;
                let number = if header >> 4 == 15 { self.varint()? } else { u64::from(header >> 4) };
                let kind = if let Some(DecodedAs::List(kind)) = kind { Some(*kind) } else { None };
                self.elements(number, header & 15, kind)
            }
        }
    }
}
