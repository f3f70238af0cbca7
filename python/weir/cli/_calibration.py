"""Calibrations as verbs use them: made with progress on standard error, and given to the studies that ask for
one: a named one, the run's own, a kept one, or a new one."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from weir.calibrate.bench import About, Event, Taken, Tell
from weir.calibrate.calibration import Calibration
from weir.calibrate.limits import SHARE_OF_EXHAUSTIVE, Request, Situation, situation_of
from weir.calibrate.protocol import calibrate
from weir.calibrate.search import round_up
from weir.calibrate.store import encode, load, path_of, save
from weir.cli._progress import ProgressKind, progress_kind
from weir.cli._streams import console as console_of
from weir.core.client import Core, find_core
from weir.errors import ExitCode, Interrupted, WeirError, message
from weir.files.walk import make_own_folder
from weir.files.write import write
from weir.launch.base import find_launcher
from weir.printable import json_text
from weir.store.records import Warning
from weir.study.case import DIRECTORY_OPTION
from weir.study.expand import calibrated_directories
from weir.study.load import Study
from weir.units import count_words, format_bandwidth, format_bytes, format_seconds

GROWTH = 1.25
"""Memory that has grown by more than this may cache more than it did when the calibration was made."""


@dataclass(frozen=True)
class Source:
    """Where a directory's calibrated size comes from. Without a calibration, `node_bytes` is assumed."""

    directory: Path
    node_bytes: int
    """Sum over the files of all ranks of a node."""
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
    """The directory of cases that state none."""

    def block_of(self, ranks: int, options: Mapping[str, Any]) -> int:
        """Bytes of one rank in one segment of one file: a multiple of the transfer, with which all ranks'
        files in sum are as large as those that were calibrated."""
        stated = options.get(DIRECTORY_OPTION)
        place = Path(stated).absolute() if stated else self.default
        total = next(source.node_bytes for source in self.sources if source.directory == place)
        writers = options.get("tasks") or ranks
        parts = writers * (options.get("segments") or 1) * (options.get("files") or 1)
        return round_up(total / parts, options.get("transfer") or 1)

    def keep_in_run(self, out: Path) -> None:
        """The calibrations become part of the run, so that the same command goes on with the same sizes."""
        if self.sources:
            make_own_folder(out)
        for number, source in enumerate(self.sources):
            if source.calibration:
                write(out / f"calibration-{number}.json", encode(source.calibration))


def foresee(study: Study, directory: Path | None, named: Path | None) -> Sources:
    """For a plan: what there is, and an assumption where there is nothing yet. Measures nothing."""

    def assumed(request: Request, situation: Situation) -> Source:
        size = situation.bounds.range.start * situation.ranks
        return Source(request.directory, size, outlook=tuple(outlook_words(situation, request)))

    return _sources(study, directory, named, (), assumed)


def provide(
    study: Study, directory: Path | None, named: Path | None, *, out: Path, launcher: str, progress: str
) -> Sources:
    """For a run: what there is, or what is measured now. Raises WeirError where no size can be had."""

    def measured(request: Request, _: Situation) -> Source:
        place = request.directory
        print(f"weir: the study wants the calibrated size of '{place}': calibrating first", file=sys.stderr)
        calibration, path = calibrate_and_keep(Request(place, launcher_name=launcher), progress)
        source = _source(place, calibration, path)
        if calibration.verdict != "found":
            guess = f"its best guess, {format_bytes(source.node_bytes)} on the node, is taken"
            print(f"weir: the calibration is inconclusive ({calibration.why}); {guess}", file=sys.stderr)
        return source

    return _sources(study, directory, named, sorted(out.glob("calibration-*.json")), measured)


def _sources(
    study: Study,
    directory: Path | None,
    named: Path | None,
    own: Sequence[Path],
    otherwise: Callable[[Request, Situation], Source],
) -> Sources:
    def find(place: Path) -> Source:
        if named is not None:
            return _source(place, _load_named(named), named)
        request = Request(place)
        situation = situation_of(request)
        return _known(place, situation, own) or otherwise(request, situation)

    places = calibrated_directories(study, directory)
    return Sources(tuple(find(place) for place in places), (directory or Path()).absolute())


def _load_named(path: Path) -> Calibration:
    try:
        return load(path.resolve())
    except FileNotFoundError as error:
        raise WeirError(
            f"there is no calibration '{path}'", "", "make one with `weir calibrate DIR`"
        ) from error


