// What a program may do around the calls: messages of its own, and reads of the same bytes by several ranks.

#include <gtest/gtest.h>

#include <numeric>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {
namespace {

using Calls = ArrayFixture;

/// Messages that are on their way when a dump begins go on: a rank that waits for one before it takes part in the dump
/// is waited for by ranks that must answer it.
TEST_F(Calls, LetTheProgramsOwnMessagesMoveOn) {
    auto arrays = arrays_of(blocks({1000, 10}));
    for (auto const* options : {"method=two_phase", "method=independent", "method=gather", "method=grouped group=2"}) {
        auto const plan = planned(arrays, options);
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
        EXPECT_TRUE(ok(write(plan, arrays, 1)));
        if (comm.is_root()) {
            MPI_Send(out.data(), count, MPI_DOUBLE, next, 0, comm.handle());
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(in.back(), 1.0);
    }
}

/// Each rank reads the first half of an array, of which the file has no more: that ranks ask for as many bytes as it
/// has does not mean that they ask for all of them.
TEST_F(Calls, AskForNoByteThatNobodyWants) {
    constexpr std::int64_t half = 1000;
    std::vector<std::int64_t> expected(half);
    std::iota(expected.begin(), expected.end(), 1);
    on_root([&] {
        auto const* first = reinterpret_cast<std::byte const*>(expected.data());
        make_file(path, {first, first + half * sizeof expected[0]});
    });
    for (auto const* options : {"method=two_phase", "method=two_phase writers=1 readers=1", "method=gather",
                                "method=two_phase exchange=messages", "method=independent", "method=grouped"}) {
        std::int64_t const start = 0;
        auto const array = array_by(weir_array_pieces, 2 * half, 1, &start, &half, sizeof expected[0]);
        auto const plan = plan_for({array.get()}, options);
        std::vector<std::int64_t> found(half);
        void* buffers[] = {found.data()};
        EXPECT_TRUE(ok(weir_read(plan.get(), path.c_str(), 0, buffers, &error))) << options;
        EXPECT_EQ(found, expected) << options;
    }
}

}  // namespace
}  // namespace weir::testing
