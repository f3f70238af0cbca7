"""MPI-IO at explicit offsets and at file pointers, independent and collective: comparisons side by side."""

from collections.abc import Mapping
from typing import Any

from weir.figures.charts import Along, line_chart
from weir.figures.encoding import MOST_SERIES, size_axis
from weir.figures.figure import Card, Finding, Panel
from weir.questions.comparison import finding_of
from weir.questions.question import figure
from weir.results.pairing import Ratio, compare_all
from weir.results.row import Row, measured
from weir.results.words import capital, phase_words
from weir.units import count_words

WAYS = frozenset({"backend", "pointer", "file_view", "layout", "collective"})
"""The options that a comparison stands for."""
WITH_SIZE = frozenset({"block", "segments", "read", "sync"})
"""Those that go with a transfer size, and that a phase says."""


def judge_file_pointers(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every comparison against explicit offsets of one file, at the smallest transfer, where a call counts
    most. Each phase and number of ranks is a family of its own: its intervals hold together. Where ranks
    wait for cores, their number says nothing about file pointers."""
    pointed = [row for row in _pointed(rows) if "oversubscribed" not in row.warnings]
    smallest = min((row.options["transfer"] for row in pointed), default=0)
    families: dict[tuple[str, int], list[Row]] = {}
    for row in pointed:
        if row.options["transfer"] == smallest:
            families.setdefault((phase_words(row), row.ranks), []).append(row)
    found = [ratio for family in families.values() for ratio in _ratios(family)]
    return finding_of(found, pointed, WAYS | WITH_SIZE, _name) if found else None


def _ratios(family: list[Row]) -> list[Ratio]:
    plain = [row for row in measured(family) if _is_plain(row)]
    return compare_all([(row, plain[0]) for row in measured(family) if not _is_plain(row)]) if plain else []


def _pointed(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.options.get("transfer") and "pointer" in row.options]


def _name(row: Row) -> str:
    # One rank alone is a case of both single and parallel benchmarks: beside more ranks, of the latter.
    return row.comparisons[-1]


def _is_plain(row: Row) -> bool:
    options = row.options
    return options["pointer"] == "explicit" and options.get("layout") == "shared" and not _is_collective(row)


def _is_collective(row: Row) -> bool:
    return bool(row.options.get("collective"))


@figure("file-pointers", judge_file_pointers, "Pointers", "What do file pointers cost?")
def file_pointers(rows: list[Row], card: Card) -> list[Panel]:
    """A panel for each phase and number of ranks, independent and collective, over transfer sizes, with a
    curve for each comparison."""
    found = measured(_pointed(rows))
    sizes = sorted({int(row.options["transfer"]) for row in found})
    along = Along(size_axis("transfer size", sizes), lambda row: float(row.options["transfer"]), _name)
    panels = []
    for phase in dict.fromkeys(phase_words(row) for row in found):
        of_phase = [row for row in found if phase_words(row) == phase]
        few = len({_name(row) for row in of_phase}) <= MOST_SERIES
        for ranks, collective in sorted({(row.ranks, _is_collective(row)) for row in of_phase}):
            part = [row for row in of_phase if (row.ranks, _is_collective(row)) == (ranks, collective)]
            title = f"{capital(phase)}, {count_words(ranks, 'rank')}{', collective' if collective else ''}"
            panels.append(Panel(title, line_chart(part, along, all_rows=of_phase if few else part)))
    return panels
