"""What the tests of the HPC Challenge give, by the names and units of its summary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import MedianEstimate
from weir.hpcc.rates import Case, hpcc_cases, ranks_of
from weir.hpcc.tables.rings import QUANTITIES as RINGS
from weir.results.printed import estimate_data, median_words
from weir.results.row import IN_CACHES, Row, cache_extent
from weir.results.words import label_by, placed_ranks_words
from weir.tables.table import Column, Table, table_of_all
from weir.units import Shown

COLUMNS = ("quantity", "value")
TFLOPS, GFLOPS = Shown("Tflop/s", 1e12), Shown("Gflop/s", 1e9)
GBYTES, GUPS = Shown("GB/s", 1e9), Shown("GUP/s", 1e9)
KERNELS = ("Copy", "Scale", "Add", "Triad")
CAPTION = (
    "Medians over the samples, in brackets their intervals of 95 %. Star: each rank by itself, all at once; "
    "the value is that of a rank. Single: one rank, while the others sleep. GB are 10^9 B."
)
RULES = (
    "run: by the rules of the HPC Challenge; baseline: only libraries and flags are changed; optimized: "
    "routines are replaced."
)
MARK = "*"
NO_RULES = "The samples do not say which numbers are of a baseline and which of an optimized run."
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Quantity:
    """Where a number of HPCC's summary comes from: a phase of the benchmark `hpcc` and its metric."""

    phase: str
    key: str
    shown: Shown

    def estimate(self, case: Case) -> MedianEstimate | None:
        """Of the row of its phase."""
        found = case[self.phase].metrics if self.phase in case else ()
        return next((one.estimate for one in found if one.metric.key == self.key), None)

    def is_cached(self, case: Case) -> bool:
        """Whether caches were measured in place of memory."""
        return self.phase in case and case[self.phase].in_caches

    def rules(self, case: Case) -> str:
        """By which rules the samples of its phase ran; empty without a number."""
        if self.estimate(case) is None:
            return ""
        found = {str(one.details.get("rules", UNKNOWN)) for one in case[self.phase].records}
        return " and ".join(sorted(found or {UNKNOWN}))


def _quantities() -> dict[str, Quantity]:
    alone = {"Star": "star-", "Single": "single-"}
    everywhere = {"MPI": "", **alone}
    found = {
        "HPL_Tflops": Quantity("hpl", "flop_per_s", TFLOPS),
        "HPL_Gflops_per_W": Quantity("hpl", "flop_per_joule", Shown("Gflop/s per W", 1e9)),
        "HPL_energy_J": Quantity("hpl", "energy_j", Shown("J")),
    }
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
"""By HPCC's names, in the order of its summary; its summary has no energy."""


@table_of_all("hpcc", COLUMNS)
def hpcc(rows: Sequence[Row]) -> Table | None:
    """A line a quantity and a column a case; null without the benchmark `hpcc`."""
    cases, headings = hpcc_cases(rows), case_headings(rows)
    lines = {name: [one.estimate(case) for case in cases] for name, one in QUANTITIES.items()}
    lines = {name: line for name, line in lines.items() if any(line)}
    if not lines:
        return None
    rules = {name: [QUANTITIES[name].rules(case) for case in cases] for name in lines}
    tells = any(one not in ("", UNKNOWN) for line in rules.values() for one in line)
    names = [*headings.values()]
    cached = {name: [QUANTITIES[name].is_cached(case) for case in cases] for name in lines}
    return Table(
        name="hpcc",
        title="The HPC Challenge, by its names",
        caption=CAPTION,
        columns=(
            *map(Column, ("quantity", "unit", *(["run"] if tells else []))),
            *(Column(heading, "here") for heading in names),
        ),
        rows=tuple(
            (
                name,
                QUANTITIES[name].shown.unit,
                *([_rules_words(rules[name], names)] if tells else []),
                *(
                    _cell(one, QUANTITIES[name].shown, in_caches)
                    for one, in_caches in zip(line, cached[name], strict=True)
                ),
            )
            for name, line in lines.items()
        ),
        notes=(
            RULES if tells else NO_RULES,
            *([caches_note(cases)] if any(any(line) for line in cached.values()) else []),
        ),
        data={
            "cases": [
                {"case": key, "ranks": ranks_of(case), "nodes": next(iter(case.values())).nodes}
                for key, case in zip(headings, cases, strict=True)
            ],
            "quantities": {name: _data(QUANTITIES[name], cases) for name in lines},
        },
    )


def _data(quantity: Quantity, cases: Sequence[Case]) -> list[dict[str, Any]]:
    found = []
    for case in cases:
        one, rules = quantity.estimate(case), quantity.rules(case)
        known = {
            "samples": one.count if one else 0,
            "rules": None if rules in ("", UNKNOWN) else rules,
            "in_caches": quantity.is_cached(case),
        }
        found.append({**estimate_data(quantity.key, one), **known})
    return found


def case_headings(rows: Sequence[Row]) -> dict[str, str]:
    """Names of the cases by their ranks and by what else varies, as hpcc_cases() has them."""
    firsts = [next(iter(case.values())) for case in hpcc_cases(rows)]
    name_of = label_by(firsts, {"phase", "ranks"})
    return {row.case: ", ".join(filter(None, [placed_ranks_words(row), name_of(row)])) for row in firsts}


def caches_note(cases: Sequence[Case]) -> str:
    """What the mark says, of those of these cases that have it."""
    cached = cache_extent(row for case in cases for row in case.values() if row.in_caches)
    return (
        f"{MARK} {IN_CACHES}: the data of a node were less than four times its last cache, so caches were "
        f"measured{cached}."
    )


def _rules_words(rules: Sequence[str], headings: Sequence[str]) -> str:
    """ "baseline"; where cases differ "baseline (1 rank), optimized (2 ranks)"."""
    known = [(rule, heading) for rule, heading in zip(rules, headings, strict=True) if rule]
    if len({rule for rule, _ in known}) == 1:
        return known[0][0]
    return ", ".join(f"{rule} ({heading})" for rule, heading in known)


def _cell(estimate: MedianEstimate | None, shown: Shown, in_caches: bool) -> str:
    if estimate is None:
        return "none"
    return f"{median_words(estimate, shown)} (n = {estimate.count}){MARK if in_caches else ''}"
