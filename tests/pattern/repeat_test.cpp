// A pattern with repeats is the unrolled one, written shorter.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/json.hpp"
#include "pattern/byte_map.hpp"
#include "pattern/pattern_json.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/repeats.hpp"

namespace weir {
namespace {

using testing::deeds;
using testing::unrolled;

TEST(Repeat, DoesWhatTheUnrolledPatternDoes) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto const ranks = 1 + seed % 5;
        auto const pattern = testing::RandomRepeats(seed).make(ranks);
        auto const plain = unrolled(pattern);
        validate_pattern(pattern);
        validate_pattern(plain);
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            ASSERT_EQ(deeds(pattern, Rank{rank}), deeds(plain, Rank{rank})) << "seed " << seed << " rank " << rank;
            ASSERT_EQ(totals(pattern, Rank{rank}), totals(plain, Rank{rank})) << "seed " << seed << " rank " << rank;
        }
        ASSERT_EQ(totals(pattern), totals(plain)) << "seed " << seed;
        ASSERT_EQ(file_sizes(pattern), file_sizes(plain)) << "seed " << seed;
        ASSERT_EQ(largest_request(pattern), largest_request(plain)) << "seed " << seed;
        ASSERT_EQ(geometry(pattern, 1 << 20).runs, geometry(plain, 1 << 20).runs) << "seed " << seed;
        ASSERT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern) << "seed " << seed;
    }
}

/// Everything that a rank does, counted.
TEST(Repeat, TotalsAreThoseOfItsExpansion) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        auto const pattern = testing::RandomRepeats(seed).make(4);
        Totals counted;
        testing::expand_all(pattern, [&](std::uint64_t, Deed const& deed) {
            counted.bytes_written += deed.action == Action::write ? deed.length : 0;
            counted.opens += deed.action == Action::open ? 1 : 0;
            counted.closes += deed.action == Action::close ? 1 : 0;
        });
        auto const all = totals(pattern);
        ASSERT_EQ(all.bytes_written, counted.bytes_written) << "seed " << seed;
        ASSERT_EQ(all.opens, counted.opens) << "seed " << seed;
        ASSERT_EQ(all.closes, counted.closes) << "seed " << seed;
    }
}

Access piece(std::uint64_t file = 0) {
    Access access;
    access.file = file;
    access.extent.length = 8;
    return access;
}

/// A pattern of one phase over four files.
Pattern of_steps(std::vector<Step> steps, std::uint64_t ranks = 1) {
    return {"p", ranks, {{"a"}, {"b"}, {"c"}, {"d"}}, {testing::phase_of("p", std::move(steps))}};
}

TEST(Repeat, TotalsOfMoreTurnsThanCouldBeUnrolled) {
    auto access = piece();
    access.advance = {8 * (std::int64_t{1} << 20), 8};
    auto const million = std::uint64_t{1} << 20;
    auto const pattern = of_steps({Open{0}, Repeat{million, {Repeat{million, {access}}, Sync{0}}}, Close{0}});
    EXPECT_NO_THROW(validate_pattern(pattern));
    auto const all = totals(pattern);
    EXPECT_EQ(all.operations, million * million);
    EXPECT_EQ(all.bytes_written, 8 * million * million);
    EXPECT_EQ(all.bytes_on_disk, 8 * million * million);
    EXPECT_EQ(all.syncs, million);
}

void expect_refused(std::vector<Step> steps, std::string const& words, std::uint64_t ranks = 1) {
    testing::expect_error(ExitCode::usage, words, [&] { validate_pattern(of_steps(std::move(steps), ranks)); });
}

