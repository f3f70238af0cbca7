#include "apps/common/run/pattern_of_dumps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

/// Heat's dump in two parts, on boxes of this many planes.
DumpPlan in_parts(Index planes) {
    auto plan = heat::files_of({8, 4, planes}, 2);
    auto const second = std::ranges::find_if(plan.dump, [](Step const& step) {
        auto const* open = std::get_if<Open>(&step);
        return open != nullptr && open->file == 2;
    });
    plan.parts = {{"restart", 0}, {"picture", static_cast<std::size_t>(second - plan.dump.begin())}};
    plan.shape.files[2].name = "picture_####.raw";
    return plan;
}

std::vector<std::string> names_of(Pattern const& pattern) {
    std::vector<std::string> names;
    for (auto const& file : pattern.files) {
        names.push_back(file.name);
    }
    return names;
}

TEST(PatternOfDumps, NumbersFilesWhoseNamesSaySo) {
    auto const pattern = pattern_of_dumps(in_parts(6), {.first = 4, .steps = 4, .every = 2}, false);
    EXPECT_EQ(names_of(pattern),
              (std::vector<std::string>{"restart", "restart.part", "picture_0002.raw", "picture_0003.raw"}));
    EXPECT_EQ(pattern.phases.size(), 1U) << "equal dumps are one repeat";
}

TEST(PatternOfDumps, HasAPhaseForEachPartOfOneDump) {
    auto const plan = in_parts(6);
    auto const pattern = pattern_of_dumps(plan, {.steps = 2, .every = 2}, false);
    ASSERT_EQ(pattern.phases.size(), 2U);
    EXPECT_EQ(pattern.phases[0].name, "restart");
    EXPECT_EQ(pattern.phases[1].name, "picture");
    EXPECT_EQ(pattern.phases[0].steps.size() + pattern.phases[1].steps.size(), plan.dump.size());
    EXPECT_EQ(totals(pattern).bytes_written, state + picture);
}

TEST(PatternOfDumps, FollowsAPlanThatChanges) {
    auto const pattern = pattern_of_dumps({in_parts(6), in_parts(12)}, {.steps = 4, .every = 2}, true);
    EXPECT_EQ(names_of(pattern),
              (std::vector<std::string>{"restart-000002", "restart.part-000002", "picture_0000.raw", "restart-000004",
                                        "restart.part-000004", "picture_0001.raw"}));
    ASSERT_EQ(pattern.phases.size(), 5U);
    EXPECT_EQ(pattern.phases[0].name, "restart");
    EXPECT_EQ(pattern.phases[4].name, "picture 0001");
    auto const sums = totals(pattern);
    EXPECT_EQ(sums.bytes_written, state + picture + (state - 8) * 2 + 8 + 2 * picture);
    EXPECT_EQ(sums.bytes_read, state);
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
}

TEST(PatternOfDumps, HasNoPhaseForWhatIsNotDone) {
    EXPECT_TRUE(pattern_of_dumps(heat::files_of(cells, 2), {.steps = 6}, false).phases.empty());
    EXPECT_EQ((DumpTimes{.first = 4, .steps = 1, .every = 5}).count(), 1U);
    EXPECT_EQ((DumpTimes{.first = 5, .steps = 4, .every = 5}).count(), 0U);
    DumpTimes const with_initial{.first = 0, .steps = 5, .every = 2, .initial = true};
    EXPECT_EQ(with_initial.count(), 3U);
    EXPECT_EQ(with_initial.step_of(0), 0U);
    EXPECT_EQ(with_initial.step_of(1), 2U);
    EXPECT_EQ((DumpTimes{.steps = 5, .every = 0, .initial = true}).count(), 0U);
    EXPECT_EQ(name_after("a-###.h5", {7, 12}), "a-012.h5") << "as many digits as signs";
}

}  // namespace
}  // namespace weir
