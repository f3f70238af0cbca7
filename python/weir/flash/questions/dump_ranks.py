"""The bandwidth of an application's files over rank counts: by kind of file, and by size of blocks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty, Count, Number, Threshold
from weir.answers.quantities import quantity_of
from weir.answers.ratios import ratio_of
from weir.figures.charts import Along, Point, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.flash.dump_costs import FILES
from weir.flash.questions.peak import Peak, find_peak
from weir.questions.comparison import answers_of
from weir.questions.question import figure
from weir.questions.saturation import OPEN_WEIGHT, WEIGHT, cores_marker
from weir.results.marks import Mark
from weir.results.pairing import Ratio, compare_all, setting_key, standing_words
from weir.results.row import Row, measured, with_metric
from weir.results.words import block_words, capital, label_by, option_words

AVERAGE = "average"
AVERAGE_METRIC = "average_bandwidth_bytes_per_s"
RUN = "run"
KINDS = {
    "checkpoint": "checkpoint",
    "plot": "plot file without corners",
    "corner": "plot file with corners",
    AVERAGE: "average of the three",
}
"""The files, by their phases, and the mean of their bandwidths."""
Name = Callable[[Row], str]


def file_rows(rows: list[Row], *, average: bool = False) -> list[Row]:
    """The bandwidths of single files among the rows, and, if wanted, their means as a phase of its own."""
    found = [row for row in measured(rows) if row.phase in FILES and row.metric.is_bandwidth]
    runs = [with_metric(row, AVERAGE_METRIC) for row in rows if row.phase == RUN and average]
    means = [replace(row, phase=AVERAGE) for row in runs if row is not None and row.median is not None]
    return [row for row in [*found, *means] if "block" in row.options]


def _block(row: Row) -> int:
    return int(row.options["block"])


def _blocks(rows: list[Row]) -> list[int]:
    return sorted({_block(row) for row in rows})


def _ranks(row: Row) -> float:
    return float(row.ranks)


def kind_words(row: Row) -> str:
    """ "plot file with corners"."""
    return KINDS[row.phase]


def judge_dump_ranks(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """At how many ranks each file is written fastest, for blocks of each size."""
    found = file_rows(rows)
    named = label_by(found, {"ranks", "block", "phase"})
    peaks: dict[int, list[Peak]] = {}
    for curve in _curves(found):
        if peak := find_peak(curve, _ranks):
            peaks.setdefault(_block(curve[0]), []).append(peak)
    if not peaks:
        return None
    return Finding(
        conditions=_conditions(rows),
        answers=tuple(_answer(some) for some in peaks.values()),
        columns=("blocks", "file", "ranks"),
        numbers=tuple(number for some in peaks.values() for peak in some for number in _highest(peak, named)),
    )


def _curves(rows: list[Row]) -> list[list[Row]]:
    curves: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: (_block(row), list(KINDS).index(row.phase))):
        curves.setdefault(setting_key(row, {"ranks"}), []).append(row)
    return list(curves.values())


def _answer(some: list[Peak]) -> Answer:
    """From the fewest to the most ranks at which one of the files is fastest, where any peak is sure."""
    sure = [peak.best for peak in some if peak.is_sure]
    cases = frozenset().union(*(peak.open_cases for peak in some))
    what = Answer("", (block_words(some[0].best),), open_cases=cases)
    if not sure:
        return replace(what, certainty=Certainty.OPEN, action="more-samples", weight=OPEN_WEIGHT)
    least, most = (option_words(end(sure, key=_ranks), "ranks") for end in (min, max))
    rising = least == most and all(peak.at_end for peak in some if peak.is_sure)
    known = replace(
        what, value=Threshold("ranks", least, "" if least == most else most, rising), weight=WEIGHT
    )
    if len(sure) < len(some):
        return replace(known, certainty=Certainty.WITHIN, action="more-samples")
    if least != most:
        return replace(known, action="look")
    return replace(known, action="try-more" if rising else "choose", words={"at": least, "best": least})


def _highest(peak: Peak, named: Name) -> Iterator[Number]:
    """Where a curve is highest, or may be."""
    surely = "highest, the most measured" if peak.at_end else "highest"
    for row in (peak.best, *peak.rivals):
        file = ", ".join(filter(None, [kind_words(row), named(row)]))
        subject = block_words(row), file, option_words(row, "ranks")
        yield Number(subject, quantity_of(row), surely if peak.is_sure else "may be highest")


def _conditions(rows: list[Row]) -> str:
    crosses = "; crosses are printed, not measured here" if _marks(rows) else ""
    said = f"Bandwidth: bytes over the time from a file's creation to its close{crosses}."
    if any(row.options.get("sync") for row in rows):
        return said
    return f"{said} Files are not synced: much of them may still be in the page cache."


def _marks(rows: list[Row]) -> list[Mark]:
    return list(dict.fromkeys(mark for row in rows for mark in row.marks))


def _points(rows: list[Row], part: list[Row], name: Name) -> list[Point]:
    """The marks that belong to a curve of the rows; drawn are those of the part."""
    curves = {(row.phase, _block(row)): name(row) for row in rows}
    own = {(row.phase, _block(row)) for row in part}
    found = [
        (mark, (AVERAGE if mark.phase == RUN else mark.phase, mark.of("block"))) for mark in _marks(rows)
    ]
    return [
        Point(mark.ranks, mark.bytes_per_s, curves[place], mark.state, mark.words(), drawn=place in own)
        for mark, place in found
        if place in curves
    ]


def _panel(rows: list[Row], part: list[Row], name: Name, card: Card) -> Spec:
    """The spec of a part of the rows; `name` names curves."""
    points = _points(rows, part, name)
    counts = sorted({row.ranks for row in rows} | {int(point.x) for point in points})
    along = Along(ranks_axis(counts), _ranks, name)
    return line_chart(part, along, all_rows=rows, markers=cores_marker(card, counts), printed=points)


@figure("dump-ranks", judge_dump_ranks, "Ranks of a dump", "At how many ranks is each file written fastest?")
def dump_ranks(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a size of blocks, in it a curve a file, over rank counts."""
    found = file_rows(rows)
    others = label_by(found, {"ranks", "block", "phase"})

    def name(row: Row) -> str:
        return ", ".join(filter(None, [kind_words(row), others(row)]))

    parts = [[row for row in found if _block(row) == block] for block in _blocks(found)]
    return [Panel(block_words(part[0]), _panel(found, part, name, card)) for part in parts]


