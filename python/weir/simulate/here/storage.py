"""The storage of a node: its page cache, which takes writes and keeps what is read, and the device behind."""

from typing import Any

from weir.simulate.here.samples import Cases, Figure, assumed, each, measured, median_of, rate, seconds_of
from weir.simulate.kinds import RATE, TIME
from weir.store.records import SampleRecord

SMALL, LARGE = 4 << 10, 64 << 20
"""Bytes of the files that are synced."""
FREED = 4 << 20
"""Of those that are removed."""
TURN = 64 << 10
"""Bytes of the requests of ranks that write one file in turns."""
NO_LINK = "100 GB/s"
ONE_AT_A_TIME = 1.5
"""Ranks that together write one file less than this times as fast as one rank do so one after another."""


def storage_of(
    cases: Cases, cores: int, memory: int, file_system: str, read_ahead: int | None
) -> dict[str, Any]:
    """The table `[storage]`; `read_ahead` in bytes, where the device tells it."""
    kept = assumed(f"{memory} B", "what fits into memory is kept")
    ahead = {"value": f"{read_ahead} B", "source": "measured: as the device's queue tells"}
    return {
        "file_system": {"value": file_system, "source": "measured: as the system names it"},
        "stripe": assumed("1 MiB", "one target: nothing depends on it"),
        "stripes": assumed(1, "one device, or what looks like one"),
        "request": assumed("16 MiB", "the page cache takes a request whole"),
        "call": _call(cases),
        "client": assumed(NO_LINK, "no link between a rank and the page cache of its node"),
        "read_cache": kept,
        **({"read_ahead": ahead} if read_ahead is not None else {}),
        "servers": _page_cache(cases, cores),
        "targets": _device(cases) | {"cache": kept},
        "locks": _locks(cases),
        "metadata": _metadata(cases),
    }


def _rate(cases: Cases) -> float:
    """Bytes/s of one rank into the page cache."""
    return median_of(cases.of("memory", "write"), rate).median


def _call(cases: Cases) -> dict[str, Any]:
    bandwidth, row = _rate(cases), cases.of("calls", "write")
    return measured(TIME, row, lambda one: each(one) - 512 / bandwidth, "writes of 512 B, beside the bytes")


def _page_cache(cases: Cases, cores: int) -> dict[str, Any]:
    return {
        "count": assumed(1, "the page cache"),
        "link": measured(RATE, cases.of("memory", "write"), rate, "64 MiB written by 1 MiB, not synced"),
        "at_once": assumed(cores, "a core moves one request at a time"),
    }


def _locks(cases: Cases) -> dict[str, Any]:
    """Many file systems let one process write to a file at a time."""
    row, bandwidth = cases.of("together", "write", layout="shared"), _rate(cases)
    times = median_of(row, rate).median / bandwidth
    found = {
        "unit": {
            "value": "file" if times < ONE_AT_A_TIME else "none",
            "source": f"measured: all cores write one file {times:.2f} times as fast as one core",
            "n": len(row.records),
        },
        "of": assumed("rank", "ranks of a node write by themselves"),
    }
    turns = cases.of("in-turns", "write")

    def handed_on(sample: SampleRecord) -> float:
        return each(sample) / (sample.ranks or 1) - TURN / bandwidth

    if times < ONE_AT_A_TIME and median_of(turns, handed_on).median > 0:
        what = "writes of 64 KiB by all cores to one file, beside the bytes"
        found["transfer"] = measured(TIME, turns, handed_on, what)
    return found


def _device(cases: Cases) -> dict[str, Any]:
    sync = _sync_s(cases)
    read = median_of(cases.of("synced", "read", block=LARGE), rate).median

    def written(sample: SampleRecord) -> float:
        return (sample.bytes or 0) / max(seconds_of("sync")(sample) - sync, 1e-9)

    return {
        "count": assumed(1, "one device, or what looks like one"),
        "read": measured(
            RATE, cases.of("synced", "read", block=LARGE), rate, "64 MiB read by 1 MiB, not in memory before"
        ),
        "write": measured(
            RATE, cases.of("synced", "write", block=LARGE), written, "a sync of 64 MiB, less one of 4 KiB"
        ),
        "request": assumed("0", "a request's cost is in positioning"),
        "positioning": measured(
            TIME,
            cases.of("shuffled", "read"),
            lambda one: max(each(one) - 4096 / read, 0),
            "4 KiB read in any order, beside the bytes",
        ),
        "drain": assumed("at sync", "Linux writes dirty pages after 30 s, or when there are many"),
    }


def _of_each(phase: str) -> Figure:
    """Seconds of an operation on a file."""
    return lambda sample: seconds_of(phase)(sample) / (sample.operations or 1)


def _sync_s(cases: Cases) -> float:
    return median_of(cases.of("synced", "write", block=SMALL), seconds_of("sync")).median


def _metadata(cases: Cases) -> dict[str, Any]:
    written, read = cases.of("memory", "write"), cases.of("memory", "read")
    return {
        "create": measured(TIME, written, seconds_of("open"), "a file created"),
        "open": measured(TIME, read, seconds_of("open"), "a file opened to read"),
        "close": measured(TIME, read, seconds_of("close"), "a file closed that was read"),
        "rename": measured(TIME, cases.of("removed", "rename"), _of_each("rename"), "a file that is renamed"),
        "freed": measured(
            RATE,
            cases.of("removed", "unlink"),
            lambda one: FREED / _of_each("unlink")(one),
            "files of 4 MiB that were synced, removed",
        ),
        "sync": measured(
            TIME, cases.of("synced", "write", block=SMALL), seconds_of("sync"), "a sync of a file of 4 KiB"
        ),
    }
