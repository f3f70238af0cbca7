"""Patterns that are not exactly what a program requested: whoever shows results of one says so."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from weir.store.records import CaseRecord


def inexact_words(reasons: Iterable[str], of: str = "") -> list[str]:
    """A sentence a reason; `of` names the pattern where there are several."""
    return [f"The pattern{of} is not exactly what the program requested: {why}." for why in reasons]


def inexact_of_cases(cases: Sequence[CaseRecord]) -> list[str]:
    """Those of the patterns that cases carried out, each once."""
    names = {case.case: PurePath(str(case.options.get("pattern") or case.label)).name for case in cases}
    several = len({*names.values()}) > 1
    told = (
        line
        for case in cases
        for line in inexact_words(case.inexact, f" {names[case.case]}" if several else "")
    )
    return list(dict.fromkeys(told))
