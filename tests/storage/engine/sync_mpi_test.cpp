// Does a sync reach the device through libraries above MPI-IO? Seen at MPI-IO, by its profiling interface.

#include <gtest/gtest.h>

#include <mpi.h>

#include "storage/backend.hpp"
#include "support/temporary_directory.hpp"

namespace {
int file_syncs = 0;
}

extern "C" int MPI_File_sync(MPI_File file) {
    ++file_syncs;
    return PMPI_File_sync(file);
}

namespace weir {
namespace {

TEST(Sync, OfALibraryIsOneOfMpiIo) {
    auto const comm = Communicator::world();
    testing::TemporaryDirectory const directory{comm};
    for (auto const* name : {"mpiio", "hdf5", "pnetcdf"}) {
        auto const* kind = Backends::instance().find(name);
        if (kind == nullptr) {
            continue;
        }
        for (auto const collective : {false, true}) {
            auto const file =
                kind->make()->open({directory.path() / name, OpenMode::create, comm, collective, 4096, 4096, 4096, {}});
            auto const before = file_syncs;
            file->sync();
            EXPECT_GT(file_syncs, before) << name;
            file->close();
        }
    }
}

}  // namespace
}  // namespace weir
