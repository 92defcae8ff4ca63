//! Computes SHA-256 of sixteen strings in parallel, or of one.

use super::{Kernel, SimdTask};

/// The number of strings that are hashed together.
pub(crate) const STRINGS: usize = 16;

/// The hash states of all strings, word by word.
pub(crate) type States<const N: usize = STRINGS> = [[u32; N]; 8];

/// Updates the states with one block of each string; states of strings whose bit is not set stay as they are.
pub(crate) type Compress = fn(&mut States, &[&[u8; 64]; STRINGS], u16);

/// Returns the first 128 bits of SHA-256 of strings of any length.
pub(crate) fn hash_each(kernel: &Kernel, strings: &[&[u8]; STRINGS]) -> [[u8; 16]; STRINGS] {
    hash(|states, blocks, open| compress(kernel, states, blocks, open), strings)
}

/// Returns the first 128 bits of SHA-256 of a string.
pub(crate) fn hash_one(string: &[u8]) -> [u8; 16] {
    let [hash] = hash(|states, blocks, strings| Compression { states, blocks, strings }.run(), &[string]);
    hash
}

fn hash<const N: usize>(
    compress: impl Fn(&mut States<N>, &[&[u8; 64]; N], u16),
    strings: &[&[u8]; N],
) -> [[u8; 16]; N] {
    // The rest of a string after its full blocks, then a one bit, zeros, and the length in bits: one block or two.
    let mut tails = [[[0; 64]; 2]; N];
    let mut blocks = [0; N];
    for (string, (tail, blocks)) in strings.iter().zip(tails.iter_mut().zip(&mut blocks)) {
        let (full, rest) = string.as_chunks::<64>();
        let tail = tail.as_flattened_mut();
        match (rest.first_chunk::<32>(), rest.last_chunk::<32>()) {
            // Two copies of a fixed length are faster than one copy of a variable length.
            (Some(first), Some(last)) => {
                tail[..32].copy_from_slice(first);
                tail[rest.len() - 32..rest.len()].copy_from_slice(last);
            }
            _ => tail[..rest.len()].copy_from_slice(rest),
        }
        tail[rest.len()] = 0x80;
        let last = if rest.len() < 56 { 1 } else { 2 };
        tail[64 * last - 8..64 * last].copy_from_slice(&(8 * string.len() as u64).to_be_bytes());
        *blocks = full.len() + last;
    }
    let mut states = START.map(|word| [word; N]);
    for block in 0..blocks.into_iter().max().unwrap_or(0) {
        let (mut texts, mut open) = ([&tails[0][0]; N], 0);
        for (i, text) in texts.iter_mut().enumerate().filter(|&(i, _)| block < blocks[i]) {
            let (full, _) = strings[i].as_chunks::<64>();
            *text = full.get(block).unwrap_or_else(|| &tails[i][block - full.len()]);
            open |= 1 << i;
        }
        compress(&mut states, &texts, open);
    }
    heads(&states)
}

/// Returns a string of fixed length with its padding: a one bit, zeros, and the length in bits.
///
/// # Panics
/// If the result does not fill exactly `BLOCKS` blocks.
pub(crate) fn padded<const BLOCKS: usize>(string: &[u8]) -> [[u8; 64]; BLOCKS] {
    assert_eq!((string.len() + 8) / 64 + 1, BLOCKS);
    let mut blocks = [[0; 64]; BLOCKS];
    let bytes = blocks.as_flattened_mut();
    bytes[..string.len()].copy_from_slice(string);
    bytes[string.len()] = 0x80;
    bytes[64 * BLOCKS - 8..].copy_from_slice(&(8 * string.len() as u64).to_be_bytes());
    blocks
}

/// Returns the first 128 bits of SHA-256 of strings that are [`padded`].
pub(crate) fn hash_padded<const BLOCKS: usize>(
    kernel: &Kernel,
    strings: &[[[u8; 64]; BLOCKS]; STRINGS],
) -> [[u8; 16]; STRINGS] {
    let mut states = START.map(|word| [word; STRINGS]);
    for block in 0..BLOCKS {
        compress(kernel, &mut states, &strings.each_ref().map(|string| &string[block]), u16::MAX);
    }
    heads(&states)
}

