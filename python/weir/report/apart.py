"""Words for what tells cases apart that read alike in a table: two numbers of one thing would leave the
reader to guess."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable

from weir.findings.option import label_by
from weir.findings.row import Row
from weir.findings.words import phase_words, setting_words

_TOLD_BY_SETTING = {"ranks", "layout", "backend", "method", "transfer", "files", "cells", "opening", "phase"}


def told_apart(
    rows: list[Row], reads: Callable[[Row], Hashable], told: Collection[str]
) -> Callable[[Row], str]:
    """The options in which a row differs from those that read as it does, save for those that are `told`
    anyway; empty where its case alone reads so."""
    alike: dict[Hashable, list[Row]] = {}
    for row in rows:
        alike.setdefault(reads(row), []).append(row)
    words = {
        key: label_by(group, told) if len({row.case for row in group}) > 1 else _nothing
        for key, group in alike.items()
    }
    return lambda row: words[reads(row)](row)


def apart_by_setting(rows: list[Row]) -> Callable[[Row], str]:
    """The same of rows that are told by their phase and the words for their setting."""
    return told_apart(rows, lambda row: (row.phase, phase_words(row), setting_words(row)), _TOLD_BY_SETTING)


def _nothing(row: Row) -> str:
    return ""
