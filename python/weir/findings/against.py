"""Which of several ways is faster: each is held against one of them, the reference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from weir.findings.finding import Finding, capital, care_words
from weir.findings.option import label_by
from weir.findings.order import order_words
from weir.findings.quantity import times_words
from weir.findings.ratio import Ratio, not_shared, pairs
from weir.findings.row import Row
from weir.findings.words import join_words, layout_words, plural_words, way_words
from weir.units import format_bytes, significant

BACKEND_OPTIONS = frozenset({"backend", "collective", "file_view", "hint", "direct", "mpi_io", "env"})
SHARED = ("shared", "shared-directory")
Name = Callable[[Row], str]
Choice = Callable[[Row], bool]


def judge_layout(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """File per process against shared file, or a directory for each rank against a shared one."""
    return judge_ways(
        rows, {"layout"}, layout_words, lambda row: row.options.get("layout", "shared") in SHARED
    )


def judge_backend(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other interface, independent and collective, against POSIX; and the order of all."""
    finding = judge_ways(
        rows,
        BACKEND_OPTIONS,
        way_words,
        lambda row: row.options.get("backend") == "posix" and not row.options.get("direct"),
    )
    if finding is None:
        return None
    order = order_words(rows, BACKEND_OPTIONS, way_words)
    return Finding(finding.title, order, finding.care, finding.sentences) if order else finding


def judge_ways(
    rows: list[Row], ignoring: Collection[str], name: Name, is_reference: Choice
) -> Finding | None:
    """Every way, by its name, against the reference, wherever all but `ignoring` is alike; null where nothing
    is."""
    found = pairs(rows, {*ignoring, *not_shared(rows)}, lambda row: not is_reference(row), is_reference)
    return finding_of(found, rows, ignoring, name) if found else None


def finding_of(found: list[Ratio], rows: list[Row], ignoring: Collection[str], name: Name) -> Finding:
    """What the ratios say: the largest difference in the title, and a sentence for each way."""
    ways = dict.fromkeys(name(ratio.one) for ratio in found)
    at = place_by(found, ignoring)
    sentences = tuple(_sentence([r for r in found if name(r.one) == way], name, at) for way in ways)
    return Finding(_title(found, name, at), sentences, care_words(rows))


def place_by(found: list[Ratio], ignoring: Collection[str]) -> Name:
    """Says where a ratio was measured: its transfer size, and what else sets the ratios apart."""
    others = label_by([ratio.one for ratio in found], {*ignoring, "transfer"})

    def words(row: Row) -> str:
        transfer = row.options.get("transfer")
        at = f" at {format_bytes(transfer)} transfers" if transfer else ""
        more = others(row)
        return f"{at}{' with ' if more else ''}{more}"

    return words


def _title(found: list[Ratio], name: Name, at: Name) -> str:
    """The one difference that stands out, or that there is none."""
    sure = [ratio for ratio in found if ratio.different]
    if not sure:
        names = join_words(dict.fromkeys([name(found[0].other), *(name(ratio.one) for ratio in found)]))
        unknown = all(ratio.different is None for ratio in found)
        return capital(f"{names}: {'too few samples to tell' if unknown else 'no difference beyond noise'}")
    largest = max(sure, key=lambda ratio: max(ratio.ratio, 1 / ratio.ratio))
    fast, slow = (largest.one, largest.other) if largest.ratio > 1 else (largest.other, largest.one)
    times = times_words(max(largest.ratio, 1 / largest.ratio))
    others = f", the largest of {len(sure)} differences" if len(sure) > 1 else ""
    return capital(
        f"{name(fast)} {plural_words(fast)} {times} as fast as {name(slow)}{at(largest.one)}{others}"
    )


def _sentence(found: list[Ratio], name: Name, at: Name) -> str:
    """All ratios of one way to the other, for example "MPI-IO collective against POSIX: write 0.60 times
    ...".
    """
    parts = [f"{ratio.one.phase}{at(ratio.one)} {ratio_words(ratio)}" for ratio in found]
    return f"{capital(name(found[0].one))} against {name(found[0].other)}: {'; '.join(parts)}."


def ratio_words(ratio: Ratio) -> str:
    """ "0.60 times [0.58, 0.62] (n = 12, 12)", and what that means where it means nothing; of times, which of
    two is the faster: "0.60 times as fast [0.58, 0.62] (n = 12, 12)"."""
    counts = f"n = {ratio.one.n}, {ratio.other.n}"
    times = f"{_number(ratio.ratio)} times{'' if ratio.one.metric.greater_is_better else ' as fast'}"
    if ratio.different is None:
        return f"{times} (no interval, too few samples to tell them apart, {counts})"
    bounds = f"{times} [{_number(ratio.low)}, {_number(ratio.high)}] ({counts})"
    return bounds if ratio.different else f"{bounds}, which is no difference"


def _number(ratio: float | None) -> str:
    """Two places, or as many as a small ratio needs to be one."""
    known = ratio or 0.0
    return f"{known:.2f}" if known >= 0.1 else significant(known, 2)
