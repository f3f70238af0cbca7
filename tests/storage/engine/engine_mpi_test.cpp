// The engine on several ranks: failures of one rank are everybody's, and none is left waiting.

#include "support/patterns/pattern_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pattern/parametric.hpp"
#include "support/failures/error_of.hpp"
#include "support/failures/faulty_backend.hpp"
#include "support/json_part.hpp"
#include "support/patterns/phases.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

using testing::FaultyBackend;

struct EngineOnRanks : ::testing::Test {
    PhaseResult run(FaultyBackend& backend) { return run(backend, clock); }
    PhaseResult run(FaultyBackend& backend, Clock& with) {
        pattern = make_pattern(parameters);
        testing::PatternEngine engine(backend, pattern, EngineSettings{"/nowhere"}, comm, with);
        return engine.measure(pattern.phases.at(0));
    }
    Communicator const comm = Communicator::world();
    MonotonicClock clock;
    Parameters parameters{.ranks = comm.size(), .block = Bytes{64}, .transfer = Bytes{16}};
    Pattern pattern;
};

TEST_F(EngineOnRanks, GathersEveryRanksTimes) {
    FaultyBackend backend;
    auto const result = run(backend);
    ASSERT_EQ(result.ranks.size(), comm.size());
    auto first = result.ranks[0];
    auto last = first;
    for (auto const& times : result.ranks) {
        EXPECT_EQ(times.requests, 4U);
        EXPECT_GE(times.end_s, times.start_s);
        first = times.start_s < first.start_s ? times : first;
        last = times.end_s > last.end_s ? times : last;
    }
    EXPECT_DOUBLE_EQ(result.elapsed_s, last.end_s - first.start_s);
}

TEST_F(EngineOnRanks, OneRanksFailedWriteEndsAllWithItsError) {
    auto const last = comm.size() - 1;
    FaultyBackend backend;
    backend.fault.at_write = comm.rank() == last ? 1 : -1;
    auto const error = testing::error_of([&] { run(backend); });
    EXPECT_EQ(error.diagnosis().problem, "injected failure");
    EXPECT_EQ(error.diagnosis().rank, last);
}

TEST_F(EngineOnRanks, AFailedRankGoesOnWithEmptyCollectiveCalls) {
    parameters.collective = true;
    auto const last = comm.size() - 1;
    FaultyBackend backend;
    backend.fault.at_write = comm.rank() == last ? 1 : -1;
    EXPECT_THROW(run(backend), Error);
    // Every rank makes four collective calls, or the others would wait for ever.
    EXPECT_EQ(backend.writes + backend.empty_writes, 4);
    EXPECT_EQ(backend.empty_writes, comm.rank() == last ? 2 : 0);
}

TEST_F(EngineOnRanks, ARankThatIsToldToStopMakesItsCallsUntilAllStop) {
    parameters.collective = true;
    parameters.block = Bytes{parameters.transfer.value * 1000};
    FaultyBackend backend;
    backend.fault.stop_at_write = comm.rank() == comm.size() - 1 ? 100 : -1;
    testing::expect_error(ExitCode::interrupted, "", [&] { run(backend); });
    stop_requested = false;
    EXPECT_EQ(backend.writes + backend.empty_writes, 128) << "two times 64, on every rank";
}

TEST_F(EngineOnRanks, CountsOfALimitedPhaseFollowThePartAndNotTheRank) {
    WEIR_SKIP_IF(comm.size() < 2) << "nobody to do another's part";
    auto const ranks = comm.size();
    std::vector<std::vector<Piece>> lists(ranks);
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        for (std::uint64_t i = 0; i <= rank; ++i) {
            lists[rank].push_back({8 * (rank * ranks + i), 8});
        }
    }
    auto access = testing::access_of({0, ranks, 1}, {}, {});
    access.lists = PieceLists(lists);
    auto reading = access;
    reading.verb = Verb::read;
    auto write = testing::phase_of("write", {Open{}, access, Close{}});
    write.reorder = {ReorderKind::shift, 1, 0};
    write.time_limit = Seconds{3600};
    auto read = testing::phase_of("read", {Open{0, OpenMode::read}, reading, Close{}});
    read.limited_by = "write";
    pattern = {"parts", ranks, {{"data", true, 0}}, {write, read}};
    testing::TemporaryDirectory const directory(comm);
    auto const posix = Backends::instance().find("posix")->make();
    testing::PatternEngine engine(*posix, pattern, EngineSettings{directory.path()}, comm, clock);
    engine.measure(pattern.phases.at(0));
    auto const result = engine.measure(pattern.phases.at(1));
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(result.ranks[rank].requests, rank + 1);
    }
}

