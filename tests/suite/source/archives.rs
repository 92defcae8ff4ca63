//! gzip, zstd, and archives of our own.

use std::thread;

use gridmill::error::Error;
use gridmill::output::zstd::Archive;
use gridmill::source::{Input, Reading, Source};
use tempfile::TempDir;

use super::{drops, file, foreign, gzip, reader, text, texts};
use crate::frames::mark;
use crate::support::{archive, archive_of, marked_archive};

#[test]
fn archives_are_recognised_by_their_bytes_and_give_the_text() {
    let folder = TempDir::new().expect("a folder");
    for text_ in texts() {
        let half = text_.len() / 2;
        let (a, b) = text_.split_at(half);
        let packed = [
            gzip(&text_),
            [gzip(a), gzip(b)].concat(),
            [gzip(a), gzip(b""), gzip(b), vec![0; 700]].concat(),
            foreign(&text_),
            [foreign(a), foreign(b""), foreign(b)].concat(),
            archive(&text_, 1 << 20),
            archive(&text_, 40),
            [archive(a, 40), archive(b, 30)].concat(),
            [archive(a, 40), foreign(b)].concat(),
            [foreign(a), archive(b"", 1), archive(b, 40), foreign(b""), foreign(b"")].concat(),
            [vec![0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3], foreign(&text_)].concat(),
        ];
        for (n, packed) in packed.iter().enumerate() {
            let path = file(&folder, "packed.txt", packed);
            for size in [1, 17, 1 << 16] {
                for reading in [Reading::Auto, Reading::Mapped, Reading::Read] {
                    assert_eq!(text(Input::File(path.clone()), reading, size).expect("reading"), text_, "archive {n}");
                }
                assert_eq!(text(drops(packed), Reading::Auto, size).expect("reading"), text_, "archive {n}");
            }
        }
    }
}

#[test]
fn any_zstd_reads_our_archives() {
    for text_ in texts() {
        let decoded = zstd::decode_all(&archive(&text_, 40)[..]).expect("a zstd stream");
        assert_eq!(decoded, text_);
    }
}

#[test]
fn frames_decode_on_many_threads_in_order() {
    let folder = TempDir::new().expect("a folder");
    let text_: Vec<u8> = (0..40_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
    let lines: Vec<_> = text_.split_inclusive(|&b| b == b'\n').collect();
    let parts: Vec<Vec<u8>> = lines.chunks(500).map(<[_]>::concat).collect();
    let packed = archive_of(parts.iter().map(Vec::as_slice));
    let marked = marked_archive(parts.iter().map(Vec::as_slice));
    for (name, bytes) in [("text", &text_), ("packed", &packed), ("marked", &marked)] {
        let path = file(&folder, name, bytes);
        for reading in [Reading::Auto, Reading::Read] {
            let source = Source::new(vec![Input::File(path.clone())], reading, 2000).expect("opening");
            let mut all = thread::scope(|scope| {
                let pull = || {
                    let (mut got, mut buffer) = (Vec::new(), Vec::new());
                    while let Some(pulled) = source.next(buffer) {
                        let chunk = pulled.chunk.expect("a good chunk");
                        got.push((pulled.sequence, chunk.text().to_vec()));
                        buffer = chunk.into_buffer();
                    }
                    got
                };
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(pull)).collect();
                threads.into_iter().flat_map(|t| t.join().expect("no panic")).collect::<Vec<_>>()
            });
            all.sort();
            assert!(all.iter().map(|(n, _)| *n).eq(0..all.len() as u64));
            assert_eq!(all.iter().map(|(_, t)| &t[..]).collect::<Vec<_>>().concat(), text_);
            assert_eq!(source.text_bytes(), text_.len() as u64);
            assert_eq!((source.bytes_taken(), source.total_bytes()), (bytes.len() as u64, Some(bytes.len() as u64)));
            assert_eq!(name != "text", all.len() == parts.len());
        }
    }
}

