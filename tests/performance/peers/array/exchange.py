"""How data gets to an aggregator of the same node: what the planner takes beside each route, ROMIO, and
another build of the library. Pure, but for those who are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from peers.array.cases import Case, Place
from peers.array.contenders import Contender
from peers.array.goals import judge_most
from peers.array.rounds import OPERATIONS, Asked, Played, Sample, order
from peers.compare import Verdict
from peers.launch import LaunchFailed
from weir.analyse.statistics import MedianEstimate, estimate_median

OURS, ROUTES, ROMIO, BESIDE = "weir", ("weir-shared", "weir-messages"), "romio", "weir-beside"
NAMES = (OURS, *ROUTES, ROMIO, BESIDE)

MOST_OF_BETTER = 1.05
"""Of the quicker route's time."""
MOST_OF_ROMIO = 0.45
"""Of ROMIO's time, where a dump is small."""
SMALL_BYTES = 1 << 20
MOST_OF_BESIDE = 1.05
"""Of the other build's time."""

SQUARE = {2: "2x1x1", 4: "2x2x1", 8: "2x2x2", 16: "4x2x2"}
BYTES_IN_A_ROW = 64 << 20
MOST_IN_A_ROW = 200


@dataclass(frozen=True)
class Ratio:
    """Our time over another's, pair by pair."""

    case: Case
    operation: str
    beside: str
    value: MedianEstimate
    verdict: Verdict | None
    """None: nothing is demanded."""


def sweep(edges: Sequence[int], ranks: Sequence[int], place: Place) -> Iterator[Case]:
    """Each cube on each number of ranks, as square as can be and cut along one dimension only; where every
    rank has a part of it."""
    for count in ranks:
        for grid in dict.fromkeys((SQUARE.get(count, f"1x1x{count}"), f"{count}x1x1", f"1x1x{count}")):
            for edge in edges:
                if edge >= max(map(int, grid.split("x"))):
                    yield Case(edge, count, grid, place)


def in_a_row(case: Case) -> int:
    """How many dumps are timed together: of small ones so many that the ranks' falling asleep before does not
    count."""
    return max(1, min(MOST_IN_A_ROW, BYTES_IN_A_ROW // (8 * case.edge**3)))


def play_in_a_row(
    case: Case, contenders: Sequence[Contender], servers: Mapping[str, Asked], rounds: int
) -> Played:
    """Verify each contender, which also warms it up, then measure them in turns."""
    played = Played(case, contenders)
    count = in_a_row(case)
    for number in range(rounds + 1):
        for one in order(contenders, number):
            if one.name in played.failed:
                continue
            path = case.place.directory / one.name
            try:
                if number == 0:
                    servers[one.name].ask("verify", one.name, path)
                    continue
                for operation in OPERATIONS:
                    answer = servers[one.name].ask(f"{operation}s={count}", one.name, path)
                    played.samples.append(Sample(one.name, operation, number, answer["seconds"], {}))
            except LaunchFailed as error:
                played.failed[one.name] = str(error)
                played.samples = [sample for sample in played.samples if sample.contender != one.name]
    return played


def seconds_of(launches: Sequence[Played], name: str, operation: str) -> list[float]:
    """Of all launches, by round."""
    return [one for played in launches for one in played.seconds(name, operation)]


def quicker_route(launches: Sequence[Played], operation: str) -> str | None:
    """The route of the least median."""
    medians = {name: estimate_median(seconds_of(launches, name, operation)) for name in ROUTES}
    known = {name: found.median for name, found in medians.items() if found is not None}
    return min(known, key=known.__getitem__) if known else None


def _against(played: Played, beside: str, operation: str) -> list[float]:
    pairs = zip(played.seconds(OURS, operation), played.seconds(beside, operation), strict=False)
    return [ours / theirs for ours, theirs in pairs]


def ratio_of(launches: Sequence[Played], beside: str, operation: str) -> MedianEstimate | None:
    """Our time over another's, pair by pair. Ranks are placed, and pages found, anew in each launch, which
    changes a ratio more than repetitions within one do: of several launches, each is a sample, its median."""
    by_launch = [pairs for played in launches if (pairs := _against(played, beside, operation))]
    if len(by_launch) > 1:
        return estimate_median([median(pairs) for pairs in by_launch])
    return estimate_median(by_launch[0]) if by_launch else None


def ratios(launches: Sequence[Played]) -> Iterator[Ratio]:
    """What our time is of the quicker route's, ROMIO's and the other build's, in launches of one case."""
    case = launches[0].case
    small = 8 * case.edge**3 <= SMALL_BYTES
    for operation in OPERATIONS:
        route = quicker_route(launches, operation)
        others = (
            (route, MOST_OF_BETTER),
            (ROMIO, MOST_OF_ROMIO if small else None),
            (BESIDE, MOST_OF_BESIDE),
        )
        for beside, most in others:
            value = ratio_of(launches, beside, operation) if beside is not None else None
            if beside is not None and value is not None:
                verdict = None if most is None else judge_most(value, most)
                yield Ratio(case, operation, beside, value, verdict)
