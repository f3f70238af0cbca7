"""Which row of one side is the same measurement as which of another."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from weir.compare.printed_rows import BOUND, of_printed
from weir.compare.settings import COMPUTED, IGNORED
from weir.compare.sides import Side
from weir.results.row import Row
from weir.results.words import option_words, value_of
from weir.store.records import CaseRecord
from weir.units import count_words

Samples = tuple[tuple[float, ...], ...]
"""Of each run that has any."""


@dataclass(frozen=True)
class Pair:
    """A measurement of both sides: a row of the last run of each that has it, and the samples of all its
    runs. `differs`: the settings in which both differ, with their words; then they are not the same."""

    one: Row
    other: Row
    ones: Samples
    others: Samples
    differs: tuple[tuple[str, str], ...] = ()
    history: Samples = ()
    """Of runs before, of the same settings as `other`."""
    turns: bool = False
    """Whether both have as many runs, made in turns: each of `ones` with that of `others`."""

    @property
    def is_bound(self) -> bool:
        """Whether either is a printed bound, which has no ratio to a number."""
        return any(BOUND in row.options for row in (self.one, self.other))

    @property
    def simulated(self) -> bool:
        """Whether a model gave both: another sample would be the same."""
        return self.one.simulated and self.other.simulated

    @property
    def printed(self) -> Row | None:
        """The row that others printed, of `other` where both are; null where Weir measured both."""
        return next((row for row in (self.other, self.one) if row.place), None)


@dataclass(frozen=True)
class Matched:
    """The pairs in the order of `one`, and the rows that the other side lacks."""

    pairs: tuple[Pair, ...]
    only_one: tuple[Row, ...]
    only_other: tuple[Row, ...]


def match(one: Side, other: Side, history: Sequence[Side] = (), *, turns: bool = False) -> Matched:
    """The rows of both sides: first those of equal settings, then those that the study calls alike, and
    printed numbers with what they are of. `turns`: their runs were made in turns; then a run counts for a row
    where its neighbour has that too."""
    before: dict[str, list[tuple[float, ...]]] = {}
    for row in (row for side in history for rows in side.rows for row in rows):
        before.setdefault(exact_key(row), []).append(row.samples)
    numbered = [_by_run(side, exact_key) for side in (one, other)]
    whole = _in_whole_turns(*numbered) if turns else set[str]()
    every = [{key: [*rows.values()] for key, rows in side.items()} for side in numbered]
    ones, others = map(_measured_alone, every)
    same = [key for key in ones if key in others]
    found = [
        replace(_pair(ones[key], others[key]), history=tuple(before.get(key, ())), turns=key in whole)
        for key in same
    ]
    left = [_by_name(rows, {*same}) for rows in (ones, others)]
    called = [name for name in left[0] if name in left[1]]
    alike = [_pair(left[0][name], left[1][name]) for name in called]
    stated = [_pair(mine, yours) for mine, yours in of_printed(*(side.values() for side in every))]
    paired = {id(row) for pair in (*found, *alike, *stated) for row in (pair.one, pair.other)}
    only = [
        tuple(rows[-1] for rows in side.values() if id(rows[-1]) not in paired) for side in (ones, others)
    ]
    order = {id(rows[-1]): at for at, rows in enumerate(every[0].values())}
    pairs = sorted((*found, *alike, *stated), key=lambda pair: order[id(pair.one)])
    return Matched(tuple(pairs), *only)


def exact_key(row: Row) -> str:
    """What is equal for two measurements of the same."""
    return key_of(row, row.phase, row.metric.key)


def key_of(case: Row | CaseRecord, phase: str, metric: str) -> str:
    """The same of a phase of a case."""
    options = {key: value for key, value in case.options.items() if key not in IGNORED}
    parts = [case.benchmark, phase, metric, case.ranks, case.mpi_io, case.node, dict(case.env), options]
    parts += [dict(case.placement)] if case.placement else []
    return json.dumps(parts, sort_keys=True, default=str)


def _of_case(row: Row) -> tuple[str, str, str]:
    return row.benchmark, row.phase, row.metric.key


def _measured_alone(by_key: Mapping[str, list[Row]]) -> dict[str, list[Row]]:
    """What two runs are compared by: neither computed nor printed."""
    return {
        key: rows for key, rows in by_key.items() if rows[-1].benchmark not in COMPUTED and not rows[-1].place
    }


def _by_run(side: Side, key: Callable[[Row], str]) -> dict[str, dict[int, Row]]:
    """The row of each run, by its key and the run's number."""
    found: dict[str, dict[int, Row]] = {}
    for number, rows in enumerate(side.rows):
        for row in rows:
            found.setdefault(key(row), {})[number] = row
    return found


def _in_whole_turns(ones: dict[str, dict[int, Row]], others: dict[str, dict[int, Row]]) -> set[str]:
    """Leaves of each row the runs whose neighbour has it too; the keys of those that have such runs."""
    found = set()
    for key in ones.keys() & others.keys():
        if both := ones[key].keys() & others[key].keys():
            for side in (ones, others):
                side[key] = {number: row for number, row in side[key].items() if number in both}
            found.add(key)
    return found


def _by_name(rows: Mapping[str, list[Row]], without: set[str]) -> dict[tuple[object, ...], list[Row]]:
    """Those that are the only ones of a comparison's name and the case's label."""
    found: dict[tuple[object, ...], list[list[Row]]] = {}
    for key, of_runs in rows.items():
        if key not in without:
            row = of_runs[-1]
            found.setdefault((*_of_case(row), row.label, row.comparisons), []).append(of_runs)
    return {name: several[0] for name, several in found.items() if len(several) == 1}


def _pair(ones: Sequence[Row], others: Sequence[Row]) -> Pair:
    mine, yours = (tuple(row.samples for row in rows if row.samples) for rows in (ones, others))
    return Pair(ones[-1], others[-1], mine, yours, tuple(_differences(ones[-1], others[-1])))


def _differences(one: Row, other: Row) -> list[tuple[str, str]]:
    """Of options that both have: those of one alone came with another version of Weir."""
    keys = [key for key in one.options if key in other.options and key not in IGNORED | {BOUND}]
    keys = [key for key in keys if one.options[key] != other.options[key]]
    if not (one.place or other.place):  # which were paired for what is printed
        keys += [
            key
            for key in ("ranks", "nodes", "ranks_per_node", "binding", "mpi_io", "env")
            if value_of(one, key) != value_of(other, key)
        ]
    found = [(option_words(one, key), option_words(other, key)) for key in keys]
    if "nodes" not in keys and one.nodes and other.nodes and one.nodes != other.nodes:
        found.append((count_words(one.nodes, "node"), count_words(other.nodes, "node")))
    sources = [_CACHED[row.suspect or row.in_caches] for row in (one, other)]
    return found + ([(sources[0], sources[1])] if sources[0] != sources[1] else [])


_CACHED = {True: "of a cache", False: "of no cache"}
