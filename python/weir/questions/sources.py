"""Results of several sources against each other, such as old and new ones read from another benchmark's
output."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.paired import Standing
from weir.figures.figure import Card, Finding, Panel
from weir.figures.ratio_chart import RatioPoint, ratio_chart
from weir.questions.question import figure
from weir.results.pairing import Ratio, number_words, pairs, ratio_words
from weir.results.row import Row
from weir.results.words import capital, join_words, label_by, option_words
from weir.units import count_words

SOURCE = "source"
_OF_A_SOURCE = frozenset({SOURCE, "imb_version"})
_ALWAYS_ALIKE = frozenset({"PingPong", "PingPing", "Sendrecv", "Exchange"})
"""IMB's functions that all its versions define alike; of the others those of one definition compare."""
_CARE = (
    "The samples of two sources were not taken in turns: what else changed between them counts too. Ratios "
    "above 1 mean that a source is faster than the first one."
)


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
    first = _name(ratios[0].other)
    sentences = tuple(
        f"{place}: {name} {_words([one for one in found if _name(one.one) == name])}."
        for place, found in _by_place(ratios).items()
        for name in dict.fromkeys(_name(one.one) for one in found)
    )
    names = join_words(dict.fromkeys(_name(ratio.one) for ratio in ratios))
    return Finding(f"{capital(names)} against {first}: {_words(ratios)}", sentences, _CARE)


def _words(ratios: list[Ratio]) -> str:
    """ "0.80 to 1.20 times as fast in 23 cases, surely faster in 2, without an interval in 4"."""
    values = [ratio.ratio for ratio in ratios]
    ends = " to ".join(dict.fromkeys(number_words(end) for end in (min(values), max(values))))
    counts = {
        "surely faster": sum(ratio.standing is Standing.ABOVE for ratio in ratios),
        "surely slower": sum(ratio.standing is Standing.BELOW for ratio in ratios),
        "without an interval": sum(ratio.low is None for ratio in ratios),
    }
    said = [f"{words} in {count}" for words, count in counts.items() if count]
    return ", ".join([f"{ends} times as fast in {count_words(len(ratios), 'case')}", *said])


@figure("sources", judge_sources)
def sources(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a function and number of ranks, in it a line a size."""
    return [
        Panel(place, ratio_chart([_point(ratio) for ratio in found], "times as fast"))
        for place, found in _by_place(_ratios(rows)).items()
    ]


def _point(ratio: Ratio) -> RatioPoint:
    row = ratio.one
    size = option_words(row, "bytes") if row.options.get("bytes") is not None else row.phase
    return RatioPoint(size, _name(row), ratio.ratio, ratio.low, ratio.high, ratio_words(ratio))
