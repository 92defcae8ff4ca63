//! Rows of several strings, of which some are bad: what their other strings added to the counts is taken back.

use gridmill_core::board::FillCandidates;
use gridmill_core::canon::CanonicalForm;
use gridmill_core::convert::{CanonicalPlan, Canonize, CheckLevel, Checks, Conversion, Converter, Counts, Emit, Facts};
use gridmill_core::formats::{Evidence, Format, Hints, Records, read_one, write_one};

use crate::random::Rng;

/// A text of strings, and where each is.
#[derive(Default)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn of<'s>(strings: impl Iterator<Item = &'s [u8]>) -> Self {
        let mut of = Self::default();
        for string in strings {
            of.starts.push(of.bytes.len() as u32);
            of.bytes.extend_from_slice(string);
            of.ends.push(of.bytes.len() as u32);
        }
        of
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records { bytes: &self.bytes, starts: &self.starts, ends: &self.ends }
    }
}

/// The plans that count something each.
fn plans() -> Vec<Conversion> {
    let plan = Conversion::default;
    let unique = Checks { level: CheckLevel::Unique, effort: 1000, ..Checks::default() };
    let all = Checks { level: CheckLevel::Rules, all: true, clue_counts: true, ..Checks::default() };
    let canonical = |canonize, carry| Some(CanonicalPlan::new(canonize).carry(carry));
    vec![
        plan(),
        Conversion { list_solved: true, ..plan() },
        Conversion { to: Format::Plain, lossy: true, ..plan() },
        Conversion { to: Format::V1, lossy: true, candidates: FillCandidates::Auto, ..plan() },
        Conversion { candidates: FillCandidates::Auto, ..plan() },
        Conversion { emit: Emit::Nothing, checks: all, ..plan() },
        Conversion { emit: Emit::AsTheyAre, checks: Checks { all: true, ..unique }, ..plan() },
        Conversion { emit: Emit::Solution, checks: unique, ..plan() },
        Conversion {
            emit: Emit::Nothing,
            checks: Checks { clue_counts: true, ..unique },
            facts: Facts { search: true, ..Facts::default() },
            ..plan()
        },
        Conversion { canonical: canonical(Canonize::Form(CanonicalForm::Puzzle), false), ..plan() },
        Conversion { canonical: canonical(Canonize::Form(CanonicalForm::Solution), true), ..plan() },
        Conversion { emit: Emit::Digits, ..plan() },
    ]
}

/// Strings with few forms, so that groups are large, and with all of them.
fn pools() -> Vec<Vec<String>> {
    let samples = || Format::ALL.into_iter().filter(|id| *id != Format::Grid).flat_map(|id| id.samples());
    let good = samples().flat_map(|samples| samples.good).map(|good| good.text.to_string());
    let bad = samples().flat_map(|samples| samples.bad).map(|bad| bad.text.to_string());
    let puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    let one = read_one(puzzle.as_bytes(), None, &Hints::default(), &Evidence::default()).unwrap();
    let sudokus = [Format::V1, Format::V2, Format::Plain].map(|id| write_one(&one.batch, 0, id).unwrap());
    let solved = "1745386292954761383862915747518942639463278581328495...".replace('.', "1");
    let mut wrong = sudokus.to_vec();
    wrong.extend([sudokus[0].replace('g', "~"), sudokus[2].replacen('0', "1", 1), ".".repeat(81), solved]);
    let v1 = samples().flat_map(|samples| samples.good).map(|good| good.text).filter(|text| text.len() == 162);
    vec![
        v1.map(str::to_string).chain(wrong.clone()).collect(),
        wrong,
        good.clone().chain([sudokus[0].replacen('g', "~", 1)]).collect(),
        good.chain(bad).collect(),
    ]
}

/// The lengths of rows with so many strings.
fn rows(style: usize, strings: usize, rng: &mut Rng) -> Vec<u32> {
    let (mut lengths, mut left) = (Vec::new(), strings);
    while left > 0 {
        let length = match style {
            0 => 2,
            1 => 3,
            2 => rng.below(5),
            _ => *rng.pick(&[1, 7, 90, 130]),
        };
        lengths.push(length.min(left) as u32);
        left -= length.min(left);
    }
    lengths
}

#[test]
fn bad_rows_count_once() {
    let (mut rng, mut others) = (Rng(5), 0);
    for plan in plans() {
        for pool in pools() {
            for style in 0..4 {
                let few = pool[..pool.len().min(3)].to_vec();
                let pick =
                    |rng: &mut Rng| if rng.once_in(8) { rng.pick(&pool).clone() } else { rng.pick(&few).clone() };
                let strings: Vec<_> = (0..300).map(|_| pick(&mut rng)).collect();
                let lengths = rows(style, strings.len(), &mut rng);
                others += compare(plan, &strings, &lengths);
            }
        }
    }
    assert!(others > 5000, "{others}");
}

/// Compares the counts without the other strings of bad rows with those of a run without these strings. Returns how
/// many there are.
fn compare(plan: Conversion, strings: &[String], lengths: &[u32]) -> usize {
    let text = Strings::of(strings.iter().map(String::as_bytes));
    let mut converter = Converter::new(plan, crate::kernel());
    let evidence = plan.weigh(strings.iter().map(String::as_bytes));
    converter.give_rows(lengths.iter().copied());
    let converted = converter.convert(text.records(), &evidence);
    let (mut others, mut first) = (Vec::new(), 0);
    for &length in lengths {
        let row = first..first + length as usize;
        first = row.end;
        if let Some(bad) = row.clone().find(|&record| converted.refusal(record).is_some()) {
            others.extend(row.filter(|&record| record != bad));
        }
    }
    let mut counts: Counts = converted.counts.clone();
    converted.uncount(others.iter().copied(), &mut counts);

    let stay = |&(number, _): &(usize, &String)| others.binary_search(&number).is_err();
    let rest = Strings::of(strings.iter().enumerate().filter(stay).map(|(_, string)| string.as_bytes()));
    let mut alone = Converter::new(plan, crate::kernel());
    let alone = alone.convert(rest.records(), &evidence);
    assert_eq!(counts, alone.counts, "{plan:?} {lengths:?}");
    others.len()
}
