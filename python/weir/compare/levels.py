"""What a run says in short, for series of hundreds: the median of each row."""

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weir.compare.matching import exact_key, key_of
from weir.compare.series import is_baseline
from weir.core.vocabulary import vocabularies
from weir.errors import WeirError
from weir.results.row import Row
from weir.results.summary import medians, summarise
from weir.store.records import AnyRecord, SampleRecord
from weir.store.run_directory import RunDirectory, host_of

MANY = 64
"""Runs from which on processes of their own read them sooner."""
AT_ONCE = 8
"""That such a process is given."""


@dataclass(frozen=True)
class RunLevels:
    """A run: when it was made, UTC, and on which host, or modelled machine; whether it is marked as
    baseline; and medians by row_key()."""

    path: Path
    made: str
    host: str
    is_baseline: bool
    medians: dict[str, float]


def row_key(row: Row) -> str:
    """What is equal for a row of one run and the same of another; short, since there are very many."""
    return _short(exact_key(row))


def _short(key: str) -> str:
    return sha256(key.encode()).hexdigest()[:24]


def levels_of(path: Path) -> RunLevels:
    """Those of a run; raises WeirError if it is none."""
    run = RunDirectory(path)
    info = run.info()
    found = {
        _short(key_of(case, phase, metric.key)): median
        for case, phase, metric, median in medians(_light(run.stream()))
    }
    return RunLevels(
        path, info.created_at, info.simulated_on or host_of(info.machine), is_baseline(path), found
    )


def rows_of(path: Path) -> list[Row]:
    """The rows of a run that have samples; raises WeirError if it is none."""
    run = RunDirectory(path)
    summary = summarise(_light(run.stream()), vocabularies(run.info().core))
    return [row for row in summary.rows if row.samples]


def readable(paths: Iterable[Path]) -> tuple[list[RunLevels], list[Row], list[Path]]:
    """Those of all that can be read, in the order in which they were made; of each row that of the last run
    that has it; and what cannot be read."""
    named = list(paths)
    read = list(zip(named, _all_levels(named), strict=True))
    found = sorted((one for _, one in read if one), key=lambda one: one.made)
    lost = [path for path, one in read if one is None]
    return found, list(newest_rows(found)), lost


def _all_levels(paths: Sequence[Path]) -> list[RunLevels | None]:
    """Those of each run; null of one that cannot be read. Of very many each core reads its share."""
    cores = len(os.sched_getaffinity(0))
    if len(paths) < MANY or cores < 2:
        return [*map(_levels_or_none, paths)]
    # Where there is no shared memory, or no room for processes, this one reads all.
    fork = multiprocessing.get_context("fork")
    with suppress(OSError, BrokenProcessPool), ProcessPoolExecutor(cores, fork) as readers:
        return [*readers.map(_levels_or_none, paths, chunksize=AT_ONCE)]
    return [*map(_levels_or_none, paths)]


def _levels_or_none(path: Path) -> RunLevels | None:
    try:
        return levels_of(path)
    except (WeirError, OSError):
        return None


def newest_rows(runs: Sequence[RunLevels]) -> Iterator[Row]:
    """Of each row that of the last run that has it, of the runs on the last one's machine."""
    here = [run for run in runs if run.host == runs[-1].host]
    known = set[str]()
    for run in reversed(here):
        if not run.medians.keys() <= known:
            rows = {row_key(row): row for row in rows_of(run.path)}
            yield from (row for key, row in rows.items() if key not in known)
            known |= rows.keys() | run.medians.keys()


def _light(records: Iterator[AnyRecord]) -> Iterator[AnyRecord]:
    """The samples without what no median asks for."""
    for record in records:
        if isinstance(record, SampleRecord):
            record.times, record.latency, record.timeline = {}, None, None
            record.system, record.by_rank, record.hints, record.hints_asked = None, None, None, None
        yield record
