"""Recognises the pattern of a trace: the sequence of all steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from weir.distinct import distinct
from weir.pattern import Memory
from weir.trace.model import Trace
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.calls import select_calls
from weir.trace.pattern.operations.files import PatternFile, with_pattern_files
from weir.trace.pattern.operations.opens import settle_modes, with_opens
from weir.trace.pattern.operations.operation import (
    Kind,
    LeftOut,
    Operations,
    barriers_before,
    starts_of_groups,
)
from weir.trace.pattern.operations.order import Order, with_order
from weir.trace.pattern.operations.phases import PhaseNames, with_phases
from weir.trace.pattern.operations.time_in_calls import TimeInCalls, time_in_calls
from weir.trace.pattern.operations.truncations import cuts_of, lost_cuts, without_truncations
from weir.trace.pattern.operations.views import EMPTY, PieceShapes, with_pieces
from weir.trace.pattern.steps.computing import Computing, with_computing
from weir.trace.pattern.steps.find_loops import folded
from weir.trace.pattern.steps.join import (
    barriers_are_global,
    by_rank,
    collectives_are_whole,
    each_alone,
    join_ranks,
    opens_match_closes,
    ranks_together,
    with_opens_split,
)
from weir.trace.pattern.steps.lists import with_lists
from weir.trace.pattern.steps.step import One, Step, What, with_depth_limit
from weir.trace.pattern.steps.unfold import Unfolder
from weir.units import count_words, format_bytes


@dataclass
class Phase:
    """Steps that are measured together."""

    name: str
    collective: bool
    steps: list[Step]


@dataclass
class Recognised:
    """What became of a trace."""

    ranks: int
    phases: list[Phase]
    files: list[PatternFile]
    computing: list[Computing]
    """By class: `length` of a COMPUTE step."""
    operations: int
    """Opens, closes, reads, writes, syncs and reservations of all ranks."""
    interfaces: tuple[str, ...]
    left_out: LeftOut
    needed: list[int]
    """Files that must be there before."""
    shapes: PieceShapes
    inexact: LeftOut
    """Requests whose pieces are not known, by the reason: each is one piece, from its first byte on."""
    made_independent: int
    """Collective requests on files of one rank."""
    in_calls: TimeInCalls
    memory: Memory | None = None
    """That a rank's data lie in; None where it is not known."""
    pauses_left_out_s: float = 0.0
    """Between calls, in seconds, of the rank with most: what no step of computing stands for."""
    not_in_trace: tuple[str, ...] = ()
    """What the trace itself lacks, and bytes in it that are in no operation; in words."""
    lost_cuts: int = 0
    """Calls that empty or shorten a file, which then is longer in the pattern."""

    @property
    def exact(self) -> bool:
        """Does it expand to exactly what the program asked for, but for what moved no bytes?"""
        return not self.reasons

    @property
    def reasons(self) -> list[str]:
        """Why it is not exact, in words."""
        views = [
            f"{count_words(count, 'request')} through views, each taken as one piece from its first byte on, "
            f"since {reason}"
            for reason, count in self.inexact.counts.items()
        ]
        cuts = (
            f"{count_words(self.lost_cuts, 'time')} a file was emptied or shortened, which no step does: "
            "it stays longer than the program's"
        )
        return [*views, *([cuts] if self.lost_cuts else []), *self.not_in_trace]


def recognise(
    trace: Trace,
    interface: str | None = None,
    least_gap_ns: int | None = 1_000_000,
    chosen: Flags | None = None,
) -> Recognised:
    """The trace's operations as a pattern that expands to exactly them. `interface`: whose calls; else the
    program's own. `least_gap_ns`: shorter pauses are no computing; None: none is. `chosen`: which of the
    trace's files alone count; None: all. There are no phases where nothing was done. Raises WeirError if
    there is no such interface."""
    selected = select_calls(trace, interface, chosen)
    ranks = sorted({lane.rank for lane in trace.lanes})
    in_calls = time_in_calls(selected.operations, max(ranks, default=0) + 1)
    operations, shapes, inexact = with_pieces(selected)
    selected.operations = np.zeros(0, operations.dtype)  # they may be large, and others take their place
    cuts = cuts_of(operations)
    memory = _memory(trace, selected.interfaces, operations)
    operations = without_truncations(operations, selected.left_out)
    operations = with_opens(operations, selected.left_out)
    operations = with_phases(operations, selected.collectives, ranks)
    needed = np.isin(operations["file"], settle_modes(operations))
    lost = lost_cuts(operations, cuts)
    count = int(np.count_nonzero((operations["kind"] < Kind.COMPUTE) & (operations["shape"] != EMPTY)))
    order = with_order(operations, shapes)
    files = with_pattern_files(operations, trace.files)
    made_independent = _of_one_rank(operations, files)
    needed_files = distinct(operations["file"][needed]).tolist()
    operations, computing, left_out_s = with_computing(operations, selected.others, least_gap_ns)
    names = PhaseNames(selected.marks, trace.files)
    cuts = operations["kind"] == Kind.CUT
    phases = list(_phases(operations[~cuts] if cuts.any() else operations, names, order))
    return Recognised(
        max(ranks, default=0) + 1,
        phases,
        files,
        computing,
        count,
        selected.interfaces,
        selected.left_out,
        needed_files,
        shapes,
        inexact,
        made_independent,
        in_calls,
        memory,
        pauses_left_out_s=left_out_s,
        not_in_trace=(*trace.inexact, *_lost(selected.lost), *_mapped(selected.mapped)),
        lost_cuts=lost,
    )


