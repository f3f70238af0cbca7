"""What `weir_array` does on four ranks, run by test_on_ranks.py, which reads a line of JSON a case."""

import json
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import weir_array
from weir_array import Code, Error, Plan, block

COMM = MPI.COMM_WORLD
SHAPE = (7, 10, 9)


def whole(shape: tuple[int, ...] = SHAPE, dtype: str = "f8") -> np.ndarray:
    """An array of which each element holds its place."""
    return np.arange(np.prod(shape), dtype=dtype).reshape(shape)


def part(array: weir_array.Array, of: np.ndarray) -> np.ndarray:
    """This rank's block of it."""
    held = array.local(COMM)
    return of[tuple(slice(start, start + count) for start, count in zip(held.start, held.count, strict=True))]


def filled(array: weir_array.Array, of: np.ndarray) -> np.ndarray:
    """This rank's buffer, in the order that the array asks for, with its block of it."""
    buffer = array.empty(COMM)
    buffer[...] = part(array, of)
    return buffer


def file_holds(path: str, *arrays: np.ndarray, offset: int = 0) -> bool:
    """Do these follow each other in the file, from the offset to its end?"""
    COMM.barrier()
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()[offset:] == b"".join(array.tobytes("A") for array in arrays)


def fails(code: Code, call: Callable[[], object]) -> Error:
    """The error that the call ends with, on all ranks with this code."""
    with pytest.raises(Error) as caught:
        call()
    assert caught.value.code is code, caught.value
    assert set(COMM.allgather(int(caught.value.code))) == {int(code)}
    return caught.value


def case_round_trip_with_ghosts() -> None:
    array = block(SHAPE, "f8").ghosts((1, 0, 2), (0, 3, 1))
    rho = array.empty(COMM)
    inner = rho[1:, : rho.shape[1] - 3, 2:-1]
    rho.fill(-1)
    inner[...] = part(array, whole())
    with Plan(COMM, array) as plan:
        plan.write("ghosts.raw", rho)
        assert file_holds("ghosts.raw", whole())
        inner[...] = 0
        plan.read("ghosts.raw", rho)
        assert plan.file_bytes == whole().nbytes
        assert plan.memory > 0
        assert plan.explanation
        assert plan.times.total > 0
        assert plan.times.messages >= 0
    assert np.array_equal(inner, part(array, whole()))
    assert np.count_nonzero(rho == -1) == rho.size - inner.size


def case_arrays_without_elements() -> None:
    for array in (
        block((0, 4), "f8"),
        block((3, 0), "f8", (4, 1), order="F").ghosts(1),
        weir_array.block_cyclic((0, 4), (2, 2), "f8", (2, 2)),
        weir_array.boxes((4, 0), [], [], "f8"),
        weir_array.boxes((4, 0), [(1, 0)], [(2, 0)], "f8"),
        weir_array.pieces(0, [], "f8"),
        weir_array.replicated(0, "f8"),
    ):
        with Plan(COMM, array) as plan:
            plan.write("none.raw", array.empty(COMM))
            assert file_holds("none.raw")
            plan.read("none.raw", array.empty(COMM))
            plan.read("none.raw", None)
            fails(Code.IO, lambda plan=plan: plan.read("nowhere.raw", None))
    rho = block(SHAPE, "f8")
    with Plan(COMM, block((0,), "i4"), rho) as plan:
        plan.write("beside.raw", np.empty(0, "i4"), filled(rho, whole()))
        assert file_holds("beside.raw", whole())


def case_fortran_order() -> None:
    array = block(SHAPE, "i4", (1, 2, 2), order="F")
    rho = filled(array, whole(dtype="i4"))
    assert rho.flags.f_contiguous
    assert array.local(COMM).grid == (1, 2, 2)
    with Plan(COMM, array) as plan:
        plan.write("fortran.raw", rho)
    assert file_holds("fortran.raw", np.asfortranarray(whole(dtype="i4")))


def case_memory_in_another_order() -> None:
    array = block(SHAPE, "f8").memory_order("F")
    rho = filled(array, whole())
    with Plan(COMM, array) as plan:
        plan.write("memory.raw", rho)
    assert file_holds("memory.raw", whole())


