"""A view that moves: for terminals."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from weir.cli._progress import words
from weir.cli._streams import console as console_of
from weir.counts import count_words
from weir.drive.events import (
    CaseFailed,
    CaseSettled,
    Event,
    LaunchStarted,
    LaunchWarned,
    Note,
    SampleTaken,
    Status,
)


class LiveProgress:
    """A bar of the settled cases, one of the time, and the sample taken last; what matters scrolls by
    above."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or console_of(stderr=True)
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
        if status.cases:
            self._progress.update(self._cases, total=status.cases, completed=status.settled)
            self._progress.update(
                self._time,
                total=status.budget_s,
                completed=min(status.elapsed_s, status.budget_s),
                detail=words.time_left(status),
            )
        match event:
            case Note():
                self._console.print(event.text)
            case LaunchWarned():
                self._console.print(words.warning_in_words(event))
            case CaseFailed():
                self._console.print(words.failure_in_words(event), style="red")
            case CaseSettled():
                state = event.state
                self._console.print(f"{words.name_of(state.case)}: {words.settled_in_words(state)}")
            case LaunchStarted():
                detail = f"round {event.planned.round}, {count_words(event.planned.spec.ranks, 'rank')}"
                self._progress.update(self._cases, detail=detail)
            case SampleTaken():
                detail = f"{words.name_of(event.state.case)}: {words.sample_in_words(event.sample)}"
                self._progress.update(self._cases, detail=detail)
