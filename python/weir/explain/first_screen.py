"""What a person sees first of a trace: what ran, what stands out, and what the trace lacks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from weir.answers.answer import Answer
from weir.answers.data import answer_data, caveat_data
from weir.answers.screen import Screen, chosen_rows
from weir.machine.describe import Fact
from weir.trace.record.program import LAUNCHERS, kind_of
from weir.units import count_words, format_bytes

from .rule import answers_on, caveats_on, io_share, nothing_stands_out
from .summary import Head, TraceSummary
from .together import Together, together

TITLE_LETTERS = 40


@dataclass(frozen=True)
class Explained:
    """All that stands out of a trace, and its first screen."""

    answers: list[Answer]
    together: Together | None
    screen: Screen

    def data(self) -> dict[str, Any]:
        """For `--json`: all answers, not only those of the screen."""
        return {
            "verdict": self.screen.verdict,
            "answers": [answer_data(one) for one in self.answers],
            "caveats": [caveat_data(one) for one in self.screen.caveats],
            "together": self.together,
        }


def explained(summary: TraceSummary) -> Explained:
    """By all rules; pure."""
    answers = answers_on(summary)
    overlap = together(summary, answers)
    caveats = [*caveats_on(summary), *([overlap.caveat(summary.head)] if overlap else [])]
    rows, others = chosen_rows(answers)
    return Explained(
        answers,
        overlap,
        Screen(
            place=tuple(_place(summary, said=bool(rows))),
            rows=rows,
            others=others,
            caveats=tuple(caveats),
            machine=tuple(_facts(summary)),
            nothing=nothing_stands_out(summary),
        ),
    )


def program_of(head: Head) -> str:
    """The command without its launcher, where it is clear which word is the program; its program without
    folders, and cut where it is long."""
    command = head.command.split(" ")
    program, *rest = command[_program_at(command) :]
    words = " ".join([PurePath(program).name, *rest]).strip() or head.name
    return words if len(words) <= TITLE_LETTERS else f"{words[:TITLE_LETTERS]}…"


def _program_at(command: list[str]) -> int:
    """The first path behind a launcher, unless it may be the value of an option."""
    if kind_of(command[0]) in LAUNCHERS:
        for at in range(1, len(command)):
            is_path = "/" in command[at] and "=" not in command[at] and not command[at].startswith("-")
            if is_path:
                return 0 if command[at - 1].startswith("-") else at
    return 0


def where(head: Head) -> str:
    """The host, or how many."""
    if not head.hosts:
        return "unknown hosts"
    return head.hosts[0] if len(head.hosts) == 1 else count_words(len(head.hosts), "host")


def _place(summary: TraceSummary, *, said: bool) -> Iterator[str]:
    """ "app input", "4 ranks on vm", "857 ms", "35 % of the critical path in I/O"."""
    head = summary.head
    yield program_of(head)
    yield f"{head.who} on {where(head)}" if head.hosts else head.who
    yield head.how_long
    share = io_share(summary)
    if said and share:
        yield share


def _facts(summary: TraceSummary) -> Iterator[Fact]:
    """Beside the rows."""
    head = summary.head
    yield Fact("calls", head.how_many)
    for label, count in (
        ("read", sum(row.bytes_read for row in summary.ranks)),
        ("written", sum(row.bytes_written for row in summary.ranks)),
    ):
        if count:
            yield Fact(label + (", as recorded" if head.calls_lost else ""), format_bytes(count))
    yield Fact("source", head.source)
