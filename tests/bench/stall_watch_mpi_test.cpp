#include "bench/stall_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <sstream>
#include <thread>

#include "core/json.hpp"
#include "core/text_file.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

/// Standard error of this rank, in a file while this exists.
class CaughtTalk {
  public:
    explicit CaughtTalk(std::string path) : path_(std::move(path)), before_(dup(STDERR_FILENO)) {
        auto const file = open(path_.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
        dup2(file, STDERR_FILENO);
        close(file);
    }
    ~CaughtTalk() {
        dup2(before_, STDERR_FILENO);
        close(before_);
    }
    CaughtTalk(CaughtTalk const&) = delete;
    CaughtTalk& operator=(CaughtTalk const&) = delete;

    /// The first line of that kind; calls `meanwhile` until it is there. Null if none comes.
    [[nodiscard]] Json wait_for(std::string const& kind, std::function<void()> const& meanwhile) const {
        for (int i = 0; i < 12'000; ++i) {
            std::istringstream lines(read_text_file(path_).value_or(""));
            for (std::string line; std::getline(lines, line);) {
                if (auto const json = parse_json(line); json.is_object() && json.at("kind") == kind) {
                    return json;
                }
            }
            meanwhile();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return {};
    }

  private:
    std::string path_;
    int before_;
};

struct WatchedRanks : ::testing::Test {
    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory const directory{comm};
};

TEST_F(WatchedRanks, TellOfTheOneThatDoesNotCome) {
    Json line;
    {
        CaughtTalk const talk(directory.path() / "talk");
        StallWatch const watch(comm, Seconds{2});
        ASSERT_EQ(watch.limit(), Seconds{2});
        note_phase("meet");
        if (comm.is_root()) {
            line = talk.wait_for("stall", [] {});
        }
        comm.barrier();
    }
    if (comm.is_root()) {
        ASSERT_FALSE(line.is_null());
        EXPECT_EQ(line.at("ranks"), comm.size());
        EXPECT_GE(line.at("since_s").get<double>(), 2);
        ASSERT_EQ(line.at("suspects").size(), 1U) << json_text(line);
        EXPECT_EQ(line.at("suspects")[0].at("rank"), 0);
        EXPECT_EQ(line.at("suspects")[0].at("process"), getpid());
        EXPECT_EQ(line.at("suspects")[0].at("phase"), "meet");
        EXPECT_EQ(line.at("waiting").size(), comm.size() > 1 ? 1U : 0U);
        for (auto const& group : line.at("waiting")) {
            EXPECT_EQ(group.at("mpi_call"), "MPI_Barrier");
            EXPECT_EQ(group.at("count"), comm.size() - 1);
        }
    }
}

TEST_F(WatchedRanks, TellOfTheProgressOfAnyOfThem) {
    Json line;
    {
        CaughtTalk const talk(directory.path() / "common");
        StallWatch const watch(comm, Seconds{0.8});
        if (comm.rank() == comm.size() - 1) {  // it works, and the first rank's thread speaks
            line = talk.wait_for("progress", note_step);
        }
        comm.barrier();
    }
    EXPECT_EQ(line.is_null(), comm.rank() != comm.size() - 1);
}

TEST_F(WatchedRanks, AreNotWatchedWithoutALimit) {
    auto const* before = rank_progress;
    StallWatch const watch(comm, {});
    EXPECT_EQ(watch.limit(), std::nullopt);
    EXPECT_EQ(rank_progress, before);
}

}  // namespace
}  // namespace weir
