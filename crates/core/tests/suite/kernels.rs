//! Every kernel against the scalar one, and the scalar one against the rules of docs/FORMATS.md.

mod choice;
mod layouts;
mod solved;

use crate::random::Rng;
use gridmill_core::kernels::{self, Decoded, Kernel, Pairs, ROW9, SCALAR, SLACK, Texts, all_bits};

/// One decoder and the encoder that goes with it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Alphabet {
    V1,
    Offset32,
    Plain,
    Pairs36(Pairs),
}

use Alphabet::{Offset32, Pairs36, Plain, V1};

/// The body of an `S9B` string, and of other kinds of side 9 without black cells.
const S9B: Alphabet = Pairs36(Pairs { cells: 81, row: ROW9, max: 529 });

/// The largest cell code of a sudoku of side 9.
const MAX9: u16 = 529;

impl Alphabet {
    /// The three fixed alphabets, and base-36 pairs for every side, with and without black cells.
    fn all() -> Vec<Self> {
        let mut all = vec![V1, Offset32, Plain];
        for side in 3..=9 {
            let (cells, full) = (side * side, (1 << side) - 1);
            for max in [2 * side + full, 3 * side + 1 + full, 1295] {
                all.push(Pairs36(Pairs { cells, row: cells.next_multiple_of(32), max: max as u16 }));
            }
        }
        all
    }

    fn cells(self) -> usize {
        if let Pairs36(pairs) = self { pairs.cells } else { 81 }
    }

    fn row(self) -> usize {
        if let Pairs36(pairs) = self { pairs.row } else { ROW9 }
    }

    fn width(self) -> usize {
        if self == Plain { 81 } else { 2 * self.cells() }
    }

    /// The largest code of a cell.
    fn max(self) -> u16 {
        if let Pairs36(pairs) = self { pairs.max } else { MAX9 }
    }

    fn decode(self, kernel: &Kernel, texts: Texts, codes: &mut [u16]) -> Decoded {
        let only_good = |good| Decoded { good, ..Decoded::default() };
        match self {
            V1 => (kernel.codecs.decode_v1)(texts, codes),
            Offset32 => only_good((kernel.codecs.decode_offset32)(texts, codes)),
            Plain => only_good((kernel.codecs.decode_plain)(texts, codes)),
            Pairs36(pairs) => only_good((kernel.codecs.decode_pairs36)(texts, pairs, codes)),
        }
    }

    /// Encodes boards. Returns a bit for each board that the format can hold.
    fn encode(self, kernel: &Kernel, codes: &[u16], out: &mut [u8], pitch: usize) -> u64 {
        let all = all_bits(codes.len() / self.row());
        match self {
            V1 => return (kernel.codecs.encode_v1)(codes, out, pitch),
            Plain => return (kernel.codecs.encode_plain)(codes, out, pitch),
            Offset32 => (kernel.codecs.encode_offset32)(codes, out, pitch),
            Pairs36(pairs) => (kernel.codecs.encode_pairs36)(codes, pairs, out, pitch),
        }
        all
    }

    /// A row of random codes: those of cells are within the range, those of the padding are arbitrary.
    fn codes(self, random: &mut Random) -> Vec<u16> {
        let mut row = random.words(self.row());
        row[..self.cells()].iter_mut().for_each(|code| *code %= self.max() + 1);
        row
    }

    /// A random well-formed string.
    fn text(self, random: &mut Random) -> Vec<u8> {
        let mut text = vec![0; self.width() + SLACK];
        self.encode(&SCALAR, &self.codes(random), &mut text, self.width());
        text.truncate(self.width());
        for byte in &mut text {
            match random.below(4) {
                0 => byte.make_ascii_uppercase(),
                1 if self == Plain && *byte == b'0' => *byte = b"._-*xX?"[random.below(7)],
                _ => {}
            }
        }
        text
    }
}

/// A xorshift generator, which makes the tests reproducible.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    fn words(&mut self, len: usize) -> Vec<u16> {
        (0..len).map(|_| self.next() as u16).collect()
    }
}

fn others() -> Vec<&'static Kernel> {
    kernels::available().into_iter().filter(|kernel| kernel.name != SCALAR.name).collect()
}

