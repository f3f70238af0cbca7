"""Which rows of a run of Weir measure what a phase of IO500 does, and what sets them apart even so.

A phase's rule follows its arguments (`ior -t 47008 -b 47008`, `mdtest -u`, `-w 3901` ...); what submitters
may choose, such as the transfer of the easy files, may be anything. Of several rows the best one
counts, since they have tuned too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weir.io500.phases import BENCHMARK, LEAST_S, PHASES
from weir.results.row import Row

HARD_BYTES, SMALL_FILE_BYTES = 47008, 3901
_INTERFACES = ("posix", "mpiio", "uring")


@dataclass(frozen=True)
class Like:
    """A row that measures what the phase does; `apart`: keys of APART, in what it differs even so."""

    row: Row
    apart: tuple[str, ...]


APART = {"short": "shorter than 300 s"}
"""What makes a number weaker, but leaves it comparable."""

LACKING = {
    "no-row": "not measured",
    "unsynced": "written without a sync",
    "cached": "maybe from a cache",
    "same-node": "files of its own node",
    "none": "Weir has no such phase",
}
"""Why no row of a run is comparable."""


def likes(rows: Sequence[Row], nodes: int | None) -> dict[str, Like | str]:
    """For each phase the row that is like it, or a key of LACKING. `nodes`: on which the run was."""
    return {name: _like(name, rows, nodes) for name in PHASES}


def _like(name: str, rows: Sequence[Row], nodes: int | None) -> Like | str:
    printed = [row for row in rows if row.benchmark == BENCHMARK and row.phase == name]
    if printed:
        return Like(printed[0], ())
    rule = _RULES.get(name)
    if rule is None:
        return "none"
    same = [row for row in rows if row.median and row.replay is None and rule(row)]
    if not same:
        return "no-row"
    why = {id(row): _why_not(row, nodes) for row in same}
    good = [row for row in same if not why[id(row)]]
    if not good:
        return why[id(same[0])]
    best = max(good, key=lambda row: row.median or 0)
    return Like(best, tuple(_apart(best)))


def _why_not(row: Row, nodes: int | None) -> str:
    """A key of LACKING; empty where the number is what the phase's is."""
    if row.moves == "write" and not row.honest:
        return "unsynced"
    if row.moves == "read" and not row.honest:
        return "cached"
    shifts = row.moves == "read" or row.phase in ("stat", "read", "unlink")
    return "same-node" if shifts and (nodes or 1) > 1 and row.options.get("reorder") != "node" else ""


def _apart(row: Row) -> Iterator[str]:
    lengths = [record.elapsed_s for record in row.records if record.elapsed_s is not None]
    if not lengths or max(lengths) < LEAST_S:
        yield "short"


def _is_plain(row: Row) -> bool:
    """A storage row without anything that slows it down on purpose, or leaves a part of the time out."""
    options = row.options
    slowed = any(options.get(name) for name in ("rate", "think_time", "pattern", "mixed"))
    return (
        row.benchmark == "storage"
        and not slowed
        and options.get("backend") in _INTERFACES
        and options.get("timed", "all") == "all"
        and options.get("offsets", "sequential") == "sequential"
    )


def _easy(phase: str) -> Callable[[Row], bool]:
    return lambda row: (
        row.phase == phase and _is_plain(row) and row.options.get("layout") == "file-per-process"
    )


def _hard(phase: str) -> Callable[[Row], bool]:
    def is_hard(row: Row) -> bool:
        options = row.options
        sizes = {options.get("block"), options.get("transfer")}
        shared = options.get("layout") == "shared" and (options.get("segments") or 1) > 1
        return row.phase == phase and _is_plain(row) and shared and sizes == {HARD_BYTES}

    return is_hard


def _files(phase: str, layout: str, size: int) -> Callable[[Row], bool]:
    wanted = {"layout": layout, "file_bytes": size, "interface": "posix"}
    return lambda row: (
        row.benchmark == "metadata"
        and row.phase == phase
        and all(row.options.get(key) == value for key, value in wanted.items())
    )


_OWN, _SHARED = ("private-directory", 0), ("shared-directory", SMALL_FILE_BYTES)
_RULES: Mapping[str, Callable[[Row], bool]] = {
    "ior-easy-write": _easy("write"),
    "ior-easy-read": _easy("read"),
    "ior-hard-write": _hard("write"),
    "ior-hard-read": _hard("read"),
    "mdtest-easy-write": _files("create", *_OWN),
    "mdtest-easy-stat": _files("stat", *_OWN),
    "mdtest-easy-delete": _files("unlink", *_OWN),
    "mdtest-hard-write": _files("create", *_SHARED),
    "mdtest-hard-stat": _files("stat", *_SHARED),
    "mdtest-hard-read": _files("read", *_SHARED),
    "mdtest-hard-delete": _files("unlink", *_SHARED),
}
"""Those that Weir measures too."""
