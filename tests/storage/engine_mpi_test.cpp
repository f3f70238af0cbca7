// The engine on several ranks: failures of one rank are everybody's, and none is left waiting.

#include "storage/engine.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"
#include "support/faulty_backend.hpp"

namespace weir {
namespace {

using testing::FaultyBackend;

struct EngineOnRanks : ::testing::Test {
    EngineOnRanks() {
        parameters.ranks = comm.size();
        parameters.block = Bytes{64};
        parameters.transfer = Bytes{16};
    }
    PhaseResult run(FaultyBackend& backend) {
        pattern = make_pattern(parameters);
        Engine engine(backend, pattern, EngineSettings{"/nowhere", false, false, 0, {}}, comm, clock);
        return engine.run(pattern.phases.at(0));
    }
    Communicator const comm = Communicator::world();
    MonotonicClock clock;
    Parameters parameters;
    Pattern pattern;
};

TEST_F(EngineOnRanks, GathersEveryRanksTimes) {
    FaultyBackend backend;
    auto const result = run(backend);
    ASSERT_EQ(result.ranks.size(), comm.size());
    for (auto const& times : result.ranks) {
        EXPECT_EQ(times.requests, 4U);
        EXPECT_GE(times.end_s, times.start_s);
    }
}

TEST_F(EngineOnRanks, OneRanksFailedWriteEndsAllWithItsError) {
    auto const last = comm.size() - 1;
    FaultyBackend backend;
    backend.fault.at_write = comm.rank() == last ? 1 : -1;
    try {
        run(backend);
        FAIL() << "rank " << comm.rank();
    } catch (Error const& error) {
        EXPECT_EQ(error.diagnosis().problem, "injected failure");
        EXPECT_EQ(error.diagnosis().rank, last);
    }
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

TEST_F(EngineOnRanks, AFailedRankIsNotWaitedForInWearOut) {
    parameters.time_limit = Seconds{3600};
    parameters.wear_out = true;
    FaultyBackend backend;
    backend.fault.at_write = comm.is_root() ? 0 : -1;
    EXPECT_THROW(run(backend), Error);
    backend.fault = {.at_open = comm.is_root()};
    EXPECT_THROW(run(backend), Error);
}

TEST_F(EngineOnRanks, WearOutBringsAllToTheSameCount) {
    // Rank r's clock runs r + 1 times as fast, so that ranks meet the limit after different numbers of requests.
    parameters.block = Bytes{1024};
    parameters.time_limit = Seconds{10};
    parameters.wear_out = true;
    pattern = make_pattern(parameters);
    ManualClock manual;
    FaultyBackend backend;
    backend.clock = &manual;
    Engine engine(backend, pattern, EngineSettings{"/nowhere", false, false, 0, {}}, comm, manual);
    manual.advance(Seconds{static_cast<double>(comm.rank())});
    auto const with = engine.run(pattern.phases.at(0));
    for (auto const& times : with.ranks) {
        EXPECT_EQ(times.requests, with.ranks[0].requests);
        EXPECT_GE(times.requests, 9U);
        EXPECT_LT(times.requests, 64U);
    }
}

TEST_F(EngineOnRanks, ACollectiveTimeLimitStopsAllAtTheSameRequest) {
    parameters.block = Bytes{1 << 20};
    parameters.collective = true;
    parameters.time_limit = Seconds{0.05};
    FaultyBackend backend;
    auto const result = run(backend);
    for (auto const& times : result.ranks) {
        EXPECT_EQ(times.requests, result.ranks[0].requests);
    }
}

}  // namespace
}  // namespace weir