/// Returns the first 128 bits of each hash.
fn heads<const N: usize>(states: &States<N>) -> [[u8; 16]; N] {
    std::array::from_fn(|i| {
        let mut hash = [0; 16];
        for (bytes, words) in hash.as_chunks_mut::<4>().0.iter_mut().zip(states) {
            *bytes = words[i].to_be_bytes();
        }
        hash
    })
}

/// See [`Compress`].
fn compress(kernel: &Kernel, states: &mut States, blocks: &[&[u8; 64]; STRINGS], strings: u16) {
    match kernel.compress {
        Some(compress) => compress(states, blocks, strings),
        None => kernel.run(Compression { states, blocks, strings }),
    }
}

/// A block of each string, for plain loops. With vectors of 32 bytes they take as long as a processor's SHA instructions,
/// one string after the other.
struct Compression<'a, const N: usize> {
    states: &'a mut States<N>,
    blocks: &'a [&'a [u8; 64]; N],
    strings: u16,
}

impl<const N: usize> SimdTask for Compression<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut words = [[0_u32; N]; 16];
        for (i, block) in self.blocks.iter().enumerate() {
            for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
                word[i] = u32::from_be_bytes(*bytes);
            }
        }
        let mut state = *self.states;
        for (part, constants) in ROUNDS.as_chunks::<16>().0.iter().enumerate() {
            for (i, constant) in constants.iter().enumerate() {
                if part > 0 {
                    expand(&mut words, i);
                }
                state = round(&state, &words[i], *constant);
            }
        }
        for (word, after) in self.states.iter_mut().zip(state) {
            for i in 0..N {
                let counts = u32::from(self.strings >> i & 1).wrapping_neg();
                word[i] = word[i].wrapping_add(after[i] & counts);
            }
        }
    }
}

/// Replaces word `i` of the last sixteen words of each string by the next one.
#[inline(always)]
fn expand<const N: usize>(words: &mut [[u32; N]; 16], i: usize) {
    let (first, second, other) = (words[(i + 1) % 16], words[(i + 14) % 16], words[(i + 9) % 16]);
    for k in 0..N {
        let first = first[k].rotate_right(7) ^ first[k].rotate_right(18) ^ first[k] >> 3;
        let second = second[k].rotate_right(17) ^ second[k].rotate_right(19) ^ second[k] >> 10;
        words[i][k] = words[i][k].wrapping_add(other[k]).wrapping_add(first).wrapping_add(second);
    }
}

/// Returns the states after a round.
#[inline(always)]
fn round<const N: usize>(&[a, b, c, d, e, f, g, h]: &States<N>, word: &[u32; N], constant: u32) -> States<N> {
    let (mut next_a, mut next_e) = ([0; N], [0; N]);
    for k in 0..N {
        let sum = e[k].rotate_right(6) ^ e[k].rotate_right(11) ^ e[k].rotate_right(25);
        let chosen = e[k] & f[k] ^ !e[k] & g[k];
        let one = h[k].wrapping_add(word[k].wrapping_add(constant)).wrapping_add(chosen).wrapping_add(sum);
        let sum = a[k].rotate_right(2) ^ a[k].rotate_right(13) ^ a[k].rotate_right(22);
        let majority = a[k] & b[k] ^ a[k] & c[k] ^ b[k] & c[k];
        next_e[k] = d[k].wrapping_add(one);
        next_a[k] = one.wrapping_add(sum).wrapping_add(majority);
    }
    [next_a, a, b, c, next_e, e, f, g]
}

/// The state before the first block: the fractional parts of the square roots of the first primes.
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The round constants: the fractional parts of the cube roots of the first primes.
#[rustfmt::skip]
pub(super) static ROUNDS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];
