#include "array/sinks/checksums.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string_view>
#include <vector>

#include "comm/collective_error_c.hpp"
#include "support/has.hpp"
#include "support/temporary_directory.hpp"

namespace {

using weir::Failure;
using weir::array::ChecksumFile;
using weir::array::Checksums;

std::vector<std::byte> some_bytes(std::size_t n) {
    std::mt19937 random(7);
    std::vector<std::byte> data(n);
    for (auto& byte : data) {
        byte = static_cast<std::byte>(random());
    }
    return data;
}

/// The checksums of data from byte `begin` of a file on, given in pieces of this size from the last to the first.
Checksums sums_of(std::vector<std::byte> const& data, std::uint64_t begin, std::size_t piece) {
    Checksums sums(begin, begin + data.size());
    for (auto end = data.size(); end > 0;) {
        auto const length = std::min(piece, end);
        end -= length;
        sums.add(begin + end, std::span(data).subspan(end, length));
    }
    return sums;
}

constexpr std::uint64_t begin = Checksums::block_bytes - 1000;
constexpr std::size_t size = 2 * Checksums::block_bytes + 5000;

TEST(Checksums, DoNotDependOnThePieces) {
    auto const data = some_bytes(size);
    auto const whole = sums_of(data, begin, data.size());
    auto const pieces = sums_of(data, begin, 7777);
    EXPECT_EQ(whole.text(), pieces.text());
    auto const result = whole.compared_with(pieces);
    EXPECT_EQ(result.blocks, 4U);
    EXPECT_FALSE(result.first_difference);
}

TEST(Checksums, TellWhereABitIsWrong) {
    auto data = some_bytes(size);
    auto const right = sums_of(data, begin, size);
    data[1500] ^= std::byte{4};  // in the second block of the file
    EXPECT_EQ(right.compared_with(sums_of(data, begin, size)).first_difference, Checksums::block_bytes);
}

TEST(Checksums, OfOtherBytesOfABlockAreNotCompared) {
    auto const data = some_bytes(size);
    auto const right = sums_of(data, begin, size);
    Checksums part(begin, begin + size);
    part.add(begin + 10, std::span(data).subspan(10, 100));
    EXPECT_EQ(right.compared_with(part).blocks, 0U);
}

TEST(Checksums, OfAPartOfTheFileAreThoseOfItsBlocks) {
    auto const data = some_bytes(4 * Checksums::block_bytes);
    auto const whole = sums_of(data, 0, data.size());
    constexpr std::size_t from = 2 * Checksums::block_bytes;
    auto part = std::vector<std::byte>(data.begin() + from, data.end());
    for (auto const damaged : {false, true}) {
        auto const read = sums_of(part, from, 7777);
        for (auto const& result : {whole.compared_with(read), read.compared_with(whole)}) {
            EXPECT_EQ(result.blocks, 2U);
            EXPECT_EQ(result.first_difference.value_or(0), damaged ? from + Checksums::block_bytes : 0U);
        }
        part.back() ^= std::byte{1};
    }
    auto const behind = sums_of(data, data.size(), data.size());
    EXPECT_EQ(whole.compared_with(behind).blocks, 0U);
    EXPECT_EQ(behind.compared_with(whole).blocks, 0U);
}

TEST(Checksums, AreKeptAsText) {
    auto const sums = sums_of(some_bytes(size), begin, size);
    EXPECT_EQ(Checksums::from_text(sums.text()).text(), sums.text());
    EXPECT_THROW(Checksums::from_text("bytes 0 5000000\nffffffff 1048576\n"), Failure);
    EXPECT_THROW(Checksums::from_text("nothing of the kind"), Failure);
    EXPECT_THROW(Checksums::from_text("bytes 0 9999999999999999999\n"), Failure);
    EXPECT_THROW(Checksums::from_text(sums.text() + "0"), Failure);
}

TEST(ChecksumFile, KnowsBothVersionsWhileOneReplacesTheOther) {
    weir::testing::TemporaryDirectory const directory;
    ChecksumFile const kept(directory.path() / "dump");
    auto data = some_bytes(size);
    auto const old_sums = sums_of(data, 0, size);
    data[5] ^= std::byte{1};
    auto const new_sums = sums_of(data, 0, size);
    EXPECT_THROW(kept.verify(old_sums), Failure);  // none are kept
    kept.settle(old_sums);
    kept.verify(old_sums);
    EXPECT_THROW(kept.verify(new_sums), Failure);
    kept.announce(new_sums);
    kept.verify(old_sums);
    kept.verify(new_sums);
    kept.settle(new_sums);
    kept.verify(new_sums);
    EXPECT_THROW(kept.verify(old_sums), Failure);
}

TEST(ChecksumFile, KeepsThoseOfOtherBytesOfTheFile) {
    weir::testing::TemporaryDirectory const directory;
    ChecksumFile const kept(directory.path() / "dump");
    auto const data = some_bytes(3 * Checksums::block_bytes);
    auto const first = sums_of(data, 0, size);
    auto const second = sums_of(data, 8 * Checksums::block_bytes, size);
    kept.settle(first);
    kept.settle(second);
    kept.verify(first);
    kept.verify(second);
    auto damaged = data;
    damaged[7] ^= std::byte{1};
    EXPECT_THROW(kept.verify(sums_of(damaged, 0, size)), Failure);
    kept.settle(sums_of(damaged, 0, size));
    EXPECT_THROW(kept.verify(first), Failure);
    kept.verify(second);
}

/// What it verifies does not depend on a byte that could have changed.
class DamagedChecksumFile : public ::testing::Test {
  protected:
    DamagedChecksumFile() {
        for (auto const& sums : {newer, older}) {  // as while one dump replaces another
            kept.announce(sums);
        }
        std::ifstream file(path, std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
    }

    /// Is even the right data refused where the file holds this?
    void refuses(std::string const& damaged, std::string const& how) {
        std::ofstream(path, std::ios::binary) << damaged;
        EXPECT_THROW(kept.verify(newer), Failure) << how;
    }

    static Checksums of_version(unsigned char version) {
        auto data = some_bytes(Checksums::block_bytes + 1000);
        for (auto const place : {std::size_t{0}, data.size() - 1}) {
            data[place] ^= static_cast<std::byte>(version);
        }
        return sums_of(data, 0, data.size());
    }

    weir::testing::TemporaryDirectory directory;
    ChecksumFile kept{directory.path() / "dump"};
    std::filesystem::path path = directory.path() / "dump.weirsum";
    Checksums older = of_version(1), newer = of_version(2), wrong = of_version(3);
    std::string text;
};

TEST_F(DamagedChecksumFile, IsRefusedWhicheverByteIsAnother) {
    for (std::size_t place = 0; place < text.size(); ++place) {
        for (auto const flip : {1, 2, 32}) {  // another digit, another letter, upper case
            auto damaged = text;
            damaged[place] = static_cast<char>(damaged[place] ^ flip);
            refuses(damaged, "byte " + std::to_string(place));
        }
    }
}

TEST_F(DamagedChecksumFile, IsRefusedWhereverItIsCutOrContinued) {
    for (std::size_t length = 0; length < text.size(); ++length) {
        refuses(text.substr(0, length), "cut at " + std::to_string(length));
    }
    for (auto const* more : {"\n", "0", "bytes 0 10\n00000000 10\n"}) {
        refuses(text + more, more);
    }
}

TEST_F(DamagedChecksumFile, OfAnEarlierVersionIsNoDamage) {
    std::ofstream(path) << "weir checksums 1: CRC-32C and bytes of each MiB of the file\n" << newer.text();
    try {
        kept.verify(newer);
        FAIL() << "it has no checksum of its own";
    } catch (Failure const& failure) {
        EXPECT_TRUE(weir::testing::has(failure.what(), "is of an earlier version of Weir"));
        EXPECT_FALSE(weir::testing::has(failure.what(), "damaged"));
    }
    kept.settle(newer);
    kept.verify(newer);
}

TEST_F(DamagedChecksumFile, IsReplacedByTheNextDump) {
    refuses(text.substr(0, text.size() / 2), "half of it");
    kept.settle(newer);
    kept.verify(newer);
    EXPECT_THROW(kept.verify(wrong), Failure);
}

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
