"""Which parameters imitate one access best."""

import dataclasses
from collections.abc import Iterator

from msgspec import UNSET

from weir.mimic.asked import Asked
from weir.mimic.nests import Jumps, adjacent, jumps, times
from weir.mimic.parameters import WORD, Offsets, Parameters, SyncWhen

SEED = 1
"""Of an order that a pattern does not draw but lists."""


def choose(asked: Asked, sync: SyncWhen | None, *, collective: bool = False) -> Parameters:
    """The parameters whose requests follow each other most as those of the access do, for as many requests
    of the mean size. `collective`: the whole phase is."""
    transfer = transfer_of(asked)
    each = max(1, round(asked.requests / asked.ranks))
    access = asked.access
    order = access.order.kind if access.order else "sequential"
    plain = Parameters(
        verb=access.verb,
        ranks=asked.ranks,
        layout="file-per-process" if asked.alone else "shared",
        block=each * transfer,
        transfer=transfer,
        sync=("write" if access.sync_each else sync) if access.verb in ("write", "mixed") else None,
        collective=collective or access.collective,
        together=access.together,
        read_percent=access.read_percent or None if access.verb == "mixed" else None,
        think_time_s=access.pace.think_s if access.pace else 0.0,
        rate_bytes_per_s=access.pace.most_bytes_per_s if access.pace else 0,
        seed=access.order.seed if access.order and access.order.seed is not UNSET else None,
    )
    if transfer == 0:
        return dataclasses.replace(plain, segments=each)
    if order in ("random", "random-partition"):
        return dataclasses.replace(plain, offsets=order)
    if order == "shuffled" or (_leaps(asked.jumps) and not access.together):
        offsets: Offsets = "random" if asked.is_drawn else "shuffled"
        plain = dataclasses.replace(plain, offsets=offsets, seed=SEED if plain.seed is None else plain.seed)
    # Of equally good ones the first, the simplest.
    return max(_candidates(plain, asked), key=lambda one: follows(asked.jumps, made_jumps(one)))


def transfer_of(asked: Asked) -> int:
    """The mean size of its requests, as a benchmark can have it."""
    mean = asked.bytes / max(asked.requests, 1)
    return max(WORD, round(mean / WORD) * WORD) if mean else 0


def _candidates(plain: Parameters, asked: Asked) -> Iterator[Parameters]:
    yield plain
    each = plain.block // plain.transfer
    if plain.layout == "file-per-process" or plain.ranks == 1 or each == 1:
        return
    side = adjacent(asked.nest)
    if side > 1 and each % side == 0:
        yield dataclasses.replace(plain, block=side * plain.transfer, segments=each // side)
    if plain.offsets == "sequential":
        yield dataclasses.replace(plain, offsets="strided")
    else:
        yield dataclasses.replace(plain, block=plain.transfer, segments=each)


def made_jumps(parameters: Parameters) -> Jumps:
    """Between a rank's requests of a case of these parameters, in the order of the file; of all ranks
    together."""
    nest = parameters.nest()
    return times(jumps(nest.levels, nest.length), parameters.ranks)


def follows(asked: Jumps, made: Jumps) -> float:
    """How alike two sets of jumps are, from 0 to 1, however many there are of each. Equal ones count whole;
    two gaps that differ count at least half, more the nearer they are; a gap and none count nothing."""
    total, made_total = (sum(n for _, n in found) for found in (asked, made))
    if total == 0:
        return 1.0
    if made_total == 0:  # one request a rank is contiguous
        return dict(asked).get(0, 0) / total
    left = {distance: n / total for distance, n in asked}
    open_ = {distance: n / made_total for distance, n in made}
    if left == open_:
        return 1.0
    score = 0.0
    for distance in left.keys() & open_.keys():
        same = min(left[distance], open_[distance])
        score += same
        left[distance] -= same
        open_[distance] -= same
    gaps = sum(n for distance, n in left.items() if distance > 0)
    made_gaps = sum(n for distance, n in open_.items() if distance > 0)
    if gaps and made_gaps:
        one = sum(distance * n for distance, n in left.items() if distance > 0) / gaps
        other = sum(distance * n for distance, n in open_.items() if distance > 0) / made_gaps
        score += min(gaps, made_gaps) * (0.5 + 0.5 * min(one, other) / max(one, other))
    return min(score, 1.0)


def _leaps(found: Jumps) -> bool:
    """Do most jumps lead backwards, as where places are random?"""
    back = sum(n for distance, n in found if distance < 0)
    return back * 4 > sum(n for _, n in found)
