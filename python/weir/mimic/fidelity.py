"""How faithful an imitation is, from 0 to 1, and what it loses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log2, prod

from weir.mimic.asked import Asked
from weir.mimic.choose import follows, made_jumps
from weir.mimic.parameters import Parameters
from weir.units import count_words, format_bytes, format_share

PER_DOUBLING = 2
"""A request of another size counts 1 / (1 + this often the doublings between the two): 0.97 where they are 80
and 81, a third where one is twice as long."""
FEW_SIZES = 6
"""Requests of more sizes than these are of random sizes, unless a few sizes have most of the bytes."""
MOST_OF_BYTES = 0.75
"""A few kinds of requests that have this share of the bytes stand for all."""
ALIKE = 1.1
"""Sizes no farther apart than this factor are nearly one: parts of an array that does not divide evenly."""
OF_RANDOM_SIZES = 0.5
"""No imitation of random sizes is more faithful."""
SAME_BYTES, OTHER_RANKS, MESSAGES, ASYNCHRONOUS, SCATTERED = 0.5, 0.95, 0.95, 0.5, 0.9
"""What is left where all ranks access the same bytes, others than the first ranks take part, ranks send
messages between requests, requests are asynchronous, an order is only alike."""


class Aspect(StrEnum):
    """What a fidelity is of; `OTHER` carries no bytes."""

    SIZE = "request size"
    ORDER = "order"
    SHARING = "sharing"
    SYNC = "sync"
    CONCURRENCY = "concurrency"
    OTHER = "other"


MEASURED = tuple(aspect for aspect in Aspect if aspect is not Aspect.OTHER)


@dataclass(frozen=True)
class Loss:
    """Something that the parameters cannot express. `left` is what of the aspect's fidelity is left, 1 for
    what has no bytes."""

    aspect: Aspect
    what: str
    left: float = 1.0


@dataclass(frozen=True)
class Fidelity:
    """Of each aspect, from 0 to 1; `overall` is their product."""

    of: tuple[float, ...]
    overall: float

    def as_data(self) -> dict[str, float]:
        """For `--json`."""
        named = {aspect.replace(" ", "_"): value for aspect, value in zip(MEASURED, self.of, strict=True)}
        return {"overall": self.overall, **named}


def fidelity_of(losses: Iterable[Loss]) -> Fidelity:
    """What these losses leave of one access."""
    losses = list(losses)
    of = tuple(prod(loss.left for loss in losses if loss.aspect is aspect) for aspect in MEASURED)
    return Fidelity(of, prod(of))


def together(several: Sequence[tuple[Fidelity, float]]) -> Fidelity:
    """The mean by weights, which are bytes; whole where there is nothing to imitate."""
    weights = sum(weight for _, weight in several)
    if not weights:
        return Fidelity((1.0,) * len(MEASURED), 1.0)
    # Without rounding an exact imitation would not be exactly 1.
    means = [
        round(sum(fidelity.of[at] * weight for fidelity, weight in several) / weights, 12)
        for at in range(len(MEASURED))
    ]
    overall = sum(fidelity.overall * weight for fidelity, weight in several) / weights
    return Fidelity(tuple(means), round(overall, 12))


def losses_of(asked: Asked, made: Parameters, regions: int = 1) -> list[Loss]:
    """What parameters lose of an access, seen alone: what stands around it is for `derive` to say.
    `regions`: of how many of its blocks each rank's part has room."""
    found = [*_of_sizes(asked, made), *_of_order(asked, made, regions), *_of_sharing(asked, made)]
    return [loss for loss in found if loss is not None]


def has_random_sizes(asked: Asked) -> bool:
    """Are there so many sizes that no few parameters say them?"""
    sizes = dict(asked.sizes)
    if len(sizes) <= FEW_SIZES or max(sizes) <= ALIKE * max(min(sizes), 1):
        return False
    greatest = sorted((size * count for size, count in asked.sizes), reverse=True)[: FEW_SIZES - 1]
    return sum(greatest) < MOST_OF_BYTES * asked.bytes


