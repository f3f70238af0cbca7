from samples import BANDWIDTH, RATE, sample
from weir.analyse.metric import Metric
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import (
    CaseRecord,
    FailureRecord,
    FinishedRecord,
    LaunchRecord,
    SampleRecord,
    Warning,
)

CASE = CaseRecord(case="a", benchmark="storage", ranks=2)


def samples(phase: str, *values: float, suspect: bool | None = None) -> list[SampleRecord]:
    cache = {"suspect": suspect}
    return [sample(phase=phase, bandwidth_bytes_per_s=value, cache=cache) for value in values]


def only(**keys: object) -> Row:
    """The row of one sample."""
    (row,) = summarise([CASE, sample(**keys)]).rows
    return row


def test_a_row_a_phase_with_median_interval_and_verdict() -> None:
    records = [CASE, *samples("write", 1, 2, 3, 4, 5, 6), *samples("read", 7)]
    finished = FinishedRecord(case="a", verdict="inconclusive", why="noise")
    write, read = summarise([*records, finished]).rows
    assert (write.phase, write.median, write.low, write.high) == ("write", 3.5, 1, 6)
    assert (read.phase, read.n, read.low) == ("read", 1, None)
    assert (read.verdict, read.verdict_why) == ("inconclusive", "noise")


def test_the_first_metric_that_any_sample_knows_is_the_result() -> None:
    unknown = sample(bandwidth_bytes_per_s=None, operations_per_s=5.0, cell_updates_per_s=None)
    (row,) = summarise([CASE, unknown, unknown]).rows
    assert (row.metric, row.median, row.metrics[1:]) == (RATE, 5.0, ())
    (row,) = summarise([CASE, unknown, sample(bandwidth_bytes_per_s=7.0, operations_per_s=6.0)]).rows
    assert (row.metric, row.median, row.n) == (BANDWIDTH, 7.0, 1)
    assert [(one.metric, one.estimate.median) for one in row.metrics[1:]] == [(RATE, 5.5)]
    assert summarise([CASE, sample(bandwidth_bytes_per_s=None)]).rows == []


def test_a_metric_is_what_its_sample_says_it_is() -> None:
    told = {"key": "ping_us", "value": 2.0, "unit": "us", "noun": "latency", "better": "lower"}
    row = only(metrics=[told, {"key": "bare", "value": 1.0}])
    assert row.metric == Metric("ping_us", "us", "latency", greater_is_better=False)
    assert row.metrics[1].metric == Metric("bare", "", "bare", greater_is_better=True)


def test_what_moves_the_bytes_of_files_is_told_by_the_bytes() -> None:
    def moves(**keys: object) -> str | None:
        return only(phase="p", bandwidth_bytes_per_s=1.0, **keys).moves

    assert moves(bytes_written=1, bytes_read=0) == "write"
    assert moves(bytes_written=1, bytes_read=1) == "write"
    assert moves(bytes_written=0, bytes_read=1) == "read"
    assert moves(bytes_written=0, bytes_read=0, sync="close") == "write"
    assert moves() is None, "a bandwidth of memory"
    assert only(operations_per_s=1.0, bytes_written=1, bytes_read=0).moves is None, "no bandwidth"


def test_bytes_moved_without_a_word_on_caches_are_an_applications() -> None:
    known = {"bandwidth_bytes_per_s": 1.0, "bytes_written": 1, "bytes_read": 0}
    for more, application in (({}, True), ({"sync": "close"}, False), ({"cache": {}}, False)):
        assert only(**known, **more).application is application
    assert not only(operations_per_s=1.0).application


def test_the_cache_suspect_share_counts_only_what_is_known() -> None:
    records = [CASE, *(one for known in (True, False, None) for one in samples("read", 1, suspect=known))]
    assert summarise(records).rows[0].suspect_share == 0.5
    assert summarise([CASE, *samples("read", 1)]).rows[0].suspect_share is None


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


def test_a_case_of_launches_that_did_not_start_has_failed_and_lacked_no_time() -> None:
    late = CaseRecord(case="b", benchmark="storage", ranks=2)
    ends = [FinishedRecord(case="a", verdict="failed", why="the launch did not start")]
    found = summarise([CASE, late, FailureRecord(case=None, problem="the launch did not start"), *ends])
    assert (found.unmeasured, found.failed) == (["b"], {"a"})
