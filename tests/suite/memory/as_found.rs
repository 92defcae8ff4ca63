use super::*;

/// What must end with an exit code within the limit for a number of threads.
type Script<'s> = (usize, &'s str, i32);

#[track_caller]
fn all_end(folder: &Folder, scripts: &[Script]) {
    for &(threads, script, code) in scripts {
        let limited = format!("ulimit -s unlimited; ulimit -d {}; {script}", most(threads));
        let done = shell(&limited).current_dir(folder.path()).status().expect("a shell");
        assert_eq!(done.code(), Some(code), "{script}");
    }
}

/// 100 GB of zeros in 3.4 MB: a frame of 1 GB, a hundred times.
#[test]
#[ignore = "by hand, when the use of memory changes: two minutes"]
fn a_hundred_gigabytes_of_zeros() {
    let folder = Folder::new();
    let mut zeros = zstd::Encoder::new(Vec::new(), 1).expect("a compressor");
    (0..1000).for_each(|_| zeros.write_all(&vec![0; 1_000_000]).expect("in memory"));
    folder.write("zeros.zst", zeros.finish().expect("in memory").repeat(100));
    ends(&folder, 2, "$G convert -q -j2 zeros.zst -o out --rejects rejects", 1);
    assert_eq!(lines(&folder, "rejects"), 2);
}

#[test]
#[ignore = "by hand, when the use of memory changes: some minutes"]
fn bad_lines() {
    let folder = Folder::new();
    folder.write("bad.zst", archive(&b"a\n".repeat(48 << 20), 16 << 20));
    all_end(
        &folder,
        &[
            (2, "$G convert -q bad.zst -o out --rejects rejects", 1),
            (2, "yes a | head -c 20M > bad.txt; $G convert -q -f bad.txt -o out --rejects rejects", 1),
            (16, "yes a | head -c 40M | $G convert -q -f -j16 -o out --rejects rejects", 1),
        ],
    );
    assert_eq!(lines(&folder, "rejects"), 1 + (20 << 20));
}

#[test]
#[ignore = "by hand, when the use of memory changes: some minutes"]
fn endless_lines_and_many_inputs() {
    let folder = Folder::new();
    File::create(folder.at("nuls")).and_then(|file| file.set_len(4 << 30)).expect("a file");
    folder.write("one", &many()[..163]);
    all_end(
        &folder,
        &[
            (2, "$G convert -q nuls -o out --rejects rejects", 1),
            (2, "head -c 4G /dev/zero | $G convert -q -f -o out --rejects rejects", 1),
            (2, "$G relink -q --write nuls", 0),
            (2, "$G relink -q /dev/zero", 1),
            (4, "for i in $(seq 100000); do echo one; done | xargs -s 1500000 -n 200000 $G convert -q -f -o out", 0),
        ],
    );
    assert_eq!(lines(&folder, "out"), 100_000);
}

/// Frames and rows of 16 MiB, and 2.5 MB of boards with a problem in every cell.
#[test]
#[ignore = "by hand, when the use of memory changes: some minutes"]
fn frames_rows_and_problems() {
    let folder = Folder::new();
    folder.write("good.zst", archive(&many().repeat(80), 16 << 20));
    folder.write("rows", json_row("\"a\"", 4 << 20).repeat(10));
    let board = ones(25) + "\n";
    folder.write("ones", board.repeat(2_500_000 / board.len()));
    let json = "convert -q -f --framing jsonl --field /bd rows -o out --rejects rejects";
    all_end(
        &folder,
        &[
            (1, "$G convert -q -f -j1 good.zst -o out", 0),
            (16, "$G convert -q -f -j16 good.zst -o out", 0),
            (1, &format!("$G {json} -j1"), 1),
            (16, &format!("$G {json} -j16"), 1),
            (2, "$G validate -q -f -j2 --level rules --all ones --rejects rejects", 1),
        ],
    );
}

#[cfg(feature = "sqlite")]
#[test]
#[ignore = "by hand, when the use of memory changes: some minutes"]
fn values_and_refusals() {
    let folder = Folder::new();
    refused_values(&folder, 600, 1_500_000);
    for table in ["large", "bad"] {
        let args = format!("migrate sqlite db --table {table} --column p -q -f --rejects rejects");
        all_end(&folder, &[(1, &format!("$G {args} > looked"), 1), (1, &format!("$G {args} --yes"), 1)]);
    }
    assert_eq!(lines(&folder, "rejects"), 1 + 1_500_000);
}

#[test]
#[ignore = "by hand, when the use of memory changes: some minutes"]
fn a_page_of_two_gigabytes_and_drawings() {
    let folder = Folder::new();
    let old = String::from_utf8(many()[..162].to_vec()).expect("text");
    folder.write("page", page(&old));
    folder.write("new", page(&v2(&old)));
    folder.write("boards", many());
    all_end(
        &folder,
        &[
            (2, "for i in $(seq 200); do cat page; done > large; $G relink -q --write large", 0),
            (2, "for i in $(seq 200); do cat new; done | cmp - large", 0),
            // More than 32 MiB are refused; almost as many are drawn.
            (1, "for i in $(seq 20); do cat boards; done | $G show --svg drawing", 2),
            (1, "for i in $(seq 10); do cat boards; done | $G show --svg drawing", 0),
        ],
    );
}
