#include "apps/cmb/io/cmb_pattern.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bench/benchmark.hpp"
#include "core/json.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/unwaited.hpp"
#include "support/failures/error_of.hpp"

namespace weir::cmb {
namespace {

using weir::testing::expect_error;

struct Moved {
    std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
    bool operator==(Moved const&) const = default;
};

std::map<std::string, Moved> moved_by_phase(Pattern const& pattern) {
    std::map<std::string, Moved> found;
    for (auto const& phase : pattern.phases) {
        auto& one = found[phase.name];
        each_access(phase.steps, [&](Access const& access, Loops const& loops) {
            auto const all = volume(access);
            auto const writes = access.verb == Verb::write;
            (writes ? one.writes : one.reads) += all.requests * times(loops);
            (writes ? one.bytes_written : one.bytes_read) += all.bytes * times(loops);
        });
    }
    return found;
}

constexpr std::uint64_t matrix = 512 * 512 * 8;
constexpr std::uint64_t all_of_them = 8 * matrix;

Shape of_512(std::uint64_t gangs) { return {.ranks = 4, .pixels = 512, .bins = 8, .gangs = gangs}; }

/// Calls and bytes of MADbench2: facts, applications.md 5.3.
TEST(CmbPattern, MovesWhatTheOriginalMoves) {
    for (auto const asynchronous : {false, true}) {
        for (auto const layout : {Layout::shared, Layout::file_per_process}) {
            Course course{.layout = layout, .asynchronous = asynchronous};
            auto io = moved_by_phase(make_pattern(of_512(1), course));
            EXPECT_EQ(io.size(), 3U);
            EXPECT_EQ(io["S"], (Moved{0, 32, 0, 16'777'216}));
            EXPECT_EQ(io["W"], (Moved{32, 32, all_of_them, all_of_them}));
            EXPECT_EQ(io["C"], (Moved{32, 0, all_of_them, 0}));
            io = moved_by_phase(make_pattern(of_512(4), course));
            EXPECT_EQ(io["S"], (Moved{0, 32, 0, all_of_them}));
            EXPECT_EQ(io["W"], (Moved{32, 8, all_of_them, all_of_them}));
            EXPECT_EQ(io["C"], (Moved{8, 0, all_of_them, 0}));
            course.mode = Mode::compute;
            auto full = moved_by_phase(make_pattern(of_512(1), course));
            EXPECT_EQ(full["D"], Moved{});
            EXPECT_EQ(full["W"], (Moved{32, 32, all_of_them, all_of_them}));
            EXPECT_EQ(full["C"], (Moved{144, 0, 36 * matrix, 0}));
            full = moved_by_phase(make_pattern(of_512(4), course));
            EXPECT_EQ(full["W"], (Moved{32, 8, all_of_them, all_of_them}));
            EXPECT_EQ(full["C"], (Moved{12, 0, 12 * matrix, 0}));
        }
    }
}

TEST(CmbPattern, FewRoundsAreReadAheadToo) {
    for (std::uint64_t bins = 1; bins < 6; ++bins) {
        for (auto const mode : {Mode::io, Mode::compute}) {
            Shape const shape{.ranks = 4, .pixels = 40, .bins = bins, .block = 8};
            auto const plain = make_pattern(shape, {.mode = mode});
            auto const ahead = make_pattern(shape, {.mode = mode, .asynchronous = true});
            EXPECT_EQ(moved_by_phase(plain), moved_by_phase(ahead)) << bins;
            EXPECT_EQ(totals(plain), totals(ahead)) << bins;
        }
    }
}

/// One call of 78,125,000 bytes a matrix and rank: facts, storage.md 4.3.
TEST(CmbPattern, OfThePapersCaseIsMadeWithoutALaunch) {
    Shape const shape{.ranks = 64, .pixels = 25'000, .bins = 8, .block = usual_block(25'000, 64)};
    auto const pattern = make_pattern(shape, {});
    EXPECT_EQ(largest_request(pattern), 78'125'000U);
    for (auto const& phase : pattern.phases) {
        each_access(phase.steps, [&](Access const& access, Loops const&) {
            EXPECT_TRUE(access.lists.empty());
            for (auto const rank : {0U, 17U, 63U}) {
                EXPECT_EQ(volume(access, Rank{rank}).requests, 1U);
                EXPECT_EQ(volume(access, Rank{rank}).bytes, 78'125'000U);
            }
        });
    }
    EXPECT_EQ(pattern_from_json(to_json(pattern), "."), pattern);
}

/// Every byte that is read was written before, by the same rank.
TEST(CmbPattern, RanksKeepToTheirRegions) {
    Shape const shape{.ranks = 4, .pixels = 70, .bins = 4, .gangs = 4, .block = 8, .alignment = 512};
    for (auto const mode : {Mode::io, Mode::compute}) {
        auto const pattern = make_pattern(shape, {.mode = mode});
        for (auto const& phase : pattern.phases) {
            each_turn(phase.steps, [&](Step const& step, Turns const& turns) {
                if (auto const* access = std::get_if<Access>(&step)) {
                    auto const now = at(*access, turns);
                    for (std::uint64_t rank = 0; rank < 4; ++rank) {
                        Operations operations(now, Rank{rank});
                        Operation one;
                        EXPECT_TRUE(operations.next(one));
                        EXPECT_GE(one.offset, rank * shape.region_bytes());
                        EXPECT_LE(one.offset + one.length, (rank + 1) * shape.region_bytes());
                        EXPECT_EQ(one.offset % 512, 0U);
                    }
                }
                return true;
            });
        }
    }
}

TEST(CmbPattern, RanksTakeTurns) {
    Shape const shape{.ranks = 16, .pixels = 64, .bins = 2, .block = 4};
    auto const pattern = make_pattern(shape, {.read_turns = 4, .write_turns = 2});
    std::uint64_t writes = 0, sends = 0;
    each_step(pattern.phases.front().steps, [&](Step const& step, Loops const&) {
        if (auto const* access = std::get_if<Access>(&step)) {
            EXPECT_EQ(access->ranks, (RankSet{writes++, 8, 2}));
        } else if (auto const* send = std::get_if<Send>(&step)) {
            EXPECT_EQ(send->from, (RankSet{0, 8, 2}));
            EXPECT_EQ(send->to, (RankSet{1, 8, 2}));
            ++sends;
        }
    });
    EXPECT_EQ(writes, 2U);
    EXPECT_EQ(sends, 1U);
    auto const at_once = make_pattern(shape, {});
    EXPECT_EQ(moved_by_phase(pattern), moved_by_phase(at_once));
}

/// Only ranks that share a matrix wait for each other: all gangs do.
TEST(CmbPattern, EachGangWaitsForItself) {
    Shape const shape{.ranks = 16, .pixels = 64, .bins = 4, .gangs = 4, .block = 4};
    auto const pattern = make_pattern(shape, {});
    std::map<std::uint64_t, int> waits;  // by the first rank
    each_step(pattern.phases.back().steps, [&](Step const& step, Loops const&) {
        if (auto const* barrier = std::get_if<Barrier>(&step)) {
            ASSERT_EQ(barrier->ranks.size(), 1U);
            auto const& gang = barrier->ranks.front();
            EXPECT_EQ(gang, (RankSet{gang.first, 4, 1}));
            ++waits[gang.first];
        }
    });
    EXPECT_EQ(waits, (std::map<std::uint64_t, int>{{0, 2}, {4, 2}, {8, 2}, {12, 2}}));
}

TEST(CmbPattern, PhasesThatWriteEndWithASyncWhereItIsAskedFor) {
    for (auto const asynchronous : {false, true}) {
        for (auto const sync : {false, true}) {
            std::vector<std::string> synced;
            for (auto const& phase : make_pattern(of_512(1), {.asynchronous = asynchronous, .sync = sync}).phases) {
                if (std::holds_alternative<Sync>(phase.steps.back())) {
                    synced.push_back(phase.name);
                }
            }
            EXPECT_EQ(synced, sync ? (std::vector<std::string>{"S", "W"}) : std::vector<std::string>{}) << asynchronous;
        }
    }
}

/// A part in flight while the next is made; in W one that is read, and one that is written.
TEST(CmbPattern, HasFewPartsInFlight) {
    auto const part = matrix / 4;
    EXPECT_EQ(most_unwaited(make_pattern(of_512(1), {})), 0U);
    EXPECT_EQ(most_unwaited(make_pattern(of_512(1), {.asynchronous = true})), 2 * part);
    Shape const of_gangs{.ranks = 4, .pixels = 512, .bins = 16, .gangs = 4};
    EXPECT_EQ(most_unwaited(make_pattern(of_gangs, {.asynchronous = true})), 8 * part);
}

TEST(CmbPattern, BusyWorkHasItsExponent) {
    auto const seconds = [](Pattern const& pattern, std::string const& name) {
        double sum = 0;
        for (auto const& phase : pattern.phases) {
            each_step(phase.steps, [&](Step const& step, Loops const& loops) {
                auto const* compute = std::get_if<Compute>(&step);
                sum += compute != nullptr && phase.name == name
                           ? compute->time.value * static_cast<double>(times(loops))
                           : 0;
            });
        }
        return sum;
    };
    auto const natural = make_pattern(of_512(1), {});
    EXPECT_NEAR(seconds(natural, "S"), 8 * 512.0 * 512 / 4 / 1e9, 1e-12);
    EXPECT_NEAR(seconds(natural, "W"), 8 * 512.0 * 512 * 512 / 4 / 1e9, 1e-9);
    EXPECT_NEAR(seconds(natural, "C"), 8 * 512.0 * 512 / 4 / 1e9, 1e-12);
    auto const half = make_pattern(of_512(1), {.exponent = 0.5, .operations_per_s = 1e6});
    for (auto const* name : {"S", "W", "C"}) {
        EXPECT_NEAR(seconds(half, name), 8 * 512.0 / 4 / 1e6, 1e-9);
    }
    EXPECT_NEAR(seconds(make_pattern(of_512(4), {}), "W"), 2 * 512.0 * 512 * 512 / 1e9, 1e-9);
}

TEST(CmbPattern, WhatDoesNotFitIsRefused) {
    auto const refused = [](Course const& course, char const* words) {
        expect_error(ExitCode::usage, words, [&] { make_pattern(of_512(1), course); });
    };
    refused({.read_turns = 3}, "read_turns = 3 does not divide a gang");
    refused({.write_turns = 8}, "write_turns = 8 does not divide a gang");
    refused({.write_turns = 2, .asynchronous = true}, "write_turns contradicts asynchronous");
    refused({.mode = Mode::compute, .exponent = 1}, "exponent contradicts mode = compute");
    refused({.operations_per_s = 1}, "busy work of 3.36e+07 s");
    expect_error(ExitCode::usage, "does not divide a gang", [&] { make_pattern(of_512(4), {.read_turns = 4}); });
}

std::unique_ptr<Job> job_with(OptionSet& set, Json const& options) {
    auto job = Benchmarks::instance().find("cmb")->make_job();
    job->declare(set);
    set.set_all(options);
    return job;
}

TEST(CmbJob, PrintsAndDescribesItsPattern) {
    OptionSet set;
    auto const job = job_with(set, {{"pixels", 25'000}, {"emit_pattern", true}, {"pattern_ranks", 64}});
    auto const printed = job->document({});
    ASSERT_TRUE(printed);
    EXPECT_EQ((*printed)["ranks"], 64);
    EXPECT_EQ(largest_request(pattern_from_json(*printed, ".")), 78'125'000U);
    EXPECT_EQ((*job->document(16))["ranks"], 16);
    auto const described = job->describe(64);
    EXPECT_EQ(described["totals"]["bytes_written"], 2 * 8 * std::uint64_t{8} * 25'000 * 25'000);
    EXPECT_EQ(described["totals"]["files"], 1);
    EXPECT_EQ(described["totals"]["memory_bytes_per_rank"], 78'125'000);
    OptionSet other;
    auto const unique = job_with(other, {{"layout", "file-per-process"}, {"mode", "compute"}});
    EXPECT_EQ(unique->describe(4)["totals"]["files"], 4);
    EXPECT_FALSE(unique->document({}));
    EXPECT_EQ(unique->cache_fill(4).bytes, 8 * 1024 * 1024 * 8U);
}

TEST(CmbJob, RefusesWhatItsBackEndCannot) {
    auto const refused = [](Json const& options, char const* words) {
        OptionSet set;
        auto const job = job_with(set, options);
        expect_error(ExitCode::usage, words, [&] { static_cast<void>(job->describe(4)); });
    };
    refused({{"asynchronous", true}}, "asynchronous contradicts backend = posix");
    refused({{"mode", "compute"}, {"backend", "null"}}, "mode = compute contradicts backend = null");
    refused({{"exponent", -0.5}}, "exponent = -0.5 is negative");
    refused({{"mode", "compute"}, {"pixels", 200'000}}, "2^31 numbers");
    refused({{"mode", "compute"}, {"pixels", 60'000}, {"gangs", 4}}, "2^31 numbers");  // of a gang's matrix
    refused({{"gangs", 2}}, "gangs = 2");
    refused({{"block", 1024}}, "too few");
}

}  // namespace
}  // namespace weir::cmb
