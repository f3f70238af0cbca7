#include "apps/aquifer/io/aquifer_files.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "apps/common/run/choose_groups.hpp"
#include "apps/common/run/pattern_of_dumps.hpp"
#include "bench/benchmark.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "lowering/grouped.hpp"
#include "pattern/expansion.hpp"
#include "pattern/pattern_json.hpp"

namespace weir::aquifer {
namespace {

FileShape shape_of(Triple const& cells, OutputFiles files = OutputFiles::per_step) {
    return {.box = {cells, {10, 10, 1}}, .buffer = 100, .files = files, .species = {"Tracer"}};
}

Pattern pattern_of(FileShape const& shape, std::uint64_t ranks, std::uint64_t steps) {
    DumpTimes const times{0, steps, 1, {}, true};
    std::vector<DumpPlan> plans;
    for (std::uint64_t dump = 0; dump < times.count(); ++dump) {
        plans.push_back(plan_of(shape, ranks, times.step_of(dump), dump == 0));
    }
    return pattern_of_dumps(plans, times, true);
}

/// The requests of all ranks in a phase.
struct Counted {
    std::uint64_t opens = 0, reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
};

Counted count(Pattern const& pattern, std::string_view phase) {
    Counted sum;
    for (std::uint64_t rank = 0; rank < pattern.ranks; ++rank) {
        expand(pattern, Rank{rank}, [&](Deed const& deed) {
            if (deed.phase.name != phase) {
                return;
            }
            sum.opens += deed.action == Action::open ? 1 : 0;
            sum.reads += deed.action == Action::read ? 1 : 0;
            sum.bytes_read += deed.action == Action::read ? deed.length : 0;
            sum.writes += deed.action == Action::write ? 1 : 0;
            sum.bytes_written += deed.action == Action::write ? deed.length : 0;
        });
    }
    return sum;
}

constexpr Triple cells{12, 10, 8};  // 960 in all: ten blocks of 100 at most

TEST(AquiferFiles, EveryRankReadsTheSameRegionInBlocks) {
    for (std::uint64_t const ranks : {1U, 3U, 8U}) {
        auto const made = count(pattern_of(shape_of(cells), ranks, 1), "same region");
        EXPECT_EQ(made.reads, ranks * 10 * 2) << "ceil(960 / 100) blocks of two datasets";
        EXPECT_EQ(made.bytes_read, ranks * 2 * 4 * 960);
        EXPECT_EQ(made.opens, ranks);
    }
}

TEST(AquiferFiles, EveryRankReadsItsOwnRegionAtOnce) {
    auto const made = count(pattern_of(shape_of(cells), 8, 1), "own region");
    EXPECT_EQ(made.reads, 8U * 2);
    EXPECT_EQ(made.bytes_read, 960U * (4 + 8));
}

TEST(AquiferFiles, GroupsReadOnceEach) {
    for (std::uint64_t const size : {2U, 3U, 8U}) {
        auto const groups = (8 + size - 1) / size;
        auto const pattern = grouped(pattern_of(shape_of(cells), 8, 1), {.read = size, .write = size});
        auto const same = count(pattern, "same region");
        EXPECT_EQ(same.reads, groups * 10 * 2) << size;
        EXPECT_EQ(same.opens, groups) << size;
        EXPECT_EQ(count(pattern, "own region").reads, groups * 2) << size;
        EXPECT_EQ(count(pattern, "own region").bytes_read, 960U * (4 + 8)) << size;
        EXPECT_EQ(count(pattern, "output 0001").opens, groups) << size;
    }
}

TEST(AquiferFiles, AHyperslabHasARunForEachColumnOfCells) {
    auto const pattern = pattern_of(shape_of({12, 10, 8}), 8, 1);  // on 2 x 2 x 2 ranks: 6 x 5 x 4 cells
    std::map<std::uint64_t, std::uint64_t> runs;                   // by length
    expand(pattern, Rank{5}, [&](Deed const& deed) {
        if (deed.phase.name == "output 0001" && deed.action == Action::write) {
            ++runs[deed.length];
        }
    });
    EXPECT_EQ(runs, (std::map<std::uint64_t, std::uint64_t>{{4 * 4, 6 * 5}, {4 * 8, 6 * 5 * 6}}))
        << "Material_ID, and six fields of 8 bytes";
}

TEST(AquiferFiles, RanksAreNumberedWithXFastest) {
    auto const plan = plan_of(shape_of({4, 4, 4}), 8, 0, true);
    auto const& by = plan.shape.partitions[1];
    auto const& field = plan.shape.files[1].arrays.back();
    auto const start = [&](std::uint64_t rank) {
        auto const part = part_of(field, by, rank, 8);
        return Triple{static_cast<Index>(part.dim[0].first), static_cast<Index>(part.dim[1].first),
                      static_cast<Index>(part.dim[2].first)};
    };
    EXPECT_EQ(start(1), (Triple{2, 0, 0}));
    EXPECT_EQ(start(2), (Triple{0, 2, 0}));
    EXPECT_EQ(start(4), (Triple{0, 0, 2}));
}

TEST(AquiferFiles, ThirtyStepsHaveAnOutputEachAndTheInitialOne) {
    auto const apart = pattern_of(shape_of(cells), 2, 30);
    EXPECT_EQ(apart.files.size(), 1U + 31) << "the input, and a file a time";
    EXPECT_EQ(apart.files.back().name, "aquifer-030.h5");
    EXPECT_EQ(apart.files.back().arrays.back().name, "Time:  3.00000E+01 d/Liquid Z-Velocity [m_per_d]");
    auto const one = pattern_of(shape_of(cells, OutputFiles::one), 2, 30);
    ASSERT_EQ(one.files.size(), 2U);
    EXPECT_EQ(one.files[1].arrays.size(), head_arrays + 31 * 7);
    EXPECT_EQ(totals(one).bytes_written, totals(apart).bytes_written - 30 * (8 * (13 + 11 + 9) + 10 * 7 + 32))
        << "but for coordinates and provenance, which each file has";
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(one).dump())), one);
}

