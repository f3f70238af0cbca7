"""A section of the report: a figure, what it says, its tables, and what others found."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.answers.data import answer_data, number_data
from weir.figures.figure import Drawing, Finding
from weir.questions.claim import Answer, Claim, Verdict, answer, claims_of
from weir.questions.question import draw
from weir.report.gather import Contents
from weir.results.printed import printed_of
from weir.results.row import Row
from weir.results.words import join_words
from weir.study.case import left_out_words, not_asked_words
from weir.study.schema import names_asked
from weir.tables.table import Table, kind_of, make_tables


@dataclass(frozen=True)
class Section:
    """`title` is what the study wants to know, in its words, or what the figure asks where several
    comparisons ask for it, or one for several figures; then those words stand in `asked`. `drawing` is null
    where the rows do not suffice for one; `left_out` says in words what is not in it, and `not_run` what was
    not asked for."""

    name: str
    title: str
    asked: str
    drawing: Drawing | None
    answers: tuple[Answer, ...]
    left_out: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    not_run: tuple[str, ...] = ()


def make_sections(contents: Contents) -> list[Section]:
    """All figures that the study asks for, in its order, save those without drawing and claim."""
    found = (_section(name, contents) for name in contents.rows_by_figure)
    return [section for section in found if section.drawing or section.answers or section.tables]


def answers_of(name: str, contents: Contents) -> list[Answer]:
    """The claims that stand next to a figure, with their verdicts."""
    rows = contents.rows_by_figure[name]
    return [
        answer(claim, _spoken_of(claim, rows, contents), contents.machine)
        for part in _main(name, contents)
        if not _not_run(part, contents)
        for claim in claims_of(part)
    ]


def _main(name: str, contents: Contents) -> list[dict[str, Any]]:
    """The comparisons of which this is the first figure: their claims and tables stand next to it."""
    return [part for part in contents.comparisons if names_asked(part.get("figure"))[:1] == [name]]


def _section(name: str, contents: Contents) -> Section:
    asking = [part for part in contents.comparisons if name in names_asked(part.get("figure"))]
    main = _main(name, contents)
    drawing = draw(name, contents.rows_by_figure[name], contents.machine)
    missing = [
        item for item in contents.summary.left_out if any(part["name"] in item.comparisons for part in main)
    ]
    titles = [part["title"] for part in asking if part.get("title") and not _not_run(part, contents)]
    alone = len(titles) == 1 and all(len(names_asked(part.get("figure"))) == 1 for part in asking)
    return Section(
        name=name,
        title=titles[0] if alone else drawing.title if drawing else " · ".join(titles) or name,
        asked=" · ".join(titles) if drawing and not alone else "",
        drawing=drawing,
        answers=tuple(answers_of(name, contents)),
        left_out=tuple(left_out_words(missing)),
        tables=tuple(table for part in main for table in _tables_of(part, contents)),
        not_run=tuple(
            not_asked_words(part["name"], part.get("title", "")) for part in main if _not_run(part, contents)
        ),
    )


def _tables_of(comparison: dict[str, Any], contents: Contents) -> list[Table]:
    """Those that compare all cases; then all kinds of one case, and those of the next case."""
    own = printed_of(comparison)
    rows = [
        replace(row, printed=tuple(one for one in row.printed if one in own))
        for row in contents.rows
        if comparison["name"] in row.comparisons
    ]
    names = names_asked(comparison.get("table"))
    of_all = [name for name in names if kind_of(name).of_all]
    asked = [(name, rows) for name in of_all]
    asked += [(name, [row]) for row in rows for name in names if name not in of_all]
    found = [table for name, some in asked for table in make_tables(name, some)]
    return [_titled(table, comparison.get("title", ""), contents) for table in found]


def _titled(table: Table, title: str, contents: Contents) -> Table:
    """One that compares all cases says of what, where several comparisons ask for it."""
    asking = [part for part in contents.comparisons if table.name in names_asked(part.get("table"))]
    named = kind_of(table.name).of_all and title and len(asking) > 1
    return replace(table, title=f"{table.title}: {title}") if named else table


def _not_run(comparison: dict[str, Any], contents: Contents) -> bool:
    known = (name for case in contents.summary.cases.values() for name in case.comparisons)
    return bool(comparison.get("optional")) and comparison["name"] not in known


def _spoken_of(claim: Claim, rows: list[Row], contents: Contents) -> list[Row]:
    have = {(row.case, row.phase) for row in rows}
    also = [row for row in contents.rows if set(claim.also) & set(row.comparisons)]
    return [*rows, *(row for row in also if (row.case, row.phase) not in have)]


def sections_data(sections: Sequence[Section]) -> dict[str, Any]:
    """Findings, tables and claims for `--json`."""
    return {
        "findings": [
            {"figure": part.name, "asks": part.drawing.title, **finding_data(part.drawing.finding)}
            for part in sections
            if part.drawing
        ],
        "tables": [
            {
                "figure": part.name,
                "table": table.name,
                "title": table.title,
                **table.data,
                "notes": table.notes,
            }
            for part in sections
            for table in part.tables
        ],
        "claims": [{"figure": part.name, **found.as_data()} for part in sections for found in part.answers],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """Answers, and the numbers that they rest on."""
    return {
        "certainty": str(finding.certainty) if finding.certainty else None,
        "answers": [answer_data(one) for one in finding.answers],
        "numbers": [number_data(one, finding.columns) for one in finding.numbers],
        "conditions": finding.conditions,
    }


def verdicts_of(sections: Sequence[Section]) -> Counter[Verdict]:
    """How many claims have each verdict."""
    return Counter(found.verdict for section in sections for found in section.answers)


def claims_in_short(sections: Sequence[Section]) -> str:
    """ "Of 14 statements, 6 hold here, 3 do not, and 5 cannot be told."; empty where there are no claims."""
    counts = verdicts_of(sections)
    if not counts:
        return ""
    holding = counts[Verdict.HOLDS]
    parts = [
        f"{holding} {'holds' if holding == 1 else 'hold'} here",
        f"{counts[Verdict.DOES_NOT_HOLD]} do{'es' if counts[Verdict.DOES_NOT_HOLD] == 1 else ''} not",
        f"{counts[Verdict.CANNOT_BE_TOLD]} cannot be told",
    ]
    return f"Of {counts.total()} statements of the study, {join_words(parts)}."
