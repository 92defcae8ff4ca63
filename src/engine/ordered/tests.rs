//! Runs whose counts do not add up.

use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use super::*;
use crate::convert::Conversion;
use crate::engine::rejects::RejectsTo;
use crate::engine::report::Report;
use crate::engine::resources::finish;
use crate::engine::{Worker, kernel};
use crate::formats::Evidence;
use crate::output::{RunFiles, Target};
use crate::source::{Input, Reading};

/// What goes wrong in a run.
type Fault = fn(&mut Outcome, &mut Ordered<'_>);

/// Converts a good and a bad line in this folder, while something goes wrong.
fn run_with(fault: Fault, folder: &Path) -> Result<Report, Error> {
    let text = b"100000569492056108056109240009640801064010000218035604040500016905061402621000005\nbad\n";
    let input = Input::Reader { name: "in".into(), reader: Box::new(io::Cursor::new(text)) };
    let source = Source::new(vec![input], Reading::Read, 1 << 20)?;
    let target = |name| Target::File { path: folder.join(name), force: true };
    let mut files = RunFiles::default();
    let output = TextOutput::new(files.claim("the output", target("out"))?.open(true)?, None);
    let rejects = RejectsTo::Lazy(target("rejects")).claim(&mut files)?.open(true)?;
    let mut ordered = Ordered::new(&source, output, rejects, None, Bad::Reject)?;
    let mut worker = Worker::new(Conversion::default(), kernel()?);
    while let Some(pulled) = source.next(Vec::new()) {
        let chunk = pulled.chunk?;
        let bounds = ChunkBounds::of(&chunk, Bad::Reject);
        worker.begin_chunk();
        assert_eq!(worker.convert(chunk.text(), &Evidence::default()), text.len());
        assert!(ordered.begin_chunk(&chunk, &bounds)?.is_continue());
        fault(&mut worker.outcome, &mut ordered);
        ordered.take(&chunk, bounds.start, &worker.outcome, None)?;
        ordered.end_chunk(&chunk, &bounds, &worker.outcome);
    }
    finish(ordered.end()?, None, Instant::now())
}

#[test]
fn a_wrong_count_ends_the_run_and_puts_nothing_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let is = |names: &[&str]| {
        let there = fs::read_dir(folder.path()).expect("a folder").count();
        there == names.len() && names.iter().all(|name| path(name).exists())
    };
    let faults: [Fault; 6] = [
        |outcome, _| outcome.cross_check.found += 1,
        |outcome, _| outcome.cross_check.good -= 1,
        |outcome, _| outcome.counts.records += 1,
        |outcome, _| drop(outcome.rows.pop()),
        // These are noticed only at the end.
        |_, ordered| ordered.ledger.cross_check.found += 1,
        |_, ordered| ordered.read[0] -= 1,
    ];
    for old in [None, Some("old")] {
        for (number, &fault) in faults.iter().enumerate() {
            let error = run_with(fault, folder.path()).expect_err("something is wrong");
            assert!(matches!(error, Error::Internal(_)), "{number}: {error}");
            match old {
                None => assert!(is(&[]), "{number}"),
                Some(old) => {
                    let text = |name: &str| fs::read_to_string(path(name)).expect("a file");
                    assert!(is(&["out", "rejects"]) && text("out") == old && text("rejects") == old, "{number}");
                }
            }
        }
        // If all is well, both files are put in place.
        let report = run_with(|_, _| (), folder.path()).expect("all is well");
        assert_eq!((report.counts.records, report.counts.rejected), (2, 1));
        assert!(is(&["out", "rejects"]));
        for name in ["out", "rejects"] {
            fs::write(path(name), "old").expect("a file");
        }
    }
}
