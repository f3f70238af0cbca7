"""The output times of several files as one series."""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from weir.aquifer.file import AquiferFile, Edges, Output, in_seconds, open_aquifer
from weir.aquifer.names import SECONDS
from weir.errors import WeirError
from weir.printable import printable

MOST_PLANES = 16_384
"""Cells along x: each plane costs time and room in the file beside an XDMF document."""
_NUMBER = re.compile(r"-\d{3,}$")
"""What PFLOTRAN appends to the name of each file of several: aquifer-000.h5."""


@dataclass(frozen=True)
class Moment:
    """One output of the series, with the time in its unit."""

    output: Output
    time: float


@dataclass(frozen=True)
class Series:
    """Open files of the same cells. moments: in the order of time, at least one."""

    files: tuple[AquiferFile, ...]
    moments: tuple[Moment, ...]
    unit: str

    @property
    def edges(self) -> Edges:
        """Of the cells."""
        return self.files[0].edges

    @property
    def name(self) -> str:
        """The first file's without its ending, of several also without its number."""
        stem = self.files[0].path.name.removesuffix(".h5")
        return _NUMBER.sub("", stem) or stem if len(self.files) > 1 else stem


@contextmanager
def open_series(paths: Sequence[Path]) -> Iterator[Series]:
    """The files, open until the end of the block. Raises WeirError for one that cannot be read, other cells
    than the first's, a time that is there twice, and one without fields."""
    with ExitStack() as stack:
        files = tuple(stack.enter_context(open_aquifer(path)) for path in paths)
        for file in files[1:]:
            if not all(map(np.array_equal, file.edges, files[0].edges)):
                raise WeirError(
                    f"'{file.path}' has other cells than '{files[0].path}'",
                    "their coordinates differ",
                    "name files of one run",
                )
        yield _series(files)


def _series(files: tuple[AquiferFile, ...]) -> Series:
    unit = files[0].times[0].unit
    times = [time for file in files for time in file.times]
    try:
        factor = 1 / SECONDS[unit] if in_seconds(times) else None
    except ValueError as error:
        raise WeirError(
            "the files have no common unit of time", str(error), "name files of one run"
        ) from error
    moments = [
        Moment(file.output(time), time.value if factor is None else (time.seconds or 0.0) * factor)
        for file in files
        for time in file.times
    ]
    moments.sort(key=lambda one: one.time)
    _check_extent(files[0])
    for one in moments:
        one.output.check_fields()
    for one, after in pairwise(moments):
        if one.time == after.time:
            where = " and ".join(dict.fromkeys(f"'{each.output.file.path}'" for each in (one, after)))
            raise WeirError(
                f"the time {one.output.time} is there twice", f"in {where}", "leave one of the files away"
            )
    return Series(files, tuple(moments), printable(unit))


def _check_extent(file: AquiferFile) -> None:
    if file.cells[0] > MOST_PLANES:
        raise WeirError(
            f"'{file.path}' has {file.cells[0]:,} cells along x",
            f"{MOST_PLANES:,} are the most that are described for ParaView",
            "open the file with a reader of PFLOTRAN's files, as VisIt has one",
        )
