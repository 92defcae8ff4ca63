//! Solutions, checked against the givens of their puzzles and the rules.

use crate::random::Rng;
use gridmill_core::kernels::{self, ROW9, SCALAR, Texts};

/// Solutions with every byte in every cell, and givens with every code in every cell, compared with the scalar kernel,
/// which is compared with the rules elsewhere (`check::solution`).
#[test]
fn right_solutions_are_recognised() {
    let solution = *b"693784512487512936125963874932651487568247391741398625319475268856129743274836159";
    let mut rng = Rng(5);
    for kernel in kernels::available() {
        for cell in 0..81 {
            let text: Vec<u8> = (0..=255)
                .flat_map(|byte| {
                    let mut text = solution;
                    text[cell] = byte;
                    text
                })
                .collect();
            let starts: Vec<u32> = (0..256).map(|i| i * 81).collect();
            for starts in starts.chunks(61) {
                let codes = vec![0; starts.len() * ROW9];
                let found = (kernel.solved9)(Texts { bytes: &text, starts }, &codes, 9);
                let right = |i: usize| starts[i] / 81 == u32::from(solution[cell]);
                let expected = (0..starts.len()).fold(0, |bits, i| bits | u64::from(right(i)) << i);
                assert_eq!(found, expected, "{} {cell}", kernel.name);
            }
            // Codes up to 9 and up to 18 are digits, larger ones are candidates. Entries after the cells are arbitrary.
            let codes: Vec<u16> = (0..64 * ROW9)
                .map(|at| match (at % ROW9, at / ROW9) {
                    (81.., _) => rng.below(1296) as u16,
                    (at, code) if at == cell => {
                        if code < 32 {
                            code as u16
                        } else {
                            rng.below(1296) as u16
                        }
                    }
                    _ => 0,
                })
                .collect();
            let solutions = Texts { bytes: &solution, starts: &[0; 64] };
            for given in [9, 18] {
                let found = (kernel.solved9)(solutions, &codes, given);
                let digit = u16::from(solution[cell] - b'0');
                let right = |code: u16| code == 0 || code > given || code == digit || code == digit + 9;
                let expected = (0..64).fold(0, |bits, i| bits | u64::from(right(codes[i * ROW9 + cell])) << i);
                assert_eq!(found, expected, "{} {cell} {given}", kernel.name);
            }
        }
        // Two cells, or two rows, are exchanged in several solutions in turn.
        for _ in 0..500 {
            let mut text = Vec::new();
            for _ in 0..64 {
                let (mut one, [a, b]) = (solution, [rng.below(81), rng.below(81)]);
                one.swap(a, b);
                text.extend_from_slice(&one);
            }
            let starts: Vec<u32> = (0..64).map(|i| i * 81).collect();
            let (solutions, codes) = (Texts { bytes: &text, starts: &starts }, vec![0; 64 * ROW9]);
            assert_eq!(
                (kernel.solved9)(solutions, &codes, 9),
                (SCALAR.solved9)(solutions, &codes, 9),
                "{}",
                kernel.name
            );
        }
    }
}
