#include "array_formats/common/whole_elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace weir::formats {
namespace {

constexpr std::uint64_t element = 6;
constexpr std::uint64_t all_bytes = 50 * element;

class Pieces : public ::testing::TestWithParam<unsigned> {
  protected:
    Pieces() {
        for (std::size_t i = 0; i < all_bytes; ++i) {
            stored_[i] = static_cast<std::byte>(i * 7 + i / 256);
        }
        for (std::uint64_t at = 0; at < all_bytes;) {
            auto const n = std::min(std::uniform_int_distribution<std::uint64_t>(1, 20)(random_), all_bytes - at);
            pieces_.emplace_back(at, n);
            at += n;
        }
    }

    std::mt19937 random_{GetParam()};
    std::vector<std::byte> stored_ = std::vector<std::byte>(all_bytes);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces_;
    WholeElements elements_{element};
};

TEST_P(Pieces, InAnyOrderAreGivenOnAsWholeElements) {
    std::ranges::shuffle(pieces_, random_);
    std::vector<std::byte> given(all_bytes);
    std::vector<int> times(50);
    for (auto const& [at, n] : pieces_) {
        elements_.write(at, std::span(stored_).subspan(at, n), [&](auto first, auto count, std::byte const* bytes) {
            std::copy_n(bytes, count * element, given.begin() + static_cast<std::ptrdiff_t>(first * element));
            std::for_each_n(times.begin() + static_cast<std::ptrdiff_t>(first), count, [](int& time) { ++time; });
        });
    }
    EXPECT_EQ(given, stored_);
    EXPECT_EQ(times, std::vector<int>(50, 1));
}

TEST_P(Pieces, AreCutFromWholeElements) {
    std::vector<std::byte> read(all_bytes);
    for (auto const& [at, n] : pieces_) {
        elements_.read(at, std::span(read).subspan(at, n), [&](auto first, auto count, std::byte* bytes) {
            std::copy_n(stored_.begin() + static_cast<std::ptrdiff_t>(first * element), count * element, bytes);
        });
    }
    EXPECT_EQ(read, stored_);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Pieces, ::testing::Range(0U, 20U));

}  // namespace
}  // namespace weir::formats
