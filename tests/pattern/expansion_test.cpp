#include "pattern/expansion.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/has.hpp"
#include "support/patterns/patterns.hpp"
#include "support/patterns/phases.hpp"
#include "support/trials.hpp"

namespace weir {
namespace {

std::string csv_of(Pattern const& pattern, Rank rank) {
    std::string text;
    expansion_csv(pattern, rank, [&](std::string_view part) { text += part; });
    return text;
}

TEST(Expansion, OfARankInOrder) {
    auto access = testing::access_of({0, 2, 1}, {{2, 8}}, {0, {{2, 16}}, 8});
    access.sync_each = true;
    auto phase =
        testing::phase_of("one, \"two\"", {Open{0, OpenMode::update}, Preallocate{0, 32},
                                           Repeat{2, {access, Compute{Seconds{0.5}, {{0, 1, 1}}}}}, Sync{0}, Close{0}});
    Pattern const pattern{"p", 2, {{"data", false, 0}}, {phase}};
    EXPECT_EQ(csv_of(pattern, Rank{1}), R"(1,"one, ""two""",0,open,data,,,,update,,
1,"one, ""two""",1,preallocate,data,,32,,,,
1,"one, ""two""",2,write,data,8,8,,,,
1,"one, ""two""",2,sync,data,,,,,,
1,"one, ""two""",2,write,data,24,8,,,,
1,"one, ""two""",2,sync,data,,,,,,
1,"one, ""two""",2,write,data,8,8,,,,
1,"one, ""two""",2,sync,data,,,,,,
1,"one, ""two""",2,write,data,24,8,,,,
1,"one, ""two""",2,sync,data,,,,,,
1,"one, ""two""",4,sync,data,,,,,,
1,"one, ""two""",5,close,data,,,,,,
)");
    auto const of_first = csv_of(pattern, Rank{0});
    EXPECT_TRUE(testing::has(of_first, ",3,compute,,,,0.5,,,\n"));
}

TEST(Expansion, ABarrierIsOneOfItsRanks) {
    auto phase = testing::phase_of("p", {Barrier{}, Barrier{{{0, 1, 1}}}});
    Pattern const pattern{"p", 2, {}, {phase}};
    EXPECT_EQ(csv_of(pattern, Rank{0}), "0,p,0,barrier,,,,,,,\n0,p,1,barrier,,,,,,,\n");
    EXPECT_EQ(csv_of(pattern, Rank{1}), "1,p,0,barrier,,,,,,,\n");
}

/// What does not fit into memory at once: each line once, in order.
TEST(Expansion, ComesInPartsWhereItIsLong) {
    constexpr std::uint64_t count = 10'000;
    auto const phase = testing::phase_of("p", {testing::access_of({}, {}, {0, {{count, 8}}, 8})});
    Pattern const pattern{"p", 1, {{"data"}}, {phase}};
    std::string expected;
    for (std::uint64_t i = 0; i < count; ++i) {
        expected += fmt::format("0,p,0,write,data,{},8,,,,\n", 8 * i);
    }
    std::string text;
    std::size_t longest = 0;
    expansion_csv(pattern, Rank{0}, [&](std::string_view part) {
        longest = std::max(longest, part.size());
        text += part;
    });
    EXPECT_TRUE(text == expected) << text.size() << " bytes of " << expected.size();
    EXPECT_LT(longest, expected.size() / 2);
}

/// Against the enumeration that other tests use.
TEST(Expansion, HasEveryRequest) {
    testing::each_trial<std::mt19937>(100, 12, [&](std::mt19937& random) {
        auto const pattern = make_pattern(testing::random_parameters(random));
        for (std::uint64_t rank = 0; rank < pattern.ranks; ++rank) {
            auto const requests = testing::requests_of(pattern, Rank{rank});
            std::size_t at = 0;
            expand(pattern, Rank{rank}, [&](Deed const& deed) {
                if (deed.action != Action::write && deed.action != Action::read) {
                    return;
                }
                ASSERT_LT(at, requests.size());
                auto const& request = requests[at++];
                EXPECT_EQ(std::tuple(deed.action == Action::read, deed.file, deed.offset, deed.length),
                          std::tuple(request.reads, request.file, request.offset, request.length));
            });
            ASSERT_EQ(at, requests.size());
        }
    });
}

}  // namespace
}  // namespace weir
