"""Each way to make a datatype: the pieces of requests through it, by index arithmetic."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from weir.trace.pattern.operations.datatypes import Datatypes
from weir.trace.pattern.operations.layouts import Layout

from ..parallel_programs import BOTH, Mpi
from .view_programs import RANDOM, expanded, recorded, wrong_bytes

Offsets = NDArray[np.int64]


def of_elements(indexes: Offsets, size: int = 4) -> Offsets:
    """Bytes of these elements, in their order."""
    return (indexes.reshape(-1, 1) * size + np.arange(size)).reshape(-1)


def runs(*pieces: tuple[int, int]) -> Offsets:
    """Bytes of pieces, each its start and length."""
    return np.concatenate([start + np.arange(length) for start, length in pieces])


CUBE_C = np.arange(5 * 7 * 11).reshape(5, 7, 11)[1:3, 2:5, 3:8]
CUBE_FORTRAN = np.arange(5 * 7 * 11).reshape((5, 7, 11), order="F")[1:3, 2:5, 3:8].ravel(order="F")
ROWS_OF_CYCLES = np.arange(13 * 7).reshape(13, 7)[[i for i in range(13) if i // 2 % 2 == 1]][:, 1::2]
COLUMNS = np.arange(6 * 5).reshape((6, 5), order="F")[1::3, :].ravel(order="F")

TYPES: dict[str, tuple[str, Offsets, int]] = {
    "vector": (
        "MPI_Type_vector(5, 3, 7, MPI_INT, &view)",
        of_elements((np.arange(5) * 7)[:, None] + np.arange(3)),
        4 * 31,
    ),
    "hvector": (
        "MPI_Type_create_hvector(4, 8, 37, MPI_CHAR, &view)",
        ((np.arange(4) * 37)[:, None] + np.arange(8)).reshape(-1),
        3 * 37 + 8,
    ),
    "nested": (
        "MPI_Type_vector(5, 1, 2, MPI_DOUBLE, &a); MPI_Type_create_hvector(3, 1, 200, a, &view)",
        (np.arange(3)[:, None, None] * 200 + np.arange(5)[:, None] * 16 + np.arange(8)).reshape(-1),
        400 + 72,
    ),
    "cube": (
        "int s[] = {5, 7, 11}, c[] = {2, 3, 5}, b[] = {1, 2, 3};"
        "MPI_Type_create_subarray(3, s, c, b, MPI_ORDER_C, MPI_INT, &view)",
        of_elements(CUBE_C),
        4 * 385,
    ),
    "cube of Fortran": (
        "int s[] = {5, 7, 11}, c[] = {2, 3, 5}, b[] = {1, 2, 3};"
        "MPI_Type_create_subarray(3, s, c, b, MPI_ORDER_FORTRAN, MPI_INT, &view)",
        of_elements(CUBE_FORTRAN),
        4 * 385,
    ),
    "one of one": (
        "int s[] = {1, 9, 1}, c[] = {1, 1, 1}, b[] = {0, 8, 0};"
        "MPI_Type_create_subarray(3, s, c, b, MPI_ORDER_C, MPI_SHORT, &view)",
        runs((16, 2)),
        18,
    ),
    "blocks": (
        "int s[] = {7, 11}, d[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, g[] = {2, 3};"
        "int n[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};"
        "MPI_Type_create_darray(6, 4, 2, s, d, n, g, MPI_ORDER_C, MPI_INT, &view)",
        of_elements(np.arange(77).reshape(7, 11)[4:, 4:8]),
        4 * 77,
    ),
    "cycles": (
        "int s[] = {13, 7}, d[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, g[] = {2, 2};"
        "int n[] = {2, MPI_DISTRIBUTE_DFLT_DARG};"
        "MPI_Type_create_darray(4, 3, 2, s, d, n, g, MPI_ORDER_C, MPI_INT, &view)",
        of_elements(ROWS_OF_CYCLES),
        4 * 91,
    ),
    "cycles of Fortran": (
        "int s[] = {6, 5}, d[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, g[] = {3, 1};"
        "int n[] = {1, MPI_DISTRIBUTE_DFLT_DARG};"
        "MPI_Type_create_darray(3, 1, 2, s, d, n, g, MPI_ORDER_FORTRAN, MPI_INT, &view)",
        of_elements(COLUMNS),
        4 * 30,
    ),
    "indexed": (
        "int n[] = {1, 0, 3, 2}, p[] = {0, 2, 3, 9}; MPI_Type_indexed(4, n, p, MPI_INT, &view)",
        of_elements(np.array([0, 3, 4, 5, 9, 10])),
        44,
    ),
    "hindexed": (
        "int n[] = {4, 2, 6}; MPI_Aint p[] = {0, 13, 29};MPI_Type_create_hindexed(3, n, p, MPI_CHAR, &view)",
        runs((0, 4), (13, 2), (29, 6)),
        35,
    ),
    "indexed block": (
        "int p[] = {0, 5, 7}; MPI_Type_create_indexed_block(3, 2, p, MPI_INT, &view)",
        of_elements(np.array([0, 1, 5, 6, 7, 8])),
        36,
    ),
    "hindexed block": (
        "MPI_Aint p[] = {0, 21, 50}; MPI_Type_create_hindexed_block(3, 8, p, MPI_CHAR, &view)",
        runs((0, 8), (21, 8), (50, 8)),
        58,
    ),
    "struct": (
        "int n[] = {2, 1, 0, 3}; MPI_Aint p[] = {0, 16, 24, 29};"
        "MPI_Datatype t[] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_CHAR};"
        "MPI_Type_create_struct(4, n, p, t, &a); MPI_Type_create_resized(a, 0, 40, &view)",
        runs((0, 8), (16, 8), (29, 3)),
        40,
    ),
    "struct of the same": (
        "int n[] = {1, 2, 1}; MPI_Aint p[] = {0, 8, 32};"
        "MPI_Datatype t[] = {MPI_INT, MPI_DOUBLE, MPI_DOUBLE};"
        "MPI_Type_create_struct(3, n, p, t, &view)",
        runs((0, 4), (8, 16), (32, 8)),
        40,
    ),
    "irregular": (
        "static int p[1500]; for (int i = 0; i < 1500; i++) p[i] = 20 * i + i * i % 17;"
        "MPI_Type_create_indexed_block(1500, 1, p, MPI_INT, &view)",
        of_elements(20 * np.arange(1500) + np.arange(1500) ** 2 % 17),
        4 * (20 * 1499 + 1499**2 % 17 + 1),
    ),
    "resized": (
        "MPI_Type_vector(2, 1, 3, MPI_INT, &a); MPI_Type_create_resized(a, 0, 40, &view)",
        runs((0, 4), (12, 4)),
        40,
    ),
    "dup": ("MPI_Type_contiguous(7, MPI_INT, &a); MPI_Type_dup(a, &view)", runs((0, 28)), 28),
}

CASE = r"""    {
        %s;
        MPI_Type_commit(&view);
        MPI_Type_size(view, &size);
        open_file("%s");
        MPI_File_set_view(file, 64 + rank * 1000000, MPI_BYTE, view, "native", MPI_INFO_NULL);
        MPI_File_write_at(file, size / 3, data, 2 * size - 1, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_write_all(file, data, size + 3, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
"""


def bytes_of(tile: Offsets, extent: int, first: int, count: int) -> set[int]:
    """Bytes of the file of so much data from this byte of data on."""
    data = np.arange(first, first + count)
    return set((tile[data % len(tile)] + data // len(tile) * extent).tolist())


@BOTH
def test_pieces(tmp_path: Path, mpi: Mpi) -> None:
    cases = [CASE % (made, f"{number:02}") for number, (made, *_) in enumerate(TYPES.values())]
    program = "MPI_Datatype view, a = MPI_DATATYPE_NULL;\nint size;\n" + "".join(cases)
    found, of_ranks = expanded(tmp_path, recorded(tmp_path, program, 2, mpi=mpi))
    assert not found.inexact.counts
    for rank, own in enumerate(of_ranks):
        for number, (name, (_, tile, extent)) in enumerate(TYPES.items()):
            pieces = [(offset, length) for _, file, offset, length in own if file == f"{number:02}"]
            at, all_at_once = len(tile) * 2 - 1, len(tile) + 3
            first = np.searchsorted(np.cumsum([length for _, length in pieces]), at) + 1
            calls = (len(tile) // 3, at, pieces[:first]), (0, all_at_once, pieces[first:])
            for position, count, some in calls:
                written = runs(*some) - 64 - rank * 1_000_000
                assert len(written) == count, name
                assert set(written.tolist()) == bytes_of(tile, extent, position, count), name


MANY = 1_500_000
MANY_BLOCKS = r"""
enum {{ many = {many} }};
int *lengths = malloc(many * sizeof *lengths);
MPI_Aint *places = malloc(many * sizeof *places);
MPI_Aint next = 0;
unsigned long long state = 1;
for (int i = 0; i < many; i++) {{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    lengths[i] = 1 + (int)(state >> 60);
    places[i] = next + 1 + (int)(state >> 50 & 511);
    next = places[i] + lengths[i];
}}
MPI_Datatype view;
MPI_Type_create_hindexed(many, lengths, places, MPI_CHAR, &view);
MPI_Type_commit(&view);
open_file("data.bin");
MPI_File_set_view(file, 0, MPI_CHAR, view, "native", MPI_INFO_NULL);
MPI_File_write(file, data, 1000, MPI_CHAR, MPI_STATUS_IGNORE);
MPI_File_close(&file);
"""


def many_blocks(many: int) -> tuple[Offsets, Offsets]:
    """Their starts and lengths."""
    state, next_, starts, lengths = 1, 0, [], []
    for _ in range(many):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        lengths.append(1 + (state >> 60))
        starts.append(next_ + 1 + (state >> 50 & 511))
        next_ = starts[-1] + lengths[-1]
    return np.array(starts), np.array(lengths)


def test_a_type_of_a_million_irregular_blocks_is_exact(tmp_path: Path) -> None:
    trace = recorded(tmp_path, MANY_BLOCKS.format(many=MANY), 1)
    types = trace.lanes[0].types
    layout = Datatypes().of(types, max(types))
    assert isinstance(layout, Layout)
    starts, lengths = many_blocks(MANY)
    assert np.array_equal(layout.blocks.starts, starts) and np.array_equal(layout.blocks.lengths, lengths)
    assert sum(len(text) for text in types.values()) < 4 * MANY
    found, (own,) = expanded(tmp_path, trace)
    assert found.exact
    written = runs(*[(offset, length) for _, _, offset, length in own])
    some = zip(starts[:500].tolist(), lengths[:500].tolist(), strict=True)
    assert np.array_equal(written, runs(*some)[:1000])


REPRESENTATION = r"""
open_file("data.bin");
MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
int code = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
if (code == MPI_SUCCESS) MPI_File_write(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
fclose(fopen(code == MPI_SUCCESS ? "taken" : "refused", "w"));
MPI_File_close(&file);
"""


@BOTH
def test_another_representation_is_not_exact(tmp_path: Path, mpi: Mpi) -> None:
    found, _ = expanded(tmp_path, recorded(tmp_path, REPRESENTATION, 1, mpi=mpi))
    if (tmp_path / "store" / "refused").exists():
        pytest.skip(f"{mpi.name} refuses the data representation")
    assert found.inexact.counts == {"the data representation is not native": 1}


@pytest.mark.parametrize(("ranks", "seeds"), [(1, (0, 100)), (2, (200, 220)), (3, (100, 140))])
def test_random_types(tmp_path: Path, ranks: int, seeds: tuple[int, int]) -> None:
    """Through Open MPI alone: ROMIO of MPICH 4.0 loses data of such types, or does not return from them."""
    trace = recorded(tmp_path, RANDOM, ranks, [str(seed) for seed in seeds])
    found, of_ranks = expanded(tmp_path, trace)
    assert found.exact
    assert not wrong_bytes(trace, tmp_path / "store", of_ranks)
