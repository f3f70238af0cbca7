// A slow MPI library to be found: preloaded into a program, MPI_Allreduce of floats goes through rank 0 alone, one rank
// after the other and piece by piece. Rank 0 sleeps before each piece: slower than other programs make any collective.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr int piece = 1024;  // floats

/// Calls `move(first, count)` for each piece of so many floats.
template <typename Move>
void each_piece(int floats, Move const& move) {
    for (int first = 0; first < floats; first += piece) {
        move(first, std::min(piece, floats - first));
    }
}

void add_one_by_one(float* sums, int floats, int ranks, MPI_Comm comm) {
    std::vector<float> of_other(piece);
    for (int other = 1; other < ranks; ++other) {
        each_piece(floats, [&](int first, int count) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            PMPI_Recv(of_other.data(), count, MPI_FLOAT, other, 0, comm, MPI_STATUS_IGNORE);
            std::transform(sums + first, sums + first + count, of_other.begin(), sums + first, std::plus<>());
        });
    }
}

void send(float const* data, int floats, int to, MPI_Comm comm) {
    each_piece(floats, [&](int first, int count) { PMPI_Ssend(data + first, count, MPI_FLOAT, to, 0, comm); });
}

}  // namespace

extern "C" int MPI_Allreduce(void const* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (type != MPI_FLOAT || op != MPI_SUM || from == MPI_IN_PLACE) {
        return PMPI_Allreduce(from, to, count, type, op, comm);
    }
    int rank = 0;
    int ranks = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    auto* const sums = static_cast<float*>(to);
    if (rank == 0) {
        std::copy_n(static_cast<float const*>(from), count, sums);
        add_one_by_one(sums, count, ranks, comm);
        for (int other = 1; other < ranks; ++other) {
            send(sums, count, other, comm);
        }
    } else {
        send(static_cast<float const*>(from), count, 0, comm);
        each_piece(count, [&](int first, int floats) {
            PMPI_Recv(sums + first, floats, MPI_FLOAT, 0, 0, comm, MPI_STATUS_IGNORE);
        });
    }
    return MPI_SUCCESS;
}
