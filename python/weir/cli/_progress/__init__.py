"""Ways to watch a study run: live on a terminal, plain lines in a log, JSON for programs, or not at all."""

import sys
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum

from weir.drive.events import NobodyWatches, Watcher


class ProgressKind(StrEnum):
    """What `--progress` may say."""

    AUTO = "auto"
    PLAIN = "plain"
    JSON = "json"
    NONE = "none"


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
