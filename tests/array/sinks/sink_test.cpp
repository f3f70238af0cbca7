#include "array/sinks/sink.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "array/layout/description.hpp"
#include "support/counted_bytes.hpp"

namespace weir::array {
namespace {

/// Byte by byte, as one would say it.
std::vector<std::byte> reversed(std::vector<std::byte> bytes, std::size_t number) {
    for (std::size_t i = 0; i < bytes.size(); i += number) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(std::min(i + number, bytes.size())));
    }
    return bytes;
}

TEST(SwappedSink, ReversesNumbersOfAnyLength) {
    for (std::size_t const number : {1, 2, 3, 4, 8, 16}) {
        for (std::size_t const bytes : {number, 7 * number, number - 1}) {
            auto const source = weir::testing::counted(bytes);
            std::vector<std::byte> target(bytes);
            copy_reversed(target.data(), source.data(), bytes, number);
            EXPECT_EQ(target, reversed(source, number)) << number << " " << bytes;
            copy_reversed(target.data(), target.data(), bytes, number);
            EXPECT_EQ(target, source);
        }
    }
}

/// Arrays of 5 elements of 3 bytes, 7 complex numbers, and 9 doubles, cut into pieces anywhere.
class Cut : public ::testing::TestWithParam<unsigned> {
  protected:
    static Description pieces(std::int64_t elements, std::size_t bytes) { return describe_replicated(elements, bytes); }

    /// Visits all of the space in pieces: visit(position, bytes).
    template <class Visit>
    void each_piece(Visit visit) {
        std::mt19937 random(GetParam());
        std::uniform_int_distribution<std::uint64_t> length(1, 21);
        for (std::uint64_t at = 0; at < arrays_.bytes();) {
            auto const n = std::min(length(random), arrays_.bytes() - at);
            visit(at, n);
            at += n;
        }
    }

    Arrays const arrays_{{pieces(5, 3), pieces(7, 16), pieces(9, 8)}};
    std::vector<std::int64_t> const numbers_{1, 8, 8};
    std::vector<std::byte> const native_ = weir::testing::counted(arrays_.bytes());
};

TEST_P(Cut, AnywhereNumbersArriveWhole) {
    MemorySink memory(0, arrays_.bytes());
    SwappedSink swapped(memory, arrays_, numbers_);
    each_piece([&](auto at, auto n) { swapped.write(at, std::span(native_).subspan(at, n)); });

    std::vector<std::byte> stored(arrays_.bytes());
    memory.read(0, stored);
    EXPECT_TRUE(std::equal(stored.begin(), stored.begin() + 15, native_.begin()));
    std::vector<std::byte> const numbers(native_.begin() + 15, native_.end());
    EXPECT_EQ(std::vector<std::byte>(stored.begin() + 15, stored.end()), reversed(numbers, 8));

    std::vector<std::byte> read(arrays_.bytes());
    each_piece([&](auto at, auto n) { swapped.read(at, std::span(read).subspan(at, n)); });
    EXPECT_EQ(read, native_);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Cut, ::testing::Range(0U, 20U));

TEST(SwappedSink, TakesPiecesLongerThanWhatItReversesAtOnce) {
    Arrays const arrays{{describe_replicated(300'001, 12)}};
    auto const native = weir::testing::counted(arrays.bytes());
    MemorySink memory(0, arrays.bytes());
    SwappedSink swapped(memory, arrays, {12});
    swapped.write(5, std::span(native).subspan(5));
    swapped.write(0, std::span(native).first(5));
    std::vector<std::byte> stored(arrays.bytes());
    memory.read(0, stored);
    EXPECT_EQ(stored, reversed(native, 12));
}

}  // namespace
}  // namespace weir::array
