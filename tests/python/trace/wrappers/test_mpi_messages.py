"""Messages and collectives: with whom, how many bytes, among which ranks."""

from ..parallel_programs import BOTH, Mpi, columns, rows
from ..programs import Record, assert_told

COLLECTIVE, STARTED = 1, 4

FIRST = """
MPI_Send(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);                  //= MPI_Send 1 40 40 0 0-1
MPI_Isend(data, 3, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &request);     //= MPI_Isend 1 24 24 {started} 0-1
MPI_Wait(&request, MPI_STATUS_IGNORE);                              //= MPI_Wait -1 0 0 0 -
MPI_Sendrecv(data, 5, MPI_CHAR, 1, 2, data, 9, MPI_CHAR, 1, 2,      //= MPI_Sendrecv 1 5 5 0 0-1
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""
SECOND = """
MPI_Recv(data, 100, MPI_INT, MPI_ANY_SOURCE, 0,                     //= MPI_Recv 0 400 40 0 0-1
         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
MPI_Irecv(data, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request);     //= MPI_Irecv 0 32 32 {started} 0-1
do MPI_Test(&request, &flag, MPI_STATUS_IGNORE); while (!flag);     //= MPI_Test -1 0 0 0 -
// Once: those that found nothing are not recorded.
MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //= MPI_Probe 0 5 0 0 0-1
MPI_Sendrecv(data, 9, MPI_CHAR, 0, 2, data, 5, MPI_CHAR, 0, 2,      //= MPI_Sendrecv 0 9 9 0 0-1
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""


@BOTH
def test_messages_tell_the_other_rank_and_their_bytes(run_c: Record, mpi: Mpi) -> None:
    source = f"MPI_Request request; int flag;\nif (rank == 0) {{ {FIRST} }} else {{ {SECOND} }}"
    for process, part in zip(run_c(source), (FIRST, SECOND), strict=True):
        told = columns(rows(process, "MPI"), "call", "offset", "length", "result", "flags", "name")
        assert_told(part, told[1:-1], started=STARTED)


TYPES = """
for (int n = 1; n <= 3; ++n) {
    MPI_Request request;
    MPI_Datatype type;
    MPI_Type_contiguous(8 * n, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Isend(data, 2, type, 0, n, MPI_COMM_SELF, &request);
    MPI_Recv(data + 64, 2, type, 0, n, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}
"""


@BOTH
def test_a_type_may_have_the_handle_of_one_that_was_freed(run_c: Record, mpi: Mpi) -> None:
    for process in run_c(TYPES):
        sent = [row.length for row in rows(process, "MPI") if row.call == "MPI_Isend"]
        assert sent == [16, 32, 48]


COLLECTIVES = """
static int some[4] = {1, 2, 3, 4}, where[4] = {0, 10, 20, 30}, out[1000];
main:
//? MPI_Comm_split //? MPI_Comm_free
MPI_Comm all = MPI_COMM_WORLD, half;
MPI_Request request;
MPI_Bcast(data, 3, MPI_DOUBLE, 2, all);                                     //= MPI_Bcast 2 24
MPI_Reduce(data, out, 4, MPI_INT, MPI_SUM, 1, all);                         //= MPI_Reduce 1 16
MPI_Allreduce(MPI_IN_PLACE, out, 5, MPI_INT, MPI_SUM, all);                 //= MPI_Allreduce -1 20
MPI_Gather(data, 6, MPI_INT, out, 6, MPI_INT, 0, all);                      //= MPI_Gather 0 24
MPI_Gatherv(data, some[rank], MPI_INT, out, some, where, MPI_INT, 0, all);  //= MPI_Gatherv 0 {own}
void *to = rank ? (void *)out : MPI_IN_PLACE;
MPI_Scatter(data, 7, MPI_INT, to, 7, MPI_INT, 0, all);                      //= MPI_Scatter 0 28
MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 8, MPI_INT, all);    //= MPI_Allgather -1 32
MPI_Alltoall(data, 9, MPI_CHAR, out, 9, MPI_CHAR, all);                     //= MPI_Alltoall -1 36
int own[4] = {rank + 1, rank + 1, rank + 1, rank + 1};
MPI_Alltoallv(data, some, where, MPI_CHAR, out, own, where, MPI_CHAR, all); //= MPI_Alltoallv -1 10
MPI_Reduce_scatter(data, out, some, MPI_INT, MPI_SUM, all);                 //= MPI_Reduce_scatter -1 40
MPI_Ibarrier(all, &request);                                                //= MPI_Ibarrier
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_Comm_split(all, rank % 2, 0, &half);
MPI_Barrier(half);                                                          //= MPI_Barrier -1 0 {half}
MPI_Comm_free(&half);
MPI_Comm_split(all, rank == 3 ? 1 : 0, 0, &half);
MPI_Barrier(half);                                                          //= MPI_Barrier -1 0 {rest}
"""


@BOTH
def test_collectives_tell_bytes_root_and_ranks(run_c: Record, mpi: Mpi) -> None:
    """The bytes are what the rank sends; what it receives, where it only receives."""
    for rank, process in enumerate(run_c(COLLECTIVES, 4)):
        own = [row for row in rows(process, "MPI") if row.kind == "communicate" and row.level == 0]
        names = {"half": "1,3" if rank % 2 else "0,2", "rest": "3" if rank == 3 else "0-2"}
        assert_told(
            COLLECTIVES, columns(own, "call", "offset", "length", "name"), own=4 * (rank + 1), **names
        )
        (started,) = (row for row in own if row.call == "MPI_Ibarrier")
        assert started.flags == COLLECTIVE | STARTED
        assert (process.facts["rank"], process.facts["ranks"]) == (rank, 4)


@BOTH
def test_windows(run_c: Record, mpi: Mpi) -> None:
    first, _ = run_c("""
        MPI_Win window;
        MPI_Win_create(data, 1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_fence(0, window);
        if (rank == 0) MPI_Put(data, 5, MPI_INT, 1, 100, 5, MPI_INT, window);
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
        """)
    (put,) = (row for row in rows(first, "MPI") if row.call == "MPI_Put")
    assert (put.offset, put.length, put.kind) == (1, 20, "communicate")
    assert [row.kind for row in rows(first, "MPI") if row.call == "MPI_Win_fence"] == ["wait", "wait"]


@BOTH
def test_messages_that_are_set_up_once(run_c: Record, mpi: Mpi) -> None:
    first, _ = run_c("""
        MPI_Request request;
        if (rank == 0) MPI_Send_init(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        else MPI_Recv_init(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 3; ++i) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
        """)
    starts = [row for row in rows(first, "MPI") if row.call == "MPI_Start"]
    assert [(row.length, row.name, row.flags) for row in starts] == [(40, "0-1", STARTED)] * 3
