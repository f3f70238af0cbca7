#include "sim/lock_unit.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace weir::sim {
namespace {

std::vector<std::uint64_t> units(LockRules const& rules, Striping const& striping, Chunk const& chunk) {
    std::vector<std::uint64_t> found;
    while (auto const unit = lock_unit(rules, striping, chunk, found.size())) {
        found.push_back(*unit);
    }
    return found;
}

TEST(LockUnit, RequestsOfAFileOrATargetNeedOneLock) {
    Striping const striping{10, 4, 0, 4};
    Chunk const chunk{2, 35, 7, 2};
    EXPECT_EQ(units({LockUnit::file}, striping, chunk), (std::vector<std::uint64_t>{0}));
    EXPECT_EQ(units({LockUnit::target}, striping, chunk), (std::vector<std::uint64_t>{2}));
}

/// Against each byte of the request, by itself.
TEST(LockUnit, AllUnitsThatAByteLiesInAreLockedOnceAndInOrder) {
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 3000; ++trial) {
        auto const stripes = 1 + random() % 5;
        auto const striping = striping_of(random() % 3, 1 + random() % 12, stripes, stripes + random() % 3);
        LockRules const rules{LockUnit::bytes, false, random() % 40};
        auto const unit = rules.bytes == 0 ? striping.stripe : rules.bytes;
        auto const begin = random() % 200;
        auto const end = begin + 1 + random() % 200;
        for (Chunks chunks(striping, begin, end - begin, 1 + random() % 60); !chunks.empty();) {
            auto const chunk = chunks.next();
            std::set<std::uint64_t> of_bytes;
            for (auto at = begin; at < end; ++at) {
                auto const stripe = at / striping.stripe;
                auto const place = stripe / striping.stripes * striping.stripe + at % striping.stripe;
                if (striping.target_of(stripe % striping.stripes) == chunk.target && place >= chunk.object_offset &&
                    place < chunk.object_offset + chunk.bytes) {
                    of_bytes.insert(at / unit);
                }
            }
            ASSERT_EQ(units(rules, striping, chunk), std::vector(of_bytes.begin(), of_bytes.end())) << trial;
        }
    }
}

}  // namespace
}  // namespace weir::sim
