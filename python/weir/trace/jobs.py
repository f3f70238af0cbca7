"""Jobs of one launch: MPI_Comm_spawn starts processes with an MPI_COMM_WORLD, and so ranks, of their own."""

import re
from collections.abc import Iterator, Sequence

from .trace import Process

_MOST = 2**31
"""More ranks are no job's: the trace is damaged."""
_RANKS = re.compile(r"(\d+)(?:-(\d+))?(:\d+)?")


def job_of(process: Process) -> int:
    """Its job's number, which means nothing; 0: it is not known."""
    return int(process.facts.get("job", 0))


def first_ranks(found: Sequence[Process]) -> dict[int, int]:
    """The number in the trace of each job's rank 0, in the order in which jobs began."""
    ranked = [process for process in found if process.facts.get("rank", -1) >= 0]
    firsts: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for process in sorted(ranked, key=lambda one: int(one.facts.get("real_ns", 0))):
        job = job_of(process)
        size = max(process.facts["rank"] + 1, int(process.facts.get("ranks", 0)))
        sizes[job] = max(sizes.get(job, 0), min(size, _MOST))
    before = 0
    for job, size in sizes.items():
        firsts[job] = before
        before += size
    return firsts


def note_of_jobs(firsts: dict[int, int]) -> Iterator[str]:
    """What is to be said where there are several."""
    if len(firsts) > 1:
        later = ", ".join(f"{first:,}" for first in list(firsts.values())[1:5])
        yield (
            f"Processes of {len(firsts):,} worlds of MPI: ranks of those that were started later "
            f"(MPI_Comm_spawn) are counted on, from {later} on."
        )


def shifted(ranks: str, first: int) -> str:
    """The ranks of a communicator, `0-3,8` or `0-6:2`, as they are counted in the trace."""
    if first == 0:
        return ranks

    def on(match: re.Match[str]) -> str:
        last = "" if match[2] is None else f"-{int(match[2]) + first}"
        return f"{int(match[1]) + first}{last}{match[3] or ''}"

    return _RANKS.sub(on, ranks)