TEST_F(EngineOnRanks, AFailedRankIsNotWaitedForInWearOut) {
    parameters.time_limit = Seconds{3600};
    parameters.wear_out = true;
    FaultyBackend backend;
    backend.fault.at_write = comm.is_root() ? 0 : -1;
    EXPECT_THROW(run(backend), Error);
    backend.fault = {.at_open = comm.is_root()};
    EXPECT_THROW(run(backend), Error);
}

struct RanksOfDifferentSpeed : EngineOnRanks {
    RanksOfDifferentSpeed() {
        parameters.block = Bytes{1024};
        parameters.time_limit = Seconds{10};
        backend.clock = &manual;
        backend.write_s = 1.0 + static_cast<double>(comm.rank());  // a write takes rank 0 one second, rank 1 two, ...
    }
    PhaseResult run_limited() { return run(backend, manual); }
    ManualClock manual;
    FaultyBackend backend;
};

TEST_F(RanksOfDifferentSpeed, StopEachAtItsOwnCount) {
    auto const result = run_limited();
    // Opening takes 0.5 s; no request begins later than 10 s after the start.
    EXPECT_EQ(result.ranks[0].requests, 10U);
    if (comm.size() > 1) {
        EXPECT_EQ(result.ranks[1].requests, 5U);
    }
}

TEST_F(RanksOfDifferentSpeed, AreBroughtToTheSameCountByWearingOut) {
    parameters.wear_out = true;
    parameters.tail_limit = Seconds{100};
    auto const result = run_limited();
    for (auto const& times : result.ranks) {
        EXPECT_EQ(times.requests, 10U);
    }
    auto const fewest = static_cast<int>(9.5 / static_cast<double>(comm.size())) + 1;
    testing::expect_part(to_json(result)["limit"],
                         {{"tail_cut", false}, {"most_requests", 10}, {"fewest_requests", fewest}});
}

TEST_F(RanksOfDifferentSpeed, DoNotWearOutBeyondTheBound) {
    parameters.wear_out = true;
    parameters.tail_limit = Seconds{2};
    auto const result = run_limited();
    EXPECT_EQ(result.ranks[0].requests, 10U);
    if (comm.size() > 1) {
        EXPECT_EQ(result.ranks[1].requests, 6U) << "the sixth begins at 10.5 s, the seventh would at 12.5 s";
    }
    EXPECT_EQ(to_json(result)["limit"]["tail_cut"], comm.size() > 1);
}

TEST_F(RanksOfDifferentSpeed, StopTogetherWhereTheyWorkTogether) {
    parameters.collective = true;
    auto const slowest = static_cast<double>(comm.size());
    for (auto const& times : run_limited().ranks) {
        EXPECT_EQ(times.requests, static_cast<std::uint64_t>(9.5 / slowest) + 1);
    }
}

TEST_F(EngineOnRanks, OneRanksFailedSyncOrCloseEndsAllWithItsError) {
    for (auto const at_sync : {true, false}) {
        FaultyBackend backend;
        backend.fault = {.at_sync = comm.is_root() && at_sync, .at_close = comm.is_root() && !at_sync};
        auto const error = testing::error_of([&] { run(backend); });
        EXPECT_EQ(error.diagnosis().rank, 0U);
    }
}

TEST_F(EngineOnRanks, AFailedOpenInACollectivePhaseIsNotWaitedFor) {
    parameters.collective = true;
    FaultyBackend backend;
    backend.fault.at_open = comm.is_root();
    EXPECT_THROW(run(backend), Error);
    EXPECT_EQ(backend.writes, 0);
}

TEST_F(EngineOnRanks, ARankThatSyncsTogetherWithOthersGoesOnSyncingAfterItFailed) {
    parameters.sync = SyncWhen::write;
    FaultyBackend backend;
    backend.together = true;
    backend.fault.at_write = comm.is_root() ? 0 : -1;
    EXPECT_THROW(run(backend), Error);
    EXPECT_EQ(std::count(backend.calls.begin(), backend.calls.end(), "sync"), 4);
}

}  // namespace
}  // namespace weir
