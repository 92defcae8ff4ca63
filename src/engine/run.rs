//! Runs a conversion from inputs to an output, on any number of threads, in order, with reject rows and a report.
//!
//! Each worker pulls a chunk, converts it (and compresses it) independently of the others, and writes it when its turn
//! comes, while it is still in the cache. Everything that must happen in order (output, line numbers, rejects, counts)
//! is in [`Ordered`].

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::appended::Added;
use super::appended::{Appended, asked, unsuited};
use super::chunk_bounds::mark_length;
use super::columns::{self, ColumnJob, ColumnSink, StringColumns};
use super::compressor::Compressor;
use super::driver;
use super::fields::piece;
use super::kernel::kernel;
use super::ledger::KeySink;
use super::ordered::Ordered;
use super::progress::Progress;
use super::rejects::{RejectsAs, RejectsTo};
use super::report::{Report, RunSettings};
use super::resources::{ClaimedOutputs, PassOutputs, PendingOutputs, PreparedRun, finish};
use super::survey::{Survey, SurveyedChunk};
use super::text_output::TextOutput;
use super::text_pass::TextPass;
use super::threads::{Threads, thread_count};
use crate::convert::{Bad, Conversion, Emit, Facts};
use crate::error::Error;
use crate::framing::{Framing, Lines};
use crate::kernels::Kernel;
use crate::output::Output;
use crate::output::{RunFiles, Target};
use crate::source::{Input, Reading, Source};

/// A conversion of whole inputs. Set it up, then call [`Convert::run`].
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
    zstd_level: Option<i32>,
    sync: bool,
    beside: SideTargets,
    framing: Box<dyn Framing>,
    appended: Appended,
    means: RunMeans,
}

/// Where a run writes what it says about records and about itself.
#[derive(Debug, Default)]
struct SideTargets {
    rejects: RejectsTo,
    rejects_as: RejectsAs,
    solved: Option<Target>,
    report: Option<Target>,
}

/// What a run works with. It does not change the results.
#[derive(Debug, Default)]
struct RunMeans {
    reading: Reading,
    /// `None`: decided by the number of threads.
    chunk_size: Option<usize>,
    threads: usize,
    progress: Option<Arc<Progress>>,
    kernel: Option<&'static Kernel>,
}

/// Bytes of a chunk: large enough that a write costs no more than the copy of its bytes, small enough to stay in the
/// second-level cache.
pub const CHUNK_SIZE: usize = 512 << 10;

/// The most bytes of a chunk, so that the memory of many threads stays within the limits (docs/RELIABILITY.md): a thread
/// takes up to seven times its chunk, and up to 28 times if puzzles are solved.
fn most_of_chunk(threads: usize, solves: bool) -> usize {
    let together: usize = if solves { 5 << 19 } else { 16 << 20 };
    (together / threads).clamp(CHUNK_SIZE / 4, CHUNK_SIZE)
}

impl Convert {
    /// A conversion to `output`, with no input yet, and with the program's defaults for everything else.
    pub fn new(output: Target) -> Self {
        Self {
            inputs: Vec::new(),
            output,
            conversion: Conversion::default(),
            zstd_level: None,
            sync: true,
            beside: SideTargets::default(),
            framing: Box::new(Lines),
            appended: Appended::default(),
            means: RunMeans::default(),
        }
    }

    /// Adds an input. Several inputs are one stream, in order.
    #[must_use]
    pub fn input(mut self, input: Input) -> Self {
        self.inputs.push(input);
        self
    }

    /// Sets how records are converted.
    #[must_use]
    pub fn conversion(mut self, conversion: Conversion) -> Self {
        self.conversion = conversion;
        self
    }

