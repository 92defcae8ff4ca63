//! What the metadata of Parquet consists of, as far as the decoder reads it (`parquet.thrift` of the format's
//! specification). The decoder takes every field for what it should be, whatever its type is written to be, so a field
//! with another type makes it read something else than what is there. Fields that a later version of the decoder reads
//! must be added here: others are skipped by the type that is written.

/// What the decoder takes a value for.
#[derive(Debug, Clone, Copy)]
pub(super) enum DecodedAs {
    Bool,
    Byte,
    /// A whole number, or one of an enumeration.
    Number,
    Double,
    /// Bytes or text.
    Bytes,
    List(&'static DecodedAs),
    /// The fields from number 1 on.
    Struct(StructFields),
}

pub(super) type StructFields = &'static [DecodedAs];

use DecodedAs::{Bool, Byte, Bytes, Double, List, Number, Struct};

impl DecodedAs {
    /// Whether a value of this type in Thrift's compact encoding is of this kind.
    pub(super) fn has_type(self, written: u8) -> bool {
        match self {
            Bool => matches!(written, 1 | 2),
            Byte => written == 3,
            Number => matches!(written, 4..=6),
            Double => written == 7,
            Bytes => written == 8,
            List(_) => matches!(written, 9 | 10),
            Struct(_) => written == 12,
        }
    }
}

const EMPTY: DecodedAs = Struct(&[]);

const TIME: DecodedAs = Struct(&[Bool, Struct(&[EMPTY, EMPTY, EMPTY])]);

/// A union: strings, maps, lists, enumerations, decimals, dates, times, timestamps, (reserved), integers, unknown, JSON,
/// BSON, UUIDs, short floats, variants, geometry, geography.
const LOGICAL_TYPE: DecodedAs = Struct(&[
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    Struct(&[Number, Number]),
    EMPTY,
    TIME,
    TIME,
    EMPTY,
    Struct(&[Byte, Bool]),
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    Struct(&[Byte]),
    Struct(&[Bytes]),
    Struct(&[Bytes, Number]),
]);

const SCHEMA_ELEMENT: DecodedAs =
    Struct(&[Number, Number, Number, Bytes, Number, Number, Number, Number, Number, LOGICAL_TYPE]);

const KEY_AND_VALUE: DecodedAs = Struct(&[Bytes, Bytes]);

const STATISTICS: DecodedAs = Struct(&[Bytes, Bytes, Number, Number, Bytes, Bytes, Bool, Bool, Number]);

const NUMBERS: DecodedAs = List(&Number);

const COLUMN: DecodedAs = Struct(&[
    Number,
    NUMBERS,
    List(&Bytes),
    Number,
    Number,
    Number,
    Number,
    List(&KEY_AND_VALUE),
    Number,
    Number,
    Number,
    STATISTICS,
    List(&Struct(&[Number, Number, Number])),
    Number,
    Number,
    Struct(&[Number, NUMBERS, NUMBERS]),
    Struct(&[Struct(&[Double; 8]), NUMBERS]),
]);

const COLUMN_CHUNK: DecodedAs = Struct(&[
    Bytes,
    Number,
    COLUMN,
    Number,
    Number,
    Number,
    Number,
    Struct(&[EMPTY, Struct(&[List(&Bytes), Bytes])]),
    Bytes,
]);

const ROW_GROUP: DecodedAs =
    Struct(&[List(&COLUMN_CHUNK), Number, Number, List(&Struct(&[Number, Bool, Bool])), Number, Number, Number]);

const ENCRYPTION: DecodedAs = Struct(&[Bytes, Bytes, Bool]);

/// The metadata at the end of a file.
pub(super) const FILE: StructFields = &[
    Number,
    List(&SCHEMA_ELEMENT),
    Number,
    List(&ROW_GROUP),
    List(&KEY_AND_VALUE),
    Bytes,
    List(&Struct(&[EMPTY])),
    Struct(&[ENCRYPTION, ENCRYPTION]),
    Bytes,
];

/// The header of a page.
pub(super) const PAGE: StructFields = &[
    Number,
    Number,
    Number,
    Number,
    Struct(&[Number, Number, Number, Number, STATISTICS]),
    EMPTY,
    Struct(&[Number, Number, Bool]),
    Struct(&[Number, Number, Number, Number, Number, Number, Bool, STATISTICS]),
];

/// The index with the statistics of pages.
pub(super) const COLUMN_INDEX: StructFields =
    &[List(&Bool), List(&Bytes), List(&Bytes), Number, NUMBERS, NUMBERS, NUMBERS, NUMBERS];

/// The index with the places of pages.
pub(super) const OFFSET_INDEX: StructFields = &[List(&Struct(&[Number, Number, Number])), NUMBERS];
