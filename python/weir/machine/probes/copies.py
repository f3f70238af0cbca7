"""Whether copies are slow where the destination begins a few bytes behind the source in a page."""

from weir.machine.card import Section, System, probe


@probe("copies")
def copies(system: System) -> Section | None:
    """What `weir-core machine` measured: `same_s` and `behind_s` are medians of `batches`."""
    return (system.core or {}).get("copies") or None
