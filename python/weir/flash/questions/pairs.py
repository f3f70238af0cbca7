"""What one option changes: each of its values against the first, in pairs measured in turns, file by file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.figures.figure import Card, Finding, Panel, Spec
from weir.figures.ratio_chart import RatioPoint, ratio_chart
from weir.flash.questions.dump_ranks import KINDS, file_rows
from weir.questions.comparison import BACKEND_OPTIONS, asked_of
from weir.questions.question import figure
from weir.results.pairing import (
    Ratio,
    compare_all,
    number_words,
    ratio_words,
    setting_key,
    unshared_options,
)
from weir.results.row import Row
from weir.results.words import capital, join_words, label_by, option_words, value_of
from weir.units import count_words

SWEPT = frozenset({"phase", "ranks", "block"})
"""What stays equal in a pair."""


@dataclass(frozen=True)
class Contrast:
    """The ratios of one comparison of a study, and how the values of its option are named."""

    name: str
    reference: str
    ratios: tuple[Ratio, ...]
    names: Mapping[str, str]
    """The option's value of each case."""

    def place(self, row: Row) -> str:
        """Of which file and, where they differ, of which blocks and ranks a ratio is."""
        rows = [ratio.one for ratio in self.ratios]
        swept = [key for key in ("block", "ranks") if len({value_of(one, key) for one in rows}) > 1]
        return ", ".join([KINDS[row.phase], *(option_words(row, key) for key in swept)])


def contrasts(rows: list[Row]) -> list[Contrast]:
    """One for each comparison whose cases differ in more than what is swept."""
    found = file_rows(rows)
    names = dict.fromkeys(name for row in found for name in row.comparisons)
    made = (_contrast(name, [row for row in found if name in row.comparisons]) for name in names)
    return [one for one in made if one is not None]


def _contrast(name: str, rows: list[Row]) -> Contrast | None:
    label = label_by(rows, SWEPT)
    first = label(rows[0])
    keys = {key for key in _keys(rows) if len({repr(_value(row, key)) for row in rows}) > 1} - SWEPT
    ignoring = keys | unshared_options(rows) | ({*BACKEND_OPTIONS} if "backend" in keys else set())
    others = {setting_key(row, ignoring): row for row in rows if label(row) == first}
    pairs = [
        (row, others[key])
        for row in rows
        if label(row) != first and (key := setting_key(row, ignoring)) in others
    ]
    ratios = [
        ratio for kind in KINDS for ratio in compare_all([pair for pair in pairs if pair[0].phase == kind])
    ]
    return Contrast(name, first, tuple(ratios), {row.case: label(row) for row in rows}) if ratios else None


def _keys(rows: list[Row]) -> set[str]:
    return {"mpi_io", "env"}.union(*(row.options for row in rows))


def _value(row: Row, key: str) -> object:
    return getattr(row, key) if key in ("mpi_io", "env") else row.options.get(key)


def judge_pairs(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Where an option surely makes a difference, and by how much; null without pairs."""
    found = contrasts(rows)
    ratios = [ratio for one in found for ratio in one.ratios]
    if not ratios:
        return None
    differing = [ratio for ratio in ratios if _excludes_one(ratio)]
    title = (
        f"In {len(differing)} of {count_words(len(ratios), 'pair')} an option surely makes a difference"
        if differing
        else f"In none of {count_words(len(ratios), 'pair')} is it shown that an option makes a difference"
    )
    sentences = tuple(words for one in found for words in _in_short(one))
    asked = tuple(replace(part, of=one.name) for one in found for part in asked_of([*one.ratios], _unnamed))
    care = (
        "Each ratio is that of two cases measured in turns; where its interval contains 1, it is not shown "
        "that the option matters. Ratios above 1 mean that it makes the file faster."
    )
    return Finding(title, sentences, care, tuple(_sentence(one) for one in found), asked)


def _unnamed(row: Row) -> str:
    """How many comparisons are open is enough: each is told below."""
    return ""


def _excludes_one(ratio: Ratio) -> bool:
    return ratio.low is not None and ratio.high is not None and not ratio.low <= 1 <= ratio.high


def _in_short(one: Contrast) -> Iterable[str]:
    """A sentence for each value of the option."""
    for name in dict.fromkeys(one.names[ratio.one.case] for ratio in one.ratios):
        ratios = [ratio for ratio in one.ratios if one.names[ratio.one.case] == name]
        faster = [ratio for ratio in ratios if _excludes_one(ratio) and ratio.ratio > 1]
        slower = [ratio for ratio in ratios if _excludes_one(ratio) and ratio.ratio < 1]
        of = f"of {count_words(len(ratios), 'pair')}"
        said = [
            f"surely {word} in {len(some)} {of} ({_range_words(some)})"
            for word, some in (("faster", faster), ("slower", slower))
            if some
        ]
        unknown = sum(ratio.low is None for ratio in ratios)
        left = len(ratios) - len(faster) - len(slower) - unknown
        said += [f"not shown to differ in {left} {of}"] if left else []
        said += [f"without an interval, for lack of samples, in {unknown} {of}"] if unknown else []
        yield f"{capital(one.name)}: {name}, against {one.reference}, {join_words(said)}."


def _range_words(ratios: list[Ratio]) -> str:
    values = [ratio.ratio for ratio in ratios]
    ends = dict.fromkeys(number_words(end) for end in (min(values), max(values)))
    return f"{' to '.join(ends)} times as fast"


def _sentence(one: Contrast) -> str:
    said = [
        f"{one.names[ratio.one.case]}, {one.place(ratio.one)}: {ratio_words(ratio)}"
        + ("" if _excludes_one(ratio) else " (not shown)")
        for ratio in one.ratios
    ]
    return f"{capital(one.name)}, against {one.reference}: {'; '.join(said)}."


@figure("pairs", judge_pairs)
def pairs(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a comparison: a line a phase and setting, on it the ratio of each value over the first."""
    return [Panel(f"{capital(one.name)}, against {one.reference}", _panel(one)) for one in contrasts(rows)]


def _panel(one: Contrast) -> Spec:
    points = [
        RatioPoint(
            one.place(ratio.one),
            one.names[ratio.one.case],
            ratio.ratio,
            ratio.low,
            ratio.high,
            ratio_words(ratio),
        )
        for ratio in one.ratios
    ]
    return ratio_chart(points, "times as fast")
