"""MPI's functions of large counts: recorded, and carried out in an MPI that lacks them."""

import re
from pathlib import Path

from ..parallel_programs import BOTH, Mpi, columns, offered_by, rows
from ..programs import RECORDER, Record, assert_told, exported

DECLARED = """
#ifdef OPEN_MPI
typedef const MPI_Count *counts_t;
typedef const MPI_Aint *places_t;
typedef MPI_Datatype type_t;
typedef MPI_Comm comm_t;
#define LACKED(name, ...) extern int name(__VA_ARGS__) __attribute__((weak));
#define SENT const void *, counts_t, places_t, type_t
#define RECEIVED void *, counts_t, places_t, type_t
LACKED(MPI_Gatherv_c, const void *, MPI_Count, type_t, RECEIVED, int, comm_t)
LACKED(MPI_Scatterv_c, SENT, void *, MPI_Count, type_t, int, comm_t)
LACKED(MPI_Allgatherv_c, const void *, MPI_Count, type_t, RECEIVED, comm_t)
LACKED(MPI_Alltoallv_c, SENT, RECEIVED, comm_t)
LACKED(MPI_Alltoallw_c, const void *, counts_t, places_t, const type_t *,
       void *, counts_t, places_t, const type_t *, comm_t)
LACKED(MPI_Reduce_scatter_c, const void *, void *, counts_t, type_t, MPI_Op, comm_t)
LACKED(MPI_Ialltoallv_c, SENT, RECEIVED, comm_t, MPI_Request *)
LACKED(MPI_Igatherv_c, const void *, MPI_Count, type_t, RECEIVED, int, comm_t, MPI_Request *)
LACKED(MPI_Neighbor_allgatherv_c, const void *, MPI_Count, type_t, RECEIVED, comm_t)
LACKED(MPI_Neighbor_alltoall_c, const void *, MPI_Count, type_t, void *, MPI_Count, type_t, comm_t)
LACKED(MPI_Neighbor_alltoallv_c, SENT, RECEIVED, comm_t)
LACKED(MPI_Neighbor_alltoallw_c, const void *, counts_t, places_t, const type_t *,
       void *, counts_t, places_t, const type_t *, comm_t)
LACKED(MPI_Ineighbor_alltoallv_c, SENT, RECEIVED, comm_t, MPI_Request *)
LACKED(MPI_Put_c, const void *, MPI_Count, type_t, int, MPI_Aint, MPI_Count, type_t, MPI_Win)
LACKED(MPI_Win_create_c, void *, MPI_Aint, MPI_Aint, MPI_Info, comm_t, MPI_Win *)
#endif
"""

PROGRAM = """
#define RIGHT(what) if (!(what)) MPI_Abort(MPI_COMM_WORLD, __LINE__ % 100)
main:
int *out = (int *)data, *in = out + 1000;
MPI_Count counts[3] = {1, 2, 3}, equal[3] = {2, 2, 2};
MPI_Aint places[3] = {0, 1, 3}, steps[3] = {0, 2, 4}, bytes[3] = {0, 8, 16};
MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
void *nowhere = (void *)8;
for (int i = 0; i < 6; ++i) out[i] = 10 * rank + i;
MPI_Gatherv_c(out, rank + 1, MPI_INT, in, rank == 1 ? counts : nowhere,  //= @ 1 {own}
              rank == 1 ? places : nowhere, MPI_INT, 1, MPI_COMM_WORLD);
RIGHT(rank != 1 || (in[0] == 0 && in[2] == 11 && in[5] == 22));
MPI_Scatterv_c(out, rank == 0 ? counts : nowhere, rank == 0 ? places : nowhere, MPI_INT,  //= @ 0 {own}
               in, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
RIGHT(in[0] == places[rank]);
MPI_Allgatherv_c(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);  //= @ -1 {own}
RIGHT(in[1] == 10 && in[5] == 22);
MPI_Alltoallv_c(out, equal, steps, MPI_INT, in, equal, steps, MPI_INT, MPI_COMM_WORLD);  //= @ -1 24
RIGHT(in[2] == 10 + 2 * rank && in[5] == 21 + 2 * rank);
MPI_Alltoallv_c(MPI_IN_PLACE, nowhere, nowhere, MPI_INT,  //= @ -1 24
                in, equal, steps, MPI_INT, MPI_COMM_WORLD);
RIGHT(in[2] == 10 * rank + 2);
MPI_Alltoallw_c(out, equal, bytes, types, in, equal, bytes, types, MPI_COMM_WORLD);  //= @ -1 0
RIGHT(in[4] == 20 + 2 * rank);
MPI_Reduce_scatter_c(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  //= @ -1 24
RIGHT(in[0] == 30 + 3 * places[rank]);
MPI_Request requests[2];
MPI_Ialltoallv_c(out, equal, steps, MPI_INT, in, equal, steps, MPI_INT,  //= @ -1 24
                 MPI_COMM_WORLD, requests);
MPI_Igatherv_c(out, rank + 1, MPI_INT, in + 10, counts, places, MPI_INT, 2,  //= @ 2 {own}
               MPI_COMM_WORLD, requests + 1);
MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
RIGHT(in[3] == 11 + 2 * rank && (rank != 2 || in[15] == 22));
MPI_Win window;
MPI_Win_create_c(data, 4000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);  //= @ -1 0
MPI_Win_fence(0, window);
if (rank == 0) MPI_Put_c(out, 5, MPI_INT, 1, 2000, 5, MPI_INT, window);  //= {put}
MPI_Win_fence(0, window);
MPI_Win_free(&window);  //= @ -1 0
RIGHT(rank != 1 || out[504] == 4);
"""


