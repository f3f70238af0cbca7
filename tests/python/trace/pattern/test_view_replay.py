"""A program with views, replayed: the same bytes in the same places through each back-end."""

import json
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from open_mpi import AS_ROOT_TOO
from running import ended
from weir.pattern import Pattern
from weir.replay.prepare import without_collectives
from weir.trace.pattern.describe import describe
from weir.trace.pattern.recognise import Recognised

from ..parallel_programs import OPEN_MPI
from ..programs import need
from .expansion import Operation, core_or_skip
from .view_programs import expanded, recorded

ROWS, HEADER = 16, 256
CHECKPOINT = r"""
enum { rows = 16 };
int shape[2] = {rows, rows * ranks}, part[2] = {rows, rows}, start[2] = {0, rows * rank};
MPI_Offset variable = 8LL * rows * rows * ranks;
for (int dump = 0; dump < 2; dump++) {
    char name[32];
    snprintf(name, sizeof name, "checkpoint-%d", dump);
    open_file(name);
    if (rank == 0) MPI_File_write_at(file, 0, data, 256, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Datatype view;
    MPI_Type_create_subarray(2, shape, part, start, MPI_ORDER_C, MPI_DOUBLE, &view);
    MPI_Type_commit(&view);
    for (int i = 0; i < 3; i++) {
        MPI_File_set_view(file, 256 + i * variable, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
        MPI_File_write_all(file, data, rows * rows, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_Offset end = 256 + 3 * variable + rank * 1000;
    MPI_File_write_at(file, end, data, 500 + rank * 10, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&view);
    MPI_File_close(&file);
}
"""


def rows_of(rank: int, ranks: int) -> list[tuple[int, int]]:
    """Offset and length of what a rank writes into a file, in its order."""
    rows = np.arange(ROWS) * ROWS * 8 * ranks + rank * ROWS * 8
    variable = ROWS * ROWS * 8 * ranks
    pieces = [(0, HEADER)] if rank == 0 else []
    pieces += [(HEADER + i * variable + int(row), ROWS * 8) for i in range(3) for row in rows]
    return [*merged(pieces), (HEADER + 3 * variable + rank * 1000, 500 + rank * 10)]


def merged(pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that touch as one."""
    found: list[tuple[int, int]] = []
    for offset, length in pieces:
        if found and sum(found[-1]) == offset:
            found[-1] = found[-1][0], found[-1][1] + length
        else:
            found.append((offset, length))
    return found


def checkpoint(tmp_path: Path, ranks: int) -> tuple[Recognised, list[list[Operation]]]:
    return expanded(tmp_path, recorded(tmp_path, CHECKPOINT, ranks))


def accesses(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of a phase, with those in repeats."""
    return [
        one
        for step in steps
        for one in (accesses(step["repeat"]["steps"]) if "repeat" in step else [step.get("access")])
        if one
    ]


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_header_and_dump_share_an_open(tmp_path: Path, ranks: int) -> None:
    found, of_ranks = checkpoint(tmp_path, ranks)
    assert found.exact
    for rank, own in enumerate(of_ranks):
        for dump in range(2):
            pieces = [one[2:] for one in own if one[:2] == ("write", f"checkpoint-{dump}")]
            assert merged(pieces) == merged(rows_of(rank, ranks))
    pattern = json.loads((tmp_path / "P.json").read_bytes())
    together = [one for phase in pattern["phases"] for one in accesses(phase["steps"]) if "together" in one]
    if ranks > 1:
        assert [one["extent"]["levels"] for one in together] == 2 * [
            [{"count": ROWS, "stride": ROWS * 8 * ranks}]
        ]
        assert all(one["collective"] and one["ranks"]["count"] == ranks for one in together)
        said = f"1 collective request of {ROWS} pieces of {ROWS * 8} B"
        assert sum(said in line for line in describe(found)) == 2
    assert not any(phase["collective"] for phase in pattern["phases"])


def replayed(folder: Path, pattern: Path, backend: str, ranks: int, *before: str) -> Path:
    """The folder with the files that a replay leaves."""
    core = core_or_skip()
    folder.mkdir()
    command = ["storage", "--pattern", str(pattern), "--backend", backend, "--dir", str(folder), "--keep"]
    launcher = [*OPEN_MPI.launch, "-n", str(ranks), *before]
    done = ended(*launcher, core, *command, env={**os.environ, **AS_ROOT_TOO}, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def files_of(folder: Path) -> dict[str, NDArray[np.uint8]]:
    return {path.name: np.fromfile(path, np.uint8) for path in folder.rglob("weir-checkpoint-*")}


def test_all_back_ends_write_the_same_bytes_to_the_same_places(tmp_path: Path) -> None:
    need("strace")
    ranks = 3
    checkpoint(tmp_path, ranks)
    alone = tmp_path / "alone.json"
    pattern = msgspec.json.decode((tmp_path / "P.json").read_bytes(), type=Pattern)
    alone.write_bytes(msgspec.json.encode(without_collectives(pattern)))
    assert b'collective":true' in (tmp_path / "P.json").read_bytes()
    assert b'collective":true' not in alone.read_bytes()
    of_rank = f'exec strace -y -e trace=pwrite64 -o {tmp_path}/$OMPI_COMM_WORLD_RANK.calls "$@"'
    strace = ["sh", "-c", of_rank, "-"]
    files = files_of(replayed(tmp_path / "posix", alone, "posix", ranks, *strace))
    for rank in range(ranks):
        calls = (tmp_path / f"{rank}.calls").read_text()
        for dump in range(2):
            line = rf"weir-checkpoint-{dump}>, .*, (\d+), (\d+)\) = (\d+)"
            made = [tuple(map(int, call)) for call in re.findall(line, calls)]
            assert all(asked == moved for asked, _, moved in made)
            assert merged([(offset, moved) for _, offset, moved in made]) == merged(rows_of(rank, ranks))
    for backend in ("mpiio", "twophase"):
        others = files_of(replayed(tmp_path / backend, tmp_path / "P.json", backend, ranks))
        assert others.keys() == files.keys() and len(files) == 2
        assert all((others[name] == files[name]).all() for name in files)
    for dump in range(2):
        program = tmp_path / "store" / f"checkpoint-{dump}"
        assert program.stat().st_size == len(files[f"weir-checkpoint-{dump}"])
