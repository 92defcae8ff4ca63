//! Generates boards from a seed and writes them in order, on any number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::choose::{ChosenBoards, GradeFilter, GradeSearch};
use super::compressor::Compressor;
use super::driver::{self, Container, End, NextPortion, PortionQueue, Seat, Turns};
use super::kernel::kernel;
use super::progress::Progress;
use super::threads::{Threads, thread_count};
use crate::amounts::{counted, grouped, rate, seconds};
use crate::board::{BATCH, Batch, Cell};
use crate::canon::{CanonicalForm, Canonizer, Key};
use crate::error::Error;
use crate::formats::{Form, Format, Holds, StringsOut, Text, flatten, losses};
use crate::kernels::{Kernel, all_bits};
use crate::make::{Clues, Maker, MakerMemory, UniqueMaker};
use crate::output::{Output, RunFiles, Target};
use crate::solve::Grader;

/// The number of boards in a chunk: about 700 KB of v1 text.
const CHUNK_BOARDS: u64 = 4096;

/// The settings of a run that generates boards.
#[derive(Debug)]
pub struct Generate {
    /// Makes the boards.
    pub maker: Maker,
    /// The number of boards.
    pub count: u64,
    /// The format of the strings.
    pub format: Format,
    /// Write boards that the format cannot represent completely, as a conversion with `lossy` does.
    pub lossy: bool,
    /// Make puzzles with exactly one solution; the number of clues they have. With `None`, clues are drawn without
    /// solving.
    pub unique: Option<Clues>,
    /// No two puzzles are the same up to symmetry. Duplicates are replaced by further puzzles from the same seed.
    pub distinct: bool,
    /// Only puzzles of some grades. Others are replaced likewise. Needs `unique`.
    pub grades: Option<GradeSearch>,
    /// The number of threads; 0 for one for each core. The output does not depend on it.
    pub threads: usize,
    /// The zstd level at which the output is compressed.
    pub zstd_level: Option<i32>,
    /// Wait until the file is on the disk.
    pub sync: bool,
}

impl Generate {
    /// Boards in version 2, made on all cores, in a file that is synced.
    pub fn new(maker: Maker, count: u64) -> Self {
        Self {
            maker,
            count,
            format: Format::V2,
            lossy: false,
            unique: None,
            distinct: false,
            grades: None,
            threads: 0,
            zstd_level: None,
            sync: true,
        }
    }

    /// Writes the boards, one on each line.
    ///
    /// # Errors
    /// [`Error::Usage`] if the format cannot represent the boards; and errors of the output.
    pub fn run(&self, output: Target, progress: Option<&Progress>) -> Result<Generated, Error> {
        let started = Instant::now();
        let kernel = kernel()?;
        let threads = thread_count(self.threads)?;
        let shape = self.maker.shape();
        let form = self.format.codec().writes(shape).map_err(|reject| {
            Error::Usage(format!(
                "{} cannot hold a {} of side {}: {}",
                self.format, shape.kind, shape.side, reject.message
            ))
        })?;
        if self.grades.is_some() && !Grader::takes(shape) {
            let words = format!("a {} of side {} has no grade; sudokus of side 9 have one", shape.kind, shape.side);
            return Err(Error::Usage(words));
        }
        // Threads are started before any file is made, because the system may refuse to start that many.
        let workers = Threads::start(threads)?;
        let output = RunFiles::default().claim("the output", output)?.open(self.sync)?;
        let compressor = self.zstd_level.map(Compressor::new).transpose()?;
        if let Some(progress) = progress {
            progress.total.store(self.count, Ordering::Relaxed);
            progress.tries.store(self.grades.map_or(0, |search| search.tries), Ordering::Relaxed);
        }
        let chosen = self.chooses().then(|| ChosenBoards::new(self.distinct));
        let sink = GeneratedOutput { output, compressor, bytes: 0, chosen };
        let job = GenerateJob {
            settings: self,
            form,
            holds: self.format.codec().holds(form),
            kernel,
            boards: PortionQueue::without_limit(0),
            written: AtomicU64::new(0),
            progress,
        };
        let mut sink = driver::run(&job, &workers, progress, sink, ())?;
        let tried = match &sink.chosen {
            Some(chosen) => chosen.end(self.count, self.grades)?,
            None => self.count,
        };
        if let Some(compressor) = &sink.compressor {
            sink.output.write(&compressor.archive_end())?;
        }
        sink.output.finish()?;
        Ok(Generated { boards: self.count, tried, bytes: sink.bytes, seconds: started.elapsed().as_secs_f64() })
    }
}

impl Generate {
    /// Whether boards are chosen among those that are made.
    fn chooses(&self) -> bool {
        self.distinct || self.grades.is_some()
    }
}

