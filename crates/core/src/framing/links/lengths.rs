//! Updates the lengths of serialized strings that contain links, since they change with the links.

use std::ops::Range;

use super::read::Edit;
use super::serialized::{SearchResult, SerializedString, next};
use crate::error::{Code, Reject};

/// The limit for strings nested in strings.
const DEEPEST: usize = 16;

/// The serialized strings of a text that contain links to be changed.
#[derive(Default)]
pub(super) struct Lengths {
    /// Strings with the right length, ordered by their first bytes.
    strings: Vec<Holder>,
    /// Ordered, disjoint ranges that may belong to strings with a wrong length.
    uncertain: Vec<Range<usize>>,
}

/// Where a string is among the strings that contain links.
#[derive(Clone, Copy)]
struct Nesting {
    /// The index of the string that it is in, if it is in one.
    holder: Option<usize>,
    /// The number of strings that it is in.
    depth: usize,
}

/// A serialized string that contains links.
struct Holder {
    string: SerializedString,
    /// The index of the string that contains it.
    holder: Option<usize>,
    /// The change of its value's length in bytes.
    growth: isize,
}

impl Lengths {
    /// Finds the strings that contain any of `links`, which are in order. The first `uncertain` bytes of the text may
    /// belong to an earlier string.
    pub(super) fn around(text: &[u8], uncertain: usize, links: &[Range<usize>]) -> Self {
        let mut lengths = Self::default();
        if uncertain > 0 {
            lengths.uncertain.push(0..uncertain);
        }
        lengths.find(text, 0, links, Nesting { holder: None, depth: 0 });
        lengths.uncertain.sort_by_key(|range| range.start);
        lengths.uncertain.dedup_by(|next, range| {
            let overlaps = next.start <= range.end;
            range.end = if overlaps { range.end.max(next.end) } else { range.end };
            overlaps
        });
        lengths
    }

    /// Finds the strings that begin in `text` from `from` on and contain links, and the strings nested in them.
    fn find(&mut self, text: &[u8], from: usize, links: &[Range<usize>], nesting: Nesting) {
        let (mut at, mut links) = (from, links);
        while let Some(last) = links.last()
            && at < last.start
        {
            match next(text, at..last.start, true) {
                SearchResult::String(string) => {
                    at = string.end;
                    let before = links.partition_point(|link| link.end <= string.start);
                    let inside = links.partition_point(|link| link.start < string.end);
                    if before < inside {
                        self.add(text, string, &links[before..inside], nesting);
                    }
                    links = &links[inside..];
                }
                SearchResult::Misfit(misfit) => {
                    at = misfit.after;
                    self.uncertain.push(misfit.start..misfit.until.min(text.len()));
                }
                SearchResult::Nothing | SearchResult::More(_) => return,
            }
        }
    }

    /// Adds a string that contains links.
    fn add(&mut self, text: &[u8], string: SerializedString, links: &[Range<usize>], nesting: Nesting) {
        let Nesting { holder, depth } = nesting;
        if depth == DEEPEST {
            return self.uncertain.push(string.start..string.end);
        }
        let (body, index) = (string.body.clone(), self.strings.len());
        self.strings.push(Holder { string, holder, growth: 0 });
        self.find(&text[..body.end], body.start, links, Nesting { holder: Some(index), depth: depth + 1 });
    }

    /// Updates the lengths of all strings that contain a link, for the edits of this link.
    ///
    /// # Errors
    /// The link may belong to a string whose end is uncertain, or in which it is uncertain for how many bytes the edits
    /// stand.
    pub(super) fn apply(&mut self, text: &[u8], link: &Range<usize>, edits: &[Edit]) -> Result<(), Reject> {
        if edits.is_empty() {
            return Ok(());
        }
        let before = self.uncertain.partition_point(|range| range.start < link.end);
        if self.uncertain[..before].last().is_some_and(|range| range.end > link.start) {
            return Err(uncertain());
        }
        let mut growths = Vec::new();
        let mut around = self.innermost(link);
        while let Some(index) = around {
            let Holder { string, holder, .. } = &self.strings[index];
            let whole = string.body.start <= link.start && link.end <= string.body.end;
            let mut ways = string.escapes.iter().map(|escapes| {
                let count = |bytes: &[u8]| escapes.count(bytes) as isize;
                edits.iter().map(|(range, new)| count(new.as_bytes()) - count(&text[range.clone()])).sum::<isize>()
            });
            match ways.next() {
                Some(growth) if whole && ways.all(|other| other == growth) => growths.push((index, growth)),
                _ => return Err(uncertain()),
            }
            around = *holder;
        }
        growths.into_iter().for_each(|(index, growth)| self.strings[index].growth += growth);
        Ok(())
    }

    /// The innermost string that contains a link.
    fn innermost(&self, link: &Range<usize>) -> Option<usize> {
        // Every string that contains the link contains the last string that begins before its end, or is that string.
        let mut at = self.strings.partition_point(|held| held.string.start < link.end).checked_sub(1);
        while let Some(index) = at {
            if self.strings[index].string.end > link.start {
                break;
            }
            at = self.strings[index].holder;
        }
        at
    }

    /// The edits that set the new lengths.
    pub(super) fn edits(mut self) -> Vec<Edit> {
        let mut edits = Vec::new();
        // Inner strings come first, since a length with more digits makes the strings around it longer.
        for index in (0..self.strings.len()).rev() {
            let Holder { string, holder, growth } = &self.strings[index];
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

fn uncertain() -> Reject {
    let message = "the link is left alone: it may be part of a serialized string (s:N:\"...\") before it whose length does not \
                   fit, so the right length after a change is unknown";
    Reject::whole(Code::Link, message)
}