def _known(place: Path, situation: Situation, own: Sequence[Path]) -> Source | None:
    """From the run's own calibrations, or the kept one unless it is outdated."""
    for path in own:
        calibration = load(path)
        if calibration.storage == situation.storage:
            return _source(place, calibration, path)
    path = path_of(situation.storage)
    try:
        calibration = load(path)
    except FileNotFoundError:
        return None
    before, now = calibration.memory.get("total"), situation.facts.memory
    outdated = before is None or now is None or now > GROWTH * before
    return None if calibration.block_bytes is None or outdated else _source(place, calibration, path)


def _source(place: Path, calibration: Calibration, path: Path) -> Source:
    if calibration.node_bytes is None:
        raise WeirError(
            f"the calibration of '{place}' names no size",
            calibration.why,
            'give a block in the study in place of "calibrated", with sync = "close" and cache = "drop"',
            ExitCode.INCONCLUSIVE,
        )
    return Source(place, calibration.node_bytes, calibration, path)


def outlook_words(situation: Situation, request: Request) -> list[str]:
    """What a calibration would do."""
    sizes, all_bytes = situation.bounds.range, situation.exhaustive_bytes
    words = [
        f"A calibration of '{request.directory}' begins with files of {format_bytes(sizes.start)} a rank"
        f" ({count_words(situation.ranks, 'rank')}) and goes up to {format_bytes(sizes.most)} where it still"
        " changes.",
        f"It writes at most {format_bytes(int(SHARE_OF_EXHAUSTIVE * all_bytes))}, a third of an exhaustive"
        f" sweep ({format_bytes(all_bytes)} in all where noise hides the answer),"
        f" and takes at most about {format_seconds(request.budget_s)}.",
    ]
    if situation.bounds.cut:
        words.append(
            f"Larger files are ruled out by {situation.bounds.cut}: the cache's end may not be seen."
        )
    return words


def calibrate_and_keep(request: Request, progress: str) -> tuple[Calibration, Path]:
    """Calibrate with progress on standard error, and keep what was found."""
    kind = progress_kind(progress)
    core, launcher = Core(find_core()), find_launcher(request.launcher_name)
    with _event_reporter(kind) as tell:
        try:
            calibration = calibrate(request, core, launcher, tell)
        except Interrupted:
            tell("of a calibration that is not finished nothing is kept; the files are removed")
            raise
    return calibration, save(calibration)


@contextmanager
def _event_reporter(kind: ProgressKind) -> Iterator[Tell]:
    """Reports a calibration: a live line on a terminal, plain lines in a log, JSON lines, or nothing."""
    if kind is ProgressKind.AUTO and sys.stderr.isatty():
        console, about = console_of(stderr=True), ""
        with console.status("looking around") as status:

            def show(event: Event) -> None:
                nonlocal about
                text = _in_words(event)
                if isinstance(event, About):
                    about = text
                if isinstance(event, About | Taken):
                    status.update(about if text is about else f"{about} · {text.strip()}")
                else:
                    console.print(text)

            yield show
    elif kind is ProgressKind.NONE:
        yield lambda event: None
    else:
        line_of = _as_json if kind is ProgressKind.JSON else _in_words
        yield lambda event: print(line_of(event), file=sys.stderr, flush=True)


def _as_json(event: Event) -> str:
    names = {About: "about", Taken: "sample", Warning: "warning", str: "note"}
    data = {"text": event} if isinstance(event, str) else msgspec.to_builtins(event)
    return json_text(msgspec.json.encode({"schema": 1, "event": names[type(event)], **data}).decode())


def _in_words(event: Event) -> str:
    """The event as a line."""
    match event:
        case About():
            counts = [(format_bytes(size), len(list(group))) for size, group in groupby(event.sizes)]
            sizes = ", ".join(size + (f", {count} times" if count > 1 else "") for size, count in counts)
            time = "" if event.expected_s is None else f", about {format_seconds(event.expected_s)}"
            return f"{event.mode.name}: {sizes} a rank{time}"
        case Taken():
            return f"  {event.direction} {format_bytes(event.size)}: {format_bandwidth(event.bandwidth)}"
        case Warning():
            return "warning: " + message(event.problem, event.why, event.advice)
    return event
