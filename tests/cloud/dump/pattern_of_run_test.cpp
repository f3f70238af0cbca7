// The pattern of a run against the counts of the paper, and against requests that are found cell by cell.

#include "cloud/dump/dumps.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "lowering/lowering.hpp"
#include "pattern/expansion.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/scale.hpp"
#include "support/patterns/phases.hpp"

namespace weir::cloud {
namespace {

constexpr RunShape small{.cells = {128, 128, 64}, .ranks = {2, 2, 2}, .steps = 20, .dump_every = 5, .restarted = true};
constexpr RunShape large{.cells = {256, 256, 128}, .ranks = {4, 4, 4}, .steps = 5, .dump_every = 5, .restarted = true};

RunShape with(RunShape run, DumpMethod method) {
    run.method = method;
    return run;
}

/// Requests by their bytes.
using Sizes = std::map<std::uint64_t, std::uint64_t>;

/// What tables 1 to 8 of the paper count, from the requests of all ranks.
struct Counted {
    std::uint64_t opens = 0, closes = 0;
    Sizes reads, writes;
};

Counted counted(Pattern const& pattern) {
    Counted sum;
    testing::expand_all(pattern, [&](std::uint64_t, Deed const& deed) {
        sum.opens += deed.action == Action::open ? 1 : 0;
        sum.closes += deed.action == Action::close ? 1 : 0;
        if (deed.action == Action::read) {
            ++sum.reads[deed.length];
        }
        if (deed.action == Action::write) {
            ++sum.writes[deed.length];
        }
    });
    return sum;
}

struct Paper {
    RunShape run;
    weir::Totals totals;
    Sizes reads, writes;
};

TEST(PatternOfRun, HasTheRequestsOfThePaper) {
    constexpr std::uint64_t kib = 1 << 10;
    for (auto const& [run, total, reads, writes] :
         {Paper{small,
                {218'104'384, 25'165'848, 49 + 536, 200, 4, 200, 21, 5 * 25'165'848 + 16 * 1'048'600},
                {{24, 1}, {512 * kib, 48}},
                {{24, 24}, {128 * kib, 128}, {512 * kib, 384}}},
          Paper{large,
                {436'207'760, 201'326'616, 385 + 1030, 448, 1, 448, 6, 2 * 201'326'616 + 4 * 8'388'632},
                {{24, 1}, {512 * kib, 384}},
                {{24, 6}, {128 * kib, 256}, {512 * kib, 768}}}}) {
        SCOPED_TRACE(volume(run.ranks));
        auto const pattern = pattern_of(run);
        auto const sum = counted(pattern);
        EXPECT_EQ(sum.opens, total.opens);
        EXPECT_EQ(sum.closes, total.closes);
        EXPECT_EQ(sum.reads, reads);
        EXPECT_EQ(sum.writes, writes);
        EXPECT_EQ(totals(pattern), total);
    }
}

TEST(PatternOfRun, MovesTheSameBytesByEachMethodAndThroughRank0WithFewOpens) {
    auto const two_phase = totals(pattern_of(small));
    auto const rank0 = totals(pattern_of(with(small, DumpMethod::rank0)));
    auto const independent = totals(pattern_of(with(small, DumpMethod::independent)));
    for (auto const& one : {rank0, independent}) {
        EXPECT_EQ(one.bytes_read, two_phase.bytes_read);
        EXPECT_EQ(one.bytes_written, two_phase.bytes_written);
        EXPECT_EQ(one.bytes_on_disk, two_phase.bytes_on_disk);
    }
    EXPECT_EQ(rank0.opens, 25U);
    EXPECT_EQ(rank0.operations, 7U + 4U * (2 * 7 + 4 * 2));
    EXPECT_EQ(independent.opens, 200U);
    // A row of each of 8 blocks of 64 x 64 x 32 cells is a request.
    EXPECT_EQ(independent.operations, 1 + 6U * 8 * 64 * 32 + 4U * (6 + 16U * 8 * 64 * 32));
}

TEST(PatternOfRun, NamesFilesAndTheirSizes) {
    RunShape const run{.cells = {8, 4, 4}, .ranks = {1, 1, 2}, .first_step = 7, .steps = 4, .dump_every = 2};
    auto const pattern = pattern_of(run);
    std::map<std::string, std::uint64_t> sizes;
    for (std::size_t i = 0; i < pattern.files.size(); ++i) {
        EXPECT_FALSE(pattern.files[i].per_rank);
        sizes[pattern.files[i].name] = file_sizes(pattern)[i];
    }
    std::map<std::string, std::uint64_t> const expected{
        {"restart", 24 + 24 * 128},         {"restart.weir-part", 24 + 24 * 128}, {"analysis-000008", 24 + 24 * 128},
        {"analysis-000010", 24 + 24 * 128}, {"density-000008", 24 + 128},         {"density-000010", 24 + 128},
        {"pressure-000008", 24 + 128},      {"pressure-000010", 24 + 128},        {"speed-000008", 24 + 128},
        {"speed-000010", 24 + 128},         {"potential-000008", 24 + 128},       {"potential-000010", 24 + 128},
    };
    EXPECT_EQ(sizes, expected);
    ASSERT_EQ(pattern.phases.size(), 1U);
    EXPECT_EQ(pattern.phases.front().name, "dumps");
}

// ---- against requests that are found cell by cell ----

/// An action on a file: its name, the file, and where.
using Done = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;

/// The block of a rank among `ranks`: x runs fastest.
struct Block {
    Triple start, cells;
};

Block block_of(Index rank, Triple const& cells, Triple const& ranks) {
    Triple const size{cells[0] / ranks[0], cells[1] / ranks[1], cells[2] / ranks[2]};
    return {{rank % ranks[0] * size[0], rank / ranks[0] % ranks[1] * size[1], rank / ranks[0] / ranks[1] * size[2]},
            size};
}

/// The bytes of a block in an array that begins at `start`, cell by cell; those that follow each other are one request.
void add_cells(std::vector<Done>& all, Done const& like, Block const& block, Triple const& cells,
               std::uint64_t element) {
    std::uint64_t const start = std::get<2>(like);
    std::uint64_t end = 0;
    for (Index k = block.start[2]; k < block.start[2] + block.cells[2]; ++k) {
        for (Index j = block.start[1]; j < block.start[1] + block.cells[1]; ++j) {
            for (Index i = block.start[0]; i < block.start[0] + block.cells[0]; ++i) {
                auto const cell = static_cast<std::uint64_t>((k * cells[1] + j) * cells[0] + i);
                auto const offset = start + cell * element;
                if (offset == end) {
                    std::get<3>(all.back()) += element;
                } else {
                    all.emplace_back(std::get<0>(like), std::get<1>(like), offset, element);
                }
                end = offset + element;
            }
        }
    }
}

std::vector<Done> expected_of_file(RunShape const& run, DumpFile const& file, Index rank, std::string const& verb) {
    auto const ranks = volume(run.ranks);
    Block const whole{{0, 0, 0}, run.cells};
    auto const block = run.method == DumpMethod::rank0       ? whole
                       : run.method == DumpMethod::two_phase ? block_of(rank, run.cells, {1, 1, ranks})
                                                             : block_of(rank, run.cells, run.ranks);
    std::vector<Done> all;
    if (rank == 0) {
        all.emplace_back(verb == "read" ? "open to read" : "open to create", file.name, 0, 0);
    }
    if (ranks > 1) {
        all.emplace_back("barrier", "", 0, 0);
    }
    if (run.method == DumpMethod::rank0 && rank > 0) {
        if (verb == "write" && file.name == "restart.weir-part") {
            all.emplace_back("barrier", "", 0, 0);
        }
        return all;
    }
    if (rank == 0) {
        all.emplace_back(verb, file.name, 0, 24);
    }
    if (rank > 0) {
        all.emplace_back(verb == "read" ? "open to read" : "open to update", file.name, 0, 0);
    }
    for (std::uint64_t array = 0; array < file.arrays; ++array) {
        auto const start = 24 + array * file.element_bytes * static_cast<std::uint64_t>(volume(run.cells));
        add_cells(all, {verb, file.name, start, 0}, block, run.cells, file.element_bytes);
    }
    if (verb == "write" && file.name == "restart.weir-part") {  // one rank of the node speaks for it
        if (ranks > 1) {
            all.emplace_back("barrier", "", 0, 0);
        }
        if (rank == 0) {
            all.emplace_back("sync", file.name, 0, 0);
        }
    }
    all.emplace_back("close", file.name, 0, 0);
    return all;
}

std::vector<Done> expected(RunShape const& run, Index rank) {
    std::vector<Done> all;
    auto const add = [&](DumpFile const& file, std::string const& verb) {
        for (auto const& one : expected_of_file(run, file, rank, verb)) {
            all.push_back(one);
        }
    };
    if (run.restarted) {
        add({"restart"}, "read");
    }
    for (Index step = run.first_step + 1; step <= run.first_step + run.steps; ++step) {
        if (dumps_after(step, run.dump_every)) {
            for (auto file : files_of_dump(step)) {
                file.name = file.name == restart_name ? "restart.weir-part" : file.name;
                add(file, "write");
            }
        }
    }
    return all;
}

std::vector<Done> found(Pattern const& pattern, Index rank) {
    std::vector<Done> all;
    expand(pattern, Rank{static_cast<std::uint64_t>(rank)}, [&](Deed const& deed) {
        if (deed.action >= Action::seek) {
            return;  // renames, and what the counts of seeks and messages tell
        }
        std::string name(to_text(deed.action));
        if (deed.action == Action::open) {
            name += " to " + std::string(to_text(deed.mode));
        }
        all.emplace_back(name, deed.file, deed.offset, deed.length);
    });
    return all;
}

class PatternOf : public ::testing::TestWithParam<DumpMethod> {};

TEST_P(PatternOf, ExpandsToTheRequestsOfEveryCell) {
    for (Triple const& ranks : {Triple{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 4}, {2, 2, 1}, {1, 3, 2}, {2, 3, 2}}) {
        for (bool const restarted : {false, true}) {
            RunShape const run{.cells = {4, 6, 12},
                               .ranks = ranks,
                               .first_step = 3,
                               .steps = 5,
                               .dump_every = 2,
                               .restarted = restarted,
                               .method = GetParam()};
            auto const pattern = pattern_of(run);
            for (Index rank = 0; rank < volume(ranks); ++rank) {
                EXPECT_EQ(found(pattern, rank), expected(run, rank))
                    << ranks[0] << " x " << ranks[1] << " x " << ranks[2] << ", rank " << rank;
            }
        }
    }
}

TEST_P(PatternOf, IsTheSameAsJson) {
    auto const pattern = pattern_of(with(small, GetParam()));
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
}

TEST_P(PatternOf, StaysSmallWithManyRanks) {
    RunShape run{.cells = {512, 512, 65536}, .steps = 5, .dump_every = 5, .restarted = true, .method = GetParam()};
    run.ranks = {2, 2, 2};
    auto const few = to_json(pattern_of(run)).dump().size();
    run.ranks = {32, 32, 64};
    run.cells[2] = run.method == DumpMethod::rank0 ? 1024 : run.cells[2];  // an array of rank 0's in one window
    auto const pattern = pattern_of(run);
    EXPECT_EQ(pattern.ranks, 65536U);
    EXPECT_EQ(totals(pattern).bytes_written, 6 * 24 + 52 * static_cast<std::uint64_t>(volume(run.cells)));
    EXPECT_LT(to_json(pattern).dump().size(), few + few / 2);
}

INSTANTIATE_TEST_SUITE_P(Methods, PatternOf, every_method, by_method);

// ---- other numbers of ranks, and what cannot be ----

TEST(PatternOfRun, GoesOverToOtherNumbersOfRanks) {
    auto run = small;
    for (auto const method : {DumpMethod::two_phase, DumpMethod::rank0}) {
        run.method = method;
        run.ranks = {2, 2, 2};
        auto const more = scaled(pattern_of(run), 16);
        run.ranks = {2, 4, 2};  // as square as can be
        auto const expected = pattern_of(run);
        for (Index rank = 0; rank < 16; ++rank) {
            EXPECT_EQ(found(more, rank), found(expected, rank)) << rank;
        }
        EXPECT_EQ(seeks(more), seeks(expected));
        EXPECT_EQ(messages(more), messages(expected));
        EXPECT_EQ(scaled(more, 2).ranks, 2U);
    }
    EXPECT_THROW(scaled(pattern_of(with(small, DumpMethod::independent)), 16), Error);
}

TEST(PatternOfRun, GoesOverToOneRankWhichOpensEachFileOnce) {
    auto const one = scaled(pattern_of(small), 1);
    EXPECT_EQ(totals(one).bytes_written, totals(pattern_of(small)).bytes_written);
    EXPECT_EQ(totals(one).opens, 25U);
}

TEST(PatternOfRun, HasNoRequestOfMoreThanAWindow) {
    constexpr std::uint64_t window = 1 << 30;
    RunShape run{.cells = {1024, 1024, 640}, .ranks = {1, 1, 2}, .restarted = true};
    auto const half = counted(pattern_of(run));
    EXPECT_EQ(half.reads, (Sizes{{24, 1}, {window / 4, 6}, {window / 2, 6}, {window / 4 * 3, 6}, {window, 6}}));
    run.method = DumpMethod::rank0;
    auto const whole = counted(pattern_of(run));
    EXPECT_EQ(whole.reads, (Sizes{{24, 1}, {window / 2, 6}, {window, 12}}));
    EXPECT_EQ(file_sizes(pattern_of(run)).front(), 24 + 24ULL * 1024 * 1024 * 640);
}

TEST(PatternOfRun, HasNoPhaseForWhatIsNotDone) {
    auto run = small;
    run.dump_every = 0;
    EXPECT_EQ(pattern_of(run).phases.size(), 1U);
    EXPECT_EQ(pattern_of(run).files.size(), 2U);
    run.restarted = false;
    EXPECT_TRUE(pattern_of(run).phases.empty());
}

TEST(PatternOfRun, RefusesWhatRanksDoNotDivide) {
    auto run = small;
    run.ranks = {3, 2, 2};
    EXPECT_THROW(pattern_of(run), Error);
    run.ranks = {0, 2, 2};
    EXPECT_THROW(pattern_of(run), Error);
    run.ranks = {4, 4, 8};
    EXPECT_THROW(pattern_of(run), Error);
    EXPECT_NO_THROW(pattern_of(with(run, DumpMethod::independent)));
}

}  // namespace
}  // namespace weir::cloud
