//! Titles and authors that are kept in columns.

use crate::support::{Done, PLAIN, gridmill, run};

const SCF: &str = "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79";
const LINK: &str = "https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79";
/// The same puzzle.
const DIGITS: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
/// A title with a tab, a line end, a quote, a backslash, a comma and a letter of two bytes.
const TITLE: &str = "a%09b%0Ac%22d%5Ce,%C3%A9";

fn run_gridmill(args: &str, stdin: &str) -> Done {
    run(&mut gridmill(args.split_whitespace()), stdin.as_bytes())
}

#[test]
fn in_every_framing() {
    let text = format!("{SCF}\n{PLAIN}\n{SCF}*tOne*aAnn*\n{LINK}*t{TITLE}*\n");
    for framing in ["lines", "words"] {
        let done = run_gridmill(&format!("convert --to plain --framing {framing} --keep-names"), &text);
        assert_eq!(
            done.text(),
            format!("{DIGITS}\t\t\n{PLAIN}\t\t\n{DIGITS}\tOne\tAnn\n{DIGITS}\ta\\tb\\nc\"d\\\\e,\u{e9}\t\n"),
            "{framing}"
        );
        assert!(done.stderr.contains("4 records, 0 rejected, no losses"), "{}", done.stderr);
    }
    let row = |string: &str, rest: &str| format!("{string};1{rest}\n");
    let table =
        [row("p", ""), row(SCF, ""), row(&format!("{SCF}*tOne*aA,nn*"), ""), row(&format!("{LINK}*t{TITLE}*"), "")]
            .concat();
    let csv = "convert --to plain --framing csv --column p --delimiter ; --keep-names";
    let rest = ";\"a\tb\nc\"\"d\\e,\u{e9}\";";
    assert_eq!(
        run_gridmill(csv, &table).text(),
        [row("p", ";title;author"), row(DIGITS, ";;"), row(DIGITS, ";One;A,nn"), row(DIGITS, rest)].concat()
    );
    // Beside the old strings, all rows are written at once.
    let done = run_gridmill("validate -o - --framing csv --column p --delimiter ; --add author=by,title", &table);
    assert!(done.text().starts_with("p;1;by;title\n"), "{}", done.text());
    assert!(done.text().ends_with(&format!(";;{}\n", &rest[1..rest.len() - 1])), "{}", done.text());
    for (delimiter, tab, title) in [
        ("tab", "\t", "a\\tb\\nc\"d\\\\e,\u{e9}"),
        (";", ";", "a\tb\\nc\"d\\\\e,\u{e9}"),
        (",", ",", "a\tb\\nc\"d\\\\e\\x2c\u{e9}"),
    ] {
        let table = format!("p\n{LINK}*t{}*\n", TITLE.replace(',', "%2C"));
        let done = run_gridmill(
            &format!("convert --to plain --framing tsv --column p --delimiter {delimiter} --keep-names"),
            &table,
        );
        assert_eq!(done.text(), format!("p{tab}title{tab}author\n{DIGITS}{tab}{title}{tab}\n"), "{delimiter}");
    }
    let objects = format!("{{\"p\":\"{LINK}*t{TITLE}*aAnn\"}}\n{{\"p\":\"{SCF}\"}}\n{{\"p\":[\"{SCF}*tOne\",null]}}\n");
    let done = run_gridmill("convert --to plain --framing jsonl --field /p --keep-names", &objects);
    let title = "\"a\\tb\\nc\\\"d\\\\e,\u{e9}\"";
    let first = format!("{{\"p\":\"{DIGITS}\",\"title\":{title},\"author\":\"Ann\"}}\n");
    let second = format!("{{\"p\":\"{DIGITS}\",\"title\":null,\"author\":null}}\n");
    let third = format!("{{\"p\":[\"{DIGITS}\",null],\"title\":[\"One\",null],\"author\":[null,null]}}\n");
    assert_eq!(done.text(), first + &second + &third);
}

/// What is in a column is no loss. What is in none, or cut, is one.
#[test]
fn losses() {
    let text = format!("{SCF}*tOne*aAnn*\n");
    for (args, lost) in [
        ("convert --to v2", "1 with losses (title 1, author 1)"),
        ("convert --to v2 --add title", "1 with losses (author 1)"),
        ("convert --to v2 --add author", "1 with losses (title 1)"),
        ("convert --to v2 --keep-names", "no losses"),
        ("convert --to v2 --check unique --keep-names", "no losses"),
    ] {
        let done = run_gridmill(args, &text);
        assert!(done.stderr.contains(&format!("1 record, 0 rejected, {lost}")), "{args}: {}", done.stderr);
    }
    // Notes are still refused, and only they are named.
    let noted = "N4IgzglgXgpiBcA2ANCALhNAbO8QEEACDbOVAQwFc0ALAewCcEDCwY00YnUHKc20zACIQA5pjCE6AO0LlCWCNJiEGENgDoQqUWoAmCANqHQAN3JZKuAIw6IpmNIRpeMAL7JgHr5+9+Ausgmfr6hPl6BwWEh4W6RsdHR8TEpvsmJCRH+bkA==";
    let done = run_gridmill("convert --to v2 --keep-names", noted);
    assert!(done.stderr.contains("\tlossy\tv2 would lose: rules; --lossy"), "{}", done.stderr);
    let done = run_gridmill("convert --to v2 --keep-names --lossy", noted);
    assert!(done.text().contains('\t') && done.stderr.contains("1 with losses (rules 1)"), "{done:?}");
    // Solutions are found, and stand before the names.
    let done = run_gridmill("solve --keep-names", &text);
    assert!(done.text().ends_with("\tOne\tAnn\n") && done.text().len() == 81 + 9, "{}", done.text());
}

