#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "trace/damaged_bytes.hpp"

namespace weir::trace {
namespace {

/// Overwrites some bytes, with values that are likely to hurt, and cuts the file off.
void damage(test::File& file, std::mt19937& random) {
    constexpr std::byte cruel[] = {std::byte{0}, std::byte{1}, std::byte{0x7F}, std::byte{0x80}, std::byte{0xFF}};
    auto const below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
    for (auto left = 1 + below(8); left > 0; --left) {
        auto const near_begin = below(2) == 0 ? std::min<std::size_t>(file.size(), sizeof(StreamHead)) : file.size();
        auto const at = below(near_begin);
        for (auto i = at; i < std::min(file.size(), at + 1 + below(8)); ++i) {
            file[i] = below(4) == 0 ? static_cast<std::byte>(random()) : cruel[below(std::size(cruel))];
        }
    }
    if (below(2) == 0) {
        file.resize(below(file.size() + 1));
    }
}

TEST(DamagedBytes, DoNoHarm) {
    std::string const facts =
        "{\"weir_trace\":1,\"command\":\"app \\\"x\\\"\"}\n{\"lost\":\"POSIX read\",\"calls\":7}\n";
    std::vector<test::File> const whole = {
        test::ended_stream(20), test::growing_stream(20), test::growing_stream(200),
        test::names({{1, 7, "POSIX pwrite write"}, {2, 1, "/data/a"}, {3, 2, "0-3,8"}}),
        test::File(std::as_bytes(std::span(facts)).begin(), std::as_bytes(std::span(facts)).end())};
    for (std::uint32_t seed = 0; seed < 5000; ++seed) {
        std::mt19937 random(seed);
        auto file = whole[seed % whole.size()];
        damage(file, random);
        SCOPED_TRACE(seed);
        ASSERT_NO_THROW(test::read_as_anything(file));
    }
}

/// With one number of so many bytes in the place of what stands there.
test::File with_number(test::File file, std::size_t at, std::size_t bytes, std::uint64_t number) {
    std::memcpy(file.data() + at, &number, std::min(bytes, file.size() - at));
    return file;
}

/// With two blocks exchanged.
test::File with_blocks(test::File const& file, std::size_t block, std::size_t one, std::size_t other) {
    auto const part = [&](std::size_t i) {
        auto const begin = std::min(file.size(), i * block);
        return std::span(file).subspan(begin, std::min(block, file.size() - begin));
    };
    test::File changed;
    for (std::size_t i = 0; i * block < file.size(); ++i) {
        auto const from = part(i == one ? other : i == other ? one : i);
        changed.insert(changed.end(), from.begin(), from.end());
    }
    return changed;
}

class StructuredDamage : public ::testing::TestWithParam<std::uint64_t> {
  protected:
    test::File const whole = GetParam() == 0 ? test::ended_stream(100) : test::growing_stream(GetParam());
};

TEST_P(StructuredDamage, OfACutIsNoted) {
    auto const records = parse_stream(whole).size();
    auto const head_bytes = parse_stream(whole).head.head_bytes;
    for (std::size_t bytes = sizeof(StreamHead); bytes < whole.size(); bytes += bytes < head_bytes ? 512 : 47) {
        auto file = whole;
        file.resize(bytes);
        SCOPED_TRACE(bytes);
        auto const stream = parse_stream(file);
        EXPECT_LE(stream.size(), records);
        EXPECT_FALSE(stream.note.empty());
        ASSERT_NO_THROW(test::read_as_anything(file));
    }
}

TEST_P(StructuredDamage, OfTheHeadDoesNoHarm) {
    for (std::size_t at = 0; at < sizeof(StreamHead); at += 4) {
        for (std::uint64_t const number : {0ULL, 1ULL, 47ULL, 48ULL, 4096ULL, 1ULL << 31, 1ULL << 63, ~0ULL}) {
            SCOPED_TRACE(std::to_string(at) + ": " + std::to_string(number));
            ASSERT_NO_THROW(test::read_as_anything(with_number(whole, at, 4, number)));
            ASSERT_NO_THROW(test::read_as_anything(with_number(whole, at, 8, number)));
        }
    }
}

TEST_P(StructuredDamage, OfBlocksDoesNoHarm) {
    for (std::size_t one = 0; one * 2048 < whole.size(); ++one) {
        for (std::size_t other = one + 1; other * 2048 < whole.size(); ++other) {
            ASSERT_NO_THROW(test::read_as_anything(with_blocks(whole, 2048, one, other)));
        }
        auto file = whole;
        auto const begin = file.begin() + static_cast<std::ptrdiff_t>(one * 2048);
        auto const end = begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2048, whole.size() - one * 2048));
        test::File const block(begin, end);
        file.erase(begin, end);
        ASSERT_NO_THROW(test::read_as_anything(file));
        file = whole;
        file.insert(file.begin() + static_cast<std::ptrdiff_t>(one * 2048), block.begin(), block.end());
        ASSERT_NO_THROW(test::read_as_anything(file));
    }
}

INSTANTIATE_TEST_SUITE_P(Streams, StructuredDamage, ::testing::Values(0, 20, 90, 200));

TEST(DamagedBytes, OfNamesDoNoHarm) {
    auto const whole = test::names({{1, 7, "POSIX pwrite write"}, {2, 1, "/data/a"}, {3, 2, "0-3,8"}});
    for (std::size_t at = 0; at + 4 <= whole.size(); at += 4) {
        for (std::uint64_t const number : {0ULL, 1ULL, 7ULL, 1ULL << 16, 1ULL << 31, ~0ULL}) {
            ASSERT_NO_THROW(test::read_as_anything(with_number(whole, at, 4, number)));
        }
    }
}

TEST(DamagedBytes, EvenDeepOnesDoNoHarm) {
    std::string const deep(200000, '[');
    ASSERT_NO_THROW(test::read_as_anything(std::as_bytes(std::span(deep))));
}

}  // namespace
}  // namespace weir::trace
