//! `dedupe`: which records stay, however they are read and with however little memory.

/// Many puzzles and keys, of which it is known which are duplicates.
mod planted;

use std::io::Write;
use std::process::Stdio;

use crate::support::{Done, Folder, gridmill, program, run, shell, until, wait};

const ONE: &str = "3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4";
const SAME: &str = "...45.7.9..7.89.3......3.412..9..8..7..8..6.........17.8.....65.12.6...49.6...32.";
const OTHER: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

fn run_gridmill(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

/// Runs a script that must succeed.
fn script(text: &str, folder: &Folder) {
    let done = run(shell(&format!("set -eu -o pipefail\n{text}")).current_dir(folder.path()), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{}", done.text());
}

/// Boards of small sides, most of them with one solution, some with none or several. Most have copies: images under
/// maps, forms, or the board itself.
const BOARDS: &str = r"
    for kind in sudoku kenken kendoku killer jigsaw str8ts sudoku-x; do
        $G gen -q --kind $kind --side 6 --unique --mix clues --count 40 --seed 3
        $G gen -q --kind $kind --side 6 --mix clues --count 10 --seed 4
    done > some
    $G canon -q --form puzzle some > forms
    sed -n '1~2p' some > half
    # Two clues that clash: the same puzzle, and no solution.
    printf '%s\n%s\n' S6B010100000000000000000000000000000000000000000000000000000000000000000000 \
        S6B000000000000000000000000000000000000000000000000000000000000000000000202 > none
    cat some none half forms none some > all
    $G canon -q --form puzzle --only-key all | paste - all | awk -F'\t' '!seen[$1]++ { print $2 }' > expected
    $G canon -q --form puzzle --only-key all | paste - all | awk -F'\t' 'seen[$1]++ { print $2 }' > copies";

#[test]
fn the_first_of_each_puzzle_stays_however_classes_are_found() {
    let folder = Folder::new();
    script(
        &format!(
            r#"{BOARDS}
            $G dedupe -q all | cmp - expected
            $G dedupe -q --form puzzle -j1 all | cmp - expected
            $G dedupe -q --memory 1K -j3 all -o out && cmp out expected
            $G dedupe -q --memory 1K --count --groups which < all | cut -f 1 | cmp - expected
            cat all | $G dedupe -q --no-mmap --zstd | zstd_text | cmp - expected
            gzip -c all | $G dedupe -q --memory 3K --temp . | cmp - expected
            $G dedupe -q --invert all | cmp - copies
            $G dedupe -q --invert --memory 1K -j1 all | cmp - copies
            $G canon -q --form puzzle --key all | cut -f 2 > keys
            [ $($G dedupe -q --keyed keys | wc -l) = $(wc -l < expected) ]
            [ $(($(wc -l < which) - 1)) = $(wc -l < copies) ]
            # Each map makes the first record of what was left out: the same puzzle, so the same form of the same first line.
            tail -n +2 which | cut -f 5 | while read -r line; do sed -n ${{line}}p all; done > left
            cmp left copies
            tail -n +2 which | cut -f 7 | paste left - | $G canon -q --apply > made
            tail -n +2 which | cut -f 3 | while read -r line; do sed -n ${{line}}p all; done > first
            $G canon -q --apply <(sed 's/$/\t-:123456:123456:123456/' first) | cmp - made
            tail -n +2 which | cut -f 6 | while read -r byte; do tail -c +$((byte + 1)) all | sed -n 1p; done | cmp - left
            [ -z "$(ls -A | grep gridmill-tmp)" ]"#
        )
        .replace("zstd_text", "$G convert -q"),
        &folder,
    );
}

#[test]
fn rows_stay_as_they_are() {
    let csv = format!("id,p\r\n1,{ONE}\r\n2,\r\n3,\"{SAME}\"\r\n4,{OTHER}\r\n5,bad\r\n6,\\N\r\n7,{ONE}");
    let done = run_gridmill("dedupe -q --framing csv --column p", &csv);
    assert_eq!(done.text(), format!("id,p\r\n1,{ONE}\r\n2,\r\n4,{OTHER}\r\n6,\\N\r\n"));
    assert_eq!((done.code, done.stderr.lines().count()), (Some(1), 2));
    let done = run_gridmill("dedupe -q --framing csv --column p --count=n", &csv);
    assert_eq!(done.text(), format!("id,p,n\r\n1,{ONE},3\r\n2,,\r\n4,{OTHER},1\r\n6,\\N,\r\n"));
    let done = run_gridmill("dedupe -q --framing csv --column p --bad keep", &csv);
    assert_eq!(done.text(), format!("id,p\r\n1,{ONE}\r\n2,\r\n4,{OTHER}\r\n5,bad\r\n6,\\N\r\n"));
    run_gridmill("dedupe --framing csv --column p --count=id", &csv).failed(&["\"id\" already", "--count=NAME"]);
    run_gridmill("dedupe --count --bad keep", ONE).failed(&["--bad keep"]);
    let done = run_gridmill("dedupe -q --framing csv --column p --invert", &csv);
    assert_eq!(done.text(), format!("id,p\r\n3,\"{SAME}\"\r\n7,{ONE}"));
    let json = format!(
        "{{\"p\":\"{ONE}\"}}\n{{\"p\":null}}\n{{\"p\":[\"{ONE}\",\"{OTHER}\"]}}\n{{\"p\":[\"{SAME}\",\"{OTHER}\"]}}\n"
    );
    let done = run_gridmill("dedupe -q --framing jsonl --field /p --count", &json);
    let expected = format!(
        "{{\"p\":\"{ONE}\",\"count\":1}}\n{{\"p\":null,\"count\":null}}\n{{\"p\":[\"{ONE}\",\"{OTHER}\"],\"count\":2}}\n"
    );
    assert_eq!(String::from_utf8(done.good()).expect("text"), expected);
    let stopped = run_gridmill("dedupe -q --framing csv --column p --bad stop", &csv);
    assert_eq!((stopped.code, stopped.text()), (Some(1), ""));
    let summary = run_gridmill("dedupe --framing csv --column p --report -", &csv);
    assert_eq!(summary.code, Some(2), "the output and the report are both stdout");
    run_gridmill("dedupe --framing links", ONE).failed(&["links cannot be left out"]);
    run_gridmill("dedupe --framing xml --column a", "<a>").failed(&["values in XML cannot be left out"]);
    run_gridmill("dedupe --framing csv --column 1 --column 2", &csv).failed(&["one string per record"]);
    run_gridmill("dedupe --memory 0", ONE).failed(&["256M"]);
}

/// A file without the column or the header of the input is named, with what can be done.
#[test]
fn other_files_of_another_form_are_named() {
    let folder = Folder::new();
    folder.write("in.csv", format!("n,board\n7,{SAME}\n"));
    folder.write("other.txt", format!("{OTHER}\n{ONE}\n"));
    let dedupe = |flags: &str| {
        let args = format!("dedupe -q --framing csv --column board --against other.txt {flags} in.csv");
        run(gridmill(args.split(' ').filter(|arg| !arg.is_empty())).current_dir(folder.path()), b"")
    };
    dedupe("").failed(&["other.txt: there is no column \"board\"", "--against-column"]);
    dedupe("--against-column 1").failed(&[
        "other.txt: the first row",
        "--no-header",
        "put a header above its first row",
    ]);
    folder.write("other.txt", format!("p\n{OTHER}\n{ONE}\n"));
    assert_eq!(dedupe("--against-column 1").code, Some(0));
}

#[test]
fn other_files_count_and_are_not_written() {
    let folder = Folder::new();
    folder.write("train.csv", format!("n,quizzes\n7,{SAME}\n8,bad\n"));
    folder.write("test.txt", format!("{OTHER}\n{ONE}\n{OTHER}\n"));
    folder.write("solved.txt", "693784512487512936125963874932651487568247391741398625319475268856129743274836159\n");
    script(
        &format!(
            r#"
            train="--against train.csv --against-column quizzes --framing csv --no-header --column 1"
            sed -i 1d train.csv; train="--framing tsv --delimiter , --no-header --column 1 --against train.csv --against-column 2"
            $G dedupe -q $train test.txt > out 2> rejects && exit 1 || [ $? = 1 ]
            echo {OTHER} | cmp - out; grep -q train.csv rejects
            sed -i '$d' train.csv
            $G dedupe $train test.txt --report report -o out -f 2> said
            grep -q '3 records, 0 rejected, 1 kept, 1 duplicate, 1 in other files (1 record, 0 rejected)' said
            grep -q '"in_other_files": 1' report
            $G dedupe -q $train --invert test.txt --groups - -o out -f > which
            printf '%s\n%s\n' {ONE} {OTHER} | cmp - out
            cut -f 2-5 which | sed 1d > places
            printf 'train.csv\t1\ttest.txt\t2\ntest.txt\t1\ttest.txt\t3\n' | cmp - places
            $G dedupe -q --fail-on-duplicates test.txt > out && exit 2 || [ $? = 1 ]
            echo {OTHER} | $G dedupe -q --fail-on-duplicates > out
            # The same grid, with other clues.
            cat test.txt solved.txt | $G dedupe -q --by grid | cmp - <(head -n 2 test.txt)
            cat test.txt solved.txt | $G dedupe -q | wc -l | grep -qx 3
            ($G convert -q test.txt; cat test.txt) | $G dedupe -q --by string | wc -l | grep -qx 2"#
        ),
        &folder,
    );
}

#[test]
fn an_empty_input_does_not_affect_the_others() {
    let folder = Folder::new();
    folder.write("empty", "");
    folder.write("a.csv", format!("id,p\n1,{ONE}\n2,{SAME}\n"));
    script(
        &format!(
            r#"
            gzip -c empty > empty.gz
            for empty in empty empty.gz; do
                $G dedupe -q --framing csv --column p $empty a.csv | cmp - <(head -n 2 a.csv)
                $G convert -q --framing csv --column p $empty a.csv | head -n 1 | grep -qx id,p
                $G canon -q --framing csv --column p --key --no-mmap $empty a.csv | head -n 1 | grep -qx id,p,key
            done
            printf '\357\273\277%s\n' {ONE} > marked
            echo {ONE} > one
            $G dedupe -q --against one marked <(echo {OTHER}) | cmp - <(printf '\357\273\277%s\n' {OTHER})
            $G dedupe -q empty -o out --groups which
            printf 'key\tfirst_input\tfirst_line\tinput\tline\tbyte\tmap\n' | cmp - which && [ ! -s out ]"#
        ),
        &folder,
    );
}

#[test]
fn what_other_files_and_temporary_ones_cannot_be_is_said() {
    run_gridmill("dedupe --against - -", ONE).failed(&["--against reads stdin (`-`)"]);
    run_gridmill("dedupe --against -", ONE).failed(&["--against reads stdin (`-`)"]);
    run_gridmill("dedupe --against a.txt --rejects-as rows", ONE).failed(&["would mix rows"]);
    let words = "gridmill: /nowhere: cannot create a temporary file there (--temp sets another folder): No such file";
    run_gridmill("dedupe --temp /nowhere", ONE).failed(&[words]);
}

#[test]
fn a_kill_leaves_nothing_behind() {
    let folder = Folder::new();
    for number in 0..3 {
        let mut command = program();
        command
            .args(["dedupe", "-q", "--keyed", "--memory", "1K", "-o", "out", "--groups", "which"])
            .current_dir(folder.path());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        for line in 0..40_000_u32 {
            writeln!(input, "{:032x}", line % 9_000 * 7_919).expect("writing");
        }
        input.flush().expect("writing");
        until(|| !crate::support::temporaries(child.id(), &folder).is_empty());
        std::thread::sleep(std::time::Duration::from_millis(number * 20));
        child.kill().expect("killing");
        drop(input);
        wait(&mut child);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}

#[test]
fn made_puzzles_are_distinct_if_that_is_asked_for() {
    let folder = Folder::new();
    script(
        r#"
        $G gen -q --distinct --kind kenken --side 3 --mix clues --count 300 -j1 > some
        [ $(wc -l < some) = 300 ] && $G dedupe -q --form puzzle some | cmp - some
        $G gen -q --distinct --kind kenken --side 3 --mix clues --count 300 -j3 | cmp - some
        $G gen -q --distinct --kind kenken --side 3 --mix clues --count 100 --zstd | $G convert -q | cmp - <(head -n 100 some)
        $G gen -q --kind kenken --side 3 --mix clues --count 300 | $G dedupe -q --form puzzle | cmp -n 1000 - some"#,
        &folder,
    );
}

/// The first pass ends when the pipe does. Before that, the file that is read twice is replaced.
#[test]
fn a_file_replaced_between_the_passes_is_reported() {
    for count in [5, 50] {
        let folder = Folder::new();
        let script = format!(
            "$G gen -q --count 20 --seed 1 > read; $G gen -q --count {count} --seed 2 > other; mkfifo pipe
            {{ exec 3> pipe; $G gen -q --count 2 --seed 3 >&3; mv other read; exec 3>&-; }} &
            $G dedupe read pipe -o out"
        );
        let done = run(shell(&script).current_dir(folder.path()), b"");
        assert_eq!(done.code, Some(2), "{}", done.text());
        assert!(done.stderr.contains("replaced by other files"), "{}", done.stderr);
        assert!(!folder.path().join("out").exists());
    }
}
