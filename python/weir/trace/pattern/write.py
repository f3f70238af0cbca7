"""A recognised pattern as files: JSON, its lists, and the names that files had."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from weir import pattern
from weir.files.write import write, written
from weir.printable import cell_text
from weir.trace.pattern.nests import Integers, Levels, nest_of, rank_sets
from weir.trace.pattern.operations.layouts import Nest
from weir.trace.pattern.operations.operation import Kind, Mode
from weir.trace.pattern.operations.views import EMPTY
from weir.trace.pattern.recognise import Recognised
from weir.trace.pattern.steps.lists import is_nest
from weir.trace.pattern.steps.step import Advance, Listed, One, Repeated, Step, What

Places = dict[str, Any]
"""Keys of an access that say where its pieces lie, and how they are requested."""


MOST_LISTED = 100_000
"""Lists of more pieces than this in all go into a file of their own."""

MODES: dict[Mode, pattern.Mode] = {Mode.CREATE: "create", Mode.READ: "read", Mode.UPDATE: "update"}


class ListFiles:
    """Keeps short lists in their steps, and writes long ones to files in the pattern's folder."""

    def __init__(self, pattern: Path) -> None:
        self._pattern = pattern
        self.written: list[Path] = []

    def places(self, pieces: list[Integers]) -> Places:
        """`lists` or `lists_file`."""
        counts = np.array([len(one) for one in pieces], "<u8")
        if counts.sum() <= MOST_LISTED:
            return {"lists": [one.reshape(-1).tolist() for one in pieces]}
        path = self._pattern.with_name(f"{self._pattern.stem}.{len(self.written) + 1}.lists")
        with written(path) as file:
            file.write(b"WEIRLIST" + np.array([len(pieces)], "<u8").tobytes())
            file.write(np.concatenate([[0], np.cumsum(counts)]).astype("<u8").tobytes())
            for one in pieces:
                file.write(one.astype("<u8").tobytes())
        self.written.append(path)
        return {"lists_file": path.name}


class StepWriter:
    """Turns recognised steps into those of the pattern's format."""

    def __init__(self, found: Recognised, lists: ListFiles) -> None:
        self._ranks, self._shapes, self._lists = found.ranks, found.shapes, lists
        self._compute_s = [one.median_s for one in found.computing]
        self._collective = False

    def phase(self, steps: list[Step], *, collective: bool) -> list[pattern.Step]:
        """The steps of a phase. One becomes several where its ranks are no set that the format has. Only in
        a phase that is not collective, accesses say whether they are."""
        self._collective = collective
        return self._steps(steps)

    def _steps(self, steps: list[Step]) -> list[pattern.Step]:
        return [written for step in steps for written in self._written(step)]

    def _written(self, step: Step) -> Iterator[pattern.Step]:
        match step:
            case Repeated():
                if body := self._steps(step.body):
                    yield pattern.Step(repeat=pattern.Repeat(count=step.count, steps=body))
            case One() if step.what.list_io:
                yield from self._together(step)
            case Listed():
                yield from self._listed(step)
            case One() if step.what.kind == Kind.ORDER:
                yield pattern.Step(barrier=pattern.Barrier(ranks=self._sets(step.ranks)))
            case One():
                for cut in rank_sets(step.ranks):
                    one = step.only(cut)
                    yield self._access(one) if step.what.moves else self._other(one)

    def _sets(self, ranks: Integers) -> pattern.Ranks:
        if len(ranks) == self._ranks:
            return UNSET
        sets = [_rank_set(ranks[cut]) for cut in rank_sets(ranks)]
        return sets[0] if len(sets) == 1 else sets

    def _other(self, one: One) -> pattern.Step:
        what = one.what
        ranks = _rank_set(one.ranks) if len(one.ranks) < self._ranks else UNSET
        if what.kind == Kind.COMPUTE:
            return pattern.Step(compute=pattern.Compute(time_s=self._compute_s[what.length], ranks=ranks))
        if what.kind == Kind.BARRIER:
            return pattern.Step(barrier=pattern.Barrier(ranks=ranks))
        where: dict[str, Any] = {
            "file": what.file,
            "ranks": ranks,
            "file_advance": _file_advance(what.advances),
        }
        match what.kind:
            case Kind.OPEN:
                return pattern.Step(open=pattern.Open(mode=MODES[Mode(what.mode)], **where))
            case Kind.PREALLOCATE:
                return pattern.Step(preallocate=pattern.Preallocate(bytes=what.length, **where))
            case Kind.SYNC:
                return pattern.Step(sync=pattern.Sync(**where))
            case _:
                return pattern.Step(close=pattern.Close(**where))

    def _access(self, one: One) -> pattern.Step:
        if is_nest(one):
            return self._of(one.what, one.ranks, _nest(one, one.what.levels, one.what.length))
        return self._displaced(one.what, one)

    def _of(
        self, what: What, ranks: Integers, places: Places, advances: tuple[Advance, ...] | None = None
    ) -> pattern.Step:
        if what.list_io:
            places = {**places, "together": True}
        if what.collective and not self._collective:
            places = {**places, "collective": True}
        return _access(what.kind, what.file, ranks, places, what.advances if advances is None else advances)

    def _together(self, step: One) -> Iterator[pattern.Step]:
        """One request of many pieces a rank. Where the ranks with pieces are no set that the format has, the
        others get empty lists: several steps would be several collective requests."""
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

    def _pieces(self, one: One, pieces: dict[int, Integers]) -> list[Integers]:
        assert one.shapes is not None
        for rank, start, shape in zip(
            *(a.tolist() for a in (one.ranks, one.starts, one.shapes)), strict=True
        ):
            pieces[rank] = self._shapes.table(shape, start)
        return list(pieces.values())

    def _displaced(self, what: What, one: One) -> pattern.Step:
        """Ranks whose starts are no nest: a list of one piece each, and the levels as repetitions of it."""
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
        "rank_levels": pattern.levels_of(of_ranks if any(stride for _, stride in of_ranks) else []),
        "extent": pattern.Extent(
            start=int(one.starts[0]), levels=pattern.levels_of(list(levels)), length=length
        ),
    }


