#include <gtest/gtest.h>

#include "bench/compute/random_access/update_sequence.hpp"
#include "bench/compute/random_access/update_table.hpp"

namespace weir {
namespace {

TEST(UpdateSequence, JumpsToWhereSingleStepsLead) {
    std::uint64_t a = 1;
    for (std::uint64_t n = 0; n < 300; ++n) {
        EXPECT_EQ(UpdateSequence::power(n), a) << n;
        UpdateSequence from_here(n);
        a = (a << 1U) ^ ((a >> 63U) != 0 ? 7U : 0U);
        EXPECT_EQ(from_here.next(), a) << n;
    }
    // Its period, by the HPC Challenge.
    EXPECT_EQ(UpdateSequence::power(1317624576693539401U), 1U);
}

/// The words of a table after all updates, one after the other.
std::vector<std::uint64_t> updated_serially(unsigned k, std::uint64_t count) {
    std::vector<std::uint64_t> words(std::uint64_t{1} << k);
    std::iota(words.begin(), words.end(), std::uint64_t{0});
    UpdateSequence sequence(0);
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const update = sequence.next();
        words[update & (words.size() - 1)] ^= update;
    }
    return words;
}

TEST(UpdateTable, HasWhatUpdatesOneAfterTheOtherGive) {
    auto const world = Communicator::world();
    for (std::uint64_t ranks = 1; ranks <= world.size(); ++ranks) {
        auto const comm = world.split(world.rank() < ranks ? 0 : 1);
        for (auto const& [k, count, look_ahead] :
             {std::tuple{4U, 64U, 1U}, {9U, 2048U, 7U}, {12U, 16384U, 1024U}, {12U, 1U, 1024U}, {10U, 4099U, 1000U}}) {
            if (world.rank() >= ranks) {
                continue;
            }
            UpdateTable table(comm, k, Pages::usual);
            auto const most = table.update(count, look_ahead);
            EXPECT_LE(most, 4 * look_ahead + 256);
            auto const expected = updated_serially(k, count);
            auto const begin = begin_of_range(comm.rank(), ranks, k);
            auto const words = table.own_words();
            for (std::size_t i = 0; i < words.size(); ++i) {
                ASSERT_EQ(words[i], expected[begin + i]) << ranks << " ranks, word " << begin + i;
            }
            table.update_plainly(count);
            EXPECT_EQ(table.wrong_words(), 0U);
            table.spoil(1.0);
            EXPECT_EQ(table.wrong_words(), words.size());
        }
    }
}

}  // namespace
}  // namespace weir
