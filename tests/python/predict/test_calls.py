import pytest

from samples import sample
from weir.predict.calls import KINDS, time_in_calls
from weir.store.records import RankTimes, SampleRecord


def one(phase: str, **seconds: float) -> SampleRecord:
    made = sample(elapsed_s=2.0, phase=phase)
    made.times = {kind: RankTimes(mean_s=seconds.get(kind, 0.0)) for kind in KINDS}
    return made


def test_it_is_of_all_phases_by_kinds() -> None:
    turns = {
        (1, at): [one("write", open=0.1, transfer=at, sync=0.5), one("read", transfer=1)] for at in (1, 3)
    }
    found = time_in_calls(turns, None)
    assert found is not None
    assert found.all.median == pytest.approx(3.6)
    assert found.of_kinds["transfer"].median == pytest.approx(3.0)
    assert (found.measured, found.error) == (None, None)


def test_its_error_is_of_pairs() -> None:
    benchmark = {(1, at): [one("write", transfer=1.1 * at)] for at in range(1, 8)}
    application = {(1, at): [one("write", transfer=at)] for at in range(1, 8)}
    found = time_in_calls(benchmark, application)
    assert found is not None
    assert found.error is not None
    assert found.error.median == pytest.approx(1.1)
    assert found.as_data()["error"]["low"] == pytest.approx(0.1)


def test_what_no_sample_tells_is_not_made_up() -> None:
    lacking = one("write", transfer=1)
    del lacking.times["close"]
    assert time_in_calls({(1, 0): [lacking]}, None) is None
