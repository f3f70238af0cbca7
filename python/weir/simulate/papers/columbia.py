"""Saini et al. (2006): the three files of FLASH-IO on Columbia's CXFS, for three sizes of blocks."""

from collections.abc import Iterator, Sequence

from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, PREDICTION, PROCESSORS, Cell, Claim, Paper, Printed
from weir.simulate.papers import papers
from weir.simulate.papers._columbia_claims import claims_of
from weir.simulate.papers._columbia_curves import COUNTS, PEAKS, Curves, Peak, simulated_curves
from weir.simulate.papers._columbia_figure import figure_of
from weir.units import count_words

GATHER_S = 190.4e-9
"""Of one number of a record, out of FLASH's array in which the unknowns of a cell lie together. Section 5
blames gathering, and prints no time: fitted with the machine."""
MACHINE = "Columbia"


def _cells(core: Core) -> Iterator[Cell]:
    curves = simulated_curves(core, find_machine("columbia-cxfs").as_core(), GATHER_S, COUNTS)
    for (side, file), peak in PEAKS.items():
        yield from _of_peak(side, file, peak, curves[side, file])
    for (side, file), curve in curves.items():
        for count, value in curve.items():
            yield Cell(MACHINE, Printed(_place(side), _row(file, count), "written", None, PREDICTION), value)


def _of_peak(side: int, file: str, peak: Peak, curve: dict[int, float]) -> Iterator[Cell]:
    highest = max(curve, key=lambda count: curve[count])
    place = f"figure {peak.figure}, {_place(side)}"
    yield Cell(MACHINE, Printed(place, f"{file}, highest", "written", peak.value, FIT), curve[highest])
    for count in peak.at:
        yield Cell(MACHINE, Printed(place, f"{file}, highest at", PROCESSORS, count, FIT), highest)


def _place(side: int) -> str:
    return f"{side}^3"


def _row(file: str, count: int) -> str:
    return f"{file}, {count_words(count, 'processor')}"


def _curves(cells: Sequence[Cell]) -> Curves:
    """The curves that are among the cells."""
    values = {(cell.printed.place, cell.printed.row): cell.simulated for cell in cells}
    return {
        (side, file): {count: values[_place(side), _row(file, count)] for count in COUNTS[side]}
        for side, file in PEAKS
    }


def _claims(cells: Sequence[Cell]) -> Iterator[Claim]:
    return claims_of(_curves(cells))


papers.register("columbia")(
    Paper(
        "FLASH-IO on Columbia's CXFS, blocks of three sizes",
        "S. Saini, D. Talcott, H. Yeung, G. Myers and R. Ciotti, 2006, sections 4 and 5",
        _cells,
        (
            f"{1e9 * GATHER_S:.0f} ns to gather a number out of memory: one of six fitted values",
            "fitted beside: a writer's copy, three times of the file's lock, the speed of a LUN",
            "a write call holds the file's lock while it copies; each that waits lengthens the copy",
            "a host writes 256 MiB behind; controllers keep 2.5 GB, and join writes to a stripe unit in it",
        ),
        claims=_claims,
        figure=lambda cells: figure_of(_curves(cells)),
    )
)
