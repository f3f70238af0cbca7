"""The whole protocol for one directory: the short ways on small files, the search, and both side by side."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

import weir
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate import left_behind
from weir.calibrate.bench import About, Bench, PatternOf, StorageFull, Taken
from weir.calibrate.calibration import Calibration, Comparison
from weir.calibrate.curve import Curve
from weir.calibrate.facts import BEYOND, Bounds, cut_to, was_seen
from weir.calibrate.judge import compare_with, is_sure, side_of, sizes_enough, verdict_of
from weir.calibrate.search import DIRECTIONS, READ, WRITE, Plateau, Search
from weir.calibrate.situation import SHARE_OF_EXHAUSTIVE, Situation, Wish, situation_of
from weir.calibrate.store import lock_of
from weir.calibrate.ways import DIRECT, SHORT_WAYS, THROUGH_CACHE
from weir.core.client import Core
from weir.drive.clock import Clock, SystemClock
from weir.drive.scratch import Scratch
from weir.errors import WeirError
from weir.launch.base import Launcher
from weir.launch.process import signals_interrupt
from weir.pattern import Pattern
from weir.store.records import FailureRecord, Warning
from weir.units import format_bytes, format_seconds

SHORT_BYTES = 64 << 20
SHORT_SHARE = 16
"""A short file is at most this many times smaller than the first large one."""
TIME_SHARE = 0.6
"""Of the time left, for the four starting sizes that the first comparison writes."""
FIRST_COMPARISON = 4
ENOUGH = 40
"""Samples of a size beyond which more would tell no more."""

Tell = Callable[[About | Taken | Warning | str], None]


def calibrate(wish: Wish, core: Core, launcher: Launcher, tell: Tell) -> Calibration:
    """Carry out the protocol. Raises WeirError if nothing can run, Interrupted if a signal came; leaves no
    file behind."""
    situation = situation_of(wish)
    launcher.prepare()
    bounds = situation.bounds
    with (
        signals_interrupt(),
        lock_of(situation.storage),
        tempfile.TemporaryDirectory(prefix="weir-calibrate-") as logs,
        _scratch(wish, situation, tell) as (folder, scratch),
    ):
        bench = Bench(
            program=core.program,
            pattern_of=pattern_by(core),
            launcher=launcher,
            directory=folder,
            logs=Path(logs),
            ranks=situation.ranks,
            transfer=wish.transfer,
            clock=SystemClock(),
            warm_bytes=min(bounds.range.most * situation.ranks, situation.facts.cacheable or 0),
            tell=tell,
            empty=scratch.empty,
        )
        return Protocol(wish, situation, bounds, bench, tell).run()


@contextmanager
def _scratch(wish: Wish, situation: Situation, tell: Tell) -> Iterator[tuple[Path, Scratch]]:
    """The directory for the files, removed in the end; removes also what a killed calibration left behind."""
    stale = left_behind.remove_left_behind(situation.storage)
    if stale:
        tell(f"removed '{stale}', left behind by a calibration that was killed")
    drawn = left_behind.draw(situation.storage, wish.directory)
    with Scratch({None: Path(drawn.path)}, keep=False, mark=drawn.mark) as scratch:
        yield Path(drawn.path), scratch
    left_behind.forget(situation.storage)


def pattern_by(core: Core) -> PatternOf:
    """Patterns as the core would carry them out."""

    def pattern_of(case: dict[str, Any]) -> Pattern:
        answer = core.describe([case])[case["id"]]
        if isinstance(answer, FailureRecord) or answer.pattern is None:
            raise WeirError(f"weir-core does not describe a case of the calibration: {answer}")
        return answer.pattern

    return pattern_of


@dataclass
class Protocol:
    """One calibration under way."""

    wish: Wish
    situation: Situation
    bounds: Bounds
    """Those of the situation, until time or space turn out to be shorter."""
    bench: Bench
    tell: Tell
    clock: Clock = field(default_factory=SystemClock)
    _curves: dict[str, Curve] = field(default_factory=lambda: {name: Curve() for name in DIRECTIONS})
    _refused: dict[str, str] = field(default_factory=dict)
    _share: float = SHARE_OF_EXHAUSTIVE
    """Of what an exhaustive sweep writes, this much may be written."""

    def run(self) -> Calibration:
        """Short ways, search, comparison."""
        self._started_s = self.clock.now()
        short = self._first_short_size()
        self._measure_short(short)
        self._fit_to_time()
        plateaus = self._search()
        sides = {
            name: side_of(plateau, self._curves[name], seen=self._seen(name, plateau))
            for name, plateau in plateaus.items()
        }
        comparisons = self._comparisons(sides)
        if not all(side.seen for side in sides.values()):
            return self._conclude(sides, comparisons)
        smallest = min((s.size_bytes for s in sides.values() if s.size_bytes), default=0)
        while not sizes_enough(comparisons, DIRECTIONS) and (short := 4 * short) <= smallest // 2:
            if not comparisons or self._refusal([short] * FEWEST_SAMPLES * len(SHORT_WAYS), True):
                break
            self._measure_short(short)
            comparisons = self._comparisons(sides)
        return self._conclude(sides, comparisons)

    def _first_short_size(self) -> int:
        beyond = self.bounds.range.most
        if self.situation.facts.cacheable:
            beyond = int(BEYOND * self.situation.facts.cacheable / self.bench.ranks)
        size = min(SHORT_BYTES, beyond // SHORT_SHARE, self.bounds.range.most // 2)
        return max(size // self.wish.transfer, 1) * self.wish.transfer

    def _measure_short(self, size: int) -> None:
        """Six samples of each short way; one that the storage refuses is left out."""
        for way in SHORT_WAYS:
            if way.name in self._refused:
                continue
            try:
                self.bench.measure(way, [size] * FEWEST_SAMPLES)
            except StorageFull:
                raise
            except WeirError as error:
                if way is not DIRECT:
                    raise
                self._refused[way.name] = f"{error.problem} ({error.why})"

    def _fit_to_time(self) -> None:
        """Smaller sizes where those that were wanted take too long."""
        wanted = self.bounds.range
        expected_s = self.bench.expected_s([wanted.start], True)
        left_s = TIME_SHARE * self._left_s()
        if expected_s is None or FIRST_COMPARISON * expected_s <= left_s:
            return
        most = int(2 * wanted.start * left_s / (FIRST_COMPARISON * expected_s))
        name = (
            f"the time: files of {format_bytes(wanted.start)} a rank take {format_seconds(expected_s)} each"
        )
        self.bounds = cut_to(wanted, most, name)

    def _search(self) -> dict[str, Plateau]:
        while True:
            try:
                return self._search_until_sure()
            except StorageFull as full:
                self.tell(f"no room for files of {format_bytes(full.size)} a rank: {full}")
                smaller = cut_to(self.bounds.range, full.size * 3 // 4, "")
                self.bounds = replace(smaller, cut=f"the storage: {full.why}")
                if self.bounds.range.most < 2 * self.bounds.range.least:
                    raise

    def _search_until_sure(self) -> dict[str, Plateau]:
        """Search, and while noise hides where a plateau begins, measure the sizes that would tell once more
        and search again, which measures nothing that is known: as long as the time lasts, and at most as much
        as an exhaustive sweep writes."""
        while True:
            search = Search(self._measure_large, self._refusal, self.bounds.range, self._curves)
            plateaus = search.run()
            unsure = [name for name in DIRECTIONS if not is_sure(plateaus[name], self._curves[name])]
            if unsure and self._share < 1:
                self._share = 1.0
                continue
            sizes = sorted({size for name in unsure for size in self._telling(name, plateaus[name])})
            if not sizes or self._refusal(sizes, READ in unsure):
                return plateaus
            for size, bandwidths in zip(sizes, self._measure_large(sizes, READ in unsure), strict=True):
                for name, bandwidth in bandwidths.items():
                    self._curves[name].add(size, bandwidth)

    def _telling(self, name: str, plateau: Plateau) -> list[int]:
        """The sizes of which more samples would tell where the plateau is; none where enough were taken."""
        curve = self._curves[name]
        sizes = [plateau.below, plateau.flat[0]] if plateau.flat else sorted(curve.samples)[-2:]
        wanted = [size for size in sizes if size]
        return wanted if min(map(len, map(curve.at, wanted)), default=ENOUGH) < ENOUGH else []

    def _measure_large(self, sizes: Sequence[int], reads: bool) -> list[Mapping[str, float]]:
        return self.bench.measure(THROUGH_CACHE, sizes, reads)

    def _refusal(self, sizes: Sequence[int], reads: bool) -> str:
        if self.bench.written + self.bench.ranks * sum(sizes) > self._share * self.situation.exhaustive_bytes:
            share = "a third of what" if self._share < 1 else "as much as"
            return f"{share} an exhaustive sweep writes has been written"
        expected_s = self.bench.expected_s(sizes, reads) or 0.0
        if expected_s > self._left_s():
            return f"the time of {format_seconds(self.wish.budget_s)} is used up"
        return ""

    def _left_s(self) -> float:
        return self.wish.budget_s - (self.clock.now() - self._started_s)

    def _seen(self, name: str, plateau: Plateau) -> bool:
        largest = max(plateau.flat or self._curves[name].samples, default=0)
        large = [t for t in self.bench.taken if t.way == THROUGH_CACHE.name and t.size == largest]
        known = [t.from_device for t in large if t.direction == name and t.from_device is not None]
        from_device = all(known) if known else None
        return was_seen(self.situation.facts, name, largest * self.bench.ranks, from_device=from_device)

    def _comparisons(self, sides: Mapping[str, Any]) -> list[Comparison]:
        short = [taken for taken in self.bench.taken if taken.way != THROUGH_CACHE.name]
        return [each for name, side in sides.items() for each in compare_with(side, name, short)]

    def _conclude(self, sides: Mapping[str, Any], comparisons: list[Comparison]) -> Calibration:
        verdict, why = verdict_of(sides)
        if why and self.bounds.cut:
            why += f"; larger files were ruled out by {self.bounds.cut}"
        seen = [side for side in sides.values() if side.size_bytes and side.seen]
        block = max(side.size_bytes for side in seen) if len(seen) == len(sides) else None
        return Calibration(
            weir_version=weir.__version__,
            made_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            took_s=self.clock.now() - self._started_s,
            directory=str(self.wish.directory.absolute()),
            storage=self.situation.storage,
            memory={
                "total": self.situation.facts.memory,
                "cacheable": self.situation.facts.cacheable,
                "write_cache": self.situation.facts.write_cache,
            },
            ranks=self.bench.ranks,
            transfer_bytes=self.wish.transfer,
            launcher=self.wish.launcher_name,
            verdict=verdict,
            why=why,
            block_bytes=block,
            node_bytes=block and block * self.bench.ranks,
            written_bytes=self.bench.written,
            exhaustive_bytes=self.situation.exhaustive_bytes,
            exhaustive_samples=FEWEST_SAMPLES,
            write=sides[WRITE],
            read=sides[READ],
            comparisons=comparisons,
            refused=self._refused,
            enough=sizes_enough(comparisons, DIRECTIONS) if all(s.seen for s in sides.values()) else {},
            samples=[msgspec.to_builtins(t) for t in self.bench.taken],
        )
