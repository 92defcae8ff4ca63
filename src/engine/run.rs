//! A whole run: inputs to output by any number of threads, in order, with its rejects and its report.
//!
//! Each worker pulls a chunk, converts it (and compresses it) on its own, and writes it when its turn comes, while it is
//! hot. What must be in order (the output, line numbers, rejects, counts) is in [`Ordered`], after the turnstile.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::appended::{Appended, asked, unsuited};
use super::compressed::Compressed;
use super::fields::piece;
use super::kernel::kernel;
use super::ordered::{Ordered, unless_closed};
use super::parts::mark_length;
use super::progress::Progress;
use super::rejects::{RejectsAs, RejectsTo};
use super::report::Report;
use super::session::Session;
use super::survey::{Survey, Watched};
use super::threads::{Threads, threads};
use crate::convert::Conversion;
use crate::error::Error;
use crate::framing::{Framing, Lines};
use crate::kernels::Kernel;
use crate::output::order::Turnstile;
use crate::output::{RunFiles, Target};
use crate::source::{Input, Reading, Source};

/// A conversion of whole inputs: set it up, then [`Convert::run`] it.
///
/// ```
/// # fn main() -> Result<(), gridmill::error::Error> {
/// use gridmill::engine::Convert;
/// use gridmill::output::Target;
/// use gridmill::source::Input;
///
/// let puzzle = b"100000569492056108056109240009640801064010000218035604040500016905061402621000005\n";
/// let report = Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(std::io::sink()) })
///     .input(Input::Reader { name: "memory".into(), reader: Box::new(&puzzle[..]) })
///     .run()?;
/// assert_eq!((report.counts.records, report.counts.rejected), (1, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Convert {
    inputs: Vec<Input>,
    output: Target,
    conversion: Conversion,
    reading: Reading,
    chunk_size: usize,
    threads: usize,
    zstd_level: Option<i32>,
    sync: bool,
    rejects: RejectsTo,
    rejects_as: RejectsAs,
    solved: Option<Target>,
    report: Option<Target>,
    framing: Box<dyn Framing>,
    appended: Appended,
    progress: Option<Arc<Progress>>,
    kernel: Option<&'static Kernel>,
}

/// Bytes of a chunk: large enough that a write costs what its copy costs, small enough to stay in the second-level cache.
pub const CHUNK_SIZE: usize = 512 << 10;

impl Convert {
    /// A conversion to `output` with everything else as the program does it by default. No input yet.
    pub fn new(output: Target) -> Self {
        Self {
            inputs: Vec::new(),
            output,
            conversion: Conversion::default(),
            reading: Reading::Auto,
            chunk_size: CHUNK_SIZE,
            threads: 0,
            zstd_level: None,
            sync: true,
            rejects: RejectsTo::Nowhere,
            rejects_as: RejectsAs::Report,
            solved: None,
            report: None,
            framing: Box::new(Lines),
            appended: Appended::default(),
            progress: None,
            kernel: None,
        }
    }

    /// Adds an input. Several are one stream, in order.
    #[must_use]
    pub fn input(mut self, input: Input) -> Self {
        self.inputs.push(input);
        self
    }

    /// How records become other records.
    #[must_use]
    pub fn conversion(mut self, conversion: Conversion) -> Self {
        self.conversion = conversion;
        self
    }

    /// How files are read.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Bytes of a chunk, 1 to 16 MiB; [`CHUNK_SIZE`] by default. The output does not depend on it.
    #[must_use]
    pub fn chunk_size(mut self, bytes: usize) -> Self {
        self.chunk_size = bytes;
        self
    }

    /// Threads: 0 for as many as the machine has cores; at most eight for each core are started. The output does
    /// not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Compresses the output at this zstd level, 1 to 22.
    #[must_use]
    pub fn zstd(mut self, level: i32) -> Self {
        self.zstd_level = Some(level);
        self
    }

    /// Whether files are on the disk when the run ends (by default they are).
    #[must_use]
    pub fn sync(mut self, sync: bool) -> Self {
        self.sync = sync;
        self
    }

    /// Where reject rows go.
    #[must_use]
    pub fn rejects(mut self, to: RejectsTo) -> Self {
        self.rejects = to;
        self
    }

    /// As what refused records are written.
    #[must_use]
    pub fn rejects_as(mut self, rejects_as: RejectsAs) -> Self {
        self.rejects_as = rejects_as;
        self
    }

    /// Where the cells are listed that v0 and v1 hold as solved and that may be single candidates.
    #[must_use]
    pub fn list_solved(mut self, to: Target) -> Self {
        self.solved = Some(to);
        self.conversion.list_solved = true;
        self
    }

    /// Where the report is written, as JSON: after everything else, and in its place after everything else.
    #[must_use]
    pub fn report(mut self, to: Target) -> Self {
        self.report = Some(to);
        self
    }

