"""What Saini et al. (2006) say about the order of their curves, held against those simulated."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from weir.simulate.paper import FIT, Claim
from weir.simulate.papers._columbia_curves import FILES, MEAN, PEAKS, STEPS, Curves, Peak

NEAR = 1.25
"""Times apart at most, where the paper says that curves are close, equal or almost the same."""
Pair = tuple[int, str]
TO_128 = tuple(count for count in STEPS if count <= 128)


def claims_of(curves: Curves) -> Iterator[Claim]:
    """Each sentence, and by how much the curves miss it."""
    order = _Orders(curves)
    chk, plot, corner = FILES.values()
    yield Claim(
        "figures 9 to 12", "each curve is highest within a step of where it says", *order.peaks(), use=FIT
    )
    yield Claim(
        "figures 9 to 13, section 5",
        "records below the stripe (8^3) are uniformly slowest",
        *order.above(
            ((side, file), (8, file), STEPS if side == 16 else TO_128)
            for side in (16, 32)
            for file in (*FILES.values(), MEAN)
        ),
    )
    yield Claim("figure 6", "8^3: checkpoint, then corners, then no corners", *order.chain(8, STEPS))
    yield Claim(
        "figure 6",
        f"8^3: all close at 384 and 508 (at most {NEAR} times)",
        *order.near([((8, chk), (8, plot), (384, 508))]),
    )
    yield Claim("figure 7", "16^3, 64 to 256: the same order", *order.chain(16, (64, 128, 256)))
    yield Claim(
        "figure 7",
        "16^3, 256 to 508: checkpoint above both plot files",
        *order.above(((16, chk), (16, file), (256, 384, 508)) for file in (plot, corner)),
    )
    yield Claim(
        "figure 7",
        f"16^3, 256 to 508: plot files the same ({NEAR})",
        *order.near([((16, plot), (16, corner), (256, 384, 508))]),
    )
    yield Claim(
        "figure 8",
        "32^3, 32 to 128: no corners above the others",
        *order.above(((32, plot), (32, file), (32, 64, 128)) for file in (chk, corner)),
    )
    yield Claim(
        "section 5",
        "1 processor: 32^3 above 16^3 (checkpoint)",
        *order.above([((32, chk), (16, chk), (1,))]),
    )
    yield Claim(
        "figure 10",
        "no corners: 32^3 above 16^3, but at 16 and 32",
        *order.above(
            [((32, plot), (16, plot), (1, 4, 8, 64, 128)), ((16, plot), (32, plot), (16, 32))],
        ),
    )
    yield Claim(
        "figure 11",
        "corners: 16^3 above 32^3",
        *order.above([((16, corner), (32, corner), TO_128)]),
    )
    yield Claim(
        "figure 12",
        f"128: means of 16^3 and 32^3 the same ({NEAR})",
        *order.near([((16, MEAN), (32, MEAN), (128,))]),
    )
    yield Claim(
        "figure 13",
        f"508: means of 8^3 and 16^3 close ({NEAR})",
        *order.near([((8, MEAN), (16, MEAN), (508,))]),
    )
    yield Claim("figures 9 to 13", "each curve falls beyond its highest point", *order.falling())


class _Orders:
    """Comparisons of curves. Each gives by how much the worst point misses, 0 if none does, and where."""

    def __init__(self, curves: Curves) -> None:
        self._curves = curves

    def above(self, pairs: Iterable[tuple[Pair, Pair, tuple[int, ...]]]) -> tuple[float, str]:
        """The first curve of each pair is not below the second one at these counts."""
        return _worst(
            (self._curves[low][count] / self._curves[high][count] - 1, f"{high[0]}^3, {high[1]}, {count}")
            for high, low, counts in pairs
            for count in counts
            if count in self._curves[high] and count in self._curves[low]
        )

    def chain(self, side: int, counts: tuple[int, ...]) -> tuple[float, str]:
        """Checkpoint, corners, no corners."""
        order = ("checkpoint", "corners", "no corners")
        return self.above(((side, high), (side, low), counts) for high, low in pairwise(order))

    def near(self, pairs: Iterable[tuple[Pair, Pair, tuple[int, ...]]]) -> tuple[float, str]:
        """They are at most NEAR times apart."""
        found = []
        for one, other, counts in pairs:
            for count in counts:
                values = sorted((self._curves[one][count], self._curves[other][count]))
                found.append((values[1] / values[0] / NEAR - 1, f"{count}"))
        return _worst(found)

    def peaks(self) -> tuple[float, str]:
        """No point away from the printed peaks is above those near them."""
        return _worst(
            (misplaced(curve, PEAKS[key]), f"{key[0]}^3, {key[1]}, {max(curve, key=lambda at: curve[at])}")
            for key, curve in self._curves.items()
        )

    def falling(self) -> tuple[float, str]:
        """The last point is below the highest one."""
        found = []
        for (side, file), curve in self._curves.items():
            last = max(curve)
            beyond = max(curve, key=lambda count: curve[count]) == last
            found.append((1.0 if beyond else 0.0, f"{side}^3, {file}, {last}"))
        return _worst(found)


def misplaced(curve: dict[int, float], peak: Peak) -> float:
    """By how much the highest point near the printed peak is below the highest one elsewhere."""
    near = max(value for count, value in curve.items() if count in peak.near)
    return max(value for count, value in curve.items() if count not in peak.near) / near - 1


def _worst(missed: Iterable[tuple[float, str]]) -> tuple[float, str]:
    most, where = max(missed)
    return (most, where) if most > 0 else (0.0, "")
