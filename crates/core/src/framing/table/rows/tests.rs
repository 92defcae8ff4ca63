use super::*;
use crate::kernels;

fn table(delimiter: u8, quotes: bool) -> RowReader {
    let wanted = vec![Wanted { column: 1, role: ColumnRole::Strings(0) }];
    let (width, exact_width, null) = (None, false, Null::default());
    RowReader { delimiter, quotes, escapes: !quotes, wanted, width, exact_width, null }
}

fn csv() -> RowReader {
    table(b',', true)
}

fn tsv() -> RowReader {
    table(b'\t', false)
}

/// The line of each row, and its string or the reason why it has none.
fn read(table: RowReader, text: &str) -> Vec<(u32, String)> {
    let mut rows = Rows::default();
    let marks = table.marks(text.as_bytes(), kernels::best(), None);
    let whole = RowsText { text: text.as_bytes(), all: true, ends_in_record: &|_| false };
    table.rows(whole, &[], marks, &mut rows);
    assert_eq!(rows.lines as usize, text.lines().count(), "{text:?}");
    let mut values = rows.strings(text.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned());
    let mut refused = rows.refused.iter();
    let mut places = rows.fields.iter();
    let mut next = 0;
    let mut out = Vec::new();
    for row in &rows.rows {
        assert!(row.start >= next && row.start < row.end && row.end <= row.next);
        next = row.next;
        out.push((
            row.line,
            match row.fields {
                0 => match refused.clone().next().filter(|(index, _)| *index == out.len()) {
                    Some((_, reject)) => {
                        refused.next();
                        format!("{}: {}", reject.code, reject.message)
                    }
                    None => "none".into(),
                },
                _ => {
                    let place = places.next().expect("a place for each string");
                    let value = values.next().expect("a string");
                    if !value.contains('"') {
                        assert_eq!(value, text[place.start as usize..place.end as usize]);
                    }
                    value
                }
            },
        ));
    }
    assert!(refused.next().is_none() && places.next().is_none());
    out
}

#[test]
fn fields_of_csv() {
    let one = |text| read(csv(), text).into_iter().map(|(_, found)| found).collect::<Vec<_>>();
    assert_eq!(one("1,a,x\n2,b\r\n3,c"), ["a", "b", "c"]);
    assert_eq!(one("1,\"a\",x\n2,\"b\"\r\n3,\"c,d\""), ["a", "b", "c,d"]);
    assert_eq!(
        one("1,\"a\"\"b\",\n\"x,\ny\",b,\"\n\n\"\n3,,\n4,\"\"\n5,\\N\n6,\"\\N\"\n"),
        ["a\"b", "b", "none", "none", "none", "\\N"]
    );
    assert_eq!(one("1,a,5\" pipe\n2,b,x\n"), ["a", "b"]);
    assert_eq!(one("1\n\n2,a\n"), ["column: the row has 1 column, expected at least 2", "a"]);
    for bad in ["1,\"a\"b\n2,c\n", "1,\"a\" \n2,c\n", "1,\"a\"b\",\n2,c\n"] {
        assert_eq!(one(bad)[1], "c", "{bad}");
        assert!(one(bad)[0].starts_with("column: the field has text"), "{bad}");
    }
    assert!(one("1,\"a\n2,c\n")[0].starts_with("column: the field has text"));
    assert!(one("1,\"a\nb\"\n2,c\n")[0].starts_with("digit: the string contains a line end"));
    assert!(one("1,\"a\r\"\n2,c\n")[0].starts_with("digit: the string contains a line end"));
    assert_eq!(read(csv(), "\"\n\n\",a\n\n1,b\n"), [(0, "a".into()), (4, "b".into())]);
}

#[test]
fn fields_of_tsv() {
    let found = read(tsv(), "1\ta\tx\n2\t\"b\r\n3\tc\\t\td\n4\n\n6\t\\N\n7\t");
    let expected = ["a", "\"b", "c\\t", "column: the row has 1 column, expected at least 2", "none", "none"];
    assert_eq!(found.iter().map(|(_, found)| found.as_str()).collect::<Vec<_>>(), expected);
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [0, 1, 2, 3, 5, 6]);
}

#[test]
fn headers() {
    let names = |reader: &RowReader, text: &[u8]| {
        let fields = reader.fields(text);
        fields.clone().map(|read| fields.name(&read).into_owned()).collect::<Vec<_>>()
    };
    let text = b"id,\"the \"\"board\"\"\",x\r\n1,2,3\r\n";
    assert_eq!(names(&csv(), text), [b"id".as_slice(), b"the \"board\"", b"x"]);
    assert_eq!(csv().header_end(text), 22);
    assert_eq!((names(&tsv(), b"id"), tsv().header_end(b"id")), (vec![b"id".to_vec()], 2));
}
