//! The lengths that stand before serialized strings around links: they change with the links.

use std::ops::Range;

use super::read::Edit;
use super::serialized::{Counted, Search, next};
use crate::error::{Code, Reject};

/// Strings inside strings are looked at so deep.
const DEEPEST: usize = 16;

/// The strings of a text that hold links which are to change.
#[derive(Default)]
pub(super) struct Lengths {
    /// Those whose lengths fit, by their first bytes.
    strings: Vec<Held>,
    /// Where there may be bytes of strings whose lengths do not fit: in order, and apart.
    unsure: Vec<Range<usize>>,
}

struct Held {
    string: Counted,
    /// The index of the string that holds it.
    holder: Option<usize>,
    /// By how many bytes its value grows.
    growth: isize,
}

impl Lengths {
    /// Finds the strings that hold any of `links`, which are in order. The first `owed` bytes of the text may belong to a
    /// string before it.
    pub(super) fn around(text: &[u8], owed: usize, links: &[Range<usize>]) -> Self {
        let mut lengths = Self::default();
        if owed > 0 {
            lengths.unsure.push(0..owed);
        }
        lengths.find(text, 0, links, None, 0);
        lengths.unsure.sort_by_key(|range| range.start);
        lengths.unsure.dedup_by(|next, range| {
            let joined = next.start <= range.end;
            range.end = if joined { range.end.max(next.end) } else { range.end };
            joined
        });
        lengths
    }

    /// Finds the strings that begin in `text` from `from` on and hold links, and those inside them.
    fn find(&mut self, text: &[u8], from: usize, links: &[Range<usize>], holder: Option<usize>, depth: usize) {
        let (mut at, mut links) = (from, links);
        while let Some(last) = links.last()
            && at < last.start
        {
            match next(text, at..last.start, true) {
                Search::String(string) => {
                    at = string.end;
                    let before = links.partition_point(|link| link.end <= string.start);
                    let inside = links.partition_point(|link| link.start < string.end);
                    if before < inside {
                        self.hold(text, string, &links[before..inside], holder, depth);
                    }
                    links = &links[inside..];
                }
                Search::Misfit(misfit) => {
                    at = misfit.after;
                    self.unsure.push(misfit.start..misfit.until.min(text.len()));
                }
                Search::Nothing | Search::More(_) => return,
            }
        }
    }

    /// Takes a string that holds links.
    fn hold(&mut self, text: &[u8], string: Counted, links: &[Range<usize>], holder: Option<usize>, depth: usize) {
        if depth == DEEPEST {
            return self.unsure.push(string.start..string.end);
        }
        let (body, index) = (string.body.clone(), self.strings.len());
        self.strings.push(Held { string, holder, growth: 0 });
        self.find(&text[..body.end], body.start, links, Some(index), depth + 1);
    }

    /// Has all lengths around a link follow its edits.
    ///
    /// # Errors
    /// The link may belong to a string of which it cannot be told where it ends, or what the edits mean in it.
    pub(super) fn follow(&mut self, text: &[u8], link: &Range<usize>, edits: &[Edit]) -> Result<(), Reject> {
        if edits.is_empty() {
            return Ok(());
        }
        let before = self.unsure.partition_point(|range| range.start < link.end);
        if self.unsure[..before].last().is_some_and(|range| range.end > link.start) {
            return Err(unsure());
        }
        let mut growths = Vec::new();
        let mut around = self.innermost(link);
        while let Some(index) = around {
            let Held { string, holder, .. } = &self.strings[index];
            let whole = string.body.start <= link.start && link.end <= string.body.end;
            let mut ways = string.escapes.iter().map(|escapes| {
                let count = |bytes: &[u8]| escapes.count(bytes) as isize;
                edits.iter().map(|(range, new)| count(new.as_bytes()) - count(&text[range.clone()])).sum::<isize>()
            });
            match ways.next() {
                Some(growth) if whole && ways.all(|other| other == growth) => growths.push((index, growth)),
                _ => return Err(unsure()),
            }
            around = *holder;
        }
        growths.into_iter().for_each(|(index, growth)| self.strings[index].growth += growth);
        Ok(())
    }

    /// The string that holds a link and no other string that does.
    fn innermost(&self, link: &Range<usize>) -> Option<usize> {
        // Whatever holds the link holds the last string that begins before its end, or is that string.
        let mut at = self.strings.partition_point(|held| held.string.start < link.end).checked_sub(1);
        while let Some(index) = at {
            if self.strings[index].string.end > link.start {
                break;
            }
            at = self.strings[index].holder;
        }
        at
    }

    /// The new lengths.
    pub(super) fn edits(mut self) -> Vec<Edit> {
        let mut edits = Vec::new();
        // A length that has more digits makes what holds it longer: from the inside out.
        for index in (0..self.strings.len()).rev() {
            let Held { string, holder, growth } = &self.strings[index];
            let new = string.length.saturating_add_signed(*growth).to_string();
            let longer = new.len() as isize - string.number.len() as isize;
            let (number, mut around) = (string.number.clone(), *holder);
            if *growth == 0 {
                continue;
            }
            edits.push((number, new));
            while let Some(outer) = around {
                self.strings[outer].growth += longer;
                around = self.strings[outer].holder;
            }
        }
        edits
    }
}

fn unsure() -> Reject {
    let message = "the link is left alone: it may be part of a serialized string (s:N:\"...\") before it whose length does not \
                   fit, so the right length after a change is unknown";
    Reject::whole(Code::Link, message)
}
