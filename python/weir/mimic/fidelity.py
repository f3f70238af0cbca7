"""How faithful an imitation is, from 0 to 1, and what it loses."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log2, nextafter, prod

from weir.mimic.asked import Asked
from weir.mimic.choose import follows, made_jumps
from weir.mimic.losses import MEASURED, SCATTERED, Aspect, Loss, share_words
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


@dataclass(frozen=True)
class Fidelity:
    """Of each aspect, from 0 to 1. `overall` of one access is their product; of several, each number is the
    mean of theirs by bytes, so that `overall` is less than the product of the means or more."""

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
    if not sum(weight for _, weight in several):
        return Fidelity((1.0,) * len(MEASURED), 1.0)
    weights = [weight for _, weight in several]
    means = [_mean([fidelity.of[at] for fidelity, _ in several], weights) for at in range(len(MEASURED))]
    return Fidelity(tuple(means), _mean([fidelity.overall for fidelity, _ in several], weights))


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """1 only where all are, whatever is rounded."""
    if min(values) == max(values):
        return values[0]
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)
    return min(mean, nextafter(1.0, 0.0))


def losses_of(asked: Asked, made: Parameters) -> list[Loss]:
    """What parameters lose of the sizes and the order of one access, seen alone."""
    return [loss for loss in (_of_sizes(asked, made), _of_order(asked, made)) if loss is not None]


def has_random_sizes(asked: Asked) -> bool:
    """Are there so many sizes that no few parameters say them?"""
    sizes = dict(asked.sizes)
    if len(sizes) <= FEW_SIZES or max(sizes) <= ALIKE * max(min(sizes), 1):
        return False
    greatest = sorted((size * count for size, count in asked.sizes), reverse=True)[: FEW_SIZES - 1]
    return sum(greatest) < MOST_OF_BYTES * asked.bytes


def _of_sizes(asked: Asked, made: Parameters) -> Loss | None:
    size = made.transfer
    if asked.sizes == ((size, asked.requests),) and asked.bytes == made.bytes:
        return None
    alike = sum(each * count * _alike(each, size) for each, count in asked.sizes) / asked.bytes
    least, most = asked.sizes[0][0], asked.sizes[-1][0]
    as_one = told_apart(least, size)
    range_ = as_one(least) if least == most else f"{format_bytes(least)} to {format_bytes(most)}"
    moved = made.bytes / asked.bytes - 1
    words = f"requests of {range_} are made as {as_one(size)} each"
    if least == most == size:
        numbers = f"{made.ranks * made.requests:,} requests are made in place of {asked.requests:,}"
        words = f"{numbers}, of {range_} each"
    if has_random_sizes(asked):
        words = (
            f"no parameters imitate requests of random sizes ({len(asked.sizes):,} sizes, {range_}): all "
            f"are made as {format_bytes(size)}, which has neither the small ones' cost nor the large ones' "
            "speed"
        )
        alike = min(alike, OF_RANDOM_SIZES)
    if moved:
        words += f"; {format_share(abs(moved))} {'more' if moved > 0 else 'fewer'} bytes are moved"
    return Loss(Aspect.SIZE, words, min(alike, made.bytes / asked.bytes, asked.bytes / made.bytes))


def told_apart(one: int, other: int) -> Callable[[int], str]:
    """How sizes are written so that these two, if they differ, read differently."""
    return format_bytes if one == other or format_bytes(one) != format_bytes(other) else exact_bytes


def exact_bytes(size: int) -> str:
    """All digits: "11,213 B"."""
    return f"{size:,} B"


def _alike(one: int, other: int) -> float:
    return 1 / (1 + PER_DOUBLING * abs(log2(one / other))) if one and other else 0.0


def _of_order(asked: Asked, made: Parameters) -> Loss | None:
    asked_kind = asked.access.order.kind if asked.access.order else "sequential"
    if made.offsets in ("shuffled", "random") and asked_kind not in ("shuffled", "random"):
        return Loss(Aspect.ORDER, "a listed order that leads to and fro is made in random order", SCATTERED)
    if made.offsets in ("random", "random-partition"):
        everything, drawn = asked.nest.pieces, made.nest().pieces
        left = min(everything, drawn) / max(everything, drawn, 1)
        words = f"places are drawn among {drawn:,} pieces, not {everything:,}"
        return Loss(Aspect.ORDER, words, left) if left < 1 else None
    left = follows(asked.jumps, made_jumps(made))
    return (
        None if left == 1 else Loss(Aspect.ORDER, f"{_way(asked)}; the benchmark's {_made_way(made)}", left)
    )


def _way(asked: Asked) -> str:
    apart = sum(n for distance, n in asked.jumps if distance)
    whole = sum(n for _, n in asked.jumps)
    displaced = len(asked.nest.rank_levels) > 1
    lie = f"{share_words(apart / whole)} of a rank's pieces lie apart" if apart else "they lie side by side"
    return f"{lie}, ranks displaced in {len(asked.nest.rank_levels)} levels" if displaced else lie


def _made_way(made: Parameters) -> str:
    if made.offsets == "strided":
        return "alternate with those of the other ranks, evenly"
    if made.segments > 1:
        return f"lie side by side in {count_words(made.segments, 'segment')}"
    return "lie side by side"
