// What is said of a word that stands where it does not belong.

#include "storage/engine/wrong_words.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pattern/parametric.hpp"
#include "support/failures/faulty_backend.hpp"
#include "support/has.hpp"
#include "support/patterns/pattern_engine.hpp"

namespace weir {
namespace {

struct MisplacedWord : ::testing::Test {
    /// What is said where the word at `index` of one file stands in another one.
    [[nodiscard]] std::string reason(std::uint64_t from, Rank owner, std::uint64_t index, std::uint64_t in,
                                     Rank reader) {
        auto const pattern = make_pattern(parameters);
        testing::PatternEngine const engine(backend, pattern, EngineSettings{"/nowhere", true, false, 5}, world, clock);
        WrongWords words;
        words.checked = words.wrong = 1;
        words.file = in;
        words.owner = reader.value;
        words.found = engine.stamp_of(from, owner).word(index);
        path = engine.path_of(from, owner).string();
        return diagnose(words, pattern, engine, features).reason;
    }
    Communicator const world = Communicator::world();
    Parameters parameters{.ranks = world.size(),
                          .block = Bytes{4096},
                          .transfer = Bytes{1024},
                          .files = 2,
                          .check = true};
    ManualClock clock;
    testing::FaultyBackend backend;
    Features features;
    std::string path;
};

TEST_F(MisplacedWord, IsFoundInEveryFileOfEveryRank) {
    parameters.layout = Layout::file_per_process;
    for (std::uint64_t file = 0; file < 2; ++file) {
        for (std::uint64_t owner = 0; owner < world.size(); ++owner) {
            auto const told = reason(file, Rank{owner}, 7, 0, Rank{0});
            EXPECT_TRUE(testing::has(told, fmt::format("belongs at offset 56 of the file '{}'", path)));
        }
    }
}

TEST_F(MisplacedWord, IsFoundInOtherFilesOfAll) {
    auto const told = reason(1, Rank{0}, 3, 0, Rank{world.size() - 1});
    EXPECT_TRUE(testing::has(told, "belongs at offset 24 of the file '/nowhere/weir-data-1'"));
}

TEST_F(MisplacedWord, IsToldByItsDatasetWhereTheFileHoldsMoreThanData) {
    features.raw = false;
    auto const told = reason(0, Rank{0}, 3, 0, Rank{0});
    EXPECT_TRUE(testing::has(told, "belongs at offset 24 of the dataset 'data' in '/nowhere/weir-data-0'"));
    parameters.segments = 3;
    parameters.datasets = DatasetUnit::segment;
    auto const segment = 4096 / 8 * world.size();
    auto const of_segment = reason(0, Rank{0}, segment + 5, 0, Rank{0});
    EXPECT_TRUE(testing::has(of_segment, "offset 40 of the dataset 'segment-000001' in"));
}

TEST_F(MisplacedWord, BeyondAllFilesIsNone) {
    auto const told = reason(0, Rank{0}, std::uint64_t{1} << 40U, 1, Rank{0});
    EXPECT_TRUE(testing::has(told, "no word of this run"));
}

}  // namespace
}  // namespace weir
