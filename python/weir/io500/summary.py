"""What IO500 printed of one of its runs: `result_summary.txt`, of any year.

Until 2019 a line reads `[RESULT] BW   phase 1   ior_easy_write   12.3 GB/s : time 301 seconds`, later
`[RESULT]   ior-easy-write   12.3 GiB/s : time 301 seconds`, with `[INVALID]` behind what is not valid.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from weir.io500.phases import PHASES

INVALID = "[INVALID]"
_RESULT = re.compile(
    r"^\[RESULT\]\s+(?:(?:BW|IOPS)\s+phase\s+\d+\s+)?(?P<name>[\w-]+)\s+(?P<value>\S+)\s+"
    r"(?:G[Ii]?B/s|kIOPS)\s*:\s*time\s+(?P<seconds>\S+)\s+seconds(?P<rest>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_VERSION = re.compile(r"^IO500 version\s+(?P<version>\S+)?\s*(?:\((?P<mode>\w+)\))?\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """A phase's number in the unit of its metric, and how long the phase took."""

    value: float
    seconds: float


@dataclass(frozen=True)
class Summary:
    """`version`: of IO500, empty where it is not printed; `invalid`: whether the run, or a phase of it, is
    none that counts."""

    version: str
    results: Mapping[str, Result]
    invalid: bool

    @property
    def missing(self) -> list[str]:
        """Scored phases without a number."""
        return [name for name in PHASES if name not in self.results]


def read_summary(text: str) -> Summary:
    """Of the file's text; a line that is none of a scored phase is passed over."""
    results = {}
    for line in _RESULT.finditer(text):
        name = line["name"].replace("_", "-")
        value, seconds = _number(line["value"]), _number(line["seconds"])
        if name in PHASES and value is not None and seconds is not None and value > 0:
            results[name] = Result(float(value * PHASES[name].unit), float(seconds))
    version = _VERSION.search(text)
    return Summary(version["version"] or "" if version else "", results, INVALID in text)


def _number(text: str) -> Decimal | None:
    """As printed; null for what is none, or has no end."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
