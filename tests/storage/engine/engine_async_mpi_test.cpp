// Accesses that a rank begins and does not wait for: through every back-end, what is there in the end is what was
// asked for.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/random.hpp"
#include "storage/engine/engine.hpp"
#include "support/all_backends.hpp"
#include "support/error_of.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

/// An application whose bytes follow from their place in a file, and which counts what it was given right.
class Content final : public DataSource {
  public:
    void fill(CurrentAccess const& asked, Operation const& operation, std::span<std::byte> data) override {
        for (std::size_t i = 0; i < data.size(); ++i) {
            data[i] = at(asked, operation.offset + i);
        }
    }
    void take(CurrentAccess const& asked, Operation const& operation, std::span<std::byte const> data) override {
        taken += data.size();
        for (std::size_t i = 0; i < data.size(); ++i) {
            wrong += data[i] == at(asked, operation.offset + i) ? 0 : 1;
        }
    }
    static std::byte at(CurrentAccess const& asked, std::uint64_t offset) {
        return static_cast<std::byte>(mix(asked.file * 1'000'003 + offset));
    }

    std::uint64_t taken = 0;
    std::uint64_t wrong = 0;
};

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
        Access one;
        one.verb = verb;
        one.file = file;
        one.ranks = {0, comm.size(), 1};
        one.rank_levels = {{comm.size(), piece_bytes}};
        one.extent = {which * half(), {{pieces, static_cast<std::int64_t>(comm.size() * piece_bytes)}}, piece_bytes};
        one.asynchronous = asynchronous;
        return one;
    }

    PhaseResult run(std::vector<Step> steps) {
        engine->run({.name = "one", .reorder = {}, .limited_by = "", .steps = std::move(steps)}, &content);
        return engine->report("one");
    }

    void write_all() { run({Open{0}, access(Verb::write, 0, 0), Wait{0}, access(Verb::write, 0, 1), Close{0}}); }

    std::optional<Engine> engine;
    Content content;
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
    EXPECT_NE(std::string(error.what()).find("could be read"), std::string::npos) << error.what();
    EXPECT_NO_THROW(run({Open{0, OpenMode::read}, access(Verb::read, 0, 0), Close{0}})) << "nothing is left over";
}

TEST_P(EngineAsync, FailsOnAllRanksWhereOneCannotWrite) {
    auto failed = false;
    try {
        testing::FileSizeLimit const limit(comm.is_root() ? half() / 2 : RLIM_INFINITY);
        run({Open{0}, access(Verb::write, 0, 0), Wait{0}, Close{0}});
    } catch (Error const&) {
        failed = true;
    }
    auto const failures = comm.sum(std::uint64_t{failed ? 1U : 0U});
    EXPECT_TRUE(failures == 0 || failures == comm.size()) << failures;
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
        auto failed = false;
        auto next = access(Verb::write, 0, 1, false);
        next.collective = kind.features().collective;
        try {
            testing::FileSizeLimit const limit(comm.is_root() ? half() / 2 : RLIM_INFINITY);
            syncs ? run({Open{0}, access(Verb::write, 0, 0), Sync{0}, Close{0}})
                  : run({Open{0}, access(Verb::write, 0, 0), next, Close{0}});
        } catch (Error const&) {
            failed = true;
        }
        EXPECT_TRUE(failed || !kind.features().raw || GetParam() == "template");
        auto const failures = comm.sum(std::uint64_t{failed ? 1U : 0U});
        EXPECT_TRUE(failures == 0 || failures == comm.size()) << failures;
    }
    write_all();
}

INSTANTIATE_TEST_SUITE_P(Backends, EngineAsync, ::testing::ValuesIn(testing::all_backends()), testing::by_name);

TEST(EngineAsyncUring, HasManyRequestsOnTheirWay) {
    auto const* kind = Backends::instance().find("uring");
    if (kind == nullptr) {
        GTEST_SKIP() << "this build has no back-end uring";
    }
    auto const comm = Communicator::world();
    testing::TemporaryDirectory const directory{comm};
    MonotonicClock clock;
    OptionSet options;
    auto const backend = kind->make();
    backend->declare(options);
    Engine engine(*backend, comm, EngineSettings{directory.path()}, clock);
    engine.declare({"own", true}, {8 << 20, 1 << 20});
    Access access;
    access.ranks = {0, comm.size(), 1};
    access.extent = {0, {{8, 1 << 20}}, 1 << 20};
    access.asynchronous = true;
    engine.run({.name = "w", .reorder = {}, .limited_by = "", .steps = {Open{0}, access, Wait{0}, Close{0}}});
    EXPECT_EQ(engine.report("w").hints.at("most_on_their_way"), "8");
}

}  // namespace
}  // namespace weir