def judge_dump_blocks(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How much faster each file is written where blocks are larger than the smallest; null for one size."""
    found = file_rows(rows, average=True)
    blocks = _blocks(found)
    if len(blocks) < 2:
        return None
    ratios = [
        ratio
        for kind in KINDS
        for block in blocks[1:]
        for ratio in _against_smallest([row for row in found if row.phase == kind], block, blocks[0])
    ]
    if not ratios:
        return None
    return Finding(
        conditions=_conditions(rows),
        answers=_answers(ratios),
        columns=("blocks", "against", "file", "ranks"),
        numbers=(*_counts(ratios), *(_number(ratio) for ratio in ratios)),
    )


def _answers(ratios: list[Ratio]) -> tuple[Answer, ...]:
    """The largest sure difference of each file; they decide nothing that samples are spent on."""
    by_file = [replace(one, one=replace(one.one, phase=kind_words(one.one), moves=None)) for one in ratios]
    found = answers_of(by_file, block_words)
    return tuple(replace(one, decides=False, open_cases=frozenset()) for one in found)


def _counts(ratios: list[Ratio]) -> Iterator[Number]:
    """In how many comparisons the smallest blocks are surely slower, and faster."""
    for remark, standing in (("surely slower", Standing.ABOVE), ("surely faster", Standing.BELOW)):
        count = Count(sum(ratio.standing is standing for ratio in ratios), len(ratios))
        yield Number((block_words(ratios[0].other), "larger ones", "all", "all"), count, remark)


def _number(ratio: Ratio) -> Number:
    row = ratio.one
    subject = block_words(row), block_words(ratio.other), kind_words(row), option_words(row, "ranks")
    return Number(subject, ratio_of(ratio), standing_words(ratio))


def _against_smallest(rows: list[Row], block: int, smallest: int) -> list[Ratio]:
    others = {setting_key(row, {"block"}): row for row in rows if _block(row) == smallest}
    pairs = [
        (row, others[key])
        for row in sorted(rows, key=_ranks)
        if _block(row) == block and (key := setting_key(row, {"block"})) in others
    ]
    return compare_all(pairs)


@figure(
    "dump-blocks", judge_dump_blocks, "Size of blocks", "How much faster are files of larger blocks written?"
)
def dump_blocks(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a file, and one for their mean; in each a curve a size of blocks, over rank counts."""
    found = file_rows(rows, average=True)
    others = label_by(found, {"ranks", "block", "phase"})

    def name(row: Row) -> str:
        return ", ".join(filter(None, [block_words(row), others(row)]))

    parts = {kind: [row for row in found if row.phase == kind] for kind in KINDS}
    return [
        Panel(capital(KINDS[kind]), _panel(found, part, name, card)) for kind, part in parts.items() if part
    ]
