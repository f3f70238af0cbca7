#include "bench/made_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "support/error_of.hpp"
#include "support/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct DirectoryClaimOnRanks : ::testing::Test {
    Communicator const world = Communicator::world();
    testing::TemporaryDirectory const directory{world};
    std::filesystem::path const file = directory.path() / ".weir-cloud.lock";

    /// Why the directory cannot be had; without words where it can.
    [[nodiscard]] Diagnosis refusal() const {
        auto const said = testing::refusal_of(
            ExitCode::cannot_run, [&] { DirectoryClaim(directory.path(), "weir-cloud", "a gas cloud", world); });
        world.barrier();
        return said;
    }
    void leave(std::string const& text) const {
        testing::on_root(world, [&] { std::ofstream(file) << text; });
    }
};

TEST_F(DirectoryClaimOnRanks, OneRunHasItAtATime) {
    {
        DirectoryClaim const mine(directory.path(), "weir-cloud", "a gas cloud", world);
        EXPECT_EQ(refusal().problem, "another run, a gas cloud, writes into '" + directory.path().string() + "'");
        EXPECT_EQ(directory.entries(), 1);
        world.barrier();
    }
    EXPECT_EQ(directory.entries_of_all(), 0);
    EXPECT_EQ(refusal().problem, "");
}

TEST_F(DirectoryClaimOnRanks, WhatAKilledRunLeftOnThisHostIsInNobodysWay) {
    std::optional<std::string> text;
    {
        DirectoryClaim const mine(directory.path(), "weir-cloud", "a gas cloud", world);
        text = read_short_file(file, 1000);
        world.barrier();
    }
    ASSERT_TRUE(text);
    world.barrier();
    leave(*text);
    EXPECT_EQ(refusal().problem, "");
    EXPECT_EQ(directory.entries(), 0);
}

TEST_F(DirectoryClaimOnRanks, ARefusalSaysWhoHoldsItSinceWhenAndWhatToDo) {
    leave("node07 4711 2026-11-22T20:00:00.000Z\n");
    auto const said = refusal();
    EXPECT_TRUE(testing::has(said.reason, "process 4711 on 'node07' holds it since 2026-11-22T20:00:00.000Z"));
    EXPECT_TRUE(
        testing::has(said.suggestion, "(ssh node07 ps -p 4711), then remove its lock: rm '" + file.string() + "'"));
    world.barrier();
    {
        leave("");
        std::filesystem::remove(file);
        world.barrier();
        DirectoryClaim const mine(directory.path(), "weir-cloud", "a gas cloud", world);
        EXPECT_TRUE(testing::has(refusal().reason, " holds it since 2"));
        world.barrier();
    }
    world.barrier();
}

TEST_F(DirectoryClaimOnRanks, WhatAnotherHostLeftStays) {
    leave("another.host");
    EXPECT_TRUE(testing::has(refusal().problem, "on another host"));
    EXPECT_EQ(directory.entries(), 1);
    EXPECT_EQ(read_short_file(file, 1000), "another.host");
}

}  // namespace
}  // namespace weir
