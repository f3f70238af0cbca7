"""Standard output is data; this is the way to it, for people and for programs."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from weir.cli._streams import console, json_for
from weir.printable import json_text, printable

SCHEMA = 1


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object, with the schema version first; what is not finite becomes null, and of a file's
    name what is no UTF-8 a question mark."""
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
