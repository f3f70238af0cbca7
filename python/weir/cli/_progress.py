"""Ways to watch a study run: live on a terminal, plain lines in a log, JSON for programs, or not at all."""

import sys
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from types import TracebackType
from typing import Any, Self, TextIO

import msgspec

from weir.analyse.metric import Metric, metric_of, value_of
from weir.answers.quantities import quantity_from
from weir.answers.words import value_words
from weir.cli._streams import console, json_for
from weir.errors import WeirError, did_you_mean, message
from weir.measure.events import (
    CaseFailed,
    CaseSettled,
    Event,
    LaunchEnded,
    LaunchStarted,
    LaunchWarned,
    NobodyWatches,
    Note,
    SampleTaken,
    Status,
    Watcher,
)
from weir.measure.stopping_rule import CaseState, Verdict
from weir.printable import json_text
from weir.study.case import Case
from weir.units import count_words, format_seconds

_NAMES: dict[type[Event], str] = {
    Note: "note",
    LaunchStarted: "launch-started",
    LaunchEnded: "launch-ended",
    LaunchWarned: "warning",
    SampleTaken: "sample",
    CaseFailed: "failure",
    CaseSettled: "settled",
}


class ProgressKind(StrEnum):
    """What `--progress` may say."""

    AUTO = "auto"
    PLAIN = "plain"
    JSON = "json"
    NONE = "none"


def progress_kind(text: str) -> ProgressKind:
    """The kind that a person named. Raises WeirError if there is none."""
    try:
        return ProgressKind(text)
    except ValueError as error:
        raise WeirError(
            f"'{text}' is not a kind of progress", "", did_you_mean(text, list(ProgressKind))
        ) from error


def open_progress(kind: ProgressKind) -> AbstractContextManager[Watcher]:
    """The way to watch, as a context; all of them talk on standard error."""
    match kind:
        case ProgressKind.NONE:
            return nullcontext(NobodyWatches())
        case ProgressKind.JSON:
            return nullcontext(JsonProgress(sys.stderr))
        case ProgressKind.AUTO if sys.stderr.isatty():
            return LiveProgress()
        case _:
            return nullcontext(PlainProgress(sys.stderr))


class Numbers:
    """What the cases of a run have given so far, in words."""

    def __init__(self) -> None:
        self._metrics: dict[tuple[str, str], Metric] = {}

    def note(self, event: Event) -> None:
        """Keep in which metric a phase is told."""
        if isinstance(event, SampleTaken) and (metric := metric_of(event.sample)):
            self._metrics[event.state.case.id, event.sample.phase] = metric

    def of(self, state: CaseState) -> str:
        """ "write 474 MiB/s ±14 % (n = 8), read 964 MiB/s ±13 % (n = 8)"; empty without a number."""
        found = {phase: self._metrics.get((state.case.id, phase)) for phase in state.values}
        return ", ".join(
            f"{phase} {value_words(quantity_from(metric, state.values[phase]))}"
            for phase, metric in found.items()
            if metric and state.values[phase]
        )


class PlainProgress:
    """Writes a line a launch and a settled case, and flushes each, since a log is read while it grows."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._numbers = Numbers()

    def tell(self, event: Event, status: Status) -> None:
        """Write a line if the event is worth one."""
        self._numbers.note(event)
        text = _words(event, self._numbers)
        position = f"[{status.settled}/{status.cases}] "
        match event:
            case LaunchEnded():
                text = f"{position}{_launch_words(event)}; {_time_left(status)}"
            case CaseSettled():
                text = f"{position}{text}"
        if text:
            print(text, file=self._stream, flush=True)


class JsonProgress:
    """Writes an object a line: `event`, what belongs to it, and `status`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def tell(self, event: Event, status: Status) -> None:
        """Write the event."""
        print_event(self._stream, {**_data(event), "status": msgspec.to_builtins(status)})


def print_event(stream: TextIO, data: dict[str, Any]) -> None:
    """Print an event as a line for programs."""
    text = json_text(msgspec.json.encode({"schema": 1, **data}).decode())
    print(json_for(stream, text), file=stream, flush=True)


class LiveProgress:
    """A bar of the settled cases, one of the time, and the sample taken last; what matters scrolls by
    above."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._numbers = Numbers()
        self._console = console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[detail]}", markup=False),
            TimeElapsedColumn(),
            console=self._console,
        )
        self._cases = self._progress.add_task("cases", total=None, detail="")
        self._time = self._progress.add_task("budget", total=None, detail="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def tell(self, event: Event, status: Status) -> None:
        """Move the bars, and let what matters scroll by."""
        self._numbers.note(event)
        if status.cases:
            self._progress.update(self._cases, total=status.cases, completed=status.settled)
            self._progress.update(
                self._time,
                total=status.budget_s,
                completed=min(status.elapsed_s, status.budget_s),
                detail=_time_left(status),
            )
        text = _words(event, self._numbers)
        if text is not None:
            self._console.print(text, style="red" if isinstance(event, CaseFailed) else None)
        match event:
            case LaunchStarted():
                detail = f"round {event.planned.round}, {count_words(event.planned.spec.ranks, 'rank')}"
                self._progress.update(self._cases, detail=detail)
            case SampleTaken():
                metric, value = metric_of(event.sample), value_of(event.sample)
                measured = f" {metric.words(value)}" if metric and value is not None else ""
                detail = f"{_name_of(event.state.case)}: {event.sample.phase}{measured}"
                self._progress.update(self._cases, detail=detail)


def _words(event: Event, numbers: Numbers) -> str | None:
    """What people read in either view; None for what only one shows, or none."""
    match event:
        case Note():
            return event.text
        case LaunchWarned():
            warning = event.warning
            return "warning: " + message(warning.problem, warning.why, warning.advice)
        case CaseFailed():
            where = _name_of(event.state.case) if event.state else "the whole launch"
            return f"failed: {where}: {event.failure.message}"
        case CaseSettled():
            state = event.state
            failed = state.verdict is Verdict.FAILED  # the reason was printed when it failed
            none = "failed" if failed else f"not measured: {state.why}"
            return f"{_name_of(state.case)}: {numbers.of(state) or none}"
    return None


def _name_of(case: Case) -> str:
    comparison = case.comparisons[0] if case.comparisons else case.benchmark
    return comparison if case.label in ("", comparison) else f"{comparison}: {case.label}"


def _time_left(status: Status) -> str:
    left = status.at_most_left_s
    return f"at most {format_seconds(left)} left" if left else "no time left"


def _launch_words(event: LaunchEnded) -> str:
    planned, count = event.planned, len(event.planned.states)
    what = f"{count_words(planned.spec.ranks, 'rank')}, {count_words(count, 'case')}"
    return f"round {planned.round}, launch {event.number}: {what} in {format_seconds(event.took_s)}"


def _data(event: Event) -> dict[str, Any]:
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
    return {"event": _NAMES[type(event)], **more}


def _id(state: CaseState | None) -> str | None:
    return None if state is None else state.case.id
