// What a program may do around the calls.

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "support/array_case.hpp"
#include "support/temporary_directory.hpp"

namespace weir::testing {
namespace {

class Calls : public ::testing::Test {
  protected:
    Communicator const comm = Communicator::world();
    TemporaryDirectory const directory{comm};
    std::string const path = directory.path() / "file";
    weir_error error{};
};

/// Messages that are on their way when a dump begins go on: a rank that waits for one before it takes part in the dump
/// is waited for by ranks that must answer it.
TEST_F(Calls, LetTheProgramsOwnMessagesMoveOn) {
    Layout layout;
    layout.ranks = comm.size();
    layout.shape = {1000, 10};
    layout.element_bytes = 8;
    Arrays arrays({layout}, comm.rank());
    for (auto const* options : {"method=two_phase", "method=independent", "method=gather", "method=grouped group=2"}) {
        auto const plan = arrays.plan(comm.handle(), options, &error);
        ASSERT_TRUE(plan) << error.message;
        auto const next = static_cast<int>((comm.rank() + 1) % comm.size());
        auto const last = static_cast<int>((comm.rank() + comm.size() - 1) % comm.size());
        std::vector<double> out(1 << 20, 1.0);
        std::vector<double> in(1 << 20, 0.0);
        MPI_Request request = MPI_REQUEST_NULL;
        auto const count = static_cast<int>(in.size());
        MPI_Irecv(in.data(), count, MPI_DOUBLE, last, 0, comm.handle(), &request);
        if (!comm.is_root()) {
            MPI_Send(out.data(), count, MPI_DOUBLE, next, 0, comm.handle());
        }
        EXPECT_EQ(weir_write(plan.get(), path.c_str(), 0, arrays.filled(1), &error), WEIR_OK) << error.message;
        if (comm.is_root()) {
            MPI_Send(out.data(), count, MPI_DOUBLE, next, 0, comm.handle());
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(in.back(), 1.0);
    }
}

}  // namespace
}  // namespace weir::testing
