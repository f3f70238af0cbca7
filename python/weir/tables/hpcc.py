"""What the tests of the HPC Challenge give, by the names and units of its summary."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir.analyse.statistics import MedianEstimate
from weir.results.printed import estimate_data, median_words
from weir.results.row import Row, measured
from weir.results.words import label_by
from weir.tables.rings import QUANTITIES as RINGS
from weir.tables.table import Column, Table, table_of_all
from weir.units import Shown, count_words

COLUMNS = ("quantity", "value")
TFLOPS, GFLOPS = Shown("Tflop/s", 1e12), Shown("Gflop/s", 1e9)
GBYTES, GUPS = Shown("GB/s", 1e9), Shown("GUP/s", 1e9)
KERNELS = ("Copy", "Scale", "Add", "Triad")
CAPTION = (
    "Medians over the samples, in brackets their intervals of 95 %. Star: each rank by itself, all at once; "
    "the value is that of a rank. Single: one rank, while the others sleep. GB are 10^9 B."
)


@dataclass(frozen=True)
class Quantity:
    """Where a number of HPCC's summary comes from: a phase of the benchmark `hpcc` and its metric."""

    phase: str
    key: str
    shown: Shown

    def estimate(self, rows: Sequence[Row]) -> MedianEstimate | None:
        """Of the row of its phase."""
        found = (one for row in rows if row.phase == self.phase for one in row.metrics)
        return next((one.estimate for one in found if one.metric.key == self.key), None)


def _quantities() -> dict[str, Quantity]:
    alone = {"Star": "star-", "Single": "single-"}
    everywhere = {"MPI": "", **alone}
    found = {"HPL_Tflops": Quantity("hpl", "flop_per_s", TFLOPS)}
    for name, prefix in alone.items():
        found[f"{name}DGEMM_Gflops"] = Quantity(f"{prefix}dgemm", "flop_per_s", GFLOPS)
    found["PTRANS_GBs"] = Quantity("ptrans", "bandwidth_bytes_per_s", GBYTES)
    for infix, series in (("_LCG", "lcg-"), ("", "")):
        for name, prefix in everywhere.items():
            phase = f"{series}{prefix}random-access"
            found[f"{name}RandomAccess{infix}_GUPs"] = Quantity(phase, "updates_per_s", GUPS)
    for name, prefix in alone.items():
        for kernel in KERNELS:
            phase = f"{prefix}{kernel.lower()}"
            found[f"{name}STREAM_{kernel}"] = Quantity(phase, "bandwidth_bytes_per_s", GBYTES)
    for name, prefix in {**alone, "MPI": ""}.items():
        found[f"{name}FFT_Gflops"] = Quantity(f"{prefix}fft", "flop_per_s", GFLOPS)
    return found | {name: Quantity(phase, key, shown) for name, (phase, key, shown) in RINGS.items()}


QUANTITIES = _quantities()
"""By HPCC's names, in the order of its summary."""


@table_of_all("hpcc", COLUMNS)
def hpcc(rows: Sequence[Row]) -> Table | None:
    """A line a quantity and a column a case; null without the benchmark `hpcc`."""
    found = [row for row in measured(rows) if row.benchmark == "hpcc"]
    if not found:
        return None
    name_of = label_by(found, {"phase", "ranks"})
    cases = {row.case: row for row in sorted(found, key=lambda row: row.ranks)}
    columns = [[row for row in found if row.case == case] for case in cases]
    lines = {name: [one.estimate(column) for column in columns] for name, one in QUANTITIES.items()}
    lines = {name: line for name, line in lines.items() if any(line)}
    return Table(
        name="hpcc",
        title="The HPC Challenge, by its names",
        caption=CAPTION,
        columns=(
            Column("quantity"),
            Column("unit"),
            *(
                Column(", ".join(filter(None, [count_words(row.ranks, "rank"), name_of(row)])), "here")
                for row in cases.values()
            ),
        ),
        rows=tuple(
            (name, QUANTITIES[name].shown.unit, *(_cell(one, QUANTITIES[name].shown) for one in line))
            for name, line in lines.items()
        ),
        notes=(),
        data={
            "cases": [{"case": row.case, "ranks": row.ranks} for row in cases.values()],
            "quantities": {
                name: [estimate_data(QUANTITIES[name].key, one) for one in line]
                for name, line in lines.items()
            },
        },
    )


def _cell(estimate: MedianEstimate | None, shown: Shown) -> str:
    return "none" if estimate is None else median_words(estimate, shown)
