//! Reads puzzles of KSudoku, which are XML.

use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralCage, NeutralRegions, unsupported};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::text::decimal;
use super::xml::{XmlElement, elements};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject, escape};

/// The format `ksudoku`.
pub(super) struct Ksudoku;

static ABOUT: About = About {
    id: Format::Ksudoku,
    name: "ksudoku",
    summary: "a puzzle of KSudoku: XML with cliques and cages",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, windoku, jigsaw, killer, killer-jigsaw, kenken, kendoku",
        body: "the element `ksudoku`, on one line or in a file",
        length: "any",
    }],
};

/// The name of the first element.
const ROOT: &[u8] = b"ksudoku";
/// No puzzle has more cells in its cliques and cages.
const MOST_CELLS: usize = 1 << 16;

impl Notation for Ksudoku {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        let begin = &text[..text.len().min(1024)];
        begin.trim_ascii_start().starts_with(b"<") && elements(begin).next().is_some_and(|root| root.name == ROOT)
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let mut graph = None;
        let mut values = None;
        let mut is_in_graph = false;
        let mut parts = Vec::new();
        let mut last = None;
        let mut is_in_history = false;
        for (at, element) in elements(text).enumerate() {
            last = Some(element);
            match element.name {
                name if at == 0 && name != ROOT => {
                    return Err(Reject::whole(Code::Header, "its first element is not ksudoku"));
                }
                b"graph" if graph.replace(element).is_some() => return Err(twice("graph")),
                b"graph" => is_in_graph = true,
                b"/graph" => is_in_graph = false,
                b"values" if values.replace(element.content()).is_some() => return Err(twice("values")),
                b"values" => {}
                b"history" => is_in_history = true,
                b"/history" => is_in_history = false,
                name if is_in_history && !name.starts_with(b"/") => {
                    let words =
                        "a saved game with moves, of which gridmill reads only the puzzle before the first move";
                    return Err(Reject::whole(Code::Unsupported, words));
                }
                name if is_in_graph && !name.starts_with(b"/") => parts.push(element),
                _ => {}
            }
        }
        let missing = |what: &str| Reject::whole(Code::Length, format!("it has no {what}"));
        let graph = graph.ok_or_else(|| missing("graph"))?;
        let values = values.ok_or_else(|| missing("values"))?;
        if last.is_none_or(|last| last.name != b"/ksudoku" || !last.content().trim_ascii().is_empty()) {
            return Err(Reject::whole(Code::Length, "it does not end with </ksudoku>"));
        }
        read_puzzle(&graph, &parts, values.trim_ascii())?.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[
            Kind::Sudoku,
            Kind::SudokuX,
            Kind::Windoku,
            Kind::Jigsaw,
            Kind::Killer,
            Kind::KillerJigsaw,
            Kind::KenKen,
            Kind::KenDoku,
        ])
    }
}

fn twice(what: &str) -> Reject {
    Reject::whole(Code::Header, format!("it has two elements {what}"))
}

/// The number of an attribute.
fn number(element: &XmlElement, name: &str) -> Option<u32> {
    element.attribute(name).and_then(|value| decimal(value.trim_ascii()))
}

