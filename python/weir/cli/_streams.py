"""The two streams that a person reads: whatever is written to them is text, and never steers a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

from weir.printable import printable

if TYPE_CHECKING:
    from rich.console import Console


class PrintableStream:
    """A text stream on which control characters arrive escaped; all else is that of the stream below."""

    def __init__(self, below: TextIO) -> None:
        self.below = below

    def write(self, text: str) -> int:
        """Write the text, line by line as it is."""
        self.below.write("\n".join(map(printable, text.split("\n"))))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write the lines, one behind the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


def make_streams_printable() -> None:
    """Let standard output and standard error show text only; what their encoding lacks is escaped too."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, PrintableStream):
            continue
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        setattr(sys, name, PrintableStream(stream))


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Rich's console on one of the streams: what it draws itself steers the terminal, texts do not."""
    from rich.console import Console
    from rich.segment import Segment

    class TextConsole(Console):
        def render(self, *arguments: Any, **options: Any) -> Any:
            for segment in super().render(*arguments, **options):
                safe = segment.control or segment.text.isprintable() or segment.text == "\n"
                yield segment if safe else Segment(_text(segment.text), segment.style)

    stream = sys.stderr if stderr else sys.stdout
    below = stream.below if isinstance(stream, PrintableStream) else stream
    return TextConsole(file=below, highlight=False, markup=False, width=width)


def _text(words: str) -> str:
    return "\n".join(map(printable, words.split("\n")))
