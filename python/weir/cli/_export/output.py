"""The file that an export goes to: whole or not there, or standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from weir.errors import WeirError
from weir.files.refusals import how_to_get_room
from weir.files.write import written


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
def opened(out: Path | None, *, named: bool = True) -> Iterator[BinaryIO]:
    """The open output. A file appears under its name when it is whole, so that nobody reads half of one; a
    device or pipe that the person has `named` is written to as it is.
    Raises WeirError where it cannot be written."""
    if out is None:
        with _write_errors("to standard output", "{room}, or name a file with --out"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with _write_errors(f"'{out}'", "choose another --out"), written(out, named=named) as file:
        yield file


@contextmanager
def _write_errors(where: str, suggestion: str) -> Iterator[None]:
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
