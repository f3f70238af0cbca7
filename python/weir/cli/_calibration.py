"""Calibrations as verbs use them: made with progress on standard error, and given to the studies that ask for
one: a named one, the run's own, a kept one, or a new one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from weir.calibrate.bench import About, Taken
from weir.calibrate.blocks import Blocks, calibrated_directories
from weir.calibrate.calibration import Calibration
from weir.calibrate.protocol import Tell, calibrate
from weir.calibrate.situation import Request, Situation, situation_of
from weir.calibrate.store import load, path_of, save
from weir.cli._progress import ProgressKind, progress_kind
from weir.cli._streams import console as console_of
from weir.core.client import Core
from weir.core.locate import find_core
from weir.counts import count_words
from weir.errors import Interrupted, WeirError, message
from weir.exit_codes import ExitCode
from weir.files.walk import make_own_folder
from weir.files.write import write
from weir.launch.base import find_launcher
from weir.printable import json_text
from weir.store.records import Warning
from weir.study.load import Study
from weir.units import format_bandwidth, format_bytes, format_seconds


def calibrate_and_keep(request: Request, progress: str) -> tuple[Calibration, Path]:
    """Calibrate with progress on standard error, and keep what was found."""
    kind = progress_kind(progress)
    core, launcher = Core(find_core()), find_launcher(request.launcher_name)
    with open_teller(kind) as tell:
        try:
            calibration = calibrate(request, core, launcher, tell)
        except Interrupted:
            tell("of a calibration that is not finished nothing is kept; the files are removed")
            raise
    return calibration, save(calibration)


def outlook_words(situation: Situation, request: Request) -> list[str]:
    """What a calibration would do."""
    sizes = situation.bounds.range
    lines = [
        f"A calibration of '{request.directory}' begins with files of {format_bytes(sizes.start)} a rank"
        f" ({count_words(situation.ranks, 'rank')}) and goes up to {format_bytes(sizes.most)} where it still"
        " changes.",
        f"It writes at most {format_bytes(situation.most_written_bytes)}, a third of an exhaustive sweep"
        f" ({format_bytes(situation.exhaustive_bytes)} in all where noise hides the answer),"
        f" and takes at most about {format_seconds(request.budget_s)}.",
    ]
    if situation.bounds.cut:
        lines.append(
            f"Larger files are ruled out by {situation.bounds.cut}: the cache's end may not be seen."
        )
    return lines


Event = About | Taken | Warning | str


@contextmanager
def open_teller(kind: ProgressKind) -> Iterator[Tell]:
    """The way to tell of a calibration."""
    match kind:
        case ProgressKind.NONE:
            yield lambda event: None
        case ProgressKind.JSON:
            yield _tell_json
        case ProgressKind.AUTO if sys.stderr.isatty():
            with _live() as tell:
                yield tell
        case _:
            yield _tell_plainly


@contextmanager
def _live() -> Iterator[Callable[[Event], None]]:
    console = console_of(stderr=True)
    about = ""
    with console.status("looking around") as status:

        def tell(event: Event) -> None:
            nonlocal about
            match event:
                case About():
                    about = _event_words(event)
                    status.update(about)
                case Taken():
                    status.update(f"{about} · {_event_words(event).strip()}")
                case _:
                    console.print(_event_words(event))

        yield tell


def _tell_plainly(event: Event) -> None:
    print(_event_words(event), file=sys.stderr, flush=True)


def _tell_json(event: Event) -> None:
    names = {About: "about", Taken: "sample", Warning: "warning", str: "note"}
    data = {"text": event} if isinstance(event, str) else msgspec.to_builtins(event)
    line = {"schema": 1, "event": names[type(event)], **data}
    print(json_text(msgspec.json.encode(line).decode()), file=sys.stderr, flush=True)


def _event_words(event: Event) -> str:
    """The event as a line."""
    match event:
        case About():
            sizes = ", ".join(
                format_bytes(size) + (f", {count} times" if count > 1 else "")
                for size, count in ((size, len(list(group))) for size, group in groupby(event.sizes))
            )
            time = "" if event.expected_s is None else f", about {format_seconds(event.expected_s)}"
            return f"{event.way.name}: {sizes} a rank{time}"
        case Taken():
            return f"  {event.direction} {format_bytes(event.size)}: {format_bandwidth(event.bandwidth)}"
        case Warning():
            return "warning: " + message(event.problem, event.why, event.advice)
    return event


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
    situation = situation_of(Request(place))
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
    calibration, path = calibrate_and_keep(Request(place, launcher_name=launcher), progress)
    source = _source(place, calibration, path)
    if calibration.verdict != "found":
        guess = f"its best guess, {format_bytes(source.node_bytes)} on the node, is taken"
        print(f"weir: the calibration is inconclusive ({calibration.why}); {guess}", file=sys.stderr)
    return source


def _assumed(place: Path) -> Source:
    request = Request(place)
    situation = situation_of(request)
    size = situation.bounds.range.start * situation.ranks
    return Source(place, size, outlook=tuple(outlook_words(situation, request)))