/// Decodes with every kernel, and checks that the row of codes after the last record is not written. Returns the result
/// of the scalar kernel.
fn same_decoding(alphabet: Alphabet, bytes: &[u8], starts: &[u32]) -> Decoded {
    let row = alphabet.row();
    let texts = Texts { bytes, starts };
    let noise: Vec<u16> = (0..(starts.len() + 1) * row).map(|i| (i * 40503) as u16).collect();
    let mut want = noise.clone();
    let decoded = alphabet.decode(&SCALAR, texts, &mut want);
    for kernel in others() {
        let mut have = noise.clone();
        assert_eq!(alphabet.decode(kernel, texts, &mut have), decoded, "{} {alphabet:?}", kernel.name);
        for (i, (want, have)) in want.chunks(row).zip(have.chunks(row)).enumerate().take(starts.len()) {
            let cells = ..alphabet.cells();
            let record = || String::from_utf8_lossy(texts.get(i, alphabet.width())).into_owned();
            let same = decoded.good >> i & 1 == 0 || want[cells] == have[cells];
            assert!(same, "{} {alphabet:?} {i} {}: {want:?} {have:?}", kernel.name, record());
        }
        let after = starts.len() * row;
        assert_eq!(have[after..], noise[after..], "{} {alphabet:?}: codes after the batch", kernel.name);
    }
    decoded
}

/// Decodes strings as one batch, without anything between them.
fn same_decoding_of(alphabet: Alphabet, strings: &[Vec<u8>]) -> Decoded {
    let starts: Vec<u32> = (0..strings.len()).map(|i| (i * alphabet.width()) as u32).collect();
    same_decoding(alphabet, &strings.concat(), &starts)
}

/// Encodes with every kernel to a place `offset` bytes after the start of a cache line, with the least slack that is
/// allowed. If `range`, all codes are valid, and bytes and bits must be the same; otherwise only the bytes between and
/// around the strings must stay.
fn same_encoding(alphabet: Alphabet, codes: &[u16], offset: usize, pitch: usize, range: bool) {
    let (rows, width) = (codes.len() / alphabet.row(), alphabet.width());
    let used = if rows == 0 { 0 } else { (rows - 1) * pitch + width + SLACK };
    let mut want = vec![0xee; used];
    let held = alphabet.encode(&SCALAR, codes, &mut want, pitch);
    for kernel in others() {
        let mut have = vec![0xee; 64 + offset + used + 64];
        let begin = have.as_ptr().align_offset(64) + offset;
        let bits = alphabet.encode(kernel, codes, &mut have[begin..][..used], pitch);
        let untouched = |at: &[u8]| at.iter().all(|&byte| byte == 0xee);
        assert!(untouched(&have[..begin]), "{} {alphabet:?}: before the output", kernel.name);
        assert!(untouched(&have[begin + used..]), "{} {alphabet:?}: after the output", kernel.name);
        let have = &have[begin..][..used];
        for (i, (want, have)) in want.chunks(pitch).zip(have.chunks(pitch)).enumerate().take(rows) {
            let same = !range || want[..width] == have[..width];
            assert!(
                same,
                "{} {alphabet:?} {i}: {} {}",
                kernel.name,
                want[..width].escape_ascii(),
                have[..width].escape_ascii()
            );
            let end = (width + SLACK).min(have.len());
            assert!(untouched(&have[end..]), "{} {alphabet:?}: between records", kernel.name);
        }
        assert!(!range || bits == held, "{} {alphabet:?}: {bits:x} {held:x}", kernel.name);
    }
}

// ---- the rules ----

/// The code of a v1 value, by docs/FORMATS.md.
fn v1_code(value: u16) -> Option<u16> {
    let (mask, clue) = (value >> 1, value & 1);
    match (mask.count_ones(), clue) {
        (0, 0) => Some(0),
        (1, _) => Some(mask.trailing_zeros() as u16 + if clue == 1 { 1 } else { 10 }),
        (_, 0) => Some(18 + mask),
        _ => None,
    }
}

/// The code of an offset32 value, by docs/FORMATS.md.
fn offset32_code(value: u16) -> Option<u16> {
    match value {
        0 => Some(0),
        1..=9 => Some(9 + value),
        11..=19 => Some(value - 10),
        21..=531 => Some(value - 20 + 18),
        _ => None,
    }
}

/// Two digits of a base, lower case.
fn two_digits(value: u16, base: u16) -> [u8; 2] {
    [value / base, value % base].map(|digit| std::char::from_digit(digit.into(), 36).unwrap() as u8)
}

