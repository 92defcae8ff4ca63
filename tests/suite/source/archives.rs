//! gzip, zstd, and archives of our own.

use std::thread;

use gridmill::error::Error;
use gridmill::output::zstd::{EndRecord, FrameWriter, mark};
use gridmill::source::{Input, Reading, Source};
use tempfile::TempDir;

use super::{archive, drops, file, foreign, gzip, reader, text, texts};

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
    let mut writer = FrameWriter::new(3).expect("a compressor");
    let (mut packed, mut end) = (mark(), EndRecord::new());
    for part in &parts {
        end.add(&writer.frame(part, &mut packed).expect("compressing"));
    }
    packed.extend(end.bytes());
    for (name, bytes) in [("text", &text_), ("packed", &packed)] {
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
            assert_eq!(name == "packed", all.len() == parts.len());
        }
    }
}

#[test]
fn every_cut_of_an_archive_is_an_error() {
    let text_ = b"12345\n67890\nabcdef\n\nlast";
    for packed in [archive(text_, 6), archive(b"", 1), archive(b"a\n", 9)] {
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
    let packed = archive(text_, 6);
    for at in 0..packed.len() {
        for bit in 0..8 {
            let mut bad = packed.clone();
            bad[at] ^= 1 << bit;
            let path = file(&folder, "bad", &bad);
            for input in [Input::File(path), drops(&bad)] {
                match text(input, Reading::Auto, 4) {
                    Ok(same) => assert_eq!(same, text_, "byte {at} bit {bit}"),
                    Err(error) => assert!(matches!(error, Error::Archive { .. }), "byte {at} bit {bit}: {error}"),
                }
            }
        }
    }
}

#[test]
fn lost_doubled_and_moved_frames_are_found() {
    let mut writer = FrameWriter::new(3).expect("a compressor");
    let mut end = EndRecord::new();
    let frames: Vec<Vec<u8>> = [b"aaaa\n", b"bbbb\n", b"cccc\n"]
        .iter()
        .map(|part| {
            let mut out = Vec::new();
            end.add(&writer.frame(*part, &mut out).expect("compressing"));
            out
        })
        .collect();
    let of = |order: &[usize]| {
        let frames: Vec<_> = order.iter().map(|&n| &frames[n][..]).collect();
        [mark(), frames.concat(), end.bytes()].concat()
    };
    assert_eq!(text(reader(&of(&[0, 1, 2])), Reading::Auto, 1).expect("good"), b"aaaa\nbbbb\ncccc\n");
    for order in [&[0, 2, 1][..], &[0, 1], &[1, 2], &[0, 1, 2, 2], &[2, 1, 0], &[]] {
        assert!(matches!(text(reader(&of(order)), Reading::Auto, 1), Err(Error::Archive { .. })), "{order:?}");
    }
    let whole = of(&[0, 1, 2]);
    for bad in [
        [&whole[..], &[0]].concat(),
        [&whole[..], b"text\n"].concat(),
        [mark(), whole.clone()].concat(),
        whole[mark().len()..].to_vec(),
        [mark(), foreign(b"x\n"), EndRecord::new().bytes()].concat(),
    ] {
        assert!(matches!(text(reader(&bad), Reading::Auto, 1), Err(Error::Archive { .. })));
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
