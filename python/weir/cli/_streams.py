"""Where verbs write: standard output, standard error and files. What people read is text and never steers a
terminal. Where a stream cannot be written, since a pipe's reader is gone or a disk is full, a verb that only
prints ends; one that measures goes on, and says so."""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from weir.errors import WeirError
from weir.files.refusals import how_to_get_room
from weir.printable import json_text, printable, printable_lines

if TYPE_CHECKING:
    from rich.console import Console

LOG = "weir.log"
"""In a run's logs: what could not be said elsewhere."""
SPELT = "weir-spelt"
_IN_ASCII = dict(
    zip(
        "\u2013\u2014\u2212\u00b7\u00d7\u00b5\u03bc\u201c\u201d\u2018\u2019\u00a0\u2500\u2501\u2502\u2022",
        "---" + "-" + "xuu" + '""' + "''" + " " + "--|*",
        strict=True,
    )
) | {
    "\u2026": "...",
    "\u2588": "#",
    "\u2591": ".",
    "\u25cf": "*",
    "\u25d0": "~",
    "\u25cb": "o",
    "\u00b1": "+-",
    "\u2192": "->",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u00b2": "^2",
    "\u00b3": "^3",
}
"""Of letters that Weir's own texts use: dashes, signs, quotation marks, lines of tables."""


class OutputLost(Exception):
    """Standard output cannot be written any more."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.advice = how_to_get_room(error)
        self.reader_gone = isinstance(error, BrokenPipeError)


class LastingStream:
    """A text stream that fails once at most: after that, what is written to it goes nowhere. With `silently`
    not even once; `lost` says why it failed."""

    def __init__(self, below: TextIO, *, silently: bool) -> None:
        self.below = below
        self.lost: OSError | None = None
        self._silently = silently

    def write(self, text: str) -> int:
        """Write the text. Raises OutputLost where that fails for the first time. An empty text is not
        written: by one the command-line library only asks what kind of stream this is, and it drops the
        error."""
        if text:
            with self._losses():
                self.below.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write the lines, one behind the other."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand all over. Raises OutputLost as `write`."""
        with self._losses():
            self.below.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)

    @contextlib.contextmanager
    def _losses(self) -> Iterator[None]:
        try:
            if self.lost is None:
                yield
            else:
                with contextlib.suppress(OSError):
                    yield
        except OSError as error:
            self.lost = error
            # What is still in the buffer must not fail again when Python ends.
            with contextlib.suppress(OSError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.below.fileno())
                os.close(nowhere)
            if not self._silently:
                raise OutputLost(error) from error


def open_closed_streams() -> None:
    """Give standard streams that were closed at the start a place, so that no file of Weir's own gets their
    numbers. Standard output then fails when it is written to, as it would have."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for good


@contextlib.contextmanager
def results_told(run: Path) -> Iterator[None]:
    """Inside, results are read and printed of a run that is over. Where printing fails it is reported, on
    standard error and in the run's log, and nothing else changes. Raises WeirError where the run is gone."""
    from weir.store.run_directory import removal_told  # most verbs make no run

    lines = []
    try:
        with removal_told(run):
            yield
            sys.stdout.flush()
    except OutputLost as lost:
        text = f"the results could not be printed ({lost}); they are whole in '{run}': `weir show {run}`"
        print(f"weir: {text}", file=sys.stderr)
        lines.append(text)
    unsaid = getattr(sys.stderr, "lost", None)
    if unsaid is not None:
        lines.append(f"standard error could not be written ({unsaid.strerror or unsaid})")
    if lines:
        with contextlib.suppress(OSError, WeirError):
            _append(run / "logs" / LOG, "".join(f"{line}\n" for line in lines))


def _append(path: Path, text: str) -> None:
    from weir.files.plain import open_to_append  # most verbs have nothing to append

    with os.fdopen(open_to_append(path), "ab") as log:
        log.write(text.encode("utf-8", "backslashreplace"))


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


SCHEMA = 1


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object, with the schema version first; what is not finite becomes null, and of a file's
    name what is no UTF-8 a question mark."""
    import msgspec

    try:
        encoded = msgspec.json.encode({"schema": SCHEMA, **data})
    except UnicodeEncodeError:
        encoded = msgspec.json.encode({"schema": SCHEMA, **_encodable(data)})
    text = json_text(msgspec.json.format(encoded, indent=2).decode())
    sys.stdout.write(json_for(sys.stdout, text) + "\n")
    sys.stdout.flush()


def _encodable(data: Any) -> Any:
    match data:
        case str():
            return data.encode("utf-8", "replace").decode()
        case dict():
            return {_encodable(key): _encodable(value) for key, value in data.items()}
        case list() | tuple():
            return [_encodable(value) for value in data]
        case _:
            return data


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for people; what would steer a terminal, such as a file's name may hold, is escaped."""
    for line in lines:
        print(printable(line))


