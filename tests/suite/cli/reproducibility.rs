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
        for threads in ["-j1", "-j2"] {
            assert!(convert([threads.as_ref(), input.as_os_str()], b"").good() == v2, "{input:?} {threads}");
        }
    }
    assert!(run(gridmill(["convert", "-q", "-j7", "--no-mmap"]).arg(&path), b"").good() == v2);
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
    let generate = |arguments: &[&str]| run(gridmill(["gen", "-q"]).args(arguments), b"").good();
    let lines = |text: &[u8]| text.iter().filter(|&&b| b == b'\n').count();
    let one = generate(&["--count", "4200", "-j1"]);
    assert_eq!(lines(&one), 4200);
    for threads in ["-j1", "-j2", "-j5"] {
        assert!(generate(&["--count", "4200", threads]) == one, "{threads}");
    }
    // Compressed, it is the same text; and everything made is good.
    let packed = generate(&["--count", "4200", "--zstd"]);
    assert!(zstd::decode_all(&packed[..]).expect("an archive") == one);
    assert!(convert([""; 0], &packed).good() == one);
    for arguments in [
        &["--count", "9000", "--mix", "clues", "--format", "plain", "--seed", "7"][..],
        &["--count", "5", "--kind", "killer", "--mix", "solved"],
        &["--count", "2", "--kind", "str8ts"],
        &["--count", "0"],
    ] {
        let one = generate(&[arguments, &["-j1"]].concat());
        assert!(generate(&[arguments, &["-j2"]].concat()) == one, "{arguments:?}");
        assert_eq!(lines(&one), arguments[1].parse::<usize>().expect("a count"));
        assert_eq!(lines(&convert([""; 0], &one).good()), lines(&one));
    }
    assert!(boards("v2", 10, 1) != boards("v2", 10, 2));
    // The first boards do not depend on how many follow.
    assert!(boards("v2", 4100, 1).starts_with(&boards("v2", 10, 1)));
}
