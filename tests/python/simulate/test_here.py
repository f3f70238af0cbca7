"""The model of a machine that was measured: from samples as a machine of known speeds would give them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from weir.errors import WeirError
from weir.results.row import Row
from weir.simulate.here.machine import machine_of
from weir.simulate.here.network import SIZES
from weir.simulate.here.samples import Cases
from weir.simulate.model import Machine
from weir.store.records import MetricRecord, RankTimes, SampleRecord

MIB = 1 << 20
CARD = {
    "host": {"name": "node17"},
    "memory": {"total_bytes": 64 << 30},
    "cpu": {"usable": 4, "model": "A processor"},
    "file_system": {"type": "xfs"},
    "taken_at": "2026-12-01T00:00:00Z",
}
WRITE, READ, CALL, SYNC, DISK, DISK_READ, PLACE, FREED = 2e9, 8e9, 1e-6, 0.004, 5e8, 1e9, 1e-4, 3e9
"""Bytes/s into the page cache and out of it; s of a call, of a sync; bytes/s of the device; s to a place;
bytes/s of files that are removed."""


KEYS_OF_CURVES = ("one_within", "both_within", "further_within", "fresh_within")


def row(comparison: str, phase: str, samples: list[SampleRecord], **options: Any) -> Row:
    ranks = samples[0].ranks or 1
    made = Row(comparison, phase, ranks, options, len(samples), None, None, None, "precise")
    return replace(made, comparisons=(comparison,), records=tuple(samples))


def moved(size: int, requests: int, seconds: float, ranks: int = 1, **steps: float) -> list[SampleRecord]:
    """Six samples that differ by up to 2 %."""
    return [
        SampleRecord(
            case="one",
            phase="write",
            ranks=ranks,
            bytes=size,
            operations=requests,
            times={step: RankTimes(max_s=s * near) for step, s in {"transfer": seconds, **steps}.items()},
        )
        for near in (0.98, 0.99, 1, 1, 1.01, 1.02)
    ]


def message(seconds: float) -> list[SampleRecord]:
    return [SampleRecord(case="one", phase="call", metrics=[MetricRecord("time_us", seconds * 1e6)])] * 6


def rows(shared: float = 1.0) -> Iterator[Row]:
    """Of a machine on which all cores write one file `shared` times as fast as one does."""
    large, small = 64 * MIB, 4 << 10
    yield row("memory", "write", moved(large, 64, large / WRITE, open=2e-5, close=1e-6))
    yield row("memory", "read", moved(large, 64, large / READ, open=3e-6, close=2e-6))
    yield row("calls", "write", moved(4 * MIB, 8192, 8192 * (CALL + 512 / WRITE)))
    yield row("together", "write", moved(128 * MIB, 128, 128 * MIB / WRITE / shared, 4), layout="shared")
    yield row("together", "read", moved(128 * MIB, 128, 128 * MIB / 2e10, 4), layout="file-per-process")
    turns = 1024 * (5e-6 + (64 << 10) / WRITE)
    yield row("in-turns", "write", moved(64 * MIB, 1024, turns, 4))
    yield row("synced", "write", moved(small, 1, 1e-5, sync=SYNC), block=small)
    yield row("synced", "write", moved(large, 64, large / WRITE, sync=SYNC + large / DISK), block=large)
    yield row("synced", "read", moved(large, 64, large / DISK_READ), block=large)
    yield row("shuffled", "read", moved(16 * MIB, 4096, 4096 * (PLACE + 4096 / DISK_READ)))
    yield row("removed", "rename", moved(0, 32, 0, rename=32 * 1e-5))
    yield row("removed", "unlink", moved(0, 32, 0, unlink=32 * 4 * MIB / FREED))
    yield row("calls-of-functions", "call", message(2e-6), bytes=8)
    for size in (8, *SIZES):
        for function, time in times(size).items():
            yield row("messages", "call", message(time), function=function, bytes=size)
        yield row("just-written", "call", message(4e-6 + size / 4e9), sent="kept", bytes=size)
        yield row("just-written", "call", message(4e-6 + size / 1e9), sent="fresh", bytes=size)


def times(size: int) -> dict[str, float]:
    """Of functions on two ranks."""
    one, both = 1e-6 + (size - 8) / 5e9, 3e-6 + size / 4e9
    more = 3e-6 + 2 * size / 4e9 + 2e-6
    return {
        "PingPong": one,
        "Sendrecv": both,
        "Exchange": more,
        "Reduce": one + 1e-6 + size / 8e9,
        "LocalCopy": size / 9e9,
    }


def machine(found: list[Row], card: Mapping[str, Any] = CARD) -> Machine:
    contents: Any = SimpleNamespace(rows=found, machine=card)
    return machine_of(contents, Path("run"), "here")


def test_values_are_those_of_the_machine() -> None:
    found = machine([*rows()])
    expected = {
        "nodes.copy": READ,
        "nodes.copy_together": 2e10,
        "nodes.processors": 4,
        "network.latency": 1e-6,
        "network.overhead": 0,
        "network.rooted_within": 1e-6,
        "storage.call": CALL,
        "storage.servers.link": WRITE,
        "storage.targets.write": DISK,
        "storage.targets.read": DISK_READ,
        "storage.targets.positioning": PLACE,
        "storage.locks.transfer": 5e-6,
        "storage.metadata.create": 2e-5,
        "storage.metadata.open": 3e-6,
        "storage.metadata.sync": SYNC,
        "storage.metadata.rename": 1e-5,
        "storage.metadata.freed": FREED,
    }
    for key, value in expected.items():
        assert found.number(*key.split(".")) == pytest.approx(value, rel=1e-5), key
    assert found.values["storage", "locks", "unit"] == "file"


@pytest.mark.parametrize("size", [8, 1 << 10, 3 << 20])
def test_messages_are_those_of_the_machine(size: int) -> None:
    found = machine([*rows()])
    for name, seconds in {
        "one_within": 1e-6 + (size - 8) / 5e9,
        "both_within": 3e-6 + size / 4e9,
        "further_within": 2e-6 + size / 4e9,
        "fresh_within": max(size, 1 << 10) * (1 / 1e9 - 1 / 4e9),
    }.items():
        curve = found.curve("network", name)
        assert curve and curve(size) == pytest.approx(seconds, rel=2e-3), name
    copies, combines = found.curve("nodes", "copies"), found.curve("nodes", "combines")
    assert copies and copies(size) == pytest.approx(size / 9e9, rel=2e-3)
    assert combines and combines(size) == pytest.approx(size / 8e9, rel=2e-3, abs=1e-9)


def test_a_curve_has_as_many_samples_as_the_point_with_fewest() -> None:
    def with_few(one: Row) -> Row:
        few = one.options.get("function") == "Sendrecv" and one.options["bytes"] == SIZES[0]
        return replace(one, records=one.records[:3]) if few else one

    found = machine([with_few(one) for one in rows()])
    counts = {name: given.n for name in KEYS_OF_CURVES if (given := found.given(("network", name)))}
    assert counts == {"one_within": 6, "both_within": 3, "further_within": 3, "fresh_within": 6}


def test_what_is_measured_as_less_than_nothing_is_nothing() -> None:
    quick = [one for one in rows() if one.comparisons != ("calls-of-functions",)]
    found = machine([*quick, row("calls-of-functions", "call", message(5e-7), bytes=8)])
    assert found.number("network", "rooted_within") == 0


def test_each_value_has_its_interval_and_its_samples() -> None:
    given = machine([*rows()]).given(("storage", "servers", "link"))
    assert given is not None
    assert (given.n, given.source) == (6, "measured: 64 MiB written by 1 MiB, not synced")
    assert given.low is not None and given.high is not None
    assert float(str(given.low).split()[0]) < 2 < float(str(given.high).split()[0])


def test_files_are_locked_only_where_ranks_were_seen_to_wait() -> None:
    found = machine([*rows(shared=3.5)])
    assert found.values["storage", "locks", "unit"] == "none"
    assert found.given(("storage", "locks", "transfer")) is None


def test_read_ahead_is_that_of_the_device_where_it_tells_it() -> None:
    told = machine([*rows()], {**CARD, "block_device": {"name": "vda", "read_ahead_bytes": 128 << 10}})
    assert told.number("storage", "read_ahead") == 128 << 10
    for unknown in (None, {"name": "vda", "read_ahead_bytes": None}):
        assert machine([*rows()], {**CARD, "block_device": unknown}).number("storage", "read_ahead") == 0


def test_what_the_run_lacks_is_said() -> None:
    with pytest.raises(WeirError, match="no samples of: shuffled, read") as told:
        machine([one for one in rows() if one.comparisons != ("shuffled",)])
    assert "weir run model" in str(told.value)
    with pytest.raises(WeirError, match="its machine card is incomplete"):
        machine([*rows()], {"host": {}})


def test_cases_are_found_by_their_options() -> None:
    cases = Cases([*rows()], "run")
    assert cases.of("synced", "write", block=4096).records[0].bytes == 4096
    assert cases.of("messages", "call", function="PingPong", bytes=8).records[0].metrics[
        0
    ].value == pytest.approx(1)
