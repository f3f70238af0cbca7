"""A folder of profiles as a collection: each machine's quantities, and its rank in each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.analyse.metric import Metric
from weir.compare.machines import differences
from weir.compare.printed_rows import BOUND
from weir.compare.profile import Profile, read_profile, rows_of
from weir.compare.shipped import shipped_machine
from weir.errors import WeirError
from weir.network.reach import WITHIN
from weir.ratios.derived import DUMP, READ, WRITE, whole_profile
from weir.ratios.quantities import QUANTITIES, SMALL_FLOP_PER_S, Quantity
from weir.ratios.systems import System, system_of
from weir.report.gather import gather
from weir.results.row import Row, measured, median_of
from weir.store.run_directory import RunDirectory
from weir.store.runs_here import runs_here

STORAGE = {"write": "quickest writes", "read": "quickest reads"}
"""Of storage, not over HPL: what was asked of it differs from machine to machine."""


OF_PHASES = {one.phase: one for one in QUANTITIES}
NAMES = {one.phase: one.column for one in QUANTITIES}


@dataclass(frozen=True)
class Cell:
    """A machine's number in a column. `rank`: from 1; null of what is not ranked, a bound or what stands for
    a small system or caches, or for one node beside several. `within`: of messages within one node."""

    row: Row
    rank: int | None
    doubtful: bool
    within: bool = False
    bounds: tuple[Row, ...] = ()
    """All that are printed, where it is no value."""


@dataclass(frozen=True)
class Column:
    """A quantity, and which machines have it, by the places of their entries."""

    phase: str
    metric: Metric
    cells: Mapping[int, Cell]

    @property
    def name(self) -> str:
        """As figure 5 calls it; of messages within one node that too, where all machines' are."""
        name = NAMES.get(self.phase, self.phase)
        return f"{name} {WITHIN}" if all(cell.within for cell in self.cells.values()) else name

    @property
    def apart(self) -> list[int]:
        """The machines of one node, where others have several."""
        within = [at for at, cell in self.cells.items() if cell.within]
        return within if len(within) < len(self.cells) else []


@dataclass(frozen=True)
class Entry:
    """A profile: `file` as it was found; `machine`: its name, made different from others'; `printed`: where,
    empty of what Weir measured."""

    file: str
    machine: str
    profile: Profile
    rows: tuple[Row, ...]
    system: System

    @property
    def printed(self) -> str:
        """The source of printed numbers."""
        return self.profile.source if any(row.place for row in self.rows) else ""


@dataclass(frozen=True)
class Collection:
    """`refused`: files that are no profile, with why; `namesakes`: a name, and in what the machines of that
    name differ, empty where their cards are alike."""

    folder: str
    entries: tuple[Entry, ...]
    columns: tuple[Column, ...]
    refused: tuple[tuple[str, str], ...]
    namesakes: tuple[tuple[str, str], ...]


def is_collection(path: Path) -> bool:
    """Whether it is a folder of files and not of runs."""
    if not path.is_dir() or RunDirectory(path).exists():
        return False
    return any(path.glob("*.json")) and not runs_here(path)


def read_collection(folder: Path, others: Sequence[Path] = ()) -> Collection:
    """The profiles in a folder, and `others`: profiles, runs, machines that Weir brings. A file that is none
    is refused, and the rest is read."""
    found: list[tuple[str, Profile]] = []
    refused: list[tuple[str, str]] = []
    for path in [*sorted(folder.glob("*.json")), *others]:
        try:
            found.append((path.name, _profile_at(path)))
        except WeirError as error:
            refused.append((path.name, error.why or error.problem))
    return collection_of(str(folder), found, refused)


def _profile_at(path: Path) -> Profile:
    """Raises WeirError where there is none."""
    printed = shipped_machine(path)
    if printed or not path.is_dir():
        return read_profile(printed or path)
    return whole_profile(gather(RunDirectory(path)), path)


def collection_of(
    folder: str, profiles: Sequence[tuple[str, Profile]], refused: Sequence[tuple[str, str]] = ()
) -> Collection:
    """Of profiles with the names of their files; pure."""
    names = _distinct([(file, profile.name) for file, profile in profiles])
    entries = [
        Entry(file, name, profile, rows := tuple(rows_of(profile)), system_of(name, rows))
        for (file, profile), name in zip(profiles, names, strict=True)
    ]
    entries.sort(key=lambda one: -_hpl(one))
    return Collection(
        folder,
        tuple(entries),
        tuple(_columns(entries)),
        tuple(refused),
        tuple(_namesakes([profile for _, profile in profiles])),
    )


def _hpl(entry: Entry) -> float:
    row = entry.system.rows.get("HPL")
    return median_of(row) if row else 0.0


