#include "lowering/lowering.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "pattern/expansion.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

/// The I/O of the gas cloud of Thakur, Gropp and Lusk (1996): a restart of six arrays is read, and four dumps are made,
/// of two files of six arrays in single precision and of four files of one array of bytes. Each has a header.
Pattern cloud(std::vector<std::uint64_t> cells, std::vector<std::uint64_t> grid) {
    auto const ranks = std::accumulate(grid.begin(), grid.end(), std::uint64_t{1}, std::multiplies());
    auto const volume = std::accumulate(cells.begin(), cells.end(), std::uint64_t{1}, std::multiplies());
    Pattern pattern{"cloud", ranks, {}, {}, Scaling::none, {{}, {.grid = std::move(grid)}}};
    auto const file = [&](std::string name, std::uint64_t arrays, Element element) {
        File one{.name = std::move(name)};
        one.arrays.push_back({"header", {Element::Kind::real, 4}, {6}, 0});
        for (std::uint64_t i = 0; i < arrays; ++i) {
            one.arrays.push_back({"array" + std::to_string(i), element, cells, 24 + i * volume * element.bytes});
        }
        pattern.files.push_back(one);
    };
    Element const single{Element::Kind::real, 4};
    Element const shade{Element::Kind::natural, 1};
    file("restart", 6, single);
    for (int dump = 0; dump < 4; ++dump) {
        file("analysis" + std::to_string(dump), 6, single);
        for (auto const* name : {"density", "pressure", "speed", "potential"}) {
            file(name + std::to_string(dump), 1, shade);
        }
    }
    auto const move = [&](Phase& phase, std::uint64_t of, Verb verb, std::vector<std::int64_t> const& advance) {
        phase.steps.emplace_back(Open{of, verb == Verb::read ? OpenMode::read : OpenMode::create, {}, advance});
        for (std::uint64_t array = 0; array < pattern.files[of].arrays.size(); ++array) {
            auto access = access_to(pattern, verb, of, array, array == 0 ? 0 : 1, {0, array == 0 ? 1 : ranks, 1});
            access.collective = array > 0;
            access.file_advance = advance;
            phase.steps.emplace_back(std::move(access));
            if (array == 0 && verb == Verb::read) {
                phase.steps.emplace_back(Broadcast{24, 0, {}});
            }
        }
        phase.steps.emplace_back(Close{of, {}, advance});
    };
    auto restart = testing::phase_of("restart", {});
    move(restart, 0, Verb::read, {});
    auto dump = testing::phase_of("dump", {});
    for (std::uint64_t of = 0; of < 6; ++of) {
        move(dump, of, Verb::write, {of == 0 ? 0 : 5});
    }
    auto dumps = testing::phase_of("dumps", {Repeat{4, dump.steps}});
    pattern.phases = {restart, dumps};
    validate_pattern(pattern);
    return pattern;
}

Lowering method(array::Method method, std::uint64_t aggregators) {
    Lowering how;
    how.choice.write = how.choice.read = {method, aggregators};
    how.choice.window = 1 << 30;
    return how;
}

std::uint64_t seek_deeds(Pattern const& pattern) {
    std::uint64_t count = 0;
    testing::expand_all(pattern,
                        [&](std::uint64_t, Deed const& deed) { count += deed.action == Action::seek ? 1 : 0; });
    return count;
}

