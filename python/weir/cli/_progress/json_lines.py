"""Each event as a line of JSON: for programs that start Weir."""

from typing import Any, TextIO

import msgspec

from weir.cli._streams import json_for
from weir.drive.case_state import CaseState
from weir.drive.events import (
    CaseFailed,
    CaseSettled,
    Event,
    LaunchEnded,
    LaunchStarted,
    LaunchWarned,
    Note,
    SampleTaken,
    Status,
)
from weir.printable import json_text

_NAMES: dict[type[Event], str] = {
    Note: "note",
    LaunchStarted: "launch-started",
    LaunchEnded: "launch-ended",
    LaunchWarned: "warning",
    SampleTaken: "sample",
    CaseFailed: "failure",
    CaseSettled: "settled",
}


class JsonProgress:
    """Writes an object a line: `event`, what belongs to it, and `status`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def tell(self, event: Event, status: Status) -> None:
        """Write the event."""
        line = {"schema": 1, **_data(event), "status": msgspec.to_builtins(status)}
        text = json_text(msgspec.json.encode(line).decode())
        print(json_for(self._stream, text), file=self._stream, flush=True)


def _data(event: Event) -> dict[str, Any]:
    name = _NAMES[type(event)]
    match event:
        case Note():
            more: dict[str, Any] = {"text": event.text}
        case LaunchStarted():
            more = {"launch": event.number, "cases": [state.case.id for state in event.planned.states]}
        case LaunchEnded():
            more = {"launch": event.number, "took_s": event.took_s}
        case LaunchWarned():
            more = {"warning": msgspec.to_builtins(event.warning)}
        case SampleTaken():
            more = {"case": event.state.case.id, "sample": msgspec.to_builtins(event.sample)}
        case CaseFailed():
            more = {"case": _id(event.state), "failure": msgspec.to_builtins(event.failure)}
        case CaseSettled():
            more = {"case": _id(event.state), "verdict": event.state.verdict, "why": event.state.why}
    return {"event": name, **more}


def _id(state: CaseState | None) -> str | None:
    return None if state is None else state.case.id
