"""The sizes of FLASH-IO's files over the number of ranks: measured as far as it ran, by formula beyond."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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
from weir.results.words import capital, join_words
from weir.units import count_words, format_bytes, significant

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
    """The size of a file, and whether it was measured, or is that of its data by formula."""

    file: str
    side: int
    ranks: int
    bytes: float
    state: str
    words: str


def measured_sizes(rows: list[Row]) -> list[Row]:
    """The rows of the files with their size as their number, of the benchmark's own number of blocks."""
    sized = [with_metric(row, FILE_BYTES) for row in rows if row.phase in FILES]
    return [row for row in measured(filter(None, sized)) if row.options.get("blocks") == 0]


def all_sizes(rows: list[Row], free_bytes: int | None) -> list[Size]:
    """All points of the figures 2 to 5: what was measured, and by formula the rank counts of the paper that
    were not. `free_bytes` is the free space, which all three files of a run need."""
    found = {(row.phase, int(row.options["block"]), row.ranks): row for row in measured_sizes(rows)}
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
        return Size(file, side, ranks, size, MEASURED, f"{format_bytes(size)} (n = {row.n})")
    size = data_bytes(file, ranks, side)
    lacking = free_bytes is not None and data_bytes_of_all(ranks, side) > free_bytes
    return Size(file, side, ranks, size, MISSING if lacking else COMPUTED, f"{format_bytes(size)} of data")


def free_space(card: Card) -> int | None:
    """Free bytes in the directory when the run began; null where that is not known."""
    free = (card.get("file_system") or {}).get("available_bytes")
    return int(free) if free is not None else None


def judge_dump_sizes(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How sizes grow with the blocks, how far they are those of the formula, and what would not fit here."""
    found = measured_sizes(rows)
    if not found:
        return None
    free = free_space(card)
    sizes = all_sizes(rows, free)
    sentences = [_ratios_words(sizes), _formula_words(found), *_missing_words(sizes, free)]
    most = count_words(max(row.ranks for row in found), "rank")
    care = (
        f"Filled circles are measured, at up to {most}; hollow ones are the data by formula, without the "
        "metadata of the format."
    )
    return Finding(_title(sizes), tuple(sentences), care)


def _title(sizes: list[Size]) -> str:
    """With the fewest ranks, of the blocks of figure 5."""
    ranks = min(size.ranks for size in sizes if size.state == MEASURED)
    said = [
        f"{format_bytes(size.bytes)} for a {KINDS[size.file]}" + _source(size)
        for size in sizes
        if (size.side, size.ranks) == (MIDDLE_SIDE, ranks)
    ]
    return f"Blocks of {MIDDLE_SIDE}³ cells take {join_words(said)} with {count_words(ranks, 'rank')}"


def _ratios_words(sizes: list[Size]) -> str:
    """How many times as large files are with twice the side, at the greatest rank count where the smaller
    blocks were measured."""
    by_place = {(size.file, size.side, size.ranks): size for size in sizes}
    ranks = max(size.ranks for size in sizes if size.state == MEASURED)
    said = []
    for file in FILES:
        pairs = [(by_place[file, side, ranks], by_place[file, 2 * side, ranks]) for side in SIDES[:-1]]
        times = [
            f"{significant(large.bytes / small.bytes)} times from {small.side}³ to {large.side}³"
            + _source(small, large)
            for small, large in pairs
        ]
        said.append(f"{KINDS[file]} {join_words(times)}")
    return f"With twice the side of a block and {count_words(ranks, 'rank')} a file grows: {'; '.join(said)}."


def _source(*sizes: Size) -> str:
    """What stands behind a number that not all of these sizes were measured for."""
    return "" if all(size.state == MEASURED for size in sizes) else f" ({COMPUTED})"


def _formula_words(rows: list[Row]) -> str:
    beyond = [median_of(row) - data_bytes(row.phase, row.ranks, int(row.options["block"])) for row in rows]
    return (
        f"The measured files are {format_bytes(min(beyond))} to {format_bytes(max(beyond))} larger than "
        "their data by formula: the metadata and holes of the format."
    )


def _missing_words(sizes: list[Size], free_bytes: int | None) -> Iterable[str]:
    if free_bytes is None:
        return
    least: dict[int, int] = {}
    for size in sizes:
        if size.state == MISSING:
            least[size.side] = min(size.ranks, least.get(size.side, size.ranks))
    if least:
        said = [f"{side}³ from {count_words(ranks, 'rank')} on" for side, ranks in least.items()]
        yield (
            f"In the directory {format_bytes(free_bytes)} were free; the three files of a run would not fit "
            f"with blocks of {join_words(said)}, which triangles mark."
        )


@figure("dump-sizes", judge_dump_sizes)
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
