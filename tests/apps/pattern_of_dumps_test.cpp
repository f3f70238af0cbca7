#include "apps/common/run/pattern_of_dumps.hpp"

#include <gtest/gtest.h>

#include "apps/template/heat_files.hpp"
#include "core/json.hpp"
#include "pattern/expansion.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/scale.hpp"

namespace weir {
namespace {

constexpr Triple cells{8, 4, 6};
constexpr std::uint64_t state = 8 + 8 * 8 * 4 * 6;
constexpr std::uint64_t picture = 4 * 8 * 4 * 6;

TEST(PatternOfDumps, NamesNewFilesAfterTheirSteps) {
    auto const pattern = pattern_of_dumps(heat::files_of(cells, 2), {.first = 3, .steps = 6, .every = 2}, true);
    std::vector<std::string> made;
    expand(pattern, Rank{0}, [&](Deed const& deed) {
        if (deed.action == Action::open || deed.action == Action::rename) {
            made.push_back(std::string(to_text(deed.action)) + " " + std::string(deed.file));
        }
    });
    std::vector<std::string> expected{"open restart"};
    for (auto const* name : {"temperature-000004", "temperature-000006", "temperature-000008"}) {
        expected.insert(expected.end(), {"open restart.part", "rename restart.part", std::string("open ") + name});
    }
    EXPECT_EQ(made, expected);
    auto const sums = totals(pattern);
    EXPECT_EQ(sums.bytes_written, 3 * (state + picture));
    EXPECT_EQ(sums.bytes_read, state);
    EXPECT_EQ(sums.bytes_on_disk, state + 3 * picture);
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
}

TEST(PatternOfDumps, GoesOverToOtherNumbersOfRanks) {
    auto const pattern = pattern_of_dumps(heat::files_of(cells, 2), {.steps = 2, .every = 1}, true);
    EXPECT_EQ(totals(scaled(pattern, 12)).bytes_written, totals(pattern).bytes_written);
    auto const of_one = pattern_of_dumps(heat::files_of(cells, 1), {.steps = 2, .every = 1}, true);
    EXPECT_EQ(totals(scaled(of_one, 2)).bytes_written, totals(pattern).bytes_written) << "one rank has the step";
}

TEST(PatternOfDumps, HasNoPhaseForWhatIsNotDone) {
    EXPECT_TRUE(pattern_of_dumps(heat::files_of(cells, 2), {.steps = 6}, false).phases.empty());
    EXPECT_EQ((DumpTimes{.first = 4, .steps = 1, .every = 5}).count(), 1U);
    EXPECT_EQ((DumpTimes{.first = 5, .steps = 4, .every = 5}).count(), 0U);
}

}  // namespace
}  // namespace weir
