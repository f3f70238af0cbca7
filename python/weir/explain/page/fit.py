"""Fits the calls into the page's bytes: exact where that fits, else with coarser times, else not all."""

from dataclasses import dataclass

from .block import encode_block
from .columns import Calls, Columns
from .files import Files
from .keep import Choice, Durations, chosen
from .planes import deflated
from .split import BLOCK, split
from .text85 import encode85

STEPS_NS = (1, 8, 64, 128)
LEAST_BYTES_OF_A_CALL = 1.0
USUAL_BYTES_OF_A_CALL = 3.5
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


def fit(all_calls: Calls, files: Files, durations: Durations, most_bytes: int) -> Fitted:
    """Blocks of at most so many bytes altogether, or of one block where that is more."""
    coder = _Coder(len(all_calls.trace.lanes), files)
    if all_calls.trace.records * LEAST_BYTES_OF_A_CALL <= most_bytes:
        calls = chosen(all_calls, Choice())
        for step in STEPS_NS:
            if coder.estimate(calls, step) <= most_bytes:
                fitted = Fitted(coder.blocks(calls, step), len(calls), step, Choice())
                if _size(fitted) <= most_bytes:
                    return fitted
    count = int(most_bytes / USUAL_BYTES_OF_A_CALL)
    while True:
        choice = durations.choice(count)
        calls = chosen(all_calls, choice)
        fitted = Fitted(coder.blocks(calls, 1), len(calls), 1, choice)
        if _size(fitted) <= most_bytes or count < BLOCK:
            return fitted
        count = int(min(count, fitted.kept) * 0.97 * most_bytes / _size(fitted))


def _size(fitted: Fitted) -> int:
    return sum(len(block.text) for block in fitted.blocks)


class _Coder:
    def __init__(self, lanes: int, files: Files) -> None:
        self._lanes, self._files = lanes, files

    def estimate(self, calls: Columns, step: int) -> float:
        """Bytes of all blocks, by some of them."""
        blocks = list(split(calls, self._lanes))
        sample = blocks[:: max(1, len(blocks) // SAMPLED)]
        size = sum(len(self._text(block, step)) for block in sample)
        return size * len(calls) / max(sum(map(len, sample)), 1)

    def blocks(self, calls: Columns, step: int) -> list[Block]:
        """All of them, encoded."""
        return [self._block(block, step) for block in split(calls, self._lanes)]

    def _block(self, calls: Columns, step: int) -> Block:
        return Block(
            self._text(calls, step),
            len(calls),
            (int(calls.lane[0]), int(calls.lane[-1])),
            int(calls.begin.min()),
            int(calls.end.max()),
        )

    def _text(self, calls: Columns, step: int) -> str:
        return encode85(deflated(encode_block(self._files.of(calls), self._files.count, step)))
