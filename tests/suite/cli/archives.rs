use crate::frames::{FIRST_HEADER, First, MAGIC, ZSTD_MAGIC};
use crate::support::{Folder, PLAIN, archive, convert, foreign, gridmill, gzip, many, marked_archive, run, shell, v2};

#[test]
fn compressed_input_is_recognised_by_its_bytes() {
    let folder = Folder::new();
    let text = format!("{PLAIN}\n").repeat(50);
    let expected = format!("{}\n", v2(PLAIN)).repeat(50);
    let (a, b) = text.as_bytes().split_at(1234);
    for packed in [
        gzip(text.as_bytes()),
        [gzip(a), gzip(b)].concat(),
        [gzip(a), gzip(b), vec![0; 512]].concat(),
        foreign(text.as_bytes()),
        [foreign(a), foreign(b), foreign(b"")].concat(),
        archive(text.as_bytes(), 500),
        marked_archive(text.as_bytes().chunks(500)),
        [marked_archive(a.chunks(500)), archive(b, 500)].concat(),
        [archive(a, 500), foreign(b)].concat(),
    ] {
        // The name of the file does not matter.
        for name in ["in.txt", "in.gz", "in.zst"] {
            let path = folder.write(name, &packed);
            assert_eq!(convert([&path], b"").good(), expected.as_bytes());
        }
        assert_eq!(convert([""; 0], &packed).good(), expected.as_bytes());
    }
}

#[test]
fn compressed_outputs_are_read_by_any_zstd_and_by_the_program() {
    let folder = Folder::new();
    let input = folder.write("in", many());
    let plain = convert([&input], b"").good();
    for (arguments, name) in [(&[][..], "out.zst"), (&["--zstd"], "out"), (&["--zstd=1"], "fast")] {
        let out = folder.at(name);
        run(gridmill(["convert", "-q", "--no-sync"]).args(arguments).arg(&input).arg("-o").arg(&out), b"").good();
        let packed = folder.read(name);
        assert!(packed.len() < plain.len() && packed.starts_with(&ZSTD_MAGIC.to_le_bytes()));
        assert!(zstd::decode_all(&packed[..]).expect("an archive") == plain, "{name}");
        assert!(convert([&out], b"").good() == plain, "{name}");
    }
    // The result is the same with any number of threads, and valid at every level.
    let all = folder.read("out.zst");
    assert!(all == folder.read("out") && all != folder.read("fast"));
    for threads in ["-j1", "-j2", "-j5"] {
        assert!(run(gridmill(["convert", "-q", "--zstd", threads]).arg(&input), b"").good() == all, "{threads}");
    }
    for level in ["2", "9", "22"] {
        let packed = convert([&format!("--zstd={level}")], &many()[..163 * 500]).good();
        assert!(zstd::decode_all(&packed[..]).expect("an archive") == plain[..166 * 500], "level {level}");
    }
    // Empty text is an archive, too.
    let empty = convert(["--zstd"], b"").good();
    assert_eq!(convert([""; 0], &empty).good(), b"");
    assert!(zstd::decode_all(&empty[..]).expect("an archive").is_empty());
}

/// The damaged archive is refused with a message, and leaves nothing behind.
#[track_caller]
fn refused(packed: &[u8], words: &[&str]) {
    let folder = Folder::new();
    let path = folder.write("packed", packed);
    let out = folder.at("out");
    for input in [vec![path.as_os_str()], vec![]] {
        let mut command = gridmill(["convert", "-q"]);
        let done = run(command.args(&input).arg("-o").arg(&out), packed);
        done.failed(&[&["damaged archive"], words].concat());
        assert_eq!(folder.names(), ["packed"]);
    }
}