def _access(
    kind: int, file: int, ranks: Integers, places: Places, advances: tuple[Advance, ...]
) -> pattern.Step:
    offsets = tuple(offset for offset, _ in advances)
    access = pattern.Access(
        verb="write" if kind == Kind.WRITE else "read",
        file=file,
        ranks=_rank_set(ranks),
        **places,
        order=pattern.Order(kind="sequential"),
        sync_each=False,
        advance=offsets if any(offsets) else (),
        file_advance=_file_advance(advances),
    )
    return pattern.Step(access=access)


def _file_advance(advances: tuple[Advance, ...]) -> tuple[int, ...]:
    return tuple(files for _, files in advances) if any(files for _, files in advances) else ()


def _rank_set(ranks: Integers) -> pattern.RankSet:
    """A stretch of equal differences, as `rank_sets` cuts them."""
    step = int(ranks[1] - ranks[0]) if len(ranks) > 1 else 1
    return pattern.RankSet(first=int(ranks[0]), count=len(ranks), step=step)


def write_pattern(found: Recognised, path: Path) -> list[Path]:
    """Write the pattern to `path`, long lists and the table of names to the same folder; returns all files
    written."""
    lists = ListFiles(path)
    writer = StepWriter(found, lists)
    phases = [
        pattern.phase_of(
            phase.name, writer.phase(phase.steps, collective=phase.collective), collective=phase.collective
        )
        for phase in found.phases
    ]
    files = [pattern.File(name=file.name, per_rank=file.per_rank) for file in found.files]
    whole = pattern.Pattern(
        weir_pattern=1,
        name=path.stem,
        ranks=found.ranks,
        inexact=tuple(found.reasons),
        memory=found.memory or UNSET,
        files=files,
        phases=phases,
    )
    write(path, _lines(whole), named=True)
    names = path.with_name(f"{path.stem}.names.csv")
    _write_names(found, names)
    return [path, *lists.written, names]


def _lines(whole: pattern.Pattern) -> bytes:
    """JSON with a line for each file and step, so that people can read it."""
    encode = msgspec.json.Encoder().encode

    def listed(items: list[bytes], depth: int) -> bytes:
        pad = b"\n" + b" " * depth
        return b"[" + b",".join(pad + item for item in items) + b"]"

    def step(one: pattern.Step, depth: int) -> bytes:
        if one.repeat is UNSET:
            return encode(one)
        steps = listed([step(inner, depth + 1) for inner in one.repeat.steps], depth + 1)
        return b'{"repeat":{"count":' + encode(one.repeat.count) + b',"steps":' + steps + b"}}"

    def phase(one: pattern.Phase) -> bytes:
        head = encode(replace(one, steps=[])).removesuffix(b"[]}")
        return b"\n  " + head + listed([step(inner, 3) for inner in one.steps], 3) + b"}"

    head = encode(replace(whole, files=[], phases=[])).removesuffix(b',"files":[],"phases":[]}')
    return (
        head
        + b',\n "files":'
        + listed([encode(file) for file in whole.files], 2)
        + b',\n "phases":['
        + b",".join(phase(one) for one in whole.phases)
        + b"]}\n"
    )


def _write_names(found: Recognised, path: Path) -> None:
    with written(path) as file, io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="") as text:
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["file", "name", "rank", "original"])
        for number, one in enumerate(found.files):
            for rank, original in one.originals:
                cells = (cell_text(one.name), "" if rank < 0 else rank, cell_text(original))
                table.writerow([number, *cells])
