"""Files that are read or written several times over."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import FileRow, TraceSummary

from ._files import and_more

REPEATED_TIMES = 3.0
REPEATED_BYTES = 2**20
WHY = "the same bytes move again and again"


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
    title="Repeatedly {subject}",
    remedies={
        "write-final": Remedy("write what is final: {times} times over now", WHY),
        "read-and-send": Remedy("let one rank a node read it and broadcast", WHY),
        "keep-in-memory": Remedy("keep it in memory: read {times} times over now", WHY),
    },
    speaks=f"at least {REPEATED_TIMES:g} times as many bytes are read from a file, or written to it, as it "
    "extends "
    f"to, and at least {REPEATED_BYTES >> 20} MiB",
    source="Weir: twice is a write and a check",
)
def repetition(summary: TraceSummary) -> Iterator[Answer]:
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


def _repetition(summary: TraceSummary, most: _Moved, often: list[_Moved]) -> Answer:
    return costs(
        "repetition",
        (most.verb, and_more(most.file.file, len(often))),
        summary.of_run(sum(one.seconds * (1 - 1 / one.times) for one in often)),
        _remedy(most),
        (
            Evidence(most.verb, most.bytes, "B"),
            Evidence("the file extends to", most.file.end_bytes or 0, "B"),
            Evidence("times over", most.times),
            Evidence("ranks", most.file.ranks),
        ),
        times=f"{most.times:,.1f}".removesuffix(".0"),
    )


def _remedy(most: _Moved) -> str:
    if most.verb == "written":
        return "write-final"
    return "read-and-send" if most.file.ranks > 1 else "keep-in-memory"
