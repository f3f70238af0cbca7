"""The whole protocol for one directory: short files with the cache dropped or bypassed,
the search, their comparison, and the verdict."""

import datetime
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

import weir
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.bench import CACHED, DIRECT, SHORT_MODES, Bench, StorageFull, Tell
from weir.calibrate.calibration import DIRECTIONS, READ, WRITE, Calibration, Comparison, Level, Side, Size
from weir.calibrate.limits import BEYOND, SHARE_OF_EXHAUSTIVE, Bounds, Request, Situation, situation_of
from weir.calibrate.search import FLAT, Curve, Plateau, Search
from weir.calibrate.store import lock_of, noted_scratch
from weir.core.client import Core
from weir.errors import WeirError
from weir.launch.base import Launcher
from weir.launch.process import signals_interrupt
from weir.measure.launch_watch import Clock, SystemClock
from weir.pattern import Pattern
from weir.store.records import FailureRecord
from weir.units import format_bytes, format_seconds

SHORT_BYTES = 64 << 20
SHORT_SHARE = 16
"""A short file is at most this many times smaller than the first large one."""
TIME_SHARE = 0.6
"""Of the time left, for the four starting sizes that the first comparison writes."""
FIRST_COMPARISON = 4


def calibrate(request: Request, core: Core, launcher: Launcher, tell: Tell) -> Calibration:
    """Carry out the protocol. Raises WeirError if nothing can run, Interrupted if a signal came; leaves no
    file behind."""
    situation = situation_of(request)
    launcher.prepare()

    def pattern_of(case: dict[str, Any]) -> Pattern:
        answer = core.describe([case])[case["id"]]
        if isinstance(answer, FailureRecord) or answer.pattern is None:
            raise WeirError(f"weir-core does not describe a case of the calibration: {answer}")
        return answer.pattern

    with (
        signals_interrupt(),
        lock_of(situation.storage),
        tempfile.TemporaryDirectory(prefix="weir-calibrate-") as logs,
        noted_scratch(situation.storage, request.directory, tell) as (folder, scratch),
    ):
        bench = Bench(
            program=core.program,
            pattern_of=pattern_of,
            launcher=launcher,
            directory=folder,
            logs=Path(logs),
            ranks=situation.ranks,
            transfer=request.transfer,
            clock=SystemClock(),
            warm_bytes=min(situation.bounds.range.most * situation.ranks, situation.facts.cacheable or 0),
            tell=tell,
            empty=scratch.empty,
        )
        return Protocol(request, situation, bench, SystemClock()).run()


