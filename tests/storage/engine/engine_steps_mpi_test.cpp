// Repeats and steps of some ranks, through every back-end that there is.

#include <gtest/gtest.h>

#include "storage/engine/wrong_words.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/pattern_engine.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/repeats.hpp"

namespace weir {
namespace {

/// The same phase, reading: `check` in place of `write`, and nothing created.
std::vector<Step> checking(std::vector<Step> steps) {
    for (auto& step : steps) {
        if (auto* open = std::get_if<Open>(&step)) {
            open->mode = OpenMode::read;
        } else if (auto* access = std::get_if<Access>(&step)) {
            access->verb = Verb::check;
            access->sync_each = false;
        } else if (auto* repeat = std::get_if<Repeat>(&step)) {
            repeat->steps = checking(repeat->steps);
        }
    }
    std::erase_if(steps, [](Step const& step) {
        return std::holds_alternative<Sync>(step) || std::holds_alternative<Preallocate>(step);
    });
    return steps;
}

struct EngineSteps : testing::EachBackend {
    /// Carries out a pattern of one writing phase again and again, and checks every word where the back-end stores any.
    void write_and_check(Pattern pattern, std::string const& what, int repetitions = 2) {
        auto phase = pattern.phases.at(0);
        phase.name = "check";
        phase.steps = checking(phase.steps);
        pattern.phases.push_back(phase);
        validate_pattern(pattern);
        auto const stores = kind.features().stores;
        auto engine = engine_for(pattern, {.directory = directory.path(), .stamps = stores, .seed = 3});
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            auto const written = engine.measure(pattern.phases[0]);
            auto const all = totals(pattern);
            EXPECT_EQ(testing::bytes_written(written), all.bytes_written) << what;
            if (stores) {
                auto const read = engine.measure(pattern.phases[1]);
                ASSERT_EQ(read.words.wrong, 0U)
                    << what << ": " << diagnose(read.words, pattern, engine, kind.features()).problem;
                EXPECT_EQ(read.words.checked, all.bytes_read / 8) << what;
            }
        }
        engine.remove_files();
    }

    /// Two dumps, each a file of three records of every rank; beside them, rank 0 keeps a log of its own, and the other
    /// ranks a file together.
    [[nodiscard]] Pattern dumps(bool collective) const {
        auto const ranks = comm.size();
        auto record = testing::access_of({0, ranks, 1}, {{ranks, 64}}, {0, {{2, 32}}, 32});
        record.advance = {0, static_cast<std::int64_t>(ranks) * 64};
        record.file_advance = {1, 0};
        auto line = testing::access_of({}, {}, {0, {}, 16});
        line.file = 2;
        line.advance = {16};
        Ranks const first{{0, 1, 1}};
        auto phase = testing::phase_of(
            "write", {Open{2, OpenMode::create, first},
                      Repeat{2,
                             {Open{0, OpenMode::create, {}, {1}}, Repeat{3, {record, Compute{Seconds{0}, first}}},
                              Sync{0, first, {1}}, Close{0, {}, {1}}, line, Barrier{}}},
                      Close{2, first}});
        phase.collective = collective;
        Pattern pattern{"dumps", ranks, {{"dump-0"}, {"dump-1"}, {"log"}, {"rest"}}, {phase}};
        if (ranks > 1) {
            Ranks const others{{1, ranks - 1, 1}};
            auto rest = testing::access_of(others.front(), {{ranks - 1, 8}}, {0, {}, 8});
            rest.file = 3;
            auto& steps = pattern.phases[0].steps;
            steps.insert(steps.end(),
                         {Open{3, OpenMode::create, others}, rest, Sync{3, others}, Close{3, others}, Barrier{others}});
        }
        return pattern;
    }
};

TEST_P(EngineSteps, RepeatsAndSomeRanksKeepEveryWord) { write_and_check(dumps(false), "independent"); }

TEST_P(EngineSteps, RepeatsAndSomeRanksKeepEveryWordTogether) {
    WEIR_NEEDS(collective);
    write_and_check(dumps(true), "collective");
}

TEST_P(EngineSteps, RepeatsOfPiecesTogetherKeepEveryWord) {
    auto pattern = dumps(false);
    Access listed;
    listed.ranks = {0, comm.size(), 1};
    std::vector<std::vector<Piece>> lists(comm.size());
    for (std::uint64_t rank = 0; rank < comm.size(); ++rank) {
        lists[rank] = {{rank * 8, 8}, {256 + rank * 16, 16}};
    }
    listed.lists = PieceLists(lists);
    listed.advance = {1024};
    for (auto const together : {true, false}) {
        listed.list_io = together;
        pattern.phases[0].steps = {Open{0}, Repeat{3, {listed}}, Close{0}};
        write_and_check(pattern, together ? "together" : "listed");
    }
}

TEST_P(EngineSteps, CollectiveAndIndependentRequestsOfOneOpenKeepEveryWord) {
    WEIR_NEEDS(collective);
    auto const ranks = comm.size();
    auto const row = static_cast<std::int64_t>(ranks) * 32;
    auto const header = testing::access_of({}, {}, {0, {{2, 32}}, 32});
    auto rows = testing::access_of({0, ranks, 1}, {{ranks, 32}}, {64, {{5, row}}, 32});
    rows.advance = {5 * row};
    rows.list_io = kind.features().pieces;
    rows.collective = true;
    auto line = rows;
    line.advance = {};
    line.list_io = false;
    line.extent = {64 + static_cast<std::uint64_t>(10 * row), {{2, row}}, 32};
    auto trailer = line;
    trailer.collective = false;
    trailer.extent.start += static_cast<std::uint64_t>(2 * row);
    auto pattern = dumps(false);
    pattern.phases[0].steps = {Open{0}, header, Repeat{2, {rows}}, line, trailer, Sync{0}, Close{0}};
    write_and_check(pattern, "collective and independent");
    pattern.phases[0].steps = {Open{0}, line, header, trailer, Repeat{2, {rows}}, Close{0}};
    write_and_check(pattern, "collective first");
}

/// Patterns that open the same file again and again: for plain files, that keep what is in them.
TEST_P(EngineSteps, AnyRepeatsKeepEveryWord) {
    WEIR_NEEDS(raw);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        write_and_check(testing::RandomRepeats(seed).make(comm.size()), "seed " + std::to_string(seed), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(All, EngineSteps, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

}  // namespace
}  // namespace weir
