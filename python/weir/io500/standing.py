"""Where a machine stands among the submissions: of how many it is faster, phase by phase."""

import statistics
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.compare.profile import Profile, read_profile, rows_of
from weir.errors import WeirError
from weir.io500.background import ENDING, NODES
from weir.io500.likeness import Like, likes
from weir.io500.phases import BENCHMARK, PHASES, Phase
from weir.report.gather import gather
from weir.results.row import Row, measured
from weir.store.run_directory import RunDirectory

ADVICE = "make a folder of them with `weir read --io500 SUBMISSIONS --out FOLDER`"


@dataclass(frozen=True)
class Place:
    """Faster than `below` of `of` values; `low` and `high`: where the interval of one's own number ends."""

    below: int
    of: int
    low: int | None
    high: int | None


@dataclass(frozen=True)
class Standing:
    """A phase: one's own row, its place, and its place of rates per client node, null where nodes are not
    known. `median`, `nodes`: of the others, the latter their least, middle and greatest count."""

    phase: Phase
    like: Like
    place: Place
    per_node: Place | None
    median: float
    values: tuple[float, ...]
    nodes: tuple[int, int, int] | None


@dataclass(frozen=True)
class Standings:
    """Of one's own run among so many submissions; `lacking`: phases without a comparable row, each with a key
    of LACKING. `unread`: files that were no profiles of IO500."""

    name: str
    nodes: int | None
    submissions: int
    phases: tuple[Standing, ...]
    lacking: tuple[tuple[Phase, str], ...]
    unread: int


def read_background(folder: Path) -> tuple[list[Profile], int]:
    """The profiles of submissions in a folder, and how many files of that ending are none. Raises WeirError
    where there is none at all."""
    found, others = [], 0
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(ENDING))
    except OSError as error:
        raise WeirError(f"cannot read '{folder}'", error.strerror or str(error), ADVICE) from error
    for path in paths:
        try:
            profile = read_profile(path)
        except WeirError:
            others += 1
            continue
        if any(row.benchmark == BENCHMARK for row in profile.rows):
            found.append(profile)
        else:
            others += 1
    if not found:
        raise WeirError(f"there is no submission in '{folder}'", "", ADVICE)
    return found, others


@dataclass(frozen=True)
class Own:
    """One's own run: its rows, and on how many nodes it was, null where that is not known."""

    name: str
    rows: tuple[Row, ...]
    nodes: int | None


def read_own(path: Path) -> Own:
    """Of a run, or of a profile. Raises WeirError where it is neither."""
    if path.is_file():
        profile = read_profile(path)
        return Own(profile.name, tuple(rows_of(profile)), None)
    contents = gather(RunDirectory(path))
    counts = [len(one.nodes) for one in contents.summary.launches if one.nodes]
    return Own(path.name or str(path), tuple(measured(contents.rows)), max(counts, default=None))


def standings(own: Own, background: tuple[Sequence[Profile], int]) -> Standings:
    """Pure."""
    profiles, unread = background
    of_phases, nodes = likes(own.rows, own.nodes), own.nodes
    values = {phase: _values(phase, profiles) for phase in PHASES}
    found, lacking = [], []
    for key, phase in PHASES.items():
        like = of_phases[key]
        if isinstance(like, str):
            lacking.append((phase, like))
        elif values[key]:
            found.append(_standing(phase, like, nodes, values[key]))
    return Standings(own.name, nodes, len(profiles), tuple(found), tuple(lacking), unread)


def _values(phase: str, profiles: Sequence[Profile]) -> list[tuple[float, int | None]]:
    """The number and the client nodes of each submission."""
    rows = [row for one in profiles for row in one.rows if row.phase == phase and row.benchmark == BENCHMARK]
    return [(row.samples[0], row.options.get(NODES)) for row in rows]


def _standing(
    phase: Phase, like: Like, nodes: int | None, others: Sequence[tuple[float, int | None]]
) -> Standing:
    values = sorted(value for value, _ in others)
    counted = [(value, count) for value, count in others if count]
    mine = nodes or like.row.options.get(NODES)
    each = sorted(value / count for value, count in counted)
    counts = sorted(count for _, count in counted)
    return Standing(
        phase=phase,
        like=like,
        place=_place(like.row, 1, values),
        per_node=_place(like.row, mine, each) if mine and each else None,
        median=statistics.median(values),
        values=tuple(values),
        nodes=(counts[0], counts[len(counts) // 2], counts[-1]) if counts else None,
    )


def _place(row: Row, over: int, values: Sequence[float]) -> Place:
    ends = [None if end is None else bisect_left(values, end / over) for end in (row.low, row.high)]
    return Place(bisect_left(values, (row.median or 0) / over), len(values), ends[0], ends[1])
