"""What a simulation says: times, bandwidths and the bottleneck, over ranks; and how busy resources are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.answers.answer import Answer, Certainty, Cost, Number, Ratio
from weir.answers.quantities import quantity_of
from weir.figures.charts import Along, dot_chart, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.questions.question import figure
from weir.results.row import Row, median_of, with_metric
from weir.simulate.result import MOST
from weir.simulate.samples import READ, SHARE, TIME, TOTAL, WRITTEN
from weir.units import count_words

WEIGHT = 90.0
"""On a first screen these numbers are the headline."""
LEAST_DRAWN = 0.02
"""Of the time."""
MORE = 1.02
"""Times as much as on the most ranks, on others: then that is said."""
SAID = ((TIME, "Time"), (WRITTEN, "Written"), (READ, "Read"))


def totals(rows: Sequence[Row]) -> list[Row]:
    """Of each simulation that of all its phases, those of fewer ranks first."""
    found = [row for row in rows if row.simulated and row.phase == TOTAL and row.median is not None]
    return sorted(found, key=lambda row: row.ranks)


def judge_simulation(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The numbers on the most ranks, and where most is written and read; null without a simulation."""
    found = totals(rows)
    if not any(_is_plain(row) for row in found):
        return None
    name = _names(found)
    return Finding(
        answers=tuple(_answers(found)),
        columns=("ranks", "case", ""),
        numbers=tuple(
            Number((str(row.ranks), name(row), what), quantity_of(part), str(_details(row).get("bottleneck")))
            for row in found
            for what, part in _parts(row)
        ),
        conditions="Simulated on a model of the machine; the remark is what is busiest.",
    )


def _parts(row: Row) -> Iterator[tuple[str, Row]]:
    return ((what, part) for key, what in SAID if (part := with_metric(row, key)))


def _details(row: Row) -> Mapping[str, Any]:
    return row.records[-1].details


def _names(rows: Sequence[Row]) -> Callable[[Row], str]:
    """What tells the cases of a run apart beside their ranks: its change of the machine, if any."""
    several = any(not _is_plain(row) for row in rows)
    return lambda row: str(row.options.get("change") or "as it is") if several else ""


def _is_plain(row: Row) -> bool:
    """Whether the machine is as it is, without a change."""
    return not row.options.get("change")


def _answers(found: list[Row]) -> Iterator[Answer]:
    changed = [row for row in found if not _is_plain(row)]
    found = [row for row in found if _is_plain(row)]
    last = found[-1]
    gains = {
        row.options["change"]: median_of(last) / median_of(row) for row in changed if row.ranks == last.ranks
    }
    most = max(gains.values(), default=0.0)
    for change, times in gains.items():
        found_times = Ratio(times, None, None, 0, unit="times as fast")
        yield replace(_answer((str(change),), found_times), leads=times == most and times >= MORE)
    for what, number in _parts(last):
        yield _answer((what, count_words(last.ranks, "rank")), quantity_of(number))
    told = _details(last)
    for used in told["resources"]:
        if used["name"] == told["bottleneck"]:
            title = "Bottleneck" if used["share"] >= MOST else "Busiest"
            yield _answer((title, used["name"]), _use(used))
    for key, what in SAID[1:]:
        parts = [part for row in found if (part := with_metric(row, key))]
        best = max(parts, key=median_of, default=last)
        if best.ranks != last.ranks and median_of(best) > MORE * median_of(parts[-1]):
            yield _answer((f"{what} at most", count_words(best.ranks, "rank")), quantity_of(best))


def _use(resource: Mapping[str, Any]) -> Cost:
    """Of the busiest one; what it does after the end counts in its time alone."""
    return Cost(resource["busiest_s"], min(1.0, resource["share"]), simulated=True)


def _answer(subject: tuple[str, ...], value: Any) -> Answer:
    return Answer("", subject, value, Certainty.SIMULATED, weight=WEIGHT, title="{subject}", decides=False)


PANELS = (("Bandwidth", (WRITTEN, READ)), ("Time", (TIME,)))


def _is_choice(found: Sequence[Row]) -> bool:
    """Whether changes are compared on one number of ranks, over which no curve could be drawn."""
    return len({row.ranks for row in found}) == 1 and any(not _is_plain(row) for row in found)


def _parts_of(found: Sequence[Row], title: str, keys: Sequence[str]) -> list[Row]:
    """The numbers of a panel, each named by what it is of."""
    said = [(what, key) for key, what in SAID if key in keys]
    pairs = [(what, with_metric(row, key)) for row in found for what, key in said]
    return [_curve(part, title.lower(), what.lower()) for what, part in pairs if part]


@figure(
    "simulation", judge_simulation, "Simulated", "How long does it take, and how fast, on how many ranks?"
)
def simulation(rows: list[Row], card: Card) -> list[Panel]:
    """A panel of bandwidths, and one of times."""
    found = totals(rows)
    name = _names(found)
    if _is_choice(found):
        return [
            Panel(f"{title}, simulated", dot_chart(drawn, name, lambda row: row.label))
            for title, keys in PANELS
            if (drawn := _parts_of(found, title, keys))
        ]
    panels = []
    for title, keys in PANELS:
        drawn = [
            _curve(part, title.lower(), ", ".join(filter(None, [what.lower(), name(row)])))
            for row in found
            for key, what in SAID
            if key in keys and (part := with_metric(row, key))
        ]
        panels += [Panel(title, _over_ranks(drawn))] if drawn else []
    return panels


def _curve(row: Row, noun: str, series: str) -> Row:
    """A point of the curve of that name; `noun`: what a panel has on its axis."""
    return replace(row, label=series, metric=replace(row.metric, noun=noun))


def _over_ranks(rows: list[Row], *, from_zero: bool = False) -> Spec:
    axis = ranks_axis(sorted({row.ranks for row in rows}))
    return line_chart(rows, Along(axis, lambda row: float(row.ranks), lambda row: row.label, from_zero))


def judge_utilisation(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Which share of the time the busiest of each resource is in use; null without a simulation."""
    found = totals(rows)
    name = _names(found)
    numbers = [
        Number((str(row.ranks), name(row), one["name"], str(one["count"])), _use(one))
        for row in found
        for one in sorted(_details(row)["resources"], key=lambda one: -one["share"])
    ]
    if not numbers:
        return None
    return Finding(answers=(), columns=("ranks", "case", "resource", "of them"), numbers=tuple(numbers))


@figure("utilisation", judge_utilisation, "Busy", "How busy is the busiest of each resource?")
def utilisation(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a case, in it a curve a resource, over ranks; without those that are hardly ever busy."""
    found = totals(rows)
    name = _names(found)
    busy = {
        one.metric.key
        for row in found
        for one in row.metrics
        if one.metric.key.endswith(SHARE) and one.estimate.median >= LEAST_DRAWN
    }
    if _is_choice(found):
        pairs = [(one.metric.noun, with_metric(row, one.metric.key)) for row in found for one in row.metrics]
        drawn = [
            _curve(part, "busy share", noun.removesuffix(" busy"))
            for noun, part in pairs
            if part and part.metric.key in busy
        ]
        return [Panel("", dot_chart(drawn, lambda row: row.label, name))] if drawn else []
    panels: dict[str, list[Row]] = {}
    for row in found:
        for one in row.metrics:
            if one.metric.key in busy and (part := with_metric(row, one.metric.key)):
                panels.setdefault(name(row), []).append(_curve(part, "busy share", one.metric.noun))
    return [Panel(title, _over_ranks(parts, from_zero=True)) for title, parts in panels.items()]
