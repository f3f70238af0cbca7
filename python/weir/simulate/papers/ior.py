"""Shan and Shalf (2007): IOR on Bassi with GPFS and on Jaguar with Lustre, figure by figure, and what it says
of MADbench."""

from collections.abc import Iterator
from itertools import pairwise

from weir.core.client import Core
from weir.simulate.paper import (
    FIT,
    GAIN,
    PREDICTION,
    PROCESSORS,
    Cell,
    Curve,
    Paper,
    Printed,
    Said,
)
from weir.simulate.papers import papers
from weir.simulate.papers._ior_machines import BASSI, JAGUAR, Machines, Subject
from weir.simulate.papers._ior_pattern import HDF5, KIB, MIB, MPI_IO, NETCDF, POSIX
from weir.simulate.picture import RANKS, SIZE, STRIPE_COUNT
from weir.simulate.quantities import parse_quantity
from weir.units import format_bytes

ALIKE, FAR = 1.25, 2.0
"""Times: what the paper calls alike and far behind, as the study ior-nersc has it."""
SCALES = 2 / ALIKE
"""Times as much that twice the processors bring while a machine scales."""
MANY = 64
"""Processors of figures 4, 7 and 8, which the paper does not print, and of figure 9, which it does."""
WAYS = ("written", "read")
FILES = (16 * MIB, 64 * MIB, 256 * MIB, 1024 * MIB, 2048 * MIB)
TRANSFERS = (KIB, 16 * KIB, 256 * KIB, MIB, 16 * MIB, 256 * MIB)
STRIPES = (4, 16, 48, 144)
SIMILAR = Said("similar", 1 / ALIKE, ALIKE)


def _cells(core: Core) -> Iterator[Cell]:
    machines = Machines(core)
    for figure in (_files, _transfers, _layouts, _processors, _interfaces, _stripes, _application):
        yield from figure(machines)


def _cell(  # noqa: PLR0913 - what is printed of a number
    subject: Subject,
    place: str,
    row: str,
    quantity: str,
    simulated: float,
    *,
    printed: float | None = None,
    use: str = PREDICTION,
    said: Said | None = None,
    curve: Curve | None = None,
) -> Cell:
    return Cell(subject.title, Printed(place, row, quantity, printed, use, said, curve), simulated)


def _files(machines: Machines) -> Iterator[Cell]:
    """Figures 2 and 3: one node, a file for each processor."""
    for subject, place in ((BASSI, "5.2, figure 2"), (JAGUAR, "5.2, figure 3")):
        found: dict[tuple[str, int], float] = {}
        for block in FILES:
            test = subject.test(subject.of_node, block=block, own_files=True, reads=True, transfer=2 * MIB)
            for way in WAYS:
                found[way, block] = value = machines.rate(subject, test, way)
                curve = Curve(f"{place[5:].capitalize()}: a node of {subject.title}", way, block, OF_FILES)
                from_memory = subject is BASSI and (way, block) == ("read", 16 * MIB)
                printed, use = (12e9, FIT) if from_memory else NOTHING
                row = f"files of {format_bytes(block)}, {way}"
                yield _cell(subject, place, row, way, value, printed=printed, use=use, curve=curve)
        yield from _of_files(subject, place, found)


OF_FILES = "size of a processor's file"


def _of_files(subject: Subject, place: str, found: dict[tuple[str, int], float]) -> Iterator[Cell]:
    def ratio(way: str, one: int, other: int) -> float:
        return found[way, one * MIB] / found[way, other * MIB]

    if subject is BASSI:
        said = Said("no caching", at_most=ALIKE)
        yield _cell(subject, place, "16 over 256 MiB, written", GAIN, ratio("written", 16, 256), said=said)
        said = Said("stable", 1 / ALIKE, ALIKE)
        yield _cell(subject, place, "256 MiB over 1 GiB, read", GAIN, ratio("read", 256, 1024), said=said)
    else:
        said = Said("no caching", at_most=ALIKE)
        yield _cell(subject, place, "16 MiB over 2 GiB, read", GAIN, ratio("read", 16, 2048), said=said)
        said = Said("rises", at_least=1.0)
        yield _cell(subject, place, "2 GiB over 16 MiB, written", GAIN, ratio("written", 2048, 16), said=said)


