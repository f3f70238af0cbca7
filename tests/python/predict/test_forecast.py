import pytest

from end_to_end.patterns import closing, opening, phase
from end_to_end.patterns import pattern as small
from mimic.made import nest, typed
from weir.analyse.paired import Turn
from weir.mimic.derive import derive
from weir.mimic.imitation import Imitation
from weir.predict.forecast import Row, forecast
from weir.predict.passes import Moved, Pass

BYTES = 2 * 4096


def imitated() -> Imitation:
    part = {"ranks": 2, "length": 4096, "rank_levels": [(2, 4096)]}
    phases = (
        phase(
            "dump",
            opening("create"),
            nest(**part),
            {"broadcast": {"bytes": 24, "root": 0}},
            {"sync": {"file": 0}},
            closing(),
        ),
        phase("load", opening("read"), nest("read", **part), closing()),
    )
    return derive(typed(small(*phases, ranks=2)))


def runs(write_s: float, read_s: float, *, moved: int = BYTES, count: int = 6) -> dict[Turn, Pass]:
    return {
        (turn, 0): {
            ("dump", "write"): Moved(moved, write_s * (1 + turn / 1000), "synced"),
            ("load", "read"): Moved(moved, read_s * (1 + turn / 1000), "cached"),
        }
        for turn in range(count)
    }


def row(rows: list[Row], phase_name: str | None, direction: str) -> Row:
    (found,) = [one for one in rows if (one.phase, one.direction) == (phase_name, direction)]
    return found


def test_it_tells_time_and_bandwidth_of_phases_and_of_all() -> None:
    rows = forecast(imitated(), runs(2.0, 0.5), None)
    assert [(one.phase, one.direction, one.state) for one in rows] == [
        ("dump", "write", "synced"),
        ("load", "read", "cached"),
        (None, "write", "synced"),
        (None, "read", "cached"),
    ]
    write = row(rows, "dump", "write")
    assert (write.bytes, write.time.count, write.error) == (BYTES, 6, None)
    assert write.time.median == pytest.approx(2.0, rel=0.01)
    assert write.bandwidth.low is not None
    assert write.bandwidth.low <= BYTES / 2.0


def test_an_imitation_of_other_bytes_forecasts_those_of_the_pattern() -> None:
    rows = forecast(imitated(), runs(2.0, 0.5, moved=BYTES // 2), None)
    assert row(rows, "dump", "write").time.median == pytest.approx(4.0, rel=0.01)


def test_small_requests_that_are_rounded_up_take_as_long_as_they_are() -> None:
    part = nest(ranks=2, length=1, levels=[(2000, 1)], rank_levels=[(2, 2000)])
    one = derive(typed(small(phase("dump", opening("create"), part, closing()), ranks=2)))
    made = {(turn, 0): {("dump", "write"): Moved(4000 * 8, 2.0, "synced")} for turn in range(6)}
    write = row(forecast(one, made, None), "dump", "write")
    assert (write.bytes, write.time.median, write.bandwidth.median) == (4000, 2.0, 2000.0)
    real = {turn: {("dump", "write"): Moved(4000, 2.0, "synced")} for turn in made}
    error = row(forecast(one, made, real), None, "write").error
    assert error is not None
    assert error.median == 0


def test_the_error_is_of_pairs_and_has_an_interval() -> None:
    rows = forecast(imitated(), runs(2.0, 0.5), runs(3.0, 0.5))
    error = row(rows, "dump", "write").error
    assert error is not None
    assert error.median == pytest.approx(0.5)
    assert error.ratio.count == 6
    assert error.low == pytest.approx(0.5)
    same = row(rows, None, "read").error
    assert same is not None
    assert same.median == pytest.approx(0)


def test_only_turns_of_both_are_pairs() -> None:
    error = row(forecast(imitated(), runs(2.0, 0.5), runs(2.0, 0.5, count=3)), "load", "read").error
    assert error is not None
    assert (error.ratio.count, error.low) == (3, None)
    assert error.as_data()["why_no_interval"]


def test_what_is_off_says_what_the_benchmark_could_not_express() -> None:
    rows = forecast(imitated(), runs(2.0, 0.5), runs(3.0, 0.52))
    assert row(rows, "dump", "write").causes == ("broadcasts are left out",)
    assert row(rows, "load", "read").causes == ()
    error = row(rows, "dump", "write").error
    assert error is not None
    assert (error.is_off, error.is_sure) == (True, True)


def test_a_phase_that_was_not_run_has_no_forecast() -> None:
    assert forecast(imitated(), {}, None) == []
    only_writes = {turn: {("dump", "write"): one["dump", "write"]} for turn, one in runs(1, 1).items()}
    assert {one.direction for one in forecast(imitated(), only_writes, None)} == {"write"}
