"""The two streams that a person reads: whatever is written to them is text, and never steers a terminal."""

from __future__ import annotations

import codecs
import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

from weir.cli._lost_output import LastingStream, open_closed_streams
from weir.printable import printable_lines

if TYPE_CHECKING:
    from rich.console import Console


SPELT = "weir-spelt"
_IN_ASCII = dict(
    zip(
        "\u2013\u2014\u2212\u00b7\u00d7\u00b5\u03bc\u201c\u201d\u2018\u2019\u00a0\u2500\u2501\u2502\u2022",
        "---" + "-" + "xuu" + '""' + "''" + " " + "--|*",
        strict=True,
    )
) | {
    "\u2026": "...",
    "\u00b1": "+-",
    "\u2192": "->",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u00b2": "^2",
    "\u00b3": "^3",
}
"""Of letters that Weir's own texts use: dashes, signs, quotation marks, lines of tables."""


class PrintableStream:
    """A text stream on which control characters arrive escaped; all else is that of the stream below."""

    def __init__(self, below: TextIO | LastingStream) -> None:
        self.below = below

    def write(self, text: str) -> int:
        """Write the text, line by line as it is."""
        self.below.write(printable_lines(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write the lines, one behind the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


def make_streams_printable() -> None:
    """Let standard output and standard error show text only; what their encoding lacks is spelt in ASCII or
    escaped. Standard error that cannot be written is no error."""
    codecs.register_error(SPELT, _spelt)
    open_closed_streams()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, PrintableStream):
            continue
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=SPELT)
        setattr(sys, name, PrintableStream(LastingStream(stream, silently=name == "stderr")))


def json_for(stream: TextIO, text: str) -> str:
    """JSON text as the stream can carry it: what its encoding lacks is escaped as JSON has it."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
        return text
    except UnicodeEncodeError:
        # Beyond 16 bits JSON escapes the two halves of UTF-16, which is how json.dumps writes them.
        return "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)


def _spelt(error: UnicodeError) -> tuple[str, int]:
    """For streams that lack a letter: its nearest spelling in ASCII, else its escape."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    spelt = (_IN_ASCII.get(c) or c.encode("ascii", "backslashreplace").decode() for c in letters)
    return "".join(spelt), error.end


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Rich's console on one of the streams: what it draws itself steers the terminal, texts do not."""
    from rich.console import Console
    from rich.segment import Segment

    class TextConsole(Console):
        def render(self, *arguments: Any, **options: Any) -> Any:
            for segment in super().render(*arguments, **options):
                safe = segment.control or segment.text.isprintable() or segment.text == "\n"
                yield segment if safe else Segment(printable_lines(segment.text), segment.style)

    stream = sys.stderr if stderr else sys.stdout
    below: Any = stream.below if isinstance(stream, PrintableStream) else stream
    return TextConsole(file=below, highlight=False, markup=False, width=width)
