//! Every kernel against the scalar one: on every byte in every place, at every alignment and tail, for every size of batch.

use gridmill::kernels::{Decoded, Kernel, Pairs, ROW9, SCALAR, SLACK, Texts, available, by_name, compiled};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// The kernels to compare.
fn others() -> impl Iterator<Item = &'static Kernel> {
    available().into_iter().filter(|kernel| kernel.name != "scalar")
}

type Decode = Box<dyn Fn(&Kernel, Texts, &mut [u16]) -> Decoded>;
type Encode = Box<dyn Fn(&Kernel, &[u16], &mut [u8], usize) -> u64>;

/// A decoding function: its name, the width of its records, the cells and the pitch of its rows, and itself.
struct Decoder {
    name: String,
    width: usize,
    cells: usize,
    row: usize,
    run: Decode,
}

fn good(good: u64) -> Decoded {
    Decoded { good, ..Decoded::default() }
}

/// Bodies of every side up to 9, each with the largest value of a sudoku and of a Str8ts, and with all values.
fn pairs() -> Vec<Pairs> {
    let measures = |side: usize, max| Pairs { cells: side * side, row: (side * side).next_multiple_of(32), max };
    let sides = (3..=9).flat_map(|side: usize| {
        let masks = (1_u16 << side) - 1;
        let n = side as u16;
        [2 * n + masks, 3 * n + 1 + masks, 1295].map(|max| measures(side, max))
    });
    sides.chain([Pairs { cells: 1, row: 32, max: 7 }, Pairs { cells: 33, row: 64, max: 1294 }]).collect()
}

fn decoders() -> Vec<Decoder> {
    let nine = |name: &str, width, run| Decoder { name: name.into(), width, cells: 81, row: ROW9, run };
    let mut all = vec![
        nine("v1", 162, Box::new(|k: &Kernel, t: Texts, c: &mut [u16]| (k.decode_v1)(t, c)) as _),
        nine("offset32", 162, Box::new(|k: &Kernel, t: Texts, c: &mut [u16]| good((k.decode_offset32)(t, c))) as _),
        nine("plain", 81, Box::new(|k: &Kernel, t: Texts, c: &mut [u16]| good((k.decode_plain)(t, c))) as _),
    ];
    all.extend(pairs().into_iter().map(|pairs| Decoder {
        name: format!("{pairs:?}"),
        width: 2 * pairs.cells,
        cells: pairs.cells,
        row: pairs.row,
        run: Box::new(move |k: &Kernel, t: Texts, c: &mut [u16]| good((k.decode_pairs36)(t, pairs, c))),
    }));
    all
}

/// What is left alone stays this.
const UNTOUCHED: u16 = 0x5aa5;

/// Decodes with the scalar kernel and another one, and compares.
fn compare(decoder: &Decoder, kernel: &Kernel, bytes: &[u8], starts: &[u32]) {
    let texts = Texts { bytes, starts };
    let rows = starts.len() * decoder.row;
    // A row more, which is nobody's.
    let (mut want, mut got) = (vec![UNTOUCHED; rows + decoder.row], vec![UNTOUCHED; rows + decoder.row]);
    let expected = (decoder.run)(&SCALAR, texts, &mut want[..rows]);
    let found = (decoder.run)(kernel, texts, &mut got[..rows]);
    let say = || format!("{} {} {starts:?} {:?}", kernel.name, decoder.name, String::from_utf8_lossy(bytes));
    assert_eq!(found, expected, "{}", say());
    for i in (0..starts.len()).filter(|i| expected.good >> i & 1 == 1) {
        let row = i * decoder.row..i * decoder.row + decoder.cells;
        assert_eq!(got[row.clone()], want[row], "record {i} of {}", say());
    }
    assert!(got[rows..].iter().all(|&code| code == UNTOUCHED), "{}", say());
}

