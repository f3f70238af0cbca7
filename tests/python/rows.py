"""Rows for tests of findings and figures: a plain case, of which a test says only what matters to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from samples import BANDWIDTH
from weir.core.vocabulary import NO_WORDS, Vocabulary, vocabularies
from weir.figures.figure import Finding
from weir.results.row import Row
from weir.store.records import SampleRecord

MIB = 1 << 20
OPTIONS: dict[str, Any] = {
    "block": 64 * MIB,
    "transfer": MIB,
    "layout": "shared",
    "backend": "posix",
    "collective": False,
    "dir": None,
}

KNOWN_WORDS = vocabularies(None)
"""By benchmark, what the core calls values of its options: of the real one, whatever a test sets later."""


def row(phase: str, mib_per_s: float | None, *, spread: float | None = 0.02, **changes: Any) -> Row:
    """A row of a phase with a median in MiB/s; its interval is `spread` to both sides, null for none.

    Keywords that are fields of a row replace them; all others are options.
    """
    median = None if mib_per_s is None else mib_per_s * MIB
    known = {name: changes.pop(name) for name in list(changes) if name in Row.__dataclass_fields__}
    options = OPTIONS | changes
    ends = (
        (None, None) if median is None or spread is None else (median * (1 - spread), median * (1 + spread))
    )
    base = Row(
        case=f"{phase}-{sorted(options.items())}-{known.get('ranks', 2)}",
        phase=phase,
        ranks=2,
        options=options,
        n=12 if median is not None else 0,
        median=median,
        low=ends[0],
        high=ends[1],
        verdict="precise" if median is not None else "failed",
        data_bytes=options["block"] * known.get("ranks", 2),
        sync="close" if phase == "write" else None,
        cache_methods=() if phase == "write" else ("drop",),
        suspect=None if phase == "write" else False,
        metric=BANDWIDTH,
        benchmark="storage",
    )
    made = replace(base, **known)
    if "vocabulary" not in known:
        made = replace(made, vocabulary=vocabulary_of(made))
    return made if "moves" in known else replace(made, moves=_moves(made))


def vocabulary_of(row: Row) -> Vocabulary:
    """That of its benchmark, and of other options what any other benchmark calls their values."""
    own = KNOWN_WORDS.get("flash-io" if "blocks" in row.options else row.benchmark, NO_WORDS)
    found = Vocabulary(own.name, dict(own.words), dict(own.units), dict(own.defaults), own.of_samples)
    for other in KNOWN_WORDS.values():
        for key in other.words.keys() - found.words.keys():
            found.words[key] = other.words[key]
            found.defaults[key] = other.defaults[key]
            if key in other.units:
                found.units[key] = other.units[key]
    return found


def _moves(row: Row) -> str | None:
    if not row.metric.is_bandwidth:
        return None
    return row.phase if row.phase in ("write", "read") else "read" if row.sync is None else "write"


def with_samples(one: Row, values: Sequence[float]) -> Row:
    """The row with samples of these values, one in each round."""
    records = tuple(
        SampleRecord(case=one.case, phase=one.phase, round=number) for number in range(1, len(values) + 1)
    )
    return replace(one, samples=tuple(values), records=records, n=len(values))


def cached_read(mib_per_s: float, **changes: Any) -> Row:
    """A read out of the page cache."""
    why = "all of the file was in the page cache"
    return row("read", mib_per_s, cache_methods=(), suspect=True, suspect_why=why, **changes)


def found(
    judge: Callable[[list[Row], Mapping[str, Any]], Finding | None],
    rows: list[Row],
    card: Mapping[str, Any] | None = None,
) -> Finding:
    """What the rows say, where they say something."""
    finding = judge(rows, card or {})
    assert finding is not None
    return finding
