"""What a run says in short, for series of hundreds: the median of each row."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weir.compare.matching import exact_key
from weir.compare.series import is_baseline
from weir.core.vocabulary import vocabularies
from weir.errors import WeirError
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import AnyRecord, SampleRecord
from weir.store.run_directory import RunDirectory, host_of


@dataclass(frozen=True)
class RunLevels:
    """A run: when it was made, UTC, and where; whether it is marked as baseline; and medians by row_key()."""

    path: Path
    made: str
    host: str
    is_baseline: bool
    medians: dict[str, float]


def row_key(row: Row) -> str:
    """What is equal for a row of one run and the same of another; short, since there are very many."""
    return sha256(exact_key(row).encode()).hexdigest()[:24]


def levels_of(path: Path) -> tuple[RunLevels, list[Row]]:
    """Those of a run, and the rows; raises WeirError if it is none."""
    run = RunDirectory(path)
    info = run.info()
    rows = [row for row in summarise(_light(run.stream()), vocabularies(info.core)).rows if row.samples]
    medians = {row_key(row): row.median for row in rows if row.median is not None}
    return RunLevels(path, info.created_at, host_of(info.machine), is_baseline(path), medians), rows


def readable(paths: Iterable[Path]) -> tuple[list[RunLevels], list[Row], list[Path]]:
    """Those of all that can be read, in the order in which they were made; the rows of the last one; and what
    cannot be read."""
    found, rows, lost = list[RunLevels](), list[Row](), list[Path]()
    for path in paths:
        try:
            levels, last = levels_of(path)
        except (WeirError, OSError):
            lost.append(path)
            continue
        if not found or levels.made >= max(one.made for one in found):
            rows = last
        found.append(levels)
    return sorted(found, key=lambda one: one.made), rows, lost


def _light(records: Iterator[AnyRecord]) -> Iterator[AnyRecord]:
    """The samples without what no median asks for."""
    for record in records:
        if isinstance(record, SampleRecord):
            record.times, record.latency, record.timeline = {}, None, None
            record.system, record.by_rank, record.hints, record.hints_asked = None, None, None, None
        yield record
