"""What a pattern asks for, by phase and direction. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec import UNSET

from weir.mimic.choose import transfer_of
from weir.mimic.imitation import Imitation, Made, Phase
from weir.pattern import Access, Step
from weir.predict.passes import READ, WRITE

Key = tuple[str, str]
"""A phase and a direction."""


@dataclass(frozen=True)
class Volume:
    """Of all ranks, in bytes. `as_made`: what as many requests have in the size in which they are imitated;
    the bytes themselves where that is no rounding of their own size."""

    bytes: int
    as_made: float

    def __add__(self, other: "Volume") -> "Volume":
        return Volume(self.bytes + other.bytes, self.as_made + other.as_made)


NOTHING = Volume(0, 0.0)


def volumes(imitation: Imitation) -> dict[Key, Volume]:
    """What the pattern moves in its timed phases, of each direction that moves bytes."""
    found: dict[Key, Volume] = {}
    for phase in imitation.phases:
        if phase.of.timed is False:
            continue
        for direction, volume in _of_phase(phase):
            if volume.bytes:
                key = (phase.name, direction)
                found[key] = found.get(key, NOTHING) + volume
    return found


def _of_phase(phase: Phase) -> Iterator[tuple[str, Volume]]:
    mixed: list[Made] = []
    for made in phase.all_made:
        if made.parameters.verb == "mixed":
            mixed.append(made)
        else:
            yield (WRITE if made.parameters.verb == "write" else READ), Volume(made.bytes, _as_made(made))
    yield from _of_mixed(sum(map(_as_made, mixed)), phase.of.steps)


def _as_made(made: Made) -> float:
    """Requests that differ in no more than rounding take as long each: small ones cost by their number, and
    of large ones the rounding is nothing. A preset's own sizes are compared by bytes."""
    transfer = made.parameters.transfer
    if transfer != transfer_of(made.asked):
        return float(made.bytes)
    return float(transfer * made.asked.requests * made.times)


def _of_mixed(as_made: float, steps: Iterable[Step]) -> Iterator[tuple[str, Volume]]:
    """Of mixed accesses the pattern itself tells which requests read."""
    reads, writes = [0, 0], [0, 0]  # requests, bytes
    for access, times in _accesses(steps, 1):
        if access.verb == "mixed":
            for each, (requests, moved) in zip((reads, writes), _split(access), strict=True):
                each[0] += times * requests
                each[1] += times * moved
    requests = reads[0] + writes[0]
    for direction, (some, moved) in ((WRITE, writes), (READ, reads)):
        yield direction, Volume(moved, as_made * some / requests if requests else 0.0)


def _accesses(steps: Iterable[Step], times: int) -> Iterator[tuple[Access, int]]:
    for step in steps:
        if step.access is not UNSET:
            yield step.access, times
        elif step.repeat is not UNSET:
            yield from _accesses(step.repeat.steps, times * step.repeat.count)


def _split(access: Access) -> tuple[tuple[int, int], tuple[int, int]]:
    """Requests and bytes that read, and that write: `volume` of src/pattern/access.cpp, which decides; a test
    holds the two equal. Which of a rank's requests read does not depend on other ranks."""
    percent = access.read_percent or 0
    if access.lists is not UNSET:
        lengths = [(turn, length) for one in access.lists for turn, length in enumerate(one[1::2])]
        read = [length for turn, length in lengths if _reads(turn + 1, percent) > _reads(turn, percent)]
        moved = sum(length for _, length in lengths)
        return (len(read), sum(read)), (len(lengths) - len(read), moved - sum(read))
    assert access.extent is not UNSET
    pieces = 1
    for level in access.extent.levels:
        pieces *= level.count
    if access.order and access.order.draws is not UNSET:
        pieces = access.order.draws
    requests, length = (
        (1, pieces * access.extent.length) if access.together else (pieces, access.extent.length)
    )
    ranks, reads = access.ranks.count, _reads(requests, percent)
    writes = requests - reads
    return (ranks * reads, ranks * reads * length), (ranks * writes, ranks * writes * length)


def _reads(requests: int, percent: int) -> int:
    """How many of a rank's first requests read."""
    return requests // 100 * percent + requests % 100 * percent // 100
