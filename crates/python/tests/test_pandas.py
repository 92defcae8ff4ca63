"""Series and frames of pandas, of the third version and, beside Spark, of the second."""

import pandas as pd
import pyarrow as pa
import pytest

import gridmill

PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
V2 = gridmill.convert([PUZZLE])[0].as_py()
ROWS = [PUZZLE, None, "", PUZZLE]
NEW = [V2, None, "", V2]


@pytest.mark.parametrize(
    "dtype",
    [object, "str", "string", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string()), "category"],
    ids=str,
)
def test_pandas(dtype: object) -> None:
    series = pd.Series(ROWS, dtype=dtype, index=[3, 5, 7, 9], name="board")
    new = gridmill.convert(series)
    assert [None if gone else board for board, gone in zip(new, new.isna(), strict=True)] == NEW
    assert list(new.index) == [3, 5, 7, 9] and new.name == "board"
    assert new.dtype == series.dtype or dtype == "category" and new.dtype.name == "category"
    verdicts = gridmill.validate(series)
    assert isinstance(verdicts, pd.DataFrame) and list(verdicts.index) == [3, 5, 7, 9]
    assert verdicts["ok"].tolist() == [True, None, None, True]
