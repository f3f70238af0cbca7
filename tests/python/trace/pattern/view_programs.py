"""Programs that write through views of MPI-IO, and whose bytes each rank's pieces are checked against."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from weir.trace.load import load_trace
from weir.trace.model import Trace
from weir.trace.pattern.recognise import Recognised, recognise
from weir.trace.pattern.write import write_pattern

from ..parallel_programs import OPEN_MPI, Mpi, compiled, record_ranks
from .expansion import Operation, expand, original_names

HEAD = r"""
static unsigned char value(int call) { return (unsigned char)(1 + (rank * 61 + call) % 251); }
static void put(MPI_File f, int how, MPI_Offset at, int etypes, MPI_Datatype base, int call) {
    int size;
    MPI_Type_size(base, &size);
    memset(data, value(call), (size_t)etypes * size);
    if (how == 0) MPI_File_write_all(f, data, etypes, base, MPI_STATUS_IGNORE);
    if (how == 1) MPI_File_write_at_all(f, at, data, etypes, base, MPI_STATUS_IGNORE);
    if (how == 2) MPI_File_write(f, data, etypes, base, MPI_STATUS_IGNORE);
    if (how == 3) MPI_File_write_at(f, at, data, etypes, base, MPI_STATUS_IGNORE);
}
"""

RANDOM = r"""
static unsigned long long state;
static int draw(int below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned)below);
}
static MPI_Datatype base;

/* The data of each type lie within its bounds, so that what lies one extent further on does not meet them. */
static MPI_Datatype make(int depth) {
    MPI_Datatype type, part, parts[4];
    int lengths[4], places[4], sizes[3], counts[3], starts[3], kinds[3], arguments[3], grid[3];
    MPI_Aint bytes[4], lower, extent, next = 0;
    if (depth == 0) {
        MPI_Type_dup(base, &type);
        return type;
    }
    part = make(depth - 1 - (depth > 1 && draw(3) == 0));
    int n, length, i, all = 1, bytes_of_part;
    MPI_Type_size(part, &bytes_of_part);
    if (bytes_of_part == 0) MPI_Type_free(&part), part = make(0); /* Open MPI refuses arrays of nothing */
    MPI_Type_get_extent(part, &lower, &extent);
    n = draw(4), length = draw(3) + (n == 0);
    switch (draw(11)) {
        case 0: MPI_Type_contiguous(1 + draw(3), part, &type); break;
        case 1: MPI_Type_vector(1 + n, length, length + 1 + draw(3), part, &type); break;
        case 2:
            MPI_Type_create_hvector(1 + n, length, (length + draw(3)) * extent + draw(7), part, &type);
            break;
        case 3:
        case 4:
        case 5:
            for (i = 0; i < 4; i++) {
                lengths[i] = draw(3);
                places[i] = (int)next + draw(3);
                next = places[i] + lengths[i];
            }
            if (n == 3) MPI_Type_indexed(4, lengths, places, part, &type);
            else if (n == 2) {
                for (i = 0; i < 4; i++) bytes[i] = places[i] * extent + (i ? 5 : 0);
                MPI_Type_create_hindexed(4, lengths, bytes, part, &type);
            } else if (n == 1) {
                for (i = 0; i < 4; i++) places[i] = 4 * i + draw(3);
                MPI_Type_create_indexed_block(4, 1 + draw(2), places, part, &type);
            } else {
                for (i = 0; i < 4; i++) bytes[i] = (4 * i + draw(2)) * extent;
                MPI_Type_create_hindexed_block(4, 1 + draw(2), bytes, part, &type);
            }
            break;
        case 6:
            for (i = 0, next = 0; i < 3; i++) {
                parts[i] = i == 1 ? make(depth - 1) : part;
                MPI_Type_get_extent(parts[i], &lower, &extent);
                lengths[i] = draw(3) + (i == 2);
                bytes[i] = next - lower + draw(9);
                next = bytes[i] + lower + lengths[i] * extent;
            }
            MPI_Type_create_struct(3, lengths, bytes, parts, &parts[3]);
            MPI_Type_create_resized(parts[3], 0, next, &type); /* of a part's own are less */
            MPI_Type_free(&parts[1]);
            MPI_Type_free(&parts[3]);
            break;
        case 7:
            for (i = 0; i < 3; i++) {
                sizes[i] = 1 + draw(5);
                counts[i] = 1 + draw(sizes[i]);
                starts[i] = draw(sizes[i] - counts[i] + 1);
            }
            MPI_Type_create_subarray(1 + n % 3, sizes, counts, starts,
                                     draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part, &type);
            break;
        case 8:
            for (i = 0; i < 3; i++) {
                int d = i < 1 + n % 3;
                grid[i] = d ? 1 + draw(2) : 1;
                kinds[i] = draw(2) ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
                arguments[i] = draw(2) ? MPI_DISTRIBUTE_DFLT_DARG : 1 + draw(2);
                sizes[i] = 2 + draw(5);
                if (kinds[i] == MPI_DISTRIBUTE_BLOCK && arguments[i] > 0) arguments[i] = sizes[i];
                all *= grid[i];
            }
            MPI_Type_create_darray(all, 0, 1 + n % 3, sizes, kinds, arguments, grid,
                                   draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part, &type);
            break;
        case 9:
            MPI_Type_create_resized(part, lower - draw(2) * 8, extent + 8 + draw(5), &type);
            break;
        default: MPI_Type_dup(part, &type);
    }
    MPI_Type_free(&part);
    return type;
}

