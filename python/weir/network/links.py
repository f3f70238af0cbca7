"""Which links between nodes, or ranks, are slow, and which nodes: told from noise and from distance.

The data are samples of a matrix: for each pair of members (nodes, or ranks of one node) the time of a
message, the median of several passes. In each sample a pair's time is divided by the median of the pairs of
its distance class (one core, one cache, one package, one node, different nodes), so that what slows the
whole machine down cancels, and a far pair is not compared with near ones. The ratios of a pair over the
samples have a median with its interval (statistics.estimate_median).

A pair is slow if

- the lower end of its interval is above SLOW: it was slow in sample after sample, and
- its median lies outside the fence of the other pairs of its class: above the upper quartile by more than
  FENCE times the distance of the quartiles, all of logarithms (J. W. Tukey, Exploratory Data Analysis,
  1977, "far out"). If the class is of several kinds, such as pairs below one switch and pairs across two,
  the fence is wide.

A node is slow if the same two hold of the lower quartile of the ratios of its links, that is, if three
quarters of its links are; its links are then not judged singly. Nodes that are far from the rest and near
to each other are no slow nodes: they are named as a group of their own.

Nothing is said with fewer than 6 samples, of classes of fewer than LEAST_PAIRS pairs, nor of fewer than 3
nodes. Where more than a quarter of a class's pairs are slow, that is a kind of its own, and none of them is
named.

Error rate: in 1,800 simulated runs (as those of tests/python/analyse/test_links.py: 6 samples of 9 passes,
log-normal noise of 5 to 15 % a pass, of which one in twenty, or one in five, takes up to ten times as long;
4 to 64 nodes at equal distances, on two switches and more, and on a torus) no link and no node was named
that was not slow: below 0.2 %, with 95 % confidence. A node twice as slow as others was found in every run
at equal distances, a pair in 179 of 180; where pairs of several distances mix, a slow pair often stays
unnamed.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.store.records import SampleRecord

SLOW = 1.3
"""Times the median of its class: less is seldom worth a visit to the machine room."""
FENCE = 3.0
LEAST_PAIRS = 3
Pair = tuple[int, int]
_Key = TypeVar("_Key", Pair, int)
Sample = Mapping[Pair, float]
"""Of each pair that was measured, by the numbers of its members, a time in seconds."""


class Distance(IntEnum):
    """What two members have in common, the nearest first."""

    CORE = 0
    CACHE = 1
    PACKAGE = 2
    NODE = 3
    NODES = 4

    @property
    def words(self) -> str:
        """ "on one node"."""
        return _WORDS[self]


_WORDS = ("on one core", "sharing a cache", "on one package", "on one node", "between nodes")


@dataclass(frozen=True)
class LinkMatrix:
    """The samples of one case: `names` are its members, `all_pairs` how many pairs they have."""

    names: tuple[str, ...]
    distances: Mapping[Pair, Distance]
    samples: tuple[Sample, ...]
    all_pairs: int
    of_nodes: bool
    message_bytes: int

    @property
    def pairs(self) -> list[Pair]:
        """Those that were measured."""
        return list(self.distances)

    def estimate_s(self, pair: Pair) -> MedianEstimate:
        """The time of a pair over its samples."""
        found = estimate_median([sample[pair] for sample in self.samples if pair in sample])
        assert found is not None  # a pair is known by its samples
        return found


@dataclass(frozen=True)
class Slow:
    """A slow pair, or a slow node: how many times the time of the others its own is."""

    members: tuple[int, ...]
    times: MedianEstimate


@dataclass(frozen=True)
class LinkVerdict:
    """What was found. `apart`: nodes that are far from the rest and near to each other. `judged`: pairs that
    could be compared with others; 0 means that nothing is known."""

    pairs: tuple[Slow, ...] = ()
    nodes: tuple[Slow, ...] = ()
    apart: tuple[int, ...] = ()
    judged: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether all is as fast as the rest."""
        return self.judged > 0 and not self.pairs and not self.nodes


def distance_of(one: Mapping[str, Any], other: Mapping[str, Any]) -> Distance:
    """That of two places: the nearest thing that both are known to have in common."""
    if one.get("host") != other.get("host"):
        return Distance.NODES
    for name, distance in (
        ("core", Distance.CORE),
        ("cache", Distance.CACHE),
        ("package", Distance.PACKAGE),
    ):
        if one.get(name) is not None and one.get(name) == other.get(name):
            return distance
    return Distance.NODE


def matrix_of(records: Sequence[SampleRecord]) -> LinkMatrix | None:
    """The matrix of the samples of one phase of the benchmark `links`; null where they have none. Members are
    known by their names, since another launch may place them on other ranks."""
    found = [record.details for record in records if record.details.get("time_us")]
    if not found:
        return None
    numbers: dict[str, int] = {}
    distances: dict[Pair, Distance] = {}
    samples = []
    for details in found:
        places = details["places"]
        of_nodes = details["between"] == "nodes"
        here = [numbers.setdefault(name, len(numbers)) for name in member_names(places, of_nodes)]
        sample = {}
        for one, other, time_us in zip(details["one"], details["other"], details["time_us"], strict=True):
            pair = (min(here[one], here[other]), max(here[one], here[other]))
            sample[pair] = time_us * 1e-6
            distances[pair] = Distance.NODES if of_nodes else distance_of(places[one], places[other])
        samples.append(sample)
    last = found[-1]
    return LinkMatrix(
        names=tuple(numbers),
        distances=distances,
        samples=tuple(samples),
        all_pairs=len(numbers) * (len(numbers) - 1) // 2,
        of_nodes=last["between"] == "nodes",
        message_bytes=last["message_bytes"],
    )


