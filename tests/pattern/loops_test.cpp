#include "pattern/loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weir {
namespace {

/// The files that a step comes to, and its farthest displacement in each, turn by turn.
std::map<std::uint64_t, std::int64_t> walked(std::uint64_t file, std::vector<std::int64_t> const& file_advance,
                                             std::vector<std::int64_t> const& advance, Loops const& loops) {
    std::map<std::uint64_t, std::int64_t> reached;
    for (std::uint64_t number = 0; number < times(loops); ++number) {
        Turns turns;
        auto rest = number;
        for (auto const count : loops) {
            turns.push_back(rest % count);
            rest /= count;
        }
        auto const there = file + static_cast<std::uint64_t>(displacement_at(file_advance, turns));
        auto const bytes = displacement_at(advance, turns);
        auto const [place, is_new] = reached.try_emplace(there, bytes);
        place->second = std::max(place->second, bytes);
    }
    return reached;
}

TEST(FilesReached, AreThoseOfAllTurns) {
    std::mt19937_64 random(7);
    auto const advance_of = [&](std::size_t levels, std::int64_t unit) {
        std::vector<std::int64_t> result(random() % 4 == 0 ? 0 : levels);
        std::ranges::generate(result, [&] { return (static_cast<std::int64_t>(random() % 5) - 2) * unit; });
        return result;
    };
    for (int trial = 0; trial < 2000; ++trial) {
        Loops loops(random() % 4);
        std::ranges::generate(loops, [&] { return 1 + random() % 4; });
        auto const file_advance = advance_of(loops.size(), 1);
        auto const advance = advance_of(loops.size(), 8);
        constexpr std::uint64_t file = 100;  // none is below 0
        ASSERT_EQ(files_reached(file, file_advance, advance, loops), walked(file, file_advance, advance, loops))
            << trial;
    }
}

}  // namespace
}  // namespace weir
