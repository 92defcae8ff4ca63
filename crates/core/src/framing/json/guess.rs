//! Finds where the strings are in JSON lines.

use std::collections::BTreeMap;

use serde_json::Value;

use super::JSONL;
use crate::formats::is_string;
use crate::framing::contents::{Contents, beside, looks_like_board};
use crate::framing::place::{Guess, NamedPlace, Unsure, only};
use crate::framing::puzzle_names::names_puzzles;

/// JSON lines with strings at one pointer. If the extension says that they are JSON lines (`named`), lines may also be
/// arrays, or invalid.
pub(in crate::framing) fn guess(lines: &[&[u8]], named: bool, place: &NamedPlace) -> Option<Result<Guess, Unsure>> {
    if !named && !lines.first()?.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let mut found: BTreeMap<String, Contents> = BTreeMap::new();
    // Lines without a string are no evidence.
    let mut evidence = 0;
    for line in lines {
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(_) if named => continue,
            Err(_) => return None,
        };
        evidence += usize::from(find(&value, "", &mut found));
    }
    let has_strings = |contents: &Contents| contents.strings() > 0 && contents.strings() == evidence;
    let is_named = |pointer: &&String| place.field.is_none_or(|field| field == *pointer);
    let pointers = found.iter().filter(|(_, contents)| has_strings(contents)).map(|(pointer, _)| pointer);
    let pointers: Vec<String> = pointers.filter(is_named).cloned().collect();
    let guess = only(pointers, String::clone, |field| Guess { field: Some(field), ..Guess::of(JSONL.name) })?;
    let Ok(mut guess) = guess else { return Some(guess) };
    let Some(chosen) = guess.field.clone().filter(|_| place.field.is_none()) else { return Some(Ok(guess)) };
    let named = |(pointer, contents): (String, Contents)| {
        let is_named = is_named_beside(&pointer, &chosen);
        (pointer, contents.named(is_named))
    };
    let found: BTreeMap<String, Contents> = found.into_iter().map(named).collect();
    let others = found.iter().filter(|(pointer, _)| **pointer != chosen);
    let others = others.map(|(pointer, contents)| (pointer.clone(), contents));
    let decided = beside((chosen.clone(), &found[&chosen]), &mut guess, others, place.puzzles);
    Some(decided.map(|()| guess))
}

/// Whether the name that tells a pointer from the chosen one says that puzzles are there. The chosen one is told from the
/// document itself.
fn is_named_beside(pointer: &str, chosen: &str) -> bool {
    let other = if pointer == chosen { "" } else { chosen };
    let shared = pointer.split('/').zip(other.split('/')).take_while(|(one, two)| one == two).count();
    pointer.split('/').nth(shared).is_some_and(names_puzzles)
}

/// Adds what is at the pointers of a value. Returns whether there is a string, or an array of strings.
fn find(value: &Value, at: &str, found: &mut BTreeMap<String, Contents>) -> bool {
    let mut add = |text: &str| found.entry(at.into()).or_default().add(text.as_bytes());
    match value {
        Value::String(text) if text.is_empty() => {
            found.entry(at.into()).or_default();
            false
        }
        Value::Null => {
            found.entry(at.into()).or_default();
            false
        }
        Value::String(text) => {
            add(text);
            is_string(text.as_bytes())
        }
        Value::Number(number) => {
            add(&number.to_string());
            false
        }
        Value::Array(list) => {
            let strings = list.iter().filter_map(Value::as_str).filter(|text| is_string(text.as_bytes()));
            let first = strings.clone().next();
            // One that is damaged does not make it another list.
            if let Some(first) = first.filter(|_| strings.count() * 5 >= list.len() * 4) {
                add(first);
                return true;
            }
            let text = value.to_string();
            if first.is_none() && looks_like_board(text.as_bytes()) {
                add(&text);
                return false;
            }
            let elements = list.iter().enumerate();
            elements.fold(false, |any, (number, value)| find(value, &format!("{at}/{number}"), found) || any)
        }
        Value::Object(object) => object.iter().fold(false, |any, (key, value)| {
            find(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found) || any
        }),
        _ => false,
    }
}