fn read_puzzle(graph: &XmlElement, parts: &[XmlElement], values: &[u8]) -> Result<NeutralBoard, Reject> {
    let wrong = |words: &str| Reject::whole(Code::Range, words.to_string());
    let side = number(graph, "order").ok_or_else(|| wrong("the graph has no order"))? as usize;
    let kind = graph.attribute("type").unwrap_or_default();
    let size = |name: &str| if graph.attribute(name).is_some() { number(graph, name) } else { Some(side as u32) };
    if kind == b"roxdoku" || graph.attribute("sizeZ").is_some_and(|size| size != b"1") {
        return Err(unsupported("a puzzle of three dimensions"));
    }
    if size("sizeX") != Some(side as u32) || size("sizeY") != Some(side as u32) {
        return Err(unsupported("a board that is no square of one group"));
    }
    let mut board = NeutralBoard::new(side)?;
    if values.len() != side * side {
        let words = format!("{} values, expected {}", values.len(), side * side);
        return Err(Reject::whole(Code::Length, words));
    }
    // The cells are numbered column by column.
    let turned = |at: usize| at % side * side + at / side;
    for (at, &value) in values.iter().enumerate() {
        board.cells[turned(at)].given = match value {
            b'_' => 0,
            b'b'..=b'z' => value - b'a',
            _ => {
                let words = format!("'{}' is no value of a cell", escape(&[value]));
                return Err(Reject::at(Code::Digit, turned(at), side, words));
            }
        };
    }
    let mut has_boxes = kind == b"sudoku";
    let mut cliques = Vec::new();
    let specific = graph.attribute("specific-type").unwrap_or_default();
    let mut cells_left = MOST_CELLS;
    for part in parts {
        let mut cells = || read_cells(part, side, &mut cells_left, turned);
        match part.name {
            b"sudokugroups" => has_boxes |= part.attribute("withblocks").is_none_or(|with| with == b"1"),
            b"clique" => cliques.push(cells()?),
            b"cage" => {
                let operator = operator(part)?;
                let clue = Some(number(part, "value").ok_or_else(|| wrong("a cage has no value"))?);
                board.cages.push(NeutralCage { cells: cells()?, clue, operator });
            }
            name => board.refuse(format!("unknown: {}", String::from_utf8_lossy(name))),
        }
    }
    board.arithmetic = specific == b"Mathdoku";
    if !board.arithmetic {
        // The cages of killers have the operator of sums, or none.
        if board.cages.iter().any(|cage| cage.operator > 1) {
            board.refuse("cages with operators in a puzzle that is no Mathdoku");
        }
        board.cages.iter_mut().for_each(|cage| cage.operator = 0);
    }
    board.regions = if has_boxes { NeutralRegions::Boxes } else { NeutralRegions::None };
    take_cliques(&mut board, cliques);
    Ok(board)
}

/// The operator of a cage, as version 2 has it.
fn operator(cage: &XmlElement) -> Result<u16, Reject> {
    Ok(match cage.attribute("operator").as_deref() {
        None | Some(b"0") => 0,
        Some(b"1") => 4,
        Some(b"2") => 2,
        Some(b"3") => 3,
        Some(b"4") => 1,
        _ => return Err(Reject::whole(Code::Operator, "the operator of a cage is none of 0 to 4")),
    })
}

/// The cells of a clique or a cage, in ascending order.
fn read_cells(
    of: &XmlElement,
    side: usize,
    left: &mut usize,
    turned: impl Fn(usize) -> usize,
) -> Result<Vec<u16>, Reject> {
    let content = of.content();
    let mut cells = Vec::new();
    for word in content.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let cell = decimal(word).map(|cell| cell as usize).filter(|&cell| cell < side * side && *left > 0);
        *left = left.saturating_sub(1);
        let cell = cell.ok_or_else(|| Reject::whole(Code::Range, "it names a cell that its board does not have"))?;
        cells.push(turned(cell) as u16);
    }
    cells.sort_unstable();
    cells.dedup();
    Ok(cells)
}

