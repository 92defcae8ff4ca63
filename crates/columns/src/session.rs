//! How a call is done: the plan, the kernel, the threads, and what is known of layouts.

use std::fmt;
use std::sync::OnceLock;

use gridmill_core::convert::{CheckLevel, Conversion, Converter};
use gridmill_core::formats::Evidence;
use gridmill_core::kernels::{self, Kernel};

use crate::strings::Strings;

/// Bytes of strings, with one more for each, of which the layouts are counted: as of the lines of a file.
const WINDOW: usize = 4 << 20;

/// What says in which layout a string is read whose format has several, where the string itself does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::large_enum_variant, reason = "there is one for a call")]
pub enum LayoutEvidence {
    /// The first 4 MiB of the strings of the call.
    #[default]
    OfCall,
    /// What was gathered before, with [`weigh()`](crate::weigh()).
    Given(Evidence),
    /// Nothing: such a string is refused.
    Nothing,
}

/// How a call is done.
pub struct Session<'a> {
    /// What is done with each string. What becomes of refused ones, and what is written, is for the function that is called.
    pub conversion: Conversion,
    /// The kernel.
    pub kernel: &'static Kernel,
    /// Where layouts are known from.
    pub evidence: LayoutEvidence,
    /// Threads; 0 for as many as the machine has cores.
    pub threads: usize,
    /// List all refused rows, and not only the first one.
    pub list_refused: bool,
    /// Asked by the calling thread between blocks of rows: whether to stop.
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
    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// What strings say of layouts, found out when it is asked for.
pub(crate) struct Known<'a> {
    plan: Conversion,
    kernel: &'static Kernel,
    columns: &'a [Strings<'a>],
    found: OnceLock<Evidence>,
}

impl<'a> Known<'a> {
    /// What is known for a call about these chunks.
    pub(crate) fn new(session: &Session<'_>, plan: Conversion, columns: &'a [Strings<'a>]) -> Self {
        let found = match session.evidence {
            LayoutEvidence::OfCall => OnceLock::new(),
            LayoutEvidence::Given(evidence) => OnceLock::from(evidence),
            LayoutEvidence::Nothing => OnceLock::from(Evidence::default()),
        };
        Self { plan, kernel: session.kernel, columns, found }
    }

    /// A converter that knows what there is to be known already.
    pub(crate) fn converter(&self) -> Converter {
        let mut converter = Converter::new(self.plan, self.kernel);
        if let Some(&evidence) = self.found.get() {
            converter.know(evidence);
        }
        converter
    }

    /// How far strings are checked.
    pub(crate) fn level(&self) -> CheckLevel {
        self.plan.checks.level
    }

    /// What the strings of the call say.
    pub(crate) fn evidence(&self) -> Evidence {
        *self.found.get_or_init(|| Converter::new(self.plan, self.kernel).weigh(window(self.columns)))
    }
}

/// The strings that begin in the window.
fn window<'a>(columns: &'a [Strings<'a>]) -> impl Iterator<Item = &'a [u8]> {
    let strings = columns.iter().flat_map(|strings| (0..strings.len()).filter_map(|row| strings.get(row)));
    let mut position = 0;
    strings.take_while(move |string| {
        let begins = position;
        position += string.len() + 1;
        begins < WINDOW
    })
}
