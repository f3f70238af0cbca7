"""The one error that Weir raises on purpose: it says what is wrong, why, and what to do; and the exit codes
of every verb, which are public: scripts and batch systems act on them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum


class ExitCode(IntEnum):
    """What the number that a `weir` command leaves behind means."""

    FINE = 0
    """All went well."""
    THRESHOLD = 1
    """A regression was found, or a threshold missed."""
    USAGE = 2
    """Wrong use or configuration; nothing ran."""
    CASE_FAILED = 3
    """A case could not run; the others did."""
    WRONG_DATA = 4
    """Data read back is not what was written."""
    INCONCLUSIVE = 5
    """Too noisy for any statement, or nothing to compare with."""
    NOTHING_SELECTED = 6
    """The selection is empty."""
    INTERNAL = 70
    """An error in Weir itself."""
    INTERRUPTED = 130
    """Stopped by the user or the system; what was finished is kept."""


def worst(codes: list[int]) -> int:
    """The greatest code: the rule by which `weir-core` and `weir run` sum up several failures. Fine if
    empty."""
    return max(codes, default=int(ExitCode.FINE))


class WeirError(Exception):
    """An error meant for the person at the keyboard, shown as `problem (why). Suggestion`.

    problem: what could not be done, with names and numbers; no full stop at its end.
    why: the reason, empty where the problem says all.
    suggestion: what to do about it, with an example of right input where input was wrong.
    exit_code: what the process exits with if nobody handles the error.
    """

    def __init__(
        self, problem: str, why: str = "", suggestion: str = "", exit_code: ExitCode = ExitCode.USAGE
    ) -> None:
        super().__init__(problem, why, suggestion)
        self.problem = problem
        self.why = why
        self.suggestion = suggestion
        self.exit_code = exit_code

    def __str__(self) -> str:
        return message(self.problem, self.why, self.suggestion)

    def as_data(self) -> dict[str, str | int]:
        """The error as the `--json` output shows it."""
        return {
            "problem": self.problem,
            "reason": self.why,
            "suggestion": self.suggestion,
            "exit_code": int(self.exit_code),
        }


@contextmanager
def system_errors(problem: str, advice: str, exit_code: ExitCode = ExitCode.USAGE) -> Iterator[None]:
    """Turns an OSError raised inside into a WeirError whose reason is what the system says."""
    try:
        yield
    except OSError as error:
        raise WeirError(problem, error.strerror or str(error), advice, exit_code) from error


def message(problem: str, why: str | None, suggestion: str | None) -> str:
    """`problem (why). Suggestion`, as every message of Weir reads: cause and remedy are two sentences. What
    is empty is left out."""
    cause = f"{problem} ({why})" if why else problem
    if not suggestion:
        return cause
    stop = "" if cause.endswith((".", "?", "!", ":")) else "."
    return f"{cause}{stop} {suggestion[:1].upper()}{suggestion[1:]}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A suggestion for a misspelt word: "did you mean 'transfer'?", else the list of what is known."""
    import difflib  # noqa: PLC0415 - most runs misspell nothing

    choices = list(known)
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"use one of: {', '.join(choices)}" if choices else ""


INTERRUPTED = "weir: interrupted; what was finished is kept"


class Interrupted(BaseException):
    """A signal asked Weir to stop. Not an Exception, so that no handler of errors swallows it."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal_number = signal_number
