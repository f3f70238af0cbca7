// Steps between accesses: seeks, renames, removes, messages.

#include <gtest/gtest.h>

#include <filesystem>

#include "storage/engine/engine.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/sources.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct EngineBetween : ::testing::Test {
    static Phase phase(std::vector<Step> steps) { return testing::phase_of("dump", std::move(steps)); }

    /// Each rank writes eight bytes into a shared file.
    [[nodiscard]] Access record(std::uint64_t file) const {
        auto access = testing::access_of({0, comm.size(), 1}, {{comm.size(), 8}}, {0, {}, 8});
        access.file = file;
        return access;
    }

    /// A dump that is written aside and then takes the place of the last one.
    [[nodiscard]] Phase safe_dump() const {
        return phase({Open{1}, record(1), Sync{1}, Close{1}, Rename{1, 0, {}, {}}});
    }

    void declare(Engine& engine) const {
        engine.declare({"restart"}, {8 * comm.size(), 8});
        engine.declare({"restart.part"}, {8 * comm.size(), 8});
    }

    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
    std::unique_ptr<Backend> backend = Backends::instance().find("posix")->make();
    EngineSettings settings{directory.path(), true};
    std::filesystem::path const restart = directory.path() / "weir-restart";
    std::filesystem::path const part = directory.path() / "weir-restart.part";
};

TEST_F(EngineBetween, AFileTakesThePlaceOfAnotherWhenAllIsThere) {
    Engine engine(*backend, comm, settings, clock);
    declare(engine);
    for (int turn = 0; turn < 3; ++turn) {
        engine.run(safe_dump());
        EXPECT_EQ(std::filesystem::file_size(restart), 8 * comm.size());
        EXPECT_FALSE(std::filesystem::exists(part));
        comm.barrier();
    }
    EXPECT_GT(engine.report("dump").ranks[0].sync_s, 0);
    engine.remove_files();
    comm.barrier();
    EXPECT_FALSE(std::filesystem::exists(restart));
}

TEST_F(EngineBetween, AFileThatWasRenamedHasTheStampsItWasWrittenWith) {
    Engine engine(*backend, comm, settings, clock);
    declare(engine);
    auto check = record(0);
    check.verb = Verb::check;
    auto const checked = [&] {
        engine.run(testing::phase_of("check", {Open{0, OpenMode::read}, check, Close{0}}));
        auto const words = engine.report("check").words;
        EXPECT_EQ(words.checked, comm.size());
        return words.wrong;
    };
    engine.run(safe_dump());
    EXPECT_EQ(checked(), 0U);
    engine.run(phase({Open{0}, record(0), Close{0}}));
    EXPECT_EQ(checked(), 0U) << "it was made again";
    engine.run(safe_dump());
    EXPECT_EQ(checked(), 0U);
}

TEST_F(EngineBetween, AFailedDumpLeavesTheLastOneAndNothingElse) {
    Engine engine(*backend, comm, settings, clock);
    declare(engine);
    engine.run(safe_dump());
    auto const before = std::filesystem::last_write_time(restart);
    comm.barrier();
    testing::FailingSource source(comm.rank() + 1 == comm.size());
    EXPECT_THROW(engine.run(safe_dump(), &source), Error);
    comm.barrier();
    EXPECT_EQ(std::filesystem::last_write_time(restart), before);
    EXPECT_FALSE(std::filesystem::exists(part));
}

TEST_F(EngineBetween, RemovesAndKeepsToOtherNames) {
    settings.prefix = "";
    Engine engine(*backend, comm, settings, clock);
    declare(engine);
    engine.run(phase({Open{0}, record(0), Close{0}}));
    EXPECT_TRUE(std::filesystem::exists(directory.path() / "restart"));
    comm.barrier();
    engine.run(phase({Remove{0, {}}}));
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "restart"));
}

/// Asked once about what another program has left there, and never about a file of the run's own.
TEST_F(EngineBetween, AsksAboutWhatIsInTheWay) {
    std::vector<std::filesystem::path> asked;
    settings.check_in_the_way = [&](std::filesystem::path const& path) { asked.push_back(path.filename()); };
    Engine engine(*backend, comm, settings, clock);
    declare(engine);
    engine.run(safe_dump());
    engine.run(safe_dump());
    if (comm.is_root()) {
        std::ranges::sort(asked);
        EXPECT_EQ(asked.front(), "weir-restart");
        EXPECT_EQ(std::ranges::count(asked, "weir-restart"), 1);
    } else {
        EXPECT_TRUE(asked.empty());
    }
    settings.check_in_the_way = [](std::filesystem::path const&) {
        throw Error({"it is another's", "", "", ExitCode::cannot_run});
    };
    Engine careful(*backend, comm, settings, clock);
    declare(careful);
    EXPECT_THROW(careful.run(safe_dump()), Error);
    EXPECT_TRUE(std::filesystem::exists(restart));
}

TEST_F(EngineBetween, MessagesAndSeeksAreCounted) {
    auto const ranks = comm.size();
    Engine engine(*backend, comm, settings, clock);
    engine.declare({"data"}, {64, 64});
    std::vector<Step> steps{Open{0}, Seek{0, 24, {}, {}, {}}, Close{0}, Broadcast{24, ranks - 1, {}}};
    if (ranks > 1) {
        steps.emplace_back(Send{{0, ranks - 1, 1}, {1, ranks - 1, 1}, 64});  // each to the next one
    }
    engine.run(phase(steps));
    auto const result = engine.report("dump");
    EXPECT_EQ(result.calls[IoCall::seek].count, ranks);
    EXPECT_EQ(result.calls[IoCall::open].count, ranks);
    EXPECT_EQ(result.calls[IoCall::communication].count, ranks + 2 * (ranks - 1));
}

/// Else a message would be sent to a rank that does another part, which never receives it.
TEST_F(EngineBetween, MessagesAreBetweenThoseWhoDoTheParts) {
    auto const ranks = comm.size();
    if (ranks < 3) {
        GTEST_SKIP() << "two ranks that swap their parts do not tell";
    }
    Engine engine(*backend, comm, settings, clock);
    engine.declare({"data"}, {64, 64});
    for (auto const kind : {ReorderKind::shift, ReorderKind::shuffle}) {
        auto with = phase({Send{{1, 1, 1}, {0, 1, 1}, 64}, Broadcast{24, 1, {}}, Broadcast{24, 2, {{1, 2, 1}}}});
        with.reorder = {kind, 1, 7};
        engine.run(with);
    }
    EXPECT_EQ(engine.report("dump").calls[IoCall::communication].count, 2 * (2 + ranks + 2));
}

/// Without it, the others would wait for the failed rank in a collective computation.
TEST_F(EngineBetween, NoRankComputesTogetherOnceOneHasFailed) {
    class Together final : public testing::EmptySource {
      public:
        explicit Together(bool fails) : fails_(fails) {}
        bool compute(Compute const&) override {
            if (++steps == 2 && fails_) {
                throw Error({"this rank cannot compute", "", "", ExitCode::cannot_run});
            }
            return true;
        }
        [[nodiscard]] bool computes_together() const override { return true; }
        int steps = 0;

      private:
        bool fails_;
    } source(comm.rank() + 1 == comm.size());
    Engine engine(*backend, comm, settings, clock);
    declare(engine);
    EXPECT_THROW(engine.run(phase({Repeat{4, {Compute{Seconds{1}}}}}), &source), Error);
    EXPECT_EQ(source.steps, 2);
}

}  // namespace
}  // namespace weir
