"""What unpacking a packed trace would cost, by its index: no part counts twice, and all has a bound."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from weir.trace.pack.block import BLOCK
from weir.trace.stream import RECORD

if TYPE_CHECKING:
    from weir.trace.pack.container import PackedStream, Part, Reader

MOST_TEXT_BYTES = 1 << 30


def check_sizes(reader: Reader) -> None:
    """Raises WeirError for an index that makes more of the file than the file holds."""
    blocks = {block.part.at: block for stream in reader.index.streams for block in stream.blocks}
    parts = [*(block.part for block in blocks.values()), *reader.index.text_parts]
    _check_parts(reader, sorted(parts, key=lambda part: part.at))
    taken = Counter[int]()
    for stream in reader.index.streams:
        for at, count in _taken(stream):
            taken[at] += count
    if any(count > blocks[at].records for at, count in taken.items()):
        raise reader.damaged("streams take the same records several times")
    lengths = (*(s.head_bytes for s in reader.index.streams), *(t.bytes for t in reader.index.texts))
    if sum(lengths) > MOST_TEXT_BYTES:
        raise reader.damaged(f"its texts are of {sum(lengths):,} bytes, and {MOST_TEXT_BYTES:,} are the most")


def unpacked_bytes(reader: Reader) -> int:
    """The bytes of the folder that unpacking makes."""
    records = sum(count for stream in reader.index.streams for _, count in _taken(stream))
    heads = sum(stream.head_bytes for stream in reader.index.streams)
    return records * RECORD.itemsize + heads + sum(text.bytes for text in reader.index.texts)


def _check_parts(reader: Reader, parts: list[Part]) -> None:
    if any(part.bytes <= 0 or part.at < 0 for part in parts):
        raise reader.damaged("a part lies outside the file")
    if any(one.at + one.bytes > other.at for one, other in itertools.pairwise(parts)):
        raise reader.damaged("parts of it lie over each other")


def _taken(stream: PackedStream) -> list[tuple[int, int]]:
    """Where the stream's blocks lie, and how many records it takes of each."""
    if stream.records is None:
        return [(block.part.at, block.records) for block in stream.blocks]
    end = stream.first + stream.records
    return [
        (block.part.at, max(0, min(end, (number + 1) * BLOCK) - max(stream.first, number * BLOCK)))
        for number, block in enumerate(stream.blocks)
    ]