    /// Sets how files are read. With [`Reading::Auto`], lines whose puzzles are to be solved are read, not mapped.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.means.reading = reading;
        self
    }

    /// Sets the size of chunks in bytes, at most 16 MiB; by default [`CHUNK_SIZE`], or less if there are many threads. The
    /// output does not depend on it.
    #[must_use]
    pub fn chunk_size(mut self, bytes: usize) -> Self {
        self.means.chunk_size = Some(bytes);
        self
    }

    /// Sets the number of threads: 0 for one for each core. At most eight for each core are started. The output does
    /// not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.means.threads = threads;
        self
    }

    /// Compresses the output at this zstd level, 1 to 22.
    #[must_use]
    pub fn zstd(mut self, level: i32) -> Self {
        self.zstd_level = Some(level);
        self
    }

    /// Sets whether files are guaranteed to be on the disk when the run ends. By default they are.
    #[must_use]
    pub fn sync(mut self, sync: bool) -> Self {
        self.sync = sync;
        self
    }

    /// Sets where reject rows go.
    #[must_use]
    pub fn rejects(mut self, to: RejectsTo) -> Self {
        self.beside.rejects = to;
        self
    }

    /// Sets the form in which refused records are written.
    #[must_use]
    pub fn rejects_as(mut self, rejects_as: RejectsAs) -> Self {
        self.beside.rejects_as = rejects_as;
        self
    }

    /// Lists the cells that v0 and v1 store as solved but that may be single candidates.
    #[must_use]
    pub fn list_solved(mut self, to: Target) -> Self {
        self.beside.solved = Some(to);
        self.conversion.list_solved = true;
        self
    }

    /// Writes the report, as JSON, after everything else. It is also put in its final place last.
    #[must_use]
    pub fn report(mut self, to: Target) -> Self {
        self.beside.report = Some(to);
        self
    }

    /// Sets how records are arranged in the text; by default there is one on each line.
    #[must_use]
    pub fn framing(mut self, framing: Box<dyn Framing>) -> Self {
        self.framing = framing;
        self
    }

    /// Sets what is appended to lines, to the rows of a table, or to JSON lines.
    #[must_use]
    pub fn append(mut self, appended: Appended) -> Self {
        self.appended = appended;
        self
    }

    /// Keeps `progress` up to date during the run.
    #[must_use]
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.means.progress = Some(progress);
        self
    }

    /// Uses this kernel instead of the best one.
    #[must_use]
    pub fn kernel(mut self, kernel: &'static Kernel) -> Self {
        self.means.kernel = Some(kernel);
        self
    }

    /// Runs the conversion. Bad records are not an error, unless the plan says so.
    ///
    /// # Errors
    /// Everything that prevents the run from finishing; an output file is then unchanged or absent. [`Error::Stopped`]
    /// if a bad record stopped the run, [`Error::Closed`] if the reader of the output has closed it.
    pub fn run(mut self) -> Result<Report, Error> {
        let started = Instant::now();
        let inputs = self.take_inputs();
        let prepared = self.prepare(inputs)?;
        let mut files = RunFiles::default();
        files.reads_these(prepared.source.identities());
        let outputs = self.claim(&mut files)?;
        // The rejects may be beside the output, and would be blamed for its folder.
        outputs.output.check()?;
        let written = outputs.report.map(|claim| claim.open_lazily(self.sync)).transpose()?;
        let rejects = outputs.rejects.open(self.sync)?;
        let mut opened = PassOutputs::new(rejects, outputs.output.open(self.sync)?);
        if self.conversion.emit == Emit::Digits {
            opened.output.become_array(self.framing.columns().len())?;
        }
        opened.solved = outputs.solved.map(|claim| claim.open(self.sync)).transpose()?;
        finish(self.pass(&prepared, opened, None)?, written, started)
    }

    /// Runs the conversion on files with columns, whose strings are in `columns`. `pass` reads and writes the files; it
    /// returns the output and the number of bytes written.
    ///
    /// # Errors
    /// See [`Convert::run`].
    pub(crate) fn run_columns(
        mut self,
        columns: StringColumns,
        pass: impl FnOnce(&ColumnJob, Vec<Input>, Output, &mut ColumnSink<'_>) -> Result<(Output, u64), Error>,
    ) -> Result<Report, Error> {
        let started = Instant::now();
        let inputs = self.take_inputs();
        let job = self.column_job(columns)?;
        let mut files = RunFiles::default();
        columns::register_inputs(&mut files, &inputs);
        let outputs = self.claim(&mut files)?;
        // The rejects may be beside the output, and would be blamed for its folder.
        outputs.output.check()?;
        let written = outputs.report.map(|claim| claim.open_lazily(self.sync)).transpose()?;
        let names = inputs.iter().map(columns::name).collect();
        let mut sink = ColumnSink::new(names, outputs.rejects.open(self.sync)?, job.plan.bad);
        let mut output = outputs.output.open(self.sync)?;
        if self.conversion.emit == Emit::Digits {
            output.become_array(job.columns.strings.len().max(1))?;
        }
        let (output, bytes) = pass(&job, inputs, output, &mut sink)?;
        finish(sink.end(&job, output, bytes)?, written, started)
    }

    /// Prepares the work on files with strings in these columns.
    pub(super) fn column_job(&mut self, columns: StringColumns) -> Result<ColumnJob, Error> {
        let kernel = self.means.kernel.map_or_else(kernel, Ok)?;
        let threads = thread_count(self.means.threads)?;
        for (given, words) in [
            (self.zstd_level.is_some(), "--zstd is only for text; columns keep their compression"),
            (self.beside.solved.is_some(), "--list-solved is only for text"),
            (self.beside.rejects_as == RejectsAs::Rows, "--rejects-as rows is only for lines, tables and JSON lines"),
        ] {
            if given {
                return Err(Error::Usage(words.into()));
            }
        }
        self.plan_facts();
        Ok(ColumnJob {
            plan: self.conversion,
            kernel,
            appended: self.appended.of_files(&columns.strings)?,
            columns,
            workers: Threads::start(threads)?,
            progress: self.means.progress.take(),
        })
    }

    /// Makes the plan find out all facts that are appended, besides the key and the map if they are already asked for.
    fn plan_facts(&mut self) {
        let Facts { key, map, .. } = self.conversion.facts;
        self.conversion.facts = self.appended.facts(self.conversion.emit);
        self.conversion.facts.key |= key;
        self.conversion.facts.map |= map;
        self.conversion.facts.grade |= self.conversion.checks.grades.is_some();
    }

    /// Takes the inputs out of the settings.
    pub(super) fn take_inputs(&mut self) -> Vec<Input> {
        std::mem::take(&mut self.inputs)
    }

    /// Checks the settings, opens the inputs, and starts the threads.
    pub(super) fn prepare(&mut self, inputs: Vec<Input>) -> Result<PreparedRun, Error> {
        if let Some(size) = self.means.chunk_size.filter(|&size| size > 16 << 20) {
            return Err(Error::Usage(format!("a chunk size must be at most 16 MiB, not {size} bytes")));
        }
        if self.conversion.bad == Bad::Null {
            let words = "--bad null is only for Parquet and Arrow files, whose columns may be null";
            return Err(Error::Usage(words.into()));
        }
        let kernel = self.means.kernel.map_or_else(kernel, Ok)?;
        let threads = thread_count(self.means.threads)?;
        // Each chunk becomes a frame of an archive, whose bytes must not depend on the number of threads.
        let most = || match self.zstd_level {
            Some(_) => CHUNK_SIZE,
            None => most_of_chunk(threads, self.conversion.asks_solver()),
        };
        let chunk_size = self.means.chunk_size.unwrap_or_else(most);
        self.appended.check(&*self.framing, &self.conversion)?;
        self.plan_facts();
        let source = self.source(inputs, kernel, chunk_size)?;
        self.set_total_bytes([&source]);
        // Threads are started before any file is made, because the system may refuse to start that many.
        Ok(PreparedRun { source, workers: Threads::start(threads)?, kernel, threads, chunk_size })
    }

    /// Sets how many bytes the run will read in all passes.
    pub(super) fn set_total_bytes<'s>(&self, sources: impl IntoIterator<Item = &'s Source>) {
        if let Some(progress) = &self.means.progress {
            let total = sources.into_iter().map(Source::total_bytes).sum::<Option<u64>>();
            progress.total.store(total.unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// Returns the progress to keep up to date, if any.
    pub(super) fn progress_of(&self) -> Option<&Progress> {
        self.means.progress.as_deref()
    }

    /// Opens inputs in the way this framing needs.
    pub(super) fn source(
        &self,
        inputs: Vec<Input>,
        kernel: &'static Kernel,
        chunk_size: usize,
    ) -> Result<Source, Error> {
        // Reading takes less time than mapping pages and fetching the text from memory when lines are found.
        let reads =
            self.means.reading == Reading::Auto && self.conversion.asks_solver() && self.framing.facts().is_lines;
        let reading = if reads { Reading::Read } else { self.means.reading };
        let source = Source::new(inputs, reading, chunk_size)?;
        Ok(source.with_longest_line(self.framing.facts().longest).with_cutter(self.framing.cutter(kernel)))
    }

    /// Takes the outputs out of the settings and claims them.
    pub(super) fn claim(&mut self, files: &mut RunFiles) -> Result<ClaimedOutputs, Error> {
        let output = files.claim("the output", std::mem::replace(&mut self.output, Target::Stdout))?;
        let rejects = std::mem::take(&mut self.beside.rejects).claim(files)?;
        let solved =
            self.beside.solved.take().map(|target| files.claim("the list of solved cells", target)).transpose()?;
        let report = self.beside.report.take().map(|target| files.claim("the report", target)).transpose()?;
        Ok(ClaimedOutputs { output, rejects, solved, report })
    }

    /// Reads the inputs once and writes the outputs, but does not put them in their final places yet. If keys are to be
    /// found, `keys` collects them.
    pub(super) fn pass<'p>(
        &mut self,
        prepared: &'p PreparedRun,
        opened: PassOutputs,
        keys: Option<&'p mut dyn KeySink>,
    ) -> Result<PendingOutputs, Error> {
        let PreparedRun { source, workers, kernel, threads, chunk_size } = prepared;
        let PassOutputs { output, rejects, solved } = opened;
        let compressor = self.zstd_level.map(Compressor::new).transpose()?;
        let output = TextOutput::new(output, compressor);
        let mut ordered = Ordered::new(source, output, rejects, solved, self.conversion.bad)?;
        ordered.write_rejects_as(self.beside.rejects_as);
        let keeps_text = (0..source.inputs()).map(|input| keys.as_ref().is_some_and(|keys| keys.keeps_text(input)));
        let keeps_text = keeps_text.collect();
        ordered.collect_keys(keys);
        let survey = Survey::new(source, self.conversion.surveys());
        let first = pull_first_chunk(&mut *self.framing, &survey, &self.appended, &self.conversion, kernel);
        let text = TextPass {
            survey: &survey,
            first: Mutex::new(first),
            framing: &*self.framing,
            appended: &self.appended,
            plan: self.conversion,
            kernel,
            zstd_level: self.zstd_level,
            workers: *threads as u64,
            chunk_size: *chunk_size as u64,
            keeps_text,
        };
        let ordered = driver::run(&text, workers, self.means.progress.as_deref(), ordered, ())?;
        let mut done = ordered.end()?;
        done.report.settings = RunSettings::new(&self.conversion, kernel, *threads);
        done.report.text_bytes = source.text_bytes();
        done.report.raw_bytes = source.bytes_taken();
        done.report.utf16_inputs = source.utf16_inputs();
        Ok(done)
    }

    /// Returns the framing.
    pub(super) fn framing_of(&self) -> &dyn Framing {
        &*self.framing
    }

    /// Returns the plan in its present state.
    pub(super) fn plan(&self) -> Conversion {
        self.conversion
    }

    /// Sets the run up to find the keys of records and write nothing. With `places`, it finds the maps of records, too.
    pub(super) fn find_keys(&mut self, places: bool) {
        self.conversion.emit = Emit::Nothing;
        (self.conversion.facts.key, self.conversion.facts.map) = (true, places);
    }

    /// Announces that the next pass will append a column of this name.
    pub(super) fn append_count(&mut self, name: Option<&str>) {
        let added = name.map(|name| (Added::Count, name.to_string()));
        self.appended = Appended { to: Vec::new(), added: added.into_iter().collect(), ..Appended::default() };
    }

    /// Takes the compression level out of the settings. Without it, the output is not compressed.
    pub(super) fn take_level(&mut self) -> Option<i32> {
        self.zstd_level.take()
    }

    /// Returns whether files are guaranteed to be on the disk at the end.
    pub(super) fn syncs(&self) -> bool {
        self.sync
    }
}

/// Pulls the first chunk and prepares the framing with it: no other chunk can be read without the header. If this
/// fails, the error takes the place of the chunk.
fn pull_first_chunk<'a, 's>(
    framing: &mut dyn Framing,
    survey: &'a Survey<'s>,
    appended: &Appended,
    plan: &Conversion,
    kernel: &'static Kernel,
) -> Option<SurveyedChunk<'a, 's>> {
    let mut first = survey.next(Vec::new());
    if let Some(surveyed) = &mut first
        && let Ok(chunk) = &surveyed.pulled.chunk
        && chunk.unclosed().is_none()
    {
        let names = appended.names(framing);
        let text = piece(chunk, mark_length(chunk)..chunk.text().len(), kernel);
        if let Err(error) = framing.begin(&text, &asked(plan, &names)) {
            surveyed.pulled.chunk = Err(unsuited(error, survey.source().path(chunk.input)));
        }
    }
    first
}
