#include <gtest/gtest.h>

#include "bench/compute/random_access/update_sequence.hpp"
#include "bench/compute/random_access/update_table.hpp"

namespace weir {
namespace {

TEST(UpdateNumbers, JumpToWhereSingleStepsLead) {
    std::uint64_t a = 1;
    std::uint64_t b = 1;
    for (std::uint64_t n = 0; n < 300; ++n) {
        EXPECT_EQ(PolynomialNumbers::power(n), a) << n;
        EXPECT_EQ(LinearNumbers::power(n), b) << n;
        a = (a << 1U) ^ ((a >> 63U) != 0 ? 7U : 0U);
        b = 6364136223846793005U * b + 1;
    }
    EXPECT_EQ(PolynomialNumbers::next(std::uint64_t{1} << 63U), 7U);
    // Its period, by the HPC Challenge.
    EXPECT_EQ(PolynomialNumbers::power(1317624576693539401U), 1U);
}

/// The words of a table after all updates, one after the other.
template <class Numbers>
std::vector<std::uint64_t> updated_serially(unsigned k, std::uint64_t count) {
    std::vector<std::uint64_t> words(std::uint64_t{1} << k);
    std::iota(words.begin(), words.end(), std::uint64_t{0});
    std::uint64_t update = 1;
    for (std::uint64_t i = 0; i < count; ++i) {
        update = Numbers::next(update);
        words[Numbers::index(update, k)] ^= update;
    }
    return words;
}

template <class Numbers>
void update_and_compare(UpdateNumbers numbers, Communicator const& comm, unsigned k, std::uint64_t count,
                        std::uint64_t look_ahead) {
    auto const table = UpdateTable::make(numbers, comm, k, Pages::usual);
    // Also where all are the first rank's, as those of the first numbers of the polynomial, which are small.
    auto const made = table->update(count, look_ahead, [] { return false; });
    EXPECT_EQ(comm.sum(made.updates), count);
    EXPECT_LE(made.most_held, comm.size() == 1 ? 32 : std::max(look_ahead, comm.size()));
    auto const expected = updated_serially<Numbers>(k, count);
    auto const begin = begin_of_range(comm.rank(), comm.size(), k);
    auto const words = table->own_words();
    for (std::size_t i = 0; i < words.size(); ++i) {
        ASSERT_EQ(words[i], expected[begin + i]) << comm.size() << " ranks, word " << begin + i;
    }
    table->update_plainly(count, made.updates);
    EXPECT_EQ(table->wrong_words(), 0U);
    table->spoil(1.0);
    EXPECT_EQ(table->wrong_words(), words.size());
}

TEST(UpdateTable, HasWhatUpdatesOneAfterTheOtherGive) {
    auto const world = Communicator::world();
    for (std::uint64_t ranks = 1; ranks <= world.size(); ++ranks) {
        auto const comm = world.split(world.rank() < ranks ? 0 : 1);
        for (auto const& [k, count, look_ahead] : {std::tuple{4U, 64U, 1U},
                                                   {9U, 2048U, 7U},
                                                   {12U, 16384U, 1024U},
                                                   {12U, 1U, 1024U},
                                                   {10U, 4099U, 1000U},
                                                   {10U, (2U << 20U) + 5, 1024U}}) {
            if (world.rank() < ranks) {
                update_and_compare<PolynomialNumbers>(UpdateNumbers::polynomial, comm, k, count, look_ahead);
                update_and_compare<LinearNumbers>(UpdateNumbers::linear, comm, k, count, look_ahead);
            }
        }
    }
}

/// Once the last rank says so, while others never do.
TEST(UpdateTable, EndsEarlyOnAllRanksAndUndoesWhatWasMade) {
    auto const world = Communicator::world();
    constexpr std::uint64_t count = 1U << 24U;
    constexpr std::uint64_t look_ahead = 128;
    for (auto const numbers : {UpdateNumbers::polynomial, UpdateNumbers::linear}) {
        auto const table = UpdateTable::make(numbers, world, 12, Pages::usual);
        auto looks = 0;
        auto const made = table->update(count, look_ahead, [&] {
            ++looks;
            return world.rank() + 1 == world.size() && looks == 3;
        });
        EXPECT_EQ(looks, 3);
        EXPECT_GT(made.updates, 0U);
        EXPECT_LT(world.sum(made.updates), count);
        table->update_plainly(count, made.updates);
        EXPECT_EQ(table->wrong_words(), 0U);
        table->update_plainly(count, made.updates - 1);
        EXPECT_GT(world.sum(table->wrong_words()), 0U);
    }
}

TEST(UpdateTable, TellsHowManyUpdatesAreMade) {
    auto const world = Communicator::world();
    constexpr std::uint64_t count = 1U << 21U;
    constexpr std::uint64_t look_ahead = 128;
    auto const table = UpdateTable::make(UpdateNumbers::polynomial, world, 12, Pages::usual);
    std::uint64_t made = 0;
    for (auto const plainly : {false, true}) {
        std::vector<std::uint64_t> told;
        std::uint64_t mine = 0;
        table->tell([&](std::uint64_t so_far, std::uint64_t all) {
            told.push_back(so_far);
            mine = all;
        });
        if (plainly) {
            table->update_plainly(count, made);
        } else {
            made = table->update(count, look_ahead, [] { return false; }).updates;
        }
        EXPECT_EQ(world.sum(mine), count) << plainly;
        EXPECT_TRUE(std::is_sorted(told.begin(), told.end())) << plainly;
        EXPECT_EQ(told.front(), 0U) << plainly;
        EXPECT_GT(told.back(), 0U) << plainly;
        EXPECT_LE(told.back(), mine) << plainly;
    }
}

}  // namespace
}  // namespace weir
