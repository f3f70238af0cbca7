"""Shan and Shalf (2007): IOR on Jaguar, over the size of transfers and the number of processors."""

from collections.abc import Iterator

from weir.core.client import Core
from weir.pattern import File, Pattern, phase_of
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, PREDICTION, Experiment, Paper, Printed, simulated
from weir.simulate.papers import papers
from weir.workloads._steps import closed, opened, written

KIB, MIB = 2**10, 2**20
ALL_STRIPES = 144
OF_TRANSFERS = 64
"""Processors of the curve over the size of transfers, which the paper does not print."""
TRANSFERS = {KIB: 2e6, 16 * KIB: None, 256 * KIB: None, MIB: None, 16 * MIB: None, 256 * MIB: 3500e6}
"""Printed bytes/s of some, section 5.3."""
FITTED = 256 * MIB
"""The transfers to which the speed of a node was fitted."""
PROCESSORS = (8, 16, 32, 64, 128, 256, 512, 1024)


def _experiments(core: Core) -> Iterator[Experiment]:
    machine = find_machine("jaguar-lustre").as_core()

    def shared(ranks: int, transfer: int, place: str, printed: float | None) -> Experiment:
        request = {"machine": machine, "pattern": _pattern(ranks, transfer), "stripes": ALL_STRIPES}
        words = f"{transfer // MIB} MiB" if transfer >= MIB else f"{transfer // KIB} KiB"
        what = f"{ranks} ranks, transfers of {words}"
        use = FIT if printed is not None and transfer == FITTED else PREDICTION
        return Experiment("Jaguar XT4", request, (Printed(place, what, "written", printed, use),))

    for transfer, printed in TRANSFERS.items():
        yield shared(OF_TRANSFERS, transfer, "5.3, figure 4", printed)
    for ranks in PROCESSORS:
        yield shared(ranks, 256 * MIB, "5.5, figure 6", None)


def _pattern(ranks: int, transfer: int) -> Pattern:
    """Each rank writes a block of a shared file: 256 MiB at most, in 4 to 256 transfers."""
    count = max(4, min(256, 256 * MIB // transfer))
    write = written(0, 0, transfer, ranks=(0, ranks), count=count, rank_stride=transfer * count)
    return Pattern(
        weir_pattern=1,
        name="ior",
        ranks=ranks,
        files=[File(name="ior", per_rank=False)],
        phases=[phase_of("write", [opened(0), write, closed(0)])],
    )


papers.register("ior")(
    Paper(
        "IOR on Jaguar, one shared file in 144 stripes",
        "H. Shan and J. Shalf, 2007; figures without printed numbers are not compared",
        simulated(_experiments),
        (f"the curve over transfers is of {OF_TRANSFERS} ranks, which the paper does not print",),
    )
)
