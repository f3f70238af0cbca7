// Accesses that a rank begins and does not wait for: through every back-end, what is there in the end is what was
// asked for.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "storage/engine/engine.hpp"
#include "support/failures/error_of.hpp"
#include "support/failures/file_size_limit.hpp"
#include "support/patterns/all_backends.hpp"
#include "support/patterns/backend_case.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"
#include "support/skip.hpp"

namespace weir {
namespace {

constexpr std::uint64_t pieces = 23;
constexpr std::uint64_t piece_bytes = 1000;

class EngineAsync : public testing::EachBackend {
  protected:
    void SetUp() override {
        WEIR_NEEDS(stores);
        EachBackend::SetUp();
        if (IsSkipped()) {
            return;
        }
        engine.emplace(*backend, comm, EngineSettings{directory.path()}, clock);
        for (auto const* name : {"a", "b"}) {
            engine->declare({name}, {2 * half(), pieces * piece_bytes});
        }
    }

    [[nodiscard]] std::uint64_t half() const { return comm.size() * pieces * piece_bytes; }

    /// The pieces of all ranks lie in turn, in one half of a file.
    [[nodiscard]] Access access(Verb verb, std::uint64_t file, std::uint64_t which, bool asynchronous = true) const {
        auto one = testing::access_of(
            {0, comm.size(), 1}, {{comm.size(), piece_bytes}},
            {which * half(), {{pieces, static_cast<std::int64_t>(comm.size() * piece_bytes)}}, piece_bytes});
        one.verb = verb;
        one.file = file;
        one.asynchronous = asynchronous;
        return one;
    }

    PhaseResult run(std::vector<Step> steps) {
        engine->run(testing::phase_of("one", std::move(steps)), &content);
        return engine->report("one");
    }

    void write_all() { run({Open{0}, access(Verb::write, 0, 0), Wait{0}, access(Verb::write, 0, 1), Close{0}}); }

    /// Do these steps fail where rank 0 may write only half of a file's half? If so, on all ranks.
    bool fails_on_full_disk(std::vector<Step> steps) {
        std::optional<Diagnosis> failure;
        {
            testing::FileSizeLimit const limit(comm.is_root() ? half() / 2 : RLIM_INFINITY);
            keep_failure(failure, [&] { run(std::move(steps)); });
        }
        auto const failures = comm.sum(std::uint64_t{failure ? 1U : 0U});
        EXPECT_TRUE(failures == 0 || failures == comm.size()) << failures;
        return failure.has_value();
    }

