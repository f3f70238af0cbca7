"""Fits the calls into the page's bytes: exact where that fits, else with coarser times, else not all."""

import zlib
from dataclasses import dataclass

from weir.trace.model import Trace

from .block import encode_block
from .columns import Calls, Columns
from .keep import Choice, Durations, chosen
from .split import BLOCK, split
from .text85 import encode85

STEPS_NS = (1, 8, 64)
LEAST_BYTES_OF_A_CALL = 1.0
SAMPLED = 16


@dataclass(frozen=True)
class Block:
    """Encoded calls, and where they lie."""

    text: str
    count: int
    lanes: tuple[int, int]
    """First and last."""
    begin_ns: int
    end_ns: int


@dataclass(frozen=True)
class Fitted:
    """What the page holds of the calls."""

    blocks: list[Block]
    kept: int
    step_ns: int
    """Times are told in steps of this."""
    choice: Choice


def fit(all_calls: Calls, durations: Durations, most_bytes: int) -> Fitted:
    """Blocks of at most so many bytes altogether, or of one block where that is more."""
    trace = all_calls.trace
    if trace.records * LEAST_BYTES_OF_A_CALL <= most_bytes:
        calls = chosen(all_calls, Choice())
        for step in STEPS_NS:
            if _estimate(trace, calls, step) <= most_bytes:
                fitted = _encode(trace, calls, step, Choice())
                if _size(fitted) <= most_bytes:
                    return fitted
    count = int(most_bytes / 3.5)
    while True:
        choice = durations.choice(count)
        fitted = _encode(trace, chosen(all_calls, choice), 1, choice)
        if _size(fitted) <= most_bytes or count < BLOCK:
            return fitted
        count = int(min(count, fitted.kept) * 0.97 * most_bytes / _size(fitted))


def _size(fitted: Fitted) -> int:
    return sum(len(block.text) for block in fitted.blocks)


def _estimate(trace: Trace, calls: Columns, step: int) -> float:
    blocks = list(split(calls, len(trace.lanes)))
    sample = blocks[:: max(1, len(blocks) // SAMPLED)]
    size = sum(len(_text(trace, block, step)) for block in sample)
    return size * len(calls) / max(sum(map(len, sample)), 1)


def _text(trace: Trace, calls: Columns, step: int) -> str:
    return encode85(zlib.compress(encode_block(calls, len(trace.files), step), 6))


def _encode(trace: Trace, calls: Columns, step: int, choice: Choice) -> Fitted:
    blocks = [
        Block(
            _text(trace, block, step),
            len(block),
            (int(block.lane[0]), int(block.lane[-1])),
            int(block.begin.min()),
            int(block.end.max()),
        )
        for block in split(calls, len(trace.lanes))
    ]
    return Fitted(blocks, len(calls), step, choice)
