"""Values as they are written down: with the digits that a fit supports."""

from weir.simulate.schema import KEYS, Path
from weir.units import BINARY_SIZES

DIGITS = 3


def rounded(path: Path, value: float) -> float:
    """That value with three significant digits, a size in whole units with at least as many; a count as it
    is."""
    suffix = KEYS[path].kind.suffix
    if suffix == "_bytes":
        factor = max((one for one in BINARY_SIZES.values() if value >= 100 * one), default=1)
        return round(value / factor) * factor
    return float(f"{value:.{DIGITS}g}") if suffix else value
