#include "storage/engine/stamp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

namespace weir {
namespace {

std::vector<std::byte> stamped(Stamp const& stamp, std::size_t bytes, std::uint64_t offset) {
    std::vector<std::byte> buffer(bytes);
    stamp.fill(buffer, offset);
    return buffer;
}

TEST(Stamp, FillsEveryWordWithItsOwn) {
    Stamp const stamp(1, 2);
    for (std::size_t bytes : {8U, 56U, 64U, 72U, 4096U, 47008U}) {
        auto const buffer = stamped(stamp, bytes, 800);
        for (std::size_t i = 0; i < bytes / 8; ++i) {
            std::uint64_t word = 0;
            std::memcpy(&word, buffer.data() + 8 * i, 8);
            ASSERT_EQ(word, stamp.word(100 + i));
            ASSERT_EQ(stamp.index_of(word), 100 + i);
        }
        EXPECT_EQ(stamp.compare(buffer, 800).wrong, 0U);
    }
}

TEST(Stamp, DiffersBySeedFileAndPlace) {
    std::set<std::uint64_t> words;
    for (std::uint64_t seed : {0U, 1U}) {
        for (std::uint64_t file : {0U, 1U, 2U}) {
            for (std::uint64_t index : {0U, 1U, 1000000U}) {
                words.insert(Stamp(seed, file).word(index));
            }
        }
    }
    EXPECT_EQ(words.size(), 18U);
}

TEST(Stamp, FindsAnyFlippedBit) {
    Stamp const stamp(1, 2);
    auto buffer = stamped(stamp, 1024, 0);
    for (std::size_t byte = 0; byte < buffer.size(); byte += 37) {
        auto broken = buffer;
        broken[byte] ^= std::byte{0x10};
        auto const found = stamp.compare(broken, 0);
        ASSERT_EQ(found.wrong, 1U);
        ASSERT_EQ(found.first_index, byte / 8);
    }
}

TEST(Stamp, FindsMisplacedWordsAndTellsWhereTheyBelong) {
    Stamp const stamp(1, 2);
    auto const elsewhere = stamped(stamp, 64, 8000);
    auto const found = stamp.compare(elsewhere, 0);
    EXPECT_EQ(found.wrong, 8U);
    EXPECT_EQ(stamp.index_of(found.found), 1000U);
}

TEST(Stamp, HasTheSameByteAtAPlaceHoweverItIsCut) {
    Stamp const stamp(3, 4);
    auto const whole = stamped(stamp, 96, 16);
    for (std::size_t from = 0; from < 24; ++from) {
        for (std::size_t bytes = 0; from + bytes <= 80; ++bytes) {
            auto part = stamped(stamp, bytes, 16 + from);
            ASSERT_TRUE(std::ranges::equal(part, std::span(whole).subspan(from, bytes))) << from << ", " << bytes;
            ASSERT_EQ(stamp.compare(part, 16 + from).wrong, 0U);
            for (std::size_t i = 0; i < bytes; i += 5) {
                part[i] ^= std::byte{0x40};
                auto const found = stamp.compare(part, 16 + from);
                ASSERT_EQ(found.wrong, 1U) << from << ", " << bytes << ", " << i;
                ASSERT_EQ(found.first_index, (16 + from + i) / 8);
                ASSERT_EQ(found.found ^ stamp.word(found.first_index), std::uint64_t{0x40} << ((from + i) % 8 * 8))
                    << "on a machine whose first byte is the lowest";
                part[i] ^= std::byte{0x40};
            }
        }
    }
}

}  // namespace
}  // namespace weir