_ONE_BUFFER = 64 << 10
"""So much more than two requests may be one buffer: it is counted in blocks."""


def _memory(trace: Trace, interfaces: Sequence[str], operations: Operations) -> Memory | None:
    """Of the rank with most; without bytes where they are hardly more than a request."""
    told = [trace.data_memory[name] for name in interfaces if name in trace.data_memory]
    if not told:
        return None
    most = max(told, key=lambda one: one.bytes)
    moved = operations["length"][operations["kind"] <= Kind.WRITE]
    walks = most.bytes > 2 * int(moved.max(initial=0)) + _ONE_BUFFER
    return most if walks else Memory(in_page=most.in_page)


def _lost(lost: LeftOut) -> Iterator[str]:
    for reason, count in lost.counts.items():
        yield f"{format_bytes(count)} that the program moved are not in the pattern: {reason}"


def _mapped(times: int) -> Iterator[str]:
    if times:
        yield (
            f"{count_words(times, 'time')} a file was mapped into memory: what the program moves through a "
            "mapping is no request, and not in the pattern"
        )


def _of_one_rank(operations: Operations, files: list[PatternFile]) -> int:
    """Makes collective requests on files of one rank independent."""
    alone = np.isin(operations["file"], [number for number, file in enumerate(files) if file.per_rank])
    alone &= operations["collective"] & (operations["kind"] <= Kind.WRITE)
    operations["collective"][alone] = False
    return int(np.count_nonzero(alone))


def _phases(operations: Operations, names: PhaseNames, order: Order) -> Iterator[Phase]:
    if (operations["phase"][1:] < operations["phase"][:-1]).any():
        operations = operations[np.lexsort((operations["rank"], operations["phase"]))]
    bounds = [*starts_of_groups(operations["phase"]).tolist(), len(operations)]
    steps = _steps(operations, cut_at_barriers=False)
    for begin, end in pairwise(bounds):
        one = operations[begin:end]
        moves = one["kind"] <= Kind.WRITE
        collective = bool(moves.any() and one["collective"][moves].all())
        joined = _joined(steps[int(one["phase"][0])], one, order)
        yield Phase(names.of(one), collective, joined)


MOST_CUTS = 10_000
"""Of collective requests of a phase: between more of them, steps are not joined apart."""
OfRanks = list[tuple[Integers, list[Step]]]
"""Ranks that do the same, and their steps. Each rank occurs once."""


def _steps(operations: Operations, *, cut_at_barriers: bool) -> dict[int, OfRanks]:
    """By phase, ranks and their steps; if cut, no step goes beyond a barrier, and `phase` counts what lies
    between."""
    sequence, shapes = folded(operations, cut_at_barriers=cut_at_barriers)
    found: dict[int, OfRanks] = {}
    for phase, ranks, steps in Unfolder(operations, shapes).segments(sequence):
        found.setdefault(phase, []).append((ranks, steps))
    return found


