"""Which cases a run begins with where its time is short."""

from pathlib import Path
from typing import Any

import pytest

from weir.core.schema import Description, Totals
from weir.measure.plan import Plan
from weir.report.first_cases import first_cases, with_first
from weir.study.case import Case


def plan_of(*cases: tuple[str, str, int, dict[str, Any], int]) -> Plan:
    """Cases by id, benchmark, ranks, options, and bytes on disk."""
    made = [Case(name, benchmark, ranks, {}, options) for name, benchmark, ranks, options, _ in cases]
    totals = {name: Description(name, totals=Totals(bytes_on_disk=size)) for name, *_, size in cases}
    return Plan(None, None, made, totals, Path())  # type: ignore[arg-type] # neither study nor schema is asked


def test_of_a_storage_the_most_data_that_is_written_and_read_honestly() -> None:
    plan = plan_of(
        ("small", "storage", 2, {"sync": "close", "cache": "drop"}, 10),
        ("unsynced", "storage", 2, {"sync": "never", "cache": "keep"}, 1000),
        ("written", "storage", 2, {"sync": "close", "cache": "keep"}, 200),
        ("large", "storage", 2, {"sync": "close", "cache": "drop"}, 100),
        ("again", "storage", 2, {"sync": "close", "cache": "drop"}, 100),
        ("pattern", "storage", 2, {"pattern": "p.json"}, 5000),
    )
    assert first_cases(plan) == {"written", "large"}
    assert with_first(plan).first == {"written", "large"}


def test_of_a_network_latency_bandwidth_and_the_largest_barrier() -> None:
    plan = plan_of(
        *(
            (f"ping {size}", "network", 2, {"function": "PingPong", "bytes": size}, 0)
            for size in (0, 4, 8, 1 << 20)
        ),
        ("bcast", "network", 8, {"function": "Bcast", "bytes": 8}, 0),
        *((f"barrier {ranks}", "network", ranks, {"function": "Barrier", "bytes": 0}, 0) for ranks in (2, 8)),
    )
    assert first_cases(plan) == {"ping 8", f"ping {1 << 20}", "barrier 8"}


@pytest.mark.parametrize("benchmark", ["metadata", "cloud"])
def test_of_others_none(benchmark: str) -> None:
    assert first_cases(plan_of(("one", benchmark, 2, {}, 0))) == frozenset()


@pytest.mark.parametrize("benchmark", ["stream", "dgemm", "fft", "hpl", "rings"])
def test_of_a_machines_tests_that_of_the_most_ranks(benchmark: str) -> None:
    assert first_cases(plan_of(("two", benchmark, 2, {}, 0), ("four", benchmark, 4, {}, 0))) == {"four"}


def test_of_the_hpc_challenge_that_of_the_most_ranks() -> None:
    assert first_cases(plan_of(("two", "hpcc", 2, {}, 0), ("four", "hpcc", 4, {}, 0))) == {"four"}
