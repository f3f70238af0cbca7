"""What a run's figures say, in lines for a terminal: findings, tables, and the claims of others held against
them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weir.cli._run.tables import table_lines
from weir.cli._run.wrap import wrapped
from weir.report.section import Section, claims_in_short


def section_lines(sections: Sequence[Section]) -> Iterator[str]:
    """A finding a figure with its numbers, then its tables, and its claims with their verdicts."""
    for section in sections:
        yield from wrapped(section.title, "", "  ")
        if section.drawing:
            for sentence in section.drawing.finding.sentences:
                yield from wrapped(sentence, "  ", "  ")
        for table in section.tables:
            yield ""
            yield from table_lines(table)
        if section.tables and (section.not_run or section.answers):
            yield ""
        for line in section.not_run:
            yield from wrapped(line, "  ", "  ")
        for found in section.answers:
            yield from wrapped(f"{found.machine}, {found.source}: {found.says}.", "  ", "    ")
            link = " " if found.why.startswith("because") else ": "
            yield from wrapped(f"-> {found.verdict}{link}{found.why}", "    ", "       ")
        yield ""
    short = claims_in_short(sections)
    if short:
        yield short
        yield ""
