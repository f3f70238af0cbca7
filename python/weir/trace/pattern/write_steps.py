"""Steps as the pattern's JSON."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .lists import is_nest
from .nest import Levels, nest_of
from .operations import Kind, Mode
from .rank_sets import as_json, rank_sets
from .steps import Advance, Listed, One, Repeated, Step, What

Json = dict[str, Any]


class Lists(Protocol):
    """Where lists of pieces go: into the step, or into a file of their own."""

    def keys(self, pieces: list[NDArray[np.int64]]) -> Json:
        """The key of a step that says these pieces, one array of shape (n, 2) a rank."""


class StepWriter:
    """Writes steps of a pattern of so many ranks. `compute_s`: seconds of each class of computing."""

    def __init__(self, ranks: int, compute_s: list[float], lists: Lists) -> None:
        self._ranks = ranks
        self._compute_s = compute_s
        self._lists = lists

    def steps(self, steps: list[Step]) -> list[Json]:
        """As JSON; one may become several, where its ranks are no set that can be said."""
        return [written for step in steps for written in self._written(step)]

    def _written(self, step: Step) -> Iterator[Json]:
        match step:
            case Repeated():
                yield {"repeat": {"count": step.count, "steps": self.steps(step.body)}}
            case Listed():
                yield from self._listed(step)
            case One():
                for cut in rank_sets(step.ranks):
                    one = One(step.what, step.ranks[cut], step.starts[cut])
                    yield self._access(one) if step.what.moves else self._other(one)

    def _other(self, one: One) -> Json:
        what = one.what
        name = Kind(what.kind).name.lower()
        body: Json = {"file": what.file} if what.kind < Kind.COMPUTE else {}
        if what.kind == Kind.OPEN:
            body["mode"] = Mode(what.mode).name.lower()
        elif what.kind == Kind.PREALLOCATE:
            body["bytes"] = what.length
        elif what.kind == Kind.COMPUTE:
            body["time_s"] = self._compute_s[what.length]
        if len(one.ranks) < self._ranks:
            body["ranks"] = as_json(one.ranks)
        if what.kind < Kind.COMPUTE:
            body |= _file_advance(what.advances)
        return {name: body}

    def _access(self, one: One) -> Json:
        if is_nest(one):
            levels = nest_of(one.starts) or []
            places: Json = {
                "rank_levels": _levels(levels if any(stride for _, stride in levels) else []),
                "extent": {
                    "start": int(one.starts[0]),
                    "levels": _levels(list(one.what.levels)),
                    "length": one.what.length,
                },
            }
            return _access(one.what.kind, one.what.file, one.ranks, places, one.what.advances)
        return self._displaced(one.what, one)

    def _displaced(self, what: What, one: One) -> Json:
        """Ranks that begin anywhere: a list of one piece each, and the levels as repetitions of it."""
        advances = (*what.advances, *((stride, 0) for _, stride in what.levels))
        pieces = [np.array([[start, what.length]]) for start in one.starts]
        step = _access(what.kind, what.file, one.ranks, self._lists.keys(pieces), advances)
        for count, _ in reversed(what.levels):
            step = {"repeat": {"count": count, "steps": [step]}}
        return step

    def _listed(self, step: Listed) -> Iterator[Json]:
        for cut in rank_sets(step.ranks):
            yield _access(
                step.kind, step.file, step.ranks[cut], self._lists.keys(step.pieces[cut]), step.advances
            )


def _access(
    kind: int, file: int, ranks: NDArray[np.int64], places: Json, advances: tuple[Advance, ...]
) -> Json:
    body: Json = {
        "verb": "write" if kind == Kind.WRITE else "read",
        "file": file,
        "ranks": as_json(ranks),
        **places,
        "order": {"kind": "sequential"},
        "sync_each": False,
    }
    if any(offset for offset, _ in advances):
        body["advance"] = [offset for offset, _ in advances]
    return {"access": body | _file_advance(advances)}


def _file_advance(advances: tuple[Advance, ...]) -> Json:
    return {"file_advance": [files for _, files in advances]} if any(files for _, files in advances) else {}


def _levels(levels: Levels) -> list[Json]:
    return [{"count": count, "stride": stride} for count, stride in levels]
