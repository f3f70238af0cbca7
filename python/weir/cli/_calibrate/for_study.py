"""Gives a study the calibrations that it asks for: a named one, the run's own, a kept one, or a new one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from weir.calibrate.blocks import Blocks, calibrated_directories
from weir.calibrate.calibration import Calibration
from weir.calibrate.situation import Situation, Wish, situation_of
from weir.calibrate.store import load, path_of
from weir.cli._calibrate.carry_out import calibrate_and_keep, outlook_words
from weir.errors import WeirError
from weir.exit_codes import ExitCode
from weir.files.walk import make_own_folder
from weir.files.write import write
from weir.study.load import Study
from weir.units import format_bytes

GROWTH = 1.25
"""Memory that has grown by more than this may cache more than it did when the calibration was made."""


@dataclass(frozen=True)
class Source:
    """Where a directory's calibrated size comes from. Without a calibration, `node_bytes` is assumed."""

    directory: Path
    node_bytes: int
    calibration: Calibration | None = None
    path: Path | None = None
    outlook: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "directory": str(self.directory),
            "node_bytes": self.node_bytes,
            "assumed": self.calibration is None,
            "path": str(self.path) if self.path else None,
        }

    def in_words(self) -> str:
        """A line for people."""
        size = format_bytes(self.node_bytes)
        if self.calibration:
            return f"Calibrated size in '{self.directory}': {size} on the node, by {self.path}"
        first = f"There is no calibration of '{self.directory}' yet: `weir run` makes one first."
        return "\n".join([first, *self.outlook, f"Below, {size} on the node are assumed."])


@dataclass(frozen=True)
class Sources:
    """All that a study needs; empty if it needs none."""

    sources: tuple[Source, ...]
    default: Path

    @property
    def blocks(self) -> Blocks:
        """What turns them into blocks."""
        return Blocks({source.directory: source.node_bytes for source in self.sources}, self.default)


def foresee(study: Study, directory: Path | None, named: Path | None) -> Sources:
    """For a plan: what there is, and an assumption where there is nothing yet. Measures nothing."""
    return _sources(study, directory, lambda place: _known(place, named, ()) or _assumed(place))


def provide(
    study: Study, directory: Path | None, named: Path | None, *, out: Path, launcher: str, progress: str
) -> Sources:
    """For a run: what there is, or what is measured now. Raises WeirError where no size can be had."""
    own = sorted(out.glob("calibration-*.json"))

    def find(place: Path) -> Source:
        return _known(place, named, own) or _measured(place, launcher, progress)

    return _sources(study, directory, find)


def keep_in_run(sources: Sources, out: Path) -> None:
    """The calibrations become part of the run, so that the same command goes on with the same sizes."""
    if sources.sources:
        make_own_folder(out)
    for number, source in enumerate(sources.sources):
        if source.calibration:
            content = msgspec.json.format(msgspec.json.encode(source.calibration), indent=1)
            write(out / f"calibration-{number}.json", content + b"\n")


def _sources(study: Study, directory: Path | None, find: Callable[[Path], Source]) -> Sources:
    places = calibrated_directories(study, directory)
    return Sources(tuple(find(place) for place in places), (directory or Path()).absolute())


def _known(place: Path, named: Path | None, own: Sequence[Path]) -> Source | None:
    if named is not None:
        return _source(place, _load_named(named), named)
    situation = situation_of(Wish(place))
    for path in own:
        calibration = load(path)
        if calibration.storage == situation.storage:
            return _source(place, calibration, path)
    path = path_of(situation.storage)
    try:
        calibration = load(path)
    except FileNotFoundError:
        return None
    if calibration.block_bytes is None or _is_outdated(calibration, situation):
        return None
    return _source(place, calibration, path)


def _load_named(path: Path) -> Calibration:
    try:
        return load(path.resolve())
    except FileNotFoundError as error:
        raise WeirError(
            f"there is no calibration '{path}'", "", "make one with `weir calibrate DIR`"
        ) from error


def _is_outdated(calibration: Calibration, situation: Situation) -> bool:
    before, now = calibration.memory.get("total"), situation.facts.memory
    return before is None or now is None or now > GROWTH * before


def _source(place: Path, calibration: Calibration, path: Path) -> Source:
    if calibration.node_bytes is None:
        raise WeirError(
            f"the calibration of '{place}' names no size",
            calibration.why,
            'give a block in the study in place of "calibrated", with sync = "close" and cache = "drop"',
            ExitCode.INCONCLUSIVE,
        )
    return Source(place, calibration.node_bytes, calibration, path)


def _measured(place: Path, launcher: str, progress: str) -> Source:
    print(f"weir: the study wants the calibrated size of '{place}': calibrating first", file=sys.stderr)
    calibration, path = calibrate_and_keep(Wish(place, launcher_name=launcher), progress)
    source = _source(place, calibration, path)
    if calibration.verdict != "found":
        guess = f"its best guess, {format_bytes(source.node_bytes)} on the node, is taken"
        print(f"weir: the calibration is inconclusive ({calibration.why}); {guess}", file=sys.stderr)
    return source


def _assumed(place: Path) -> Source:
    wish = Wish(place)
    situation = situation_of(wish)
    size = situation.bounds.range.start * situation.ranks
    return Source(place, size, outlook=tuple(outlook_words(situation, wish)))
