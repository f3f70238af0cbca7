"""Whether messages went through a network at all: ranks of one node send through its memory. What is said of
the network is of ranks on several nodes, or says that it is not."""

from collections.abc import Iterable, Sequence

from weir.results.row import Row

WITHIN = "within one node"


def across_if_any(rows: Sequence[Row]) -> list[Row]:
    """Those that do not lie within one node; where all do, all."""
    return [row for row in rows if not row.within_node] or [*rows]


def are_within(rows: Iterable[Row]) -> bool:
    """Whether there are rows, and all lie within one node."""
    found = list(rows)
    return bool(found) and all(row.within_node for row in found)


def titled(title: str, rows: Iterable[Row]) -> str:
    """ "Latency", or "Latency within one node"."""
    return f"{title} {WITHIN}" if are_within(rows) else title