def _transfers(machines: Machines) -> Iterator[Cell]:
    """Figure 4."""
    place = "5.3, figure 4"
    for subject in (BASSI, JAGUAR):
        found = {}
        for transfer in TRANSFERS:
            test = subject.test(MANY, transfer=transfer)
            found[transfer] = value = machines.rate(subject, test)
            curve = Curve(f"Figure 4: transfers, {MANY} ranks", subject.title, transfer, SIZE)
            printed, use = PRINTED_OF_JAGUAR.get(transfer, NOTHING) if subject is JAGUAR else NOTHING
            row = f"transfers of {format_bytes(transfer)}"
            yield _cell(subject, place, row, "written", value, curve=curve, printed=printed, use=use)
        if subject is JAGUAR:
            own = machines.rate(subject, subject.test(MANY, transfer=KIB, own_files=True))
            yield _cell(subject, place, "transfers of 1 KiB, own files", "written", own)
        gap = found[256 * MIB] / found[KIB]
        row = "256 MiB over 1 KiB"
        if subject is JAGUAR:
            yield _cell(subject, place, row, GAIN, gap, printed=1700.0)
        else:
            said = Said("far below 1700", at_most=100)
            yield _cell(subject, place, row, GAIN, gap, said=said)


NOTHING = (None, PREDICTION)
PRINTED_OF_JAGUAR = {KIB: (2e6, PREDICTION), 256 * MIB: (3500e6, FIT)}


def _layouts(machines: Machines) -> Iterator[Cell]:
    """Figure 5. On few ranks the nodes' links limit both, so that only most ranks tell."""
    place = "5.4, figure 5"
    for subject, said in ((BASSI, SIMILAR), (JAGUAR, Said("better", at_least=1.0))):
        for ranks in (16, 64, 256):
            shared = machines.rate(subject, subject.test(ranks, reads=True))
            own = machines.rate(subject, subject.test(ranks, own_files=True))
            for name, value in (("shared", shared), ("own files", own)):
                curve = Curve(f"Figure 5: {subject.title}", name, ranks, RANKS)
                yield _cell(subject, place, f"{ranks} ranks, {name}", "written", value, curve=curve)
        yield _cell(subject, place, f"{ranks} ranks, shared over own", GAIN, shared / own, said=said)


def _processors(machines: Machines) -> Iterator[Cell]:
    """Figure 6, and where each curve bends and is highest."""
    place = "5.5, figure 6"
    for subject in (BASSI, JAGUAR):
        for way in WAYS:
            found = {n: machines.rate(subject, subject.test(n, reads=True), way) for n in subject.processors}
            for ranks, value in found.items():
                curve = Curve(f"Figure 6: {subject.title}, shared file", way, ranks, RANKS)
                yield _cell(subject, place, f"{ranks} ranks, {way}", way, value, curve=curve)
            yield from _points(subject, place, way, found)
        if subject is JAGUAR:
            most = subject.test(subject.processors[-1], reads=True)
            read, written = machines.rate(subject, most, "read"), machines.rate(subject, most)
            apart = max(read / written, written / read)
            said = Said("considerable gap", at_least=ALIKE)
            row = f"{most.ranks} ranks, faster over slower way"
            yield _cell(subject, place, row, GAIN, apart, use=FIT, said=said)


def _points(subject: Subject, place: str, way: str, found: dict[int, float]) -> Iterator[Cell]:
    """`scales`: the last count of processors up to which twice as many brought SCALES times as much."""
    scales = bends(found)
    top = max(found, key=found.__getitem__)
    printed, use = (64.0, FIT) if subject is BASSI else (256.0, PREDICTION)
    yield _cell(subject, place, f"scales up to, {way}", PROCESSORS, scales, printed=printed, use=use)
    use = FIT if subject is JAGUAR and way == "written" else PREDICTION
    yield _cell(subject, place, f"highest with, {way}", PROCESSORS, top, printed=256.0, use=use)


def bends(found: dict[int, float]) -> int:
    """The count of processors, each twice the one before, up to which a curve scales."""
    for before, after in pairwise(found):
        if found[after] < SCALES * found[before]:
            return before
    return max(found)


