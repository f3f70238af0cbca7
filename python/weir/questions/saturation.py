"""Where bandwidth saturates: against transfer size, and against the number of ranks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from weir.analyse import saturation
from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty, Number, Threshold
from weir.answers.quantities import quantity_of
from weir.figures.charts import Along, Marker, line_chart
from weir.figures.encoding import MOST_SERIES, name_curves, ranks_axis, size_axis
from weir.figures.figure import Card, Finding, Panel
from weir.questions.claim import Decision, Rule, Verdict, rule, select
from weir.questions.question import figure
from weir.results.pairing import compare, compare_all, rounded_up, setting_key
from weir.results.quantity_words import measured_words
from weir.results.row import Row, by_metric, directions, measured, median_of
from weir.results.words import (
    cache_words,
    cached_action,
    capital,
    option_words,
    phase_words,
    plural_words,
    transfer_words,
    value_of,
)
from weir.units import count_words, format_bytes, format_share

POINTS_NEEDED = 3
SHARE = "10 %"
NEARLY_ALL = 0.75
"""Of the points: a range of more of them that reaches to the last one narrows nothing."""
MUCH_LESS = 0.75
"""Of the best: an answer tells a fall to less than that."""


def main_curve(rows: list[Row], axis: str, direction: str) -> list[Row]:
    """Of a direction the longest curve, and of equally long ones the most honest: rows that differ in nothing
    but `axis` (an option, or "ranks"); empty if there is none."""
    curves: dict[str, list[Row]] = {}
    for row in measured(rows):
        if row.direction == direction and row.metric.greater_is_better:  # a curve is read upwards
            curves.setdefault(setting_key(row, {axis}), []).append(row)
    return max(curves.values(), key=lambda curve: (len(curve), sum(row.honest for row in curve)), default=[])


@dataclass(frozen=True)
class RowSaturation:
    """`first` to `last`: the rows among which the point of saturation is; `best` has the best median, `end`
    the largest x. `slower`: those beyond `first` that are surely slower than the best. `deciding`: the rows
    whose samples would make the point certain. `after`: all beyond `first`, in order."""

    first: Row
    last: Row
    best: Row
    end: Row
    found: saturation.Saturation
    slower: tuple[Row, ...]
    deciding: tuple[Row, ...]
    after: tuple[Row, ...] = ()

    @property
    def fallen(self) -> tuple[Row, ...]:
        """Those beyond the best that are surely slower, from the first on after which none is as good."""
        beyond = self.after[self.after.index(self.best) + 1 :] if self.best in self.after else self.after
        kept = 0
        while kept < len(beyond) and beyond[-1 - kept] in self.slower:
            kept += 1
        return beyond[len(beyond) - kept :]

    @property
    def falls_to(self) -> float:
        """Of the best, what is left where it has fallen the most; 1 where it has not."""
        return min((median_of(row) for row in self.fallen), default=median_of(self.best)) / median_of(
            self.best
        )

    @property
    def settled(self) -> bool:
        """Whether the point is certain."""
        return self.found.settled

    @property
    def still_rising(self) -> bool:
        """Whether surely only the largest x reaches the best, so that more might give more."""
        return self.found.at_edge


def find_saturation(
    rows: list[Row], x: Callable[[Row], float], fewest: int = POINTS_NEEDED
) -> RowSaturation | None:
    """Saturation over `x`; null for fewer than so many points."""
    ordered = sorted({x(row): row for row in measured(rows)}.values(), key=x)
    if len(ordered) < fewest:
        return None

    @cache
    def interval(one: int, other: int, confidence: float) -> tuple[float | None, float | None]:
        if not median_of(ordered[one]):
            return 0.0, 0.0  # nothing was moved: whatever the other did was better
        ratio = compare(ordered[one], ordered[other], confidence)
        return (ratio.low, ratio.high) if ratio else (None, None)

    found = saturation.find_saturation([median_of(row) for row in ordered], interval)
    if found is None:
        return None
    best = ordered[found.best]
    beyond = compare_all([(row, best) for row in ordered[found.first + 1 :] if row is not best])
    return RowSaturation(
        first=ordered[found.first],
        last=ordered[found.last],
        best=best,
        end=ordered[-1],
        found=found,
        slower=tuple(ratio.one for ratio in beyond if ratio.standing is Standing.BELOW),
        deciding=tuple(ordered[at] for at in found.deciding),
        after=tuple(ordered[found.first + 1 :]),
    )


@dataclass(frozen=True)
class Axis:
    """An axis in words: `option` is its key, `place` says a value of it ("4 ranks"), `value` says it
    alone, `thing` names it, `action` says what to do with the point."""

    option: str
    thing: str
    most: str
    x: Callable[[Row], float]
    place: Callable[[Row], str]
    value: Callable[[Row], str]
    action: str


TRANSFER = Axis(
    "transfer",
    "transfer size",
    "the largest tried",
    lambda row: float(row.options["transfer"]),
    transfer_words,
    lambda row: format_bytes(int(row.options["transfer"])),
    "from",
)
RANKS = Axis(
    "ranks",
    "rank count",
    "the most tried",
    lambda row: float(row.ranks),
    lambda row: count_words(row.ranks, "rank"),
    lambda row: count_words(row.ranks, "rank"),
    "keep",
)


def judge_transfer(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """From which transfer size on each direction saturates."""
    return _judge([row for row in rows if "transfer" in row.options], TRANSFER)


def judge_ranks(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """With how many ranks each direction saturates."""
    return _judge(rows, RANKS)


def _judge(rows: list[Row], axis: Axis) -> Finding | None:
    answers: list[Answer] = []
    numbers: list[Number] = []
    for direction in directions(rows):
        curve = main_curve(rows, axis.option, direction)
        if len(curve) < 2:
            continue
        found = find_saturation(curve, axis.x)
        answers.append(_answer(direction, curve, found, axis))
        numbers += _numbers(sorted(curve, key=axis.x), found, axis)
    if not answers:
        return None
    conditions = " ".join(filter(None, [cache_words(rows), _growth_words(measured(rows), axis)]))
    return Finding(
        conditions=conditions,
        answers=tuple(answers),
        columns=("phase", axis.thing),
        numbers=tuple(numbers),
    )


def _numbers(curve: list[Row], found: RowSaturation | None, axis: Axis) -> Iterator[Number]:
    """The points of a curve, with what is known of some."""
    for row in curve:
        remarks = [] if found is None else list(_remarks(row, found))
        yield Number((phase_words(row), axis.value(row)), quantity_of(row), ", ".join(remarks))


def _remarks(row: Row, found: RowSaturation) -> Iterator[str]:
    if row is found.best:
        yield "best"
    if row is found.first and (found.settled or found.found.near) and not found.still_rising:
        within = SHARE if found.settled else f"a factor of {rounded_up(found.found.within)}"
        yield f"from here on within {within}"
    if row in found.slower:
        yield f"{format_share(median_of(row) / median_of(found.best))} of the best"


WEIGHT, OPEN_WEIGHT = 1.0, 0.01
"""Of a point of saturation on a first screen, as of a way that is 10 times as fast; and of an open one."""


def _answer(direction: str, curve: list[Row], found: RowSaturation | None, axis: Axis) -> Answer:
    """The point from which on nothing more is gained, as far as it is known."""
    what = Answer("", (direction,), weight=WEIGHT)
    if found is None or (found.found.unknown and not (found.settled or found.found.near)):
        few = "more-points" if found is None else "more-samples"
        cases = frozenset() if found is None else _open_cases(found)
        return replace(what, certainty=Certainty.OPEN, action=few, weight=OPEN_WEIGHT, open_cases=cases)
    if all(row.suspect for row in (found.first, found.best)):
        return replace(what, certainty=Certainty.OPEN, action=cached_action(curve), weight=OPEN_WEIGHT)
    if found.still_rising:
        at = axis.value(found.end)
        return replace(
            what, value=Threshold(axis.option, at, rising=True), action="try-more", words={"at": at}
        )
    at = axis.value(found.first)
    known = replace(what, value=Threshold(axis.option, at), action=axis.action, words={"at": at})
    if found.falls_to <= MUCH_LESS:
        lowest = axis.value(min(found.fallen, key=median_of))
        known = replace(known, action="falls", words={"at": lowest, "share": format_share(found.falls_to)})
    if found.settled:
        cached = any(row.suspect or row.in_caches for row in (found.first, found.best))
        return replace(known, certainty=Certainty.WITHIN if cached else Certainty.SURE)
    within = replace(known, certainty=Certainty.WITHIN, open_cases=_open_cases(found))
    if found.found.near or found.last is found.first:
        return within
    if 1 + len(found.after) > NEARLY_ALL * len(curve) and found.last is found.end:
        within = replace(within, certainty=Certainty.OPEN)
    return replace(within, value=Threshold(axis.option, at, axis.value(found.last)), action="more-samples")


def _open_cases(found: RowSaturation) -> frozenset[str]:
    return frozenset(row.case for row in found.deciding)


def _growth_words(rows: list[Row], axis: Axis) -> str:
    """Says that more ranks moved more data, where each had as much: then a rate may also change with the
    amount."""
    shares = {row.data_bytes / row.ranks for row in rows if row.data_bytes and row.moves}
    if axis is not RANKS or len(shares) != 1 or len({row.ranks for row in rows}) < 2:
        return ""
    return f"Each rank moved {format_bytes(int(shares.pop()))}: the data grew with the ranks."


@figure("transfer", judge_transfer, "Request size", "From which request size on is little gained?")
def transfer(rows: list[Row], card: Card) -> list[Panel]:
    """Writes and reads in one panel, over transfer sizes on a logarithmic axis."""
    axis = size_axis("transfer size", sorted({int(TRANSFER.x(row)) for row in measured(rows)}))
    return _panels(rows, axis, TRANSFER)


@figure("ranks", judge_ranks, "Ranks", "How many ranks get the full rate?")
def ranks(rows: list[Row], card: Card) -> list[Panel]:
    """All phases of a metric in one panel, over rank counts on a logarithmic axis; a line marks the number of
    cores.
    """
    counts = sorted({row.ranks for row in measured(rows)})
    return _panels(rows, ranks_axis(counts), RANKS, cores_marker(card, counts))


def cores_marker(card: Card, counts: list[int]) -> list[Marker]:
    cpu = card.get("cpu") or {}
    cores = cpu.get("usable") or cpu.get("threads")
    # The line lies a little right of the last rank count that still has a core for each rank, clear of its
    # point.
    return (
        [Marker(cores * 1.08, f"more ranks than the {count_words(cores, 'core')} →")]
        if cores and cores < counts[-1]
        else []
    )


def _panels(
    rows: list[Row], axis: dict[str, Any], along: Axis, markers: Sequence[Marker] = ()
) -> list[Panel]:
    """The panels of the rows that have a number; `axis` encodes the field "x" for all of them."""
    parts = by_metric(rows)
    panels = []
    for part in parts:
        series = name_curves(part, along.option)
        title = capital(part[0].metric.noun) if len(parts) > 1 else ""
        for name, some in _by_direction(part, len({series(row) for row in part}), title):
            panels.append(Panel(name, line_chart(some, Along(axis, along.x, series), markers=markers)))
    return panels


def _by_direction(rows: list[Row], curves: int, title: str) -> list[tuple[str, list[Row]]]:
    """All in one panel, or one for each direction where colours would repeat."""
    found = directions(rows)
    if curves <= MOST_SERIES or len(found) < 2:
        return [(title, rows)]
    parts = [[row for row in rows if row.direction == name] for name in found]
    return [(capital(plural_words(part[0])), part) for part in parts]


@rule("saturation")
class SaturationRule(Rule, frozen=True, kw_only=True):
    """`shape` "saturates": the best is reached before the end of the axis; "falls": beyond the best it
    becomes worse again. `where` chooses the rows, of one phase."""

    along: str
    shape: Literal["saturates", "falls"]
    where: dict[str, Any]

    def words(self) -> str:
        """The tolerance, and what is done with the intervals."""
        if self.shape == "saturates":
            return (
                f"holds where a smaller value is surely within {SHARE} of the best, does not hold where "
                "surely only the greatest is"
            )
        return (
            "holds where a value beyond the best is surely slower, does not hold where all beyond it are "
            f"surely within {SHARE} of it"
        )

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """The curve's saturation, and whether noise leaves it in doubt."""
        chosen = select(rows, self.where)
        curve = main_curve(chosen, self.along, chosen[0].direction) if chosen else []
        found = find_saturation(curve, self._x)
        if found is None:
            return Decision(
                Verdict.CANNOT_BE_TOLD,
                f"because it takes {POINTS_NEEDED} points, and {len(curve)} were measured",
            )
        if self.shape == "saturates":
            return self._saturates(found)
        return self._falls(found, sorted(curve, key=self._x))

    def _x(self, row: Row) -> float:
        return float(value_of(row, self.along))

    def _at(self, row: Row) -> str:
        return f"{measured_words(row)} with {option_words(row, self.along)}"

    def _saturates(self, found: RowSaturation) -> Decision:
        said = f"the best is {self._at(found.best)}"
        if found.still_rising:
            return Decision(Verdict.DOES_NOT_HOLD, f"the best is the last, {self._at(found.best)}")
        if found.last is not found.best:
            said = f"within {SHARE} of the best from {self._at(found.last)} on; {said}"
        if found.last is found.end:
            why = f"because noise could move the point: {said}"
            return Decision(Verdict.CANNOT_BE_TOLD, why, _open_cases(found))
        return Decision(Verdict.HOLDS, said)

    def _falls(self, found: RowSaturation, curve: list[Row]) -> Decision:
        best = f"the best is {self._at(found.best)}"
        beyond = [row for row in curve if self._x(row) > self._x(found.best)]
        if slower := {row.case for row in beyond} & {row.case for row in found.slower}:
            fallen = min((row for row in beyond if row.case in slower), key=median_of)
            return Decision(Verdict.HOLDS, f"{best}, and beyond it {self._at(fallen)}")
        if not beyond:
            return Decision(
                Verdict.CANNOT_BE_TOLD,
                f"because nothing beyond the best was measured: {self._at(found.best)}",
            )
        ratios = compare_all([(row, found.best) for row in beyond])
        if len(ratios) == len(beyond) and all(ratio.standing is Standing.ALIKE for ratio in ratios):
            return Decision(Verdict.DOES_NOT_HOLD, f"{best}, and beyond it still {self._at(beyond[-1])}")
        return Decision(
            Verdict.CANNOT_BE_TOLD,
            f"because of noise: {best}, and beyond it {self._at(beyond[-1])}",
            frozenset(row.case for row in (found.best, *beyond)),
        )
