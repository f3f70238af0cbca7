"""Kinds of values of machine models: what text means in base units, and how to spell that again."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from weir.errors import WeirError, did_you_mean
from weir.units import BINARY_SIZES, DECIMAL_SIZES, SIZES, TIMES_NS

Raw = str | int | float
"""As it stands in a model."""
Base = float | int | str
"""In base units: bytes, seconds, bytes/s; or a word."""

BITS = {"b": 1, "kb": 10**3, "Mb": 10**6, "Gb": 10**9, "Tb": 10**12}
RATES = {f"{unit}/s": float(size) for unit, size in SIZES.items()}
RATES |= {f"{unit}{end}/s": bits / 8 for unit, bits in BITS.items() for end in ("", "it", "its")}
FLOPS = {f"{prefix}flop/s": factor for prefix, factor in (("M", 1e6), ("G", 1e9), ("T", 1e12))}
TIMES = {unit: factor / 1e9 for unit, factor in TIMES_NS.items()} | {"µs": 1e-6}
_NUMBER = re.compile(r"([+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(\S*)")


@dataclass(frozen=True)
class Kind:
    """`what` it is, in words ("a bandwidth"); `suffix`: what a key gets where it is in base units; `example`:
    right text."""

    what: str
    suffix: str
    example: str
    parse: Callable[[Raw], Base]
    spell: Callable[[Base], str]


def _refused(kind: str, value: Raw, why: str, example: str) -> WeirError:
    return WeirError(f"'{value}' is not {kind}", why, f'write for example "{example}"')


def _quantity(  # noqa: PLR0913 - keywords
    what: str,
    suffix: str,
    example: str,
    *,
    units: Mapping[str, float],
    zero: bool,
    spelt: Mapping[str, float],
) -> Kind:
    """A number with one of these units, `spelt` in some of them; `zero`: it may be nothing."""

    def parse(value: Raw) -> float:
        text = str(value).strip()
        if zero and text in ("0", "0.0"):
            return 0.0
        found = _NUMBER.fullmatch(text)
        if found is None:
            raise _refused(what, value, f"{what} is a number and a unit", example)
        number, unit = found.groups()
        if not unit:
            raise _refused(what, value, "its unit is missing", example)
        if unit not in units:
            near = did_you_mean(unit, units)
            if "use one of" in near:
                near = f"use one of: {', '.join(spelt)}"
            why = f"the unit '{unit}' does not fit; {near}"
            raise _refused(what, value, why, example)
        base = float(Decimal(number) * Decimal(str(units[unit])))
        if base < 0 or (base == 0 and not zero):
            raise _refused(what, value, "it must be more than 0" if not zero else "it is negative", example)
        if not math.isfinite(base):
            raise _refused(what, value, "it is too large", example)
        return base

    def spell(base: Base) -> str:
        fitting = [(factor, unit) for unit, factor in spelt.items() if float(base) >= factor]
        factor, unit = max(fitting, default=min((factor, unit) for unit, factor in spelt.items()))
        return f"{float(base) / factor:.6g} {unit}"

    return Kind(what, suffix, example, parse, spell)


def _bytes(*, zero: bool) -> Kind:
    plain = _quantity("a size", "_bytes", "1 MiB", units=SIZES, zero=zero, spelt=DECIMAL_SIZES)

    def parse(value: Raw) -> int:
        base = float(plain.parse(value))
        if base != int(base):
            raise _refused("a size", value, "it is not a whole number of bytes", plain.example)
        return int(base)

    def spell(base: Base) -> str:
        size = int(base)
        whole = [(factor, unit) for unit, factor in BINARY_SIZES.items() if size and size % factor == 0]
        factor, unit = max(whole, default=(1, "B"))
        return f"{size // factor} {unit}"

    return Kind(plain.what, plain.suffix, plain.example, parse, spell)


def _parse_count(value: Raw) -> int:
    text = str(value).strip().replace(",", "")
    if not re.fullmatch(r"\d+", text) or int(text) == 0:
        raise WeirError(f"'{value}' is not a count", "it is a whole number from 1 on", "write for example 8")
    return int(text)


def choice(*words: str, size: bool = False) -> Kind:
    """One of these words; with `size` also a number of bytes."""

    def parse(value: Raw) -> Base:
        if value in words:
            return value
        if size and re.match(r"\d", str(value)):
            return SIZE.parse(value)
        known = ", ".join(f'"{word}"' for word in words) + (" and sizes" if size else "")
        raise WeirError(f"'{value}' is not known here", f"known are {known}", did_you_mean(str(value), words))

    def spell(base: Base) -> str:
        return base if isinstance(base, str) else SIZE.spell(base)

    return Kind(" or ".join(f'"{word}"' for word in words), "", words[0], parse, spell)


def _parse_text(value: Raw) -> str:
    if not isinstance(value, str) or not value.strip():
        raise WeirError(f"'{value}' is no text", "", 'write for example "Lustre"')
    return value


_RATES_SPELT = {f"{unit}/s": float(size) for unit, size in DECIMAL_SIZES.items()}
COUNT = Kind("a count", "", "8", _parse_count, str)
TEXT = Kind("text", "", "Lustre", _parse_text, str)
SIZE = _bytes(zero=False)
ROOM = _bytes(zero=True)
"""A size that may be nothing."""
RATE = _quantity("a bandwidth", "_bytes_per_s", "350 MB/s", units=RATES, zero=False, spelt=_RATES_SPELT)
TIME = _quantity(
    "a time",
    "_s",
    "40 us",
    units=TIMES,
    zero=True,
    spelt={unit: TIMES[unit] for unit in ("ns", "us", "ms", "s")},
)
COMPUTING = _quantity("a rate of computing", "_flop_per_s", "2 Gflop/s", units=FLOPS, zero=False, spelt=FLOPS)