def _joined(of_ranks: OfRanks, operations: Operations, order: Order) -> list[Step]:
    """The steps of all ranks of a phase as one list in which the same ranks open and close a file, and all
    make each barrier. Where joining across barriers does not give that, or ranks wait for some others, steps
    are joined between barriers only; where others' steps would take collective requests apart, between those;
    where all that fails, only equal ones, or none."""
    ranks, together = sum(len(some) for some, _ in of_ranks), ranks_together(operations)
    attempts = (_freely, _between_barriers, _between_collectives, _side_by_side)
    usable: list[Step] = []
    for attempt in attempts[1:] if operations["stage"].any() else attempts:
        if usable and attempt is _side_by_side:
            break
        steps = _usable([by_rank(step) for step in attempt(of_ranks, operations, order)], ranks, together)
        if steps and collectives_are_whole(steps, together):
            usable = steps
            break
        usable = usable or steps
    usable = usable or [by_rank(step) for step in _one_by_one(of_ranks, operations, order)]
    return [part for step in with_lists(usable) for part in with_depth_limit(step)]


def _usable(steps: list[Step], ranks: int, together: Mapping[int, int]) -> list[Step]:
    """Those in which all ranks make each barrier, with opens and closes of the same ranks; none if that is
    not so."""
    if not barriers_are_global(steps, ranks):
        return []
    if not opens_match_closes(steps):
        steps = with_opens_split(steps, together)
    return steps if opens_match_closes(steps) else []


def _freely(of_ranks: OfRanks, operations: Operations, order: Order) -> list[Step]:
    del operations, order
    return join_ranks(steps for _, steps in of_ranks)


def _between_barriers(of_ranks: OfRanks, operations: Operations, order: Order) -> list[Step]:
    del of_ranks
    return [
        step
        for waits, part in _parts(operations, order)
        for step in (*waits, *join_ranks(steps for _, steps in part))
    ]


def _between_collectives(of_ranks: OfRanks, operations: Operations, order: Order) -> list[Step]:
    """Also between the requests that all ranks make together. None where ranks wait for some others, or
    there are too many."""
    del of_ranks, order
    together = operations["collective"] & (operations["kind"] <= Kind.WRITE)
    first = starts_of_groups(operations["rank"])
    counts = np.add.reduceat(together, first, dtype=np.int64)
    if operations["stage"].any() or (counts != counts[0]).any() or counts[0] > MOST_CUTS:
        return []
    cut = operations.copy()
    alone = together | (operations["kind"] == Kind.BARRIER)
    before = np.cumsum(alone) - alone
    cut["phase"] = 2 * (before - np.repeat(before[first], np.diff(np.append(first, len(cut))))) + alone
    cut = cut[np.lexsort((cut["rank"], cut["phase"]))]
    found = _steps(cut, cut_at_barriers=True)
    return [step for part in sorted(found) for step in join_ranks(steps for _, steps in found[part])]


def _side_by_side(of_ranks: OfRanks, operations: Operations, order: Order) -> list[Step]:
    """The steps of ranks that do the same after those of others, between barriers."""
    del of_ranks
    return [
        step
        for waits, part in _parts(operations, order)
        for step in (*waits, *(_barrier(part) or [s for _, own in part for s in own]))
    ]


def _one_by_one(of_ranks: OfRanks, operations: Operations, order: Order) -> list[Step]:
    """The steps of each rank after those of others, between barriers."""
    del of_ranks
    return [
        step
        for waits, part in _parts(operations, order)
        for step in (*waits, *(_barrier(part) or [s for ranks, own in part for s in each_alone(own, ranks)]))
    ]


def _parts(operations: Operations, order: Order) -> Iterator[tuple[list[Step], OfRanks]]:
    """Ranks and their steps between barriers, stage by stage, each with those for which ranks wait before;
    and barriers by themselves."""
    before = barriers_before(operations, starts_of_groups(operations["rank"]))
    phase, stages = int(operations["phase"][0]), int(operations["stage"].max()) + 1
    cut = operations.copy()
    cut["phase"] = (2 * before + (operations["kind"] == Kind.BARRIER)) * stages + operations["stage"]
    cut = cut[np.lexsort((cut["rank"], cut["phase"]))]
    found = _steps(cut, cut_at_barriers=True)
    for part in sorted(found):
        barriers, stage = divmod(part, stages)
        waits = order.at((phase, barriers // 2, stage)) if barriers % 2 == 0 else []
        yield [_wait(ranks) for ranks in waits], found[part]


def _wait(ranks: list[int]) -> Step:
    """These wait for each other."""
    return One(What(Kind.ORDER, 0, 0, 0), np.array(ranks), np.zeros(len(ranks), np.int64))


def _barrier(part: OfRanks) -> list[Step] | None:
    if all(len(s) == 1 and isinstance(s[0], One) and s[0].what.kind == Kind.BARRIER for _, s in part):
        return join_ranks(steps for _, steps in part)
    return None
