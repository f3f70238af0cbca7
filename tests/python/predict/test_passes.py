import pytest

from samples import sample
from weir.predict.passes import passes
from weir.store.records import AnyRecord, Cache, Latency, RankTimes, SampleRecord


def one(phase: str = "write", *, case: str = "a", round_: int = 1, **changes: object) -> SampleRecord:
    made = sample(elapsed_s=2.0, phase=phase, case=case)
    made.round = round_
    made.sync = "close"
    for key, value in {"bytes_written": 100, "bytes_read": 0, "bytes": 100, **changes}.items():
        setattr(made, key, value)
    return made


def test_a_pass_is_all_phases_of_one_turn() -> None:
    reads = {"bytes_written": 0, "bytes_read": 50, "cache": Cache(suspect=True)}
    records: list[AnyRecord] = [one(), one("read", **reads), one(), one("read", **reads), one(round_=2)]
    found = passes(records, ())["a"]
    assert set(found) == {(1, 0), (1, 1), (2, 0)}
    assert found[1, 1]["write", "write"].bandwidth == 50
    assert found[1, 1]["read", "read"].state == "cached"
    assert set(found[2, 0]) == {("write", "write")}


def test_cases_and_preparing_phases_stay_apart() -> None:
    found = passes([one(), one(case="b"), one("prepare", case="b")], {"prepare", None})
    assert set(found) == {"a", "b"}
    assert set(found["b"][1, 0]) == {("write", "write")}


@pytest.mark.parametrize(
    ("sync", "state"), [("close", "synced"), ("write", "synced"), ("never", "not synced")]
)
def test_it_is_told_whether_writes_were_synced(sync: str, state: str) -> None:
    assert passes([one(sync=sync)], ())["a"][1, 0]["write", "write"].state == state


@pytest.mark.parametrize(
    ("suspect", "state"), [(True, "cached"), (False, "from the device"), (None, "cache unknown")]
)
def test_it_is_told_where_reads_came_from(suspect: bool | None, state: str) -> None:
    reads = {"bytes_written": 0, "bytes_read": 50, "cache": Cache(suspect=suspect)}
    assert passes([one("r", **reads)], ())["a"][1, 0]["r", "read"].state == state


@pytest.mark.parametrize(("ranks", "write_s"), [(1, 1.2), (2, 1.6)])
def test_a_phase_that_does_both_is_divided_as_its_requests_and_syncs_are(ranks: int, write_s: float) -> None:
    both = {
        "bytes_read": 100,
        "bytes": 200,
        "ranks": ranks,
        "latency": {"write": Latency(timed=4, mean_s=0.2), "read": Latency(timed=4, mean_s=0.1)},
        "times": {"sync": RankTimes(mean_s=0.4)},
    }
    found = passes([one("mix", **both)], ())["a"][1, 0]
    assert found["mix", "read"].time_s == pytest.approx(2.0 * 0.4 / (0.4 + write_s))
    assert found["mix", "write"].time_s == pytest.approx(2.0 * write_s / (0.4 + write_s))


def test_time_is_that_of_the_whole_phase_as_applications_count_it() -> None:
    ranks = [{"open_s": 0.1, "transfer_s": 0.5, "sync_s": 0.2, "close_s": 0.1}, {"transfer_s": 0.7}]
    assert passes([one(by_rank=ranks)], ())["a"][1, 0]["write", "write"].time_s == pytest.approx(2.0)
