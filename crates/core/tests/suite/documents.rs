//! The examples in the documents of the formats: the strings of the Str8ts page and of the wolfram note.

use gridmill_core::board::{Cell, FillCandidates, Kind, fill_candidates};
use gridmill_core::formats::{DecodedString, Evidence, Format, Hints, Layout, read_one, write_one};

/// The example of the Str8ts page, and its v2 string.
const STR8TS: &str = "0vo03c0vc0js0vk0us0vg0021030ro03c1rc1js1rk1qs1rg0410q010100h0vc0jc0v40uc0v00q00u00uo0020021i81sk013002\
                  0q00s00p00q000j0021v41u80740020020ng0m01n00810091mk07k01g0jk0u01010u00m00u000200901g01k0v00u000206007g0\
                  6807g00503o0070u01v01m01vg0eg07g00803g";
const STR8TS_V2: &str = "T9B7u1j7r577t7n7s0a0j6y1jdzcbe1dve0066k09037r537p7j7o6k7g7m0a0abye90e0a6k706c6k0d0aetem2d0a0a605od00\
                     702cx2h14557g097g5o7g0a0214157o7g0a242g262g011m0b7gescsew402g0l1k";
/// The clues and black cells that the page shows beside it, in the older format.
const STR8TS_PLAIN: &str = "000000009000000060930000000000004000003000000000720000090000200000000010100000020000000011000000000\
                        000000000011001100001100011000000000000001000001000000100000000";

/// The example of the wolfram note, and its v2 string.
const WOLFRAM: &str = "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||||v1X6ibxszaEMven0GdI524QPixLTK";
const WOLFRAM_V2: &str = "X9B0002000900000000000000090802000000000000000000050000000003000000000000000000000004000701000000000\
                     00000000000000900070001030000000000000000000001000702000500000000";
/// The candidates that the note prints for it, of the cells without a clue, in reading order.
const WOLFRAM_CANDIDATES: &str = "15678,1345678,1367,3467,14568,345678,35678,134567,156,3467,1456,3567,34567,134678,1468,1678,\
                             1346,1367,12689,2346789,2346789,12456789,145678,1256,16789,26789,245689,245689,245689,25689,\
                             568,568,2356,23689,235689,12456789,14568,145678,12356,136789,26789,245689,2345689,2345689,\
                             4568,568,68,24568,24568,34568,568,34568,2346,3689,234689,245689,256789,1368,346,34689,4689,\
                             4689,689";

fn read(text: &str) -> DecodedString {
    read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default()).unwrap_or_else(|r| panic!("{text}: {r}"))
}

#[test]
fn the_str8ts_page_shows_a_board_that_v2_holds() {
    let one = read(STR8TS);
    assert_eq!((one.form.id, one.form.shape.kind, one.form.layout), (Format::V1, Kind::Str8ts, Layout::Site));
    assert_eq!(write_one(&one.batch, 0, Format::V2).unwrap(), STR8TS_V2);
    assert_eq!(write_one(&one.batch, 0, Format::V1).unwrap(), STR8TS);
    let back = read(STR8TS_V2);
    assert_eq!((back.form.id, back.form.layout), (Format::V2, Layout::Spec));
    assert_eq!(write_one(&back.batch, 0, Format::V1).unwrap(), STR8TS);
    // The older string beside it has the same digits and colours, with every digit as a clue.
    let older = read(STR8TS_PLAIN);
    let differing: Vec<usize> = (0..81)
        .filter(|&i| {
            let (cell, older) = (one.batch.cell(0, i), older.batch.cell(0, i));
            assert_eq!((cell.digit(), cell.is_black()), (older.digit(), older.is_black()), "cell {i}");
            cell != older && !matches!(cell, Cell::Candidates(_))
        })
        .collect();
    assert_eq!(differing, [79]);
}

#[test]
fn the_wolfram_note_shows_a_sudoku_x_and_its_candidates() {
    for from in [None, Some(Format::Wolfram)] {
        let one = read_one(WOLFRAM.as_bytes(), from, &Hints::default(), &Evidence::default()).unwrap();
        assert_eq!((one.form.id, one.form.shape.kind), (Format::Wolfram, Kind::SudokuX));
        assert_eq!((0..81).filter(|&i| matches!(one.batch.cell(0, i), Cell::Clue(_))).count(), 18);
        assert_eq!(write_one(&one.batch, 0, Format::V2).unwrap(), WOLFRAM_V2);
        assert_eq!(write_one(&one.batch, 0, Format::Wolfram).unwrap(), WOLFRAM);
    }
    let mut one = read(WOLFRAM_V2);
    assert_eq!(WOLFRAM.len(), 77);
    assert_eq!(write_one(&one.batch, 0, Format::Wolfram).unwrap(), WOLFRAM);
    assert_eq!(fill_candidates(&mut one.batch, 0, FillCandidates::Auto), 0);
    let digits = |mask: u32| (1..=9).filter(|d| mask >> (d - 1) & 1 == 1).map(|d| d.to_string()).collect::<String>();
    let lists: Vec<String> = (0..81)
        .filter_map(|i| match one.batch.cell(0, i) {
            Cell::Candidates(mask) => Some(digits(mask)),
            Cell::Clue(_) => None,
            other => panic!("cell {i}: {other:?}"),
        })
        .collect();
    assert_eq!(lists.len(), 63);
    assert_eq!(lists.join(","), WOLFRAM_CANDIDATES);
    // It is also written with its candidates.
    let text = write_one(&one.batch, 0, Format::Wolfram).unwrap();
    assert_eq!(write_one(&read(&text).batch, 0, Format::Wolfram).unwrap(), text);
}
