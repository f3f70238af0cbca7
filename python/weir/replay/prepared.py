"""A pattern as it is replayed, and what can be said of it before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded import MIB, decode_json
from weir.core.client import Core
from weir.errors import WeirError
from weir.files.named import read_named
from weir.files.write import write
from weir.replay.wish import Wish

MOST_PATTERN_BYTES = 256 * MIB


@dataclass(frozen=True)
class Prepared:
    """The pattern as `weir-core prepare` gives it."""

    pattern: dict[str, Any]
    made_first: tuple[str, ...]
    """Files that the pattern only finds: written before, in a phase of their own."""
    preparing: str | None
    """The name of that phase."""
    computes: bool
    """Whether time is computed away between requests."""
    dropped_gaps: bool
    checks: bool
    """Whether what is read is compared with what must stand there."""
    made_independent: tuple[str, ...] = ()
    """Phases with collective requests, which each rank makes by itself, since the back-end has no others."""

    @property
    def ranks(self) -> int:
        """How many ranks it is for."""
        ranks: int = self.pattern["ranks"]
        return ranks

    def write(self, path: Path) -> None:
        """Keep it as that file."""
        write(path, msgspec.json.encode(self.pattern), make=True)


def prepare(wish: Wish, core: Core) -> Prepared:
    """What the wish comes to. Raises WeirError for a pattern that is not right, or does not scale so."""
    pattern = core.prepare(wish.pattern, ranks=wish.ranks, gaps=wish.gaps)
    before = _read(wish.pattern)
    made_independent = without_collectives(pattern) if _independent(wish.backend, core) else ()
    more = len(pattern["phases"]) > len(before["phases"])
    first = pattern["phases"][0] if more else None
    names = [file["name"] for file in pattern["files"]]
    return Prepared(
        pattern,
        made_first=tuple(names[step["open"]["file"]] for step in first["steps"] if "open" in step)
        if first
        else (),
        preparing=first["name"] if first else None,
        computes=any("compute" in step for step in _steps(pattern)),
        dropped_gaps=not wish.gaps and any("compute" in step for step in _steps(before)),
        checks=any(step.get("access", {}).get("verb") == "check" for step in _steps(pattern)),
        made_independent=made_independent,
    )


def _independent(backend: str, core: Core) -> bool:
    """Is it one that has no collective calls? One that is not known is refused where the case is planned."""
    return any(one.name == backend and not one.collective for one in core.schema().backends)


def without_collectives(pattern: dict[str, Any]) -> tuple[str, ...]:
    """Makes all phases independent; the names of those that were not, or had accesses that were not."""
    names = []
    for phase in pattern["phases"]:
        accesses = [step["access"] for step in _nested(phase["steps"]) if "access" in step]
        made = [access.pop("collective", False) for access in accesses]
        if phase["collective"] or any(made):
            names.append(phase["name"])
        phase["collective"] = False
    return tuple(names)


def _read(path: Path) -> dict[str, Any]:
    data = read_named(path, MOST_PATTERN_BYTES, "the pattern", "name a file that `weir pattern` made")
    try:
        return decode_json(data, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise WeirError(f"cannot read the pattern '{path}'", str(error), "check the path") from error


def _steps(pattern: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for phase in pattern["phases"]:
        yield from _nested(phase["steps"])


def _nested(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in steps:
        if "repeat" in step:
            yield from _nested(step["repeat"]["steps"])
        else:
            yield step
