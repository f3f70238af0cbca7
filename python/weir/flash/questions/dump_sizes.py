"""The sizes of FLASH-IO's files over the number of ranks: measured as far as it ran, by formula beyond."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from weir.answers.answer import Answer, Certainty, Number, Ratio
from weir.answers.quantities import quantity_of, single
from weir.figures.encoding import (
    SIZE_LABEL,
    legend_of,
    nominal,
    panel_spec,
    quantitative,
    ranks_axis,
    series_color,
)
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.flash.dump_costs import FILES, PAPER_RANKS, SIDES, data_bytes, data_bytes_of_all
from weir.flash.questions.dump_ranks import KINDS
from weir.questions.question import figure
from weir.results.row import Row, measured, median_of, with_metric
from weir.results.words import capital
from weir.units import count_words, format_bytes

FILE_BYTES = "file_bytes"
MIDDLE_SIDE = 16
"""The blocks of which figure 5 shows all files."""
HEIGHT = 280
ROOM = 1.5
"""How many times as far the next label must be on a logarithmic axis."""
MEASURED, COMPUTED, MISSING = "measured", "by formula", "by formula, too large for the free space"
SHAPES = {MEASURED: "circle", COMPUTED: "circle", MISSING: "triangle-up"}
TICKS = [float(1 << shift) for shift in range(0, 60, 4)]


@dataclass(frozen=True)
class Size:
    """The size of a file, and whether it was measured, by `n` samples, or is that of its data by formula."""

    file: str
    side: int
    ranks: int
    bytes: float
    state: str
    words: str
    n: int = 0


def measured_sizes(rows: list[Row]) -> list[Row]:
    """The rows of the files with their size as their number, of the benchmark's own number of blocks."""
    sized = [with_metric(row, FILE_BYTES) for row in rows if row.phase in FILES]
    return [row for row in measured(filter(None, sized)) if row.options.get("blocks") == 0]


def _side(row: Row) -> int:
    return int(row.options["block"])


def all_sizes(rows: list[Row], free_bytes: int | None) -> list[Size]:
    """All points of the figures 2 to 5: what was measured, and by formula the rank counts of the paper that
    were not. `free_bytes` is the free space, which all three files of a run need."""
    found = {(row.phase, _side(row), row.ranks): row for row in measured_sizes(rows)}
    counts = sorted({*PAPER_RANKS, *(ranks for _, _, ranks in found)})
    return [
        _size(found.get((file, side, ranks)), file, side, ranks, free_bytes)
        for file in FILES
        for side in sorted({*SIDES, *(side for _, side, _ in found)})
        for ranks in counts
    ]


def _size(row: Row | None, file: str, side: int, ranks: int, free_bytes: int | None) -> Size:
    if row is not None:
        size = median_of(row)
        return Size(file, side, ranks, size, MEASURED, f"{format_bytes(size)} (n = {row.n})", row.n)
    size = data_bytes(file, ranks, side)
    lacking = free_bytes is not None and data_bytes_of_all(ranks, side) > free_bytes
    return Size(file, side, ranks, size, MISSING if lacking else COMPUTED, f"{format_bytes(size)} of data")


def free_space(card: Card) -> int | None:
    """Free bytes in the directory when the run began; null where that is not known."""
    free = (card.get("file_system") or {}).get("available_bytes")
    return int(free) if free is not None else None


