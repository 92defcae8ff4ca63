//! Runs on columns whose counts do not add up.

use std::fs;
use std::path::Path;

use super::*;
use crate::engine::outcome::RecordAt;
use crate::engine::report::Report;
use crate::engine::{Convert, RejectsTo};
use crate::error::{Code, Reject};
use crate::output::Target;

/// What goes wrong after all rows were taken.
type Fault = fn(&mut ColumnSink<'_>);

/// Takes a row with a good string, one with a bad string, and one without, and leaves out the second.
fn run_with(fault: Fault, folder: &Path) -> Result<Report, Error> {
    let target = |name| Target::File { path: folder.join(name), force: true };
    let run =
        Convert::new(target("out")).input(Input::File(folder.join("in"))).rejects(RejectsTo::Lazy(target("rejects")));
    run.run_columns(StringColumns::default(), |_, _, mut output, sink| {
        let mut outcome = Outcome::default();
        (outcome.counts.lines, outcome.counts.records, outcome.counts.without) = (3, 2, 1);
        outcome.counts.reject(Code::Length);
        outcome.add_to_cross_check(2, 1);
        outcome.add_row(RecordAt { line: 1, at: 1, bytes: b"bad" }, Reject::whole(Code::Length, "too short"), false);
        assert!(sink.take(0, &outcome).is_ok());
        output.write(b"two rows")?;
        sink.count_rows(3, Some(2));
        fault(sink);
        Ok((output, 8))
    })
}

#[test]
fn a_wrong_count_of_rows_ends_the_run_and_puts_nothing_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let faults: [Fault; 7] = [
        |sink| sink.ledger.cross_check.found += 1,
        |sink| sink.ledger.cross_check.good -= 1,
        |sink| sink.ledger.counts.records += 1,
        // Parts of a file were not read, converted twice, not written, or written too often.
        |sink| sink.rows_read += 1,
        |sink| sink.ledger.counts.lines += 1,
        |sink| sink.rows_written = Some(1),
        |sink| sink.rows_left_out = 0,
    ];
    for (number, &fault) in faults.iter().enumerate() {
        let error = run_with(fault, folder.path()).expect_err("something is wrong");
        assert!(matches!(error, Error::Internal(_)), "{number}: {error}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "{number}");
    }
    let report = run_with(|_| (), folder.path()).expect("all is well");
    assert_eq!((report.counts.records, report.counts.rejected), (2, 1));
    assert!(path("out").exists() && path("rejects").exists());
    // If no rows are written, those that were are not compared.
    assert!(run_with(|sink| sink.rows_written = None, folder.path()).is_ok());
}
