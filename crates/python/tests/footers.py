"""Reads the metadata of Parquet files field by field, as it is encoded."""

import struct
from pathlib import Path
from typing import Any

VERSION, SCHEMA, ROWS, GROUPS, KEYS_AND_VALUES, CREATED_BY, ORDERS = range(1, 8)
CHUNKS, ABOUT, STATISTICS = 1, 3, 12


class Thrift:
    """A reader of Thrift's compact encoding: structs are dicts by the number of the field."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def value(self, kind: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            number = self.varint()
            return (number >> 1) ^ -(number & 1)
        if kind in (7, 8):
            size = 8 if kind == 7 else self.varint()
            self.at += size
            return self.data[self.at - size : self.at]
        if kind in (9, 10):
            head = self.byte()
            size = head >> 4 if head >> 4 != 15 else self.varint()
            return [self.byte() == 1 if head & 15 in (1, 2) else self.value(head & 15) for _ in range(size)]
        assert kind == 12, kind
        fields: dict[int, Any] = {}
        last = 0
        while True:
            head = self.byte()
            if head == 0:
                return fields
            last = last + (head >> 4) if head >> 4 else self.value(4)
            fields[last] = self.value(head & 15)


def footer(path: Path) -> dict[int, Any]:
    """The metadata of a file."""
    data = path.read_bytes()
    size = struct.unpack("<I", data[-8:-4])[0]
    return dict(Thrift(data[-8 - size : -8]).value(12))


def pages(path: Path) -> list[tuple[int, dict[int, Any], int, bytes]]:
    """The pages of all chunks: the number of the column, the header, where the contents are, and the contents."""
    data, found = path.read_bytes(), []
    for group in footer(path)[GROUPS]:
        for leaf, chunk in enumerate(group[CHUNKS]):
            about = chunk[ABOUT]
            start = about.get(11) or about[9]
            reader = Thrift(data[start : start + about[7]])
            while reader.at < len(reader.data):
                header = reader.value(12)
                at, reader.at = reader.at, reader.at + header[3]
                found.append((leaf, header, start + at, reader.data[at : reader.at]))
    return found
