"""Names in PFLOTRAN's files: `Liquid_Pressure [Pa]` is a quantity with its unit, `Time:  1.00000E+00 y` a
time with its unit."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from weir.printable import printable

_TIME = re.compile(r"Time:? *([-+]?\d*\.?\d+(?:[EeDd]?[-+]\d+|[EeDd]\d+)?) *(\S*)")
_NO_E = re.compile(r"(?<=[\d.])([-+]\d+)$")
"""Fortran drops the letter before an exponent of three digits: 1.00000-100."""
SECONDS = {"s": 1.0, "h": 3600.0, "d": 86400.0, "y": 365 * 86400.0}
"""In PFLOTRAN's units of time, of which files have the first letter."""
_VELOCITY = re.compile(r"(?P<before>.*\b)[XYZ](?P<after>-Velocity\b.*)")
AXES = "xyz"


@dataclass(frozen=True)
class Quantity:
    """A dataset's name, taken apart."""

    stored: str

    @cached_property
    def _parts(self) -> tuple[str, str]:
        head, bracket, tail = self.stored.rpartition(" [")
        return (head, tail[:-1]) if bracket and tail.endswith("]") else (self.stored, "")

    @property
    def name(self) -> str:
        """Without the unit, as on the command line."""
        return self._parts[0]

    @property
    def words(self) -> str:
        """For people: "liquid pressure", "material ID"."""
        words = printable(self.name.replace("_", " ")).split(" ")
        return " ".join(word if word.isupper() else word.lower() for word in words)

    @property
    def unit(self) -> str:
        """As people write it, "m/d"; empty where there is none."""
        return printable(self._parts[1].replace("_per_", "/"))

    @property
    def is_tracer(self) -> bool:
        """Is it a total concentration, `Total_Tracer [M]`?"""
        return self.name.startswith("Total_")


@dataclass(frozen=True)
class Time:
    """Of an output, in the file's unit; and the group's name."""

    group: str
    value: float
    unit: str

    @classmethod
    def of(cls, group: str) -> "Time | None":
        """The time that a group is named after; null for another group."""
        found = _TIME.fullmatch(group)
        if found is None:
            return None
        number = found[1].upper().replace("D", "E")
        number = number if "E" in number else _NO_E.sub(r"E\1", number)
        return cls(group, float(number), found[2])

    @property
    def seconds(self) -> float | None:
        """Null where the unit is none that is known: "m" may be minutes or months."""
        return self.value * SECONDS[self.unit] if self.unit in SECONDS else None

    def __str__(self) -> str:
        return f"{self.value:g} {printable(self.unit)}".rstrip()


def velocity(names: Iterable[str]) -> tuple[str, str, str] | None:
    """The datasets of a velocity along x, y and z; of several, that of the liquid. Null where not all three
    are there."""
    known = set(names)
    found = []
    for name in sorted(known):
        parts = _VELOCITY.fullmatch(name)
        if parts:
            x, y, z = (f"{parts['before']}{axis}{parts['after']}" for axis in "XYZ")
            if {x, y, z} <= known:
                found.append((x, y, z))
    return min(found, key=lambda three: ("Liquid" not in three[0], three), default=None)