@BOTH
def test_lists_and_windows_of_large_counts(run_c: Record, mpi: Mpi) -> None:
    for rank, process in enumerate(run_c(DECLARED + PROGRAM, 3)):
        told = [row for row in rows(process, "MPI") if row.kind == "communicate" and row.level == 0]
        put = "MPI_Put 1 20" if rank == 0 else ""
        assert_told(PROGRAM, columns(told, "call", "offset", "length"), own=4 * (rank + 1), put=put)


OF_NEIGHBOURS = """
#define RIGHT(what) if (!(what)) MPI_Abort(MPI_COMM_WORLD, __LINE__ % 100)
main:
int *out = (int *)data, *in = out + 1000;
MPI_Count two[2] = {2, 2};
MPI_Aint places[2] = {0, 3}, bytes[2] = {0, 12};
MPI_Datatype types[2] = {MPI_INT, MPI_INT};
MPI_Request request;
MPI_Comm graph, ring;
int const sent[3][2] = {{1, 2}, {2, -1}, {0, -1}}, received[3][2] = {{2, -1}, {0, -1}, {1, 0}};
int const degree_out = rank == 0 ? 2 : 1, degree_in = rank == 2 ? 2 : 1, three = 3, yes = 1;
MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree_in, received[rank], MPI_UNWEIGHTED, degree_out,
                               sent[rank], MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
MPI_Cart_create(MPI_COMM_WORLD, 1, &three, &yes, 0, &ring);
for (int i = 0; i < 6; ++i) out[i] = 10 * rank + i;
int const before = (rank + 2) % 3, after = (rank + 1) % 3;
MPI_Neighbor_allgatherv_c(out, 2, MPI_INT, in, two, places, MPI_INT, graph);  //= @ 8
RIGHT(in[0] == 10 * before && in[1] == 10 * before + 1 && (rank != 2 || (in[3] == 0 && in[4] == 1)));
MPI_Neighbor_alltoall_c(out, 2, MPI_INT, in, 2, MPI_INT, ring);  //= @ 16
RIGHT(in[0] == 10 * before + 2 && in[2] == 10 * after);
MPI_Neighbor_alltoallv_c(out, two, places, MPI_INT, in, two, places, MPI_INT, graph);  //= @ {alltoallv}
RIGHT(in[0] == 10 * before && (rank != 2 || in[4] == 4));
MPI_Neighbor_alltoallw_c(out, two, bytes, types, in, two, bytes, types, graph);  //= @ 0
RIGHT(in[1] == 10 * before + 1 && (rank != 2 || in[3] == 3));
MPI_Ineighbor_alltoallv_c(out, two, places, MPI_INT, in, two, places, MPI_INT, ring, &request);  //= @ 16
MPI_Wait(&request, MPI_STATUS_IGNORE);
RIGHT(in[0] == 10 * before + 3 && in[4] == 10 * after + 1);
"""


@BOTH
def test_lists_of_neighbours(run_c: Record, mpi: Mpi) -> None:
    for rank, process in enumerate(run_c(DECLARED + OF_NEIGHBOURS, 3)):
        told = [row for row in rows(process, "MPI") if "eighbor" in row.call and row.level == 0]
        assert_told(OF_NEIGHBOURS, columns(told, "call", "length"), alltoallv=16 if rank == 0 else 8)


@BOTH
def test_what_does_not_fit_an_older_mpi_is_an_error(run_c: Record, mpi: Mpi) -> None:
    source = """
        int main(int argc, char **argv) {
            begin(&argc, &argv);
            MPI_Count many[1] = {1L << 40};
            MPI_Aint places[1] = {0};
            int error = MPI_SUCCESS;
        #ifdef OPEN_MPI
            error = MPI_Gatherv_c(data, 1, MPI_INT, data, many, places, MPI_INT, 0, MPI_COMM_WORLD);
        #endif
            MPI_Finalize();
            return error == MPI_SUCCESS ? many[0] + places[0] == 0 : 5;
        }
        """
    run_c(DECLARED + source, 1, fails=mpi.name == "Open MPI")


@BOTH
def test_large_counts_of_what_is_recorded_are_recorded(tmp_path: Path, mpi: Mpi) -> None:
    ours = exported(RECORDER)
    offered = {name for name in offered_by(tmp_path, mpi) if re.match(r"P?MPI_.*_c$", name)}
    assert {name for name in offered if name.removesuffix("_c") in ours} <= ours
