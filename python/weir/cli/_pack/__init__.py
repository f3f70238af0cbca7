"""`weir pack`: where it writes, and what it says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from weir.cli._export.output import opened
from weir.cli._output import print_json
from weir.counts import count_words
from weir.errors import WeirError
from weir.files.named import check_named, why_no_folder
from weir.redaction import Redactor
from weir.trace.pack.read import unpack_trace
from weir.trace.pack.write import Packed, Times, pack_trace

SUFFIX = ".weirtrace"


def pack(trace: Path, out: Path | None, times: str, *, redact: bool, json: bool) -> None:
    """Pack a folder. Raises WeirError if it is no trace, or the file is there."""
    if times not in list(Times):
        raise WeirError(f"there are no times '{times}'", "", f"use one of: {', '.join(Times)}")
    if why := why_no_folder(trace):
        raise WeirError(f"{trace} is no trace's folder", why, "name the folder that `weir trace -o` made")
    out = _new(out or trace.resolve().with_name(trace.resolve().name + SUFFIX))
    with opened(out) as file:
        packed = pack_trace(trace, file, Times(times), Redactor() if redact else None)
    if json:
        print_json({"file": str(out), "times": times, **vars(packed)})
    else:
        print(f"weir: {_sizes(packed, out)}", file=sys.stderr)


def unpack_to(packed: Path, out: Path | None, *, json: bool) -> None:
    """Make the folder again. Raises WeirError if the file is no packed trace, or the folder is there."""
    check_named(packed, "the packed trace", "name a file that `weir pack` made")
    if out is None and packed.suffix != SUFFIX:
        raise WeirError(f"{packed} does not end in {SUFFIX}", "", "name the folder to make with --out")
    out = _new(out or packed.with_suffix(""))
    try:
        unpack_trace(packed, out)
    except OSError as error:
        raise WeirError(
            f"cannot make '{out}'", error.strerror or str(error), "choose another --out"
        ) from error
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
