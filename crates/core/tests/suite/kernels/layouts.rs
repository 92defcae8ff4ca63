//! Strings as columns have them: adjacent, in any order, or between other bytes.

use crate::shared::vectors;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Converter};
use gridmill_core::formats::{Evidence, Records};
use gridmill_core::kernels::{self, Kernel, SCALAR};

/// The results for strings in one call: the new string, or code and cell.
type Became = Vec<Result<Vec<u8>, String>>;

fn convert(kernel: &'static Kernel, level: CheckLevel, bytes: &[u8], places: &[(usize, usize)]) -> Became {
    let checks = Checks { level, ..Checks::default() };
    let mut converter = Converter::new(Conversion { checks, ..Conversion::default() }, kernel);
    let starts: Vec<u32> = places.iter().map(|&(start, _)| start as u32).collect();
    let ends: Vec<u32> = places.iter().map(|&(_, end)| end as u32).collect();
    let converted = converter.convert(Records { bytes, starts: &starts, ends: &ends }, &Evidence::default());
    let became = |record| match converted.refusal(record) {
        Some(reject) => Err(format!("{} {:?}", reject.code.name(), reject.cell)),
        None => Ok(converted.string(record).to_vec()),
    };
    (0..places.len()).map(became).collect()
}

/// Every vector, good and bad, gives in each arrangement and with each kernel the same as alone with the scalar one.
/// The bytes end with the last string.
#[test]
fn strings_become_the_same_wherever_they_stand() {
    let files = ["plain81.tsv", "wiki-v1.tsv", "sasha32.tsv", "v2.tsv", "killer-v1.tsv", "str8ts-v1.tsv", "bad.tsv"];
    for file in files {
        let rows = vectors(file).unwrap_or_default();
        let strings: Vec<&[u8]> = rows.iter().map(|row| row[1].as_bytes()).filter(|row| !row.is_empty()).collect();
        for level in [CheckLevel::Syntax, CheckLevel::Rules] {
            let alone: Became =
                strings.iter().flat_map(|string| convert(&SCALAR, level, string, &[(0, string.len())])).collect();
            let together = strings.concat();
            let mut next = 0;
            let place = |string: &&[u8]| {
                next += string.len();
                (next - string.len(), next)
            };
            let in_order: Vec<_> = strings.iter().map(place).collect();
            // From the last to the first, between digits and invalid bytes.
            let (mut apart, mut turned) = (Vec::new(), Vec::new());
            for (at, string) in strings.iter().enumerate().rev() {
                apart.extend_from_slice(&b"123456789\n\xff"[..at % 12]);
                turned.push((apart.len(), apart.len() + string.len()));
                apart.extend_from_slice(string);
            }
            turned.reverse();
            for kernel in kernels::available() {
                for (bytes, places) in [(&together, &in_order), (&apart, &turned)] {
                    let became = convert(kernel, level, bytes.clone().into_boxed_slice().as_ref(), places);
                    assert!(became == alone, "{file} {} {level:?}", kernel.name);
                }
            }
        }
    }
}
