"""Checks what a study asks for: figures, tables to compare with printed ones, and rules for its claims."""

from weir.errors import did_you_mean
from weir.questions.claim import make_rule
from weir.questions.question import figure_names
from weir.results.marks import check_marks
from weir.study.load import Study
from weir.study.schema import ComparisonSection, names_asked
from weir.tables.table import check_printed, kind_of
from weir.toml.source import KeyPath, Source


def check_asked(study: Study) -> Study:
    """The study itself. Raises WeirError, with the line, for a figure, table or rule that there is not, and
    for what can be shown nowhere."""
    known = [part.name for part in study.comparisons]
    _check_figure(study.source, ("study", "figure"), study.file.study.figure)
    for index, comparison in enumerate(study.comparisons):
        place = ("comparison", index)
        _check_claims(study.source, place, comparison, known)
        _check_figures(study.source, place, comparison)
        _check_tables(study.source, place, comparison)
    return study


def _check_claims(source: Source, place: KeyPath, comparison: ComparisonSection, known: list[str]) -> None:
    for index, claim in enumerate(comparison.claim):
        with source.placing((*place, "claim", index, "test")):
            make_rule(claim.test)
        strangers = [name for name in claim.also if name not in known]
        if strangers:
            raise source.error(
                (*place, "claim", index, "also"),
                f"there is no comparison '{strangers[0]}'",
                "",
                did_you_mean(strangers[0], known),
            )
        if comparison.figure is None:
            raise source.error(
                (*place, "claim", index),
                f"a claim of '{comparison.name}' can be shown nowhere",
                "the comparison names no figure",
                'write for example figure = "layout"',
            )


def _check_figures(source: Source, place: KeyPath, comparison: ComparisonSection) -> None:
    for name in names_asked(comparison.figure):
        _check_figure(source, (*place, "figure"), name)


def _check_figure(source: Source, place: KeyPath, name: str | None) -> None:
    known = figure_names()
    if name is not None and name not in known:
        raise source.error(
            place, f"there is no figure '{name}'", f"known are {', '.join(known)}", did_you_mean(name, known)
        )


def _check_tables(source: Source, place: KeyPath, comparison: ComparisonSection) -> None:
    asked = names_asked(comparison.table)
    for name in asked:
        with source.placing((*place, "table")):
            kind_of(name)
    if asked and comparison.figure is None:
        raise source.error(
            (*place, "table"),
            f"a table of '{comparison.name}' can be shown nowhere",
            "the comparison names no figure",
            'write for example figure = "io-time"',
        )
    for index, printed in enumerate(comparison.printed):
        at = (*place, "printed", index)
        if printed.table not in asked:
            raise source.error(
                (*at, "table"),
                f"there is no table '{printed.table}' of this run to compare the printed one with",
                f"comparison '{comparison.name}' does not ask for it",
                f'write table = "{printed.table}" in the comparison',
            )
        with source.placing((*at, "rows")):
            check_printed(printed.table, printed.columns, printed.rows)
    for index, mark in enumerate(comparison.mark):
        with source.placing((*place, "mark", index, "rows")):
            check_marks(mark.columns, mark.rows)
