"""Which of several alike things, such as the nodes of a machine, differ from the rest, and which are of two
kinds. Pure; all is of natural logarithms of what is measured of each, so that -0.1 is a tenth less.

Each is compared with the others: its distance from their mean, over their standard deviation, is Student's
(the externally studentized residual; R. D. Cook and S. Weisberg, Residuals and Influence in Regression,
1982). Those that are farthest out are taken away one by one, a third of all at the most, and all up to the
last one that is too far count as different: several do not hide each other (B. Rosner, Percentage points for
a generalized ESD many-outlier procedure, Technometrics 25, 1983).

Healthy things have heavier tails than the normal distribution: fewer degrees of freedom are counted on than
there are, as few as make the chance right where things have Student's distribution of 5 degrees (a model of
heavy tails as in K. L. Lange, R. J. A. Little and J. M. G. Taylor, Robust statistical modeling using the t
distribution, JASA 84, 1989). How few was simulated: of 3, 5, 8, 16, 64 things 1, 2.7, 4, 5.4, 6.2; the
formula gives 0.98, 2.6, 4, 5.3, 6. Of three or four things their spread is hardly known: what is far
out for a healthy spread of ASSUMED is different as well, as long as the others are not seen to spread more.

Error rate: in tests/python/analyse/test_outlying.py, of healthy things that vary by 0 to 5 %, with heavy
tails, anything is named in less than 5 % of studies of 3 to 64 things and several measurements.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weir.analyse.student import quantile

DEGREES = 6.0
"""Of many things."""
ASSUMED = 0.05
"""The standard deviation of healthy things where few of them tell."""
FEWEST = 3
"""Things that can be told apart: of two that differ, either may be the odd one."""
ENOUGH = 7
"""Things that tell their spread by themselves."""
LEAST = 1e-3
"""Standard deviation below which nothing is told apart."""
SHARE = 3
"""At most one thing of so many differs from the rest; more are another kind."""
FIRST = 0.9
"""The share of the error that one test of each thing may make; the rest is for testing again."""
GAP_OF_FEW, GAP = 3.0, 1.5
"""How many times as wide as the kinds beside it a gap is: of six things, and of many."""

Levels = Mapping[str, float]
"""Of each thing, by its name, the logarithm of what was measured."""


@dataclass(frozen=True)
class Outlying:
    """What was found. `middle`: of each thing, the mean of those of its kind that do not differ; `odd`: those
    that differ; `kinds`: the names of each kind, the one with the lower values first; `reach`: how far off a
    thing must be to be told from the rest, infinite where nothing is; `spread`: the standard deviation of
    those that do not differ, in the largest kind, and of how many they are."""

    middle: Mapping[str, float]
    odd: frozenset[str] = frozenset()
    kinds: tuple[tuple[str, ...], ...] = ()
    reach: float = math.inf
    spread: float = math.inf
    alike: int = 0


def find_odd(levels: Levels, chance: float, matters: float) -> Outlying:
    """Those that differ by more than `matters`, where one that does not is named for being lower with that
    chance at most, and for being higher with the same."""
    kinds = _kinds(levels, matters)
    found = [_of_one_kind({name: levels[name] for name in kind}, chance) for kind in kinds]
    largest = max(found, key=lambda one: one.alike, default=Outlying({}))
    middle = {name: value for one in found for name, value in one.middle.items()}
    odd = {name for one in found for name in one.odd if abs(levels[name] - middle[name]) >= matters}
    shown = tuple(kinds) if len(kinds) > 1 else ()
    return Outlying(middle, frozenset(odd), shown, largest.reach, largest.spread, largest.alike)


def _of_one_kind(levels: Levels, chance: float) -> Outlying:
    if len(levels) < FEWEST:
        typical = statistics.median(levels.values()) if levels else 0.0
        return Outlying(dict.fromkeys(levels, typical), alike=len(levels))
    left, taken, told, each = dict(levels), list[str](), 0, FIRST * chance
    for _ in range(max(1, (len(levels) - 1) // SHARE)):
        typical = statistics.fmean(left.values())
        farthest = max(left, key=lambda name: abs(left[name] - typical))
        value = left.pop(farthest)
        taken.append(farthest)
        others = [*left.values()]
        if abs(value - statistics.fmean(others)) > _reach(len(others), _spread(others), each):
            told = len(taken)
    alike = {name: value for name, value in levels.items() if name not in taken[:told]}
    middle, spread = statistics.fmean(alike.values()), _spread([*alike.values()])
    return Outlying(
        dict.fromkeys(levels, middle),
        frozenset(taken[:told]),
        reach=_reach(len(alike), spread, each),
        spread=spread,
        alike=len(alike),
    )


def _spread(values: Sequence[float]) -> float:
    return max(statistics.stdev(values), LEAST) if len(values) > 1 else math.inf


def _reach(count: int, spread: float, chance: float) -> float:
    """How far from the mean of `count` alike things one more of them is with that chance."""
    if count < 2:
        return math.inf
    far = quantile(1 - 2 * chance, _degrees(count - 1)) * spread
    if count < ENOUGH and spread <= ASSUMED:
        far = min(far, quantile(1 - 2 * chance, DEGREES) * ASSUMED)
    return far * math.sqrt(1 + 1 / count)


def _degrees(there: int) -> float:
    """Those to count on, of so many."""
    return 1 / (1 / there + there / (there + DEGREES) / DEGREES)


def _kinds(levels: Levels, matters: float) -> list[tuple[str, ...]]:
    """One kind, or two where the widest gap is wider than what lies on either side of it is spread, and more
    things lie there than may differ from the rest."""
    order = sorted(levels, key=levels.__getitem__)
    least = max(FEWEST, max(1, (len(order) - 1) // SHARE) + 1)
    cuts = range(least, len(order) - least + 1)
    at = max(cuts, key=lambda cut: levels[order[cut]] - levels[order[cut - 1]], default=None)
    if at is None:
        return [tuple(order)]
    below, above = levels[order[at - 1]], levels[order[at]]
    widths = (
        2 * statistics.fmean(below - levels[name] for name in order[:at]),
        2 * statistics.fmean(levels[name] - above for name in order[at:]),
    )
    wide = max(GAP, GAP_OF_FEW * 6 / len(order)) * max(widths)
    if above - below < max(wide, matters):
        return [tuple(order)]
    return [tuple(order[:at]), tuple(order[at:])]
