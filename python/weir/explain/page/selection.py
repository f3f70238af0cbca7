"""What of a trace fits into the page: calls and names of files; and what the reader learns of the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.printable import printable
from weir.trace.model import Trace
from weir.units import count_words, format_seconds, format_share

from .calls import Calls, Columns
from .coding import BLOCK, deflated, encode85, encode_block, split

PART = 1024
"""So many consecutive calls of a lane are kept or left out as one."""
_BINS = 8  # of the histogram of durations, in each doubling
MOST_NAMES = 20_000
STEPS_NS = (1, 8, 64, 128)
LEAST_BYTES_OF_A_CALL = 1.0
USUAL_BYTES_OF_A_CALL = 3.5
SAMPLED = 16


@dataclass(frozen=True)
class Sampling:
    """Those that took at least `least_ns`, and of each 1/`share` parts one."""

    least_ns: int = 0
    share: float = 1.0

    def mask(self, calls: Columns, first: int) -> NDArray[np.bool_]:
        """Which of these calls, the trace's `first` and those after it, are kept."""
        part = (first + np.arange(len(calls))) // PART
        chosen = np.floor((part + 1) * self.share) > np.floor(part * self.share)
        kept: NDArray[np.bool_] = chosen | (calls.end - calls.begin >= self.least_ns)
        return kept


class Durations:
    """How many calls took how long."""

    def __init__(self) -> None:
        self._counts = np.zeros(64 * _BINS + 1, np.int64)

    def add(self, calls: Columns) -> None:
        """Count these in."""
        took = np.maximum(calls.end - calls.begin, 1)
        self._counts += np.bincount((np.log2(took) * _BINS).astype(np.int64), minlength=len(self._counts))

    def sampling(self, count: int) -> Sampling:
        """One that keeps about `count` calls: half of them for their length, half in parts."""
        if self._counts.sum() <= count:
            return Sampling()
        at_least = np.cumsum(self._counts[::-1])[::-1]
        step = int(np.argmax(at_least <= count // 2))
        least = int(2 ** (step / _BINS)) + 1
        rest = int(self._counts.sum()) - int(at_least[step])
        return Sampling(least, min(1.0, (count - int(at_least[step])) / max(rest, 1)))


def sampled(calls: Calls, sampling: Sampling) -> Columns:
    """The calls that are kept, lane by lane."""
    return Columns.joined(list(_sampled(calls, sampling)))


def _sampled(calls: Calls, sampling: Sampling) -> Iterator[Columns]:
    first = 0
    for piece in calls:
        yield piece if sampling == Sampling() else piece.take(sampling.mask(piece, first))
        first += len(piece)


class Files:
    """Numbers of files in a page."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._calls = np.zeros(len(trace.files), np.int64)
        self._number = np.arange(len(trace.files))
        self.named = list(range(len(trace.files)))
        """For each of the page's files, the trace's."""

    def add(self, calls: Columns) -> None:
        """Count these calls."""
        self._calls += np.bincount(calls.file, minlength=len(self._calls))

    def choose(self, listed: Columns) -> None:
        """Settle which are named, those of the listed calls among them, when all calls are counted."""
        if len(self._calls) <= MOST_NAMES:
            return
        most = np.argsort(-self._calls, kind="stable")[:MOST_NAMES]
        named = np.union1d(most, listed.file)
        parents = np.array([self._trace.files[number].parent for number in named])
        named = distinct(np.concatenate([[0], named, parents]))
        self.named = named.tolist()
        self._number = np.full(len(self._calls), len(self.named), np.int64)
        self._number[named] = np.arange(len(named))

    @property
    def left_out(self) -> int:
        """How many have no name in the page."""
        return len(self._calls) - len(self.named)

    @property
    def count(self) -> int:
        """How many names there are."""
        return len(self.named) + bool(self.left_out)

    def names(self) -> list[tuple[str, int]]:
        """Each with its parent's number; the last one stands for those that are left out."""
        files = [self._trace.files[number] for number in self.named]
        names = [(printable(file.name), int(self._number[file.parent])) for file in files]
        return (
            [*names, (f"one of {self.left_out:,} files without a name here", 0)] if self.left_out else names
        )

    def of(self, calls: Columns) -> Columns:
        """The calls, with the page's numbers of their files."""
        return replace(calls, file=self._number[calls.file]) if self.left_out else calls


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
    """Times are rounded to steps of this."""
    sampling: Sampling


def fit(all_calls: Calls, files: Files, durations: Durations, most_bytes: int) -> Fitted:
    """Blocks of at most so many bytes in all, or of one block where that is more."""
    coder = _Coder(len(all_calls.trace.lanes), files)
    if all_calls.trace.records * LEAST_BYTES_OF_A_CALL <= most_bytes:
        calls = sampled(all_calls, Sampling())
        for step in STEPS_NS:
            if coder.estimate(calls, step) <= most_bytes:
                fitted = Fitted(coder.blocks(calls, step), len(calls), step, Sampling())
                if _size(fitted) <= most_bytes:
                    return fitted
    count = int(most_bytes / USUAL_BYTES_OF_A_CALL)
    while True:
        sampling = durations.sampling(count)
        calls = sampled(all_calls, sampling)
        fitted = Fitted(coder.blocks(calls, 1), len(calls), 1, sampling)
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


def notes_on(trace: Trace, fitted: Fitted) -> list[str]:
    """Sentences; none where the page holds every call as it was recorded."""
    return [sentence for sentence in (_sampling_note(trace, fitted), _step_note(fitted)) if sentence]


def _sampling_note(trace: Trace, fitted: Fitted) -> str:
    if fitted.kept == trace.records:
        return ""
    least, share = format_seconds(fitted.sampling.least_ns / 1e9), format_share(fitted.sampling.share)
    return (
        f"Of {count_words(trace.records, 'call')} the page holds {fitted.kept:,} individually: those that "
        f"took at least {least}, and {share} of the others, in runs of {PART:,}. The pale colours are drawn "
        "from all calls. `weir export` gives every call."
    )


def _step_note(fitted: Fitted) -> str:
    return "" if fitted.step_ns == 1 else f"Times are rounded to steps of {fitted.step_ns} ns."
