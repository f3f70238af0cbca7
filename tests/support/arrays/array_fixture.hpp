#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "support/arrays/array_case.hpp"
#include "support/has.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir::testing {

/// Ranks that dump arrays into a file in a directory of their own.
class ArrayFixture : public ::testing::Test {
  protected:
    /// On rank 0 alone, while the others wait.
    template <class Work>
    void on_root(Work work) const {
        weir::testing::on_root(comm, work);
    }

    /// Did the call that has just returned do what it was asked? If not, the failure holds what the library said.
    [[nodiscard]] ::testing::AssertionResult ok(int code) const {
        return (code == WEIR_OK ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << error.message;
    }

    /// Does the last error hold these words?
    [[nodiscard]] ::testing::AssertionResult says(std::string const& words) const { return has(error.message, words); }

    /// An array of this shape in blocks, over all ranks.
    [[nodiscard]] Layout blocks(Indices shape, Indices grid = {}, std::uint64_t element_bytes = 8) const {
        Layout layout;
        layout.ranks = comm.size();
        layout.shape = std::move(shape);
        layout.grid = std::move(grid);
        layout.element_bytes = element_bytes;
        return layout;
    }

    [[nodiscard]] Arrays arrays_of(Layout const& layout) const { return {{layout}, comm.rank()}; }
    [[nodiscard]] PlanHandle plan_for(std::vector<weir_array*> const& arrays, std::string const& options = "") const {
        return weir::testing::plan_of(comm, arrays, options);
    }

    /// The plan that there must be. Collective, as all that follow.
    PlanHandle planned(Arrays const& arrays, std::string const& options) {
        auto plan = arrays.plan(comm.handle(), options, &error);
        EXPECT_TRUE(plan) << options << ": " << error.message;
        return plan;
    }
    int write(PlanHandle const& plan, Arrays& arrays, std::uint64_t version = 1) {
        return weir_write(plan.get(), path.c_str(), offset, arrays.filled(version), &error);
    }
    int read(PlanHandle const& plan, Arrays& arrays) {
        return weir_read(plan.get(), path.c_str(), offset, arrays.cleared(), &error);
    }
    /// Writes a version, and reads it.
    void there_and_back(PlanHandle const& plan, Arrays& arrays, std::uint64_t version) {
        ASSERT_TRUE(ok(write(plan, arrays, version)));
        ASSERT_TRUE(ok(read(plan, arrays)));
        EXPECT_EQ(arrays.wrong(version), "");
    }

    Communicator const comm = Communicator::duplicate(MPI_COMM_WORLD);
    std::int64_t const ranks = static_cast<std::int64_t>(comm.size());
    bool const is_last = comm.rank() + 1 == comm.size();
    bool const alone = comm.size() == 1;
    TemporaryDirectory const directory{comm};
    std::string path = directory.path() / "file";
    std::int64_t offset = 0;  ///< of the arrays in the file
    weir_error error{};
};

}  // namespace weir::testing