def member_names(places: Sequence[Mapping[str, Any]], of_nodes: bool) -> list[str]:
    """Hosts without their domain, of which equal ones get the rank too; or ranks."""
    if not of_nodes:
        return [f"rank {place['rank']}" for place in places]
    hosts = [str(place["host"]).partition(".")[0] for place in places]
    return [
        host if hosts.count(host) == 1 else f"{host} (rank {place['rank']})"
        for host, place in zip(hosts, places, strict=True)
    ]


def judge(matrix: LinkMatrix) -> LinkVerdict:
    """The slow nodes and pairs, the slowest first."""
    if len(matrix.names) < 3:
        return LinkVerdict()  # one pair has nothing to be compared with
    if matrix.estimate_s(matrix.pairs[0]).low is None:
        return LinkVerdict()  # a disturbance looks like a slow link
    ratios = _ratios(matrix, matrix.pairs)
    nodes, apart = _slow_nodes(ratios)
    left = [pair for pair in matrix.pairs if not {*pair} & {slow.members[0] for slow in nodes}]
    classes = [
        members
        for distance in Distance
        if len(members := [pair for pair in left if matrix.distances[pair] == distance]) >= LEAST_PAIRS
    ]
    judged = {pair for members in classes for pair in members if not {*pair} & {*apart}}
    ratios = _ratios(matrix, [pair for members in classes for pair in members])
    pairs = [
        Slow(pair, times)
        for members in classes
        for pair, times in _outside({pair: _of(ratios, pair) for pair in members if pair in judged}).items()
    ]
    return LinkVerdict(
        pairs=tuple(sorted(pairs, key=lambda slow: -slow.times.median)),
        nodes=tuple(sorted(nodes, key=lambda slow: -slow.times.median)),
        apart=tuple(apart),
        judged=len(judged) or len(nodes),
    )


def _ratios(matrix: LinkMatrix, pairs: Iterable[Pair]) -> list[dict[Pair, float]]:
    """In each sample, the logarithm of each pair's time over the median of its class."""
    by_distance: dict[Distance, list[Pair]] = {}
    for pair in pairs:
        by_distance.setdefault(matrix.distances[pair], []).append(pair)
    found = []
    for sample in matrix.samples:
        ratios: dict[Pair, float] = {}
        for members in by_distance.values():
            logs = {pair: math.log(sample[pair]) for pair in members if pair in sample}
            middle = statistics.median(logs.values()) if logs else 0.0
            ratios |= {pair: value - middle for pair, value in logs.items()}
        found.append(ratios)
    return found


def _of(ratios: Sequence[Mapping[Pair, float]], pair: Pair) -> list[float]:
    return [sample[pair] for sample in ratios if pair in sample]


def _slow_nodes(ratios: Sequence[Mapping[Pair, float]]) -> tuple[list[Slow], list[int]]:
    """Slow nodes, and those that are far from the rest and near to each other."""
    over_samples: dict[int, list[float]] = {}
    for sample in ratios:
        links: dict[int, list[float]] = {}
        for pair, ratio in sample.items():
            for member in pair:
                links.setdefault(member, []).append(ratio)
        quartiles = {node: sorted(values)[(len(values) - 1) // 4] for node, values in links.items()}
        middle = statistics.median(quartiles.values())
        for node, quartile in quartiles.items():
            over_samples.setdefault(node, []).append(quartile - middle)
    found = _outside(over_samples)
    near = {
        pair
        for pair in ratios[0]
        if {*pair} <= found.keys() and statistics.median(_of(ratios, pair)) < math.log(SLOW)
    }
    apart = sorted({node for pair in near for node in pair})
    return [Slow((node,), times) for node, times in found.items() if node not in apart], apart


def _outside(values: Mapping[_Key, Sequence[float]]) -> dict[_Key, MedianEstimate]:
    """What is slow by the rule above, of logarithms of ratios over the samples: how many times as slow."""
    medians = {key: statistics.median(series) for key, series in values.items()}
    order = sorted(medians, key=medians.__getitem__)
    ordered = [medians[key] for key in order]
    found = {}
    for place, key in enumerate(order):
        if medians[key] <= math.log(SLOW) or medians[key] <= _fence(ordered, place):
            continue
        times = estimate_median([math.exp(value) for value in values[key]])
        if times is not None and times.low is not None and times.low > SLOW:
            found[key] = times
    return found


def _fence(ordered: Sequence[float], place: int) -> float:
    """The fence of all values but the one at that place."""
    lower, upper = (_quantile_without(ordered, place, share) for share in (0.25, 0.75))
    return upper + FENCE * (upper - lower)


def _quantile_without(ordered: Sequence[float], place: int, share: float) -> float:
    at = share * (len(ordered) - 2)
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 2)
    low, high = (ordered[index + (index >= place)] for index in (below, above))
    return low + (at - below) * (high - low)
