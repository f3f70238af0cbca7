#include "pattern/cache_fill.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"

namespace weir {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t gibibyte = 1ULL << 30;

Parameters of_two_ranks() { return {.ranks = 2, .block = Bytes{gibibyte}, .transfer = Bytes{mebibyte}}; }

TEST(CacheFill, IsTheFilesWhereAllOfThemIsMoved) {
    EXPECT_EQ(cache_fill(make_pattern(of_two_ranks())), (CacheFill{2 * gibibyte, {}, 0}));
}

TEST(CacheFill, IsThePagesOfFewRequestsFarApart) {
    auto pattern = make_pattern(of_two_ranks());
    auto& access = std::get<Access>(pattern.phases.front().steps.at(1));
    access.extent.levels = {{2, static_cast<std::int64_t>(gibibyte)}};
    access.extent.length = 100;
    pattern.phases.resize(1);
    EXPECT_EQ(cache_fill(pattern).bytes, 4 * (100U + 2 * 4096)) << "two pieces of each rank, each in two pages at most";
}

TEST(CacheFill, OfReadingCountsWhereNothingIsWritten) {
    struct Case {
        char const* what;
        void (*change)(Parameters&);
    };
    for (auto const& [what, change] :
         {Case{"only read", [](auto& p) { p.write = false; }},
          {"checked too: a request of each rank may end after the time", [](auto& p) { p.check = true; }},
          {"mixed: what the phase that only reads moves is among it", [](auto& p) {
               p.write = false;
               p.mixed = true;
           }}}) {
        auto p = of_two_ranks();
        p.time_limit = Seconds{3};
        change(p);
        EXPECT_EQ(cache_fill(make_pattern(p)), (CacheFill{2 * gibibyte, Seconds{6}, 2 * mebibyte})) << what;
    }
}

TEST(CacheFill, HasNoTimeWhereWritingHasNone) {
    auto pattern = make_pattern(of_two_ranks());
    pattern.phases.back().time_limit = Seconds{3};
    EXPECT_FALSE(cache_fill(pattern).rank_time.has_value());
}

TEST(BytesAtRate, AreNoMoreThanTheTimeAllows) {
    CacheFill const limited{gibibyte, Seconds{2}, 100};
    EXPECT_EQ(bytes_at_rate(limited, 1000), 2100U);
    EXPECT_EQ(bytes_at_rate(limited, 1e12), gibibyte);
    EXPECT_EQ(bytes_at_rate({gibibyte, {}, 0}, 1000), gibibyte) << "no limit";
}

}  // namespace
}  // namespace weir
