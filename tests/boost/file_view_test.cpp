#include "boost/file_view.hpp"

#include <gtest/gtest.h>

#include <random>

namespace weir::boost {
namespace {

/// Pieces that are found one by one.
std::uint64_t counted(FileView const& view, std::uint64_t from, std::uint64_t bytes) {
    std::uint64_t pieces = 0;
    std::int64_t behind = -1;
    view.each(from, from + bytes, [&](std::int64_t offset, std::uint64_t length) {
        pieces += offset == behind ? 0 : 1;
        behind = offset + static_cast<std::int64_t>(length);
    });
    return pieces;
}

FileView in_turns(std::uint64_t block) {
    auto const stride = static_cast<std::int64_t>(4 * block);
    return {100, 1, {TypeMap::repeat(TypeMap::bytes(block), 10, stride), 10 * stride}};
}

TEST(FileViews, TellAboutHowManyPiecesThereAre) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
        auto const view = in_turns(1 + random() % 9);
        auto const from = random() % 500;
        auto const bytes = 1 + random() % 2000;
        auto const pieces = counted(view, from, bytes);
        EXPECT_LE(view.pieces(from, bytes), pieces + 1);
        EXPECT_GE(view.pieces(from, bytes) + 1, pieces);
    }
}

TEST(FileViews, AreOnePieceWithoutGaps) {
    EXPECT_EQ(FileView().pieces(7, 1 << 20), 1U);
    EXPECT_EQ(FileView().pieces(7, 0), 0U);
    EXPECT_EQ(in_turns(8).pieces(3, 0), 0U);
}

}  // namespace
}  // namespace weir::boost
