#include "apps/common/face_exchange.hpp"

namespace weir {

void FaceExchange::start(Decomposition const& where, std::size_t axis, int tag, Faces const& faces) {
    MPI_Comm const comm = where.comm().handle();
    auto const low = where.neighbour(axis, -1);
    auto const high = where.neighbour(axis, +1);
    auto const count = [](auto const& span) { return static_cast<int>(span.size()); };
    // With two ranks along the axis both neighbours are the same, and only the tag distinguishes its two messages.
    auto const downward = 2 * tag;
    auto const upward = 2 * tag + 1;
    auto const problem = "ghost cells cannot be exchanged";
    check_mpi(MPI_Irecv(faces.from_low.data(), count(faces.from_low), MPI_DOUBLE, low, upward, comm, &requests_[0]),
              problem);
    check_mpi(
        MPI_Irecv(faces.from_high.data(), count(faces.from_high), MPI_DOUBLE, high, downward, comm, &requests_[1]),
        problem);
    check_mpi(MPI_Isend(faces.to_low.data(), count(faces.to_low), MPI_DOUBLE, low, downward, comm, &requests_[2]),
              problem);
    check_mpi(MPI_Isend(faces.to_high.data(), count(faces.to_high), MPI_DOUBLE, high, upward, comm, &requests_[3]),
              problem);
    under_way_ = true;
}

void FaceExchange::finish() {
    if (under_way_) {
        check_mpi(MPI_Waitall(4, requests_.data(), MPI_STATUSES_IGNORE), "ghost cells cannot be exchanged");
        under_way_ = false;
    }
}

}  // namespace weir
