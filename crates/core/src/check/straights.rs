//! Str8ts: every white run is, or can still become, a set of consecutive digits that occur nowhere else in its line.

use super::Problems;
use super::sums::list;
use crate::board::{Mask, RuledBoard, bit};
use crate::error::Code;

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    for (line, run) in board.runs() {
        if let Some(words) = fault(board, line, &run, found) {
            found.problem(Code::Straight, run[0].into(), words);
        }
    }
}

fn fault(board: &RuledBoard, line: &[u16], run: &[u16], found: &Problems) -> Option<String> {
    let digits = |cells: &mut dyn Iterator<Item = u16>| {
        cells.fold(0, |union, cell| union | bit(board.digits[usize::from(cell)]))
    };
    let inside = digits(&mut run.iter().copied());
    let outside = digits(&mut line.iter().copied().filter(|cell| !run.contains(cell)));
    let window: Mask = (1 << run.len()) - 1;
    let fits = |from: usize| {
        let window = window << from;
        inside & !window == 0 && outside & window == 0
    };
    if (0..=board.side - run.len()).any(fits) {
        return None;
    }
    let ends = format!("{} to {}", found.at(run[0].into()), found.at(run[run.len() - 1].into()));
    let placed: Vec<u8> = run.iter().map(|&cell| board.digits[usize::from(cell)]).filter(|&digit| digit != 0).collect();
    let held = if placed.is_empty() { "has no digits yet".to_string() } else { format!("has {}", list(&placed)) };
    let others: Vec<u8> = (1..=board.side as u8).filter(|&digit| outside & bit(digit) != 0).collect();
    let others =
        if others.is_empty() { String::new() } else { format!(", and its line has {} elsewhere", list(&others)) };
    Some(format!("the run {ends} cannot become {} consecutive digits: it {held}{others}", run.len()))
}
