"""What a paper says beside what is simulated: numbers, words, places of points; IOR's patterns; figures."""

import pytest

from weir.simulate.paper import GAIN, PREDICTION, PROCESSORS, Cell, Curve, Printed, Said, errors
from weir.simulate.papers._ior_machines import BASSI
from weir.simulate.papers._ior_pattern import KIB, MIB, NETCDF, Ior
from weir.simulate.papers.ior import bends
from weir.simulate.papers.pflotran import pays_from
from weir.simulate.picture import RANKS, SIZE, drawing_of


def cell_of(
    simulated: float, printed: float | None = None, quantity: str = "written", **more: object
) -> Cell:
    return Cell("test", Printed("here", "row", quantity, printed, PREDICTION, **more), simulated)  # type: ignore[arg-type]


def test_words_hold_within_their_ends() -> None:
    similar = Said("similar", 0.8, 1.25)
    assert cell_of(1.25, quantity=GAIN, said=similar).holds
    assert cell_of(0.79, quantity=GAIN, said=similar).holds is False
    assert Said("rises", at_least=1).holds(1e9)
    assert cell_of(1.0).holds is None


def test_places_of_points_are_no_errors() -> None:
    place, number = cell_of(256, 64, PROCESSORS), cell_of(3.0, 2.0)
    assert place.doublings == 2
    assert place.error is None
    assert number.error == pytest.approx(0.5)
    assert number.doublings is None
    found = errors([place, number], PREDICTION)
    assert found is not None
    assert found.count == 1


def test_a_curve_bends_where_twice_as_many_bring_little() -> None:
    assert bends({8: 1.0, 16: 2.0, 32: 3.3, 64: 4.0}) == 32
    assert bends({8: 1.0, 16: 1.9}) == 16
    assert bends({8: 1.0, 16: 1.0, 32: 2.0}) == 8


def test_grouping_pays_from_where_it_always_brings_something() -> None:
    assert pays_from({512: 1.0, 1024: 1.2, 2048: 1.05, 4096: 1.3, 8192: 2.0}) == 4096
    assert pays_from({512: 2.0, 1024: 2.0}) == 512
    assert pays_from({512: 0.2, 1024: 1.0}) == 2048


def test_a_test_of_many_small_transfers_keeps_blocks_where_they_are() -> None:
    (write,) = Ior(4, KIB, 256 * MIB, most=16).pattern().phases
    access = write.steps[1].access
    assert access
    assert access.rank_levels
    assert access.rank_levels[0].stride == 256 * MIB
    assert access.extent.levels[0].count == 16
    assert Ior(4, 256 * MIB, 256 * MIB).count == 1


def test_own_files_begin_at_zero_and_are_read_after_they_are_written() -> None:
    write, read = BASSI.test(8, own_files=True, reads=True).pattern().phases
    assert [one.name for one in (write, read)] == ["write", "read"]
    access = write.steps[1].access
    assert access
    assert access.rank_levels == []
    assert read.steps[0].open
    assert read.steps[0].open.mode == "read"


def test_sieved_writes_read_each_piece_before() -> None:
    (write,) = Ior(2, 2 * MIB, 4 * MIB, interface=NETCDF).pattern().phases
    repeat = write.steps[1].repeat
    assert repeat
    assert repeat.count == 8
    verbs = [step.access.verb for step in repeat.steps if step.access]
    assert verbs == ["read", "write"]
    assert {step.access.advance for step in repeat.steps if step.access} == {(512 * KIB,)}


def test_figures_are_drawn_of_curves_and_bars() -> None:
    cells = [
        cell_of(1e6, 2e6, curve=Curve("sizes", "one", 1024, SIZE)),
        cell_of(9e6, curve=Curve("sizes", "one", 2048, SIZE)),
        cell_of(5e6, curve=Curve("ranks", "one", 8, RANKS)),
        cell_of(1.1, quantity=GAIN, curve=Curve("bars", "read", "Bassi")),
        cell_of(7e6),
    ]
    sizes, ranks, bars = drawing_of("test", "A test", cells).panels
    assert [one.title for one in (sizes, ranks, bars)] == ["sizes", "ranks", "bars"]
    assert sizes.spec["data"]["values"][0]["y"] == 1.0
    assert sizes.spec["layer"][2]["data"]["values"] == [{"x": 1024, "y": 2.0, "series": "one"}]
    assert ranks.spec["encoding"]["x"]["title"] == RANKS
    assert bars.spec["mark"] == "bar"
