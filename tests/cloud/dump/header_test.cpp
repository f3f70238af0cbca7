#include "apps/cloud/dump/header.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <fstream>

#include "apps/common/run/pattern_of_dumps.hpp"
#include "core/error.hpp"
#include "support/failures/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

constexpr Header header{{128, 96, 64}, 16777216, 0.25F, 1.1F};

std::string refusal(std::array<float, 6> const& reals) {
    return Error(testing::refusal_of(ExitCode::usage, [&] { static_cast<void>(header_from(reals, "here/restart")); }))
        .what();
}

TEST(Header, IsSixRealsAndBack) {
    EXPECT_EQ(to_reals(header), (std::array<float, 6>{128, 96, 64, 16777216, 0.25F, 1.1F}));
    EXPECT_EQ(header_from(to_reals(header), "a file"), header);
}

TEST(Header, TellsNoStepThatAFourByteRealWouldRound) {
    EXPECT_NO_THROW(check_step(16777216));
    auto later = header;
    later.step = 16777217;
    testing::expect_error(
        ExitCode::usage, "no dump can represent step 16777217", [&] { static_cast<void>(to_reals(later)); },
        &Diagnosis::problem);
}

TEST(Header, OfTheOtherByteOrderIsRefusedAsSuch) {
    auto reals = to_reals(header);
    for (auto& x : reals) {
        auto bytes = std::bit_cast<std::array<std::byte, 4>>(x);
        std::ranges::reverse(bytes);
        x = std::bit_cast<float>(bytes);
    }
    auto const message = refusal(reals);
    EXPECT_TRUE(testing::has(message, "here/restart is of a machine of the other byte order"));
}

TEST(Header, ThatIsNoneIsRefusedWithWhatIsThere) {
    auto const message = refusal({1.5F, 2, 3, 4, 5, 6});
    EXPECT_TRUE(
        testing::has(message, "here/restart is no restart file (it begins with the numbers 1.5, 2, 3, 4, 5, 6"));
    for (std::size_t i = 0; i < 6; ++i) {
        for (auto const wrong : {NAN, INFINITY, i == 4 ? NAN : -1.0F, i < 4 ? 0x1p25F : NAN}) {
            auto reals = to_reals(header);
            reals[i] = wrong;
            EXPECT_NE(refusal(reals), "") << wrong << " in place " << i;
        }
    }
}

TEST(FilesOfADump, HaveThePapersSizes) {
    for (auto const& [cells, fields, picture] :
         {std::tuple{Triple{128, 128, 64}, 25'165'848U, 1'048'600U}, {{256, 256, 128}, 201'326'616U, 8'388'632U}}) {
        auto const plan = files_of(cells, {1, 1, 1});
        std::vector<std::string> names;
        for (auto const& file : plan.shape.files) {
            names.push_back(file.name);
            auto const& last = file.arrays.back();
            EXPECT_EQ(*last.offset + bytes_of(last), file.arrays.size() > 2 ? fields : picture) << file.name;
        }
        EXPECT_EQ(names, (std::vector<std::string>{"restart", "restart.weir-part", "analysis", "density", "pressure",
                                                   "speed", "potential"}));
        EXPECT_EQ(restart_bytes(cells), fields);
        EXPECT_EQ(bytes_left(plan, {.steps = 20, .every = 5}, true), 5 * fields + 16 * picture);
        EXPECT_EQ(bytes_left(plan, {.steps = 20, .every = 21}, true), fields);
        EXPECT_EQ(bytes_left(plan, {.steps = 20, .every = 0}, false), 0U);
    }
}

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