#[test]
fn long_names_are_cut_and_counted() {
    let long = |length: usize| format!("{SCF}*t{}*\n", "x".repeat(length));
    let kept = |text: &str| {
        let done = run_gridmill("convert --to plain --keep-names", text);
        (done.text().split('\t').nth(1).unwrap_or_default().len(), done.stderr.contains("no losses"))
    };
    assert_eq!(kept(&long(1000)), (1000, true));
    assert_eq!(kept(&long(1001)), (1000, false));
    assert_eq!(kept(&long(60_000)), (1000, false));
    // Control characters are left out, which is a loss, too.
    assert_eq!(kept(&format!("{LINK}*tab%1B%5B2J%00*\n")), (5, false));
}

/// What is cut of a title is counted where only solutions are written, and so are titles that are in no column.
#[test]
fn solutions_count_titles() {
    let long = format!("{SCF}*t{}*\n", "x".repeat(1001));
    for (args, text, lost) in [
        ("solve", &format!("{SCF}*tOne*aAnn*\n"), ", 1 with losses (title 1, author 1)"),
        ("solve --keep-names", &format!("{SCF}*tOne*aAnn*\n"), ""),
        ("solve --keep-names", &long, ", 1 with losses (title 1)"),
        ("solve --add author", &long, ", 1 with losses (title 1)"),
        ("solve", &format!("{SCF}\n"), ""),
        // The string itself stays.
        ("validate -o -", &long, ""),
    ] {
        let done = run_gridmill(args, text);
        let words = format!("1 record, 0 rejected{lost}, 0.");
        assert!(done.stderr.contains(&words), "{args}: {}", done.stderr);
    }
}

/// Each puzzle has the name of its file, of its folder, or both.
#[test]
fn files_of_other_programs() {
    let game = format!("<game data=\"{DIGITS}\"/>");
    let v1 = format!(
        "<opensudoku><name>A &amp; B</name><author>Ann</author>{game}\n<source>a site</source>{game}</opensudoku>"
    );
    let v2 = format!(
        "<opensudoku version=\"2\"><folder name=\"One\tx\">{game}{game}\n</folder><folder name=\"Two\">{game}</folder>{game}</opensudoku>\n"
    );
    let v3 =
        format!("<opensudoku2 version=\"3\"><game folder_name=\"Three\" cells_data=\"{DIGITS}\"/></opensudoku2>\n");
    let line = |names: &str| format!("{DIGITS}\t{names}\n");
    for (file, lines, lost) in [
        (&v1, line("A & B\tAnn; a site").repeat(2).trim_end().to_string(), "2 with losses (title 2, author 2)"),
        (&v2, [line("One x\t").repeat(2), line("Two\t"), line("\t")].concat(), "3 with losses (title 3)"),
        (&v3, line("Three\t"), "1 with losses (title 1)"),
        (&v3.replace("Three", ""), line("\t"), "no losses"),
    ] {
        let done = run_gridmill("convert --to plain --framing file --keep-names", file);
        assert_eq!(done.text(), lines);
        assert!(done.stderr.contains(" 0 rejected, no losses"), "{}", done.stderr);
        let done = run_gridmill("convert --to plain --framing file", file);
        assert!(done.stderr.contains(lost) && !done.text().contains('\t'), "{done:?}");
        let done = run_gridmill("solve --framing file --add author", file);
        assert_eq!(done.text().lines().count(), lines.lines().count());
        assert!(done.text().lines().all(|line| line.as_bytes()[81] == b'\t'), "{}", done.text());
        // Their text is no place for columns.
        run_gridmill("validate --framing file --keep-names -o -", file).failed(&["use 'gridmill convert'"]);
        run_gridmill("convert --framing file --add title,kind", file)
            .failed(&["columns can be appended only to lines"]);
    }
}

#[test]
fn where_nothing_can_be_appended_it_is_refused() {
    for framing in ["grid", "links", "xml --column game@data"] {
        for flag in ["--keep-names", "--add title"] {
            run_gridmill(&format!("convert --to v2 --framing {framing} {flag}"), "")
                .failed(&["titles and authors can be kept only beside strings", "on a line of its own"]);
        }
    }
    run_gridmill("convert --keep-names --add title --framing csv --column p", "p\n")
        .failed(&["two appended columns would have the same name (\"title\")", "--add title=NAME"]);
    run_gridmill("convert --keep-names --framing csv --column p", "p,author\n").failed(&["--add author=NAME"]);
}
