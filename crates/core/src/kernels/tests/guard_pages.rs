//! Tests that no kernel touches a byte outside the slices it is given. The slices begin or end next to a guard page,
//! which may not be accessed, so that an access one byte too far ends the test with a fault. (Correct results inside
//! the slices are tested in `crates/core/tests/suite`.)
#![expect(unsafe_code)] // pages without access

use std::ptr;
use std::slice;

use super::{Kernel, Pairs, ROW9, SLACK, Texts, available};

/// Pages of memory between two guard pages that cannot be accessed.
struct Guarded {
    map: *mut u8,
    inside: usize,
}

/// The size of a guard page: a multiple of every page size in use.
const GUARD: usize = 1 << 16;

impl Guarded {
    /// Maps at least `len` accessible bytes.
    fn new(len: usize) -> Self {
        let inside = len.max(1).next_multiple_of(GUARD);
        // SAFETY: this makes a new anonymous mapping at an address that the system chooses, which cannot affect other
        // memory.
        let map = unsafe {
            libc::mmap(ptr::null_mut(), inside + 2 * GUARD, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANON, -1, 0)
        };
        assert_ne!(map, libc::MAP_FAILED);
        let map: *mut u8 = map.cast();
        // SAFETY: the mapping above has `inside` bytes after its first guard page, and no other code knows of it.
        let result = unsafe { libc::mprotect(map.add(GUARD).cast(), inside, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(result, 0);
        Self { map, inside }
    }

    /// Returns the last (or first) `len` elements between the guard pages, zeroed at first.
    fn slice<T: bytemuck::Pod>(&mut self, len: usize, last: bool) -> &mut [T] {
        let bytes = len * size_of::<T>();
        assert!(bytes <= self.inside);
        // SAFETY: the `inside` bytes after the first guard page are mapped, initialised (anonymous memory is zero),
        // valid for `T` (plain data) and borrowed through `self`, which unmaps them only when it is dropped.
        let all = unsafe { slice::from_raw_parts_mut(self.map.add(GUARD), self.inside) };
        let part = if last { &mut all[self.inside - bytes..] } else { &mut all[..bytes] };
        bytemuck::cast_slice_mut(part)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is exactly the mapping that `new` made; the slices borrowed from it no longer exist, because
        // they borrow `self`.
        unsafe { libc::munmap(self.map.cast(), self.inside + 2 * GUARD) };
    }
}

/// Runs one decoder and its encoder on `size` records, with every slice next to a guard page: at its end if `last`,
/// otherwise at its beginning.
fn at_a_guard_page(
    (width, row): (usize, usize),
    (size, last): (usize, bool),
    decode: impl Fn(Texts, &mut [u16]) -> u64,
    encode: impl Fn(&[u16], &mut [u8], usize),
) {
    let (mut text, mut codes) = (Guarded::new(size * width), Guarded::new(2 * size * row));
    let mut out = Guarded::new(size * width + SLACK);
    let starts: Vec<u32> = (0..size).map(|i| (i * width) as u32).collect();
    let bytes: &mut [u8] = text.slice(size * width, last);
    for bad in [false, true] {
        bytes.fill(b'0');
        if bad {
            bytes[size * width - 1] = b'!';
        }
        let good = decode(Texts { bytes, starts: &starts }, codes.slice(size * row, last));
        assert_eq!(good, super::all_bits(size - usize::from(bad)));
    }
    let used = if size == 0 { 0 } else { size * width + SLACK };
    encode(codes.slice(size * row, last), out.slice(used, last), width);
}

/// Compares solutions with the boards that they decode to, with both slices next to a guard page.
fn solutions_at_a_guard_page(kernel: &Kernel, size: usize, last: bool) {
    const SOLUTION: &[u8; 81] = b"693784512487512936125963874932651487568247391741398625319475268856129743274836159";
    let (mut text, mut codes) = (Guarded::new(size * 81), Guarded::new(2 * size * ROW9));
    let (bytes, codes): (&mut [u8], &mut [u16]) = (text.slice(size * 81, last), codes.slice(size * ROW9, last));
    bytes.as_chunks_mut().0.fill(*SOLUTION);
    let starts: Vec<u32> = (0..size).map(|i| (i * 81) as u32).collect();
    let solutions = Texts { bytes, starts: &starts };
    assert_eq!((kernel.codecs.decode_plain)(solutions, codes), super::all_bits(size));
    assert_eq!((kernel.solved9)(solutions, codes, 9), super::all_bits(size));
}

fn every_function(kernel: &Kernel, size: usize, last: bool) {
    solutions_at_a_guard_page(kernel, size, last);
    let nine = (162, ROW9);
    at_a_guard_page(
        nine,
        (size, last),
        |texts, codes| {
            let good = (kernel.codecs.decode_v1)(texts, codes).good;
            if let Some(rewrite) = kernel.codecs.v1_to_pairs36 {
                let used = size * 162 + SLACK;
                let done = rewrite(texts, Guarded::new(used).slice(used, last), 162).is_some();
                assert!(done == (good == super::all_bits(size)) || !done && size % 2 == 1);
            }
            good
        },
        |codes, out, pitch| _ = (kernel.codecs.encode_v1)(codes, out, pitch),
    );
    at_a_guard_page(nine, (size, last), kernel.codecs.decode_offset32, kernel.codecs.encode_offset32);
    at_a_guard_page((81, ROW9), (size, last), kernel.codecs.decode_plain, |codes, out, pitch| {
        _ = (kernel.codecs.encode_plain)(codes, out, pitch);
    });
    for cells in 1..=81 {
        let pairs = Pairs { cells, row: cells.next_multiple_of(32), max: 1295 };
        at_a_guard_page(
            (2 * cells, pairs.row),
            (size, last),
            |texts, codes| (kernel.codecs.decode_pairs36)(texts, pairs, codes),
            |codes, out, pitch| (kernel.codecs.encode_pairs36)(codes, pairs, out, pitch),
        );
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no pages that cannot be read")]
fn kernels_stay_inside_their_slices() {
    for kernel in available() {
        for size in [1, 2, 3, 63, 64] {
            every_function(kernel, size, true);
            every_function(kernel, size, false);
        }
    }
}
