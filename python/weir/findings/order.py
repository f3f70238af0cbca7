"""Ways in the order of their speed, as a chain: "POSIX ≈ MPI-IO > HDF5 ≫ PnetCDF"."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise

from weir.findings.finding import capital
from weir.findings.option import label_by
from weir.findings.ratio import alike, compare, not_shared
from weir.findings.row import Row, measured, median_of

FAR = 2.0


def order_words(rows: list[Row], ignoring: Collection[str], name: Callable[[Row], str]) -> tuple[str, ...]:
    """One sentence a phase: for every setting otherwise alike, the chain of its ways. Empty for two ways.

    ≈ stands where two neighbours cannot be told apart, > where they can, ≫ where their ratio is surely above
    FAR.
    """
    found = measured(rows)
    keys = {*ignoring, *not_shared(found)}
    groups: dict[str, list[Row]] = {}
    for row in found:
        groups.setdefault(alike(row, keys), []).append(row)
    told = [group for group in groups.values() if len(group) > 2]
    at = label_by([group[0] for group in told], {*keys, "phase"})
    by_phase: dict[str, list[str]] = {}
    for group in told:
        chain = _chain(sorted(group, key=median_of, reverse=group[0].metric.greater_is_better), name)
        place = at(group[0])
        by_phase.setdefault(group[0].phase, []).append(f"{place}: {chain}" if place else chain)
    return tuple(
        f"{capital(phase)}, fastest first: {'; '.join(chains)}{_legend(chains)}."
        for phase, chains in by_phase.items()
    )


def _legend(chains: list[str]) -> str:
    return " (≈: not to be told apart)" if any("≈" in chain for chain in chains) else ""


def _chain(ordered: list[Row], name: Callable[[Row], str]) -> str:
    words = name(ordered[0])
    for faster, slower in pairwise(ordered):
        words += f" {_sign(faster, slower)} {name(slower)}"
    return words


def _sign(faster: Row, slower: Row) -> str:
    ratio = compare(faster, slower)
    if ratio is None:
        return "≈" if faster.median == slower.median else ">"  # one of them is 0
    if not ratio.different:
        return "≈"
    return "≫" if ratio.low is not None and ratio.low > FAR else ">"
