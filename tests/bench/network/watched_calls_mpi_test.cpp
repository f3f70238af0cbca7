// The wrappers of watched_mpi.hpp.

#include "bench/network/watched_mpi.hpp"

#include <mpi.h>

#include <numeric>

#include "bench/network/mpi_forms.hpp"

namespace weir::testing {
namespace {

std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return static_cast<std::uint64_t>(count * size);
}

std::span<std::byte> memory(void* data, std::int64_t count, MPI_Datatype type) {
    return {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes_of(count, type))};
}

std::int64_t ranks_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

std::int64_t rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

}  // namespace
}  // namespace weir::testing

// clang-format off
#define WEIR_WATCH(NAME, PARAMETERS, ARGUMENTS, SENT, ROOT, RECEIVED)                                     \
    extern "C" int MPI_##NAME PARAMETERS {                                                                \
        return weir::testing::WatchedMpi::call({#NAME, SENT, ROOT}, RECEIVED, [&] { return PMPI_##NAME ARGUMENTS; }); \
    }
#define WEIR_NOTHING std::span<std::byte>()

WEIR_WATCH(Send, (void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
           (data, count, type, to, tag, comm), weir::testing::bytes_of(count, type), to, WEIR_NOTHING)
WEIR_WATCH(Isend, (void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request),
           (data, count, type, to, tag, comm, request), weir::testing::bytes_of(count, type), to, WEIR_NOTHING)
WEIR_WATCH(Recv, (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
           (data, count, type, from, tag, comm, status), 0, from, weir::testing::memory(data, count, type))
WEIR_WATCH(Sendrecv, (void const* data, int count, MPI_Datatype type, int to, int tag, void* in, int in_count, MPI_Datatype in_type,
                      int from, int in_tag, MPI_Comm comm, MPI_Status* status),
           (data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status), weir::testing::bytes_of(count, type), to,
           weir::testing::memory(in, in_count, in_type))
WEIR_WATCH(Wait, (MPI_Request* request, MPI_Status* status), (request, status), 0, -1, WEIR_NOTHING)
WEIR_WATCH(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses), 0, -1, WEIR_NOTHING)
WEIR_WATCH(Barrier, (MPI_Comm comm), (comm), 0, -1, WEIR_NOTHING)
WEIR_WATCH(Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm),
           weir::testing::rank_in(comm) == root ? weir::testing::bytes_of(count, type) : 0, root, weir::testing::memory(data, count, type))
WEIR_WATCH(Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request),
           (data, count, type, root, comm, request), weir::testing::rank_in(comm) == root ? weir::testing::bytes_of(count, type) : 0, root, WEIR_NOTHING)
WEIR_WATCH(Allgather, (void const* data, int count, MPI_Datatype type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, comm), weir::testing::bytes_of(count, type), -1,
           weir::testing::memory(in, in_count * weir::testing::ranks_of(comm), in_type))
WEIR_WATCH(Alltoall, (void const* data, int count, MPI_Datatype type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, comm), weir::testing::bytes_of(count * weir::testing::ranks_of(comm), type), -1,
           weir::testing::memory(in, in_count * weir::testing::ranks_of(comm), in_type))

#if MPI_VERSION >= 4
#define WEIR_COUNTED_NAME(PREFIX, NAME) PREFIX##NAME##_c
#else
#define WEIR_COUNTED_NAME(PREFIX, NAME) PREFIX##NAME
#endif
// Reductions of floats only: those of other types are of Weir itself.
#define WEIR_WATCH_COUNTED(NAME, PARAMETERS, ARGUMENTS, TYPE, SENT, ROOT, RECEIVED)                       \
    extern "C" int WEIR_COUNTED_NAME(MPI_, NAME) PARAMETERS {                                             \
        auto const make = [&] { return WEIR_COUNTED_NAME(PMPI_, NAME) ARGUMENTS; };                       \
        return type == TYPE ? weir::testing::WatchedMpi::call({#NAME, SENT, ROOT}, RECEIVED, make) : make(); \
    }
WEIR_WATCH_COUNTED(Allgatherv, (void const* data, weir::ElementCount count, MPI_Datatype type, void* in, weir::ElementCount const counts[],
                        weir::Displacement const places[], MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, counts, places, in_type, comm), MPI_BYTE, weir::testing::bytes_of(count, type), -1,
           weir::testing::memory(in, places[weir::testing::ranks_of(comm) - 1] + counts[weir::testing::ranks_of(comm) - 1], in_type))
WEIR_WATCH_COUNTED(Allreduce, (void const* data, void* in, weir::ElementCount count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
           (data, in, count, type, operation, comm), MPI_FLOAT, weir::testing::bytes_of(count, type), -1, weir::testing::memory(in, count, type))
WEIR_WATCH_COUNTED(Reduce, (void const* data, void* in, weir::ElementCount count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm comm),
           (data, in, count, type, operation, root, comm), MPI_FLOAT, weir::testing::bytes_of(count, type), root, weir::testing::memory(in, count, type))
WEIR_WATCH_COUNTED(Reduce_scatter, (void const* data, void* in, weir::ElementCount const counts[], MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
           (data, in, counts, type, operation, comm), MPI_FLOAT,
           weir::testing::bytes_of(std::accumulate(counts, counts + weir::testing::ranks_of(comm), std::int64_t{0}), type), -1,
           weir::testing::memory(in, counts[weir::testing::rank_in(comm)], type))
// clang-format on
