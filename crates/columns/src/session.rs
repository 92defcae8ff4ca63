//! The settings of a call: the plan, the kernel, the threads, and the evidence about layouts.

use std::fmt;
use std::sync::OnceLock;

use gridmill_core::convert::{Conversion, Converter};
use gridmill_core::formats::{Evidence, EvidenceSource};
use gridmill_core::kernels::{self, Kernel};

use crate::strings::Strings;

/// Layouts are counted in this many bytes of strings, with one more byte for each string, as in the lines of a file.
const WINDOW: usize = 4 << 20;

/// The evidence for the layout of strings that do not determine it themselves, in formats with several layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::large_enum_variant, reason = "there is one for a call")]
pub enum LayoutEvidence {
    /// The first 4 MiB of strings in the call.
    #[default]
    OfCall,
    /// Evidence that was collected before with [`weigh()`](crate::weigh()).
    Given(Evidence),
    /// No evidence: such strings are refused.
    Nothing,
}

/// The settings of a call.
pub struct Session<'a> {
    /// How each string is converted. What is written, and what happens to refused strings, depends on the function that
    /// is called.
    pub conversion: Conversion,
    /// The kernel.
    pub kernel: &'static Kernel,
    /// Where the evidence about layouts comes from.
    pub evidence: LayoutEvidence,
    /// The number of threads; 0 for one for each core.
    pub threads: usize,
    /// List all refused rows instead of only the first one.
    pub list_refused: bool,
    /// A function that says whether to stop. The calling thread calls it between blocks of rows.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Session<'_> {
    fn default() -> Self {
        Self {
            conversion: Conversion::default(),
            kernel: kernels::best(),
            evidence: LayoutEvidence::OfCall,
            threads: 0,
            list_refused: true,
            interrupted: &|| false,
        }
    }
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("conversion", &self.conversion)
            .field("kernel", &self.kernel.name)
            .field("evidence", &self.evidence)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Session<'_> {
    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// The evidence about layouts in strings, which is only collected if it is needed.
pub(crate) struct KnownEvidence<'a> {
    plan: Conversion,
    kernel: &'static Kernel,
    columns: &'a [Strings<'a>],
    found: OnceLock<Evidence>,
}

impl<'a> KnownEvidence<'a> {
    /// The evidence for a call about these columns.
    pub(crate) fn new(session: &Session<'_>, plan: Conversion, columns: &'a [Strings<'a>]) -> Self {
        let found = match session.evidence {
            LayoutEvidence::OfCall => OnceLock::new(),
            LayoutEvidence::Given(evidence) => OnceLock::from(evidence),
            LayoutEvidence::Nothing => OnceLock::from(Evidence::default()),
        };
        Self { plan, kernel: session.kernel, columns, found }
    }

    /// Returns a converter.
    pub(crate) fn converter(&self) -> Converter {
        Converter::new(self.plan, self.kernel)
    }

    /// Returns whether puzzles are solved.
    pub(crate) fn solves(&self) -> bool {
        self.plan.asks_solver()
    }
}

/// The evidence in the strings of the call, unless it was given.
impl EvidenceSource for KnownEvidence<'_> {
    fn evidence(&self) -> &Evidence {
        self.found.get_or_init(|| self.plan.weigh(window(self.columns)))
    }
}

/// Returns the strings that begin in the window.
fn window<'a>(columns: &'a [Strings<'a>]) -> impl Iterator<Item = &'a [u8]> {
    let strings = columns.iter().flat_map(|strings| (0..strings.len()).filter_map(|row| strings.get(row)));
    let mut position = 0;
    strings.take_while(move |string| {
        let begins = position;
        position += string.len() + 1;
        begins < WINDOW
    })
}
