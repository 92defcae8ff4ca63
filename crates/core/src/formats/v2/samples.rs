//! Good and bad v2 strings.

use crate::board::Kind;
use crate::error::Code;
use crate::formats::samples::{BadSample, Good, Samples};

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good::same(
            Kind::Sudoku,
            "S9B015y2e685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w9i102e020a089e03050f9e0d\
             5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id205",
        ),
        Good::same(
            Kind::SudokuX,
            "X9B0002000900000000000000090802000000000000000000050000000003000000000000000000000004000701000000000000000000\
             00000900070001030000000000000000000001000702000500000000",
        ),
        Good {
            kind: Kind::Windoku,
            text: "w9bEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEPEP0aEjEjEjEjEjEjEjE\
                   jEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEjEj09",
            canonical: Some(
                "W9Bepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepepep0aejejejejejejeje\
                 jejejejejejejejejejejejejejejejejejejejejejejejejejejejejejejej09",
            ),
        },
        // Six of its cages have no sum.
        Good::same(
            Kind::Killer,
            "L6B9hc9hc6bk6bk0sg0000009hc35s35s6bk00000035s35s6bk6bk3cw6bk6bk35s16o6bkb5seio6bkcn40000009hccn4cn4cn49hc9hc9hc",
        ),
    ],
    bad: &[
        BadSample { text: "S9", code: Code::Length, cell: None },
        BadSample { text: "S9B01", code: Code::Length, cell: None },
        BadSample { text: "S7B01", code: Code::Header, cell: None },
        BadSample { text: "K6B02ff00cr5oaz01jf5r2j", code: Code::Header, cell: None },
        BadSample { text: "V9X00", code: Code::Header, cell: None },
        BadSample {
            text: "S9B015y2e685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w9i102e020a089e03050f9e\
                   0d5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id2eq",
            code: Code::Range,
            cell: Some((9, 9)),
        },
        BadSample {
            text: "S9B015y2-685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w9i102e020a089e03050f9e\
                   0d5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id205",
            code: Code::Digit,
            cell: Some((1, 3)),
        },
    ],
};

/// Str8ts strings whose own contents decide their layout.
pub(super) const STR8TS: Samples = Samples {
    good: &[Good::same(
        Kind::Str8ts,
        "T9B7u1j7r577t7n7s0a0j6y1jdzcbe1dve0066k09037r537p7j7o6k7g7m0a0abye90e0a6k706c6k0d0aetem2d0a0a605od00702c\
             x2h14557g097g5o7g0a0214157o7g0a242g262g011m0b7gescsew402g0l1k",
    )],
    bad: &[],
};
