"""The rows of a first screen of parts that could not be measured, with the reason."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Certainty
from weir.report.gather import Contents
from weir.results.row import measured

FIRST = 200.0
"""Rows of parts come before all others, in the order of the study."""


def weight_of(place: int) -> float:
    """Of the row of a part at that place among the parts of the study."""
    return FIRST - place


def missing_parts(contents: Contents) -> Iterator[Answer]:
    """One of each part that was asked for and has no number."""
    for place, part in enumerate(contents.parts):
        name = part["name"]
        own = {one["name"] for one in contents.comparisons if one.get("part") == name}
        if any(own.intersection(row.comparisons) for row in measured(contents.rows)):
            continue
        cases = {one.case for one in contents.summary.cases.values() if own.intersection(one.comparisons)}
        why = _why(contents, own, cases)
        if why or cases:
            yield Answer(
                "part",
                certainty=Certainty.NOT_MEASURED,
                action="not-here" if why else "no-time",
                words={"why": why} if why else {},
                weight=weight_of(place),
                title=part.get("title") or name.capitalize(),
            )


def _why(contents: Contents, own: set[str], cases: set[str]) -> str:
    """What failed first of its cases, else why the first one was left out; empty where nothing did."""
    summary = contents.summary
    for failure in summary.failures:
        if failure.case in cases:
            return failure.problem
    return next((one.why for one in summary.left_out if own.intersection(one.comparisons)), "")