    /// How records stand in the text; one a line by default.
    #[must_use]
    pub fn framing(mut self, framing: Box<dyn Framing>) -> Self {
        self.framing = framing;
        self
    }

    /// What is appended to lines, to the rows of a table, or to JSON lines.
    #[must_use]
    pub fn append(mut self, appended: Appended) -> Self {
        self.appended = appended;
        self
    }

    /// Keeps `progress` up to date while the run lasts.
    #[must_use]
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Uses this kernel instead of the best one.
    #[must_use]
    pub fn kernel(mut self, kernel: &'static Kernel) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Runs it. Bad records are no error, unless the plan says so.
    ///
    /// # Errors
    /// Everything that keeps the run from being done; a file output is then as it was before, or absent.
    /// [`Error::Stopped`] where a bad record was to stop the run, [`Error::Closed`] where the reader of the output went
    /// away.
    pub fn run(mut self) -> Result<Report, Error> {
        let begun = Instant::now();
        if self.chunk_size > 16 << 20 {
            return Err(Error::Usage(format!("a chunk size is at most 16 MiB, not {} bytes", self.chunk_size)));
        }
        let kernel = self.kernel.map_or_else(kernel, Ok)?;
        let threads = threads(self.threads)?;
        self.appended.check(&*self.framing, &self.conversion)?;
        self.conversion.facts = self.appended.facts(self.conversion.emit);
        let longest = self.framing.longest();
        let source = Source::new(self.inputs, self.reading, self.chunk_size)?
            .with_longest_line(longest)
            .with_cutter(self.framing.cutter());
        let too_long = self.framing.needs_whole_inputs();
        let source = if too_long.is_some() { source.with_whole_inputs() } else { source };
        if let (Some(progress), Some(total)) = (&self.progress, source.total_bytes()) {
            progress.total.store(total, Ordering::Relaxed);
        }
        // Before any file is made: there may not be as many.
        let workers = Threads::start(threads)?;
        let mut files = RunFiles::default();
        files.reads_these(source.identities());
        let output = files.claim("the output", self.output)?;
        let rejects = self.rejects.claim(&mut files)?;
        let solved = self.solved.map(|target| files.claim("the list of solved cells", target)).transpose()?;
        let written = self.report.map(|target| files.claim("the report", target)).transpose()?;
        let mut written = written.map(|claim| claim.open_lazily(self.sync)).transpose()?;
        let rejects = rejects.open(self.sync)?;
        let output = output.open(self.sync)?;
        let solved = solved.map(|claim| claim.open(self.sync)).transpose()?;
        let compressed = self.zstd_level.map(Compressed::new).transpose()?;
        let mut ordered = Ordered::new(&source, output, compressed, rejects, solved, self.conversion.bad)?;
        ordered.expect_longest(longest);
        ordered.write_rejects_as(self.rejects_as);
        let turns = Turnstile::new(ordered);
        let survey = Survey::new(&source, self.conversion.surveys());
        let first = begin(&mut *self.framing, &survey, &source, &self.appended, &self.conversion, kernel);
        let job = Session {
            source: &source,
            survey: &survey,
            first: Mutex::new(first),
            turns: &turns,
            framing: &*self.framing,
            too_long,
            appended: &self.appended,
            plan: self.conversion,
            kernel,
            zstd_level: self.zstd_level,
            progress: self.progress.as_deref(),
        };
        workers.together(|| job.work())?;
        drop(job);
        let mut done = turns.into_inner().end()?;
        done.report.to = self.conversion.to;
        done.report.emit = self.conversion.emit;
        done.report.check_level = self.conversion.checks.level;
        done.report.text_bytes = source.text_bytes();
        done.report.raw_bytes = source.bytes_taken();
        done.report.kernel = kernel.name;
        done.report.threads = threads;
        done.report.seconds = begun.elapsed().as_secs_f64();
        if let Some(file) = &mut written {
            unless_closed(file.write(format!("{:#}\n", done.report.to_json()).as_bytes()))?;
        }
        let mut report = done.finish(written)?;
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }
}

/// Pulls the first chunk, with the header, without which no other one can be read. If it is not what it should be, that error is
/// what comes instead of the chunk.
fn begin<'a, 's>(
    framing: &mut dyn Framing,
    survey: &'a Survey<'s>,
    source: &Source,
    appended: &Appended,
    plan: &Conversion,
    kernel: &'static Kernel,
) -> Option<Watched<'a, 's>> {
    let mut first = survey.next(Vec::new());
    if let Some(watched) = &mut first
        && let Ok(chunk) = &watched.pulled.chunk
        && chunk.unclosed().is_none()
    {
        let names = appended.names(&framing.columns());
        let text = piece(chunk, mark_length(chunk)..chunk.text().len(), kernel);
        if let Err(error) = framing.begin(&text, &asked(plan, &names)) {
            watched.pulled.chunk = Err(unsuited(error, source.path(chunk.input)));
        }
    }
    first
}