def _interfaces(machines: Machines) -> Iterator[Cell]:
    """Figures 7 and 8: shared files, written."""
    rules = {
        HDF5: Said("close", 1 / FAR, FAR),
        NETCDF: Said("far behind", at_most=1 / FAR),
    }
    for subject, number in ((BASSI, 7), (JAGUAR, 8)):
        place = f"5.6, figure {number}"
        for ranks in (16, MANY):
            tests = {one: subject.test(ranks, interface=one) for one in (POSIX, MPI_IO, *rules)}
            rates = {one: machines.rate(subject, test) for one, test in tests.items()}
            for one, value in rates.items():
                curve = Curve(f"Figure {number}: {subject.title}", one.name, ranks, RANKS)
                row = f"{ranks} ranks, {one.name}"
                yield _cell(subject, place, row, "written", value, curve=curve)
            for one, said in rules.items():
                row = f"{ranks} ranks, {one.name} over POSIX"
                yield _cell(subject, place, row, GAIN, rates[one] / rates[POSIX], said=said)


def _stripes(machines: Machines) -> Iterator[Cell]:
    """The text to figure 8."""
    place, panel = "5.6", f"Section 5.6: stripes, {JAGUAR.title}, {MANY} ranks"
    own = machines.rate(JAGUAR, JAGUAR.test(MANY, own_files=True))
    rates = {
        many: machines.rate(JAGUAR, JAGUAR.test(MANY, reads=many == JAGUAR.stripes), stripes=many)
        for many in STRIPES
    }
    for many, value in rates.items():
        row, curve = f"{MANY} ranks, {many} stripes, shared", Curve(panel, "shared file", many, STRIPE_COUNT)
        yield _cell(JAGUAR, place, row, "written", value, curve=curve)
    said = Said("very poor", at_most=1 / FAR)
    row = f"{STRIPES[0]} stripes (default) over own files"
    yield _cell(JAGUAR, place, row, GAIN, rates[STRIPES[0]] / own, said=said)
    said = Said("meets or exceeds", at_least=1 / ALIKE)
    row = f"{STRIPES[-1]} stripes over own files"
    yield _cell(JAGUAR, place, row, GAIN, rates[STRIPES[-1]] / own, said=said)


MADBENCH = ("--pixels", "25000", "--bins", "4", "--exponent", "0", "--backend", "mpiio")
"""78 MB of a matrix for each of 64 processors (the paper: about 75), without computing; the bins are not
printed."""
VERY_WELL = Said("very well", 1 / 1.1, 1.1)
MODESTLY_MORE = Said("modestly more", 1.1, 1.5)
"""As the study madbench has them."""
PHASES = {"written": "S/written", "read": "C/read"}
"""Those of MADbench that only write, and only read."""


def _application(machines: Machines) -> Iterator[Cell]:
    """Figure 9: IOR with transfers of 2 MiB and blocks of 76 MiB over MADbench."""
    for subject in (BASSI, JAGUAR):
        found = machines.application(subject, MADBENCH, MANY)
        test = subject.test(MANY, transfer=2 * MIB, block=76 * MIB, reads=True, interface=MPI_IO)
        for way, quantity in PHASES.items():
            real, said_by_ior = parse_quantity(quantity).of(found), machines.rate(subject, test, way)
            yield _cell(subject, "6, figure 9", f"MADbench, {way}", way, real)
            yield _cell(subject, "6, figure 9", f"IOR for it, {way}", way, said_by_ior)
            said = MODESTLY_MORE if subject is JAGUAR and way == "read" else VERY_WELL
            row = f"IOR over MADbench, {way}"
            ratio, curve = said_by_ior / real, Curve("Figure 9: IOR over MADbench", way, subject.title)
            yield _cell(subject, "6, figure 9", row, GAIN, ratio, said=said, curve=curve)


papers.register("ior")(
    Paper(
        "IOR on Bassi with GPFS and Jaguar with Lustre",
        "H. Shan and J. Shalf, 2007; its text prints few numbers and much in words; no figure is read off",
        _cells,
        (
            "fitted: Bassi's and Jaguar's nodes to storage, and what each waiter adds to a lock on Jaguar",
            "figure 4: a shared file is taken; the paper does not print which",
            f"figures 4, 7, 8 and stripes are of {MANY} ranks, which the paper does not print",
            "Bassi: the size of the page pool, between what 5.2 and 6 say of it",
            "similar: within 1.25 times; far and very poor: 2 times; very well: within 1.1 times",
            "MPI-IO's independent calls ask for what POSIX's do: alike by construction",
            "parallel netCDF: reads, changes and writes pieces of 512 KiB, which the paper does not print",
        ),
        drawn=True,
    )
)
