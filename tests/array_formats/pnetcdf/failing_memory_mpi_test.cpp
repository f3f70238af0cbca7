// Memory that runs out on one rank, at any allocation of a call: all ranks return the same code and message, none
// waits, and the file is as good as before.

#include <gtest/gtest.h>

#include "support/failing_memory.hpp"
#include "support/temporary_directory.hpp"
#include "support/typed_field.hpp"
#include "weir/pnetcdf.h"

namespace weir::testing {
namespace {

/// Of rank 0, which alone has the file open, or of the last one.
class FailingMemoryInPnetcdf : public ::testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        if (comm.size() != 2) {
            GTEST_SKIP() << "for 2 ranks: one that fails, and one that must not wait for it";
        }
    }
    Communicator const comm = Communicator::duplicate(MPI_COMM_WORLD);
    TemporaryDirectory const directory{comm};
    std::string const path = directory.path() / "dump.nc";
    weir_error error{};
};

TEST_P(FailingMemoryInPnetcdf, LeavesNoRankWaiting) {
    bool const mine = comm.is_root() == GetParam();
    TypedField<double> rho(comm, {9, 8});
    TypedField<std::int32_t> kind(comm, {5, 6});
    auto const plan = plan_of(comm, {rho.array(), kind.array()}, "sync=no");
    char const* const names[] = {"rho(time, y, x)", "kind(n, m)"};
    nc_type const types[] = {NC_DOUBLE, NC_INT};
    void* const buffers[] = {rho.data(), kind.data()};
    rho.fill(1);
    kind.fill(2);
    sweep(comm, mine, error,
          [&] { return weir_pnetcdf_write(plan.get(), path.c_str(), names, types, 3, buffers, &error); });
    ASSERT_EQ(weir_pnetcdf_write(plan.get(), path.c_str(), names, types, 3, buffers, &error), WEIR_OK) << error.message;
    rho.clear();
    kind.clear();
    sweep(comm, mine, error,
          [&] { return weir_pnetcdf_read(plan.get(), path.c_str(), names, types, 3, buffers, &error); });
    EXPECT_TRUE(rho.holds(1) && kind.holds(2));
}

INSTANTIATE_TEST_SUITE_P(RootOrNot, FailingMemoryInPnetcdf, ::testing::Bool());

}  // namespace
}  // namespace weir::testing
