"""What each part of a machine gives to all ranks together, over rank counts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from weir.network.reach import are_within, titled
from weir.questions.saturation import RowSaturation, find_saturation, main_curve
from weir.results.row import Row, measured, median_of, with_metric

BANDWIDTH = "bandwidth_bytes_per_s"
NETWORK = "network"


@dataclass(frozen=True)
class Curve:
    """One of a part's tests: a row a rank count, of all ranks together, those with fewest ranks first.
    `leads`: its saturation is that of the part."""

    part: str
    name: str
    rows: tuple[Row, ...]
    leads: bool = False

    @property
    def where(self) -> str:
        """Its part; of messages within a node, that."""
        return self.name if self.part == NETWORK and are_within(self.rows) else self.part

    @property
    def last(self) -> Row:
        """With the most ranks."""
        return self.rows[-1]

    def saturation(self) -> RowSaturation | None:
        """Where more ranks bring no more; null of one rank count."""
        return find_saturation(list(self.rows), lambda row: float(row.ranks), fewest=2)


def curves_of(rows: Iterable[Row]) -> list[Curve]:
    """Those that have numbers, in the order of the parts."""
    known = measured(rows)
    rings = _of_all_ranks(known, "rings", "random-ring", BANDWIDTH)
    found = [
        Curve("memory", "STREAM copy", _of_all_ranks(known, "stream", "copy"), leads=True),
        Curve("compute", "DGEMM", _of_all_ranks(known, "dgemm", "dgemm"), leads=True),
        Curve("compute", "FFT", tuple(_rows(known, "fft", "fft"))),
        Curve(NETWORK, titled("rings", rings), rings, leads=True),
        Curve("storage", "storage write", _of_storage(known, "write"), leads=True),
        Curve("storage", "storage read", _of_storage(known, "read")),
    ]
    return [curve for curve in found if curve.rows]


def _of_all_ranks(rows: Sequence[Row], benchmark: str, phase: str, key: str | None = None) -> tuple[Row, ...]:
    found = (with_metric(row, key) for row in _rows(rows, benchmark, phase))
    return tuple(times_ranks(row) for row in found if row)


def _rows(rows: Sequence[Row], benchmark: str, phase: str) -> Iterator[Row]:
    """Once a rank count: the first case that the study has of it."""
    by_ranks: dict[int, Row] = {}
    for row in rows:
        if row.benchmark == benchmark and row.phase == phase:
            by_ranks.setdefault(row.ranks, row)
    yield from (by_ranks[ranks] for ranks in sorted(by_ranks))


def _of_storage(rows: Sequence[Row], direction: str) -> tuple[Row, ...]:
    own = [row for row in rows if row.benchmark == "storage"]
    return tuple(sorted(main_curve(own, "ranks", direction), key=lambda row: row.ranks))


def times_ranks(row: Row) -> Row:
    """What a number of one process is of all ranks together."""
    metric = replace(row.metric, noun=row.metric.noun.removesuffix(" per process"))
    return replace(
        row,
        metric=metric,
        median=median_of(row) * row.ranks,
        low=None if row.low is None else row.low * row.ranks,
        high=None if row.high is None else row.high * row.ranks,
        samples=tuple(value * row.ranks for value in row.samples),
    )


def most_ranks(rows: Iterable[Row], benchmark: str, phase: str) -> Row | None:
    """The row of a test with the most ranks; null where it was not measured."""
    return max(_rows(measured(rows), benchmark, phase), key=lambda row: row.ranks, default=None)