#[test]
fn archives_of_our_own_that_are_cut_are_refused_wherever_the_cut_is() {
    let text = format!("{PLAIN}\n").repeat(60);
    for whole in [archive(text.as_bytes(), 82 * 20), marked_archive(text.as_bytes().chunks(82 * 20))] {
        // The heads of frames, and at last the end record.
        let begins: Vec<usize> = memchr::memmem::find_iter(&whole, &MAGIC.to_le_bytes()).collect();
        let end = *begins.last().expect("an end record");
        let mut cuts = vec![3, FIRST_HEADER, FIRST_HEADER + 1, 24, whole.len() - 1, whole.len() - 10];
        cuts.extend(begins.iter().filter(|&&at| at > 0).flat_map(|at| [at - 20, at - 1, *at]));
        for cut in cuts {
            refused(&whole[..cut], &["byte"]);
        }
        // At a frame's end, the message says what is missing.
        refused(&whole[..end], &["end record", "truncated or never finished"]);
        let head = begins[begins.len() - 2];
        refused(&[&whole[..end], &whole[head..]].concat(), &["doubled"]);
        refused(&[&whole[..], b"more text\n"].concat(), &["something else follows"]);
    }
}

#[test]
fn foreign_archives_that_are_damaged_are_refused() {
    let text = format!("{PLAIN}\n").repeat(50);
    let (zst, gz) = (foreign(text.as_bytes()), gzip(text.as_bytes()));
    for packed in [&zst, &gz] {
        for cut in [packed.len() - 1, packed.len() / 2, 12] {
            refused(&packed[..cut], &["truncated inside"]);
        }
        let mut changed = packed.clone();
        let middle = changed.len() - 6;
        changed[middle] ^= 1;
        // zstd::encode_all writes no checksum, so a change may show in the text only.
        if packed == &gz {
            refused(&changed, &[]);
        }
    }
    refused(&[&zst[..], &zst[..20]].concat(), &["truncated inside"]);
    refused(&[&gz[..], &gz[..20]].concat(), &["truncated inside"]);
    refused(&[&gz[..], b"x"].concat(), &["something else follows"]);
    refused(&[&gz[..], &[0; 600], b"x"].concat(), &["something else follows"]);
    refused(&[&gz[..], text.as_bytes()].concat(), &["something else follows"]);
    refused(&[&zst[..], text.as_bytes()].concat(), &["something else follows"]);
}

#[test]
#[ignore = "has a limit of memory, so .ci/run runs it alone"]
fn decompression_bombs_take_little_memory() {
    let folder = Folder::new();
    let limit = "ulimit -v 400000; ";
    // 600 MB without a line end: a single line that is too long.
    let bomb = {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("a compressor");
        let zeros = vec![b'1'; 1 << 20];
        for _ in 0..600 {
            std::io::Write::write_all(&mut encoder, &zeros).expect("compressing");
        }
        encoder.finish().expect("compressing")
    };
    assert!(bomb.len() < 200_000);
    folder.write("bomb.zst", &bomb);
    let done = run(shell(&format!("{limit} $G convert -q -j2 bomb.zst -o out")).current_dir(folder.path()), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(1), ""));
    assert!(folder.text("out.rejects.tsv").ends_with("...629145600\n"));
    assert_eq!(folder.text("out"), "");
    // A frame that requires a window of 2 GiB.
    folder.write("window.zst", [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
    let done = run(shell(&format!("{limit} $G convert window.zst")).current_dir(folder.path()), b"");
    done.failed(&["128 MiB", "--long=31"]);
    // A header of our own frames that announces more than a frame may hold.
    let mut lying = archive(b"x\ny\n", 2);
    let head = memchr::memmem::find(&lying, &MAGIC.to_le_bytes()).expect("a head");
    lying[head + 20..head + 24].copy_from_slice(&u32::MAX.to_le_bytes());
    folder.write("lying.zst", &lying);
    let done = run(shell(&format!("{limit} $G convert lying.zst")).current_dir(folder.path()), b"");
    done.failed(&["impossible size"]);
    // A first frame with more blocks than its text can have.
    let block = [&[(1 << 17 & 0xff) as u8, 0, 16][..], &vec![b'1'; 1 << 17]].concat();
    let endless = [&First { text: 8, ends_line: true }.header()[..], &block.repeat(200)].concat();
    folder.write("endless.zst", &endless);
    let done = run(shell(&format!("{limit} $G convert endless.zst")).current_dir(folder.path()), b"");
    done.failed(&["longer than its text"]);
}
