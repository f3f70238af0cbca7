// The engine runs phases one at a time: files stay open over them, and the runs of one are reported together.

#include <gtest/gtest.h>

#include "storage/engine/engine.hpp"
#include "support/failures/error_of.hpp"
#include "support/failures/faulty_backend.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"

namespace weir {
namespace {

using testing::FaultyBackend;
using testing::phase_of;

class EnginePhases : public ::testing::Test {
  protected:
    EnginePhases() { engine.declare({"data"}, {1000, 16}); }

    /// Four requests of 16 bytes, from `start` on.
    static Access four(Verb verb, std::uint64_t start) {
        auto access = testing::access_of({}, {}, {start, {{4, 16}}, 16});
        access.verb = verb;
        return access;
    }

    ManualClock clock;
    FaultyBackend backend{{}, &clock};
    Engine engine{backend, Communicator(), EngineSettings{"/nowhere"}, clock};
};

TEST_F(EnginePhases, FindFilesOpenThatEarlierOnesHaveOpened) {
    engine.run(phase_of("first", {Open{0}, four(Verb::write, 0)}));
    engine.run(phase_of("second", {four(Verb::write, 64)}));
    engine.run(phase_of("third", {four(Verb::read, 0), Sync{0}, Close{0}}));
    EXPECT_EQ(std::ranges::count(backend.calls, "open weir-data"), 1);
    EXPECT_EQ(backend.calls.back(), "close");
    auto const second = engine.report("second");
    EXPECT_TRUE(second.writes);
    EXPECT_FALSE(second.reads);
    EXPECT_EQ(second.ranks[0].bytes_written, 64U);
    EXPECT_DOUBLE_EQ(second.ranks[0].open_s, 0);
    auto const third = engine.report("third");
    EXPECT_TRUE(third.reads);
    EXPECT_EQ(third.ranks[0].bytes_read, 64U);
    EXPECT_DOUBLE_EQ(third.ranks[0].close_s, 0.25);
}

TEST_F(EnginePhases, AreReportedWithAllTheirRuns) {
    auto const dump = phase_of("dump", {Open{0}, four(Verb::write, 0), Close{0}});
    for (int i = 0; i < 3; ++i) {
        engine.run(dump);
        clock.advance(Seconds{100});  // what is between runs is no part of them
    }
    auto const all = engine.report("dump");
    EXPECT_EQ(all.ranks[0].requests, 12U);
    EXPECT_EQ(all.ranks[0].bytes_written, 192U);
    EXPECT_DOUBLE_EQ(all.ranks[0].open_s, 1.5);
    EXPECT_DOUBLE_EQ(all.ranks[0].transfer_s, 12);
    EXPECT_DOUBLE_EQ(all.elapsed_s, 3 * 4.75);
    EXPECT_EQ(all.runs, 3U);
    engine.run(dump);
    EXPECT_EQ(engine.report("dump").ranks[0].requests, 4U) << "those that were reported are not reported again";
}

TEST_F(EnginePhases, ThatFailCloseWhatIsOpen) {
    engine.run(phase_of("first", {Open{0}, four(Verb::write, 0)}));
    backend.fault.at_write = backend.writes;
    auto const second = phase_of("second", {four(Verb::write, 64)});
    EXPECT_THROW(engine.run(second), Error);
    EXPECT_ANY_THROW(static_cast<void>(engine.report("second"))) << "there is no half of a result";
    backend.fault.at_write = -1;
    engine.declare({"more"}, {1000, 64});  // which an open file would forbid
    engine.run(phase_of("third", {Open{0}, four(Verb::write, 0), Close{0}}));
    EXPECT_EQ(engine.report("third").ranks[0].requests, 4U);
}

TEST_F(EnginePhases, MakeNoLargerRequestsThanWereDeclared) {
    auto large = four(Verb::write, 0);
    large.extent.length = 17;
    EXPECT_ANY_THROW(engine.run(phase_of("large", {Open{0}, large, Close{0}})));
    engine.run(phase_of("opens", {Open{0}}));
    EXPECT_ANY_THROW(engine.declare({"more"}, {1000, 17})) << "a back-end has prepared an open file for 16";
    EXPECT_EQ(engine.declare({"other"}, {1000, 16}), 1U);
    engine.run(phase_of("closes", {Close{0}}));
    EXPECT_EQ(engine.declare({"more"}, {1000, 17}), 2U);
    large.file = 2;
    engine.run(phase_of("large", {Open{2}, large, Close{2}}));
    EXPECT_EQ(engine.report("large").ranks[0].bytes_written, 68U);
}

/// It remembers which requests it was asked for, too.
class CountingSource final : public DataSource {
  public:
    void fill(CurrentAccess const& asked, Operation const& operation, std::span<std::byte> data) override {
        EXPECT_EQ(asked.access.verb, Verb::write);
        offsets.push_back(operation.offset);
        bytes.fill(asked, operation, data);
    }
    void take(CurrentAccess const& asked, Operation const& operation, std::span<std::byte const> data) override {
        EXPECT_EQ(asked.access.verb, Verb::read);
        turns.push_back(asked.turns.empty() ? 0 : asked.turns.back());
        bytes.take(asked, operation, data);
    }

