"""Column chunks of Parquet files, compared byte for byte."""

from pathlib import Path

import pyarrow.parquet as pq


def other_chunks(path: Path) -> list[list[object]]:
    """The bytes of all column chunks but those of the strings."""
    data, footer = path.read_bytes(), pq.read_metadata(path)
    groups = []
    for group in range(footer.num_row_groups):
        columns = [footer.row_group(group).column(i) for i in range(footer.num_columns)]
        groups.append([
            data[c.dictionary_page_offset or c.data_page_offset :][: c.total_compressed_size]
            for c in columns
            if c.path_in_schema not in ("board", "new")
        ])
    return groups
