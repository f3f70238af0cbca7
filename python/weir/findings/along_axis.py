"""Where bandwidth saturates: against transfer size, and against the number of ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weir.counts import count_words
from weir.findings.finding import Finding, capital, care_words, main_curve
from weir.findings.option import label_by
from weir.findings.quantity import measured_words
from weir.findings.row import Row, directions, measured
from weir.findings.saturation import RowSaturation, find_saturation
from weir.findings.words import join_words, phase_words, plural_words
from weir.units import format_bytes


@dataclass(frozen=True)
class Axis:
    """An axis in words: `option` is its key, `place` says a value of it ("4 ranks"), `thing` names it."""

    option: str
    thing: str
    most: str
    x: Callable[[Row], float]
    place: Callable[[Row], str]


TRANSFER = Axis(
    "transfer",
    "transfer size",
    "the largest tried",
    lambda row: float(row.options["transfer"]),
    lambda row: f"{format_bytes(row.options['transfer'])} transfers",
)
RANKS = Axis(
    "ranks",
    "rank count",
    "the most tried",
    lambda row: float(row.ranks),
    lambda row: count_words(row.ranks, "rank"),
)


def judge_transfer(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """From which transfer size on each direction saturates."""
    return _judge([row for row in rows if "transfer" in row.options], TRANSFER)


def judge_ranks(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """With how many ranks each direction saturates."""
    return _judge(rows, RANKS)


def _judge(rows: list[Row], axis: Axis) -> Finding | None:
    titles, sentences = [], []
    for direction in directions(rows):
        curve = main_curve(rows, axis.option, direction)
        if len(curve) < 2:
            continue
        which = label_by([row for row in measured(rows) if row.direction == direction], {axis.option})
        title, sentence = _one(curve, axis, which(curve[0]))
        titles.append((plural_words(curve[0]), title))
        sentences.append(sentence)
    if not sentences:
        return None
    return Finding(_title(titles), tuple(sentences), care_words(rows))


def _title(parts: list[tuple[str, str]]) -> str:
    """One line for all directions, in one breath for those of which the same holds."""
    who_of: dict[str, list[str]] = {}
    for who, words in parts:
        who_of.setdefault(words, []).append(who)
    said = [f"{join_words(who)} {words}" for words, who in who_of.items()]
    return capital(join_words(said) if len(said) <= 2 else "; ".join(said))


def _one(curve: list[Row], axis: Axis, which: str) -> tuple[str, str]:
    """The end of a title and a sentence about a curve; `which` of several it is, empty for the only one."""
    ordered = sorted(curve, key=axis.x)
    first, last = ordered[0], ordered[-1]
    what = capital(", ".join(filter(None, [phase_words(first), which])))
    found = find_saturation(curve, axis.x)
    lacking = f"{axis.thing}s" if found is None else "samples"
    if found is None or all(row.low is None for row in curve):
        ends = ", ".join(f"{measured_words(row)} with {axis.place(row)}" for row in (first, last))
        return f"have too few {lacking} to tell saturation", f"{what}: {ends}."
    verb = "" if found.settled else "seem to "
    if found.still_rising:
        title = f"{verb}grow up to {axis.place(last)} ({axis.most})"
    else:
        title = f"{verb}saturate at {axis.place(found.at)}"
    sentence = f"{what}: {_curve_words(found, axis)}"
    if first is not found.best and first is not found.at:
        sentence += f", against {measured_words(first)} with {axis.place(first)}"
    if found.falls_to:
        fallen = found.falls_to
        sentence += f"; beyond that it falls again, to {measured_words(fallen)} with {axis.place(fallen)}"
    doubt = "" if found.settled else " Noise leaves the exact point in doubt."
    return title, sentence + "." + doubt


def _curve_words(found: RowSaturation, axis: Axis) -> str:
    best = f"{measured_words(found.best)} with {axis.place(found.best)}"
    if found.still_rising:
        return f"no saturation seen, the largest {axis.thing} is the best, {best}"
    if found.at is found.best:
        return f"the best is {best}"
    from_here = f"within 5 % of the best from {axis.place(found.at)} on, {measured_words(found.at)}"
    return f"{from_here}; the best is {best}"
