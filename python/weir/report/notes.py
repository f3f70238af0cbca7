"""What to bear in mind of a run's numbers, in full: below the first screen, whose caveats only count."""

from collections.abc import Iterator

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.report.crowding import crowding
from weir.report.gather import Contents
from weir.report.machine_states import states_words
from weir.results.inexact import inexact_of_cases
from weir.results.row import FITS_IN_CACHE, Row, cache_extent, measured
from weir.units import count_words


def notes(contents: Contents) -> list[str]:
    """A sentence or a paragraph each; empty where all is well."""
    summary, rows = contents.summary, contents.rows
    return [
        *inexact_of_cases([*summary.cases.values()]),
        *_lacking(contents),
        *states_words(summary),
        *caveats(rows, failures=len(summary.failures), died=len(summary.died)),
        *crowding(rows, contents.warnings),
    ]


def _lacking(contents: Contents) -> Iterator[str]:
    """What was not measured, and what was and cannot be read."""
    if contents.cut:
        cut = f"{contents.cut} of {count_words(max(contents.cut, len(contents.summary.cases)), 'case')}"
        yield f"{cut} lost samples: the file of samples is cut off. Simulate again, or copy the run again."
    elif lacking := len(contents.summary.unmeasured):
        cases = f"{lacking} of {count_words(len(contents.summary.cases), 'case')}"
        yield f"{cases} never began: the time was too short for them, or the run was interrupted."
    if damaged := len(contents.damaged_lines):
        yield f"{count_words(damaged, 'line')} of the samples cannot be read: what stood there is missing."


def caveats(rows: list[Row], *, failures: int, died: int) -> list[str]:
    """One sentence each; empty where all is well."""
    found = measured(rows)
    return [
        *([f"{count_words(failures, 'failure')}: see Failures."] if failures else []),
        *([_died_words(died)] if died else []),
        *_few(found),
        *_caches(found),
        *_processor_caches(found),
    ]


def _processor_caches(found: list[Row]) -> list[str]:
    """How many results are of the processor's caches, with what the first of their samples warned of, as an
    example where others differ."""
    cached = [row for row in found if row.in_caches]
    if not cached:
        return []
    all_told = [one for row in cached for record in row.records for one in record.warnings]
    told = [one for one in all_told if one.code == FITS_IN_CACHE]
    warning = told[0] if told else None
    example = "for example, " if len({one.problem for one in told}) > 1 else ""
    why = f": {example}{warning.problem}" if warning and warning.problem else ""
    advice = f" {warning.advice.strip()}" if warning and warning.advice else ""
    of_caches = f"{_share(len(cached), len(found))} of the processor's caches in place of memory"
    return [f"{of_caches}{cache_extent(cached)}{why}.{advice}"]


def _died_words(died: int) -> str:
    return f"{count_words(died, 'launch', 'launches')} died: see Launches that died."


def _few(found: list[Row]) -> list[str]:
    few = sum(row.n < FEWEST_SAMPLES and not row.simulated for row in found)
    return (
        [f"{_share(few, len(found))} without an interval: it takes {FEWEST_SAMPLES} samples."] if few else []
    )


def _share(count: int, of: int) -> str:
    """ "1 of 3 results is", "2 of 3 results are"."""
    return f"{count} of {count_words(of, 'result')} {'is' if count == 1 else 'are'}"


def _caches(found: list[Row]) -> list[str]:
    suspect = [row for row in found if row.suspect]
    reads = [row for row in found if row.moves == "read" and not row.application]
    unknown = sum(row.suspect is None for row in reads)
    lines = (
        [f"For {unknown} of {count_words(len(reads), 'read')} the source of the data is unknown."]
        if unknown
        else []
    )
    if not suspect:
        return lines
    asked = sum(not row.cache_methods for row in suspect)
    count = "all of them" if asked == len(suspect) else f"{asked} of them"
    unavoided = f"; for {count} the study does nothing to avoid that" if asked else ""
    come = "comes" if len(suspect) == 1 else "come"
    results = f"{len(suspect)} of {count_words(len(found), 'result')} {come}"
    why = next((f" ({row.suspect_why})" for row in suspect if row.suspect_why), "")
    return [f"{results} from the cache, not from the device{why}{unavoided}.", *lines]
