"""Storage targets (Lustre's OSTs) whose files are slow."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import FileRow, TraceSummary
from weir.units import format_share

SLOW_TIMES = 2.0
FEWEST_TARGETS = 4
LEAST_BYTES = 2**20
LEAST_OF_RUN = 0.05
NAMED = 4


@dataclass
class _Target:
    number: int
    files: list[FileRow] = field(default_factory=list)

    @property
    def seconds_per_byte(self) -> float:
        """Of a rank: times of all ranks that share a file are added up, and so are their bytes."""
        return sum(row.transfer_s for row in self.files) / sum(row.bytes for row in self.files)

    @property
    def slowest(self) -> FileRow:
        return max(self.files, key=lambda row: row.transfer_s)


@rule(
    title="Slow storage target, {subject}",
    remedies={
        "other-targets": Remedy(
            "tell the administrators; write elsewhere (lfs setstripe -o, a pool)",
            "all ranks that write to it wait for its disks",
        )
    },
    speaks=f"files with one stripe lie on at least {FEWEST_TARGETS} OSTs, and those on one of them take at "
    "least "
    f"{SLOW_TIMES:g} times as long per byte as on the median OST, and {format_share(LEAST_OF_RUN)} of the "
    "run longer; of Darshan logs with the module LUSTRE, and of traces made where `weir trace` sees the "
    "files on Lustre when the program has ended; else the rule says nothing",
    source="Weir: healthy targets take up to 1.53 times as long as the median one in the public Darshan log "
    "sample-goodost; the sick one in sample-badost takes 49 times as long",
)
def storage_targets(summary: TraceSummary) -> Iterator[Answer]:
    """The slowest targets, with their files."""
    targets = _targets(summary)
    if len(targets) < FEWEST_TARGETS:
        return
    median = statistics.median(target.seconds_per_byte for target in targets)
    slow = [
        target
        for target in targets
        if target.seconds_per_byte >= SLOW_TIMES * median
        and _excess_s(target, median) >= LEAST_OF_RUN * summary.head.run_s
    ]
    if not slow or median <= 0:
        return
    slow.sort(key=lambda target: -_excess_s(target, median))
    yield costs(
        "storage_targets",
        (*(f"OST {target.number}" for target in slow[:NAMED]), *(["…"] if len(slow) > NAMED else [])),
        max(_excess_s(target, median) for target in slow),
        "other-targets",
        (
            Evidence("slow targets", len(slow)),
            Evidence("of targets", len(targets)),
            *(one for target in slow[:NAMED] for one in _evidence(target)),
            Evidence("a rank on the median OST", 1 / median, "B/s"),
        ),
    )


def _targets(summary: TraceSummary) -> list[_Target]:
    """Of files on one target each, by the system's calls: what lies on several cannot be told apart."""
    found: dict[int, _Target] = {}
    for row in summary.files:
        if row.interface == "POSIX" and len(row.osts) == 1 and row.bytes >= LEAST_BYTES:
            found.setdefault(row.osts[0], _Target(row.osts[0])).files.append(row)
    return list(found.values())


def _excess_s(target: _Target, median: float) -> float:
    """How much sooner the slowest file of the target would be done on the median target."""
    slowest = target.slowest
    return slowest.transfer_s / slowest.ranks - median * slowest.bytes / slowest.ranks


def _evidence(target: _Target) -> Iterator[Evidence]:
    yield Evidence(f"files on OST {target.number}", len(target.files))
    yield Evidence(f"a rank on OST {target.number}", 1 / target.seconds_per_byte, "B/s")
    yield Evidence(f"longest file on OST {target.number}", target.slowest.transfer_s, "s")
