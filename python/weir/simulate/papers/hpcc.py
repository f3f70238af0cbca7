"""Saini et al. (2006): HPCC's balance and Sendrecv on six machines."""

from collections.abc import Iterator

from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.functions._printed import BALANCE, NUMBERS
from weir.simulate.functions._speeds import seconds_by
from weir.simulate.functions.hpcc import Study
from weir.simulate.paper import FIT, PER_KFLOP, PREDICTION, Cell, Paper, Printed
from weir.simulate.papers import papers


def _cells(core: Core) -> Iterator[Cell]:
    names = {number.machine for number in NUMBERS}
    study = Study({name: find_machine(name) for name in names}, seconds_by(core))
    for number in NUMBERS:
        what = "random rings over HPL" if number.what == BALANCE else number.what
        quantity = PER_KFLOP if number.what == BALANCE else "moved"
        use = FIT if number.fits else PREDICTION
        value = study.value(number.machine, number.what, number.ranks)
        place = f"{number.place}, {number.ranks} ranks"
        yield Cell(number.machine, Printed(place, what, quantity, number.value, use), value)


papers.register("hpcc")(
    Paper(
        "HPC Challenge and the Intel MPI Benchmarks on six machines",
        "S. Saini et al., 2006, sections 4.1.1 and 4.2",
        _cells,
        (
            "NEC SX-8: a node's link carries 8 GB/s each way",
            "IMB's MB are 2^20 bytes: the 47.4 and 7.6 GB/s of the paper are 49.7 and 7.97 here",
        ),
    )
)
