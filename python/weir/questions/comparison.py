"""Strategies against each other: which is faster, by how much, or whether that is open; layouts, back-ends,
and methods of the two-phase library."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty
from weir.answers.ratios import choice_of, factor, faster_and_slower
from weir.figures.charts import group_chart
from weir.figures.figure import MORE_SAMPLES, Asked, Card, Finding, Panel, State
from weir.questions.question import figure
from weir.results.pairing import (
    Choice,
    Ratio,
    apart_words,
    compare_all,
    pairs,
    ratio_words,
    setting_key,
    unshared_options,
)
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
    transfer_words,
)
from weir.units import count_words

FAR = 2.0
Name = Callable[[Row], str]


def order_words(rows: list[Row], ignoring: Collection[str], name: Name) -> tuple[str, ...]:
    """One sentence a phase: for every setting, its strategies in the order of their speed, as a chain
    "POSIX ≈ MPI-IO > HDF5 ≫ PnetCDF". Empty for two strategies.

    ≈ stands where two neighbours are surely equal within 10 %, > where one is surely faster, ≫ where surely
    more than FAR times, ? where none of that is sure.
    """
    found = measured(rows)
    keys = {*ignoring, *unshared_options(found)}
    groups: dict[str, list[Row]] = {}
    for row in found:
        groups.setdefault(setting_key(row, keys), []).append(row)
    several = [
        sorted(group, key=median_of, reverse=group[0].metric.greater_is_better)
        for group in groups.values()
        if len(group) > 2
    ]
    neighbours = [pair for group in several for pair in pairwise(group)]
    signs: dict[tuple[str, str, str], str] = {}
    for phase in directions(found):  # a question of its own, as in asked_of()
        signs |= _signs([pair for pair in neighbours if pair[0].direction == phase])
    at = label_by([group[0] for group in several], {*keys, "phase"})
    by_phase: dict[str, list[str]] = {}
    for group in several:
        chain = name(group[0])
        for faster, slower in pairwise(group):
            chain += f" {signs[faster.case, slower.case, slower.phase]} {name(slower)}"
        place = at(group[0])
        by_phase.setdefault(group[0].phase, []).append(f"{place}: {chain}" if place else chain)
    return tuple(
        f"{capital(phase)}, fastest first: {'; '.join(chains)}{_legend(chains)}."
        for phase, chains in by_phase.items()
    )


LEGEND = {"≈": "equal within 10 %", "?": "open which is faster"}


def _legend(chains: list[str]) -> str:
    said = [f"{sign}: {words}" for sign, words in LEGEND.items() if any(f" {sign} " in one for one in chains)]
    return f" ({'; '.join(said)})" if said else ""


def _signs(neighbours: list[tuple[Row, Row]]) -> dict[tuple[str, str, str], str]:
    found = {(r.one.case, r.other.case, r.other.phase): _sign(r) for r in compare_all(neighbours)}
    # One of them is 0.
    rest = {(a.case, b.case, b.phase): "≈" if a.median == b.median else ">" for a, b in neighbours}
    return rest | found


def _sign(ratio: Ratio) -> str:
    if not ratio.differs:
        return "≈" if ratio.standing is Standing.ALIKE else "?"
    return "≫" if ratio.low is not None and ratio.low > FAR else ">" if ratio.ratio > 1 else "<"


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
    return Finding(
        _title(found, name, at),
        sentences,
        cache_words(rows),
        asked=asked_of(found, at),
        answers=tuple(_answer(direction, part, name) for direction, part in by_direction(found).items()),
    )


def by_direction(found: list[Ratio]) -> dict[str, list[Ratio]]:
    """The ratios of each direction, in their order."""
    parts: dict[str, list[Ratio]] = {}
    for ratio in found:
        parts.setdefault(ratio.one.direction, []).append(ratio)
    return parts


def _answer(direction: str, found: list[Ratio], name: Name) -> Answer:
    """The largest sure difference; or that all are alike, within a factor or surely; or that it is open."""
    what = Answer("", (direction,))
    left = [ratio for ratio in found if ratio.standing is Standing.OPEN]
    cases = frozenset(row.case for ratio in left for row in (ratio.one, ratio.other))
    sure = [ratio for ratio in found if ratio.differs]
    most = max(sure or found, key=factor)
    fast, slow = faster_and_slower(most)
    choice = choice_of(most, name(fast), name(slow), differs=bool(sure))
    known = replace(
        what, value=choice, certainty=Certainty.WITHIN if left else Certainty.SURE, open_cases=cases
    )
    if sure:
        words = {"best": name(fast)}
        return replace(known, action="choose", words=words, weight=math.log10(factor(most)))
    if all(ratio.near for ratio in left):
        return replace(known, action="either", weight=ALIKE_WEIGHT)
    return replace(
        what, certainty=Certainty.OPEN, action="more-samples", weight=OPEN_WEIGHT, open_cases=cases
    )


ALIKE_WEIGHT, OPEN_WEIGHT = 0.05, 0.02
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def asked_of(found: list[Ratio], name: Name) -> tuple[Asked, ...]:
    """The questions that ask for these ratios, one for each direction."""
    parts: dict[str, list[Ratio]] = {}
    for ratio in found:
        parts.setdefault(plural_words(ratio.one), []).append(ratio)
    return tuple(_asked(of, part, name) for of, part in parts.items())


def _asked(of: str, found: list[Ratio], name: Name) -> Asked:
    """Answered where each ratio is decided; with a caveat where the others are surely not far from 1."""
    left = [ratio for ratio in found if ratio.standing is Standing.OPEN]
    far = [ratio for ratio in left if not ratio.near]
    cases = frozenset(row.case for ratio in left for row in (ratio.one, ratio.other))
    if not left:
        return Asked(of)
    names = join_words(dict.fromkeys(name(ratio.one).strip() for ratio in far or left))
    which = f" ({names})" if names and len(far or left) < len(found) else ""
    if not far:
        said = f"{apart_words(left)}{which}; which is faster is open"
        return Asked(of, State.CAVEAT, f"{said}: {_wanting(left)}", cases)
    if len(far) == len(found):  # title and state say so already
        return Asked(of, State.OPEN, _wanting(far), cases)
    said = f"{len(far)} of {count_words(len(found), 'comparison')}{which} {_is(far)} open"
    return Asked(of, State.PARTLY, f"{said}: {_wanting(far)}", cases)


def _is(left: list[Ratio]) -> str:
    return "is" if len(left) == 1 else "are"


def _wanting(left: list[Ratio]) -> str:
    """How many more samples would do, from how wide the intervals are."""
    wide = [max(ratio.high / ratio.low - 1, 0.0) for ratio in left if ratio.low and ratio.high]
    if len(wide) < len(left):
        return MORE_SAMPLES
    times = max(wide) / WIDTH_THAT_DECIDES
    if times > MOST_TIMES:
        return "the storage varies too much to decide that in reasonable time"
    return f"it takes about {max(times**2, 1.5):.0f} times as many samples, with a larger --budget"


WIDTH_THAT_DECIDES = 0.15
"""An interval of this width decides nearly always: it lies inside 10 % to both sides, or beside 1."""
MOST_TIMES = 5.0
"""An interval gets narrower with the root of the samples: beyond, it would take 25 times as many."""


def place_by(found: list[Ratio], ignoring: Collection[str]) -> Name:
    """Says where a ratio was measured: its transfer size, and what else differs among the ratios."""
    others = label_by([ratio.one for ratio in found], {*ignoring, "transfer"})

    def words(row: Row) -> str:
        at = f" at {transfer_words(row)}" if row.options.get("transfer") else ""
        more = others(row)
        return f"{at}{' with ' if more else ''}{more}"

    return words


def _title(found: list[Ratio], name: Name, at: Name) -> str:
    """The one difference that stands out; or that all are equal, or that it is open."""
    sure = [ratio for ratio in found if ratio.differs]
    if not sure:
        names = join_words(dict.fromkeys([name(found[0].other), *(name(ratio.one) for ratio in found)]))
        alike = sum(ratio.standing is Standing.ALIKE for ratio in found)
        if alike == len(found):
            return capital(f"{names}: equal within 10 %")
        if all(ratio.low is None for ratio in found):
            return capital(f"{names}: too few samples to tell")
        left = [ratio for ratio in found if ratio.standing is Standing.OPEN]
        if all(ratio.near for ratio in left):
            return capital(f"{names}: {apart_words(left)}")
        equal = f"; equal within 10 % in {alike} of {count_words(len(found), 'comparison')}" if alike else ""
        return capital(f"{names}: open which is faster{equal}")
    largest = max(sure, key=factor)
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


def strategy_panels(rows: list[Row], series: Name, ignoring: Collection[str]) -> list[Panel]:
    """Dots named by `series`, grouped by whatever else varies; `ignoring` are the options that make the
    series.
    """
    found = sorted(measured(rows), key=lambda row: (row.options.get("transfer") or 0, row.ranks))
    others = label_by(found, ignoring)
    panels = []
    for direction in directions(found):
        part = [row for row in found if row.direction == direction]
        same = [row for row in found if row.metric == part[0].metric]
        panels.append(Panel(capital(plural_words(part[0])), group_chart(part, others, series, same)))
    return panels


BACKEND_OPTIONS = frozenset(
    {"backend", "collective", "file_view", "pointer", "hint", "direct", "mpi_io", "env"}
)
SHARED = ("shared", "shared-directory")
REFERENCE_METHOD = "rank0"


def judge_layout(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """File per process against shared file, or a directory for each rank against a shared one."""
    return compare_strategies(
        rows, {"layout"}, layout_words, lambda row: row.options.get("layout", "shared") in SHARED
    )


@figure("layout", judge_layout)
def layout(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads."""
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
    return replace(finding, sentences=order, details=finding.sentences) if order else finding


@figure("backend", judge_backend)
def backend(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads."""
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
    """Dots side by side, a panel for writes and one for reads."""
    return strategy_panels(by_method(rows), method_words, {"method"})
