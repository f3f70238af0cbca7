"""What one option changes: each of its values against the first, in pairs measured in turns, file by file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.answers.answer import Answer, Number
from weir.answers.ratios import ratio_of
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.figures.ratio_chart import RatioPoint, ratio_chart
from weir.flash.questions.dump_ranks import KINDS, file_rows
from weir.questions.comparison import BACKEND_OPTIONS, answers_of
from weir.questions.question import figure
from weir.results.pairing import (
    Ratio,
    compare_all,
    ratio_words,
    setting_key,
    standing_words,
    unshared_options,
)
from weir.results.row import Row
from weir.results.words import capital, label_by, option_words, value_of

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
    if not found:
        return None
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(one for contrast in found for one in _answers(contrast)),
        columns=("option", "against", "file"),
        numbers=tuple(one for contrast in found for one in _numbers(contrast)),
    )


CONDITIONS = "Two cases measured in turns; above 1, the option makes the file faster."


def _answers(one: Contrast) -> tuple[Answer, ...]:
    """Of all files together: what an option does is one question."""
    alike = [replace(ratio, one=replace(ratio.one, phase=one.name, moves=None)) for ratio in one.ratios]

    def name(row: Row) -> str:
        return one.names.get(row.case, one.reference)

    return answers_of(alike, name)


def _numbers(one: Contrast) -> Iterable[Number]:
    for ratio in one.ratios:
        subject = one.names[ratio.one.case], one.reference, one.place(ratio.one)
        yield Number(subject, ratio_of(ratio), standing_words(ratio))


@figure("pairs", judge_pairs, "Option", "Which options make a difference?")
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
