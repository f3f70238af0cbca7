"""Which of several strategies is faster: layouts, back-ends, and methods of the two-phase library."""

from collections.abc import Mapping
from typing import Any

from weir.figures.drawing import Card, Finding, Panel
from weir.questions.comparison import compare_strategies, order_words, strategy_panels
from weir.questions.question import figure
from weir.results.row import Row
from weir.results.words import layout_words, method_words, strategy_words

BACKEND_OPTIONS = frozenset({"backend", "collective", "file_view", "hint", "direct", "mpi_io", "env"})
SHARED = ("shared", "shared-directory")
REFERENCE_METHOD = "rank0"


def judge_layout(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """File per process against shared file, or a directory for each rank against a shared one."""
    return compare_strategies(
        rows, {"layout"}, layout_words, lambda row: row.options.get("layout", "shared") in SHARED
    )


@figure("layout", judge_layout)
def layout(rows: list[Row], card: Card) -> list[Panel]:
    """Bars side by side, a panel for writes and one for reads."""
    return strategy_panels(rows, layout_words, {"layout"})


def judge_backend(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other interface, independent and collective, against POSIX; and the order of all."""
    finding = compare_strategies(
        rows,
        BACKEND_OPTIONS,
        strategy_words,
        lambda row: row.options.get("backend") == "posix" and not row.options.get("direct"),
    )
    if finding is None:
        return None
    order = order_words(rows, BACKEND_OPTIONS, strategy_words)
    return Finding(finding.title, order, finding.conditions, finding.sentences) if order else finding


@figure("backend", judge_backend)
def backend(rows: list[Row], card: Card) -> list[Panel]:
    """Bars side by side, a panel for writes and one for reads."""
    return strategy_panels(rows, strategy_words, {"backend", "mpi_io"})


def by_method(rows: list[Row]) -> list[Row]:
    """Writes and reads of rows whose case has a method of the two-phase library."""
    return [row for row in rows if row.moves and method_words(row)]


def judge_method(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other method against rank 0's; null where one of them is missing."""
    return compare_strategies(
        by_method(rows), {"method"}, method_words, lambda row: row.options.get("method") == REFERENCE_METHOD
    )


@figure("method", judge_method)
def method(rows: list[Row], card: Card) -> list[Panel]:
    """Bars side by side, a panel for writes and one for reads."""
    return strategy_panels(by_method(rows), method_words, {"method"})
