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

from weir.bounded_parsing import MIB
from weir.calibrate.bench import About, Event, Tell
from weir.calibrate.calibration import Calibration, Sample
from weir.calibrate.limits import SHARE_OF_EXHAUSTIVE, Request, Situation, situation_of
from weir.calibrate.protocol import calibrate
from weir.calibrate.search import round_up
from weir.calibrate.store import load, path_of, save
from weir.cli._progress import ProgressKind, print_event, progress_kind
from weir.cli._streams import console as console_of
from weir.core.client import Core, find_core
from weir.core.front_options import DIRECTORY_OPTION
from weir.errors import ExitCode, Interrupted, WeirError, message
from weir.files.plain import read_plain
from weir.files.walk import make_own_folder
from weir.files.write import write
from weir.store.records import Warning
from weir.study.expand import calibrated_directories
from weir.study.load import Study
from weir.units import count_words, format_bandwidth, format_bytes, format_seconds

GROWTH = 1.25
"""Memory that has grown by more than this may cache more than it did when the calibration was made."""


@dataclass(frozen=True)
class Source:
    """Where a directory's calibrated size comes from."""

    directory: Path
    node_bytes: int
    """Sum over the files of all ranks of a node."""
    path: Path | None = None
    """The calibration; None where there is none yet and the size is assumed."""
    outlook: Sequence[str] = ()

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        path, size = self.path and str(self.path), self.node_bytes
        return {"directory": str(self.directory), "node_bytes": size, "assumed": path is None, "path": path}

    def in_words(self) -> str:
        """A line for people."""
        size = format_bytes(self.node_bytes)
        if self.path:
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
        kept = [read_plain(source.path.resolve(), MIB) for source in self.sources if source.path]
        if kept:
            make_own_folder(out)
        for number, content in enumerate(kept):
            write(out / f"calibration-{number}.json", content)


def foresee(study: Study, directory: Path | None, named: Path | None) -> Sources:
    """For a plan: what there is, and an assumption where there is nothing yet. Measures nothing."""

    def assumed(situation: Situation) -> Source:
        size = situation.sizes.start * situation.ranks
        return Source(situation.request.directory, size, outlook=outlook_words(situation))

    return _sources(study, directory, named, (), assumed)


def provide(
    study: Study, directory: Path | None, named: Path | None, *, out: Path, launcher: str, progress: str
) -> Sources:
    """For a run: what there is, or what is measured now. Raises WeirError where no size can be had."""

    def measured(situation: Situation) -> Source:
        place = situation.request.directory
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
    otherwise: Callable[[Situation], Source],
) -> Sources:
    """From the named calibration, else the run's own ones, else the kept one unless it is outdated."""

    def find(place: Path) -> Source:
        if named is not None:
            return _source(place, load(named, follow=True), named)
        situation = situation_of(Request(place))
        for path in own:
            calibration = load(path)
            if calibration.storage == situation.storage:
                return _source(place, calibration, path)
        kept = path_of(situation.storage)
        if kept.exists():
            calibration = load(kept)
            before, now = calibration.memory.get("total"), situation.memory["total"]
            if calibration.node_bytes and before and now and now <= GROWTH * before:
                return _source(place, calibration, kept)
        return otherwise(situation)

    places = calibrated_directories(study, directory)
    return Sources(tuple(map(find, places)), (directory or Path()).absolute())


def _source(place: Path, calibration: Calibration, path: Path) -> Source:
    if calibration.node_bytes is None:
        raise WeirError(
            f"the calibration of '{place}' names no size",
            calibration.why,
            'give a block in the study in place of "calibrated", with sync = "close" and cache = "drop"',
            ExitCode.INCONCLUSIVE,
        )
    return Source(place, calibration.node_bytes, path)


def outlook_words(situation: Situation) -> list[str]:
    """What a calibration would do."""
    sizes, swept, request = situation.sizes, situation.exhaustive_bytes, situation.request
    words = [
        f"A calibration of '{request.directory}' begins with files of {format_bytes(sizes.start)} a rank"
        f" ({count_words(situation.ranks, 'rank')}) and goes up to {format_bytes(sizes.most)} where it still"
        " changes.",
        f"It writes at most {format_bytes(int(SHARE_OF_EXHAUSTIVE * swept))}, a third of an exhaustive"
        f" sweep ({format_bytes(swept)} in all where noise hides the answer),"
        f" and takes at most about {format_seconds(request.budget_s)}.",
    ]
    if sizes.cut:
        words.append(f"Larger files are ruled out by {sizes.cut}: the cache's end may not be seen.")
    return words


def calibrate_and_keep(request: Request, progress: str) -> tuple[Calibration, Path]:
    """Calibrate with progress on standard error, and keep what was found."""
    with _reporter(progress_kind(progress)) as tell:
        try:
            calibration = calibrate(request, Core(find_core()), tell)
        except Interrupted:
            tell("of a calibration that is not finished nothing is kept; the files are removed")
            raise
    return calibration, save(calibration)


@contextmanager
def _reporter(kind: ProgressKind) -> Iterator[Tell]:
    """Reports a calibration: a live line on a terminal, plain lines in a log, JSON lines, or nothing."""
    match kind:
        case ProgressKind.NONE:
            yield lambda event: None
        case ProgressKind.JSON:
            yield lambda event: print_event(sys.stderr, _as_data(event))
        case ProgressKind.AUTO if sys.stderr.isatty():
            console, about = console_of(stderr=True), ""
            with console.status("looking around") as status:

                def show(event: Event) -> None:
                    nonlocal about
                    match event:
                        case About():
                            about = _in_words(event)
                            status.update(about)
                        case Sample():
                            status.update(f"{about} · {_in_words(event).strip()}")
                        case _:
                            console.print(_in_words(event))

                yield show
        case _:
            yield lambda event: print(_in_words(event), file=sys.stderr, flush=True)


def _as_data(event: Event) -> dict[str, Any]:
    names = {About: "about", Sample: "sample", Warning: "warning", str: "note"}
    data = {"text": event} if isinstance(event, str) else msgspec.to_builtins(event)
    return {"event": names[type(event)], **data}


def _in_words(event: Event) -> str:
    """The event as a line."""
    match event:
        case About():
            counts = [(format_bytes(size), len(list(group))) for size, group in groupby(event.sizes)]
            sizes = ", ".join(size + (f", {count} times" if count > 1 else "") for size, count in counts)
            time = "" if event.expected_s is None else f", about {format_seconds(event.expected_s)}"
            return f"{event.mode.name}: {sizes} a rank{time}"
        case Sample():
            return f"  {event.direction} {format_bytes(event.size)}: {format_bandwidth(event.bandwidth)}"
        case Warning():
            return "warning: " + message(event.problem, event.why, event.advice)
    return event
