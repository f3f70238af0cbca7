"""Reads and writes by interface: data, sizes and aggregate bandwidth. Table 2 of Thakur et al. (1996).

Sizes: a histogram by powers of two, its picture, and the most frequent ones exactly.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from weir.explain.nesting import Nest
from weir.explain.page.svg import line, svg, text
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import SizeCount, TraceSummary, TransferRow
from weir.results.words import capital
from weir.trace.batch import Batch
from weir.trace.model import TRANSFERS, Trace
from weir.units import count_words, format_bandwidth, format_bytes, format_seconds, format_share, more_words

BOUNDS = np.array([0, *(2**n for n in range(64)), 2**64 - 1], np.uint64)
MOST_COUNTED = 65_536
FREQUENT = 8
WIDTH, HEIGHT = 500, 190
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 34, 24


class Sizes:
    """Counts sizes. Beyond MOST_COUNTED different ones, new ones are only counted in the histogram."""

    def __init__(self) -> None:
        self._bins = np.zeros(len(BOUNDS), np.int64)
        self._counts: Counter[int] = Counter()
        self._complete = True

    def add(self, lengths: NDArray[np.uint64]) -> None:
        """Count these requests."""
        found = frequencies(lengths)
        sizes = np.array([size for size, _ in found], np.uint64)
        counts = np.array([count for _, count in found], np.int64)
        np.add.at(self._bins, np.searchsorted(BOUNDS, sizes), counts)
        for size, count in found:
            if size in self._counts or len(self._counts) < MOST_COUNTED:
                self._counts[size] += count
            else:
                self._complete = False

    def histogram(self) -> tuple[SizeCount, ...]:
        """From the first bin with requests to the last."""
        filled = np.flatnonzero(self._bins)
        if not len(filled):
            return ()
        return tuple(SizeCount(int(BOUNDS[i]), int(self._bins[i])) for i in range(filled[0], filled[-1] + 1))

    def common(self) -> tuple[SizeCount, ...]:
        """The most frequent sizes."""
        return tuple(SizeCount(size, count) for size, count in self._counts.most_common(FREQUENT))

    @property
    def different(self) -> int | None:
        """How many sizes there were; None where there were too many to count."""
        return len(self._counts) if self._complete else None


def frequencies(values: NDArray[Any]) -> list[tuple[int, int]]:
    """Each value with how often it is there. Sorting is slow, and most programs use few sizes: the first ones
    are taken out one by one."""
    found: list[tuple[int, int]] = []
    for _ in range(6):
        if not len(values):
            return found
        same = values == values[0]
        found.append((int(values[0]), int(np.count_nonzero(same))))
        if found[-1][1] == len(values):
            return found
        values = values[~same]
    return found + [(int(v), int(n)) for v, n in zip(*np.unique(values, return_counts=True), strict=True)]


def histogram(row: TransferRow) -> Markup:
    """The share of requests of each size."""
    title = f"{row.interface}, {row.kind}: {count_words(row.requests, 'request')}"
    return Markup('<div class="half">') + svg(WIDTH, HEIGHT, title, _parts(row, title)) + Markup("</div>")


def _parts(row: TransferRow, title: str) -> Iterator[Markup]:
    bars = row.histogram
    whole = sum(bar.requests for bar in bars)
    most = max(bar.requests for bar in bars)
    step = min(64.0, (WIDTH - LEFT - RIGHT) / len(bars))
    base, height = HEIGHT - BOTTOM, HEIGHT - TOP - BOTTOM - 14
    yield text(LEFT, 16, title, "start")
    yield line(LEFT, base, WIDTH - RIGHT, base)
    named = max(1, -(-len(bars) * 56 // (WIDTH - LEFT - RIGHT)))
    for number, bar in enumerate(bars):
        x = LEFT + step * number
        tall = height * bar.requests / most
        words = f"up to {format_bytes(bar.bytes)}: {count_words(bar.requests, 'request')}"
        yield Markup(
            '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2" fill="var(--kind-{})">'
            "<title>{}</title></rect>"
        ).format(x + 1, base - tall, step - 2, max(tall, 1 if bar.requests else 0), row.kind, words)
        if number % named == 0:
            yield text(x + step / 2, base + 16, f"≤ {format_bytes(bar.bytes)}")
        if bar.requests / whole >= 0.01 and step >= 40:
            yield text(x + step / 2, base - tall - 4, format_share(bar.requests / whole))


COLLECTIVE = 1
MOST_SIZES = 4


@dataclass
class _Sums:
    sizes: Sizes = field(default_factory=Sizes)
    requests: int = 0
    collective: int = 0
    bytes: int = 0
    smallest: int = 2**64
    largest: int = 0
    took_ns: int = 0
    longest_ns: int = 0
    threads: int = 0
    lane: int = -1
    placed: int = 0
    consecutive: int = 0
    backward: int = 0
    by_lane_ns: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))


class TransferSums:
    """By interface and kind. Failed requests moved nothing, and are left out."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._groups = list(
            dict.fromkeys((call.interface, call.kind) for call in trace.calls if call.kind in TRANSFERS)
        )
        numbers = {group: number for number, group in enumerate(self._groups)}
        self._group = np.array([numbers.get((call.interface, call.kind), -1) for call in trace.calls])
        self._sums = [_Sums(by_lane_ns=np.zeros(len(trace.lanes), np.int64)) for _ in self._groups]
        self._lane = -1
        self._ends = np.full((len(self._groups), len(trace.files)), -1, np.int64)
        self._touched: list[tuple[int, NDArray[np.int64]]] = []
        self._alignment = np.ones(len(trace.files), np.int64)
        for index, layout in trace.layouts.items():
            self._alignment[index] = layout.alignment_bytes or 1
        self.unaligned = np.zeros(len(trace.files), np.int64)
        """For each file, the system's requests that begin neither at a multiple of its stripe or block, nor
        where the thread's previous one of that kind in the file has ended."""

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        if batch.lanes[0] != self._lane:
            self._begin_lane(batch.lanes[0])
        group = self._group[batch.call]
        for number in np.flatnonzero(np.bincount(group + 1, minlength=2)[1:]).tolist():
            which = (group == number) & ~batch.failed
            self._add(self._sums[number], batch, slice(None) if which.all() else np.flatnonzero(which))
            self._follow(number, batch, which)

    def _begin_lane(self, lane: int) -> None:
        """Forget where the last requests of the lane before have ended."""
        self._lane = lane
        for number, files in self._touched:
            self._ends[number, files] = -1
        self._touched.clear()

    def _add(self, sums: _Sums, batch: Batch, which: Any) -> None:
        length, took = batch.length[which], batch.call_took_ns[which]
        if not len(took):
            return
        if not length.all():
            # Formatted text asks for no size before it is written: then its size is what was moved.
            moved = np.maximum(batch.result[which], 0).astype(length.dtype)
            length = np.where(length > 0, length, moved)
        lanes = batch.lane[which] if len(batch.lanes) > 1 else batch.lane[:1]
        sums.threads += int(np.count_nonzero(np.diff(lanes, prepend=sums.lane)))  # each lane comes once
        sums.lane = int(lanes[-1])
        first = int(lanes[0])
        of_lane = np.bincount(lanes - first, took) if len(lanes) > 1 else took.sum(keepdims=True)
        sums.by_lane_ns[first : first + len(of_lane)] += of_lane.astype(np.int64)
        sums.sizes.add(length)
        sums.requests += len(took)
        sums.collective += int(np.count_nonzero(batch.flags[which] & COLLECTIVE))
        sums.bytes += int(batch.result[which].sum())
        sums.smallest = min(sums.smallest, int(length.min()))
        sums.largest = max(sums.largest, int(length.max()))
        sums.took_ns += int(took.sum())
        sums.longest_ns = max(sums.longest_ns, int(took.max()))

    def _follow(self, number: int, batch: Batch, which: NDArray[np.bool_]) -> None:
        """Does each request begin where the one before it in its file has ended?"""
        at = np.flatnonzero(which & (batch.offset >= 0))
        if not len(at):
            return
        file, alone = batch.file[at], len(batch.lanes) == 1
        if not alone:  # all of each lane is here: a file that several use is one of each
            file = file + self._ends.shape[1] * (batch.lane[at] - batch.lanes[0])
        if (file != file[0]).any():
            by_file = np.argsort(_narrow(file), kind="stable")
            at, file = at[by_file], file[by_file]
        begin = batch.offset[at]
        end = begin + batch.result[at]
        before = np.empty_like(end)
        before[1:] = end[:-1]
        first = np.flatnonzero(np.concatenate([[True], file[1:] != file[:-1]]))
        before[first] = self._ends[number, file[first]] if alone else -1
        if alone:
            last = np.concatenate([first[1:], [len(file)]]) - 1
            self._ends[number, file[last]] = end[last]
            self._touched.append((number, file[last]))
        if self._groups[number][0] == "POSIX" and len(self._trace.layouts):
            index = file % self._ends.shape[1]
            which = (begin % self._alignment[index] != 0) & (begin != before)
            self.unaligned += np.bincount(index[which], minlength=len(self.unaligned))
        sums = self._sums[number]
        sums.placed += len(at)
        sums.consecutive += int(np.count_nonzero(begin == before))
        sums.backward += int(np.count_nonzero(begin < before))

    def rows(self) -> tuple[TransferRow, ...]:
        """Those interfaces through which anything was moved."""
        found = [
            self._row(*group, sums)
            for group, sums in zip(self._groups, self._sums, strict=True)
            if sums.requests
        ]
        return tuple(sorted(found, key=lambda row: -row.total_s))

    def _row(self, interface: str, kind: str, sums: _Sums) -> TransferRow:
        return TransferRow(
            interface=interface,
            kind=kind,
            requests=sums.requests,
            collective=sums.collective,
            bytes=sums.bytes,
            smallest=sums.smallest,
            largest=sums.largest,
            histogram=sums.sizes.histogram(),
            common=sums.sizes.common(),
            sizes=sums.sizes.different,
            consecutive=sums.consecutive if sums.placed else None,
            backward=sums.backward if sums.placed else None,
            total_s=sums.took_ns / 1e9,
            per_rank_s=sums.took_ns / 1e9 / max(1, self._trace.ranks),
            longest_s=sums.longest_ns / 1e9,
            threads=sums.threads,
            at_a_time=self._trace.at_a_time if self._trace.ranked or self._trace.ranks > 1 else None,
            # Processes that are no ranks follow each other: that of the longest one says nothing.
            slowest_s=self._slowest_ns(sums.by_lane_ns) / 1e9
            if self._trace.ranked or self._trace.ranks == 1
            else None,
        )

    def _slowest_ns(self, by_lane_ns: NDArray[np.int64]) -> float:
        """Of the thread, or of the rank, whose processes follow each other, that was longest in them."""
        of_rank: Counter[int] = Counter()
        for lane, took_ns in zip(self._trace.lanes, by_lane_ns.tolist(), strict=True):
            of_rank[lane.rank] += took_ns
        threads = self._trace.threads_of
        return max(int(by_lane_ns.max()), *(took_ns / threads[rank] for rank, took_ns in of_rank.items()))


