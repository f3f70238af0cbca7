#include <gtest/gtest.h>

#include <algorithm>
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

TEST(DamagedBytes, EvenDeepOnesDoNoHarm) {
    std::string const deep(200000, '[');
    ASSERT_NO_THROW(test::read_as_anything(std::as_bytes(std::span(deep))));
}

}  // namespace
}  // namespace weir::trace
