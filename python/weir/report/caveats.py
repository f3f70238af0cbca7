"""What a reader must bear in mind beside the numbers."""

from __future__ import annotations

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.counts import count_words
from weir.findings.row import Row, measured
from weir.findings.words import join_words

YIELDED = ", and the MPI was told to let waiting ranks yield their core (mpi_yield_when_idle)"


def caveats(rows: list[Row], *, failures: int, died: int) -> list[str]:
    """One sentence each; empty where all is well."""
    found = measured(rows)
    return [
        *([f"{count_words(failures, 'failure')}: see Failures."] if failures else []),
        *([_died_words(died)] if died else []),
        *_noise(found),
        *_caches(found),
        *crowding(found),
    ]


def _died_words(died: int) -> str:
    launches = count_words(died, "launch", "launches")
    return f"{launches} died and {'was' if died == 1 else 'were'} tried again: see Launches that died."


def _noise(found: list[Row]) -> list[str]:
    few = sum(row.n < FEWEST_SAMPLES for row in found)
    noisy = sum(row.inconclusive and row.n >= FEWEST_SAMPLES for row in found)
    said = [
        (noisy, "inconclusive: the interval stayed wider than wanted"),
        (few, f"without an interval: it takes {FEWEST_SAMPLES} samples"),
    ]
    return [f"{_share(count, len(found))} {what}." for count, what in said if count]


def _share(count: int, of: int) -> str:
    """ "1 of 3 results is", "2 of 3 results are"."""
    return f"{count} of {count_words(of, 'result')} {'is' if count == 1 else 'are'}"


def _caches(found: list[Row]) -> list[str]:
    suspect = [row for row in found if row.suspect]
    if not suspect:
        return []
    asked = sum(not row.cache_methods for row in suspect)
    count = "all of them" if asked == len(suspect) else f"{asked} of them"
    unavoided = f"; for {count} the study asks for nothing against that" if asked else ""
    come = "comes" if len(suspect) == 1 else "come"
    results = f"{len(suspect)} of {count_words(len(found), 'result')} {come}"
    return [f"{results} from the cache, not from the device{unavoided}."]


def crowding(found: list[Row]) -> list[str]:
    """What more ranks than cores mean for the results, and what was done about it; or nothing."""
    crowded = [row for row in found if "oversubscribed" in row.warnings]
    if not crowded:
        return []
    ranks = join_words(map(str, sorted({row.ranks for row in crowded})))
    noun = "rank" if ranks == "1" else "ranks"
    told = YIELDED if all(row.yields for row in crowded) else ""
    measured_thing = "storage" if any(row.on_storage for row in crowded) else "machine"
    return [
        f"With {ranks} {noun} there were more ranks than cores{told}: "
        f"these results show the MPI as much as the {measured_thing}."
    ]
