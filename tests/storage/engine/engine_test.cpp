// The engine against a back-end and a clock that do as told: no disk, no waiting.

#include "core/json.hpp"
#include "support/patterns/pattern_engine.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/interrupt.hpp"
#include "pattern/parametric.hpp"
#include "storage/engine/wrong_words.hpp"
#include "support/failures/error_of.hpp"
#include "support/failures/faulty_backend.hpp"
#include "support/json_part.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

using testing::Fault;
using testing::FaultyBackend;

struct EngineRun : ::testing::Test {
    PhaseResult run(std::size_t phase = 0) {
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
    Parameters p{.block = Bytes{64}, .transfer = Bytes{16}};
    EngineSettings settings;
    PhaseResult last;
    ManualClock clock;
    FaultyBackend backend{{}, &clock};
    Pattern pattern;
    std::optional<testing::PatternEngine> engine;
};

TEST_F(EngineRun, KeepsOpenTransferSyncAndCloseApart) {
    p.preallocate = true;
    auto const result = run();
    ASSERT_EQ(result.ranks.size(), 1U);
    auto const& times = result.ranks[0];
    EXPECT_EQ(std::tuple(times.open_s, times.transfer_s, times.sync_s, times.close_s), std::tuple(1.0, 4.0, 2.0, 0.25))
        << "opening and preallocating take 1 s";
    EXPECT_DOUBLE_EQ(times.end_s - times.start_s, 7.25);
    EXPECT_EQ(std::pair(times.bytes(), times.requests), std::pair(std::uint64_t{64}, std::uint64_t{4}));
    EXPECT_EQ(backend.calls, (std::vector<std::string>{"remove weir-data", "open weir-data", "preallocate", "write",
                                                       "write", "write", "write", "sync", "close"}));
}

TEST_F(EngineRun, TakesDataFromOneBufferOrFromAsMuchMemoryAsThePatternHas) {
    run();
    EXPECT_EQ(std::set(backend.places.begin(), backend.places.end()).size(), 1U);
    backend.places.clear();
    pattern.memory.bytes = 48;
    engine.emplace(backend, pattern, settings, Communicator(), clock);
    engine->measure(pattern.phases.at(0));
    ASSERT_EQ(backend.places.size(), 4U);
    EXPECT_EQ(backend.places[2], backend.places[0] + 32);
    EXPECT_EQ(backend.places[3], backend.places[0]);
}

TEST_F(EngineRun, BeginsDataBehindAPageUnlessThatIsDirectIo) {
    run();
    pattern.memory.in_page = 16;
    for (auto const way : {std::optional<CacheAvoidance>(), std::optional(CacheAvoidance::direct)}) {
        backend.places.clear();
        backend.around_caches = way;
        engine.emplace(backend, pattern, settings, Communicator(), clock);
        engine->measure(pattern.phases.at(0));
        auto const place = reinterpret_cast<std::uintptr_t>(backend.places.at(0)) % 4096;
        EXPECT_EQ(place, way ? 0U : 16U);
    }
}

/// An application that takes its time to make its data.
class SlowSource final : public DataSource {
  public:
    explicit SlowSource(ManualClock& clock) : clock_(clock) {}
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override { clock_.advance(Seconds{3}); }
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override {}