/// A record that every decoder of pairs takes, with some variety; digits only.
fn record(decoder: &Decoder, seed: usize) -> Vec<u8> {
    if decoder.name == "plain" {
        return (0..81).map(|i| b"123456789.0_-*xX?"[(i * 7 + seed * 5 + i / 9) % 17]).collect();
    }
    // Values that are right in all of them: empty, a few clues or solved cells, and notes where there are some.
    let pairs: [&[u8; 2]; 8] = match decoder.name.as_str() {
        "v1" => [b"00", b"03", b"g0", b"G1", b"vu", b"VU", b"0c", b"11"],
        "offset32" => [b"00", b"09", b"0b", b"0J", b"gj", b"0m", b"GI", b"01"],
        _ => [b"00", b"01", b"02", b"03", b"04", b"05", b"06", b"07"],
    };
    (0..decoder.cells).flat_map(|i| *pairs[(i * 5 + seed * 3 + i / 7) % 8]).collect()
}

/// Records one after the other, each followed by `gap`, and where they begin.
fn text(records: &[Vec<u8>], gap: &[u8]) -> (Vec<u8>, Vec<u32>) {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for record in records {
        starts.push(bytes.len() as u32);
        bytes.extend(record);
        bytes.extend(gap);
    }
    (bytes, starts)
}

#[test]
fn good_records_are_good() {
    for decoder in decoders() {
        let (bytes, starts) = text(&[record(&decoder, 1), record(&decoder, 2)], b"");
        for kernel in available() {
            let found = (decoder.run)(kernel, Texts { bytes: &bytes, starts: &starts }, &mut vec![0; 2 * decoder.row]);
            assert_eq!(found.good, 3, "{} {}", kernel.name, decoder.name);
        }
    }
}

#[test]
fn every_byte_in_every_place() {
    for kernel in others() {
        for decoder in decoders().iter().filter(|decoder| decoder.width > 100 || decoder.name == "plain") {
            let plain = record(decoder, 3);
            // 64 places at a time, one damaged in each record.
            for first in (0..decoder.width).step_by(64) {
                let places = first..decoder.width.min(first + 64);
                for byte in 0..=255 {
                    let damaged = |place| {
                        let mut record = plain.clone();
                        record[place] = byte;
                        record
                    };
                    let (bytes, starts) = text(&places.clone().map(damaged).collect::<Vec<_>>(), b"\n");
                    compare(decoder, kernel, &bytes, &starts);
                }
            }
        }
    }
}

/// Every value of two characters, digits or not, among good ones.
#[test]
fn every_pair_of_bytes() {
    for kernel in others() {
        for decoder in decoders().iter().filter(|decoder| decoder.cells == 81 && decoder.name != "plain") {
            for high in (0..=255).filter(|byte: &u8| byte.is_ascii_alphanumeric() || byte % 16 == 15) {
                let records: Vec<_> = (0..=255_u8)
                    .map(|low| {
                        let mut record = record(decoder, 5);
                        let cell = (usize::from(low) * 11 + usize::from(high)) % 81;
                        record[2 * cell..2 * cell + 2].copy_from_slice(&[high, low]);
                        record
                    })
                    .collect();
                for records in records.chunks(64) {
                    let (bytes, starts) = text(records, b"\r\n");
                    compare(decoder, kernel, &bytes, &starts);
                }
            }
        }
    }
}

#[test]
fn every_alignment_size_and_tail() {
    for kernel in others() {
        for decoder in decoders() {
            for count in (0..=9).chain([31, 32, 33, 62, 63, 64]) {
                for offset in (0..64).step_by(if count < 4 { 1 } else { 13 }) {
                    let mut records: Vec<_> = (0..count).map(|i| record(&decoder, i)).collect();
                    if let Some(record) = records.get_mut(count / 2).filter(|_| offset % 3 == 0) {
                        record[offset % decoder.width] = b'~';
                    }
                    let (bytes, mut starts) = text(&records, b"");
                    // The text ends with its last record, and begins anywhere.
                    let mut padded = vec![b'!'; offset];
                    padded.extend(bytes);
                    starts.iter_mut().for_each(|start| *start += offset as u32);
                    compare(&decoder, kernel, &padded, &starts);
                }
            }
        }
    }
}

#[test]
fn random_damage() {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(200) });
    let damage = prop::collection::vec((0..64_usize, 0..162_usize, any::<u8>()), 0..20);
    let places = (damage, 1..65_usize, prop::sample::select(vec![&b""[..], b"\n", b"\r\n"]));
    runner
        .run(&places, |(damage, count, gap)| {
            for kernel in others() {
                for decoder in decoders() {
                    let mut records: Vec<_> = (0..count).map(|i| record(&decoder, i)).collect();
                    for &(i, place, byte) in &damage {
                        records[i % count][place % decoder.width] = byte;
                    }
                    let (bytes, starts) = text(&records, gap);
                    compare(&decoder, kernel, &bytes, &starts);
                }
            }
            Ok(())
        })
        .unwrap();
}

