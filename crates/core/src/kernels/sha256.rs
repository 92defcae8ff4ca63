//! SHA-256 (FIPS 180-4) of whole messages, block by block.
//
// Own code, as crates that use the instructions of processors pull seven more; a test compares it with one of them.

use super::Kernel;

/// A block of a message.
pub(crate) type Block = [u8; 64];

/// The eight words that blocks are worked into.
pub(crate) type State = [u32; 8];

/// The first `N` primes.
const fn primes<const N: usize>() -> [u128; N] {
    let (mut primes, mut count, mut candidate) = ([0; N], 0, 2);
    while count < N {
        let (mut i, mut is_prime) = (0, true);
        while i < count {
            is_prime &= candidate % primes[i] != 0;
            i += 1;
        }
        if is_prime {
            primes[count] = candidate;
            count += 1;
        }
        candidate += 1;
    }
    primes
}

/// The first 32 bits of the fraction of a prime's root: the square root, or the cube root.
const fn fraction_of_root(prime: u128, power: u32) -> u32 {
    let (mut root, mut bit) = (0_u128, 1 << 36);
    while bit > 0 {
        let more = root | bit;
        if more.pow(power) <= prime << (32 * power) {
            root = more;
        }
        bit >>= 1;
    }
    root as u32
}

const fn fractions<const N: usize>(power: u32) -> [u32; N] {
    let (primes, mut fractions, mut i) = (primes::<N>(), [0; N], 0);
    while i < N {
        fractions[i] = fraction_of_root(primes[i], power);
        i += 1;
    }
    fractions
}

/// The state before the first block.
const START: State = fractions(2);

/// The constants of the rounds.
pub(super) static ROUNDS: [u32; 64] = fractions(3);

/// Works blocks into a state.
pub(super) fn portable(state: &mut State, blocks: &[Block]) {
    for block in blocks {
        let mut words = [0; 64];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for i in 16..64 {
            let (a, b) = (words[i - 15], words[i - 2]);
            let low = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let high = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            words[i] = low.wrapping_add(high).wrapping_add(words[i - 16]).wrapping_add(words[i - 7]);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for (word, round) in words.iter().zip(&ROUNDS) {
            let choice = e & f ^ !e & g;
            let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let first = h.wrapping_add(sum).wrapping_add(choice).wrapping_add(*round).wrapping_add(*word);
            let majority = a & b ^ a & c ^ b & c;
            let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(sum).wrapping_add(majority));
        }
        for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(more);
        }
    }
}

impl Kernel {
    /// SHA-256 of a message.
    pub(crate) fn sha256(&self, message: &[u8]) -> [u8; 32] {
        let mut state = START;
        let (blocks, rest) = message.as_chunks();
        (self.sha256_blocks)(&mut state, blocks);
        let mut last = [[0; 64]; 2];
        last.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
        last.as_flattened_mut()[rest.len()] = 0x80;
        let count = if rest.len() < 56 { 1 } else { 2 };
        last[count - 1][56..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
        (self.sha256_blocks)(&mut state, &last[..count]);
        let mut hash = [0; 32];
        hash.as_chunks_mut().0.iter_mut().zip(state).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
        hash
    }
}

#[cfg(test)]
mod tests {
    use crate::kernels::available;

    #[test]
    fn every_length_hashes_as_another_program_has_it() {
        use sha2::Digest;
        let message: Vec<u8> = (0..2000_u32).map(|i| (i * i / 8) as u8).collect();
        for kernel in available() {
            for length in (0..300).chain([1023, 1024, 1299, 2000]) {
                let expected = sha2::Sha256::digest(&message[..length]);
                assert_eq!(kernel.sha256(&message[..length])[..], expected[..], "{} {length}", kernel.name);
            }
        }
    }
}