/// What a run has generated.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Generated {
    /// The number of boards.
    pub boards: u64,
    /// The number of boards that were made to find these.
    pub tried: u64,
    /// Bytes of their lines, before compression.
    pub bytes: u64,
    /// Wall time of the run.
    pub seconds: f64,
}

impl Generated {
    /// The summary: one line.
    pub fn summary(&self) -> String {
        let a_second = |number: u64| number as f64 / self.seconds.max(1e-9);
        let tried = match self.tried == self.boards {
            true => String::new(),
            false => format!("{} tried, ", grouped(self.tried)),
        };
        format!(
            "{}, {tried}{}, {}, {}",
            counted(self.boards, "board"),
            seconds(self.seconds),
            rate(a_second(self.boards), "boards/s"),
            rate(a_second(self.bytes), "B/s")
        )
    }
}

/// The state that is used in turn.
struct GeneratedOutput {
    output: Output,
    compressor: Option<Compressor>,
    bytes: u64,
    /// The boards written so far, if they are chosen.
    chosen: Option<ChosenBoards>,
}

struct GenerateJob<'a> {
    settings: &'a Generate,
    form: Form,
    holds: Holds,
    kernel: &'static Kernel,
    /// The number of the first board that no worker has.
    boards: PortionQueue<u64>,
    written: AtomicU64,
    progress: Option<&'a Progress>,
}

/// The memory of one thread.
struct Memory<'a> {
    unique: Option<UniqueMaker<'a>>,
    frames: Option<Compressor>,
    batch: Batch,
    flat: Batch,
    scratch: MakerMemory,
    text: Text,
    /// The keys of the boards in the text, if puzzles must be distinct.
    keys: Vec<Key>,
    /// The numbers of the boards in the text, if boards are chosen.
    numbers: Vec<u64>,
    canonizer: Option<Canonizer>,
    grader: GradeFilter,
}

impl<'a> Container<GeneratedOutput> for GenerateJob<'a> {
    type Worker = Memory<'a>;
    type Portion = Range<u64>;

    fn worker(&self) -> Result<Memory<'a>, Error> {
        let settings = self.settings;
        let unique = settings.unique.map(|clues| UniqueMaker::new(&settings.maker, clues, self.kernel)).transpose()?;
        Ok(Memory {
            unique,
            frames: settings.zstd_level.map(Compressor::new).transpose()?,
            batch: Batch::default(),
            flat: Batch::default(),
            scratch: MakerMemory::default(),
            text: Text::default(),
            keys: Vec::new(),
            numbers: Vec::new(),
            canonizer: None,
            grader: GradeFilter::new(self.kernel),
        })
    }

    fn next(&self, _: &mut Memory<'a>, seat: &mut Seat) -> Option<NextPortion<'_, Range<u64>>> {
        // Puzzles with one solution take so long to make that chunks are small, so that all threads take part even in a
        // short run.
        let chunk = if self.settings.unique.is_some() { BATCH as u64 } else { CHUNK_BOARDS };
        // It is not known in advance how many boards are needed.
        let count = match (self.settings.grades, self.settings.distinct) {
            (Some(GradeSearch { tries, .. }), _) => tries,
            (None, true) => u64::MAX,
            (None, false) => self.settings.count,
        };
        let pull = |first: &mut u64| {
            let boards = *first..first.saturating_add(chunk).min(count);
            *first = boards.end;
            Some(boards)
        };
        self.boards.next(seat, |first| (*first < count).then_some(Ok(0)), pull)
    }

    fn process(
        &self,
        memory: &mut Memory<'a>,
        boards: Range<u64>,
        turns: &mut Turns<'_, GeneratedOutput>,
    ) -> Result<(), End> {
        let (count, tried) = (boards.end - boards.start, boards.end);
        self.make(boards, memory)?;
        if let Some(frames) = memory.frames.as_mut().filter(|_| !self.settings.chooses()) {
            frames.compress(memory.text.as_slice())?;
        }
        let sink = turns.out()?;
        if let Some(chosen) = &mut sink.chosen {
            let lines =
                chosen.new_lines((memory.text.as_slice(), &memory.keys, &memory.numbers), self.settings.count)?;
            memory.text.clear();
            memory.text.push(&lines);
            memory.frames.as_mut().map_or(Ok(()), |frames| frames.compress(&lines))?;
        }
        sink.bytes += memory.text.len() as u64;
        match (&memory.frames, &mut sink.compressor) {
            (Some(frames), Some(compressor)) => sink.output.write(&compressor.add_frames(frames)?)?,
            _ => sink.output.write(memory.text.as_slice())?,
        }
        match &sink.chosen {
            None => _ = self.written.fetch_add(count, Ordering::Relaxed),
            Some(chosen) => {
                self.written.store(chosen.found, Ordering::Relaxed);
                self.progress.inspect(|progress| progress.tried.store(tried, Ordering::Relaxed));
                if chosen.found >= self.settings.count {
                    return Err(End::Over);
                }
            }
        }
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }
}

