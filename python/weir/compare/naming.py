"""What rows of a comparison are called, and in which groups they stand."""

from collections import Counter
from collections.abc import Callable

from weir.compare.comparison import Compared
from weir.compare.standings import Standing
from weir.report.cases import distinguish
from weir.results.row import Row
from weir.results.words import capital, phase_words, plural_words, setting_words

ALL = "All rows"
"""A group of all of them."""
MOST_GROUPS = 4
"""Of a first screen, which then has rows left for single differences."""


def name_rows(one: Compared) -> Callable[[Standing], str]:
    """As name_by_label() calls its rows."""
    name = name_by_label([standing.row for standing in one.standings])
    return lambda standing: name(standing.row)


def name_by_label(rows: list[Row]) -> Callable[[Row], str]:
    """ "write, transfer 1MiB"; rows that would be called alike say in which settings they differ, what was
    done about caches, and at last of which case they are."""

    def plain(row: Row) -> str:
        return ", ".join(filter(None, [row.phase, row.label or setting_words(row)]))

    distinction = distinguish(rows, plain, {"phase"})

    def apart(row: Row) -> str:
        return ", ".join(filter(None, [plain(row), distinction(row)]))

    def cached(row: Row) -> str:
        return f"{phase_words(row)}{apart(row).removeprefix(row.phase)}"

    def of_case(row: Row) -> str:
        return f"{cached(row)}, case {row.case}"

    ways = [(way, Counter(map(way, rows))) for way in (apart, cached)]
    return lambda row: next((way(row) for way, counts in ways if counts[way(row)] < 2), of_case(row))


def groups(one: Compared) -> dict[str, list[Standing]]:
    """The rows by what they measure: writes, reads, …; by benchmark where that are too many groups, and in
    one where those are too many."""
    ways: tuple[Callable[[Row], str], ...] = (
        lambda row: capital(plural_words(row)),
        lambda row: capital(row.benchmark),
        lambda row: ALL,
    )
    for way in ways:
        found: dict[str, list[Standing]] = {}
        for standing in one.standings:
            found.setdefault(way(standing.row), []).append(standing)
        if len(found) <= MOST_GROUPS:
            break
    return {ALL: [*one.standings]} if len(found) == 1 else found
