#include "core/foreign_link.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

struct ForeignLink : ::testing::Test {
    ForeignLink() { fs::create_directories(there / "below"); }

    [[nodiscard]] fs::path link(std::string const& name, fs::path const& target, uid_t owner) const {
        auto const made = place.path() / name;
        fs::create_symlink(target, made);
        EXPECT_EQ(::lchown(made.c_str(), owner, owner), 0);
        return made;
    }
    static void expect_refused(fs::path const& path) {
        testing::expect_error(
            ExitCode::cannot_run, "it is a link of user 65534", [&] { refuse_foreign_links(path); },
            &Diagnosis::reason);
    }

    testing::TemporaryDirectory place;
    fs::path there = place.path() / "there";
};

TEST_F(ForeignLink, IsRefusedWhereverItIsOnTheWay) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can act as several users";
    }
    constexpr uid_t stranger = 65534;
    auto const foreign = link("foreign", there, stranger);
    expect_refused(foreign);
    expect_refused(foreign / "below");
    expect_refused(link("relative", "there", stranger));
    expect_refused(link("ours-to-theirs", foreign, 0) / "below");
    refuse_foreign_links(link("ours", there, 0) / "below");
}

TEST_F(ForeignLink, IsNotSeenWhereNoneIs) {
    fs::create_symlink("loop", place.path() / "loop");
    std::ofstream(place.path() / "file") << "x";
    for (auto const& path :
         {there / "below", there / ".." / "there", place.path() / "missing" / "x", place.path() / "loop",
          place.path() / "file" / "x", fs::path("/proc/self/cwd"), fs::path(), fs::path("."), fs::path("/")}) {
        EXPECT_NO_THROW(refuse_foreign_links(path)) << path;
    }
}

}  // namespace
}  // namespace weir
