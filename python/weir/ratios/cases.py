"""The cases of which a balance is made: those of the HPC Challenge, or its tests as cases of their own."""

from collections.abc import Iterable
from dataclasses import replace

from weir.hpcc.rates import HPL, Case, hpcc_cases
from weir.results.row import Row, measured

SEPARATE = {
    ("hpl", "hpl"): "hpl",
    ("dgemm", "dgemm"): "star-dgemm",
    ("stream", "copy"): "star-copy",
    ("stream", "triad"): "star-triad",
    ("fft", "fft"): "fft",
    ("ptrans", "ptrans"): "ptrans",
    ("random-access", "random-access"): "random-access",
    ("rings", "random-ring"): "random-ring",
}
"""Benchmark and phase of a test by itself, and its phase in the HPC Challenge."""
STAR, GLOBAL = "star", "global"
"""What "sharing" is of a test whose result is that of each rank, or of all together."""


def system_cases(rows: Iterable[Row]) -> list[Case]:
    """Those that have HPL, with fewest ranks first. Tests that are cases of their own stand together by their
    ranks and nodes, the first case of each; their samples pair where they are of the same round."""
    known = measured(rows)
    found: dict[tuple[int, int], dict[str, Row]] = {}
    for row in known:
        phase = SEPARATE.get((row.benchmark, row.phase))
        if phase is not None and _is_usual(row, phase):
            place = row.ranks, row.nodes or 0
            found.setdefault(place, {}).setdefault(phase, replace(row, phase=phase))
    separate = [found[place] for place in sorted(found)]
    return [case for case in (*hpcc_cases(known), *separate) if HPL.phase in case]


def _is_usual(row: Row, phase: str) -> bool:
    """Whether it is the form of the test that the balance takes, and of HPCC's first series of numbers."""
    form = row.options.get("sharing") in (None, STAR if STAR in phase else GLOBAL)
    return form and row.options.get("numbers") in (None, "polynomial")
