// Many boxes and many small windows: what a plan and a dump take does not grow with the product of both. Where it did,
// each of these tests took minutes.

#include <gtest/gtest.h>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {
namespace {

class ManyBoxes : public ArrayFixture {
  protected:
    static constexpr std::int64_t many = 40'000;

    /// The i-th box is of one rank, or of all ranks.
    [[nodiscard]] Layout boxes(Indices const& shape, bool all, Indices const& step, Indices const& count) const {
        auto layout = blocks(shape);
        layout.distribution = Distribution::boxes;
        layout.starts.resize(layout.ranks);
        layout.counts = layout.starts;
        for (std::int64_t i = 0; i < many; ++i) {
            for (std::int64_t rank = 0; rank < ranks; ++rank) {
                if (all || i % ranks == rank) {
                    layout.starts[static_cast<std::size_t>(rank)].push_back({i * step[0], i * step[1]});
                    layout.counts[static_cast<std::size_t>(rank)].push_back(count);
                }
            }
        }
        return layout;
    }

    static constexpr char const* tiny = "method=two_phase window=64B align=1B sync=no";
};

TEST_F(ManyBoxes, ThatLieBelowEachOtherAreDumped) {
    Arrays arrays({boxes({many, 2}, false, {1, 0}, {1, 2})}, comm.rank());
    there_and_back(planned(arrays, tiny), arrays, 1);
}

TEST_F(ManyBoxes, ThatLieSideBySideAreDumped) {
    Arrays arrays({boxes({2, many}, false, {0, 1}, {2, 1})}, comm.rank());
    there_and_back(planned(arrays, tiny), arrays, 1);
}

/// Columns of more pieces than make a box a list by themselves.
TEST_F(ManyBoxes, ThatAreLongColumnsAreDumped) {
    Arrays arrays({boxes({20, many}, false, {0, 1}, {20, 1})}, comm.rank());
    there_and_back(planned(arrays, tiny), arrays, 1);
}

TEST_F(ManyBoxes, ThatAllRanksHoldAreRead) {
    Arrays written({blocks({many, 2})}, comm.rank());
    ASSERT_TRUE(ok(write(planned(written, ""), written, 3)));
    Arrays arrays({boxes({many, 2}, true, {1, 0}, {1, 2})}, comm.rank());
    auto const plan = planned(arrays, tiny);
    if (!alone) {
        EXPECT_EQ(write(plan, arrays), WEIR_OVERLAP);
    }
    ASSERT_TRUE(ok(read(plan, arrays)));
    EXPECT_EQ(arrays.wrong(3), "");
}

}  // namespace
}  // namespace weir::testing