TEST(Repeat, RefusesWhatCannotBeRepeated) {
    expect_refused({Repeat{0, {Compute{}}}}, "repeats nothing");
    expect_refused({Repeat{2, {}}}, "repeats nothing");
    expect_refused({Open{0}, Repeat{std::uint64_t{1} << 41, {piece()}}, Close{0}}, "more than 2^40");
    expect_refused({Repeat{2, {Open{0}}}, Close{0}}, "file 0 is open already");
    expect_refused({Open{0}, Repeat{2, {Close{0}}}}, "file 0 is not open");
    expect_refused({Repeat{5, {Open{0, OpenMode::create, {}, {1}}, Close{0, {}, {1}}}}}, "there is no file 4");
    expect_refused({Repeat{2, {Open{0, OpenMode::create, {}, {-1}}, Close{0, {}, {-1}}}}}, "below file 0");
    expect_refused({Open{0}, Repeat{2, {Repeat{2, {Open{0, OpenMode::create, {}, {1, 0}}, Close{0, {}, {1, 0}}}}}}},
                   "file 0 is open already");
    // Only the inner repeat goes on to other files, and only its third turn opens what nobody closes.
    expect_refused({Repeat{2, {Repeat{3, {Open{0, OpenMode::create, {}, {0, 1}}}}, Repeat{2, {Close{0, {}, {0, 1}}}}}}},
                   "file 2 is open already");
    expect_refused({Repeat{1, {Repeat{3, {Open{0, OpenMode::create, {}, {0, 1}}}}, Repeat{2, {Close{0, {}, {0, 1}}}}}}},
                   "file 2 is still open");
    auto access = piece();
    access.advance = {8, 8};
    expect_refused({Open{0}, Repeat{2, {access}}, Close{0}}, "advance has 2 numbers in 1 repeats");
    access.advance = {-8};
    expect_refused({Open{0}, Repeat{2, {access}}, Close{0}}, "before the start of the file");
    access.advance = {std::int64_t{1} << 62};
    expect_refused({Open{0}, Repeat{4, {access}}, Close{0}}, "beyond 2^63");
    std::vector<Step> steps{Compute{}};
    for (int depth = 0; depth < 9; ++depth) {
        steps = {Repeat{1, steps}};
    }
    expect_refused(steps, "deeper than 8");
}

TEST(Repeat, RefusalsNameTheStep) {
    expect_refused({Compute{}, Repeat{2, {Compute{}, Compute{Seconds{-1}}}}}, "phase 'p', step 1.1 cannot");
}

TEST(Repeat, RefusesTimeLimits) {
    auto pattern = of_steps({Open{0}, Repeat{2, {piece()}}, Close{0}});
    pattern.phases[0].time_limit = Seconds{1};
    EXPECT_THROW(validate_pattern(pattern), Error);
}

TEST(Repeat, MayLeaveFilesToALaterRepeat) {
    auto const pattern = of_steps({Repeat{4, {Open{0, OpenMode::create, {}, {1}}}}, Repeat{4, {Sync{3, {}, {-1}}}},
                                   Repeat{4, {Close{0, {}, {1}}}}});
    EXPECT_NO_THROW(validate_pattern(pattern));
    EXPECT_EQ(totals(pattern).opens, 4U);
}

TEST(StepsOfSomeRanks, AreRefusedWhereTheirFileIsNotOpen) {
    RankSet const first{0, 1, 1};
    RankSet const rest{1, 3, 1};
    expect_refused({Open{0, OpenMode::create, {first}}, Sync{0}, Close{0, {first}}}, "not open on 3 of the ranks", 4);
    expect_refused({Open{0, OpenMode::create, {first}}, Open{0}}, "open already", 4);
    expect_refused({Open{0}, Close{0, {first}}}, "not closed by the ranks that opened it", 4);
    expect_refused({Open{0, OpenMode::create, {rest, first, first}}}, "in two of its rank sets", 4);
    expect_refused({Barrier{{{2, 3, 1}}}}, "goes beyond the 4 ranks", 4);
    auto access = piece();
    access.ranks = {0, 4, 1};
    auto const pattern = of_steps({Open{0, OpenMode::create, {first}}, Open{0, OpenMode::update, {rest}}, access,
                                   Sync{0}, Close{0, {rest}}, Close{0, {first}}},
                                  4);
    EXPECT_NO_THROW(validate_pattern(pattern)) << "each has it open";
    EXPECT_EQ(totals(pattern).opens, 4U);
    auto const open_first = Open{0, OpenMode::create, {first}};
    auto const open_rest = Open{0, OpenMode::update, {rest}};
    EXPECT_NO_THROW(validate_pattern(of_steps({open_first, open_rest, access, Close{0}}, 4))) << "closed together";
    expect_refused({open_first, open_rest, Close{0, {{0, 2, 1}}}}, "not closed by the ranks that opened it", 4);
    expect_refused({open_first, open_rest, Close{0, {rest}}}, "is still open", 4);
    EXPECT_EQ(totals(pattern, Rank{2}).opens, 1U);
}

TEST(StepsOfSomeRanks, FilesOfSomeRanksAreCounted) {
    auto pattern = of_steps({Open{0, OpenMode::create, {{0, 2, 2}}}, Close{0, {{0, 2, 2}}}}, 4);
    pattern.files = {{"a", true}};
    EXPECT_EQ(totals(pattern).files, 2U);
    EXPECT_EQ(totals(pattern, Rank{1}).files, 0U);
}

}  // namespace
}  // namespace weir
