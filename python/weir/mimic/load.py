"""Reads a pattern that is to be imitated, as `weir replay` would carry it out."""

import sys
from array import array
from itertools import pairwise
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from weir.core.client import Core
from weir.errors import WeirError
from weir.files.named import read_named
from weir.mimic.derive import Change, derive
from weir.mimic.imitation import Imitation
from weir.pattern import Access, Pattern, Step, with_steps
from weir.replay.prepare import MOST_PATTERN_BYTES, Prepared, ReplayRequest, prepare

_MAGIC = b"WEIRLIST"
_WORD = 8


def load(request: ReplayRequest, core: Core) -> tuple[Prepared, Pattern]:
    """The pattern as a replay has it, and as it is imitated: without the phase that makes files, and with
    lists in place of files of lists. Raises WeirError for a pattern that is not right."""
    prepared = prepare(request, core)
    pattern = prepared.pattern
    phases = pattern.phases[1:] if prepared.preparing else pattern.phases
    folder = request.pattern.absolute().parent
    return prepared, replace(
        pattern,
        phases=[
            replace(phase, steps=with_steps(phase.steps, lambda step: _with_lists(step, folder)))
            for phase in phases
        ],
    )


def imitate(request: ReplayRequest, core: Core, change: Change | None = None) -> tuple[Prepared, Imitation]:
    """The pattern as a replay has it, and its imitation. Raises WeirError as `load` does, and for a pattern
    that moves no bytes."""
    prepared, pattern = load(request, core)
    imitation = derive(pattern, change)
    if not imitation.bytes:
        raise WeirError(
            f"'{request.pattern}' has no imitation",
            "none of its phases reads or writes a byte",
            "choose a pattern whose accesses have bytes: `weir-core expand` prints its operations",
        )
    return prepared, imitation


def _with_lists(step: Step, folder: Path) -> Step:
    if not step.access or step.access.lists_file is UNSET:
        return step
    access: Access = replace(
        step.access, lists=_read_lists(folder / step.access.lists_file), lists_file=UNSET
    )
    return replace(step, access=access)


def _read_lists(path: Path) -> list[list[int]]:
    """Each rank's offsets and lengths in turn; docs/reference/pattern.md has the format."""
    data = read_named(path, MOST_PATTERN_BYTES, "the lists", "keep them next to the pattern")
    words = array("Q", data[: len(data) // _WORD * _WORD])
    if not data.startswith(_MAGIC) or len(words) < 2:
        raise WeirError(f"'{path}' holds no lists", "it does not begin as they do", "check the path")
    if sys.byteorder == "big":
        words.byteswap()
    lists = words[1]
    starts, pieces = words[2 : 3 + lists], words[3 + lists :]
    return [list(pieces[2 * first : 2 * last]) for first, last in pairwise(starts)]
