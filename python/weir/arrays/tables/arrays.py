"""What each array of an application's files costs, by cause."""

from typing import Any

from weir.arrays.costs import CAUSES, ArrayCosts, Group, array_costs
from weir.results.printed import estimate_data, median_words
from weir.results.row import Row
from weir.results.words import setting_words
from weir.tables.table import Column, Table, table
from weir.units import Shown, count_words, format_bytes

TIME = Shown("ms", 1e-3)
STEPS = {
    "open": "opening the file",
    "sync": "syncing it",
    "close": "closing it",
    "other": "all else",
}
NOTES = (
    "pack: copying data out of the program's memory. request: MPI-IO's calls below the library, or the calls "
    "that write where there is no library.",
    "all else: waiting for other ranks between calls, among other things.",
)


@table("arrays", ("array", *(f"{cause}_s" for cause in CAUSES)))
def arrays(row: Row) -> Table | None:
    """The costs of one phase of one case; null where its samples have none."""
    costs = array_costs(row.records)
    if costs is None:
        return None
    return Table(
        name="arrays",
        title=f"What each array costs: {row.phase}, {setting_words(row)}",
        caption=f"Times of a rank in a dump, on average: medians of {count_words(costs.samples, 'sample')}.",
        columns=(
            Column("array"),
            Column("size"),
            *(Column(f"{cause} (ms)") for cause in CAUSES),
            Column("all (ms)"),
        ),
        rows=tuple(_rows(costs)),
        notes=NOTES,
        data=_data(row, costs),
    )


def _rows(costs: ArrayCosts) -> list[tuple[str, ...]]:
    rows = [
        (
            _name(group),
            format_bytes(group.bytes),
            *("none" if time is None else TIME.show(time) for time in group.by_cause.values()),
            median_words(group.whole, TIME),
        )
        for group in costs.groups
    ]
    empty = ("",) * (1 + len(CAUSES))
    steps = [(STEPS[name], *empty, median_words(time, TIME)) for name, time in costs.steps.items()]
    return [*rows, *steps]


def _name(group: Group) -> str:
    first, last = group.names[0].strip(), group.names[-1].strip()
    return first if len(group.names) == 1 else f"{first} to {last} ({len(group.names)} arrays)"


def _data(row: Row, costs: ArrayCosts) -> dict[str, Any]:
    return {
        "case": row.case,
        "phase": row.phase,
        "ranks": row.ranks,
        "samples": costs.samples,
        "arrays": [
            {
                "names": list(group.names),
                "bytes": group.bytes,
                **{f"median_{cause}_s": time for cause, time in group.by_cause.items()},
                **estimate_data("all_s", group.whole),
            }
            for group in costs.groups
        ],
        **{name: estimate_data("s", time) for name, time in costs.steps.items()},
    }
