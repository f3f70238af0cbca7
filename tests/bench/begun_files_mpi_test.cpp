#include "bench/begun_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/own_file.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct BegunFilesOfRanks : ::testing::Test {
    void SetUp() override {
        write("any", "");
        if (!birth_of(path("any"))) {
            GTEST_SKIP() << "this file system does not tell when files were made";
        }
    }
    [[nodiscard]] std::filesystem::path path(std::string const& name) const { return directory.path() / name; }
    void write(std::string const& name, std::string const& text) const {
        testing::on_root(world, [&] { std::ofstream(path(name)) << text; });
    }

    /// The list when it has so many files, which a thread adds.
    [[nodiscard]] std::string list_of(std::size_t files) const {
        std::string text;
        for (int tries = 0; tries < 5000; ++tries) {
            text = read_short_file(list, 1000).value_or("");
            if (static_cast<std::size_t>(std::ranges::count(text, ',')) == 2 * files) {
                return text;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return text;
    }

    /// What a run leaves that is killed when it has begun these files.
    void leave_killed(std::vector<std::string> const& names) const {
        std::string text;
        {
            BegunFiles run(directory.path(), "weir-heat", world);
            for (auto const& name : names) {
                run.expect(path(name));
                write(name, "the beginning");
            }
            text = list_of(names.size());
            world.barrier();
        }
        write(list.filename().string(), text);
    }

    Communicator const world = Communicator::world();
    testing::TemporaryDirectory const directory{world};
    std::filesystem::path const list = path(".weir-heat.begun");
};

TEST_F(BegunFilesOfRanks, KnowWhatAKilledRunHasBegunUnderAnyName) {
    leave_killed({"checkpoint.part", "plot"});
    testing::on_root(world, [&] {
        std::filesystem::rename(path("checkpoint.part"), path("checkpoint"));
        std::ofstream(path("plot"), std::ios::app) << "and more";
    });
    write("theirs", "bytes");
    BegunFiles const later(directory.path(), "weir-heat", world);
    EXPECT_TRUE(later.has_left(path("checkpoint"))) << "it was renamed before the run was killed";
    EXPECT_TRUE(later.has_left(path("plot"))) << "it has grown since it was listed";
    EXPECT_FALSE(later.has_left(path("theirs")));
    EXPECT_FALSE(later.has_left(path("gone")));
    world.barrier();
}

TEST_F(BegunFilesOfRanks, KnowNoOtherFileThatGotTheName) {
    leave_killed({"plot"});
    testing::on_root(world, [&] { std::filesystem::remove(path("plot")); });
    write("plot", "of the user");
    BegunFiles const later(directory.path(), "weir-heat", world);
    EXPECT_FALSE(later.has_left(path("plot")));
    world.barrier();
}

TEST_F(BegunFilesOfRanks, ARunThatEndsLeavesNoList) {
    {
        BegunFiles run(directory.path(), "weir-heat", world);
        run.expect(path("plot"));
        write("unexpected", "");
        write("plot", "bytes");
        EXPECT_NE(list_of(1), "");
        EXPECT_FALSE(run.has_left(path("plot"))) << "it is the run's own";
        world.barrier();
    }
    world.barrier();
    EXPECT_FALSE(is_there(list));
    world.barrier();
}

TEST_F(BegunFilesOfRanks, WhatOneRunDoesNotReplaceStaysListed) {
    leave_killed({"plot", "checkpoint"});
    { BegunFiles const other(directory.path(), "weir-heat", world); }
    testing::on_root(world, [&] { std::filesystem::remove(path("plot")); });
    { BegunFiles const other(directory.path(), "weir-heat", world); }
    world.barrier();
    EXPECT_NE(list_of(1), "");
    BegunFiles const later(directory.path(), "weir-heat", world);
    EXPECT_TRUE(later.has_left(path("checkpoint")));
    world.barrier();
}

TEST_F(BegunFilesOfRanks, BelieveNoLinkAndNothingElse) {
    for (auto const* text : {"", "{", "[]", R"({"weir_begun": 2})", R"({"weir_begun": 1, "files": [1]})"}) {
        write(list.filename().string(), text);
        BegunFiles const run(directory.path(), "weir-heat", world);
        EXPECT_FALSE(run.has_left(path("any"))) << text;
        world.barrier();
    }
    leave_killed({"plot"});
    testing::on_root(world, [&] { std::filesystem::create_hard_link(path("plot"), path("second")); });
    BegunFiles const run(directory.path(), "weir-heat", world);
    EXPECT_THROW(static_cast<void>(run.has_left(path("plot"))), Error) << "it has a second name";
    world.barrier();
}

}  // namespace
}  // namespace weir
