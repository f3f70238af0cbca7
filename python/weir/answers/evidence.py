"""The numbers that an answer rests on, in words."""

from collections.abc import Callable

from weir.answers.answer import Evidence
from weir.units import format_bandwidth, format_bytes, format_seconds, format_share


def share_words(share: float) -> str:
    """A share that is 100 % only where it is all."""
    words = format_share(share)
    return words if share >= 1 or words != format_share(1) else f"{int(1e4 * share) / 100:.2f} %"


def number_words(number: float) -> str:
    """A count in full, a mean with one digit behind the point."""
    return f"{number:,.1f}".removesuffix(".0")


UNITS: dict[str, Callable[[float], str]] = {
    "": number_words,
    "s": format_seconds,
    "B": format_bytes,
    "B/s": format_bandwidth,
    "share": share_words,
}
"""How a number of each unit is shown."""


def evidence_words(one: Evidence) -> str:
    """Its value with its unit."""
    return one.value if isinstance(one.value, str) else UNITS[one.unit](one.value)