    std::vector<std::uint64_t> offsets;
    std::vector<std::uint64_t> turns;
    testing::PlacedBytes bytes;
};

TEST_F(EnginePhases, WriteWhatASourceMakesAndGiveItWhatTheyRead) {
    engine.declare({"more"}, {1000, 20});
    auto scattered = four(Verb::write, 3);
    scattered.file = 1;
    scattered.extent = {3, {{4, 20}}, 5};
    CountingSource source;
    engine.run(phase_of("writes", {Open{1}, scattered, Close{1}}), &source);
    EXPECT_EQ(source.offsets, (std::vector<std::uint64_t>{3, 23, 43, 63}));
    auto const& bytes = backend.files.at("weir-more");
    ASSERT_EQ(bytes.size(), 68U);
    EXPECT_EQ(bytes[23], testing::PlacedBytes::at(1, 23));
    EXPECT_EQ(bytes[67], testing::PlacedBytes::at(1, 67));
    EXPECT_EQ(bytes[8], std::byte{0}) << "between them nothing is written";
    scattered.verb = Verb::read;
    scattered.list_io = true;
    engine.run(phase_of("reads", {Open{1, OpenMode::read}, Repeat{2, {scattered}}, Close{1}}), &source);
    EXPECT_EQ(source.turns, (std::vector<std::uint64_t>{0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(source.bytes.wrong, 0U);
    backend.files.at("weir-more")[43] ^= std::byte{1};
    engine.run(phase_of("again", {Open{1, OpenMode::read}, scattered, Close{1}}), &source);
    EXPECT_EQ(source.bytes.wrong, 1U);
    backend.files.at("weir-more").resize(60);
    EXPECT_THROW(engine.run(phase_of("short", {Open{1, OpenMode::read}, scattered, Close{1}}), &source), Error);
}

TEST_F(EnginePhases, LetASourceComputeWhereItCan) {
    class Computing final : public testing::EmptySource {
      public:
        bool compute(Compute const& step) override { return ++steps == 1 && step.time.value == 5; }
        int steps = 0;
    } source;
    engine.run(phase_of("computes", {Repeat{2, {Compute{Seconds{5}}}}}), &source);
    EXPECT_EQ(source.steps, 2);
    EXPECT_DOUBLE_EQ(engine.report("computes").elapsed_s, 5) << "the second time it did nothing itself";
}

TEST_F(EnginePhases, EndWithWhatASourceThrows) {
    testing::FailingSource broken(true);
    auto const error = testing::error_of([&] {
        engine.run(phase_of("writes", {Open{0}, four(Verb::write, 0), Close{0}}), &broken);
    });
    EXPECT_EQ(error.diagnosis().problem, "this rank has no data");
    EXPECT_EQ(backend.calls.back(), "close");
}

}  // namespace
}  // namespace weir
