"""Fitting a machine to numbers: the data, the search, and what is said of errors."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from toy_machine import faster_with_targets, simulation, toy
from weir.errors import ExitCode, WeirError
from weir.simulate.data import CHECK, FIT, Datum, labels, read_data
from weir.simulate.fit import LEFT_OUT, Fitting, check_distinct, parse_free
from weir.simulate.model import parse_machine, path_of
from weir.simulate.quantities import parse_quantity
from weir.simulate.round import rounded
from weir.simulate.search import hypercube, minimise, refine
from weir.simulate.settings import USUAL
from weir.simulate.simulate import Asked
from weir.simulate.write import machine_text

HEAD = "pattern,ranks,quantity,value,stripes,use\n"
WRITE, OPEN = path_of("targets.write"), path_of("metadata.open")


def read(tmp_path: Path, text: str) -> list[Datum]:
    path = tmp_path / "data.csv"
    path.write_text(text)
    return read_data(path, lambda word: word.startswith("flash-io"))


def test_rows_name_patterns_settings_and_values_with_units(tmp_path: Path) -> None:
    rows = read(
        tmp_path,
        "# of nowhere\n"
        + HEAD
        + 'flash-io --blocks 4,64,written,8 MB/s,2,\n\nown.json,4,total.open+create,"31.35 s",,check\n',
    )
    assert rows[0].asked.pattern == "flash-io --blocks 4"
    assert (rows[0].asked.ranks, rows[0].asked.settings.stripes) == (64, 2)
    assert (rows[0].value, rows[0].use, rows[0].place) == (8e6, FIT, f"{tmp_path}/data.csv:3")
    assert labels(rows)[0] == "flash-io --blocks 4, 64 ranks, stripes 2, written"
    assert labels(rows[:1] * 2) == ["written"] * 2
    assert rows[1].asked.pattern == str(tmp_path / "own.json")
    assert (rows[1].value, rows[1].use) == (31.35, CHECK)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "data.csv:1: there is no column 'pattern'"),
        ("pattern,ranks,quantity\n", "data.csv:1: there is no column 'value'"),
        ("pattern,ranks,quantity,value,strips\n", "data.csv:1: unknown column 'strips'. Did you mean"),
        (HEAD, "there is no number to fit to"),
        (HEAD.replace("use", "value"), "data.csv:1: the column 'value' stands there twice"),
        (HEAD + "p.json,4,time,3 s,,check\n", "there is no number to fit to"),
        (HEAD + "p.json,4,time,3 s\n", "data.csv:2: the row has 4 cells, not 6"),
        (HEAD + "p.json,4,tme,3 s,,\n", "data.csv:2: 'tme' is no quantity"),
        (HEAD + "p.json,4,total,3 s,,\n", "data.csv:2: 'total' is no quantity"),
        (HEAD + "p.json,4,time,3,,\n", "data.csv:2: '3' is not a time (its unit is missing)"),
        (HEAD + "p.json,4,written,3 s,,\n", "data.csv:2: '3 s' is not a bandwidth"),
        (HEAD + "p.json,four,time,3 s,,\n", "data.csv:2: 'four' says not how many ranks"),
        (HEAD.replace("stripes", "cache") + "p.json,4,time,3 s,lose,\n", "there is no cache 'lose'"),
        (HEAD.replace("stripes", "method") + "p.json,4,time,3 s,rank1,\n", "no method 'rank1'. Did you mean"),
        (HEAD + "p.json,4,time,3 s,two,\n", "data.csv:2: stripes is 'two'"),
        (HEAD + "p.json,4,time,3 s,2²,\n", "data.csv:2: stripes is '2²'"),
        (HEAD + "p.json,4,time,0 s,,\n", "data.csv:2: '0 s' has no ratio to anything"),
        (HEAD + "p.json,4,time,3 s,,guess\n", "data.csv:2: 'guess' is no use of a number"),
    ],
)  # fmt: skip
def test_rows_that_are_wrong_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(WeirError) as refused:
        read(tmp_path, text)
    assert said in str(refused.value)


def test_a_mark_of_utf8_at_the_begin_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeff" + HEAD + "p.json,4,time,3 s,,\n")[0].value == 3


def test_quantities_are_of_phases_and_of_operations() -> None:
    found = simulation(4, time_s=3.0)
    assert parse_quantity("time").of(found) == pytest.approx(3.0)
    assert parse_quantity("dump/time").of(found) == pytest.approx(2.0)
    assert parse_quantity("dump/written").of(found) == pytest.approx(found.written)
    assert parse_quantity("moved").of(found) == pytest.approx((8 << 20) / 3.0)
    assert parse_quantity("total.write+open").of(found) == pytest.approx(6.1)
    assert parse_quantity("mean.write").of(found) == pytest.approx(1.5)
    assert parse_quantity("longest.write+open").of(found) == pytest.approx(1.5)
    for text in ("dmp/time", "total.seek", "restart/written"):
        with pytest.raises(
            WeirError, match=r"its phases are dump, restart; their operations open, write, read"
        ):
            parse_quantity(text).of(found)


def test_the_search_finds_the_least_of_a_narrow_valley() -> None:
    def valley(point: tuple[float, ...]) -> float:
        x, y = point
        return (x - 0.3) ** 2 + 50 * (y - x * x - 0.2) ** 2

    found = minimise(valley, (0.9, 0.9), 300, seed=1)
    assert found.best == pytest.approx((0.3, 0.29), abs=1e-2)
    assert found.calls <= 300
    assert minimise(valley, (0.9, 0.9), 300, seed=1).best == found.best
    assert refine(valley, (0.32, 0.31), 100).value < valley((0.32, 0.31))


def test_a_search_ends_at_an_edge_and_in_a_plain() -> None:
    assert minimise(lambda point: point[0], (0.5,), 100, seed=1).best == (0.0,)
    assert minimise(lambda point: 1.0, (0.5, 0.5), 1000, seed=1).calls < 1000


def test_a_hypercube_has_a_point_in_each_slice() -> None:
    for row in zip(*hypercube(10, 3, random.Random(2)), strict=True):
        assert sorted(int(10 * x) for x in row) == list(range(10))


def test_ranges_are_given_or_of_the_model_or_a_factor() -> None:
    assert parse_free("targets.write=10 MB/s..90 MB/s", toy()).high == 9e7
    assert parse_free("nodes.copy", toy()).low == 1.9e9
    plain = parse_free("targets.write", toy())
    assert (plain.low, plain.high) == pytest.approx((1e7, 1e9))
    assert plain.at(plain.place_of(3e7)) == pytest.approx(3e7)
    assert parse_free("targets.count", toy()).at(0.5) == 8


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("locks.unit", "it is no number"),
        ("storage.seek", "nothing says between which values to seek storage.seek"),
        ("targets.write=10 MB/s", "has no ends"),
        ("targets.write=9 MB/s..1 MB/s", "it must rise"),
        ("targets.write=1 B/s..2 GB/s", "it is wider than a factor of 1e9"),
        ("targets.wrte", "a machine has no 'targets.wrte'"),
    ],
)
def test_other_keys_are_refused(word: str, said: str) -> None:
    with pytest.raises(WeirError, match=said):
        parse_free(word, toy())


def test_a_key_is_free_once() -> None:
    with pytest.raises(WeirError, match=r"storage.targets.write is free twice"):
        check_distinct(
            [parse_free(word, toy()) for word in ("targets.write", "targets.write=1 MB/s..2 MB/s")]
        )


def data_of(machine: object, use: dict[int, str], noise: float = 0.0) -> list[Datum]:
    """What a machine of such values would give on so many ranks."""
    quantity = parse_quantity("time")
    found = []
    for at, (ranks, what) in enumerate(use.items()):
        value = quantity.of(faster_with_targets(machine, Asked("any", ranks, USUAL)))
        found.append(
            Datum(Asked("any", ranks, USUAL), quantity, value * (1 + noise * (-1) ** at), what, f"d.csv:{at}")
        )
    return found


def test_values_are_found_again_and_others_are_predicted() -> None:
    true = toy().changed({WRITE: 4.2e7})
    free = [parse_free("targets.write", toy())]
    data = data_of(true, {1: FIT, 8: FIT, 16: FIT, 64: CHECK})
    found = Fitting(toy(), free, data, faster_with_targets, 100).fit()
    assert found.machine.number(*WRITE) == pytest.approx(4.2e7, rel=1e-3)
    assert max(found.errors(FIT)) < 1e-3
    assert max(found.errors(LEFT_OUT)) < 1e-3
    assert found.errors(CHECK) == pytest.approx([0], abs=1e-3)
    assert found.spread[WRITE] == pytest.approx((4.2e7, 4.2e7), rel=1e-3)
    assert not found.is_at_end(free[0])
    given = parse_machine(machine_text(found.machine, "new"), "new.toml").given(WRITE)
    assert given
    assert given.source.startswith("fitted: to 3 numbers of d.csv, Nelder-Mead, ")


def test_what_was_found_without_a_number_is_taken_where_it_is_better_for_all() -> None:
    true = toy().changed({WRITE: 4.2e7})
    data = data_of(true, {1: FIT, 8: FIT, 16: FIT})
    found = Fitting(toy(), [parse_free("targets.write", toy())], data, faster_with_targets, 10).fit()
    assert not found.settled
    assert max(found.errors(FIT)) <= max(found.errors(LEFT_OUT))


def test_what_was_left_out_is_farther_off_than_what_was_fitted() -> None:
    data = data_of(toy(), {1: FIT, 8: FIT, 64: FIT}, noise=0.2)
    free = [parse_free(word, toy()) for word in ("targets.write", "metadata.open")]
    found = Fitting(toy(), free, data, faster_with_targets, 100).fit()
    assert max(found.errors(LEFT_OUT)) > max(found.errors(FIT)) > 0.01


def test_a_range_that_is_too_small_is_told() -> None:
    free = parse_free("targets.write=200 MB/s..400 MB/s", toy())
    found = Fitting(toy(), [free], data_of(toy(), {1: FIT, 8: FIT}), faster_with_targets, 40).fit()
    assert found.is_at_end(free)


def test_a_key_that_changes_no_number_keeps_its_value_and_source() -> None:
    free = [parse_free(word, toy()) for word in ("targets.write", "locks.transfer=1us..1ms")]
    data = data_of(toy().changed({WRITE: 4.2e7}), {1: FIT, 8: FIT})
    found = Fitting(toy(), free, data, faster_with_targets, 100).fit()
    assert found.idle == (free[1],)
    assert found.machine.given(free[1].path) is None
    assert list(found.spread) == [WRITE]
    with pytest.raises(WeirError, match=r"no number changes with storage.locks.transfer") as refused:
        Fitting(toy(), free[1:], data, faster_with_targets, 20).fit()
    assert refused.value.exit_code == ExitCode.INCONCLUSIVE


def test_one_number_leaves_no_other_and_does_not_tell_two_keys_apart() -> None:
    free = [parse_free(word, toy()) for word in ("targets.write", "metadata.open")]
    (one,) = data_of(toy().changed({WRITE: 4.2e7}), {4: FIT})
    found = Fitting(toy(), free, [one], faster_with_targets, 60).fit()
    assert found.is_open and not found.spread and found.reaches
    given = found.machine.given(WRITE)
    assert given and given.source.startswith("fitted: to 1 number of d.csv")
    assert len(str(given.value).split()[0].replace(".", "").strip("0")) <= 3


def test_numbers_that_no_value_reaches_are_told() -> None:
    free = [parse_free("targets.write", toy())]
    (one,) = data_of(toy().changed({WRITE: 1e5}), {4: FIT})
    assert not Fitting(toy(), free, [one], faster_with_targets, 40).fit().reaches


def test_values_are_written_with_the_digits_that_a_fit_supports() -> None:
    assert rounded(WRITE, 41_234_567.8) == 4.12e7
    assert rounded(path_of("targets.count"), 1234) == 1234
    assert rounded(path_of("stripe"), 1_434_567) == 1401 << 10


def test_the_example_of_a_range_is_one() -> None:
    with pytest.raises(WeirError) as refused:
        parse_free("locks.transfer", toy())
    assert refused.value.suggestion == "write for example locks.transfer=40 us..400 us"
    assert parse_free("locks.transfer=40 us..400 us", toy()).high == pytest.approx(4e-4)


def test_what_cannot_be_simulated_is_refused_with_its_line() -> None:
    (one,) = data_of(toy(), {4: FIT})
    wrong = Datum(one.asked, parse_quantity("total.seek"), 1.0, FIT, "d.csv:9")
    free = [parse_free("targets.write", toy())]
    with pytest.raises(WeirError, match=r"d.csv:9: the simulation has no 'total.seek'"):
        Fitting(toy(), free, [one, wrong], faster_with_targets, 40).fit()
    many = Datum(Asked("any", 65, USUAL), one.quantity, 1.0, FIT, "d.csv:9")
    with pytest.raises(WeirError, match=r"d.csv:9: .*65 ranks are too many"):
        Fitting(toy(), free, [many], faster_with_targets, 40)


def test_twice_and_half_are_as_far_off() -> None:
    (one,) = data_of(toy(), {8: FIT})
    data = [replace(one, value=one.value * times, place=f"d.csv:{times}") for times in (1, 4)]
    found = Fitting(toy(), [parse_free("targets.write", toy())], data, faster_with_targets, 100).fit()
    assert [row.error for row in found.rows] == pytest.approx([1.0, -0.5], rel=1e-2)


def test_the_spread_has_the_fitted_value_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def higher(self: Fitting, one: Datum, used: list[Datum], best: tuple[float, ...]) -> tuple[float, ...]:
        (place,) = best
        return (place + 0.1,)

    monkeypatch.setattr(Fitting, "_without", higher)
    free = [parse_free("targets.write", toy())]
    found = Fitting(toy(), free, data_of(toy(), {1: FIT, 64: FIT}), faster_with_targets, 40).fit()
    low, high = found.spread[WRITE]
    assert low == pytest.approx(found.machine.number(*WRITE), rel=1e-5)
    assert high > 1.5 * low
