#include "pattern/parametric.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/patterns.hpp"
#include "support/trials.hpp"

namespace weir {
namespace {

using testing::Request;
using testing::requests_of;

Parameters small() { return {.ranks = 3, .block = Bytes{64}, .transfer = Bytes{16}, .segments = 2}; }

std::vector<std::uint64_t> offsets_of(Pattern const& pattern, Rank rank, std::string const& phase = "write") {
    std::vector<std::uint64_t> offsets;
    for (auto const& r : requests_of(pattern, rank)) {
        if (r.phase == phase) {
            offsets.push_back(r.offset);
        }
    }
    return offsets;
}

// The layout of Shan and Shalf 2007, figure 1: segments of one block a rank, blocks of transfers.
TEST(Parametric, LaysOutSegmentsBlocksAndTransfersAsIor) {
    auto const p = small();
    auto const pattern = make_pattern(p);
    for (std::uint64_t rank = 0; rank < p.ranks; ++rank) {
        std::vector<std::uint64_t> expected;
        for (std::uint64_t segment = 0; segment < p.segments; ++segment) {
            for (std::uint64_t transfer = 0; transfer < 4; ++transfer) {
                expected.push_back((segment * p.ranks + rank) * 64 + transfer * 16);
            }
        }
        EXPECT_EQ(offsets_of(pattern, Rank{rank}), expected);
    }
}

TEST(Parametric, MakesEachSegmentADatasetOnlyIfAskedTo) {
    Parameters p;
    p.ranks = 3;
    p.segments = 4;
    EXPECT_EQ(make_pattern(p).files.at(0).dataset_bytes, 0U);
    p.datasets = DatasetUnit::segment;
    EXPECT_EQ(make_pattern(p).files.at(0).dataset_bytes, 3 * p.block.value);
    p.layout = Layout::file_per_process;
    EXPECT_EQ(make_pattern(p).files.at(0).dataset_bytes, p.block.value);
}

std::vector<std::string> names_of(std::vector<Phase> const& phases) {
    std::vector<std::string> names;
    for (auto const& phase : phases) {
        names.push_back(phase.name + (phase.timed ? "" : " (aside)"));
    }
    return names;
}

TEST(Parametric, DividesSizesAmongRanks) {
    auto p = small();
    auto const shares = make_pattern(p);
    p.block.value *= p.ranks;
    p.transfer.value *= p.ranks;
    p.divided = true;
    EXPECT_EQ(make_pattern(p), shares);
    p.transfer.value = 8 * 4;
    testing::expect_error(ExitCode::usage, "cannot be divided among 3 ranks", [&] { make_pattern(p); });
}

TEST(Parametric, OpensAndClosesInPhasesOfTheirOwnWhereOnlyTransfersAreTimed) {
    auto p = small();
    p.files = 2;
    p.preallocate = true;
    p.collective = true;
    p.reorder = Readers::node;
    p.timed = Timed::transfer;
    auto const pattern = make_pattern(p);
    EXPECT_EQ(names_of(pattern.phases), (std::vector<std::string>{"open-write (aside)", "write", "close-write (aside)",
                                                                  "open-read (aside)", "read", "close-read (aside)"}));
    auto const& open = pattern.phases.at(0).steps;
    ASSERT_EQ(open.size(), 4U);
    EXPECT_TRUE(std::get<Open>(open[0]).collective) << "its access is in a later phase";
    EXPECT_EQ(std::get<Preallocate>(open[3]).file, 1U);
    EXPECT_EQ(pattern.phases.at(1).steps.size(), 4U) << "an access and a sync of each file";
    EXPECT_EQ(pattern.phases.at(3).reorder, pattern.phases.at(4).reorder) << "a rank opens the file that it reads";
    p.timed = Timed::all;
    auto const one_phase = make_pattern(p);
    EXPECT_EQ(names_of(one_phase.phases), (std::vector<std::string>{"write", "read"}));
    EXPECT_EQ(totals(pattern).operations, totals(one_phase).operations);
}

TEST(Parametric, WritesBeforeItOverwrites) {
    auto p = small();
    p.read = false;
    p.overwrite = true;
    auto const pattern = make_pattern(p);
    EXPECT_EQ(names_of(pattern.phases), (std::vector<std::string>{"first-write (aside)", "write"}));
    EXPECT_EQ(std::get<Open>(pattern.phases[0].steps[0]).mode, OpenMode::create);
    EXPECT_EQ(std::get<Open>(pattern.phases[1].steps[0]).mode, OpenMode::update);
    EXPECT_EQ(offsets_of(pattern, Rank{1}, "first-write"), offsets_of(pattern, Rank{1}, "write"));
    p.time_limit = Seconds{1};
    testing::expect_error(ExitCode::usage, "overwrite contradicts time_limit", [&] { make_pattern(p); });
    p.write = false;
    p.read = true;
    testing::expect_error(ExitCode::usage, "overwrite needs write", [&] { make_pattern(p); });
}

TEST(Parametric, MakesRequestsWithoutBytes) {
    auto p = small();
    p.block = p.transfer = Bytes{0};
    auto const pattern = make_pattern(p);
    EXPECT_EQ(totals(pattern).operations, 2 * p.ranks * p.segments);
    EXPECT_EQ(totals(pattern).bytes_on_disk, 0U);
    EXPECT_EQ(offsets_of(pattern, Rank{2}), (std::vector<std::uint64_t>{0, 0}));
    p.list_io = true;
    testing::expect_error(ExitCode::usage, "no sequence of requests", [&] { make_pattern(p); });
    p.block = Bytes{64};
    testing::expect_error(ExitCode::usage, "the other one is not", [&] { make_pattern(p); });
}

TEST(Parametric, StridedInterleavesRanks) {
    auto p = small();
    p.offsets = Offsets::strided;
    auto const pattern = make_pattern(p);
    EXPECT_EQ(offsets_of(pattern, Rank{1}), (std::vector<std::uint64_t>{16, 64, 112, 160, 208, 256, 304, 352}));
}

TEST(Parametric, FilePerProcessPacksBlocks) {
    auto p = small();
    p.layout = Layout::file_per_process;
    auto const pattern = make_pattern(p);
    EXPECT_EQ(offsets_of(pattern, Rank{2}), (std::vector<std::uint64_t>{0, 16, 32, 48, 64, 80, 96, 112}));
    EXPECT_EQ(requests_of(pattern, Rank{2}).front().file, "data.00000002");
}

TEST(Parametric, CoversEachFileOnceUnlessDrawnWithReplacement) {
    testing::each_trial<std::mt19937>(300, 3, [&](std::mt19937& random) {
        auto p = testing::random_parameters(random);
        if (p.offsets == Offsets::random) {
            return;
        }
        auto const pattern = make_pattern(p);
        std::map<std::string, std::multiset<std::uint64_t>> written;
        for (auto const& r : requests_of(pattern)) {
            if (r.verb == Verb::write) {
                written[r.file].insert(r.offset);
            }
        }
        ASSERT_EQ(written.size(), totals(pattern).files);
        for (auto const& [file, offsets] : written) {
            std::uint64_t next = 0;
            for (auto const offset : offsets) {
                ASSERT_EQ(offset, next) << file;
                next += p.transfer.value;
            }
        }
    });
}

TEST(Parametric, ReadersReadWhatSomebodyWroteEachPartOnce) {
    testing::each_trial<std::mt19937>(300, 4, [&](std::mt19937& random) {
        auto p = testing::random_parameters(random);
        p.read = true;
        p.mixed = false;
        auto const pattern = make_pattern(p);
        std::map<std::string, std::multiset<std::uint64_t>> written;
        std::map<std::string, std::multiset<std::uint64_t>> read;
        for (auto const& r : requests_of(pattern)) {
            if (r.phase != "check") {
                (r.verb == Verb::write ? written : read)[r.file].insert(r.offset);
            }
        }
        ASSERT_EQ(written, read);
    });
}

TEST(Parametric, ReorderedReadersDoNotReadTheirOwn) {
    auto p = small();
    p.reorder = Readers::node;
    p.readers_shift = 1;
    auto const pattern = make_pattern(p);
    EXPECT_EQ(offsets_of(pattern, Rank{0}, "read"), offsets_of(pattern, Rank{1}, "write"));
    EXPECT_EQ(offsets_of(pattern, Rank{2}, "read"), offsets_of(pattern, Rank{0}, "write"));
    p.reorder = Readers::random;
    for (std::uint64_t ranks = 2; ranks < 40; ++ranks) {
        p.ranks = ranks;
        p.seed = ranks;
        auto const reorder = make_pattern(p).phases.at(1).reorder;
        std::set<std::uint64_t> done;
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            auto const acting = acting_rank(reorder, Rank{rank}, ranks).value;
            EXPECT_NE(acting, rank);
            EXPECT_EQ(doing_rank(reorder, Rank{acting}, ranks), Rank{rank});
            EXPECT_EQ(
                doing_rank({ReorderKind::shift, 50}, acting_rank({ReorderKind::shift, 50}, Rank{rank}, ranks), ranks),
                Rank{rank});
            done.insert(acting);
        }
        EXPECT_EQ(done.size(), ranks);
    }
    p.reorder = Readers::node;
    p.ranks = 4;
    p.readers_shift = 3;
    EXPECT_EQ(make_pattern(p).phases.at(1).reorder.shift, 3U);
}

TEST(Parametric, TheSeedSaysWhoReadsWhat) {
    auto p = small();
    p.ranks = 20;
    p.reorder = Readers::random;
    auto const readers = [&](std::uint64_t seed) {
        p.seed = seed;
        auto const reorder = make_pattern(p).phases.at(1).reorder;
        std::vector<std::uint64_t> parts;
        for (std::uint64_t rank = 0; rank < p.ranks; ++rank) {
            parts.push_back(acting_rank(reorder, Rank{rank}, p.ranks).value);
        }
        return parts;
    };
    EXPECT_EQ(readers(1), readers(1));
    EXPECT_NE(readers(1), readers(2));
}

TEST(Parametric, ReservesWholeFiles) {
    for (auto const layout : {Layout::shared, Layout::file_per_process}) {
        auto p = small();
        p.layout = layout;
        p.preallocate = true;
        auto const pattern = make_pattern(p);
        EXPECT_EQ(std::get<Preallocate>(pattern.phases.at(0).steps.at(1)).bytes, file_sizes(pattern).at(0));
    }
}

TEST(Parametric, WhatATimeLimitLeftUnwrittenIsNeitherReadNorChecked) {
    auto p = small();
    p.check = p.mixed = true;
    p.read_percent = 50;
    for (auto const& phase : make_pattern(p).phases) {
        EXPECT_EQ(phase.limited_by, "");
    }
    p.time_limit = Seconds{3};
    auto const phases = make_pattern(p).phases;
    ASSERT_EQ(phases.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(phases[i].limited_by, i == 0 ? "" : "write") << phases[i].name;
        EXPECT_EQ(phases[i].time_limit.value, i == 0 ? 3 : 0) << phases[i].name;
    }
}

TEST(Parametric, SyncsWhereAsked) {
    auto p = small();
    auto const syncs = [&](SyncWhen when) {
        p.sync = when;
        return totals(make_pattern(p)).syncs;
    };
    EXPECT_EQ(syncs(SyncWhen::never), 0U);
    EXPECT_EQ(syncs(SyncWhen::close), 3U);
    EXPECT_EQ(syncs(SyncWhen::write), 3U * 8);
}

TEST(Parametric, RefusesContradictions) {
    std::vector<void (*)(Parameters&)> const changes{
        [](auto& p) { p.transfer = Bytes{24}; },
        [](auto& p) { p.transfer = p.block = Bytes{12}; },
        [](auto& p) {
            p.offsets = Offsets::strided;
            p.layout = Layout::file_per_process;
        },
        [](auto& p) { p.wear_out = true; },
        [](auto& p) { p.write = p.read = p.check = false; },
        [](auto& p) { p.segments = 0; },
        [](auto& p) { p.segments = 1ULL << 60; },
        [](auto& p) {
            p.block = p.transfer = Bytes{1ULL << 40};
            p.segments = 1ULL << 20;
            p.files = 16;
        },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        auto p = small();
        changes[i](p);
        EXPECT_NE(testing::refusal_of(ExitCode::usage, [&] { make_pattern(p); }).suggestion, "") << i;
    }
}

}  // namespace
}  // namespace weir
