//! Unpacks deflate and zlib streams that stand in strings: up to a limit, and nothing may follow them.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::error::{Code, Reject};

/// What stands around the packed bytes of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapping {
    /// Nothing.
    Raw,
    /// The header and the checksum of zlib.
    Zlib,
}

impl Wrapping {
    fn flags(self) -> u32 {
        let header = if self == Self::Zlib { TINFL_FLAG_PARSE_ZLIB_HEADER } else { 0 };
        header | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
    }
}

/// Unpacks a stream of at most `most` bytes.
///
/// # Errors
/// It is cut off or damaged, would be longer, or something follows it.
pub(super) fn inflate(bytes: &[u8], wrapping: Wrapping, most: usize) -> Result<Vec<u8>, Reject> {
    let wrong = |words: &str| Err(Reject::whole(Code::Digit, words.to_string()));
    let mut out = vec![0; bytes.len().saturating_mul(4).clamp(64, most)];
    let (mut inflater, mut read, mut written) = (Box::<DecompressorOxide>::default(), 0, 0);
    loop {
        let (status, taken, given) = decompress(&mut inflater, &bytes[read..], &mut out, written, wrapping.flags());
        read += taken;
        written += given;
        match status {
            TINFLStatus::Done if read < bytes.len() => return wrong("something follows the end of what is packed"),
            TINFLStatus::Done => {
                out.truncate(written);
                return Ok(out);
            }
            TINFLStatus::HasMoreOutput if out.len() == most => return wrong("it unpacks to more than a puzzle has"),
            TINFLStatus::HasMoreOutput => out.resize(out.len().saturating_mul(2).min(most), 0),
            _ => return wrong("it cannot be unpacked: it is cut off or damaged"),
        }
    }
}

/// The first bytes of what a stream without a header unpacks to, of which only the beginning may be there.
pub(super) fn beginning<const N: usize>(bytes: &[u8]) -> ([u8; N], usize) {
    let mut out = [0; N];
    let flags = Wrapping::Raw.flags() | TINFL_FLAG_HAS_MORE_INPUT;
    let (_, _, given) = decompress(&mut DecompressorOxide::new(), bytes, &mut out, 0, flags);
    (out, given)
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

    use super::*;

    #[test]
    fn every_part_is_cut_off_and_nothing_may_follow() {
        let text = b"0 0 0 1 2 3 0 0 0 and more of it, 0 0 0 1 2 3 0 0 0".repeat(20);
        for (wrapping, packed) in
            [(Wrapping::Raw, compress_to_vec(&text, 6)), (Wrapping::Zlib, compress_to_vec_zlib(&text, 6))]
        {
            let words =
                |bytes: &[u8], most| inflate(bytes, wrapping, most).map_err(|reject| reject.message.to_string());
            assert_eq!(words(&packed, 1 << 20), Ok(text.clone()));
            assert_eq!(words(&packed, text.len() + 1), Ok(text.clone()));
            assert_eq!(words(&packed, text.len() - 1), Err("it unpacks to more than a puzzle has".into()));
            for end in 0..packed.len() {
                let expected = "it cannot be unpacked: it is cut off or damaged";
                assert_eq!(words(&packed[..end], 1 << 20), Err(expected.into()), "{wrapping:?} {end}");
            }
            for rest in [&b"\0"[..], b"rest"] {
                let longer = [&packed, rest].concat();
                assert_eq!(words(&longer, 1 << 20), Err("something follows the end of what is packed".into()));
            }
        }
    }

    #[test]
    fn the_beginning_needs_only_a_part() {
        let text = b"square,9,9,38,".repeat(50);
        let packed = compress_to_vec(&text, 6);
        let (begin, length) = beginning::<8>(&packed[..packed.len() - 4]);
        assert_eq!((&begin[..], length), (&text[..8], 8));
        assert_eq!(beginning::<8>(b"\xff\xff").1, 0);
        assert_eq!(beginning::<8>(b"").1, 0);
    }
}
