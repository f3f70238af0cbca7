#include "bench/made_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "core/error.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct DirectoryClaimOnRanks : ::testing::Test {
    Communicator const world = Communicator::world();
    testing::TemporaryDirectory const directory{world};
    std::filesystem::path const file = directory.path() / ".weir-cloud.lock";

    /// Why the directory cannot be had; empty where it can.
    [[nodiscard]] std::string refusal() const {
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] { DirectoryClaim(directory.path(), "weir-cloud", "a gas cloud", world); });
        world.barrier();
        EXPECT_TRUE(!failure || failure->exit_code == ExitCode::cannot_run);
        return failure ? failure->problem : "";
    }
    void leave(std::string const& text) const {
        if (world.is_root()) {
            std::ofstream(file) << text;
        }
        world.barrier();
    }
};

TEST_F(DirectoryClaimOnRanks, OneRunHasItAtATime) {
    {
        DirectoryClaim const mine(directory.path(), "weir-cloud", "a gas cloud", world);
        EXPECT_EQ(refusal(), "another run, a gas cloud, writes into '" + directory.path().string() + "'");
        EXPECT_EQ(directory.entries(), 1);
        world.barrier();
    }
    world.barrier();
    EXPECT_EQ(directory.entries(), 0);
    world.barrier();
    EXPECT_EQ(refusal(), "");
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
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(directory.entries(), 0);
}

TEST_F(DirectoryClaimOnRanks, ARefusalSaysWhoHoldsItSinceWhenAndWhatToDo) {
    leave("node07 4711 2026-11-22T20:00:00.000Z\n");
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { DirectoryClaim(directory.path(), "weir-cloud", "a gas cloud", world); });
    ASSERT_TRUE(failure);
    EXPECT_NE(failure->reason.find("process 4711 on 'node07' holds it since 2026-11-22T20:00:00.000Z"),
              std::string::npos)
        << failure->reason;
    EXPECT_NE(failure->suggestion.find("(ssh node07 ps -p 4711), then remove its lock: rm '" + file.string() + "'"),
              std::string::npos)
        << failure->suggestion;
    world.barrier();
    {
        leave("");
        std::filesystem::remove(file);
        world.barrier();
        DirectoryClaim const mine(directory.path(), "weir-cloud", "a gas cloud", world);
        failure.reset();
        keep_failure(failure, [&] { DirectoryClaim(directory.path(), "weir-cloud", "a gas cloud", world); });
        ASSERT_TRUE(failure);
        EXPECT_NE(failure->reason.find(" holds it since 2"), std::string::npos) << failure->reason;
        world.barrier();
    }
    world.barrier();
}

TEST_F(DirectoryClaimOnRanks, WhatAnotherHostLeftStays) {
    leave("another.host");
    EXPECT_NE(refusal().find("on another host"), std::string::npos);
    EXPECT_EQ(directory.entries(), 1);
    EXPECT_EQ(read_short_file(file, 1000), "another.host");
}

}  // namespace
}  // namespace weir
