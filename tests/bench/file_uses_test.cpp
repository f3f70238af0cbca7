#include "bench/file_uses.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"

namespace weir {
namespace {

constexpr std::uint64_t kib = 1 << 10;

Parameters small() { return {.ranks = 3, .block = Bytes{8 * kib}, .transfer = Bytes{2 * kib}, .segments = 2}; }

TEST(FileUses, TellsWhatARunMakesAndWhatItFinds) {
    auto p = small();
    p.check = true;
    auto const makes = file_uses(make_pattern(p)).at(0);
    EXPECT_TRUE(makes.created);
    EXPECT_FALSE(makes.checked_before);
    p.write = false;
    auto const finds = file_uses(make_pattern(p)).at(0);
    EXPECT_FALSE(finds.created);
    EXPECT_TRUE(finds.checked_before);
    EXPECT_FALSE(finds.updated_before);
    p.check = false;
    p.mixed = true;
    EXPECT_TRUE(file_uses(make_pattern(p)).at(0).updated_before);
    p.write = true;
    EXPECT_FALSE(file_uses(make_pattern(p)).at(0).updated_before);
}

TEST(FileUses, RanksShareFilesUnlessEachKeepsToItsOwn) {
    auto p = small();
    EXPECT_TRUE(shares_files(make_pattern(p)));
    p.layout = Layout::file_per_process;
    EXPECT_FALSE(shares_files(make_pattern(p)));
    p.reorder = Readers::node;
    EXPECT_TRUE(shares_files(make_pattern(p)));
}

TEST(FileUses, AFileIsMadeByTheRenamingOfAnother) {
    auto pattern = make_pattern(small());
    pattern.files.push_back({.name = "last"});
    pattern.phases.at(0).steps.emplace_back(Rename{.file = 0, .to = 1});
    auto const uses = file_uses(pattern);
    EXPECT_TRUE(uses.at(0).created && uses.at(1).created);
}

TEST(FileUses, KnowsWhatIsWrittenWithoutHoles) {
    for (auto const offsets : {Offsets::sequential, Offsets::strided, Offsets::shuffled, Offsets::random_partition}) {
        auto p = small();
        p.offsets = offsets;
        EXPECT_EQ(file_uses(make_pattern(p)).at(0).dense_bytes, 48 * kib) << static_cast<int>(offsets);
    }
    auto p = small();
    p.offsets = Offsets::random;
    EXPECT_EQ(file_uses(make_pattern(p)).at(0).dense_bytes, 0U) << "drawn with replacement";
    p = small();
    p.layout = Layout::file_per_process;
    EXPECT_EQ(file_uses(make_pattern(p)).at(0).dense_bytes, 16 * kib);
}

TEST(FileUses, AHoleIsSeen) {
    auto pattern = make_pattern(small());
    auto& access = std::get<Access>(pattern.phases.at(0).steps.at(1));
    access.extent.levels = {{2, static_cast<std::int64_t>(48 * kib)}, {4, static_cast<std::int64_t>(2 * kib)}};
    EXPECT_EQ(file_uses(pattern).at(0).dense_bytes, 0U);
    access.extent.levels = {{4, static_cast<std::int64_t>(2 * kib)}};
    EXPECT_EQ(file_uses(pattern).at(0).dense_bytes, 24 * kib);
    access.extent.start = 8;
    EXPECT_EQ(file_uses(pattern).at(0).dense_bytes, 0U);
}

TEST(FileUses, TheSamePlacesHaveOneShape) {
    auto p = small();
    p.check = true;
    p.sync = SyncWhen::write;
    auto const pattern = make_pattern(p);
    EXPECT_EQ(written_shape(pattern), checked_shape(pattern));
    p.segments = 3;
    EXPECT_NE(written_shape(pattern), checked_shape(make_pattern(p)));
    p = small();
    p.check = true;
    p.offsets = Offsets::random;
    auto const drawn = make_pattern(p);
    EXPECT_EQ(written_shape(drawn), checked_shape(drawn));
    p.seed = 1;
    EXPECT_NE(written_shape(drawn), checked_shape(make_pattern(p)));
}

}  // namespace
}  // namespace weir