def _of_sizes(asked: Asked, made: Parameters) -> list[Loss | None]:
    size = made.transfer
    if not asked.bytes or asked.sizes == ((size, asked.requests),):
        return []
    alike = sum(each * count * _alike(each, size) for each, count in asked.sizes) / asked.bytes
    least, most = asked.sizes[0][0], asked.sizes[-1][0]
    range_ = format_bytes(least) if least == most else f"{format_bytes(least)} to {format_bytes(most)}"
    words = f"requests of {range_} are made as {format_bytes(size)} each"
    if has_random_sizes(asked):
        words = (
            f"no parameters imitate requests of random sizes ({len(asked.sizes):,} sizes, {range_}): all "
            f"are made as {format_bytes(size)}, which has neither the small ones' cost nor the large ones' "
            "speed"
        )
        alike = min(alike, OF_RANDOM_SIZES)
    return [Loss(Aspect.SIZE, words, alike)]


def _alike(one: int, other: int) -> float:
    return 1 / (1 + PER_DOUBLING * abs(log2(one / other))) if one and other else 0.0


def _of_order(asked: Asked, made: Parameters, regions: int) -> list[Loss | None]:
    asked_kind = asked.access.order.kind if asked.access.order else "sequential"
    if made.offsets in ("random", "random-partition"):
        everything, drawn = asked.nest.pieces, made.nest().pieces
        left = min(everything, drawn) / max(everything, drawn, 1)
        words = f"places are drawn among {drawn:,} pieces, not {everything:,}"
        return [Loss(Aspect.ORDER, words, left) if left < 1 else None]
    left = follows(asked.jumps, made_jumps(made))
    if made.offsets == "shuffled" and asked_kind != "shuffled":
        return [Loss(Aspect.ORDER, "a listed order that leads to and fro is made in random order", SCATTERED)]
    if left == 1:
        return [_of_gaps(asked, made.nest(regions).rank_stride)]
    return [Loss(Aspect.ORDER, f"{_way(asked)}; the benchmark's {_made_way(made)}", left)]


def _way(asked: Asked) -> str:
    gaps = sum(times for distance, times in asked.jumps if distance)
    whole = sum(times for _, times in asked.jumps)
    displaced = len(asked.nest.rank_levels) > 1
    lie = (
        f"a rank's pieces lie {gaps + 1:,} times apart in {whole + 1:,}" if gaps else "they lie side by side"
    )
    return f"{lie}, ranks displaced in {len(asked.nest.rank_levels)} levels" if displaced else lie


def _made_way(made: Parameters) -> str:
    if made.offsets == "strided":
        return "alternate with those of the other ranks, evenly"
    if made.segments > 1:
        return f"lie side by side in {count_words(made.segments, 'segment')}"
    return "lie side by side"


def _of_gaps(asked: Asked, made_stride: int | None) -> Loss | None:
    """Ranks farther apart than their parts are long: a file with holes, which the benchmark's has not."""
    stride = asked.nest.rank_stride
    own = asked.nest.reach
    if stride is None or made_stride is None or asked.alone or stride <= max(own, made_stride):
        return None
    share = 1 - max(own, made_stride) / stride
    words = f"{format_share(share)} of the way from rank to rank is left free; the benchmark leaves nothing"
    return Loss(Aspect.ORDER, words, 1 - share / 10)


def _of_sharing(asked: Asked, made: Parameters) -> list[Loss | None]:
    stride = asked.nest.rank_stride
    drawn = made.offsets in ("random", "random-partition")
    if asked.alone or asked.ranks == 1 or drawn or asked.seen_jumps is not None or not asked.bytes:
        return []
    same = not asked.nest.rank_levels or (stride is not None and abs(stride) < asked.nest.length)
    words = "ranks access the same bytes; the benchmark's ranks each have their own"
    return [Loss(Aspect.SHARING, words, SAME_BYTES) if same else None]
