"""What the kernel counted, as medians over samples."""

from typing import Any

from weir.analyse.detail import count
from weir.store.records import SampleRecord


def sample(phase: str, **system: Any) -> SampleRecord:
    known = {
        "write_calls": 64,
        "write_call_bytes": 640,
        "writing_ranks": 2,
        "read_calls": 7,
        "read_call_bytes": 70,
        "reading_ranks": 1,
        "voluntary_switches": 5,
        "involuntary_switches": 3,
        "user_s": 0.5,
        "system_s": 0.25,
    }
    return SampleRecord(case="a", phase=phase, ranks=4, operations=64, system={**known, **system})


def test_requests_are_those_of_the_phases_direction() -> None:
    counts = count([sample("write"), sample("write", write_calls=66), sample("write", write_calls=128)])
    assert counts is not None
    assert (counts.requests, counts.request_bytes, counts.ranks) == (66, 640, 2)
    assert (counts.switches, counts.cpu_s) == (8, 0.75)
    reading = count([sample("read")])
    assert reading is not None and (reading.requests, reading.ranks, reading.bytes_a_request) == (7, 1, 10)


def test_rounds_are_requests_of_an_active_rank_for_each_call_of_all() -> None:
    counts = count([sample("write")])
    assert counts is not None and counts.rounds == (64 / 2) / (64 / 4)


def test_what_the_kernel_did_not_tell_is_not_made_up() -> None:
    assert count([SampleRecord(case="a", phase="write")]) is None
    counts = count([sample("write", write_calls=None, user_s=None)])
    assert counts is not None
    assert (counts.requests, counts.rounds, counts.bytes_a_request, counts.cpu_s) == (None, None, None, None)