/// An encoding function: its name, the width of its records, the cells and the pitch of its rows, the largest code, and
/// itself. A function that says nothing of what it holds says 0.
struct Encoder {
    name: String,
    width: usize,
    row: usize,
    max: u16,
    run: Encode,
}

fn encoders() -> Vec<Encoder> {
    let nine = |name: &str, width, run| Encoder { name: name.into(), width, row: ROW9, max: 529, run };
    let quiet = |run: fn(&Kernel, &[u16], &mut [u8], usize)| -> Encode {
        Box::new(move |k, c, o, p| {
            run(k, c, o, p);
            0
        })
    };
    let mut all = vec![
        nine("v1", 162, Box::new(|k: &Kernel, c: &[u16], o: &mut [u8], p: usize| (k.encode_v1)(c, o, p)) as Encode),
        nine(
            "plain",
            81,
            Box::new(|k: &Kernel, c: &[u16], o: &mut [u8], p: usize| (k.encode_plain)(c, o, p)) as Encode,
        ),
        nine("offset32", 162, quiet(|k, c, o, p| (k.encode_offset32)(c, o, p))),
    ];
    all.extend(pairs().into_iter().map(|pairs| Encoder {
        name: format!("{pairs:?}"),
        width: 2 * pairs.cells,
        row: pairs.row,
        max: 1295,
        run: Box::new(move |k, c, o, p| {
            (k.encode_pairs36)(c, pairs, o, p);
            0
        }),
    }));
    all
}

/// Encodes with the scalar kernel and another one, and compares the records and what is behind the slack.
fn compare_encoded(encoder: &Encoder, kernel: &Kernel, codes: &[u16], gap: usize, offset: usize) {
    let pitch = encoder.width + gap;
    let rows = codes.len() / encoder.row;
    let end = offset + (rows.max(1) - 1) * pitch + encoder.width + SLACK;
    let (mut want, mut got) = (vec![b'!'; end + 64], vec![b'!'; end + 64]);
    let expected = (encoder.run)(&SCALAR, codes, &mut want[offset..end], pitch);
    let held = (encoder.run)(kernel, codes, &mut got[offset..end], pitch);
    assert_eq!(held, expected, "{} {}", kernel.name, encoder.name);
    for i in 0..rows {
        let place = offset + i * pitch..offset + i * pitch + encoder.width;
        assert_eq!(got[place.clone()], want[place], "record {i} of {rows}, {} {}", kernel.name, encoder.name);
    }
    assert!(got[..offset].iter().chain(&got[end..]).all(|&byte| byte == b'!'), "{} {}", kernel.name, encoder.name);
}

#[test]
fn every_code_in_every_place_and_every_size_of_batch() {
    for kernel in others() {
        for encoder in encoders() {
            for count in (0..=5).chain([31, 32, 63, 64]) {
                for shift in 0..=usize::from(encoder.max) / 64 {
                    // The padding holds anything too.
                    let codes: Vec<u16> = (0..count * encoder.row)
                        .map(|i| ((i * 37 + shift * 64 + i / encoder.row) % (usize::from(encoder.max) + 1)) as u16)
                        .collect();
                    compare_encoded(&encoder, kernel, &codes, shift % 3, shift * 5 % 64);
                }
            }
            for cell in 0..encoder.row {
                for codes in (0..=encoder.max).collect::<Vec<_>>().chunks(64) {
                    let mut rows = vec![0; codes.len() * encoder.row];
                    rows.chunks_exact_mut(encoder.row).zip(codes).for_each(|(row, &code)| row[cell] = code);
                    compare_encoded(&encoder, kernel, &rows, 1, 0);
                }
            }
        }
    }
}

#[test]
fn names() {
    for kernel in available() {
        assert_eq!(by_name(kernel.name).unwrap().name, kernel.name);
        assert!(compiled().contains(&kernel.name));
    }
    assert_eq!(available().last().unwrap().name, "scalar");
    let message = by_name("fast").err().unwrap().to_string();
    assert!(message.contains("'fast'") && message.contains("scalar"), "{message}");
}
