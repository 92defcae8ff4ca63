//! `canon`: canonical strings, keys and maps, as lines and in columns, and applying maps.

use gridmill::board::Kind;

use crate::support::{Done, HEADER, gridmill, row, run, shell, v2};

/// Two equivalent puzzles, and their forms and facts.
const ONE: &str = "3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4";
const SAME: &str = "...45.7.9..7.89.3......3.412..9..8..7..8..6.........17.8.....65.12.6...49.6...32.";
const PUZZLE: &str = ".......12.....34.5.25...6......37..8...5.9....78.2.....53.1.8..8..4.629.9..37..61";
const KEY: &str = "0a70d0c4ea065700c907aa01764d4f28";
const PUZZLE_KEY: &str = "5211f6cd5adc58e1932c8202c41a3002";
const GRID: &str = "123456789457189236698273541261947853745831692839625417384792165512368974976514328";

fn run_gridmill(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

#[test]
fn lines_become_forms_with_what_is_said_of_them() {
    let (one, several) = (v2(SAME), ".".repeat(81));
    let text = format!("# a\n{ONE}\r\n\n{SAME}\n{several}\n{}\n{one}", ONE.replace("1.4", "1.9"));
    let done = run_gridmill("canon -q --key --automorphisms --solution", &text);
    let said = format!("\t{KEY}\t1/1\t{GRID}");
    assert_eq!(done.text(), format!("# a\n{one}{said}\r\n\n{one}{said}\n{one}{said}"));
    let advice = "; --form puzzle accepts it";
    let several_words = format!("the givens have several solutions; the `solution` form needs one{advice}");
    let none_words = format!("the givens have no solution, which the `solution` form needs{advice}");
    let rejects = [
        HEADER.to_string(),
        row(5, 170, "-", "many-solutions", &several_words, &several),
        row(6, 252, "-", "no-solution", &none_words, &ONE.replace("1.4", "1.9")),
    ];
    assert_eq!((done.code, done.stderr), (Some(1), rejects.concat()));
    let done = run_gridmill("canon -q --form puzzle --only-key --automorphisms --solution", &text);
    let grid = run_gridmill("solve -q", PUZZLE).good();
    let said = format!("{PUZZLE_KEY}\t1\t{}", String::from_utf8_lossy(&grid));
    assert_eq!(done.text().matches(&said).count(), 3, "{}", done.text());
    assert_eq!(done.code, Some(0));
    // An empty sudoku has every symmetry, and its solution is unknown.
    assert!(done.text().contains("\t3359232\t\n"), "{}", done.text());
    assert!(run_gridmill("canon -q --effort 1", &format!("{several}\n")).stderr.contains("\tundecided\t"));
    assert_eq!(run_gridmill("canon -q --form puzzle --to plain --blank .", ONE).code, Some(2));
    assert_eq!(run_gridmill("canon -q --form puzzle --to plain", ONE).text(), PUZZLE.replace('.', "0"));
    run_gridmill("canon --framing links", ONE).failed(&["not written into links"]);
    run_gridmill("canon --only-key --to plain", ONE).failed(&["--only-key"]);
}

#[test]
fn columns_and_fields() {
    let form = v2(SAME);
    let csv = format!("id,p\r\n1,{ONE}\r\n2,\r\n3,\"{SAME}\"\r\n4,{}\r\n", ".".repeat(81));
    let done = run_gridmill("canon -q --framing csv --column p --to-column c --key --map=how", &csv);
    let header = "id,p,c,key,how\r\n";
    assert!(done.text().starts_with(&format!("{header}1,{ONE},{form},{KEY},t:")), "{}", done.text());
    assert!(done.text().contains(&format!("\r\n2,,,,\r\n3,\"{SAME}\",{form},{KEY},-:1")), "{}", done.text());
    assert_eq!(done.text().lines().count(), 4);
    assert_eq!(run_gridmill("canon -q --framing csv --column p", &csv).text().matches(&form).count(), 2);
    run_gridmill("canon --framing csv --column p --key=id", &csv).failed(&["\"id\" already", "--key=NAME"]);
    let json = format!("{{\"p\":[\"{ONE}\",null,\"{SAME}\"],\"n\":1}}\n");
    let done = run_gridmill("canon -q --framing jsonl --field /p --key --to-column c", &json);
    let keys = format!(",\"c\":[\"{form}\",null,\"{form}\"],\"key\":[\"{KEY}\",null,\"{KEY}\"]}}\n");
    assert!(done.text().ends_with(&keys), "{}", done.text());
    let grid = ONE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect::<String>();
    assert_eq!(run_gridmill("canon -q --framing grid --only-key", &grid).good(), format!("{KEY}\n").as_bytes());
}

#[test]
fn maps_are_applied_and_checked() {
    let map = "t:132465879:879213564:245617938";
    let form = v2(SAME);
    let lines =
        format!("{ONE}\t{map}\r\n# a\n{SAME}\t-:123456789:123456789:123456789\n{ONE}\n{ONE}\t{map}x\n{ONE}\t{map}");
    let done = run_gridmill("canon -q --apply", &lines);
    assert_eq!(done.text(), format!("{form}\r\n# a\n{form}\n{form}"));
    let rows: Vec<_> = done.stderr.lines().skip(1).collect();
    assert!(rows[0].contains("\t4\t") && rows[0].ends_with(&format!("comes without a map\t{ONE}")), "{rows:?}");
    assert!(rows[1].contains("\tmap\t") && rows[1].ends_with(&format!("\t{ONE}\\t{map}x")), "{rows:?}");
    let stopped = run_gridmill("canon -q --apply --bad stop", &lines);
    assert_eq!((stopped.code, stopped.text()), (Some(1), format!("{form}\r\n# a\n{form}\n").as_str()));
    let kept = run_gridmill("canon -q --apply --bad keep", &lines);
    assert!(kept.text().contains(&format!("\n{ONE}\n{ONE}\t{map}x\n")), "{}", kept.text());
    // Rows exchanged across bands, and a map of another side.
    for wrong in ["-:423156789:123456789:123456789", "-:123456:123456:123456"] {
        assert!(run_gridmill("canon -q --apply", &format!("{ONE}\t{wrong}\n")).stderr.contains("\tmap\t"), "{wrong}");
    }
    let csv = format!("m,p\n{map},{ONE}\n");
    let done = run_gridmill("canon -q --apply --framing csv --column p --map-column m --to plain", &csv);
    assert_eq!(done.good(), format!("m,p\n{map},{}\n", SAME.replace('.', "0")).as_bytes());
    let json = format!("{{\"p\":\"{ONE}\",\"m\":\"{map}\"}}\n");
    let done = run_gridmill("canon -q --apply --framing jsonl --field /p --map-field /m --to-column c", &json);
    assert!(String::from_utf8(done.good()).expect("text").contains(&format!("\"c\":\"{form}\"")));
    run_gridmill("canon --apply --framing csv --column p", &csv).failed(&["--map-column"]);
    run_gridmill("canon --apply --framing words", &csv).failed(&["--framing words"]);
    run_gridmill("canon --map-column m", ONE).failed(&["--apply"]);
}

/// Forms are the same after any map, for boards of every kind, whatever they contain besides givens.
#[test]
fn forms_of_forms_and_of_what_maps_make_are_the_same() {
    let script = "
        for kind in $KINDS; do $G gen -q --kind $kind --count 3 --seed 5; done > boards
        $G canon -q --form puzzle boards > forms && $G canon -q --form puzzle forms | cmp - forms || exit 1
        $G canon -q --form puzzle -j1 --map --carry --key boards > carried
        cut -f 2,3 carried > said
        paste boards <(cut -f 3 carried) | $G canon -q --apply | cmp - forms || exit 2
        paste boards <(cut -f 3 carried) | $G canon -q --apply --carry | cmp - <(cut -f 1 carried) || exit 3
        cut -f 1 carried | $G canon -q --form puzzle | cmp - forms || exit 4
        [ \"$(cut -f 2 carried | head -n 1)\" = \"$(head -n 1 forms | tr -d '\\n' | sha256sum | cut -c 1-32)\" ] || exit 5
        $G canon --form puzzle boards 2>&1 > again | grep -q 'cells with progress left out' || exit 6
        cmp again forms || exit 7
        $G canon -q --form puzzle -j3 --no-mmap < boards | cmp - forms";
    let folder = crate::support::Folder::new();
    let kinds: Vec<_> = Kind::all().map(|kind| kind.to_string()).collect();
    let done = run(shell(script).env("KINDS", kinds.join(" ")).current_dir(folder.path()), b"");
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{}", done.text());
}

#[test]
fn only_givens_count_unless_all_digits_are_given() {
    // Solved cells are not part of the puzzle, unless all placed digits are givens; v0 has solved cells only.
    let v0 = String::from_utf8(run_gridmill("convert -q --to v0 --lossy", &format!("{ONE}\n")).good()).expect("text");
    assert_eq!(run_gridmill("canon -q --only-key", &v0).good(), format!("{KEY}\n").as_bytes());
    let solved = String::from_utf8(run_gridmill("solve -q --to v2", &format!("{ONE}\n")).good()).expect("text");
    assert_eq!(run_gridmill("canon -q --only-key", &solved).good(), format!("{KEY}\n").as_bytes());
    let grid = run_gridmill("canon -q --givens placed --to plain", &solved);
    assert_eq!(grid.text(), format!("{GRID}\n"));
    let carried = run_gridmill("canon -q --carry --to plain --lossy", &solved);
    assert_eq!(carried.text(), format!("{GRID}\n"));
}
