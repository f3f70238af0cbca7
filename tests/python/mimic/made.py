"""Patterns for the tests of imitations, and what is compared of them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from end_to_end.patterns import Json, closing, opening, phase
from end_to_end.patterns import pattern as small
from weir.mimic.nests import merged
from weir.pattern import Level, Pattern

T = 78_125_000
"""8 nPix²/P bytes for 25,000 pixels on 64 ranks."""


def typed(raw: Json) -> Pattern:
    return msgspec.convert(raw, Pattern)


def of_steps(*steps: Json, ranks: int, per_rank: bool = False, **changes: Any) -> Pattern:
    """A pattern of one phase that creates its file and closes it."""
    write = phase("write", opening("create"), *steps, closing(), **changes)
    return typed(small(write, ranks=ranks, per_rank=per_rank))


def nest(  # noqa: PLR0913
    verb: str = "write",
    *,
    ranks: int,
    length: int,
    levels: Sequence[tuple[int, int]] = (),
    rank_levels: Sequence[tuple[int, int]] = (),
    start: int = 0,
    first: int = 0,
    **changes: Any,
) -> Json:
    """One access as a nest of strides."""
    plain = {
        "verb": verb,
        "file": 0,
        "ranks": {"first": first, "count": ranks, "step": 1},
        "rank_levels": [{"count": n, "stride": stride} for n, stride in rank_levels],
        "extent": {
            "start": start,
            "levels": [{"count": n, "stride": stride} for n, stride in levels],
            "length": length,
        },
        "order": {"kind": "sequential"},
        "sync_each": False,
    }
    return {"access": {**plain, **changes}}


def listed(lists: Sequence[Sequence[int]], verb: str = "write") -> Json:
    """One access by lists of offsets and lengths in turn, one a rank."""
    return {
        "access": {
            "verb": verb,
            "file": 0,
            "ranks": {"first": 0, "count": len(lists), "step": 1},
            "lists": [list(one) for one in lists],
            "order": {"kind": "sequential"},
            "sync_each": False,
        }
    }


def repeat(count: int, *steps: Json) -> Json:
    return {"repeat": {"count": count, "steps": list(steps)}}


BARRIER: Json = {"barrier": {}}


def cmb(ranks: int, *, alone: bool, matrices: int = 8) -> Pattern:
    """MADbench2 as it is written in docs of its source: matrices written, read and written, read; each rank
    its own part, in one call."""
    stride = 0 if alone else matrices * T
    at = [(ranks, stride)] if stride else []

    def part(verb: str) -> Json:
        return nest(verb, ranks=ranks, length=T, rank_levels=at, advance=[T])

    phases = (
        phase("S", opening("create"), repeat(matrices, BARRIER, part("write"), BARRIER)),
        phase("W", repeat(matrices, BARRIER, part("read"), BARRIER, part("write"))),
        phase("C", repeat(matrices, part("read")), closing()),
    )
    return typed(small(*phases, ranks=ranks, per_rank=alone))


def comparable(pattern: Pattern) -> Json:
    """The pattern with its nests merged, without its name."""
    raw: Json = msgspec.to_builtins(pattern)
    for one in raw["phases"]:
        one["steps"] = [_merged(step) for step in one["steps"]]
    return {**raw, "name": ""}


def _merged(step: Json) -> Json:
    if "access" not in step:
        return step
    access = step["access"]
    extent = {**access["extent"], "levels": _levels(access["extent"]["levels"])}
    return {"access": {**access, "extent": extent, "rank_levels": _levels(access.get("rank_levels", []))}}


def _levels(levels: list[Json]) -> list[tuple[int, int]]:
    return list(merged((Level(**one).count, Level(**one).stride) for one in levels))
