// Memory that runs out on one rank, at any allocation of a call: all ranks return the same code and message, none
// waits, and the file is as good as before.

#include <gtest/gtest.h>

#include "support/arrays/typed_field.hpp"
#include "support/failures/failing_memory.hpp"
#include "weir/pnetcdf.h"

namespace weir::testing {
namespace {

/// Of rank 0, which alone has the file open, or of the last one.
using FailingMemoryInPnetcdf = FailingMemoryTest<bool>;

TEST_P(FailingMemoryInPnetcdf, LeavesNoRankWaiting) {
    bool const mine = comm.is_root() == GetParam();
    TypedField<double> rho(comm, {9, 8});
    TypedField<std::int32_t> kind(comm, {5, 6});
    auto const plan = plan_for({rho.array(), kind.array()}, "sync=no");
    char const* const names[] = {"rho(time, y, x)", "kind(n, m)"};
    nc_type const types[] = {NC_DOUBLE, NC_INT};
    void* const buffers[] = {rho.data(), kind.data()};
    fill_in_turn(rho, kind);
    sweep(comm, mine, error,
          [&] { return weir_pnetcdf_write(plan.get(), path.c_str(), names, types, 3, buffers, &error); });
    ASSERT_TRUE(ok(weir_pnetcdf_write(plan.get(), path.c_str(), names, types, 3, buffers, &error)));
    clear_all(rho, kind);
    sweep(comm, mine, error,
          [&] { return weir_pnetcdf_read(plan.get(), path.c_str(), names, types, 3, buffers, &error); });
    EXPECT_TRUE(hold_in_turn(rho, kind));
}

INSTANTIATE_TEST_SUITE_P(RootOrNot, FailingMemoryInPnetcdf, ::testing::Bool());

}  // namespace
}  // namespace weir::testing
