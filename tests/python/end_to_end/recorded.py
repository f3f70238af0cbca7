"""What the recorder saw of a run, and what a pattern expands to, in the same words."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from weir.trace.load import load_trace

from .conftest import CORE
from .real_programs import run

RECORDER = CORE.parents[1] / "lib" / "libweir-trace.so"
Operation = tuple[str, str, int, int]
"""What is done, to which file, at which offset and of what length."""


def expansion(path: Path, rank: int) -> Iterator[dict[str, str]]:
    """The lines of `weir-core expand` of a rank."""
    return csv.DictReader(run(CORE, "expand", path, "--rank", str(rank)).splitlines())


def expected(path: Path, rank: int, kinds: set[str]) -> list[Operation]:
    """What a rank does to files, so far as it is of these kinds."""
    return [
        (row["op"], row["file"], int(row["offset"] or 0), int(row["length"] or 0))
        for row in expansion(path, rank)
        if row["op"] in kinds
    ]


def recorded(
    folder: Path, kinds: set[str], name_of: Callable[[Path], str | None], interface: str = "POSIX"
) -> dict[int, list[Operation]]:
    """What ranks did by calls of that interface, by rank; of files that have a name in the pattern."""
    trace = load_trace(folder)
    by_rank: dict[int, list[Operation]] = {}
    for batch in trace.batches():
        rows = zip(batch.lane, batch.call, batch.file, batch.offset, batch.length, batch.level, strict=True)
        for lane, call_number, file_number, offset, length, level in rows:
            own = by_rank.setdefault(trace.lanes[lane].rank, [])
            call, name = trace.calls[call_number], name_of(Path(trace.files[file_number].name))
            if call.interface == interface and call.kind in kinds and level == 0 and name is not None:
                moves = call.kind in ("read", "write")
                place = (int(offset), int(length)) if moves else (0, 0)
                own.append((call.kind, name, *place))
    return by_rank
