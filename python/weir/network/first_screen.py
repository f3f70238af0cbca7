"""What a person sees first of a LogGP model: latency, bandwidth, switches of protocol, and how well it
predicts."""

from collections.abc import Iterator, Mapping

from weir.analyse.metric import Metric
from weir.analyse.modes import Modes
from weir.answers.answer import Answer, Caveat, Certainty, Changes, Count, Quantity, Threshold
from weir.answers.quantities import certainty_of
from weir.answers.screen import Screen, chosen_rows
from weir.answers.tables import ACTIONS, CAVEATS, TITLES, declare
from weir.network.loggp import Estimate, Model, Range
from weir.network.refine import are_close
from weir.units import count_words, format_bytes

GOOD = 0.15
"""Relative error up to which a prediction is called good."""
START = Metric("start_s", "s", "time of a message of no bytes", False)
BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True, decimal=True)
DISTANCES = {
    "core": "same core",
    "cache": "common cache",
    "package": "same package",
    "node": "same node",
    "nodes": "two nodes",
}
"""Where the two ranks of a path are."""
START_WEIGHT, RATE_WEIGHT, PREDICTS, SWITCHES = 4.0, 3.0, 2.0, 1.0

declare(
    TITLES,
    {
        "model-predicts": "Other calls within 15 %, {subject}",
        "switch": "Jump in time, {subject}",
        "waits": "Sends wait for receivers, {subject}",
    },
)
declare(ACTIONS, {"refine": "where exactly: weir network refine"})
declare(
    CAVEATS,
    {
        "few-launches": "launches: {count}; an interval takes 6",
        "off-sizes": "off all others, in no range: {sizes}",
    },
)


def first_screen(models: Mapping[str, Model]) -> Screen:
    """Of the models by distance; pure."""
    rows, others = chosen_rows([row for name, model in models.items() for row in _answers(name, model)])
    ranges = sum(len(model.ranges) for model in models.values())
    switches = sum(len(model.switches) for model in models.values())
    place = ("LogGP model", count_words(ranges, "range"), count_words(switches, "switch", "switches"))
    caveats = tuple(one for model in models.values() for one in _caveats(model))
    return Screen(place, rows, others, caveats, (), "no message was measured")


def _answers(name: str, model: Model) -> Iterator[Answer]:
    where = DISTANCES[name]
    yield from _quantity(
        f"Small messages, {where}", START, model.ranges[0].start, model.launches, START_WEIGHT
    )
    yield from _rate(f"Large messages, {where}", model.ranges[-1], model.launches)
    if model.predictions:
        good = sum(abs(one.error) <= GOOD for one in model.predictions)
        value = Count(good, len(model.predictions))
        yield Answer("model-predicts", (where,), value, weight=PREDICTS)
    for one in model.switches:
        found = Threshold("size", format_bytes(one.low), format_bytes(one.high))
        action = "" if are_close(one.low, one.high) else "refine"
        yield Answer(
            "switch", (where,), found, Certainty.WITHIN if action else Certainty.SURE, action, weight=SWITCHES
        )
    if model.waits:
        low, high = map(format_bytes, model.waits)
        yield Answer("waits", (where,), Threshold("size", low, high), Certainty.WITHIN, weight=SWITCHES)


def _quantity(title: str, metric: Metric, one: Estimate, launches: int, weight: float) -> Iterator[Answer]:
    """Nothing where it is not known, or below what a message can take."""
    if one.value is None or one.value <= 0:
        return
    value = Quantity(metric, one.value, one.low, one.high, launches, Modes(()))
    yield Answer("quantity", (title,), value, certainty_of(value), weight=weight)


def _rate(title: str, one: Range, launches: int) -> Iterator[Answer]:
    """G as a bandwidth; the ends change places."""
    if not one.G.value:
        return
    low, high = (None if not end else 1 / end for end in (one.G.high, one.G.low))
    known = low is not None and high is not None
    rate = Estimate(1 / one.G.value, *((low, high) if known else (None, None)))
    yield from _quantity(title, BANDWIDTH, rate, launches, RATE_WEIGHT)


def _caveats(model: Model) -> Iterator[Caveat]:
    if model.ranges[0].start.low is None:
        yield Caveat("few-launches", model.launches, model.launches, Changes.VERDICT)
    left_out = [format_bytes(size) for line in model.one_way.lines for size in line.left_out]
    if left_out:
        yield Caveat("off-sizes", len(left_out), len(left_out), Changes.WIDTH, {"sizes": ", ".join(left_out)})