def case_several_arrays() -> None:
    one, two = block(SHAPE, "f8"), block((5, 5), "i2")
    a, b = part(one, whole()).copy(), part(two, whole((5, 5), "i2")).copy()
    with Plan(COMM, one, two) as plan:
        plan.write("two.raw", a, b, offset=16)
        assert file_holds("two.raw", whole(), whole((5, 5), "i2"), offset=16)
        c, d = np.zeros_like(a), np.zeros_like(b)
        plan.read("two.raw", c, d, offset=16)
        assert np.array_equal(a, c)
        assert np.array_equal(b, d)
        plan.write("apart.raw", a, b, offsets=[50, 0])
        assert file_holds("apart.raw", whole((5, 5), "i2"), whole())
        plan.read("apart.raw", c, d, offsets=[50, 0])
        assert np.array_equal(b, d)


def case_another_array_distributed_alike_has_the_same_ghosts() -> None:
    floats = block(SHAPE, "f8").ghosts((1, 0, 2), (0, 3, 1)).alike("f4")
    mine = floats.local(COMM)
    inside = tuple(slice(low, low + count) for low, count in zip((1, 0, 2), mine.count, strict=True))
    held = tuple(slice(first, first + count) for first, count in zip(mine.start, mine.count, strict=True))
    local = floats.empty(COMM)
    assert local.dtype == np.float32 and local.nbytes == mine.nbytes
    local[...] = -1
    local[inside] = whole(SHAPE, "f4")[held]
    with Plan(COMM, floats) as plan:
        plan.write("alike.raw", local)
        assert file_holds("alike.raw", whole(SHAPE, "f4"))


def case_many_variables_of_one_mesh() -> None:
    mine = np.arange(60)[COMM.rank :: COMM.size]
    doubles = weir_array.pieces(60, mine, "f8")
    floats = doubles.alike("f4")
    wholes = [np.arange(60, dtype=dtype) + i for i, dtype in enumerate(("f8", "f4", "f8"))]
    with Plan(COMM, doubles, floats, doubles) as plan:
        plan.write("mesh.raw", *(one[mine] for one in wholes))
        assert file_holds("mesh.raw", *wholes)


def case_land_is_kept_or_filled() -> None:
    generator = np.random.default_rng(11)
    points = 20_000
    owners = np.repeat(generator.integers(-2, COMM.size, points), generator.integers(1, 6, points))[:points]
    mine = np.flatnonzero(owners == COMM.rank)  # negative: land
    levels = [generator.normal(size=points).astype(dtype) for dtype in ("f8", "f4", "f8")]
    old = generator.bytes(sum(level.nbytes for level in levels) + 100)
    for options in (
        "window=4KiB align=1B",
        "window=1001B align=1B writers=3 exchange=messages",
        "method=independent",
        "method=gather",
        "method=grouped group=2",
        "safe=yes node_size=2",
        "",
    ):
        for use in ("keep", "fill"):
            if COMM.rank == 0:
                Path("ocean.raw").write_bytes(old)
            COMM.barrier()
            mesh = weir_array.pieces(points, mine, "f8").fill_value(-999.0)
            arrays = (mesh, mesh.alike("f4").fill_value(1e20), mesh)
            with Plan(COMM, *arrays, options=f"{options} holes={use}") as plan:
                plan.write("ocean.raw", *(level[mine] for level in levels), offset=7)
                got = [level[mine] * 0 for level in levels]
                plan.read("ocean.raw", *got, offset=7)
            assert all(np.array_equal(one, level[mine]) for one, level in zip(got, levels, strict=True))
            expected = bytearray(old)
            at = 7
            for level, land in zip(levels, (-999.0, 1e20, -999.0), strict=True):
                whole_level = np.frombuffer(old, level.dtype, points, at).copy()
                whole_level[owners >= 0] = level[owners >= 0]
                if use == "fill":
                    whole_level[owners < 0] = land
                expected[at : at + level.nbytes] = whole_level.tobytes()
                at += level.nbytes
            COMM.barrier()
            assert Path("ocean.raw").read_bytes() == expected, (options, use)
            COMM.barrier()


