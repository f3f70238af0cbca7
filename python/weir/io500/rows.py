"""Standings as a table and as data."""

from dataclasses import asdict
from typing import Any

from weir.answers.quantities import quantity_of
from weir.answers.words import quantity_words
from weir.io500.likeness import APART, LACKING
from weir.io500.standing import Place, Standing, Standings
from weir.results.words import capital

HEADINGS = (
    "~phase",
    "~here",
    "faster than",
    "per node",
    "~differs in",
    "median of others",
    "their nodes",
)


def table_rows(found: Standings) -> list[tuple[str, ...]]:
    """A line a phase, the last ones those without a comparable row."""
    lacking = [(capital(phase.title), "", "", "", LACKING[why], "", "") for phase, why in found.lacking]
    return [*map(_cells, found.phases), *lacking]


def _cells(one: Standing) -> tuple[str, ...]:
    nodes = one.nodes
    return (
        capital(one.phase.title),
        here_words(one),
        place_words(one.place),
        place_words(one.per_node) if one.per_node else "nodes unknown",
        ", ".join(APART[key] for key in one.like.apart),
        one.like.row.metric.words(one.median),
        f"{nodes[1]:,} ({nodes[0]:,} to {nodes[2]:,})" if nodes else "unknown",
    )


def here_words(one: Standing) -> str:
    """One's own number with its interval and count."""
    value = quantity_of(one.like.row)
    return f"{quantity_words(value)} (n = {value.n})"


def place_words(place: Place) -> str:
    """ "12 of 322 [10, 14]"; without the ends where the number has no interval, or both are the same."""
    known = place.low is not None and place.high is not None and place.low != place.high
    ends = f" [{place.low:,}, {place.high:,}]" if known else ""
    return f"{place.below:,} of {place.of:,}{ends}"


def standings_data(found: Standings) -> dict[str, Any]:
    """All of it for `--json`."""
    return {
        "name": found.name,
        "nodes": found.nodes,
        "submissions": found.submissions,
        "phases": [_data(one) for one in found.phases],
        "not_comparable": [{"phase": phase.name, "why": LACKING[why]} for phase, why in found.lacking],
        "unread": found.unread,
    }


def _data(one: Standing) -> dict[str, Any]:
    row = one.like.row
    return {
        "phase": one.phase.name,
        "unit": row.metric.unit,
        "case": row.case,
        "label": row.label,
        "median": row.median,
        "low": row.low,
        "high": row.high,
        "samples": row.n,
        "faster_than": asdict(one.place),
        "faster_than_per_node": asdict(one.per_node) if one.per_node else None,
        "median_of_others": one.median,
        "nodes_of_others": list(one.nodes) if one.nodes else None,
        "differs_in": [APART[key] for key in one.like.apart],
    }
