#include "array/layout/share_index.hpp"

#include <gtest/gtest.h>

#include "support/arrays/sections.hpp"

namespace weir::array {
namespace {

using testing::Byte;
using testing::random_below;
using testing::visited;

/// Boxes of one array, of one dimension beside the bytes: (first row, rows), each so many columns wide from one on.
Share boxes_like(std::vector<std::array<std::uint64_t, 4>> const& boxes, std::uint64_t rows, std::uint64_t columns) {
    Share share;
    std::int64_t memory = 0;
    for (auto const& [row, height, column, width] : boxes) {
        Section section;
        section.dims = 2;
        section.dim[0] = {rows, row, height, height, height, static_cast<std::int64_t>(width)};
        section.dim[1] = {columns, column, width, width, width, 1};
        section.memory = memory;
        memory += static_cast<std::int64_t>(section.bytes());
        share.emplace_back(section);
    }
    return share;
}

std::vector<Byte> all_bytes(Share const& share) {
    std::vector<Byte> bytes;
    for (auto const& part : share) {
        auto const some = visited(part, 0, part.bytes());
        bytes.insert(bytes.end(), some.begin(), some.end());
    }
    std::ranges::sort(bytes, {}, [](Byte const& b) { return std::pair(b.position, b.memory); });
    return bytes;
}

TEST(ShareIndex, FindsInTheSharesOrderAllThatHaveBytesThere) {
    std::mt19937_64 random(4);
    for (int trial = 0; trial < 200; ++trial) {
        Share share;
        for (auto parts = random_below(random, 300); parts > 0; --parts) {
            share.emplace_back(testing::random_section(random, {40, 5}));
        }
        share = trial % 2 == 0 ? sorted(share) : share;
        ShareIndex const index(share);
        auto const from = random_below(random, 300);
        auto const to = from + random_below(random, 30);
        std::vector<Part const*> found;
        index.each(share, from, to, [&](Part const& part) {
            if (part.count_within(from, to) > 0) {
                found.push_back(&part);
            }
        });
        std::vector<Part const*> all;
        for (auto const& part : share) {
            if (part.count_within(from, to) > 0) {
                all.push_back(&part);
            }
        }
        ASSERT_EQ(found, all);
    }
}

TEST(ShareIndex, AsksFewOfManyParts) {
    std::vector<std::array<std::uint64_t, 4>> rows;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        rows.push_back({(i * 7919) % 10'000, 1, 2, 3});
    }
    auto const share = sorted(boxes_like(rows, 10'000, 20));
    ShareIndex const index(share);
    std::size_t asked = 0;
    index.each(share, 100'000, 100'016, [&](Part const&) { ++asked; });
    EXPECT_LE(asked, 16U);
    EXPECT_GT(index.memory_bytes(), 0U);
    EXPECT_LT(index.memory_bytes(), share.size() * 8);
}

constexpr std::uint64_t large = 1 << 20;  ///< a window

TEST(WithLists, HasTheSameBytes) {
    std::vector<std::array<std::uint64_t, 4>> columns;
    for (std::uint64_t i = 0; i < 100; ++i) {
        columns.push_back({0, 4, (i * 37) % 100, 1});
    }
    auto const share = boxes_like(columns, 4, 100);
    auto const list = with_lists(share, large);
    ASSERT_EQ(list.size(), 1U);
    EXPECT_NE(list[0].pieces(), nullptr);
    EXPECT_EQ(all_bytes(list), all_bytes(share));
}

TEST(WithLists, LeavesBoxesThatAreFewOrOverlapOrHaveManyPieces) {
    std::vector<std::array<std::uint64_t, 4>> columns;
    for (std::uint64_t i = 0; i < 63; ++i) {
        columns.push_back({0, 4, i, 1});
    }
    EXPECT_EQ(with_lists(boxes_like(columns, 4, 100), large).size(), 63U) << "few";
    columns.push_back({0, 4, 5, 1});
    EXPECT_EQ(with_lists(boxes_like(columns, 4, 100), large).size(), 64U) << "overlapping";
    columns.back()[2] = 80;
    EXPECT_EQ(with_lists(boxes_like(columns, 4, 100), large).size(), 1U);
    for (auto& column : columns) {
        column[1] = 9;
    }
    EXPECT_EQ(with_lists(boxes_like(columns, 9, 100), large).size(), 64U) << "long";
    EXPECT_TRUE(with_lists({}, large).empty());
}

/// Asking each of many boxes in each of many windows takes the product of both; pieces are as many as they are.
TEST(WithLists, AreListsWhereBoxesSpanMoreWindowsThanTheyHavePieces) {
    std::vector<std::array<std::uint64_t, 4>> columns;
    for (std::uint64_t i = 0; i < 64; ++i) {
        columns.push_back({0, 9, i, 1});
    }
    auto const share = boxes_like(columns, 9, 100);  // each spans 801 bytes
    EXPECT_EQ(with_lists(share, 101).size(), 64U) << "8 windows";
    EXPECT_EQ(with_lists(share, 80).size(), 1U) << "11 windows";
    EXPECT_EQ(all_bytes(with_lists(share, 80)), all_bytes(share));
}

}  // namespace
}  // namespace weir::array
