"""What an imitation may lose, and how much of its fidelity that leaves: a judgement, not measured."""

from dataclasses import dataclass
from enum import StrEnum

from weir.units import format_share

ALMOST_ALL = 0.995

SAME_BYTES, OTHER_RANKS, MESSAGES, ASYNCHRONOUS, SCATTERED, HOLES = 0.5, 0.95, 0.95, 0.5, 0.9, 0.9
"""What is left where all ranks access the same bytes, other ranks take part, ranks send messages between
requests, requests are asynchronous, an order is only alike, nearly all of a file is holes."""


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


def holes(words: str, share: float) -> Loss:
    """What is lost where this share of a way is left free."""
    return Loss(Aspect.ORDER, f"{words}; the benchmark leaves nothing", 1 - share * (1 - HOLES))


def share_words(share: float) -> str:
    """ "all", "almost all", "33 %"."""
    if share >= ALMOST_ALL:
        return "all" if share == 1 else "almost all"
    return format_share(share)
