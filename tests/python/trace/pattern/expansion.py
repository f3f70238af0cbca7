"""What a pattern says that each rank does, as the core expands it."""

import csv
from pathlib import Path

import pytest

from running import ended
from weir.core.client import find_core
from weir.errors import WeirError
from weir.trace.pattern.recognise import Recognised

Operation = tuple[str, str, int, int]
"""What is done, on which file, offset and length."""


def core_or_skip() -> Path:
    """The native core."""
    try:
        return find_core()
    except WeirError:
        pytest.skip("weir-core is not built")


def expand(path: Path, ranks: int) -> list[list[Operation]]:
    """The operations of each rank, barriers and computing too; files have the pattern's names."""
    done = ended(core_or_skip(), "expand", path)
    assert done.returncode == 0, done.stderr
    result: list[list[Operation]] = [[] for _ in range(ranks)]
    for row in csv.DictReader(done.stdout.splitlines()):
        one = row["op"], row["file"], int(row["offset"] or 0), int(row["length"] or 0)
        result[int(row["rank"])].append(one)
    return result


def original_names(found: Recognised, rank: int) -> dict[str, str]:
    """From a pattern's names to the trace's, as this rank sees them."""
    return {
        f"{file.name}.{rank:08}" if file.per_rank else file.name: name
        for file in found.files
        for owner, name in file.originals
        if owner in (rank, -1)
    }
