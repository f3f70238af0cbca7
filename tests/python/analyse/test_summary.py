from weir.analyse.summary import summarise
from weir.store.records import (
    Cache,
    CaseRecord,
    FailureRecord,
    FinishedRecord,
    LaunchRecord,
    SampleRecord,
    Warning,
)

CASE = CaseRecord(case="a", benchmark="storage", ranks=2)


def samples(phase: str, *values: float, suspect: bool | None = None) -> list[SampleRecord]:
    cache = Cache(suspect=suspect)
    return [SampleRecord(case="a", phase=phase, bandwidth_bytes_per_s=value, cache=cache) for value in values]


def test_a_row_a_phase_with_median_interval_and_verdict() -> None:
    records = [CASE, *samples("write", 1, 2, 3, 4, 5, 6), *samples("read", 7)]
    finished = FinishedRecord(case="a", verdict="inconclusive", why="noise")
    write, read = summarise([*records, finished]).rows
    assert (write.phase, write.estimate.median, write.estimate.low, write.estimate.high) == (
        "write",
        3.5,
        1,
        6,
    )
    assert (read.phase, read.estimate.count, read.estimate.low) == ("read", 1, None)
    assert (read.verdict, read.why) == ("inconclusive", "noise")


def test_a_case_without_bandwidth_is_told_by_operations_or_time() -> None:
    by_time = [CASE, SampleRecord(case="a", phase="read", elapsed_s=2.0)]
    by_operations = [CASE, SampleRecord(case="a", phase="read", elapsed_s=2.0, operations_per_s=5.0)]
    assert summarise(by_time).rows[0].metric.key == "elapsed_s"
    assert summarise(by_operations).rows[0].metric.key == "operations_per_s"


def test_the_cache_suspect_share_counts_only_what_is_known() -> None:
    records = [
        CASE,
        *samples("read", 1, suspect=True),
        *samples("read", 1, suspect=False),
        *samples("read", 1),
    ]
    assert summarise(records).rows[0].cache_suspect_share == 0.5
    assert summarise([CASE, *samples("read", 1)]).rows[0].cache_suspect_share is None


def test_warnings_are_said_once_and_failures_kept() -> None:
    launches = [LaunchRecord(warnings=[Warning("busy", f"{n} cores busy")]) for n in (1, 2)]
    summary = summarise([CASE, *launches, FailureRecord(case="a", problem="no space")])
    assert [warning.problem for warning in summary.launch_warnings] == ["1 cores busy"]
    assert [failure.problem for failure in summary.failures] == ["no space"]
    assert summary.rows == []


def test_the_last_verdict_holds() -> None:
    records = [CASE, *samples("read", 1)]
    verdicts = [FinishedRecord(case="a", verdict=verdict) for verdict in ("failed", "precise")]
    assert summarise([*records, *verdicts]).rows[0].verdict == "precise"
