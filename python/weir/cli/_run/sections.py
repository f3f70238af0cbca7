"""What a run's figures say, in lines for a terminal: findings, tables, and the claims of others held against
them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from weir.cli._run.tables import table_lines
from weir.report.section import Section, claims_in_short

WIDTH = 100


def section_lines(sections: Sequence[Section]) -> Iterator[str]:
    """A finding a figure with its numbers, then its tables, and its claims with their verdicts."""
    for section in sections:
        yield from _wrapped(section.title, "", "  ")
        if section.drawing:
            for sentence in section.drawing.finding.sentences:
                yield from _wrapped(sentence, "  ", "  ")
        for table in section.tables:
            yield ""
            yield from table_lines(table)
        if section.tables:
            yield ""
        for line in section.not_run:
            yield from _wrapped(line, "  ", "  ")
        for found in section.answers:
            yield from _wrapped(f"{found.machine}, {found.source}: {found.says}.", "  ", "    ")
            link = " " if found.why.startswith("because") else ": "
            yield from _wrapped(f"-> {found.verdict}{link}{found.why}", "    ", "       ")
        yield ""
    short = claims_in_short(sections)
    if short:
        yield short
        yield ""


def _wrapped(text: str, first: str, later: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=later)
