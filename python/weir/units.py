"""Sizes, times, shares and counts: text in, base units out (bytes, seconds, fraction), and text again at the
edge.

A bare number is refused, since nobody can tell what it counts. MB is 10^6 bytes and MiB is 2^20 bytes,
always.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weir.errors import WeirError


def count_words(number: int, noun: str, many: str = "") -> str:
    """ "1 rank", "2 ranks", "12,000 ranks"; `many` where the plural is not the noun and an s."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def more_words(number: int, noun: str) -> str:
    """ "1 more file", "2 more files"."""
    return count_words(number, f"more {noun}")


if TYPE_CHECKING:
    from decimal import Decimal

DECIMAL_SIZES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15}
BINARY_SIZES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "PiB": 2**50}
SIZES = {**DECIMAL_SIZES, **BINARY_SIZES, "KB": 10**3}
_S = 10**9
TIMES_NS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": _S, "m": 60 * _S, "h": 3600 * _S, "d": 86400 * _S}

_NUMBER = r"(\d+(?:\.\d+)?)"
_SIZE = re.compile(_NUMBER + r"\s*([A-Za-z]*)")
_TIME_PART = re.compile(_NUMBER + r"\s*(ns|us|ms|s|m|h|d)")
_SHARE = re.compile(_NUMBER + r"\s*%")


def _exact(number: str) -> Decimal:
    from decimal import Decimal  # noqa: PLC0415 - slow to import, and `weir --help` reads no number

    return Decimal(number)


def parse_bytes(text: str) -> int:
    """Bytes meant by a size such as "64KiB" or "1.5MB". Raises WeirError for anything else."""
    problem = f"'{text}' is not a size"
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise WeirError(problem, "a size is a number and a unit", 'write for example "64KiB" or "1MB"')
    number, unit = match.groups()
    if not unit and number == "0":
        return 0
    if not unit:
        raise WeirError(problem, "its unit is missing", f'write for example "{number}KiB" or "{number}B"')
    if unit not in SIZES:
        raise WeirError(problem, f"the unit '{unit}' is not known", _nearest_sizes(number, unit))
    size = _exact(number) * SIZES[unit]
    if size != int(size):
        raise WeirError(problem, "it is not a whole number of bytes", 'write for example "1536B"')
    return int(size)


def _nearest_sizes(number: str, unit: str) -> str:
    prefix = unit[0].upper()
    meant = [u for u in ("kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB") if u[0].upper() == prefix]
    if not meant:
        return f"use one of {', '.join(SIZES)}"
    return " or ".join(f'write "{number}{u}" ({SIZES[u]:,} bytes each)' for u in meant)


def parse_seconds(text: str) -> float:
    """Seconds meant by a time such as "30s", "2m", "1h30m" or "250ms". Raises WeirError for anything else."""
    stripped = text.strip()
    parts = _TIME_PART.findall(stripped)
    rest = _TIME_PART.sub("", stripped).strip()
    if not parts or rest:
        why = "its unit is missing" if re.fullmatch(_NUMBER, stripped) else "a time is numbers with units"
        raise WeirError(f"'{text}' is not a time", why, 'write for example "30s", "2m" or "1h30m"')
    units = [TIMES_NS[unit] for _, unit in parts]
    if any(later >= earlier for earlier, later in itertools.pairwise(units)):
        raise WeirError(
            f"'{text}' is not a time", "its units must go from large to small", 'write for example "1h30m"'
        )
    return float(sum(_exact(number) * TIMES_NS[unit] for number, unit in parts) / _S)


def parse_share(text: str) -> float:
    """The fraction meant by a percentage such as "5%". Raises WeirError for anything else."""
    match = _SHARE.fullmatch(text.strip())
    if match is None:
        raise WeirError(f"'{text}' is not a share", "a share is a number and %", 'write for example "5%"')
    return float(_exact(match.group(1)) / 100)


def spell_bytes(size: int) -> str:
    """A size as a study spells it, exactly: the largest unit that divides it, "65536" becoming "64KiB"."""
    for table in (BINARY_SIZES, DECIMAL_SIZES):
        for unit, factor in sorted(table.items(), key=lambda item: -item[1]):
            if factor > 1 and size and size % factor == 0:
                return f"{size // factor}{unit}"
    return f"{size}B"