/// Finds out what cliques are: lines, diagonals, regions or other groups.
fn take_cliques(board: &mut NeutralBoard, cliques: Vec<Vec<u16>>) {
    let n = board.side;
    let line = |at: &dyn Fn(usize) -> usize| (0..n).map(|cell| at(cell) as u16).collect::<Vec<_>>();
    let lines: Vec<_> =
        (0..n).flat_map(|number| [line(&|cell| number * n + cell), line(&|cell| cell * n + number)]).collect();
    let falling = line(&|cell| cell * n + cell);
    let rising = line(&|cell| (cell + 1) * n - 1 - cell);
    let mut rest = Vec::new();
    for clique in cliques {
        match clique {
            clique if clique == falling => board.further.falling = true,
            clique if clique == rising => board.further.rising = true,
            clique if lines.contains(&clique) => {}
            clique => rest.push(clique),
        }
    }
    let mut all: Vec<u16> = rest.iter().flatten().copied().collect();
    all.sort_unstable();
    if !rest.is_empty() && board.regions == NeutralRegions::None && all.iter().copied().eq(0..(n * n) as u16) {
        let mut numbers = vec![None; n * n];
        for (number, clique) in rest.iter().enumerate() {
            clique.iter().for_each(|&cell| numbers[usize::from(cell)] = Some(number as u16));
        }
        board.regions = NeutralRegions::Numbers(numbers);
    } else {
        board.further.groups = rest;
    }
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Sudoku,
            "<ksudoku><game><puzzle><graph order=\"9\" type=\"sudoku\"></graph><values>_______g__g_________d___h_b_________bde_j__________b___b_c_e__fi__d_j__g__c_h____</values></puzzle></game></ksudoku>",
        ),
        Good::same(
            Kind::SudokuX,
            "<ksudoku><game><puzzle><graph order=\"9\" type=\"custom\"><sudokugroups at=\"0\" withblocks=\"1\"/><clique size=\"9\">0 10 20 30 40 50 60 70 80</clique><clique size=\"9\">8 16 24 32 40 48 56 64 72</clique></graph><values>b________________________________________________________________________________</values></puzzle></game></ksudoku>",
        ),
        Good::same(
            Kind::KenKen,
            "<ksudoku><game><puzzle><graph order=\"3\" type=\"custom\" specific-type=\"Mathdoku\"><cage operator=\"4\" value=\"3\">0 3</cage><cage operator=\"0\" value=\"2\">6</cage><cage operator=\"1\" value=\"2\">1 2</cage><cage operator=\"3\" value=\"18\">4 5 7 8</cage></graph><values>_________</values></puzzle></game></ksudoku>",
        ),
    ],
    bad: &[
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"9\" type=\"sudoku\"></graph><values>______g__g_________d___h_b_________bde_j__________b___b_c_e__fi__d_j__g__c_h____</values></puzzle></game></ksudoku>",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"9\" type=\"custom\"><sudokugroups at=\"0\" withblocks=\"1\"/><clique size=\"9\">0 10 20 30 40 50 60 70 80</clique></graph><values>_________________________________________________________________________________</values></puzzle></game></ksudoku>",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"9\" type=\"custom\"><sudokugroups at=\"0\" withblocks=\"1\"/><clique size=\"9\">81 10 20 30 40 50 60 70 80</clique><clique size=\"9\">8 16 24 32 40 48 56 64 72</clique></graph><values>b________________________________________________________________________________</values></puzzle></game></ksudoku>",
            code: Code::Range,
            cell: None,
        },
        BadSample {
            text: "<sudoku><game><puzzle><graph order=\"9\" type=\"sudoku\"></graph><values>_______g__g_________d___h_b_________bde_j__________b___b_c_e__fi__d_j__g__c_h____</values></puzzle></game></ksudoku>",
            code: Code::Header,
            cell: None,
        },
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"9\" type=\"sudoku\"></graph><values>A________________________________________________________________________________</values></puzzle></game></ksudoku>",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"9\" type=\"sudoku\" sizeZ=\"9\"></graph><values>_________________________________________________________________________________</values></puzzle></game></ksudoku>",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"3\" type=\"custom\" specific-type=\"Mathdoku\"><cage operator=\"5\" value=\"3\">0 3</cage><cage operator=\"0\" value=\"2\">6</cage><cage operator=\"1\" value=\"2\">1 2</cage><cage operator=\"3\" value=\"18\">4 5 7 8</cage></graph><values>_________</values></puzzle></game></ksudoku>",
            code: Code::Operator,
            cell: None,
        },
        BadSample {
            text: "<ksudoku><game><puzzle><graph order=\"3\" type=\"custom\" specific-type=\"Mathdoku\"><cage operator=\"0\" value=\"3\">0 3</cage><cage operator=\"0\" value=\"2\">6</cage><cage operator=\"1\" value=\"2\">1 2</cage><cage operator=\"3\" value=\"18\">4 5 7 8</cage></graph><values>_________</values></puzzle></game></ksudoku>",
            code: Code::Unsupported,
            cell: None,
        },
    ],
}];