#[test]
fn scalar_reads_and_writes_by_the_rules() {
    let mut codes = vec![0; ROW9];
    for (alphabet, base, rule) in [
        (V1, 32, v1_code as fn(u16) -> Option<u16>),
        (Offset32, 32, offset32_code),
        (S9B, 36, |value| (value <= MAX9).then_some(value)),
    ] {
        for value in 0..base * base {
            let cell = value as usize % 81;
            let mut text = vec![b'0'; 162];
            text[2 * cell..][..2].copy_from_slice(&two_digits(value, base));
            let decoded = alphabet.decode(&SCALAR, Texts { bytes: &text, starts: &[0] }, &mut codes);
            let code = rule(value);
            assert_eq!(decoded.good, u64::from(code.is_some()), "{alphabet:?} {value}");
            let Some(code) = code else { continue };
            let mut want = vec![0; 81];
            want[cell] = code;
            assert_eq!(codes[..81], want, "{alphabet:?} {value}");
            assert_eq!(decoded.solved, u32::from(alphabet == V1 && (10..19).contains(&code)));
            let mut out = vec![0; 162 + SLACK];
            assert_eq!(alphabet.encode(&SCALAR, &codes, &mut out, 162), 1, "{alphabet:?} {value}");
            assert_eq!(out[..162], text, "{alphabet:?} {value}");
        }
    }
    for byte in 0..=u8::MAX {
        let mut text = [b'.'; 81];
        text[byte as usize % 81] = byte;
        let code = if b"0._-*xX?".contains(&byte) { Some(0) } else { char::from(byte).to_digit(10) };
        let decoded = Plain.decode(&SCALAR, Texts { bytes: &text, starts: &[0] }, &mut codes);
        assert_eq!(decoded.good, u64::from(code.is_some()), "{byte}");
        assert!(code.is_none_or(|code| u32::from(codes[byte as usize % 81]) == code), "{byte}");
    }
}

#[test]
fn scalar_knows_what_a_format_cannot_hold() {
    for code in 0..=MAX9 {
        let mut codes = vec![0; ROW9];
        codes[code as usize % 81] = code;
        let mut out = vec![0; 162 + SLACK];
        let single_candidate = code > 18 && (code - 18).is_power_of_two();
        assert_eq!(V1.encode(&SCALAR, &codes, &mut out, 162), u64::from(!single_candidate), "{code}");
        assert_eq!(Plain.encode(&SCALAR, &codes, &mut out, 81), u64::from(code <= 9), "{code}");
        let digit = if code <= 18 { (code as u8 + 8) % 9 + 1 } else { 0 };
        let glyph = if code == 0 { b'0' } else { b'0' + digit };
        assert_eq!(out[code as usize % 81], glyph, "{code}");
    }
}

// ---- kernel against kernel ----

#[test]
fn batches_of_every_size_with_any_line_end_at_every_alignment() {
    let mut random = Random(1);
    for alphabet in Alphabet::all() {
        let strings: Vec<Vec<u8>> = (0..64).map(|_| alphabet.text(&mut random)).collect();
        let codes: Vec<u16> = (0..64).flat_map(|_| alphabet.codes(&mut random)).collect();
        for size in 0..=64 {
            let line_end: &[u8] = [&b""[..], b"\n", b"\r\n", b"\n\n\n"][size % 4];
            let mut bytes = vec![0xff; size]; // a kernel does not touch what is before the first record
            let mut starts = Vec::new();
            for string in &strings[..size] {
                starts.push(bytes.len() as u32);
                bytes.extend_from_slice(string);
                bytes.extend_from_slice(line_end);
            }
            bytes.truncate(bytes.len() - if size == 0 { 0 } else { line_end.len() });
            bytes.shrink_to_fit();
            assert_eq!(same_decoding(alphabet, &bytes, &starts).good, all_bits(size));
            let pitch = alphabet.width() + [0, 1, 2, 5, 133][size % 5];
            same_encoding(alphabet, &codes[..size * alphabet.row()], size % 64, pitch, true);
        }
    }
}

#[test]
fn records_at_every_place_in_a_cache_line_that_end_with_the_text() {
    let mut random = Random(2);
    for alphabet in Alphabet::all() {
        for size in [1, 2, 3] {
            for offset in 0..64 {
                let strings: Vec<u8> = (0..size).flat_map(|_| alphabet.text(&mut random)).collect();
                let starts: Vec<u32> = (0..size).map(|i| (i * alphabet.width()) as u32).collect();
                let mut buffer = vec![0xff; 64 + offset + strings.len()];
                let begin = buffer.as_ptr().align_offset(64) + offset;
                let bytes = &mut buffer[begin..][..strings.len()];
                bytes.copy_from_slice(&strings);
                assert_eq!(same_decoding(alphabet, bytes, &starts).good, all_bits(size));
                let codes: Vec<u16> = (0..size).flat_map(|_| alphabet.codes(&mut random)).collect();
                same_encoding(alphabet, &codes, offset, alphabet.width() + offset % 3, true);
            }
        }
    }
}

