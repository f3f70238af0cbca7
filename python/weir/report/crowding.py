"""More ranks than cores: what a launch warned of and what its results are worth, in one sentence."""

from collections.abc import Iterable, Mapping

from weir.results.row import Row, measured
from weir.results.words import capital, join_words

CODE = "oversubscribed"
YIELDED = ", and the MPI was told to let waiting ranks yield their core (mpi_yield_when_idle)"


def crowding(rows: Iterable[Row], warnings: Iterable[Mapping[str, str]]) -> list[str]:
    """What more ranks than cores mean for the results, what was done about it, and what the launches' warning
    advises; empty where no result is of such a launch."""
    crowded = [row for row in measured(rows) if CODE in row.warnings]
    if not crowded:
        return []
    warning = next((one for one in warnings if one["code"] == CODE), {})
    ranks = join_words(map(str, sorted({row.ranks for row in crowded})))
    noun = "rank" if ranks == "1" else "ranks"
    example = f" ({warning['problem']})" if warning.get("problem") else ""
    told = YIELDED if all(row.yields for row in crowded) else ""
    thing = "storage" if any(row.on_storage for row in crowded) else "machine"
    said = (
        f"With {ranks} {noun} there were more ranks than cores{example}{told}: these results reflect the MPI "
        f"library and the wait for a core as much as the {thing}."
    )
    advice = warning.get("advice", "").strip().rstrip(".")
    return [f"{said} {capital(advice)}." if advice else said]


def without_crowding(rows: Iterable[Row], warnings: Iterable[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """The warnings that `crowding` does not say already."""
    given = list(warnings)
    said = {CODE} if crowding(rows, given) else set()
    return [warning for warning in given if warning["code"] not in said]
