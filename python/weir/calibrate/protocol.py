"""The whole protocol for one directory: short files with the cache dropped or bypassed,
the search, their comparison, and the verdict."""

import datetime
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import weir
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.budget import within_limit
from weir.calibrate.bench import CACHED, DIRECT, SHORT_MODES, Bench, StorageFull, Tell
from weir.calibrate.calibration import DIRECTIONS, READ, WRITE, Calibration, Comparison, Level, Side
from weir.calibrate.limits import BEYOND, SHARE_OF_EXHAUSTIVE, Request, Situation, situation_of
from weir.calibrate.search import FLAT, Search, Sizes
from weir.calibrate.store import lock_of, noted_scratch
from weir.core.client import Core
from weir.errors import WeirError
from weir.launch.base import find_launcher
from weir.launch.process import signals_interrupt
from weir.units import format_bytes, format_seconds

SHORT_BYTES = 64 << 20
SHORT_SHARE = 16
"""A short file is at most this many times smaller than the first large one."""
TIME_SHARE = 0.6
"""Of the time left, for the four starting sizes that the first comparison writes."""
FIRST_COMPARISON = 4


def calibrate(request: Request, core: Core, tell: Tell) -> Calibration:
    """Carry out the protocol. Raises WeirError if nothing can run, Interrupted if a signal came; leaves no
    file behind."""
    situation = situation_of(request)
    launcher = find_launcher(request.launcher_name)
    launcher.prepare()
    with (
        signals_interrupt(),
        lock_of(situation.storage),
        tempfile.TemporaryDirectory(prefix="weir-calibrate-") as logs,
        noted_scratch(situation.storage, request.directory, tell) as (folder, scratch),
    ):
        bench = Bench(situation, core, launcher, folder, Path(logs), tell, scratch.empty)
        return Protocol(situation, bench).run()


