"""What the I/O calls of whole runs of an application took: how often each was made, and the time in it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

import msgspec

from weir.analyse.metric import value_under
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.figures.operation_colours import OPERATIONS
from weir.store.records import SampleRecord


class CallTotals(msgspec.Struct):
    """Calls of one kind that all ranks made in a run, and the time in them, summed over the ranks; no count
    where such calls could not be seen, no time where the count stands for calls that were not made. Of
    communication, `waiting_s` is the part spent waiting."""

    count: int | None = None
    total_s: float | None = None
    waiting_s: float | None = None


class IoRecord(msgspec.Struct):
    """What I/O a whole run of an application did. Sizes are (bytes, requests); a bandwidth is that of the
    paper, the bytes of all ranks over the mean time a rank spent in the calls. The elapsed times are of the
    slowest rank, in all of the restart and the dumps that moved bytes that way; older runs do not have them.
    """

    calls: dict[str, CallTotals] = {}
    communication_of_the_paper: int | None = None
    read_sizes: list[tuple[int, int]] = []
    write_sizes: list[tuple[int, int]] = []
    bytes_read: int | None = None
    bytes_written: int | None = None
    read_elapsed_s: float | None = None
    write_elapsed_s: float | None = None
    read_bandwidth_bytes_per_s: float | None = None
    write_bandwidth_bytes_per_s: float | None = None


Item = TypeVar("Item")
Value = TypeVar("Value")


@dataclass(frozen=True)
class Operation:
    """One kind of call: how many all ranks made in a run (null where runs differ), and of each run the
    seconds in them, summed over the ranks, and those of them that were waiting; empty where no call is made
    or timed."""

    count: int | None
    totals_s: tuple[float, ...] = ()
    waitings_s: tuple[float, ...] = ()

    @property
    def total(self) -> MedianEstimate | None:
        """The sum of all ranks' times, in s."""
        return estimate_median(self.totals_s)

    @property
    def waiting(self) -> MedianEstimate | None:
        """The part of it in which ranks waited, in s; null where it is not recorded."""
        return estimate_median(self.waitings_s)

    def average(self, ranks: int) -> MedianEstimate | None:
        """The time of a rank, on average, in s."""
        return estimate_median([total_s / ranks for total_s in self.totals_s])


@dataclass(frozen=True)
class Transfers:
    """The requests of one direction: (bytes, requests) by size, all bytes of all ranks, and of each run that
    recorded it the bandwidth in B/s: by the slowest rank, as bytes over its time in the whole restart or all
    dumps, and as the paper has it, over the mean time a rank spends in the calls. Where ranks take turns, the
    paper's is many times what the job got."""

    sizes: tuple[tuple[int, int], ...] = ()
    bytes: int | None = None
    bandwidths: tuple[float, ...] = ()
    bandwidths_of_the_paper: tuple[float, ...] = ()

    @property
    def bandwidth(self) -> MedianEstimate | None:
        """By the slowest rank, in B/s; null where no run recorded its time."""
        return estimate_median(self.bandwidths)

    @property
    def bandwidth_of_the_paper(self) -> MedianEstimate | None:
        """By the mean time in the calls, in B/s."""
        return estimate_median(self.bandwidths_of_the_paper)


@dataclass(frozen=True)
class IoAccount:
    """The I/O of equal runs of an application by `ranks` ranks. `shape` says what ran: "cells" and
    "ranks_along" (x, y, z), "steps", "dumps", "method"."""

    runs: int
    ranks: int
    operations: Mapping[str, Operation]
    transfers: Mapping[str, Transfers]
    shape: Mapping[str, object]
    communication_of_the_paper: int | None = None
    """Calls of communication as Thakur, Gropp and Lusk (1996) count them."""
    compute_s: MedianEstimate | None = None
    cell_updates_per_s: MedianEstimate | None = None


def io_account(samples: Sequence[SampleRecord]) -> IoAccount | None:
    """The account of one case; null where its samples have no calls."""
    told = [sample for sample in samples if sample.details.get("io") is not None and sample.ranks]
    if not told:
        return None
    last, records = told[-1], msgspec.convert([sample.details["io"] for sample in told], list[IoRecord])
    return IoAccount(
        runs=len(told),
        ranks=last.ranks or 0,
        operations={name: _operation(seen) for name in OPERATIONS if (seen := _calls_seen(name, records))},
        transfers={direction: _transfers(direction, records) for direction in ("read", "write")},
        shape={
            key: value
            for key in ("cells", "ranks_along", "steps", "dumps", "method")
            if (value := last.details.get(key)) is not None
        },
        communication_of_the_paper=records[-1].communication_of_the_paper,
        compute_s=estimate_median(_known(value_under(sample, "compute_s") for sample in told)),
        cell_updates_per_s=estimate_median(
            _known(value_under(sample, "cell_updates_per_s") for sample in told)
        ),
    )


def _calls_seen(name: str, records: Sequence[IoRecord]) -> list[CallTotals]:
    found = (record.calls.get(name) for record in records)
    return [calls for calls in found if calls is not None and calls.count is not None]


def _operation(calls: Sequence[CallTotals]) -> Operation:
    return Operation(
        _same(calls, attrgetter("count")),
        _known(call.total_s for call in calls),
        _known(call.waiting_s for call in calls),
    )


def _transfers(direction: str, records: Sequence[IoRecord]) -> Transfers:
    sizes, moved = f"{direction}_sizes", {"read": "bytes_read", "write": "bytes_written"}[direction]
    return Transfers(
        _same(records, lambda record: tuple(getattr(record, sizes))) or (),
        _same(records, attrgetter(moved)),
        _known(
            _rate(getattr(record, moved), getattr(record, f"{direction}_elapsed_s")) for record in records
        ),
        _known(getattr(record, f"{direction}_bandwidth_bytes_per_s") for record in records),
    )


def _rate(moved: int | None, seconds: float | None) -> float | None:
    return moved / seconds if moved and seconds else None


def _same(items: Sequence[Item], value_of: Callable[[Item], Value]) -> Value | None:
    """The value that all items share; null where they differ."""
    values = [value_of(item) for item in items]
    return values[0] if all(value == values[0] for value in values) else None


def _known(values: Iterable[float | None]) -> tuple[float, ...]:
    return tuple(value for value in values if value is not None)
