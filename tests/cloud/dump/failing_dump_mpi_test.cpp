// Dumps that a file system refuses on one rank.

#include <gtest/gtest.h>

#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "core/text_file.hpp"
#include "support/failures/error_of.hpp"
#include "support/failures/file_size_limit.hpp"
#include "support/mpi/on_root.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

constexpr Grid failing_grid{{12, 8, 16}, 1.0 / 12};

class FailingDump : public ::testing::TestWithParam<DumpMethod> {
  protected:
    Communicator world_ = Communicator::world();
    testing::TemporaryDirectory directory_{world_};
    std::filesystem::path restart_ = directory_.path() / restart_name;
    MonotonicClock clock_;
    Decomposition where_{world_, failing_grid};
    Dumps dumps_{where_, directory_.path(), GetParam(), clock_};

    [[nodiscard]] std::optional<std::string> restart() const { return read_text_file(restart_.string()); }

    /// The message, the same on all ranks.
    template <class Work>
    std::string refusal(Work work) {
        return same_on_all(world_, Error(testing::refusal_of(ExitCode::cannot_run, work)).what());
    }

    /// As on a disk that is full for one rank: that which has to write the last bytes of a file.
    std::string refusal_of(rlim_t bytes) {
        auto const last = GetParam() == DumpMethod::rank0 ? 0 : world_.size() - 1;
        testing::FileSizeLimit const full(world_.rank() == last ? bytes : RLIM_INFINITY);
        return refusal([&] { dumps_.write_restart(made_state(where_, 2), 1.1); });
    }
};

TEST_P(FailingDump, LeavesTheLastGoodRestart) {
    dumps_.write_restart(made_state(where_, 1), 1.1);
    auto const good = restart();
    world_.barrier();
    for (rlim_t const bytes : {36887, 30000, 10000}) {
        auto const message = refusal_of(bytes);
        EXPECT_TRUE(testing::has(message, restart_.string()));
        EXPECT_TRUE(testing::has(message, "(File too large)"));
        world_.barrier();
        EXPECT_TRUE(restart() == good);
        EXPECT_EQ(directory_.entries(), 1);
        world_.barrier();
    }
    dumps_.write_restart(made_state(where_, 2), 1.1);
    EXPECT_EQ(dumps_.read_restart(restart_).step, 2);
}

TEST_P(FailingDump, SaysSoOnAllRanksWhereTheDirectoryIsGone) {
    Dumps nowhere(where_, directory_.path() / "gone", GetParam(), clock_);
    auto const message = refusal([&] { nowhere.write(made_state(where_, 1), 1.1); });
    EXPECT_TRUE(testing::has(message, "gone/analysis-000001' (No such file or directory)"));
}

TEST_P(FailingDump, LeavesAloneWhatIsNoDumpAndStandsInItsPlace) {
    testing::on_root(world_, [&] { std::filesystem::create_directories(restart_ / "full"); });
    auto const message = refusal([&] { dumps_.write_restart(made_state(where_, 1), 1.1); });
    EXPECT_TRUE(testing::has(message, "is not touched (it is a directory)"));
    world_.barrier();
    EXPECT_TRUE(std::filesystem::exists(restart_ / "full"));
    EXPECT_FALSE(std::filesystem::exists(restart_.string() + ".weir-part"));
}

INSTANTIATE_TEST_SUITE_P(Methods, FailingDump, every_method, by_method);

TEST(TwoPhaseDumps, NeedPlanesForAllRanks) {
    auto const world = Communicator::world();
    auto const size = static_cast<Index>(world.size());
    WEIR_SKIP_IF(size == 1) << "one rank has planes enough";
    MonotonicClock clock;
    Decomposition const where(world, {{8, 8, size + size / 2}, 0.1}, Triple{size, 1, 1});
    testing::expect_error(ExitCode::usage, "", [&] { Dumps const dumps(where, ".", DumpMethod::two_phase, clock); });
    Dumps const dumps(where, ".", DumpMethod::independent, clock);
}

}  // namespace
}  // namespace weir::cloud
