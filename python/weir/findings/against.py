"""Which of two ways is faster: shared file or file per process, POSIX or MPI-IO."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from weir.findings.finding import Finding, capital, care_words
from weir.findings.quantity import times_words
from weir.findings.ratio import Ratio, pairs
from weir.findings.row import Row
from weir.findings.words import backend_words, join_words, layout_words
from weir.units import format_bytes

BACKEND_OPTIONS = {"backend", "collective", "file_view", "hint", "direct"}
Name = Callable[[Row], str]


def judge_layout(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """File per process against shared file."""
    found = pairs(
        rows,
        {"layout"},
        lambda row: row.options.get("layout") == "file-per-process",
        lambda row: row.options.get("layout", "shared") == "shared",
    )
    return _judge(found, rows, layout_words)


def judge_backend(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """MPI-IO, independent and collective, against POSIX."""
    found: list[Ratio] = []
    for collective in (False, True):
        found += pairs(
            rows,
            BACKEND_OPTIONS,
            lambda row, wanted=collective: (  # type: ignore[misc]
                row.options.get("backend") == "mpiio" and bool(row.options.get("collective")) == wanted
            ),
            lambda row: row.options.get("backend") == "posix" and not row.options.get("direct"),
        )
    return _judge(found, rows, backend_words)


def _judge(found: list[Ratio], rows: list[Row], name: Name) -> Finding | None:
    if not found:
        return None
    ways = dict.fromkeys(name(ratio.one) for ratio in found)
    sentences = tuple(_sentence([r for r in found if name(r.one) == way], name) for way in ways)
    return Finding(_title(found, name), sentences, care_words(rows))


def _title(found: list[Ratio], name: Name) -> str:
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
        f"{name(fast)} {fast.direction}s {times} as fast as {name(slow)}{_at(largest.one)}{others}"
    )


def _at(row: Row) -> str:
    transfer = row.options.get("transfer")
    return f" at {format_bytes(transfer)} transfers" if transfer else ""


def _sentence(found: list[Ratio], name: Name) -> str:
    """All ratios of one way to the other, for example "MPI-IO collective against POSIX: write 0.60 times
    ...".
    """
    parts = [f"{ratio.one.phase}{_at(ratio.one)} {_ratio_words(ratio)}" for ratio in found]
    return f"{capital(name(found[0].one))} against {name(found[0].other)}: {'; '.join(parts)}."


def _ratio_words(ratio: Ratio) -> str:
    counts = f"n = {ratio.one.n}, {ratio.other.n}"
    if ratio.different is None:
        return f"{ratio.ratio:.2f} times (no interval, too few samples to tell them apart, {counts})"
    bounds = f"{ratio.ratio:.2f} times [{ratio.low:.2f}, {ratio.high:.2f}] ({counts})"
    return bounds if ratio.different else f"{bounds}, which is no difference"
