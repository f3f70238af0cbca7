"""A collection as tables, and as a page."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from weir.answers.answer import Answer, Caveat, Changes
from weir.answers.quantities import if_known, quantity_of
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.compare.page import write_screen
from weir.compare.printed_rows import BOUND
from weir.errors import WeirError
from weir.figures.encoding import MOST_SERIES
from weir.figures.figure import Drawing
from weir.machine.describe import Fact
from weir.network.reach import WITHIN
from weir.ratios.beside_printed import figure_5
from weir.ratios.collection import Cell, Collection, Column
from weir.ratios.systems import normalised
from weir.results.row import Row, median_of
from weir.units import count_words

declare(TITLES, {"best-machine": "Best {subject}"})
declare(ACTIONS, {"best-of": "{machine}, of {of}"})
declare(
    CAVEATS,
    {
        "no-profile": "files that are no profile: {count} ({file})",
        "namesakes": "several machines are called {name}",
        "other-cards": "machines called {name} differ: {fact}",
        "within-node": "messages within one node: machines {count} of {of} ({machine})",
        "printed-machines": "machines with printed numbers, one sample each: {count} of {of}",
    },
)
DOUBTFUL, NO_RANK = "○", "-"
ACROSS, FEWER, LONG = 4, 3, 20
"""Columns of a table on a terminal; with names of machines of more letters fewer."""
SIGNS = {"above": ">", "from": ">=", "up to": "<="}
SMALL = 1e-3
"""Below it a number is shown in powers of ten."""
MOST_FACTS = 6


def tables(found: Collection) -> Iterator[tuple[tuple[str, ...], list[list[str]]]]:
    """Headings and lines of tables that fit a terminal: of each number its rank in brackets."""
    longest = max((len(one.machine) for one in found.entries), default=0)
    across = FEWER if longest > LONG else ACROSS
    for first in range(0, len(found.columns), across):
        columns = found.columns[first : first + across]
        named = [at for at in range(len(found.entries)) if any(at in one.cells for one in columns)]
        lines = [[found.entries[at].machine, *(_cell(one, at) for one in columns)] for at in named]
        yield ("machine", *map(heading, columns)), lines


def heading(column: Column) -> str:
    """The quantity and its unit, in lines."""
    return f"~{column.name} ({column.metric.shown_unit})"


def _cell(column: Column, at: int) -> str:
    cell = column.cells.get(at)
    return "" if cell is None else f"{number(cell)} ({rank(cell)})"


def number(cell: Cell) -> str:
    """Without its unit, which stands in the heading: printed digits, or three."""
    known = {str(one.options[BOUND]): _digits(one) for one in cell.bounds}
    if {*known} == {"from", "up to"}:
        return f"{known['from']}-{known['up to']}"
    if known:
        return " ".join(f"{SIGNS.get(bound, bound)} {value}" for bound, value in known.items())
    value, metric = median_of(cell.row), cell.row.metric
    if cell.row.place:
        return _digits(cell.row)
    return f"{value:.2e}" if 0 < value / metric.scale < SMALL else metric.show(value)


def _digits(row: Row) -> str:
    return f"{median_of(row) / row.metric.scale:.10g}"


def rank(cell: Cell) -> str:
    """ "1", "○" where it is not ranked for what it is, "-" of a bound."""
    return DOUBTFUL if cell.doubtful else NO_RANK if cell.rank is None else str(cell.rank)


def problems(found: Collection) -> Iterator[str]:
    """A line a file that was refused, a name that several machines have, and a machine of one node beside
    those of several."""
    for file, why in found.refused:
        yield f"! {file}: no profile ({why})"
    for name, differs in found.namesakes:
        yield f"! several machines are called {name}" + (f", which differ: {differs}" if differs else "")
    for at in machines_within(found):
        columns = ", ".join(one.name for one in found.columns if at in one.apart)
        yield f"! {found.entries[at].machine}: {columns} {WITHIN}, not ranked"


def machines_within(found: Collection) -> list[int]:
    """The places of those whose numbers of the network are of one node, where others' are of several."""
    return sorted({at for column in found.columns for at in column.apart})


def screen(found: Collection) -> Screen:
    """The best of each column."""
    rows, others = chosen_rows([one for column in found.columns for one in _best(found, column)])
    facts = [
        Fact(
            one.machine,
            f"printed in {one.profile.created_at}" if one.printed else one.profile.created_at[:10],
        )
        for one in found.entries[:MOST_FACTS]
    ]
    return Screen(
        place=(f"{count_words(len(found.entries), 'machine')} of {Path(found.folder).name}",),
        rows=rows,
        others=others,
        caveats=tuple(_caveats(found)),
        machine=tuple(facts),
        nothing="no machine has a number",
    )


def _best(found: Collection, column: Column) -> Iterator[Answer]:
    ranked = {at: cell for at, cell in column.cells.items() if cell.rank is not None}
    first = next((at for at, cell in ranked.items() if cell.rank == 1), None)
    if first is not None:
        words = {"machine": found.entries[first].machine, "of": str(len(ranked))}
        value = quantity_of(ranked[first].row)
        what = f"{column.phase} {WITHIN}" if ranked[first].within else column.phase
        best = Answer("best-machine", (what,), value, weight=1.0, figure="ratios", decides=False)
        yield replace(if_known(best), action="best-of", words=words)


def _caveats(found: Collection) -> Iterator[Caveat]:
    refused = len(found.refused)
    if refused:
        yield Caveat("no-profile", refused, refused, Changes.VERDICT, {"file": found.refused[0][0]})
    for name, differs in found.namesakes:
        words = {"name": name, "fact": differs.split("; ")[0]}
        yield Caveat("other-cards" if differs else "namesakes", 1, 1, Changes.VERDICT, words)
    if within := machines_within(found):
        words = {"machine": found.entries[within[0]].machine}
        yield Caveat("within-node", len(within), len(found.entries), words=words)
    if printed := sum(bool(one.printed) for one in found.entries):
        yield Caveat("printed-machines", printed, len(found.entries))


def drawing(found: Collection) -> Drawing | None:
    """Figure 5 of these machines; of more than there are colours those of which most is known. Null where
    none has a balance."""
    systems = [one.system for one in found.entries if one.system.rows]
    told = sorted(systems, key=lambda one: -len(one.rows))[:MOST_SERIES]
    shares = normalised([one for one in systems if one in told])
    return figure_5("ratios", shares) if shares else None


def write_collection(found: Collection, path: Path) -> WeirError | None:
    """The page, in place of a file that is there; returns why it has no pictures, where it has none."""
    return write_screen(
        path,
        ("weir.ratios", "collection.html.jinja"),
        screen(found),
        (drawing(found), None),
        found=found,
        pictured=min(MOST_SERIES, sum(bool(one.system.rows) for one in found.entries)),
        headings=[(column.name, column.metric.shown_unit) for column in found.columns],
        sources=[*dict.fromkeys(one.printed for one in found.entries if one.printed)],
        lines=_lines(found),
        hollow=DOUBTFUL,
    )


def _lines(found: Collection) -> Sequence[tuple[str, str, list[tuple[str, str, float, str] | None]]]:
    """Of each machine its name, the year in which it is printed, and of each column the number, its rank,
    what it is sorted by, and that it is of one node beside several."""
    return [
        (
            one.machine,
            one.profile.created_at[:4] if one.printed else "",
            [
                (number(cell), rank(cell), cell.row.median or 0.0, WITHIN if at in column.apart else "")
                if (cell := column.cells.get(at))
                else None
                for column in found.columns
            ],
        )
        for at, one in enumerate(found.entries)
    ]
