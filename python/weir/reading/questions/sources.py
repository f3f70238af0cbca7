"""Results of several sources against each other, such as old and new ones read from another benchmark's
output."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.answers.answer import Answer, Certainty, Count, Number
from weir.answers.ratios import ratio_of
from weir.figures.figure import Card, Finding, Panel
from weir.figures.ratio_chart import RatioPoint, ratio_chart
from weir.questions.question import figure
from weir.results.pairing import Ratio, pairs, ratio_words, standing_words
from weir.results.row import Row
from weir.results.words import label_by, option_words
from weir.units import count_words

SOURCE = "source"
_OF_A_SOURCE = frozenset({SOURCE, "imb_version"})
_ALWAYS_ALIKE = frozenset({"PingPong", "PingPing", "Sendrecv", "Exchange"})
"""IMB's functions that all its versions define alike; of the others those of one definition compare."""
_CARE = "The sources were not measured in turns: what else changed counts too."


def _name(row: Row) -> str:
    return str(row.options[SOURCE] or "unknown source")


def _comparable(rows: list[Row]) -> list[Row]:
    found = [row for row in rows if SOURCE in row.options]
    return [
        replace(row, options={**row.options, "imb": None})
        if row.options.get("function") in _ALWAYS_ALIKE
        else row
        for row in found
    ]


def _ratios(rows: list[Row]) -> list[Ratio]:
    """Each source's cases against those of the first."""
    found = _comparable(rows)
    if not found:
        return []
    first = found[0].options[SOURCE]
    return pairs(
        found,
        _OF_A_SOURCE,
        lambda row: row.options[SOURCE] != first,
        lambda row: row.options[SOURCE] == first,
    )


def _by_place(ratios: list[Ratio]) -> dict[str, list[Ratio]]:
    """The ratios of each function and number of ranks, with sizes in their order."""
    place = _place(ratios)
    found: dict[str, list[Ratio]] = {}
    for ratio in ratios:
        found.setdefault(place(ratio.one), []).append(ratio)
    return found


_SAID = frozenset({"imb", "bytes", "function", "ranks", "active", "group", "phase"})


def _place(ratios: list[Ratio]) -> Callable[[Row], str]:
    others = label_by([ratio.one for ratio in ratios], _OF_A_SOURCE | _SAID)
    return lambda row: ", ".join(filter(None, [*_where(row), others(row)]))


def _where(row: Row) -> list[str]:
    """The function, its ranks and, where that is not the same, how many of them were in it or in a group."""
    active, group = (row.options.get(key, row.ranks) for key in ("active", "group"))
    return [
        str(row.options.get("function", row.phase)),
        count_words(row.ranks, "rank"),
        f"{active} of them active" if active != row.ranks else "",
        f"groups of {group}" if group != active else "",
    ]


def judge_sources(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Each source against the first; null where they have no case in common."""
    ratios = _ratios(rows)
    if not ratios:
        return None
    place = _place(ratios)
    return Finding(
        conditions=_CARE,
        answers=tuple(_answers(ratios)),
        columns=("source", "against", "of"),
        numbers=tuple(
            Number(
                (_name(one.one), _name(one.other), f"{place(one.one)}, {_size(one.one)}"),
                ratio_of(one),
                standing_words(one),
            )
            for one in ratios
        ),
    )


def _answers(ratios: list[Ratio]) -> Iterator[Answer]:
    """In how many cases each source surely differs from the first."""
    for name in dict.fromkeys(_name(one.one) for one in ratios):
        some = [one for one in ratios if _name(one.one) == name]
        known = [one for one in some if one.low is not None]
        sure = sum(one.differs for one in known)
        subject = (f"{name} against {_name(some[0].other)}",)
        yield Answer(
            "",
            subject,
            Count(sure, len(some)) if known else None,
            Certainty.SURE if len(known) == len(some) else Certainty.WITHIN if known else Certainty.OPEN,
            "look" if sure else "" if known else "more-samples",
            weight=WEIGHT,
            decides=False,
        )


WEIGHT = 0.5
"""On a first screen, where a way that is 10 times as fast weighs 1."""


@figure("sources", judge_sources, "Surely differ", "What differs between the sources?")
def sources(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a function and number of ranks, in it a line a size."""
    return [
        Panel(place, ratio_chart([_point(ratio) for ratio in found], "times as fast"))
        for place, found in _by_place(_ratios(rows)).items()
    ]


def _point(ratio: Ratio) -> RatioPoint:
    row = ratio.one
    return RatioPoint(_size(row), _name(row), ratio.ratio, ratio.low, ratio.high, ratio_words(ratio))


def _size(row: Row) -> str:
    return option_words(row, "bytes") if row.options.get("bytes") is not None else row.phase