/// Tables 1 and 2 of the paper: 128 x 128 x 64 cells on 8 processes.
TEST(Lowering, GivesThePapersCountsOfTheSmallCase) {
    auto const plain = lowered(cloud({64, 128, 128}, {2, 2, 2}), method(array::Method::two_phase, 8));
    auto const sums = totals(plain);
    EXPECT_EQ(std::tuple(sums.opens, sums.closes, sums.operations, sums.bytes_read, sums.bytes_written),
              std::tuple(200U, 200U, 49U + 536, 25'165'848U, 218'104'384U));
    EXPECT_EQ(seeks(plain), 1'225U);
    EXPECT_EQ(seek_deeds(plain), 1'225U) << "each is an operation of its own";
    EXPECT_EQ(messages(plain), 3'368U);
}

/// The large case, on 64 processes.
TEST(Lowering, GivesThePapersMessagesOfTheLargeCase) {
    auto pattern = cloud({256, 256, 256}, {4, 4, 4});
    auto const plain = lowered(pattern, method(array::Method::two_phase, 64));
    auto const arrays = 6 + 4 * 16;
    EXPECT_EQ(messages(plain), (64U * 4 * 4 - 64) * 2 * arrays + 64);
    EXPECT_EQ(totals(plain).opens, 25U * 64);
}

/// One operation each, whatever the method; requests that go on where the last one ended have none.
TEST(Lowering, ListsTheSeeksThatItCounts) {
    for (auto const one :
         {array::Method::independent, array::Method::gather, array::Method::two_phase, array::Method::grouped}) {
        for (std::uint64_t const window : {7, 64, 1 << 20}) {
            auto how = method(one, 3);
            how.choice.window = window;
            how.choice.group = 3;
            auto const plain = lowered(cloud({6, 5, 4}, {3, 1, 2}), how);
            EXPECT_EQ(seek_deeds(plain), seeks(plain)) << to_text(one) << " " << window;
        }
    }
}

TEST(Lowering, SendsAllThroughRankZero) {
    auto const plain = lowered(cloud({64, 128, 128}, {2, 2, 2}), method(array::Method::gather, 1));
    auto const sums = totals(plain);
    EXPECT_EQ(sums.opens, 25U);
    EXPECT_EQ(sums.operations, 7U + 24 + 64);
    EXPECT_EQ(messages(plain), 7U * 2 * 70 + 8);
    EXPECT_EQ(seeks(plain), 0U);
    for (std::uint64_t rank = 1; rank < 8; ++rank) {
        expand(plain, Rank{rank}, [](Deed const& deed) {
            EXPECT_TRUE(deed.action == Action::send || deed.action == Action::receive ||
                        deed.action == Action::broadcast || deed.action == Action::barrier);
        });
    }
}

/// Each rank writes the runs of its own block.
TEST(Lowering, LeavesEachRankItsOwnRuns) {
    auto const plain = lowered(cloud({64, 128, 128}, {2, 2, 2}), method(array::Method::independent, 8));
    EXPECT_EQ(totals(plain).opens, 200U);
    EXPECT_EQ(totals(plain).operations, 25U + 70U * 8 * 32 * 64);
    EXPECT_EQ(messages(plain), 8U);
}

/// Whatever the method, every byte of the files is moved once by those who make requests.
TEST(Lowering, MovesEveryByteOnce) {
    for (auto const one :
         {array::Method::independent, array::Method::gather, array::Method::two_phase, array::Method::grouped}) {
        for (std::uint64_t const aggregators : {1, 2, 3, 6}) {
            for (std::uint64_t const window : {7, 64, 1 << 20}) {
                auto how = method(one, aggregators);
                how.choice.window = window;
                how.choice.group = aggregators;
                auto const pattern = cloud({6, 5, 4}, {3, 1, 2});
                auto const plain = lowered(pattern, how);
                std::map<std::string, std::vector<int>> written;
                testing::expand_all(plain, [&](std::uint64_t, Deed const& deed) {
                    if (deed.action == Action::write && deed.file != "restart") {
                        auto& bytes = written[std::string(deed.file)];
                        bytes.resize(std::max(bytes.size(), deed.offset + deed.length));
                        for (auto i = deed.offset; i < deed.offset + deed.length; ++i) {
                            ++bytes[i];
                        }
                    }
                });
                EXPECT_EQ(written.size(), 20U);
                for (auto const& [name, bytes] : written) {
                    EXPECT_TRUE(std::ranges::all_of(bytes, [](int n) { return n == 1; })) << name;
                }
                EXPECT_EQ(totals(plain).bytes_written, totals(pattern).bytes_written);
            }
        }
    }
}

/// Ranks of a node take from shared memory.
TEST(Lowering, SendsNothingWithinANode) {
    auto how = method(array::Method::two_phase, 4);
    how.node = {0, 0, 0, 0, 1, 1, 1, 1};
    auto const pattern = cloud({8, 8, 8}, {2, 2, 2});
    EXPECT_EQ(messages(lowered(pattern, how)), 8U) << "the slabs of a node are its own blocks";
    how.node.assign(8, 0);
    how.choice.write = how.choice.read = {array::Method::gather, 1};
    EXPECT_EQ(messages(lowered(pattern, how)), 8U);
}

}  // namespace
}  // namespace weir
