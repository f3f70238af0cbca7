#include "sim/striping.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace weir::sim {
namespace {

/// All bytes one by one: by target and place there.
std::map<std::pair<std::uint64_t, std::uint64_t>, int> bytes_of(Striping const& striping, std::uint64_t offset,
                                                                std::uint64_t bytes) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> found;
    for (auto at = offset; at < offset + bytes; ++at) {
        auto const stripe = at / striping.stripe;
        ++found[{striping.target_of(stripe % striping.stripes),
                 stripe / striping.stripes * striping.stripe + at % striping.stripe}];
    }
    return found;
}

TEST(Chunks, CoverEachByteOnce) {
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 3000; ++trial) {
        auto const stripes = 1 + random() % 7;
        auto const striping = striping_of(random() % 5, 1 + random() % 12, stripes, stripes + random() % 3);
        auto const offset = random() % 200;
        auto const bytes = random() % 300;
        auto const most = 1 + random() % 40;
        std::map<std::pair<std::uint64_t, std::uint64_t>, int> found;
        for (Chunks chunks(striping, offset, bytes, most); !chunks.empty();) {
            auto const chunk = chunks.next();
            ASSERT_GT(chunk.bytes, 0U);
            ASSERT_LE(chunk.bytes, most);
            for (std::uint64_t i = 0; i < chunk.bytes; ++i) {
                ++found[{chunk.target, chunk.object_offset + i}];
            }
        }
        ASSERT_EQ(found, bytes_of(striping, offset, bytes)) << trial;
    }
}

TEST(Chunks, AreOneForEachTargetWhereRequestsAreLarge) {
    Striping const striping{10, 4, 1, 8};
    std::vector<std::uint64_t> targets, stripes;
    for (Chunks chunks(striping, 35, 80, 1000); !chunks.empty();) {
        auto const chunk = chunks.next();
        targets.push_back(chunk.target);
        stripes.push_back(chunk.stripe);
        EXPECT_EQ(chunk.partial, chunk.target == 4 ? 2U : 0U) << "of 35 to 40, and of 110 to 115";
    }
    EXPECT_EQ(targets, (std::vector<std::uint64_t>{4, 1, 2, 3}));
    EXPECT_EQ(stripes, (std::vector<std::uint64_t>{3, 4, 5, 6})) << "locks are of stripes";
}

TEST(Chunks, HaveUpToTwoStripesOfWhichTheyAreAPart) {
    Striping const striping{10, 1, 0, 1};
    auto const partial = [&](std::uint64_t offset, std::uint64_t bytes, std::uint64_t most = 1000) {
        return Chunks(striping, offset, bytes, most).next().partial;
    };
    EXPECT_EQ(partial(10, 20), 0U);
    EXPECT_EQ(partial(15, 15), 1U);
    EXPECT_EQ(partial(10, 15), 1U);
    EXPECT_EQ(partial(15, 20), 2U);
    EXPECT_EQ(partial(12, 3), 1U) << "both ends in one";
    EXPECT_EQ(partial(5, 5, 5), 0U) << "requests of half a stripe, which the target joins";
}

}  // namespace
}  // namespace weir::sim
