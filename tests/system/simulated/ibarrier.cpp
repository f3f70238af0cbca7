// SimGrid's MPI_Ibarrier (3.32) lets ranks go as soon as rank 0 has come, by which the library would lose messages, and
// its other nonblocking collectives that all ranks must take part in send a message from each rank to each other one.
// This is a dissemination barrier (Hensgen, Finkel, Manber 1988) of log2(ranks) messages a rank, which MPI_Test
// carries on; the library waits for barriers by no other call.

#include <mpi.h>

#include <map>

namespace {

constexpr int barrier_tag = 32767;  // the greatest that every MPI has, and none of the library's

/// A rank has told the one this far after it that it is there, and waits to hear from the one this far before it.
struct Round {
    MPI_Comm comm;
    int distance;
};

std::map<MPI_Request, Round> rounds;  // of each simulated process: globals are private to them

/// No request where ranks need no more rounds.
void begin(Round round, MPI_Request* request) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(round.comm, &rank);
    MPI_Comm_size(round.comm, &size);
    *request = MPI_REQUEST_NULL;
    if (round.distance >= size) {
        return;
    }
    MPI_Request told = MPI_REQUEST_NULL;
    MPI_Isend(nullptr, 0, MPI_BYTE, (rank + round.distance) % size, barrier_tag, round.comm, &told);
    MPI_Request_free(&told);
    MPI_Irecv(nullptr, 0, MPI_BYTE, (rank + size - round.distance) % size, barrier_tag, round.comm, request);
    rounds[*request] = round;
}

}  // namespace

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    begin({comm, 1}, request);
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    if (*request == MPI_REQUEST_NULL) {
        *flag = 1;  // which SimGrid's leaves as it was
        return MPI_SUCCESS;
    }
    auto const round = rounds.find(*request);
    auto const result = PMPI_Test(request, flag, status);
    if (round == rounds.end() || *flag == 0) {
        return result;
    }
    auto const next = Round{round->second.comm, round->second.distance * 2};
    rounds.erase(round);
    begin(next, request);
    *flag = *request == MPI_REQUEST_NULL ? 1 : 0;
    return result;
}