def tell_no_pictures(why: WeirError | None) -> None:
    """Say why a page that was written has no pictures; nothing where it has."""
    if why:
        told = WeirError("the page has no pictures", why.why, why.suggestion)
        print(f"weir: {told}", file=sys.stderr)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print a table. Columns whose heading starts with `>` are set to the right; where a terminal is too
    narrow, only columns whose heading starts with `~` are folded, and where that does not do, each row is
    printed as words.
    """
    width = console(width=_width()).width
    if width < _least_width(headings, rows):
        print_lines([*([title] if title else []), *_rows_as_words(headings, rows, width)])
        return
    cells = [[printable(cell).rstrip() for cell in row] for row in rows]
    if lines := _plain_table(headings, cells, printable(title), width):
        head, below = lines
        for text, style in head:
            console(width=width).print(text, style=style, crop=False, overflow="ignore", no_wrap=True)
        print_lines(below)
        return
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD,
        title=printable(title) or None,
        title_justify="left",
        show_edge=False,
        padding=(0, 2, 0, 0),
    )
    for heading in headings:
        table.add_column(
            heading.lstrip(">~"),
            justify="right" if heading.startswith(">") else "left",
            no_wrap=not heading.startswith("~"),
            overflow="fold",
        )
    for row in cells:
        table.add_row(*row)
    console(width=width).print(table)


def _plain_table(
    headings: Sequence[str], cells: Sequence[Sequence[str]], title: str, width: int
) -> tuple[list[tuple[str, str]], list[str]] | None:
    """What rich makes of a table that has room, which takes it a millisecond a row: lines with their style,
    and the plain ones below. Null where something is to be folded, or may not be as wide as it is long."""
    from rich.cells import cell_len

    columns = list(zip([one.lstrip(">~") for one in headings], *cells, strict=True))
    plain = all(text.isascii() or cell_len(text) == len(text) for column in columns for text in column)
    if not plain or any("\n" in text for column in columns for text in column):
        return None
    widths = [max(map(len, column)) for column in columns]
    whole = sum(widths) + 3 * len(widths) - 1
    if whole > width or len(title) > whole:
        return None
    right = [heading.startswith(">") for heading in headings]
    places = [
        f"{{:{'>' if is_right else '<'}{size}}}  " for is_right, size in zip(right, widths, strict=True)
    ]
    line = " ".join(places).format
    head, *rows = (line(*row) for row in zip(*columns, strict=True))
    styled = [*([(title.ljust(whole), "table.title")] if title else []), (head, "table.header")]
    return styled, ["─" * whole, *rows]


_BETWEEN = " · "


def _least_width(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Of a table in which no cell is cut off, and no word of one that is folded."""
    least = 0
    for heading, *cells in zip(headings, *rows, strict=True):
        parts = [heading.lstrip(">~"), *cells]
        if heading.startswith("~"):
            parts = [word for part in parts for word in part.split()]
        least += max(map(len, parts), default=0) + 2
    return least


def _rows_as_words(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """The first cell, below it the others with their headings."""
    for first, *others in rows:
        yield from [first] if first else []
        lines = [""]
        for heading, cell in zip(headings[1:], others, strict=True):
            if not cell:
                continue
            part = f"{heading.lstrip('>~')} {cell}".strip()
            beside = f"{lines[-1]}{_BETWEEN}{part}" if lines[-1] else f"  {part}"
            if len(beside) <= width:
                lines[-1] = beside
            else:
                lines.append(f"  {part}")
        yield from filter(None, lines)


def _width() -> int | None:
    """No limit where the output is not a terminal: a table cut to 80 columns in a log is lost data."""
    return None if sys.stdout.isatty() else 200


def check_output(out: Path | None, *, is_text: bool, json: bool) -> None:
    """Raises WeirError where output of that kind cannot go there."""
    if out is None and json:
        raise WeirError(
            "--json and the export both want standard output", "", "name a file for the export with --out"
        )
    if out is None and not is_text and sys.stdout.isatty():
        raise WeirError(
            "this format is not text",
            "standard output is a terminal",
            "name a file with --out, or use a pipe",
        )


def check_output_file(out: Path, option: str = "--out") -> None:
    """Raises WeirError, before long work, where a verb could not write there."""
    from weir.files.write import check_writable

    with _write_errors(f"'{out}'", f"choose another {option}"):
        check_writable(out)


@contextmanager
def output_file(out: Path | None, *, named: bool = True, option: str = "--out") -> Iterator[BinaryIO]:
    """The open output of a verb. A file appears under its name when it is whole, so that nobody reads half of
    one; a device or pipe that the person has `named` is written to as it is. Raises WeirError where it cannot
    be written."""
    from weir.files.write import written

    if out is None:
        with _write_errors("to standard output", "{room}, or name a file with --out"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with _write_errors(f"'{out}'", f"choose another {option}"), written(out, named=named) as file:
        yield file


@contextmanager
def _write_errors(where: str, suggestion: str) -> Iterator[None]:
    from weir.files.refusals import how_to_get_room

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WeirError(
            f"cannot write {where}",
            error.strerror or str(error),
            suggestion.format(room=how_to_get_room(error)),
        ) from error
