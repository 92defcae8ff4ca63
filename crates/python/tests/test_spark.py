"""Spark, with two executors in processes of their own. It needs requirements-spark.txt."""

import contextlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from chunks import other_chunks
from test_readme import recipes

import gridmill

pyspark = pytest.importorskip("pyspark")

from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

import gridmill.spark

PROGRAM = Path(__file__).parents[3] / "target/release/gridmill"
BOARDS = gridmill.gen(100_000, seed=5, format="v1").to_pylist()
ROWS = [None if row % 100 == 7 else "bad" if row % 100 == 8 else board for row, board in enumerate(BOARDS)]
SCHEMA = "id long, board string"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which Spark runs, and writes files that have no other place."""
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def spark(folder: Path) -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # As docs/PYTHON.md describes for clusters: executors get the package from an archive, not from their Python.
    shutil.make_archive(str(folder / "gridmill"), "zip", Path(gridmill.__file__).parents[1], "gridmill")
    # snappy-java takes its library for musl if this machine has musl beside glibc: github.com/xerial/snappy-java/issues/692.
    library = f"org/xerial/snappy/native/Linux/{platform.machine()}/libsnappyjava.so"
    with zipfile.ZipFile(next(Path(pyspark.__file__).parent.glob("jars/snappy-java-*.jar"))) as jar:
        of_glibc = f"-Dorg.xerial.snappy.lib.path={Path(jar.extract(library, folder)).parent}"
    settings = {
        "spark.driver.extraJavaOptions": of_glibc,
        "spark.executor.extraJavaOptions": of_glibc,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.local.dir": str(folder / "local"),
        "spark.archives": f"{folder / 'gridmill.zip'}#packages",
        "spark.executorEnv.PYTHONPATH": "packages",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",  # no task before there are both executors
        "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",  # several batches a task
        "spark.sql.files.maxPartitionBytes": "1m",  # several tasks
        "spark.sql.files.openCostInBytes": "0",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings)
    with contextlib.chdir(folder):
        session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def boards(spark: SparkSession, folder: Path) -> DataFrame:
    file = str(folder / "many.parquet")
    pq.write_table(pa.table({"id": range(len(ROWS)), "board": ROWS}), file, row_group_size=5000)
    frame = spark.read.parquet(file)
    frame.createOrReplaceTempView("boards")
    return frame


@pytest.fixture(scope="module")
def by_the_program() -> tuple[int, int]:
    """The number of strings that the program makes of the rows, and the sum of their checksums."""
    lines = "".join(f"{row}\n" for row in ROWS if row is not None)
    done = subprocess.run([PROGRAM, "convert"], input=lines, capture_output=True, text=True, check=False)
    new = done.stdout.splitlines()
    assert len(new) == 98_000, done.stderr
    return len(new), sum(zlib.crc32(line.encode()) for line in new)


def summed(frame: DataFrame) -> tuple[int, int]:
    counted = frame.select(sf.count("board"), sf.sum(sf.crc32("board"))).first()
    assert counted is not None
    return counted[0], counted[1]


def test_batches(spark: SparkSession, boards: DataFrame, by_the_program: tuple[int, int]) -> None:
    converted = gridmill.spark.mapper("board", errors="null")

    def with_worker(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in converted(batches):
            batch = batch.append_column("worker", pa.array([os.getpid()] * len(batch)))
            yield batch.append_column("place", pa.array([gridmill.__file__] * len(batch)))

    new = boards.mapInArrow(with_worker, SCHEMA + ", worker long, place string").cache()
    assert summed(new) == by_the_program
    assert new.count() == len(ROWS)
    assert new.select("worker").distinct().count() == 2
    places = new.select("place").distinct().toArrow()["place"].to_pylist()
    assert all(Path(place).parts[-3] == "packages" for place in places), places
    new.unpersist()


def test_functions(spark: SparkSession, boards: DataFrame, by_the_program: tuple[int, int]) -> None:
    assert summed(boards.select(gridmill.spark.convert()("board").alias("board"))) == by_the_program
    gridmill.spark.register(spark)
    assert summed(spark.sql("select gridmill_convert(board) as board from boards")) == by_the_program
    some = spark.sql(
        "select board, gridmill_validate(board) as verdict, gridmill_solve(board) as solution from boards where id < 300 order by id"
    ).toArrow()
    expected = gridmill.validate(ROWS[:300]).to_pylist()
    assert some["verdict"].to_pylist() == expected
    assert some["solution"].to_pylist() == gridmill.solve(ROWS[:300]).to_pylist()


def test_large_strings_and_options(spark: SparkSession, boards: DataFrame) -> None:
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    gridmill.spark.register(spark, "plain", from_="v1", errors="keep")
    rows = spark.sql("select gridmill_convert(board), gridmill_validate(board).code from boards where id < 300 order by id").collect()
    spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")
    assert [row[0] for row in rows] == gridmill.convert(ROWS[:300], "plain", from_="v1", errors="keep").to_pylist()
    assert [row[1] for row in rows] == [verdict["code"] for verdict in gridmill.validate(ROWS[:300], from_="v1").to_pylist()]


def test_a_refused_string_ends_the_query(boards: DataFrame) -> None:
    first = boards.where("id < 10").coalesce(1)
    with pytest.raises(PythonException, match="RejectError: row 8: "):
        first.mapInArrow(gridmill.spark.mapper("board"), SCHEMA).collect()


def test_an_executor_that_is_killed(boards: DataFrame, by_the_program: tuple[int, int], tmp_path: Path) -> None:
    """An executor is killed once, by a task that has already returned some of its rows."""
    converted = gridmill.spark.mapper("board", errors="null")
    killed = tmp_path / "killed"

    def killing(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number, batch in enumerate(converted(batches)):
            yield batch
            if number == 1 and not killed.exists():
                daemon = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()
                executor = int(daemon[1])
                assert b"CoarseGrainedExecutorBackend" in Path(f"/proc/{executor}/cmdline").read_bytes()
                killed.write_text(str(executor))
                os.kill(executor, signal.SIGKILL)

    assert summed(boards.mapInArrow(killing, SCHEMA)) == by_the_program
    assert not Path("/proc", killed.read_text()).exists()


WRITERS = {
    "v1": {"parquet.writer.version": "PARQUET_1_0"},
    "v2": {"parquet.writer.version": "PARQUET_2_0"},
    "v1 without dictionary": {"parquet.enable.dictionary": "false", "parquet.page.row.count.limit": "500"},
}


def with_nested_columns(frame: DataFrame) -> DataFrame:
    """With columns of other types; those in `inner` are part of lists, structs and maps."""
    numbers = sf.array(sf.col("id"), sf.lit(None), sf.col("id") % 7)
    return frame.select(
        "id",
        "board",
        sf.when(sf.col("id") % 3 > 0, sf.col("id") / 7).alias("rating"),
        sf.when(sf.col("id") % 5 > 0, numbers).alias("numbers"),
        sf.struct((sf.col("id") % 9).cast("string").alias("kind"), numbers.alias("inner")).alias("place"),
        sf.create_map(sf.lit("id"), sf.col("id"), sf.lit("none"), sf.lit(None)).alias("map"),
        (sf.col("id") % 2 == 0).alias("even"),
        sf.timestamp_seconds("id").alias("time"),
    )


def converted_by_the_program(old: Path, new: Path, code: int) -> None:
    # A build with the feature `parquet`. Spark reads every file of a folder, so the rejects go elsewhere.
    command = [os.environ["GRIDMILL_PROGRAM"], "convert", "--column", "board", "--bad", "null", old, "-o", new]
    command += ["--rejects", new.parents[1] / (new.name + ".tsv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr


# Every codec, and every writer with two of them.
PAIRS = [
    ("none", "v1"),
    ("snappy", "v1"),
    ("gzip", "v2"),
    ("zstd", "v1 without dictionary"),
    ("lz4_raw", "v2"),
    ("snappy", "v1 without dictionary"),
]


@pytest.mark.parametrize(("codec", "writer"), PAIRS)
def test_files(spark: SparkSession, boards: DataFrame, tmp_path: Path, codec: str, writer: str) -> None:
    """What Spark writes is converted by the program, and read by Spark again. All other columns are the same bytes."""
    some = with_nested_columns(boards.where("id < 5000")).repartitionByRange(2, "id")
    some.write.option("compression", codec).options(**WRITERS[writer]).parquet(str(tmp_path / "old"))
    parts = sorted((tmp_path / "old").glob("*.parquet"))
    assert len(parts) == 2
    (tmp_path / "new").mkdir()
    for part in parts:
        other = tmp_path / "new" / part.name
        converted_by_the_program(part, other, 1)
        old, new = pq.ParquetFile(part), pq.ParquetFile(other)
        assert new.schema.equals(old.schema) and new.schema_arrow.equals(old.schema_arrow, check_metadata=True)
        assert new.metadata.metadata == old.metadata.metadata
        assert new.metadata.num_row_groups == old.metadata.num_row_groups > 0
        assert other_chunks(other) == other_chunks(part)
        first = [file.metadata.row_group(0) for file in (old, new)]
        columns = range(old.metadata.num_columns)
        assert [first[1].column(at).compression for at in columns] == [first[0].column(at).compression for at in columns]
        has_index = [[group.column(at).has_column_index for at in columns if group.column(at).path_in_schema != "board"] for group in first]
        assert has_index[0] == has_index[1] and any(has_index[0])
        assert "without" not in writer or not any(first[0].column(at).has_dictionary_page for at in columns)
    read = spark.read.parquet(str(tmp_path / "new"))
    assert read.schema == spark.read.parquet(str(tmp_path / "old")).schema
    rows, before = read.sort("id").toArrow(), spark.read.parquet(str(tmp_path / "old")).sort("id").toArrow()
    assert rows["id"].to_pylist() == list(range(5000))
    assert rows["board"].to_pylist() == gridmill.convert(ROWS[:5000], errors="null").to_pylist()
    assert rows.drop(["board"]).equals(before.drop(["board"]))


def test_files_without_rows(spark: SparkSession, boards: DataFrame, tmp_path: Path) -> None:
    """Spark writes no row group if there are no rows."""
    with_nested_columns(boards.where("id < 0")).coalesce(1).write.parquet(str(tmp_path / "old"))
    (part,) = (tmp_path / "old").glob("*.parquet")
    (tmp_path / "new").mkdir()
    converted_by_the_program(part, tmp_path / "new" / part.name, 0)
    old, new = pq.ParquetFile(part), pq.ParquetFile(tmp_path / "new" / part.name)
    assert old.metadata.num_row_groups == new.metadata.num_row_groups == 0
    assert new.schema_arrow.equals(old.schema_arrow, check_metadata=True) and new.metadata.metadata == old.metadata.metadata
    assert spark.read.parquet(str(tmp_path / "new")).schema == spark.read.parquet(str(tmp_path / "old")).schema


def test_recipe(spark: SparkSession, folder: Path) -> None:
    boards = gridmill.gen(300, seed=1, mix="clues", format="plain")
    pq.write_table(pa.table({"id": range(len(boards)), "board": boards}), folder / "boards.parquet")
    names: dict[str, object] = {"spark": spark}
    for recipe in recipes("spark"):
        exec(recipe, names)
    v2 = gridmill.convert(boards).to_pylist()
    assert [new for _, new in sorted(names["rows"])] == v2  # type: ignore[call-overload]
    assert [row.board for row in names["new"].sort("id").collect()] == v2  # type: ignore[attr-defined]
