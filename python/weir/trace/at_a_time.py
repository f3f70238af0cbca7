"""How many threads of each rank ran at a time: those of one process do, but a shell waits for the programs
that it starts, which follow each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from weir.trace.process import Process


@dataclass(frozen=True)
class _Span:
    """A program image while it was there."""

    process: Process
    ended_ns: int

    @property
    def began_ns(self) -> int:
        return self.process.began_ns

    @property
    def threads(self) -> int:
        """That made calls."""
        return sum(len(stream.records) > 0 for stream in self.process.streams)

    def is_child_of(self, other: "_Span") -> bool:
        one, above = self.process, other.process
        return one.host == above.host and one.facts.get("parent") == above.facts.get("process") is not None


def threads_at_a_time(processes: Sequence[tuple[int, Process]], run_ended_ns: int) -> dict[int, float]:
    """For each rank, the mean number of its threads that ran at a time, at least that of any of its
    processes. A process's first thread does not count while it has a child: it waits, as shells do."""
    spans: dict[int, list[_Span]] = {}
    next_began: dict[tuple[object, ...], int] = {}
    for rank, process in sorted(processes, key=lambda one: one[1].began_ns, reverse=True):
        ended = process.ended_ns or next_began.get(process.identity, run_ended_ns)
        next_began[process.identity] = process.began_ns
        spans.setdefault(rank, []).append(_Span(process, max(ended, process.began_ns)))
    return {
        rank: max(1.0, _mean(of_rank), *(one.threads for one in of_rank)) for rank, of_rank in spans.items()
    }


def _mean(spans: Sequence[_Span]) -> float:
    whole = max(one.ended_ns for one in spans) - min(one.began_ns for one in spans)
    if whole <= 0 or len(spans) == 1:
        return 1.0
    parents = {one.process.facts.get("parent") for one in spans}
    ran = 0
    for one in spans:
        ran += one.threads * (one.ended_ns - one.began_ns)
        if one.threads and one.process.facts.get("process") in parents:
            children = (other for other in spans if other is not one and other.is_child_of(one))
            there = ((child.began_ns, child.ended_ns) for child in children)
            ran -= sum(end - begin for begin, end in covered(one.began_ns, one.ended_ns, there))
    return ran / whole


def covered(begin: int, end: int, by: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """When, between begin and end, at least one of these spans was there too: spans that lie apart."""
    until = begin
    for began, ended in sorted(by):
        since, to = max(began, until), min(ended, end)
        if since < to:
            yield since, to
            until = to