impl GenerateJob<'_> {
    /// Makes these boards as lines.
    fn make(&self, boards: Range<u64>, memory: &mut Memory<'_>) -> Result<(), Error> {
        memory.text.clear();
        memory.keys.clear();
        memory.numbers.clear();
        let mut first = boards.start;
        while first < boards.end {
            let count = (boards.end - first).min(BATCH as u64);
            memory.batch.reset(self.settings.maker.shape(), count as usize);
            match &mut memory.unique {
                Some(unique) => unique.fill(first, &mut memory.batch, &mut memory.scratch)?,
                None => self.settings.maker.fill(first, &mut memory.batch, &mut memory.scratch),
            }
            match self.settings.grades {
                Some(search) => memory.grader.choose(&mut memory.batch, first, search.grades, &mut memory.numbers),
                None if self.settings.distinct => memory.numbers.extend(first..first + count),
                None => {}
            }
            self.encode(memory)?;
            if self.settings.distinct {
                self.find_keys(memory)?;
            }
            first += count;
        }
        Ok(())
    }

    /// Finds the keys of a batch. All boards use the same canonical form.
    fn find_keys(&self, memory: &mut Memory<'_>) -> Result<(), Error> {
        let form = if self.settings.unique.is_some() { CanonicalForm::Solution } else { CanonicalForm::Puzzle };
        let canonizer = memory.canonizer.get_or_insert_with(|| Canonizer::new(self.kernel));
        let canonized = canonizer.canonize(&memory.batch, false, form);
        for board in 0..memory.batch.len() {
            if let Err(reject) = canonized.found(board) {
                return Err(Error::Usage(format!("--distinct cannot compare these boards: {}", reject.message)));
            }
        }
        memory.keys.extend(canonized.keys());
        Ok(())
    }

    /// Appends the strings of a batch to the text.
    fn encode(&self, memory: &mut Memory<'_>) -> Result<(), Error> {
        let format = self.form.id.codec();
        let mut ends = [0; BATCH];
        let all = all_bits(memory.batch.len());
        let whole = self.holds.whole_shape(memory.batch.shape());
        let start = memory.text.len();
        let mut held = 0;
        if whole {
            held = format.encode(
                self.form,
                &memory.batch,
                self.kernel,
                StringsOut { text: &mut memory.text, gap: 1, ends: &mut ends },
            );
        }
        if held != all {
            if !self.settings.lossy {
                return Err(self.refusal(&memory.batch, held));
            }
            memory.text.truncate(start);
            flatten(&memory.batch, self.form.shape, &self.holds, &mut memory.flat);
            held = format.encode(
                self.form,
                &memory.flat,
                self.kernel,
                StringsOut { text: &mut memory.text, gap: 1, ends: &mut ends },
            );
            if held != all {
                return Err(self.refusal(&memory.flat, held));
            }
        }
        let bytes = memory.text.as_mut_slice();
        ends[..memory.batch.len()].iter().for_each(|&end| bytes[end] = b'\n');
        Ok(())
    }

    /// The error for the first board that the format cannot write, that is, whose bit in `held` is 0.
    fn refusal(&self, batch: &Batch, held: u64) -> Error {
        let board = (!held).trailing_zeros() as usize;
        let id = self.form.id;
        let losses = losses(batch, board, &self.holds);
        Error::Usage(match id.codec().unwritable(self.form, batch, board) {
            Some(reject) if losses.is_empty() => format!("{id} cannot hold these boards: {}", reject.message),
            _ => {
                let mut clues = Batch::default();
                clues.reset(batch.shape(), 1);
                clues.copy_board(0, batch, board);
                for cell in 0..clues.shape().side.cells() {
                    if !matches!(clues.cell(0, cell), Cell::Clue(_) | Cell::BlackClue(_) | Cell::BlackEmpty) {
                        clues.set_cell(0, cell, Cell::Empty);
                    }
                }
                let mut flat = Batch::default();
                flatten(batch, self.form.shape, &self.holds, &mut flat);
                let ways = [
                    (self.holds_all(&clues, 0), "--mix clues"),
                    (true, "--format v2"),
                    (self.holds_all(&flat, board), "--lossy"),
                ];
                let ways: Vec<_> = ways.into_iter().filter(|(works, _)| *works).map(|(_, flags)| flags).collect();
                format!("{id} cannot hold these boards; it would lose: {losses}; use {}", ways.join(" or "))
            }
        })
    }

    /// Whether the format can write a board without a loss.
    fn holds_all(&self, batch: &Batch, board: usize) -> bool {
        losses(batch, board, &self.holds).is_empty()
            && self.form.id.codec().unwritable(self.form, batch, board).is_none()
    }
}
