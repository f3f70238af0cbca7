"""How the run went: bandwidth over time, and how busy each rank was with I/O."""

import base64
from collections.abc import Iterator, Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from weir.explain.nesting import Nest
from weir.explain.page.svg import BOTTOM, LEFT, RIGHT, TOP, line, png, steps, svg, text, time_axis
from weir.explain.section import PageSection, page_section
from weir.explain.summary import OverTime, TraceSummary
from weir.trace.model import READ, WRITE, Trace
from weir.units import format_seconds, significant

INTERVALS = 240
MOST_BANDS = 256
WIDTH, HEIGHT = 1040, 220
LEAST_PX, MOST_PX = 60, 380
MIB = 2**20
LIGHT = ((245, 247, 250), (86, 180, 233), (0, 114, 178), (8, 48, 79))
DARK = ((30, 38, 51), (15, 84, 130), (86, 180, 233), (240, 250, 255))


class OverTimeSums:
    """Spreads each outermost call evenly over its time."""

    def __init__(self, trace: Trace) -> None:
        self._reads = trace.calls_of(kind=READ)
        self._writes = trace.calls_of(kind=WRITE)
        self._interval_ns = max(1.0, trace.run_ns / INTERVALS)
        ranks = sorted({lane.rank for lane in trace.lanes})
        self._ranks_a_band = -(-len(ranks) // MOST_BANDS) or 1
        band = {rank: number // self._ranks_a_band for number, rank in enumerate(ranks)}
        self._band = np.array([band[lane.rank] for lane in trace.lanes], np.int64)
        threads = trace.threads_of
        self._threads = np.bincount([band[rank] for rank in ranks], [threads[rank] for rank in ranks])
        """Of each band, that ran at a time."""
        self._bytes = np.zeros((2, INTERVALS))
        self._busy = np.zeros((len(self._threads), INTERVALS))

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        outer = slice(None) if nest.outermost_io.all() else np.flatnonzero(nest.outermost_io)
        begin, end, call = batch.begin_ns[outer], batch.end_ns[outer], batch.call[outer]
        moved = batch.moved[outer] * (self._reads | self._writes)[call]
        times = _Spread(begin, end, self._interval_ns)
        first, last = self._band[batch.lanes[0]], self._band[batch.lanes[-1]]
        band = self._band[batch.lane[outer]] - first
        self._busy[first : last + 1] += times.of(end - begin, band, int(last - first) + 1)
        self._bytes += times.of(moved, self._writes[call].astype(np.int64), 2)

    def rows(self) -> OverTime:
        """What was added up."""
        room = self._interval_ns * np.maximum(1, self._threads)[:, None]
        busy = self._busy / room
        return OverTime(
            interval_s=self._interval_ns / 1e9,
            read_bytes=tuple(self._bytes[0].tolist()),
            written_bytes=tuple(self._bytes[1].tolist()),
            ranks_a_band=self._ranks_a_band,
            heat=tuple(tuple(row) for row in busy.tolist()),
        )


class _Spread:
    """Lays weights of calls on the intervals that each call touches, by the time that it spent in each."""

    def __init__(self, begin: NDArray[np.int64], end: NDArray[np.int64], interval_ns: float) -> None:
        self._first = (begin * (1 / interval_ns)).astype(np.int64).clip(0, INTERVALS - 1)
        last = (end * (1 / interval_ns)).astype(np.int64).clip(0, INTERVALS - 1)
        self._longer = np.flatnonzero(last > self._first)
        begin, end = begin[self._longer], end[self._longer]
        self._from, self._to = self._first[self._longer] + 1, last[self._longer]
        # The shares of a call's weight in its first interval, in each between, and in its last.
        self._head = np.minimum((self._from * interval_ns - begin) / (end - begin), 1)
        self._each = interval_ns / (end - begin)
        self._tail = 1 - self._head - self._each * (self._to - self._from)

    def of(self, weights: NDArray[np.int64], row: NDArray[np.int64], rows: int) -> NDArray[np.float64]:
        """The sums of each row and interval."""
        shape = rows, INTERVALS + 1
        heads = weights.astype(np.float64)
        heads[self._longer] *= self._head
        row = row * (INTERVALS + 1)
        sums = _sums(row + self._first, heads, shape)
        if len(self._longer):
            weights, row = weights[self._longer], row[self._longer]
            sums += _sums(row + self._to, weights * self._tail, shape)
            # Between, a weight is there from one interval on and no more from another on.
            each, begins, ends = weights * self._each, row + self._from, row + self._to
            between = np.cumsum(_sums(begins, each, shape) - _sums(ends, each, shape), axis=1)
            calls = np.cumsum(_sums(begins, None, shape) - _sums(ends, None, shape), axis=1)
            sums += np.where(calls > 0, between, 0)  # without what is left of rounding
        return sums[:, :INTERVALS]


def _sums(
    place: NDArray[np.int64], weights: NDArray[np.float64] | None, shape: tuple[int, int]
) -> NDArray[np.float64]:
    return np.bincount(place, weights, shape[0] * shape[1]).reshape(shape).astype(np.float64)


@page_section(40)
def section(summary: TraceSummary) -> PageSection | None:
    """Two pictures over the same time."""
    course = summary.course
    if course is None or not course.heat:
        return None
    bands = f", each line for {course.ranks_a_band} ranks" if course.ranks_a_band > 1 else ""
    return PageSection(
        "course",
        "Bandwidth and busy ranks over time",
        f"In intervals of {format_seconds(course.interval_s)}; a call's bytes are spread evenly over its "
        f"time. Below: the share of each interval that each rank spent in I/O calls{bands}.",
        bandwidth(course) + heat(course, [row.rank for row in summary.ranks]),
    )


def bandwidth(course: OverTime) -> Markup:
    """Steps of MiB/s, reads over writes."""
    series = [
        (name, [moved / course.interval_s / MIB for moved in values])
        for name, values in (("read", course.read_bytes), ("write", course.written_bytes))
        if any(values)
    ]
    if not series:
        return Markup("")
    return _bandwidth_legend([name for name, _ in series]) + svg(
        WIDTH, HEIGHT, "Bandwidth over time, read and written", _bandwidth_parts(series, course)
    )


def _bandwidth_legend(names: Sequence[str]) -> Markup:
    words = {"read": "read", "write": "written"}
    item = Markup('<span class="key"><span class="kind" style="background: var(--kind-{})"></span>{}</span> ')
    return (
        Markup('<p class="legend">')
        + Markup("").join(item.format(name, words[name]) for name in names)
        + Markup("</p>")
    )


def _bandwidth_parts(series: Sequence[tuple[str, list[float]]], course: OverTime) -> Iterator[Markup]:
    most = max(max(values) for _, values in series)
    height = HEIGHT - TOP - BOTTOM
    base = HEIGHT - BOTTOM
    for tick in steps(most, 4):
        y = base - height * tick / most
        yield line(LEFT, y, WIDTH - RIGHT, y)
        yield text(LEFT - 8, y + 4, f"{significant(tick) if tick else 0} MiB/s", "end")
    for name, values in series:
        yield Markup(
            '<path d="{}" fill="var(--kind-{})" fill-opacity="0.28" stroke="var(--kind-{})"/>'
        ).format(_steps(values, most, height, base), name, name)
    yield from time_axis(course.interval_s * len(course.read_bytes), WIDTH, HEIGHT)


def _steps(values: list[float], most: float, height: float, base: float) -> str:
    step = (WIDTH - LEFT - RIGHT) / len(values)
    path = [f"M{LEFT} {base}"]
    for number, value in enumerate(values):
        path.append(f"V{base - height * value / most:.1f}H{LEFT + step * (number + 1):.1f}")
    return "".join(path) + f"V{base}Z"


def heat(course: OverTime, ranks: Sequence[int]) -> Markup:
    """A line a band of ranks, from pale (no I/O) to deep (nothing else)."""
    lines = min(MOST_PX, max(LEAST_PX, len(course.heat) * 14))
    height = lines + TOP + BOTTOM
    return _heat_legend() + svg(
        WIDTH, height, "How busy each rank was with I/O over time", _heat_parts(course, ranks, lines, height)
    )


def _heat_parts(course: OverTime, ranks: Sequence[int], lines: int, height: int) -> Iterator[Markup]:
    shades = [[round(min(1.0, max(0.0, share)) * 255) for share in row] for row in course.heat]
    for paper, stops in (("light", LIGHT), ("dark", DARK)):
        data = base64.b64encode(png(shades, ramp(stops))).decode("ascii")
        yield Markup(
            '<image class="heat on-{}" x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" '
            'href="data:image/png;base64,{}"/>'
        ).format(paper, LEFT, TOP, WIDTH - LEFT - RIGHT, lines, data)
    step = 1
    while len(shades) / step * 14 > lines + 14:
        step *= 2
    for number in range(0, len(shades), step):
        first = number * course.ranks_a_band
        y = TOP + lines * (number + 0.5) / len(shades) + 4
        yield text(LEFT - 8, y, f"rank {ranks[first] if first < len(ranks) else first}", "end")
    yield from time_axis(course.interval_s * len(course.read_bytes), WIDTH, height)


def _heat_legend() -> Markup:
    return Markup(
        '<p class="legend"><span class="key">0 %</span><span class="ramp"></span>'
        '<span class="key">100 % of the time in I/O calls</span></p>'
    )


def ramp(stops: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """256 colours through these, evenly."""
    colours = []
    for shade in range(256):
        place = shade / 255 * (len(stops) - 1)
        low = min(int(place), len(stops) - 2)
        part = place - low
        red, green, blue = (
            round(one * (1 - part) + other * part)
            for one, other in zip(stops[low], stops[low + 1], strict=True)
        )
        colours.append((red, green, blue))
    return colours
