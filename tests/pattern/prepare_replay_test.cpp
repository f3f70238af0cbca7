#include "pattern/prepare_replay.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/patterns/phases.hpp"
#include "support/patterns/repeats.hpp"

namespace weir {
namespace {

using testing::phase_of;

Access whole(std::uint64_t file, Verb verb, std::uint64_t bytes) {
    auto access = testing::access_of({0, 3, 1}, {}, {0, {}, bytes});
    access.verb = verb;
    access.file = file;
    return access;
}

TEST(WithoutGaps, LeavesOutComputing) {
    Pattern pattern{"p", 3, {{"a"}}, {}};
    pattern.phases = {phase_of("p", {Open{0}, Repeat{2, {Compute{Seconds{1}}}},
                                     Repeat{2, {Compute{Seconds{1}}, Barrier{}, Sync{0}}}, Close{0}})};
    auto const result = without_gaps(pattern);
    EXPECT_EQ(result.phases[0].steps, (std::vector<Step>{Open{0}, Repeat{2, {Barrier{}, Sync{0}}}, Close{0}}));
}

TEST(WithFilesMade, LeavesAPatternThatMakesItsFilesAsItIs) {
    Pattern pattern{"p", 3, {{"a"}}, {}};
    pattern.phases = {phase_of("w", {Open{0}, whole(0, Verb::write, 8), Close{0}}),
                      phase_of("r", {Open{0, OpenMode::read}, whole(0, Verb::read, 8), Close{0}})};
    EXPECT_EQ(with_files_made(pattern), pattern);
}

/// Formats have no bytes outside their arrays.
TEST(WithFilesMade, WritesTheArraysOfAFileOfWhichNothingElseIsAskedFor) {
    Pattern pattern{"p", 6, {{"arrays"}}, {}};
    pattern.files[0].arrays = {{"time", {Element::Kind::real, 8}, {}, 0},
                               {"field", {Element::Kind::real, 4}, {5, 7}, 8}};
    pattern.partitions = {{.grid = {1, 6}}};
    pattern.phases = {
        phase_of("r", {Open{0, OpenMode::read}, access_to(pattern, Verb::read, 0, 1, 0, {0, 6, 1}), Close{0}})};
    auto const result = with_files_made(pattern);
    validate_pattern(result);
    ASSERT_EQ(result.phases.size(), 2U);
    EXPECT_EQ(totals(result).bytes_written, 8U + 4 * 5 * 7);
    each_access(result.phases[0].steps, [](Access const& access, Loops const&) { EXPECT_TRUE(access.part); });
}

/// Every byte of every file that is only found is written once, in pieces that do not cross datasets.
TEST(WithFilesMade, WritesWhatIsOnlyFound) {
    for (std::uint64_t const bytes : {1ULL, 4096ULL, 5ULL << 20, (7ULL << 20) + 24}) {
        Pattern pattern{"p", 3, {{"shared"}, {"own", true}, {"sets", false, 3ULL << 19}, {"made"}}, {}};
        pattern.phases = {phase_of("prepare", {Open{3}, Close{3}})};
        for (std::uint64_t file = 0; file < 4; ++file) {
            auto const mode = file == 1 ? OpenMode::update : OpenMode::read;
            pattern.phases.push_back(
                phase_of("r" + std::to_string(file), {Open{file, mode}, whole(file, Verb::read, bytes), Close{file}}));
        }
        auto const result = with_files_made(pattern);
        validate_pattern(result);
        ASSERT_EQ(result.phases.size(), pattern.phases.size() + 1);
        ASSERT_EQ(result.phases[0].name, "prepare-2");
        EXPECT_EQ(file_sizes(result), file_sizes(pattern));
        std::map<std::string, std::map<std::uint64_t, std::uint64_t>> written;
        testing::expand_all(result, [&](std::uint64_t, Deed const& deed) {
            if (deed.action == Action::write) {
                EXPECT_TRUE(written[std::string(deed.file)].emplace(deed.offset, deed.length).second);
                EXPECT_TRUE(deed.file != "sets" || deed.offset % (3U << 19) + deed.length <= 3U << 19);
            }
        });
        EXPECT_EQ(written.size(), 5U) << "two shared files and three ranks' own";
        for (auto const& [name, pieces] : written) {
            std::uint64_t end = 0;
            for (auto const& [offset, length] : pieces) {
                EXPECT_EQ(offset, end) << name;
                end = offset + length;
            }
            EXPECT_EQ(end, bytes) << name;
        }
    }
}

}  // namespace
}  // namespace weir
