"""Steps as the pattern's JSON."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .layouts import Nest
from .lists import is_nest
from .nest import Levels, nest_of
from .operations import Kind, Mode
from .rank_sets import as_json, rank_sets
from .shapes import EMPTY, PieceShapes
from .steps import Advance, Listed, One, Repeated, Step, What

Json = dict[str, Any]


class Lists(Protocol):
    """Where lists of pieces go: into the step, or into a file of their own."""

    def keys(self, pieces: list[NDArray[np.int64]]) -> Json:
        """The key of a step that says these pieces, one array of shape (n, 2) a rank."""


class StepWriter:
    """Writes steps of a pattern of so many ranks. `compute_s`: seconds of each class of computing."""

    def __init__(self, ranks: int, compute_s: list[float], lists: Lists, shapes: PieceShapes) -> None:
        self._ranks = ranks
        self._shapes = shapes
        self._collective = False
        self._compute_s = compute_s
        self._lists = lists

    def phase(self, steps: list[Step], *, collective: bool) -> list[Json]:
        """Those of a phase as JSON; one may become several, where its ranks are no set that can be said. In a
        phase that is not collective, accesses tell where they are."""
        self._collective = collective
        return self._steps(steps)

    def _steps(self, steps: list[Step]) -> list[Json]:
        return [written for step in steps for written in self._written(step)]

    def _written(self, step: Step) -> Iterator[Json]:
        match step:
            case Repeated():
                if body := self._steps(step.body):
                    yield {"repeat": {"count": step.count, "steps": body}}
            case One() if step.what.together:
                yield from self._together(step)
            case Listed():
                yield from self._listed(step)
            case One():
                for cut in rank_sets(step.ranks):
                    one = step.only(cut)
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
            return self._of(one.what, one.ranks, places, one.what.advances)
        return self._displaced(one.what, one)

    def _of(self, what: What, ranks: NDArray[np.int64], places: Json, advances: tuple[Advance, ...]) -> Json:
        if what.together:
            places = {**places, "together": True}
        if what.collective and not self._collective:
            places = {**places, "collective": True}
        return _access(what.kind, what.file, ranks, places, advances)

    def _together(self, step: One) -> Iterator[Json]:
        """One request of many pieces a rank. Ranks that have none have empty lists where the others are no
        set that can be said: in several steps it would be several collective requests."""
        assert step.shapes is not None
        filled = step.only(np.flatnonzero(step.shapes != EMPTY))
        if not len(filled.ranks):
            return
        cuts = rank_sets(filled.ranks)
        if len(cuts) == 1 or not step.what.collective:
            for cut in cuts:
                yield self._of_set(filled.only(cut))
            return
        ranks = np.arange(filled.ranks[0], filled.ranks[-1] + 1)
        pieces = {int(rank): np.zeros((0, 2), np.int64) for rank in ranks}
        yield self._of(step.what, ranks, self._lists.keys(self._pieces(filled, pieces)), step.what.advances)

    def _of_set(self, one: One) -> Json:
        assert one.shapes is not None
        shape = self._shapes[int(one.shapes[0])]
        if (one.shapes == one.shapes[0]).all() and isinstance(shape, Nest) and is_nest(one):
            levels = nest_of(one.starts) or []
            places: Json = {
                "rank_levels": _levels(levels if any(stride for _, stride in levels) else []),
                "extent": {
                    "start": int(one.starts[0]),
                    "levels": _levels(list(shape.levels)),
                    "length": shape.length,
                },
            }
            return self._of(one.what, one.ranks, places, one.what.advances)
        return self._of(one.what, one.ranks, self._lists.keys(self._pieces(one, {})), one.what.advances)

    def _pieces(self, one: One, pieces: dict[int, NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        assert one.shapes is not None
        for rank, start, shape in zip(
            *(a.tolist() for a in (one.ranks, one.starts, one.shapes)), strict=True
        ):
            pieces[rank] = self._shapes.table(shape, start)
        return list(pieces.values())

    def _displaced(self, what: What, one: One) -> Json:
        """Ranks that begin anywhere: a list of one piece each, and the levels as repetitions of it."""
        advances = (*what.advances, *((stride, 0) for _, stride in what.levels))
        pieces = [np.array([[start, what.length]]) for start in one.starts]
        step = self._of(what, one.ranks, self._lists.keys(pieces), advances)
        for count, _ in reversed(what.levels):
            step = {"repeat": {"count": count, "steps": [step]}}
        return step

    def _listed(self, step: Listed) -> Iterator[Json]:
        for cut in rank_sets(step.ranks):
            places = self._lists.keys(step.pieces[cut])
            if step.collective and not self._collective:
                places = {**places, "collective": True}
            yield _access(step.kind, step.file, step.ranks[cut], places, step.advances)


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
