#include "array/copy_rows.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace weir::array {
namespace {

TEST(CopyRows, CopiesRunsOfAnyLengthAtAnyDistance) {
    std::mt19937_64 random(1);
    std::vector<std::byte> from(4096);
    for (auto& byte : from) {
        byte = static_cast<std::byte>(random());
    }
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

}  // namespace
}  // namespace weir::array
