#include "apps/cloud/dump/header.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

struct OldDump : ::testing::Test {
    /// A header of 4 x 3 x 2 cells, and so many bytes after it.
    void dump(std::size_t bytes) const {
        auto const reals = to_reals({{4, 3, 2}, 5, 0.5F, 1.1F});
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<char const*>(reals.data()), sizeof reals);
        file << std::string(bytes, 'x');
    }
    [[nodiscard]] std::string refusal() const {
        return testing::refusal_of(ExitCode::cannot_run, [&] { check_place_of_dump(path, {}); }).reason;
    }
    testing::TemporaryDirectory place;
    std::filesystem::path const path = place.path() / "restart";
};

TEST_F(OldDump, IsReplacedWholeOrCutOff) {
    EXPECT_EQ(refusal(), "") << "nothing is there";
    for (std::size_t const bytes : {0, 24, 24 * 24}) {
        dump(bytes);
        EXPECT_EQ(refusal(), "") << bytes;
    }
    std::ofstream(path).close();
    EXPECT_EQ(refusal(), "") << "an empty file";
}

TEST_F(OldDump, IsNothingElse) {
    dump(24 * 24 + 1);
    EXPECT_EQ(refusal(), "it is no dump of a gas cloud") << "longer than its header says";
    std::ofstream(path) << "mine";
    EXPECT_EQ(refusal(), "it is no dump of a gas cloud");
    std::ofstream(path) << std::string(1000, 'm');
    EXPECT_EQ(refusal(), "it is no dump of a gas cloud");
}

TEST_F(OldDump, IsNoLink) {
    dump(24);
    std::filesystem::rename(path, place.path() / "target");
    std::filesystem::create_symlink(place.path() / "target", path);
    EXPECT_EQ(refusal(), "it is a link");
}

}  // namespace
}  // namespace weir::cloud
