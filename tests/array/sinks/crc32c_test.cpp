#include "array/sinks/checksums.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace {

using weir::array::crc32c;
using weir::array::crc32c_followed_by;

std::span<std::byte const> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Crc32c, EqualsThePublishedValues) {
    EXPECT_EQ(crc32c(bytes("123456789")), 0xE3069283U);  // the check value of the catalogue of CRCs
    EXPECT_EQ(crc32c({}), 0U);
    std::vector<std::byte> const zeros(32);
    EXPECT_EQ(crc32c(zeros), 0x8A9136AAU);  // RFC 3720, B.4
    std::vector<std::byte> const ones(32, std::byte{0xFF});
    EXPECT_EQ(crc32c(ones), 0x62A8AB43U);
}

TEST(Crc32c, OfPiecesAddsUpInAnyOrder) {
    std::vector<std::byte> data(10007);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<std::byte>(i * 131 + i / 7);
    }
    std::span<std::byte const> const all(data);
    for (std::size_t const cut : {1UL, 8UL, 63UL, 4096UL, 10006UL}) {
        auto const head = crc32c_followed_by(crc32c(all.first(cut)), all.size() - cut);
        auto const tail = crc32c_followed_by(crc32c(all.subspan(cut)), 0);
        EXPECT_EQ(head ^ tail, crc32c(all)) << "cut at " << cut;
    }
}

TEST(Crc32c, SeesEverySingleBit) {
    std::vector<std::byte> data(257, std::byte{0x5A});
    auto const right = crc32c(data);
    for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
        data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        ASSERT_NE(crc32c(data), right) << "bit " << bit;
        data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
}

}  // namespace
