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
        why = _failure(contents, cases) if cases else _left_out(contents, own)
        if why or cases:
            unmeasured = cases.issubset(contents.summary.unmeasured)
            yield Answer(
                "part",
                certainty=Certainty.NOT_MEASURED,
                action="not-here" if why else "no-time" if unmeasured else "more-samples",
                words={"why": why} if why else {},
                weight=weight_of(place),
                title=part.get("title") or name.capitalize(),
            )


def _failure(contents: Contents, cases: set[str]) -> str:
    """What the first of these failed of, or the launch of any case where none of these began; empty where
    none did."""
    failures = contents.summary.failures
    own = [one.problem for one in failures if one.case in cases]
    if cases.issubset(contents.summary.unmeasured):
        own += [one.problem for one in failures if one.case is None]
    return own[0] if own else ""


def _left_out(contents: Contents, own: set[str]) -> str:
    """Why the first case of these comparisons was; empty where none was."""
    return next((one.why for one in contents.summary.left_out if own.intersection(one.comparisons)), "")