def _narrow(numbers: NDArray[np.int64]) -> NDArray[Any]:
    """The same numbers in 16 bits where they fit: those are sorted in a time that grows with their count."""
    return numbers.astype(np.uint16) if numbers.max() < 2**16 else numbers


@page_section(30)
def section(summary: TraceSummary) -> PageSection | None:
    """All interfaces that moved anything."""
    if not summary.transfers:
        return None
    mean = ">mean bandwidth, " if summary.head.several else ""
    headings = (
        f"interface, , >requests, >collective, >data, >bandwidth, {mean}>mean per {summary.head.one}, "
        ">longest, >consecutive, >backward, ~most frequent sizes"
    )
    return PageSection(
        "requests",
        "Requests and their sizes",
        f"{capital(summary.bandwidth)}. Consecutive requests began where the thread's "
        "previous one in that file had ended, backward ones before that.",
        Markup("").join(histogram(row) for row in summary.transfers if row.histogram),
        PageTable(
            headings.split(", "), [_cells(row, several=summary.head.several) for row in summary.transfers]
        ),
    )


def _cells(row: TransferRow, *, several: bool) -> list[str]:
    return [
        row.interface,
        row.kind,
        f"{row.requests:,}",
        format_share(row.collective / row.requests) if row.collective else "",
        format_bytes(row.bytes),
        *bandwidth_cells(row, several=several),
        format_seconds(row.per_rank_s),
        "unknown" if row.longest_s is None else format_seconds(row.longest_s),
        _share(row.consecutive, row.requests),
        _share(row.backward, row.requests),
        _sizes(row),
    ]


def bandwidth_cells(row: TransferRow, *, several: bool) -> list[str]:
    """By the slowest rank; and by the mean one, where that is another."""
    least = "" if row.slowest_exact else "≥ "
    cells = [
        "" if row.bytes_per_s is None else f"{least}{format_bandwidth(row.bytes_per_s)}",
        "" if row.mean_bytes_per_s is None else format_bandwidth(row.mean_bytes_per_s),
    ]
    return cells if several else cells[:1]


def _share(part: int | None, whole: int) -> str:
    return "unknown" if part is None else format_share(part / max(1, whole))


def _sizes(row: TransferRow) -> str:
    shown = [f"{format_bytes(one.bytes)}: {one.requests:,}" for one in row.common[:MOST_SIZES]]
    if row.sizes is None:
        return ", ".join([*shown, "…"])
    more = row.sizes - len(shown)
    return ", ".join(shown) + (f", and {more_words(more, 'size')}" if more > 0 else "")
