"""Rounds of messages: those of one are under way together, and a rank begins the next when it has its own.

Neighbouring steps of messages are one exchange, for the engine and for the simulator. What separates two
rounds is a step that is no message; the least is rank 0 computing for no time: nobody waits by it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from weir.pattern import Compute, RankSet, Send, Step
from weir.simulate.functions import Call

Pairs = Sequence[tuple[int, int]]
"""From which rank to which."""
APART = Step(compute=Compute(time_s=0, ranks=RankSet(first=0, count=1, step=1)))


def rounds(each: Iterable[list[Step]]) -> list[Step]:
    """These rounds one after another, those without a step left out."""
    found: list[Step] = []
    for steps in each:
        if steps:
            found += [*([APART] if found else []), *steps]
    return found


def sends(pairs: Pairs, size: int) -> list[Step]:
    """A message of that size for each pair. Pairs whose ranks go on by the same steps are one step of a
    pattern: the order of the pairs decides how many there are."""
    return [
        Step(
            send=Send(
                from_=RankSet(first=run[0][0], count=len(run), step=_step(run, 0)),
                to=RankSet(first=run[0][1], count=len(run), step=_step(run, 1)),
                bytes=size,
            )
        )
        for run in _runs(pairs)
    ]


def _step(run: Pairs, end: int) -> int:
    return run[1][end] - run[0][end] if len(run) > 1 else 1


def _runs(pairs: Pairs) -> Iterator[list[tuple[int, int]]]:
    run: list[tuple[int, int]] = []
    for pair in pairs:
        step = (pair[0] - run[-1][0], pair[1] - run[-1][1]) if run else (0, 0)
        if len(run) == 1:
            fits = min(step) > 0
        else:
            fits = bool(run) and step == (run[1][0] - run[0][0], run[1][1] - run[0][1])
        if run and not fits:
            yield run
            run = []
        run.append(pair)
    if run:
        yield run


def shifted(ranks: int, by: int, size: int) -> list[Step]:
    """Each rank sends to the one so far behind it, in a circle."""
    by %= ranks
    return sends([(rank, (rank + by) % ranks) for rank in range(ranks)], size)


def swapped(places: Sequence[int], distance: int, size: int) -> list[Step]:
    """Ranks, of which these are a power of two, exchange with the one whose place differs in that bit."""
    lower = [place for place in range(len(places)) if not place & distance]
    orders = (lower, sorted(lower, key=lambda place: (place % distance, place)))
    found = []
    for order in orders:
        there = [(places[place], places[place | distance]) for place in order]
        back = [(other, rank) for rank, other in there]
        found.append([*sends(there, size), *sends(back, size)])
    return min(found, key=len)


def combined(call: Call, size: int, ranks: Sequence[int] = ()) -> list[Step]:
    """These ranks, or all, make so many bytes of results from what they have and what came."""
    if call.beside.combine is None or size == 0:
        return []
    sets = [send.send.from_ for send in sends([(rank, rank) for rank in ranks], 0) if send.send]
    time = call.beside.combine(size)
    return [Step(compute=Compute(time_s=time, ranks=sets) if sets else Compute(time_s=time))]


def just_combined(call: Call, size: int) -> list[Step]:
    """What messages of so many bytes take longer that were just combined; twice, since the processor that has
    read them has to give them up again before they are combined the next time."""
    if call.beside.fresh is None or size == 0:
        return []
    return [Step(compute=Compute(time_s=2 * call.beside.fresh(size)))]


def copied(call: Call, size: int, of: int = 1) -> Iterator[list[Step]]:
    """A round in which all ranks copy so many bytes of their own, one of several parts of a buffer; none if
    that takes no time."""
    if call.beside.copy is not None:
        yield [Step(compute=Compute(time_s=call.beside.copy(size * of) / of))]


def rooted(call: Call) -> Iterator[list[Step]]:
    """A round for what a function from or to one rank takes beside its messages; none if nothing."""
    if call.beside.rooted is not None:
        yield [Step(compute=Compute(time_s=call.beside.rooted))]


def power_below(ranks: int) -> int:
    """The largest power of two that is not more."""
    return 1 << (ranks.bit_length() - 1)


def is_power(ranks: int) -> bool:
    """A power of two?"""
    return ranks == power_below(ranks)


def distances(ranks: int) -> list[int]:
    """1, 2, 4, ... below that."""
    return [1 << bit for bit in range((ranks - 1).bit_length())]


def parts(size: int, ranks: int) -> int:
    """Bytes of the largest of so many parts."""
    return -(-size // ranks)


def joined(*each: Iterable[list[Step]]) -> Iterator[list[Step]]:
    """The rounds of several algorithms, one after another."""
    return chain(*each)


def placed(ranks: int, root: int, place: int) -> int:
    """The rank at that place behind the root."""
    return (root + place) % ranks
