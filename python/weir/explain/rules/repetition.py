"""Files that are read or written several times over."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from weir.explain.remark import Remark, rule
from weir.explain.summary import FileRow, TraceSummary
from weir.units import format_bytes, more_words

REPEATED_TIMES = 3.0
REPEATED_BYTES = 2**20


@dataclass(frozen=True)
class _Moved:
    file: FileRow
    verb: str
    bytes: int
    seconds: float

    @property
    def times(self) -> float:
        """How often the file was gone through, were it gone through from end to end."""
        return self.bytes / (self.file.end_bytes or self.bytes or 1)


@rule(
    f"at least {REPEATED_TIMES:g} times as many bytes are read from a file, or written to it, as it extends "
    "to, and "
    f"at least {REPEATED_BYTES >> 20} MiB",
    "Weir: twice is a write and a check",
)
def repetition(summary: TraceSummary) -> Iterator[Remark]:
    """At least three times as many bytes were read from a file, or written to it, as it reaches far."""
    files = [row for row in summary.files if row.interface == "POSIX"]
    for all_of_one_verb in (
        [_Moved(row, "read", row.bytes_read, row.read_s) for row in files],
        [_Moved(row, "written", row.bytes_written, row.write_s) for row in files],
    ):
        often = [
            one for one in all_of_one_verb if one.bytes >= REPEATED_BYTES and one.times >= REPEATED_TIMES
        ]
        if often:
            yield _repetition(summary, max(often, key=lambda one: one.bytes), often)


def _factor(times: float) -> str:
    return f"{times:,.1f}".removesuffix(".0")


def _repetition(summary: TraceSummary, most: _Moved, often: list[_Moved]) -> Remark:
    ranks = f" by {most.file.ranks:,} ranks" if most.file.ranks > 1 else ""
    more = f" The same holds for {more_words(len(often) - 1, 'file')}." if len(often) > 1 else ""
    return Remark(
        f"{format_bytes(most.bytes)} are {most.verb}{ranks} in {PurePath(most.file.file).name}, which "
        f"extends to {format_bytes(most.file.end_bytes or 0)} only: {_factor(most.times)} times over.{more}",
        "The same bytes are moved again.",
        _advice(most),
        summary.of_run(sum(one.seconds * (1 - 1 / one.times) for one in often)),
    )


def _advice(most: _Moved) -> str:
    if most.verb == "written":
        return "Write what is final."
    if most.file.ranks > 1:
        return "Let one rank of a node read it and broadcast."
    return "Keep it in memory between the reads."