TEST(AquiferFiles, TimesAreThoseOfTheirSteps) {
    auto shape = shape_of({4, 4, 4});
    shape.interval_d = 0.25;
    auto const last_name = [&](std::uint64_t step) {
        return plan_of(shape, 1, step, step == 0).shape.files[1].arrays.back().name;
    };
    EXPECT_EQ(last_name(0), "Time:  0.00000E+00 d/Liquid Z-Velocity [m_per_d]");
    EXPECT_EQ(last_name(3), "Time:  7.50000E-01 d/Liquid Z-Velocity [m_per_d]");
}

TEST(AquiferFiles, LaterTimesAreAddedToOneFile) {
    auto const shape = shape_of(cells, OutputFiles::one);
    auto const pattern = pattern_of(shape, 2, 3);
    std::vector<OpenMode> modes;
    expand(pattern, Rank{1}, [&](Deed const& deed) {
        if (deed.action == Action::open && deed.file == "aquifer.h5") {
            modes.push_back(deed.mode);
        }
    });
    EXPECT_EQ(modes, (std::vector{OpenMode::create, OpenMode::update, OpenMode::update, OpenMode::update}));
    EXPECT_EQ(bytes_left(plan_of(shape, 2, 0, true), {0, 3, 1, {}, true}, true), totals(pattern).bytes_on_disk);
}

TEST(AquiferFiles, ThoseOfTheApplicationAreNamedAfterTheirSteps) {
    auto const job = Benchmarks::instance().find("aquifer")->make_job();
    OptionSet set;
    job->declare(set);
    set.set("cells", "4x4x4");
    set.set("step_days", 0.5);
    set.set("steps", 4);
    set.set("dump_every", 2);
    set.set("emit_pattern", true);
    auto const pattern = pattern_from_json(*job->document(2));
    std::vector<std::string> times;
    for (std::size_t file = 1; file < pattern.files.size(); ++file) {
        auto const& name = pattern.files[file].arrays.back().name;
        times.push_back(pattern.files[file].name + ", " + name.substr(0, name.find('/')));
    }
    EXPECT_EQ(times,
              (std::vector<std::string>{"aquifer-000.h5, Time:  0.00000E+00 d", "aquifer-001.h5, Time:  1.00000E+00 d",
                                        "aquifer-002.h5, Time:  2.00000E+00 d"}));
}

TEST(AquiferFiles, PatternsAreSmallAlsoAtManyRanks) {
    auto shape = shape_of({1024, 2048, 64});
    shape.buffer = 1'000'000;
    auto const asked = pattern_of(shape, 65536, 2);
    auto const made = grouped(asked, {.read = 8192, .write = 256, .requests = GroupRequests::combined});
    EXPECT_LT(to_json(made).dump().size(), 1'000'000U);
    auto const blocks = (std::uint64_t{1024} * 2048 * 64 + 999'999) / 1'000'000;
    EXPECT_EQ(totals(asked).operations, 65536 * (2 * blocks + 2) + 64 + 65536 + 3 * (11 + 3 + 7 * 65536))
        << "both patterns, a well of 64 cells, a source that gives each rank some, three outputs with 11 texts each";
    EXPECT_EQ(totals(made).operations, 8 * (2 * blocks + 2) + 1 + 8 + 3 * (11 + 3 + 7 * 256));
    EXPECT_EQ(totals(made).bytes_written, totals(asked).bytes_written);
}

TEST(AquiferFiles, CellsOfRanksAreThoseOfTheirBlocks) {
    for (std::uint64_t const ranks : {1U, 2U, 7U, 12U}) {
        auto const counts = cells_of_ranks({13, 7, 5}, ranks);
        Box const box{{13, 7, 5}, {1, 1, 1}};
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            EXPECT_EQ(counts[rank], block_of(box, ranks_for(box.cells, ranks), rank).count());
        }
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 13U * 7 * 5);
    }
}

TEST(AquiferFiles, GroupsAreChosenByPredictedTimes) {
    auto const choose = [](Triple const& n, std::uint64_t ranks) {
        auto shape = shape_of(n);
        shape.buffer = static_cast<std::uint64_t>(volume(n)) / 10;
        return choose_groups(requests_of(plan_of(shape, ranks, 0, true)), GroupRequests::combined);
    };
    EXPECT_EQ(choose({60, 50, 8}, 1).write, 1U);
    for (std::uint64_t const ranks : {4U, 8U, 16U}) {
        EXPECT_EQ(choose({60, 50, 8}, ranks).read, ranks) << "opens take most of the time";
        EXPECT_EQ(choose({60, 50, 8}, ranks).write, ranks);
        EXPECT_EQ(choose({200, 200, 25}, ranks).read, 1U) << "broadcasts would take longer than reads from the cache";
    }
    EXPECT_LT(choose({1024, 2048, 64}, 4096).write, 4096U) << "a root has not that much memory";
    // Half a million bytes of a field for each of 4096 ranks: 512 of them are 256 MiB, though more would be quicker.
    EXPECT_EQ(choose({512, 512, 1024}, 4096).write, 512U);
}

}  // namespace
}  // namespace weir::aquifer