  private:
    ManualClock& clock_;
};

TEST_F(EngineRun, TellsTheTimeOfPackingAnArrayFromThatOfWritingIt) {
    pattern.name = "arrays";
    pattern.ranks = 1;
    pattern.files.push_back({.name = "f", .arrays = {{"a", {Element::Kind::real, 8}, {4}}}});
    pattern.partitions = {Partition{}};
    pattern.phases = {testing::phase_of("write", {Open{0, OpenMode::create, {}, {}, true},
                                                  access_to(pattern, Verb::write, 0, 0, 0, {0, 1, 1}), Close{0}})};
    resolve(pattern);
    settings.directory = "/nowhere";
    settings.times_calls = true;
    Engine run(backend, Communicator(), settings, clock);
    run.declare(pattern);
    SlowSource source(clock);
    run.run(pattern.phases[0], &source);
    auto const costs = run.costs_of("write");
    ASSERT_EQ(costs.files.size(), 1U);
    auto const& array = costs.files[0].arrays.at(0);
    EXPECT_EQ(std::pair(array.pack.count, array.pack.time_s), std::pair(std::uint64_t{1}, 3.0));
    EXPECT_EQ(array.write.time_s, 1.0) << "its calls are not counted: the back-end counts none";
    EXPECT_EQ(costs.files[0].close_s, 0.25);
    EXPECT_DOUBLE_EQ(costs.elapsed_s, costs.known_s());
}

TEST_F(EngineRun, CountsSyncsBetweenWritesAsSync) {
    p.sync = SyncWhen::write;
    auto const result = run();
    EXPECT_DOUBLE_EQ(result.ranks[0].sync_s, 8.0);
    EXPECT_DOUBLE_EQ(result.ranks[0].transfer_s, 4.0);
}

TEST_F(EngineRun, DoesNotSyncWhenToldNotTo) {
    p.sync = SyncWhen::never;
    EXPECT_DOUBLE_EQ(run().ranks[0].sync_s, 0.0);
}

TEST_F(EngineRun, StopsAtItsTimeLimitAndReadsOnlyWhatWasWritten) {
    p.time_limit = Seconds{2.0};  // opening takes 0.5 s, a write 1 s: the second write ends past the limit
    auto const written = run();
    EXPECT_EQ(written.ranks[0].requests, 2U);
    EXPECT_EQ(written.ranks[0].bytes(), 32U);
    auto const read = engine->measure(pattern.phases.at(1));
    EXPECT_EQ(read.ranks[0].requests, 2U);
}

TEST_F(EngineRun, MakesNoResultOfNothing) {
    p.time_limit = Seconds{0.4};  // opening takes 0.5 s
    auto const error = testing::error_of([&] { run(); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_TRUE(testing::has(error.diagnosis().problem, "'write' measured nothing"));
    EXPECT_TRUE(testing::has(error.diagnosis().reason, "took 0.5 s"));
}

TEST_F(EngineRun, LetsABackendAskWhetherTheTimeIsOver) {
    run();
    EXPECT_EQ(backend.late_when_open, std::nullopt);
    p.time_limit = Seconds{4.0};
    run();
    EXPECT_EQ(backend.late_when_open, false);
    p.time_limit = Seconds{0.4};  // opening takes 0.5 s
    EXPECT_THROW(run(), Error);
    EXPECT_EQ(backend.late_when_open, true);
}

TEST_F(EngineRun, TellsWhatWasDoneWhenTheTimeWasOver) {
    p.time_limit = Seconds{2.0};
    auto const json = to_json(run());
    // The tail: the second write, the sync and the close.
    testing::expect_part(json,
                         Json::parse(R"({"limit/bytes": 32, "limit/reached": true, "limit/bandwidth_bytes_per_s": 16,
        "limit/tail_s": 2.75, "limit/tail_cut": false})"));
    p.time_limit = {};
    EXPECT_EQ(to_json(run())["limit"], Json());
}

TEST_F(EngineRun, HasNotReachedALimitWhenEverythingWasDone) {
    p.time_limit = Seconds{4.0};  // the fourth write begins at 3.5 s and ends late
    testing::expect_part(to_json(run())["limit"],
                         {{"bytes", 64}, {"reached", false}, {"bandwidth_bytes_per_s", {}}, {"tail_s", {}}});
}

TEST_F(EngineRun, BeginsNoRequestAfterItsLimitForAllItsPauses) {
    p.time_limit = Seconds{3.0};
    p.pace.think = Seconds{5};
    auto const result = run();
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
    engine.emplace(backend, pattern, EngineSettings{"/nowhere"}, Communicator(), clock);
    EXPECT_EQ(to_json(engine->measure(pattern.phases[0]))["latency"]["write"]["timed"], 20);
}

TEST_F(EngineRun, TimesEachRequestAndPlacesItsBytesInTime) {
    p.mixed = true;
    p.read_percent = 25;
    settings.meter.latencies = Latencies::all;
    run(2);
    auto const json = to_json(last);
    testing::expect_part(
        json, Json::parse(R"({"phase": "mixed", "bytes_written": 48, "bytes_read": 16, "latency/write/timed": 3,
        "latency/read/timed": 1, "latency/write/max_s": 1})"));
    std::uint64_t bytes = 0;
    for (auto const& one : json["timeline"]["bytes"]) {
        bytes += one.get<std::uint64_t>();
    }
    EXPECT_EQ(bytes, 64U);
    EXPECT_EQ(ranks_to_json(last)[0]["operations"], 4);
}

TEST_F(EngineRun, TimesOneInThirteenOfSmallRequests) {
    p.block = Bytes{16 * 131};
    EXPECT_EQ(to_json(run())["latency"]["write"]["timed"], 11);
    settings.meter.latencies = Latencies::none;
    EXPECT_TRUE(to_json(run())["latency"].is_null());
    EXPECT_TRUE(to_json(run())["timeline"].is_null());
}

TEST_F(EngineRun, KeepsEachRequestWhereAsked) {
    settings.meter.most_records = 3;
    auto const result = run();
    auto const json = records_to_json(result, 0);
    testing::expect_part(
        json, {{"offset", {0, 16, 32}}, {"start_s", {0.5, 1.5, 2.5}}, {"duration_s", {1, 1, 1}}, {"complete", false}});
    settings.meter.latencies = Latencies::none;
    EXPECT_EQ(records_to_json(run(), 0)["offset"].size(), 3U) << "asked for by name";
}

TEST_F(EngineRun, KeepsItsPace) {
    p.pace.think = Seconds{3};
    auto result = run();
    EXPECT_DOUBLE_EQ(result.ranks[0].pause_s, 9) << "between four requests";
    EXPECT_DOUBLE_EQ(result.ranks[0].transfer_s, 4);
    p.pace = {Seconds{0}, Bytes{4}};
    result = run();
    EXPECT_DOUBLE_EQ(result.ranks[0].pause_s, 9) << "16 bytes every 4 s, of which a write takes 1 s";
    EXPECT_EQ(to_json(result)["times"]["pause"]["max_s"], 9.0);
}

TEST_F(EngineRun, MakesAllPiecesOneRequest) {
    p.check = true;
    p.list_io = true;
    p.segments = 2;
    auto const result = run(2);
    EXPECT_EQ(result.ranks[0].requests, 1U);
    EXPECT_EQ(result.words.checked, 16U);
    EXPECT_EQ(result.words.wrong, 0U);
}

TEST_F(EngineRun, SpreadsItsFilesOverDirectories) {
    p.files = 3;
    settings.more_directories = {"/elsewhere"};
    run();
    EXPECT_EQ(engine->path_of(0, Rank{0}), "/nowhere/weir-data-0");
    EXPECT_EQ(engine->path_of(1, Rank{0}), "/elsewhere/weir-data-1");
    EXPECT_EQ(engine->path_of(2, Rank{0}), "/nowhere/weir-data-2");
}

TEST_F(EngineRun, WorksOnFilesInTurn) {
    p.files = 2;
    auto const result = run();
    EXPECT_EQ(result.ranks[0].requests, 8U);
    EXPECT_EQ(backend.files.size(), 2U);
}

TEST_F(EngineRun, RemovesWhatItCreated) {
    run();
    backend.calls.clear();
    engine->remove_files();
    EXPECT_EQ(backend.calls, std::vector<std::string>{"remove weir-data"});
    engine->remove_files();
    EXPECT_EQ(backend.calls.size(), 1U);
}

TEST_F(EngineRun, AFailedWriteIsThrownAfterTheFileWasClosed) {
    backend.fault.at_write = 2;
    auto const error = testing::error_of([&] { run(); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_EQ(error.diagnosis().rank, 0U);
    EXPECT_EQ(backend.calls.back(), "close");
}

TEST_F(EngineRun, StopsWhenInterrupted) {
    stop_requested = true;
    testing::expect_error(ExitCode::interrupted, "", [&] { run(); });
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
        pattern = make_pattern(p);
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
        p.check = true;
        p.read = false;
        p.seed = 9;
        run();
    }
    PhaseResult check() { return engine->measure(pattern.phases.at(1)); }
    Diagnosis diagnosis(PhaseResult const& result) { return diagnose(result.words, pattern, *engine, Features{}); }
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
    EXPECT_TRUE(testing::has(d.reason, "no word of this run"));
}

TEST_F(EngineCheck, TellsWhereMisplacedWordsBelong) {
    auto& file = backend.files["weir-data"];
    std::memcpy(file.data() + 8, file.data() + 48, 8);
    auto const result = check();
    EXPECT_EQ(result.words.wrong, 1U);
    EXPECT_TRUE(testing::has(diagnosis(result).reason, "belongs at offset 48"));
}

TEST_F(EngineCheck, FindsMissingWords) {
    backend.files["weir-data"].resize(40);
    auto const result = check();
    EXPECT_EQ(result.words.wrong, 3U);
    EXPECT_EQ(result.words.missing, 3U);
    EXPECT_EQ(result.words.offset, 40U);
    EXPECT_TRUE(testing::has(diagnosis(result).reason, "missing"));
}

TEST_F(EngineCheck, FindsZeros) {
    std::fill_n(backend.files["weir-data"].begin() + 16, 8, std::byte{});
    EXPECT_TRUE(testing::has(diagnosis(check()).reason, "never written"));
}

}  // namespace
}  // namespace weir
