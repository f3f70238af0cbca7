#include "array/layout/window.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace weir::array {
namespace {

std::vector<std::byte> noise(std::size_t bytes) {
    std::mt19937_64 random(1);
    std::vector<std::byte> all(bytes);
    for (auto& byte : all) {
        byte = static_cast<std::byte>(random());
    }
    return all;
}

TEST(CopyRows, CopiesRunsOfAnyLengthAtAnyDistance) {
    std::mt19937_64 random(1);
    auto const from = noise(4096);
    for (int trial = 0; trial < 1000; ++trial) {
        auto const length = 1 + random() % 33;
        auto const rows = random() % 20;
        // Memory may run backwards against the file: rows then stand at falling places.
        auto const step = [&] { return static_cast<std::int64_t>(length + random() % 2 * (random() % 40)); };
        auto const from_step = random() % 4 == 0 ? -step() : step();
        auto const to_step = step();
        auto const begin = from_step < 0 ? 3000 : 0;
        std::vector<std::byte> to(4096, std::byte{7});
        auto expected = to;
        for (std::int64_t row = 0; row < static_cast<std::int64_t>(rows); ++row) {
            for (std::size_t i = 0; i < length; ++i) {
                expected.at(static_cast<std::size_t>(row * to_step) + i) =
                    from.at(static_cast<std::size_t>(begin + row * from_step) + i);
            }
        }
        copy_rows(to.data(), to_step, from.data() + begin, from_step, length, rows);
        ASSERT_EQ(to, expected) << length << " bytes, " << rows << " rows, " << from_step << ", " << to_step;
    }
}

TEST(StreamRows, CopiesTheSameFromAndToAnyPlace) {
    std::mt19937_64 random(2);
    auto const from = noise(1 << 14);
    for (int trial = 0; trial < 1000; ++trial) {
        auto const unit = random() % 2 == 0 ? 16 : 1;  // as vectors have it, or not at all
        auto const any = [&](std::size_t most) { return random() % (most / unit) * unit; };
        // Rows that end inside a vector may begin at one.
        auto const length = random() % 4 == 0 ? random() % 1024 : any(1024);
        auto const rows = 1 + random() % 4;
        auto const after = (length + unit - 1) / unit * unit;
        auto const to_step = static_cast<std::int64_t>((random() % 2 == 0 ? after : length) + random() % 2 * any(512));
        auto const from_step = static_cast<std::int64_t>(length + random() % 2 * any(512));
        auto const begin = any(64);
        std::vector<std::byte> to(1 << 14, std::byte{7});
        auto expected = to;
        auto const* const source = from.data() + random() % 64;
        copy_rows(expected.data() + begin, to_step, source, from_step, length, rows);
        stream_rows(to.data() + begin, to_step, source, from_step, length, rows);
        ASSERT_EQ(to, expected) << length << " bytes, " << rows << " rows, " << from_step << ", " << to_step;
    }
}

}  // namespace
}  // namespace weir::array