#[test]
fn records_in_any_order_and_over_each_other() {
    let mut random = Random(3);
    for alphabet in [V1, Offset32, Plain, S9B] {
        let bytes: Vec<u8> = (0..8).flat_map(|_| alphabet.text(&mut random)).collect();
        let starts: Vec<u32> = (0..64).map(|_| random.below(bytes.len() - alphabet.width() + 1) as u32).collect();
        same_decoding(alphabet, &bytes, &starts);
    }
}

#[test]
fn every_byte_value_at_every_place() {
    let mut random = Random(4);
    let sides = (3..9).map(|side| Pairs { cells: side * side, row: (side * side).next_multiple_of(32), max: 1295 });
    for alphabet in [V1, Offset32, Plain, S9B].into_iter().chain(sides.map(Pairs36)) {
        let good: Vec<Vec<u8>> = (0..alphabet.width()).map(|_| alphabet.text(&mut random)).collect();
        for byte in 0..=u8::MAX {
            let mut strings = good.clone();
            strings.iter_mut().enumerate().for_each(|(i, string)| string[i] = byte);
            strings.chunks(64).for_each(|strings| _ = same_decoding_of(alphabet, strings));
        }
    }
}

#[test]
fn every_value_in_every_cell() {
    let mut random = Random(5);
    for (alphabet, base, rule) in [
        (V1, 32, v1_code as fn(u16) -> Option<u16>),
        (Offset32, 32, offset32_code),
        (S9B, 36, |value| (value <= MAX9).then_some(value)),
        (Pairs36(Pairs { cells: 81, row: ROW9, max: 1295 }), 36, Some),
        (Pairs36(Pairs { cells: 64, row: 64, max: 279 }), 36, |value| (value <= 279).then_some(value)),
    ] {
        let good: Vec<Vec<u8>> = (0..alphabet.cells()).map(|_| alphabet.text(&mut random)).collect();
        for value in 0..base * base {
            let digits = two_digits(value, base);
            let good_value = rule(value).is_some();
            // Of refused values only every eighth place is tried, since they give no codes that could differ.
            let mut strings = good.clone();
            strings.iter_mut().enumerate().for_each(|(i, string)| string[2 * i..][..2].copy_from_slice(&digits));
            if !good_value {
                strings = strings.into_iter().skip(value as usize % 8).step_by(8).collect();
            }
            for strings in strings.chunks(64) {
                // All good or all bad: bad records beside good ones could make a kernel fall back to the scalar one.
                let good = if good_value { all_bits(strings.len()) } else { 0 };
                assert_eq!(same_decoding_of(alphabet, strings).good, good, "{alphabet:?} {value}");
            }
        }
    }
}

#[test]
fn every_code_in_every_cell() {
    let mut random = Random(6);
    for alphabet in Alphabet::all() {
        let (cells, row) = (alphabet.cells(), alphabet.row());
        let mut all: Vec<u16> = (0..cells).flat_map(|_| alphabet.codes(&mut random)).collect();
        // Every format can hold clues and empty cells, so only the one other code matters. The padding is arbitrary.
        all.chunks_mut(row).for_each(|row| row[..cells].iter_mut().for_each(|code| *code %= 10));
        let base36 = matches!(alphabet, Pairs36(_));
        if base36 && alphabet.max() != 1295 {
            continue;
        }
        for code in 0..=1295 {
            let mut codes = all.clone();
            codes.chunks_mut(row).enumerate().for_each(|(i, codes)| codes[i] = code);
            for codes in codes.chunks(64 * row) {
                same_encoding(alphabet, codes, 0, alphabet.width() + 1, base36 || code <= MAX9);
            }
        }
    }
}

#[test]
fn rows_that_hold_no_board_write_nothing_elsewhere() {
    let mut random = Random(7);
    for alphabet in Alphabet::all() {
        for rows in [1, 2, 63, 64] {
            let codes = random.words(rows * alphabet.row());
            same_encoding(alphabet, &codes, rows % 64, alphabet.width() + rows % 3 * 80, false);
        }
    }
}

#[test]
fn random_damage_is_found_where_scalar_finds_it() {
    let mut random = Random(8);
    for alphabet in Alphabet::all() {
        let rounds = if alphabet.cells() == 81 { 60 } else { 20 };
        for round in 0..rounds {
            let mut strings: Vec<Vec<u8>> = (0..64).map(|_| alphabet.text(&mut random)).collect();
            // From one damaged byte in the batch to two in a record on average.
            for _ in 0..1 << (round % 8) {
                let string = random.below(64);
                let place = random.below(alphabet.width());
                let near = strings[string][place] ^ 1 << random.below(8);
                strings[string][place] = if random.below(2) == 0 { random.next() as u8 } else { near };
            }
            same_decoding_of(alphabet, &strings);
        }
    }
}

