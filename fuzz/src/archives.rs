//! Compressed input is read completely or refused, and the result does not depend on how it arrives.

use std::io::{Cursor, Read, Write};
use std::sync::{Arc, Mutex};

use gridmill::convert::{CheckLevel, Checks, Conversion, Emit};
use gridmill::engine::Convert;
use gridmill::output::Target;
use gridmill::source::{Input, Reading, Source};

use super::formats::strings;

/// Bytes of text that are read at a time.
const CHUNK: usize = 4096;

/// A reader that gives a few bytes at a time.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(7);
        self.0.read(&mut into[..most])
    }
}

/// An input is read to its end, or refused with its name.
pub(crate) fn quick(data: &[u8]) {
    let input = Input::Reader { name: "data".into(), reader: Box::new(Cursor::new(data.to_vec())) };
    let source = Source::new(vec![input], Reading::Read, CHUNK).expect("nothing is opened");
    let mut buffer = Vec::new();
    while let Some(pulled) = source.next(std::mem::take(&mut buffer)) {
        match pulled.chunk {
            Ok(chunk) => buffer = chunk.into_buffer(),
            Err(error) => assert!(error.to_string().starts_with("data: "), "{error}"),
        }
    }
}

/// A run has the same counts, whether the input arrives at once or a few bytes at a time.
pub(crate) fn thorough(data: &[u8]) {
    let run = |reader: Box<dyn Read + Send>| {
        let checks = Checks { level: CheckLevel::Syntax, ..Checks::default() };
        let plan = Conversion { emit: Emit::Nothing, checks, ..Conversion::default() };
        let run = Convert::new(Target::Writer { name: "nowhere".into(), writer: Box::new(std::io::sink()) })
            .input(Input::Reader { name: "data".into(), reader })
            .conversion(plan)
            .threads(1)
            .run();
        run.map(|report| (report.counts.lines, report.counts.records, report.counts.codes))
            .map_err(|error| error.to_string())
    };
    let whole = run(Box::new(Cursor::new(data.to_vec())));
    assert_eq!(whole, run(Box::new(Slow(Cursor::new(data.to_vec())))));
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let lines = format!("{}\n", strings()[0]).repeat(3).into_bytes();
    [strings().join("\n").into_bytes(), lines].into_iter().flat_map(seeds_of).collect()
}

fn seeds_of(text: Vec<u8>) -> Vec<Vec<u8>> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&text).expect("writing into memory");
    let gzip = gzip.finish().expect("writing into memory");
    let frames = compressed(&text);
    vec![[&gzip[..], &gzip].concat(), gzip, [&frames[..], &frames].concat(), frames, text]
}

/// A writer whose bytes are shared.
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().map_err(|_| std::io::ErrorKind::Other)?.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A text as the program compresses it.
fn compressed(text: &[u8]) -> Vec<u8> {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let run = Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(Shared(Arc::clone(&bytes))) })
        .input(Input::Reader { name: "text".into(), reader: Box::new(Cursor::new(text.to_vec())) })
        .conversion(Conversion { lossy: true, ..Conversion::default() })
        .zstd(1)
        .run();
    run.expect("good strings");
    bytes.lock().expect("nobody else has it").clone()
}