main:
int from = atoi(argv[1]), to = atoi(argv[2]), seed, size, i;
MPI_Datatype bases[] = {MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_SHORT};
for (seed = from; seed < to; seed++) {
    char name[32];
    snprintf(name, sizeof name, "views.%04d", seed);
    state = (unsigned long long)seed * 7919 + 17 + (seed % 3 ? 0 : rank);
    open_file(name);
    int call, calls, bytes = 0, each;
    MPI_Datatype view;
    for (i = 0; bytes == 0; i++) {
        base = bases[draw(4)];
        view = make(1 + draw(3));
        MPI_Type_size(view, &bytes);
        if (bytes == 0) MPI_Type_free(&view);
    }
    MPI_Type_commit(&view);
    MPI_Type_size(base, &size);
    each = bytes / size;
    state = (unsigned long long)seed * 104729 + 5;
    int how = draw(4);
    calls = 1 + draw(4);
    MPI_Offset start = (MPI_Offset)rank * 60000 + 100 + draw(50);
    MPI_File_set_view(file, start, base, view, "native", MPI_INFO_NULL);
    MPI_Offset at = 0;
    for (call = 0; call < calls; call++) {
        int many = draw(3) == 0 ? each * (1 + draw(2)) : draw(2 * each + 2);
        if (draw(5) == 0 && rank == call % ranks) many = 0;
        if (how & 1) at += draw(2) * draw(each + 1);
        if ((how & 1) == 0 && draw(3) == 0) {
            MPI_File_seek(file, at += draw(each + 1), MPI_SEEK_SET);
        }
        if (at + many > 8 * each) many = 0;
        put(file, how, at, many, base, call);
        at += many;
    }
    MPI_Type_free(&view);
    MPI_File_close(&file);
}
"""


def recorded(
    tmp_path: Path, source: str, ranks: int, arguments: Sequence[str] = (), mpi: Mpi = OPEN_MPI
) -> Trace:
    """What a program does, which is compiled with the head above."""
    functions = HEAD if "main:" in source else f"{HEAD}main:\n"
    program = compiled(tmp_path, functions + source, mpi)
    record_ranks(tmp_path, ["timeout", "60", program, *arguments], ranks, mpi)
    return load_trace(tmp_path / "trace")


def expanded(tmp_path: Path, trace: Trace) -> tuple[Recognised, list[list[Operation]]]:
    """Its pattern, and what each rank does by it, on files with the names that they had."""
    found = recognise(trace, None, None)
    write_pattern(found, tmp_path / "P.json")
    result = []
    for rank, own in enumerate(expand(tmp_path / "P.json", trace.ranks)):
        names = original_names(found, rank)
        result.append(
            [(op, Path(names[file]).name, *rest) for op, file, *rest in own if op in ("read", "write")]
        )
    return found, result


def wrong_bytes(trace: Trace, store: Path, of_ranks: list[list[Operation]]) -> list[str]:
    """What is wrong with the writes of each rank, by what programs with `value` have written: each piece of
    one call, calls in their order, and as many bytes as the calls have told. (That no others are there would
    be too much: ompio 4.1 fills gaps of collective writes of several ranks with what lies in its memory.)"""
    files = {path.name: np.fromfile(path, np.uint8) for path in store.iterdir()}
    asked = _asked(trace)
    wrong = []
    for rank, own in enumerate(of_ranks):
        last: dict[str, int] = {}
        seen = {name: np.zeros(len(data), bool) for name, data in files.items()}
        for op, name, offset, length in own:
            here = files[name][offset : offset + length]
            call = int((int(here[0]) - 1 - rank * 61) % 251) if len(here) == length else -1
            if op != "write" or len(here) < length or (here != here[0]).any() or here[0] == 0:
                wrong.append(f"{name}: rank {rank} did not write {length} bytes at {offset}")
            elif not last.get(name, 0) <= call < 16 or seen[name][offset : offset + length].any():
                wrong.append(f"{name}: rank {rank} wrote {length} bytes at {offset} in call {call}")
            last[name] = max(call, last.get(name, 0))
            seen[name][offset : offset + length] = True
        for name, bytes_ in seen.items():
            if (found := np.count_nonzero(bytes_)) != asked[rank].get(name, 0):
                wrong.append(f"{name}: rank {rank} wrote {asked[rank].get(name, 0)} bytes, not {found}")
    return wrong


def _asked(trace: Trace) -> list[dict[str, int]]:
    """Bytes that the calls of each rank have written, by file."""
    asked: list[dict[str, int]] = [{} for _ in range(trace.ranks)]
    for batch in trace.batches():
        for lane, call, file, moved in zip(batch.lane, batch.call, batch.file, batch.moved, strict=True):
            name, of = Path(trace.files[file].name).name, asked[trace.lanes[lane].rank]
            if trace.calls[call].interface == "MPI-IO" and trace.calls[call].kind == "write":
                of[name] = of.get(name, 0) + int(moved)
    return asked
