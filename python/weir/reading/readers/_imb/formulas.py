"""How IMB computes what it prints, by version, and whether a line's numbers agree with each other.

Sources: the user guides of IMB 2.3 to 4.1, sections on throughput values; the release notes of 2017 to 2021;
the outputs of these versions themselves.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from weir.reading.readers._imb.scan import Entry, Table

BINARY, DECIMAL = float(1 << 20), 1e6
ENOUGH = 3
"""So many lines outweigh the version's number; fewer could be damaged ones."""
HALF = 0.005
"""A number printed with two decimals lies within half of the last one."""
_SLACK = 1e-9
"""Of computing in binary what was rounded in decimal."""

_MOVES = {"sendrecv": 2.0, "exchange": 4.0}
"""How many times the message's size goes into the throughput, X / t if not stated otherwise."""
_TO_ALL = frozenset({"one_put_all", "one_get_all", "put_all_local", "get_all_local"})
"""One rank moves a message for each of the others."""
_PLAIN = re.compile(
    r"pingp[io]ng(specificsource|anysource)?|(uni|bi)dir_(put|get)|(put|get)_local|(get_)?accumulate"
    r"|fetch_and_op|compare_and_swap|[spc]_(read|write)_(indv|expl|shared|priv)"
)


def release(version: str | None) -> int | None:
    """The first number of a version: 2, 4, 2019."""
    found = re.match(r"\d{1,4}", version or "")
    return int(found[0]) if found else None


def definitions(version: str | None) -> str | None:
    """By which definitions that version measures: "2.3" up to 4.x, "2021" from 2019 on, and between them its
    own, since collectives were synchronised already and Reduce_scatter still split its message."""
    number = release(version)
    if number is None:
        return None
    return "2.3" if number <= 4 else "2021" if number >= 2019 else str(number)


def stated_megabyte(version: str | None) -> float | None:
    """The bytes in "Mbytes" of that version; None where that is not known."""
    number = release(version)
    if number is None:
        return None
    return BINARY if number <= 4 else DECIMAL if number >= 2018 else None


def moved(table: Table) -> float | None:
    """How many messages' bytes count in the throughput; None for a function whose formula is not known."""
    name = table.function.lower()
    if name in _TO_ALL:
        return float(max((table.processes or 0) - 1, 1))
    return _MOVES.get(name, 1.0 if _PLAIN.fullmatch(name) else None)


def slowest_us(entry: Entry) -> float | None:
    """The time that throughput is computed from; None where none was printed."""
    text = entry.cells.get("t[usec]") or entry.cells.get("t_max[usec]")
    return float(text) if text else None


def throughput_fits(table: Table, entry: Entry, megabyte: float) -> bool | None:
    """Whether the printed throughput is that of size and time, or of the rate of messages, within the
    rounding of both; None where nothing says so."""
    printed, size = entry.cells.get("Mbytes/sec"), entry.number("#bytes")
    rate, time_us, times = entry.number("Msg/sec"), slowest_us(entry), moved(table)
    if printed is None or size is None:
        return None
    if rate is not None:
        low, high = (rate - 0.5) * size / megabyte, (rate + 0.5) * size / megabyte
    elif time_us is not None and times is not None:
        bytes_of_all = times * size * 1e6 / megabyte
        low = bytes_of_all / (time_us + HALF)
        high = bytes_of_all / (time_us - HALF) if time_us > HALF else float("inf")
    else:
        return None
    if size == 0:
        low = high = 0.0
    return (
        low * (1 - _SLACK) - HALF <= float(printed) + _SLACK
        and float(printed) <= high * (1 + _SLACK) + HALF + _SLACK
    )


def times_fit(entry: Entry) -> bool:
    """Whether the fastest rank's time, the mean and the slowest one's are in that order, but for rounding."""
    printed = [entry.cells.get(f"t_{name}[usec]") for name in ("min", "avg", "max")]
    known = [float(text) for text in printed if text is not None]
    return all(a <= b + 2 * HALF + _SLACK for a, b in pairwise(known))


def megabyte_of(tables: Iterable[Table], stated: float | None) -> float | None:
    """The bytes in "Mbytes": those with which all lines agree where enough of them agree with no others, or
    else those of the version; None where that does not say it either."""
    lines = [
        (throughput_fits(table, entry, BINARY), throughput_fits(table, entry, DECIMAL))
        for table in tables
        for entry in table.entries
    ]
    telling = [binary for binary, decimal in lines if binary is not decimal]
    alike = len(set(telling)) == 1 and all(
        binary or decimal for binary, decimal in lines if binary is not None
    )
    if len(telling) < ENOUGH or not alike:
        return stated
    return BINARY if telling[0] else DECIMAL


def megabyte_words(megabyte: float | None) -> str:
    """How many bytes that MB has."""
    return "10^6 bytes" if megabyte == DECIMAL else "2^20 bytes"