def _distinct(named: Sequence[tuple[str, str]]) -> list[str]:
    """The names, with the file where several machines are called alike."""
    names = [name for _, name in named]
    return [f"{name} ({file})" if names.count(name) > 1 else name for file, name in named]


def _namesakes(profiles: Sequence[Profile]) -> Iterator[tuple[str, str]]:
    by_name: dict[str, list[Profile]] = {}
    for one in profiles:
        by_name.setdefault(one.name, []).append(one)
    for name, alike in by_name.items():
        if len(alike) > 1:
            facts = dict.fromkeys(
                f"{fact.label}: {fact.one or 'unknown'} and {fact.other or 'unknown'}"
                for other in alike[1:]
                for fact in differences(alike[0].machine, other.machine)
            )
            yield name, "; ".join(facts)


def _columns(entries: Sequence[Entry]) -> Iterator[Column]:
    """Those that a machine has, of the balance first."""
    for phase in (*(one.phase for one in QUANTITIES), WRITE, READ, DUMP):
        yield from _column(phase, {at: _row(one, phase) for at, one in enumerate(entries)}, entries)
    for moves, phase in STORAGE.items():
        yield from _column(phase, {at: _best(one, moves) for at, one in enumerate(entries)}, entries)


def _row(entry: Entry, phase: str) -> Row | None:
    """Its value; a bound where it has none."""
    return entry.system.rows.get(phase) or next(iter(_bounds(entry, phase)), None)


def _bounds(entry: Entry, phase: str) -> tuple[Row, ...]:
    return tuple(row for row in entry.rows if row.phase == phase and BOUND in row.options)


def _best(entry: Entry, moves: str) -> Row | None:
    """Its quickest of the storage; of what a paper prints, that of its own application."""
    rows = [row for row in measured(entry.rows) if row.moves == moves and row.metric.is_bandwidth]
    honest = [row for row in rows if row.place or (row.honest and not row.in_caches)]
    return max(honest, key=median_of, default=None)


def _column(phase: str, rows: Mapping[int, Row | None], entries: Sequence[Entry]) -> Iterator[Column]:
    known = {at: row for at, row in rows.items() if row is not None}
    if not known:
        return
    metric = next(iter(known.values())).metric
    quantity = OF_PHASES.get(phase)
    within = {at: quantity is not None and quantity.is_within(row) for at, row in known.items()}
    apart = len({*within.values()}) > 1
    doubtful = {
        at: _is_doubtful(entries[at].system, quantity, row) or (apart and within[at])
        for at, row in known.items()
    }
    ranked = [at for at, row in known.items() if not doubtful[at] and BOUND not in row.options]
    ranked.sort(key=lambda at: median_of(known[at]), reverse=metric.greater_is_better)
    values = [median_of(known[at]) for at in ranked]
    ranks = {at: values.index(median_of(known[at])) + 1 for at in ranked}
    cells = {
        at: Cell(
            row,
            ranks.get(at),
            doubtful[at],
            within[at],
            _bounds(entries[at], phase) if BOUND in row.options else (),
        )
        for at, row in known.items()
    }
    yield Column(phase, metric, cells)


def _is_doubtful(system: System, quantity: Quantity | None, row: Row) -> bool:
    return row.in_caches or (quantity is not None and system.is_doubtful(quantity))


def collection_data(found: Collection) -> dict[str, Any]:
    """All of it for `--json`."""
    return {
        "folder": found.folder,
        "small_below_flop_per_s": SMALL_FLOP_PER_S,
        "machines": [_entry_data(at, one, found.columns) for at, one in enumerate(found.entries)],
        "refused": [{"file": file, "why": why} for file, why in found.refused],
        "namesakes": [{"name": name, "differs": differs or None} for name, differs in found.namesakes],
    }


def _entry_data(at: int, entry: Entry, columns: Sequence[Column]) -> dict[str, Any]:
    return {
        "machine": entry.machine,
        "file": entry.file,
        "printed": entry.printed or None,
        "quantities": [_cell_data(column, column.cells[at]) for column in columns if at in column.cells],
    }


def _cell_data(column: Column, cell: Cell) -> dict[str, Any]:
    row = cell.row
    return {
        "quantity": column.phase,
        "unit": column.metric.unit,
        "median": row.median,
        "low": row.low,
        "high": row.high,
        "samples": row.n,
        "ranks": row.ranks or None,
        "rank": cell.rank,
        "bounds": [{"bound": one.options[BOUND], "value": one.median} for one in cell.bounds],
        "hollow": cell.doubtful,
        "nodes": row.nodes,
        "within_one_node": cell.within,
        "place": row.place or None,
    }