    std::optional<Engine> engine;
    testing::PlacedBytes content;
};

TEST_P(EngineAsync, IsReadBackAsItWasWritten) {
    write_all();
    auto const result = run({Open{0, OpenMode::read}, access(Verb::read, 0, 1), access(Verb::read, 0, 0), Wait{0},
                             access(Verb::read, 0, 0, false), Close{0}});
    EXPECT_EQ(content.taken, 3 * pieces * piece_bytes);
    EXPECT_EQ(content.wrong, 0U);
    for (auto const& rank : result.ranks) {
        EXPECT_EQ(rank.requests, 3 * pieces);
        EXPECT_EQ(rank.bytes_read, 3 * pieces * piece_bytes);
    }
    if (GetParam() != "template") {  // which counts none
        EXPECT_EQ(result.calls[IoCall::read].count, 3 * pieces * comm.size());
    }
}

TEST_P(EngineAsync, GoesOnWithAnotherFile) {
    run({Open{0}, Open{1}, access(Verb::write, 0, 0), access(Verb::write, 1, 0), access(Verb::write, 0, 1),
         access(Verb::write, 1, 1, false), Sync{0}, Close{1}, Close{0}});
    run({Open{0, OpenMode::read}, Open{1, OpenMode::read}, access(Verb::read, 1, 0), access(Verb::read, 0, 0),
         access(Verb::read, 1, 1), access(Verb::read, 0, 1), Wait{1}, Close{0}, Close{1}});
    EXPECT_EQ(content.taken, 4 * pieces * piece_bytes);
    EXPECT_EQ(content.wrong, 0U);
}

TEST_P(EngineAsync, IsWaitedForAtTheEndOfAPhase) {
    run({Open{0}, access(Verb::write, 0, 0), access(Verb::write, 0, 1)});
    run({access(Verb::read, 0, 0), Close{0}});
    EXPECT_EQ(content.taken, pieces * piece_bytes);
    EXPECT_EQ(content.wrong, 0U);
}

TEST_P(EngineAsync, CountsARequestThroughManyPiecesOnce) {
    auto own = access(Verb::write, 0, 0);
    own.list_io = true;
    auto const result = run({Open{0}, own, Close{0}});
    for (auto const& rank : result.ranks) {
        EXPECT_EQ(rank.requests, 1U);
        EXPECT_EQ(rank.bytes_written, pieces * piece_bytes);
    }
}

TEST_P(EngineAsync, MayHaveRanksWithNothingToDo) {
    auto first = access(Verb::write, 0, 0);
    first.ranks = {0, 1, 1};
    first.rank_levels.clear();
    run({Open{0}, first, Wait{0}, Close{0}});
    first.verb = Verb::read;
    run({Open{0, OpenMode::read}, first, Close{0}});
    EXPECT_EQ(comm.sum(content.taken), pieces * piece_bytes);
    EXPECT_EQ(content.wrong, 0U);
}

TEST_P(EngineAsync, RefusesAFileThatEndsBefore) {
    WEIR_NEEDS(raw);
    run({Open{0}, access(Verb::write, 0, 0), Close{0}});
    auto const error = testing::error_of([&] {
        run({Open{0, OpenMode::read}, access(Verb::read, 0, 1), Wait{0}, Close{0}});
    });
    EXPECT_TRUE(testing::has(error.what(), "could be read"));
    EXPECT_NO_THROW(run({Open{0, OpenMode::read}, access(Verb::read, 0, 0), Close{0}})) << "nothing is left over";
}

TEST_P(EngineAsync, FailsOnAllRanksWhereOneCannotWrite) {
    auto const failed = fails_on_full_disk({Open{0}, access(Verb::write, 0, 0), Wait{0}, Close{0}});
    EXPECT_TRUE(failed || !kind.features().raw) << "that was no write of this rank's";
    write_all();
}

/// Requests of one rank, on a file that all ranks go on with together.
TEST_P(EngineAsync, StandsBesideCollectiveAccesses) {
    auto own = access(Verb::write, 0, 0);
    own.ranks = {0, 1, 1};
    own.rank_levels.clear();
    own.extent = {0, {{pieces * comm.size(), piece_bytes}}, piece_bytes};
    auto const together = [&](Verb verb) {
        auto all = access(verb, 0, 1, false);
        all.collective = kind.features().collective;
        return all;
    };
    run({Open{0}, own, together(Verb::write), own, Sync{0}, own, Close{0}});
    own.verb = Verb::read;
    run({Open{0, OpenMode::read}, own, together(Verb::read), own, Close{0}});
    EXPECT_EQ(comm.sum(content.taken), 3 * half());
    EXPECT_EQ(content.wrong, 0U);
}

/// The one that fails still takes part in what all ranks do.
TEST_P(EngineAsync, FailsOnAllRanksBeforeCollectiveAccesses) {
    for (bool const syncs : {false, true}) {
        auto next = access(Verb::write, 0, 1, false);
        next.collective = kind.features().collective;
        auto const failed =
            fails_on_full_disk(syncs ? std::vector<Step>{Open{0}, access(Verb::write, 0, 0), Sync{0}, Close{0}}
                                     : std::vector<Step>{Open{0}, access(Verb::write, 0, 0), next, Close{0}});
        EXPECT_TRUE(failed || !kind.features().raw || GetParam() == "template");
    }
    write_all();
}

INSTANTIATE_TEST_SUITE_P(Backends, EngineAsync, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

struct EngineAsyncUring : testing::BackendCase {
    EngineAsyncUring() : BackendCase("uring") {}
};

TEST_F(EngineAsyncUring, HasManyRequestsOnTheirWay) {
    Engine engine(*backend, comm, EngineSettings{directory.path()}, clock);
    engine.declare({"own", true}, {8 << 20, 1 << 20});
    auto access = testing::access_of({0, comm.size(), 1}, {}, {0, {{8, 1 << 20}}, 1 << 20});
    access.asynchronous = true;
    engine.run(testing::phase_of("w", {Open{0}, access, Wait{0}, Close{0}}));
    EXPECT_EQ(engine.report("w").hints.all.at("most_on_their_way"), "8");
}

}  // namespace
}  // namespace weir