#[test]
fn every_cut_of_an_archive_is_an_error() {
    let text_ = b"12345\n67890\nabcdef\n\nlast";
    let marked = [marked_archive(text_.chunks(6)), marked_archive([]), marked_archive([&b"a\n"[..]])];
    for packed in [archive(text_, 6), archive(b"", 1), archive(b"a\n", 9)].into_iter().chain(marked) {
        for cut in 2..packed.len() {
            for input in [reader(&packed[..cut]), drops(&packed[..cut])] {
                assert!(matches!(text(input, Reading::Auto, 4), Err(Error::Archive { .. })), "cut at {cut}");
            }
        }
    }
    for packed in [gzip(text_), [gzip(b"first\n"), gzip(text_)].concat()] {
        let members = [gzip(b"first\n").len()];
        for cut in (2..packed.len()).filter(|cut| !members.contains(cut)) {
            assert!(
                matches!(text(reader(&packed[..cut]), Reading::Auto, 4), Err(Error::Archive { .. })),
                "cut at {cut}"
            );
        }
    }
    let packed = foreign(text_);
    for cut in 2..packed.len() {
        assert!(matches!(text(reader(&packed[..cut]), Reading::Auto, 4), Err(Error::Archive { .. })), "cut at {cut}");
    }
}

#[test]
fn a_changed_bit_is_an_error_or_does_not_matter() {
    let folder = TempDir::new().expect("a folder");
    let text_ = b"12345\n67890\nabcdef\n\nlast";
    for (packed, at) in [archive(text_, 6), marked_archive(text_.chunks(6)), archive(b"", 1)]
        .iter()
        .flat_map(|packed| (0..packed.len()).map(move |at| (packed, at)))
    {
        for bit in 0..8 {
            let mut bad = packed.clone();
            bad[at] ^= 1 << bit;
            let path = file(&folder, "bad", &bad);
            for input in [Input::File(path), drops(&bad)] {
                match text(input, Reading::Auto, 4) {
                    Ok(same) => assert_eq!(same, text_, "byte {at} bit {bit}"),
                    // A flag of the first frame announces a dictionary.
                    Err(Error::File { message, .. }) => assert!(message.contains("with a dictionary"), "{message}"),
                    Err(error) => assert!(matches!(error, Error::Archive { .. }), "byte {at} bit {bit}: {error}"),
                }
            }
        }
    }
}

/// The frames of an archive of three texts: the first, the others with their heads, the end record.
fn pieces(packed: &[u8]) -> Vec<Vec<u8>> {
    // Heads and end records begin with the magic number of our skippable frames.
    let magic = crate::frames::MAGIC.to_le_bytes();
    let begins: Vec<usize> = memchr::memmem::find_iter(packed, &magic).collect();
    let bounds = [&[0][..], &begins, &[packed.len()]].concat();
    bounds.windows(2).map(|bound| packed[bound[0]..bound[1]].to_vec()).collect()
}

#[test]
fn lost_doubled_and_moved_frames_are_found() {
    let texts = [&b"aaaa\n"[..], b"bbbb\n", b"cccc\n"];
    let [new, old] = [pieces(&archive_of(texts)), pieces(&marked_archive(texts))];
    assert_eq!((new.len(), old.len()), (4, 6));
    // Before the first piece of an older archive there is nothing.
    let old = &old[1..];
    for (pieces, orders) in [
        (
            &new[..],
            &[
                &[0, 2, 1, 3][..],
                &[0, 1, 3],
                &[1, 2, 3],
                &[0, 1, 2, 2, 3],
                &[2, 1, 0, 3],
                &[0, 3],
                &[3],
                &[0, 0, 1, 2, 3],
            ][..],
        ),
        (old, &[&[0, 1, 3, 2, 4], &[0, 1, 2, 4], &[0, 2, 3, 4], &[0, 1, 2, 3, 3, 4], &[0, 4], &[1, 2, 3, 4]]),
    ] {
        let of = |order: &[usize]| order.iter().flat_map(|&at| pieces[at].clone()).collect::<Vec<u8>>();
        let whole = of(&(0..pieces.len()).collect::<Vec<_>>());
        assert_eq!(text(reader(&whole), Reading::Auto, 1).expect("good"), texts.concat());
        assert_eq!(
            text(reader(&[&whole[..], &whole].concat()), Reading::Auto, 1).expect("good"),
            texts.concat().repeat(2)
        );
        for order in orders {
            assert!(matches!(text(reader(&of(order)), Reading::Auto, 1), Err(Error::Archive { .. })), "{order:?}");
        }
        for bad in [
            [&whole[..], &[0]].concat(),
            [&whole[..], b"text\n"].concat(),
            [&mark()[..], &whole].concat(),
            [&whole[..whole.len() - pieces[pieces.len() - 1].len()], &whole].concat(),
            [&pieces[0][..], &foreign(b"x\n"), &pieces[pieces.len() - 1]].concat(),
            [&pieces[0][..], &Archive::new().end()].concat(),
        ] {
            assert!(matches!(text(reader(&bad), Reading::Auto, 1), Err(Error::Archive { .. })));
        }
    }
}

