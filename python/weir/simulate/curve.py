"""A time that depends on bytes, as a machine model has it: "8 B 0.4 us, 1 KiB 0.9 us, 4 MiB 400 us"."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from weir.errors import WeirError
from weir.simulate.kinds import SIZE, TIME, Base, Kind, Raw

EXAMPLE = "8 B 0.4 us, 1 KiB 0.9 us, 4 MiB 400 us"
_WORDS = 4
"""Of a point: a number and a unit of bytes, and of time."""


@dataclass(frozen=True)
class Curve:
    """Through these points, bytes and seconds, by straight lines: below the first as there, beyond the last
    as steep as between the last two."""

    points: tuple[tuple[int, float], ...]

    def __call__(self, size: float) -> float:
        """Seconds, not less than 0."""
        after = bisect_right(self.points, size, key=lambda point: point[0])
        if after == 0 or len(self.points) == 1:
            return self.points[0][1]
        (one, low), (other, high) = self.points[min(after, len(self.points) - 1) - 1 :][:2]
        return max(0.0, low + (high - low) * (size - one) / (other - one))

    @property
    def text(self) -> str:
        """As it is written."""
        return ", ".join(
            f"{SIZE.spell(size)} {TIME.spell(float(f'{time:.4g}'))}" for size, time in self.points
        )


def curve_of(points: Iterable[tuple[int, float]]) -> Curve:
    """In the order of their sizes."""
    return Curve(tuple(sorted(points)))


def parse_curve(text: Raw) -> Curve:
    """Raises WeirError for text that is none."""
    points = tuple(_point(str(text), word.split()) for word in str(text).split(","))
    sizes = [size for size, _ in points]
    if sorted(set(sizes)) != sizes:
        raise _refused(text, "its sizes do not rise")
    return Curve(points)


def _point(text: str, words: list[str]) -> tuple[int, float]:
    if len(words) != _WORDS:
        raise _refused(text, f"'{' '.join(words)}' is not a size and a time")
    size, time = SIZE.parse(" ".join(words[:2])), TIME.parse(" ".join(words[2:]))
    return int(size), float(time)


def _refused(text: Raw, why: str) -> WeirError:
    return WeirError(f"'{text}' is not times for sizes", why, f'write for example "{EXAMPLE}"')


def _parse(value: Raw) -> Base:
    return parse_curve(value).text


CURVE = Kind("times for sizes", "_points", EXAMPLE, _parse, str)
"""Whose base is its text."""
