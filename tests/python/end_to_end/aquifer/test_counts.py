"""How many requests the aquifer's runs make: PFLOTRAN's before and after grouping, in closed form."""

import csv
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ..real_core import Done, core_command, run_core
from ..real_programs import run
from .outputs import pattern_of

CELLS = (7, 5, 3)
N = math.prod(CELLS)
BUFFER = 20
BOX = ("--cells", "7x5x3", "--steps", "2", "--read-buffer", str(BUFFER))
RANKS = 4
OUTPUTS, FIELDS, EDGES, TEXTS = 3, 7, 3, 11
TEXT_BYTES = 10 * 7 + 32
WELL, SOURCE = 3, 1


def groups(ranks: int, size: int) -> int:
    return math.ceil(ranks / size)


def counts_of(sample: dict[str, Any]) -> dict[str, int]:
    return {name: call["count"] for name, call in sample["calls"].items()}


def expanded(rank: int | None = None) -> list[dict[str, str]]:
    """The rows of the pattern in the current folder."""
    alone = ["--rank", str(rank)] if rank is not None else []
    command = core_command("expand", "pattern.json", *alone)
    return list(csv.DictReader(run(*command.argv).splitlines()))


def requests_in(rows: list[dict[str, str]], op: str) -> int:
    """Requests may be of several pieces: those of one step are one."""
    return len({(row["rank"], row["phase"], row["step"]) for row in rows if row["op"] == op})


def carried_out(read: int, write: int, requests: str) -> Done:
    how = ("--read-group", str(read), "--write-group", str(write), "--group-requests", requests)
    Path("pattern.json").write_text(run(*core_command("aquifer", *BOX, *how, *pattern_only()).argv))
    analytic = ("--model", "analytic", "--wait", "0", "--dir", "store")
    return run_core("aquifer", *BOX, *how, *analytic, ranks=RANKS).ended(0)


def pattern_only() -> tuple[str, ...]:
    return ("--emit-pattern", "--pattern-ranks", str(RANKS))


@pytest.mark.parametrize(
    ("read", "write", "requests"),
    [
        (1, 1, "member"),
        (4, 2, "member"),
        (3, 4, "combined"),
        (2, 3, "member"),
    ],
)
def test_groups_make_the_requests_of_their_ranks(place: Path, read: int, write: int, requests: str) -> None:
    done = carried_out(read, write, requests)
    readers, writers = groups(RANKS, read), groups(RANKS, write)
    (same,), (own,), (regions,) = (done.samples(name) for name in ("same region", "own region", "regions"))
    (output,), (whole,) = done.samples("output"), done.samples("read")
    assert counts_of(same)["read"] == readers * 2 * math.ceil(N / BUFFER)
    assert counts_of(own)["read"] == readers * 2
    # A few cells go to as many of the first ranks, and groups without any have nothing to read.
    assert counts_of(regions)["read"] == groups(WELL, read) + groups(SOURCE, read)
    assert counts_of(whole)["open"] == counts_of(whole)["close"] == readers
    of_field = writers if requests == "combined" else RANKS
    assert counts_of(output)["write"] == OUTPUTS * (TEXTS + EDGES + FIELDS * of_field)
    assert counts_of(output)["open"] == counts_of(output)["close"] == OUTPUTS * writers

    rows = expanded()
    (write_sample,) = done.samples("write")
    for op in ("open", "close", "read", "write"):
        made = sum(counts_of(sample).get(op, 0) for sample in (whole, write_sample))
        assert requests_in(rows, op) == made, op
    bytes_of = Counter[str]()
    for row in rows:
        bytes_of[row["op"]] += int(row["length"] or 0)
    assert bytes_of["read"] == readers * 2 * 4 * N + 12 * N + 4 * (WELL + SOURCE)
    assert bytes_of["write"] == OUTPUTS * (TEXT_BYTES + 8 * sum(n + 1 for n in CELLS) + 52 * N)


def requests_and_bytes(pattern: dict[str, Any], access: dict[str, Any]) -> tuple[int, int]:
    """Of one access to an array, or to a part of it; a rank or group without a part makes none."""
    array = pattern["files"][access["file"]]["arrays"][access["array"]]
    element = int(array["element"][1:])
    partition = pattern["partitions"][access["partition"]]
    if "same" in partition:
        return access["ranks"]["count"], access["ranks"]["count"] * element * partition["same"][1]
    counts = partition.get("counts", [1])
    size = access.get("ranks_per_group", 1)
    parts = [counts[rank] for rank in range(len(counts))] if len(counts) > 1 else []
    busy = sum(any(parts[first : first + size]) for first in range(0, len(parts), size))
    return busy if parts else access["ranks"]["count"], element * math.prod(array["shape"])


@pytest.mark.parametrize(("read", "write"), [(1, 1), (64, 16)])
def test_the_counts_of_the_poster_s_largest_run(place: Path, read: int, write: int) -> None:
    ranks, cells, steps = 65536, (1350, 2500, 80), 30
    count, buffer = math.prod(cells), 1_000_000
    how = ("--read-group", str(read), "--write-group", str(write), "--group-requests", "combined")
    pattern = pattern_of("--cells", "1350x2500x80", *how, ranks=ranks)
    made, moved, opened = Counter[str](), Counter[str](), Counter[str]()
    for step in (step for phase in pattern["phases"] for step in phase["steps"]):
        if "access" in step:
            requests, length = requests_and_bytes(pattern, step["access"])
            made[step["access"]["verb"]] += requests
            moved[step["access"]["verb"]] += length
        if "open" in step:
            opened[step["open"]["mode"]] += step["open"].get("ranks", {"count": ranks})["count"]
    source = (cells[0] // 8) * (cells[1] // 8) * (cells[2] // 2)
    readers, writers, outputs = groups(ranks, read), groups(ranks, write), steps + 1
    assert made["read"] == readers * (2 * math.ceil(count / buffer) + 2 + 1) + groups(cells[2], read)
    assert made["write"] == outputs * (TEXTS + EDGES + FIELDS * writers)
    assert opened == {"read": readers, "create": outputs * writers}
    assert moved["read"] == readers * 2 * 4 * count + 12 * count + 4 * (cells[2] + source)
    assert moved["write"] == outputs * (TEXT_BYTES + 8 * sum(n + 1 for n in cells) + 52 * count)


def test_each_rank_of_the_largest_run_writes_short_pieces(place: Path) -> None:
    cells = ("--cells", "1350x2500x80", "--steps", "0")
    pattern = pattern_of(*cells, ranks=65536)
    (grid,) = (one["grid"] for one in pattern["partitions"] if "grid" in one)
    assert math.prod(grid) == 65536
    command = core_command("aquifer", *cells, "--emit-pattern", "--pattern-ranks", "65536")
    Path("pattern.json").write_text(run(*command.argv))
    for rank in (0, 1000, 65535):
        at = (rank % grid[0], rank // grid[0] % grid[1], rank // grid[0] // grid[1])
        x, y, z = (
            n // parts + (place < n % parts)
            for n, parts, place in zip((1350, 2500, 80), grid, at, strict=True)
        )
        assert z < 80
        lengths = Counter(
            int(row["length"])
            for row in expanded(rank)
            if row["op"] == "write" and int(row["step"]) > TEXTS + EDGES
        )
        assert lengths == {8 * z: 6 * x * y, 4 * z: x * y}
