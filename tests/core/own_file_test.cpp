#include "core/own_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct OwnFile : ::testing::Test {
    std::filesystem::path file(std::string const& name, std::string const& text) const {
        std::ofstream(place.path() / name) << text;
        return place.path() / name;
    }
    static void expect_untouched(std::filesystem::path const& path, std::string const& why) {
        testing::expect_error(
            ExitCode::cannot_run, why, [&] { open_own_file(path, O_RDWR); }, &Diagnosis::reason);
    }
    testing::TemporaryDirectory place;
};

TEST_F(OwnFile, IsNewOrIsNotMade) {
    write_new_file(place.path() / "new", "text");
    EXPECT_EQ(read_short_file(place.path() / "new", 100), "text");
    EXPECT_THROW(write_new_file(place.path() / "new", "other"), Error);
    EXPECT_EQ(read_short_file(place.path() / "new", 100), "text");
    std::filesystem::create_symlink(place.path() / "nowhere", place.path() / "link");
    EXPECT_THROW(make_new_file(place.path() / "link"), Error);
    EXPECT_FALSE(is_there(place.path() / "nowhere"));
}

TEST_F(OwnFile, IsNeitherALinkNorADirectoryNorAPipe) {
    std::filesystem::create_symlink(file("target", "x"), place.path() / "link");
    expect_untouched(place.path() / "link", "it is a link");
    std::filesystem::create_directory(place.path() / "folder");
    EXPECT_THROW(open_own_file(place.path() / "folder", O_RDWR), Error);
    ASSERT_EQ(::mkfifo((place.path() / "pipe").c_str(), 0600), 0);
    expect_untouched(place.path() / "pipe", "it is no file");
    EXPECT_FALSE(read_short_file(place.path() / "pipe", 100));
    EXPECT_FALSE(read_short_file(place.path() / "link", 100));
}

TEST_F(OwnFile, HasOneNameAndOneOwner) {
    auto const one = file("one", "x");
    EXPECT_NO_THROW(open_own_file(one, O_RDWR));
    std::filesystem::create_hard_link(one, place.path() / "two");
    expect_untouched(one, "it has a second name (a hard link)");
    if (::geteuid() == 0) {
        auto const others = file("others", "x");
        ASSERT_EQ(::chown(others.c_str(), 12345, 12345), 0);
        expect_untouched(others, "it belongs to user 12345");
    }
}

TEST_F(OwnFile, ALongTextIsNotRead) {
    auto const path = file("long", std::string(101, 'x'));
    EXPECT_FALSE(read_short_file(path, 100));
    EXPECT_TRUE(read_short_file(path, 101));
}

TEST_F(OwnFile, IsRenamedToANameThatIsFree) {
    auto const from = file("from", "new");
    auto const to = file("to", "old");
    EXPECT_FALSE(rename_to_new(from, to));
    EXPECT_EQ(read_short_file(to, 100), "old");
    EXPECT_TRUE(rename_to_new(from, place.path() / "free"));
    EXPECT_EQ(read_short_file(place.path() / "free", 100), "new");
    EXPECT_THROW(rename_to_new(from, place.path() / "other"), Error);
}

TEST_F(OwnFile, IsToldFromAnotherOneInItsPlace) {
    auto const path = file("data", "one");
    auto const before = open_own_file(path).identity();
    EXPECT_EQ(open_own_file(path).identity(), before);
    std::ofstream(path, std::ios::app) << "more";
    EXPECT_NE(open_own_file(path).identity(), before);
}

}  // namespace
}  // namespace weir
