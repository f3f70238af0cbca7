"""What a person wants to know first of the HPC Challenge: its tests with the most ranks."""

from collections.abc import Iterable

from weir.results.hpcc_rates import hpcc_cases, hpl_memory
from weir.results.row import Row
from weir.results.words import measured_words
from weir.units import count_words

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


def hpcc_words(results: dict[str, Row], host: str) -> str:
    """One sentence."""
    row = results.get("HPL")
    if row is None:
        names = ", ".join(results)
        return f"The HPC Challenge was measured in part on {host}: {names}."
    memory = hpl_memory(row)
    size = "" if memory is None or memory.conforming else ", of a size that is not conforming"
    return f"HPL runs at {measured_words(row)} with {count_words(row.ranks, 'rank')} on {host}{size}."
