"""Where verbs write: to standard output, which is data for people and for programs, and to files."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from weir.cli._streams import console, json_for
from weir.errors import WeirError
from weir.printable import json_text, printable

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


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print a table. Columns whose heading starts with `>` are set to the right; where a terminal is too
    narrow, only columns whose heading starts with `~` are folded.
    """
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
    for row in rows:
        table.add_row(*map(printable, row))
    console(width=_width()).print(table)


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


@contextmanager
def output_file(out: Path | None, *, named: bool = True) -> Iterator[BinaryIO]:
    """The open output of a verb. A file appears under its name when it is whole, so that nobody reads half of
    one; a device or pipe that the person has `named` is written to as it is. Raises WeirError where it cannot
    be written."""
    from weir.files.write import written

    if out is None:
        with _write_errors("to standard output", "{room}, or name a file with --out"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with _write_errors(f"'{out}'", "choose another --out"), written(out, named=named) as file:
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
