// Memory that runs out on one rank, at any allocation of a call: all ranks return the same code and message, none
// waits, and the file is as good as before.

#include <gtest/gtest.h>

#include "array_formats/hdf5/dataset.hpp"
#include "support/arrays/typed_field.hpp"
#include "support/failures/failing_memory.hpp"
#include "weir/hdf5.h"

namespace weir::testing {
namespace {

/// Of rank 0, which alone has the file open, and of the last one; by the plan, and through HDF5.
class FailingMemoryInHdf5 : public FailingMemoryTest<std::pair<bool, bool>> {
  protected:
    FailingMemoryInHdf5() { H5open(); }

    /// Dataset "rho" in chunks, which the library leaves to HDF5.
    void make_chunks() const {
        on_root([&] {
            auto const file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
            make_dataset(file, "rho", H5T_NATIVE_DOUBLE, {9, 8}, {4, 4});
            EXPECT_GE(H5Fclose(file), 0);
        });
    }
};

TEST_P(FailingMemoryInHdf5, LeavesNoRankWaiting) {
    auto const [of_root, chunked] = GetParam();
    if (chunked) {
        make_chunks();
    }
    auto const open_before = H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL);
    bool const mine = comm.is_root() == of_root;
    TypedField<double> rho(comm, {9, 8});
    TypedField<std::int32_t> kind(comm, {5, 6});
    auto const plan = plan_for({rho.array(), kind.array()}, "sync=no");
    char const* const names[] = {"rho", "a/group/kind"};
    hid_t const types[] = {H5T_NATIVE_DOUBLE, H5T_STD_I32BE};
    void* const buffers[] = {rho.data(), kind.data()};
    fill_in_turn(rho, kind);
    sweep(comm, mine, error, [&] { return weir_hdf5_write(plan.get(), path.c_str(), names, types, buffers, &error); });
    ASSERT_TRUE(ok(weir_hdf5_write(plan.get(), path.c_str(), names, types, buffers, &error)));
    clear_all(rho, kind);
    sweep(comm, mine, error, [&] { return weir_hdf5_read(plan.get(), path.c_str(), names, types, buffers, &error); });
    EXPECT_TRUE(hold_in_turn(rho, kind));
    EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), open_before);
}

INSTANTIATE_TEST_SUITE_P(All, FailingMemoryInHdf5,
                         ::testing::Values(std::pair{true, false}, std::pair{false, false}, std::pair{true, true},
                                           std::pair{false, true}));

}  // namespace
}  // namespace weir::testing
