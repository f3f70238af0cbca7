"""The implementations of MPI-IO against each other, and what the kernel's counts say about the difference."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.detail import Counts
from weir.figures.figure import Card, Finding, Panel
from weir.questions.comparison import finding_of, place_by, strategy_panels
from weir.questions.question import figure
from weir.results.pairing import Ratio, pairs
from weir.results.row import Row
from weir.results.words import capital, join_words, mpi_io_words, times_words
from weir.units import count_words, format_bytes, format_seconds, significant

REFERENCE = "romio"
ALIKE_BELOW = 1.25
"""Counts that differ by a smaller factor are called alike: they explain nothing."""
IGNORED = frozenset({"mpi_io", "env"})


def judge_mpi_io(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The others against ROMIO, and behind each sure difference the requests, ranks and waiting."""
    found = pairs(
        rows, IGNORED, lambda row: row.mpi_io not in (None, REFERENCE), lambda row: row.mpi_io == REFERENCE
    )
    if not found:
        return None
    finding = finding_of(found, rows, IGNORED, mpi_io_words)
    at = place_by(found, IGNORED)
    explained = [explain(ratio, at(ratio.one)) for ratio in found if ratio.differs]
    if not explained:
        return finding
    return replace(finding, sentences=tuple(explained), details=finding.sentences)


def explain(ratio: Ratio, at: str) -> str:
    """What the slower one did more of, by the counts; or that they show nothing of the kind."""
    slow, fast = (ratio.one, ratio.other) if ratio.ratio < 1 else (ratio.other, ratio.one)
    times = times_words(max(ratio.ratio, 1 / ratio.ratio))
    where = f"{capital(slow.phase)}{at}: {mpi_io_words(slow)} takes {times} as long as {mpi_io_words(fast)}"
    if slow.detail.counts is None or fast.detail.counts is None:
        return f"{where}; the kernel's counts are not known, so the cause is unknown."
    asked = _asked(slow, slow.detail.counts, fast.detail.counts)
    waited = _waited(slow.detail.counts, fast.detail.counts)
    if not asked and not waited:
        return (
            f"{where}, and the counts do not explain it: requests, bytes, ranks, switches and processor time "
            f"are within {times_words(ALIKE_BELOW)} of each other, or smaller."
        )
    told = f"{where}. It {join_words([*asked, *waited])}."
    if not asked:
        told += (
            " Both asked the same of the storage: the difference lies in what the ranks compute, and in "
            "how long they wait for each other."
        )
    return told


def _asked(row: Row, slow: Counts, fast: Counts) -> list[str]:
    """What the slower one asked of the storage beyond the faster."""
    found = []
    if times := _more(slow.requests, fast.requests):
        found.append(f"made {times} the requests ({_requests(slow)} against {_requests(fast)})")
    if times := _more(slow.request_bytes, fast.request_bytes):
        moved = _against(slow.request_bytes, fast.request_bytes, format_bytes)
        found.append(f"moved {times} the bytes ({moved})")
    if slow.ranks is not None and fast.ranks is not None and slow.ranks != fast.ranks:
        verb = "wrote" if row.direction == "write" else "read"
        found.append(f"{verb} through {_ranks(slow.ranks)} instead of {fast.ranks:g}")
    if row.options.get("collective") and (times := _more(slow.rounds, fast.rounds)):
        rounds = _against(slow.rounds, fast.rounds, significant)
        found.append(
            f"took {times} the rounds (requests of an active rank for each collective call: {rounds})"
        )
    return found


def _waited(slow: Counts, fast: Counts) -> list[str]:
    """How the slower one's ranks waited and computed beyond the faster's."""
    found = []
    if times := _more(slow.switches, fast.switches):
        switches = _against(slow.switches, fast.switches, _whole)
        found.append(f"switched between ranks on a core {times} as often (context switches: {switches})")
    if times := _more(slow.cpu_s, fast.cpu_s):
        found.append(f"used {times} the processor time ({_against(slow.cpu_s, fast.cpu_s, format_seconds)})")
    return found


def _more(slow: float | None, fast: float | None) -> str:
    """ "8.00 times" where the slower one has surely more; else empty."""
    if slow is None or fast is None or slow < ALIKE_BELOW * fast or slow == 0:
        return ""
    return times_words(slow / fast) if fast else "many times"


def _against(one: float | None, other: float | None, show: Callable[[float], str]) -> str:
    return f"{show(one or 0.0)} against {show(other or 0.0)}"


def _requests(counts: Counts) -> str:
    size = counts.bytes_a_request
    return _whole(counts.requests or 0.0) + (f" of {format_bytes(size)}" if size else "")


def _ranks(number: float) -> str:
    return count_words(int(number), "rank") if number == int(number) else f"{number:g} ranks"


def _whole(number: float) -> str:
    return f"{number:,.0f}"


@figure("mpi-io", judge_mpi_io)
def mpi_io(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads; the counts behind them are in the words."""
    return strategy_panels(rows, mpi_io_words, IGNORED)