CONDITIONS = (
    "Filled circles are measured; hollow ones are the data by formula, without the metadata of the format."
)
WEIGHT = 0.1
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def judge_dump_sizes(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How sizes grow with the blocks, how far they are from those of the formula, and what would not fit
    here."""
    found = measured_sizes(rows)
    if not found:
        return None
    free = free_space(card)
    sizes = all_sizes(rows, free)
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(_answers(sizes, found)),
        columns=("file", "blocks", "ranks"),
        numbers=(*_growths(sizes), *_beyond_formula(found), *_too_large(sizes, free)),
    )


def _answers(sizes: list[Size], rows: list[Row]) -> Iterator[Answer]:
    """With the fewest ranks, of the blocks of figure 5; by formula, within the metadata of the format."""
    ranks = min(row.ranks for row in rows)
    measured_here = {row.phase: row for row in rows if (_side(row), row.ranks) == (MIDDLE_SIDE, ranks)}
    for size in sizes:
        if (size.side, size.ranks) == (MIDDLE_SIDE, ranks):
            row = measured_here.get(size.file)
            value = quantity_of(row) if row else single(FILE_BYTES, "B", size.bytes, 0)
            subject = KINDS[size.file], f"{MIDDLE_SIDE}³ cells a block", count_words(ranks, "rank")
            certainty = Certainty.SURE if row else Certainty.WITHIN
            yield Answer("", subject, value, certainty, weight=WEIGHT, setting=_source(size), decides=False)


def _growths(sizes: list[Size]) -> Iterator[Number]:
    """How many times as large files are with twice the side, at the greatest rank count where the smaller
    blocks were measured."""
    by_place = {(size.file, size.side, size.ranks): size for size in sizes}
    ranks = max(size.ranks for size in sizes if size.state == MEASURED)
    for file, side in product(FILES, SIDES[:-1]):
        small, large = by_place[file, side, ranks], by_place[file, 2 * side, ranks]
        times = Ratio(large.bytes / small.bytes, None, None, min(small.n, large.n))
        subject = KINDS[file], f"{large.side}³ over {side}³", count_words(ranks, "rank")
        yield Number(subject, times, _source(small, large))


def _source(*sizes: Size) -> str:
    """What stands behind a number that not all of these sizes were measured for."""
    return "" if all(size.n for size in sizes) else COMPUTED


def _beyond_formula(rows: list[Row]) -> Iterator[Number]:
    """The least and the most that a file has beyond its data: the metadata and holes of the format."""
    beyond = [(median_of(row) - data_bytes(row.phase, row.ranks, _side(row)), row) for row in rows]
    for end, remark in ((min, "least metadata"), (max, "most metadata")):
        more, row = end(beyond, key=lambda one: one[0])
        subject = KINDS[row.phase], f"{_side(row)}³", count_words(row.ranks, "rank")
        yield Number(subject, single("metadata_kib", "KiB", more / 1024, row.n), remark)


def _too_large(sizes: list[Size], free_bytes: int | None) -> Iterator[Number]:
    """From how many ranks on the three files of a run would not fit, beside the free space."""
    least: dict[int, int] = {}
    for size in sizes:
        if size.state == MISSING:
            least[size.side] = min(size.ranks, least.get(size.side, size.ranks))
    for side, ranks in least.items():
        subject = "all three", f"{side}³", count_words(ranks, "rank")
        yield Number(subject, single(FILE_BYTES, "B", data_bytes_of_all(ranks, side), 0), "would not fit")
    if least and free_bytes is not None:
        yield Number(("free space", "", ""), single("free_bytes", "B", free_bytes, 1))


@figure("dump-sizes", judge_dump_sizes, "Size of files", "How large are the files of a dump?")
def dump_sizes(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a file with a curve a size of blocks, and one of all files for the middle size."""
    sizes = all_sizes(rows, free_space(card))
    parts = {capital(KINDS[file]): [size for size in sizes if size.file == file] for file in FILES}
    panels = [
        Panel(title, _spec(sizes, part, {size: f"{size.side}³ cells a block" for size in part}))
        for title, part in parts.items()
    ]
    middle = [size for size in sizes if size.side == MIDDLE_SIDE]
    panels.append(
        Panel(
            f"All files, {MIDDLE_SIDE}³ cells a block",
            _spec(sizes, middle, {size: KINDS[size.file] for size in middle}),
        )
    )
    return panels


def _apart(counts: list[int]) -> list[int]:
    """The rank counts that have room for a label, the last one first."""
    kept = counts[-1:]
    for count in reversed(counts):
        if kept[0] >= ROOM * count:
            kept.insert(0, count)
    return kept


def _spec(every: list[Size], part: list[Size], series: Mapping[Size, str]) -> Spec:
    """The spec of one panel, on the axes of all of them."""
    values = [
        {
            "x": size.ranks,
            "bytes": size.bytes,
            "series": series[size],
            "state": size.state,
            "size": size.words,
        }
        for size in part
    ]
    domain = list(dict.fromkeys(series.values()))
    low, high = min(size.bytes for size in every), max(size.bytes for size in every)
    axis = {"values": [tick for tick in TICKS if low / 2 <= tick <= high * 2], "labelExpr": SIZE_LABEL}
    scale = {"type": "log", "base": 2, "domain": [low / 1.6, high * 1.6], "nice": False}
    counts = sorted({size.ranks for size in every})
    x = ranks_axis(counts)
    x["axis"] = x["axis"] | {"values": _apart(counts)}
    y = quantitative("bytes", "size of the file", scale=scale, axis=axis)
    present = [name for name in SHAPES if name in {size.state for size in every}]
    legend = {"title": None, "symbolFillColor": "transparent", "columns": 1}
    shape = nominal(
        "state",
        scale={"domain": present, "range": [SHAPES[name] for name in present]},
        legend=legend | {"values": [name for name in present if name != MEASURED]},
    )
    filled = {
        "condition": {"test": f"datum.state === '{MEASURED}'", **nominal("series", scale={"domain": domain})},
        "value": "transparent",
    }
    tooltip = [
        {"field": "series", "title": "file"},
        {"field": "x", "title": "ranks"},
        {"field": "size", "title": "size"},
        {"field": "state", "title": "number"},
    ]
    return panel_spec(
        HEIGHT,
        values,
        encoding={
            "x": x,
            "y": y,
            "color": series_color(domain, legend_of(domain) | {"symbolType": "circle"}),
        },
        layer=[
            {"mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.6}},
            {
                "mark": {"type": "point", "size": 60, "strokeWidth": 1.8, "opacity": 1},
                "encoding": {"shape": shape, "fill": filled, "tooltip": tooltip},
            },
        ],
    )
