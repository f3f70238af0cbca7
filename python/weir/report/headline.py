"""What a person wants to know first, in words and two numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.findings.finding import Finding, capital
from weir.findings.quantity import MIB, count_words, measured_words
from weir.findings.row import Row, measured, median_of
from weir.findings.words import join_words, phase_words, setting_words
from weir.units import format_bytes, significant


@dataclass(frozen=True)
class Tile:
    """One large number, or the reason why there is none."""

    label: str
    value: str | None
    interval: str
    setting: str


@dataclass(frozen=True)
class Headline:
    """`summary` is one sentence; `points` are what the figures found; `caveats` what to bear in mind."""

    summary: str
    tiles: tuple[Tile, ...]
    points: tuple[str, ...]
    caveats: tuple[str, ...]


def best_row(rows: list[Row], direction: str) -> Row | None:
    """The honest row with the highest median; one without interval, or an inconclusive one, only for want of
    better ones."""
    honest = [row for row in measured(rows) if row.honest and row.phase == direction]
    known = [row for row in honest if row.low is not None]
    precise = [row for row in known if not row.inconclusive]
    return max(precise or known or honest, key=median_of, default=None)


def headline(rows: list[Row], findings: list[Finding], card: Mapping[str, Any], failures: int) -> Headline:
    """The headline of a run; it has no number in it that no row has."""
    best = {direction: best_row(rows, direction) for direction in ("write", "read")}
    return Headline(
        summary=_summary(best, card),
        tiles=tuple(_tile(direction, best[direction], rows, _where(card)) for direction in best),
        points=tuple(finding.title for finding in findings),
        caveats=tuple(_caveats(rows, card, failures)),
    )


def _place(card: Mapping[str, Any]) -> str:
    system, device = card.get("file_system") or {}, card.get("block_device") or {}
    directory = card.get("directory") or "this directory"
    if not system:
        return str(directory)
    on = f" on {device['name']}" if device.get("name") else ""
    return f"{directory} ({system['type']}{on})"


def _summary(best: Mapping[str, Row | None], card: Mapping[str, Any]) -> str:
    place = _place(card)
    if (card.get("file_system") or {}).get("nature") == "memory":
        return f"{place} lies in memory: what follows is the speed of memory, not of a storage device."
    gives = [
        f"{measured_words(row)} {verb}"
        for row, verb in zip(best.values(), ("writing", "reading"), strict=True)
        if row
    ]
    if not gives:
        return f"No honest bandwidth of {place} could be measured."
    return f"{place} gives {join_words(gives)}, caches kept out of it."


def _where(card: Mapping[str, Any]) -> str:
    return " (memory, no device)" if (card.get("file_system") or {}).get("nature") == "memory" else ""


def _tile(direction: str, row: Row | None, rows: list[Row], where: str) -> Tile:
    if row is None:
        return Tile(capital(direction) + where, None, _why_none(direction, rows), "")
    if row.low is None or row.high is None:
        interval = f"no interval: n = {row.n}, below 6"
    else:
        interval = f"95 % interval [{significant(row.low / MIB)}, {significant(row.high / MIB)}], n = {row.n}"
    doubt = " (inconclusive)" if row.inconclusive else ""
    size = f", {format_bytes(row.data_bytes)} of data" if row.data_bytes else ""
    return Tile(
        capital(phase_words(row)) + where + doubt,
        significant(median_of(row) / MIB),
        interval,
        setting_words(row) + size,
    )


def _why_none(direction: str, rows: list[Row]) -> str:
    found = [row for row in measured(rows) if row.phase == direction]
    if not found:
        return f"no {direction} was measured"
    if direction == "write":
        return f"none of {count_words(len(found), 'write')} was synced"
    if any(row.suspect for row in found):
        return f"none of {count_words(len(found), 'read')} came from the device alone: they came from memory"
    return f"for none of {count_words(len(found), 'read')} can it be told that the data came from the device"


def _caveats(rows: list[Row], card: Mapping[str, Any], failures: int) -> list[str]:
    found = measured(rows)
    noisy = sum(row.inconclusive for row in found)
    suspect = [row for row in found if row.suspect]
    caveats = []
    if failures:
        caveats.append(f"{count_words(failures, 'failure')}: see Failures.")
    if noisy:
        caveats.append(
            f"{noisy} of {len(found)} results are inconclusive: their interval stayed wider than wanted."
        )
    if suspect:
        asked = sum(not row.cache_methods for row in suspect)
        count = "all" if asked == len(suspect) else f"{asked} of them"
        on_purpose = f"; {count} on purpose, to show what the cache does" if asked else ""
        caveats.append(
            f"{len(suspect)} of {len(found)} results come from the cache, not from the device{on_purpose}."
        )
    crowded = {row.ranks for row in found if "oversubscribed" in row.warnings}
    if crowded:
        caveats.append(
            f"With {join_words(map(str, sorted(crowded)))} ranks there were more ranks than cores: "
            "these results show the MPI as much as the storage."
        )
    return caveats