def spell_seconds(seconds: float) -> str:
    """A time as a study spells it, exactly: 5400 becoming "1h30m", 0.25 becoming "0.25s"."""
    if seconds != int(seconds) or seconds < 60:
        return f"{_exact(repr(float(seconds))).normalize():f}s"
    hours, rest = divmod(int(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return "".join(f"{n}{unit}" for n, unit in ((hours, "h"), (minutes, "m"), (left, "s")) if n)


def significant(value: float, digits: int = 3) -> str:
    """A number with that many significant digits, never in powers of ten: 1234.5 -> "1230", 0.01234 ->
    "0.0123"."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "?"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:.{max(places, 0)}f}"


def _scaled(value: float, table: dict[str, int]) -> tuple[float, str]:
    fitting = [(factor, unit) for unit, factor in table.items() if abs(value) >= factor]
    factor, unit = max(fitting, default=(1, "B"))
    return value / factor, unit


def format_bytes(size: float, *, decimal: bool = False) -> str:
    """A size for people: 3 significant digits in the unit that fits, "1.5 MiB"; with decimal, "1.57 MB"."""
    number, unit = _scaled(size, DECIMAL_SIZES if decimal else BINARY_SIZES)
    return f"{number:.0f} B" if unit == "B" else f"{_trimmed(number)} {unit}"


def format_bandwidth(bytes_per_s: float, *, decimal: bool = False) -> str:
    """A bandwidth for people, always in MiB/s (or MB/s), so that rows of a table compare: "2730 MiB/s"."""
    factor, unit = (10**6, "MB/s") if decimal else (2**20, "MiB/s")
    return f"{significant(bytes_per_s / factor)} {unit}"


def format_seconds(seconds: float) -> str:
    """A time for people: "21.3 ms", "12.3 s", "4m 30s"."""
    if seconds >= 99.95:
        whole = round(seconds)
        hours, minutes, left = whole // 3600, whole % 3600 // 60, whole % 60
        parts = ((hours, "h"), (minutes, "m"), (left, "s"))
        return " ".join(f"{n}{unit}" for n, unit in parts if n)
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= factor or unit == "ns":
            return f"{significant(seconds / factor)} {unit}"
    raise AssertionError("unreachable: the last unit always fits")


@dataclass(frozen=True)
class Shown:
    """How people read a quantity: the unit, that unit in the unit of the data, and whether it is a count, of
    which every digit is shown."""

    unit: str
    scale: float = 1.0
    counts: bool = False

    def show(self, value: float) -> str:
        """The value without its unit: three significant digits, "12,300"; a count in full."""
        if self.counts and value == int(value):
            return f"{int(value):,}"
        text = significant(value / self.scale)
        return f"{int(text):,}" if text.isdigit() and len(text) > 4 else text


def shown_in(unit: str, key: str = "") -> Shown:
    """How people read a quantity of that unit, always alike, so that rows of a table compare: bytes in MiB,
    times in s, rates of what has a name in 10^9 ("Gflop/s", "GUP/s"), other units as they are.

    "1" and "1/s" count what the end of the key says: "operations_per_s" becomes "operations/s"; a share of
    something, "lost_share", is in percent.
    """
    counted = key.removesuffix("_per_s").replace("_", " ")
    match unit:
        case "B" | "B/s":
            return Shown(f"Mi{unit}", float(1 << 20))
        case "1" if key.endswith("_share"):
            return Shown("%", 0.01)
        case "1":
            return Shown(counted, counts=True)
        case "1/s":
            return Shown(f"{counted or 1}/s")
        case "us":
            return Shown("µs")
    return Shown(f"G{unit}", 1e9) if unit.endswith("/s") else Shown(unit)


def format_share(fraction: float) -> str:
    """A fraction for people, as percent: "4.2 %", "135 %"."""
    return f"{significant(fraction * 100, 3 if abs(fraction) >= 1 else 2)} %"


def signed_percent(fraction: float, places: int = 0) -> str:
    """A difference for people: "+4 %", "-0.3 %"; none is "0 %", without a sign."""
    text = f"{100 * fraction:+.{places}f}"
    return f"{text.lstrip('+-') if float(text) == 0 else text} %"


def _trimmed(number: float) -> str:
    text = significant(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
