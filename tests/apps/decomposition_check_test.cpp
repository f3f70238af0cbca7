#include "apps/common/decomposition_check.hpp"

#include <gtest/gtest.h>

#include <random>

#include "apps/common/decomposition.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

std::string refusal(Triple const& cells, Index size, std::optional<Triple> const& asked, Demands const& demands) {
    return Error(testing::refusal_of(ExitCode::usage, [&] { check_fit(cells, size, asked, demands); })).what();
}

TEST(Fit, SaysAllThatIsInTheWayAndWhatWouldDo) {
    EXPECT_EQ(refusal({30, 20, 10}, 4, Triple{4, 1, 2}, {4, true}),
              "a grid of 30x20x10 cells does not fit 4 ranks (ranks_along = 4x1x2 are 8 ranks, and this launch has 4; "
              "30 cells along x cannot be divided by 4 ranks; method = two-phase has 4 ranks write as many complete "
              "planes, and there are 10). Take cells = 30x20x12 without ranks_along, or 5 ranks without ranks_along.");
    EXPECT_EQ(refusal({64, 64, 6}, 4, {}, {4, true}),
              "a grid of 64x64x6 cells does not fit 4 ranks (method = two-phase has 4 ranks write as many complete "
              "planes, and there are 6). Take cells = 64x64x8, or 2 ranks, or method = rank0 or independent.");
    EXPECT_EQ(refusal({16, 16, 16}, 4, Triple{2, 2, 1}, {4, true}), "");
}

TEST(Fit, ChoosesBlocksThatAreThickEnough) {
    // The least surface would have blocks of 3 cells along z.
    EXPECT_EQ(ranks_along({{16, 64, 12}, 1}, 4, {}), (Triple{1, 4, 1}));
    EXPECT_EQ(refusal({8, 8, 4}, 4, {}, {4, false}), "");
    EXPECT_EQ(ranks_along({{8, 8, 4}, 1}, 4, {}), (Triple{2, 2, 1}));
}

TEST(Fit, AdviceThatIsFollowedFits) {
    std::mt19937 draw(17);
    auto const number = [&](Index most) { return static_cast<Index>(1 + draw() % static_cast<unsigned>(most)); };
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        Triple const cells{number(100), number(100), number(100)};
        Demands const demands{draw() % 2 == 0 ? 1 : 4, draw() % 2 == 0};
        std::optional<Triple> const asked =
            draw() % 2 == 0 ? std::optional(Triple{number(4), number(4), number(4)}) : std::nullopt;
        auto const size = asked && draw() % 2 == 0 ? volume(*asked) : number(64);
        auto const keeps = asked && volume(*asked) == size ? asked : std::nullopt;
        refused += misfits(cells, size, asked, demands).empty() ? 0 : 1;
        auto const good = nearest_cells(cells, size, asked, demands);
        EXPECT_EQ(refusal(good, size, keeps, demands), "");
        EXPECT_NO_THROW(Decomposition({}, {good, 1}, Triple{1, 1, 1}));
        auto const ranks = ranks_along({good, 1}, size, keeps);
        for (std::size_t a = 0; a < axes; ++a) {
            EXPECT_GE(good[a] / ranks[a], demands.thinnest);
        }
        if (auto const other = nearest_size(cells, size, demands)) {
            EXPECT_EQ(refusal(cells, *other, {}, demands), "");
        } else {
            EXPECT_LT(std::min({cells[0], cells[1], cells[2]}), demands.thinnest);
        }
    }
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace weir