#[test]
fn boards_of_nothing_but_solved_cells_are_counted() {
    for code in [1, 9, 10, 18] {
        let codes = vec![code; 64 * ROW9];
        let mut bytes = vec![0; 64 * 162 + SLACK];
        V1.encode(&SCALAR, &codes, &mut bytes, 162);
        let starts: Vec<u32> = (0..64).map(|i| i * 162).collect();
        let solved = if code > 9 { 64 * 81 } else { 0 };
        assert_eq!(same_decoding(V1, &bytes, &starts), Decoded { good: u64::MAX, solved, doubtful: 0 });
    }
}

/// Rewriting v1 to the bodies of S9B gives the bytes of the scalar kernel's two steps, or nothing if one is refused.
#[test]
fn rewriting_is_decoding_and_encoding() {
    const PITCH: usize = 166;
    let mut random = Random(77);
    for kernel in kernels::available() {
        let Some(straight) = kernel.codecs.v1_to_pairs36 else { continue };
        for size in (0..=64).chain([64; 40]) {
            let records: Vec<Vec<u8>> = (0..size).map(|_| V1.text(&mut random)).collect();
            let gap = random.below(3);
            let text: Vec<u8> = records.iter().flat_map(|record| [record, &b"\n##"[..gap]].concat()).collect();
            let starts: Vec<u32> = (0..size).map(|i| (i * (162 + gap)) as u32).collect();
            let texts = Texts { bytes: &text, starts: &starts };
            let mut codes = vec![0; size * ROW9];
            let decoded = (SCALAR.codecs.decode_v1)(texts, &mut codes);
            assert_eq!(decoded.good, all_bits(size));
            let mut out = vec![b'~'; size * PITCH + SLACK];
            let done = straight(texts, &mut out, PITCH);
            if size % 2 == 1 && done.is_none() {
                continue;
            }
            assert_eq!(done, Some(decoded.solved), "{} {size}", kernel.name);
            let mut want = vec![0; size * PITCH + SLACK];
            S9B.encode(&SCALAR, &codes, &mut want, PITCH);
            for (i, (have, want)) in out.chunks_exact(PITCH).zip(want.chunks_exact(PITCH)).take(size).enumerate() {
                assert_eq!(have[..162], want[..162], "{} {i} of {size}", kernel.name);
            }
        }
        // Every byte value at every place of a board.
        let good = V1.text(&mut random);
        for (place, byte) in (0..162).flat_map(|place| (0..=255).map(move |byte| (place, byte))) {
            let mut text = [&good[..], &good[..]].concat();
            text[162 + place] = byte;
            let texts = Texts { bytes: &text, starts: &[162, 0] };
            let mut codes = vec![0; 2 * ROW9];
            let decoded = (SCALAR.codecs.decode_v1)(texts, &mut codes);
            let mut out = vec![0; 2 * PITCH + SLACK];
            let done = straight(texts, &mut out, PITCH);
            assert_eq!(done, (decoded.good == 3).then_some(decoded.solved), "{} {place} {byte}", kernel.name);
            if done.is_some() {
                let mut want = vec![0; 2 * PITCH + SLACK];
                S9B.encode(&SCALAR, &codes, &mut want, PITCH);
                assert_eq!(out[..162], want[..162], "{} {place} {byte}", kernel.name);
            }
        }
    }
}

/// Every kernel finds the positions of any bytes, at every alignment and with every length of the remainder, whether
/// there are many or few.
#[test]
fn bytes_are_found_where_they_stand() {
    let mut rng = Rng(3);
    let mut found = vec![0; 700 + SLACK];
    for round in 0..2000 {
        let few = round % 4;
        let text: Vec<u8> = (0..700).map(|_| if rng.below(4) <= few { rng.below(256) as u8 } else { b'7' }).collect();
        let start = round % 65;
        let text = &text[start..start + rng.below(636)];
        let some = [b',', b'\n', b'"', b'7', 0, 0xff, rng.below(256) as u8];
        let bytes = [0; 3].map(|_| *rng.pick(&some));
        let expected: Vec<_> = (0..text.len() as u32).filter(|&at| bytes.contains(&text[at as usize])).collect();
        for kernel in kernels::available() {
            found.fill(u32::MAX);
            let (count, third) = (kernel.find3)(text, bytes, &mut found[..text.len() + SLACK]);
            assert_eq!(&found[..count], expected, "{} {bytes:?} {text:?}", kernel.name);
            assert_eq!(third, text.contains(&bytes[2]), "{} {bytes:?} {text:?}", kernel.name);
        }
    }
}
