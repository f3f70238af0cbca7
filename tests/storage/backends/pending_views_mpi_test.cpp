// Requests through a file view are complete before the next view is set, as MPI requires. Libraries may do without, so
// that what files hold would not show it.

#include <mpi.h>

#include "pattern/operations.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

struct AsynchronousWrites {
    int begun = 0;
    int pending = 0;
    int pending_at_a_view = 0;
} asynchronous_writes;

struct PendingViews : testing::BackendCase {
    PendingViews() : BackendCase("mpiio") {}
};

TEST_F(PendingViews, AreNotReplaced) {
    options.set("file_view", true);
    auto const file = open(OpenMode::create, 400, 400);
    std::vector<std::byte> const data(100);
    asynchronous_writes = {};
    for (std::uint64_t start : {0, 100}) {
        auto const access = testing::access_of({0, 1, 1}, {}, Extent{start, {{2, 200}}, 100});
        file->begin(access, Rank{comm.rank()});
        Operations operations(access, Rank{comm.rank()});
        for (Operation operation{}; operations.next(operation);) {
            file->begin_write(operation, data);
        }
    }
    file->wait();
    file->close();
    EXPECT_EQ(asynchronous_writes.begun, comm.is_root() ? 4 : 0);
    EXPECT_EQ(asynchronous_writes.pending_at_a_view, 0);
}

}  // namespace
}  // namespace weir

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int MPI_File_iwrite_at(MPI_File file, MPI_Offset at, void const* data, int count, MPI_Datatype type,
                       MPI_Request* request) {
    ++weir::asynchronous_writes.begun;
    ++weir::asynchronous_writes.pending;
    return PMPI_File_iwrite_at(file, at, data, count, type, request);
}

int MPI_Request_free(MPI_Request* request) {
    --weir::asynchronous_writes.pending;
    return PMPI_Request_free(request);
}

int MPI_File_set_view(MPI_File file, MPI_Offset start, MPI_Datatype element, MPI_Datatype type, char const* format,
                      MPI_Info info) {
    weir::asynchronous_writes.pending_at_a_view += weir::asynchronous_writes.pending;
    return PMPI_File_set_view(file, start, element, type, format, info);
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
