// Collective communication.

#include "trace/wrappers/mpi/mpi.hpp"

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

/// For intercommunicators, the root's marker and that of ranks that take no part are negative, and their other
/// arguments are ignored.
void took_part(MpiPlaces const& places, Context& context) {
    if (!succeeded(places, context)) {
        return;
    }
    bool const is_idle = places.peer != none && context.number(places.peer) < 0;
    context.file = number_of_communicator(context, context.at(places.communicator));
    context.offset = peer_of(context, places);
    context.length = is_idle ? 0 : bytes_of(context, places);
    context.complete();
}

constexpr Description description_of(MpiPlaces places, uint8_t flags, int8_t request = none) {
    places.flags = flags;
    places.requests = request;
    return {nullptr, took_part, places};
}

}  // namespace

/// A function with `count` arguments, its nonblocking variant, which has one more at its end, and their large-count
/// forms.
#define WEIR_COLLECTIVE(name, nonblocking, count, one_more, ...)                               \
    WEIR_MPI_BOTH(name, communicate, count, description_of(MpiPlaces __VA_ARGS__, collective)) \
    WEIR_MPI_BOTH(nonblocking, communicate, one_more,                                          \
                  description_of(MpiPlaces __VA_ARGS__, collective | started, count))

WEIR_COLLECTIVE(MPI_Bcast, MPI_Ibcast, 5, 6, {.count = 1, .type = 2, .peer = 3, .communicator = 4})
WEIR_COLLECTIVE(MPI_Reduce, MPI_Ireduce, 7, 8, {.count = 2, .type = 3, .peer = 5, .communicator = 6})
WEIR_COLLECTIVE(MPI_Allreduce, MPI_Iallreduce, 6, 7, {.count = 2, .type = 3, .communicator = 5})
WEIR_COLLECTIVE(MPI_Scan, MPI_Iscan, 6, 7, {.count = 2, .type = 3, .communicator = 5})
WEIR_COLLECTIVE(MPI_Exscan, MPI_Iexscan, 6, 7, {.count = 2, .type = 3, .communicator = 5})
WEIR_COLLECTIVE(MPI_Reduce_scatter, MPI_Ireduce_scatter, 6, 7,
                {.count = 2, .type = 3, .communicator = 5, .each = list, .own_group = true, .lists = {2}})
WEIR_COLLECTIVE(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, 6, 7,
                {.count = 2, .type = 3, .communicator = 5, .each = every_rank, .own_group = true})
WEIR_COLLECTIVE(MPI_Gather, MPI_Igather, 8, 9,
                {.count = 1, .type = 2, .buffer = 0, .other_count = 4, .other_type = 5, .peer = 6, .communicator = 7})
WEIR_COLLECTIVE(
    MPI_Gatherv, MPI_Igatherv, 9, 10,
    {.count = 1, .type = 2, .buffer = 0, .peer = 7, .communicator = 8, .lists_at_root = true, .lists = {4, 5}})
WEIR_COLLECTIVE(MPI_Scatter, MPI_Iscatter, 8, 9,
                {.count = 4, .type = 5, .buffer = 3, .other_count = 1, .other_type = 2, .peer = 6, .communicator = 7})
WEIR_COLLECTIVE(
    MPI_Scatterv, MPI_Iscatterv, 9, 10,
    {.count = 5, .type = 6, .buffer = 4, .peer = 7, .communicator = 8, .lists_at_root = true, .lists = {1, 2}})
WEIR_COLLECTIVE(MPI_Allgather, MPI_Iallgather, 7, 8,
                {.count = 1, .type = 2, .buffer = 0, .other_count = 4, .other_type = 5, .communicator = 6})
WEIR_COLLECTIVE(MPI_Allgatherv, MPI_Iallgatherv, 8, 9,
                {.count = 1, .type = 2, .buffer = 0, .communicator = 7, .lists = {4, 5}})
WEIR_COLLECTIVE(
    MPI_Alltoall, MPI_Ialltoall, 7, 8,
    {.count = 1, .type = 2, .buffer = 0, .other_count = 4, .other_type = 5, .communicator = 6, .each = every_rank})
WEIR_COLLECTIVE(MPI_Alltoallv, MPI_Ialltoallv, 9, 10,
                {.count = 1,
                 .type = 3,
                 .buffer = 0,
                 .other_count = 5,
                 .other_type = 7,
                 .communicator = 8,
                 .each = list,
                 .lists = {1, 2, 5, 6}})
WEIR_COLLECTIVE(MPI_Alltoallw, MPI_Ialltoallw, 9, 10, {.buffer = 0, .communicator = 8, .lists = {1, 2, 5, 6}})
WEIR_COLLECTIVE(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, 7, 8,
                {.count = 1, .type = 2, .other_count = 4, .communicator = 6})
WEIR_COLLECTIVE(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, 8, 9,
                {.count = 1, .type = 2, .communicator = 7, .neighbours = true, .lists = {4, 5}})
WEIR_COLLECTIVE(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, 7, 8,
                {.count = 1, .type = 2, .other_count = 4, .communicator = 6, .each = every_rank, .neighbours = true})
WEIR_COLLECTIVE(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, 9, 10,
                {.count = 1,
                 .type = 3,
                 .other_count = 5,
                 .communicator = 8,
                 .each = list,
                 .neighbours = true,
                 .lists = {1, 2, 5, 6}})
// Its displacements are addresses in both forms.
WEIR_COLLECTIVE(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, 9, 10,
                {.communicator = 8, .neighbours = true, .lists = {1, 5}})
WEIR_MPI(MPI_Barrier, communicate, 1, description_of(MpiPlaces{.communicator = 0}, collective))
WEIR_MPI(MPI_Ibarrier, communicate, 2, description_of(MpiPlaces{.communicator = 0}, collective | started))
