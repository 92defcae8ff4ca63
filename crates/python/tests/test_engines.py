"""Engines that call the package: Polars, DuckDB, batches of Arrow."""

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gridmill
import gridmill.batches
import gridmill.duckdb
import gridmill.polars
import gridmill.spark

BOARDS = gridmill.gen(5000, seed=5, mix="clues", format="plain").to_pylist()
ROWS = [None if row % 100 == 7 else "bad" if row % 100 == 8 else board for row, board in enumerate(BOARDS)]
NEW = gridmill.convert(ROWS, errors="null").to_pylist()
VERDICT = gridmill.validate(pl.Series(ROWS[:1])).dtype


def test_polars() -> None:
    frame = pl.DataFrame({"board": ROWS})
    convert = gridmill.polars.convert(errors="null")
    column = pl.col("board").map_batches(convert, return_dtype=pl.String, is_elementwise=True)
    assert frame.select(column)["board"].to_list() == NEW
    assert frame.lazy().select(column).collect()["board"].to_list() == NEW
    assert frame.lazy().select(column).collect(engine="streaming")["board"].to_list() == NEW
    solve = pl.col("board").map_batches(gridmill.polars.solve(), return_dtype=pl.String, is_elementwise=True)
    assert frame.select(solve)["board"].to_list() == gridmill.solve(ROWS).to_pylist()
    validate = pl.col("board").map_batches(gridmill.polars.validate(), return_dtype=VERDICT, is_elementwise=True)
    verdicts = frame.lazy().select(validate.struct.field("ok")).collect()
    assert verdicts["ok"].to_list() == [verdict["ok"] for verdict in gridmill.validate(ROWS).to_pylist()]
    with pytest.raises(Exception, match="row 8"):
        strict = pl.col("board").map_batches(gridmill.polars.convert(), return_dtype=pl.String, is_elementwise=True)
        frame.select(strict)


@pytest.mark.parametrize("source", ["table", "frame", "file"])
def test_duckdb(source: str, tmp_path: pytest.TempPathFactory) -> None:
    table = pa.table({"id": range(len(ROWS)), "board": ROWS})
    boards: object = table
    name = "boards"
    if source == "frame":
        boards = pl.DataFrame(table)
    if source == "file":
        name = f"'{tmp_path}/boards.parquet'"
        pq.write_table(table, name.strip("'"), row_group_size=1000)
    connection = duckdb.connect()
    if source != "file":
        connection.register("boards", boards)
    gridmill.duckdb.register(connection)
    rows = connection.sql(f"select id, gridmill_convert(board) from {name} order by id").fetchall()
    assert [new for _, new in rows] == NEW
    verdicts = connection.sql(f"select id, gridmill_validate(board).ok from {name} order by id").fetchall()
    assert [ok for _, ok in verdicts] == [verdict["ok"] for verdict in gridmill.validate(ROWS).to_pylist()]
    solved = connection.sql(f"select count(gridmill_solve(board)) from {name}").fetchall()
    assert solved[0][0] == 5000 - gridmill.solve(ROWS).null_count


def test_reports_have_no_place_here() -> None:
    table = pa.table({"board": ROWS})
    for call in (
        lambda: gridmill.batches.convert(table, column="board", errors="report"),
        lambda: gridmill.polars.convert(errors="report"),
        lambda: gridmill.duckdb.register(duckdb.connect(), errors="report"),
        lambda: gridmill.spark.convert(errors="report"),
        lambda: gridmill.spark.mapper("board", errors="report"),
    ):
        with pytest.raises(ValueError, match="errors must be one of raise, null, keep, not 'report'"):
            call()


def test_batches_of_nothing_but_nulls() -> None:
    table = pa.table({"id": [1, 2], "board": pa.nulls(2)})
    new = gridmill.batches.convert(table, column="board")
    assert new.schema.field("board").type == pa.string() and new["board"].to_pylist() == [None, None]
    assert gridmill.batches.solve(table, column="board")["solution"].to_pylist() == [None, None]


def test_batches() -> None:
    for batch in (pa.table({"id": range(len(ROWS)), "board": ROWS}), pa.record_batch({"board": ROWS})):
        new = gridmill.batches.convert(batch, column="board", errors="null")
        assert new.column("board").to_pylist() == NEW and new.schema.names == batch.schema.names
        both = gridmill.batches.solve(batch, column="board")
        assert both.schema.names == [*batch.schema.names, "solution"]
        assert both.column("solution").to_pylist() == gridmill.solve(ROWS).to_pylist()
        assert "verdict" in gridmill.batches.validate(batch, column="board").schema.names
        with pytest.raises(ValueError, match="already"):
            gridmill.batches.solve(both, column="board")


def test_batches_keep_the_field() -> None:
    field = pa.field("board", pa.string(), nullable=False, metadata={"unit": "board"})
    table = pa.table([pa.array(BOARDS[:2])], schema=pa.schema([field], metadata={"of": "table"}))
    for batch in (table, table.to_batches()[0]):
        new = gridmill.batches.convert(batch, column="board")
        assert new.schema.equals(batch.schema, check_metadata=True) and new.column("board").to_pylist() != BOARDS[:2]
        # Whatever the strings are, all batches have one schema.
        new = gridmill.batches.convert(batch, column="board", errors="null")
        assert new.schema.field("board").nullable and new.schema.field("board").metadata == field.metadata
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    with pytest.raises(TypeError, match="RecordBatchReader, pass each batch"):
        gridmill.batches.convert(reader, column="board")


def test_duckdb_functions_are_replaced() -> None:
    connection = duckdb.connect()
    for to in ("v2", "plain"):
        gridmill.duckdb.register(connection, to)
        found = connection.sql("select gridmill_convert(repeat('.', 81))").fetchall()
        assert found == [(gridmill.convert(["." * 81], to)[0].as_py(),)]
    with pytest.raises(ValueError, match="registered with another connection"):
        gridmill.duckdb.register(connection.cursor())
    assert connection.sql("select gridmill_convert(repeat('.', 81))").fetchall() == [("0" * 81,)]
