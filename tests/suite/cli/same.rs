use crate::support::{Folder, archive, boards, convert, foreign, gridmill, gzip, many, run};

#[test]
fn v1_to_v2_and_back_is_the_same_whatever_the_threads_and_the_way_of_reading() {
    let folder = Folder::new();
    let v1 = many();
    let path = folder.write("v1", v1);
    let v2 = convert(["-j1".as_ref(), path.as_os_str()], b"").good();
    assert_eq!(v2.len(), v1.len() / 163 * 166);
    let inputs = [
        path.clone(),
        folder.write("v1.gz", gzip(v1)),
        folder.write("v1.zst", foreign(v1)),
        folder.write("own.zst", archive(v1, 163 * 1000)),
        folder.write("uneven.zst", archive(v1, 100_000)),
    ];
    for input in &inputs {
        for arguments in [&["-j1"][..], &["-j2"], &["-j7", "--no-mmap"]] {
            let same = run(gridmill(["convert", "-q"]).args(arguments).arg(input), b"").good();
            assert!(same == v2, "{input:?} {arguments:?}");
        }
    }
    assert!(convert(["--mmap".as_ref(), path.as_os_str()], b"").good() == v2);
    assert!(convert([""; 0], v1).good() == v2);
    assert!(convert(["-"], v1).good() == v2);
    assert!(convert(["/dev/stdin"], v1).good() == v2);
    let out = folder.at("out");
    convert(["-o".as_ref(), out.as_os_str(), path.as_os_str()], b"").good();
    assert!(folder.read("out") == v2);
    // And back.
    let back = convert(["--to", "v1"], &v2).good();
    assert!(back == v1);
    let same = convert([""; 0], &v2).good();
    assert!(same == v2);
}

#[test]
fn every_format_comes_back() {
    for (format, extra) in
        [("plain", &["--lossy"][..]), ("v0", &["--lossy"]), ("v1", &[]), ("offset32", &[]), ("v2", &[])]
    {
        let text = boards(format, 2000, 9);
        let v2 = convert(["--from", format], &text).good();
        assert_eq!(v2.split(|&b| b == b'\n').filter(|line| line.len() == 165).count(), 2000);
        let back = run(gridmill(["convert", "-q", "--to", format]).args(extra), &v2).good();
        assert!(back == text, "{format}");
    }
}

#[test]
fn made_boards_are_the_same_whatever_the_threads_and_the_run() {
    for arguments in [
        &["--count", "5000"][..],
        &["--count", "5000", "--seed", "7", "--format", "v1"],
        &["--count", "20", "--kind", "killer", "--mix", "clues"],
        &["--count", "4097", "--kind", "sudoku-x", "--mix", "clues", "--seed", "3"],
        &["--count", "8", "--kind", "str8ts"],
        &["--count", "0"],
    ] {
        let go = |threads: &str| run(gridmill(["gen", "-q", threads]).args(arguments), b"").good();
        let one = go("-j1");
        for threads in if arguments.len() == 2 { &["-j1", "-j2", "-j5"][..] } else { &["-j2"] } {
            assert!(go(threads) == one, "{arguments:?} {threads}");
        }
        let count = arguments[1].parse::<usize>().expect("a count");
        assert_eq!(one.iter().filter(|&&b| b == b'\n').count(), count);
        // Compressed, it is the same text; and everything made is good.
        let packed = run(gridmill(["gen", "-q", "--zstd"]).args(arguments), b"").good();
        assert!(zstd::decode_all(&packed[..]).expect("an archive") == one);
        assert!(convert(if arguments.contains(&"v1") { vec!["--to", "v1"] } else { vec![] }, &packed).good() == one);
    }
    assert!(boards("v2", 10, 1) != boards("v2", 10, 2));
    // The first boards do not depend on how many follow.
    assert!(boards("v2", 5000, 1).starts_with(&boards("v2", 10, 1)));
}
