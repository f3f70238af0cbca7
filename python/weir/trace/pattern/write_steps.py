"""Steps as the pattern has them."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from weir import pattern

from .layouts import Nest
from .lists import is_nest
from .nest import Levels, nest_of
from .operations import Kind, Mode
from .rank_sets import rank_set, rank_sets
from .shapes import EMPTY, PieceShapes
from .steps import Advance, Listed, One, Repeated, Step, What

Places = dict[str, Any]
"""Keys of an access that say where its pieces lie, and how they are asked for."""


MODES: dict[Mode, pattern.Mode] = {Mode.CREATE: "create", Mode.READ: "read", Mode.UPDATE: "update"}


class Lists(Protocol):
    """Where lists of pieces go: into the step, or into a file of their own."""

    def places(self, pieces: list[NDArray[np.int64]]) -> Places:
        """The key of a step that says these pieces, one array of shape (n, 2) a rank."""


class StepWriter:
    """Writes steps of a pattern of so many ranks. `compute_s`: seconds of each class of computing."""

    def __init__(self, ranks: int, compute_s: list[float], lists: Lists, shapes: PieceShapes) -> None:
        self._ranks = ranks
        self._shapes = shapes
        self._collective = False
        self._compute_s = compute_s
        self._lists = lists

    def phase(self, steps: list[Step], *, collective: bool) -> list[pattern.Step]:
        """Those of a phase; one may become several, where its ranks are no set that can be said. In a phase
        that is not collective, accesses tell where they are."""
        self._collective = collective
        return self._steps(steps)

    def _steps(self, steps: list[Step]) -> list[pattern.Step]:
        return [written for step in steps for written in self._written(step)]

    def _written(self, step: Step) -> Iterator[pattern.Step]:
        match step:
            case Repeated():
                if body := self._steps(step.body):
                    yield pattern.Step(repeat=pattern.Repeat(count=step.count, steps=body))
            case One() if step.what.together:
                yield from self._together(step)
            case Listed():
                yield from self._listed(step)
            case One():
                for cut in rank_sets(step.ranks):
                    one = step.only(cut)
                    yield self._access(one) if step.what.moves else self._other(one)

    def _other(self, one: One) -> pattern.Step:
        what = one.what
        ranks = rank_set(one.ranks) if len(one.ranks) < self._ranks else UNSET
        if what.kind == Kind.COMPUTE:
            return pattern.Step(compute=pattern.Compute(time_s=self._compute_s[what.length], ranks=ranks))
        if what.kind == Kind.BARRIER:
            return pattern.Step(barrier=pattern.Barrier(ranks=ranks))
        file, moves = what.file, _file_advance(what.advances)
        if what.kind == Kind.OPEN:
            opened = pattern.Open(file=file, mode=MODES[Mode(what.mode)], ranks=ranks, file_advance=moves)
            return pattern.Step(open=opened)
        if what.kind == Kind.PREALLOCATE:
            reserved = pattern.Preallocate(file=file, bytes=what.length, ranks=ranks, file_advance=moves)
            return pattern.Step(preallocate=reserved)
        if what.kind == Kind.SYNC:
            return pattern.Step(sync=pattern.Sync(file=file, ranks=ranks, file_advance=moves))
        return pattern.Step(close=pattern.Close(file=file, ranks=ranks, file_advance=moves))

    def _access(self, one: One) -> pattern.Step:
        if is_nest(one):
            return self._of(one.what, one.ranks, _nest(one, one.what.levels, one.what.length))
        return self._displaced(one.what, one)

    def _of(
        self,
        what: What,
        ranks: NDArray[np.int64],
        places: Places,
        advances: tuple[Advance, ...] | None = None,
    ) -> pattern.Step:
        if what.together:
            places = {**places, "together": True}
        if what.collective and not self._collective:
            places = {**places, "collective": True}
        return _access(what.kind, what.file, ranks, places, what.advances if advances is None else advances)

    def _together(self, step: One) -> Iterator[pattern.Step]:
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
        yield self._of(step.what, ranks, self._lists.places(self._pieces(filled, pieces)))

    def _of_set(self, one: One) -> pattern.Step:
        assert one.shapes is not None
        shape = self._shapes[int(one.shapes[0])]
        if (one.shapes == one.shapes[0]).all() and isinstance(shape, Nest) and is_nest(one):
            return self._of(one.what, one.ranks, _nest(one, shape.levels, shape.length))
        return self._of(one.what, one.ranks, self._lists.places(self._pieces(one, {})))

    def _pieces(self, one: One, pieces: dict[int, NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        assert one.shapes is not None
        for rank, start, shape in zip(
            *(a.tolist() for a in (one.ranks, one.starts, one.shapes)), strict=True
        ):
            pieces[rank] = self._shapes.table(shape, start)
        return list(pieces.values())

    def _displaced(self, what: What, one: One) -> pattern.Step:
        """Ranks that begin anywhere: a list of one piece each, and the levels as repetitions of it."""
        advances = (*what.advances, *((stride, 0) for _, stride in what.levels))
        pieces = [np.array([[start, what.length]]) for start in one.starts]
        step = self._of(what, one.ranks, self._lists.places(pieces), advances)
        for count, _ in reversed(what.levels):
            step = pattern.Step(repeat=pattern.Repeat(count=count, steps=[step]))
        return step

    def _listed(self, step: Listed) -> Iterator[pattern.Step]:
        for cut in rank_sets(step.ranks):
            places = self._lists.places(step.pieces[cut])
            if step.collective and not self._collective:
                places = {**places, "collective": True}
            yield _access(step.kind, step.file, step.ranks[cut], places, step.advances)


def _nest(one: One, levels: Levels | tuple[tuple[int, int], ...], length: int) -> Places:
    """Pieces of a nest, displaced from rank to rank."""
    of_ranks = nest_of(one.starts) or []
    return {
        "rank_levels": _levels(of_ranks if any(stride for _, stride in of_ranks) else []),
        "extent": pattern.Extent(start=int(one.starts[0]), levels=_levels(list(levels)), length=length),
    }


def _access(
    kind: int, file: int, ranks: NDArray[np.int64], places: Places, advances: tuple[Advance, ...]
) -> pattern.Step:
    offsets = tuple(offset for offset, _ in advances)
    access = pattern.Access(
        verb="write" if kind == Kind.WRITE else "read",
        file=file,
        ranks=rank_set(ranks),
        **places,
        order=pattern.Order(kind="sequential"),
        sync_each=False,
        advance=offsets if any(offsets) else (),
        file_advance=_file_advance(advances),
    )
    return pattern.Step(access=access)


def _file_advance(advances: tuple[Advance, ...]) -> tuple[int, ...]:
    return tuple(files for _, files in advances) if any(files for _, files in advances) else ()


def _levels(levels: Levels) -> list[pattern.Level]:
    return [pattern.Level(count=count, stride=stride) for count, stride in levels]
