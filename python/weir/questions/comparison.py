"""Rows that differ in one thing: which is faster, and whether the difference is more than noise; layouts,
back-ends, and methods of the two-phase library."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from weir.analyse.statistics import MedianEstimate
from weir.figures.charts import bar_chart
from weir.figures.figure import Card, Finding, Panel
from weir.questions.question import figure
from weir.results.row import Row, directions, measured, median_of
from weir.results.words import (
    cache_words,
    capital,
    join_words,
    label_by,
    layout_words,
    method_words,
    plural_words,
    strategy_words,
    times_words,
)
from weir.units import format_bytes, significant

FAR = 2.0
Name = Callable[[Row], str]
Choice = Callable[[Row], bool]


@dataclass(frozen=True)
class Ratio:
    """How many times as fast `one` is as `other`, with an interval [`low`, `high`], null where one has none.

    The interval divides opposite ends of the two 95 % intervals: it holds with at least 90 % confidence,
    since the chances of either being wrong add up at most (Bonferroni's inequality).
    """

    one: Row
    other: Row
    ratio: float
    low: float | None
    high: float | None

    @property
    def different(self) -> bool | None:
        """True where the intervals do not overlap, null where that is not known."""
        if self.low is None or self.high is None:
            return None
        return self.low > 1 or self.high < 1


def compare(one: Row, other: Row) -> Ratio | None:
    """The ratio of two rows; null where one has no number or 0, or they are of two metrics."""
    top, bottom = (one, other) if one.metric.greater_is_better else (other, one)
    if one.metric != other.metric or not top.median or not bottom.median:
        return None
    return Ratio(one, other, top.median / bottom.median, *quotient_interval(top, bottom))


def quotient_interval(
    top: Row | MedianEstimate, bottom: Row | MedianEstimate
) -> tuple[float | None, float | None]:
    """The interval of `top` over `bottom`: opposite ends of theirs, null where one has none."""
    low = top.low / bottom.high if top.low is not None and bottom.high else None
    high = top.high / bottom.low if top.high is not None and bottom.low else None
    return low, high


def setting_key(row: Row, ignoring: Collection[str]) -> str:
    """A key that is equal for rows that differ in nothing but what is named in `ignoring`:
    options, `phase`, `ranks`, `mpi_io`, `env`."""
    options = {key: value for key, value in row.options.items() if key not in ignoring}
    fields = {"phase": row.phase, "ranks": row.ranks, "mpi_io": row.mpi_io, "env": dict(row.env)}
    fields = {key: value for key, value in fields.items() if key not in ignoring}
    return json.dumps([row.benchmark, fields, options], sort_keys=True, default=str)


def unshared_options(rows: list[Row]) -> set[str]:
    """Options that not all rows have: they belong to one strategy, and distinguish no others."""
    every = [set(row.options) for row in rows]
    return set().union(*every).difference(every[0].intersection(*every)) if every else set()


def pairs(rows: list[Row], ignoring: Collection[str], is_one: Choice, is_other: Choice) -> list[Ratio]:
    """Ratios of all pairs of rows that are equal but for `ignoring`: writes first, then by transfer size."""
    others = {setting_key(row, ignoring): row for row in measured(rows) if is_other(row)}
    found = [
        compare(row, others[setting_key(row, ignoring)])
        for row in measured(rows)
        if is_one(row) and setting_key(row, ignoring) in others
    ]
    order = directions(rows)
    return sorted(
        filter(None, found), key=lambda ratio: (order.index(ratio.one.direction), _transfer(ratio.one))
    )


def _transfer(row: Row) -> int:
    return int(row.options.get("transfer") or 0)


def order_words(rows: list[Row], ignoring: Collection[str], name: Name) -> tuple[str, ...]:
    """One sentence a phase: for every setting, its strategies in the order of their speed, as a chain
    "POSIX ≈ MPI-IO > HDF5 ≫ PnetCDF". Empty for two strategies.

    ≈ stands where two neighbours cannot be distinguished, > where they can, ≫ where their ratio is surely
    above FAR.
    """
    found = measured(rows)
    keys = {*ignoring, *unshared_options(found)}
    groups: dict[str, list[Row]] = {}
    for row in found:
        groups.setdefault(setting_key(row, keys), []).append(row)
    several = [group for group in groups.values() if len(group) > 2]
    at = label_by([group[0] for group in several], {*keys, "phase"})
    by_phase: dict[str, list[str]] = {}
    for group in several:
        chain = _chain(sorted(group, key=median_of, reverse=group[0].metric.greater_is_better), name)
        place = at(group[0])
        by_phase.setdefault(group[0].phase, []).append(f"{place}: {chain}" if place else chain)
    return tuple(
        f"{capital(phase)}, fastest first: {'; '.join(chains)}{_legend(chains)}."
        for phase, chains in by_phase.items()
    )


def _legend(chains: list[str]) -> str:
    return " (≈: indistinguishable)" if any("≈" in chain for chain in chains) else ""


def _chain(ordered: list[Row], name: Name) -> str:
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


def compare_strategies(
    rows: list[Row], ignoring: Collection[str], name: Name, is_reference: Choice
) -> Finding | None:
    """Every strategy, by its name, against the reference, wherever all but `ignoring` is equal; null where
    nothing is."""
    found = pairs(rows, {*ignoring, *unshared_options(rows)}, lambda row: not is_reference(row), is_reference)
    return finding_of(found, rows, ignoring, name) if found else None


def finding_of(found: list[Ratio], rows: list[Row], ignoring: Collection[str], name: Name) -> Finding:
    """What the ratios say: the largest difference in the title, and a sentence for each strategy."""
    names = dict.fromkeys(name(ratio.one) for ratio in found)
    at = place_by(found, ignoring)
    sentences = tuple(
        _sentence([ratio for ratio in found if name(ratio.one) == one], name, at) for one in names
    )
    return Finding(_title(found, name, at), sentences, cache_words(rows))


def place_by(found: list[Ratio], ignoring: Collection[str]) -> Name:
    """Says where a ratio was measured: its transfer size, and what else differs among the ratios."""
    others = label_by([ratio.one for ratio in found], {*ignoring, "transfer"})

    def words(row: Row) -> str:
        transfer = row.options.get("transfer")
        at = f" at {format_bytes(transfer)} transfers" if transfer else ""
        more = others(row)
        return f"{at}{' with ' if more else ''}{more}"

    return words


def _title(found: list[Ratio], name: Name, at: Name) -> str:
    """The one difference that stands out, or that there is none."""
    sure = [ratio for ratio in found if ratio.different]
    if not sure:
        names = join_words(dict.fromkeys([name(found[0].other), *(name(ratio.one) for ratio in found)]))
        unknown = all(ratio.different is None for ratio in found)
        return capital(f"{names}: {'too few samples to tell' if unknown else 'no difference beyond noise'}")
    largest = max(sure, key=lambda ratio: max(ratio.ratio, 1 / ratio.ratio))
    fast, slow = (largest.one, largest.other) if largest.ratio > 1 else (largest.other, largest.one)
    times = times_words(max(largest.ratio, 1 / largest.ratio))
    others = f", the largest of {len(sure)} differences" if len(sure) > 1 else ""
    return capital(
        f"{name(fast)} {plural_words(fast)} {times} as fast as {name(slow)}{at(largest.one)}{others}"
    )


def _sentence(found: list[Ratio], name: Name, at: Name) -> str:
    """All ratios of one strategy to the other, for example "MPI-IO collective against POSIX: write 0.60 times
    ...".
    """
    parts = [f"{ratio.one.phase}{at(ratio.one)} {ratio_words(ratio)}" for ratio in found]
    return f"{capital(name(found[0].one))} against {name(found[0].other)}: {'; '.join(parts)}."


def ratio_words(ratio: Ratio) -> str:
    """ "0.60 times [0.58, 0.62] (n = 12, 12)", and what that means where it means nothing; of times, which of
    two is the faster: "0.60 times as fast [0.58, 0.62] (n = 12, 12)"."""
    counts = f"n = {ratio.one.n}, {ratio.other.n}"
    times = f"{_number(ratio.ratio)} times{'' if ratio.one.metric.greater_is_better else ' as fast'}"
    if ratio.different is None:
        return f"{times} (no interval, too few samples to tell them apart, {counts})"
    bounds = f"{times} [{_number(ratio.low)}, {_number(ratio.high)}] ({counts})"
    return bounds if ratio.different else f"{bounds}, which is no significant difference"


def _number(ratio: float | None) -> str:
    """Two places, or as many as a small ratio needs to be one."""
    known = ratio or 0.0
    return f"{known:.2f}" if known >= 0.1 else significant(known, 2)


def strategy_panels(rows: list[Row], series: Name, ignoring: Collection[str]) -> list[Panel]:
    """Bars named by `series`, grouped by whatever else varies; `ignoring` are the options that make the
    series.
    """
    found = sorted(measured(rows), key=lambda row: (row.options.get("transfer") or 0, row.ranks))
    others = label_by(found, ignoring)
    panels = []
    for direction in directions(found):
        part = [row for row in found if row.direction == direction]
        same = [row for row in found if row.metric == part[0].metric]
        panels.append(Panel(capital(plural_words(part[0])), bar_chart(part, others, series, same)))
    return panels


BACKEND_OPTIONS = frozenset({"backend", "collective", "file_view", "hint", "direct", "mpi_io", "env"})
SHARED = ("shared", "shared-directory")
REFERENCE_METHOD = "rank0"


def judge_layout(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """File per process against shared file, or a directory for each rank against a shared one."""
    return compare_strategies(
        rows, {"layout"}, layout_words, lambda row: row.options.get("layout", "shared") in SHARED
    )


@figure("layout", judge_layout)
def layout(rows: list[Row], card: Card) -> list[Panel]:
    """Bars side by side, a panel for writes and one for reads."""
    return strategy_panels(rows, layout_words, {"layout"})


def judge_backend(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other interface, independent and collective, against POSIX; and the order of all."""
    finding = compare_strategies(
        rows,
        BACKEND_OPTIONS,
        strategy_words,
        lambda row: row.options.get("backend") == "posix" and not row.options.get("direct"),
    )
    if finding is None:
        return None
    order = order_words(rows, BACKEND_OPTIONS, strategy_words)
    return Finding(finding.title, order, finding.conditions, finding.sentences) if order else finding


@figure("backend", judge_backend)
def backend(rows: list[Row], card: Card) -> list[Panel]:
    """Bars side by side, a panel for writes and one for reads."""
    return strategy_panels(rows, strategy_words, {"backend", "mpi_io"})


def by_method(rows: list[Row]) -> list[Row]:
    """Writes and reads of rows whose case has a method of the two-phase library."""
    return [row for row in rows if row.moves and method_words(row)]


def judge_method(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other method against rank 0's; null where one of them is missing."""
    return compare_strategies(
        by_method(rows), {"method"}, method_words, lambda row: row.options.get("method") == REFERENCE_METHOD
    )


@figure("method", judge_method)
def method(rows: list[Row], card: Card) -> list[Panel]:
    """Bars side by side, a panel for writes and one for reads."""
    return strategy_panels(by_method(rows), method_words, {"method"})
