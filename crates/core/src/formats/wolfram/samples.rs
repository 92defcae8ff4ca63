//! Good and bad wolfram strings.

use crate::board::Kind;
use crate::error::Code;
use crate::formats::samples::{BadSample, Good, Samples};

/// The clues of the published example.
const CLUES: &str = "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq";

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good::same(Kind::SudokuX, "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||||v1X6ibxszaEMven0GdI524QPixLTK"),
        Good::same(Kind::Sudoku, CLUES),
        Good::same(Kind::Sudoku, "0"),
        Good {
            kind: Kind::Sudoku,
            text: "003MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||2gF&GRM||",
            canonical: Some(CLUES),
        },
    ],
    bad: &[
        BadSample { text: "|||||", code: Code::Length, cell: None },
        BadSample { text: "|1", code: Code::Length, cell: None },
        BadSample { text: "3MNXsj J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq", code: Code::Digit, cell: None },
        BadSample { text: "&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&", code: Code::Range, cell: None },
        BadSample { text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq|1", code: Code::Length, cell: None },
        BadSample { text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq|d1", code: Code::Digit, cell: None },
        BadSample {
            text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq|!x3UMLcsebwplBkgqJjo1Mc0maZp9&56p8BxotHPEBbdN#7#2baNzqS8C3eKcPLcx\
                   #a3A2IqCvZgnLSnQA4dcCRQqJwIQla78%uTx3aORE$ED&XdSTtkOluaYCMp!Hr7arqd$SdQhrKo5",
            code: Code::Range,
            cell: Some((1, 5)),
        },
        BadSample {
            text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||113L7Qdq",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample { text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||1WBFxF", code: Code::Region, cell: None },
        BadSample { text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq|||1fEDQ0K0M", code: Code::Length, cell: None },
        BadSample { text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||||VTex@&pcfo", code: Code::Range, cell: None },
        BadSample {
            text: "3MNXsj$J&STcAWTgnzOv2ltC5VkxxNH#fJULJdkyryNq||||2wMHtIZeey",
            code: Code::Region,
            cell: None,
        },
    ],
};
