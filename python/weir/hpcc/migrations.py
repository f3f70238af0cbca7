"""Samples of cores whose metrics did not say yet that they are in GB/s, or on the first screen."""

from typing import Any

from weir.store.migration import migration

_WHOLE = {"hpcc", "rings"}
"""Benchmarks of more than one test; samples of single tests say by which of HPCC's rules they ran."""
_SHOWN = (
    ("hpl", "HPL"),
    ("ptrans", "PTRANS"),
    ("random-access", "RandomAccess"),
    ("fft", "FFT"),
    ("star-dgemm", "DGEMM, each rank"),
    ("star-triad", "STREAM triad, each rank"),
    ("random-ring", "Random rings, latency"),
)
_PLACES = {phase: {"place": place, "label": label} for place, (phase, label) in enumerate(_SHOWN)}


@migration("hpcc")
def with_units_and_places(line: dict[str, Any]) -> dict[str, Any]:
    """As the core writes them today."""
    details = line.get("details")
    is_own = line.get("benchmark") in _WHOLE or (isinstance(details, dict) and "rules" in details)
    if not is_own or not all(isinstance(one, dict) for one in line["metrics"]):
        return line
    metrics = [{**one, "decimal": one.get("unit") == "B/s"} for one in line["metrics"]]
    if line.get("benchmark") == "hpcc" and line.get("phase") in _PLACES and metrics:
        metrics[0]["first_screen"] = _PLACES[line["phase"]]
    return {**line, "metrics": metrics}
