"""I/O that one rank does while the others wait."""

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.critical_path.rows import MOSTLY, CriticalPath, PathCall
from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.units import count_words, format_seconds, format_share

LEAST_OF_RUN = 0.02
"""Below, ranks of a balanced program come as late by chance."""
ONE_RANK = 0.75
"""Of such time: then it is one rank's, else that of ranks in turn."""
MOST_NAMED = 2


@rule(
    f"on the critical path, ranks make I/O calls while at least {format_share(MOSTLY)} of the other "
    f"ranks wait, for at least {format_share(LEAST_OF_RUN)} of the run; of Weir's traces, since other logs "
    "do not tell who waits",
    "Weir: such time counts fully, however many ranks share the mean",
)
def serial(summary: TraceSummary) -> Iterator[Remark]:
    """Of the rank with most of it, or of all that do so in turn."""
    path = summary.path
    alone = sorted(
        (rank for rank in path.ranks if rank.alone_s > 0) if path else (), key=lambda rank: -rank.alone_s
    )
    if path is None or not alone or path.alone_s < LEAST_OF_RUN * summary.head.run_s:
        return
    first, whole = alone[0], path.alone_s
    others = summary.head.ranks - 1
    if first.alone_s >= ONE_RANK * whole:
        rest = "the other rank waits" if others == 1 else f"the other {others:,} ranks wait"
        yield Remark(
            f"Rank {first.rank} is in I/O calls for {format_seconds(first.alone_s)} while {rest}"
            f"{_most(path, [first.rank])}.",
            "What one rank does while others wait counts fully.",
            "Give each rank a part of it, or let the others go on meanwhile.",
            first.alone_s,
        )
        return
    yield Remark(
        f"{count_words(len(alone), 'rank')} are in I/O calls one after another, {format_seconds(whole)} in "
        f"all, while the others wait{_most(path, [rank.rank for rank in alone])}.",
        "What one rank does while others wait counts fully.",
        "Let ranks write at the same time: each to its part of a file, or by collective calls.",
        whole,
    )


def _most(path: CriticalPath, ranks: list[int]) -> str:
    """The calls with most of it, and where: ": 60,000 fflush (51.0 ms) in log.txt"."""
    rows = [row for row in path.calls if row.serial_s > 0 and row.rank in ranks]
    if not rows:
        return ""
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.name] += row.calls
    took = _by(rows, "name")
    told = [
        f"{counts[name]:,} {name} ({format_seconds(ns / 1e9)})" for name, ns in took.most_common(MOST_NAMED)
    ]
    files = [name for name, _ in _by(rows, "file").most_common() if name]
    where = f", {'most' if len(files) > 1 else 'all'} in {PurePath(files[0]).name}" if files else ""
    return f": {' and '.join(told)}{where}"


def _by(rows: list[PathCall], key: str) -> Counter[str]:
    """Nanoseconds by that."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[getattr(row, key)] += round(row.serial_s * 1e9)
    return sums
