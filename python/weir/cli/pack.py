"""`weir pack`: a trace as one small file, and back."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, RedactOption, writes
from weir.cli._streams import output_file, print_json
from weir.errors import WeirError, system_errors
from weir.handed.takes import Takes
from weir.units import count_words

if TYPE_CHECKING:
    from weir.trace.pack.write import Packed

SUFFIX = ".weirtrace"

TraceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TRACE",
        help="A trace's folder; with --unpack, a packed trace.",
        autocompletion=completion.traces,
    ),
    Takes(("trace", "packed-trace")),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="The output. Default: TRACE with .weirtrace, or without it."),
]
TimesOption = Annotated[
    str, typer.Option("--times", help="exact, us (rounded to microseconds), or none (order only).")
]
UnpackOption = Annotated[bool, typer.Option("--unpack", help="Restore the folder.")]


@writes
def command(
    trace: TraceArgument,
    out: OutOption = None,
    times: TimesOption = "exact",
    unpack: UnpackOption = False,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Make one small file of a trace.

    Nothing is lost: calls, files, offsets and sizes of regular programs need next to nothing; the times
    take the rest. --times us rounds them, for a fraction of the size. All verbs that read traces read
    packed ones; --unpack restores the folder.
    """
    from weir.trace.open import import_numpy

    import_numpy()
    if unpack:
        _unpack(trace, out, json=json)
    else:
        _pack(trace, out, times, redact=redact, json=json)


def _pack(trace: Path, out: Path | None, times: str, *, redact: bool, json: bool) -> None:
    """Pack a folder. Raises WeirError if it is no trace, or the file is there."""
    from weir.files.named import why_no_folder
    from weir.files.thing import Thing
    from weir.handed.kind import kind_named
    from weir.redaction import Redactor
    from weir.trace.pack.write import Times, pack_trace

    if times not in list(Times):
        raise WeirError(f"there are no times '{times}'", "", f"use one of: {', '.join(Times)}")
    if kind_named("packed-trace").recognises(Thing(str(trace))):
        advice = f"to make the folder again: weir pack --unpack {shlex.quote(str(trace))}"
        raise WeirError(f"'{trace}' is a packed trace", "it is packed already", advice)
    if why := why_no_folder(trace):
        raise WeirError(f"{trace} is no trace's folder", why, "name the folder that `weir trace -o` made")
    out = _new(out or trace.resolve().with_name(trace.resolve().name + SUFFIX))
    with output_file(out) as file:
        packed = pack_trace(trace, file, Times(times), Redactor() if redact else None)
    if json:
        print_json({"file": str(out), "times": times, **vars(packed)})
    else:
        print(f"weir: {_sizes(packed, out)}", file=sys.stderr)


def _unpack(packed: Path, out: Path | None, *, json: bool) -> None:
    """Make the folder again. Raises WeirError if the file is no packed trace, or the folder is there."""
    from weir.files.named import check_named
    from weir.trace.pack.read import unpack_trace

    check_named(packed, "the packed trace", "name a file that `weir pack` made")
    if out is None and packed.suffix != SUFFIX:
        raise WeirError(f"{packed} does not end in {SUFFIX}", "", "name the folder to make with --out")
    out = _new(out or packed.with_suffix(""))
    with system_errors(f"cannot make '{out}'", "choose another --out"):
        unpack_trace(packed, out)
    if json:
        print_json({"folder": str(out)})


def _new(out: Path) -> Path:
    if os.path.lexists(out):
        raise WeirError(f"cannot write '{out}'", "it is there already", "remove it, or choose another --out")
    return out


def _sizes(packed: Packed, out: Path) -> str:
    sizes = f"{_mb(packed.raw_bytes)} in {_mb(packed.packed_bytes)}"
    a_call = packed.packed_bytes / max(packed.records, 1)
    of_times = packed.bytes_of_times / max(packed.records, 1)
    return (
        f"{out}: {count_words(packed.records, 'call')}, {sizes} "
        f"({a_call:.3f} bytes a call, {of_times:.3f} of them for times)"
    )


def _mb(size: int) -> str:
    return f"{size / 1e6:.3f} MB"
