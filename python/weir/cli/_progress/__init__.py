"""Ways to watch a study run: live on a terminal, plain lines in a log, JSON for programs, or not at all."""

import sys
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum

from weir.drive.events import NobodyWatches, Watcher
from weir.errors import WeirError, did_you_mean


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
    from weir.cli._progress.json_lines import JsonProgress
    from weir.cli._progress.plain import PlainProgress

    match kind:
        case ProgressKind.NONE:
            return nullcontext(NobodyWatches())
        case ProgressKind.JSON:
            return nullcontext(JsonProgress(sys.stderr))
        case ProgressKind.AUTO if sys.stderr.isatty():
            from weir.cli._progress.live import LiveProgress

            return LiveProgress()
        case _:
            return nullcontext(PlainProgress(sys.stderr))
