"""What a person wants to know first of the HPC Challenge: its tests with the most ranks."""

from collections.abc import Iterable

from weir.results.hpcc_rates import hpcc_cases, hpl_memory
from weir.results.row import Row

SHOWN = {
    "HPL": "hpl",
    "PTRANS": "ptrans",
    "RandomAccess": "random-access",
    "FFT": "fft",
    "DGEMM, each rank": "star-dgemm",
    "STREAM triad, each rank": "star-triad",
    "Random rings, latency": "random-ring",
}


def hpcc_results(rows: Iterable[Row]) -> dict[str, Row]:
    """The rows to show, by their labels; empty where nothing was measured."""
    cases = hpcc_cases(rows)
    most = cases[-1] if cases else {}
    return {label: most[phase] for label, phase in SHOWN.items() if phase in most}


def small_systems(rows: Iterable[Row]) -> tuple[int, int]:
    """How many results of HPL, of how many, are of a size that does not conform: it takes too little of the
    memory."""
    systems = [case["hpl"] for case in hpcc_cases(rows) if "hpl" in case]
    memories = [hpl_memory(row) for row in systems]
    return sum(memory is not None and not memory.conforming for memory in memories), len(systems)
