// The engine against a back-end and a clock that do as told: no disk, no waiting.

#include "core/json.hpp"
#include "support/pattern_engine.hpp"

#include <gtest/gtest.h>

#include "core/interrupt.hpp"
#include "pattern/parametric.hpp"
#include "storage/engine/wrong_words.hpp"
#include "support/error_of.hpp"
#include "support/faulty_backend.hpp"

namespace weir {
namespace {

using testing::Fault;
using testing::FaultyBackend;

Parameters four_writes() {
    Parameters p;
    p.block = Bytes{64};
    p.transfer = Bytes{16};
    return p;
}

struct EngineRun : ::testing::Test {
    PhaseResult run(Parameters const& p, std::size_t phase = 0) {
        pattern = make_pattern(p);
        settings.directory = "/nowhere";
        settings.stamps = p.check;
        settings.seed = p.seed;
        engine.emplace(backend, pattern, settings, Communicator(), clock);
        for (std::size_t i = 0; i <= phase; ++i) {
            last = engine->measure(pattern.phases.at(i));
        }
        return last;
    }
    EngineSettings settings;
    PhaseResult last;
    ManualClock clock;
    FaultyBackend backend{{}, &clock};
    Pattern pattern;
    std::optional<testing::PatternEngine> engine;
};

TEST_F(EngineRun, KeepsOpenTransferSyncAndCloseApart) {
    auto p = four_writes();
    p.preallocate = true;
    auto const result = run(p);
    ASSERT_EQ(result.ranks.size(), 1U);
    auto const& times = result.ranks[0];
    EXPECT_DOUBLE_EQ(times.open_s, 1.0) << "opening and preallocating";
    EXPECT_DOUBLE_EQ(times.transfer_s, 4.0);
    EXPECT_DOUBLE_EQ(times.sync_s, 2.0);
    EXPECT_DOUBLE_EQ(times.close_s, 0.25);
    EXPECT_DOUBLE_EQ(times.end_s - times.start_s, 7.25);
    EXPECT_EQ(times.bytes(), 64U);
    EXPECT_EQ(times.requests, 4U);
    EXPECT_EQ(backend.calls, (std::vector<std::string>{"remove weir-data", "open weir-data", "preallocate", "write",
                                                       "write", "write", "write", "sync", "close"}));
}

TEST_F(EngineRun, CountsSyncsBetweenWritesAsSync) {
    auto p = four_writes();
    p.sync = SyncWhen::write;
    auto const result = run(p);
    EXPECT_DOUBLE_EQ(result.ranks[0].sync_s, 8.0);
    EXPECT_DOUBLE_EQ(result.ranks[0].transfer_s, 4.0);
}

TEST_F(EngineRun, DoesNotSyncWhenToldNotTo) {
    auto p = four_writes();
    p.sync = SyncWhen::never;
    EXPECT_DOUBLE_EQ(run(p).ranks[0].sync_s, 0.0);
}

TEST_F(EngineRun, StopsAtItsTimeLimitAndReadsOnlyWhatWasWritten) {
    auto p = four_writes();
    p.time_limit = Seconds{2.0};  // opening takes 0.5 s, a write 1 s: the second write ends past the limit
    auto const written = run(p);
    EXPECT_EQ(written.ranks[0].requests, 2U);
    EXPECT_EQ(written.ranks[0].bytes(), 32U);
    auto const read = engine->measure(pattern.phases.at(1));
    EXPECT_EQ(read.ranks[0].requests, 2U);
}

TEST_F(EngineRun, MakesNoResultOfNothing) {
    auto p = four_writes();
    p.time_limit = Seconds{0.4};  // opening takes 0.5 s
    auto const error = testing::error_of([&] { run(p); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_NE(error.diagnosis().problem.find("'write' measured nothing"), std::string::npos) << error.what();
    EXPECT_NE(error.diagnosis().reason.find("took 0.5 s"), std::string::npos) << error.what();
}

TEST_F(EngineRun, LetsABackendAskWhetherTheTimeIsOver) {
    auto p = four_writes();
    run(p);
    EXPECT_EQ(backend.late_when_open, std::nullopt);
    p.time_limit = Seconds{4.0};
    run(p);
    EXPECT_EQ(backend.late_when_open, false);
    p.time_limit = Seconds{0.4};  // opening takes 0.5 s
    EXPECT_THROW(run(p), Error);
    EXPECT_EQ(backend.late_when_open, true);
}

TEST_F(EngineRun, TellsWhatWasDoneWhenTheTimeWasOver) {
    auto p = four_writes();
    p.time_limit = Seconds{2.0};
    auto const json = to_json(run(p));
    auto const& limit = json["limit"];
    EXPECT_EQ(limit["bytes"], 32);
    EXPECT_EQ(limit["reached"], true);
    EXPECT_DOUBLE_EQ(limit["bandwidth_bytes_per_s"], 16);
    EXPECT_DOUBLE_EQ(limit["tail_s"], 2.75) << "the second write, the sync and the close";
    EXPECT_EQ(limit["tail_cut"], false);
    EXPECT_EQ(to_json(run(four_writes()))["limit"], Json());
}

TEST_F(EngineRun, HasNotReachedALimitWhenEverythingWasDone) {
    auto p = four_writes();
    p.time_limit = Seconds{4.0};  // the fourth write begins at 3.5 s and ends late
    auto const limit = to_json(run(p))["limit"];
    EXPECT_EQ(limit["bytes"], 64);
    EXPECT_EQ(limit["reached"], false);
    EXPECT_TRUE(limit["bandwidth_bytes_per_s"].is_null());
    EXPECT_TRUE(limit["tail_s"].is_null());
}

TEST_F(EngineRun, BeginsNoRequestAfterItsLimitForAllItsPauses) {
    auto p = four_writes();
    p.time_limit = Seconds{3.0};
    p.pace.think = Seconds{5};
    auto const result = run(p);
    EXPECT_EQ(result.ranks[0].requests, 1U);
    EXPECT_NEAR(result.ranks[0].pause_s, 1.5, 1e-3) << "from the end of the first write to the limit";
    EXPECT_EQ(to_json(result)["limit"]["reached"], true);
}

TEST_F(EngineRun, TimesLongListedPiecesOneByOne) {
    Access access;
    std::vector<Piece> pieces;
    for (std::uint64_t i = 0; i < 20; ++i) {
        pieces.push_back({i << 16U, 1 << 16});
    }
    access.lists = PieceLists({pieces});
    pattern = {"listed", 1, {{"data", false, 0}}, {{"write", false, {}, {}, false, "", {Open{}, access, Close{}}}}};
    engine.emplace(backend, pattern, EngineSettings{"/nowhere", false, false, 0, {}}, Communicator(), clock);
    EXPECT_EQ(to_json(engine->measure(pattern.phases[0]))["latency"]["write"]["timed"], 20);
}

TEST_F(EngineRun, TimesEachRequestAndPlacesItsBytesInTime) {
    auto p = four_writes();
    p.mixed = true;
    p.read_percent = 25;
    settings.meter.latencies = Latencies::all;
    run(p, 2);
    auto const json = to_json(last);
    EXPECT_EQ(json["phase"], "mixed");
    EXPECT_EQ(json["bytes_written"], 48);
    EXPECT_EQ(json["bytes_read"], 16);
    EXPECT_EQ(json["latency"]["write"]["timed"], 3);
    EXPECT_EQ(json["latency"]["read"]["timed"], 1);
    EXPECT_DOUBLE_EQ(json["latency"]["write"]["max_s"], 1);
    std::uint64_t bytes = 0;
    for (auto const& one : json["timeline"]["bytes"]) {
        bytes += one.get<std::uint64_t>();
    }
    EXPECT_EQ(bytes, 64U);
    EXPECT_EQ(ranks_to_json(last)[0]["operations"], 4);
}

TEST_F(EngineRun, TimesOneInThirteenOfSmallRequests) {
    auto p = four_writes();
    p.block = Bytes{16 * 131};
    EXPECT_EQ(to_json(run(p))["latency"]["write"]["timed"], 11);
    settings.meter.latencies = Latencies::none;
    EXPECT_TRUE(to_json(run(p))["latency"].is_null());
    EXPECT_TRUE(to_json(run(p))["timeline"].is_null());
}

TEST_F(EngineRun, KeepsEachRequestWhereAsked) {
    settings.meter.most_records = 3;
    auto const result = run(four_writes());
    auto const json = records_to_json(result, 0);
    EXPECT_EQ(json["offset"], Json::array({0, 16, 32}));
    EXPECT_EQ(json["start_s"], Json::array({0.5, 1.5, 2.5}));
    EXPECT_EQ(json["duration_s"], Json::array({1.0, 1.0, 1.0}));
    EXPECT_EQ(json["complete"], false);
    settings.meter.latencies = Latencies::none;
    EXPECT_EQ(records_to_json(run(four_writes()), 0)["offset"].size(), 3U) << "asked for by name";
}

TEST_F(EngineRun, KeepsItsPace) {
    auto p = four_writes();
    p.pace.think = Seconds{3};
    auto result = run(p);
    EXPECT_DOUBLE_EQ(result.ranks[0].pause_s, 9) << "between four requests";
    EXPECT_DOUBLE_EQ(result.ranks[0].transfer_s, 4);
    p.pace = {Seconds{0}, Bytes{4}};
    result = run(p);
    EXPECT_DOUBLE_EQ(result.ranks[0].pause_s, 9) << "16 bytes every 4 s, of which a write takes 1 s";
    EXPECT_EQ(to_json(result)["times"]["pause"]["max_s"], 9.0);
}

TEST_F(EngineRun, MakesAllPiecesOneRequest) {
    auto p = four_writes();
    p.check = true;
    p.list_io = true;
    p.segments = 2;
    auto const result = run(p, 2);
    EXPECT_EQ(result.ranks[0].requests, 1U);
    EXPECT_EQ(result.words.checked, 16U);
    EXPECT_EQ(result.words.wrong, 0U);
}

TEST_F(EngineRun, SpreadsItsFilesOverDirectories) {
    auto p = four_writes();
    p.files = 3;
    settings.more_directories = {"/elsewhere"};
    run(p);
    EXPECT_EQ(engine->path_of(0, Rank{0}), "/nowhere/weir-data-0");
    EXPECT_EQ(engine->path_of(1, Rank{0}), "/elsewhere/weir-data-1");
    EXPECT_EQ(engine->path_of(2, Rank{0}), "/nowhere/weir-data-2");
}

TEST_F(EngineRun, WorksOnFilesInTurn) {
    auto p = four_writes();
    p.files = 2;
    auto const result = run(p);
    EXPECT_EQ(result.ranks[0].requests, 8U);
    EXPECT_EQ(backend.files.size(), 2U);
}

TEST_F(EngineRun, RemovesWhatItCreated) {
    run(four_writes());
    backend.calls.clear();
    engine->remove_files();
    EXPECT_EQ(backend.calls, std::vector<std::string>{"remove weir-data"});
    engine->remove_files();
    EXPECT_EQ(backend.calls.size(), 1U);
}

TEST_F(EngineRun, AFailedWriteIsThrownAfterTheFileWasClosed) {
    backend.fault.at_write = 2;
    auto const error = testing::error_of([&] { run(four_writes()); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_EQ(error.diagnosis().rank, 0U);
    EXPECT_EQ(backend.calls.back(), "close");
}

TEST_F(EngineRun, AFailedOpenOrSyncIsThrown) {
    backend.fault.at_open = true;
    EXPECT_THROW(run(four_writes()), Error);
    backend.fault = {.at_sync = true};
    EXPECT_THROW(run(four_writes()), Error);
}

TEST_F(EngineRun, StopsWhenInterrupted) {
    stop_requested = true;
    auto const error = testing::error_of([&] { run(four_writes()); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::interrupted);
    stop_requested = false;
    EXPECT_EQ(backend.writes, 0);
}

/// Each look at it takes a second.
class SlowClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return now_s_++; }
    void sleep(Seconds) override {}

  private:
    mutable double now_s_ = 0;
};

TEST_F(EngineRun, CountsStampingAsNoTransfer) {
    auto const times_of = [&](bool stamps) {
        SlowClock slow;
        FaultyBackend instant;
        pattern = make_pattern(four_writes());
        settings.stamps = stamps;
        testing::PatternEngine one(instant, pattern, settings, Communicator(), slow);
        return one.measure(pattern.phases.at(0)).ranks.at(0);
    };
    auto const plain = times_of(false);
    auto const stamped = times_of(true);
    EXPECT_DOUBLE_EQ(plain.stamp_s, 0);
    EXPECT_DOUBLE_EQ(stamped.stamp_s, 1) << "all four are stamped at once";
    EXPECT_DOUBLE_EQ(stamped.transfer_s, plain.transfer_s + 1) << "two looks at the clock, one of them inside";
}

struct EngineCheck : EngineRun {
    EngineCheck() {
        parameters = four_writes();
        parameters.check = true;
        parameters.read = false;
        parameters.seed = 9;
        run(parameters);
    }
    PhaseResult check() { return engine->measure(pattern.phases.at(1)); }
    Diagnosis diagnosis(PhaseResult const& result) { return diagnose(result.words, pattern, *engine, Features{}); }
    Parameters parameters;
};

TEST_F(EngineCheck, FindsNothingWrongInWhatItWrote) {
    auto const result = check();
    EXPECT_EQ(result.words.checked, 8U);
    EXPECT_EQ(result.words.wrong, 0U);
}

TEST_F(EngineCheck, FindsOneFlippedBit) {
    backend.files["weir-data"].at(42) ^= std::byte{1};
    auto const result = check();
    EXPECT_EQ(result.words.wrong, 1U);
    EXPECT_EQ(result.words.offset, 40U);
    auto const d = diagnosis(result);
    EXPECT_EQ(d.exit_code, ExitCode::wrong_data);
    EXPECT_NE(d.reason.find("no word of this run"), std::string::npos) << d.reason;
}

TEST_F(EngineCheck, TellsWhereMisplacedWordsBelong) {
    auto& file = backend.files["weir-data"];
    std::memcpy(file.data() + 8, file.data() + 48, 8);
    auto const result = check();
    EXPECT_EQ(result.words.wrong, 1U);
    EXPECT_NE(diagnosis(result).reason.find("belongs at offset 48"), std::string::npos) << diagnosis(result).reason;
}

TEST_F(EngineCheck, FindsMissingWords) {
    backend.files["weir-data"].resize(40);
    auto const result = check();
    EXPECT_EQ(result.words.wrong, 3U);
    EXPECT_EQ(result.words.missing, 3U);
    EXPECT_EQ(result.words.offset, 40U);
    EXPECT_NE(diagnosis(result).reason.find("missing"), std::string::npos);
}

TEST_F(EngineCheck, FindsZeros) {
    std::fill_n(backend.files["weir-data"].begin() + 16, 8, std::byte{});
    EXPECT_NE(diagnosis(check()).reason.find("never written"), std::string::npos);
}

}  // namespace
}  // namespace weir
