"""What sets rows apart: names for the values of their options, in the field's words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from weir.counts import count_words
from weir.findings.row import Row
from weir.findings.words import backend_words, layout_words, method_words, mpi_io_words, opening_words
from weir.units import format_bytes

WORDS: dict[str, Callable[[Row], str]] = {
    "benchmark": lambda row: row.benchmark,
    "ranks": lambda row: count_words(row.ranks, "rank"),
    "transfer": lambda row: format_bytes(row.options["transfer"]) + " transfers",
    "block": lambda row: format_bytes(row.options["block"]) + " a rank",
    "segments": lambda row: count_words(row.options["segments"], "segment"),
    "layout": layout_words,
    "backend": backend_words,
    "opening": opening_words,
    "method": method_words,
    "mpi_io": mpi_io_words,
    "env": lambda row: " ".join(f"{name}={value}" for name, value in row.env.items()) or "no variables",
}
SAID_ELSEWHERE = {
    "backend": {"collective", "file_view"},
    "opening": {"interface"},
    "phase": {"sync", "cache", "direct", "dir"},
}
"""Options that the words for another one, or those for the phase, speak of already."""
BESIDE: dict[str, Callable[[Row], Any]] = {
    "benchmark": lambda row: row.benchmark,
    "ranks": lambda row: row.ranks,
    "mpi_io": lambda row: row.mpi_io,
    "env": lambda row: row.env,
}


def value_of(row: Row, key: str) -> Any:
    """The value of an option, or of what stands beside them: `benchmark`, `ranks`, `mpi_io`, `env`."""
    return BESIDE[key](row) if key in BESIDE else row.options.get(key)


def option_words(row: Row, key: str) -> str:
    """One setting of a row: "2 ranks", "64 KiB transfers", "files 1000"."""
    if key in WORDS:
        return WORDS[key](row)
    value = value_of(row, key)
    if key.endswith("_bytes") and isinstance(value, int):
        return f"{key.removesuffix('_bytes')} {format_bytes(value)}"
    return f"{key} {str(value).lower() if isinstance(value, bool) else value}"


def label_by(rows: list[Row], ignoring: Collection[str]) -> Callable[[Row], str]:
    """Names rows by what varies among them, save for `ignoring`; empty names where nothing else does.

    An option that only some of the rows have belongs to their back-end, and is left to its name.
    """
    keys = [*WORDS, *sorted({key for row in rows for key in row.options}.difference(WORDS))]
    said = SAID_ELSEWHERE["phase"].union(*(SAID_ELSEWHERE.get(key, set()) for key in (*keys, *ignoring)))
    parts = [key for key in keys if key not in ignoring and key not in said and _varies(rows, key)]
    return lambda row: ", ".join(words for key in parts if (words := option_words(row, key)))


def _varies(rows: list[Row], key: str) -> bool:
    if key not in BESIDE and not all(key in row.options for row in rows):
        return False
    if key == "backend":
        return len({backend_words(row) for row in rows}) > 1
    return len({repr(value_of(row, key)) for row in rows}) > 1
