"""Studies of papers on their modelled machines, by the real core."""

import pytest
from msgspec import Raw

from weir.core.client import Core, find_core
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, PREDICTION, errors
from weir.simulate.papers import papers
from weir.simulate.papers._columbia_curves import PEAKS, simulated_curves
from weir.simulate.papers._ior_machines import BASSI, JAGUAR, Machines
from weir.simulate.papers._ior_pattern import HDF5, KIB, MIB, NETCDF
from weir.simulate.papers.columbia import GATHER_S
from weir.simulate.papers.ior import bends
from weir.simulate.papers.pflotran import INITIAL, MACHINES, OPTIONS, WRITE, XT5, gains_of
from weir.simulate.papers.sp_paragon import as_in_the_paper


@pytest.fixture(scope="module")
def core() -> Core:
    return Core(find_core())


def test_the_large_case_is_predicted_from_the_small_one(core: Core) -> None:
    cells = list(papers.find("sp-paragon").cells(core))
    assert len(cells) == 24
    predicted = errors(cells, PREDICTION)
    assert predicted is not None
    assert predicted.count == 12
    assert predicted.median <= 0.15
    assert predicted.worst <= 0.40
    fitted = errors(cells, FIT)
    assert fitted is not None
    assert fitted.median <= 0.02


def test_archer_is_met_by_the_fitted_model(core: Core) -> None:
    cells = list(papers.find("archer").cells(core))
    fitted = errors(cells, FIT)
    assert fitted is not None
    assert fitted.count == 50
    assert fitted.median <= 0.12


def test_bassi_scales_up_to_64_processors_and_reads_small_files_from_memory(core: Core) -> None:
    machines = Machines(core)
    for way in ("written", "read"):
        found = {n: machines.rate(BASSI, BASSI.test(n, reads=True), way) for n in (32, 64, 128)}
        assert bends(found) == 64
    small, large = (
        machines.rate(BASSI, BASSI.test(8, block=size, own_files=True, reads=True), "read")
        for size in (16 * MIB, 256 * MIB)
    )
    assert small == pytest.approx(12e9, rel=0.15)
    assert large < small / 10


def test_small_transfers_cost_far_less_on_bassi_than_on_jaguar(core: Core) -> None:
    machines = Machines(core)
    gaps = [
        machines.rate(one, one.test(64, transfer=16 * MIB))
        / machines.rate(one, one.test(64, transfer=KIB, most=512))
        for one in (BASSI, JAGUAR)
    ]
    assert gaps[0] < 100
    assert gaps[1] > 1000


def test_interfaces_and_stripes_are_in_the_papers_order(core: Core) -> None:
    machines = Machines(core)
    plain, hdf5, netcdf = (
        machines.rate(BASSI, BASSI.test(64, **more))
        for more in ({}, {"interface": HDF5}, {"interface": NETCDF})
    )
    assert plain == pytest.approx(hdf5, rel=0.25)
    assert netcdf < plain / 2
    shared = [machines.rate(JAGUAR, JAGUAR.test(64), stripes=many) for many in (4, 16, 144)]
    assert shared == sorted(shared)
    assert machines.rate(JAGUAR, JAGUAR.test(64, own_files=True)) > 2 * shared[0]


def test_grouping_pays_for_reading_but_not_for_writing_on_2048_ranks(core: Core) -> None:
    pattern = Raw(core.emit_pattern("aquifer", OPTIONS, 2048))
    gains = gains_of(core, MACHINES[XT5], pattern, 2048)
    assert gains[INITIAL] > 10
    assert 1 <= gains[WRITE] < 1.1


def test_columbias_peaks_are_met(core: Core) -> None:
    """Three of twelve: one of each size of blocks."""
    machine = find_machine("columbia-cxfs").as_core()
    some = {8: (16,), 16: (32,), 32: (4, 8)}
    curves = simulated_curves(core, machine, GATHER_S, some)
    for side in some:
        key = (side, "checkpoint")
        assert max(curves[key].values()) == pytest.approx(PEAKS[key].value, rel=0.2)


def test_the_papers_routines_open_at_once_and_wait_before_each_exchange() -> None:
    everyone = {"open": {"file": 1, "mode": "create", "ranks": {"first": 0, "count": 1, "step": 1}}}
    others = {"open": {"file": 1, "mode": "update", "ranks": {"first": 1, "count": 7, "step": 1}}}
    move, close = {"move": {"file": 1}}, {"close": {"file": 1}}
    steps = [everyone, {"barrier": {}}, others, {"repeat": {"count": 2, "steps": [move]}}, close]
    found = as_in_the_paper({"phases": [{"name": "dumps", "steps": steps}]})
    assert found["phases"][0]["steps"] == [
        {"open": {"file": 1, "mode": "create"}},
        {"repeat": {"count": 2, "steps": [{"barrier": {}}, move]}},
        {"barrier": {}},
        close,
    ]
