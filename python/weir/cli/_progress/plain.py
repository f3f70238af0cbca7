"""One line a launch and a settled case: for logs."""

from typing import TextIO

from weir.cli._progress import words
from weir.counts import count_words
from weir.drive.events import CaseFailed, CaseSettled, Event, LaunchEnded, LaunchWarned, Note, Status
from weir.units import format_seconds


class PlainProgress:
    """Writes lines, and flushes each, since a log is read while it grows."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def tell(self, event: Event, status: Status) -> None:
        """Write a line if the event is worth one."""
        text = _line(event, status)
        if text:
            print(text, file=self._stream, flush=True)


def _line(event: Event, status: Status) -> str | None:
    match event:
        case Note():
            return event.text
        case LaunchWarned():
            return words.warning_in_words(event)
        case CaseFailed():
            return words.failure_in_words(event)
        case CaseSettled():
            state = event.state
            return f"{words.position(status)} {words.name_of(state.case)}: {words.settled_in_words(state)}"
        case LaunchEnded():
            return f"{words.position(status)} {_launch(event)}; {words.time_left(status)}"
    return None


def _launch(event: LaunchEnded) -> str:
    planned, count = event.planned, len(event.planned.states)
    what = f"{count_words(planned.spec.ranks, 'rank')}, {count_words(count, 'case')}"
    return f"round {planned.round}, launch {event.number}: {what} in {format_seconds(event.took_s)}"
