// A collective call of MPI that fails on one rank, after it has taken part: all ranks return MPI's words, none waits.

#include <gtest/gtest.h>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "support/arrays/array_fixture.hpp"

namespace {

/// How many reductions succeed before one fails; negative: all do.
int reductions_left = -1;
int reductions = 0;  ///< made

}  // namespace

// In the place of the library's, for all of this program.
int MPI_Allreduce(void const* mine, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    auto const status = PMPI_Allreduce(mine, result, count, type, op, comm);
    ++reductions;
    return reductions_left >= 0 && reductions_left-- == 0 ? MPI_ERR_OTHER : status;
}

namespace weir::testing {
namespace {

using FailingMpi = ArrayFixture;

TEST_F(FailingMpi, IsRememberedUntilTheNextAgreement) {
    reductions_left = is_last ? 0 : -1;
    EXPECT_EQ(comm.max(std::uint64_t{7}), 7U);
    EXPECT_EQ(comm.has_trouble(), is_last);
    EXPECT_THROW(agree(comm, {}), Error);
    EXPECT_FALSE(comm.has_trouble());
    EXPECT_NO_THROW(agree(comm, {}));
}

TEST_F(FailingMpi, IsKnownToTheCommunicatorThatAPartIsOf) {
    auto const half = comm.split(comm.rank() % 2);
    reductions_left = is_last ? 0 : -1;
    static_cast<void>(half.sum(1));
    EXPECT_EQ(comm.has_trouble(), is_last);
    EXPECT_THROW(agree(comm, {}), Error);
}

class FailingMpiInPlans : public FailingMpi, public ::testing::WithParamInterface<char const*> {};

TEST_P(FailingMpiInPlans, LeavesNoRankWaiting) {
    auto const array = made(blocks({96, 25}), comm.rank());
    auto* const handle = array.get();
    int failed = 0;
    for (int n = 0; n < 60; ++n) {
        SCOPED_TRACE(n);
        reductions_left = is_last ? n : -1;
        weir_plan* plan = nullptr;
        auto const code = weir_plan_make(comm.handle(), 1, &handle, GetParam(), &plan, &error);
        bool const beyond = comm.max(std::uint64_t{is_last && reductions_left >= 0 ? 1U : 0U}) != 0;
        reductions_left = -1;
        auto const told = comm.all_gather(std::to_string(code) + (code == WEIR_OK ? "" : error.message));
        EXPECT_EQ(told[comm.rank()], told[0]);
        EXPECT_TRUE(code == WEIR_OK || code == WEIR_MPI) << error.message;
        failed += code == WEIR_OK ? 0 : 1;
        weir_plan_free(plan);
        if (beyond) {
            break;
        }
    }
    EXPECT_GT(failed, 0);
}

INSTANTIATE_TEST_SUITE_P(ByRoute, FailingMpiInPlans,
                         ::testing::Values("method=two_phase exchange=messages", "method=two_phase",
                                           "method=two_phase node_size=2"),
                         [](auto const& one) { return std::to_string(one.index); });

/// With more ranks than cores each of MPI's reductions takes a time slice: 34 of them were most of a first dump.
TEST_F(FailingMpi, IsAskedForFewReductionsByAPlan) {
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> const lengths(100, 10);
    for (std::int64_t i = 0; i < 100; ++i) {
        offsets.push_back(10 * (ranks * i + static_cast<std::int64_t>(comm.rank())));
    }
    weir_array* array = nullptr;
    ASSERT_EQ(weir_array_pieces(1000 * ranks, 100, offsets.data(), lengths.data(), 8, &array, &error), WEIR_OK);
    std::array<weir_array*, 2> const arrays{array, array};
    weir_plan* plan = nullptr;
    reductions = 0;
    auto const code = weir_plan_make(comm.handle(), 2, arrays.data(), "method=two_phase", &plan, &error);
    auto const counted = reductions;
    weir_plan_free(plan);
    weir_array_free(array);
    ASSERT_EQ(code, WEIR_OK) << error.message;
    EXPECT_LE(counted, 20);
}

}  // namespace
}  // namespace weir::testing
