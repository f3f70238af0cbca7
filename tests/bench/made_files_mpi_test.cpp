#include "bench/made_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct MadeFilesOfRanks : ::testing::Test {
    [[nodiscard]] std::filesystem::path path(std::string const& name) const { return directory.path() / name; }
    [[nodiscard]] MadeFiles read() const { return {directory.path(), "weir-heat", world}; }
    void write(std::string const& name, std::string const& text) const {
        testing::on_root(world, [&] { std::ofstream(path(name)) << text; });
    }

    Communicator const world = Communicator::world();
    testing::TemporaryDirectory const directory{world};
    std::filesystem::path const note = path(".weir-heat.made");
};

TEST_F(MadeFilesOfRanks, KnowWhatARunLeftUntilItChanges) {
    write("ours", "bytes");
    write("theirs", "bytes");
    auto const own = path("ours." + std::to_string(world.rank()));
    std::ofstream(own) << "of a rank";
    auto first = read();
    EXPECT_FALSE(first.has_left(path("ours")));
    first.add({path("ours"), own, path("gone")});
    world.barrier();
    auto const later = read();
    EXPECT_TRUE(later.has_left(path("ours")));
    EXPECT_TRUE(later.has_left(own)) << "the names of all ranks are there";
    EXPECT_FALSE(later.has_left(path("theirs")));
    EXPECT_FALSE(later.has_left(path("gone")));
    world.barrier();
    write("ours", "other bytes");
    EXPECT_FALSE(later.has_left(path("ours"))) << "somebody has written to it";
    world.barrier();
}

TEST_F(MadeFilesOfRanks, ForgetWhatHasGone) {
    write("one", "1");
    write("two", "2");
    read().add({path("one"), path("two")});
    testing::on_root(world, [&] { std::filesystem::remove(path("one")); });
    read().add({});
    std::ifstream list(note);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(list), {}).find("\"one\""), std::string::npos);
    write("one", "1");
    EXPECT_FALSE(read().has_left(path("one")));
    EXPECT_TRUE(read().has_left(path("two")));
}

TEST_F(MadeFilesOfRanks, BelieveNoLinkAndNothingElse) {
    for (auto const* text : {"", "{", "[]", R"({"weir_made": 2})", R"({"weir_made": 1, "files": {"a": [1]}})"}) {
        write(note.filename().string(), text);
        EXPECT_FALSE(read().has_left(path("a"))) << text;
    }
    if (world.is_root()) {
        std::filesystem::rename(note, path("elsewhere"));
        std::filesystem::create_symlink(path("elsewhere"), note);
    }
    write("a", "1");
    auto made = read();
    EXPECT_THROW(made.add({path("a")}), Error) << "it would write through the link";
}

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