@dataclass
class Protocol:
    """One calibration."""

    situation: Situation
    bench: Bench
    _sizes: Sizes = field(init=False)
    """Those of the situation, until time or space turn out to be shorter."""
    _refused: dict[str, str] = field(default_factory=dict)
    _share: float = SHARE_OF_EXHAUSTIVE
    """Of what an exhaustive sweep writes, this much may be written."""
    _budget_s: float = field(init=False)

    def run(self) -> Calibration:
        """Short files, search, comparison."""
        self._budget_s = within_limit(self.situation.request.budget_s)
        self._started_s = self.bench.clock.now()
        self._sizes = self.situation.sizes
        short = self._first_short_size()
        self._measure_short(short)
        self._fit_to_time()
        sides = self._search()
        comparisons = self._compare_with(sides)
        smallest = min((side.size_bytes for side in sides.values() if side.size_bytes), default=0)
        all_seen = all(side.seen for side in sides.values())
        while all_seen and not sizes_enough(comparisons):
            short *= 4
            if short > smallest // 2 or self._refusal([short] * FEWEST_SAMPLES * len(SHORT_MODES)):
                break
            self._measure_short(short)
            comparisons = self._compare_with(sides)
        return self._conclude(sides, comparisons, sizes_enough(comparisons) if all_seen else {})

    def _first_short_size(self) -> int:
        most, cacheable = self._sizes.most, self.situation.memory["cacheable"]
        beyond = int(BEYOND * cacheable / self.situation.ranks) if cacheable else most
        size = min(SHORT_BYTES, beyond // SHORT_SHARE, most // 2)
        return max(size // self.situation.request.transfer, 1) * self.situation.request.transfer

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
        start = self._sizes.start
        expected_s = self.bench.expected_s([start])
        left_s = TIME_SHARE * self._left_s()
        if expected_s is not None and FIRST_COMPARISON * expected_s > left_s:
            most = int(2 * start * left_s / (FIRST_COMPARISON * expected_s))
            files = f"files of {format_bytes(start)} a rank take {format_seconds(expected_s)} each"
            self._sizes = self._sizes.cut_to(most, f"the time: {files}")

    def _search(self) -> dict[str, Side]:
        """Search; with smaller files where the storage has no room for those that were planned. While noise
        hides where a plateau begins, take more samples of the sizes around that place, within the time
        budget, and write at most as much as an exhaustive sweep."""
        curves = {name: self.bench.curves[CACHED.name, name] for name in DIRECTIONS}
        search = Search(partial(self.bench.measure, CACHED), self._refusal, self._sizes, curves)
        while True:
            try:
                sides = search.run()
            except StorageFull as full:
                self.bench.tell(f"no room for files of {format_bytes(full.size)} a rank: {full}")
                smaller = search.sizes.cut_to(full.size * 3 // 4, "")
                if smaller.most >= full.size:
                    raise
                self._sizes = search.sizes = replace(smaller, cut=f"the storage: {full.why}")
                continue
            if search.through_noise or all(side.sure for side in sides.values()):
                break
            search.through_noise, self._share = True, 1.0
        for name, side in sides.items():
            side.seen = self._was_seen(name, side)
        return sides

    def _refusal(self, sizes: Sequence[int]) -> str:
        """Why files of these sizes may not be measured any more; empty if they may."""
        written = self.bench.written + self.situation.ranks * sum(sizes)
        if written > self._share * self.situation.exhaustive_bytes:
            share = "a third of what" if self._share < 1 else "as much as"
            return f"{share} an exhaustive sweep writes has been written"
        if (self.bench.expected_s(sizes) or 0.0) > self._left_s():
            return f"the time of {format_seconds(self._budget_s)} is used up"
        return ""

    def _left_s(self) -> float:
        return self._budget_s - (self.bench.clock.now() - self._started_s)

    def _was_seen(self, name: str, side: Side) -> bool:
        """Whether the largest files must be beyond the cache: by their size, or, of a read, since the kernel
        fetched them from the device."""
        measured = [size.bytes for size in side.sizes if size.flat or side.plateau is None]
        largest = max(measured, default=0)
        limits = ("cacheable", "write_cache") if name == WRITE else ("cacheable",)
        ends = [end for limit in limits if (end := self.situation.memory[limit])]
        if any(largest * self.situation.ranks > end for end in ends):
            return True
        about = (CACHED.name, largest, name)
        known = {s.from_device for s in self.bench.samples if (s.mode, s.size, s.direction) == about}
        return known - {None} == {True}

    def _compare_with(self, sides: Mapping[str, Side]) -> list[Comparison]:
        """Each short mode and size against the plateau of each direction that has one."""
        return [
            comparison(mode.name, name, size, Level.of(samples), side.plateau)
            for name, side in sides.items()
            if side.plateau
            for mode in SHORT_MODES
            for size, samples in self.bench.curves[mode.name, name].items()
        ]

    def _conclude(
        self, sides: Mapping[str, Side], comparisons: list[Comparison], enough: dict[str, int]
    ) -> Calibration:
        why = _why_inconclusive(sides)
        verdict = "inconclusive" if why else "found"
        if why and self._sizes.cut:
            why += f"; larger files were ruled out by {self._sizes.cut}"
        sizes = [side.size_bytes for side in sides.values() if side.size_bytes and side.seen]
        block = max(sizes) if len(sizes) == len(sides) else None
        situation, request, ranks = self.situation, self.situation.request, self.situation.ranks
        return Calibration(
            weir_version=weir.__version__,
            made_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            took_s=self.bench.clock.now() - self._started_s,
            directory=str(request.directory.absolute()),
            storage=situation.storage,
            memory=situation.memory,
            ranks=ranks,
            transfer_bytes=request.transfer,
            launcher=request.launcher_name,
            verdict=verdict,
            why=why,
            block_bytes=block,
            node_bytes=block and block * ranks,
            written_bytes=self.bench.written,
            exhaustive_bytes=situation.exhaustive_bytes,
            exhaustive_samples=FEWEST_SAMPLES,
            write=sides[WRITE],
            read=sides[READ],
            comparisons=comparisons,
            refused=self._refused,
            enough=enough,
            samples=self.bench.samples,
        )


def comparison(mode: str, direction: str, size: int, level: Level, plateau: Level) -> Comparison:
    """Whether short files give the same as the plateau."""
    ratio, overlaps = level.median / plateau.median, level.overlaps(plateau)
    is_near = 1 / (1 + FLAT) <= ratio <= 1 + FLAT
    agrees = is_near or (bool(overlaps) and level.is_precise and plateau.is_precise)
    return Comparison(mode, direction, size, level, ratio, agrees, overlaps)


def sizes_enough(comparisons: Sequence[Comparison]) -> dict[str, int]:
    """The modes that agree in both directions at one size, and the smallest such size."""
    agreeing = Counter((one.size_bytes, one.mode) for one in comparisons if one.agrees)
    both = sorted((key for key, count in agreeing.items() if count == len(DIRECTIONS)), reverse=True)
    return {mode: size for size, mode in both}


def _why_inconclusive(sides: Mapping[str, Side]) -> str:
    """Empty where an answer was found."""
    unseen = [name for name, side in sides.items() if not side.seen]
    if unseen:
        return f"the end of the cache was not seen ({' and '.join(unseen)})"
    for name, side in sides.items():
        if side.plateau is None:
            return f"{name}: no plateau was found ({side.why})"
        if not side.sure:
            why = side.why or "the storage varies as much as a cache would change it"
            return f"{name}: too few or too noisy samples ({why})"
    return ""
