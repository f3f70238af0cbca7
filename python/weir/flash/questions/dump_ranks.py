"""The bandwidth of an application's files over rank counts: by kind of file, and by size of blocks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.paired import Standing
from weir.figures.charts import Along, Point, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import MORE_SAMPLES, Asked, Card, Finding, Panel, Spec, State
from weir.flash.dump_costs import FILES
from weir.flash.questions.peak import Peak, find_peak, peak_words
from weir.questions.question import figure
from weir.questions.saturation import cores_marker
from weir.results.marks import Mark
from weir.results.pairing import Ratio, compare_all, number_words, setting_key, times_with_interval
from weir.results.row import Row, measured, with_metric
from weir.results.words import block_words, capital, join_words, label_by, option_words
from weir.units import count_words

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
    peaks: dict[int, list[tuple[Row, Peak]]] = {}
    for curve in _curves(found):
        if peak := find_peak(curve, _ranks):
            peaks.setdefault(_block(curve[0]), []).append((curve[0], peak))
    if not peaks:
        return None
    sentences = [_peaks_words(some, named) for some in peaks.values()]
    asked = tuple(_asked(some) for some in peaks.values())
    return Finding(_peaks_title(found, peaks), tuple(sentences), _conditions(rows), asked=asked)


def _curves(rows: list[Row]) -> list[list[Row]]:
    curves: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: (_block(row), list(KINDS).index(row.phase))):
        curves.setdefault(setting_key(row, {"ranks"}), []).append(row)
    return list(curves.values())


def _peaks_title(rows: list[Row], peaks: dict[int, list[tuple[Row, Peak]]]) -> str:
    every = [peak for some in peaks.values() for _, peak in some]
    inside = sum(peak.is_sure and not peak.at_end for peak in every)
    rising = sum(peak.is_sure and peak.at_end for peak in every)
    left = len(every) - inside - rising
    counts = sorted({row.ranks for row in rows})
    curves = f"{count_words(len(every), 'curve')} of bandwidth"
    over = f"over {counts[0]} to {count_words(counts[-1], 'rank')}"
    if left == len(every):
        return f"It is open where the {curves} {over} {'is' if left == 1 else 'are'} highest"
    parts = [
        f"{inside} surely {'peaks' if inside == 1 else 'peak'} before {counts[-1]}" if inside else "",
        f"{rising} {'is' if rising == 1 else 'are'} surely highest at {counts[-1]}" if rising else "",
        f"of {left} it is open where {'it is' if left == 1 else 'they are'} highest" if left else "",
    ]
    return f"Of {curves} {over}, {join_words(filter(None, parts))}"


def _peaks_words(some: list[tuple[Row, Peak]], named: Name) -> str:
    said = [
        f"{', '.join(filter(None, [kind_words(row), named(row)]))}, "
        f"{peak_words(peak, lambda one: option_words(one, 'ranks'))}"
        for row, peak in some
    ]
    return f"{capital(block_words(some[0][0]))}: {'; '.join(said)}."


def _asked(some: list[tuple[Row, Peak]]) -> Asked:
    of = f"{block_words(some[0][0])}"
    left = [peak for _, peak in some if not peak.is_sure]
    if not left:
        return Asked(of)
    state = State.OPEN if len(left) == len(some) else State.PARTLY
    cases = frozenset().union(*(peak.open_cases for peak in left))
    return Asked(of, state, MORE_SAMPLES, cases)


def _conditions(rows: list[Row]) -> str:
    said = (
        "Bandwidth is the bytes of a file over the time from its creation to its close, of the slowest rank."
    )
    if rows and not any(row.options.get("sync") for row in rows):
        said += " Files are not synced, so that much of them may still be in the page cache."
    marks = _marks(rows)
    if not marks:
        return said
    machines = join_words(dict.fromkeys(mark.machine for mark in marks))
    sources = join_words(dict.fromkeys(mark.source for mark in marks))
    return f"{said} Crosses are numbers printed for {machines} ({sources}), not measured here."


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


@figure("dump-ranks", judge_dump_ranks)
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
    compared = {
        (kind, block): _against_smallest([row for row in found if row.phase == kind], block, blocks[0])
        for kind in KINDS
        for block in blocks[1:]
    }
    ratios = [ratio for some in compared.values() for ratio in some]
    if not ratios:
        return None
    said = [
        f"{capital(KINDS[kind])}, {block}³ over {blocks[0]}³: "
        + join_words(f"with {option_words(one.one, 'ranks')} {times_with_interval(one)}" for one in some)
        + "."
        for (kind, block), some in compared.items()
        if some
    ]
    sure = sum(ratio.standing is Standing.ABOVE for ratio in ratios)
    faster = sum(ratio.standing is Standing.BELOW for ratio in ratios)
    rest = f", and surely faster in {faster}" if faster else ""
    what = f"Blocks of {blocks[0]}³ cells are surely slower than larger ones"
    title = f"{what} in {sure} of {len(ratios)} comparisons{rest}"
    return Finding(title, tuple(_ranges(compared, blocks[0])), _conditions(rows), tuple(said))


def _ranges(compared: Mapping[tuple[str, int], list[Ratio]], smallest: int) -> Iterable[str]:
    """A sentence for each larger size of blocks."""
    for block in dict.fromkeys(block for _, block in compared):
        said = []
        for kind, words in KINDS.items():
            ratios = [ratio.ratio for ratio in compared.get((kind, block), [])]
            if ratios:
                ends = [number_words(end) for end in (min(ratios), max(ratios))]
                said.append(f"{words} {' to '.join(dict.fromkeys(ends))} times")
        if said:
            over = f"{block}³ over {smallest}³, at equal ranks (medians of pairs)"
            yield f"Bandwidth with {over}: {join_words(said)}."


def _against_smallest(rows: list[Row], block: int, smallest: int) -> list[Ratio]:
    others = {setting_key(row, {"block"}): row for row in rows if _block(row) == smallest}
    pairs = [
        (row, others[key])
        for row in sorted(rows, key=_ranks)
        if _block(row) == block and (key := setting_key(row, {"block"})) in others
    ]
    return compare_all(pairs)


@figure("dump-blocks", judge_dump_blocks)
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
