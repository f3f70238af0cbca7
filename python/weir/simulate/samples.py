"""A simulation as samples: one a phase, and one of all phases together, with metrics like any other."""

from collections.abc import Iterator
from typing import Any

import msgspec

from weir.results.row import SIMULATED
from weir.simulate.result import Phase, Simulation
from weir.store.records import MetricRecord

TOTAL = "total"
TIME, BANDWIDTH = "elapsed_s", "bandwidth_bytes_per_s"
WRITTEN, READ = "written_bytes_per_s", "read_bytes_per_s"
SHARE = "_busy_share"
"""The end of the key of a resource's utilisation."""


def samples_of(found: Simulation) -> Iterator[dict[str, Any]]:
    """Their lines in `samples.jsonl`, without what says of which case they are."""
    for phase in found.phases:
        yield _sample(phase.name, phase, [*_moved(phase), _time(phase.time_s)], {"timed": phase.timed})
    phases = found.timed
    whole = Phase(
        TOTAL, found.time_s, sum(one.bytes_written for one in phases), sum(one.bytes_read for one in phases)
    )
    ways = ((WRITTEN, "bandwidth written", found.written), (READ, "bandwidth read", found.read))
    metrics = [_time(found.time_s)]
    metrics += [MetricRecord(key, value, "B/s", noun) for key, noun, value in ways if value is not None]
    metrics += [_utilisation(one.name, one.share) for one in found.resources]
    details = {
        "bottleneck": found.bottleneck,
        "nodes": found.nodes,
        "events": found.events,
        "resources": [msgspec.to_builtins(one) for one in found.resources],
    }
    yield _sample(TOTAL, whole, metrics, details)


def _sample(name: str, phase: Phase, metrics: list[MetricRecord], details: dict[str, Any]) -> dict[str, Any]:
    operations = [msgspec.to_builtins(one) for one in phase.operations]
    return {
        "phase": name,
        "repetition": 0,
        "elapsed_s": phase.time_s,
        "bytes": phase.bytes_written + phase.bytes_read,
        "bytes_written": phase.bytes_written,
        "bytes_read": phase.bytes_read,
        "operations": sum(one.count for one in phase.operations) or None,
        "metrics": [msgspec.to_builtins(metric) for metric in metrics],
        "details": {**details, **({"operations": operations} if operations else {})},
        "warnings": [{"code": SIMULATED, "problem": "the number was simulated", "why": "", "advice": ""}],
    }


def _time(seconds: float) -> MetricRecord:
    return MetricRecord(TIME, seconds, "s", "time", "lower")


def _moved(phase: Phase) -> list[MetricRecord]:
    size = phase.bytes_written + phase.bytes_read
    if not size or phase.time_s <= 0:
        return []
    return [MetricRecord(BANDWIDTH, size / phase.time_s, "B/s", "bandwidth")]


def _utilisation(name: str, share: float) -> MetricRecord:
    return MetricRecord(name.replace(" ", "_") + SHARE, share, "1", f"{name} busy", "lower")
