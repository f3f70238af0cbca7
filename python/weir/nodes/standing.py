"""How each node stands among the others in each measurement. Pure: rows in, numbers out.

Of a node's samples the median counts, of logarithms of speeds: two of six may be disturbed. What all nodes
went through in a round of the run, such as a drift, is taken off before, by J. W. Tukey's median polish
(Exploratory Data Analysis, 1977).
All rows share an error of 5 %: the chance that any healthy node is named as slower in the study.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from weir.analyse.outlying import FEWEST, LEAST, Outlying, find_odd
from weir.analyse.statistics import CONFIDENCE, FEWEST_SAMPLES
from weir.analyse.student import quantile
from weir.results.pairing import setting_key
from weir.results.row import Row, measured
from weir.results.words import label_by

MATTERS = 0.1
"""Less than a tenth is seldom worth a visit to the machine room."""
_TURNS = 4
"""Of the polish."""
_FEW_DEGREES = 3
"""Repeated launches of all nodes together that tell how a node varies from launch to launch."""


@dataclass(frozen=True)
class Standing:
    """How much faster than the others a node is, as a share of their speed, below 0 where it is slower, with
    its interval; null ends where it has none. `named`: whether it surely differs; `steady`: whether its own
    launches say that it is off, whatever the others are. `kind`: 0 where all are of one kind, else 1 for the
    slower one, 2 for the faster."""

    node: str
    row: Row
    share: float
    low: float | None
    high: float | None
    named: bool
    steady: bool
    kind: int = 0

    @property
    def slower(self) -> bool:
        """Whether it is an ill one."""
        return self.named and self.share < 0

    @property
    def apart(self) -> bool:
        """Whether it is off by what matters, and not only for want of samples."""
        return abs(self.share) >= MATTERS and self.steady


@dataclass(frozen=True)
class Family:
    """One measurement on all nodes. `seen_from`: the share of speed that a node must lack to be named, null
    where nothing can be told; `kinds`: how many times as fast as the slower kind of nodes the faster is, with
    its interval."""

    name: str
    standings: tuple[Standing, ...]
    seen_from: float | None
    kinds: tuple[float, float, float] | None = None

    @property
    def named(self) -> list[Standing]:
        """Those that surely differ, the slowest first."""
        return sorted((one for one in self.standings if one.named), key=lambda one: one.share)


def families(rows: Iterable[Row]) -> list[Family]:
    """Of rows of single nodes, in their order; those with too few samples to tell a disturbance from an ill
    node are left out."""
    own = [row for row in measured(rows) if is_judged(row)]
    groups: dict[str, dict[str, Row]] = {}
    for row in own:
        groups.setdefault(f"{setting_key(row, {'node'})} {row.metric.key}", {})[row.node or ""] = row
    names = _names([[*group.values()] for group in groups.values()])
    count = sum(map(len, groups.values()))
    chance = (1 - CONFIDENCE) / max(count, 1)
    return [_family(name, group, chance) for name, group in zip(names, groups.values(), strict=True)]


def is_judged(row: Row) -> bool:
    """Whether the row tells something of its node."""
    return row.node is not None and row.n >= FEWEST_SAMPLES and min(row.samples, default=0) > 0


def _names(groups: Sequence[Sequence[Row]]) -> list[str]:
    """ "memory triad", "disk write, 1 MiB transfers": no more than tells them apart."""
    firsts = [group[0] for group in groups]
    parts = [row.comparisons[0] if row.comparisons else row.benchmark for row in firsts]
    of_part = [[row for row, other in zip(firsts, parts, strict=True) if other == part] for part in parts]
    names = []
    for row, part, beside in zip(firsts, parts, of_part, strict=True):
        phase = f" {row.phase}" if len({one.phase for one in beside}) > 1 else ""
        names.append(", ".join(filter(None, [part + phase, label_by(beside, {"node", "phase"})(row)])))
    return names


def _family(name: str, rows: Mapping[str, Row], chance: float) -> Family:
    samples = {node: _speeds(row) for node, row in rows.items()}
    polished = _polished(samples)
    levels = {node: statistics.median(values) for node, values in polished.items()}
    found = find_odd(levels, chance, -math.log(1 - MATTERS))
    launches = {node: _by_launch(rows[node], values) for node, values in polished.items()}
    error = _errors(launches)
    standings = tuple(
        _standing(row, levels[node] - found.middle[node], node in found.odd, error.get(node), found, chance)
        for node, row in rows.items()
    )
    known = math.isfinite(found.reach)
    return Family(
        name, standings, max(MATTERS, 1 - math.exp(-found.reach)) if known else None, _apart(found, levels)
    )


def _speeds(row: Row) -> list[tuple[int | None, float]]:
    """The round and the logarithm of the speed of each sample."""
    sign = 1 if row.metric.greater_is_better else -1
    rounds = [record.round for record in row.records] or [None] * len(row.samples)
    return [(at, sign * math.log(value)) for at, value in zip(rounds, row.samples, strict=True)]


def _polished(samples: Mapping[str, Sequence[tuple[int | None, float]]]) -> dict[str, list[float]]:
    """The values without what all nodes had in common in a round, where as many nodes tell as can be
    compared."""
    of_round: dict[int, set[str]] = {}
    for node, values in samples.items():
        for at, _ in values:
            if at is not None:
                of_round.setdefault(at, set()).add(node)
    effects = {at: 0.0 for at, nodes in of_round.items() if 2 * len(nodes) > len(samples) >= FEWEST}
    for _ in range(_TURNS if len(effects) > 1 else 0):
        levels = {
            node: statistics.median(value - effects.get(at or 0, 0.0) for at, value in values)
            for node, values in samples.items()
        }
        for at in effects:
            found = [
                value - levels[node] for node, values in samples.items() for own, value in values if own == at
            ]
            effects[at] = statistics.median(found)
        middle = statistics.median(effects.values())
        effects = {at: effect - middle for at, effect in effects.items()}
    return {
        node: [value - effects.get(at or 0, 0.0) for at, value in values] for node, values in samples.items()
    }


def _by_launch(row: Row, values: Sequence[float]) -> list[float]:
    """The median of each launch."""
    found: dict[int | None, list[float]] = {}
    for record, value in zip(row.records, values, strict=False):
        found.setdefault(record.launch, []).append(value)
    return [statistics.median(some) for some in found.values()]


def _errors(launches: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, int]]:
    """Of each node its standard error, from how launches of a node differ, and the degrees of freedom that
    this comes from; empty where too few were repeated."""
    degrees = sum(len(medians) - 1 for medians in launches.values() if medians)
    if degrees < _FEW_DEGREES:
        return {}
    squares = sum((len(one) - 1) * statistics.variance(one) for one in launches.values() if len(one) > 1)
    deviation = max(math.sqrt(squares / degrees), LEAST)
    return {node: (deviation / math.sqrt(len(one)), degrees) for node, one in launches.items() if one}


def _standing(  # noqa: PLR0913, PLR0917
    row: Row, off: float, odd: bool, error: tuple[float, int] | None, found: Outlying, chance: float
) -> Standing:
    """`off`: by how much its level is above the middle of its kind."""
    kind = next((at for at, names in enumerate(found.kinds, start=1) if row.node in names), 0)
    ends: tuple[float | None, float | None] = (None, None)
    if math.isfinite(found.spread):
        of_middle = found.spread / math.sqrt(found.alike)
        if error:
            reach = quantile(1 - chance, error[1]) * math.hypot(error[0], of_middle)
        else:
            reach = quantile(1 - chance, found.alike - 1) * math.hypot(found.spread, of_middle)
        ends = math.expm1(off - reach), math.expm1(off + reach)
    steady = error is not None and abs(off) > quantile(1 - chance, error[1]) * error[0]
    return Standing(row.node or "", row, math.expm1(off), *ends, odd and None not in ends, steady, kind)


def _apart(found: Outlying, levels: Mapping[str, float]) -> tuple[float, float, float] | None:
    """How many times as fast the faster kind is, with an interval of 95 % by Student's distribution."""
    if not found.kinds:
        return None
    slow, fast = ([levels[name] for name in kind if name not in found.odd] for kind in found.kinds)
    degrees = len(slow) + len(fast) - 2
    pooled = (
        (len(slow) - 1) * statistics.variance(slow) + (len(fast) - 1) * statistics.variance(fast)
    ) / degrees
    reach = quantile(CONFIDENCE, degrees) * math.sqrt(max(pooled, LEAST**2) * (1 / len(slow) + 1 / len(fast)))
    middle = statistics.fmean(fast) - statistics.fmean(slow)
    return math.exp(middle), math.exp(middle - reach), math.exp(middle + reach)