@dataclass
class Protocol:
    """One calibration."""

    request: Request
    situation: Situation
    bench: Bench
    clock: Clock
    _bounds: Bounds = field(init=False)
    """Those of the situation, until time or space turn out to be shorter."""
    _curves: dict[str, Curve] = field(default_factory=lambda: {name: Curve() for name in DIRECTIONS})
    _refused: dict[str, str] = field(default_factory=dict)
    _share: float = SHARE_OF_EXHAUSTIVE
    """Of what an exhaustive sweep writes, this much may be written."""

    def run(self) -> Calibration:
        """Short files, search, comparison."""
        self._started_s = self.clock.now()
        self._bounds = self.situation.bounds
        short = self._first_short_size()
        self._measure_short(short)
        self._fit_to_time()
        sides = {name: self._side_of(name, plateau) for name, plateau in self._search().items()}
        comparisons = self._compare_with(sides)
        all_seen = all(side.seen for side in sides.values())
        smallest = min((s.size_bytes for s in sides.values() if s.size_bytes), default=0)
        while all_seen and comparisons and not _sizes_enough(comparisons):
            short *= 4
            if short > smallest // 2 or self._refusal([short] * FEWEST_SAMPLES * len(SHORT_MODES), True):
                break
            self._measure_short(short)
            comparisons = self._compare_with(sides)
        return self._conclude(sides, comparisons, all_seen)

    def _first_short_size(self) -> int:
        most, cacheable = self._bounds.range.most, self.situation.facts.cacheable
        beyond = int(BEYOND * cacheable / self.bench.ranks) if cacheable else most
        size = min(SHORT_BYTES, beyond // SHORT_SHARE, most // 2)
        return max(size // self.request.transfer, 1) * self.request.transfer

    def _measure_short(self, size: int) -> None:
        """Six samples in each short mode; one that the storage refuses is left out."""
        for mode in SHORT_MODES:
            if mode.name not in self._refused:
                try:
                    self.bench.measure(mode, [size] * FEWEST_SAMPLES)
                except WeirError as error:
                    if mode is not DIRECT or isinstance(error, StorageFull):
                        raise
                    self._refused[mode.name] = f"{error.problem} ({error.why})"

    def _fit_to_time(self) -> None:
        """Reduce the sizes where those that were planned take too long."""
        start = self._bounds.range.start
        expected_s = self.bench.expected_s([start], True)
        left_s = TIME_SHARE * self._left_s()
        if expected_s is not None and FIRST_COMPARISON * expected_s > left_s:
            most = int(2 * start * left_s / (FIRST_COMPARISON * expected_s))
            files = f"files of {format_bytes(start)} a rank take {format_seconds(expected_s)} each"
            self._bounds = self._bounds.cut_to(most, f"the time: {files}")

    def _search(self) -> dict[str, Plateau]:
        """Search; again with smaller files where the storage has no room for those that were planned."""
        while True:
            try:
                return self._search_until_sure()
            except StorageFull as full:
                self.bench.tell(f"no room for files of {format_bytes(full.size)} a rank: {full}")
                smaller = self._bounds.range.cut_to(full.size * 3 // 4)
                self._bounds = Bounds(smaller, f"the storage: {full.why}")
                if smaller.most < 2 * smaller.least:
                    raise

    def _search_until_sure(self) -> dict[str, Plateau]:
        """Search; while noise hides where a plateau begins, take more samples of the sizes around that place,
        within the time budget, and write at most as much as an exhaustive sweep."""

        def measure(sizes: Sequence[int], reads: bool) -> list[Mapping[str, float]]:
            return self.bench.measure(CACHED, sizes, reads)

        search = Search(measure, self._refusal, self._bounds.range, self._curves)
        plateaus = search.run()
        if all(plateau.is_sure(self._curves[name]) for name, plateau in plateaus.items()):
            return plateaus
        self._share = 1.0
        return replace(search, through_noise=True).run()

    def _refusal(self, sizes: Sequence[int], reads: bool) -> str:
        if self.bench.written + self.bench.ranks * sum(sizes) > self._share * self.situation.exhaustive_bytes:
            share = "a third of what" if self._share < 1 else "as much as"
            return f"{share} an exhaustive sweep writes has been written"
        if (self.bench.expected_s(sizes, reads) or 0.0) > self._left_s():
            return f"the time of {format_seconds(self.request.budget_s)} is used up"
        return ""

    def _left_s(self) -> float:
        return self.request.budget_s - (self.clock.now() - self._started_s)

    def _was_seen(self, name: str, plateau: Plateau) -> bool:
        """Whether the largest files must be beyond the cache: by their size, or, of a read, since the kernel
        fetched them from the device."""
        facts, largest = self.situation.facts, max(plateau.flat or self._curves[name], default=0)
        ends = [facts.cacheable, facts.write_cache if name == WRITE else None]
        if any(end and largest * self.bench.ranks > end for end in ends):
            return True
        reads = [t for t in self.bench.taken if (t.mode, t.size, t.direction) == (CACHED.name, largest, READ)]
        known = [taken.from_device for taken in reads if taken.from_device is not None]
        return name == READ and bool(known) and all(known)

    def _side_of(self, name: str, plateau: Plateau) -> Side:
        """The plateau with its numbers."""
        curve = self._curves[name]
        found = Level.of(curve.pool(plateau.flat))
        levels = {size: Level.of(curve[size]) for size in sorted(curve)}
        return Side(
            plateau=found,
            size_bytes=plateau.flat[0] if plateau.flat else None,
            below_bytes=plateau.below,
            falls=plateau.falls,
            seen=self._was_seen(name, plateau),
            sure=plateau.is_sure(curve),
            precise=found is not None and found.is_precise,
            why=plateau.why,
            sizes=[Size(bytes=s, level=one, flat=s in plateau.flat) for s, one in levels.items() if one],
        )

    def _compare_with(self, sides: Mapping[str, Side]) -> list[Comparison]:
        """Each short mode and size against the plateau of each direction that has one."""
        groups: dict[tuple[str, str, int], list[float]] = {}
        for one in self.bench.taken:
            if one.mode != CACHED.name:
                groups.setdefault((one.direction, one.mode, one.size), []).append(one.bandwidth)
        found = []
        for key, samples in sorted(groups.items(), key=lambda group: DIRECTIONS.index(group[0][0])):
            plateau, level = sides[key[0]].plateau, Level.of(samples)
            if plateau and level:
                found.append(_compare(*key, level, plateau))
        return found

    def _conclude(
        self, sides: Mapping[str, Side], comparisons: list[Comparison], all_seen: bool
    ) -> Calibration:
        why = _why_inconclusive(sides)
        verdict = "inconclusive" if why else "found"
        if why and self._bounds.cut:
            why += f"; larger files were ruled out by {self._bounds.cut}"
        sizes = [side.size_bytes for side in sides.values() if side.size_bytes and side.seen]
        block = max(sizes) if len(sizes) == len(sides) else None
        facts = self.situation.facts
        return Calibration(
            weir_version=weir.__version__,
            made_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            took_s=self.clock.now() - self._started_s,
            directory=str(self.request.directory.absolute()),
            storage=self.situation.storage,
            memory={"total": facts.memory, "cacheable": facts.cacheable, "write_cache": facts.write_cache},
            ranks=self.bench.ranks,
            transfer_bytes=self.request.transfer,
            launcher=self.request.launcher_name,
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
            enough=_sizes_enough(comparisons) if all_seen else {},
            samples=[msgspec.to_builtins(t) for t in self.bench.taken],
        )


def _compare(direction: str, mode: str, size: int, level: Level, plateau: Level) -> Comparison:
    ratio, overlaps = level.median / plateau.median, level.overlaps(plateau)
    is_near = 1 / (1 + FLAT) <= ratio <= 1 + FLAT
    agrees = is_near or (bool(overlaps) and level.is_precise and plateau.is_precise)
    return Comparison(mode, direction, size, level, ratio, agrees, overlaps)


def _sizes_enough(comparisons: Sequence[Comparison]) -> dict[str, int]:
    """The modes that agree in both directions at one size, and the smallest such size."""
    agreeing = [(each.mode, each.size_bytes) for each in comparisons if each.agrees]
    found: dict[str, int] = {}
    for mode, size in sorted(dict.fromkeys(agreeing), key=itemgetter(1)):
        if agreeing.count((mode, size)) == len(DIRECTIONS):
            found.setdefault(mode, size)
    return found


def _why_inconclusive(sides: Mapping[str, Side]) -> str:
    """Empty where an answer was found."""
    unseen = [name for name, side in sides.items() if not side.seen]
    if unseen:
        return f"the end of the cache was not seen ({' and '.join(unseen)})"
    for name, side in sides.items():
        if side.plateau is None:
            return f"{name}: no plateau was found ({side.why})"
    for name, side in sides.items():
        if not side.sure:
            why = side.why or "the storage varies as much as a cache would change it"
            return f"{name}: too few or too noisy samples ({why})"
    return ""
