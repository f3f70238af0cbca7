#include "bench/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct ScratchDirectoryOnRanks : ::testing::TestWithParam<DirectoryUse> {
    Communicator const world = Communicator::world();
    testing::TemporaryDirectory const parent{world};
};

TEST_P(ScratchDirectoryOnRanks, IsNewAndGoesWithAllThatIsInIt) {
    ScratchDirectory one(parent.path(), "weir-one", world, GetParam());
    ScratchDirectory other(parent.path(), "weir-one", world, GetParam());
    EXPECT_NE(one.path(), other.path());
    EXPECT_EQ(one.path().filename().string().find("weir-one-"), 0U);
    auto const own = one.of_rank(world.rank());
    EXPECT_EQ(own == one.path(), GetParam() == DirectoryUse::common);
    std::ofstream(own / std::to_string(world.rank())) << "x";
    EXPECT_TRUE(std::filesystem::exists(own / std::to_string(world.rank())));
    one.remove();
    world.barrier();
    EXPECT_EQ(parent.entries(), 1);
    other.remove();
    world.barrier();
    EXPECT_EQ(parent.entries(), 0);
}

TEST_P(ScratchDirectoryOnRanks, SaysSoOnAllRanksWhereItCannotBe) {
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { ScratchDirectory(parent.path() / "gone", "weir-one", world, GetParam()); });
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->exit_code, ExitCode::cannot_run);
    EXPECT_EQ(failure->problem, "cannot make a directory in '" + (parent.path() / "gone").string() + "'");
    EXPECT_EQ(failure->reason, "No such file or directory");
}

/// As where a rank is within a long request, so that none comes to remove().
TEST_P(ScratchDirectoryOnRanks, IsRemovedWithoutOthersOnceAStopWasRequested) {
    ScratchDirectory const kept(parent.path(), "weir-kept", world, GetParam(), WhenStopped::left);
    ScratchDirectory one(parent.path(), "weir-one", world, GetParam());
    std::ofstream(one.of_rank(world.rank()) / std::to_string(world.rank())) << "x";
    world.barrier();
    stop_requested = world.is_root();
    for (int i = 0; i < 1'000 && std::filesystem::exists(one.path()); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_FALSE(std::filesystem::exists(one.path()));
    EXPECT_TRUE(std::filesystem::exists(kept.path()));
    world.barrier();
    one.remove();  // finds nothing to do
    stop_requested = false;
}

INSTANTIATE_TEST_SUITE_P(Uses, ScratchDirectoryOnRanks,
                         ::testing::Values(DirectoryUse::common, DirectoryUse::one_a_rank));

}  // namespace
}  // namespace weir