def case_a_fill_value_is_one_element() -> None:
    """A wrong one on one rank fails the plan on all."""
    wrong = [1.0, 2.0] if COMM.rank == 0 else 1.0
    mesh = weir_array.pieces(4, [], "f8").fill_value(wrong)
    said = fails(Code.BAD_ARGUMENT, lambda: Plan(COMM, mesh, options="holes=fill"))
    assert "one element" in str(said) and said.rank == 0


def case_one_rank_gives_what_is_no_array_or_no_options() -> None:
    """All ranks get the same words, and none waits."""
    mesh = weir_array.pieces(4, [COMM.rank], "f8")
    last = COMM.rank == COMM.size - 1
    for wrong, words in ((5, "the options are 5"), (None, "None"), ("\udcff", "no text")):
        given = wrong if last else ""
        assert words in str(fails(Code.BAD_ARGUMENT, lambda given=given: Plan(COMM, mesh, options=given)))
    said = fails(Code.BAD_ARGUMENT, lambda: Plan(COMM, None if last else mesh))
    assert "array 0 is a NoneType" in str(said) and said.rank == COMM.size - 1


def case_block_cyclic_then_boxes_then_pieces() -> None:
    shape = (6, 8)
    cyclic = weir_array.block_cyclic(shape, (1, 3), "f8", (2, 2))
    row, column = divmod(COMM.rank, 2)
    mine = whole(shape)[row::2][:, [j for j in range(8) if j // 3 % 2 == column]].copy()
    with Plan(COMM, cyclic) as plan:
        plan.write("cyclic.raw", mine)
    assert file_holds("cyclic.raw", whole(shape))

    corners = [(i, 2 * COMM.rank) for i in (0, 3)]
    boxes = weir_array.boxes(shape, corners, [(3, 2)] * 2, "f8")
    got = boxes.empty(COMM)
    with Plan(COMM, boxes) as plan:
        plan.read("cyclic.raw", got)
    assert np.array_equal(
        got, np.concatenate([whole(shape)[i : i + 3, j : j + 2].ravel() for i, j in corners])
    )

    pieces = weir_array.pieces(48, [40 + COMM.rank, COMM.rank], "f8", [1, 2])
    got = pieces.empty(COMM)
    with Plan(COMM, pieces) as plan:
        plan.read("cyclic.raw", got)
    assert got.tolist() == [40 + COMM.rank, COMM.rank, COMM.rank + 1]


def case_replicated() -> None:
    array = weir_array.replicated(3, "i8")
    mine = np.arange(3) if COMM.rank == 0 else None
    with Plan(COMM, array) as plan:
        plan.write("same.raw", mine)
        got = array.empty(COMM)
        plan.read("same.raw", got)
    assert got.tolist() == [0, 1, 2]


def case_part_of_a_larger_array() -> None:
    COMM.barrier()
    if COMM.rank == 0:
        np.zeros((6, 6)).tofile("larger.raw")
    COMM.barrier()
    array = block((4, 4), "f8").within((6, 6), (1, 2))
    with Plan(COMM, array) as plan:
        plan.write("larger.raw", part(array, whole((4, 4)) + 1).copy())
    wanted = np.zeros((6, 6))
    wanted[1:5, 2:6] = whole((4, 4)) + 1
    assert file_holds("larger.raw", wanted)


def case_wrong_buffer_on_one_rank_fails_on_all() -> None:
    array = block(SHAPE, "f8")
    right = array.empty(COMM)
    wrong = np.zeros(3) if COMM.rank == 2 else right
    with Plan(COMM, array) as plan:
        error = fails(Code.BAD_ARGUMENT, lambda: plan.write("wrong.raw", wrong))
        assert error.rank == 2
        assert ("24 bytes" in str(error)) == (COMM.rank == 2)
        plan.write("wrong.raw", right)


def case_wrong_number_of_buffers_or_offsets_on_one_rank_fails_on_all() -> None:
    array = block(SHAPE, "f8")
    rho = array.empty(COMM)
    mine = (rho,) * (2 if COMM.rank == 2 else 1)
    offsets = [0] * len(mine)
    with Plan(COMM, array) as plan:
        for call, words in (
            (lambda: plan.write("wrong.raw", *mine), "2 arrays were given"),
            (lambda: plan.write_start("wrong.raw", *mine), "2 arrays were given"),
            (lambda: plan.read("wrong.raw", *mine), "2 arrays were given"),
            (lambda: plan.write("wrong.raw", rho, offsets=offsets), "2 offsets were given"),
            (lambda: plan.read("wrong.raw", rho, offsets=offsets), "2 offsets were given"),
        ):
            error = fails(Code.BAD_ARGUMENT, call)
            assert error.rank == 2
            assert (words in str(error)) == (COMM.rank == 2)
        plan.write("wrong.raw", rho)


def case_bad_description_on_one_rank_fails_on_all() -> None:
    array = weir_array.boxes((4, 4), [(COMM.rank, 0)], [(1, 5 if COMM.rank == 1 else 4)], "f8")
    assert fails(Code.BAD_ARGUMENT, lambda: Plan(COMM, array)).rank == 1


def case_what_is_no_integer_on_one_rank_fails_on_all() -> None:
    def first(right: object, wrong: object) -> object:
        return wrong if COMM.rank == 1 else right

    rank, dims = COMM.rank, (4, 4)
    for array, words in (
        (weir_array.pieces(16, first([rank], [rank + 0.5]), "f8"), "float64"),
        (weir_array.pieces(16, [rank], "f8", first([1], [True])), "bool"),
        (weir_array.pieces(first(16, 16.5), [rank], "f8"), "16.5"),
        (weir_array.boxes(dims, [(rank, 0)], first([(1, 4)], [(1, 4), (1, 4)]), "f8"), "2 entries"),
        (weir_array.boxes(dims, [(rank, first(0, 0.5))], [(1, 4)], "f8"), "float64"),
        (weir_array.replicated(first(3, 2**70), "f8"), "64 bits"),
        (block(first(dims, (4, 4.0)), "f8"), "float64"),
        (block(dims, first("f8", object)), "addresses"),
        (block(dims, "f8").ghosts(first(1, 1.5)), "1.5"),
        (block(dims, "f8").ghosts(first((1, 1), (1, 1, 1))), "3 entries"),
        (block(dims, "f8").within(first((8, 8), (8, 8.5)), (0, 0)), "float64"),
        (block(dims, "f8").memory_order(first("F", "G")), "'C' or 'F'"),
    ):
        error = fails(Code.BAD_ARGUMENT, lambda array=array: Plan(COMM, array))
        assert error.rank == 1
        assert words in str(error)
        if rank == 1:
            with pytest.raises(Error, match=words):
                array.empty(COMM)


def case_wrong_offsets_and_types_on_one_rank_fail_on_all() -> None:
    array = block((8,), "f8")
    rho = array.empty(COMM)
    odd = COMM.rank == 2
    with Plan(COMM, array) as plan:
        for call, words in (
            (lambda: plan.write("wrong.raw", rho.view("i8") if odd else rho), "int64"),
            (lambda: plan.read("wrong.raw", rho.view(">f8") if odd else rho), "byte order"),
            (lambda: plan.write("wrong.raw", rho.tolist() if odd else rho), "a list was given"),
            (lambda: plan.write("wrong.raw", rho, offset=0.5 if odd else 0), "offset is 0.5"),
            (lambda: plan.write_start("wrong.raw", rho, offset=True if odd else 0), "offset is True"),
            (lambda: plan.read("wrong.raw", rho, offset=2**64 if odd else 0), "64 bits"),
            (lambda: plan.write("wrong.raw", rho, offsets=[0.5 if odd else 0]), "float64"),
            (lambda: plan.write(7 if odd else "wrong.raw", rho), "the file's name"),
            (lambda: plan.write_start("wrong\0raw" if odd else "wrong.raw", rho), "byte 0"),
        ):
            error = fails(Code.BAD_ARGUMENT, call)
            assert error.rank == 2
            assert (words in str(error)) == odd, str(error)
        plan.write("right.raw", rho, offset=np.int32(8))


def case_holes() -> None:
    array = weir_array.boxes((5, 4), [(COMM.rank, 0)], [(1, 4)], "f8")
    with Plan(COMM, array) as plan:
        fails(Code.HOLES, lambda: plan.write("holes.raw", array.empty(COMM)))


def case_files_that_are_not_there_or_too_short() -> None:
    array = block((8,), "f8")
    rho = array.empty(COMM)
    with Plan(COMM, array) as plan:
        fails(Code.IO, lambda: plan.read("nowhere.raw", rho))
        plan.write("short.raw", rho)
        fails(Code.SHORT_FILE, lambda: plan.read("short.raw", rho, offset=8))


def case_asynchronous() -> None:
    array = block(SHAPE, "f8")
    rho = part(array, whole()).copy()
    with Plan(COMM, array) as plan:
        request = plan.write_start("later.raw", rho)
        rho.fill(0)
        request.wait()
        assert request.test()
        request.wait()
        assert file_holds("later.raw", whole())
        plan.write_start("last.raw", part(array, whole()).copy())
    assert file_holds("last.raw", whole())


def case_redistribution() -> None:
    rows, columns = block(SHAPE, "f8", (4, 1, 1)), block(SHAPE, "f8", (1, 4, 1))
    source, target = part(rows, whole()).copy(), columns.empty(COMM)
    with Plan(COMM, rows) as one, Plan(COMM, columns) as other:
        weir_array.redistribute(one, [source], other, [target])
    assert np.array_equal(target, part(columns, whole()))


def case_something_other_than_a_file() -> None:
    array = block(SHAPE, "f8")
    rho = part(array, whole()).copy()
    kept: list[tuple[int, int, bytes]] = []
    with Plan(COMM, array) as plan:
        plan.write_to(lambda number, start, data: kept.append((number, start, bytes(data))), rho)
        pieces = sorted(piece for rank in COMM.allgather(kept) for piece in rank)
        assert b"".join(data for _, _, data in pieces) == whole().tobytes()

        def fill(_: int, start: int, data: memoryview) -> None:
            data[:] = whole().tobytes()[start : start + len(data)]

        rho.fill(0)
        plan.read_from(fill, rho)
        assert np.array_equal(rho, part(array, whole()))

        def refuse(*_: object) -> None:
            raise ValueError("no room")

        assert "no room" in str(fails(Code.IO, lambda: plan.write_to(refuse, rho)))


def case_two_plans_on_two_communicators() -> None:
    half = COMM.Split(COMM.rank % 2)
    array = block((9,), "f8")
    held = array.local(half)
    mine = whole((9,))[held.start[0] : held.start[0] + held.count[0]] + COMM.rank % 2
    with Plan(half, array) as plan:
        half.Free()
        plan.write(f"half-{COMM.rank % 2}.raw", mine)
    assert file_holds(f"half-{COMM.rank % 2}.raw", whole((9,)) + COMM.rank % 2)


def case_closed_plans_and_other_exceptions() -> None:
    array = block((8,), "f8")
    with Plan(COMM, array) as plan:
        pass
    fails(Code.BAD_ARGUMENT, lambda: plan.write("closed.raw", array.empty(COMM)))
    with pytest.raises(KeyError), Plan(COMM, array) as plan:
        raise KeyError
    plan.write("open.raw", array.empty(COMM))
    plan.close()
    with pytest.raises(Error, match="grid has 2 entries"):
        Plan(COMM, block((8,), "f8", (2, 2)))


def main() -> None:
    """Run every case, and tell of each what failed on which rank."""
    for name, case in list(globals().items()):
        if name.startswith("case_"):
            try:
                case()
                failure = None
            except BaseException:
                failure = f"rank {COMM.rank}: {traceback.format_exc()}"
            failures = [text for text in COMM.allgather(failure) if text]
            if COMM.rank == 0:
                print(json.dumps({"case": name.removeprefix("case_"), "failures": failures}), flush=True)


if __name__ == "__main__":
    main()
