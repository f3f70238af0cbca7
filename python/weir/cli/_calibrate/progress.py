"""A calibration under way, on standard error: a live line on a terminal, plain lines in a log, JSON, or
nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby

import msgspec

from weir.calibrate.bench import About, Taken
from weir.calibrate.protocol import Tell
from weir.cli._progress import ProgressKind
from weir.cli._streams import console as console_of
from weir.errors import message
from weir.printable import json_text
from weir.store.records import Warning
from weir.units import format_bandwidth, format_bytes, format_seconds

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
                    about = in_words(event)
                    status.update(about)
                case Taken():
                    status.update(f"{about} · {in_words(event).strip()}")
                case _:
                    console.print(in_words(event))

        yield tell


def _tell_plainly(event: Event) -> None:
    print(in_words(event), file=sys.stderr, flush=True)


def _tell_json(event: Event) -> None:
    names = {About: "about", Taken: "sample", Warning: "warning", str: "note"}
    data = {"text": event} if isinstance(event, str) else msgspec.to_builtins(event)
    line = {"schema": 1, "event": names[type(event)], **data}
    print(json_text(msgspec.json.encode(line).decode()), file=sys.stderr, flush=True)


def in_words(event: Event) -> str:
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
