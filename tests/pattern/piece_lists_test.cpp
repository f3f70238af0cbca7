#include "pattern/piece_lists.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/arrays/irregular.hpp"
#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

std::vector<std::vector<Piece>> const three{{{0, 8}, {64, 16}}, {}, {{16, 8}}};

TEST(PieceLists, GiveEachRankItsOwn) {
    PieceLists const lists(three);
    ASSERT_EQ(lists.ranks(), 3U);
    EXPECT_EQ(lists.of(0).back(), (Piece{64, 16}));
    EXPECT_TRUE(lists.of(1).empty());
    EXPECT_EQ(lists.of(2).front(), (Piece{16, 8}));
    EXPECT_EQ(lists, PieceLists(three));
    EXPECT_TRUE(PieceLists().empty());
    EXPECT_EQ(PieceLists().ranks(), 0U);
}

TEST(PieceLists, AreTheSameFromAFile) {
    testing::TemporaryDirectory const directory;
    auto const path = directory.path() / "mesh.lists";
    PieceLists(three).write_file(path);
    auto const lists = PieceLists::map_file(path, "mesh.lists");
    EXPECT_EQ(lists.file_name(), "mesh.lists");
    for (std::uint64_t rank = 0; rank < 3; ++rank) {
        EXPECT_TRUE(std::ranges::equal(lists.of(rank), three[rank])) << rank;
    }
}

TEST(PieceLists, RefuseADamagedFile) {
    testing::TemporaryDirectory const directory;
    auto const path = directory.path() / "mesh.lists";
    auto const expect_refused = [&] {
        auto const error = testing::error_of([&] { PieceLists::map_file(path, "mesh.lists"); });
        EXPECT_TRUE(testing::has(error.diagnosis().problem, "mesh.lists"));
    };
    expect_refused();
    std::ofstream(path) << "";
    expect_refused();
    std::ofstream(path) << "some text that is no list of pieces at all";
    expect_refused();
    PieceLists(three).write_file(path);
    auto const size = std::filesystem::file_size(path);
    for (std::size_t cut = 1; cut < size; ++cut) {
        std::filesystem::resize_file(path, size - cut);
        expect_refused();
    }
    PieceLists(three).write_file(path);
    std::ofstream(path, std::ios::app) << "end";
    expect_refused();
    PieceLists(three).write_file(path);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    std::uint64_t const past_the_next = 3;
    file.seekp(3 * sizeof past_the_next);  // where the second list starts, behind two words and the first start
    file.write(reinterpret_cast<char const*>(&past_the_next), sizeof past_the_next);
    file.close();
    expect_refused();
}

TEST(PieceLists, OfAMillionPiecesAreMappedAtOnce) {
    testing::TemporaryDirectory const directory;
    auto const path = directory.path() / "mesh.lists";
    auto const lists = testing::irregular_lists(4, 1'000'000, 8);
    lists.write_file(path);
    EXPECT_TRUE(std::ranges::equal(PieceLists::map_file(path, "").of(3), lists.of(3)));
}

}  // namespace
}  // namespace weir
