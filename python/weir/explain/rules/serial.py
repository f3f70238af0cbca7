"""I/O that one rank does while the others wait."""

from collections import Counter
from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.critical_path.rows import MOSTLY, CriticalPath, PathCall
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.units import count_words, format_share

from ._files import and_more

LEAST_OF_RUN = 0.02
"""Below, ranks of a balanced program come as late by chance."""
ONE_RANK = 0.75
"""Of such time: then it is one rank's, else that of ranks in turn."""
MOST_NAMED = 2
WHY = "what one rank does while others wait counts fully"


@rule(
    title="Others wait for {subject}",
    remedies={
        "share-out": Remedy("share out or leave out its {calls}", WHY),
        "at-once": Remedy("write at once: each its part, or by collective calls", WHY),
    },
    speaks=f"on the critical path, ranks make I/O calls while at least {format_share(MOSTLY)} of the other "
    f"ranks wait, for at least {format_share(LEAST_OF_RUN)} of the run; of Weir's traces, since other logs "
    "do not tell who waits",
    source="Weir: such time counts fully, however many ranks share the mean",
)
def serial(summary: TraceSummary) -> Iterator[Answer]:
    """Of the rank with most of it, or of all that do so in turn."""
    path = summary.path
    alone = sorted(
        (rank for rank in path.ranks if rank.alone_s > 0) if path else (), key=lambda rank: -rank.alone_s
    )
    if path is None or not alone or path.alone_s < LEAST_OF_RUN * summary.head.run_s:
        return
    first, whole = alone[0], path.alone_s
    one = first.alone_s >= ONE_RANK * whole
    rows = _rows(path, [first.rank] if one else [rank.rank for rank in alone])
    files = [name for name, _ in _by(rows, "file").most_common() if name]
    seconds = first.alone_s if one else whole
    counts, took = _counts(rows), _by(rows, "name").most_common(MOST_NAMED)
    yield costs(
        "serial",
        (
            f"rank {first.rank}" if one else f"{count_words(len(alone), 'rank')} in turn",
            *([and_more(files[0], len(files))] if files else []),
        ),
        seconds,
        "share-out" if one else "at-once",
        (
            Evidence("in I/O calls while others wait", seconds, "s"),
            Evidence("ranks that wait", summary.head.ranks - 1),
            *(Evidence(f"{counts[name]:,} {name}", ns / 1e9, "s") for name, ns in took),
        ),
        calls=f"{counts[took[0][0]]:,} {took[0][0]}" if took else "I/O calls",
    )


def _rows(path: CriticalPath, ranks: list[int]) -> list[PathCall]:
    return [row for row in path.calls if row.serial_s > 0 and row.rank in ranks]


def _counts(rows: list[PathCall]) -> Counter[str]:
    """Calls by function."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.name] += row.calls
    return counts


def _by(rows: list[PathCall], key: str) -> Counter[str]:
    """Nanoseconds by that."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[getattr(row, key)] += round(row.serial_s * 1e9)
    return sums
