"""What a repetition takes: one request of each rank, as benchmarks of MPI count them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.results.row import Row
from weir.tables.table import Column, Table, table_of_all
from weir.units import significant

MEGA = 1e6
MICRO = 1e-6


@dataclass(frozen=True)
class _Line:
    """A case's phase: `size_bytes` is that of a repetition, of all ranks together."""

    row: Row
    repetitions: int
    size_bytes: int
    time: MedianEstimate

    @property
    def bandwidth(self) -> tuple[float, float | None, float | None]:
        """Bytes per second, with the interval."""
        low = self.size_bytes / self.time.high if self.time.high else None
        high = self.size_bytes / self.time.low if self.time.low else None
        return self.size_bytes / self.time.median, low, high


@table_of_all("repetitions", ())
def repetitions(rows: Sequence[Row]) -> Table | None:
    """All phases of a comparison; null where no sample says how many requests it made."""
    found = sorted(
        (line for row in rows if (line := _line(row)) is not None),
        key=lambda line: (line.row.phase != "write", line.row.ranks, line.size_bytes),
    )
    if not found:
        return None
    return Table(
        name="repetitions",
        title="Time of a repetition",
        caption=(
            "A repetition is one request of each rank; its bytes are those of all ranks together. The time "
            "is that of all repetitions, by their number: the median of the samples, in brackets its "
            "interval of 95 %. MB are 10⁶ bytes."
        ),
        columns=tuple(
            Column(heading)
            for heading in ("phase", "ranks", "bytes", "repetitions", "time, µs", "MB/s", "samples")
        ),
        rows=tuple(_cells(line) for line in found),
        notes=tuple(_notes(found)),
        data={"repetitions": [_data(line) for line in found]},
    )


def _line(row: Row) -> _Line | None:
    counts = {(one.operations, one.ranks, one.bytes) for one in row.records}
    if len(counts) != 1:
        return None
    ((operations, ranks, size),) = counts
    if not operations or not ranks or size is None:
        return None
    count = operations // ranks
    time = estimate_median([one.elapsed_s / count for one in row.records if one.elapsed_s is not None])
    return None if time is None else _Line(row, count, size // count, time)


def _cells(line: _Line) -> tuple[str, ...]:
    time = line.time
    micro = (time.median / MICRO, time.low and time.low / MICRO, time.high and time.high / MICRO)
    median, low, high = line.bandwidth
    return (
        line.row.phase,
        str(line.row.ranks),
        str(line.size_bytes),
        str(line.repetitions),
        _words(*micro),
        _words(median / MEGA, low and low / MEGA, high and high / MEGA) if line.size_bytes else "none",
        str(time.count),
    )


def _words(median: float, low: float | None, high: float | None) -> str:
    interval = (
        "(no interval)" if low is None or high is None else f"[{significant(low)}, {significant(high)}]"
    )
    return f"{significant(median)} {interval}"


def _notes(found: Sequence[_Line]) -> list[str]:
    if not any(line.row.through_cache and line.row.moves == "read" for line in found):
        return []
    return ["Reads come from the page cache: they are no rates of the storage."]


def _data(line: _Line) -> dict[str, Any]:
    median, low, high = line.bandwidth
    return {
        "case": line.row.case,
        "phase": line.row.phase,
        "ranks": line.row.ranks,
        "repetition_bytes": line.size_bytes,
        "repetitions": line.repetitions,
        "samples": line.time.count,
        "time_s": line.time.median,
        "time_low_s": line.time.low,
        "time_high_s": line.time.high,
        "bandwidth_bytes_per_s": median if line.size_bytes else None,
        "bandwidth_low_bytes_per_s": low if line.size_bytes else None,
        "bandwidth_high_bytes_per_s": high if line.size_bytes else None,
    }