/// Many programs look at the first four bytes, and some read one frame.
#[test]
fn an_archive_begins_with_a_frame_of_text() {
    for text_ in texts() {
        for packed in [archive(&text_, 1 << 20), archive(&text_, 40)] {
            assert_eq!(packed[..4], crate::frames::ZSTD_MAGIC.to_le_bytes());
            let mut first = Vec::new();
            let mut decoder = zstd::stream::read::Decoder::new(&packed[..]).expect("a decoder").single_frame();
            std::io::Read::read_to_end(&mut decoder, &mut first).expect("a frame");
            let held = if packed == archive(&text_, 40) { text_.len().min(40) } else { text_.len() };
            assert_eq!(first, text_[..held]);
        }
    }
}

/// Blocks that are copied, repeated or compressed, up to the largest text of a frame.
#[test]
fn first_frames_of_every_length_and_content_are_read() {
    let mut seed = 1u64;
    let mut noise = |length: usize| -> Vec<u8> {
        let next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 56) as u8
        };
        std::iter::repeat_with(next).take(length).collect()
    };
    for length in [1, 2, 255, 256, 257, 1023, 1025, 65_535, 65_791, 65_793, 131_072, 131_073, 400_000, 16 << 20] {
        for text_ in [vec![b'1'; length], noise(length), b"12345678\n".iter().copied().cycle().take(length).collect()] {
            let packed = archive(&text_, usize::MAX);
            assert!(zstd::decode_all(&packed[..]).expect("a zstd stream") == text_, "{length}");
            assert!(text(reader(&packed), Reading::Auto, 1 << 20).expect("good") == text_, "{length}");
        }
    }
}

#[test]
fn only_zeros_may_follow_gzip() {
    let good = gzip(b"text\n");
    for (tail, fine) in [
        (&[0][..], true),
        (&[0; 300_000], true),
        (&[1], false),
        (&[0, 0, 1], false),
        (&[0x1f], false),
        (&[0x1f, 0x8b], false),
        (&[0x1f, 0x8b, 8, 0, 0], false),
        (b"text\n", false),
    ] {
        let result = text(reader(&[&good[..], tail].concat()), Reading::Auto, 100);
        assert_eq!(result.is_ok(), fine, "{:?}", result.err());
    }
}

#[test]
fn decompression_bombs_and_huge_windows_take_little_memory() {
    // Window descriptor for 2^31 bytes, content size unknown, then an empty last block.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00];
    let error = text(reader(&frame), Reading::Auto, 100).expect_err("too large a window");
    assert!(error.to_string().contains("--long=31"), "{error}");
    let text_ = vec![b'\n'; 50 << 20];
    let source = Source::new(vec![reader(&foreign(&text_))], Reading::Auto, 1000).expect("opening");
    let mut count = 0;
    while let Some(pulled) = source.next(Vec::new()) {
        let chunk = pulled.chunk.expect("a chunk");
        count += chunk.text().len();
        assert!(chunk.into_buffer().capacity() < 200_000);
        if count > 3 << 20 {
            break; // the rest is the same
        }
    }
}
