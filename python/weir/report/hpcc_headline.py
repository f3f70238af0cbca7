"""What a person wants to know first of the HPC Challenge: its tests with the most ranks."""

from collections.abc import Iterable

from weir.results.hpcc_rates import hpcc_cases
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
